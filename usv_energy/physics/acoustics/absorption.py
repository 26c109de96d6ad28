"""How much of a sound is turned into heat on its way through water."""

from collections.abc import Callable
from typing import Any

import numpy as np

from .sea_water import SeaWater

SEA_WATER = SeaWater()


def francois_garrison(frequency: Any, water: SeaWater = SEA_WATER) -> Any:
    """
    Return the absorption, dB/m, by boric acid, magnesium sulphate and the water itself; floats or arrays.

    :param frequency: Hz, of 200 to 1e6.
    :param water: Fresh water (salinity 0) has the last of the three alone.

    Source: R.E. Francois, G.R. Garrison (1982), J. Acoust. Soc. Am. 72, 1879. Within 5 % of their measurements.
    """
    kilohertz = frequency / 1000.0
    temperature, salinity, depth, acidity = water
    kelvin = 273.0 + temperature
    speed = 1412.0 + 3.21 * temperature + 1.19 * salinity + 0.0167 * depth  # Theirs, for this formula.
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
    Return the absorption, dB/m, as Thetis has it, for sea water of 4 degC at any depth; floats or arrays.

    :param frequency: Hz.
    :param water: Does not matter.

    Source: [H] (6), Thorp's formula as L. Brekhovskikh, Y. Lysanov (1982) give it.
    """
    square = (frequency / 1000.0) ** 2
    return (0.11 * square / (1.0 + square) + 44.0 * square / (4100.0 + square) + 2.75e-4 * square + 0.003) / 1000.0


ABSORPTIONS: dict[str, Callable[..., Any]] = {'francois_garrison': francois_garrison, 'thetis': thetis_absorption}
