"""`usv-energy range` as a person runs it."""

import json
import math

import pytest

from usv_energy.cli.main import main

BOAT = """
base: lutra_prop
name: banded
static_load: 6.0
damping: {linear: {d11: 0.0}, quadratic: {d11: 11.3}}
windage: {frontal_area: 0.0, lateral_area: 0.0}
"""


@pytest.fixture
def boat(tmp_path):
    path = tmp_path / 'boat.yaml'
    path.write_text(BOAT)
    return str(path)


def told(capsys, *arguments):
    status = main(['range', *arguments, '--json', '-'])
    out, err = capsys.readouterr()
    return status, json.loads(out), err


def test_figures_are_the_closed_form_and_the_band_holds_them(capsys, boat, tmp_path):
    status, study, err = told(capsys, '--boat', boat, '--std', 'static_load=10%', '--out', str(tmp_path / 'r.png'))
    best = study['best']
    assert status == 0
    speed = (6.0 / (2.0 * 11.3)) ** (1.0 / 3.0)
    assert best['speed_m_s'] == pytest.approx(speed, rel=1e-5)
    assert best['range_m'] == pytest.approx(148.0 * 3600.0 * speed / 9.0, rel=1e-6)
    assert best['endurance_h'] == pytest.approx(148.0 / 9.0, rel=1e-4)
    # u ~ P0^(1/3), range ~ P0^(-2/3): half of the 95 % interval is 1.96 x 10 % / 3, and twice that.
    assert (best['speed_m_s_high'] - best['speed_m_s_low']) / 2.0 == pytest.approx(speed * 0.196 / 3.0, rel=0.05)
    assert (best['range_m_high'] - best['range_m_low']) / 2.0 == pytest.approx(
        best['range_m'] * 0.196 * 2.0 / 3.0, rel=0.05)
    assert all(row['range_m_low'] <= row['range_m'] <= row['range_m_high'] for row in study['curve'])
    assert len(study['polar']) == 36
    assert (tmp_path / 'r.png').read_bytes().startswith(b'\x89PNG')
    assert 'Best speed for range: 0.643 m/s (1.25 kn) over ground' in err


def test_a_speed_that_is_asked_for_has_its_figures_along_the_course(capsys, boat):
    """The drag is 11.3 N at 1 m/s and goes as its square; 0.2 m/s of following current leave 0.8 m/s of it."""
    _, study, err = told(capsys, '--boat', boat, '--current', '0.2,0', '--speed', '1')
    found = study['along_course_at_speed']
    assert found['speed_through_water_m_s'] == pytest.approx(0.8, rel=1e-6)
    assert found['power_w'] == pytest.approx(6.0 + 11.3 * 0.8 ** 3, rel=1e-6)
    assert found['range_m'] == pytest.approx(148.0 * 3600.0 / found['power_w'], rel=1e-6)
    assert f"At 1.00 m/s (1.9 kn) over ground: {found['power_w']:.2f} W" in err
    assert 'At 9.00 m/s (17.5 kn) over ground: the boat cannot hold that along this course' in told(
        capsys, '--boat', boat, '--speed', '9')[2]


def test_no_band_where_the_weaker_boats_cannot_go(capsys):
    """At the top speed half of the drawn boats are too slow; a band of the others alone would not hold the boat."""
    _, study, err = told(capsys, '--boat', 'lutra_prop', '--std', 'damping.linear.d11=5%')
    last = study['curve'][-1]
    assert last['range_m'] > 0.0
    assert last['range_m_low'] is None and last['range_m_high'] is None
    assert 'nan' not in err


def test_reserve_and_state_of_charge_scale_the_range(capsys, boat):
    whole, half = (told(capsys, '--boat', boat, '--no-band', *more)[1]['best']['range_m']
                   for more in ([], ['--charge', '0.7', '--reserve', '0.2']))
    assert half == pytest.approx(0.5 * whole)
    given = told(capsys, '--boat', boat, '--battery', '74Wh')[1]['best']['range_m']
    assert given == pytest.approx(half)


def test_a_speed_that_is_asked_for_is_told_by_course(capsys, boat):
    _, study, _ = told(capsys, '--boat', boat, '--no-band', '--speed', '0.8')
    assert len(study['at_speed']) == len(study['polar'])
    for row in study['at_speed']:
        assert row['speed_m_s'] == 0.8
        assert row['energy_per_meter_j_m'] == pytest.approx(6.0 / 0.8 + 11.3 * 0.8**2, rel=1e-6)


def test_no_headway_is_said_and_no_error_of_the_user(capsys):
    status, study, err = told(capsys, '--current', '3,180')
    assert status == 3
    assert (study['best']['kind'], study['best']['speed_m_s'], study['curve']) == ('no_headway', None, [])
    assert 'too strong for its thrusters' in err


