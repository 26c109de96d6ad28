"""The verb sweep as a user meets it: figures, files, and what is refused."""

import json

import numpy as np
import pytest
import xarray
import yaml

from usv_energy.cli import main
from usv_energy.sim.scenario import read_scenario

NEEDS = ('xarray', 'netCDF4')


@pytest.fixture
def sweep_file(tmp_path):
    (tmp_path / 'short.yaml').write_text(yaml.safe_dump({'base': '6', 'waypoints': [{'x': 244.5, 'y': 95.0}]}))
    path = tmp_path / 'sweep.yaml'
    path.write_text(yaml.safe_dump({'scenario': 'short.yaml', 'monte_carlo': {'samples': 40, 'seed': 1, 'parameters': {
        'boat.damping.linear.d11': {'distribution': 'normal', 'mean': 16.0, 'std': 2.0, 'min': 10.0},
        'stop.timeout': {'distribution': 'choice', 'values': [1.0, 60.0]}}}}))
    return path


def test_a_sweep_prints_and_writes_what_its_file_holds(sweep_file, tmp_path, capsys):
    out, picture = tmp_path / 'out.nc', tmp_path / 'out.png'
    command = ['sweep', str(sweep_file), '--out', str(out), '--backend', 'numpy', '--json', '-', '--out', str(picture)]
    assert main.main(command) == 0
    told = capsys.readouterr()
    summary = json.loads(told.out)
    with xarray.open_dataset(out) as dataset:
        reached = dataset['outcome'].values == 0
        energy = dataset['energy_total'].values[reached]
    assert summary['outcomes'] == {'reached': int(reached.sum()), 'timed_out': int((~reached).sum()), 'left_flow': 0,
                                   'ran_away': 0, 'battery_empty': 0}
    assert 5 < reached.sum() < 35
    assert summary['spread']['energy_j']['median'] == pytest.approx(float(np.median(energy)))
    assert summary['influence']['inputs'][0]['parameter'] == 'boat.damping.linear.d11'
    assert 'timed_out' in told.err and '40 runs' in told.err
    assert picture.stat().st_size > 10_000
    assert main.main(['sweep', str(sweep_file), '--out', str(out), '--backend', 'numpy']) == 0
    assert 'is whole already' in capsys.readouterr().err


def test_a_sweep_goes_with_another_battery_and_hotel_load(sweep_file, tmp_path, capsys):
    """40 W more for the time of each run, from a counter of 2 Wh that is half full; its chunks are of another sweep."""
    command = ['sweep', str(sweep_file), '--backend', 'numpy', '--json', '-']
    found = []
    for more in ([], ['--hotel', '40', '--battery', '2Wh', '--charge', '50%']):
        assert main.main([*command, '--out', str(tmp_path / f'{len(found)}.nc'), *more]) == 0
        found.append(json.loads(capsys.readouterr().out)['spread'])
    mean, fitted = ({key: values['mean'] for key, values in spread.items()} for spread in found)
    load = read_scenario('6').boat.vessel.static_load
    energy = mean['energy_j'] + (40.0 - load) * mean['duration_s']
    assert fitted['energy_j'] == pytest.approx(energy, rel=1e-6)
    assert fitted['battery_charge_at_end'] == pytest.approx(0.5 - energy / 7200.0, rel=1e-6)
    assert main.main([*command, '--out', str(tmp_path / '1.nc')]) == 2
    sweep_file.write_text(sweep_file.read_text().replace('damping.linear.d11', 'static_load'))
    assert main.main([*command, '--out', str(tmp_path / '2.nc'), '--hotel', '40']) == 2
    assert '--hotel is 40.0, and' in capsys.readouterr().err


def test_a_sweep_of_which_nothing_arrives_is_told_like_any_other(sweep_file, tmp_path, capsys):
    sweep_file.write_text(sweep_file.read_text().replace('60.0', '0.5'))
    out, picture = str(tmp_path / 'out.nc'), tmp_path / 'out.png'
    assert main.main(['sweep', str(sweep_file), '--out', out, '--backend', 'numpy', '--out', str(picture)]) == 0
    assert '40 timed_out (100.0 %)' in capsys.readouterr().out
    assert picture.exists()


@pytest.mark.parametrize(('arguments', 'words'), [
    (['sweep'], 'which sweep?'),
    (['sweep', 'speed_current'], '--out is missing'),
    (['sweep', 'no_such', '--out', 'x.nc'], 'no sweep named'),
    (['sweep', 'speed_current', '--out', 'x.txt'], 'or in .nc or .zarr'),
    (['map', 'energy', '--boat', 'nobody'], 'no boat named'),
    (['map', 'energy', '--speeds', '0,1,2'], '--speeds is'),
    (['map', 'energy', '--out', 'x.csv'], 'or in .nc or .zarr'),
    (['map', 'energy', '--wind-speed=-1'], '--wind-speed has -1'),
    (['map', 'reach', '--from', '0', '0', '--current', '1', 'kn', 'NE'], 'say `from NE` or `to NE`'),
    (['map', 'reach', '--from', '0', '0', '--current', 'gusts'], 'a flow of air'),
    (['map', 'reach', '--from', '0', '0', '--current', 'river'], 'no water or no wind there'),
    (['map', 'front', '--from', '0', '0', '--to', '0', '0'], 'the same place'),
])
def test_wrong_input_ends_with_a_sentence(arguments, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main.main(arguments) == 2
    assert words in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_the_parameters_of_a_scenario_are_listed_with_units(capsys):
    assert main.main(['sweep', '--parameters', '6']) == 0
    lines = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert lines['boat.damping.linear.d11'] == 'N s/m' and lines['current.speed'] == 'm/s'
