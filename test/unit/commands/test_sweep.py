"""The verbs sweep and map as a user meets them: figures, files, and what is refused."""

import json
import math

import numpy as np
import pytest
import yaml

from usv_energy import cli
from usv_energy.sweep.sweep_summary import influences

xarray = pytest.importorskip('xarray')
pytest.importorskip('netCDF4')


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
    command = ['sweep', str(sweep_file), '--out', str(out), '--backend', 'numpy', '--json', '-', '--plot', str(picture)]
    assert cli.main(command) == 0
    told = capsys.readouterr()
    summary = json.loads(told.out)
    with xarray.open_dataset(out) as dataset:
        reached = dataset['outcome'].values == 0
        energy = dataset['energy_total'].values[reached]
    assert summary['outcomes'] == {'reached': int(reached.sum()), 'timed_out': int((~reached).sum()), 'left_flow': 0,
                                   'ran_away': 0}
    assert 5 < reached.sum() < 35
    assert summary['spread']['energy_j']['median'] == pytest.approx(float(np.median(energy)))
    assert summary['influence']['inputs'][0]['parameter'] == 'boat.damping.linear.d11'
    assert 'timed_out' in told.err and '40 runs' in told.err
    assert picture.stat().st_size > 10_000
    assert cli.main(['sweep', str(sweep_file), '--out', str(out), '--backend', 'numpy']) == 0
    assert 'is whole already' in capsys.readouterr().err


def test_a_sweep_of_which_nothing_arrives_is_told_like_any_other(sweep_file, tmp_path, capsys):
    sweep_file.write_text(sweep_file.read_text().replace('60.0', '0.5'))
    out, picture = str(tmp_path / 'out.nc'), tmp_path / 'out.png'
    assert cli.main(['sweep', str(sweep_file), '--out', out, '--backend', 'numpy', '--plot', str(picture)]) == 0
    assert '40 timed_out (100.0 %)' in capsys.readouterr().out
    assert picture.exists()


