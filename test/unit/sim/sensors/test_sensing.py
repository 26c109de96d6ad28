"""Sensors of scenarios and runs: off unless asked for, the same every time, and no part of the motion."""

import numpy as np
import pytest
import yaml

from usv_energy.files.errors import InputError
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario

SENSORS = [{'name': 'gps', 'preset': 'ublox_f9p_rtk'}, {'name': 'imu', 'preset': 'bno055'}]


def scenario(tmp_path, **keys):
    path = tmp_path / 'sensed.yaml'
    path.write_text(yaml.safe_dump({'base': '3', 'sensors': SENSORS, **keys}), encoding='utf-8')
    return read_scenario(str(path))


def test_the_shipped_scenarios_have_no_sensors():
    assert all(read_scenario(name).sensing.on(read_scenario(name).plant) == () for name in '1234567')


def test_sensors_change_nothing_of_the_run_and_read_its_way(tmp_path):
    bare, sensed = run_scenario(read_scenario('3')), run_scenario(scenario(tmp_path))
    assert bare.energy == sensed.energy and not bare.readings
    assert [row[:3] for row in bare.rows] == [row[:3] for row in sensed.rows]
    fixes = [reading for reading in sensed.readings if reading.sensor.name == 'gps']
    assert len(fixes) == int(5 * (sensed.duration - 0.1)) + 1
    columns = np.array([row[:3] for row in sensed.rows])
    east, north = (np.interp([one.taken for one in fixes], columns[:, 0], columns[:, k]) for k in (1, 2))
    error = np.array([one.values['position'] for one in fixes]) - np.array([east, north]).T
    assert np.sqrt((error ** 2).mean()) == pytest.approx(0.0085, rel=0.3)


def test_a_seed_gives_the_same_readings(tmp_path):
    first, again, other = (run_scenario(scenario(tmp_path, sensor_seed=seed)).readings for seed in (1, 1, 2))
    assert first == again
    assert [one.values for one in first] != [one.values for one in other]


def test_a_scenario_may_take_a_boats_sensors_away(tmp_path):
    boat = tmp_path / 'boat.yaml'
    boat.write_text(yaml.safe_dump({'base': 'lutra_prop', 'name': 'mine', 'sensors': SENSORS}), encoding='utf-8')
    path = tmp_path / 'one.yaml'
    for keys, number in (({}, 2), ({'sensors': []}, 0), ({'sensors': SENSORS[:1]}, 1)):
        path.write_text(yaml.safe_dump({'base': '1', 'boat': str(boat), **keys}), encoding='utf-8')
        read = read_scenario(str(path))
        assert len(read.sensing.on(read.plant)) == number


def test_the_origin_of_a_scenario_is_that_of_its_fixes(tmp_path):
    assert scenario(tmp_path, origin={'longitude': -51.0, 'latitude': -30.0}).sensing.origin == (-51.0, -30.0)
    unsaid = scenario(tmp_path).sensing
    assert (unsaid.origin, unsaid.origin_of_fixes) == (None, (0.0, 0.0))


def test_wrong_sensors_are_named(tmp_path):
    with pytest.raises(InputError, match=r'sensed\.yaml: sensors\.0\.preset'):
        scenario(tmp_path, sensors=[{'name': 'gps', 'preset': 'nothing'}])
    with pytest.raises(InputError, match=r'sensors\.0 \(amps\).*needs a battery'):
        scenario(tmp_path, sensors=[{'name': 'amps', 'preset': 'power_module'}], boat='blueboat_start')
