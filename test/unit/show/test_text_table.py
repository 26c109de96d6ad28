from usv_energy.show.text_table import (
    WIDTH,
    exact_seconds,
    joules_range,
    seconds,
    shortened,
    text_list,
    text_table,
    wrapped_table,
)

ROWS = [['name', 'energy, J', 'change'], ['one', '1.0', '-'], ['the other', '12345.0', '+3 %']]


def test_names_stand_left_and_numbers_right():
    assert text_table(ROWS, 'lr') == ['name       energy, J  change',
                                      'one              1.0       -',
                                      'the other    12345.0    +3 %']


def test_a_last_column_of_text_ends_where_its_text_ends():
    assert text_table(ROWS, 'lrl', indent='  ') == ['  name       energy, J  change', '  one              1.0  -',
                                                    '  the other    12345.0  +3 %']


def test_group_heads_begin_over_their_first_column_and_the_last_ends_at_the_edge():
    lines = text_table(ROWS, 'lr', ['', 'of a run', 'to run 1'], rule=True)
    assert lines[0] == '           of a run   to run 1'
    assert lines[2] == '-' * len(lines[1]) == '-' * 28
    last = text_table(ROWS, 'lr', ['', '', 'of'])[0]
    assert last.endswith('of') and len(last) == 28


def test_no_rows_are_no_lines():
    assert text_table([]) == [] == text_list('Notes', [])


def test_a_table_is_wrapped_within_its_cells_and_loses_no_word():
    rows = [('name', 'small', 'word ' * 30), ('the other', 'an amount ' * 12, 'advice')]
    lines = wrapped_table(rows, '  ')
    assert max(map(len, lines)) <= WIDTH and len(lines) > 2
    assert sorted(' '.join(lines).split()) == sorted(' '.join(' '.join(row) for row in rows).split())
    assert wrapped_table([('one', 'two')]) == ['one  two'] and wrapped_table([]) == []


def test_a_list_is_wrapped_and_hangs():
    lines = text_list('Notes', ['word ' * 40, 'short-hyphened'])
    assert lines[:2] == ['', 'Notes']
    assert lines[2].startswith('  - word') and lines[3].startswith('    word') and lines[-1] == '  - short-hyphened'
    assert max(map(len, lines)) <= WIDTH


def test_a_long_text_is_cut_and_says_so():
    assert (shortened('abcdef', 6), shortened('abcdefg', 6)) == ('abcdef', 'abc...')


def test_long_times_are_days_and_hours_and_those_of_a_flow_can_be_typed():
    assert [seconds(value) for value in (359_940.0, 360_000.0, 2_635_200.0)] == ['99 h 59 min', '4 d 04 h', '30 d 12 h']
    assert [exact_seconds(value) for value in (0.0, 40.5, 2_635_200.0)] == ['0 s', '40.5 s', '2635200 s (30 d 12 h)']


def test_a_range_of_energies_has_one_unit_that_of_the_larger():
    assert [joules_range(low, high) for low, high in ((-20.0, 99.96), (2e4, 3e5), (1.8e6, 7.2e6))] == [
        '-20.0 to 100.0 J', '20 to 300 kJ', '0.50 to 2.00 kWh']
