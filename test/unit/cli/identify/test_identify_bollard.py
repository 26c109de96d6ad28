"""`usv-energy identify bollard` as a user meets it."""

import json

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.cli.main import main

RNG = np.random.default_rng(11)
PUBLISHED = {1500: 0.0, 1553: 16.46, 1600: 17.93, 1700: 22.54}


def test_noisy_readings_give_the_curve_with_intervals_and_a_boat_file(tmp_path, capsys):
    """[S] table 3 with 0.2 N of noise, three readings each: within 4 standard errors of a mean."""
    rows = [f'{pulse},{pull + RNG.normal(0.0, 0.2)},{9.0 + 8.0 * pull}' for pulse, pull in PUBLISHED.items()
            for _ in range(3)]
    (tmp_path / 'pulls.csv').write_text('\n'.join(['pwm_us,pull_n,power_w', *rows]))
    assert main(['identify', 'bollard', str(tmp_path / 'pulls.csv'), '--boat', 'lutra_prop_usvsim', '--out',
                 str(tmp_path / 'pulls.png'), '--out', str(tmp_path / 'mine.yaml'), '--json', '-']) == 0
    told = capsys.readouterr()
    found = json.loads(told.out)
    assert [level['pwm_us'] for level in found['levels']] == list(PUBLISHED)
    assert [level['pull_n'] for level in found['levels']] == pytest.approx(list(PUBLISHED.values()), abs=0.5)
    assert found['idle_power_w'] == pytest.approx(9.0) and found['levels'][0]['thrust_of_one_n'] == 0.0
    assert 'a straight line there' in told.err and 'without the watts' in told.err
    curve = read_boat(str(tmp_path / 'mine.yaml')).pulse_curves[1]
    assert curve.thrust(1700.0) == pytest.approx(11.668, abs=0.3)
    assert (tmp_path / 'pulls.png').stat().st_size > 20_000


def test_a_boat_of_propellers_says_that_it_keeps_their_watts(tmp_path, capsys):
    (tmp_path / 'pulls.csv').write_text('pwm_us,pull_n,power_w\n1300,-9,110\n1500,0,5\n1700,12,120\n1900,33,480\n')
    assert main(['identify', 'bollard', str(tmp_path / 'pulls.csv'), '--boat', 'blueboat', '--out',
                 str(tmp_path / 'mine.yaml')]) == 0
    assert 'without the watts: its propellers keep their own' in capsys.readouterr().err


def test_what_the_maneuver_writes_is_read(tmp_path, capsys):
    assert main(['maneuver', 'bollard', '--boat', 'lutra_prop_trial', '--pwm', '1500,1553,1700', '--out',
                 str(tmp_path)]) == 0
    assert main(['identify', 'bollard', str(tmp_path), '--boat', 'lutra_prop_trial']) == 0
    told = capsys.readouterr().out
    assert '11.668' in told and 'No pulse was measured twice' in told


def test_a_table_without_its_columns_is_named(tmp_path, capsys):
    (tmp_path / 'pulls.csv').write_text('us,n\n1500,0\n')
    assert main(['identify', 'bollard', str(tmp_path / 'pulls.csv')]) == 2
    assert "has no column 'pwm_us'" in capsys.readouterr().err


def test_without_a_boat_it_says_whose_numbers_the_file_has(tmp_path, capsys):
    rows = [f'{pulse},{pull}' for pulse, pull in PUBLISHED.items()]
    (tmp_path / 'pulls.csv').write_text('\n'.join(['pwm_us,pull_n', *rows]))
    assert main(['identify', 'bollard', str(tmp_path / 'pulls.csv'), '--out', str(tmp_path / 'mine.yaml')]) == 0
    said = capsys.readouterr().err
    assert 'all that was not measured here is that of lutra_prop, ' in said and 'point 15 degrees off' in said
