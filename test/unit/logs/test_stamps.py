"""Stamps that are wrong in the ways that recordings show, and the times that must come of them."""

from pathlib import Path

import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.logs.stamps import clean_times, times_of_clock

PATH = Path('log')
TENTHS = 100.0 + np.round(0.1 * np.arange(300), 1)


def cleaned(stamps, received=None, mixed=False):
    notes = []
    found = clean_times(np.asarray(stamps, dtype=float), '/odom', PATH, notes, received, mixed)
    assert (np.diff(found.rising) > 0.0).all()
    return found, {note.code: note.figures for note in notes}


def test_stamps_that_rise_are_taken_as_they_are():
    found, notes = cleaned(TENTHS)
    np.testing.assert_array_equal(found.rising, TENTHS)
    assert not notes and len(found.parts) == 1


def test_a_hole_stays_a_hole():
    stamps = np.concatenate([TENTHS, 1000.0 + TENTHS])
    found, notes = cleaned(stamps)
    np.testing.assert_array_equal(found.rising, stamps)
    assert not notes


def test_stamps_of_nought_before_the_clock_are_left_out_and_those_of_a_clock_from_nought_are_not():
    found, notes = cleaned(np.concatenate([np.zeros(20), TENTHS]))
    np.testing.assert_array_equal(found.rows, np.arange(20, 320))
    assert notes == {'stamps_unset': {'samples': 20}}
    found, notes = cleaned(TENTHS - 100.0)
    assert found.rows.size == 300 and not notes
    found, notes = cleaned(np.concatenate([[0.0, 0.0], TENTHS - 100.0]))
    assert found.rows.size == 300 and found.repeated.size == 2 and not notes


@pytest.mark.parametrize(('place', 'stamp'), [(0, 1.7e9), (0, 3.0), (150, 3710.0), (150, 50.0), (299, 3710.0),
                                              (299, 50.0)])
def test_one_stamp_far_from_its_neighbours_is_left_out(place, stamp):
    stamps = TENTHS.copy()
    stamps[place] = stamp
    found, notes = cleaned(stamps)
    np.testing.assert_array_equal(found.rows, np.delete(np.arange(300), place))
    assert notes['stamps_astray']['samples'] == 1 and len(notes) == 1


def test_two_stamps_in_a_row_may_be_far_off_each_in_another_way():
    stamps = TENTHS.copy()
    stamps[150:152] = 3710.0, 7510.0
    found, notes = cleaned(stamps)
    assert found.rows.size == 298 and notes['stamps_astray']['samples'] == 2


def test_stamps_out_of_order_are_put_in_order_and_counted_once():
    order = np.arange(300)
    order[100:200] = order[100:200].reshape(-1, 2)[:, ::-1].ravel()
    found, notes = cleaned(TENTHS[order])
    np.testing.assert_array_equal(found.rising, TENTHS)
    np.testing.assert_array_equal(TENTHS[order][found.rows], TENTHS)
    assert notes == {'stamps_out_of_order': {'samples': 50}}


def test_stamps_in_no_order_at_all_are_put_in_order():
    """Each up to 3 s late."""
    order = np.argsort(TENTHS + np.random.default_rng(5).uniform(0.0, 3.0, 300))
    found, notes = cleaned(TENTHS[order])
    assert found.rows.size > 295 and 'clock_set' not in notes and 'stamps_out_of_order' in notes
    np.testing.assert_array_equal(TENTHS[order][found.rows], found.rising)


def test_a_clock_set_back_and_ahead_again_is_no_hole_where_messages_went_on_to_arrive():
    stamps = TENTHS.copy()
    stamps[100:200] -= 30.0
    found, notes = cleaned(stamps, received=5000.0 + TENTHS)
    assert found.rows.size == 300 and notes['clock_set']['parts'] == 3
    assert found.rising[-1] - found.rising[0] < 33.0


def test_a_block_that_came_late_is_put_where_its_stamps_say():
    found, notes = cleaned(np.concatenate([TENTHS[:100], TENTHS[200:250], TENTHS[100:200], TENTHS[250:]]))
    np.testing.assert_array_equal(found.rising, TENTHS)
    assert notes == {'stamps_out_of_order': {'samples': 100}}


