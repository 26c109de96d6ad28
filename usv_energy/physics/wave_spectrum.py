"""
Spectra of irregular waves: Pierson-Moskowitz and JONSWAP, matched to their significant height, and their moments.

Hs is 4 sqrt(m0) here, exactly: the usual factor 1 - 0.287 ln(gamma) misses it by up to 1 %.
"""

import math
from functools import cache

import numpy as np

LOW_WIDTH, HIGH_WIDTH = 0.07, 0.09      # sigma of the peak, below and above it (-).
PM_GAMMA, JONSWAP_GAMMA = 1.0, 3.3      # Peak enhancement: none; the mean of the JONSWAP experiment.
LEAST, MOST = 0.3, 40.0     # Of the peak: below is nothing but rounding, above a tail in closed form.
NODES = 20_001      # Of Simpson's rule between them, on each side of the peak, in the logarithm of the frequency.


def jonswap(frequency: np.ndarray, height: float, period: float, gamma: float = JONSWAP_GAMMA) -> np.ndarray:
    """
    Return the density of a JONSWAP spectrum of the surface, m^2 s/rad, whose integral is exactly height^2 / 16.

    :param frequency: omega, rad/s, above 0.
    :param height: Significant, Hs, m.
    :param period: Of the peak, Tp, s.
    :param gamma: Enhancement of the peak, at least 1; 1 is Pierson and Moskowitz's spectrum.

    Source: K. Hasselmann et al. (1973), Dt. Hydrogr. Z. Suppl. A 8 (12); in terms of Hs and Tp as in DNV-RP-C205
    (2010), 3.5.5, whose factor for the height is replaced by the exact one.
    """
    peak = 2.0 * math.pi / period
    shape: np.ndarray = _shape(np.asarray(frequency, dtype=float) / peak, gamma)
    return shape * (height * height / 16.0 / (peak * _moment(0, gamma)))


def pierson_moskowitz(frequency: np.ndarray, height: float, period: float) -> np.ndarray:
    """Return the density of a Pierson-Moskowitz spectrum, m^2 s/rad; parameters as `jonswap`."""
    return jonswap(frequency, height, period, PM_GAMMA)


def approximate_factor(gamma: float) -> float:
    """
    Return 1 - 0.287 ln(gamma), by which a spectrum is usually scaled to its significant height (-).

    Source: DNV-RP-C205 (2010), 3.5.5.5. 4 sqrt(m0) / Hs is then 1.0000, 1.0012 and 0.9912 for gamma 1, 3.3 and 7.
    """
    return 1.0 - 0.287 * math.log(gamma)


def moment(order: int, height: float, period: float, gamma: float = JONSWAP_GAMMA) -> float:
    """Return the moment m_n = integral of omega^n S(omega), m^2 (rad/s)^n, for n of -1, 0, 1, 2; as `jonswap`."""
    peak = 2.0 * math.pi / period
    return height * height / 16.0 * peak ** order * _moment(order, gamma) / _moment(0, gamma)


def zero_crossing_period(period: float, gamma: float = JONSWAP_GAMMA) -> float:
    """Return the mean time between upward crossings of rest, Tz = 2 pi sqrt(m0 / m2), s; of a peak period, s."""
    return 2.0 * math.pi * math.sqrt(moment(0, 1.0, period, gamma) / moment(2, 1.0, period, gamma))


def energy_period(period: float, gamma: float = JONSWAP_GAMMA) -> float:
    """Return the period of the regular wave that carries as much, T_e = 2 pi m_-1 / m0, s; of a peak period, s."""
    return 2.0 * math.pi * moment(-1, 1.0, period, gamma) / moment(0, 1.0, period, gamma)


def _shape(ratio: np.ndarray, gamma: float) -> np.ndarray:
    """Return a spectrum without scale over the frequency, as a ratio to the peak's."""
    width = np.where(ratio <= 1.0, LOW_WIDTH, HIGH_WIDTH)
    raised: np.ndarray = gamma ** np.exp(-0.5 * ((ratio - 1.0) / width) ** 2)
    with np.errstate(divide='ignore', over='ignore', under='ignore', invalid='ignore'):
        plain = 0.3125 * ratio ** -5.0 * np.exp(-1.25 * ratio ** -4.0)
    shape: np.ndarray = np.where(ratio > 0.05, plain, 0.0) * raised
    return shape


@cache
def _moment(order: int, gamma: float) -> float:
    """Return the moment of `_shape`: Simpson's rule on both sides of the peak, the tail of omega^-5 in closed form."""
    total = 0.0
    for low, high in ((LEAST, 1.0), (1.0, MOST)):
        logarithm = np.linspace(math.log(low), math.log(high), NODES)
        ratio = np.exp(logarithm)
        values = _shape(np.where(ratio > 1.0, ratio, np.minimum(ratio, 1.0)), gamma) * ratio ** (order + 1)
        weights = np.ones(NODES)
        weights[1:-1:2], weights[2:-1:2] = 4.0, 2.0
        total += float(weights @ values) * (logarithm[1] - logarithm[0]) / 3.0
    # Beyond MOST: 0.3125 r^(n - 5) exp(-1.25 r^-4), of which the exponential is 1 - 5e-7.
    return total + 0.3125 * MOST ** (order - 4) / (4 - order)
