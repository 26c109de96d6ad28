"""`usv-energy identify electrical` on logs with revolutions, as a user meets it."""

import json

import numpy as np
import pytest
from rotor_twin import FOLDER_MAP, TRUTH, write_folder

from usv_energy.boats.boat_file import read_boat


@pytest.fixture(scope='module')
def folders(tmp_path_factory):
    place = tmp_path_factory.mktemp('runs')
    (place / 'map.yaml').write_text(FOLDER_MAP)
    for number, name in enumerate(('one', 'two', 'three')):
        write_folder(place / name, np.random.default_rng(number), seconds=180)
    return place


def test_logs_are_predicted_without_themselves(cli, folders, tmp_path):
    status, out, err = cli('identify', 'electrical', folders / 'one', folders / 'two', '--columns',
                           folders / 'map.yaml', '--validate', folders / 'three', '--leave-one-out', '--json', '-',
                           '--report', tmp_path / 'r')
    assert status == 0, err
    found = json.loads(out)
    assert found['fitted_to'] == 'revolutions' and found['logs'] == ['one', 'two']
    assert [one['log'] for one in found['leave_one_out']] == ['one', 'two']
    assert [one['log'] for one in found['validation']] == ['three']
    for one in (*found['leave_one_out'], *found['validation']):
        assert abs(one['energy_relative']) < 0.06 and one['r2'] > 0.85
        assert {meter['meter'] for meter in one['meters']} == {'bow', 'stern'}
    ahead = found['numbers']['ahead']
    assert ahead['low'] < ahead['value'] < ahead['high'] and ahead['unit'] == 'W s^3'
    assert ahead['value'] == pytest.approx(TRUTH.ahead, rel=0.06)
    assert {path.name for path in (tmp_path / 'r').iterdir()} == {'electrical.png', 'electrical.txt', 'electrical.csv'}
    table = np.genfromtxt(tmp_path / 'r' / 'electrical.csv', delimiter=',', names=True, dtype=None, encoding='utf-8')
    other = table[table['log'] == 'three']
    error = other['predicted_w'] - other['measured_w']
    r2 = 1.0 - np.sum(error**2) / np.sum((other['measured_w'] - other['measured_w'].mean())**2)
    assert r2 == pytest.approx(found['validation'][0]['r2'], abs=1e-5)
    assert other['span_s'] @ error / (other['span_s'] @ other['measured_w']) == pytest.approx(
        found['validation'][0]['energy_relative'], abs=1e-3)
    report = (tmp_path / 'r' / 'electrical.txt').read_text()
    assert 'each log predicted by a fit to the others:' in report and 'lost the leading zeros' in report


def test_a_boat_file_is_written_on_a_boat_that_says_its_thrust_over_revolutions(cli, folders, tmp_path):
    status, _, err = cli('identify', 'electrical', folders / 'one', '--columns', folders / 'map.yaml', '--boat',
                         'milliampere', '--out', tmp_path / 'mine.yaml')
    assert status == 0 and 'boat file: ' in err, err
    boat = read_boat(str(tmp_path / 'mine.yaml'))
    assert boat.vessel.static_load == pytest.approx(4 * TRUTH.standby, abs=8.0)
    assert len(boat.propellers) == 4 and all(one.turning is not None for one in boat.propellers)


def test_what_revolutions_cannot_give_is_refused(cli, folders, tmp_path):
    run = ('identify', 'electrical', folders / 'one', '--columns', folders / 'map.yaml')
    for options, says in ((('--out', tmp_path / 'a.yaml'), 'thrusters.0.propeller has no rates'),
                          (('--split',), '--split is not of revolutions'),
                          (('--leave-one-out',), '--leave-one-out needs two logs'),
                          (('--use', 'command'), 'has no electrical_power')):
        status, _, err = cli(*run, *options)
        assert status == 2 and says in err


def test_without_a_map_a_folder_of_tables_is_no_bag(cli, folders):
    status, _, err = cli('identify', 'electrical', folders / 'one')
    assert status == 2 and 'one' in err
