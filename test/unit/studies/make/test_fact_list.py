"""The list of facts is what the schema of a file of facts says, and a form that is made of it writes such a file."""

from pathlib import Path

import pytest
import yaml
from made_cases import CATAMARAN, LAUNCH, made

from usv_energy.files.errors import InputError
from usv_energy.files.locate import share_folder
from usv_energy.studies.make.boat_facts import (
    COUNT,
    FACTS,
    NUMBER,
    ROWS,
    fact_of_error,
    facts_document,
    facts_from,
    facts_of_texts,
)
from usv_energy.studies.make.made_boat import curve_figures, made_boat, make_figures

SCHEMA = yaml.safe_load((share_folder() / 'config' / 'schema' / 'facts.schema.yaml').read_text())


def keys_of(node, prefix=''):
    """Yield the keys of a schema with dots, their nodes, and whether they are required."""
    for name, inner in node['properties'].items():
        if inner.get('type') == 'object':
            yield from keys_of(inner, f'{prefix}{name}.')
        else:
            yield f'{prefix}{name}', inner, name in node.get('required', ())


def test_the_list_is_that_of_the_schema():
    schema = {key: (node, required) for key, node, required in keys_of(SCHEMA)}
    assert {fact.key for fact in FACTS} == set(schema)
    for fact in FACTS:
        node, required = schema[fact.key]
        assert fact.is_required == required, fact.key
        assert (fact.kind == NUMBER) == (node.get('$ref') in ('#/$defs/positive', '#/$defs/not_negative')), fact.key
        assert (fact.kind == ROWS) == (node.get('type') == 'array'), fact.key
        assert list(fact.choices) == node.get('enum', []), fact.key
        if fact.kind == NUMBER:
            assert fact.may_be_zero == node['$ref'].endswith('not_negative')
            assert node['description'].rstrip('.').endswith(f' {fact.units[0]}'), fact.key
        assert (fact.kind == COUNT) == all(isinstance(one, int) for one in fact.choices or ['']), fact.key


TYPED = {'mass': '18.2', 'hotel': '0', 'top_speed': ' 3.0', 'battery': '4S 18Ah', 'hull.kind': 'catamaran',
         'hull.length': '1.195', 'hull.width': '.93', 'thrusters.model': 'm200_weedless', 'thrusters.voltage': '14.8',
         'thrusters.diameter': ' ', 'source': ''}


def test_what_is_typed_makes_the_boat_of_the_file():
    document = facts_document(facts_of_texts(TYPED))
    assert document == CATAMARAN
    typed = made_boat(facts_from({'name': 'made', **document}, Path('facts.yaml')), {'date': 'today'})
    assert make_figures(typed) == make_figures(made(CATAMARAN))


@pytest.mark.parametrize('text', ['1.5, 90\n2 160', ' 1.5,90 ; 2.0\t160;', '2,160\n\n1.5 90\n'])
def test_rows_are_lines_of_two_numbers(text):
    found = facts_of_texts({'speeds': text, 'thrusters.number': '1'})
    assert sorted(found['speeds']) == [[1.5, 90.0], [2.0, 160.0]] and found['thrusters.number'] == 1


@pytest.mark.parametrize(('key', 'text', 'words'), [
    ('mass', 'heavy', "mass is 'heavy'; must be a number, above 0, kg"),
    ('hotel', '-1', "hotel is '-1'; must be a number, 0 or more, W"),
    ('speeds', '1.5, 90\n2', "speeds has '2'; must be two numbers above 0 a line, m/s and W"),
    ('speeds', '1 2 3', "speeds has '1 2 3'")])
def test_what_is_no_fact_is_refused_by_its_key(key, text, words):
    with pytest.raises(InputError) as error:
        facts_of_texts({key: text})
    assert words in str(error.value)
    assert fact_of_error(str(error.value)).key == key


def test_an_unknown_key_is_refused():
    with pytest.raises(InputError, match='tonnage is no fact; must be one of name, source'):
        facts_of_texts({'tonnage': '3'})
    assert fact_of_error('the disk is full') is None


@pytest.mark.parametrize(('changed', 'key'), [
    ({'mass': -1.0}, 'mass'), ({'hull.kind': 'foil'}, 'hull.kind'), ({'hull.spacing': 0.5}, 'hull.spacing'),
    ({'thrusters.model': 't200'}, 'thrusters.voltage'), ({'thrusters.number': 3}, 'thrusters.number'),
    ({'thrusters.model': 'none_such', 'thrusters.voltage': 12.0}, 'thrusters.model'),
    ({'hotel': 700.0}, 'speeds'), ({'top_speed': 9.0}, 'top_speed'), ({'battery': 'big'}, 'battery'),
    ({'hull.draught': 0.01}, 'mass'), ({'hull.length': None, 'hull.width': None}, 'hull.length')])
def test_an_error_is_shown_beside_the_fact_that_it_names(changed, key):
    document = facts_document(changed, LAUNCH)
    if changed.get('hull.length', 1) is None:
        document['hull'] = {'kind': 'monohull', 'width': 1.5}
    with pytest.raises(InputError) as error:
        made_boat(facts_from(document, Path('my boat')), {})
    found = fact_of_error(str(error.value))
    assert (None if found is None else found.key) == key, str(error.value)


def test_facts_are_laid_over_a_file_that_stays_as_it_is():
    before = {'hull': {'kind': 'catamaran', 'length': 2.0}, 'mass': 60.0}
    after = facts_document({'hull.width': 1.1, 'mass': None, 'hotel': 3.0}, before)
    assert after == {'hull': {'kind': 'catamaran', 'length': 2.0, 'width': 1.1}, 'mass': 60.0, 'hotel': 3.0}
    assert before == {'hull': {'kind': 'catamaran', 'length': 2.0}, 'mass': 60.0}
    with pytest.raises(InputError, match='hull is 3; must be a mapping'):
        facts_document({'hull.width': 1.1}, {'hull': 3})


def test_the_curve_goes_through_the_figures():
    boat = made(LAUNCH)
    curve, shown = curve_figures(boat, 200), make_figures(boat)['power']
    assert curve[-1] == pytest.approx({key: shown[-1][key] for key in curve[-1]})
    for row in curve:
        assert row['power_low_w'] < row['power_w'] < row['power_high_w']
    speeds = [row['speed_m_s'] for row in curve]
    assert speeds == sorted(speeds) and speeds[-1] == pytest.approx(2.444)
