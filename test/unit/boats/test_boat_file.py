
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml
from fuzz import assert_survives
from places import ROOT

from usv_energy.boats.boat_file import boat_from, read_boat, write_boat
from usv_energy.boats.vessel import Damping, Inertia, Windage
from usv_energy.files.checked import read_with_base, values_of
from usv_energy.files.errors import InputError
from usv_energy.files.locate import names, share_folder
from usv_energy.foils.foil import Steer, Wash, coefficients_of_aspect

PAIRS = ('blueboat', 'blueboat_start', 'lutra_prop', 'lutra_prop_eq57', 'lutra_prop_trial', 'lutra_prop_usvsim',
         'otter',
         'otter_parts', 'wamv')
BOATS = {**dict.fromkeys(PAIRS, ('left', 'right')), 'kayak': ('outboard',), 'lutra_airboat': ('fan',),
         'lutra_rudder': ('fwd',), 'lutra_rudder_t200': ('screw',), 'lutra_sail': (),
         'strider': ('screw',), 'strider_published': ('screw',),
         'blueboat_watts_only': ('left', 'right'),
         'milliampere': ('bow_port', 'bow_starboard', 'stern_starboard', 'stern_port')}
THRUSTER = '{name: a, x: 0.0, y: 0.1, min_thrust: -1.0, max_thrust: 2.0}'


@pytest.fixture
def boat_file(tmp_path):
    """Return a function that writes a boat file over lutra_prop and returns its path."""
    def write(text: str) -> Path:
        path = tmp_path / 'mine.yaml'
        path.write_text(f'base: lutra_prop\n{text}\n')
        return path
    return write


def bare_numbers(node, key='', in_quantity=False):
    """Yield the keys of all numbers that stand without their unit and source; a map and a table have one source."""
    if isinstance(node, dict):
        for table, source in (('map', 'source'), ('table', 'source'), ('rates', 'source'), ('directions_deg', 'source'),
                              ('periods', 'source'), ('coefficients', 'source'), ('std', 'source'),
                              ('power_curve', 'power_curve_source')):
            node = {name: inner for name, inner in node.items() if name != table or source not in node}
        quantity = {'value', 'unit', 'source'} <= set(node)
        for name, inner in node.items():
            yield from bare_numbers(inner, f'{key}.{name}', quantity and name == 'value')
    elif isinstance(node, list):
        for number, inner in enumerate(node):
            yield from bare_numbers(inner, f'{key}.{number}')
    elif isinstance(node, (int, float)) and not isinstance(node, bool) and not in_quantity:
        yield key


def test_the_shipped_boats():
    assert names('boats') == sorted(BOATS)
    for name, thrusters in BOATS.items():
        boat = read_boat(name)
        assert boat.name == name and boat.thruster_names == thrusters and boat.description


def test_the_ferry_s_thrusters_meet_the_bollard_pull_of_its_builders_and_the_power_of_its_logs():
    """718 rpm: 550 N of two; 0.508 n^3 + 1.03 n, as `identify electrical` finds it: 883 W of one."""
    vessel = read_boat('milliampere').vessel
    for thruster in vessel.thrusters:
        propeller = thruster.propeller
        assert np.interp(275.0, propeller.map_thrust, propeller.map_power) == pytest.approx(883.0, rel=0.01)
        assert thruster.azimuth is not None and abs(thruster.x) == 1.8 and abs(thruster.y) == 0.8


@pytest.mark.parametrize('name', BOATS)
def test_every_number_of_a_shipped_boat_has_its_unit_and_source(name):
    document = yaml.safe_load((share_folder() / 'config' / 'boats' / f'{name}.yaml').read_text())
    assert list(bare_numbers(document)) == []


def test_bare_numbers_are_found():
    document = {'a': {'value': 1.0, 'unit': 'm'}, 'b': [2, {'c': 'x'}], 'd': True}
    assert list(bare_numbers(document)) == ['.a.value', '.b.0']


