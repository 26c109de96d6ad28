"""The sensors of a simulated boat: errors, times and delays, and the sensors of a scenario."""

import math
import zlib
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.sensor import ARRIVAL, QUANTITIES, Sensor, SensorErrors, check_sensors, sensors_from
from usv_energy.sim.plants.plant import Plant
from usv_energy.sim.sensors.true_readings import TrueState, between, true_readings, true_state


def stream_of(seed: int, *names: str) -> np.random.Generator:
    """Return a random generator that depends only on a seed and some names."""
    return np.random.Generator(np.random.PCG64([seed, *(zlib.crc32(name.encode()) for name in names)]))


class ErrorProcess:
    """Adds errors to the components of a quantity; each kind of error has its own random generator."""

    def __init__(self, errors: SensorErrors, components: int, seed: int, *names: str) -> None:
        """
        Draw the constant errors: bias and scale error.

        :param errors: The SensorErrors.
        :param components: Number of components of the quantity.
        :param seed: Of the random numbers.
        :param names: Of the sensor and of the quantity.
        """
        self.errors = errors
        self._white, slow, walk, fixed = (stream_of(seed, *names, kind) for kind in ('white', 'slow', 'walk', 'fixed'))
        self._streams = slow, walk
        self.bias = errors.bias + errors.bias_std * fixed.standard_normal(components)
        self.scale = 1.0 + errors.scale_std * fixed.standard_normal()
        self._slow = errors.slow_noise * slow.standard_normal(components)
        self._walk = np.zeros(components)
        self._time = math.nan

    def on(self, time: float, values: Sequence[float]) -> tuple[float, ...]:
        """
        Return true values with their errors, without limits.

        :param time: Of the measurement, s, later than that of the one before.
        :param values: In the quantity's SI unit, one per component.
        """
        errors = self.errors
        if self._time == self._time:
            elapsed = time - self._time
            if errors.slow_noise:
                kept = math.exp(-elapsed / errors.slow_time)
                new = errors.slow_noise * math.sqrt(1.0 - kept * kept)
                self._slow = kept * self._slow + new * self._streams[0].standard_normal(len(values))
            if errors.walk:
                self._walk = self._walk + errors.walk * math.sqrt(elapsed) * self._streams[1].standard_normal(
                    len(values))
        self._time = time
        read = self.scale * np.asarray(values) + self.bias + self._slow + self._walk
        if errors.noise:
            read = read + errors.noise * self._white.standard_normal(len(values))
        if errors.resolution:
            read = errors.resolution * np.rint(read / errors.resolution)
        return tuple(map(float, read))


EARLY = 1e-9  # s, tolerance for rounding of times.
UNBOUNDED, SILENT = 'range', 'dvl'  # Kinds that, beyond their limits, read infinity, or nothing.


class SensorReading(NamedTuple):
    """
    A reading of a sensor.

    `stamp`: of its message, s. `taken`, `arrival`: time of the measurement and of its arrival, s. `values`: by the
    names of the quantities, SI units and rad.
    """

    sensor: Sensor
    stamp: float
    taken: float
    arrival: float
    values: Mapping[str, tuple[float, ...]]


class SimulatedSensor:
    """One sensor: measures at its rate, loses some readings, and delivers the others after its delay."""

    def __init__(self, sensor: Sensor, seed: int) -> None:
        """Begin without readings; `seed` is that of the boat, from which each sensor derives its own by its name."""
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
        Return the readings that have arrived until now, in order.

        :param before: The true state at the previous call; None at the first one.
        :param now: The true state, at a later time.
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
        """Return values clipped to the range of the sensor; a range beyond it is infinite, by REP-117."""
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
        Begin without readings.

        :param sensors: Of the boat, with different names.
        :param seed: Of the random numbers; each sensor derives its own by its name.
        """
        self.sensors = [SimulatedSensor(sensor, seed) for sensor in sensors]
        self._before: TrueState | None = None

    def observe(self, now: TrueState) -> list[SensorReading]:
        """
        Return the readings that have arrived since the previous call, by arrival, then by the order of the sensors.

        The true state is interpolated linearly between two calls.
        """
        found = [reading for sensor in self.sensors for reading in sensor.readings(self._before, now)]
        self._before = now
        return sorted(found, key=lambda reading: reading.arrival)


class Sensing(NamedTuple):
    """
    The sensors of a scenario.

    `sensors`: in place of those of the simulated boat; None for these. `seed`: of their noise. `origin`: longitude and
    latitude of x = y = 0, degrees; None if the scenario does not state it.
    """

    sensors: tuple[Sensor, ...] | None = None
    seed: int = 0
    origin: tuple[float, float] | None = None

    @property
    def origin_of_fixes(self) -> tuple[float, float]:
        """Longitude and latitude from which the fixes of satellites count, degrees: 0, 0 where nobody says."""
        return self.origin or (0.0, 0.0)

    def on(self, boat: Boat) -> tuple[Sensor, ...]:
        """Return the sensors on a boat."""
        return boat.sensors if self.sensors is None else self.sensors


OWN_SENSORS = Sensing()  # For a scenario without entries on sensors: those of the simulated boat.


def sensing_of(document: Mapping[str, Any], plain: Mapping[str, Any], path: Path) -> Sensing:
    """
    Return the Sensing of a scenario file.

    :param document: The content, checked against the schema.
    :param plain: The same with plain numbers.
    :param path: Of the file.
    :raises InputError: If it is wrong; the message names file, key, value and what is allowed.
    """
    origin = plain.get('origin')
    return Sensing(sensors_from(document['sensors'], path) if 'sensors' in document else None,
                   int(plain.get('sensor_seed', 0)),
                   None if origin is None else (float(origin['longitude']), float(origin['latitude'])))


def check_sensing(sensing: Sensing, boat: Boat, path: Path) -> None:
    """Check that a boat has what its sensors measure; raises as `boats.sensor.check_sensors`."""
    check_sensors(sensing.on(boat), boat.battery is not None, path)


class SensedPlant:
    """The sensors on a Plant; their readings are collected after every step."""

    def __init__(self, sensing: Sensing, boat: Boat, plant: Plant) -> None:
        """Begin at the plant's time."""
        sensors = sensing.on(boat)
        self._plant, self._suite = plant, SensorSuite(sensors, sensing.seed) if sensors else None
        self._volts = None if boat.battery is None else float(boat.battery.nominal_voltage)

    def readings(self) -> list[SensorReading]:
        """Return the readings that have come since the last call."""
        return [] if self._suite is None else self._suite.observe(true_state(self._plant, self._volts))
