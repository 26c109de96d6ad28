"""The one reader of tables: what people's and our own tables hold, and how each fault is named."""

import math

import numpy as np
import pytest

from usv_energy.files import table
from usv_energy.files.errors import InputError
from usv_energy.files.table import FINITE, LOGGED, OWN, TableRules, cell_fault, read_head, read_table


@pytest.fixture
def written(tmp_path):
    """Return a function that writes a text as a table and returns its path."""
    def write(text, encoding='utf-8'):
        path = tmp_path / 'a.csv'
        path.write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
        return path
    return write


@pytest.mark.parametrize('encoding', ['utf-8', 'utf-8-sig', 'utf-16', 'cp1252'])
@pytest.mark.parametrize('end', ['\n', '\r\n', '\r'])
@pytest.mark.parametrize('delimiter', [',', ';', '\t'])
@pytest.mark.parametrize('gap', ['2.5', ''])
def test_columns_are_found_by_name_in_any_encoding_with_any_delimiter(written, encoding, end, delimiter, gap):
    rows = ['# logger 1.2', '', 'yaw (°)|what|"u, m/s"', '0.5|x|"1.25"', ' ', f'-2e3|y|{gap}', '# end']
    path = written(end.join(rows).replace('|', delimiter), encoding)
    assert read_head(path) == (['yaw (°)', 'what', 'u, m/s'], delimiter, 3)
    found = read_table(path, ['u, m/s', 'yaw (°)', 'u, m/s'], texts=['what'])
    assert found['what'].tolist() == ['x', 'y']
    numbers = read_table(path, ['u, m/s', 'yaw (°)'])
    assert list(numbers) == ['u, m/s', 'yaw (°)']
    for name, wanted in (('u, m/s', [1.25, float(gap or 'nan')]), ('yaw (°)', [0.5, -2000.0])):
        np.testing.assert_array_equal(found[name], wanted)
        np.testing.assert_array_equal(numbers[name], wanted)


