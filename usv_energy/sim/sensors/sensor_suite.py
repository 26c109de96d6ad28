"""The sensors of a simulated boat: each measures at its own times, and its readings come when its delay is over."""

import math
from collections import deque
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ...boats.sensor import ARRIVAL, Sensor
from ...boats.sensor_numbers import QUANTITIES
from .error_process import ErrorProcess, stream_of
from .true_readings import true_readings
from .true_state import TrueState, between

EARLY = 1e-9  # s: what rounding may make of a time.
UNBOUNDED, SILENT = 'range', 'dvl'  # Kinds that read an infinite value, and nothing, beyond their limits.


class SensorReading(NamedTuple):
    """
    A reading of a sensor.

    `stamp`: what its message says, s; `taken`: when it was measured, `arrival`: when it comes, s. `values`: by the
    names of the quantities, SI units and rad.
    """

    sensor: Sensor
    stamp: float
    taken: float
    arrival: float
    values: Mapping[str, tuple[float, ...]]


class SimulatedSensor:
    """One sensor: measures at the times of its rate, loses readings, and gives the others out after its delay."""

    def __init__(self, sensor: Sensor, seed: int) -> None:
        """Begin; `seed`: of all random numbers of the boat, of which this one takes those of its name."""
        self.sensor = sensor
        self.errors = {name: ErrorProcess(errors, QUANTITIES[sensor.kind][name].components, seed, sensor.name, name)
                       for name, errors in sensor.errors.items()}
        self._lost = stream_of(seed, sensor.name, 'lost')
        self._drops = stream_of(seed, sensor.name, 'drops')
        self._down, self._until = False, self._up_time()
        self._number = 0
        self._waiting: deque[SensorReading] = deque()

    def _up_time(self) -> float:
        mean = self.sensor.drop_interval
        return math.inf if mean is None else float(self._drops.exponential(mean))

    def readings(self, before: TrueState | None, now: TrueState) -> list[SensorReading]:
        """
        Return the readings that have come until now, in their order.

        :param before: The true state at the call before; None at the first.
        :param now: The true state, later than that.
        """
        while (taken := self._number / self.sensor.rate) <= now.time + EARLY:
            self._number += 1
            if before is None:
                if taken < now.time - EARLY:
                    continue
                state = now
            else:
                share = (taken - before.time) / (now.time - before.time)
                state = between(before, now, min(max(share, 0.0), 1.0))
            self._measure(taken, state)
        due = []
        while self._waiting and self._waiting[0].arrival <= now.time + EARLY:
            due.append(self._waiting.popleft())
        return due

    def _measure(self, taken: float, state: TrueState) -> None:
        true = true_readings(state, self.sensor)
        values = {name: process.on(taken, true[name]) for name, process in self.errors.items() if name in true}
        if self._is_lost(taken) or not values:
            return
        limited = {name: self._limited(name, value) for name, value in values.items()}
        if self.sensor.kind == SILENT and limited != values:
            return
        arrival = taken + self.sensor.delay
        stamp = arrival if self.sensor.stamped == ARRIVAL else taken
        self._waiting.append(SensorReading(self.sensor, stamp, taken, arrival, limited))

    def _limited(self, name: str, values: tuple[float, ...]) -> tuple[float, ...]:
        """Return values within what can be read; a range beyond it is infinite, as REP-117 has it."""
        least, most = self.sensor.errors[name].least, self.sensor.errors[name].most
        if self.sensor.kind == UNBOUNDED:
            return tuple(-math.inf if value < least else math.inf if value > most else value for value in values)
        return tuple(min(max(value, least), most) for value in values)

    def _is_lost(self, taken: float) -> bool:
        while taken >= self._until:
            self._down = not self._down
            mean = self.sensor.drop_duration if self._down else self.sensor.drop_interval
            self._until += float(self._drops.exponential(mean or 1.0))
        single = self.sensor.drop_share > 0.0 and float(self._lost.random()) < self.sensor.drop_share
        return self._down or single


class SensorSuite:
    """All sensors of a boat."""

    def __init__(self, sensors: Iterable[Sensor], seed: int = 0) -> None:
        """
        Begin with nothing measured.

        :param sensors: Of the boat, each of its own name.
        :param seed: Of the random numbers; each sensor takes its own from it, by its name.
        """
        self.sensors = [SimulatedSensor(sensor, seed) for sensor in sensors]
        self._before: TrueState | None = None

    def observe(self, now: TrueState) -> list[SensorReading]:
        """
        Return the readings that have come since the call before, by their arrival, then by the order of the sensors.

        What happens between two calls is taken to be a straight line.
        """
        found = [reading for sensor in self.sensors for reading in sensor.readings(self._before, now)]
        self._before = now
        return sorted(found, key=lambda reading: reading.arrival)