def test_lutra_prop_is_the_thesis_tables():
    """Thesis, tables 5.1 to 5.3."""
    vessel = read_boat('lutra_prop').vessel
    assert vessel.inertia == Inertia(9.750, 10.364, 1.158)
    assert vessel.damping == Damping(16.296, 10.193, 4.630, 0.0, 0.0, 0.0)
    assert vessel.windage == Windage(0.08, 0.18, 0.68, 1.11, 1.184)
    port, starboard = vessel.thrusters
    assert port.y == 0.08 and starboard.y == -0.08 and port.max_thrust == starboard.max_thrust == 11.5
    assert vessel.static_load == 0.0 and vessel.losses.efficiency == 1.0 and vessel.losses.mapped == 0.0


def test_the_other_sets_change_only_what_they_name():
    lutra = read_boat('lutra_prop').vessel
    eq57, usvsim = read_boat('lutra_prop_eq57').vessel, read_boat('lutra_prop_usvsim').vessel
    assert eq57.inertia == Inertia(6.78, 1.06, 6.03)
    assert eq57.damping == Damping(16.30, 7.09, 4.63, 0.0, 0.0, 0.0)
    assert usvsim.damping == Damping(0.0, 0.0, 0.0, 11.28, 60.0, 12.0)
    assert usvsim.inertia == lutra.inertia
    for other in (eq57, usvsim):
        assert other.windage == lutra.windage and other.thrusters == lutra.thrusters


@pytest.mark.parametrize('density, m22, m33', [(997.0, 10.364, 1.158), (1025.0, 10.383, 1.159)])
def test_added_mass_of_the_tables_needs_fresh_water(density, m22, m33):
    """Thesis (5.1) to (5.3): the printed 10.364 and 1.158 come from 997 kg/m^3, not from the 1025 beside them."""
    mass, length, width, depth, span = 9.7, 1.06, 0.48, 0.02, 0.16
    cylinder = density * math.pi * depth ** 2 * length
    assert mass + 0.5 * cylinder == pytest.approx(m22, abs=0.0005)
    yaw = (mass * (length ** 2 + width ** 2) + 0.5 * (0.1 * mass * span ** 2 + cylinder * length ** 2)) / 12.0
    assert yaw == pytest.approx(m33, abs=0.0005)
    inertia = read_boat('lutra_prop').vessel.inertia
    assert inertia.m11 == mass + 0.05
    assert (inertia.m22 == pytest.approx(m22, abs=0.0005)) == (density == 997.0)


def test_damping_of_the_tables_follows_from_the_thesis_steady_states():
    """Thesis (5.4) to (5.6), to the digits printed; 7.09 of (5.7) is (5.5) done again with m11 = 6.78."""
    damping = read_boat('lutra_prop').vessel.damping
    assert pytest.approx(damping.d11, abs=0.0005) == 22.0 / 1.35
    assert pytest.approx(damping.d22, abs=0.0005) == -9.75 * 0.92 * -0.25 / 0.22
    assert pytest.approx(damping.d33, abs=0.01) == 23.0 * 0.16 / (2.0 * 0.397)     # their r_max is not printed
    assert pytest.approx(7.09, abs=0.005) == -6.78 * 0.92 * -0.25 / 0.22


def test_tilt_and_lag_and_battery(boat_file):
    boat = read_boat('lutra_prop')
    assert boat.vessel.thrusters[0].efficiency_of_tilt == pytest.approx(math.cos(math.radians(15.0)), rel=1e-15)
    # Sensors 19(5) 1068, table 2 measured 22.54 N in all; two of 11.5 N at 15 degrees make 22.2 N ahead.
    ahead = sum(thruster.max_thrust * thruster.efficiency_of_tilt for thruster in boat.vessel.thrusters)
    assert ahead == pytest.approx(22.54, rel=0.015)
    assert boat.vessel.thrusters[0].lag == 0.0 and boat.battery.capacity_wh == 148.0
    lagging = read_boat(str(boat_file('thrusters: [{name: a, x: 0, y: 0, min_thrust: 0, max_thrust: 1, lag: 0.3}]')))
    assert lagging.vessel.thrusters[0].lag == 0.3 and lagging.vessel.thrusters[0].efficiency_of_tilt == 1.0


