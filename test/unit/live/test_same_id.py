"""Two vehicles with one system id: told, and told apart, by clock, place, heading, address and number."""

import math

import pytest
from autopilot_twin import RTL, AutopilotTwin, Boat

from usv_energy.live.same_id import Alternation, Mark, Values, VehicleClock, Whose

NEEDS = ('pymavlink',)
BOOT = 100.0  # s that the boat's autopilot runs when it is first heard
TOLD = 'energy: two vehicles have one system id'
WORDS = 'two vehicles send as system 1: only the first one counts'


@pytest.fixture
def joined(rig):
    """Return a function that makes a Rig, and one that lets a rival begin: so many s after it, so far north, m."""
    def make(knows_source=True, **parts):
        one = rig(**parts)
        one.twin.boot = BOOT
        if not knows_source:  # As on a serial line, or behind a router.
            receive = one.link.receive
            one.link.receive = lambda longest: [heard._replace(source=None) for heard in receive(longest)]

        def begin(later, north=8.0):
            boat = Boat(speed=2.0)
            boat.north = north
            one.others = [AutopilotTwin(one.port, boot=BOOT + one.twin.boat.t + later, boat=boat)]
            return one.others[0]
        return one, begin
    return make


@pytest.fixture(scope='module')
def clean(rig_of_module):
    """Return the energy of 15 s alone, J."""
    one = rig_of_module()
    one.twin.boot = BOOT
    one.run(15.0).end()
    assert not one.figures['second_vehicle']
    return one.figures['energy_total_j']


@pytest.mark.parametrize('later, alone, knows_source', [
    (0.0, 0.0, True), (0.0, 3.0, False), (0.15, 0.0, False), (-0.15, 3.0, True), (0.6, 3.0, True), (-0.9, 0.0, False),
    (1.05, 3.0, False)])
def test_two_that_started_at_once_are_told_and_only_one_counts(joined, clean, later, alone, knows_source):
    """Their clocks may be one, their headings are alike at first: places tell them, 8 m apart and more."""
    one, begin = joined(knows_source)
    one.run(alone)
    begin(later)
    one.run(15.0 - alone).end()
    assert one.figures['energy_total_j'] == pytest.approx(clean, rel=1e-3)
    assert one.twin.texts().count(TOLD) == 1
    assert one.figures['second_vehicle'] and WORDS in one.figures['problems']


@pytest.mark.parametrize('later', [0.1, 50.0, -50.0])
@pytest.mark.parametrize('alone', [0.0, 2.0])
def test_who_sends_on_while_the_boat_is_silent_does_not_take_its_place(joined, later, alone):
    """`alone`: s for which the boat is silent before the other one is first heard."""
    one, begin = joined()
    one.run(6.0)
    if not alone:
        begin(later, 80.0)
        one.run(2.0)
    else:
        one.run(2.0)
        one.pass_silently(alone)
        begin(later, 80.0)
    for _ in range(150):
        one.twin.boat.step(0.1)
        one.others[0].step()
        one.session.step(0.0)
    counted = one.figures['duration_s']
    assert counted == pytest.approx(8.0, abs=0.5)
    assert one.figures['problems'][0].startswith('nothing heard for 1') and one.figures['second_vehicle']
    one.others = []
    one.run(5.0).end()
    assert one.figures['duration_s'] == pytest.approx(counted + 5.0, abs=0.5)
    assert TOLD in one.twin.texts() and one.figures['left_out'].get('restarts of the autopilot', 0) == 0


def test_a_rival_that_restarts_far_away_in_the_silence_is_no_restart_of_the_boat(joined):
    one, begin = joined()
    one.run(8.0)
    one.pass_silently(3.0)
    begin(-BOOT - 11.0, 200.0)
    for _ in range(100):
        one.twin.boat.step(0.1)
        one.others[0].step()
        one.session.step(0.0)
    assert one.figures['duration_s'] == pytest.approx(8.0, abs=0.5) and one.figures['second_vehicle']


@pytest.mark.parametrize('knows_source', [True, False])
@pytest.mark.parametrize('later', [0.1, 50.0])
def test_no_order_and_no_answer_is_by_the_word_of_the_other(joined, knows_source, later):
    """The other one is armed, and denies the mode; the boat is not armed first, and takes it."""
    one, begin = joined(knows_source, mode='RTL', boat='blueboat', charge=0.1)
    one.twin.armed = False
    one.run(3.0)
    rival = begin(later, 60.0)
    rival.answers = 2
    for _ in range(40):  # Else the numbers of both would be the same.
        rival.put('VFR_HUD', 1.0, 1.0, 90, 50, 0.0, 0.0)
    for _ in range(60):
        one.run(0.1)
        rival.listen()
    assert one.one.order.sent == 0 and not one.one.vehicle.mode.armed
    one.twin.armed = True
    for _ in range(60):
        one.run(0.1)
        rival.listen()
    assert one.one.order.sent == 1 and one.twin.mode == RTL
    assert 'energy: the boat is in RTL' in one.twin.texts()


def values(time, *place, source=None):
    return Values(time, place, (0.0,) * len(place), 3.0, Mark(source, 0), time)


def test_a_place_that_stands_alone_and_a_step_are_no_second_vehicle():
    judge = Alternation()
    told = [judge.judge(values(0.1 * number, 50.0 * (number == 5), 0.0)) for number in range(10)]
    assert told[5] is Whose.UNDECIDED and told.count(Whose.OWN) == 9
    told = [judge.judge(values(1.0 + 0.1 * number, 50.0, 0.0)) for number in range(10)]
    assert told == [Whose.UNDECIDED] * 4 + [Whose.STEPPED] + [Whose.OWN] * 5
    assert not judge.alternates and judge.own.values == (50.0, 0.0)


def test_places_that_go_to_others_and_back_twice_are_of_two():
    judge = Alternation()
    told = [judge.judge(values(0.5 * number, 50.0 * (number % 2), 0.0)) for number in range(4)]
    assert told == [Whose.OWN, Whose.UNDECIDED] * 2 and not judge.alternates
    judge.judge(values(2.0, 0.0, 0.0))
    assert judge.alternates and judge.other.values == (50.0, 0.0)


def test_a_heading_turns_on_through_south():
    judge = Alternation()
    for number in range(60):
        yaw = math.remainder(3.0 + 0.05 * number, math.tau)
        assert judge.judge(Values(0.1 * number, (yaw,), (0.5,), 0.35, Mark(None, 0), 0.1 * number)) is Whose.OWN


@pytest.mark.parametrize('boot, away, taken', [(3.0, 15.0, True), (3.0, 500.0, False), (300.0, 15.0, False),
                                               (509.9 + 10.0 + 4.0, 15.0, True), (3.0, math.nan, False)])
def test_another_clock_is_the_vehicle_s_own_if_it_can_be(boot, away, taken):
    """It started in a silence of 10 s, or all before came up to 10 s late; and its place is one that it could reach."""
    clock = VehicleClock()
    for number in range(100):
        clock.sent(500.0 + 0.1 * number, 0.1 * number, 0.0)
    told = [clock.sent(boot + 0.1 * number, 19.9 + 0.1 * number, away) for number in range(8)]
    assert all(map(math.isfinite, told[4:])) == taken == (clock.restarts == 1)
    assert clock.has_rival(20.6) == (not taken and not math.isnan(away))
