"""The verb map as a user meets it: figures, files, and what is refused."""

import json
import math

import pytest
import xarray

from usv_energy.cli import main

NEEDS = ('xarray', 'netCDF4')


def test_water_and_air_at_rest_are_told_once_whatever_their_directions(tmp_path):
    path = tmp_path / 'best.json'
    command = ['map', 'best', '--courses', '4', '--speeds', '0.4:1.2:3', '--current-speed', '0,0.3',
               '--current-direction', '0,90', '--wind-speed', '0', '--json', str(path)]
    assert main.main(command) == 0
    rows = json.loads(path.read_text())['conditions']
    assert [(row['current_speed_m_s'], row['current_direction_deg']) for row in rows] == [(0, 0), (0.3, 0), (0.3, 90)]
    command[9] = 'set 045,set SE'
    assert main.main(command) == 0
    rows = json.loads(path.read_text())['conditions']
    assert [row['current_direction_deg'] for row in rows[1:]] == pytest.approx([45.0, -45.0])
    assert main.main([*command[:6], '--current', '0.3 m/s set 000', '--wind', '4 m/s from W', *command[-2:]]) == 0
    (row,) = json.loads(path.read_text())['conditions']
    assert [row[f'{name}_{part}'] for name in ('current', 'wind') for part in ('speed_m_s', 'direction_deg')] == (
        pytest.approx([0.3, 90.0, 4.0, 0.0])), 'one current and one wind as people say them'


def test_an_energy_map_is_written_drawn_and_told(tmp_path, capsys):
    out = tmp_path / 'map.nc'
    command = ['map', 'energy', '--courses', '8', '--speeds', '0.4:1.2:3', '--current-speed', '0,0.3',
               '--current-direction', '0', '--wind-speed', '0', '--wind-direction', '0', '--out', str(out),
               '--json', '-', '--out', str(tmp_path / 'map.png')]
    assert main.main(command) == 0
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
    load = ['--hotel', '5', '--json', '-']
    assert main.main(['map', 'best', '--courses', '4', '--current-speed', '0', '--wind-speed', '0', *load]) == 0
    best = json.loads(capsys.readouterr().out)['conditions'][0]
    cost = best['energy_per_meter_j_m'][0]
    assert best['best_speed_m_s'][0] == pytest.approx(math.sqrt(5.0 / 16.296), rel=5e-3), 'still air is slight'
    assert main.main(['map', 'reach', '--from', '0', '0', '--battery', '2Wh', '--points', '41', *load,
                     '--out', str(tmp_path / 'r.nc'), '--out', str(tmp_path / 'r.png')]) == 0
    reach = json.loads(capsys.readouterr().out)
    assert reach['distance_m'][0] == pytest.approx(7200.0 / cost, rel=1e-3)
    assert reach['area_uniform_m2'] == pytest.approx(math.pi * (7200.0 / cost) ** 2, rel=2e-3)
    assert main.main(['map', 'front', '--from', '0', '0', '--to', '50', '0', '--points', '11', *load,
                     '--out', str(tmp_path / 'f.nc'), '--out', str(tmp_path / 'f.png')]) == 0
    front = json.loads(capsys.readouterr().out)
    assert front['ways'][-1]['energy_j'] == pytest.approx(50.0 * cost, rel=1e-3)
    assert all((tmp_path / name).stat().st_size > 5000 for name in ('r.nc', 'r.png', 'f.nc', 'f.png'))


def test_a_file_of_data_is_looked_at_at_a_moment(tmp_path, capsys):
    """A current that all the water has, 0.2 m/s at 07:00: the reach lies around its drift, whatever the metres."""
    pytest.importorskip('netCDF4')
    from netcdf_files import dataset, written
    data = dataset()
    data['uo'][:] = 0.2 * data['time'].values[:, None, None]
    data['vo'][:] = 0.0
    path = str(written(tmp_path, data))
    reach = ['map', 'reach', '--from', '0', '0', '--battery', '2Wh', '--points', '13', '--hotel', '5', '--json', '-']
    found = []
    for flow in (['--current', path, '--time', '2024-05-01T09:00+02:00'], ['--current', '0.2 m/s to E']):
        assert main.main([*reach, *flow]) == 0
        found.append(json.loads(capsys.readouterr().out)['area_m2'])
    assert found[0] == pytest.approx(found[1], rel=1e-3)
    for more, words in (([], 'give --time 2024-05-01T06:00Z, say'), (['--time', '2024-05-02T06:00Z'], 'holds from'),
                        (['--time', '0,3600'], 'must be one time')):
        assert main.main([*reach, '--current', path, *more]) == 2
        assert words in capsys.readouterr().err


def test_winds_of_a_map_may_hold_at_a_height(tmp_path):
    path = tmp_path / 'best.json'
    command = ['map', 'best', '--courses', '4', '--speeds', '0.4:1.2:3', '--current-speed', '0',
               '--wind-direction', '0', '--wind-speed', '4', '--wind-height', '10', '--json', str(path)]
    assert main.main(command) == 0
    share = math.log(0.075 / 2e-4) / math.log(10.0 / 2e-4)
    row, = json.loads(path.read_text())['conditions']
    assert row['wind_speed_m_s'] == pytest.approx(4.0 * share)


def test_a_polar_diagram_is_written_drawn_and_told(tmp_path, capsys):
    out = tmp_path / 'polar.nc'
    command = ['map', 'polar', '--boat', 'lutra_sail', '--wind-speed', '2,3', '--angles', '0,30,60,90,180', '--out',
               str(out), '--out', str(tmp_path / 'polar.png'), '--json', '-']
    assert main.main(command) == 0
    figures = json.loads(capsys.readouterr().out)
    two, three = figures['conditions']
    assert two['speed_m_s'][0] == 0.0 and two['speed_m_s'][3] == pytest.approx(0.756, rel=0.07)
    assert three['speed_m_s'] == pytest.approx([1.5 * speed for speed in two['speed_m_s']])
    with xarray.open_dataset(out) as dataset:
        assert dataset['speed'].sel(wind_speed=3.0, wind_angle=90.0) == pytest.approx(three['speed_m_s'][3])
        assert 'foils' in dataset.attrs['boat_yaml']
    assert (tmp_path / 'polar.png').stat().st_size > 5000


def test_a_polar_diagram_of_a_wind_at_a_height_and_of_no_wind(tmp_path):
    path = tmp_path / 'polar.json'
    command = ['map', 'polar', '--boat', 'lutra_sail', '--wind-speed', '4', '--angles', '90', '--wind-height', '10']
    assert main.main([*command, '--json', str(path)]) == 0
    row, = json.loads(path.read_text())['conditions']
    assert 2.0 < row['wind_speed_m_s'] < 3.2
    assert main.main(['map', 'polar', '--wind-speed', '0']) == 2