def test_a_map_of_losses(boat_file):
    losses = read_boat(str(boat_file('losses: {map: [[-12, 40], [0, 0.5], [12, 60]], source: bench}'))).vessel.losses
    assert losses.mapped == 1.0
    np.testing.assert_array_equal(losses.map_thrust, [-12.0, 0.0, 12.0])
    np.testing.assert_array_equal(losses.map_power, [40.0, 0.5, 60.0])


def test_a_boat_may_have_no_battery():
    document = yaml.safe_load((share_folder() / 'config' / 'boats' / 'lutra_prop.yaml').read_text())
    assert values_of(document)['battery']['nominal_voltage'] == 14.8
    del document['battery']
    assert boat_from(document, Path('x.yaml')).battery is None


def test_a_battery_of_cells(boat_file):
    """The label's 15.6 Ah of four cells; as a counter, and as a pack. Without a chemistry there is no pack."""
    label = '{chemistry: nmc, series: 4, capacity_ah: 15.6, capacity_wh: null, nominal_voltage: 14.8}'
    boat = read_boat(str(boat_file(f'battery: {label}')))
    assert boat.battery.nominal_voltage == 14.8 and boat.battery.capacity_wh == pytest.approx(230.3, abs=1.0)
    assert boat.pack.series == 4.0 and boat.pack.cell.cutoff_voltage == 2.5
    assert read_boat('lutra_prop').pack is None


def test_cells_that_were_identified_stand_beside_the_boat_file(boat_file, tmp_path):
    shipped = share_folder() / 'config' / 'batteries' / 'lfp.yaml'
    (tmp_path / 'my_cell.yaml').write_text(shipped.read_text().replace('name: lfp', 'name: mine'))
    path = boat_file('battery: {chemistry: my_cell.yaml, series: 4, capacity_wh: null, nominal_voltage: null}')
    assert read_boat(str(path)).battery_sheet.cell.name == 'mine'
    with pytest.raises(InputError, match=r"my_cell\.yam"):
        read_boat(str(boat_file('battery: {chemistry: my_cell.yam, series: 4}')))


