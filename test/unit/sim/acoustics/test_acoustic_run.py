"""Thetis's mission, and what a file of one may not say."""

import pytest
import yaml

from usv_energy.files.errors import InputError
from usv_energy.sim.acoustics.acoustic_run import contacts_of, ranges_of, read_acoustic_plan, run_plan
from usv_energy.sim.acoustics.hearing import INTERFERENCE, OUT_OF_RANGE, RECEIVED

PLACES = {'a': [0.0, 0.0, -5.0], 'b': [500.0, 0.0, -5.0], 'c': [250.0, 10.0, -5.0]}


def plan_of(tmp_path, messages, **more):
    path = tmp_path / 'plan.yaml'
    path.write_text(yaml.safe_dump({
        'title': 'three', 'vehicles': [{'name': name, 'modem': 'tapac', 'place': place}
                                       for name, place in PLACES.items()],
        'messages': [{'from': sender, 'at': at, 'text': text} for sender, at, text in messages]} | more))
    return str(path)


def test_thetis_mission():
    """[H]: in range at 650 s, out at 2382 s; the first of three messages is lost, the others come after 20 s."""
    plan = read_acoustic_plan('thetis')
    assert ranges_of(plan)['taipan_2'] == pytest.approx(1845.0, abs=1.0)
    contact = next(contacts_of(plan))
    assert [hears for _, hears in contact.changes] == [False, True, False]
    assert [time for time, _ in contact.changes[1:]] == pytest.approx([650.0, 2382.0], abs=0.1)
    receptions = [message.receptions['taipan_300'] for message in run_plan(plan)]
    assert [one.outcome for one in receptions] == [OUT_OF_RANGE, RECEIVED, RECEIVED]
    for one in receptions[1:]:  # 46 characters at 20 bit/s take 18.4 s, and the way at most 1.3 s.
        delay = one.end - one.transmission.begin
        assert 18.4 < delay <= 18.4 + 1.3
        assert delay - 18.4 == pytest.approx(one.distance / 1490.0, rel=0.01)


def test_as_printed_it_hears_from_159_s_on():
    plan = read_acoustic_plan('thetis')
    plan = plan._replace(sea=plan.sea._replace(noise='thetis_printed'))
    # The same way: the chord of a circle of 2787 m, 636 m off its middle, half of it 2713 m, 1356.7 s at 2 m/s.
    assert next(contacts_of(plan)).changes[1][0] == pytest.approx(1516.0 - 1356.7, abs=1.0)


def test_two_at_once_are_lost_to_both_and_energy_is_power_by_time(tmp_path):
    sent = run_plan(read_acoustic_plan(plan_of(tmp_path, [('a', 0.0, 'x' * 10), ('b', 1.0, 'y' * 10)])))
    assert [one.receptions['c'].outcome for one in sent] == [INTERFERENCE, INTERFERENCE]
    assert [one.energy for one in sent] == pytest.approx([4.2 * 4.0] * 2)


def test_a_modem_that_is_still_sending_sends_the_next_one_after(tmp_path):
    sent = run_plan(read_acoustic_plan(plan_of(tmp_path, [('a', 0.0, 'x' * 10), ('a', 1.0, 'y' * 10)])))
    assert [one.transmission.begin for one in sent] == [0.0, 4.0]
    assert [one.receptions['b'].outcome for one in sent] == [RECEIVED, RECEIVED]


@pytest.mark.parametrize('step', [0.1, 7.0])
def test_how_often_one_looks_changes_nothing(tmp_path, step):
    messages = [('a', 0.0, 'x' * 10), ('b', 1.0, 'y' * 3), ('c', 30.0, 'z')]
    default, other = (run_plan(read_acoustic_plan(plan_of(tmp_path, messages, **more)))
                      for more in ({}, {'step': step}))
    for one, two in zip(default, other):
        assert {name: (got.outcome, round(got.arrival, 9)) for name, got in one.receptions.items()} \
            == {name: (got.outcome, round(got.arrival, 9)) for name, got in two.receptions.items()}


@pytest.mark.parametrize(('more', 'words'), [
    ({'vehicles': [{'name': 'a', 'modem': 'tapac', 'place': [0, 0, 0]}] * 2}, "vehicles.1.name is 'a' a second time"),
    ({'vehicles': [{'name': 'a', 'modem': 'tapac'}] * 2}, 'vehicles.0 must have place or track, one of them'),
    ({'sea': {'noise': 'loud'}}, 'sea.noise'), ({'step': 0}, 'step'),
    ({'duration': 3e7, 'step': 1.0}, 'step is 1; must be at least 30, as the 3e+07 s may have 1e+06 steps')])
def test_faults(tmp_path, more, words):
    path = plan_of(tmp_path, [('a', 0.0, 'x')], **more)
    with pytest.raises(InputError) as caught:
        read_acoustic_plan(path)
    assert path in str(caught.value) and words in str(caught.value)


@pytest.mark.parametrize(('sender', 'time', 'words'), [
    ('d', 0.0, r"messages\.0\.from is 'd'; must be one of a, b, c"), ('a', 1.5e9, r'messages\.0\.at is 1500000000')])
def test_a_message_of_nobody_and_one_in_fifty_years(tmp_path, sender, time, words):
    with pytest.raises(InputError, match=words):
        read_acoustic_plan(plan_of(tmp_path, [(sender, time, 'x')]))
