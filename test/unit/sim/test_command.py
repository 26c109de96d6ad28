import math

import pytest

from usv_energy.boats.boat_file import boat_from, read_boat
from usv_energy.files.checked import read_with_base
from usv_energy.powering.actuators import Setting
from usv_energy.sim.actuator_states import Command, command_of_setting, setting_of_command, turning_names

LUTRA = read_boat('lutra_prop')


@pytest.fixture
def steered():
    """Return a boat with a fixed and a turning thruster, a keel and a rudder."""
    document = read_with_base('boats', LUTRA.path)
    turns = {'min_angle_deg': -30.0, 'max_angle_deg': 30.0, 'rate_deg': 60.0}
    document['thrusters'][1]['azimuth'] = turns
    foil = {'x': -0.5, 'y': 0.0, 'area': 0.01, 'density': 1000.0, 'lift': 1.5, 'drag': 1.0}
    document['foils'] = [{'name': 'keel', **foil}, {'name': 'rudder', **foil, 'steer': turns}]
    return boat_from(document, LUTRA.path)


def test_a_setting_travels_by_names_and_back(steered):
    setting = Setting((3.0, -1.0), (None, 0.2), (None, -0.3))
    command = command_of_setting(setting, steered)
    assert turning_names(steered) == ['right', 'rudder'] and command.names == ('left', 'right', 'rudder')
    assert command.efforts[:2] == (3.0, -1.0) and command.positions[1:] == (0.2, -0.3)
    assert math.isnan(command.efforts[2]) and math.isnan(command.positions[0])
    assert setting_of_command(command, steered) == setting
    turned_round = Command(*(tuple(reversed(part)) for part in command))
    assert setting_of_command(turned_round, steered) == setting


def test_a_pair_needs_thrusts_alone():
    assert setting_of_command(Command(('right', 'left'), (1.0, 2.0), (math.nan, math.nan)), LUTRA) == Setting(
        (2.0, 1.0), (None, None), ())


@pytest.mark.parametrize('change', [
    {'efforts': (math.nan, 1.0, 0.0)}, {'positions': (0.0, math.inf, 0.1)}, {'positions': (0.0, 0.1, math.nan)},
    {'names': ('left', 'right', 'keel')}])
def test_what_is_missing_makes_no_setting(steered, change):
    whole = Command(('left', 'right', 'rudder'), (1.0, 1.0, math.nan), (math.nan, 0.1, 0.1))
    assert setting_of_command(whole, steered) is not None
    assert setting_of_command(whole._replace(**change), steered) is None
