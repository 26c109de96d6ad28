"""Sensors on a boat as files describe them: the table of their numbers, frozen types, reading."""

import math
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from usv_energy.files import checked
from usv_energy.files.checked import FileNumber
from usv_energy.files.errors import InputError
from usv_energy.files.locate import resolve, share_folder
from usv_energy.files.parsed_text import read_yaml

DEGREE = math.radians(1.0)
MICRO = 1e-6


class SensedQuantity(NamedTuple):
    """A quantity that a sensor measures: its unit in files, that unit in SI, how many components, and what it is."""

    unit: str
    si: float
    components: int
    meaning: str


class OwnNumber(NamedTuple):
    """A number that only one kind of sensors has: its unit in files, that unit in SI, limits, default and meaning."""

    unit: str
    si: float
    limits: Mapping[str, float]
    default: float | None
    meaning: str


QUANTITIES: Mapping[str, Mapping[str, SensedQuantity]] = {
    'gnss': {'position': SensedQuantity('m', 1.0, 2, 'east and north'), 'height': SensedQuantity('m', 1.0, 1, 'up'),
             'velocity': SensedQuantity('m/s', 1.0, 3, 'east, north and up, over ground')},
    'imu': {'gyro': SensedQuantity('deg/s', DEGREE, 3, 'rates of turn about the axes of the body'),
            'accelerometer': SensedQuantity('m/s^2', 1.0, 3, 'specific force along the axes of the body'),
            'roll_pitch': SensedQuantity('deg', DEGREE, 2, 'roll and pitch'),
            'heading': SensedQuantity('deg', DEGREE, 1, 'yaw')},
    'magnetometer': {'field': SensedQuantity('uT', MICRO, 3, "the Earth's field along the axes of the body")},
    'dvl': {'velocity': SensedQuantity('m/s', 1.0, 3, 'along the axes of the body')},
    'range': {'distance': SensedQuantity('m', 1.0, 1, 'to the bottom')},
    'pressure': {'pressure': SensedQuantity('Pa', 1.0, 1, 'of water and air above')},
    'anemometer': {'speed': SensedQuantity('m/s', 1.0, 1, 'of the apparent wind'),
                   'direction': SensedQuantity('deg', DEGREE, 1, 'of the apparent wind, in the axes of the body')},
    'power': {'voltage': SensedQuantity('V', 1.0, 1, 'of the battery'),
              'current': SensedQuantity('A', 1.0, 1, 'that it gives')}}

ABOVE, AT_LEAST = {'exclusiveMinimum': 0}, {'minimum': 0}
_WATER_DEPTH = OwnNumber('m', 1.0, ABOVE, None, 'depth of the water, everywhere the same')
OWN_NUMBERS: Mapping[str, Mapping[str, OwnNumber]] = {
    'magnetometer': {
        'horizontal': OwnNumber('uT', MICRO, AT_LEAST, 20.0, "horizontal part of the Earth's field"),
        'down': OwnNumber('uT', MICRO, {}, 45.0, "part of the Earth's field that points down"),
        'declination': OwnNumber('deg', DEGREE, {}, 0.0, 'of magnetic north, to the east of true north')},
    'dvl': {
        'water_depth': _WATER_DEPTH,
        'least_altitude': OwnNumber('m', 1.0, AT_LEAST, 0.0, 'above the bottom, below which it measures nothing'),
        'most_altitude': OwnNumber('m', 1.0, ABOVE, None, 'above the bottom, above which it measures nothing')},
    'range': {'water_depth': _WATER_DEPTH,
              'field_of_view': OwnNumber('deg', DEGREE, ABOVE, 25.0, 'width of the beam')},
    'pressure': {'water_density': OwnNumber('kg/m^3', 1.0, ABOVE, 1000.0, 'of the water'),
                 'air_pressure': OwnNumber('Pa', 1.0, AT_LEAST, 101325.0, 'at the surface of the water')}}
NEEDED = {'range': ('water_depth',)}  # Numbers that a kind of sensor on a boat requires.

COMMON: Mapping[str, FileNumber] = {
    'rate': FileNumber('Hz', {**ABOVE, 'maximum': 1000}, 'readings a second'),
    'delay': FileNumber('s', {**AT_LEAST, 'maximum': 60}, 'from the measurement to its message'),
    'x': FileNumber('m', {}, "place, ahead of the boat's point"),
    'y': FileNumber('m', {}, "place, to port of the boat's point"),
    'z': FileNumber('m', {}, "place, above the boat's point"),
    'drop_share': FileNumber('-', {**AT_LEAST, 'exclusiveMaximum': 1}, 'of single readings that are lost'),
    'drop_interval': FileNumber('s', ABOVE, 'mean time between drop-outs'),
    'drop_duration': FileNumber('s', ABOVE, 'mean duration of a drop-out')}