@pytest.mark.parametrize(('arguments', 'words'), [
    (['sweep'], 'which sweep?'),
    (['sweep', 'speed_current'], '--out is missing'),
    (['sweep', 'no_such', '--out', 'x.nc'], 'no sweep named'),
    (['sweep', 'speed_current', '--out', 'x.txt'], 'must end in .nc'),
    (['map', 'energy', '--boat', 'nobody'], 'no boat named'),
    (['map', 'energy', '--speeds', '0,1,2'], '--speeds is'),
    (['map', 'energy', '--out', 'x.csv'], 'must end in .nc'),
    (['map', 'energy', '--wind-speed=-1'], '--wind-speed has -1'),
    (['map', 'reach', '--from', '0', '0', '--current', '1', '0', '--current-flow', 'river'], 'both given'),
    (['map', 'reach', '--from', '0', '0', '--current-flow', 'gusts'], 'a flow of air'),
    (['map', 'reach', '--from', '0', '0', '--current-flow', 'river'], 'no water or no wind there'),
    (['map', 'front', '--from', '0', '0', '--to', '0', '0'], 'the same place'),
])
def test_wrong_input_ends_with_a_sentence(arguments, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(arguments) == 2
    assert words in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_the_parameters_of_a_scenario_are_listed_with_units(capsys):
    assert cli.main(['sweep', '--parameters', '6']) == 0
    lines = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert lines['boat.damping.linear.d11'] == 'N s/m' and lines['current.speed'] == 'm/s'


def test_water_and_air_at_rest_are_told_once_whatever_their_directions(tmp_path):
    path = tmp_path / 'best.json'
    command = ['map', 'best', '--courses', '4', '--speeds', '0.4:1.2:3', '--current-speed', '0,0.3',
               '--current-direction', '0,90', '--wind-speed', '0', '--json', str(path)]
    assert cli.main(command) == 0
    rows = json.loads(path.read_text())['conditions']
    assert [(row['current_speed_m_s'], row['current_direction_deg']) for row in rows] == [(0, 0), (0.3, 0), (0.3, 90)]


def test_an_energy_map_is_written_drawn_and_told(tmp_path, capsys):
    out = tmp_path / 'map.nc'
    command = ['map', 'energy', '--courses', '8', '--speeds', '0.4:1.2:3', '--current-speed', '0,0.3',
               '--current-direction', '0', '--wind-speed', '0', '--wind-direction', '0', '--out', str(out),
               '--json', '-', '--plot', str(tmp_path / 'map.png')]
    assert cli.main(command) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures['points'] == 48
    with xarray.open_dataset(out) as dataset:
        assert dataset['energy_per_meter'].dims == ('course', 'speed', 'current', 'wind')
        assert dataset['energy_per_meter'].attrs['units'] == 'J m-1'
        assert dataset['current_speed'].values.tolist() == [0.0, 0.3]
        least = float(dataset['energy_per_meter'].isel(current=0).min())
        assert 'd11' in dataset.attrs['boat_yaml']
    # Still air has its drag, too: 0.0322 V^2 N for 0.08 m^2 and c_x 0.68.
    assert least == pytest.approx(0.4 * 16.296 + 0.5 * 1.184 * 0.08 * 0.68 * 0.16, rel=1e-9)
    assert figures['conditions'][0]['least_j_m'] == pytest.approx(least)


def test_best_reach_and_front_tell_the_same_figures_as_json(tmp_path, capsys):
    load = ['--static-load', '5', '--json', '-']
    assert cli.main(['map', 'best', '--courses', '4', '--current-speed', '0', '--wind-speed', '0', *load]) == 0
    best = json.loads(capsys.readouterr().out)['conditions'][0]
    cost = best['energy_per_meter_j_m'][0]
    assert best['best_speed_m_s'][0] == pytest.approx(math.sqrt(5.0 / 16.296), rel=5e-3), 'still air is slight'
    assert cli.main(['map', 'reach', '--from', '0', '0', '--energy-wh', '2', '--points', '41', *load,
                     '--out', str(tmp_path / 'r.nc'), '--plot', str(tmp_path / 'r.png')]) == 0
    reach = json.loads(capsys.readouterr().out)
    assert reach['distance_m'][0] == pytest.approx(7200.0 / cost, rel=1e-3)
    assert reach['area_uniform_m2'] == pytest.approx(math.pi * (7200.0 / cost) ** 2, rel=2e-3)
    assert cli.main(['map', 'front', '--from', '0', '0', '--to', '50', '0', '--points', '11', *load,
                     '--out', str(tmp_path / 'f.nc'), '--plot', str(tmp_path / 'f.png')]) == 0
    front = json.loads(capsys.readouterr().out)
    assert front['ways'][-1]['energy_j'] == pytest.approx(50.0 * cost, rel=1e-3)
    assert all((tmp_path / name).stat().st_size > 5000 for name in ('r.nc', 'r.png', 'f.nc', 'f.png'))


def test_what_explains_the_variance_is_found_in_a_known_sum(rng):
    """y = 2 a + b of even a and b: shares 4/5 and 1/5 of the variance; c has none; ranks lose a little."""
    a, b, c = rng.uniform(-1.0, 1.0, (3, 20000))
    found, explained = influences({'c': c, 'b': b, 'a': a}, 2.0 * a + b)
    shares = {one.parameter: one.share for one in found}
    assert [one.parameter for one in found] == ['a', 'b', 'c']
    assert shares['a'] == pytest.approx(0.8, abs=0.02)
    assert shares['b'] == pytest.approx(0.2, abs=0.03)
    assert abs(shares['c']) < 1e-3
    assert explained == pytest.approx(sum(shares.values())) and 0.97 < explained < 1.0
    assert influences({'a': a}, np.cos(9.0 * a))[1] < 0.1, 'what is not monotone is not explained'
