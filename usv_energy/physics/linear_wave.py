"""
One linear (Airy) wave: elevation, velocity and acceleration of the water, Stokes drift, energy.

The wave runs towards its direction in the earth frame (x east, y north, z up, 0 at rest), at any depth. Above z = 0 the
water is taken to move as at z = 0: linear theory says nothing of it.
"""

from typing import Any, NamedTuple

from .elementwise import cos, exp, kernel, larger, sin, smaller
from .wave_dispersion import DEEP, GRAVITY, group_speed

SEA_WATER = 1025.0  # kg/m^3, at 35 g/kg and 15 degC (ITTC 7.5-02-01-03 has 1026.0): the round value of the books.


class LinearWave(NamedTuple):
    """
    A wave, or many: floats, or arrays of one shape.

    `amplitude` a, m; `frequency` omega, rad/s; `number` k, rad/m, as `wave_number` has it; `east`, `north`: of the unit
    vector towards which it runs; `phase`, rad: the elevation is a cos(k (east x + north y) - omega t + phase); `depth`
    of the water, m, inf for deep.
    """

    amplitude: Any
    frequency: Any
    number: Any
    east: Any
    north: Any
    phase: Any
    depth: Any


class WaterMotion(NamedTuple):
    """A vector of the water's motion: east, north, up; m/s, or m/s^2."""

    east: Any
    north: Any
    up: Any


@kernel
def elevation(wave, x, y, t):
    """Return the height of the surface, m above rest, at a place, m, and a time, s; floats or arrays."""
    return wave.amplitude * cos(_angle(wave, x, y, t))


@kernel
def surface_slope(wave, x, y, t):
    """Return the slope of the surface towards east and towards north, (-); arguments as `elevation`."""
    slope = -wave.amplitude * wave.number * sin(_angle(wave, x, y, t))
    return slope * wave.east, slope * wave.north


@kernel
def orbital_velocity(wave, x, y, z, t):
    """
    Return the WaterMotion, m/s, of the water at a place, m (z up, from the surface at rest), and a time, s.

    Source: Dean, Dalrymple (1991), Water Wave Mechanics for Engineers and Scientists, (3.34) to (3.36).
    """
    angle = _angle(wave, x, y, t)
    level, upright = _fading(wave, z)
    speed = wave.amplitude * wave.frequency * level * cos(angle)
    return WaterMotion(speed * wave.east, speed * wave.north, wave.amplitude * wave.frequency * upright * sin(angle))


@kernel
def orbital_acceleration(wave, x, y, z, t):
    """Return the local acceleration of the water, d/dt of `orbital_velocity`, WaterMotion, m/s^2."""
    angle = _angle(wave, x, y, t)
    level, upright = _fading(wave, z)
    rate = wave.amplitude * wave.frequency * wave.frequency
    along = rate * level * sin(angle)
    return WaterMotion(along * wave.east, along * wave.north, -rate * upright * cos(angle))


@kernel
def stokes_drift(wave, z):
    """
    Return the mean speed at which particles of water are carried along the wave, m/s; to second order in steepness.

    :param z: Of the particles, m, up from the surface at rest; above 0 as at 0.

    Source: a^2 omega k cosh(2 k (z + h)) / (2 sinh^2(k h)); Dean, Dalrymple (1991), (10.46).
    """
    depth = smaller(wave.depth, DEEP / wave.number)
    below = larger(smaller(z, 0.0 * z), -depth)  # Below the bottom as at it.
    faded = exp(-2.0 * wave.number * depth)
    fading = (exp(2.0 * wave.number * below) + exp(-2.0 * wave.number * (below + 2.0 * depth))) / (
        (1.0 - faded) * (1.0 - faded))
    return wave.amplitude * wave.amplitude * wave.frequency * wave.number * fading


@kernel
def energy_flux(wave, density=SEA_WATER):
    """Return the power that a wave carries, W per m of its crest: 1/2 rho g a^2 times the group speed."""
    return 0.5 * density * GRAVITY * wave.amplitude * wave.amplitude * group_speed(wave.frequency, wave.depth)


@kernel
def reflection_force(wave, density=SEA_WATER):
    """
    Return the mean force on what throws back a wave of deep water, N per m of crest: 1/2 rho g a^2, the most there is.

    Source: H. Maruo (1960), J. Zosen Kiokai 1960 (108); O.M. Faltinsen (1990), Sea Loads on Ships and Offshore
    Structures, (5.5) with the reflected amplitude that of the wave.
    """
    return 0.5 * density * GRAVITY * wave.amplitude * wave.amplitude


@kernel
def _angle(wave, x, y, t):
    return wave.number * (wave.east * x + wave.north * y) - wave.frequency * t + wave.phase


@kernel
def _fading(wave, z):
    """Return cosh(k (z + h)) / sinh(k h) and sinh(k (z + h)) / sinh(k h), without overflow; 1 at z = 0 when deep."""
    depth = smaller(wave.depth, DEEP / wave.number)
    below = larger(smaller(z, 0.0 * z), -depth)  # Below the bottom as at it.
    faded = 1.0 - exp(-2.0 * wave.number * depth)
    near, mirrored = exp(wave.number * below), exp(-wave.number * (below + 2.0 * depth))
    return (near + mirrored) / faded, (near - mirrored) / faded
