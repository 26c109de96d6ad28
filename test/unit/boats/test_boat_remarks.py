import subprocess
import sys

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.boat_remarks import (
    ASSUMED,
    CAUTION,
    CORRECTED,
    LACKS,
    _first_of,
    caution_figures,
    lacks_for_range,
    remarks_of,
)
from usv_energy.files.errors import Caution

MAP = 'map: [[-11.5, 90], [0, 0], [11.5, 60]]'
PAIR = ('thrusters: [{{name: left, x: -0.4, y: 0.08, min_thrust: -5, max_thrust: 5{0}}}, '
        '{{name: right, x: -0.4, y: -0.08, min_thrust: -5, max_thrust: 5{0}}}]')
WHOLE = """
static_load: {value: 5, unit: W, source: measured, std: 0.1}
damping: {linear: {d11: 5.0}, quadratic: {d11: 8.0}}
battery: {capacity_wh: {value: 100, unit: Wh, source: label}, nominal_voltage: {value: 14.8, unit: V, source: label},
          initial_state_of_charge: {value: 1, unit: "-", source: charged}}
"""


@pytest.fixture
def remarks(tmp_path):
    """Return a function from a text over lutra_prop to what is remarked, by key."""
    def made(text):
        path = tmp_path / 'mine.yaml'
        path.write_text(f'base: lutra_prop\nname: mine\n{text}\n')
        return {remark.key: remark for remark in remarks_of(read_boat(str(path)))}
    return made


@pytest.mark.parametrize('text, kind, key, words', [
    ('battery: null', LACKS, 'battery', 'neither range nor endurance'),
    ('hull: {length: null}', LACKS, 'hull.length', 'whether actuators lie on it cannot be checked'),
    ('hull: {height: null}', LACKS, 'windage.height', 'no height of windage'),
    ('windage: {frontal_area: 0.0}', LACKS, 'windage.frontal_area', 'wind costs nothing'),
    ('', LACKS, 'static_load', 'no hotel load'),
    ('', LACKS, 'std', 'no bands'),
    ('damping: {linear: {d22: 0.0}}', LACKS, 'damping.linear.d22', 'nothing stops a drift'),
    ('damping: {linear: {d33: 0.0}}', LACKS, 'damping.linear.d33', 'nothing stops a turn'),
    ('thrusters: [{name: a, x: 0, y: 0, min_thrust: 0, max_thrust: 1}]', LACKS, 'thrusters', 'nothing to steer with'),
    ('inertia: {m11: 9.7}', LACKS, 'source', 'numbers have no source: inertia.m11'),
    ('', ASSUMED, 'damping.linear.d11', 'drag ahead is linear'),
    ('', ASSUMED, 'losses.efficiency', 'no losses'),
    ('losses: {efficiency: 0.5}', ASSUMED, 'losses.efficiency', 'one efficiency for all thrusts and speeds'),
    (f'losses: {{efficiency: null, {MAP}}}', ASSUMED, 'losses.map', 'under way are taken as at standstill'),
    ('', ASSUMED, 'battery.capacity_wh', '148 Wh: assumed'),
    (PAIR.format(f', propeller: {{{MAP}}}'), CORRECTED, 'thrusters.0.propeller',
     'left, right: thrust and power under way are taken as at standstill'),
    (PAIR.format(f', propeller: {{{MAP}, inflow: {{coefficient: 1.5, torque_ratio: 0.9}}}}'), CORRECTED,
     'thrusters.0.propeller', 'follow from those at standstill by c = 1.5, g = 0.9'),
    ('foils: [{name: r, x: -0.4, y: 0, area: 0.01, density: 997, aspect: 1.5}]', CORRECTED, 'foils.0.aspect',
     'by Whicker and Fehlner'),
    ('foils: [{name: r, x: -0.4, y: 0, area: 0.01, density: 997, lift: 1.5, '
     'steer: {min_angle_deg: -35, max_angle_deg: 35, rate_deg: 20}}]', ASSUMED, 'foils.0.wash', 'no slipstream')])
def test_what_is_missing_assumed_or_corrected_is_said(remarks, text, kind, key, words):
    found = remarks(text)[key]
    assert found.kind == kind and words in found.text


@pytest.mark.parametrize('command', [['range', '--no-band', '--boat'], ['run', '5', '--boat'], ['boat', 'check']])
def test_what_a_file_is_not_for_is_said_once_by_whatever_reads_it_and_stands_in_its_json(tmp_path, command):
    path = tmp_path / 'mine.yaml'
    path.write_text('base: lutra_prop\nname: mine\ncaution: for a test, not for energies\n')
    with pytest.warns(Caution, match='^mine: for a test, not for energies$'):
        boat = read_boat(str(path))
    assert remarks_of(boat)[0] == (CAUTION, 'caution', 'for a test, not for energies')
    done = subprocess.run([sys.executable, '-P', '-m', 'usv_energy.cli.main', *command, str(path), '--json',
                           str(tmp_path / 'told.json')], capture_output=True, text=True, check=True)
    assert (done.stdout + done.stderr).count('for a test, not for energies\n') == 1
    assert (tmp_path / 'told.json').read_text().count('for a test, not for energies') == 1
    assert caution_figures(boat, read_boat('lutra_prop'), boat) == {'caution': 'for a test, not for energies'}
    assert caution_figures(read_boat('lutra_prop')) == {}


