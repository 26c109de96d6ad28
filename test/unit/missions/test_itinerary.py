import math

import pytest

from usv_energy.earth import Place
from usv_energy.files.errors import InputError
from usv_energy.missions.itinerary import CIRCLE, MOST_COMMANDS, RETURN, itinerary_of
from usv_energy.missions.mission import Mission, MissionItem

HOME, A, B, C = Place(45.0, 9.0), Place(45.1, 9.0), Place(45.1, 9.1), Place(45.0, 9.1)


def mission(*rows, home=HOME, plan=None):
    """Return a mission of rows (command, parameters, place), numbered from 1."""
    items = []
    for number, (command, parameters, *place) in enumerate(rows, start=1):
        values = (*parameters, *(0.0,) * (4 - len(parameters)))
        x, y = place[0] if place else (0.0, 0.0)
        items.append(MissionItem(command, number, values, x, y, 0.0))
    return Mission('m', tuple(items), home=home, plan=plan or {})


def go(place, hold=0.0, radius=0.0, yaw=0.0):
    return (16, (hold, radius, 0.0, yaw), place)


def places(done):
    return [waypoint.place for waypoint in done.waypoints]


def test_speeds_hold_from_where_they_are_changed_on():
    done = itinerary_of(mission(go(A), (178, (1.0, 1.5)), go(B), (178, (0.0, 0.8)), go(C), go(A), (178, (1.0, -2.0)),
                                go(B), (178, (1.0, -1.0)), go(C)))
    assert [waypoint.speed for waypoint in done.waypoints] == [None, 1.5, 0.8, 0.8, None, None]
    assert (done.start, done.has_home, done.ignored) == (HOME, True, ())


def test_a_rate_of_climb_is_no_speed():
    done = itinerary_of(mission((178, (2.0, 3.0)), go(A)))
    assert done.waypoints[0].speed is None
    assert done.ignored == ((1, 'DO_CHANGE_SPEED'),)


def test_stays_add_up_where_the_boat_is():
    done = itinerary_of(mission(go(A, hold=10.0, radius=3.0), (93, (5.0,)), (93, (2.5,)), (19, (30.0,), B)))
    assert [(waypoint.hold, waypoint.radius) for waypoint in done.waypoints] == [(17.5, 3.0), (30.0, None)]


def test_a_delay_before_the_first_waypoint_is_spent_at_home():
    done = itinerary_of(mission((93, (60.0,)), go(A)))
    assert [(waypoint.place, waypoint.hold) for waypoint in done.waypoints] == [(HOME, 60.0), (A, 0.0)]


def test_a_delay_until_a_time_of_day_is_said_and_not_counted():
    done = itinerary_of(mission(go(A), (93, (-1.0, 12.0, 30.0, 0.0))))
    assert done.waypoints[0].hold == 0.0
    assert done.remarks == ('item 2: waits for a time of day, which counts for nothing',)


def test_what_is_said_of_an_item_is_true_of_it():
    """No delay is none to wait for; a throttle is left out only where no speed stands beside it."""
    done = itinerary_of(mission(go(A), (93, (0.0,)), (178, (1.0, 1.5, 40.0)), (178, (1.0, -1.0, 40.0)),
                                (178, (1.0, -1.0, -1.0))))
    assert done.remarks == ('item 4: sets a throttle, which counts for nothing',)


@pytest.mark.parametrize(('number', 'says'), [
    (1, 'item 1'), (6, 'items 1, 2, 3, 4, 5, 6'), (7, 'items 1, 2, 3, 4, 5, 6 and 1 more')])
def test_remarks_name_a_few_items(number, says):
    done = itinerary_of(mission(*[(82, (), A)] * number))
    assert done.remarks[0].partition(':')[0] == says


def test_remarks_name_an_item_once_however_often_it_is_done():
    done = itinerary_of(mission((82, (), A), (82, (), B), (177, (1.0, 3.0))))
    assert len(done.waypoints) == 8
    assert done.remarks[0].startswith('items 1, 2: ')


def test_a_yaw_is_kept_while_the_boat_stays():
    """MAVLink counts clockwise from north, we counter-clockwise from east."""
    done = itinerary_of(mission(go(A), (115, (90.0,)), (93, (10.0,)), go(B, hold=5.0, yaw=180.0), (115, (0.0,)),
                                go(C, hold=1.0)))
    assert [waypoint.heading for waypoint in done.waypoints] == pytest.approx([None, 0.0, -math.pi / 2, math.pi / 2])
    assert places(done) == [A, A, B, C]


def test_a_yaw_of_zero_is_north_only_where_null_says_that_there_is_none():
    rows = (go(A, hold=1.0, yaw=0.0), go(B, hold=1.0, yaw=None))
    ardupilot, px4 = (itinerary_of(mission(*rows, plan={'mission': {'firmwareType': kind}})) for kind in (3, 12))
    assert [waypoint.heading for waypoint in ardupilot.waypoints] == [None, None]
    assert [waypoint.heading for waypoint in px4.waypoints] == pytest.approx([math.pi / 2, None])


