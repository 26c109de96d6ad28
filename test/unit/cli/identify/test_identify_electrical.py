"""`usv-energy identify electrical` as a user meets it."""

import json
from dataclasses import replace

import numpy as np
import pytest
from power_twin import HOTEL, twin, write_commands

from usv_energy.boats.boat_file import read_boat
from usv_energy.cli.main import main


def test_the_command_writes_a_boat_that_runs(tmp_path, rng, capsys):
    for name in ('one', 'other'):
        write_commands(twin(rng, seconds=120), tmp_path / f'{name}.csv')
    boat_file = tmp_path / 'mine.yaml'
    assert main(['identify', 'electrical', str(tmp_path / 'one.csv'), '--columns', str(tmp_path / 'one.yaml'),
                 '--validate', str(tmp_path / 'other.csv'), '--full-command', '300', '--out', str(boat_file),
                 '--report', str(tmp_path / 'report'), '--json', '-']) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary['validation'][0]['r2'] > 0.99 and abs(summary['validation'][0]['energy_relative']) < 0.02
    boat = read_boat(str(boat_file))
    assert boat.vessel.static_load == pytest.approx(HOTEL, abs=1.0)
    losses = boat.vessel.losses
    assert losses.mapped == 1.0 and losses.map_thrust[[0, -1]] == pytest.approx([-11.5, 11.5])
    assert np.interp(11.5, losses.map_thrust, losses.map_power) == pytest.approx(170.0, rel=0.03)
    half = np.interp(11.5 / 4.0, losses.map_thrust, losses.map_power)  # of the command, by its square law
    assert half == pytest.approx(47.5, rel=0.06)
    text = boat_file.read_text()
    assert 'thrust is assumed' in text and 'identification:' in text and 'one.csv' in text
    assert {path.name for path in (tmp_path / 'report').iterdir()} == {'electrical.png', 'electrical.txt'}
    assert main(['run', '1', '--boat', str(boat_file)]) == 0


def test_a_model_that_is_worse_than_the_mean_says_so_first_and_by_its_status(tmp_path, rng, capsys):
    """The other log's meter shows a tenth of the power: R2 far below 0."""
    one = twin(rng, seconds=120)
    write_commands(one, tmp_path / 'one.csv')
    write_commands(replace(one, electrical_power=0.1 * one.electrical_power), tmp_path / 'other.csv')
    command = ['identify', 'electrical', str(tmp_path / 'one.csv'), '--columns', str(tmp_path / 'one.yaml'),
               '--validate', str(tmp_path / 'other.csv')]
    assert main(command) == 3
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith('NOT TO BE USED: the model is worse than the mean of the measured power (other: R2 -')
    assert main([*command, '--json', '-']) == 3
    assert json.loads(capsys.readouterr().out)['worse_than_mean'] == ['other']


def test_wrong_arguments_are_refused(tmp_path, rng, capsys):
    write_commands(twin(rng, seconds=60), tmp_path / 'one.csv')
    log, columns = str(tmp_path / 'one.csv'), ['--columns', str(tmp_path / 'one.yaml')]
    for arguments, says in (([log, log, '--split', *columns], 'of one log'), ([log], 'has no command'),
                            ([log, '--columns', 'blueboat'], 'has no column'),
                            ([log, *columns, '--out', str(tmp_path / 'no' / 'a.yaml')], 'there is no folder')):
        assert main(['identify', 'electrical', *arguments]) == 2
        assert says in capsys.readouterr().err
