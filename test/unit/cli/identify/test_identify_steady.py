"""`usv-energy identify steady` as a user meets it."""

import json
import re

import pytest

from usv_energy.cli.main import main


def test_the_command_prints_and_writes_what_it_found(tmp_path, capsys):
    assert main(['identify', 'steady', '--plant', 'lutra_prop_usvsim', '--out', str(tmp_path), '--json', '-']) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary['d11_n_s_m'] == pytest.approx(15.81, abs=0.02)
    assert {path.name for path in tmp_path.iterdir()} == {'a', 'b', 'c', 'steady.png', 'steady.txt', 'steady.json'}
    assert main(['identify', 'steady', *(str(tmp_path / name) for name in 'abc'), '--json', '-']) == 0
    again = json.loads(capsys.readouterr().out)
    assert again['d22_n_s_m'] == summary['d22_n_s_m'] and again['plant'] is None


@pytest.mark.parametrize(('text', 'says'), [
    ('base: a\nsteps: [{duration: 5, share: [1]}]', r'steps\.0 has 1 values; the boat lutra_prop has 2'),
    ('base: a\nsteps: [{duration: 5}]', 'either share, thrust or pwm'),
    ('base: a\nsteps: [{duration: 5, share: [2, 0]}]', 'at most 1'),
    ('base: a\nsimulation: {step: 0.01, period: 0.015}', 'whole number of steps'),
])
def test_faults_of_a_maneuver_are_named(tmp_path, text, says, capsys):
    path = tmp_path / 'mine.yaml'
    path.write_text(text)
    assert main(['identify', 'steady', '--maneuver', str(path)]) == 2
    assert re.search(says, capsys.readouterr().err)
