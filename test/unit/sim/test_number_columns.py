import math

import pytest

from usv_energy.files.errors import InputError
from usv_energy.sim.number_columns import number_columns


def test_columns_are_found_by_name_in_any_order(tmp_path):
    path = tmp_path / 'a.csv'
    path.write_text('b,what,a\n1,x,0.1\nnan,y,yes\ninf,z,-2e3\n')
    a, b = number_columns(path, ['a', 'b'], {'yes': 1.0})
    assert a.tolist() == [0.1, 1.0, -2000.0]
    assert b[0] == 1.0 and math.isnan(b[1]) and b[2] == math.inf
    path.write_text('a,b\n')
    assert [column.shape for column in number_columns(path, ['b', 'a'])] == [(0,), (0,)]


@pytest.mark.parametrize(('text', 'said'), [
    ('', "line 1: has no column 'a'"), ('a,c\n', "line 1: has no column 'b'"),
    ('a,b\n1,2\n1\n', "line 3: b is ''; must be a number"), ('b,a\n1,yes\n', "line 2: a is 'yes'; must be a number")])
def test_what_is_wrong_is_named(tmp_path, text, said):
    path = tmp_path / 'a.csv'
    path.write_text(text)
    with pytest.raises(InputError) as error:
        number_columns(path, ['a', 'b'])
    assert str(error.value) == f'{path}: {said}'