def test_a_boat_that_only_sails_has_no_range_under_power_and_is_told_so_plainly():
    found = {remark.key: remark for remark in remarks_of(read_boat('lutra_sail')) if remark.kind == LACKS}
    assert 'usv-energy range, which is of a boat under power, refuses the boat' in found['thrusters'].text
    assert not {'battery', 'static_load'} & set(found)


def test_what_is_given_is_not_missed(remarks):
    found = remarks(WHOLE + 'losses: null\n' + PAIR.format(', propeller: {table: {thrusts: [-5, 0, 5], speeds: [0, 2], '
                                                          'powers: [[20, 0, 20], [25, 0, 25]]}}'))
    missed = {'battery', 'static_load', 'std', 'damping.linear.d11', 'losses.efficiency', 'losses.map', 'thrusters',
              'thrusters.*.propeller',
              'battery.capacity_wh', 'thrusters.0.propeller', 'hull.length', 'windage.height'}
    assert missed.isdisjoint(found)


def test_what_is_taken_of_loads_where_there_is_no_mission_is_said(remarks):
    found = remarks('loads: [{name: sonar, power: 35.0, legs: [survey]}, '
                    '{name: modem, power: 8.0, topic: {name: modem/on, type: bool, unheard: 0.25}}]')
    assert found['loads.0.legs'].text.startswith('sonar is on by leg: off')
    assert found['loads.1.topic'].text.startswith('modem takes 25 % where modem/on is not heard')
    assert 'static_load' not in found and 'static_load' in remarks('')


@pytest.mark.parametrize('text, missed', [
    ('', {'battery', 'windage.frontal_area', 'static_load', 'power_curve_source'}),
    ('windage: {frontal_area: 0.5, c_x: 0.0, air_density: 1.2}',
     {'battery', 'windage.frontal_area', 'static_load', 'power_curve_source'}),
    ('windage: {frontal_area: 0.5, c_x: 0.8, air_density: 1.2}\nstatic_load: 2\npower_curve_source: a trial',
     {'battery'}),
    ('loads: [{name: sonar, power: 35.0, legs: [survey]}]',
     {'battery', 'windage.frontal_area', 'power_curve_source'})])
def test_what_a_boat_that_is_known_by_its_power_lacks(tmp_path, text, missed):
    path = tmp_path / 'table.yaml'
    path.write_text(f'name: table\npower_curve: [[1, 50], [2, 90], [3, 200]]\n{text}\n')
    found = {remark.key: remark for remark in remarks_of(read_boat(str(path)))}
    assert {key for key, remark in found.items() if remark.kind == LACKS} == missed | {'power_curve'}
    assert ('losses.efficiency' in found) == ('windage.frontal_area' not in missed)
    assert 'losses.efficiency' not in found or 'at 3 m/s' in found['losses.efficiency'].text


def test_a_keel_and_a_rudder_in_the_slipstream_are_not_missed_there_and_air_without_drag_is(remarks):
    foil = 'x: -0.4, y: 0, area: 0.01, density: 997, lift: 1.5'
    steer = 'steer: {min_angle_deg: -35, max_angle_deg: 35, rate_deg: 20}'
    found = remarks(f'foils: [{{name: keel, {foil}}}, {{name: rudder, {foil}, {steer}, '
                    'wash: {thruster: left, share: 1, gain: 1, diameter: 0.1}}]\nwindage: {frontal_area: 0.5, c_x: 0}')
    assert {'foils.0.wash', 'foils.1.wash'}.isdisjoint(found) and 'windage.frontal_area' in found
    assert _first_of(['a', 'b', 'c', 'd']) == 'a, b, c, d' and _first_of([*'abcde']) == 'a, b, c, d ...'


@pytest.mark.parametrize(('name', 'said'), [
    ('wamv', "Missing in the file of wamv: a battery, the motors' losses and a hotel load: in truth the boat takes "
             'more, and gets less far.'),
    ('milliampere', 'Missing in the file of milliampere: a battery.'),
    ('lutra_prop', "Missing in the file of lutra_prop: the motors' losses and a hotel load: in truth the boat takes "
                   'more, and gets less far.'),
    ('blueboat', ''), ('otter', '')])
def test_one_line_says_what_a_range_lacks(name, said):
    assert lacks_for_range(read_boat(name)) == said
