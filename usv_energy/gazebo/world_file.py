"""Read a world file: the world's name, step and pace, its models, and the systems that run it."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from usv_energy.boats.sensor import Sensor
from usv_energy.files.errors import InputError
from usv_energy.gazebo.sdf import systems_of

DEFAULT_STEP = 0.001     # Default of <max_step_size>, s (SDF specification 1.9, element physics).
DEFAULT_PACE = 1.0       # Default of <real_time_factor>, from the same source.
# The systems in the server.config that is installed with gz-sim 6 and 8.
DEFAULT_SYSTEMS = frozenset(('Physics', 'UserCommands', 'SceneBroadcaster'))
CONFIG_VARIABLES = ('GZ_SIM_SERVER_CONFIG_PATH', 'IGN_GAZEBO_SERVER_CONFIG_PATH')
HOME_CONFIGS = ('.gz/sim/8/server.config', '.ignition/gazebo/6/server.config')


class System(NamedTuple):
    """A system that a world needs: its name, the file of its plugin, and what happens without it."""

    name: str
    file: str
    without: str

    def absence(self, path: Path) -> str:
        """Return the message that a world file lacks this system."""
        return f'{path}: has no system gz::sim::systems::{self.name} (gz-sim-{self.file}-system): {self.without}'


PHYSICS = System('Physics', 'physics', 'nothing would move')
USER_COMMANDS = System('UserCommands', 'user-commands', 'the boats cannot be put into the world')
BUOYANCY = System('Buoyancy', 'buoyancy', 'boats that usv_energy writes sink')
WRENCHES = System('ApplyLinkWrench', 'apply-link-wrench', 'the wind, with which the energy is reckoned, pushes no boat')
SCENE = System('SceneBroadcaster', 'scene-broadcaster', 'the window stays empty')


class SdfWorld(NamedTuple):
    """
    A world: its file, its name, the step of its physics, s, the names of its models.

    `pace`: its real-time factor; 0 for as fast as possible. `systems`: names of the systems that run it.
    """

    path: Path
    name: str
    step: float
    models: tuple[str, ...]
    pace: float
    systems: frozenset[str]


def read_world(path: Path) -> SdfWorld:
    """
    Return the world of a world file.

    :raises InputError: If there is no such file, or no world with a name and a step in it.
    """
    try:
        world = ElementTree.parse(path).getroot().find('world')
    except OSError as error:
        raise InputError(f'{path}: cannot read this world: {error.strerror}') from None
    except ElementTree.ParseError as error:
        raise InputError(f'{path}: is no XML: {error}') from None
    if world is None or not world.get('name'):
        raise InputError(f'{path}: holds no <world> with a name')
    step = _number(world, path, 'max_step_size', DEFAULT_STEP)
    if not step > 0.0:
        raise InputError(f'{path}: max_step_size is {step}; must be a number greater than 0, s')
    names = [model.get('name', '') for model in world.findall('model')]
    names += [include.findtext('name') or Path(include.findtext('uri', '')).name
              for include in world.findall('include')]
    return SdfWorld(Path(path), world.get('name', ''), step, tuple(names),
                    max(0.0, _number(world, path, 'real_time_factor', DEFAULT_PACE)), world_systems(world, os.environ))


def missing_systems(world: SdfWorld, *, spawns: bool, wind: bool, window: bool,
                    sensors: Iterable[Sensor] = ()) -> tuple[list[str], list[str]]:
    """
    Return a line for each system that a world lacks: for vital systems, and for the others.

    :param spawns: Whether boats are spawned in the world.
    :param wind: Whether there is wind.
    :param window: Whether Gazebo has a window.
    :param sensors: Sensors of the boats.
    """
    needed = [PHYSICS, *([USER_COMMANDS] if spawns else [])]
    others = [BUOYANCY, *([WRENCHES] if wind else []), *([SCENE] if window else []),
              *(System(name, file, 'the sensors of the boats say nothing') for file, name in systems_of(sensors))]
    vital, other = ([system.absence(world.path) for system in systems if system.name not in world.systems]
                    for systems in (needed, others))
    return vital, other


def world_systems(world: Element, environment: Mapping[str, str]) -> frozenset[str]:
    """
    Return the names of the systems that run a world, as gz-sim 6 and 8 choose them.

    They are the world's own plugins. If it has none, Gazebo takes those of a server configuration: the file of an
    environment variable, or else the one in the user's home, or else the one that is installed with Gazebo.

    :param world: The world's element in SDF.
    :param environment: Environment of the process that starts Gazebo.
    """
    own = _systems(world)
    if own:
        return own
    for variable in CONFIG_VARIABLES:
        if variable in environment:
            return _systems_of_config(Path(environment[variable])) or frozenset()
    for place in HOME_CONFIGS:
        found = _systems_of_config(Path(environment.get('HOME', '')) / place)
        if found is not None:
            return found
    return DEFAULT_SYSTEMS


def _systems_of_config(path: Path) -> frozenset[str] | None:
    """Return the systems of a server configuration; None if it cannot be read."""
    try:
        plugins = ElementTree.parse(path).getroot().find('plugins')
    except (OSError, ElementTree.ParseError):
        return None
    return frozenset() if plugins is None else _systems(plugins)


def _systems(parent: Element) -> frozenset[str]:
    """Return the last parts of the names of an element's plugins: gz::sim::systems::Physics is Physics."""
    return frozenset(plugin.get('name', '').rpartition('::')[2] for plugin in parent.findall('plugin'))


def _number(world: Element, path: Path, key: str, default: float) -> float:
    """
    Return a number of the world's physics.

    :raises InputError: If it is not a number.
    """
    text = world.findtext(f'physics/{key}', str(default))
    try:
        return float(text)
    except ValueError:
        raise InputError(f'{path}: {key} is {text!r}; must be a number') from None
