from dataclasses import replace

import numpy as np
import pytest
from vessel_numbers import vessel_numbers

from usv_energy.boats.battery_sheet import BatterySheet, counter_of
from usv_energy.boats.boat_file import boat_from, read_boat
from usv_energy.boats.boat_values import boat_with, checked_boat_with, number_of, vessel_with
from usv_energy.boats.cell_file import read_cell
from usv_energy.boats.numbers import BOAT_NUMBERS, given_numbers
from usv_energy.files.checked import read_with_base
from usv_energy.files.errors import InputError

BOAT = read_boat('lutra_prop')


def file_with(path, value):
    """Return the boat of lutra_prop's file with a number put in, laden with 2 kg."""
    document = read_with_base('boats', BOAT.path)
    document['hull'] = {**document['hull'], 'payload': 2.0, 'payload_x': -0.25}
    *parts, name = path.split('.')
    nodes = [document]
    for part in parts:
        nodes = [inner for node in nodes for inner in (
            node if part == '*' else [node[int(part)]] if part.isdigit() else [node.setdefault(part, {})])]
    for node in nodes:
        node[name] = value
    return boat_from(document, BOAT.path)


@pytest.mark.parametrize('path', [path for path, row in BOAT_NUMBERS.items() if row.fields[0] == 'vessel' or row.sweep])
def test_a_number_by_its_path_is_that_of_a_file_that_holds_it(path):
    """All rows of the table, on a boat with a payload: derived numbers included, and none lost."""
    if path.startswith(('foils.', 'loads.', 'battery.', 'damping.wave.')) or '.azimuth.' in path:
        pytest.skip('the boat has no such part')
    value = {'losses.efficiency': 0.75, 'thrusters.*.min_thrust': -3.0, 'thrusters.*.y': 0.25,
             'hull.payload_y': 0.2}.get(path, 0.5)
    value = 20.0 if path.startswith('inertia.m') and path != 'inertia.m23' else value
    if path.startswith('damping.speed.d') and path[-2:] in ('23', '32'):
        value = 0.0
    wanted = file_with(path, value)
    given = boat_with(boat_with(BOAT, {'hull.payload': 2.0, 'hull.payload_x': -0.25}), {path: value})
    np.testing.assert_allclose(vessel_numbers(given.vessel), vessel_numbers(wanted.vessel), rtol=1e-14, atol=1e-15)
    assert given.hull == wanted.hull


def test_the_day_s_numbers_of_cells_by_their_paths_one_by_one_and_as_arrays():
    """Charge, age and temperature leave the cells what they are; each is that of a file that holds it."""
    cells = {'chemistry': 'nmc', 'series': 4, 'capacity_ah': 10.0}
    document = {key: value for key, value in read_with_base('boats', BOAT.path).items() if key != 'battery'}
    numbers = {'initial_state_of_charge': 0.4, 'capacity_share': 0.8, 'resistance_factor': 1.5, 'ambient_degc': 5.0}
    new = boat_from({**document, 'battery': cells}, BOAT.path)
    wanted = boat_from({**document, 'battery': {**cells, **numbers}}, BOAT.path)
    given = boat_with(new, {f'battery.{name}': value for name, value in numbers.items()})
    assert given.pack is wanted.pack and given.pack.cell is new.pack.cell and given.ambient == wanted.ambient
    assert given.battery == wanted.battery and given.battery.capacity_wh < 0.85 * new.battery.capacity_wh
    many = boat_with(new, {f'battery.{name}': np.array([value, value]) for name, value in numbers.items()})
    assert many.pack.cell is new.pack.cell and many.pack.capacity_share.tolist() == [0.8, 0.8]
    assert many.ambient.tolist() == [wanted.ambient] * 2


def test_one_thruster_alone_and_all_of_them():
    vessel = vessel_with(BOAT.vessel, {'thrusters.1.lag': 0.2, 'thrusters.*.lag': 0.5})
    assert [thruster.lag for thruster in vessel.thrusters] == [0.5, 0.2]
    assert vessel.thrusters[0].yaw_share is BOAT.vessel.thrusters[0].yaw_share


def test_every_number_of_a_file_is_read_by_its_path():
    for path, node in given_numbers(read_with_base('boats', BOAT.path)):
        row = BOAT_NUMBERS.get(path)
        if row is not None and row.fields[0] == 'vessel':
            assert number_of(BOAT.vessel, path) == node['value'], path


def test_arrays_and_numbers_side_by_side():
    loads = np.array([0.0, 1.0, 5.0])
    given = boat_with(BOAT, {'hull.payload': loads, 'static_load': 4.0})
    np.testing.assert_allclose(given.vessel.inertia.m11, 9.75 + loads)
    assert given.vessel.static_load == 4.0 and given.vessel.damping is BOAT.vessel.damping


def test_the_battery_is_a_part_of_the_boat():
    assert boat_with(BOAT, {'battery.capacity_wh': 99.0}).battery.capacity_wh == 99.0
    with pytest.raises(InputError, match='has no battery'):
        boat_with(replace(BOAT, battery=None), {'battery.capacity_wh': 99.0})


def test_the_cells_of_a_battery_follow_its_numbers():
    sheet = BatterySheet(series=4.0, capacity_ah=10.0, cell=read_cell('nmc'))
    boat = replace(BOAT, battery=counter_of(sheet), battery_sheet=sheet)
    aged = boat_with(boat, {'battery.capacity_share': 0.8})
    assert aged.pack.capacity_share == 0.8 and aged.battery.capacity_wh < 0.82 * boat.battery.capacity_wh


@pytest.mark.parametrize('values, words', [
    ({'damping.linear.d11': -1.0}, r'lutra_prop\.yaml: damping\.linear\.d11 is -1 N s/m; must be at least 0'),
    ({'losses.efficiency': 1.5}, 'must be at most 1'),
    ({'inertia.m23': 9.0}, r'lutra_prop\.yaml: inertia\.m23 is 9\.0'),
    ({'damping.linaer.d11': 1.0}, r'did you mean damping\.linear\.d11')])
def test_a_number_that_makes_no_boat_is_refused(values, words):
    with pytest.raises(InputError, match=words):
        checked_boat_with(BOAT, values)