def test_jumps_are_taken_as_often_as_they_say():
    done = itinerary_of(mission(go(A), go(B), (177, (1.0, 2.0)), go(C)))
    assert places(done) == [A, B, A, B, A, B, C]
    assert [waypoint.item for waypoint in done.waypoints] == [1, 2, 1, 2, 1, 2, 4]


def test_jumps_within_jumps_count_once_for_the_whole_mission():
    """ArduPilot's counters are not reset: AP_Mission::get_jump_times_run."""
    done = itinerary_of(mission(go(A), go(B), (177, (2.0, 1.0)), (177, (1.0, 1.0)), go(C)))
    assert places(done) == [A, B, B, A, B, C]


def test_jumps_to_a_tag():
    done = itinerary_of(mission(go(A), (600, (7.0,)), go(B), (601, (7.0, 1.0)), go(C)))
    assert places(done) == [A, B, B, C]
    with pytest.raises(InputError, match=r'item 3, DO_JUMP_TAG: jumps to tag 8; there are tags 7 to 7'):
        itinerary_of(mission((600, (7.0,)), go(B), (601, (8.0, 1.0))))


@pytest.mark.parametrize('rows', [
    (go(A), go(B), (177, (1.0, -1.0))), (go(A), (177, (2.0, -1.0))),
    (go(A), (177, (1.0, 1.0)), go(B), (177, (1.0, -1.0)))])
def test_a_jump_for_ever_is_refused(rows):
    number = len(rows)
    with pytest.raises(InputError, match=rf'm: item {number}, DO_JUMP: jumps to . for ever .its repeats are -1.'):
        itinerary_of(mission(*rows))


def test_rounds_of_a_patrol():
    done = itinerary_of(mission(go(A), go(B), (177, (1.0, -1.0)), go(C)).with_rounds(3))
    assert places(done) == [A, B, A, B, A, B, C]


def test_an_unlimited_jump_that_another_jump_leaves_ends():
    done = itinerary_of(mission(go(A), (177, (4.0, 0.0)), go(B), (177, (6.0, -1.0)), go(A), go(C)))
    assert places(done) == [A, B, C]


def test_a_mission_of_very_many_rounds_is_refused():
    rounds = [(177, (1.0, 30000.0)) for _ in range(20)]
    with pytest.raises(InputError, match=f'more than {MOST_COMMANDS} commands are done up to here'):
        itinerary_of(mission(go(A), *rounds))


def test_a_jump_to_nowhere_is_refused():
    with pytest.raises(InputError, match=r'm: item 2, DO_JUMP: jumps to item 9; there are items 1 to 2'):
        itinerary_of(mission(go(A), (177, (9.0, 1.0))))


def test_it_returns_to_launch_wherever_that_is():
    done = itinerary_of(mission(go(A), (20, ()), go(B), (179, (1.0,)), go(C), (20, ()), (179, (0.0,), A), (20, ())))
    assert [waypoint.place for waypoint in done.waypoints if waypoint.doing == RETURN] == [HOME, B, A]


def test_without_home_it_starts_at_the_first_place_and_returns_there():
    done = itinerary_of(mission(go(A), go(B), (20, ()), home=None))
    assert (done.start, done.has_home, places(done)) == (A, False, [A, B, A])
    assert done.remarks == ('item 3: the mission has no home: it returns to its first place',)


def test_circles():
    """MAVLink's radius is above 0 clockwise; our turns are counted counter-clockwise."""
    done = itinerary_of(mission((18, (3.0, 0.0, 20.0), A), (18, (1.0, 0.0, -5.0), B)))
    assert [(waypoint.doing, waypoint.turns, waypoint.circle_radius) for waypoint in done.waypoints] == [
        (CIRCLE, -3.0, 20.0), (CIRCLE, 1.0, 5.0)]


def test_what_is_taken_for_a_waypoint_and_what_is_ignored_is_said():
    done = itinerary_of(mission((22, (), A), (82, (), A), go(B), (206, (25.0,)), (183, (5.0, 1900.0)), (82, (), C),
                                (177, (4.0, 1.0)), (17, (), C)))
    assert places(done) == [A, B, C, C, C]
    assert done.ignored == ((1, 'NAV_TAKEOFF'), (4, 'DO_SET_CAM_TRIGG_DIST'), (5, 'DO_SET_SERVO'))
    assert done.remarks[0] == 'items 2, 6: NAV_SPLINE_WAYPOINT is taken for a waypoint, gone to on a straight way'
    assert done.remarks[1].startswith('item 8: stays there without end')


def test_a_mission_that_goes_nowhere_is_refused():
    with pytest.raises(InputError, match='m: no item has a place to go to'):
        itinerary_of(mission((16, (0.0,)), (178, (1.0, 2.0))))
    with pytest.raises(InputError, match='no item has a place'):
        itinerary_of(mission(home=None))
