"""A boat of whose parts nothing is known, in waves: it goes with the surface, and feels part of the waves' drift."""

import math

import numpy as np

from usv_energy.boats.vessel import Damping
from usv_energy.physics.waves.linear_wave import GRAVITY
from usv_energy.studies.analyze.waves.hull_in_waves import SeenMotion, encounter_frequency

FELT_DRIFT = 0.5    # Of the Stokes drift at the surface, that a boat under way feels as a current: an estimate.


class SurfaceFollower:
    """A boat that heaves, rolls and pitches as the surface under it does on average."""

    def __init__(self, length: float, width: float, speed: float) -> None:
        """Take the size of the water plane, m, and the speed ahead through the water, m/s."""
        self._length, self._width, self._speed = length, width, speed

    def motion(self, frequency: np.ndarray, direction: np.ndarray) -> SeenMotion:
        """Return the SeenMotion in waves of frequencies, rad/s, shape (n,), and directions, rad, same shape."""
        number = frequency ** 2 / GRAVITY
        along, across = number * np.cos(direction), number * np.sin(direction)
        kept = np.sinc(0.5 * self._length * along / math.pi) * np.sinc(0.5 * self._width * across / math.pi)
        return SeenMotion(kept + 0.0j, 1j * across * kept, -1j * along * kept,
                          encounter_frequency(frequency, direction, self._speed))


def drift_at(frequency: np.ndarray, variance: np.ndarray, depth: float = 0.0) -> float:
    """
    Return the Stokes drift of a sea of long crests in deep water at a depth, m below the surface, m/s.

    :param frequency: Of its waves, rad/s; `variance`: of the surface by each, a^2 / 2, m^2.

    Source: the integral of 2 omega^3 S(omega) exp(-2 omega^2 z / g) / g, K.E. Kenyon (1969), J. Geophys. Res. 74, 6991.
    """
    number = frequency ** 2 / GRAVITY
    return float(np.sum(2.0 * variance * frequency * number * np.exp(-2.0 * number * depth)))


def mean_square_with_sign(mean: np.ndarray, scatter: np.ndarray | float) -> np.ndarray:
    """
    Return the mean of |u| u, where u is normal about a mean, with a standard deviation: what quadratic drag goes by.

    (m^2 + s^2) erf(m / (s sqrt 2)) + 2 m s phi(m / s); with no scatter |m| m.
    """
    from scipy.special import erf
    ratio = np.asarray(mean, dtype=float) / np.maximum(scatter, 1e-12)
    shape = np.exp(-0.5 * np.minimum(ratio * ratio, 700.0)) / math.sqrt(2.0 * math.pi)
    found: np.ndarray = np.asarray((mean * mean + scatter * scatter) * erf(ratio / math.sqrt(2.0))
                         + 2.0 * mean * scatter * shape)
    return found


def estimated_resistance(speed: np.ndarray, direction: np.ndarray, drift: float, scatter: float,
                         damping: Damping) -> np.ndarray:
    """
    Return what waves make a boat's thrusters give more, N: its drag in water that drifts, and moves to and fro.

    :param speed: Ahead through the water, m/s, (n,).
    :param direction: Towards which waves run, rad from ahead, (n,).
    :param drift: Stokes drift at the surface, m/s, of which the boat feels FELT_DRIFT.
    :param scatter: Standard deviation of the water's speed past the hull by the waves, m/s.
    :param damping: The boat's Damping.
    """
    met = speed - FELT_DRIFT * drift * np.cos(direction)
    more = mean_square_with_sign(met, scatter) - np.abs(speed) * speed
    return np.asarray(damping.d11 * (met - speed) + damping.d11_q * more)
