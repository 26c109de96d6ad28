"""What steady level flight takes: power and energy per metre over speed, in wind along the way."""

import math
from typing import NamedTuple

from .quadcopter import GRAVITY, Quadcopter, at_rest, electrical_power


class LevelFlight(NamedTuple):
    """Steady flight: speed over ground, m/s; tilt, rad; power, W; energy per metre over ground, J/m."""

    speed: float
    tilt: float
    power: float
    energy_per_meter: float


def level_flight(craft: Quadcopter, speed: float, tail_wind: float = 0.0) -> LevelFlight:
    """
    Return what flying straight and level takes: thrust balances weight and the drag of the air.

    :param speed: Over ground, m/s, above 0.
    :param tail_wind: m/s along the way; below 0 against it.
    """
    drag, weight = craft.drag * (speed - tail_wind), craft.mass * GRAVITY
    tilt = math.atan2(drag, weight)
    state = at_rest((0.0, 0.0, 100.0), thrust=0.25 * math.hypot(drag, weight))._replace(
        velocity=(speed, 0.0, 0.0), turn=(math.cos(0.5 * tilt), 0.0, math.sin(0.5 * tilt), 0.0))
    power = electrical_power(craft, state, (tail_wind, 0.0, 0.0))
    return LevelFlight(speed, tilt, power, power / speed)
