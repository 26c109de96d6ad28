"""A quadcopter in gazebo.launch.py: from the arguments to its model, its place on the boat's deck and its pilot."""

import math
from pathlib import Path
from typing import Any, NamedTuple

from launch_ros.actions import Node

from ..air.quadcopter import Quadcopter, Vector
from ..air.quadcopter_file import read_quadcopter
from ..files.errors import InputError
from ..files.whole_file import write_text
from ..gazebo.bridge import BridgedQuadcopter
from ..gazebo.quadcopter_model import quadcopter_text
from ..physics.frames import to_earth
from .launch_arguments import Arguments

NAME = 'quadcopter'
ANSWERED = 'gazebo/quadcopter'  # Below the boat's namespace: the pacer awaits it as it does the boat's own answers.
SUMMARY = 'quadcopter.json'


class LaunchedQuadcopter(NamedTuple):
    """
    A quadcopter of the launch, on the deck of a boat.

    `path` of its file; `boat`: that one's name; `pad`: where its middle stands, ahead, to port, up of the boat's point,
    m; `take_off` and `land`, s after the first odometry, 0: by the services; `out`: a folder, empty: none.
    """

    craft: Quadcopter
    path: str
    boat: str
    pad: Vector
    take_off: float
    land: float
    out: str

    @property
    def bridged(self) -> BridgedQuadcopter:
        """What the bridge carries of it."""
        return BridgedQuadcopter(f'/{NAME}', NAME)


def launched_quadcopter(arguments: Arguments, boat: str, out: str) -> LaunchedQuadcopter | None:
    """
    Return the quadcopter that the arguments ask for; None: none.

    :param boat: The name of the boat on whose deck it stands.
    :param out: Folder of results; empty: none.
    :raises InputError: For a wrong argument.
    """
    name = arguments['quadcopter']
    if not name:
        return None
    craft = read_quadcopter(name)
    pad = _numbers(arguments, 'pad')
    if len(pad) != 3:
        raise InputError(f'argument pad is {arguments["pad"]!r}; must be three numbers: m ahead, to port, up')
    times = [_numbers(arguments, which) for which in ('take_off', 'land')]
    if any(len(one) != 1 or one[0] < 0.0 for one in times) or 0.0 < times[1][0] <= times[0][0]:
        raise InputError(f'arguments take_off and land are {arguments["take_off"]!r} and {arguments["land"]!r}; must '
                         'be s of simulated time, 0 or greater, and land after take_off')
    x, y, z = pad
    return LaunchedQuadcopter(craft, name, boat, (x, y, z), times[0][0], times[1][0], out)


def quadcopter_spawner(copter: LaunchedQuadcopter, start: tuple[float, float, float], world: str, period: float,
                       folder: Path) -> Node:
    """
    Return what puts it onto the deck of its boat.

    :param start: x, y, m, and yaw, rad, of the boat.
    :param world: The world's name.
    :param period: Of the odometry, s.
    :param folder: For its SDF.
    """
    path = folder / f'{NAME}.sdf'
    heading = f'Written by gazebo.launch.py from {copter.path}'
    write_text(quadcopter_text(copter.craft, NAME, heading, 1.0 / period), path)
    x, y, yaw = start
    ahead, port, up = copter.pad
    east, north = to_earth(ahead, port, math.cos(yaw), math.sin(yaw))
    place = {'-x': x + east, '-y': y + north, '-z': up, '-Y': yaw}
    return Node(package='ros_gz_sim', executable='create', name=f'create_{NAME}', output='screen',
                arguments=['-world', world, '-file', str(path), '-name', NAME,
                           *(word for key, value in place.items() for word in (key, repr(float(value))))])


def pilot(copter: LaunchedQuadcopter, arguments: Arguments) -> Node:
    """Return the node that flies it."""
    ahead, port, up = copter.pad
    own: dict[str, Any] = {
        'quadcopter': copter.path, 'pad_x': ahead, 'pad_y': port, 'pad_z': up, 'take_off': copter.take_off,
        'land': copter.land, 'out': str(Path(copter.out) / SUMMARY) if copter.out else '',
        'autostart': arguments.flag('autostart')}
    if copter.land > copter.take_off > 0.0:
        own['hover'] = copter.land - copter.take_off
    return Node(package='usv_energy', executable='gazebo_quadcopter', name='gazebo_quadcopter', namespace=f'/{NAME}',
                output='screen', parameters=[own, *arguments.parameter_files()],
                remappings=[('boat_odom', f'/{copter.boat}/odom'), ('boat_wind', f'/{copter.boat}/wind'),
                            ('gazebo/answered', f'/{copter.boat}/{ANSWERED}')],
                ros_arguments=['--log-level', arguments['log_level']])


def _numbers(arguments: Arguments, name: str) -> list[float]:
    try:
        numbers = [float(part) for part in arguments[name].split(',')]
    except ValueError:
        numbers = [math.nan]
    if not all(map(math.isfinite, numbers)):
        raise InputError(f'argument {name} is {arguments[name]!r}; must be numbers')
    return numbers
