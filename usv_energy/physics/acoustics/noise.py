"""
The noise of the sea that a modem has to be heard above: turbulence, ships, wind on the water, molecules.

Levels are those of a spectrum, dB re 1 uPa^2/Hz, floats or arrays. Of the noise of the wind there are several readings:

- `wenz`: Knudsen's and Wenz's curves: their levels at 1 kHz by wind, falling by 17 dB a decade above it (A.D. Waite
  (2002), Sonar for Practising Engineers, table 5.1; V.O. Knudsen et al. (1948); G.M. Wenz (1962), J. Acoust. Soc. Am.
  34, 1936). Between their winds linear in the root of the wind.
- `coates`: R. Coates (1990), Underwater Acoustic Systems: what most programs of networks use.
- `thetis_printed`: [H] (8) as it is printed, 95 + sqrt(21 v) - 17 log f, which is within 1 dB of `wenz` up to 5 kn,
  and gives its modem a range of 2787 m, where it says 1900.
- `thetis`: [H] (8) with sqrt(21) v, which gives 1845 m, and noises nobody ever measured in stronger winds.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ...earth import KNOT

SLOPE = 17.0            # dB a decade above 1 kHz.
# Of Beaufort's forces 0 to 6 and 7 to 8 the wind in their middle, knots, and the level at 1 kHz, dB re 1 uPa^2/Hz.
WIND = np.array([0.0, 2.0, 5.0, 8.5, 13.5, 19.0, 24.5, 34.0])
LEVEL = np.array([44.5, 50.0, 55.0, 61.5, 64.5, 66.5, 68.5, 70.0])
LEAST_WIND_FREQUENCY = 1000.0  # Hz; below it the curves are flat to 3 dB, and ships are louder.


def added(*levels: Any) -> Any:
    """Return the level, dB, of noises together: their powers add up."""
    return 10.0 * np.log10(sum(10.0 ** (np.asarray(level) / 10.0) for level in levels))


def turbulence_level(frequency: Any) -> Any:
    """Return the level of turbulence, heard below 10 Hz. :param frequency: Hz. Source: Coates (1990)."""
    return 17.0 - 30.0 * np.log10(frequency / 1000.0)


def shipping_level(frequency: Any, shipping: float) -> Any:
    """Return the level of distant ships; `shipping` from 0 (few) to 1 (many). Source: Coates (1990)."""
    kilohertz = frequency / 1000.0
    return 40.0 + 20.0 * (shipping - 0.5) + 26.0 * np.log10(kilohertz) - 60.0 * np.log10(kilohertz + 0.03)


def thermal_level(frequency: Any) -> Any:
    """Return the level of the water's molecules, heard above 100 kHz. Source: R.H. Mellen (1952); Coates (1990)."""
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
# Each reading of [H] (8) has one source of noise in each band of frequency, and nothing is added up.
ALONE: dict[str, Callable[..., Any]] = {'thetis_printed': thetis_printed_level, 'thetis': thetis_level}
NOISES = (*WIND_NOISES, *ALONE)


def noise_level(frequency: Any, wind: Any, shipping: float = 0.5, reading: str = 'wenz') -> Any:
    """
    Return the level of all noise of the sea.

    :param frequency: Hz; of the readings of [H] from 1 to 100 kHz.
    :param wind: m/s at 10 m.
    :param shipping: 0 (few ships) to 1 (many).
    :param reading: One of NOISES.
    """
    if reading in ALONE:
        return ALONE[reading](frequency, wind)
    return added(turbulence_level(frequency), shipping_level(frequency, shipping),
                 WIND_NOISES[reading](frequency, wind), thermal_level(frequency))


def band_level(spectrum_level: Any, bandwidth: Any) -> Any:
    """Return the level of noise in a band, dB re 1 uPa: [H] (9). :param bandwidth: Hz, narrow beside its middle."""
    return spectrum_level + 10.0 * np.log10(bandwidth)
