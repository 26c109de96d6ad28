"""
A flight from the boat's deck and back in Gazebo, and by the embedded simulators: for tests and the table of docs.

python3 test/gazebo/quadcopter_flight.py    # prints the table; needs what test_gazebo_flight.py needs
"""

import json
import math
import os
import tempfile
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from unittest.mock import patch

import yaml
from launched_gazebo import Launched

from usv_energy.air.flight import flight_summary
from usv_energy.air.team_plan import read_team
from usv_energy.air.team_run import run_team

TAKE_OFF, LAND = 4.0, 14.0  # s
FLOWN = ('take-off', 'follow', 'approach', 'landing')
_EACH = 0.25 * 0.429 * 9.81  # N: AR.Drone 2.0, a rotor; discs of 0.1 m, figure of merit 0.55, efficiency 0.56, 5 W.
HOVER = 4.0 * _EACH * math.sqrt(_EACH / (2.0 * 1.225 * math.pi * 0.01)) / (0.55 * 0.56) + 5.0
CASES = {'still': {'speed': 0.02}, 'at 1 m/s': {'speed': 1.0},
         'at 1 m/s, wind 3 m/s, current 0.3 m/s': {'speed': 1.0, 'wind': {'speed': 3.0, 'direction_deg': 75.0},
                                                   'current': {'speed': 0.3, 'direction_deg': -15.0}}}


def scenario(folder, speed, **more):
    """Write a scenario in which the differential boat goes straight ahead at a speed, m/s, for 20 s and more."""
    path = folder / 'straight.yaml'
    path.write_text(yaml.safe_dump({
        'base': '1', 'published': None, 'title': 'straight ahead', 'start': {'x': 0.0, 'y': 0.0, 'heading_deg': 30.0},
        'waypoints': [{'x': 22.0 * math.cos(math.radians(30.0)), 'y': 22.0 * math.sin(math.radians(30.0))}],
        'speed': {'mode': 'over_ground', 'target': speed}, 'stop': {'radius': 1.0, 'timeout': 24.0}, **more}))
    return path


def embedded(folder, path, ground_effect=True):
    """
    Return what the embedded simulators make of it, with the controller of which Gazebo's is one.

    :param ground_effect: Gazebo's rotors have none.
    """
    team = folder / 'team.yaml'
    team.write_text(yaml.safe_dump({
        'title': 'beside Gazebo', 'scenario': str(path), 'quadcopter': 'ar_drone', 'controller': 'inverse_kinematics',
        'gusts': 0.0, 'flight': {'take_off': TAKE_OFF, 'height': 3.0, 'land': LAND}}))
    with ExitStack() as undo:
        for place in () if ground_effect else ('quadcopter', 'flight_control'):
            undo.enter_context(patch(f'usv_energy.air.{place}.ground_gain', lambda above, radius: 1.0))
        return flight_summary(run_team(read_team(str(team))).crafts[0].flight)


def in_gazebo(launched, folder, path):
    """Return the same of Gazebo, and the powers and stages that were told, with the places of boat and quadcopter."""
    from graph_listener import listening
    from nav_msgs.msg import Odometry
    from std_msgs.msg import Float64
    with listening(power=(Float64, '/quadcopter/power'), odom=(Odometry, '/quadcopter/gazebo/odom'),
                   boat=(Odometry, '/diffboat/odom')) as topics:
        code, said = launched(scenario=path, quadcopter='ar_drone', take_off=TAKE_OFF, land=LAND).result()
    summary = folder / 'out/quadcopter.json'
    assert summary.is_file(), said
    return json.loads(summary.read_text()), topics, code, said


def mean_of_hover(powers):
    """Return the mean power, W, of the last seconds before it is to land; one message each 0.02 s."""
    told = [msg.data for msg in powers][round(50 * (LAND - 4.0)):round(50 * (LAND - 0.5))]
    assert len(told) == 175
    return sum(told) / len(told)


def main():
    """Print Gazebo, the embedded simulator without ground effect, the embedded simulator."""
    os.environ.setdefault('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
    for name, given in CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            path = scenario(folder, **given)
            plain, expected = (embedded(folder, path, which) for which in (True, False))
            found, topics, _, _ = in_gazebo(partial(Launched, folder, None), folder, path)
            print(f'\n{name}: hovering {mean_of_hover(topics["power"]):.2f} W, closed form {HOVER:.2f} W')
            for stage in FLOWN:
                shown = ', '.join(f'{which["duration_s"][stage]:.2f} s {which["energy_j"][stage]:.1f} J'
                                  for which in (found, expected, plain))
                share = 100.0 * (found['energy_j'][stage] / expected['energy_j'][stage] - 1.0)
                print(f'{stage}: {shown}; {share:+.1f} %')
            print('landing', *(which['landing'] for which in (found, expected, plain)))


if __name__ == '__main__':
    main()
