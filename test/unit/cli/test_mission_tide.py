"""When to leave, from a plan and a dated tide: departures as moments, the five questions of an operator."""

import json

import numpy as np
import pytest
from netcdf_files import TIME, X, Y, written

from usv_energy.cli.main import main

NEEDS = ('xarray', 'netCDF4')
PLAN = """QGC WPL 110
0\t1\t0\t16\t0\t0\t0\t0\t48.3\t-4.5\t0\t1
1\t0\t3\t16\t0\t0\t0\t0\t48.318\t-4.5\t0\t1
"""


@pytest.fixture
def tide(tmp_path):
    """Return the flow file of a tide from 06:00 UTC on 1 May 2024: 0.6 m/s cos(2 pi t / 12 h) to the north."""
    import xarray
    hours, longitude, latitude = np.arange(0.0, 13.0, 0.5), np.linspace(-4.6, -4.4, 3), np.linspace(48.2, 48.4, 3)
    north = np.broadcast_to(0.6 * np.cos(2.0 * np.pi * hours / 12.0)[:, None, None], (hours.size, 3, 3))
    data = xarray.Dataset(
        {name: (('time', 'lat', 'lon'), values, {'units': 'm s-1'})
         for name, values in (('uo', 0.0 * north), ('vo', north))},
        coords={'time': ('time', hours, TIME), 'lat': ('lat', latitude, Y), 'lon': ('lon', longitude, X)})
    written(tmp_path, data, 'tide.nc')
    path = tmp_path / 'tide.yaml'
    path.write_text('medium: water\nfile: {path: tide.nc}\ntime: {mode: hold}\n')
    return path


def test_the_departure_of_least_energy_is_a_moment_of_the_tides_dates(tide, tmp_path, capsys):
    """2 km to the north at 1.5 m/s take 22 min: best about the strongest stream north, at 06:00 UTC or 18:00."""
    plan = tmp_path / 'm.waypoints'
    plan.write_text(PLAN)
    out = tmp_path / 'm.json'
    status = main(['mission', str(plan), '--boat', 'blueboat_watts_only', '--speed', '1.5', '--current', str(tide),
                   '--depart', '2024-05-01T08:00+02:00,2024-05-01T18:00+02:00,1h', '--json', str(out)])
    figures, text = json.loads(out.read_text()), capsys.readouterr().out
    assert status == 0 and figures['verdict'] == 'go'
    each = figures['departures']['each']
    assert [one['departure_s'] for one in each] == [3600.0 * hour for hour in range(11)]
    assert figures['departures']['best_s'] == 0.0 and figures['departs'] == '2024-05-01T08:00:00+02:00'
    dearest = max(each, key=lambda one: one['energy_j'])
    assert dearest['departure_s'] in (5 * 3600.0, 6 * 3600.0), 'against the stream, strongest 6 h later'
    assert 'departs 2024-05-01 08:00 +02:00, arrives 2024-05-01 08:22 +02:00' in text
    rows = [line for line in text.splitlines() if line.strip().startswith('2024-05-01')]
    assert len(rows) == 11 and rows[0].endswith('best') and rows[10].split()[1:3] == ['18:00', '+02:00']


def test_departures_that_are_done_outlive_ctrl_c(tide, tmp_path, capsys, monkeypatch):
    from usv_energy.studies.mission import mission_study
    plan, out = tmp_path / 'm.waypoints', tmp_path / 'm.json'
    plan.write_text(PLAN)

    def interrupted(cases, *_):
        if cases == []:
            return cases
        raise KeyboardInterrupt
    monkeypatch.setattr(mission_study, 'mission_bands', interrupted)
    assert main(['mission', str(plan), '--boat', 'blueboat_watts_only', '--speed', '1.5', '--current', str(tide),
                 '--depart', '2024-05-01T06:00Z,2024-05-01T16:00Z,1h', '--json', str(out)]) == 130
    departures, said = json.loads(out.read_text())['departures'], capsys.readouterr().out
    assert departures['broken_off'] and len(departures['each']) == 11 and departures['best_s'] == 0.0
    assert 'Broken off: no intervals and no other speeds' in said


def test_degrees_that_are_taken_for_metres_are_asked_about(tide, tmp_path, capsys):
    """As metres 9 mm; 0.018 degrees of latitude at 48.3 degrees north are 2002 m."""
    way = ['route', '--from', '48.3', '-4.5', '--to', '48.318', '-4.5', '--boat', 'lutra_prop', '--current', str(tide)]
    assert main(way) == 2
    said = capsys.readouterr().err
    assert 'read as metres a way of 0.018 m, read as LATITUDE LONGITUDE one of 2002 m' in said and '--degrees' in said


def test_a_moment_before_the_tides_file_is_refused(tide, tmp_path, capsys):
    plan = tmp_path / 'm.waypoints'
    plan.write_text(PLAN)
    assert main(['mission', str(plan), '--boat', 'blueboat_watts_only', '--current', str(tide), '--depart',
                 '2024-05-01T05:00Z']) == 2
    assert 'the flows begin at 2024-05-01 06:00 UTC, after that' in capsys.readouterr().err


