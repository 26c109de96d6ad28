import math

import numpy as np
import pytest
from scipy import optimize

from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.sea import Sea
from usv_energy.physics.waves.felt_waves import PlaceInSea, column_waves
from usv_energy.physics.waves.linear_wave import GRAVITY, LinearWave
from usv_energy.sim.control.control import gains_for
from usv_energy.sim.plants.water_around import felt_sea
from usv_energy.studies.analyze.waves.hull_in_waves import (
    BALANCED,
    FREE,
    HEIGHT,
    SURGE,
    TURN,
    YAW,
    HullInWaves,
    X,
    _around,
    _wave,
    encounter_frequency,
)
from usv_energy.studies.analyze.waves.waves_along_log import SurfaceFollower

OTTER = read_boat('otter_parts').vessel
WAYS = np.radians([180.0, 135.0, 90.0, 45.0, 0.0])


def test_waves_are_met_by_their_speed_past_the_boat():
    # A wave of 14.052 m and 3 s, and 1 m/s: (4.684 + 1) / 14.052 times a second against it.
    met = encounter_frequency(np.full(2, 2.0 * math.pi / 3.0), np.array([math.pi, 0.0]), 1.0)
    np.testing.assert_allclose(met / (2.0 * math.pi), [5.684 / 14.052, 3.684 / 14.052], rtol=1e-3)


def test_long_waves_carry_a_hull_at_rest_as_their_surface():
    frequency = np.full(WAYS.size, 2.0 * math.pi / 14.0)
    found = HullInWaves(OTTER, 0.0).motion(frequency, WAYS)
    surface = SurfaceFollower(0.0, 0.0, 0.0).motion(frequency, WAYS)
    slope = frequency[0] ** 2 / 9.81
    assert np.abs(found.heave - surface.heave).max() < 0.01
    assert np.abs(found.pitch - surface.pitch).max() < 0.03 * slope
    np.testing.assert_allclose(found.roll[1:4] / surface.roll[1:4], 1.0, atol=0.005)


@pytest.mark.parametrize('period', [8.0, 12.0])
def test_a_hull_without_thrust_goes_with_the_stokes_drift(period):
    # Held to no thrust at all: the drag of its mean speed along itself is what the wave takes; the rest is its slip.
    frequency = np.array([2.0 * math.pi / period])
    means = HullInWaves(OTTER, 0.0).means(frequency, np.array([0.0]))
    drift = frequency[0] ** 3 / 9.81  # a^2 omega k; Dean, Dalrymple (1991), (10.46)
    assert means.slip[0] - means.resistance[0] / OTTER.damping.d11 == pytest.approx(drift, rel=0.05)


def test_port_and_starboard_are_alike():
    frequency = np.full(3, 2.5)
    hull, ways = HullInWaves(OTTER, 1.0), np.array([0.4, 1.2, 2.5])
    for one, other in zip(hull.means(frequency, ways), hull.means(frequency, -ways)):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(hull.motion(frequency, ways).roll, -hull.motion(frequency, -ways).roll, atol=1e-6)


def test_means_do_not_depend_on_the_amplitude_that_they_were_told_by(monkeypatch):
    frequency, ways = np.array([2.0, 4.0]), np.array([math.pi, 0.3])
    hull = HullInWaves(OTTER, 1.0)
    usual = hull.means(frequency, ways)
    assert np.abs(usual.work).min() > 0.1
    monkeypatch.setattr('usv_energy.studies.analyze.waves.hull_in_waves.SECOND', 4e-3)
    for one, other in zip(usual, hull.means(frequency, ways)):
        np.testing.assert_allclose(one, other, rtol=2e-3, atol=1e-3)


