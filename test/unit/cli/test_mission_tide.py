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
