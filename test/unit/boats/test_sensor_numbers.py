"""The table of a sensor's numbers, and the schema that follows from it."""

import pytest

from usv_energy.boats.sensor_numbers import ERRORS, OWN_NUMBERS, QUANTITIES, sensor_schema_of


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
