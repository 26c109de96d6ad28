"""
The one table of a sensor's numbers: kinds of sensors, what each measures, and the numbers of its errors, with units.

The schema of sensors follows from it (`sensor_schema_of`). Angles are degrees in files and radians in code.
"""

import math
from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import cache, partial
from typing import Any, NamedTuple

from ..files.checked import read_yaml
from ..files.file_number import FileNumber
from ..files.locate import share_folder

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
NEEDED = {'range': ('water_depth',)}  # What a sensor of a kind on a boat cannot do without.

COMMON: Mapping[str, FileNumber] = {
    'rate': FileNumber('Hz', {**ABOVE, 'maximum': 1000}, 'readings a second'),
    'delay': FileNumber('s', {**AT_LEAST, 'maximum': 60}, 'from the measurement to its message'),
    'x': FileNumber('m', {}, "place, ahead of the boat's point"),
    'y': FileNumber('m', {}, "place, to port of the boat's point"),
    'z': FileNumber('m', {}, "place, above the boat's point"),
    'drop_share': FileNumber('-', {**AT_LEAST, 'exclusiveMaximum': 1}, 'of single readings that are lost'),
    'drop_interval': FileNumber('s', ABOVE, 'mean time between drop-outs'),
    'drop_duration': FileNumber('s', ABOVE, 'mean duration of a drop-out')}

# Of the error of a quantity: limits, unit as a function of the quantity's, and meaning.
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
    """Return the schema that says nothing but what kinds there are."""
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
    """Return a function that gives the JSON schema of a kind of sensors: the same one each time."""
    return _SCHEMAS[kind]
