"""`usv-energy team` as a person runs it."""

import json

import pytest

from usv_energy.cli import main


def test_box_as_text_json_and_picture(tmp_path, capsys):
    assert main(['team', '--out', str(tmp_path / 'a.png'), '--json', str(tmp_path / 'a.json')]) == 0
    text = capsys.readouterr().out
    assert 'landed at' in text and 'charging the quadcopter' in text
    figures = json.loads((tmp_path / 'a.json').read_text())
    assert figures['landing']['error_m'] < 0.1
    assert figures['charge_gained_j'] == pytest.approx(0.8 * figures['charging_j'])
    assert (tmp_path / 'a.png').read_bytes()[:4] == b'\x89PNG'


def test_faults(capsys):
    assert main(['team', 'nowhere']) == 2
    assert 'nowhere' in capsys.readouterr().err