def test_a_trimmed_hull_is_balanced_on_average_and_makes_way_by_its_slip():
    """Its thrusters high up put its bow down. Found by Newton's steps on the means themselves, of all that is free."""
    hull = HullInWaves(OTTER._replace(parts=OTTER.parts._replace(thrust_arm=1.5)), 2.0)
    assert hull._rest[8] > math.radians(3.0)
    amplitude, phase = 2e-3, math.tau / 12 * np.arange(12)
    frequency, way = np.array([3.0]), np.array([2.5])
    response = hull._response(frequency, way)[0][0]
    moment = np.real(response @ hull._pilot * np.exp(1j * phase))

    def mean_rates(more):
        """Return the mean rates beyond those in calm water over the square of the amplitude; `more`: likewise."""
        state = hull._rest[:, None] + amplitude * np.real(np.outer(response, np.exp(1j * phase)))
        state[list(FREE)] += amplitude ** 2 * more[:-2, None]
        force = hull._thrust + amplitude ** 2 * more[-2], 0.0, amplitude * moment + amplitude ** 2 * more[-1]
        rates = hull._rate_and_water(state, force, _wave(frequency, way, amplitude, phase))[0].mean(axis=1)
        return (rates - hull._rate(hull._rest)) / amplitude ** 2

    found = optimize.root(lambda more: mean_rates(more)[list(BALANCED)], np.zeros(10), tol=1e-9)
    assert np.abs(found.fun).max() < 1e-5
    means = hull.means(frequency, way)
    assert means.resistance[0] == pytest.approx(found.x[-2], rel=1e-3)
    assert means.slip[0] == pytest.approx(mean_rates(found.x)[X], rel=1e-3)


def test_a_thrust_that_answers_to_the_speed_calms_the_surge():
    frequency, ways = np.array([2.5]), np.array([math.pi])
    free, held = (HullInWaves(OTTER, 1.0, gain).means(frequency, ways).surge[0] for gain in (0.0, 240.0))
    assert held < 0.5 * free


def test_the_pilot_and_the_throttle_work_against_heading_turn_and_speed():
    hull, gains = HullInWaves(OTTER, 1.0, 7.0), gains_for(OTTER)
    wanted = np.zeros((2, 12))
    wanted[0, YAW], wanted[0, TURN], wanted[1, SURGE] = -gains.heading_kp, -gains.heading_kd, -7.0
    np.testing.assert_array_equal([hull._pilot, hull._throttle], wanted)


def test_the_work_is_that_of_a_thrust_that_answers_in_water_that_moves():
    """Speed beyond the mean times the thrust that it takes away, less what the moved water takes off: by 48 phases."""
    frequency, way, phase = np.array([3.0]), np.array([2.5]), math.tau / 48 * np.arange(48)
    hull = HullInWaves(OTTER, 1.0, 60.0)
    response, amplitude = hull._response(frequency, way)[0][0], 1e-3
    moved = np.real(np.outer(response, np.exp(1j * phase)))
    thrust = -60.0 * moved[SURGE]
    force = hull._thrust + amplitude * thrust, 0.0, amplitude * (hull._pilot @ moved)
    _, seen = hull._rate_and_water(hull._rest[:, None] + amplitude * moved, force,
                                   _wave(frequency, way, amplitude, phase))
    wanted = -60.0 * np.mean(moved[SURGE] ** 2) - hull._thrust * np.mean(seen) / amplitude ** 2 - np.mean(
        thrust * seen) / amplitude
    assert hull.means(frequency, way).work[0] == pytest.approx(wanted, rel=1e-6)


@pytest.mark.parametrize('frequency', [1.7, 6.0])
def test_the_water_around_is_that_which_the_plant_has_of_a_wave(rng, frequency):
    """Also of one so short that a column's size averages a tenth of it away."""
    x, y, yaw, phase, way = rng.uniform(-3.0, 3.0, 5)
    state = np.zeros(HEIGHT)
    state[:3] = x, y, yaw
    c, s, number = math.cos(way), math.sin(way), frequency ** 2 / GRAVITY
    sea = Sea(LinearWave(0.1, frequency, number, c, s, phase, math.inf))
    wanted = column_waves(felt_sea(sea, OTTER.parts), PlaceInSea(x, y, math.cos(yaw), math.sin(yaw), 0.0), OTTER.parts)
    found = _around(OTTER.parts, (frequency, number, c, s, 0.1, phase), state)
    assert found.gust_east == found.gust_north == 0.0
    np.testing.assert_allclose(np.array(found.columns), np.array(wanted), rtol=1e-7, atol=1e-9)
