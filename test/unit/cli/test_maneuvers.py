"""`usv-energy maneuver` as a user meets it."""

import csv
import json

import pytest

from usv_energy.cli.main import main
from usv_energy.logs.read_log import read_log


def test_a_bollard_pull_over_pwm_is_printed_drawn_and_written(tmp_path, capsys):
    """[S] table 3; what is written is a log, with pulses."""
    out, picture = tmp_path / 'out', tmp_path / 'pull.png'
    assert main(['maneuver', 'bollard', '--boat', 'lutra_prop_trial', '--pwm', '1553,1700', '--out', str(out), '--out',
                 str(picture), '--json', str(tmp_path / 'pull.json')]) == 0
    shown = capsys.readouterr().out
    assert 'PWM 1700' in shown and '22.54' in shown and 'while tied is not known' in shown
    figures = json.loads((tmp_path / 'pull.json').read_text())
    assert [step['pwm_us'] for step in figures['steps']] == [[1553.0], [1700.0]]
    assert [step['pull_n'] for step in figures['steps']] == pytest.approx([16.46, 22.54], rel=1e-3)
    assert figures['tied'] and figures['payload_kg'] == 3.0 and figures['steps'][0]['electrical_power_w'] is None
    assert picture.stat().st_size > 10_000
    with (out / 'bollard.csv').open() as file:
        rows = list(csv.DictReader(file))
    assert (float(rows[-1]['pwm_us']), float(rows[-1]['pull_n'])) == pytest.approx((1700.0, 22.54), rel=1e-3)
    assert read_log(out).thrust[-1].tolist() == [11.668, 11.668]


def test_a_free_boat_s_table_has_its_speeds(tmp_path, capsys):
    assert main(['maneuver', 'coast_down', '--boat', 'lutra_airboat', '--payload', '0', '--json', '-']) == 0
    up, glide = json.loads(capsys.readouterr().out)['steps']
    assert up['speed_m_s'] == pytest.approx(0.672, abs=1e-3) and glide['thrust_ahead_n'] == 0.0
    assert (glide['command'], glide['speed_begin_m_s']) == ('off', pytest.approx(up['speed_m_s'], rel=1e-4))


@pytest.mark.parametrize(('arguments', 'says'), [
    (['straight', '--pwm', '17 00'], "--pwm is '17 00'; must be pulse widths in us"),
    (['straight', '--pwm', '1700'], 'it needs pwm'),
    (['strait'], 'straight')])
def test_faults_are_named(arguments, says, capsys):
    assert main(['maneuver', *arguments]) == 2
    assert says in capsys.readouterr().err