def test_without_a_static_load_slower_is_better_and_the_words_say_so(capsys):
    status, study, err = told(capsys)
    assert status == 0
    assert study['best']['kind'] == 'slower_is_better'
    assert study['best']['range_m'] is None
    assert 'without a static load' in err


@pytest.mark.parametrize(('arguments', 'said'), [
    (['--boat', 'nobody'], "no boat named 'nobody'"),
    (['--boat', 'lutra_sail', '--battery', '5Wh'], 'the boat has no thruster, so it has no steady motion under power'),
    (['--current', '1'], '--current is'),
    (['--std', 'damping.linear.d11'], 'must be PARAMETER=VALUE'),
    (['--std', 'damping.d11=1'], "--std: no parameter 'damping.d11' to vary; did you mean"),
    (['--reserve', '1'], 'no energy is left'),
    (['--out', 'nowhere/x.png'], 'there is no folder')])
def test_wrong_input_is_refused(capsys, tmp_path, monkeypatch, arguments, said):
    monkeypatch.chdir(tmp_path)
    assert main(['range', *arguments]) == 2
    assert said in capsys.readouterr().err


def test_a_wind_at_ten_metres_is_less_at_the_boat(capsys):
    """Lutra's windage is at half of 0.15 m: ln(0.075 / 2e-4) / ln(10 / 2e-4) of it."""
    share = math.log(0.075 / 2e-4) / math.log(10.0 / 2e-4)
    options = ('--boat', 'lutra_prop', '--no-band', '--speed', '1', '--wind')
    high, there, unsaid = (
        max(row['range_m'] for row in told(capsys, *options, *wind)[1]['at_speed'] if row['course_deg'] == 0.0)
        for wind in (('6,180', '--wind-height', '10'), (f'{6.0 * share!r},180',), ('6,180',)))
    assert high == pytest.approx(there, rel=1e-9) and high > 1.02 * unsaid


def test_in_a_sea_waves_are_told_as_a_share(capsys, boat, tmp_path):
    """R = 60 N/m^2 (0.3 m)^2 = 5.4 N is added to each metre, and the best speed stays where it was."""
    calm, (status, study, _) = told(capsys, '--boat', boat)[1]['best'], told(
        capsys, '--boat', _in_waves(tmp_path, 'waves: {source: s, directions_deg: [0], periods: [2], '
                                              'coefficients: [[60]]}'), '--sea', '0.3,2.5,180')
    sea, best = study['sea'], study['best']
    assert status == 0 and (sea['added_resistance'], sea['made_for_ships']) == ('boat_file', False)
    assert sea['waves_power_w'] == pytest.approx(5.4 * best['speed_m_s'], rel=1e-6)
    assert sea['waves_share_of_thrust'] == pytest.approx(sea['waves_power_w'] / sea['thrust_power_w'])
    assert best['energy_per_meter_j_m'] == pytest.approx(calm['energy_per_meter_j_m'] + 5.4, rel=1e-6)
    assert sea['calm_range_m'] == pytest.approx(calm['range_m'], rel=1e-9)


def test_an_estimate_for_ships_says_so(capsys, tmp_path):
    path = _in_waves(tmp_path, 'hull: {bow_length: 0.3}')
    assert main(['range', '--boat', path, '--no-band', '--sea', '0.1,2.5,180', '--wave-estimate', 'stawave-1']) == 0
    out = capsys.readouterr().out
    assert 'STAWAVE-1' in out and 'made for ships' in out
    assert told(capsys, '--boat', path, '--sea', '0.1,2.5,180', '--wave-estimate', 'stawave-1')[1]['sea'][
        'made_for_ships'] is True
    for words in (['--sea', '0.1,2.5,180'], ['--wave-estimate', 'stawave-1']):
        assert main(['range', '--boat', path, *words]) == 2


def _in_waves(folder, line):
    path = folder / 'in_waves.yaml'
    path.write_text(f'{BOAT}{line}\n')
    return str(path)


def test_a_height_of_no_wind_is_said_to_change_nothing(capsys, boat):
    assert '--wind-height changes nothing' in told(capsys, '--boat', boat, '--wind-height', '10', '--no-band')[2]
    assert '--wind-height' not in told(capsys, '--boat', boat, '--wind-height', '10', '--wind', '3,0', '--no-band')[2]


@pytest.mark.parametrize('more', [(), ('--speed', '0.8')])
def test_nothing_of_the_picture_is_cut_off_at_its_edges(capsys, tmp_path, more):
    """The legend beside the round plot was: the outermost pixels are white on all sides."""
    image = pytest.importorskip('matplotlib.image')
    told(capsys, '--boat', 'lutra_prop', '--current', '0.3,20', *more, '--out', str(tmp_path / 'r.png'))
    pixels = image.imread(tmp_path / 'r.png')[:, :, :3]
    assert all(edge.min() == 1.0 for edge in (pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]))
