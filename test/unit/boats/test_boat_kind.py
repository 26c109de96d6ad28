import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.checks import kind_of

LIMITS = 'min_thrust: -5, max_thrust: 5'
TURNS = 'azimuth: {min_angle_deg: -180, max_angle_deg: 180, rate_deg: 60}'
STEER = 'steer: {min_angle_deg: -35, max_angle_deg: 35, rate_deg: 20}'
SCREW = f'{{name: screw, x: -0.4, y: 0, {LIMITS}}}'
RUDDER = f'{{name: rudder, x: -0.4, y: 0, area: 0.01, density: 997, lift: 1.5, {STEER}}}'
KEEL = '{name: keel, x: 0, y: 0, area: 0.01, density: 997, lift: 1.5}'
SAIL = f'{{name: sail, x: 0, y: 0, area: 1.0, density: 1.2, lift: 1.5, medium: air, {STEER}}}'


@pytest.mark.parametrize('text, words', [
    ('', 'two fixed thrusters side by side; it steers by the difference of its thrusts'),
    (f'thrusters: [{SCREW}]\nfoils: [{RUDDER}]', '1 fixed thruster, 1 rudder; it steers by rudder'),
    (f'thrusters: [{SCREW}]\nfoils: [{RUDDER}, {KEEL}, {SAIL}]',
     '1 fixed thruster, 1 rudder, 1 keel or skeg, 1 sail; it steers by rudder'),
    (f'thrusters: [{SCREW}]', '1 fixed thruster; it steers by nothing: it cannot turn'),
    (f'thrusters: [{SCREW}]\nfoils: [{KEEL}]',
     '1 fixed thruster, 1 keel or skeg; it steers by nothing: it cannot turn'),
    (f'thrusters: [{SCREW}, {{name: aft, x: -0.6, y: 0, {LIMITS}}}]',
     '2 fixed thrusters; it steers by nothing: it cannot turn'),
    (f'thrusters: [{{name: fan, x: -0.4, y: 0, medium: air, {LIMITS}, {TURNS}}}]',
     '1 turning fan; it steers by turning its thrust'),
    (f'thrusters: [{{name: a, x: 0.4, y: 0, {LIMITS}, {TURNS}}}, {{name: b, x: -0.4, y: 0, {LIMITS}, {TURNS}}}]',
     '2 turning thrusters; it steers by turning its thrust and can go sideways'),
    (f'thrusters: [{SCREW}, {{name: bow, x: 0.4, y: 0, angle_deg: 90, {LIMITS}}}]',
     '1 fixed thruster, 1 sideways or slanted thruster; it steers by the difference of its thrusts')])
def test_a_boat_is_called_what_it_is(tmp_path, text, words):
    path = tmp_path / 'mine.yaml'
    path.write_text(f'base: lutra_prop\nname: mine\n{text}\n')
    assert kind_of(read_boat(str(path)).vessel) == words
