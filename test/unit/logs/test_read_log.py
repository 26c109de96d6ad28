import pytest
from table_files import MAP, circle_ned, mapped, write_columns

from usv_energy.files.errors import InputError
from usv_energy.logs.read_log import read_log


def test_a_table_without_a_map_says_what_is_missing(tmp_path):
    path = write_columns(tmp_path / 'a.csv', circle_ned())
    with pytest.raises(InputError, match='needs a column map'):
        read_log(path)
    with pytest.raises(InputError, match='--odom does not go with'):
        read_log(path, mapped(tmp_path, MAP), odom='/odom')
    with pytest.raises(InputError, match='no such file'):
        read_log(tmp_path / 'b.csv')
