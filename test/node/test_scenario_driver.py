"""The scenario's driver: what it asks of thrusters and of what turns goes out on the topics of their own names."""

import math
from itertools import count

import pytest
import yaml
from harness import hear
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64

from usv_energy.boats.boat_file import read_boat
from usv_energy.nodes.scenario_driver import ScenarioDriver
from usv_energy.sim.actuator_states import turning_names


@pytest.mark.parametrize('boat', ['lutra_rudder', 'lutra_airboat', 'lutra_sail'])
def test_every_actuator_is_told_its_own_command(graph, attach, tmp_path, boat):
    """A foil that turns has no thrust: the NaN of its effort once went out as the angle of the rudder."""
    path = tmp_path / 'turn.yaml'
    path.write_text(yaml.safe_dump({'base': '1', 'boat': boat, 'published': None,
                                    'waypoints': [{'x': 240.0, 'y': 125.0}], 'simulation': {'step': 0.001}}))
    one = graph()
    attach(one.composition, ScenarioDriver, scenario=str(path))
    stamped = hear(one, JointState, 'thruster_command')
    thrusts = {name: hear(one, Float64, f'cmd_thrust/{name}') for name in read_boat(boat).thruster_names}
    angles = {name: hear(one, Float64, f'cmd_angle/{name}') for name in turning_names(read_boat(boat))}
    stamps = count()

    def heard():
        one.say(0.02 * next(stamps), u=0.6, x=240.0, y=95.0)
        return stamped and all([*thrusts.values(), *angles.values()])

    one.until(heard)
    for said, asked in ((thrusts, 'effort'), (angles, 'position')):
        for name, messages in said.items():
            known = [getattr(command, asked)[command.name.index(name)] for command in stamped]
            assert all(math.isfinite(message.data) and message.data in known for message in messages)
