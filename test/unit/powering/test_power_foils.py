"""The cause `foils`, and what else foils, waves and maps change of a power: closed forms and balances."""

import math

import numpy as np
import pytest
from power_cases import MAPPED, steady

from usv_energy.allocation.boat_thrusts import thrusts_of_force
from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.checks import with_arrangement
from usv_energy.physics.motion import STILL, Motion, Relative, WaveAction, moved_by_waves
from usv_energy.powering.actuators import foils_of_force
from usv_energy.powering.power import (
    mean_power_rep103,
    needed_of,
    power_as_published,
    power_rep103,
    steady_power_of_thrusts,
)

KEEL = read_boat('lutra_rudder').vessel.foils[0]._replace(
    x=-1.3, y=0.4, area=0.05, density=1000.0, lift=1.2, drag=0.6, drag0=0.03, aft=0.0, curve=None, steer=None,
    wash=None)
FERRY = with_arrangement(read_boat('milliampere').vessel._replace(foils=(KEEL,)))
UNDER_WAY = Relative(0.9, 0.2, 0.1, -1.5, 0.7)


def keel_force(at):
    """Return the force of KEEL, N, N, N m, by lift across and drag along the way of its own place, and V C_D, W."""
    along, across = at.u_r - KEEL.y * at.r, at.v_r + KEEL.x * at.r
    speed, angle = math.hypot(along, across), math.atan2(across, along)
    lift, drag = (500.0 * 0.05 * speed * c for c in (1.2 * math.sin(2.0 * angle),
                                                     0.03 + 0.6 * (1.0 - math.cos(2.0 * angle))))
    x, y = lift * across - drag * along, -lift * along - drag * across
    return (x, y, KEEL.x * y - KEEL.y * x), drag * speed ** 2


def test_a_keel_takes_its_drag_times_the_speed_of_its_place():
    """Lift does no work: what the keel takes of a boat that goes ahead, sideways and turns is drag alone."""
    force, drag_power = keel_force(UNDER_WAY)
    power = mean_power_rep103(UNDER_WAY, UNDER_WAY, 1.0, FERRY)
    assert power.foils == pytest.approx(drag_power, rel=1e-12)
    assert power.foils == pytest.approx(-np.dot(force, UNDER_WAY[:3]), rel=1e-12)


@pytest.mark.parametrize('rate', [(0.0, 0.0, 0.0), (0.03, -0.02, 0.01)])
def test_thrusters_that_can_give_any_force_leave_no_side_force_beside_a_keel(rate):
    """Four that turn give just what hull and keel ask for together: their work is the sum of the causes."""
    motion = Motion(0.0, *UNDER_WAY[:3], *rate)
    power = power_rep103(motion, STILL, FERRY)
    assert power.thrust == pytest.approx(power.inertia + power.damping + power.wind + power.foils, rel=1e-9)
    assert power.side_force == pytest.approx(0.0, abs=1e-7)
    assert abs(keel_force(UNDER_WAY)[0][2]) > 2.0 < abs(keel_force(UNDER_WAY)[0][1]), 'a keel that is felt'


def test_thrusts_that_are_those_needed_take_the_power_of_the_steady_motion():
    for at in (UNDER_WAY, UNDER_WAY._replace(u_r=0.0)):
        needed = needed_of(at, (0.0, 0.0, 0.0), FERRY)
        left = tuple(np.subtract(needed.force, foils_of_force(at, needed.force, FERRY)).tolist())
        found = steady_power_of_thrusts(at, *thrusts_of_force(at, left, FERRY)[:2], FERRY)
        assert found == pytest.approx(mean_power_rep103(at, at, 1.0, FERRY), rel=1e-9, abs=1e-9)
        assert found.inertia == 0.0 and found.total > found.damping > 0.0


def test_water_that_moves_with_the_boat_is_at_rest_for_its_thrusters_and_the_air_is_as_it_was():
    moved = moved_by_waves(UNDER_WAY, WaveAction(1.0, 2.0, 3.0, *UNDER_WAY[:3]))
    assert moved == Relative(0.0, 0.0, 0.0, UNDER_WAY.u_w, UNDER_WAY.v_w)


@pytest.mark.parametrize('u_dot', [0.0, -1.0])
def test_as_published_a_map_is_looked_up_for_each_thruster_s_half_of_the_force(u_dot):
    """What is drawn is the map's, ahead or astern; while it brakes the boat gives its own power back besides."""
    boat = MAPPED._replace(windage=MAPPED.windage._replace(air_density=0.0))
    power = power_as_published(steady(0.8)._replace(u_dot=u_dot), STILL, boat)
    force = power.thrust / 0.8
    drawn = 2.0 * np.interp(0.5 * force / boat.thrusters[0].efficiency_of_tilt, boat.losses.map_thrust,
                            boat.losses.map_power)
    assert force * (1.0 + u_dot * 2.0) > 0.0, 'braking where it slows down'
    assert power.losses == pytest.approx(drawn - max(power.thrust, 0.0), rel=1e-12)
    assert power.total == pytest.approx(drawn + 4.0 + min(power.thrust, 0.0), rel=1e-12)
