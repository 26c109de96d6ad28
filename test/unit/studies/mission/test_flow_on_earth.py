"""A flow in degrees under missions, runs and logs in degrees: it stays where its file says that it lies."""

import json
import math
from dataclasses import replace
from datetime import datetime, timezone

import numpy as np
import pytest

from usv_energy import run_scenario
from usv_energy.boats.boat_file import read_boat
from usv_energy.cli.main import main
from usv_energy.earth import LocalPlane, Place
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_argument import flow_of
from usv_energy.flow.flow_file import read_flow
from usv_energy.missions.itinerary import itinerary_of
from usv_energy.missions.mission import Mission, MissionItem
from usv_energy.studies.mission.mission_estimate import legs_estimate
from usv_energy.studies.mission.mission_scenario import mission_scenario
from usv_energy.studies.mission.mission_study import departures_of_mission

NEEDS = ('xarray', 'netCDF4')
BOAT = read_boat('lutra_prop')


@pytest.fixture
def half_ocean(tmp_path):
    """Return a flow file: 0.5 m/s to the north east of 9.5 E, still water west of it; its middle is at 9.5 E, 45 N."""
    import xarray
    longitude, latitude = np.arange(8.0, 11.01, 0.1), np.arange(44.0, 46.01, 0.1)
    north = np.broadcast_to(np.where(longitude > 9.55, 0.5, 0.0), (latitude.size, longitude.size))
    axes = {'latitude': ('latitude', latitude, {'units': 'degrees_north'}),
            'longitude': ('longitude', longitude, {'units': 'degrees_east'})}
    xarray.Dataset({name: (('latitude', 'longitude'), values, {'units': 'm s-1'})
                    for name, values in (('uo', 0.0 * north), ('vo', north))}, axes).to_netcdf(tmp_path / 'f.nc')
    (tmp_path / 'f.yaml').write_text('medium: water\nfile: {path: f.nc}\n')
    return tmp_path / 'f.yaml'


def north_from(longitude):
    """Return the way 1 km to the north from 45 N, at 1 m/s."""
    home = Place(45.0, longitude)
    items = (MissionItem(16, 1, x=45.009, y=longitude),)
    return itinerary_of(Mission('north', items, home=home, speed=1.0))


def energy_of(longitude, current):
    placed = mission_scenario(north_from(longitude), BOAT, current, UniformFlow())
    return float(legs_estimate(placed.scenario).total.sum()), placed


@pytest.mark.parametrize(('longitude', 'current'), [(10.8, UniformFlow(0.0, 0.5)), (8.2, UniformFlow())])
def test_a_mission_meets_the_flow_of_its_own_degrees(half_ocean, longitude, current):
    there, placed = energy_of(longitude, read_flow(half_ocean))
    assert there == pytest.approx(energy_of(longitude, current)[0], rel=1e-6)
    assert placed.scenario.remarks == ()


def test_a_mission_outside_the_grid_is_refused_by_its_degrees(half_ocean):
    with pytest.raises(InputError, match=r'no value at t = 0 s, x = 0\.0 m, y = 0\.0 m \(latitude 45, longitude 30; '
                                         r'the file has 44 to 46 and 8 to 11\)'):
        energy_of(30.0, read_flow(half_ocean))


def test_a_mission_in_metres_has_its_origin_in_the_middle_of_the_file_and_says_so(half_ocean, tmp_path, capsys):
    (tmp_path / 'm.yaml').write_text('base: "1"\ncurrent: {flow: f.yaml}\n')
    assert main(['mission', str(tmp_path / 'm.yaml'), '--boat', 'lutra_prop', '--current', str(half_ocean)]) == 0
    out = ' '.join(capsys.readouterr().out.split())
    assert 'x = y = 0 of the mission is taken to lie at latitude 45.000000, longitude 9.500000' in out


def test_a_run_meets_the_flow_of_its_own_degrees(half_ocean, tmp_path, capsys):
    (tmp_path / 'm.yaml').write_text('base: "1"\norigin: {latitude: 45.0, longitude: 10.8}\ncurrent: {flow: f.yaml}\n')
    (tmp_path / 'same.yaml').write_text('base: "1"\ncurrent: {speed: 0.5, direction_deg: 90.0}\n')
    energies = []
    for name in ('m.yaml', 'same.yaml'):
        main(['run', str(tmp_path / name), '--json', '-', '--no-plots', '--out', str(tmp_path / 'out')])
        energies.append(json.loads(capsys.readouterr().out)[0]['energy_j'])
    assert energies[0] == pytest.approx(energies[1], rel=1e-4)
    folder = next((tmp_path / 'out').glob('m_*'))  # Which says where it is, too.
    main(['analyze', str(folder), '--current', str(half_ocean), '--json', '-'])
    figures = json.loads(capsys.readouterr().out)
    assert figures['energy_j'] == pytest.approx(energies[0], rel=0.02)


