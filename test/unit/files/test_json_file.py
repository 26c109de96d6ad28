import json
import math

import numpy as np
import pytest

from usv_energy.files.errors import InputError
from usv_energy.files.text_file import check_target, without_nan, write_json


def test_what_is_no_number_becomes_none_however_deep():
    figures = {'a': math.nan, 'b': 1.5, 'c': [1.0, -math.inf, {'d': math.nan}], 'e': {'f': (math.nan, 'text')},
               'g': np.array([[1.0, math.nan]]), 'h': np.float64(math.inf), 'i': np.int64(3), 'j': None}
    assert without_nan(figures) == {'a': None, 'b': 1.5, 'c': [1.0, None, {'d': None}], 'e': {'f': [None, 'text']},
                                    'g': [[1.0, None]], 'h': None, 'i': 3, 'j': None}


def test_a_file_and_stdout_get_the_same(tmp_path, capsys):
    figures = [{'energy_j': 0.1, 'no_number': None}, {'name': 'x'}]
    write_json(figures, tmp_path / 'out.json')
    write_json(figures, '-')
    text = (tmp_path / 'out.json').read_text()
    assert capsys.readouterr().out == text
    assert json.loads(text) == figures


def test_a_target_that_cannot_be_written_is_named(tmp_path):
    for good in (None, '-', '/dev/null', str(tmp_path / 'new.json')):
        check_target(good)
    with pytest.raises(InputError, match='is a folder; must be a file'):
        check_target(str(tmp_path))
    with pytest.raises(InputError, match=r'none/new\.json: there is no folder'):
        check_target(str(tmp_path / 'none' / 'new.json'))
