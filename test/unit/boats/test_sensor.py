"""Sensors of boat files and of config/sensors: presets, units, and what is said of wrong ones."""

import math

import pytest
import yaml
from fuzz import assert_survives
from places import ROOT

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.sensor import (
    ERRORS,
    OWN_NUMBERS,
    QUANTITIES,
    SensorErrors,
    read_sensor,
    sensor_schema_of,
    sensors_from,
)
from usv_energy.files.errors import InputError
from usv_energy.files.locate import names, resolve

PRESETS = names('sensors')


def boat_with(tmp_path, sensors):
    path = tmp_path / 'boat.yaml'
    path.write_text(yaml.safe_dump({'base': 'otter', 'name': 'mine', 'sensors': sensors}), encoding='utf-8')
    return path


@pytest.mark.parametrize('name', PRESETS)
def test_a_preset_is_named_as_its_file_and_every_number_has_its_source(name):
    assert read_sensor(name).name == name
    document = yaml.safe_load(resolve('sensors', name).read_text(encoding='utf-8'))

    def numbers(node, path=''):
        for key, value in node.items():
            if isinstance(value, dict) and 'value' not in value and key != 'sources':
                yield from numbers(value, f'{path}{key}.')
            elif isinstance(value, (dict, int, float)) and key != 'sources':
                yield f'{path}{key}', value

    found = list(numbers(document))
    assert found
    assert [path for path, value in found if not isinstance(value, dict) or not value.get('source')] == []


def test_the_kinds_that_are_asked_for_are_there():
    assert {read_sensor(name).kind for name in PRESETS} == {
        'gnss', 'imu', 'magnetometer', 'dvl', 'range', 'pressure', 'anemometer', 'power'}


def test_numbers_of_angles_are_radians():
    imu = read_sensor('bno055')
    assert imu.errors['gyro'].noise == pytest.approx(math.radians(0.1))
    assert imu.errors['gyro'].slow_time == 100.0
    assert read_sensor('lis3mdl').number('horizontal') == pytest.approx(17.5e-6)
    assert read_sensor('ping_sonar').number('field_of_view') == pytest.approx(math.radians(25.0))
    assert math.isnan(read_sensor('ublox_m8').number('nothing'))


def test_a_boat_lays_its_own_numbers_over_a_preset(tmp_path):
    boat = read_boat(str(boat_with(tmp_path, [
        {'name': 'gps', 'preset': 'ublox_m8', 'rate': 5, 'x': 0.4, 'z': 0.8, 'position': {'noise': 0.2}},
        {'name': 'compass', 'kind': 'imu', 'rate': 10, 'heading': {'noise': {'value': 1.0, 'unit': 'deg'}}}])))
    gps, compass = boat.sensors
    preset = read_sensor('ublox_m8')
    assert (gps.name, gps.rate, gps.place, gps.delay) == ('gps', 5.0, (0.4, 0.0, 0.8), preset.delay)
    assert gps.errors['position'] == preset.errors['position']._replace(noise=0.2)
    assert gps.errors['velocity'] == preset.errors['velocity']
    assert compass.errors == {'heading': SensorErrors(noise=math.radians(1.0))}
    assert read_boat('otter').sensors == ()


def test_a_quantity_is_taken_away_by_null(tmp_path):
    boat = read_boat(str(boat_with(tmp_path, [{'name': 'gps', 'preset': 'ublox_m8', 'velocity': None}])))
    assert set(boat.sensors[0].errors) == {'position', 'height'}


def test_a_preset_may_lie_beside_the_boat(tmp_path):
    (tmp_path / 'mine.yaml').write_text('name: mine\nkind: power\nrate: 2\ncurrent: {noise: 0.1}\n', encoding='utf-8')
    sensors = sensors_from([{'name': 'amps', 'preset': 'mine.yaml'}], tmp_path / 'boat.yaml')
    assert (sensors[0].name, sensors[0].kind, sensors[0].rate) == ('amps', 'power', 2.0)


def test_the_variance_is_the_sum_of_what_does_not_grow():
    errors = SensorErrors(noise=3.0, slow_noise=4.0, slow_time=1.0, bias_std=12.0, bias=84.0, walk=9.0, scale_std=9.0)
    assert errors.variance == pytest.approx(85.0 ** 2)
    assert SensorErrors(resolution=0.6).variance == pytest.approx(0.03)


