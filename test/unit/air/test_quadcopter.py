"""The quadcopter's body and rotors against closed forms and conservation."""

import math
from itertools import product

import pytest

from usv_energy.air.quadcopter import (
    GRAVITY,
    Quadcopter,
    at_rest,
    heading,
    next_state,
    read_quadcopter,
    rotor_thrusts,
    rotors_power,
    tilt,
    up_axis,
)
from usv_energy.physics.rotor_in_air import ideal_power

CRAFT = read_quadcopter('ar_drone')
FREE = CRAFT._replace(drag=0.0, lag=0.0)
EACH = 0.25 * CRAFT.mass * GRAVITY


def flown(craft: Quadcopter, state, thrusts, duration, step=0.01, **about):
    for _ in range(round(duration / step)):
        state = next_state(craft, state, thrusts, step, **about)
    return state


def test_hover_power_is_momentum_theorys():
    """Four rotors of a quarter of the weight each: T^1.5 / sqrt(2 rho A) over figure of merit and efficiency."""
    ideal = 4.0 * EACH ** 1.5 / math.sqrt(2.0 * 1.225 * math.pi * 0.1 ** 2)
    expected = ideal / (0.55 * 0.56) + 5.0
    assert CRAFT.hover_power == pytest.approx(expected, rel=1e-12)
    assert rotors_power(CRAFT, at_rest((0.0, 0.0, 9.0), thrust=EACH)) == pytest.approx(expected, rel=1e-9)
    assert CRAFT.battery / CRAFT.hover_power == pytest.approx(12.0 * 60.0, rel=0.01)  # Parrot: 12 minutes.


@pytest.mark.parametrize(('velocity', 'wind'), [((5.0, 0.0, 0.0), (0.0, 0.0, 0.0)), ((0.0, 0.0, 2.0), (3.0, 0.0, 0.0)),
                                                ((1.0, 1.0, -0.5), (0.0, -4.0, 0.0))])
def test_power_in_flight_is_the_physics(velocity, wind):
    """`electrical_power` has the law of `rotor_in_air` once more, for floats."""
    state = at_rest((0.0, 0.0, 9.0), thrust=EACH)._replace(velocity=velocity)
    through = [v - air for v, air in zip(velocity, wind)]
    ideal = 4.0 * float(ideal_power(EACH, CRAFT.disc, through[2], math.hypot(*through[:2])))
    assert rotors_power(CRAFT, state, wind) == pytest.approx(5.0 + ideal / (0.55 * 0.56), rel=1e-6)


def test_it_hangs_in_the_air_with_its_weight_and_falls_without():
    state = flown(FREE, at_rest((1.0, 2.0, 3.0), thrust=EACH), (EACH,) * 4, 2.0)
    assert state.place == pytest.approx((1.0, 2.0, 3.0), abs=1e-9)
    fallen = flown(FREE, at_rest((0.0, 0.0, 0.0)), (0.0,) * 4, 2.0)
    assert fallen.place[2] == pytest.approx(-0.5 * GRAVITY * 4.0, rel=1e-12)


def test_thrust_lags_as_a_first_order_system():
    state = flown(CRAFT, at_rest((0.0, 0.0, 0.0)), (1.0,) * 4, CRAFT.lag, step=0.005)
    assert state.thrusts[0] == pytest.approx(1.0 - math.exp(-1.0), rel=1e-9)


def test_it_drifts_with_the_wind_in_the_end():
    """d v/dt = -drag / m (v - wind): after one time constant 63 % of it."""
    craft = CRAFT._replace(lag=0.0)
    time = craft.mass / craft.drag
    state = flown(craft, at_rest((0.0, 0.0, 9.0), thrust=EACH), (EACH,) * 4, time, time / 200.0, wind=(3.0, 0.0, 0.0))
    assert state.velocity[0] == pytest.approx(3.0 * (1.0 - math.exp(-1.0)), rel=1e-4)


def test_torques_turn_it_as_signed():
    """FLU: roll to starboard, nose down, counter-clockwise; angle = torque t^2 / (2 J), by a small torque."""
    for axis, inertia in enumerate(CRAFT.inertia):
        torques = [0.0, 0.0, 0.0]
        torques[axis] = 1e-3 * inertia
        state = flown(FREE, at_rest((0.0, 0.0, 0.0), thrust=EACH), rotor_thrusts(FREE, 4.0 * EACH, tuple(torques)), 1.0)
        angles = (*tilt(state.turn), heading(state.turn))
        assert angles[axis] == pytest.approx(0.5e-3, rel=1e-3)
    pitching = rotor_thrusts(FREE, 4.0 * EACH, (0.0, 1e-4, 0.0))
    up = up_axis(flown(FREE, at_rest((0.0, 0.0, 0.0), thrust=EACH), pitching, 1.0).turn)
    assert up[0] > 0.0 and abs(up[1]) < 1e-9  # Nose down: the thrust points ahead.


@pytest.mark.parametrize(('thrust', 'torques'), [
    (4.0, (0.02, -0.03, 0.004)), (0.0, (1.0, 0.0, 0.0)), (7.9, (0.5, 0.5, 0.5)), (20.0, (0.0, 0.0, 0.1)),
    (3.0, (0.0, 0.0, 9.0))])
def test_the_mixer_never_asks_for_more_than_there_is(thrust, torques):
    found = rotor_thrusts(CRAFT, thrust, torques)
    assert all(-1e-12 <= one <= CRAFT.most_thrust + 1e-12 for one in found)
    assert sum(found) == pytest.approx(max(0.0, min(thrust, 4.0 * CRAFT.most_thrust)))


def test_the_mixer_gives_what_is_asked_for():
    side = CRAFT.arm / math.sqrt(2.0)
    for roll, pitch, yaw in product((-0.02, 0.03), repeat=3):
        a, b, c, d = rotor_thrusts(CRAFT, 4.2, (roll, pitch, 0.1 * yaw))
        assert side * (a + d - b - c) == pytest.approx(roll)
        assert side * (c + d - a - b) == pytest.approx(pitch)
        assert CRAFT.torque * (a + c - b - d) == pytest.approx(0.1 * yaw)


def test_a_free_body_keeps_its_energy_and_its_spin():
    """Euler's equations without torque: energy of rotation and size of the spin stay, with the step^2 or better."""
    craft, rates = FREE._replace(inertia=(1e-3, 2e-3, 3e-3)), (3.0, 4.0, 1.0)

    def lost(step):
        state = flown(craft, at_rest((0.0, 0.0, 0.0))._replace(rates=rates), (0.0,) * 4, 2.0, step)
        return [abs(sum(j ** power * r * r for j, r in zip(craft.inertia, state.rates))
                    / sum(j ** power * r * r for j, r in zip(craft.inertia, rates)) - 1.0) for power in (1, 2)]

    for coarse, fine in zip(lost(0.01), lost(0.005)):
        assert coarse < 1e-5 and fine < 0.6 * coarse


def test_the_ground_lifts_it():
    lifted = next_state(FREE, at_rest((0.0, 0.0, 0.1), thrust=EACH), (EACH,) * 4, 0.01, above=0.1)
    assert lifted.velocity[2] == pytest.approx(0.01 * GRAVITY / 15.0, rel=1e-6)  # 1 / (1 - 1/16) less 1.
