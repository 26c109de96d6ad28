"""
The thrust of a propeller from how fast it turns: what an rpm reading says, in water that flows in.

At standstill a screw's thrust goes with the square of its rate, so that the root of a thrust, with its sign, is nearly
a straight line over the rate: between readings of a bollard pull it is taken as one, and goes on beyond them in
proportion to the rate. Under way a bollard map's correction, or the screw's own K_T(J), does the rest.
"""

from typing import Any, NamedTuple

import numpy as np

from .elementwise import interpolate, larger, select
from .open_water import WATER_DENSITY, OpenWater
from .propeller import Propeller, thrust_at

SLOWEST = 1e-9  # 1/s


class Turning(NamedTuple):
    """
    What thrust a propeller gives at which rate.

    `rate` (1/s, rising, astern below 0, 0 among them) and `root` (N^0.5, of the thrust at standstill, with its sign).
    `curves` and `diameter`, m: of a screw whose K_T(J) is known; None and 0 else.
    """

    rate: np.ndarray
    root: np.ndarray
    curves: OpenWater | None = None
    diameter: float = 0.0


def turning_of(rates: np.ndarray, thrusts: np.ndarray) -> Turning:
    """
    Return the Turning of a bollard pull.

    :param rates: 1/s, rising, astern below 0; standstill need not be among them.
    :param thrusts: N, rising.
    """
    rates, roots = np.asarray(rates, dtype=float), np.sign(thrusts) * np.sqrt(np.abs(thrusts))
    if not (rates == 0.0).any():
        place = int(np.searchsorted(rates, 0.0))
        rates, roots = np.insert(rates, place, 0.0), np.insert(roots, place, 0.0)
    return Turning(rates, roots)


def turning_of_screw(curves: OpenWater, diameter: float, least: float, most: float,
                     density: float = WATER_DENSITY) -> Turning:
    """
    Return the Turning of a screw with its open-water curves; astern it gives what it does ahead, at standstill.

    :param curves: The OpenWater curves.
    :param diameter: D, m.
    :param least: Rate of turning, 1/s, at most 0.
    :param most: The same, above 0.
    :param density: Of the water, kg/m^3.
    """
    rates = np.array([least, 0.0, most] if least < 0.0 else [0.0, most])
    return Turning(rates, rates * (density * float(curves.thrust[0])) ** 0.5 * diameter ** 2, curves, diameter)


def thrust_of_rate(rate: Any, inflow: Any, turning: Turning, propeller: Propeller,
                   density: float = WATER_DENSITY) -> Any:
    """
    Return the thrust of a propeller along its axis, N.

    :param rate: Of turning, 1/s, positive where it drives ahead; float or array.
    :param inflow: Speed of the water into it along the axis, m/s; same shape.
    :param turning: Its Turning.
    :param propeller: Its Propeller.
    :param density: Of the water, kg/m^3.
    """
    root = interpolate(rate, turning.rate, turning.root)
    low, high = float(turning.rate[0]), float(turning.rate[-1])
    root = root * (larger(rate / high, 1.0 + 0.0 * rate) if high > 0.0 else 1.0)
    root = root * (larger(rate / low, 1.0 + 0.0 * rate) if low < 0.0 else 1.0)
    bollard = root * abs(root)
    if turning.curves is None:
        return bollard if propeller.tabled else thrust_at(bollard, inflow, propeller)
    ahead = larger(rate, SLOWEST + 0.0 * rate)
    advance = larger(inflow, 0.0 * inflow) / (ahead * turning.diameter)
    coefficient = interpolate(advance, turning.curves.advance, turning.curves.thrust)
    return select(rate > 0.0, density * turning.diameter ** 4 * ahead * ahead * coefficient, bollard)
