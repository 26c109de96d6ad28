"""Bad boat files: each fault is refused by name, with file, key, value and what is allowed."""

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.boat_values import checked_boat_with
from usv_energy.boats.checks import REACH
from usv_energy.files.errors import InputError

HULL = 'hull: {length: 1.0, width: 0.4}'
BACK = 'x: -0.4, y: 0'
SCREW = f'name: screw, {BACK}, min_thrust: -5, max_thrust: 9'
RUDDER = f'name: rudder, {BACK}, area: 0.01, density: 997, aspect: 1.5'
STEER = 'steer: {min_angle_deg: -35, max_angle_deg: 35, rate_deg: 20}'
KT = 'diameter: 0.1, rpm_limits: [-1000, 2000], efficiency: 0.6, kq: [0.03, 0.02, 0.01]'


def thruster(more):
    return f'thrusters: [{{{SCREW}, {more}}}]'


def foil(more, entry=RUDDER):
    return f'foils: [{{{entry}, {more}}}]'


@pytest.fixture
def boat_file(tmp_path):
    """Return a function that writes a boat file over lutra_prop, and returns its path as a text."""
    def write(text):
        path = tmp_path / 'mine.yaml'
        path.write_text(f'base: lutra_prop\n{text}\n')
        return str(path)
    return write


@pytest.mark.parametrize('text, words', [
    # Outside the hull.
    (f'{HULL}\nthrusters: [{{name: a, x: -40.5, y: 0, min_thrust: -5, max_thrust: 9}}]',
     'thrusters.0.x is -40.5 m, outside the hull; must be from -0.75 to 0.75 m, 0.75 times hull.length, 1 m'),
    (f'{HULL}\nthrusters: [{{{SCREW}}}, {{name: b, x: 0, y: 0.31, min_thrust: 0, max_thrust: 1}}]',
     'thrusters.1.y is 0.31 m, outside the hull; must be from -0.3 to 0.3 m, 0.75 times hull.width, 0.4 m'),
    (f'{HULL}\nfoils: [{{name: r, x: -4, y: 0, area: 0.01, density: 997, lift: 1.5}}]',
     'foils.0.x is -4 m, outside the hull; must be from -0.75 to 0.75 m'),
    ('hull: {length: 1.0, width: 0.4, payload: 2, payload_y: 0.5}', 'hull.payload_y is 0.5 m, outside the hull'),
    # Foils.
    ('foils: [{name: r, x: 0, y: 0, density: 997, lift: 1.5}]', "foils.0 lacks the key 'area'"),
    ('foils: [{name: r, x: 0, y: 0, area: 0, density: 997, lift: 1.5}]', 'foils.0.area is 0; must be greater than 0'),
    (f'foils: [{{{RUDDER}}}, {{{RUDDER}}}]', 'foils have the names rudder, rudder; each name must stand once'),
    (foil('medium: watre'), "foils.0.medium is 'watre' (a text); must be one of water, air"),
    (foil(STEER.replace('-35', '40')), 'foils.0.steer.min_angle_deg is 40; must be less than max_angle_deg, 35'),
    (foil('steer: {min_angle_deg: -35, max_angle_deg: 35}'), "foils.0.steer lacks the key 'rate_deg'"),
    (foil('wash: {thruster: screw, share: 1, gain: 1, diameter: 0.1}'),
     "foils.0.wash.thruster is 'screw'; must be one of left, right"),
    (foil('medium: air, wash: {thruster: left, share: 1, gain: 1, diameter: 0.1}'),
     'foils.0.wash.thruster is one in water; must be one in air, in which the foil stands'),
    ('foils: [{name: r, x: 0, y: 0, area: 0.1, density: 997}]', 'foils.0: has no curve; must have lift and drag, or'),
    # Thrusters.
    (f'thrusters: [{{name: a, {BACK}, min_thrust: 3, max_thrust: 2}}]',
     'thrusters.0.min_thrust is 3.0; must be less than max_thrust, 2.0'),
    (thruster('medium: vacuum'), "thrusters.0.medium is 'vacuum' (a text); must be one of water, air"),
    (thruster('azimuth: {min_angle_deg: -30, max_angle_deg: 30}'), "thrusters.0.azimuth lacks the key 'rate_deg'"),
    (thruster('azimuth: {min_angle_deg: 30, max_angle_deg: -30, rate_deg: 60}'),
     'thrusters.0.azimuth.min_angle_deg is 30; must be less than max_angle_deg, -30'),
    (thruster('angle_deg: 90, azimuth: {min_angle_deg: -30, max_angle_deg: 30, rate_deg: 60}'),
     'thrusters.0.angle_deg is 90 beside azimuth; must be left out'),
    # Propellers.
    (thruster(f'propeller: {{{KT}, advance: [0, 0.4, 0.4], kt: [0.3, 0.1, -0.1]}}'),
     'thrusters.0.propeller: advance is no function of J: [0.0, 0.4, 0.4]; they must rise'),
    (thruster(f'propeller: {{{KT}, advance: [0, 0.4, 0.8], kt: [0.3, 0.3, -0.1]}}'),
     'thrusters.0.propeller.kt is [0.3, 0.3, -0.1]; must begin above 0 and fall'),
    (thruster(f'propeller: {{{KT}, advance: [0, 0.4], kt: [0.3, 0.1]}}'),
     'thrusters.0.propeller.kq has 3 numbers; must be as many as advance, 2'),
    (thruster('propeller: {map: [[-5, 20], [0, 0], [9, 40]]}') + '\nlosses: {efficiency: null, map: [[-9, 9], [9, 9]]}',
     'losses.map is [[-9, 9], [9, 9]], but each thruster has a propeller with a power of its own; must be left out'),
])
def test_a_bad_boat_file_is_refused_by_name(boat_file, text, words):
    path = boat_file(text)
    with pytest.raises(InputError) as caught:
        read_boat(path)
    assert str(caught.value).startswith(f'{path}: {words}')


def test_an_actuator_at_the_border_is_good_and_one_of_an_unknown_hull_anywhere(boat_file):
    border = f'{{name: a, x: {-REACH}, y: {REACH * 0.4}, min_thrust: 0, max_thrust: 1}}'
    assert read_boat(boat_file(f'{HULL}\nthrusters: [{border}]')).vessel.thrusters[0].x == -REACH
    unknown = 'hull: null\nthrusters: [{name: a, x: -40, y: 20, min_thrust: 0, max_thrust: 1}]'
    assert read_boat(boat_file(unknown)).vessel.thrusters[0].y == 20.0


def test_a_number_that_moves_a_thruster_out_of_the_hull_is_refused_too():
    lutra = read_boat('lutra_prop')
    assert checked_boat_with(lutra, {'thrusters.0.y': 0.3}).vessel.thrusters[0].y == 0.3
    with pytest.raises(InputError, match=r'thrusters\.0\.y is 0\.5 m, outside the hull'):
        checked_boat_with(lutra, {'thrusters.0.y': 0.5})


def test_a_map_serves_the_thrusters_without_a_propeller(boat_file):
    """Beside one thruster with a propeller there is another without: the map is read for that."""
    text = (f'thrusters: [{{{SCREW}, propeller: {{map: [[-5, 20], [0, 0], [9, 40]]}}}}, '
            '{name: bow, x: 0.4, y: 0, min_thrust: -2, max_thrust: 2, angle_deg: 90}]\n'
            'losses: {efficiency: null, map: [[-3, 9], [3, 9]]}')
    assert read_boat(boat_file(text)).vessel.losses.mapped == 1.0