@pytest.mark.parametrize('back', [0.5, 3.0, 8.0, 500.0])
@pytest.mark.parametrize('jitter', [0.0, 0.02])
def test_a_clock_set_back_begins_a_part_of_its_own(back, jitter):
    stamps = TENTHS + np.random.default_rng(1).uniform(-jitter, jitter, 300)
    stamps[200:] -= back
    found, notes = cleaned(stamps)
    assert [(part.begin, part.end) for part in found.parts] == [(0, 200), (200, 300)]
    np.testing.assert_array_equal(found.rows, np.arange(300))
    steps = np.diff(found.rising)
    assert steps[199] > 1.0 and np.delete(steps, 199).max() < 0.15  # no sample is lost, nothing lies across the jump
    np.testing.assert_array_equal(found.rising[:200], stamps[:200])  # the longest part keeps its times
    assert notes['clock_set']['parts'] == 2 and len(notes) == 1


def test_a_clock_set_back_stays_silent_for_as_long_as_the_arrivals_say():
    stamps, received = TENTHS.copy(), 5000.0 + TENTHS
    stamps[200:] -= 8.0
    received[200:] += 20.0
    found, _ = cleaned(stamps, received)
    assert np.diff(found.rising)[199] == pytest.approx(20.1)


def test_two_boots_follow_each_other_and_the_longer_keeps_its_times():
    for first, second in ((100, 200), (200, 100)):
        found, notes = cleaned(np.concatenate([TENTHS[:first], TENTHS[:second]]))
        assert found.rows.size == 300 and notes['clock_set']['parts'] == 2
        begin, end = (0, 200) if first == 200 else (100, 300)
        np.testing.assert_array_equal(found.rising[begin:end], TENTHS[:200])


def test_three_boots_of_which_the_second_is_short():
    found, notes = cleaned(np.concatenate([TENTHS, TENTHS[:50], TENTHS[:200]]))
    assert found.rows.size == 550 and notes['clock_set']['parts'] == 3


def test_wall_time_before_the_simulated_clock_is_a_part_of_its_own():
    found, notes = cleaned(np.concatenate([1.7e9 + 0.1 * np.arange(20), TENTHS]))
    assert found.rows.size == 320 and notes['clock_set']['parts'] == 2
    np.testing.assert_array_equal(found.rising[20:], TENTHS)
    assert found.rising[20] - found.rising[19] < 2.0


def test_a_clock_set_ahead_is_no_hole():
    """By more than any recording lasts, or while messages went on to arrive."""
    stamps = TENTHS.copy()
    stamps[200:] += 1.7e9
    found, notes = cleaned(stamps)
    assert found.rows.size == 300 and found.rising[-1] - found.rising[0] < 32.0 and 'clock_set' in notes
    stamps[200:] += 3600.0 - 1.7e9
    found, notes = cleaned(stamps, received=5000.0 + TENTHS)
    assert found.rising[-1] - found.rising[0] < 32.0 and 'clock_set' in notes
    found, notes = cleaned(stamps)
    assert found.rising[-1] - found.rising[0] > 3600.0 and not notes  # as far as anyone knows, it is a hole


def test_messages_of_several_kinds_are_never_in_order_and_a_boot_is_still_seen():
    stamps = np.repeat(TENTHS, 2)
    stamps[1::2] -= 0.25
    found, notes = cleaned(np.concatenate([stamps, stamps]), mixed=True)
    assert [part.begin for part in found.parts] == [0, 600] and list(notes) == ['clock_set']


def test_numbers_that_are_no_times_are_refused():
    with pytest.raises(InputError, match='go back more than 50 times'):
        cleaned(np.tile(TENTHS[:40], 60))


def test_another_series_of_the_clock_is_moved_with_it():
    """By its arrival where that is known, even if it began after the clock was set; else by how often it went back."""
    stamps, received = TENTHS.copy(), 5000.0 + TENTHS
    stamps[200:] -= 8.0
    clock, _ = cleaned(stamps, received)
    slow = np.concatenate([np.arange(100.5, 119.6), np.arange(112.5, 121.6)])
    arrived = 5000.0 + np.concatenate([slow[:20], slow[20:] + 8.0])
    wanted = np.concatenate([slow[:20], slow[20:] + clock.parts[1].shift])
    for own, order, expected in ((slow, arrived, wanted), (slow, None, wanted), (slow[22:], arrived[22:], wanted[22:])):
        notes = []
        np.testing.assert_allclose(times_of_clock(own, clock, '/battery', notes, order).rising, expected)
        assert not notes


def test_a_million_stamps_take_well_below_a_second():
    """Where they are out of order, which is the slow way; measured 0.1 s."""
    import time
    stamps = 0.02 * np.arange(1_000_000)
    stamps[1::2] -= 0.05
    began = time.process_time()
    cleaned(stamps)
    assert time.process_time() - began < 1.0
