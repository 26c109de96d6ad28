from pathlib import Path

import pytest

from usv_energy.files.errors import InputError
from usv_energy.files.parsed_text import parsed_json
from usv_energy.missions.formats.documents import checked_list, checked_mapping, checked_number

PATH = Path('a.plan')


@pytest.mark.parametrize(('text', 'says'), [
    ('{"a": 1,\n "b": [1, 2', r"line 2 is wrong JSON: Expecting ',' delimiter"),
    ('{"a": 1} {"a": 1}', 'line 1 is wrong JSON: Extra data'),
    ('{"a": {"b": 1, "c": 2, "b": 3}}', "the key 'b' is given twice"),
    ('[' * 100_000, 'is wrong JSON'),
    ('[' + '9' * 5000 + ']', 'the whole number 9{20}... has more than 18 digits')])
def test_what_is_no_json_is_named(text, says):
    with pytest.raises(InputError, match=rf'a\.plan: {says}'):
        parsed_json(text, PATH)


@pytest.mark.parametrize('value', [None, True, '1', [], float('nan'), float('inf'), 10**400])
def test_what_is_no_number_is_named(value):
    with pytest.raises(InputError, match=r'a\.plan: speed is .*; must be a finite number'):
        checked_number(value, 'a.plan: speed')


def test_values_of_their_kinds_are_returned():
    assert (checked_number(3, ''), checked_mapping({'a': 1}, ''), checked_list([1], '')) == (3.0, {'a': 1}, [1])
    with pytest.raises(InputError, match=r'x is \[1\]; must be a mapping'):
        checked_mapping([1], 'x')
    with pytest.raises(InputError, match=r'x is .*\.\.\.; must be a list'):
        checked_list('y' * 100, 'x')
