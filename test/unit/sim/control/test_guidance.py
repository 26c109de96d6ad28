import math

import numpy as np
import pytest

from usv_energy.physics.frames import to_body, wrap_angle
from usv_energy.physics.motion import Relative
from usv_energy.sim.control.guidance import (
    AHEAD,
    Tacking,
    heading_in_set,
    heading_on_leg,
    heading_to_goal,
    leg_between,
    next_waypoint,
    tacked_heading,
)


@pytest.mark.parametrize('goal, heading', [((5.0, 0.0), 0.0), ((0.0, 5.0), 0.5 * math.pi), ((-5.0, 0.0), math.pi),
                                           ((3.0, -3.0), -0.25 * math.pi)])
def test_heading_to_a_goal(goal, heading):
    assert heading_to_goal(1.0, 2.0, (1.0 + goal[0], 2.0 + goal[1])) == pytest.approx(heading)


def test_on_the_leg_the_heading_is_the_legs(rng):
    for begin, end, share in zip(rng.uniform(-50, 50, (50, 2)), rng.uniform(-50, 50, (50, 2)), rng.uniform(-1, 2, 50)):
        x, y = begin + share * (end - begin)
        course = math.atan2(end[1] - begin[1], end[0] - begin[0])
        heading = heading_on_leg(x, y, leg_between(*begin, *end), 2.0)
        assert wrap_angle(heading - course) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize('offset, turn_deg', [(2.0, -45.0), (-2.0, 45.0), (2.0 * math.sqrt(3.0), -60.0), (1e9, -90.0)])
@pytest.mark.parametrize('course_deg', [0.0, 90.0, 170.0, -135.0])
def test_beside_the_leg_the_boat_aims_at_the_lookahead_point(offset, turn_deg, course_deg):
    """Fossen (10.73): -atan(e / lookahead) from the leg's course, e to port; the aim is the point ahead on the leg."""
    course = math.radians(course_deg)
    along, port = np.array((math.cos(course), math.sin(course))), np.array((-math.sin(course), math.cos(course)))
    begin = np.array((7.0, -3.0))
    place = begin + 4.0 * along + offset * port
    heading = heading_on_leg(*place, leg_between(*begin, *(begin + 10.0 * along)), 2.0)
    assert math.degrees(wrap_angle(heading - course)) == pytest.approx(turn_deg, abs=1e-5)
    assert -math.pi < heading <= math.pi
    if offset < 1e3:
        aim = heading_to_goal(*place, tuple(begin + 6.0 * along))
        assert wrap_angle(heading - aim) == pytest.approx(0.0, abs=1e-12)


WAY = ((10.0, 0.0), (10.4, 0.0), (10.8, 0.0), (20.0, 0.0), (10.0, 0.0))


@pytest.mark.parametrize('x, index, expected', [
    (0.0, 0, 0),        # on the way
    (9.0, 0, 0),        # at the radius, which is not yet closer
    (9.1, 0, 1),        # the first is reached
    (9.9, 0, 3),        # three within the radius: all of them at once
    (9.9, 2, 3),
    (10.2, 3, 3),       # one that lies further on in the list does not count before its turn
    (19.5, 3, 4),
    (10.0, 4, 5),       # the last: no waypoint is left
    (0.0, 5, 5)])
def test_waypoints_are_reached_in_turn(x, index, expected):
    assert next_waypoint(x, 0.0, index, WAY, 1.0) == expected


def test_a_place_that_is_no_number_reaches_nothing():
    assert next_waypoint(math.nan, 0.0, 0, WAY, 1.0) == 0


def known(u, wind, yaw, r=0.0):
    """Return the Relative of a boat that makes way ahead in still water, in a wind given in the earth frame, m/s."""
    forward, port = to_body(*wind, math.cos(yaw), math.sin(yaw))
    return Relative(u, 0.0, r, forward - u, port)


@pytest.mark.parametrize('yaw, y, wanted', [
    (0.3, 0.0, 45.0), (-0.3, 0.0, -45.0),       # it stays on the tack that it is on
    (0.3, 11.0, -45.0), (-0.3, -11.0, 45.0),    # a corridor away, it takes the one that leads back
    (0.3, -11.0, 45.0), (-0.3, 11.0, -45.0)])
