"""Sound in sea water, for acoustic modems: speed, absorption, noise, and the link between two modems."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from usv_energy.earth import KNOT


class SeaWater(NamedTuple):
    """
    Sea or fresh water.

    `temperature`: degC. `salinity`: g of salt per kg, 0 for a lake. `depth`: below the surface, m. `acidity`: pH. The
    defaults are a temperate sea near its surface.
    """

    temperature: Any = 12.0
    salinity: Any = 35.0
    depth: Any = 5.0
    acidity: Any = 8.0


def sound_speed(water: SeaWater) -> Any:
    """
    Return the speed of sound, m/s; floats or arrays. Valid for 0 to 35 degC, salinity 0 to 45, depth up to 4000 m.

    Source: A.B. Coppens (1981), J. Acoust. Soc. Am. 69, 862: the only simple equation that also holds for lakes.
    """
    tenth, salt, deep = water.temperature / 10.0, water.salinity - 35.0, water.depth / 1000.0
    surface = (1449.05 + 45.7 * tenth - 5.21 * tenth ** 2 + 0.23 * tenth ** 3
               + (1.333 - 0.126 * tenth + 0.009 * tenth ** 2) * salt)
    return (surface + (16.23 + 0.253 * tenth) * deep + (0.213 - 0.1 * tenth) * deep ** 2
            + (0.016 + 0.0002 * salt) * salt * tenth * deep)


SEA_WATER = SeaWater()


def francois_garrison(frequency: Any, water: SeaWater = SEA_WATER) -> Any:
    """
    Return the absorption, dB/m, by boric acid, magnesium sulphate and pure water; floats or arrays.

    :param frequency: Hz, from 200 to 1e6.
    :param water: In fresh water (salinity 0) only the last of the three acts.

    Source: R.E. Francois, G.R. Garrison (1982), J. Acoust. Soc. Am. 72, 1879. Within 5 % of their measurements.
    """
    kilohertz = frequency / 1000.0
    temperature, salinity, depth, acidity = water
    kelvin = 273.0 + temperature
    speed = 1412.0 + 3.21 * temperature + 1.19 * salinity + 0.0167 * depth  # Their own formula for the speed of sound.
    boric = 8.86 / speed * 10.0 ** (0.78 * acidity - 5.0)
    boric_rate = 2.8 * np.sqrt(salinity / 35.0) * 10.0 ** (4.0 - 1245.0 / kelvin)
    sulphate = 21.44 * salinity / speed * (1.0 + 0.025 * temperature)
    sulphate_rate = 8.17 * 10.0 ** (8.0 - 1990.0 / kelvin) / (1.0 + 0.0018 * (salinity - 35.0))
    pressed = 1.0 - 1.37e-4 * depth + 6.2e-9 * depth ** 2
    pressed_water = 1.0 - 3.83e-5 * depth + 4.9e-10 * depth ** 2
    pure = np.where(temperature <= 20.0,
                    4.937e-4 - 2.59e-5 * temperature + 9.11e-7 * temperature ** 2 - 1.50e-8 * temperature ** 3,
                    3.964e-4 - 1.146e-5 * temperature + 1.45e-7 * temperature ** 2 - 6.5e-10 * temperature ** 3)
    square = kilohertz ** 2
    result = (boric * boric_rate * square / (boric_rate ** 2 + square)
              + sulphate * pressed * sulphate_rate * square / (sulphate_rate ** 2 + square)
              + pure * pressed_water * square)
    return result / 1000.0


def thetis_absorption(frequency: Any, water: SeaWater = SEA_WATER) -> Any:
    """
    Return the absorption, dB/m, by the formula of Thetis, for sea water of 4 degC at any depth; floats or arrays.

    :param frequency: Hz.
    :param water: Not used.

    Source: [H] (6), Thorp's formula after L. Brekhovskikh, Y. Lysanov (1982).
    """
    square = (frequency / 1000.0) ** 2
    return (0.11 * square / (1.0 + square) + 44.0 * square / (4100.0 + square) + 2.75e-4 * square + 0.003) / 1000.0


ABSORPTIONS: dict[str, Callable[..., Any]] = {'francois_garrison': francois_garrison, 'thetis': thetis_absorption}


SLOPE = 17.0  # dB per decade of frequency above 1 kHz.
# For Beaufort forces 0 to 6 and 7 to 8: mean wind speed, knots, and the level at 1 kHz, dB re 1 uPa^2/Hz.
WIND = np.array([0.0, 2.0, 5.0, 8.5, 13.5, 19.0, 24.5, 34.0])
LEVEL = np.array([44.5, 50.0, 55.0, 61.5, 64.5, 66.5, 68.5, 70.0])
LEAST_WIND_FREQUENCY = 1000.0  # Hz; below it the curves are flat within 3 dB, and ships are louder.


def added(*levels: Any) -> Any:
    """Return the level, dB, of several noises together, whose powers add up."""
    return 10.0 * np.log10(sum(10.0 ** (np.asarray(level) / 10.0) for level in levels))


def turbulence_level(frequency: Any) -> Any:
    """Return the level of turbulence, audible below 10 Hz. :param frequency: Hz. Source: Coates (1990)."""
    return 17.0 - 30.0 * np.log10(frequency / 1000.0)


def shipping_level(frequency: Any, shipping: float) -> Any:
    """Return the level of distant ships; `shipping` is 0 (few) to 1 (many). Source: Coates (1990)."""
    kilohertz = frequency / 1000.0
    return 40.0 + 20.0 * (shipping - 0.5) + 26.0 * np.log10(kilohertz) - 60.0 * np.log10(kilohertz + 0.03)


def thermal_level(frequency: Any) -> Any:
    """Return the level of thermal noise, audible above 100 kHz. Source: R.H. Mellen (1952); Coates (1990)."""
    return -15.0 + 20.0 * np.log10(frequency / 1000.0)


def wenz_wind_level(frequency: Any, wind: Any) -> Any:
    """Return the level of wind on the water, `wenz` above. :param frequency: Hz. :param wind: m/s."""
    at_1_khz = np.interp(np.sqrt(wind / KNOT), np.sqrt(WIND), LEVEL)
    return at_1_khz - SLOPE * np.log10(np.maximum(frequency, LEAST_WIND_FREQUENCY) / 1000.0)


def coates_wind_level(frequency: Any, wind: Any) -> Any:
    """Return the level of wind on the water, `coates` above; parameters as `wenz_wind_level`."""
    kilohertz = frequency / 1000.0
    return 50.0 + 7.5 * np.sqrt(wind) + 20.0 * np.log10(kilohertz) - 40.0 * np.log10(kilohertz + 0.4)


def thetis_printed_level(frequency: Any, wind: Any) -> Any:
    """Return the level of wind on the water, 1 to 100 kHz, `thetis_printed` above; as `wenz_wind_level`."""
    return 95.0 + np.sqrt(21.0 * wind / KNOT) - SLOPE * np.log10(frequency)


def thetis_level(frequency: Any, wind: Any) -> Any:
    """Return the level of wind on the water, 1 to 100 kHz, `thetis` above; as `wenz_wind_level`."""
    return 95.0 + np.sqrt(21.0) * wind / KNOT - SLOPE * np.log10(frequency)


WIND_NOISES: dict[str, Callable[..., Any]] = {'wenz': wenz_wind_level, 'coates': coates_wind_level}
# By [H] (8) one source of noise dominates in each frequency band, and levels are not added.
ALONE: dict[str, Callable[..., Any]] = {'thetis_printed': thetis_printed_level, 'thetis': thetis_level}
NOISES = (*WIND_NOISES, *ALONE)


def noise_level(frequency: Any, wind: Any, shipping: float = 0.5, reading: str = 'wenz') -> Any:
    """
    Return the level of all noise of the sea.

    :param frequency: Hz; for the interpretations of [H] from 1 to 100 kHz.
    :param wind: m/s at 10 m.
    :param shipping: 0 (few ships) to 1 (many).
    :param reading: One of NOISES.
    """
    if reading in ALONE:
        return ALONE[reading](frequency, wind)
    return added(turbulence_level(frequency), shipping_level(frequency, shipping),
                 WIND_NOISES[reading](frequency, wind), thermal_level(frequency))


def band_level(spectrum_level: Any, bandwidth: Any) -> Any:
    """Return the level of noise in a band, dB re 1 uPa: [H] (9). :param bandwidth: Hz, small beside its frequency."""
    return spectrum_level + 10.0 * np.log10(bandwidth)


NEAREST = 1.0  # m, distance at which a source's level is defined.
FARTHEST = 1e6  # m; only sound below 100 Hz goes further.
PRECISION = 1e-9  # Relative precision of a range.


class Modem(NamedTuple):
    """
    The properties of an acoustic modem.

    `level`: dB re 1 uPa at 1 m. `frequency`: middle of its band, and `bandwidth`, Hz. `threshold`: least signal to
    noise ratio in the band for reception, dB. `bit_rate`: bit/s. `power` while sending and `idle` while listening, W.
    `latency`: before it begins to send, s. `angles`: off its axis, rad, ascending from 0 to pi, and `gains`: dB, at
    most 0: its directivity for sending and receiving; empty if it is omnidirectional.
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
    The sea between modems: its water, wind speed, m/s, ships from 0 to 1; and the formulas to use.

    `noise`: one of NOISES. `absorption`: one of ABSORPTIONS. `spreading`: loss per decade of distance, 20 dB for
    spherical spreading, 10 dB between surface and bottom of shallow water.
    """

    water: SeaWater = SeaWater()
    wind: float = 5.0
    shipping: float = 0.5
    noise: str = 'wenz'
    absorption: str = 'francois_garrison'
    spreading: float = 20.0


def transmission_loss(distance: Any, frequency: float, sea: AcousticSea) -> Any:
    """
    Return the loss of level from 1 m to a distance, dB; 0 at smaller distances.

    :param distance: m; float or array.
    :param frequency: Hz.

    Source: [H] (7).
    """
    far = np.maximum(distance, NEAREST)
    return sea.spreading * np.log10(far) + ABSORPTIONS[sea.absorption](frequency, sea.water) * far


def gain(modem: Modem, angle: Any) -> Any:
    """Return a modem's directivity, dB, at any angle off its axis, rad; float or array."""
    if not modem.angles:
        return 0.0 * angle
    off = abs((np.asarray(angle) + math.pi) % math.tau - math.pi)
    return np.interp(off, modem.angles, modem.gains)


