import json

import pytest

from usv_energy.cli.main import main

MISSION = """QGC WPL 110
0\t1\t0\t16\t0\t0\t0\t0\t48.0\t-4.0\t0\t1
1\t0\t3\t16\t0\t0\t0\t0\t48.002\t-4.0\t0\t1
2\t0\t3\t20\t0\t0\t0\t0\t0\t0\t0\t1
"""


@pytest.fixture
def plan(tmp_path):
    path = tmp_path / 'm.waypoints'
    path.write_text(MISSION)
    return path


def test_a_file_and_a_boat_give_the_estimate(plan, tmp_path, capsys):
    """48 to 48.002 degrees north on WGS84: 222.381 m of meridian, there and back at 1.5 m/s for 113.9 W."""
    out, page = tmp_path / 'm.png', tmp_path / 'm.html'
    assert main(['mission', str(plan), '--boat', 'blueboat_watts_only', '--speed', '1.5', '--out', str(out), '--json',
                 str(tmp_path / 'm.json'), '--out', str(page)]) == 0
    figures = json.loads((tmp_path / 'm.json').read_text())
    assert figures['energy_j'] == pytest.approx(113.9 * 2.0 * 222.381 / 1.5, rel=1e-5)
    assert [leg['item'] for leg in figures['legs']] == [1, 2] and figures['verdict'] == 'go'
    assert out.read_bytes().startswith(b'\x89PNG') and page.stat().st_size > 10_000, 'both are written'
    assert 'GO: ' in capsys.readouterr().out
    against = ['--boat=blueboat_watts_only', '--speed', '2.7', '--current', '0.5,90']
    assert main(['mission', 'estimate', str(plan), *against]) == 3


def test_a_page_is_written_as_a_file_or_into_a_folder(plan, tmp_path):
    for out, page in (('p.html', 'p.html'), ('there', 'there/mission.html'), ('there', 'there/mission.html')):
        assert main(['mission', str(plan), '--boat', 'blueboat_watts_only', '--speed', '1.5', '--out',
                     str(tmp_path / out)]) == 0
        assert '<title>Mission m</title>' in (tmp_path / page).read_text()


def test_a_page_in_a_sea_says_that_waves_count(plan, tmp_path):
    page, picture = tmp_path / 'm.html', tmp_path / 'm.png'
    sea = ['--boat', 'otter_parts', '--speed', '1.2', '--sea', '0.3 m 2.5 s from SW']
    assert main(['mission', str(plan), *sea, '--out', str(page), str(picture)]) == 0
    text = page.read_text()
    assert 'steady motion in water, air and waves; other ships cost nothing' in text
    assert 'Hs 0.3 m, Tp 2.5 s, from 225 (SW)' in text and 'waves, and other ships' not in text


def test_a_wind_at_a_height_is_said_as_given_and_at_the_boat(plan, capsys):
    """10 kn are 5.14 m/s; what they are at the boat is of the log law, less."""
    assert main(['mission', str(plan), '--boat', 'lutra_prop', '--speed', '0.8', '--wind', '10 kn from N',
                 '--wind-height', '33 ft']) == 0
    said = ' '.join(capsys.readouterr().out.split())
    assert 'the wind of 5.14 m/s (10.0 kn) from 000 (N) at 10.1 m above water is' in said and 'kn) at the boat' in said


def test_a_second_wind_is_refused(plan, capsys):
    with pytest.raises(SystemExit) as ended:
        main(['mission', str(plan), '--boat', 'lutra_prop', '--wind', '3 kn from N', '--wind', '9 kn from S'])
    assert ended.value.code == 2 and 'argument --wind: is given twice' in capsys.readouterr().err


def test_waypoints_whose_order_is_free_are_gone_to_in_the_cheapest(tmp_path, capsys):
    """Three on a meridian, 111 m apart, the farthest first: in a row it is three times 111.19 m, and home."""
    path, out = tmp_path / 'm.waypoints', tmp_path / 'm.json'
    rows = [f'{number}\t0\t3\t16\t0\t0\t0\t0\t{48.0 + 0.001 * place}\t-4.0\t0\t1'
            for number, place in enumerate((3, 1, 2), start=1)]
    path.write_text('\n'.join([*MISSION.splitlines()[:2], *rows]))
    boat = ['--boat', 'blueboat_watts_only', '--speed', '1.5', '--out', str(tmp_path / 'm.html'), '--json', str(out)]
    assert main(['mission', str(path), *boat, '--any-order']) == 0
    figures = json.loads(out.read_text())
    assert [leg['item'] for leg in figures['legs']] == [2, 3, 1] and figures['order']['legs_of_file'] == [2, 3, 1]
    assert figures['length_m'] == pytest.approx(3.0 * 111.19, rel=1e-3)
    assert figures['order']['energy_j'] == pytest.approx(0.5 * figures['order']['as_given_j'], rel=1e-3)
    words = 'Order of the waypoints, as the file numbers its legs: 2, 3, 1 (the best of all orders'
    assert words in ' '.join(capsys.readouterr().out.split()) and words in (tmp_path / 'm.html').read_text()


