import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from vessel_numbers import vessel_numbers

import usv_energy
from usv_energy.boats.battery_sheet import BatterySheet
from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.numbers import BATTERY, BOAT_NUMBERS, boat_schema, fitted_in, given_numbers, row_of
from usv_energy.boats.vessel import Hull, Vessel
from usv_energy.files.checked import read_with_base
from usv_energy.files.errors import InputError

# Fields of a Vessel that follow from the others, or from a run.
FOLLOW = {'parts', 'sea'}
DERIVED = 3     # Numbers of a thruster that follow from the others: its shares of surge force and yaw moment, its cost.
NO_MAP = {'mapped': None, 'map_thrust': None, 'map_power': None}  # In place of a table, which is no number of its own.


def test_every_number_of_the_physics_has_its_row():
    """A field without a row could not be given, and one that is forgotten is found here."""
    vessel = read_boat('lutra_prop').vessel
    vessel = vessel._replace(losses=vessel.losses._replace(**NO_MAP))
    of_vessel = [row for row in BOAT_NUMBERS.values() if row.fields[0] == 'vessel']
    elsewhere = [row for row in of_vessel
                 if row.fields[1] in ('foils', 'loads') or {'azimuth', 'wave'}.intersection(row.fields)]
    of_thruster = [row for row in of_vessel if row.fields[1] == 'thrusters' and row not in elsewhere]
    pair = 2
    rows = len(of_vessel) - len(elsewhere) + (pair - 1) * len(of_thruster)
    assert len(vessel_numbers(vessel)) == rows + pair * DERIVED
    assert {row.fields[1] for row in of_vessel} == set(Vessel._fields) - FOLLOW
    assert [row.fields[1] for row in BOAT_NUMBERS.values() if row.fields[0] == 'hull'] == list(Hull._fields)
    assert [row.path for row in BATTERY] == [f'battery.{field}' for field in BatterySheet._fields if field != 'cell']


def test_paths_and_fields_stand_once():
    assert len({row.fields for row in BOAT_NUMBERS.values()}) == len(BOAT_NUMBERS)
    assert all(path == row.path for path, row in BOAT_NUMBERS.items())


def test_an_entry_of_a_list_has_the_row_of_all():
    assert row_of('thrusters.11.lag') is row_of('thrusters.*.lag') is BOAT_NUMBERS['thrusters.*.lag']
    with pytest.raises(InputError, match=r"no parameter 'thrusters\.1\.lags' to vary; did you mean thrusters\.\*\.lag"):
        row_of('thrusters.1.lags')


def test_the_numbers_that_a_file_gives():
    document = read_with_base('boats', read_boat('lutra_prop').path)
    found = dict(given_numbers(document))
    assert found['thrusters.1.y']['value'] == -0.08 and found['hull.length']['unit'] == 'm'
    assert 'damping.linear.d23' not in found and len(found) == 34
    assert all(node['unit'] == row_of(path).unit for path, node in found.items())


def test_forms_of_identify():
    assert fitted_in('linear') == ('inertia.m11', 'inertia.m22', 'inertia.m33', 'damping.linear.d11',
                                   'damping.linear.d22', 'damping.linear.d33')
    assert fitted_in('lift') == ('damping.speed.d22', 'damping.speed.d33')


def test_what_a_boat_file_must_have():
    schema = boat_schema()
    assert schema['required'] == ['name', 'inertia', 'damping', 'windage', 'thrusters', 'static_load']
    assert schema['properties']['damping']['required'] == ['linear', 'quadratic']
    assert schema['properties']['thrusters']['items']['required'] == ['name', 'x', 'y', 'min_thrust', 'max_thrust']
    assert 'required' not in schema['properties']['damping']['properties']['speed']
    assert 'required' not in schema['properties']['battery']  # Which go together: battery_sheet.py.


