import math

import pytest

from usv_energy.logs.tables.column_map import UNITS


def test_the_first_unit_of_a_kind_is_the_house_s():
    assert {next(iter(units.values())) for units in UNITS.values()} == {1.0}


def test_every_unit_is_what_its_definition_says():
    """By definitions of the SI brochure and of the pound and the foot (1959), put together here another way."""
    degree, pound_force = math.atan(1.0) / 45.0, 0.45359237 * 9.80665
    wanted = {
        'time': {'s': 1.0, 'ms': 1.0 / 1000.0, 'us': 1.0 / 1e6, 'ns': 1.0 / 1e9, '100ns': 1.0 / 1e7,
                 'min': 60.0, 'h': 60.0 * 60.0,
                 'd': 24.0 * 60.0 * 60.0},
        'length': {'m': 1.0, 'mm': 1.0 / 1000.0, 'cm': 1.0 / 100.0, 'km': 1000.0, 'ft': 12.0 * 0.0254, 'nmi': 1852.0},
        'angle': {'rad': 1.0, 'deg': degree, 'cdeg': degree / 100.0},
        'geographic': {'deg': 1.0, 'rad': 45.0 / math.atan(1.0), 'degE7': 1.0 / 1e7, 'degE6': 1.0 / 1e6},
        'speed': {'m/s': 1.0, 'cm/s': 1.0 / 100.0, 'mm/s': 1.0 / 1000.0, 'km/h': 1000.0 / 3600.0,
                  'knots': 1852.0 / 3600.0, 'kn': 1852.0 / 3600.0, 'mph': 5280.0 * 0.3048 / 3600.0, 'ft/s': 0.3048},
        'rate': {'rad/s': 1.0, 'deg/s': degree, 'deg/min': degree / 60.0, 'rpm': 360.0 * degree / 60.0},
        'acceleration': {'m/s^2': 1.0, 'g': 9.80665, 'mg': 9.80665 / 1000.0},
        'angular acceleration': {'rad/s^2': 1.0, 'deg/s^2': degree},
        'force': {'N': 1.0, 'kN': 1000.0, 'kgf': 9.80665, 'lbf': pound_force},
        'command': {'us': 1.0, 'ms': 1000.0},
        'voltage': {'V': 1.0, 'mV': 1.0 / 1000.0, 'cV': 1.0 / 100.0, 'dV': 1.0 / 10.0},
        'current': {'A': 1.0, 'mA': 1.0 / 1000.0, 'cA': 1.0 / 100.0, 'dA': 1.0 / 10.0},
        'revolutions': {'1/s': 1.0, 'rpm': 1.0 / 60.0, 'rad/s': 1.0 / (8.0 * math.atan(1.0))},
        'power': {'W': 1.0, 'mW': 1.0 / 1000.0, 'kW': 1000.0}, 'quaternion': {'-': 1.0}}
    assert {kind: pytest.approx(units, rel=1e-14) for kind, units in wanted.items()} == UNITS
