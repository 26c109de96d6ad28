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
    ['mission', 'mine.yaml', '--boat', 'lutra_prop', '--write-fitting', 'mine.yaml'],
    ['analyze', 'mine.yaml', '--boat', 'lutra_prop', '--write-columns', 'mine.yaml'],
    ['boat', 'check', 'mine.yaml', '--json', 'mine.yaml']])
def test_what_is_read_is_not_written_over(cli, boat, monkeypatch, arguments):
    monkeypatch.chdir(boat.parent)
    assert_refused(cli(*arguments), 'mine.yaml: is a file that this command reads; must be another one')
    assert boat.read_text() == BOAT


@pytest.mark.parametrize('arguments', [
    ['range', '--out'], ['map', 'energy', '--out'], ['compare', 'a.csv', '--out'], ['identify', 'steady', '--plot'],
    ['maneuver', 'straight', '--plot'], ['acoustics', '--out'], ['sweep', 'speed_current', '--out'],
    ['flow', 'plot', 'river', '--out']])
def test_a_picture_goes_into_a_file_of_pictures_alone(cli, boat, arguments):
    assert_refused(cli(*arguments, boat), 'mine.yaml', 'must end in .png, a picture')
    assert boat.read_text() == BOAT


PATTERN = 'mission', 'make', 'circle', '--radius', '20'


def test_a_mission_takes_the_place_of_a_mission_alone(cli, boat, tmp_path):
    """Of a boat file, a picture or a text that ends as missions do, nothing is lost; of one of before, all is new."""
    words = tmp_path / 'words.txt'
    words.write_text('bring the spare propeller\n')
    route = 'route', '--from', '0', '0', '--to', '9', '0', '--boat', 'lutra_prop', '--out'
    for arguments in ((*PATTERN, '--out', boat), ('mission', 'convert', '1', boat), (*route, boat),
                      (*PATTERN, '--at', '45', '9', '--out', words)):
        assert_refused(cli(*arguments), str(arguments[-1]), 'is there already, and no mission')
    assert (boat.read_text(), words.read_text()) == (BOAT, 'bring the spare propeller\n')
    before = tmp_path / 'way.yaml'
    before.touch()
    assert cli(*PATTERN, '--out', before)[0] == 0
    first = before.read_text()
    assert cli(*PATTERN[:-1], '30', '--out', before)[0] == 0
    assert before.read_text() != first


def test_json_does_not_take_the_place_of_another_kind_of_file(cli, boat):
    assert_refused(cli('compare', 'a.csv', '--json', boat), f'--json {boat}', 'does not end in .json')
    assert boat.read_text() == BOAT


@pytest.mark.parametrize('arguments', [
    ('range', '--boat', 'lutra_prop', '--out', 'o.png'),
    ('mission', '1', '--boat', 'lutra_prop', '--out', 'a.html', './o.png')])
def test_two_outputs_are_two_files(cli, monkeypatch, tmp_path, arguments):
    monkeypatch.chdir(tmp_path)
    assert_refused(cli(*arguments, '--json', 'o.png'), 'o.png: is written by two options')


def test_json_of_before_is_replaced(cli, tmp_path):
    before = tmp_path / 'boats.json'
    before.write_text('{}')
    assert cli('list', '--json', before)[0] == 0
    assert before.read_text() != '{}'
