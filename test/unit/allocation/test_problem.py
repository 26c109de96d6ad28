"""What actuators can give, in convex parts: how many, where their edges are, how far each reaches; limits in a flow."""

import math

import numpy as np
import pytest
from arrangements import ARRANGEMENTS, OUTBOARD, SINGLE, WIDE, azimuth, fixed

from usv_energy.allocation.allocate import force_of
from usv_energy.allocation.problem import actuator_of, convex_part, farthest, number_of_parts
from usv_energy.allocation.responses import reach_of_actuator, response, setting_of_part
from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.motion import Relative
from usv_energy.thrusters.commands import thrust_of_command
from usv_energy.thrusters.kinds.bollard_map import BollardMap

SHORT = 1e-4
TILT = math.cos(math.radians(15.0))
RANGED = azimuth(-1.0, 0.3, 0.0, 50.0, (-0.5, 0.7), 2.0)


def test_the_reach_by_hand():
    """5 N at most, 3 N astern, to port, 2 m ahead; and all the way round 6 N, 0.3 m and 0.4 m away: 3 N m."""
    assert reach_of_actuator(convex_part(fixed(2.0, 0.0, 90.0, -3.0, 5.0), 0.0), SHORT) == pytest.approx(
        (0.0, 0.0, -3.0, 5.0, -6.0, 10.0, -6.0, 10.0), abs=1e-12)
    round_about = azimuth(0.3, -0.4, 0.0, 6.0)
    assert reach_of_actuator(convex_part(round_about, 0.0), SHORT) == pytest.approx(
        (-6.0, 6.0, -6.0, 6.0, -3.0, 3.0, -2.9997, 2.9997))


