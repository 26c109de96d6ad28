"""The samples of a run as xarray has them: the same numbers as in the table that a run writes, each with its unit."""

import csv
from dataclasses import replace

import numpy as np

from usv_energy import run_scenario, to_dataset
from usv_energy.boats.load import Duty, Load, LoadRule
from usv_energy.sim.run_files import SAMPLE_COLUMNS, write_samples
from usv_energy.sim.scenario import read_scenario

NEEDS = ('xarray',)


def test_every_variable_has_its_unit():
    data = to_dataset(run_scenario(read_scenario('1')))
    units = {name: data[name].attrs['units'] for name in data.variables}
    assert (units['time'], units['r_dot'], units['power_static_load']) == ('s', 'rad s-2', 'W')
    assert [name for name, unit in units.items() if unit == '1'] == ['status']
    assert len(units) == len(SAMPLE_COLUMNS)


def test_the_numbers_are_those_of_the_table(tmp_path):
    run = run_scenario(read_scenario('3'))
    write_samples(run.rows, tmp_path / 'samples.csv')
    with (tmp_path / 'samples.csv').open() as file:
        table = np.array([[float(cell) for cell in row] for row in list(csv.reader(file))[1:]])
    data = to_dataset(run)
    for name, column in (('time', 'time_s'), ('v', 'v_m_s'), ('power_side_force', 'power_side_force_w'),
                         ('power_losses', 'power_losses_w'), ('r_r', 'r_r_rad_s'), ('energy', 'energy_j')):
        np.testing.assert_array_equal(data[name].values, table[:, SAMPLE_COLUMNS.index(column)], strict=True)
    assert data.attrs == {'boat': 'lutra_prop'}


def test_loads_stand_by_name():
    own = read_scenario('5')
    boat = replace(own.boat, vessel=own.boat.vessel._replace(loads=(Load(3.5), Load(20.0, Duty(0.1, 4.0)))),
                   load_rules=(LoadRule('radio'), LoadRule('sonar')))
    data = to_dataset(run_scenario(replace(own, boat=boat, plant=boat)))
    assert data['load_radio'].attrs == {'units': 'W'}
    np.testing.assert_allclose(data['load_radio'][1:], 3.5)
    np.testing.assert_allclose(data['load_radio'] + data['load_sonar'], data['power_loads'], rtol=1e-9)
