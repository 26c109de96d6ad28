"""`usv-energy route` as a person runs it: the river's bank, land that closes the way, and each wrong word by name."""

import json

import pytest
from command_line import assert_refused

from usv_energy.cli.main import main
from usv_energy.show.text_table import interval

NEEDS = ('numba', 'shapely')
WAY = ('--from', '0', '0', '--to', '100', '0', '--boat', 'lutra_prop', '--hotel', '6')


def told(capsys, *arguments):
    status = main(['route', *map(str, arguments)])
    out, err = capsys.readouterr()
    return status, out, err


def wall(folder, geometry):
    path = folder / 'land.geojson'
    path.write_text(json.dumps({'type': 'Feature', 'properties': {}, 'geometry': geometry}))
    return path


def box(west, south, east, north):
    ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
    return {'type': 'Polygon', 'coordinates': [ring]}


def same_of_mission(capsys, figures, text, plan, *terms):
    """Hold verdict, reason, energy, interval, time and charge of a route to those of its plan; return the latter."""
    main(['mission', *map(str, (plan, *terms)), '--json', '-'])
    out, said = capsys.readouterr()
    found = json.loads(out)
    assert figures['verdict'] == found['verdict']
    verdict = next(line for line in said.splitlines() if line.startswith(('GO: ', 'UNSURE: ', 'NO GO: ')))
    assert f"{verdict.partition(': ')[0]}: {figures['reason']}" == verdict and verdict in text
    keys = {'energy_j', 'energy_low_j', 'energy_high_j', 'time_s', 'state_of_charge_at_end'} & found.keys()
    assert {key: found[key] for key in keys} == pytest.approx({key: figures[key] for key in keys}, rel=1e-5)
    assert found['time_s'] == pytest.approx(figures['arrive_s'] - figures['depart_s'])
    assert [leg['energy_j'] for leg in found['legs']] == pytest.approx(
        [leg['energy_j'] for leg in figures['legs']], rel=1e-4)
    return found


def test_a_route_and_the_mission_of_its_plan_are_one_answer(capsys, tmp_path):
    """The BlueBoat's battery here is large enough, and too small at the upper end of the interval."""
    terms = ('--boat', 'blueboat', '--battery', '24Wh', '--current', '0.2,30', '--wind', '4,90')
    status, out, err = told(capsys, '--degrees', '--from', 45.6, 9.55, '--to', 45.61, 9.56, *terms, '--json', '-',
                            '--out', tmp_path / 'r.plan', tmp_path / 'r.html')
    found = same_of_mission(capsys, json.loads(out), err, tmp_path / 'r.plan', *terms)
    assert status == 0 and found['verdict'] == 'unsure'
    ends = [found[f'energy_{end}_j'] / 3600.0 for end in ('low', 'high')]
    assert f'[{interval(ends)} Wh]' in err
    page = (tmp_path / 'r.html').read_text()
    assert '>UNSURE<' in page and json.loads(out)['reason'][1:] in page


def test_the_legs_of_the_least_time_are_few_and_can_be_gone(capsys, tmp_path):
    status, out, err = told(capsys, '--from', 220, 95, '--to', 100, 95, '--boat', 'lutra_prop', '--current', 'river',
                            '--clearance', 3, '--least', 'time', '--json', '-', '--out', tmp_path / 'r.yaml')
    figures = json.loads(out)
    assert status == 0 and figures['verdict'] == 'go' and len(figures['legs']) < 20
    found = same_of_mission(capsys, figures, err, tmp_path / 'r.yaml', '--boat', 'lutra_prop', '--current', 'river')
    assert found['time_s'] < 1.03 * figures['route_time_s']


def test_up_the_river_the_route_takes_the_bank(capsys, tmp_path):
    """The water stands at the banks of the shipped river, 30 m off its middle, and runs at 0.6 m/s between them."""
    status, out, err = told(capsys, '--from', 220, 95, '--to', 100, 95, '--boat', 'lutra_prop', '--hotel', 6,
                            '--current', 'river', '--clearance', 3, '--json', '-', '--out', tmp_path / 'r.html',
                            '--out', tmp_path / 'r.yaml', '--out', tmp_path / 'r.png')
    figures = json.loads(out)
    assert status == 0
    way = {choice['way']: choice for choice in figures['choices']}
    assert way['cheapest']['energy_j'] < 0.8 * way['straight']['energy_j']
    assert way['fastest']['time_s'] < way['cheapest']['time_s']
    off = [abs(y - 95.0) for y in figures['route']['y_m']]
    assert 22.0 < max(off) <= 27.001    # The banks end the flow, and 3 m are kept off them.
    assert figures['legs'][-1]['arrival_s'] == pytest.approx(figures['arrive_s'])
    assert 'The ways side by side' in err
    assert min(leg['length_m'] for leg in figures['legs']) >= 3.0 * 1.06
    same_of_mission(capsys, figures, err, tmp_path / 'r.yaml', '--boat', 'lutra_prop', '--hotel', 6, '--current',
                    'river')
    assert (tmp_path / 'r.html').stat().st_size > 10_000
    assert (tmp_path / 'r.png').read_bytes().startswith(b'\x89PNG') and (tmp_path / 'r.png').stat().st_size > 10_000
    assert 'waypoints:' in (tmp_path / 'r.yaml').read_text()


@pytest.mark.parametrize('clearance, off', [((), 30.0 - 1.5 * 1.06), (('--clearance', 0), 30.0)])
def test_a_boat_with_a_rudder_keeps_off_the_bank_by_itself(capsys, clearance, off):
    status, out, _ = told(capsys, '--from', 220, 95, '--to', 100, 95, '--boat', 'lutra_rudder_t200', '--hotel', 6,
                          '--current', 'river', *clearance, '--json', '-')
    assert status == 0
    assert max(abs(y - 95.0) for y in json.loads(out)['route']['y_m']) == pytest.approx(off, abs=0.02)


