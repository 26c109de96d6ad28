"""From one acoustic modem to another: what arrives, above which noise, when, and how far it is understood."""

import math
from typing import Any, NamedTuple

import numpy as np

from .absorption import ABSORPTIONS
from .noise import band_level, noise_level
from .sea_water import SeaWater, sound_speed

NEAREST = 1.0       # m, where a source's level holds.
FARTHEST = 1e6      # m; sound below 100 Hz goes further.
PRECISION = 1e-9    # Of a range.


class Modem(NamedTuple):
    """
    What an acoustic modem can do.

    `level`, dB re 1 uPa at 1 m; `frequency` in the middle of its band, and `bandwidth`, Hz; `threshold`, dB, above the
    noise in the band, from which on it understands; `bit_rate`, bit/s; `power` while it sends and `idle` while it
    listens, W; `latency`, s, before it begins to send; `angles`, rad, rising from 0 to pi, off its axis, and `gains`,
    dB, at most 0: its directivity when it sends and when it hears; empty: alike in all directions.
    """

    level: float
    frequency: float
    bandwidth: float
    threshold: float
    bit_rate: float
    power: float = 0.0
    idle: float = 0.0
    latency: float = 0.0
    angles: tuple[float, ...] = ()
    gains: tuple[float, ...] = ()


class AcousticSea(NamedTuple):
    """
    The sea between modems: its water, the wind on it, m/s, ships from 0 to 1; which formulas hold.

    `noise`: one of `noise.NOISES`; `absorption`: one of `absorption.ABSORPTIONS`; `spreading`: 20 dB a decade of
    distance for spheres, 10 between surface and bottom of shallow water.
    """

    water: SeaWater = SeaWater()
    wind: float = 5.0
    shipping: float = 0.5
    noise: str = 'wenz'
    absorption: str = 'francois_garrison'
    spreading: float = 20.0


def transmission_loss(distance: Any, frequency: float, sea: AcousticSea) -> Any:
    """
    Return how much weaker a sound is than at 1 m from its source, dB; nearer than that it is as at 1 m.

    :param distance: m; float or array.
    :param frequency: Hz.

    Source: [H] (7).
    """
    far = np.maximum(distance, NEAREST)
    return sea.spreading * np.log10(far) + ABSORPTIONS[sea.absorption](frequency, sea.water) * far


def gain(modem: Modem, angle: Any) -> Any:
    """Return a modem's directivity, dB, at an angle off its axis, rad of any turn; float or array."""
    if not modem.angles:
        return 0.0 * angle
    off = abs((np.asarray(angle) + math.pi) % math.tau - math.pi)
    return np.interp(off, modem.angles, modem.gains)


def received_level(modem: Modem, distance: Any, sea: AcousticSea, off_axis: Any = 0.0) -> Any:
    """Return the level of a modem's sound at a distance, m, dB re 1 uPa; `off_axis`: rad, off the sender's axis."""
    return modem.level + gain(modem, off_axis) - transmission_loss(distance, modem.frequency, sea)


def noise_in_band(modem: Modem, sea: AcousticSea) -> Any:
    """Return the level of the sea's noise in a modem's band, dB re 1 uPa."""
    return band_level(noise_level(modem.frequency, sea.wind, sea.shipping, sea.noise), modem.bandwidth)


def margin(modem: Modem, distance: Any, sea: AcousticSea, off_axis: Any = 0.0) -> Any:
    """Return how far above what is needed a sound arrives, dB: understood where it is above 0. Source: [H] (10)."""
    return received_level(modem, distance, sea, off_axis) - noise_in_band(modem, sea) - modem.threshold


def modem_range(modem: Modem, sea: AcousticSea, off_axis: float = 0.0) -> float:
    """
    Return how far a modem is understood, m; 0 where not even at 1 m, inf where beyond a thousand kilometres.

    Its level falls with distance without end, so that halving the interval finds the one place where it is too low.
    """
    near, far = NEAREST, FARTHEST
    if margin(modem, near, sea, off_axis) <= 0.0:
        return 0.0
    if margin(modem, far, sea, off_axis) > 0.0:
        return math.inf
    while far - near > PRECISION * far:
        middle = 0.5 * (near + far)
        near, far = (middle, far) if margin(modem, middle, sea, off_axis) > 0.0 else (near, middle)
    return 0.5 * (near + far)


def sending_duration(modem: Modem, size: int) -> float:
    """Return how long a modem sends a message of a size in bytes, s: [H] (11), its second part."""
    return 8.0 * size / modem.bit_rate


def travel_time(distance: Any, sea: AcousticSea) -> Any:
    """Return how long sound takes over a distance, s, at the speed that it has in the sea's water; float or array."""
    return distance / sound_speed(sea.water)


def overlap(one: Modem, other: Modem) -> bool:
    """Return whether the bands of two modems overlap: each disturbs the other."""
    return abs(one.frequency - other.frequency) < 0.5 * (one.bandwidth + other.bandwidth)