def test_a_log_meets_the_flow_of_its_own_degrees(half_ocean, tmp_path, capsys):
    """1 m/s to the north at 10.8 E, and the same in a uniform current; without places in degrees it is said."""
    t = np.arange(0.0, 200.0)
    plane = LocalPlane(Place(45.0, 10.8))
    latitude, longitude = plane.to_geodetic(0.0 * t, t)
    np.savetxt(tmp_path / 'log.csv', np.column_stack([t, longitude, latitude, 0.0 * t, t]), '%.9f', ',',
               header='t,lon,lat,x,y', comments='')
    degrees = 'longitude: {column: lon, unit: deg}, latitude: {column: lat, unit: deg}'
    (tmp_path / 'degrees.yaml').write_text(f'columns: {{time: {{column: t, unit: s}}, {degrees}}}\n')
    metres = 'x: {column: x, unit: m}, y: {column: y, unit: m}'
    (tmp_path / 'metres.yaml').write_text(f'columns: {{time: {{column: t, unit: s}}, {metres}}}\n')
    (tmp_path / 'placed.yaml').write_text(
        f'origin: [10.8, 45.0]\ncolumns: {{time: {{column: t, unit: s}}, {metres}}}\n')
    totals, places = {}, {}
    for name, current in (('degrees', str(half_ocean)), ('placed', str(half_ocean)), ('metres', str(half_ocean)),
                          ('still', '0,0'), ('astern', '0.5,90')):
        columns = tmp_path / f'{name if name in ("metres", "placed") else "degrees"}.yaml'
        main(['analyze', str(tmp_path / 'log.csv'), '--columns', str(columns), '--boat', 'lutra_prop',
              '--current', current, '--json', '-'])
        figures = json.loads(capsys.readouterr().out)
        totals[name] = figures['energy_j']
        places[name] = [note['text'] for note in figures['notes'] if note['code'] == 'current_place']
    assert totals['degrees'] == pytest.approx(totals['astern'], rel=1e-4)
    assert totals['placed'] == pytest.approx(totals['astern'], rel=1e-4)
    assert totals['metres'] == pytest.approx(totals['still'], rel=1e-4)  # 9.5 E lies just west of the stream.
    assert not places['degrees'] and not places['placed'] and 'the log does not' in places['metres'][0]


@pytest.fixture
def turning_tide(tmp_path):
    """Return a netCDF file: 0.5 m/s to the north from 09:00 to 10:00 UTC, to the south from 11:00 to 12:00."""
    import xarray
    axes = {'time': ('time', np.arange(4.0), {'units': 'hours since 2026-06-01 09:00:00'}),
            'latitude': ('latitude', [44.9, 45.0, 45.1], {'units': 'degrees_north'}),
            'longitude': ('longitude', [10.7, 10.8, 10.9], {'units': 'degrees_east'})}
    north = np.broadcast_to(np.array([0.5, 0.5, -0.5, -0.5])[:, None, None], (4, 3, 3))
    xarray.Dataset({name: (('time', 'latitude', 'longitude'), values, {'units': 'm s-1'})
                    for name, values in (('uo', 0.0 * north), ('vo', north))}, axes).to_netcdf(tmp_path / 'tide.nc')
    (tmp_path / 'm.yaml').write_text('base: "1"\norigin: {latitude: 45.0, longitude: 10.8}\n')
    return tmp_path / 'tide.nc'


@pytest.mark.parametrize(('depart', 'speed'), [('2026-06-01T11:05+02:00', 0.5), ('7200', -0.5)])
def test_a_run_meets_the_flow_of_its_departure(turning_tide, depart, speed):
    scenario = turning_tide.with_name('m.yaml')
    uniform, dated = (run_scenario(scenario, current=current, depart=when).energy.total
                      for current, when in (((0.0, speed), None), (turning_tide, depart)))
    assert dated == pytest.approx(uniform, rel=1e-6)


