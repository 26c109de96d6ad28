import yaml
from fuzz import assert_survives
from places import ROOT

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.sensor import read_sensor


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