def test_what_fits_is_written_as_a_plan_that_is_go(tmp_path, capsys):
    """2 km at 1.5 m/s take 42.2 Wh, and home as much: of 148 Wh, 80 % to be used, one leg of three fits."""
    rows = [f'{number}\t0\t3\t16\t0\t0\t0\t0\t{48.3 + 0.018 * number:.3f}\t-4.5\t0\t1' for number in (1, 2, 3)]
    plan, day = tmp_path / 'm.waypoints', tmp_path / 'day.waypoints'
    plan.write_text('\n'.join([*PLAN.splitlines()[:2], *rows, '']))
    boat = ['--boat', 'blueboat_watts_only', '--speed', '1.5', '--battery', '148Wh']
    assert main(['mission', str(plan), *boat, '--write-fitting', str(day)]) == 3
    said = capsys.readouterr()
    assert 'Turn back at the latest' in said.out and '--battery 148Wh: 148 Wh, a counter' in said.err
    assert main(['mission', str(day), *boat, '--json', '-']) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures['verdict'] == 'go' and len(figures['legs']) == 2 and figures['way_home_from_end'] is None


def energy_in(plan, current, capsys, *more):
    status = main(['mission', str(plan), '--boat', 'blueboat_watts_only', '--speed', '1.5', '--current', str(current),
                   '--json', '-', *more])
    figures = json.loads(capsys.readouterr().out)
    assert status == 0
    return figures['energy_j']


def sheared(tmp_path):
    """Return the file of the tide on a grid of 11 x 11 nodes, twice as strong in the north as in the south."""
    import xarray
    with xarray.open_dataset(tmp_path / 'tide.nc', decode_times=False) as tide:
        fine = tide.interp(lat=np.linspace(48.2, 48.4, 11), lon=np.linspace(-4.6, -4.4, 11))
        for name in ('uo', 'vo'):
            fine[name] = (fine[name] * (1.0 + (fine.lat - 48.2) / 0.2)).transpose('time', 'lat', 'lon')
            fine[name].attrs = {'units': 'm s-1'}
        return written(tmp_path, fine.load(), 'sheared.nc')


def on_a_mesh(path, faces):
    """Return the file of a tide on a grid as one on triangles, UGRID, with values at the nodes or in the faces."""
    import xarray
    with xarray.open_dataset(path, decode_times=False) as grid:
        x, y = (part.ravel() for part in np.meshgrid(grid.lon.values, grid.lat.values))
        wide = grid.lon.size
        first = (np.arange(grid.lat.size - 1)[:, None] * wide + np.arange(wide - 1)).ravel()
        corners = np.concatenate([np.column_stack((first, first + 1, first + wide)),
                                  np.column_stack((first + 1, first + wide + 1, first + wide))])
        place = 'face' if faces else 'node'
        values = {name: grid[name].values.reshape(grid.time.size, -1) for name in ('uo', 'vo')}
        topology = {'cf_role': 'mesh_topology', 'topology_dimension': 2, 'face_node_connectivity': 'corners',
                    'node_coordinates': 'x y'}
        data = xarray.Dataset({
            'mesh': ((), 0, topology), 'corners': (('face', 'three'), corners),
            'x': ('node', x, X), 'y': ('node', y, Y),
            **{name: (('time', place), value[:, corners].mean(axis=2) if faces else value,
                      {'units': 'm s-1', 'mesh': 'mesh', 'location': place}) for name, value in values.items()}},
            {'time': ('time', grid.time.values, TIME)})
    return written(path.parent, data, f'{place}.nc')


def test_data_given_itself_costs_what_its_flow_file_does_and_on_triangles_the_same(tide, tmp_path, capsys):
    plan = tmp_path / 'm.waypoints'
    plan.write_text(PLAN)
    when = '--depart', '2024-05-01T09:30Z'
    wanted = energy_in(plan, tide, capsys, *when)
    assert energy_in(plan, tmp_path / 'tide.nc', capsys, *when) == pytest.approx(wanted, rel=1e-9)
    assert energy_in(plan, tmp_path / 'tide.nc', capsys, '--depart', '2024-05-01T07:30Z') < 0.9 * wanted
    varied = energy_in(plan, sheared(tmp_path), capsys, *when)
    assert abs(varied - wanted) > 0.03 * wanted
    for faces in (False, True):
        mesh = on_a_mesh(tmp_path / 'sheared.nc', faces)
        assert energy_in(plan, mesh, capsys, *when) == pytest.approx(varied, rel=0.01)


def test_of_data_given_itself_it_must_be_said_when_it_begins(tide, tmp_path, capsys):
    plan = tmp_path / 'm.waypoints'
    plan.write_text(PLAN)
    mission = ['mission', str(plan), '--boat', 'blueboat_watts_only', '--current', str(tmp_path / 'tide.nc')]
    assert main(mission) == 2
    assert 'tide.nc: holds from 2024-05-01 06:00 UTC to 2024-05-01 18:30 UTC' in (said := capsys.readouterr().err)
    assert 'give --depart 2024-05-01T06:00Z' in said
    assert main([*mission, '--depart', '2024-05-01T19:00Z']) == 2
    assert 'tide.nc holds from 2024-05-01 06:00 UTC to' in capsys.readouterr().err