@pytest.mark.parametrize(('depart', 'says'), [
    (None, r'tide\.nc: holds from 2026-06-01 09:00.*when the boat departs is not said; give depart 2026-06-01T09:00Z'),
    ('2026-06-01T13:00Z', r'depart is 14400 s .*holds from 2026-06-01 09:00'),
    ('2026-06-01T09:00Z,2026-06-01T10:00Z', 'a window; must be one departure of a run')])
def test_a_run_in_a_dated_flow_needs_one_departure_that_it_covers(turning_tide, depart, says):
    with pytest.raises(InputError, match=says):
        run_scenario(turning_tide.with_name('m.yaml'), current=turning_tide, depart=depart)


@pytest.mark.parametrize(('hour', 'begin'), [(10, 3600.0), (13, None)])
def test_a_mission_departs_when_its_schedule_says_where_the_flow_covers_that(turning_tide, hour, begin):
    planned = replace(Mission('north', ()), departure=datetime(2026, 6, 1, hour, tzinfo=timezone.utc))
    said = []
    flows = flow_of(str(turning_tide), '--current', 'water', dated=True), UniformFlow()
    if begin is None:
        with pytest.raises(InputError, match='when the boat departs is not said'):
            departures_of_mission(planned, None, flows, said.append)
    else:
        assert departures_of_mission(planned, None, flows, said.append)[0].seconds == (begin,)
    assert departures_of_mission(planned, '7200', flows, said.append)[0].seconds == (7200.0,)
    assert len(said) == 1 and f'01 {hour}:00 UTC, is {"not " if begin is None else ""}taken' in said[0]


def test_a_mission_within_the_flow_is_answered_where_a_slow_one_would_leave_it(turning_tide, capsys):
    """3153 m in a file of 3 h: at less than 0.292 m/s it ends later, which the table says."""
    plan = turning_tide.with_name('east.gpx')
    plan.write_text('<gpx><rte><rtept lat="45.0" lon="10.8"/><rtept lat="45.0" lon="10.84"/></rte></gpx>')
    given = ['mission', str(plan), '--boat', 'lutra_prop', '--speed', '0.8', '--current', str(turning_tide)]
    assert main([*given, '--depart', '2026-06-01T09:00Z', '--json', '-']) in (0, 3)
    found = json.loads(capsys.readouterr().out)
    assert max(found['speeds_outside_flow_m_s']) < 3153.0 / 10800.0 < min(row['speed_m_s'] for row in found['speeds'])
    main([*given, '--depart', '2026-06-01T09:00Z'])
    marked = [line.split()[0] for line in capsys.readouterr().out.splitlines() if 'leaves the flow file' in line]
    assert [float(speed) for speed in marked] == pytest.approx(found['speeds_outside_flow_m_s'], abs=0.005)
    assert main([*given, '--depart', '2026-06-01T11:30Z']) == 2
    said = 'from 2026-06-01 09:00 UTC to 2026-06-01 12:00 UTC, and the mission is under way at 2026-06-01 12:0'
    assert said in capsys.readouterr().err


def to_the_east(*longitudes):
    """Return a mission of legs to the east at 45 N; meridians far from its first place are turned on its plane."""
    items = tuple(MissionItem(16, number, x=45.0, y=east) for number, east in enumerate(longitudes))
    mission = Mission('m', items, home=Place(45.0, 9.0), speed=1.0)
    return mission_scenario(itinerary_of(mission), BOAT, UniformFlow(), UniformFlow(3.0, -4.0))


def test_legs_that_the_plane_about_the_first_place_bends_are_those_on_the_earth_and_said():
    """A leg of 7.88 km after one of 7.88 km and after one of 788 km, in a wind: the same way, time and energy."""
    near, far = to_the_east(9.1, 9.2), to_the_east(19.0, 19.1)
    assert not near.itinerary.remarks
    assert '7.88 km on 090 deg, on the plane 7' in far.itinerary.remarks[0]
    after_near, after_far = (legs_estimate(one.scenario) for one in (near, far))
    for name in ('length', 'under_way', 'total'):
        assert getattr(after_far, name)[1] == pytest.approx(getattr(after_near, name)[1], rel=1e-3), name
    assert after_far.course[1] == pytest.approx(math.radians(0.05) * math.sqrt(0.5))  # Half of how much it bends.