@pytest.mark.parametrize('phase', ['route_through_goals', 'shortest_route'])
def test_departures_that_are_done_outlive_ctrl_c(capsys, monkeypatch, phase):
    from usv_energy.studies.route import plan_route

    def interrupted(*_):
        raise KeyboardInterrupt
    monkeypatch.setattr(plan_route, phase, interrupted)
    status, out, err = told(capsys, *WAY, '--current', '0.2,0', '--depart', '0,20,10', '--json', '-')
    figures = json.loads(out)
    assert status == 130 and figures['broken_off'] and 'other ways were not looked for' in err
    assert len(figures['departures']['energy_j']) == 3 and all(figures['departures']['energy_j'])
    assert [choice['way'] for choice in figures['choices']] == ['cheapest']


def test_a_wall_is_gone_around_at_its_distance(capsys, tmp_path):
    """Around a wall from y = -400 to 30 at x = 50 the shortest way is 2 sqrt(50^2 + 30^2), a little more 2 m off."""
    land = wall(tmp_path, box(49.9, -400.0, 50.1, 30.0))
    status, out, _ = told(capsys, *WAY, '--land', land, '--land-metres', '--clearance', 2, '--json', '-')
    figures = json.loads(out)
    assert status == 0
    assert 2.0 * (50.0 ** 2 + 30.0 ** 2) ** 0.5 < figures['length_m'] < 2.0 * (50.0 ** 2 + 33.0 ** 2) ** 0.5 + 2.0
    straight = next(choice for choice in figures['choices'] if choice['way'] == 'straight')
    assert straight['why_not'] == 'a barrier, too strong a current, or too early'


def test_a_battery_that_does_not_make_it_is_status_3(capsys):
    status, out, _ = told(capsys, *WAY, '--charge', 0.2001)
    assert status == 3
    assert 'NO GO: 19.6 %' in out and '% of the battery left at the end, 20 % to be left' in out


def test_a_way_that_land_closes_is_refused(capsys, tmp_path):
    land = wall(tmp_path, {'type': 'LineString', 'coordinates': box(80, -20, 120, 20)['coordinates'][0]})
    assert_refused(told(capsys, *WAY, '--land', land, '--land-metres'), 'land')


def test_a_cluster_for_one_departure_is_refused(capsys):
    assert_refused(told(capsys, *WAY, '--dask', 'local:2'), '--depart FROM,TO,STEP')


def test_a_current_that_is_too_strong_is_refused(capsys):
    assert_refused(told(capsys, *WAY, '--current', '9,180'), 'current')


@pytest.mark.parametrize(('arguments', 'words'), [
    (('--degrees', '--current', 'river'), ['--degrees', '--origin LATITUDE']),
    (('--degrees', '--origin', '89', '0'), ['latitude 89', 'at the poles there is no east']),
    (('--arrive-by', '0'), ['--arrive-by is 0 s', 'after the last departure']),
    (('--arrive-by', '900', '--least', 'time'), ['--arrive-by goes with --least energy']),
    (('--front', '--speed', '1'), ['--front is over arrival times', 'leave --arrive-by and --speed away']),
    (('--front', '--to', '50', '9'), ['--front goes with one goal']),
    (('--draught', '0.5'), ['--draught is 0.5', '--depth or --bed']),
    (('--depth', 'no.tif'), ['no.tif', '--draught']),
    (('--land', 'no.geojson'), ['no.geojson', 'there is no such file']),
    (('--extent', '10', '0', '0', '10'), ['--extent is', 'rising']),
    (('--out', 'route.txtt'), ['route.txtt', '.html, a page']),
    (('--out', 'route.plan'), ['route.plan', 'give --origin']),
    (('--current', 'no_such_flow'), ['no_such_flow']),
    (('--current', '0.2'), ['--current', '0.2']),
    (('--current', 'river'), ['the start', 'has no water'])])
def test_wrong_words_are_refused_by_name(capsys, tmp_path, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    assert_refused(told(capsys, *WAY, *arguments), *words)


def test_a_front_of_two_points_is_none(capsys):
    with pytest.raises(SystemExit) as caught:
        told(capsys, *WAY, '--front', '2')
    assert caught.value.code == 2
    assert "'2' is no whole number of at least 3" in capsys.readouterr().err


def test_a_goal_on_land_is_refused(capsys, tmp_path):
    land = wall(tmp_path, box(90.0, -5.0, 110.0, 5.0))
    assert_refused(told(capsys, *WAY, '--land', land, '--land-metres'), 'the goal, x = 100 m, y = 0 m, lies on land')


def test_places_in_degrees_need_no_origin_where_all_flows_are_the_same_everywhere(capsys, tmp_path):
    """0.001 degrees of latitude at 45 degrees north are 111.1 m."""
    way = ('--degrees', '--from', 45, 9, '--to', 45.001, 9, '--boat', 'lutra_prop', '--hotel', 6)
    status, out, _ = told(capsys, *way, '--current', '0.4 kn set 180', '--json', '-')
    assert status == 0 and json.loads(out)['length_m'] == pytest.approx(111.1, abs=0.1)
    land = wall(tmp_path, box(8.999, 45.0009, 9.001, 45.0011))
    assert_refused(told(capsys, *way, '--land', land), 'the goal, x = 0 m, y = 111.1',
                   '(45.00100, 9.00000), lies on land')


def test_a_goal_that_is_the_start_is_refused(capsys):
    assert_refused(told(capsys, '--from', 1, 2, '--to', 1, 2, '--boat', 'lutra_prop'), 'two places')
