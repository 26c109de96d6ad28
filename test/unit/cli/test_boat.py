"""`usv-energy boat check` and `boat make` as a person runs them."""

import json
import re
from types import SimpleNamespace

import pytest
from command_line import assert_refused

BOAT = """
base: lutra_prop
name: mine
static_load: {value: 5.0, unit: W, std: 0.5, source: measured}
losses: {efficiency: null, map: [[-11.5, 90], [0, 0], [11.5, 60]]}
windage: {frontal_area: 0.0, lateral_area: 0.0}
"""


def numbers_in(text):
    return [float(number) for number in re.findall(r'(?<![\w.])-?\d+\.\d+', text)]


def test_the_text_says_what_the_json_says(cli, yaml_file):
    """Each number of the text is a figure of the JSON, rounded as the text rounds it."""
    status, out, err = cli('boat', 'check', yaml_file(BOAT, 'mine.yaml'), '--json', '-')
    assert status == 0
    figures = json.loads(out)
    d11 = 16.296
    assert figures['top_speed_ahead_m_s'] == pytest.approx(22.2163 / d11, rel=1e-5)
    facts = dict(re.match(r'(\S.*?)  +(.*)', line).groups() for line in err.splitlines()[2:7])
    assert numbers_in(facts['Top speed']) == [round(figures[f'top_speed_{way}_m_s'], 3) for way in ('ahead', 'astern')]
    assert numbers_in(facts['Bollard pull']) == [
        shown for way, sign in (('ahead', 1.0), ('astern', -1.0))
        for shown in (round(sign * figures[f'bollard_{way}']['thrust_n'], 2),
                      round(figures[f'bollard_{way}']['power_w'], 1))]
    best = figures['cheapest_speed']
    assert numbers_in(facts['Cheapest speed'])[:3] == [
        round(best['speed_m_s'], 3), round(best['power_w'], 2), round(best['range_m'] / 1e3, 2)]
    for name, key in (('Coasting', 'coasting'), ('Stopping', 'full_astern')):
        stop = figures[key]
        assert numbers_in(facts[name]) == [round(stop['from_m_s'], 3), round(stop['to_m_s'], 3),
                                           round(stop['time_s'], 2), round(stop['way_m'], 2)]
    lines = err.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith('speed, m/s'))
    for line, row in zip(lines[first + 1:], figures['over_speed']):
        assert numbers_in(line) == [round(row['speed_m_s'], 3), *(
            round(row[key], 2) for key in ('drag_n', 'available_thrust_n', 'power_w'))]
    circles = {f'{row["share"]:.2f}': row for row in figures['turning_circle']['circles']}
    head = next(number for number, line in enumerate(lines) if line.startswith('share'))
    for line in lines[head + 1:head + 5]:
        row = circles[line.split()[0]]
        assert numbers_in(line)[1:] == [round(row['speed_m_s'], 3), round(row['radius_m'], 2),
                                        round(row['rate_deg_s'], 2), round(row['drift_deg'], 1)]
    said = ' '.join(err.split())
    assert all(f'{remark["key"]}: {" ".join(remark["text"].split())}' in said for remark in figures['remarks'])


def test_a_battery_a_charge_and_a_hotel_load_of_the_day(cli):
    """Half of 4S18Ah (266.4 Wh) at the power of the cheapest speed, which has the hotel load in it."""
    best = {}
    for hotel in ('5', '25'):
        status, out, err = cli('boat', 'check', 'lutra_prop', '--battery', '4S18Ah', '--charge', '50%', '--hotel',
                               hotel, '--json', '-')
        assert status == 0 and '--battery 4S18Ah: 266.4 Wh' in err
        best[hotel] = json.loads(out)['cheapest_speed']
    for one in best.values():
        hours = one['range_m'] / one['speed_m_s'] / 3600.0
        assert hours * one['power_w'] == pytest.approx(133.2, rel=0.01)
    assert best['25']['power_w'] > best['5']['power_w'] + 15.0
    assert_refused(cli('boat', 'check', 'lutra_prop', '--charge', '200%'), 'from 0 to 100')