@pytest.mark.parametrize('text, parts', [
    ('inertia: {m11: {value: 9.7, unit: g}}', ['inertia.m11.unit', "'g'", "'kg'"]),
    ('static_load: {value: 1.0, unit: kW}', ['static_load.unit', "'kW'", "'W'"]),
    ('inertia: {m11: -9.7}', ['inertia.m11', '-9.7', 'greater than 0']),
    ('inertia: {m23: 3.5}', ['inertia.m23', '3.5', 'less than m22 m33']),
    ('damping: {linear: {d23: 14.0}}', ['damping.linear.d23 + d32 is 14', 'would drive the boat']),
    ('damping: {speed: {d32: 1.0}}', ['damping.speed.d23 + d32 is 1', 'would drive the boat']),
    ('inertia: {m33: 0}', ['inertia.m33', 'is 0', 'greater than 0']),
    ('inertia: {m11: "9.7"}', ['inertia.m11', "'9.7'", 'must be a number']),
    ('inertia: {m11: 1e1}', ['inertia.m11', "'1e1'", 'must be a number']),      # a text in YAML 1.1
    ('inertia: {m11: true}', ['inertia.m11', 'True', 'must be a number']),
    ('inertia: {m11: .nan}', ['inertia.m11', 'nan', 'finite']),
    ('windage: {c_x: {value: .inf, unit: "-"}}', ['windage.c_x.value', 'inf', 'finite']),
    ('inertia: {m11: {value: 9.7}}', ['inertia.m11', "'unit'", 'value, unit']),
    ('inertia:', ["lacks the key 'inertia'", 'required: ']),  # null takes a key of the base away
    ('inertia: {m_11: 9.7}', ["'m_11'", 'in inertia', "did you mean 'm11'", 'm11, m22, m23, m33']),
    ('inertai: {m11: 9.7}', ["'inertai'", "did you mean 'inertia'", 'damping']),
    ('inertia: {m11: {value: 9.7, unit: kg, sorce: me}}', ["'sorce'", 'inertia.m11', "did you mean 'source'"]),
    ('damping: {linear: {d11: -1.0}}', ['damping.linear.d11', '-1.0', 'at least 0']),
    ('losses: {efficiency: 0.0}', ['losses.efficiency', '0.0', 'greater than 0']),
    ('losses: {efficiency: 80}', ['losses.efficiency', '80', 'at most 1']),
    ('losses: {map: [[0, 0]]}', ['losses.map', 'at least 2 entries']),
    ('losses: {map: [[0, 0], [1, 2, 3]]}', ['losses.map.1', '[1, 2, 3]']),
    ('losses: {map: [[0, 0], [0, 5]]}', ['losses.map', '[0.0, 0.0]', 'must rise']),
    ('losses: {map: [[-12, 0], [12, -5]]}', ['losses.map', '[0.0, -5.0]', 'at least 0']),
    ('losses: {map: [[0, 0], [12, 5]]}', ['losses.map', '0.0 to 12.0 N', 'must cover', '-11.5 to 11.5 N']),
    ('losses: {efficiency: 0.5, map: [[-12, 9], [12, 9]]}', ['losses.efficiency', '0.5', 'must be 1 or left out']),
    ('battery: {series: 4}', ['battery.series', 'without battery.chemistry']),
    ('battery: {chemistry: nimh, series: 4}', ['nimh', 'nmc']),
    ('battery: {initial_state_of_charge: 1.5}', ['battery.initial_state_of_charge', '1.5', 'at most 1']),
    ('thrusters: []', ['thrusters', '[]', 'at least one', 'a sail']),
    (f'thrusters: [{THRUSTER}, {THRUSTER}]', ['names', 'a, a', 'once']),
    ('thrusters: [{name: a, x: 0, y: 0, min_thrust: 2.0, max_thrust: 2.0}]',
     ['thrusters.0.min_thrust', '2.0', 'less than max_thrust']),
    ('thrusters: [{name: a, x: 0, y: 0, min_thrust: 0, max_thrust: 2, tilt_deg: 90}]',
     ['thrusters.0.tilt_deg', '90', 'less than 90']),
    ('name: 3', ['name', '3', 'must be a text']),
])
def test_a_fault_is_named_with_file_key_value_and_what_is_allowed(boat_file, text, parts):
    path = boat_file(text)
    with pytest.raises(InputError) as caught:
        read_boat(str(path))
    message = str(caught.value)
    assert message.startswith(f'{path}: ')
    assert [part for part in parts if part not in message] == []


@pytest.mark.parametrize('name, hint', [('lutra_porp', "Did you mean 'lutra_prop'?"), (
    'blueboat_table', "It is called 'blueboat_watts_only' now."), ('zzz', ''), ('_thesis', '')])
def test_an_unknown_boat_lists_what_there_is(name, hint):
    with pytest.raises(InputError) as caught:
        read_boat(name)
    assert repr(name) in str(caught.value) and hint in str(caught.value)
    assert all(boat in str(caught.value) for boat in BOATS)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match=r'none\.yaml: there is no such file'):
        read_boat(str(tmp_path / 'none.yaml'))


