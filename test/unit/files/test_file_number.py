import pytest

from usv_energy.files.checked import FileNumber, number


@pytest.mark.parametrize('low, high, fault', [
    (0.1, 1.0, ''), (0.0, 0.5, 'must be greater than 0'), (0.5, 1.01, 'must be at most 1'),
    (-1.0, 2.0, 'must be greater')])
def test_limits_hold_for_the_lowest_and_the_highest(low, high, fault):
    share = number('losses.efficiency', '-', 'a share', above=0, at_most=1)
    assert share.fault(low, high).startswith(fault) and bool(share.fault(low, high)) == bool(fault)


@pytest.mark.parametrize('limits, at, good', [
    ({'minimum': 2}, 2.0, True), ({'exclusiveMinimum': 2}, 2.0, False), ({'maximum': 2}, 2.0, True),
    ({'exclusiveMaximum': 2}, 2.0, False), ({}, 1e6, True), ({}, 1e8, False), ({'minimum': 0}, 1e8, False)])
def test_at_a_limit(limits, at, good):
    assert (FileNumber('m', limits).fault(at, at) == '') == good


def test_a_number_in_json_schema_is_bare_or_has_its_unit():
    from jsonschema import Draft202012Validator
    schema = {'$defs': {'sourced': {'type': 'object'}}, **FileNumber('kg', {'minimum': 0}, 'mass').schema()}
    good = Draft202012Validator(schema).is_valid
    assert good(3.0) and good({'value': 3.0, 'unit': 'kg'}) and schema['description'] == 'mass'
    assert not any(map(good, (-1.0, {'value': -1.0, 'unit': 'kg'}, {'value': 3.0, 'unit': 'g'}, '3')))
