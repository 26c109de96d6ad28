"""Open-water curves of screws, and the straight lines through them that correct a bollard map for the inflow."""

from typing import Any, NamedTuple

import numpy as np

from ..files.errors import InputError
from .wageningen import thrust_coefficient, torque_coefficient

WATER_DENSITY = 998.2  # Fresh water at 20 deg C, kg/m^3 (ITTC 7.5-02-01-03).
SCREW = ('pitch_ratio', 'area_ratio', 'blades')
ADVANCES = np.linspace(0.0, 2.0, 401)  # At which the B-series' polynomials become curves.


class OpenWater(NamedTuple):
    """A screw's curves: advance J (-), from 0, rising; K_T and K_Q (-) at it; K_T falls through 0 within it."""

    advance: np.ndarray
    thrust: np.ndarray
    torque: np.ndarray

    @property
    def advance_without_thrust(self) -> float:
        """J at which K_T is 0; that of the last knot where it stays above."""
        below = np.flatnonzero(self.thrust <= 0.0)
        if not below.size:
            return float(self.advance[-1])
        n = int(below[0])
        share = self.thrust[n - 1] / (self.thrust[n - 1] - self.thrust[n])
        return float(self.advance[n - 1] + share * (self.advance[n] - self.advance[n - 1]))


def inflow_of(curves: OpenWater, diameter: float, density: float = WATER_DENSITY) -> tuple[float, float]:
    """
    Return the inflow coefficient c, N^0.5 s/m, and the torque ratio g, (-), of `bollard_map.py` for a screw.

    Both are of the straight lines from K_T0 and K_Q0 that are nearest (least squares) to the curves between J = 0 and
    where K_T is 0.

    :param curves: The OpenWater curves.
    :param diameter: D, m.
    :param density: Of the water, kg/m^3.
    """
    j = np.linspace(0.0, curves.advance_without_thrust, 201)
    slopes = []
    for knots in (curves.thrust, curves.torque):
        fall = 1.0 - np.interp(j, curves.advance, knots) / knots[0]
        slopes.append(float(fall @ j / (j @ j)))
    return (density * float(curves.thrust[0])) ** 0.5 * diameter * slopes[0], slopes[1] / slopes[0]


def b_screw(numbers: dict[str, Any], where: str) -> OpenWater:
    """
    Return the curves of a Wageningen B-screw, up to where it gives no thrust.

    :param numbers: Its `pitch_ratio`, `area_ratio` and `blades`.
    :param where: What stands before a key in an error.
    :raises InputError: Outside of what the series covers.
    """
    screw = [float(numbers[key]) for key in SCREW]
    try:
        kt, kq = thrust_coefficient(ADVANCES, *screw), torque_coefficient(ADVANCES, *screw)
    except ValueError as error:
        raise InputError(f'{where}.{error}') from None
    last = int(np.argmax(kt <= 0.0)) + 1
    return OpenWater(ADVANCES[:last], kt[:last], kq[:last])