def test_a_boat_without_cells_has_no_pack_and_no_temperature(boat_file):
    boat = read_boat(str(boat_file('battery: {chemistry: nmc, series: 4, ambient_degc: 11}')))
    assert boat.pack is not None and boat.ambient == pytest.approx(284.15)
    assert replace(boat, battery=None).pack is None and math.isnan(replace(boat, battery=None).ambient)
    assert replace(boat, battery_sheet=None).pack is None and math.isnan(read_boat('lutra_prop').ambient)


MAP = [[-60.0, 300.0], [0.0, 1.0], [60.0, 350.0]]


def over(base):
    """What identify electrical writes: a map in the place of the base's efficiency."""
    return {'base': base, 'name': 'mapped', 'losses': {'efficiency': None, 'map': MAP, 'source': 'here'}}


def takes_losses(name):
    """Return whether MAP may stand for a boat's losses: not beside propellers of its own, nor for larger thrusts."""
    thrusters = read_boat(name).vessel.thrusters
    described = bool(thrusters) and all(one.propeller is not None for one in thrusters)
    return name not in ('wamv', 'otter', 'otter_parts', 'blueboat_watts_only') and not described


@pytest.mark.parametrize('name', [name for name in names('boats') if takes_losses(name)])
def test_what_is_written_is_what_is_read(tmp_path, name):
    """An efficiency is taken away whether the base has one or, like blueboat_start, has none."""
    path = tmp_path / 'mapped.yaml'
    boat = write_boat(over(name), path, 'Written by a test.')
    assert path.read_text().startswith('# Written by a test.\nbase: ')
    again = read_boat(str(path))
    assert again.vessel.losses.map_power.tolist() == boat.vessel.losses.map_power.tolist() == [300.0, 1.0, 350.0]
    assert again.vessel.inertia == read_boat(name).vessel.inertia and again.path == path


def test_a_whole_document_comes_back_number_for_number(tmp_path):
    document = read_with_base('boats', read_boat('wamv').path)
    write_boat(document, tmp_path / 'copy.yaml')
    assert read_with_base('boats', tmp_path / 'copy.yaml') == document


def test_a_base_is_found_beside_the_file(tmp_path, monkeypatch):
    write_boat(over('lutra_prop'), tmp_path / 'below.yaml')
    monkeypatch.chdir('/')
    assert write_boat({'base': 'below', 'name': 'second'}, tmp_path / 'above.yaml').vessel.losses.mapped == 1.0


@pytest.mark.parametrize('document, words', [
    ({'base': 'lutra_prop', 'static_load': -1.0}, r'mine\.yaml: static_load is -1\.0; must be at least 0'),
    ({'base': 'lutra_prop', 'inertia': {'m23': 99.0}}, r'mine\.yaml: inertia\.m23'),
    ({'base': 'wamv', 'losses': {'efficiency': None, 'map': MAP}}, 'must cover the thrusters'),
    ({'base': 'mine', 'name': 'x'}, "base is 'mine'"), ({'base': 'none'}, "no boat named 'none'"),
    ({'name': 'x'}, "lacks the key 'inertia'")])
@pytest.mark.parametrize('before', [None, '# what was there\n'])
def test_no_file_is_left_that_could_not_be_read(tmp_path, document, words, before):
    path = tmp_path / 'mine.yaml'
    if before is not None:
        path.write_text(before)
    with pytest.raises(InputError, match=words):
        write_boat(document, path)
    assert [one.name for one in tmp_path.iterdir()] == ([] if before is None else ['mine.yaml'])
    assert before is None or path.read_text() == before


def test_a_boat_that_would_be_its_own_base_is_refused(tmp_path):
    """identify electrical --boat b.yaml --out b.yaml: the base must stay as it is."""
    path = tmp_path / 'b.yaml'
    write_boat(over('lutra_prop'), path)
    text = path.read_text()
    with pytest.raises(InputError, match='name each other in a circle'):
        write_boat(over(str(path)), path)
    assert path.read_text() == text


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(InputError, match=r'b\.yaml: there is no folder .*none$'):
        write_boat(over('lutra_prop'), tmp_path / 'none' / 'b.yaml')
    assert not list(tmp_path.iterdir())


