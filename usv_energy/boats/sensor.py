"""Sensors on a boat, as a boat file or a file of config/sensors describes them: frozen types, SI units, radians."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from ..files import checked
from ..files.errors import InputError
from ..files.locate import resolve
from .sensor_numbers import ANY_KIND, NEEDED, OWN_NUMBERS, QUANTITIES, WITHOUT_UNIT, sensor_schema_of

ARRIVAL, MEASUREMENT = 'arrival', 'measurement'
GROUND, WATER = 'ground', 'water'


class SensorErrors(NamedTuple):
    """
    The errors of one quantity, in its SI unit (rad for angles); they add up, and each component has its own.

    `noise`: standard deviation of white noise of each reading. `slow_noise`, `slow_time`: of a first-order Gauss-Markov
    process, and after which time, s, its correlation is 1/e. `walk`: random walk, the standard deviation after 1 s.
    `bias`: constant; `bias_std`: of a constant that is drawn; `scale_std`, (-): of an error of scale that is drawn.
    `resolution`: step of the readings, 0 for none. `least`, `most`: that can be read.
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
        """Variance of a reading's error, without what grows with its value or with time; SI unit squared."""
        return (self.noise ** 2 + self.slow_noise ** 2 + self.bias ** 2 + self.bias_std ** 2
                + self.resolution ** 2 / 12.0)


@dataclass(frozen=True)
class Sensor:
    """
    A sensor on a boat.

    `kind`: a key of `sensor_numbers.QUANTITIES`. `rate`: Hz. `delay`: from the measurement to its message, s;
    `stamped`: which of the two the stamp says. `place`: x, y, z, m (FLU), from the boat's point. `errors`: of what it
    measures, by the names of the table. `drop_share`: of single readings that are lost, (-); `drop_interval`,
    `drop_duration`: mean time between drop-outs and of one, s, None without. `numbers`: that only its kind has, SI.
    `velocity_of`: of a DVL, over `ground` or through `water`.
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
        """Return a number that only its kind has, SI; NaN where the file does not say it and there is no default."""
        value = self.numbers.get(name)
        return float('nan') if value is None else value


def read_sensor(name: str, beside: Path | None = None) -> Sensor:
    """
    Return a sensor by its name in config/sensors or by the path of its YAML file.

    :raises InputError: If there is none, or its file is wrong: file, key, value, what is allowed.
    """
    path = resolve('sensors', name, beside)
    return sensor_from(checked.read_with_base('sensors', path), str(path))


def sensors_from(entries: Sequence[Mapping[str, Any]], path: Path) -> tuple[Sensor, ...]:
    """
    Return the sensors that stand under `sensors` of a file, each laid over its preset.

    :param entries: What stands there, numbers bare or with unit and source.
    :param path: Of the file, for errors, and for presets beside it.
    :raises InputError: File, key, value and what is allowed; a name that stands twice.
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
    """See whether a boat has what its sensors measure; InputError where one of its power has no battery to read."""
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
    Return a sensor from the content of its file, or of its entry in a boat file with its preset under it.

    :param where: What stands before a key in an error.
    :raises InputError: Key, value and what is allowed.
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
    """Return the errors of a quantity, SI, whose unit in the file is so large; InputError where they do not agree."""
    if ('slow_noise' in given) != ('slow_time' in given):
        raise InputError(f'{where}: slow_noise and slow_time must be given together; there is {", ".join(given)}')
    errors = SensorErrors(**{key: float(value) * (1.0 if key in WITHOUT_UNIT else unit)
                             for key, value in given.items()})
    if not errors.least < errors.most:
        raise InputError(f'{where}.least is {given["least"]:g}; must be less than most, {given["most"]:g}')
    return errors