# Numbers of the error of a quantity: limits, unit as a function of the quantity's unit, and meaning.
ERRORS: Mapping[str, tuple[Mapping[str, float], Callable[[str], str], str]] = {
    'noise': (AT_LEAST, str, 'standard deviation of white noise, of each reading'),
    'slow_noise': (AT_LEAST, str, 'standard deviation of noise that is correlated over slow_time (first-order '
                   'Gauss-Markov)'),
    'slow_time': (ABOVE, lambda unit: 's', 'after which the correlation of slow_noise is 1/e'),
    'walk': (AT_LEAST, lambda unit: f'{unit}/sqrt(s)', 'random walk: standard deviation after 1 s'),
    'bias': ({}, str, 'constant error of each component'),
    'bias_std': (AT_LEAST, str, 'standard deviation of a constant error of each component that is drawn'),
    'scale_std': (AT_LEAST, lambda unit: '-', 'standard deviation of an error of scale that is drawn'),
    'resolution': (AT_LEAST, str, 'step of the readings'),
    'least': ({}, str, 'that it can read'),
    'most': ({}, str, 'that it can read')}
WITHOUT_UNIT = ('slow_time', 'scale_std')  # Numbers of an error that are not in the unit of the quantity.


@cache
def _base_schema() -> dict[str, Any]:
    return read_yaml(share_folder() / 'config' / 'schema' / 'sensor.schema.yaml')


def _kind_schema() -> dict[str, Any]:
    """Return the schema that checks only the kind."""
    return {'type': 'object', 'required': ['kind'], 'properties': {'kind': {'enum': list(QUANTITIES)}}}


def _schema(kind: str) -> dict[str, Any]:
    schema = deepcopy(_base_schema())
    properties = schema['properties']
    if kind != 'dvl':
        del properties['velocity_of']
    properties.update({name: row.schema() for name, row in COMMON.items()})
    properties.update({name: FileNumber(own.unit, own.limits, own.meaning).schema()
                       for name, own in OWN_NUMBERS.get(kind, {}).items()})
    for name, quantity in QUANTITIES[kind].items():
        properties[name] = {
            'description': f'{quantity.meaning}, {quantity.unit}: its errors. Left out: it is not measured.',
            'type': 'object', 'additionalProperties': False,
            'properties': {key: FileNumber(unit(quantity.unit), limits, meaning).schema()
                           for key, (limits, unit, meaning) in ERRORS.items()}}
    return schema


ANY_KIND = _kind_schema
_SCHEMAS = {kind: partial(_schema, kind) for kind in QUANTITIES}


def sensor_schema_of(kind: str) -> Callable[[], dict[str, Any]]:
    """Return a function that returns the JSON schema of a kind of sensors, always the same function for a kind."""
    return _SCHEMAS[kind]


ARRIVAL = 'arrival'
GROUND, WATER = 'ground', 'water'


class SensorErrors(NamedTuple):
    """
    The errors of one quantity, in its SI unit (rad for angles); they add up, and each component has its own.

    `noise`: standard deviation of white noise of each reading. `slow_noise`, `slow_time`: standard deviation of a
    first-order Gauss-Markov process, and the time, s, at which its correlation is 1/e. `walk`: random walk, the
    standard deviation after 1 s. `bias`: constant. `bias_std`: standard deviation of a random constant. `scale_std`:
    that of a random scale error, (-). `resolution`: step of the readings, 0 for none. `least`, `most`: limits of the
    readings.
    """

    noise: float = 0.0
    slow_noise: float = 0.0
    slow_time: float = 0.0
    walk: float = 0.0
    bias: float = 0.0
    bias_std: float = 0.0
    scale_std: float = 0.0
    resolution: float = 0.0
    least: float = -float('inf')
    most: float = float('inf')

    @property
    def variance(self) -> float:
        """Variance of a reading's error, without parts that grow with its value or with time; SI unit squared."""
        return (self.noise ** 2 + self.slow_noise ** 2 + self.bias ** 2 + self.bias_std ** 2
                + self.resolution ** 2 / 12.0)


@dataclass(frozen=True)
class Sensor:
    """
    A sensor on a boat.

    `kind`: a key of QUANTITIES. `rate`: Hz. `delay`: from the measurement to its message, s; `stamped`: which of the
    two times the stamp is. `place`: x, y, z, m (FLU), from the boat's origin. `errors`: of its quantities, by name.
    `drop_share`: share of single readings that are lost, (-). `drop_interval`, `drop_duration`: mean time between
    drop-outs and of one, s, None without. `numbers`: those of its kind alone, SI. `velocity_of`: for a DVL, over
    `ground` or through `water`.
    """

    name: str
    kind: str
    rate: float
    delay: float = 0.0
    place: tuple[float, float, float] = (0.0, 0.0, 0.0)
    errors: Mapping[str, SensorErrors] = field(default_factory=dict)
    numbers: Mapping[str, float | None] = field(default_factory=dict)
    drop_share: float = 0.0
    drop_interval: float | None = None
    drop_duration: float | None = None
    stamped: str = ARRIVAL
    velocity_of: str = GROUND
    description: str = ''

    def number(self, name: str) -> float:
        """Return a number of its kind, SI; NaN if the file does not give it and there is no default."""
        value = self.numbers.get(name)
        return float('nan') if value is None else value


