"""
The thrust of a propeller from how fast it turns: what an rpm reading says, in water that flows in.

At standstill a screw's thrust goes with the square of its rate, so that the root of a thrust, with its sign, is nearly
a straight line over the rate: between readings of a bollard pull it is taken as one, and goes on beyond them in
proportion to the rate. What the inflow makes of that thrust is the matter of the kind (`commands.thrust_at_rate`).
"""

from typing import Any, NamedTuple

import numpy as np

from ..physics.elementwise import interpolate, larger
from .commands import thrust_at_rate


class Turning(NamedTuple):
    """`rate` (1/s, rising, astern below 0, 0 among them) and `root` (N^0.5, of the thrust at standstill, signed)."""

    rate: np.ndarray
    root: np.ndarray


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


def bollard_of_rate(rate: Any, turning: Turning) -> Any:
    """Return the thrust at standstill, N, at a rate of turning, 1/s, positive where it drives ahead; float or array."""
    root = interpolate(rate, turning.rate, turning.root)
    low, high = float(turning.rate[0]), float(turning.rate[-1])
    root = root * (larger(rate / high, 1.0 + 0.0 * rate) if high > 0.0 else 1.0)
    root = root * (larger(rate / low, 1.0 + 0.0 * rate) if low < 0.0 else 1.0)
    return root * abs(root)


def thrust_of_rate(rate: Any, inflow: Any, turning: Turning, propeller: Any) -> Any:
    """
    Return the thrust of a propeller along its axis, N.

    :param rate: Of turning, 1/s, positive where it drives ahead; float or array.
    :param inflow: Speed of the water into it along the axis, m/s; same shape.
    :param turning: Its Turning.
    :param propeller: Its propeller, of any kind.
    """
    return thrust_at_rate(bollard_of_rate(rate, turning), inflow, propeller)
