"""`usv-energy overlay` as a user meets it: [S] section 4.3 with runs of our own, noise put in."""

import json

import numpy as np
import pytest

from usv_energy.cli.main import main
from usv_energy.logs.read_log import read_log

RNG = np.random.default_rng(5)
MAP = """
frames: {earth: enu, body: flu}
columns:
  time: {column: t, unit: s}
  u: {column: v, unit: m/s}
"""


@pytest.fixture(scope='module')
def measured(tmp_path_factory):
    """Return tables of three repeats of a run at PWM 1700 with noise of 0.05 m/s, their clocks apart, and a map."""
    folder = tmp_path_factory.mktemp('measured')
    assert main(['maneuver', 'straight', '--boat', 'lutra_prop_trial', '--pwm', '1700', '--out',
                 str(folder / 'run')]) == 0
    run = read_log(folder / 'run')
    for number in range(3):
        rows = [f'{100.0 + number + time},{speed + RNG.normal(0.0, 0.05)}'
                for time, speed in zip(run.time[::4], run.u[::4])]
        (folder / f'{number}.csv').write_text('\n'.join(['t,v', *rows]))
    (folder / 'map.yaml').write_text(MAP)
    return folder


def test_repeats_are_laid_over_a_maneuver(measured, tmp_path, capsys):
    assert main(['overlay', *(str(measured / f'{number}.csv') for number in range(3)), '--columns',
                 str(measured / 'map.yaml'), '--boat', 'lutra_prop_trial', '--maneuver', 'straight', '--pwm', '1700',
                 '--out', str(tmp_path / 'overlay.png'), '--json', '-']) == 0
    told = capsys.readouterr()
    found = json.loads(told.out)
    assert found['all']['mae_m_s'] == pytest.approx(0.05 * (2.0 / np.pi) ** 0.5, rel=0.1)
    assert found['all']['std_m_s'] == pytest.approx(0.05, rel=0.1)
    assert found['sigma_of_repeats_m_s'] == pytest.approx(0.05, rel=0.1)
    assert found['share_within_sigma_of_repeats'] == pytest.approx(0.68, abs=0.05)
    assert len(found['runs']) == 3 and abs(found['runs'][0]['bias_m_s']) < 0.02
    assert 'all together' in told.err and 'within one std' in told.err
    assert (tmp_path / 'overlay.png').stat().st_size > 30_000


def test_a_log_is_laid_over_what_its_own_commands_give(measured, capsys):
    assert main(['overlay', str(measured / 'run'), '--boat', 'lutra_prop_trial', '--json', '-']) == 0
    assert json.loads(capsys.readouterr().out)['all']['mae_m_s'] < 1e-3
    assert main(['overlay', str(measured / 'run'), '--boat', 'lutra_prop_trial', '--payload', '9', '--json', '-']) == 0
    assert json.loads(capsys.readouterr().out)['all']['largest_error_m_s'] > 0.05  # A heavier boat is late.


def test_a_run_is_laid_over_another(measured, capsys):
    assert main(['overlay', str(measured / 'run'), '--simulated', str(measured / 'run'), '--json', '-']) == 0
    found = json.loads(capsys.readouterr().out)
    assert found['all']['mae_m_s'] == 0.0 and found['sigma_of_repeats_m_s'] is None


@pytest.mark.parametrize(('arguments', 'says'), [
    (['--maneuver', 'straight', '--simulated', 'x'], 'leave one out'),
    (['--pwm', '1700'], '--pwm goes with --maneuver'),
    (['--from', '59.9'], 'samples with a speed')])
def test_faults_are_named(measured, arguments, says, capsys):
    assert main(['overlay', str(measured / 'run'), '--boat', 'lutra_prop_trial', *arguments]) == 2
    assert says in capsys.readouterr().err
