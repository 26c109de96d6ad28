"""A slip in an option costs no file: inputs are not written over, pictures and JSON not into anything else."""

import pytest
from command_line import assert_refused

BOAT = 'base: lutra_prop\nname: mine\n'


@pytest.fixture
def boat(tmp_path):
    path = tmp_path / 'mine.yaml'
    path.write_text(BOAT)
    return path


@pytest.mark.parametrize('arguments', [
    ['route', '--from', '0', '0', '--to', '10', '0', '--boat', 'mine.yaml', '--out', 'mine.yaml'],
    ['identify', 'mine.yaml', '--boat', 'lutra_prop', '--out', './mine.yaml'],
    ['maneuver', 'straight', '--boat', './mine.yaml', '--json', 'mine.yaml'],
    ['mission', 'convert', 'mine.yaml', 'mine.yaml'],
    ['boat', 'check', 'mine.yaml', '--json', 'mine.yaml']])
def test_what_is_read_is_not_written_over(cli, boat, monkeypatch, arguments):
    monkeypatch.chdir(boat.parent)
    assert_refused(cli(*arguments), 'mine.yaml: is a file that this command reads; must be another one')
    assert boat.read_text() == BOAT


@pytest.mark.parametrize('arguments', [
    ['range', '--out'], ['map', 'energy', '--plot'], ['compare', 'a.csv', '--out'], ['identify-steady', '--plot'],
    ['maneuver', 'straight', '--plot'], ['acoustics', '--out'], ['sweep', 'speed_current', '--plot'],
    ['flow', 'plot', 'river', '--out']])
def test_a_picture_goes_into_a_file_of_pictures_alone(cli, boat, arguments):
    assert_refused(cli(*arguments, boat), 'mine.yaml', 'must end in .png, a picture')
    assert boat.read_text() == BOAT


def test_json_does_not_take_the_place_of_another_kind_of_file(cli, boat):
    assert_refused(cli('compare', 'a.csv', '--json', boat), f'--json {boat}', 'does not end in .json')
    assert boat.read_text() == BOAT


def test_json_of_before_is_replaced(cli, tmp_path):
    before = tmp_path / 'boats.json'
    before.write_text('{}')
    assert cli('list', '--json', before)[0] == 0
    assert before.read_text() != '{}'