def test_a_boat_whose_goal_lies_upwind_tacks(yaw, y, wanted):
    """Goal 100 m east, wind from there; whatever way the boat makes, its vane tells the true wind."""
    leg, tacking = leg_between(0.0, 0.0, 100.0, 0.0), Tacking(math.radians(45.0), 10.0)
    for u in (0.0, 0.8):
        found = tacked_heading(tacking, 0.0, 20.0, y, yaw, known(u, (-4.0, 0.0), yaw), leg)
        assert math.degrees(found) == pytest.approx(wanted)


@pytest.mark.parametrize('wind', [(4.0, 0.0), (0.0, 4.0), (-2.0, 3.9), (0.0, 0.0)])
def test_a_boat_that_can_sail_to_its_goal_does(wind):
    leg, tacking = leg_between(0.0, 0.0, 100.0, 0.0), Tacking(math.radians(45.0), 10.0)
    assert tacked_heading(tacking, 0.1, 20.0, 0.0, 0.2, known(0.5, wind, 0.2), leg) == 0.1


def test_tacks_are_mirrored(rng):
    """North and south, port and starboard, turned round: the same tack on the other side."""
    tacking = Tacking(math.radians(40.0), 6.0)
    for goal_y, x, y, yaw, u, wind_x, wind_y in rng.uniform(-5.0, 5.0, size=(200, 7)):
        leg, mirrored = leg_between(0.0, 0.0, 30.0, goal_y), leg_between(0.0, 0.0, 30.0, -goal_y)
        found = tacked_heading(tacking, 0.0, x, 2.0 * y, yaw, known(u, (wind_x, wind_y), yaw), leg)
        other = tacked_heading(tacking, 0.0, x, -2.0 * y, -yaw, known(u, (wind_x, -wind_y), -yaw), mirrored)
        assert math.cos(found + other) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize('set_x, set_y', [(0.0, 0.0), (0.5, 0.2), (-0.7, 0.3), (0.1, -0.6)])
@pytest.mark.parametrize('course', [0.0, 2.0, -2.5])
def test_in_a_known_set_the_triangle_of_velocities_closes(set_x, set_y, course):
    leg = leg_between(3.0, -1.0, 3.0 + 50.0 * math.cos(course), -1.0 + 50.0 * math.sin(course))
    heading, speed = heading_in_set(3.0 + 5.0 * leg.cosine, -1.0 + 5.0 * leg.sine, leg, 4.0, 0.9, 0.0, (set_x, set_y))
    over_ground = speed * math.cos(heading) + set_x, speed * math.sin(heading) + set_y
    assert over_ground == pytest.approx((0.9 * leg.cosine, 0.9 * leg.sine), abs=1e-12)
    full, ahead = heading_in_set(3.0, -1.0, leg, None, None, 1.5, (set_x, set_y))
    assert ahead == 1.5
    made = 1.5 * math.cos(full) + set_x, 1.5 * math.sin(full) + set_y
    assert made[1] * leg.cosine - made[0] * leg.sine == pytest.approx(0.0, abs=1e-12), 'no way across the leg'


def test_beside_the_leg_a_boat_turns_back_as_in_still_water_however_it_is_set():
    leg = leg_between(0.0, 0.0, 100.0, 0.0)
    for along in (-0.5, 0.0, 0.8):
        on, _ = heading_in_set(20.0, 0.0, leg, 4.0, 1.0, 0.0, (along, 0.1))
        beside, _ = heading_in_set(20.0, 3.0, leg, 4.0, 1.0, 0.0, (along, 0.1))
        assert on - beside == pytest.approx(math.atan2(3.0, 4.0), rel=1e-12)
    fast, speed = heading_in_set(20.0, 0.0, leg, 4.0, 1.0, 0.0, (1.5, 0.0))
    assert (fast, speed) == pytest.approx((0.0, AHEAD)), 'carried faster than it is to go, it keeps steerage way'
    arrays = heading_in_set(np.full(2, 20.0), np.array([0.0, 3.0]), leg, 4.0, np.ones(2), 0.0, (0.8, 0.1))
    assert arrays[0][1] == pytest.approx(beside) and arrays[0].shape == arrays[1].shape == (2,)
