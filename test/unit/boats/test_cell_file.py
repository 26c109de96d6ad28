from pathlib import Path

import numpy as np
import pytest

from usv_energy.boats.cell_file import (
    CELL_NUMBERS,
    cell_from,
    guessed_numbers,
    read_cell,
    table_cell,
    tabulated,
    write_cell,
)
from usv_energy.files.errors import InputError
from usv_energy.files.locate import names
from usv_energy.files.parsed_text import read_yaml
from usv_energy.physics.batteries.cell import INTERVALS

PLAIN = {'name': 'plain', 'cell': {
    'capacity_ah': 2.0, 'nominal_voltage': 3.6, 'full_voltage': 4.2, 'cutoff_voltage': 3.0, 'heat_capacity': 40.0,
    'conductance': {'value': 0.05, 'unit': 'W/K', 'source': 'assumed'},
    'open_circuit_voltage': {'unit': 'V', 'rows': [[0.0, 3.0], [0.5, 3.7], [1.0, 4.2]]},
    'resistance': {'unit': 'Ohm', 'rows': [[0, 0.05], [1, 0.04]]}}}
WHERE = Path('plain.yaml')


def changed(**cell):
    return {**PLAIN, 'cell': {**PLAIN['cell'], **cell}}


def test_the_shipped_chemistries_are_those_of_the_label():
    assert names('batteries') == ['agm', 'lfp', 'lto', 'nmc']
    nominal = {name: read_cell(name).number('nominal_voltage') for name in names('batteries')}
    assert nominal == {'agm': 2.0, 'lfp': 3.2, 'lto': 2.3, 'nmc': 3.6}


@pytest.mark.parametrize('name', names('batteries'))
def test_every_shipped_number_has_its_source_and_voltage_rises_with_charge(name):
    for key, node in read_yaml(read_cell(name).path)['cell'].items():
        assert node['source'], key
    cell = table_cell(read_cell(name))
    assert np.all(np.diff(cell.open_circuit) > 0.0)
    assert cell.cutoff_voltage <= cell.open_circuit[INTERVALS // 10] < cell.open_circuit[-1] <= cell.full_voltage


def test_a_file_in_other_words_for_the_physics():
    cell = table_cell(cell_from(changed(reference_degc=20.0, most_current=8.0), WHERE))
    assert (cell.capacity, cell.reference_temperature, cell.most_current) == (7200.0, 293.15, 8.0)
    assert (cell.lag, cell.conductance, cell.capacity_slope) == (0.0, 0.05, 0.0)
    assert cell.open_circuit[[0, 100, 200]].tolist() == [3.0, 3.7, 4.2] and not cell.slow_resistance.any()
    np.testing.assert_allclose(cell.resistance, np.linspace(0.05, 0.04, INTERVALS + 1))


def test_a_cell_may_have_no_resistance():
    cell = table_cell(cell_from(changed(resistance={'unit': 'Ohm', 'rows': [[0, 0.0], [1, 0.0]]}), WHERE))
    assert not cell.resistance.any() and cell.fast_resistance.shape == cell.slow_resistance.shape == (INTERVALS + 1,)


def test_a_table_goes_through_its_rows_without_bumps():
    table = tabulated(((0.0, 2.0), (0.1, 3.2), (0.9, 3.3), (1.0, 3.6)))
    assert table[[0, 20, 180, 200]] == pytest.approx([2.0, 3.2, 3.3, 3.6]) and np.all(np.diff(table) > 0.0)


@pytest.mark.parametrize(('cell', 'words'), [
    ({'capacity_ah': 0.0}, ['cell.capacity_ah', '0', 'greater than 0']),
    ({'capacity_ah': {'value': 2.0, 'unit': 'mAh'}}, ['cell.capacity_ah.unit', 'mAh', "'Ah'"]),
    ({'capacityah': 2.0}, ['capacityah', "did you mean 'capacity_ah'"]),
    ({'cutoff_voltage': 3.7}, ['nominal_voltage is 3.6', 'between cutoff_voltage, 3.7', 'full_voltage, 4.2']),
    ({'nominal_voltage': 3.0}, ['nominal_voltage is 3; must be between cutoff_voltage, 3']),
    ({'nominal_voltage': 4.2}, ['nominal_voltage is 4.2', 'full_voltage, 4.2']),
    ({'resistance': {'unit': 'Ohm', 'rows': [[0.0, 0.05], [0.5, 0.04]]}}, ['cell.resistance.rows', 'from 0 to 1']),
    ({'resistance': {'unit': 'Ohm', 'rows': [[0, 0.05], [0.5, 0.04], [0.5, 0.03], [1, 0.02]]}}, ['rise from 0 to 1']),
    ({'open_circuit_voltage': {'unit': 'V', 'rows': [[0.0, 3.0], [0.5, 3.7], [0.8, 3.7], [1.0, 4.2]]}},
     ['3.7 V at 0.8 after 3.7 V', 'must rise']),
    ({'energy_wh': 7.0}, ['energy_wh', 'without rated_current']),
    ({'resistance': {'unit': 'Ohm', 'rows': [[0.1, 0.05], [1.0, 0.04]]}}, ['cell.resistance.rows', 'from 0 to 1']),
    ({'resistance': {'unit': 'Ohm', 'rows': [[0.0, -0.05], [1.0, 0.04]]}}, ['cell.resistance.rows', '-0.05']),
    ({'open_circuit_voltage': {'unit': 'V', 'rows': [[0.0, 3.0], [0.5, 3.8], [1.0, 3.7]]}},
     ['open_circuit_voltage', '3.7 V at 1 after 3.8 V', 'must rise']),
    ({'open_circuit_voltage': {'unit': 'mV', 'rows': [[0.0, 3.0], [1.0, 3.7]]}}, ['unit', 'mV', "'V'"])])
def test_what_is_wrong_is_named(cell, words):
    with pytest.raises(InputError) as error:
        cell_from(changed(**cell), WHERE)
    assert str(error.value).startswith('plain.yaml: ')
    for word in words:
        assert word in str(error.value)


def test_each_number_is_a_field_of_the_physics_or_of_the_label():
    label = {'capacity_ah', 'rated_current', 'energy_wh', 'nominal_voltage', 'reference_degc'}
    assert set(CELL_NUMBERS) - label <= set(table_cell(read_cell('nmc'))._fields)


def test_what_is_written_is_read_again(tmp_path):
    path = tmp_path / 'mine.yaml'
    file = write_cell(PLAIN, path, 'made by a test')
    assert path.read_text().startswith('# made by a test\n') and read_cell(str(path)) == file
    with pytest.raises(InputError, match='must rise'):
        write_cell(changed(open_circuit_voltage={'unit': 'V', 'rows': [[0, 3.0], [1, 2.0]]}), path)
    assert read_cell(str(path)) == file
    assert guessed_numbers(file, ['assum']) == (['conductance'], 8)