def test_the_picture_is_drawn_into_a_folder_that_is_made(cli, tmp_path):
    status, _, err = cli('boat', 'check', 'lutra_prop', '--out', tmp_path / 'new' / 'check')
    assert status == 0 and str(tmp_path / 'new' / 'check' / 'boat.png') in err
    assert (tmp_path / 'new' / 'check' / 'boat.png').read_bytes().startswith(b'\x89PNG')


def test_a_boat_that_goes_nowhere_is_told_of(cli, yaml_file):
    """That is no fault of the input, but what the check is for."""
    lame = 'base: lutra_prop\nname: lame\nthrusters: [{name: a, x: 0, y: 0.2, min_thrust: 0, max_thrust: 9}]'
    status, out, _ = cli('boat', 'check', yaml_file(lame, 'lame.yaml'))
    assert status == 0
    assert 'none: its thrusters hold no straight course in still water' in out
    assert 'nothing to steer with: scenarios refuse the boat' in out
    assert 'nan' not in out


@pytest.mark.parametrize(('arguments', 'words'), [
    (['check', 'nobody'], "no boat named 'nobody'"), (['check', 'none/such.yaml'], 'there is no such file')])
def test_wrong_boats_are_refused(cli, arguments, words):
    assert_refused(cli('boat', *arguments), words)


@pytest.mark.parametrize(('arguments', 'words'), [
    ([], 'the following arguments are required: COMMAND'), (['chekc'], "invalid choice: 'chekc'"),
    (['check'], 'the following arguments are required: BOAT'),
    (['check', 'lutra_prop', '--payload', '-1'], 'is not at least 0'),
    (['check', 'lutra_prop', '--speed', '1'], 'unrecognized arguments: --speed 1')])
def test_wrong_arguments_end_with_status_2(capsys, arguments, words):
    from usv_energy.cli.main import main
    with pytest.raises(SystemExit) as caught:
        main(['boat', *arguments])
    assert caught.value.code == 2
    assert words in capsys.readouterr().err


def test_a_faulty_file_is_refused_by_name(cli, yaml_file):
    path = yaml_file('base: lutra_prop\nfoils: [{name: r, x: 0, y: 0, area: 0, density: 997, lift: 1.5}]', 'bad.yaml')
    assert_refused(cli('boat', 'check', path), f'{path}: foils.0.area is 0; must be greater than 0')


def test_a_folder_that_cannot_be_written_is_refused_first(cli, tmp_path):
    (tmp_path / 'file').write_text('')
    assert_refused(cli('boat', 'check', 'lutra_prop', '--out', tmp_path / 'file'), 'file: is a file; must be a folder')


MADE = ['make', '--kind', 'catamaran', '--length', '1.195', '--width', '0.93', '--mass', '18.2', '--top-speed', '3',
        '--model', 'm200_weedless', '--voltage', '14.8', '--battery', '4S 18Ah']


def test_a_boat_is_made_of_options_and_checked(cli, tmp_path):
    status, out, _ = cli('boat', *MADE, '--hotel', '5', '--out', tmp_path / 'mine.yaml', '--json', '-')
    figures = json.loads(out)
    assert status == 0 and figures['boat'] == 'mine'
    assert {row['how'] for row in figures['numbers']} == {'measured', 'derived', 'guessed'}
    checked = json.loads(cli('boat', 'check', tmp_path / 'mine.yaml', '--json', '-')[1])
    assert checked['top_speed_ahead_m_s'] == pytest.approx(3.0, rel=0.05)
    assert 'damping.wave' not in {row['key'] for row in checked['remarks']}