def test_gaps_are_nan_and_a_last_row_that_was_cut_off_is_left_out(written):
    path = written('t,u\n0,1\n,\n1, \n2,null\n3,N/A\n4,-inf\n5,nan\n6')
    found = read_table(path, ['t', 'u'])
    np.testing.assert_array_equal(found['t'], [0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
    np.testing.assert_array_equal(found['u'], [1.0, *[np.nan] * 5])
    np.testing.assert_array_equal(read_table(path, ['t'])['t'][-1], 6.0)
    np.testing.assert_array_equal(read_table(written('t,u\n0,inf\n'), ['u'])['u'], [np.nan])


@pytest.mark.parametrize(('text', 'decimal', 'numbers'), [
    ('u;t\n1,25;0\n-2,5e1;0\n', None, [1.25, -25.0]),
    ('u;t\n1;0\n2,5;0\n', None, [1.0, 2.5]),
    ('u;t\n"1.000,5";0\n;0\n2,5;0\n', None, [1000.5, math.nan, 2.5]),
    ('u;t\n1.250;0\n2.500;0\n', None, [1.25, 2.5]),
    ('u;t\n1.250;0\n2.500;0\n', ',', [1250.0, 2500.0]),
    ('u\t"t, s"\n1,25\t0\n', None, [1.25]),
    ('u,t\n"1,25",0\n', ',', [1.25])])
def test_decimal_commas_are_recognised_or_stated(written, text, decimal, numbers):
    np.testing.assert_array_equal(read_table(written(text), ['u'], TableRules(decimal=decimal))['u'], numbers)


def test_a_decimal_comma_may_come_late(written):
    rows = ['u;w', *['1;7'] * 3000, '2,5;7']
    np.testing.assert_array_equal(read_table(written('\n'.join(rows)), ['u'])['u'], [*[1.0] * 3000, 2.5])
    rows[10] = '1.5;7'
    with pytest.raises(InputError, match=r"line 3002: column 'u' is '2,5'; must be a number \(a decimal comma\?"):
        read_table(written('\n'.join(rows)), ['u'])


def test_own_tables_hold_every_number_and_no_comments(written):
    path = written('leg,b,what,a\n#1,1,x,0.1\n"two\n\n#2",nan,y,yes\n3,inf,z,-2e3\n')
    found = read_table(path, ['a', 'b'], OWN, texts=['leg'], words={'yes': 1.0})
    assert found['a'].tolist() == [0.1, 1.0, -2000.0] and found['leg'].tolist() == ['#1', 'two\n\n#2', '3']
    assert found['b'][0] == 1.0 and math.isnan(found['b'][1]) and found['b'][2] == math.inf
    np.testing.assert_array_equal(read_table(path, ['b'], OWN)['b'], [1.0, np.nan, np.inf])
    for columns in ({'numbers': ['b', 'a']}, {'numbers': ['a'], 'texts': ['b']}):
        empty = read_table(written('a,b\n'), rules=OWN, **columns)
        assert [column.shape for column in empty.values()] == [(0,), (0,)]


@pytest.mark.parametrize(('text', 'names'), [
    ('# t,u\n0,1\n2,3\n', ['t', 'u']), ('#YY MM u\n#yr mo m/s\n24 5 1\n24 5 3\n', ['YY', 'MM', 'u']),
    ('# made, by, me\n# t;u\n0;1\n2;3\n', ['t', 'u'])])
def test_a_comment_above_numbers_is_the_header(written, text, names):
    """As numpy.savetxt and NOAA's buoys write it."""
    assert read_head(written(text)).names == names
    np.testing.assert_array_equal(read_table(written(text), ['u'])['u'], [1.0, 3.0])


ROWS = ''.join(f'{row},1\n' for row in range(3000))


@pytest.mark.parametrize(('rules', 'text', 'says'), [
    (LOGGED, '', 'is empty'),
    (LOGGED, '# a\n\n', 'is empty'),
    (LOGGED, '0,1\n1,2\n', 'line 1 holds numbers only (0,1); a table needs a first line with the names of its columns'),
    (LOGGED, 't,u\n', 'has a header and no rows'),
    (LOGGED, 't,speed\n0,1\n', "line 1: has no column 'u'. There are: 't', 'speed'"),
    (LOGGED, '#\nt,uu\n0,1\n', "line 2: has no column 'u'; did you mean 'uu'? There are: 't', 'uu'"),
    (LOGGED, f't,{",".join("abcdefghijkl")}\n0{",1" * 12}\n', "'j', 'k' and 1 more"),
    (LOGGED, f't,{",".join("abcdefghijk")}\n0{",1" * 11}\n', "'j', 'k'"),
    (LOGGED, 't,u,u\n0,1,2\n', "line 1: 2 columns are called 'u'; each name must stand once"),
    (LOGGED, 't,u\n0,1\n#\n1,fast\n', "line 4: column 'u' is 'fast'; must be a number"),
    (LOGGED, 't,u\n0,"1,5"\n', "line 2: column 'u' is '1,5'; must be a number (a decimal comma? a column map says so "
                               'by `decimal: ","`)'),
    (LOGGED, 't;u\n1,5;0\n52.1;0\n', "line 3: column 't' is '52.1'; must have a decimal comma, as other numbers of the "
                                     'table have (a column map says which sign it is by `decimal`)'),
    (LOGGED, 't,u\n0,1\n1\n2,3\n', 'line 3: 1 cell; the header has 2'),
    (LOGGED, f't,u\n{ROWS}\n"a\nb",1\n', "line 3004: column 't' is 'a\\nb'; must be a number"),
    (LOGGED, 't,u\n0,' + 'b' * 200_000, 'line 2: is no row of a table: field larger than field limit (131072)'),
    (LOGGED, 't,' + 'b' * 200_000, 'line 1 is no header of a table: field larger than field limit (131072)'),
    (LOGGED, 't,u ' * 300_000, 'line 1 is longer than 1048576 characters: is no text table'),
    (FINITE, 't,u\n0,1\n1,\n', "line 3: column 'u' is ''; must be a finite number"),
    (FINITE, f't,u\n{ROWS}1,inf\n', "line 3002: column 'u' is 'inf'; must be a finite number"),
    (FINITE, 't,u\n0,1\n1\n', 'line 3: 1 cell; the header has 2'),
    (FINITE, 't,u\n', 'has a header and no rows'),
    (OWN, 't,u,w\n0,1,2\n3,4\n', 'line 3: 2 cells; the header has 3'),
    (OWN, 't,u\n1,no\n', "line 2: column 'u' is 'no'; must be a number"),
    (OWN, '#t,u\n1,1\n', "line 1: has no column 't'; did you mean '#t'? There are: '#t', 'u'"),
])
def test_a_fault_is_named_with_its_line_its_value_and_what_is_allowed(written, rules, text, says):
    path = written(text)
    with pytest.raises(InputError) as error:
        read_table(path, ['t', 'u'], rules)
    assert str(error.value).startswith(f'{path}: ') and str(error.value).endswith(says)


@pytest.mark.parametrize('text', ['t,a,b\n0,x,y\n1\n2,x,y\n', 't,u,a,b\n0,1,x,y\n1,2\n2,3,x,y\n'])
def test_a_row_that_ends_before_its_texts_is_named(written, text):
    with pytest.raises(InputError, match=r'line 3: [12] cells?; the header has'):
        read_table(written(text), ['t'], texts=['b'])


def test_words_that_are_allowed_are_named(written):
    with pytest.raises(InputError, match=r"line 2: column 'a' is 'no'; must be a number, yes$"):
        read_table(written('a\nno\n'), ['a'], OWN, words={'yes': 1.0})


def test_the_error_of_a_wrong_number_has_its_line_and_text(written):
    path = written('# a\nt,u\n\n0.0,1\n# b\n1.50,2\n')
    assert str(cell_fault(path, 1, 't', 'must fall')) == f"{path}: line 6: column 't' is '1.50'; must fall"


@pytest.mark.parametrize(('begin', 'says'), [
    (b'\x89PNG\r\n\x1a\n\0', 'is a PNG picture'), (b'\xff\xd8\xff\xe0', 'is a JPEG picture'),
    (b'%PDF-1.7\n', 'is a PDF document'), (b'PK\x03\x04\n', 'is a ZIP archive or a spreadsheet'),
    (b'a\0b\n', 'is no text table')])
def test_what_is_no_text_is_called_what_it_is(written, begin, says):
    with pytest.raises(InputError, match=says):
        read_head(written(begin))


def test_a_table_that_is_too_large_is_refused_before_it_is_read(written, monkeypatch):
    path = written('t\n' + '1\n' * 500)
    monkeypatch.setattr(table, 'MAX_ROWS', 400)
    with pytest.raises(InputError, match=r'has 501 lines; a table may have 400 at most'):
        read_table(path, ['t'])
    monkeypatch.setattr(table, 'MAX_BYTES', 1000)
    with pytest.raises(InputError, match=r'has 0.0 GB; a table may have'):
        read_table(path, ['t'])


@pytest.mark.parametrize('rules', [LOGGED, FINITE, OWN])
def test_plain_numbers_are_read_at_once_and_as_cell_by_cell(written, monkeypatch, rng, rules):
    """Cells one by one take four times as long: they are for words and a few wrong cells, and to name a fault."""
    values = rng.standard_normal((3000, 3)) * 10.0 ** rng.integers(-300, 300, (3000, 3))
    path = written('a,b,c\n' + ''.join(','.join(map(repr, row)) + '\n' for row in values.tolist()))
    at_once = read_table(path, ['b', 'a'], rules)
    by_cells = read_table(path, ['b', 'a'], rules, texts=['c'])
    for name, column in (('a', 0), ('b', 1)):
        np.testing.assert_array_equal(at_once[name], values[:, column])
        np.testing.assert_array_equal(by_cells[name], values[:, column])
    monkeypatch.setattr(table, '_read_by_cells', None)
    np.testing.assert_array_equal(read_table(path, ['b', 'a'], rules)['b'], values[:, 1])


@pytest.mark.parametrize('decimal', [None, ','])
def test_gaps_and_decimal_commas_are_read_at_once_and_as_cell_by_cell(written, monkeypatch, rng, decimal):
    rows = [[f'{value:.6f}'.replace('.', ',') if value > -1.0 else '' for value in row]
            for row in rng.standard_normal((3000, 3)).tolist()]
    path = written('day;a;b;c\r\n' + ''.join(f'01.05.2024;{";".join(row)}\r\n' for row in rows if any(row)))
    rules = TableRules(decimal=decimal)
    with monkeypatch.context() as without:
        without.setattr(table, '_read_by_cells', None)
        at_once = read_table(path, ['a', 'b', 'c'], rules, texts=['day'])
    monkeypatch.setattr(table, '_read_at_once', lambda *_: None)
    by_cells = read_table(path, ['a', 'b', 'c'], rules, texts=['day'])
    assert np.isnan(at_once['c']).any() and at_once['day'].tolist() == by_cells['day'].tolist()
    for name in 'abc':
        np.testing.assert_array_equal(at_once[name], by_cells[name])
