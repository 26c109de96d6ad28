"""A linear wave: published figures, the equations that it must satisfy, and particles that are carried along."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from usv_energy.physics.waves.linear_wave import (
    GRAVITY,
    LinearWave,
    elevation,
    orbital_acceleration,
    orbital_velocity,
    stokes_drift,
    surface_slope,
    wave_number,
)

DEPTHS = (0.8, 5.0, math.inf)
STEP = 1e-4


def wave_of(period=3.0, amplitude=0.2, depth=math.inf, direction=0.0, phase=0.0):
    omega = 2.0 * math.pi / period
    return LinearWave(amplitude, omega, wave_number(omega, depth), math.cos(direction), math.sin(direction), phase,
                      depth)


def slope(function, value):
    return (function(value + STEP) - function(value - STEP)) / (2.0 * STEP)


def test_the_figures_of_a_wave_of_three_seconds_and_a_fifth_of_a_metre():
    wave = wave_of()
    assert stokes_drift(wave, 0.0) == pytest.approx(0.03746, rel=1e-3)


@pytest.mark.parametrize('depth', DEPTHS)
def test_the_water_neither_gathers_nor_turns(depth):
    """No divergence, no rotation, at points below the surface at rest."""
    wave = wave_of(depth=depth, direction=0.7, phase=0.3)
    x, y, z, t = 1.3, -0.4, -0.3, 0.9

    def along(axis, component):
        def at(value):
            place = [x, y, z]
            place[axis] = value
            return getattr(orbital_velocity(wave, *place, t), component)
        return slope(at, (x, y, z)[axis])

    scale = wave.amplitude * wave.frequency * wave.number
    assert along(0, 'east') + along(1, 'north') + along(2, 'up') == pytest.approx(0.0, abs=1e-7 * scale)
    assert along(0, 'up') == pytest.approx(along(2, 'east'), abs=1e-7 * scale)
    assert along(1, 'up') == pytest.approx(along(2, 'north'), abs=1e-7 * scale)
    assert along(0, 'north') == pytest.approx(along(1, 'east'), abs=1e-7 * scale)


@pytest.mark.parametrize('depth', DEPTHS)
def test_at_the_surface_the_water_goes_up_with_it_and_its_pressure_is_that_of_the_air(depth):
    """The kinematic and the dynamic condition at z = 0: w = d eta/dt; d phi/dt + g eta = 0, here along the wave."""
    wave = wave_of(depth=depth, direction=-2.0, phase=1.1)
    x, y, t = 0.7, 2.1, 0.4
    rise = slope(lambda time: elevation(wave, x, y, time), t)
    assert orbital_velocity(wave, x, y, 0.0, t).up == pytest.approx(rise, rel=1e-6)
    pushed = orbital_acceleration(wave, x, y, 0.0, t)
    steep = surface_slope(wave, x, y, t)
    assert (pushed.east, pushed.north) == pytest.approx((-GRAVITY * steep[0], -GRAVITY * steep[1]), rel=1e-12)
    assert steep[0] == pytest.approx(slope(lambda east: elevation(wave, east, y, t), x), rel=1e-6)


def test_no_water_goes_through_the_bottom():
    wave = wave_of(depth=1.5)
    assert orbital_velocity(wave, 0.3, 0.0, -1.5, 0.2).up == pytest.approx(0.0, abs=1e-15)


@pytest.mark.parametrize('depth', DEPTHS)
def test_the_acceleration_is_the_rate_of_the_velocity(depth):
    wave = wave_of(depth=depth, direction=0.4)
    for component in ('east', 'north', 'up'):
        rate = slope(lambda time, name=component: getattr(orbital_velocity(wave, 0.2, 0.1, -0.2, time), name), 0.6)
        assert getattr(orbital_acceleration(wave, 0.2, 0.1, -0.2, 0.6), component) == pytest.approx(rate, rel=1e-6)


@pytest.mark.parametrize('depth', [1.2, math.inf])
def test_a_particle_drifts_as_stokes_says(depth):
    """A particle that is followed for many periods, in a wave so low that the next order is 1e-4 of it."""
    wave = wave_of(amplitude=0.002, depth=depth)
    periods, start = 20, -0.3

    def rate(t, place):
        moved = orbital_velocity(wave, place[0], 0.0, place[1], t)
        return [moved.east, moved.up]

    end = periods * 2.0 * math.pi / wave.frequency
    path = solve_ivp(rate, (0.0, end), [0.0, start], rtol=1e-11, atol=1e-14, t_eval=[0.0, end])
    # The mean height of the particle is that of the middle of its orbit, a little off its start.
    drift = (path.y[0, -1] - path.y[0, 0]) / end
    assert drift == pytest.approx(stokes_drift(wave, start), rel=5e-3)


def test_a_thousand_waves_in_arrays_are_the_waves_one_by_one():
    rng = np.random.default_rng(4)
    omega, depth = rng.uniform(0.5, 6.0, 50), 3.0
    waves = LinearWave(rng.uniform(0.0, 0.2, 50), omega, wave_number(omega, depth), np.cos(omega), np.sin(omega),
                       rng.uniform(0.0, 6.0, 50), depth)
    together = orbital_velocity(waves, 0.3, -0.2, -0.4, 1.0)
    for n in range(50):
        one = LinearWave(*(float(part[n]) for part in waves[:6]), depth)
        assert orbital_velocity(one, 0.3, -0.2, -0.4, 1.0) == pytest.approx([part[n] for part in together], rel=1e-13)


def test_far_below_a_short_wave_the_water_is_still():
    """exp(-k z) of a ripple 50 m down is nothing; it was an overflow."""
    ripple = LinearWave(0.01, 33.0, 111.0, 1.0, 0.0, 0.0, math.inf)
    assert stokes_drift(ripple, -50.0) == pytest.approx(0.0, abs=1e-30)
    assert all(part == pytest.approx(0.0, abs=1e-30) for part in orbital_velocity(ripple, 0.0, 0.0, -50.0, 0.0))


def test_in_water_a_little_shallower_than_deep_the_bottom_is_where_it_is():
    """Number 4 /m, 5 m: the bottom is felt by exp(-2 k h) alone; above and below it as at its own depth."""
    wave = LinearWave(0.1, 6.0, 4.0, 0.6, 0.8, 0.7, 5.0)
    level = math.cosh(4.0 * (5.0 - 4.9)) / math.sinh(20.0)
    angle = 4.0 * (0.6 * 0.3 + 0.8 * 0.2) - 6.0 * 0.5 + 0.7
    assert elevation(wave, 0.3, 0.2, 0.5) == pytest.approx(0.1 * math.cos(angle))
    assert orbital_velocity(wave, 0.3, 0.2, -4.9, 0.5).east == pytest.approx(0.6 * 0.6 * level * math.cos(angle))
    assert stokes_drift(wave, -4.9) == pytest.approx(
        0.01 * 24.0 * math.cosh(8.0 * 0.1) / (2.0 * math.sinh(20.0) ** 2))
