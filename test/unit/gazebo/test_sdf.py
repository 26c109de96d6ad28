"""XML is written in one way only."""

import math

import pytest
import yaml
from sdf_reading import model_of, numbers, parse

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.sensor import read_sensor
from usv_energy.gazebo.bridge import GZ_TO_ROS, boat_entries, bridged_boat
from usv_energy.gazebo.model import left_out
from usv_energy.gazebo.sdf import Element, add_sensor_systems, document, number, sensor_topic, sensors_left_out, text_of
from usv_energy.sim.sensors.sensor_messages import sensor_topics


def test_numbers_are_written_in_one_way_only():
    assert [number(x) for x in (1.0, -0.0, 0.1 + 0.2, 1e-12, 1 / 3, 11.5, 6.63296e-06)] == [
        '1', '0', '0.3', '1e-12', '0.3333333333', '11.5', '6.63296e-06']
    assert text_of((1.0, -2.5, True)) == '1 -2.5 1' and text_of(True) == 'true'
    for wrong in (math.nan, math.inf):
        with pytest.raises(ValueError, match='has no place in an SDF file'):
            number(wrong)


def test_a_comment_survives_hyphens():
    root = parse('<sdf/>')
    assert parse(document(root, 'a --b ---')).tag == 'sdf'


SENSORS = '''
sensors:
  - {name: gps, preset: ublox_m8, x: 0.3, y: -0.1, z: 0.8}
  - {name: imu, preset: bno055, rate: 50}
  - {name: mag, preset: lis3mdl}
  - {name: dvl, preset: waterlinked_a50, water_depth: 3.5}
'''


@pytest.fixture
def carrier(boat_file):
    return boat_file(SENSORS)


def sensors_of(model):
    return {one.get('name'): one for link in model.findall('link') for one in link.findall('sensor')}


def noise_at(sensor, path):
    """Return the numbers of a noise by their names."""
    noise = sensor.find(f'{path}/noise')
    return {child.tag: float(child.text) for child in noise}


def test_sensors_stand_at_their_places_with_their_rates_and_topics(carrier):
    model = model_of(carrier, 'red')
    found = sensors_of(model)
    assert {name: one.get('type') for name, one in found.items()} == {
        'gps': 'navsat', 'imu': 'imu', 'mag': 'magnetometer'}
    assert numbers(found['gps'], 'pose') == pytest.approx([0.3, -0.1, 0.8, 0.0, 0.0, 0.0])
    assert [float(found[name].findtext('update_rate')) for name in found] == [1.0, 50.0, 20.0]
    assert found['gps'].findtext('gz_frame_id') == 'red/gps'
    assert found['imu'].findtext('imu/enable_orientation') == 'true'
    assert found['imu'].findtext('imu/orientation_reference_frame/localization') == 'ENU'


def test_the_noise_of_positions_is_in_degrees_since_navsat_adds_it_there(carrier):
    """u-blox NEO-M8N, 2.5 m CEP: 2.5 / 1.1774 = 2.12 m; 0.05 m white; a degree of latitude is 111.1 km."""
    gps = sensors_of(model_of(carrier))['gps']
    noise = noise_at(gps, 'navsat/position_sensing/horizontal')
    assert noise['stddev'] * 111_132.0 == pytest.approx(0.05, rel=1e-4)
    assert noise['bias_stddev'] * 111_132.0 == pytest.approx(2.12, rel=1e-4)
    assert 'dynamic_bias_stddev' not in noise, 'NavSat never tells its noise how much time has passed'
    assert noise_at(gps, 'navsat/position_sensing/vertical')['stddev'] == pytest.approx(0.1)
    assert noise_at(gps, 'navsat/velocity_sensing/horizontal')['bias_stddev'] == pytest.approx(0.03)


def simulated(noise, period, number):
    """Return the standard deviation of Gazebo's slow noise after a number of steps: its recursion's variance."""
    tau, sigma = noise['dynamic_bias_correlation_time'], noise['dynamic_bias_stddev']
    kept, added = math.exp(-period / tau), -sigma ** 2 * tau / 2.0 * math.expm1(-2.0 * period / tau)
    variance = noise['bias_stddev'] ** 2
    for _ in range(number):
        variance = kept ** 2 * variance + added
    return math.sqrt(variance)


def test_the_slow_noise_of_a_gyro_has_the_presets_size_from_the_first_reading_on(carrier):
    """By Gazebo's own recursion (gz-sensors, GaussianNoiseModel.cc), which starts from the drawn constant."""
    imu, preset = sensors_of(model_of(carrier))['imu'], read_sensor('bno055')
    for axis in 'xyz':
        noise = noise_at(imu, f'imu/angular_velocity/{axis}')
        assert noise['stddev'] == pytest.approx(math.radians(0.1))
        assert noise['precision'] == pytest.approx(math.radians(0.0625))
        for steps in (0, 10, 20_000):
            assert simulated(noise, 0.02, steps) == pytest.approx(math.radians(0.02), rel=1e-6)
    level = noise_at(imu, 'imu/linear_acceleration/z')
    assert level['bias_stddev'] == pytest.approx(preset.errors['accelerometer'].bias_std)


def test_a_world_has_the_systems_of_its_sensors_its_place_on_earth_and_the_earths_field(carrier):
    world = Element('world')
    add_sensor_systems(world, carrier.sensors, (-51.2, -30.0))
    plugins = {one.get('name').rpartition('::')[2]: one for one in world.findall('plugin')}
    assert set(plugins) == {'NavSat', 'Imu', 'Magnetometer'}
    assert plugins['Imu'].get('filename') == 'gz-sim-imu-system'
    assert plugins['Magnetometer'].findtext('use_units_gauss') == 'false'
    earth = world.find('spherical_coordinates')
    assert (float(earth.findtext('latitude_deg')), float(earth.findtext('longitude_deg'))) == (-30.0, -51.2)
    east, north, up = numbers(world, 'magnetic_field')
    assert math.hypot(east, north) == pytest.approx(17.5e-6) and up == pytest.approx(14e-6)
    assert math.degrees(math.atan2(east, north)) == pytest.approx(-16.0), 'declination'
    bare = Element('world')
    add_sensor_systems(bare, read_boat('lutra_prop').sensors, (0.0, 0.0))
    assert list(bare) == []


def test_topics_and_types_are_those_of_the_embedded_simulator(carrier):
    entries = {entry.ros_topic_name: entry for entry in boat_entries(bridged_boat(carrier, 'red'))}
    model = sensors_of(model_of(carrier, 'red'))
    for sensor in carrier.sensors[:3]:
        topic, kind = next(iter(sensor_topics(sensor).items()))
        entry = entries[f'/red/{topic}']
        assert (entry.ros_type_name, entry.direction, entry.lazy) == (kind, GZ_TO_ROS, True)
        assert entry.gz_topic_name == sensor_topic('red', sensor) == model[sensor.name].findtext('topic')
    assert not any('dvl' in topic for topic in entries)


def test_what_gazebo_leaves_out_of_sensors_is_told(carrier):
    gps, imu, mag, dvl = sensors_left_out(carrier.sensors)
    assert 'delay' in gps and 'slow noise (a constant of its size is drawn)' in gps and 'velocity in NavSatFix' in gps
    assert 'errors of heading and level' in imu and 'slow noise' not in imu and 'limits' in mag
    assert dvl == ('the sensor dvl is left out: no system of Gazebo is a sensor of the kind dvl without rendering')
    assert left_out(carrier)[-4:] == [gps, imu, mag, dvl]
    assert yaml.safe_load(SENSORS)['sensors'][0]['name'] in gps