RUDDER = {'name': 'rudder', 'x': -0.5, 'y': 0.0, 'area': 0.005, 'density': 997.0, 'lift': 1.5, 'drag': 1.0,
          'steer': {'min_angle_deg': -35.0, 'max_angle_deg': 30.0, 'rate_deg': 60.0}}


@pytest.fixture
def boat_with(tmp_path):
    """Return a function that reads lutra_prop with a rudder, changed: None takes a key away."""
    def read(**changes):
        foil = {key: value for key, value in {**RUDDER, **changes}.items() if value is not None}
        path = tmp_path / 'boat.yaml'
        path.write_text(yaml.safe_dump({'base': 'lutra_prop', 'name': 'with_rudder', 'foils': [foil]}))
        return read_boat(str(path))
    return read


def test_a_rudder_is_read_in_radians(boat_with):
    boat = boat_with(wash={'thruster': 'right', 'share': 0.5, 'gain': 0.9, 'diameter': 0.08})
    foil, = boat.vessel.foils
    assert foil[:8] == (-0.5, 0.0, 0.005, 997.0, 1.5, 1.0, 0.0, 0.0)
    assert foil.steer == pytest.approx(Steer(math.radians(-35.0), math.radians(30.0), math.radians(60.0)))
    assert foil.wash == Wash((0.0, 1.0), 0.5, 0.9, 0.08) and foil.in_air is None
    keel, = boat_with(steer=None, medium='air', lift=None, drag=None, aspect=2.0).vessel.foils
    assert keel.steer is None and keel.in_air == 1.0 and keel[4:6] == coefficients_of_aspect(2.0)


@pytest.mark.parametrize('changes, parts', [
    ({'area': None}, ['foils', 'area', 'required']),
    ({'area': 0.0}, ['foils.0.area', '0', 'greater than 0']),
    ({'density': -1.0}, ['foils.0.density', '-1']),
    ({'medium': 'sand'}, ['foils.0.medium', 'sand', 'water', 'air']),
    ({'lift': None, 'drag': None}, ['foils.0', 'no curve', 'aspect, or table']),
    ({'aspect': 2.0}, ['foils.0', 'aspect and lift']),
    ({'lift': None, 'drag': None, 'table': [[0, 0, 0.1], [60, 1, 1]]}, ['foils.0.table', '60', 'to 90 or to 180']),
    ({'steer': {'min_angle_deg': 10.0, 'max_angle_deg': -10.0, 'rate_deg': 5.0}},
     ['foils.0.steer.min_angle_deg is 10', 'less than max_angle_deg, -10']),
    ({'steer': {'min_angle_deg': -10.0, 'max_angle_deg': 10.0, 'rate_deg': 0.0}}, ['foils.0.steer.rate_deg', '0']),
    ({'steer': {'min_angle_deg': -10.0}}, ['foils.0.steer', 'max_angle_deg']),
    ({'wash': {'thruster': 'bow', 'share': 0.5, 'gain': 0.9, 'diameter': 0.08}},
     ['foils.0.wash.thruster', 'bow', 'left, right']),
    ({'medium': 'air', 'wash': {'thruster': 'left', 'share': 0.5, 'gain': 0.9, 'diameter': 0.08}},
     ['foils.0.wash.thruster', 'one in water', 'one in air']),
    ({'lifft': 1.0}, ['foils.0', 'lifft'])])
def test_a_fault_of_a_foil_is_named(boat_with, changes, parts):
    with pytest.raises(InputError) as caught:
        boat_with(**changes)
    assert [part for part in parts if part not in str(caught.value)] == [], caught.value


def test_boats(tmp_path, fuzz_seeds):
    assert_survives(read_boat, sorted((ROOT / 'config/boats').glob('*.yaml')), tmp_path, fuzz_seeds)
