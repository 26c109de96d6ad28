import json
import sys

import pytest

from usv_energy.files.errors import InputError
from usv_energy.show.terminal import coloured, has_colours, show_result


@pytest.mark.parametrize(('target', 'out', 'err'), [
    (None, 'text\n', ''), ('-', '{\n  "energy_j": 1.5\n}\n', 'text\n')])
def test_json_takes_stdout_from_the_text(target, out, err, capsys):
    show_result('text', {'energy_j': 1.5}, target)
    assert capsys.readouterr() == (out, err)


def test_json_goes_to_a_file_beside_the_text(tmp_path, capsys):
    show_result('text', [{'energy_j': None}], str(tmp_path / 'out.json'))
    assert capsys.readouterr() == ('text\n', '')
    assert json.loads((tmp_path / 'out.json').read_text()) == [{'energy_j': None}]


def test_the_text_is_out_before_a_file_that_cannot_be_written(tmp_path, capsys):
    with pytest.raises(InputError, match='there is no folder'):
        show_result('text', {}, str(tmp_path / 'none' / 'out.json'))
    assert capsys.readouterr().out == 'text\n'


@pytest.mark.parametrize(('terminal', 'environment', 'wanted'), [
    (True, {}, True), (False, {}, False), (True, {'NO_COLOR': '1'}, False), (True, {'NO_COLOR': ''}, True),
    (True, {'TERM': 'dumb'}, False)])
def test_verdicts_have_colours_where_the_terminal_has_and_the_user_wants_them(terminal, environment, wanted,
                                                                               monkeypatch, capsys):
    for name in ('NO_COLOR', 'TERM'):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, 'isatty', lambda: terminal)
    assert has_colours(sys.stdout) == wanted
    show_result('GO: 60 %', {}, None)
    assert ('\033[1;32mGO\033[0m: 60 %' in capsys.readouterr().out) == wanted


def test_a_verdict_is_a_word_of_its_own():
    assert coloured('NO GO and GO') == '\033[1;31mNO GO\033[0m and \033[1;32mGO\033[0m'
    assert coloured('GOAL, LET-GO, INDIGO') == 'GOAL, LET-GO, INDIGO'
