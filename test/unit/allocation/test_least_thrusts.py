"""The thrusts with the least sum of squares that make a force, limits left out."""

import math

import numpy as np
import pytest
from thruster_boats import boat_with

from usv_energy.allocation.boat_thrusts import least_thrust, thrust_and_angle
from usv_energy.boats.boat_file import read_boat
from usv_energy.thrusters.drive import hull_force
from usv_energy.thrusters.thruster import Azimuth, force_along

LUTRA = read_boat('lutra_prop').vessel


def test_shares_of_two_thrusters_are_exact(rng):
    """Two thrusters side by side: force and moment have one answer, and it is the thrusts that made them."""
    for thrusts in rng.uniform(-11.5, 11.5, size=(100, 2)):
        surge, _, yaw = hull_force(thrusts, LUTRA.thrusters)
        found = [least_thrust(thruster, (surge, 0.0, yaw))[0] for thruster in LUTRA.thrusters]
        assert found == pytest.approx(tuple(thrusts), abs=1e-12)


def test_shares_of_three_thrusters_are_the_least_that_give_the_force(rng):
    """They make the force asked for, and any other answer (plus a multiple of the null direction) is longer."""
    vessel = boat_with((0.5, -9.0, 9.0, 0.0), (0.1, -9.0, 9.0, 30.0), (-0.4, -9.0, 9.0, 0.0))
    arrangement = np.array([force_along(1.0, None, thruster) for thruster in vessel.thrusters]).T[[0, 2]]
    null_direction = np.cross(*arrangement)
    for surge, yaw in rng.uniform(-5.0, 5.0, size=(100, 2)):
        found = np.array([least_thrust(thruster, (surge, 0.0, yaw))[0] for thruster in vessel.thrusters])
        assert arrangement @ found == pytest.approx((surge, yaw), abs=1e-12)
        assert found @ null_direction == pytest.approx(0.0, abs=1e-12)


def test_a_single_thruster_takes_the_whole_force():
    vessel = boat_with((0.0, -5.0, 5.0, 60.0))
    assert least_thrust(vessel.thrusters[0], (2.0, 0.0, 0.0))[0] == pytest.approx(4.0)


@pytest.mark.parametrize(('forward', 'sideways', 'limit', 'thrust', 'angle'), [
    (10.0, 0.0, math.pi, 10.0, 0.0), (-10.0, 0.0, math.pi, 10.0, math.pi), (3.0, -4.0, math.pi, 5.0, -math.atan2(4, 3)),
    (10.0, 0.0, 0.5, 10.0, 0.0), (-10.0, 0.0, 0.5, -10.0, 0.0),
    (-10.0, 1.0, 0.5, -math.hypot(10, 1), -math.atan2(1, 10)),
    (0.0, 10.0, 0.5, 10.0 * math.sin(0.5), 0.5)])
def test_one_that_turns_all_round_never_drives_astern_another_does(forward, sideways, limit, thrust, angle):
    """Beyond its limit it gives the part of the force that lies along it there."""
    found = thrust_and_angle(forward, sideways, Azimuth(-limit, limit, 1.0))
    assert found == pytest.approx((thrust, angle))


def test_shares_are_multiplied_with_surge_sway_and_yaw_each():
    """Any numbers as shares: ahead s . F, to port that of the azimuth's own; of both a thrust and an angle."""
    turning = Azimuth(-math.pi, math.pi, 1.0)._replace(surge_share=0.1, sway_share=0.9, yaw_share=0.2)
    thruster = LUTRA.thrusters[0]._replace(surge_share=0.3, sway_share=0.4, yaw_share=-0.7)
    ahead = 0.3 * 5.0 + 0.4 * -3.0 - 0.7 * 2.0
    aside = 0.1 * 5.0 + 0.9 * -3.0 + 0.2 * 2.0
    assert least_thrust(thruster, (5.0, -3.0, 2.0)) == (pytest.approx(ahead), None)
    assert least_thrust(thruster._replace(azimuth=turning), (5.0, -3.0, 2.0)) == pytest.approx(
        (math.hypot(ahead, aside), math.atan2(aside, ahead)))
    assert least_thrust(thruster._replace(sway_share=None), (5.0, -3.0, 2.0))[0] == pytest.approx(0.3 * 5.0 - 1.4)