def test_the_simulator_s_figures_stand_beside(plan, tmp_path):
    assert main(['mission', str(plan), '--boat', 'lutra_prop', '--speed', '0.8', '--simulate', '--json',
                 str(tmp_path / 'm.json')]) == 0
    simulated = json.loads((tmp_path / 'm.json').read_text())['simulated']
    assert simulated['reached'] and abs(simulated['estimate_energy_error']) < 0.03
    assert abs(simulated['estimate_time_error']) < 0.03


def test_a_simulation_that_is_broken_off_leaves_the_estimate(plan, tmp_path, capsys, monkeypatch):
    def broken(*_):
        raise KeyboardInterrupt
    monkeypatch.setattr('usv_energy.studies.mission.mission_study.run_scenario', broken)
    arguments = ['mission', str(plan), '--boat', 'lutra_prop', '--speed', '0.8', '--json']
    assert main([*arguments, str(tmp_path / 'whole.json')]) == 0
    out = tmp_path / 'm.html'
    assert main([*arguments, str(tmp_path / 'broken.json'), '--simulate', '--out', str(out)]) == 130
    assert (tmp_path / 'broken.json').read_text() == (tmp_path / 'whole.json').read_text() and out.exists()
    assert 'Broken off: the simulator had not arrived' in capsys.readouterr().out


def test_a_speed_that_no_leg_takes_is_said(tmp_path, capsys):
    path = tmp_path / 'm.waypoints'
    path.write_text(MISSION.replace('1\t0\t3\t16', '1\t0\t2\t178\t1\t1.5\t-1\t0\t0\t0\t0\t1\n2\t0\t3\t16').replace(
        '2\t0\t3\t20', '3\t0\t3\t20'))
    assert main(['mission', str(path), '--boat', 'blueboat_watts_only', '--speed', '1.0']) == 0
    said = capsys.readouterr()
    assert '--speed changes nothing' in said.err and 'where the mission says none' not in said.out
    assert '1.50' in said.out


def test_a_window_of_departures_takes_the_cheapest_and_the_simulator_goes_from_there(tmp_path):
    """A gust of 4 m/s comes by every minute, 12 s long, ahead of the boat: not every departure meets as much of it."""
    path, out = tmp_path / 'm.yaml', tmp_path / 'm.json'
    path.write_text("""convention: rep103
boat: lutra_prop
start: {x: 100.0, y: 0.0, heading_deg: 180.0}
waypoints: [{x: 92.0, y: -8.0}]
speed: {mode: over_ground, target: 0.5}
controller: {heading: {kp: 20.0, kd: 20.0}, speed: {kp: 20.0, ki: 5.0}}
guidance: {mode: course, lookahead: 3.0}
stop: {radius: 1.0, timeout: 200.0}
simulation: {step: 0.05, period: 0.1}
""")
    assert main(['mission', str(path), '--boat', 'lutra_prop', '--wind', 'gusts', '--depart', '0,55,5', '--simulate',
                 '--json', str(out)]) == 0
    figures = json.loads(out.read_text())
    each = figures['departures']['each']
    assert [one['departure_s'] for one in each] == [5.0 * number for number in range(12)]
    least = min(each, key=lambda one: one['energy_j'])
    assert figures['departures']['best_s'] == figures['departure_s'] == least['departure_s']
    assert figures['energy_j'] == pytest.approx(least['energy_j'], rel=1e-9)
    assert max(one['energy_j'] for one in each) > 1.02 * least['energy_j']
    assert figures['simulated']['reached']


@pytest.mark.parametrize('arguments, words', [
    (['--boat', 'nobody'], "no boat named 'nobody'"), (['--boat', 'lutra_prop', '--current', 'fast'], 'fast'),
    (['--boat', 'blueboat_watts_only', '--simulate'], 'a simulation needs mass'),
    (['--boat', 'lutra_prop', '--depart', '5,3'], 'must end after it begins'),
    (['--boat', 'lutra_prop', '--depart', '0,9999,1'], 'are 10000 departures; must be at most 2000'),
    (['--boat', 'lutra_prop', '--depart', '1,2,3,4'], 'must be S, FROM,TO or FROM,TO,STEP'),
    (['--boat', 'lutra_prop', '--depart=-1'], 'from 0 on'),
    (['--boat', 'lutra_prop', '--depart', 'noon'], 'must be S, FROM,TO'),
    (['--boat', 'blueboat_start', '--charge', '0.5'], 'has no battery'),
    (['--boat', 'blueboat_watts_only', '--out', 'm.pdf'], '--out m.pdf: must end in .html, a page, or .png'),
    (['--boat', 'blueboat_watts_only', '--out', '/nowhere/m.html'], 'there is no folder /nowhere'),
    (['--boat', 'lutra_sail'], 'the boat has no thruster'),
    (['--boat', 'lutra_prop', '--reserve', '2'], '--reserve')])
