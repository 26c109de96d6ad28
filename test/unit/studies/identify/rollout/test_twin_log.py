"""Simulated logs: what they hold is the boat's own motion, and what they leave out is not in them."""

from dataclasses import replace

import numpy as np
from scipy.integrate import cumulative_trapezoid
from twin_boats import LUTRA, NO_NOISE
from twin_log import HOLD, MOST, PERIOD, twin_log


def test_velocities_of_a_log_without_noise_integrate_to_its_places(rng):
    """By the trapezoidal rule: 0.01 m is its error over 30 s of steps that change the speed abruptly."""
    log = twin_log(LUTRA, rng, 'exact', 30.0, current=(0.2, -0.1), noise=NO_NOISE)
    east = np.cos(log.yaw) * log.u - np.sin(log.yaw) * log.v
    north = np.sin(log.yaw) * log.u + np.cos(log.yaw) * log.v
    np.testing.assert_allclose(cumulative_trapezoid(east, dx=PERIOD, initial=0.0), log.x, atol=0.01)
    np.testing.assert_allclose(cumulative_trapezoid(north, dx=PERIOD, initial=0.0), log.y, atol=0.01)
    assert not log.known('current_x')


def test_noise_has_the_size_that_is_asked_for_and_thrusts_keep_their_limits():
    clean, noisy = (twin_log(LUTRA, np.random.default_rng(3), 'log', 200.0, noise=(0.0, *noise))
                    for noise in ((0.0, 0.0), (0.02, 0.01)))
    assert np.std(noisy.u - clean.u) == np.clip(np.std(noisy.u - clean.u), 0.019, 0.021)
    assert np.std(noisy.r - clean.r) == np.clip(np.std(noisy.r - clean.r), 0.0095, 0.0105)
    limits = [(MOST * thruster.min_thrust, MOST * thruster.max_thrust) for thruster in LUTRA.vessel.thrusters]
    assert all(low <= column.min() and column.max() <= high for column, (low, high) in zip(noisy.thrust.T, limits))


def test_half_of_every_thrust_moves_a_boat_as_if_all_of_it_were_twice_as_heavy_and_draggy():
    vessel = LUTRA.vessel
    twice = replace(LUTRA, vessel=vessel._replace(
        inertia=vessel.inertia._make(2.0 * one for one in vessel.inertia),
        damping=vessel.damping._make(one if one is None else 2.0 * one for one in vessel.damping),
        windage=vessel.windage._replace(air_density=2.0 * vessel.windage.air_density)))
    weak, heavy = (twin_log(boat, np.random.default_rng(4), 'log', 20.0, noise=NO_NOISE, gain=gain)
                   for boat, gain in ((LUTRA, (0.5, 0.5)), (twice, ())))
    np.testing.assert_array_equal(weak.thrust, heavy.thrust)
    for name in ('u', 'v', 'r', 'x', 'y'):
        np.testing.assert_allclose(getattr(weak, name), getattr(heavy, name), atol=1e-9)


def test_thrusts_are_held_for_a_while_mostly_ahead_and_differ_by_little_and_by_much():
    """Half of the sum is drawn from -0.4 to 1 of the largest thrust, half of the difference up to 0.6 of it."""
    log = twin_log(LUTRA, np.random.default_rng(5), 'log', 600.0, noise=NO_NOISE)
    full = [thruster.max_thrust for thruster in LUTRA.vessel.thrusters]
    left, right = (log.thrust / full).T
    turning = right - left
    assert 0.25 < np.mean(turning > 0.0) < 0.75, 'to both sides'
    assert np.abs(turning).max() > 1.0 and np.abs(turning).min() < 0.1 and 0.3 < np.abs(turning).mean() < 0.7
    assert 0.1 < (left + right).mean() < 1.0 and (left + right).min() < -0.2
    holds = np.diff(np.flatnonzero(np.diff(turning) != 0.0)) * PERIOD
    assert HOLD[0] - PERIOD <= holds.min() and holds.max() <= HOLD[1] + PERIOD and np.ptp(holds) > 0.5 * np.ptp(HOLD)
