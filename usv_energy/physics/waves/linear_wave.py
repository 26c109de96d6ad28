"""Linear (Airy) waves and wave spectra: dispersion, orbital motion, drift, energy and spectral moments."""

import math
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from usv_energy.physics.elementwise import cos, exp, kernel, larger, sin, smaller

GRAVITY = 9.81      # m/s^2
SEA_WATER = 1025.0  # kg/m^3, rounded value for 35 g/kg and 15 degC (ITTC 7.5-02-01-03: 1026.0).
DEEP = 300.0        # (-), k h from which the water is treated as deep.
STEPS = 4           # Newton steps; the initial error is at most 1.7 % and each step squares it.

LOW_WIDTH, HIGH_WIDTH = 0.07, 0.09  # (-), sigma of the JONSWAP spectrum below and above the peak.
JONSWAP_GAMMA = 3.3                 # (-), peak enhancement, the mean of the JONSWAP experiment.
LEAST, MOST = 0.3, 40.0             # (-), frequency over peak frequency: range of numerical integration.
NODES = 20_001                      # Nodes of Simpson's rule in log frequency on each side of the peak.


@kernel
def wave_number(frequency, depth):
    """
    Return the wave number k, rad/m, from the dispersion relation omega^2 = g k tanh(k h); float or array.

    :param frequency: Angular frequency omega, rad/s, above 0.
    :param depth: Depth of the water h, m, above 0; inf for deep water.

    Source: J.D. Fenton, W.D. McKee (1990), Coastal Engineering 14, 499, as the initial guess of Newton's method.
    """
    deep = frequency * frequency / GRAVITY
    scaled = smaller(deep * depth, DEEP + 0.0 * deep)
    ratio = _tanh(scaled ** 0.75) ** (-2.0 / 3.0)
    for _ in range(STEPS):
        steep = _tanh(ratio * scaled)
        ratio = ratio - (ratio * steep - 1.0) / (steep + ratio * scaled * (1.0 - steep * steep))
    return deep * ratio


@kernel
def _tanh(x):
    """Return the hyperbolic tangent of x >= 0; float or array."""
    faded = exp(-2.0 * x)
    return (1.0 - faded) / (1.0 + faded)


class LinearWave(NamedTuple):
    """
    A regular wave, or many of them: floats, or arrays of the same shape.

    The elevation is a cos(k (east x + north y) - omega t + phase).
    `amplitude`: a, m. `frequency`: omega, rad/s. `number`: k, rad/m, as `wave_number` returns it. `east`, `north`: unit
    vector of the direction the wave runs to. `phase`: rad. `depth`: of the water, m; inf for deep water.
    """

    amplitude: Any
    frequency: Any
    number: Any
    east: Any
    north: Any
    phase: Any
    depth: Any


class WaterMotion(NamedTuple):
    """Velocity, m/s, or acceleration, m/s^2, of the water: east, north and upward components."""

    east: Any
    north: Any
    up: Any


@kernel
def elevation(wave, x, y, t):
    """Return the surface elevation, m above still water, at (x, y), m (ENU), and time t, s; floats or arrays."""
    return wave.amplitude * cos(_angle(wave, x, y, t))


@kernel
def surface_slope(wave, x, y, t):
    """Return the slope of the surface towards east and towards north, (-); arguments as `elevation`."""
    slope = -wave.amplitude * wave.number * sin(_angle(wave, x, y, t))
    return slope * wave.east, slope * wave.north


@kernel
def orbital_velocity(wave, x, y, z, t):
    """
    Return the orbital velocity, a WaterMotion, m/s, at (x, y, z), m (ENU, z up from still water), and time t, s.

    Source: Dean, Dalrymple (1991), Water Wave Mechanics for Engineers and Scientists, (3.34) to (3.36).
    """
    angle = _angle(wave, x, y, t)
    level, upright = _fading(wave, z)
    speed = wave.amplitude * wave.frequency * level * cos(angle)
    return WaterMotion(speed * wave.east, speed * wave.north, wave.amplitude * wave.frequency * upright * sin(angle))


@kernel
def orbital_acceleration(wave, x, y, z, t):
    """Return the local acceleration, a WaterMotion, m/s^2: the partial time derivative of `orbital_velocity`."""
    angle = _angle(wave, x, y, t)
    level, upright = _fading(wave, z)
    rate = wave.amplitude * wave.frequency * wave.frequency
    along = rate * level * sin(angle)
    return WaterMotion(along * wave.east, along * wave.north, -rate * upright * cos(angle))


