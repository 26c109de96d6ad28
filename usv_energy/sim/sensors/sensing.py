"""What a scenario says of the sensors of its boat, and the sensors on a boat that is being stepped."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ...boats.boat_file import Boat
from ...boats.sensor import Sensor, check_sensors, sensors_from
from ..plant import Plant
from .sensor_suite import SensorReading, SensorSuite
from .true_state import true_state


class Sensing(NamedTuple):
    """
    What a scenario says of sensors.

    `sensors`: in place of those of the boat that moves, None for these. `seed`: of their noise. `origin`: longitude and
    latitude of x = y = 0, degrees.
    """

    sensors: tuple[Sensor, ...] | None = None
    seed: int = 0
    origin: tuple[float, float] = (0.0, 0.0)

    def on(self, boat: Boat) -> tuple[Sensor, ...]:
        """Return the sensors on a boat."""
        return boat.sensors if self.sensors is None else self.sensors


OWN_SENSORS = Sensing()  # Of a scenario that says nothing of sensors: those of the boat that moves.


def sensing_of(document: Mapping[str, Any], plain: Mapping[str, Any], path: Path) -> Sensing:
    """
    Return what the content of a scenario file says of sensors.

    :param document: The content, checked against the schema.
    :param plain: The same with its numbers bare.
    :param path: Of the file.
    :raises InputError: File, key, value and what is allowed.
    """
    origin = plain.get('origin', {'longitude': 0.0, 'latitude': 0.0})
    return Sensing(sensors_from(document['sensors'], path) if 'sensors' in document else None,
                   int(plain.get('sensor_seed', 0)), (float(origin['longitude']), float(origin['latitude'])))


def check_sensing(sensing: Sensing, boat: Boat, path: Path) -> None:
    """See whether a boat has what its sensors measure; raises as `boats.sensor.check_sensors`."""
    check_sensors(sensing.on(boat), boat.battery is not None, path)


class SensedPlant:
    """The sensors on a Plant: what they have read is asked for after every step; nothing where there are none."""

    def __init__(self, sensing: Sensing, boat: Boat, plant: Plant) -> None:
        """Begin, at the plant's time."""
        sensors = sensing.on(boat)
        self._plant, self._suite = plant, SensorSuite(sensors, sensing.seed) if sensors else None
        self._volts = None if boat.battery is None else float(boat.battery.nominal_voltage)

    def readings(self) -> list[SensorReading]:
        """Return the readings that have come since the last call."""
        return [] if self._suite is None else self._suite.observe(true_state(self._plant, self._volts))
