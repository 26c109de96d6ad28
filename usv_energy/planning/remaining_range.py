"""How far a battery still reaches, at the energy per metre of the last while: what the live topic says."""

import math
from collections import deque
from typing import NamedTuple

from ..physics.battery import JOULES_PER_WH, BatteryLevel

LEAST_DISTANCE = 2.0  # m from where the boat was; who makes less good in a window is moored, whatever noise adds up to.
KEPT = 200            # Places of a window that are kept, or up to half as many more.


class _Heard(NamedTuple):
    """Stamp, s; energy, J, and way over ground, m, so far; place, m, and heading, rad, by dead reckoning; velocity."""

    time: float
    energy: float
    distance: float
    x: float
    y: float
    heading: float
    velocity: tuple[float, float, float]


class RangeMeter:
    """Energy per metre over ground of the last `window` seconds of message time."""

    def __init__(self, window: float) -> None:
        """Start with nothing heard; the window in s."""
        self._window = window
        self._heard: deque[_Heard] = deque()

    def add(self, time: float, energy: float, distance: float, velocity: tuple[float, float, float]) -> None:
        """
        Take what a sample says; one that is not all numbers is left out, time that goes backwards starts anew.

        :param time: Stamp, s.
        :param energy: So far, J.
        :param distance: Way over ground so far, m; one that does not grow (a gap) leaves the boat where it was.
        :param velocity: Over ground, body axes: u, v m/s, r rad/s.
        """
        if not all(map(math.isfinite, (time, energy, distance, *velocity))):
            return
        if self._heard and time < self._heard[-1].time:
            self._heard.clear()
        place = (0.0, 0.0, 0.0) if not self._heard else _moved(self._heard[-1], time, distance, velocity)
        if len(self._heard) > 1 and time - self._heard[-2].time < self._window / KEPT:
            self._heard.pop()
        self._heard.append(_Heard(time, energy, distance, *place, velocity))
        while len(self._heard) > 2 and self._heard[1].time <= time - self._window:
            self._heard.popleft()

    @property
    def energy_per_meter(self) -> float:
        """Energy per metre over ground, J/m; NaN where the boat was not under way."""
        if not self._heard:
            return math.nan
        first, last = self._heard[0], self._heard[-1]
        farthest = max(math.hypot(at.x - first.x, at.y - first.y) for at in self._heard)
        if farthest < LEAST_DISTANCE:
            return math.nan
        return (last.energy - first.energy) / (last.distance - first.distance)


def _moved(last: _Heard, time: float, distance: float,
           velocity: tuple[float, float, float]) -> tuple[float, float, float]:
    """Return place, m, and heading, rad, after the mean of two velocities."""
    if distance <= last.distance:
        return last.x, last.y, last.heading
    step = time - last.time
    u, v, r = (0.5 * step * (before + now) for before, now in zip(last.velocity, velocity))
    c, s = math.cos(last.heading + 0.5 * r), math.sin(last.heading + 0.5 * r)
    return last.x + c * u - s * v, last.y + s * u + c * v, last.heading + r


def remaining_range(level: BatteryLevel, energy_per_meter: float, left: float | None = None) -> float:
    """
    Return the distance over ground that the battery still reaches, m; NaN where it is unknown, infinity if free.

    :param level: What is left, in the terms of sensor_msgs/BatteryState: charge Ah at voltage V.
    :param energy_per_meter: J/m; not above 0 where current or wind carry the boat for nothing.
    :param left: Energy that cells still give until they cut off, J; None: charge times voltage.
    """
    if not math.isfinite(energy_per_meter):
        return math.nan
    left = level.charge * level.voltage * JOULES_PER_WH if left is None else left
    return left / energy_per_meter if energy_per_meter > 0.0 else math.inf
