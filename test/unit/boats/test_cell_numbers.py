from usv_energy.boats.cell_numbers import CELL_NUMBERS, REQUIRED, TABLES, cell_schema


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
