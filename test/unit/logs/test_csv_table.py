import numpy as np
import pytest
from table_files import mapped

from usv_energy.files.errors import InputError
from usv_energy.logs import csv_table
from usv_energy.logs.csv_log import read_csv
from usv_energy.logs.csv_table import read_table


def test_decimal_commas_quotes_comments_and_a_cut_off_last_row(tmp_path):
    path = tmp_path / 'a.csv'
    path.write_text('# logger 1.2\n"t";"speed, over ground"\n0,5;1,25\n1,5;"1.000,5"\n2,5;\n3,5', encoding='utf-8-sig')
    table = read_table(path, ['t', 'speed, over ground'], decimal=',')
    np.testing.assert_array_equal(table['t'], [0.5, 1.5, 2.5])
    np.testing.assert_array_equal(table['speed, over ground'], [1.25, 1000.5, np.nan])


@pytest.mark.parametrize(('text', 'says'), [
    ('', 'is empty'),
    ('0,1\n1,2\n', 'line 1 holds numbers only'),
    ('t,u\n', 'no rows'),
    ('t,speed\n0,1\n', "no column 'u'.*There are: 't', 'speed'"),
    (f't,{",".join("abcdefghijk")}\n0{",1" * 11}\n', "There are: 't', .*'k'$"),
    (f't,{",".join("abcdefghijkl")}\n0{",1" * 12}\n', "There are: 't', .*'k' and 1 more"),
    ('t,u,u\n0,1,2\n', "2 columns are called 'u'"),
    ('t,u\n0,1\n1,fast\n', "line 3: column 'u' is 'fast'"),
    ('t,u\n0,1\n1\n2,3\n', 'line 3: 1 cells'),
    ('t,u\n0,1\n2,1\n1,1\n', 'goes back from 2.0.* to 1.0.* row 3'),
    ('t,u\n5,1\n5,1\n5,1\n', 'is 5 s in all 3 rows'),
    ('t;u\n0;1,5\n1;2,5\n', 'decimal comma'),
])
def test_faults_of_a_table_are_named(tmp_path, text, says):
    path = tmp_path / 'a.csv'
    path.write_text(text)
    with pytest.raises(InputError, match=says):
        read_csv(path, mapped(tmp_path, {'time': {'column': 't', 'unit': 's'}, 'u': {'column': 'u', 'unit': 'm/s'}}))


@pytest.mark.parametrize(('begin', 'says'), [
    (b'\x89PNG\r\n\x1a\n\0', 'is a PNG picture'), (b'\xff\xd8\xff\xe0', 'is a JPEG picture'),
    (b'%PDF-1.7\n', 'is a PDF document'), (b'PK\x03\x04\n', 'is a ZIP archive or a spreadsheet'),
    (b'a\0b\n', 'is no text table')])
def test_what_is_no_text_is_called_what_it_is(tmp_path, begin, says):
    path = tmp_path / 'a.csv'
    path.write_bytes(begin)
    with pytest.raises(InputError, match=says):
        csv_table.read_header(path)


def test_points_are_between_thousands_where_commas_are_decimal(tmp_path):
    path = tmp_path / 'a.csv'
    path.write_text('t;u\n1;1.250\n2;2.500\n')
    np.testing.assert_array_equal(read_table(path, ['u'], decimal=',')['u'], [1250.0, 2500.0])
    np.testing.assert_array_equal(read_table(path, ['u'])['u'], [1.25, 2.5])


def test_a_table_of_numbers_is_read_at_once_not_cell_by_cell(tmp_path, monkeypatch):
    """Cells one by one take minutes of a long log: they are for tables with gaps, and to name a fault."""
    monkeypatch.setattr(csv_table, '_slowly', None)
    path = tmp_path / 'a.csv'
    path.write_text('# logger\n\nt,"u, m/s"\n0.5,"1.25"\n1.5,2.5\n')
    np.testing.assert_array_equal(read_table(path, ['u, m/s'])['u, m/s'], [1.25, 2.5])
    table = read_table(path, ['u, m/s', 't'])
    np.testing.assert_array_equal([table['t'], table['u, m/s']], [[0.5, 1.5], [1.25, 2.5]])
