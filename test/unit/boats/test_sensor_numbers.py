"""The table of a sensor's numbers, and the schema that follows from it."""

import math

import pytest

from usv_energy.boats.sensor import ERRORS, OWN_NUMBERS, QUANTITIES, sensor_schema_of


@pytest.mark.parametrize('kind', QUANTITIES)
def test_the_schema_has_every_number_with_its_unit(kind):
    properties = sensor_schema_of(kind)()['properties']
    for name, quantity in QUANTITIES[kind].items():
        errors = properties[name]['properties']
        assert set(errors) == set(ERRORS)
        assert errors['noise']['then']['properties']['unit'] == {'const': quantity.unit}
        assert errors['slow_time']['then']['properties']['unit'] == {'const': 's'}
    for name, own in OWN_NUMBERS.get(kind, {}).items():
        assert properties[name]['then']['properties']['unit'] == {'const': own.unit}
    assert ('velocity_of' in properties) == (kind == 'dvl')


def test_a_kind_has_one_schema():
    assert sensor_schema_of('imu') is sensor_schema_of('imu')
    assert sensor_schema_of('imu')() == sensor_schema_of('imu')()


def test_quantities_have_as_many_numbers_as_space_has_axes():
    """Places, velocities and attitudes of three, in parts where they err by parts; the wind on the water of two."""
    number = {(kind, name): quantity.components
              for kind, names in QUANTITIES.items() for name, quantity in names.items()}
    whole = [('gnss', 'velocity'), ('imu', 'gyro'), ('imu', 'accelerometer'), ('magnetometer', 'field'),
             ('dvl', 'velocity')]
    assert [number.pop(one) for one in whole] == [3] * 5
    for two, one in (('gnss', 'position'), ('gnss', 'height')), (('imu', 'roll_pitch'), ('imu', 'heading')):
        assert (number.pop(two), number.pop(one)) == (2, 1)
    assert set(number.values()) == {1} and ('anemometer', 'direction') in number


def test_what_a_sensor_is_by_default_lies_within_its_limits():
    for numbers in OWN_NUMBERS.values():
        for own in numbers.values():
            least, above = own.limits.get('minimum', -math.inf), own.limits.get('exclusiveMinimum', -math.inf)
            assert own.default is None or (own.default >= least and own.default > above), own


def test_units_are_what_si_makes_of_them():
    in_si = {'deg': math.pi / 180.0, 'deg/s': math.pi / 180.0, 'uT': 1e-6}
    for table in (QUANTITIES, OWN_NUMBERS):
        for numbers in table.values():
            for one in numbers.values():
                assert one.si == pytest.approx(in_si.get(one.unit, 1.0), rel=1e-12), one
