"""Mean powers over steps, and what each thruster gives."""

import math

import numpy as np
import pytest
from power_cases import (
    CALM,
    MAPPED,
    MIXED,
    any_flow,
    any_motion,
    both_conventions,
    motion_through_water,
    rate_of_force,
    steady,
)

from usv_energy.boats.checks import with_arrangement
from usv_energy.physics.motion import STILL, Flow, Motion, Relative
from usv_energy.powering.power import CONVENTIONS, mean_power_rep103, power_as_published, power_rep103
from usv_energy.sim.plants.plant_step import PlantState
from usv_energy.thrusters.drive import hull_force
from usv_energy.thrusters.thruster import with_shares


@both_conventions
def test_kinetic_energy_telescopes(rng, power_of):
    """Over any way at all, M nu_r_dot . nu_r adds up to the difference of nu_r M nu_r / 2, whatever the steps."""
    convention = next(each for each in CONVENTIONS.values() if each.power is power_of)
    every = np.array([convention.relative(Motion(*m), Flow(*f))
                      for m, f in zip(zip(*any_motion(rng, 40)), zip(*any_flow(rng, 40)))])
    elapsed = rng.uniform(0.01, 3.0, 39)
    inertia = convention.mean_power(Relative(*every[:-1].T), Relative(*every[1:].T), elapsed, MIXED).inertia
    masses = np.array(MIXED.inertia[:3])
    kinetic = 0.5 * (every[:, :3]**2 @ masses)
    assert (inertia * elapsed).sum() == pytest.approx(kinetic[-1] - kinetic[0], rel=1e-12)


@both_conventions
def test_the_mean_over_a_step_without_change_is_the_power_of_the_instant(power_of):
    convention = next(each for each in CONVENTIONS.values() if each.power is power_of)
    motion, flow = steady(1.1, 0.2, 0.0, 0.3), Flow(0.2, -0.1, 3.0, 4.0)
    relative = convention.relative(motion, flow)
    for vessel in (MIXED, MAPPED):
        np.testing.assert_allclose(convention.mean_power(relative, relative, 0.1, vessel),
                                   power_of(motion, flow, vessel), rtol=1e-13, atol=1e-13)


def test_the_mean_over_a_step_is_right_to_second_order():
    """Work of two thrusters along a known way: halving the step divides its error by four, braking included."""
    def way(t):
        return Relative(1.0 + 0.5 * np.sin(2.0 * t), 0.1 * np.cos(t), 0.4 * np.sin(1.3 * t), 0.0 * t, 0.0 * t)

    fine = np.linspace(0.0, 6.0, 96001)
    wanted = energy_of_way(way, fine)
    errors = [abs(energy_of_way(way, np.linspace(0.0, 6.0, steps + 1)) - wanted) for steps in (60, 120, 240, 480)]
    # Where a thruster begins to brake lies anywhere in a step, so single halvings scatter about 2.
    assert math.log2(errors[0] / errors[-1]) / 3.0 == pytest.approx(2.0, abs=0.1)


def energy_of_way(way, times):
    states = np.array(way(times))
    elapsed = np.diff(times)
    return float((mean_power_rep103(Relative(*states[:, :-1]), Relative(*states[:, 1:]), elapsed, CALM).total
                  * elapsed).sum())


def test_opposed_thrusts_at_speed_are_not_set_off_against_each_other():
    """12 N and -4 N at 1 m/s: 12 W are given, however little of it is left as net power."""
    state = PlantState(0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
    tilt = CALM.thrusters[0].efficiency_of_tilt
    rate = rate_of_force(state, hull_force((12.0, -4.0), CALM.thrusters), STILL, CALM)
    power = power_rep103(motion_through_water(state, rate, STILL), STILL, CALM)
    assert power.thrust == pytest.approx(8.0 * tilt)
    assert power.total == pytest.approx(12.0 * tilt)
    assert power.unrecovered == pytest.approx(4.0 * tilt)
    assert power.side_force == pytest.approx(0.0, abs=1e-12)


def test_what_each_thruster_gives_is_told_apart_whatever_the_motion(rng):
    """Any thrusts on any motion in any current and wind: the sum of the positive parts of T_i (u_r - y_i r)."""
    state = PlantState(*rng.uniform(-2.0, 2.0, size=(7, 500)))
    thrusts = rng.uniform(-11.0, 11.0, size=(2, 500))
    flow = any_flow(rng)
    rate = rate_of_force(state, hull_force(thrusts, MIXED.thrusters), flow, MIXED)
    power = power_rep103(motion_through_water(state, rate, flow), flow, MIXED)
    each = [thrust * thruster.efficiency_of_tilt * (state.u_r - thruster.y * state.r)
            for thrust, thruster in zip(thrusts, MIXED.thrusters)]
    np.testing.assert_allclose(power.thrust, sum(each), atol=1e-11)
    np.testing.assert_allclose(power.thrust + power.unrecovered, sum(np.maximum(one, 0.0) for one in each), atol=1e-11)


def test_a_side_force_is_no_propulsion():
    """A boat that is pushed sideways by a current that nobody knows: d22 v is what no thruster gives."""
    power = power_rep103(steady(1.0, 0.3), STILL, CALM)
    assert power.damping == pytest.approx(16.296 + 10.193 * 0.09)
    assert power.side_force == pytest.approx(-10.193 * 0.09)
    assert power.thrust == pytest.approx(16.296)
    both = power_as_published(steady(1.0, 0.3), STILL, CALM)
    assert (both.side_force, both.thrust) == pytest.approx((0.0, 16.296 + 10.193 * 0.09))


def test_a_single_thruster_gives_no_yaw_moment_either():
    one = with_arrangement(CALM._replace(thrusters=with_shares([CALM.thrusters[0]._replace(y=0.0)])))
    power = power_rep103(steady(1.0, 0.0, 0.2), STILL, one)
    coriolis = 0.0  # of a motion without sway
    assert power.side_force == pytest.approx(-4.63 * 0.04 + coriolis)
    assert power.thrust == pytest.approx(16.296)
