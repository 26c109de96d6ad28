"""How far a battery still reaches, at the energy per metre of the last while: what the live topic says."""

import math
from collections import deque

from ..physics.battery import JOULES_PER_WH, BatteryLevel

LEAST_DISTANCE = 1.0  # m within the window; a boat that moves less is not under way, and has no energy per metre.


class RangeMeter:
    """Energy per metre over ground of the last `window` seconds of message time."""

    def __init__(self, window: float) -> None:
        """Start with nothing heard; the window in s."""
        self._window = window
        self._heard: deque[tuple[float, float, float]] = deque()

    def add(self, time: float, energy: float, distance: float) -> None:
        """Take a stamp, s, and energy, J, and distance over ground, m, so far; time that goes backwards starts anew."""
        if not all(map(math.isfinite, (time, energy, distance))):
            return
        if self._heard and time < self._heard[-1][0]:
            self._heard.clear()
        self._heard.append((time, energy, distance))
        while len(self._heard) > 2 and self._heard[1][0] <= time - self._window:
            self._heard.popleft()

    @property
    def energy_per_meter(self) -> float:
        """Energy per metre over ground, J/m; NaN where the boat was not under way."""
        if not self._heard:
            return math.nan
        (_, energy, distance), (_, energy_now, distance_now) = self._heard[0], self._heard[-1]
        moved = distance_now - distance
        return (energy_now - energy) / moved if moved >= LEAST_DISTANCE else math.nan


def remaining_range(level: BatteryLevel, energy_per_meter: float) -> float:
    """
    Return the distance over ground that the battery still reaches, m; NaN where it is unknown, infinity if free.

    :param level: What is left, in the terms of sensor_msgs/BatteryState: charge Ah at voltage V.
    :param energy_per_meter: J/m; not above 0 where current or wind carry the boat for nothing.
    """
    if not math.isfinite(energy_per_meter):
        return math.nan
    left = level.charge * level.voltage * JOULES_PER_WH
    return left / energy_per_meter if energy_per_meter > 0.0 else math.inf
