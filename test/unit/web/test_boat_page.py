"""Boat: what is typed makes the boat of `boat make`, and each curve and number is that of the commands."""

import json

import pytest
import yaml
from downloads import downloaded
from page_width import fits

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.files.work import no_progress
from usv_energy.web.boat_of_facts import made_of, range_with_intervals, texts_of_facts
from usv_energy.web.boat_page import EXAMPLE

NEEDS = ('nicegui',)
FACTS = """\
name: mine
mass: 65
payload: 10
hotel: 34
battery: 28V 130Ah
hull: {kind: catamaran, length: 2.0, width: 1.08}
thrusters: {number: 2, max_power: 400, diameter: 0.2}
speeds: [[1.5, 150], [1.0, 80]]
"""
TYPED = {**EXAMPLE, 'name': 'mine', 'speeds': '1.5, 150\n1.0 80'}


@pytest.fixture
def commanded(cli, yaml_file, tmp_path):
    """Return the figures of `boat make` and of `range` for the same facts, and the content of the boat file."""
    file = tmp_path / 'commanded.yaml'
    status, out, err = cli('boat', 'make', yaml_file(FACTS, 'facts.yaml'), '--out', file, '--json', '-')
    assert status == 0, err
    status, reach, err = cli('range', '--boat', file, '--json', '-')
    assert status == 0, err
    return json.loads(out), json.loads(reach), yaml.safe_load(file.read_text())


def same_file(found, wanted):
    return ({**found, 'identification': None} == {**wanted, 'identification': None}
            and found['identification']['make']['command'] == 'usv-energy serve')


def test_typed_facts_make_the_boat_of_the_commands(commanded, tmp_path):
    _, reach, document = commanded
    answer = made_of(TYPED, tmp_path / 'made_boat.yaml')
    found = range_with_intervals(answer.boat, no_progress)
    assert found == reach
    assert answer.range['best']['range_m'] == reach['best']['range_m']
    assert same_file(yaml.safe_load((tmp_path / 'made_boat.yaml').read_text()), document)


def test_a_file_of_facts_fills_the_form():
    document = yaml.safe_load(FACTS)
    texts = texts_of_facts({**document, 'mass': {'value': 65, 'unit': 'kg', 'source': 'scales'}})
    assert texts['mass'] == '65 kg' and texts['speeds'] == '1.5, 150\n1.0, 80' and texts['hull.kind'] == 'catamaran'
    assert set(texts) == {'name', 'mass', 'payload', 'hotel', 'battery', 'hull.kind', 'hull.length', 'hull.width',
                          'thrusters.number', 'thrusters.max_power', 'thrusters.diameter', 'speeds'}


def test_a_wrong_fact_writes_no_boat(tmp_path):
    with pytest.raises(InputError, match="mass is '-1'"):
        made_of({**TYPED, 'mass': '-1'}, tmp_path / 'made_boat.yaml')
    assert list(tmp_path.iterdir()) == []


def rows_of(page, caption):
    return [[cell.strip() for cell in row.inner_text().split('\t')]
            for row in page.locator(f'table:has(caption:text-is("{caption}")) tbody tr').all()]


def test_the_form_makes_a_boat_and_gives_its_file(page, commanded, tmp_path):
    figures, reach, document = commanded
    page.get_by_role('link', name='Boat').click()
    page.get_by_role('heading', name='Boat', exact=True).wait_for()
    page.get_by_text('Still needed: kind of hull, length, width, mass.').wait_for()
    (tmp_path / 'my facts.yaml').write_text(FACTS)
    page.set_input_files('input[type=file]', [str(tmp_path / 'my facts.yaml')])
    doubt = f'{100.0 * figures["doubt_in_power"]:.0f} %'
    page.get_by_role('heading', name=f'mine: the power is known to {doubt}').wait_for()
    page.get_by_label('speeds', exact=True).press('Space')
    page.get_by_role('option', name='m/s').click()
    page.locator('table:has(caption:text-is("Power in numbers")) tbody', has_text='m/s').wait_for()
    assert rows_of(page, 'Power in numbers') == [[
        f'{row["speed_m_s"]:.2f} m/s', f'{row["froude"]:.2f}', f'{row["power_w"]:.0f}',
        f'{row["power_low_w"]:.0f} to {row["power_high_w"]:.0f}'] for row in figures['power']]
    shown = {row[0]: row for row in rows_of(page, 'Numbers of the boat')}
    for number in figures['numbers']:
        assert shown[number['number']][1] == f'{number["value"]:.4g}' and shown[number['number']][3] == number['how']
    best = reach['best']
    low, high = (f'{1e-3 * best[f"range_m_{end}"]:.2f}' for end in ('low', 'high'))
    page.get_by_text(f'({low} to {high})').wait_for()
    found = dict(rows_of(page, 'The best speed for range'))
    assert found['range'].startswith(f'{1e-3 * best["range_m"]:.2f} km')
    assert found['endurance'].startswith(f'{best["endurance_h"]:.2f} h')
    assert json.loads(downloaded(page, 'The figures as JSON')[1]) == figures
    name, text = downloaded(page, 'The boat file')
    assert name == 'mine.yaml' and same_file(yaml.safe_load(text), document)
    (tmp_path / 'saved.yaml').write_text(text)
    assert read_boat(str(tmp_path / 'saved.yaml')).name == 'mine'
    assert yaml.safe_load(downloaded(page, 'The facts')[1]) == yaml.safe_load(FACTS)

    page.get_by_label('Mass, kg').fill('heavy')
    field = page.locator('.q-field', has=page.get_by_label('Mass, kg'))
    field.get_by_text("mass is 'heavy'; must be a number, above 0, kg").wait_for()
    page.get_by_label('Mass, kg').fill('66')
    page.get_by_label('Name').fill('<b>x</b>')
    page.get_by_role('heading', name='<b>x</b>: the power').wait_for()
    page.reload()
    page.get_by_role('heading', name='<b>x</b>: the power').wait_for()
    assert page.get_by_label('Mass, kg').input_value() == '66'
    fits(page)