@pytest.mark.parametrize(('entry', 'words'), [
    ({'name': 'gps', 'preset': 'ublox_m9'}, r"sensors\.0\.preset: .*no sensor named 'ublox_m9'.*ublox_m8"),
    ({'name': 'gps', 'kind': 'gps'}, r"sensors\.0: kind is 'gps'.*must be one of gnss, imu"),
    ({'name': 'gps', 'kind': 'gnss', 'position': {}}, r"sensors\.0: the file lacks the key 'rate'"),
    ({'name': 'gps', 'preset': 'ublox_m8', 'rate': 0}, r'sensors\.0: rate is 0; must be greater than 0'),
    ({'name': 'gps', 'preset': 'ublox_m8', 'position': {'noise': -1}}, r'position\.noise is -1; must be at least 0'),
    ({'name': 'gps', 'preset': 'ublox_m8', 'gyro': {}}, r"unknown key 'gyro'"),
    ({'name': 'gps', 'preset': 'ublox_m8', 'delay': {'value': 1, 'unit': 'ms'}}, r"given in 's'"),
    ({'name': 'gps', 'kind': 'gnss', 'rate': 1}, r'measures nothing; must have at least one of position, height'),
    ({'name': 'gps', 'kind': 'gnss', 'rate': 1, 'position': {'slow_noise': 1}}, r'must be given together'),
    ({'name': 'gps', 'kind': 'gnss', 'rate': 1, 'position': {'least': 1, 'most': 0}}, r'must be less than most, 0'),
    ({'name': 'gps', 'kind': 'gnss', 'rate': 1, 'position': {'least': 1, 'most': 1}}, r'must be less than most, 1'),
    ({'name': 'gps', 'preset': 'ublox_m8', 'drop_interval': 9}, r'there is no drop_duration'),
    ({'name': 'gps', 'preset': 'ublox_m8', 'velocity_of': 'water'}, r"unknown key 'velocity_of'"),
    ({'name': 'sonar', 'kind': 'range', 'rate': 1, 'distance': {}}, r"lacks the key 'water_depth'"),
    ({'name': 'gps'}, r'sensors\.0'),
    ('gps', r'sensors\.0 is .*must be a mapping'),
])
def test_what_is_wrong_with_a_sensor_is_said(tmp_path, entry, words):
    with pytest.raises(InputError, match=words) as caught:
        read_boat(str(boat_with(tmp_path, [entry])))
    assert 'boat.yaml' in str(caught.value)


def test_a_name_stands_once(tmp_path):
    twice = [{'name': 'gps', 'preset': 'ublox_m8'}] * 2
    with pytest.raises(InputError, match='each name must stand once'):
        read_boat(str(boat_with(tmp_path, twice)))


def test_a_power_sensor_needs_a_battery(tmp_path):
    path = tmp_path / 'boat.yaml'
    path.write_text(yaml.safe_dump({'base': 'blueboat_start', 'sensors': [{'name': 'amps', 'preset': 'power_module'}]}),
                    encoding='utf-8')
    with pytest.raises(InputError, match=r'sensors\.0.*amps.*needs a battery'):
        read_boat(str(path))


def test_what_needs_no_battery_goes_without_and_gaps_are_in_seconds(tmp_path):
    path = tmp_path / 'boat.yaml'
    gps = {'name': 'gps', 'preset': 'ublox_m8', 'drop_interval': 90, 'drop_duration': 7}
    path.write_text(yaml.safe_dump({'base': 'blueboat_start', 'sensors': [gps]}), encoding='utf-8')
    sensor = read_boat(str(path)).sensors[0]
    assert (sensor.drop_interval, sensor.drop_duration) == (90.0, 7.0)


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


def test_presets(tmp_path, fuzz_seeds):
    assert_survives(lambda path: read_sensor(str(path)), sorted((ROOT / 'config/sensors').glob('*.yaml')), tmp_path,
                    fuzz_seeds)


def test_boats_with_sensors(tmp_path, fuzz_seeds):
    path = tmp_path / 'boat.yaml'
    path.write_text(yaml.safe_dump({'base': 'otter', 'name': 'mine', 'sensors': [
        {'name': 'gps', 'preset': 'ublox_m8', 'x': 0.3, 'velocity': None},
        {'name': 'imu', 'preset': 'bno055', 'gyro': {'noise': {'value': 0.2, 'unit': 'deg/s'}}},
        {'name': 'dvl', 'kind': 'dvl', 'rate': 4, 'water_depth': 5, 'velocity': {'noise': 0.01, 'least': -2, 'most': 2},
         'drop_interval': 9, 'drop_duration': 2}]}), encoding='utf-8')
    (tmp_path / 'mutated').mkdir()
    assert_survives(lambda one: read_boat(str(one)), [path], tmp_path / 'mutated', fuzz_seeds)