def read_sensor(name: str, beside: Path | None = None) -> Sensor:
    """
    Return a sensor by its name in config/sensors or by the path of its YAML file.

    :raises InputError: If there is none, or its file is wrong; the message names file, key, value and what is allowed.
    """
    path = resolve('sensors', name, beside)
    return sensor_from(checked.read_with_base('sensors', path), str(path))


def sensors_from(entries: Sequence[Mapping[str, Any]], path: Path) -> tuple[Sensor, ...]:
    """
    Return the sensors under `sensors` of a file, each merged with its preset.

    :param entries: The entries, with numbers plain or with unit and source.
    :param path: Of the file, for errors, and for presets beside it.
    :raises InputError: If one is wrong or a name occurs twice; the message names file, key, value and what is allowed.
    """
    sensors = tuple(_entry(entry, path, f'{path}: sensors.{number}') for number, entry in enumerate(entries))
    names = [sensor.name for sensor in sensors]
    if len(set(names)) != len(names):
        raise InputError(f'{path}: sensors have the names {", ".join(names)}; each name must stand once')
    for number, sensor in enumerate(sensors):
        for key in NEEDED.get(sensor.kind, ()):
            if sensor.numbers.get(key) is None:
                raise InputError(f'{path}: sensors.{number} ({sensor.name}) lacks the key {key!r}, which a sensor of '
                                 f'the kind {sensor.kind} on a boat needs')
    return sensors


def check_sensors(sensors: Sequence[Sensor], has_battery: bool, path: Path) -> None:
    """Check that a boat has what its sensors measure; InputError if a power sensor has no battery."""
    for number, sensor in enumerate(sensors):
        if sensor.kind == 'power' and not has_battery:
            raise InputError(f'{path}: sensors.{number} ({sensor.name}) is of the kind power, which needs a battery on '
                             'the boat: the section battery')


def _entry(entry: Mapping[str, Any], path: Path, where: str) -> Sensor:
    document = {key: value for key, value in entry.items() if key != 'base'}
    if 'preset' in document:
        try:
            document = checked.with_base('sensors', {**document, 'base': document['preset']}, path)
        except InputError as error:
            raise InputError(f'{where}.preset: {str(error).partition(": base is ")[2] or error}') from None
    return sensor_from(document, where)


def sensor_from(document: dict[str, Any], where: str) -> Sensor:
    """
    Return a sensor from the content of its file, or of its entry in a boat file with its preset.

    :param where: Prefix of a key in error messages.
    :raises InputError: If it is wrong; the message names key, value and what is allowed.
    """
    checked.check(document, ANY_KIND, where)
    kind = document['kind']
    checked.check(document, sensor_schema_of(kind), where)
    plain = checked.values_of({key: value for key, value in document.items() if key != 'sources'})
    for first, second in (('drop_interval', 'drop_duration'), ('drop_duration', 'drop_interval')):
        if first in plain and second not in plain:
            raise InputError(f'{where}: {first} is {plain[first]:g}, but there is no {second}; must be given together')
    errors = {name: _errors(plain[name], quantity.si, f'{where}: {name}')
              for name, quantity in QUANTITIES[kind].items() if name in plain}
    if not errors:
        raise InputError(f'{where}: measures nothing; must have at least one of {", ".join(QUANTITIES[kind])}')
    numbers = {name: _si(plain.get(name, own.default), own.si) for name, own in OWN_NUMBERS.get(kind, {}).items()}
    return Sensor(
        plain['name'], kind, float(plain['rate']), float(plain.get('delay', 0.0)),
        (float(plain.get('x', 0.0)), float(plain.get('y', 0.0)), float(plain.get('z', 0.0))), errors, numbers,
        float(plain.get('drop_share', 0.0)), _si(plain.get('drop_interval'), 1.0), _si(plain.get('drop_duration'), 1.0),
        plain.get('stamped', ARRIVAL), plain.get('velocity_of', GROUND), plain.get('description', ''))


def _si(value: float | None, unit: float) -> float | None:
    return None if value is None else value * unit


def _errors(given: Mapping[str, float], unit: float, where: str) -> SensorErrors:
    """Return the errors of a quantity, SI; `unit` is the size of its unit in the file. InputError if inconsistent."""
    if ('slow_noise' in given) != ('slow_time' in given):
        raise InputError(f'{where}: slow_noise and slow_time must be given together; there is {", ".join(given)}')
    errors = SensorErrors(**{key: float(value) * (1.0 if key in WITHOUT_UNIT else unit)
                             for key, value in given.items()})
    if not errors.least < errors.most:
        raise InputError(f'{where}.least is {given["least"]:g}; must be less than most, {given["most"]:g}')
    return errors
