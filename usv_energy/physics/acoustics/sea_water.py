"""The water that sound goes through: temperature, salinity, acidity, depth; and the speed of sound in it."""

from typing import Any, NamedTuple


class SeaWater(NamedTuple):
    """
    Water at a place.

    `temperature`, degC; `salinity`, g of salt per kg, 0 for a lake; `depth` below the surface, m; `acidity`, pH.
    The defaults are a temperate sea near its surface.
    """

    temperature: Any = 12.0
    salinity: Any = 35.0
    depth: Any = 5.0
    acidity: Any = 8.0


def sound_speed(water: SeaWater) -> Any:
    """
    Return the speed of sound, m/s; floats or arrays. For 0 to 35 degC, salinities of 0 to 45, depths of up to 4000 m.

    Source: A.B. Coppens (1981), J. Acoust. Soc. Am. 69, 862: the only simple equation that holds for lakes, too.
    """
    tenth, salt, deep = water.temperature / 10.0, water.salinity - 35.0, water.depth / 1000.0
    surface = (1449.05 + 45.7 * tenth - 5.21 * tenth ** 2 + 0.23 * tenth ** 3
               + (1.333 - 0.126 * tenth + 0.009 * tenth ** 2) * salt)
    return (surface + (16.23 + 0.253 * tenth) * deep + (0.213 - 0.1 * tenth) * deep ** 2
            + (0.016 + 0.0002 * salt) * salt * tenth * deep)