NEW_ROW = """    d11_c: Annotated[float, number(
        'damping.cubic.d11', 'N s^3/m^3', 'cubic drag in surge', at_least=0, fit='quadratic')] = 0.0
"""
USE = ('of_waves) * speed) * u_r', 'of_waves + damping.d11_c * speed) * speed) * u_r')
CHECK = """
import sys
from pathlib import Path

import numpy as np

import usv_energy
from usv_energy.boats.battery_sheet import BatterySheet
from usv_energy.boats.boat_file import read_boat
from usv_energy.engine.cases import cases_of
from usv_energy.engine.ensemble import run_ensemble
from usv_energy.files.errors import InputError
from usv_energy.studies.identify.rollout.fit_parameters import FORMS, LogScale, model_of, vessel_of
from usv_energy.studies.plan.boat_in_sea import drawn_boats, read_doubts
from usv_energy.studies.check.boat_check_text import boat_number_text
from usv_energy.sim.scenario import read_scenario
from usv_energy.sim.scenario_values import parameter_paths

PATH = 'damping.cubic.d11'
folder = Path(sys.argv[1])
assert Path(usv_energy.__file__).is_relative_to(folder)


def boat_of(value):
    path = folder / 'cubic.yaml'
    path.write_text('base: lutra_prop\\ndamping: {cubic: {d11: %s}}\\n' % value)
    return read_boat(str(path))


def refusal(value):
    try:
        boat_of(value)
    except InputError as error:
        return str(error)
    raise AssertionError(value)


# The schema
assert 'damping.cubic.d11 is -1.0; must be at least 0' in refusal('-1.0')
assert "this quantity must be given in 'N s^3/m^3'" in refusal('{value: 1.0, unit: N s/m}')
boat = boat_of('{value: 2.0, unit: N s^3/m^3, std: 0.1}')
assert boat.vessel.damping.d11_c == 2.0 and read_boat('lutra_prop').vessel.damping.d11_c == 0.0
assert PATH in boat_number_text()
# A sweep
scenario = read_scenario('5')
assert parameter_paths(scenario)['boat.' + PATH].unit == 'N s^3/m^3'
results = run_ensemble(cases_of(scenario, 2, **{'boat.' + PATH: [0.0, 2.0], 'stop.timeout': 10.0}), 'numpy')
energy = results.columns()['energy_total']
assert 1.05 < energy[1] / energy[0] < 1.3, energy
# A fit
assert PATH in FORMS['quadratic'] and PATH not in FORMS['linear']
model = model_of('lift', boat, LogScale(11.5, 11.5, 1.35, 0.4), False)
parameter = model.parameters[model.keys.index(PATH)]
assert (parameter.unit, parameter.lower, parameter.prior) == ('N s^3/m^3', 0.0, 2.0) and parameter.upper > 2.0
values = model.column('prior')
values[model.keys.index(PATH)] = 3.0
assert vessel_of(values, model).damping.d11_c == 3.0
# A band
assert [doubt.name for doubt in read_doubts(boat)] == [PATH]
drawn = [one.vessel.damping.d11_c for one in drawn_boats(boat, read_doubts(boat, {PATH: '10%'}), 50)]
assert abs(np.std(drawn) - 0.2) < 0.02 and abs(np.mean(drawn) - 2.0) < 0.01
print('found everywhere')
"""


def test_a_new_coefficient_is_one_line_and_its_use(tmp_path):
    """A copy of the package with a row more beside its field, and one use in the physics."""
    package = Path(usv_energy.__file__).parent
    copy = tmp_path / 'usv_energy'
    shutil.copytree(package, copy, ignore=shutil.ignore_patterns('__pycache__'))
    (tmp_path / 'config').symlink_to(package.parent / 'config')
    types, forces = copy / 'boats' / 'vessel.py', copy / 'physics' / 'dynamics.py'
    types.write_text(types.read_text().replace('\n\n\nclass Windage', f'\n{NEW_ROW}\n\nclass Windage', 1))
    forces.write_text(forces.read_text().replace(*USE))
    assert NEW_ROW in types.read_text() and USE[1] in forces.read_text()
    done = subprocess.run([sys.executable, '-c', CHECK, str(tmp_path)], cwd=tmp_path, capture_output=True, text=True,
                          env={'PYTHONPATH': ':'.join([str(tmp_path), *filter(None, sys.path)])}, check=False)
    assert done.stdout == 'found everywhere\n', done.stderr
