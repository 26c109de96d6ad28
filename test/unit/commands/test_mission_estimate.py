import json

import pytest

from usv_energy.cli import main

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
    out = tmp_path / 'm.png'
    assert main(['mission', str(plan), '--boat', 'blueboat_table', '--speed', '1.5', '--out', str(out), '--json',
                 str(tmp_path / 'm.json')]) == 0
    figures = json.loads((tmp_path / 'm.json').read_text())
    assert figures['energy_j'] == pytest.approx(113.9 * 2.0 * 222.381 / 1.5, rel=1e-5)
    assert [leg['item'] for leg in figures['legs']] == [1, 2] and figures['verdict'] == 'go'
    assert out.read_bytes().startswith(b'\x89PNG')
    assert 'GO: ' in capsys.readouterr().out
    against = ['--boat=blueboat_table', '--speed', '2.7', '--current', '0.5,90']
    assert main(['mission', 'estimate', str(plan), *against]) == 3


def test_the_simulator_s_figures_stand_beside(plan, tmp_path):
    assert main(['mission', str(plan), '--boat', 'lutra_prop', '--speed', '0.8', '--simulate', '--json',
                 str(tmp_path / 'm.json')]) == 0
    simulated = json.loads((tmp_path / 'm.json').read_text())['simulated']
    assert simulated['reached'] and abs(simulated['estimate_energy_error']) < 0.03
    assert abs(simulated['estimate_time_error']) < 0.03


@pytest.mark.parametrize('arguments, words', [
    (['--boat', 'nobody'], "no boat named 'nobody'"), (['--boat', 'lutra_prop', '--current', 'fast'], 'fast'),
    (['--boat', 'blueboat_table', '--simulate'], 'a simulation needs mass'),
    (['--boat', 'lutra_prop', '--simulate', '--depart', '5'], '--depart does not go with --simulate'),
    (['--boat', 'blueboat', '--state-of-charge', '0.5'], 'has no battery'),
    (['--boat', 'lutra_sail'], 'the boat has no thruster'), (['--boat', 'lutra_prop', '--reserve', '2'], '--reserve')])
def test_what_is_wrong_is_said(plan, arguments, words, capsys):
    try:
        status = main(['mission', str(plan), *arguments])
    except SystemExit as exit_:
        status = exit_.code
    assert status == 2
    assert words in capsys.readouterr().err