@kernel
def stokes_drift(wave, z):
    """
    Return the Stokes drift in the direction of the wave, m/s, to second order in steepness.

    :param wave: The LinearWave.
    :param z: Height above the still water surface, m, negative below it; values above 0 count as 0.

    Source: a^2 omega k cosh(2 k (z + h)) / (2 sinh^2(k h)); Dean, Dalrymple (1991), (10.46).
    """
    depth = smaller(wave.depth, DEEP / wave.number)
    below = larger(smaller(z, 0.0 * z), -depth)  # Clipped at the bottom.
    faded = exp(-2.0 * wave.number * depth)
    fading = (exp(2.0 * wave.number * below) + exp(-2.0 * wave.number * (below + 2.0 * depth))) / (
        (1.0 - faded) * (1.0 - faded))
    return wave.amplitude * wave.amplitude * wave.frequency * wave.number * fading


@kernel
def _angle(wave, x, y, t):
    return wave.number * (wave.east * x + wave.north * y) - wave.frequency * t + wave.phase


@kernel
def _fading(wave, z):
    """Return cosh(k (z + h)) / sinh(k h) and sinh(k (z + h)) / sinh(k h), without overflow."""
    depth = smaller(wave.depth, DEEP / wave.number)
    below = larger(smaller(z, 0.0 * z), -depth)  # Clipped at the bottom.
    faded = 1.0 - exp(-2.0 * wave.number * depth)
    near, mirrored = exp(wave.number * below), exp(-wave.number * (below + 2.0 * depth))
    return (near + mirrored) / faded, (near - mirrored) / faded


def jonswap(frequency: np.ndarray, height: float, period: float, gamma: float = JONSWAP_GAMMA) -> np.ndarray:
    """
    Return the spectral density of the surface elevation of a JONSWAP spectrum, m^2 s/rad; its integral is Hs^2 / 16.

    :param frequency: Angular frequency omega, rad/s, above 0.
    :param height: Significant wave height Hs, m.
    :param period: Peak period Tp, s.
    :param gamma: Peak enhancement factor, at least 1; 1 gives the Pierson-Moskowitz spectrum.

    Source: K. Hasselmann et al. (1973), Dt. Hydrogr. Z. Suppl. A 8 (12); in terms of Hs and Tp as in DNV-RP-C205
    (2010), 3.5.5, with the exact normalization in place of its approximate one.
    """
    peak = 2.0 * math.pi / period
    shape: np.ndarray = _shape(np.asarray(frequency, dtype=float) / peak, gamma)
    return shape * (height * height / 16.0 / (peak * _moment(0, gamma)))


def moment(order: int, height: float, period: float, gamma: float = JONSWAP_GAMMA) -> float:
    """Return the spectral moment m_n, the integral of omega^n S(omega), m^2 (rad/s)^n, for n = -1, 0, 1 or 2."""
    peak = 2.0 * math.pi / period
    return height * height / 16.0 * peak ** order * _moment(order, gamma) / _moment(0, gamma)


def zero_crossing_period(period: float, gamma: float = JONSWAP_GAMMA) -> float:
    """Return the mean zero-up-crossing period Tz = 2 pi sqrt(m0 / m2), s, of a spectrum with a peak period, s."""
    return 2.0 * math.pi * math.sqrt(moment(0, 1.0, period, gamma) / moment(2, 1.0, period, gamma))


def energy_period(period: float, gamma: float = JONSWAP_GAMMA) -> float:
    """Return the energy period T_e = 2 pi m_-1 / m0, s, of a spectrum with a peak period, s."""
    return 2.0 * math.pi * moment(-1, 1.0, period, gamma) / moment(0, 1.0, period, gamma)


def _shape(ratio: np.ndarray, gamma: float) -> np.ndarray:
    """Return the JONSWAP spectrum without its scale; `ratio` is frequency over peak frequency."""
    width = np.where(ratio <= 1.0, LOW_WIDTH, HIGH_WIDTH)
    raised: np.ndarray = gamma ** np.exp(-0.5 * ((ratio - 1.0) / width) ** 2)
    with np.errstate(divide='ignore', over='ignore', under='ignore', invalid='ignore'):
        plain = 0.3125 * ratio ** -5.0 * np.exp(-1.25 * ratio ** -4.0)
    return np.where(ratio > 0.05, plain, 0.0) * raised


@cache
def _moment(order: int, gamma: float) -> float:
    """Return the moment of `_shape`: Simpson's rule on both sides of the peak, and the omega^-5 tail analytically."""
    total = 0.0
    for low, high in ((LEAST, 1.0), (1.0, MOST)):
        logarithm = np.linspace(math.log(low), math.log(high), NODES)
        ratio = np.exp(logarithm)
        values = _shape(np.where(ratio > 1.0, ratio, np.minimum(ratio, 1.0)), gamma) * ratio ** (order + 1)
        weights = np.ones(NODES)
        weights[1:-1:2], weights[2:-1:2] = 4.0, 2.0
        total += float(weights @ values) * (logarithm[1] - logarithm[0]) / 3.0
    # Above MOST the integrand is 0.3125 r^(n - 5) exp(-1.25 r^-4), whose exponential differs from 1 by 5e-7.
    return total + 0.3125 * MOST ** (order - 4) / (4 - order)