@pytest.mark.parametrize('actuators', ARRANGEMENTS.values(), ids=ARRANGEMENTS)
def test_the_reach_is_the_most_that_any_setting_gives(rng, actuators):
    """Against ten thousand settings of each part; their forces are below the reach, and come near to it."""
    for actuator in actuators:
        parts = [convex_part(actuator, float(n)) for n in range(int(number_of_parts(actuator)))]
        reach = np.array([reach_of_actuator(part, 0.0)[:6] for part in parts])
        least, most = reach[:, ::2].min(axis=0), reach[:, 1::2].max(axis=0)
        turn, low = actuator.azimuth, actuator.low
        thrusts = np.append(rng.uniform(low, actuator.high, 10000), [low, actuator.high])
        if turn is None:
            given = np.array(force_of((thrusts,), (None,), (actuator,)))
        else:
            thrusts, angles = np.meshgrid([low, actuator.high], np.linspace(turn.least, turn.largest, 5001))
            given = np.array(force_of((thrusts.ravel(),), (angles.ravel(),), (actuator,)))
        np.testing.assert_allclose(np.max(given, axis=1), most, rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(np.min(given, axis=1), least, rtol=1e-6, atol=1e-4)


@pytest.mark.parametrize('angles', [(-0.5, 0.7), (-1.9, 0.2), (0.4, 0.4 + math.pi)],
                         ids=['ahead', 'to starboard', 'half a turn'])
def test_the_farthest_of_a_sector_is_that_of_its_best_angle(rng, angles):
    """Against all angles on a grid; nothing where each would cost; a little less where the best is no corner."""
    part = convex_part(azimuth(0.7, -0.4, 0.0, 6.0, angles), 0.0)
    grid = np.linspace(*angles, 20001)
    for x, y, n in rng.normal(size=(60, 3)).tolist():
        over = 6.0 * ((x + 0.4 * n) * np.cos(grid) + (y + 0.7 * n) * np.sin(grid))
        best = int(np.argmax(over))
        most = max(float(over[best]), 0.0)
        assert farthest(part, x, y, n, 0.0) == pytest.approx(most, abs=1e-6)
        corner = best in (0, grid.size - 1)
        assert farthest(part, x, y, n, 0.25) == pytest.approx(most * (1.0 if corner else 0.75), abs=1e-6)


def test_a_direction_along_an_edge_is_within_the_sector():
    """Of a quarter turn from ahead to port: a curve's end from 0 to 90 degrees, both included; a corner beyond."""
    part = convex_part(azimuth(0.0, 0.0, 0.0, 6.0, (0.0, 0.5 * math.pi)), 0.0)._replace(edges=(1.0, 0.0, 0.0, 1.0))
    for x, y, within in ((2.0, 0.0, True), (0.0, 3.0, True), (1.0, 1.0, True), (2.0, -1e-9, False),
                         (-1e-9, 3.0, False)):
        assert farthest(part, x, y, 0.0, 0.5) == pytest.approx(
            6.0 * math.hypot(max(x, 0.0), max(y, 0.0)) * (0.5 if within else 1.0), rel=1e-12)


def test_how_many_convex_parts_there_are():
    assert [number_of_parts(boat[0]) for boat in ARRANGEMENTS.values()] == [1, 1, 1, 1, 1, 1, 1, 2, 2, 3]
    assert number_of_parts(WIDE[1]) == 2 and number_of_parts(SINGLE[0]) == 1


@pytest.mark.parametrize('actuator', [*OUTBOARD, *WIDE, azimuth(-1.0, 0.0, -30.0, 100.0, (0.5, 6.1)),
                                      azimuth(-1.0, 0.0, -30.0, 100.0, (5.0, 6.5))])
def test_the_parts_together_are_all_that_an_azimuth_thruster_can_give(rng, actuator):
    """Each direction that some angle gives is within a part, and no part reaches a direction that no angle gives."""
    turn, parts = actuator.azimuth, [convex_part(actuator, float(n)) for n in range(int(number_of_parts(actuator)))]
    for angle in rng.uniform(turn.least, turn.largest, 50):
        for sign, limit in ((1.0, actuator.high), (-1.0, -actuator.low)):
            x, y = sign * math.cos(angle), sign * math.sin(angle)
            assert max(farthest(part, x, y, 0.0, 0.0) for part in parts) >= limit * (1.0 - 1e-12)
    for part in parts:
        for multipliers in rng.uniform(-90.0, 90.0, (50, 3)).tolist():
            thrust, angle = setting_of_part(part, actuator, multipliers, 0.1)
            given = response(part, multipliers, 0.1)[:3]
            assert force_of((thrust,), (angle,), (actuator,)) == pytest.approx(given, rel=1e-9, abs=1e-9)
            assert actuator.low <= thrust <= actuator.high and turn.least <= angle <= turn.largest


@pytest.mark.parametrize('actuator', [OUTBOARD[0], WIDE[0]])
def test_the_last_part_of_what_drives_astern_is_its_thrust_astern(actuator):
    """For the highest multiplier of a force straight astern it does not turn: all of its thrust astern, at angle 0."""
    last = convex_part(actuator, float(number_of_parts(actuator)) - 1.0)
    assert (last.way, last.high) == (-1.0, -actuator.low)
    assert setting_of_part(last, actuator, (-1e4, 0.0, 0.0), 0.0) == pytest.approx((actuator.low, 0.0), abs=1e-12)


@pytest.mark.parametrize(('angles', 'low', 'sectors'), [
    ((-0.5, 0.7), 0.0, [(-0.5, 0.7, 1.0)]),
    ((-0.5, 0.7), -30.0, [(-0.5, 0.7, 1.0), (math.pi - 0.5, math.pi + 0.7, -1.0)]),
    ((-0.5 * math.pi, 0.5 * math.pi), -30.0,
     [(-0.5 * math.pi, 0.5 * math.pi, 1.0), (0.5 * math.pi, -0.5 * math.pi, -1.0)]),
    ((-2.0, 1.9), 0.0, [(-2.0, -0.05, 1.0), (-0.05, 1.9, 1.0)]),
    ((-2.0, 1.9), -30.0, [(-2.0, -0.05, 1.0), (-0.05, 1.9, 1.0), (1.9, math.tau - 2.0, -1.0)]),
    ((0.5, 6.1), 0.0, [(0.5, 3.3, 1.0), (3.3, 6.1, 1.0)])],
    ids=['ahead', 'both', 'half a turn', 'wide', 'wide and astern', 'wide, about astern'])
def test_the_sectors_of_a_range_of_angles(angles, low, sectors):
    """More than half a turn is two sectors; astern is one more, in what no angle ahead gives; 45 degrees of tilt."""
    actuator = azimuth(-1.0, 0.3, low, 50.0, angles, 2.0)._replace(forward=0.42, sideways=0.56, u=0.4, v=-0.1)
    assert number_of_parts(actuator) == len(sectors)
    for choice, (begin, end, way) in enumerate([*sectors, sectors[0]]):
        part = convex_part(actuator, float(choice))
        assert part.edges == pytest.approx((math.cos(begin), math.sin(begin), math.cos(end), math.sin(end)))
        assert (part.way, part.x, part.y, part.u, part.v) == (way, -1.0, 0.3, 0.4, -0.1)
        assert part.high == pytest.approx(0.7 * (50.0 if way > 0.0 else -low))
        assert part.gain == pytest.approx(0.7 ** 3 * 4.0 / (9.0 * 2.0 ** 2))


def test_what_turns_all_round_is_a_circle_and_what_cannot_push_gives_nothing():
    whole = azimuth(0.4, 0.0, -30.0, 50.0, (-math.pi, math.pi))
    for choice in (0.0, 1.0, 2.0):
        part = convex_part(whole, choice)
        assert (part.way, part.high, part.edges) == (1.0, 50.0, None)
    assert number_of_parts(whole) == 1.0 and number_of_parts(SINGLE[0]._replace(low=0.0)) == 1.0
    assert convex_part(RANGED._replace(high=0.0), 0.0).high == 0.0


@pytest.mark.parametrize('axis', [None, (0.0, 1.0), (0.6, -0.8)])
def test_the_limits_for_the_allocation_are_those_of_the_inflow_along_the_axis(axis):
    """40 N at standstill are 40 - c sqrt(40) v ahead in inflow v: 1.5 m/s ahead, 0.5 m/s to port, a tilted axis."""
    propeller = BollardMap(np.array([-40.0, 0.0, 40.0]), np.array([300.0, 0.0, 300.0]), inflow=1.4)
    thruster = read_boat('lutra_prop').vessel.thrusters[0]._replace(
        axis=axis, propeller=propeller, min_thrust=-40.0, max_thrust=40.0, cost=1.0)
    c, s = axis or (1.0, 0.0)
    found = actuator_of(thruster, Relative(1.5 + 0.3 * thruster.y, 0.5 - 0.3 * thruster.x, 0.3, -1.5, -0.5))
    inflow = TILT * (found.u * c + found.v * s)
    assert (found.u, found.v) == pytest.approx((1.5, 0.5))  # at its place, in a turn
    assert (found.forward, found.sideways) == pytest.approx((TILT * c, TILT * s))
    assert found.low == thrust_of_command(-40.0, inflow, propeller)
    assert found.high == thrust_of_command(40.0, inflow, propeller)
    if inflow > 0.0:
        assert found.high == pytest.approx(40.0 - 1.4 * math.sqrt(40.0) * inflow)
