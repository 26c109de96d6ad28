import pytest

from usv_energy.boats.cell_file import CELL_NUMBERS, REQUIRED, TABLES, cell_schema


def test_the_schema_has_every_number_with_its_unit_and_every_table():
    cell = cell_schema()['properties']['cell']
    assert set(cell['properties']) == {*CELL_NUMBERS, *TABLES} and not cell['additionalProperties']
    assert set(REQUIRED) < set(cell['required'])
    for name, row in CELL_NUMBERS.items():
        assert cell['properties'][name]['then']['properties']['unit'] == {'const': row.unit}
    assert cell['properties']['resistance']['properties']['unit'] == {'const': 'Ohm'}


def test_what_may_be_left_out_has_a_default_or_is_not_needed():
    left_out = {name for name, row in CELL_NUMBERS.items() if row.default is None} - set(REQUIRED)
    assert left_out == {'rated_current', 'energy_wh', 'most_current'}


@pytest.mark.parametrize('row', CELL_NUMBERS.values(), ids=CELL_NUMBERS)
def test_a_default_is_within_the_limits_of_its_number(row):
    """All are above, or at least, 0, but for a temperature, which is above absolute zero: 25 degC, of data sheets."""
    limits = row.limits
    if row.path == 'reference_degc':
        assert (row.default, limits) == (25.0, {'exclusiveMinimum': -273.15})
    else:
        assert limits in ({'exclusiveMinimum': 0}, {'minimum': 0})
        assert row.default is None or row.default > 0.0 or (row.default, limits) == (0.0, {'minimum': 0})