def test_options_take_the_place_of_facts(cli, yaml_file):
    facts = yaml_file('mass: 400\nhotel: 20\nhull: {kind: monohull, length: 5.2, width: 1.5}\n'
                      'thrusters: {number: 1}\nspeeds: [[2.4, 600]]\n', 'facts.yaml')
    before, after = (json.loads(cli('boat', 'make', facts, *options, '--json', '-')[1])
                     for options in ([], ['--speed', '2.4,900']))
    assert after['power'][-1]['power_w'] > 1.3 * before['power'][-1]['power_w']


@pytest.mark.parametrize(('arguments', 'words'), [
    (['make'], 'give a file of facts, or options'), (['make', '--kind', 'monohull'], "lacks the key 'mass'"),
    ([*MADE, '--top-speed', '9'], 'a hull that fast planes'), ([*MADE, '--battery', 'large'], 'battery')])
def test_facts_that_make_no_boat(cli, arguments, words):
    assert_refused(cli('boat', *arguments), words)


def test_readings_as_options(cli, capsys):
    from usv_energy.cli.main import main
    assert cli('boat', *MADE, '--speed', '1,5 m/s 150 W', '--speed', '1.0,80', '--json', '-') == cli(
        'boat', *MADE, '--speed', '1.5,150', '--speed', '1 m/s,0.08 kW', '--json', '-')
    for text in ('3', '1,5,150'):
        with pytest.raises(SystemExit):
            main(['boat', *MADE, '--speed', text])
        assert f"speeds has '{text}'; must be two numbers above 0 a line, m/s and W" in capsys.readouterr().err


@pytest.fixture
def types(monkeypatch):
    """Return a function by which somebody at a terminal types lines, and then nothing but Enter, or Ctrl-C (None)."""
    def typed(*lines):
        left, enters = list(lines), iter(50 * [''])

        def answer():
            line = left.pop(0) if left else next(enters)
            if line is None:
                raise KeyboardInterrupt
            return line

        monkeypatch.setattr('sys.stdin', SimpleNamespace(isatty=lambda: True))
        monkeypatch.setattr('builtins.input', answer)
    return typed


def test_at_a_terminal_each_fact_is_asked_for_until_it_is_right(cli, tmp_path, types):
    """The boat is that of the options; a label that is none is asked for again at once."""
    types('ketch', 'catamaran', '1.195', '-1 m', '93 cm', '', '18.2 kg', '', '', '3', '', 'large', '4S 18Ah', '',
          'm200_weedless', '14.8 V', *(7 * ['']), 'fine')
    status, out, err = cli('boat', 'make', '--out', tmp_path / 'mine.yaml', '--json', '-')
    by_options = cli('boat', *MADE, '--out', tmp_path / 'mine.yaml', '--json', '-')[1]
    assert status == 0 and json.loads(out) == json.loads(by_options)
    for words in ("hull.kind is 'ketch'; must be monohull or catamaran", "hull.width is '-1 m'; must be a number",
                  "battery is 'large'", 'hull.spacing'):
        assert words in err
    assert err.count('mass, in the water') == 2 and 'thrusters.bollard' not in err


def test_all_that_takes_part_in_a_fault_is_asked_again(cli, types):
    """A payload of 1000 typed for 10: Enter keeps kind, length, width and mass. A model alone is taken back with -."""
    types('catamaran', '1.195', '0.93', '18.2', '1000', '', '3', '', '4S 18Ah', '', 't200', *(10 * ['']),
          '', '', '', '', '10', '-')
    status, _, err = cli('boat', 'make', '--json', '-')
    assert status == 0 and err.count('payload, beyond that mass') == 2 and 'now 1000.0' in err
    assert err.count('thrusters.model, ') == 2 and err.count('top_speed, ') == 1


def test_ctrl_c_while_facts_are_asked_for_writes_no_file(cli, tmp_path, types):
    types('monohull', '3 m', None)
    assert cli('boat', 'make', '--out', tmp_path / 'mine.yaml')[0] == 130
    assert not (tmp_path / 'mine.yaml').exists()
