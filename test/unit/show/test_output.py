import json

import pytest

from usv_energy.show.terminal import show_result


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
    with pytest.raises(OSError, match='No such file'):
        show_result('text', {}, str(tmp_path / 'none' / 'out.json'))
    assert capsys.readouterr().out == 'text\n'