def test_what_is_wrong_is_said(plan, arguments, words, capsys):
    try:
        status = main(['mission', str(plan), *arguments])
    except SystemExit as exit_:
        status = exit_.code
    assert status == 2
    assert words in capsys.readouterr().err


def test_cells_have_a_temperature_around_them_and_a_counter_none(plan, tmp_path, capsys):
    cells = tmp_path / 'cells.yaml'
    cells.write_text('base: blueboat_watts_only\nbattery: {chemistry: nmc, series: 4, capacity_wh: null}\n')
    told = tmp_path / 'm.json'
    for degc in ('0', '25'):
        assert main(['mission', str(plan), '--boat', str(cells), '--speed', '1', f'--ambient={degc}', '--json',
                     str(told)]) == 0
        figures = json.loads(told.read_text())
        assert figures['battery']['kind'] == 'cells'
        assert figures['battery']['ambient_degc'] == pytest.approx(float(degc))
        assert float(degc) < figures['legs'][-1]['cell_temperature_degc'] < float(degc) + 1.0
    for words, said in ((['blueboat_watts_only', '--ambient', '5'], 'watt-hours alone'),
                        ([str(cells), '--ambient', '90'], 'from -60 to 80 degC')):
        capsys.readouterr()
        try:
            code = main(['mission', str(plan), '--speed', '1', '--boat', *words])
        except SystemExit as ended:
            code = ended.code
        assert code == 2 and said in capsys.readouterr().err


def test_in_a_sea_waves_are_a_cause_of_the_mission(plan, tmp_path, capsys):
    """60 N/m^2 (0.3 m)^2 against 222.381 m to the north, a third of it given back on the way south: 3.6 N of it."""
    boat = tmp_path / 'boat.yaml'
    boat.write_text('base: lutra_prop\nname: b\nwaves: {source: s, directions_deg: [0, 180], periods: [2], '
                    'coefficients: [[60], [-20]]}\n')
    words = ['mission', str(plan), '--boat', str(boat), '--speed', '1.0', '--sea', '0.3,2,270']
    assert main([*words, '--json', str(tmp_path / 'm.json')]) == 0
    figures = json.loads((tmp_path / 'm.json').read_text())
    assert figures['energy_by_cause_j']['waves'] == pytest.approx(3.6 * 222.381, rel=1e-4)
    assert figures['sea'] == {'significant_height_m': 0.3, 'peak_period_s': 2.0, 'towards_deg': pytest.approx(270.0),
                              'from_compass_deg': 0.0,
                              'added_resistance': 'boat_file', 'made_for_ships': False}
    assert main([*words, '--simulate']) == 2
    assert '--simulate does not go with --sea' in capsys.readouterr().err


@pytest.mark.parametrize(('west', 'legs'), [(-4.0005, [2, 3]), (-3.9995, [])])
def test_legs_over_land_are_named_and_the_coast_is_drawn(tmp_path, capsys, west, legs):
    """North along 4 W, east and back; an island of 37 m from 4.0005 W on lies on two of the three legs."""
    pytest.importorskip('shapely')
    path, coast, out = tmp_path / 'm.waypoints', tmp_path / 'coast.geojson', tmp_path / 'm.json'
    rows = [f'{number}\t0\t3\t16\t0\t0\t0\t0\t{north}\t{east}\t0\t1' for number, (north, east) in enumerate(
        ((48.0, -4.002), (48.002, -4.002), (48.002, -4.0002), (48.0, -4.0002)), start=1)]
    path.write_text('\n'.join([*MISSION.splitlines()[:2], *rows]))
    ring = [[west, 48.0018], [west + 0.0005, 48.0018], [west + 0.0005, 48.0022], [west, 48.0022], [west, 48.0018]]
    coast.write_text(json.dumps({'type': 'Polygon', 'coordinates': [ring]}))
    arguments = ['mission', str(path), '--boat', 'blueboat_watts_only', '--speed', '1.5', '--land', str(coast)]
    for page in ('m.html', 'm.png'):
        assert main([*arguments, '--out', str(tmp_path / page), '--json', str(out)]) == 0
        figures = json.loads(out.read_text())
        assert figures['legs_on_land'] == [leg + 1 for leg in legs]
        assert ('touch the land' in capsys.readouterr().out) == bool(legs)
    assert ('touch the land' in (tmp_path / 'm.html').read_text()) == bool(legs)
    assert 'fill: #d8cbb0' in (tmp_path / 'm.html').read_text().lower()