def received_level(modem: Modem, distance: Any, sea: AcousticSea, off_axis: Any = 0.0) -> Any:
    """Return the level of a modem's sound, dB re 1 uPa, at a distance, m, and an angle off the sender's axis, rad."""
    return modem.level + gain(modem, off_axis) - transmission_loss(distance, modem.frequency, sea)


def noise_in_band(modem: Modem, sea: AcousticSea) -> Any:
    """Return the level of the sea's noise in a modem's band, dB re 1 uPa."""
    return band_level(noise_level(modem.frequency, sea.wind, sea.shipping, sea.noise), modem.bandwidth)


def margin(modem: Modem, distance: Any, sea: AcousticSea, off_axis: Any = 0.0) -> Any:
    """Return the signal to noise ratio minus the threshold, dB; a message is received above 0. Source: [H] (10)."""
    return received_level(modem, distance, sea, off_axis) - noise_in_band(modem, sea) - modem.threshold


def modem_range(modem: Modem, sea: AcousticSea, off_axis: float = 0.0) -> float:
    """
    Return the range of a modem, m; 0 if it is below 1 m, inf if it is above a thousand kilometres.

    The level decreases monotonically with distance, so bisection finds the only solution.
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
    """Return the duration of a message of a size in bytes, s: [H] (11), its second part."""
    return 8.0 * size / modem.bit_rate


def overlap(one: Modem, other: Modem) -> bool:
    """Return whether the bands of two modems overlap, so that they disturb each other."""
    return abs(one.frequency - other.frequency) < 0.5 * (one.bandwidth + other.bandwidth)
