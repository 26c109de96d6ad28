"""
The SDF world of a scenario: water, waypoints and boats; and the banks and bridge of a river like that of USVsim.

Read a world file: the world's name, step and pace, its models, and the systems that run it.
"""

import math
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.sensor import Sensor
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import River, UniformFlow
from usv_energy.flow.flow_file import FlowFile
from usv_energy.gazebo.hull import GRAVITY, WATER_DENSITY, hull_size
from usv_energy.gazebo.model import SDF_VERSION, Placement, boat_model
from usv_energy.gazebo.sdf import (
    Colour,
    add,
    add_all,
    add_sensor_systems,
    add_shape,
    add_system,
    document,
    note,
    paint,
    static_model,
    systems_of,
)
from usv_energy.physics.frames import to_earth
from usv_energy.sim.plants.step_limit import SAILING_WIND, longest_step
from usv_energy.sim.scenario import Scenario

BLUE, GREEN, CONCRETE = (0.1, 0.35, 0.55, 0.85), (0.25, 0.45, 0.2, 1.0), (0.6, 0.6, 0.58, 1.0)
BANK_WIDTH, BANK_HEIGHT, BANK_DEPTH = 15.0, 1.5, 2.0      # m, of the visible land; above and below the water.
BRIDGE_AT = 0.775                                         # Place of the bridge, share of the length from upstream.
PILLAR_ROWS = (-1.0 / 6.0, 1.0 / 6.0)                     # Places from the middle, in river widths; three spans.
PILLAR_RADIUS, CLEARANCE = 0.75, 5.0                      # m
DECK_WIDTH, DECK_THICKNESS = 8.0, 0.8                     # m

WORLDS = ('open_water', 'river')
NANOSECONDS = 10 ** 9
LARGEST_STEP = 0.004     # s; ten times real time on two cores, without a visible error (docs/gazebo_accuracy.md).
BOAT = 'diffboat'
SPACING = 3.0            # Distance of two boats side by side, in hull lengths.
SYSTEMS = (('physics', 'Physics'), ('user-commands', 'UserCommands'), ('scene-broadcaster', 'SceneBroadcaster'),
           ('apply-link-wrench', 'ApplyLinkWrench'))
RED = (0.85, 0.15, 0.1, 1.0)
NAME = re.compile(r'[A-Za-z][A-Za-z0-9_]*')  # Name of a boat: its model in Gazebo, and its namespace in ROS.
WATER_SIZE = 600.0       # Size of the visible open water, m.


def add_river(world: Element, river: FlowFile) -> None:
    """
    Add water, banks and bridge to a world.

    :param river: A FlowFile whose source is a River, placed in the world.
    """
    parameters = river.source.parameters  # type: ignore[attr-defined]
    width, length = float(parameters['width']), float(parameters['length'])
    (x, y), (ahead_x, ahead_y) = _to_world(river, 0.0, 0.0), _to_world(river, 1.0, 0.0)
    here = (x, y, 0.0, 0.0, 0.0, math.atan2(ahead_y - y, ahead_x - x))
    add_water(world, here, (length, width))
    for name, side in (('left_bank', 1.0), ('right_bank', -1.0)):
        place = (0.0, side * 0.5 * (width + BANK_WIDTH), 0.5 * (BANK_HEIGHT - BANK_DEPTH))
        _add_solid(static_model(world, name, here), 'ground', 'box', GREEN, place,
                   size=(length, BANK_WIDTH, BANK_HEIGHT + BANK_DEPTH))
    _add_bridge(world, here, width, length)


def add_water(world: Element, pose: tuple[float, ...], size: tuple[float, float]) -> None:
    """Add a visible surface of water without collision; `pose`: m and rad; `size`: length and width, m."""
    surface = static_model(world, 'water', pose)
    paint(add_shape(surface, 'visual', 'surface', 'plane', normal=(0.0, 0.0, 1.0), size=size), BLUE)


def _add_solid(link: Element, name: str, shape: str, colour: Colour, place: tuple[float, ...], **measures: Any) -> None:
    """Add a visible shape with collision; in SDF the names of visual and collision must differ."""
    add_shape(link, 'collision', f'{name}_body', shape, place, **measures)
    paint(add_shape(link, 'visual', name, shape, place, **measures), colour)


def _add_bridge(world: Element, here: tuple[float, ...], width: float, length: float) -> None:
    bridge = static_model(world, 'bridge', here)
    at = (BRIDGE_AT - 0.5) * length
    span = width + 2.0 * BANK_WIDTH
    deck = CLEARANCE + 0.5 * DECK_THICKNESS
    _add_solid(bridge, 'deck', 'box', CONCRETE, (at, 0.0, deck), size=(DECK_WIDTH, span, DECK_THICKNESS))
    for number, row in enumerate(PILLAR_ROWS):
        for side in (-1, 1):
            _add_solid(bridge, f'pillar_{number}_{"upstream" if side < 0 else "downstream"}', 'cylinder', CONCRETE,
                       (at + side * 0.3 * DECK_WIDTH, row * width, 0.5 * (CLEARANCE - BANK_DEPTH)),
                       radius=PILLAR_RADIUS, length=CLEARANCE + BANK_DEPTH)
    for side in (-1, 1):
        paint(add_shape(bridge, 'visual', f'parapet_{"left" if side > 0 else "right"}', 'box', size=(0.2, span, 1.0),
                        place=(at + side * 0.48 * DECK_WIDTH, 0.0, CLEARANCE + DECK_THICKNESS + 0.5)), CONCRETE)


def _to_world(river: FlowFile, along: float, aside: float) -> tuple[float, float]:
    """Return the place in the world of a point given downstream and to the left of the river's middle, m."""
    parameters = river.source.parameters  # type: ignore[attr-defined]
    angle = math.radians(parameters['direction_deg'])
    cosine, sine = math.cos(angle), math.sin(angle)
    x, y = river.transform.to_world(np.array([parameters['x'] + along * cosine - aside * sine]),
                                    np.array([parameters['y'] + along * sine + aside * cosine]))
    return float(x[0]), float(y[0])


def world_text(scenario: Scenario, kind: str, placements: Sequence[Placement], pace: float, heading: str, *,
               river: FlowFile | None = None, step: float | None = None,
               sensors: Sequence[Sensor] = ()) -> str:
    """
    Return the text of a world file, named after its kind.

    :param scenario: The scenario, for the marks of waypoints and the period of the odometry.
    :param kind: One of WORLDS.
    :param placements: The boats in it; `boat_placements` gives those of the scenario.
    :param pace: Real-time factor; 0 for as fast as possible.
    :param heading: First comment in the file: the command that wrote it, and its inputs.
    :param river: For a river: the flow whose banks are built.
    :param step: Step of the physics, s, as in `checked_step`.
    :param sensors: Sensors of boats that are spawned later; the world gets systems for them, too.
    :raises InputError: As `checked_step`, or if the flow is no river.
    """
    root = Element('sdf', {'version': SDF_VERSION})
    world = add(root, 'world', name=kind)
    boats = [placement.boat for placement in placements]
    _add_physics(world, checked_step(scenario, step, boats), pace)
    carried = [*(sensor for placement in placements for sensor in placement.sensors), *sensors]
    add_sensor_systems(world, carried, scenario.sensing.origin_of_fixes)
    if kind == 'river':
        if river is None or not isinstance(river.source, River):
            raise InputError(f'{river.path if river else scenario.path}: the water of the world river must be an '
                             'analytic flow of the kind river, whose banks can be built')
        add_river(world, river)
    else:
        x, y = (0.5 * (min(ends) + max(ends)) for ends in zip(scenario.start[:2], *scenario.waypoints))
        add_water(world, (x, y, 0.0, 0.0, 0.0, 0.0), (WATER_SIZE, WATER_SIZE))
    for number, (x, y) in enumerate(scenario.waypoints, start=1):
        mark = static_model(world, f'waypoint_{number}', (x, y, 0.0, 0.0, 0.0, 0.0))
        paint(add_shape(mark, 'visual', 'buoy', 'cylinder', (0.0, 0.0, 0.3), radius=0.2, length=0.6), RED)
    for placement in placements:
        world.append(boat_model(placement, 1.0 / scenario.period))
    return document(root, heading)


def checked_step(scenario: Scenario, step: float | None = None, boats: Sequence[Boat] = ()) -> float:
    """
    Return the step of the physics, s: the given one, or the largest up to 4 ms that divides the odometry's period.

    Keels and rudders may need a shorter one, because Gazebo's systems compute forces from the velocity of the step
    before. The step is a whole number of nanoseconds if possible, which Gazebo counts: six steps of 3.33 ms are 2 ns
    less than 20 ms, so Gazebo would make a seventh before the odometry.

    :param boats: The boats in the world.
    :raises InputError: If the period is not a whole number of steps, so that Gazebo would round it up; or if the step
        is too long for a boat in the scenario's wind.
    """
    wind = scenario.wind.speed if isinstance(scenario.wind, UniformFlow) else SAILING_WIND
    allowed = {boat.name: float(longest_step(boat.vessel, wind)) for boat in boats if boat.vessel.foils}
    if step is None:
        fewest = math.ceil(scenario.period / min(LARGEST_STEP, *allowed.values(), math.inf) - 1e-9)
        period = round(scenario.period * NANOSECONDS)
        return scenario.period / next((number for number in range(fewest, 10 * fewest) if period % number == 0), fewest)
    for name, longest in allowed.items():
        if step > longest:
            raise InputError(f'the step is {step} s; must be at most {longest:.2g} s for the foils of {name} in a wind '
                             f'of {wind:g} m/s')
    steps = scenario.period / step if step > 0.0 else 0.0
    if round(steps) < 1 or abs(steps - round(steps)) > 1e-9 * steps:
        raise InputError(f'the step is {step} s; a whole number of steps must make the odometry\'s period, '
                         f'{scenario.period} s ({scenario.path}: simulation.period)')
    return step


def boat_names(boats: int) -> tuple[str, ...]:
    """Return the models' names: diffboat, diffboat_2, diffboat_3 ..."""
    return tuple(BOAT if number == 1 else f'{BOAT}_{number}' for number in range(1, boats + 1))


def boat_placements(scenario: Scenario, boats: int) -> tuple[Placement, ...]:
    """
    Return the scenario's plant several times, side by side: the first at its start, the others to port.

    :param boats: Number of boats; 0 for an empty world.
    :raises InputError: If the number is negative, or the boat has no size.
    """
    if boats < 0:
        raise InputError(f'the number of boats is {boats}; must be at least 0')
    if not boats:
        return ()
    x, y, yaw = scenario.start
    gap = SPACING * hull_size(scenario.plant).length
    current = (scenario.current.x, scenario.current.y) if isinstance(scenario.current, UniformFlow) else (0.0, 0.0)
    places = []
    for number, name in enumerate(boat_names(boats)):
        east, north = to_earth(0.0, number * gap, math.cos(yaw), math.sin(yaw))
        places.append(Placement(scenario.plant, name, x + east, y + north, yaw, current,
                                scenario.sensing.on(scenario.plant)))
    return tuple(places)


class BoatOrder(NamedTuple):
    """A requested boat: its name, the name or path of its scenario, its number among boats with the same scenario."""

    name: str
    scenario: str
    place: int


def boat_orders(text: str, scenario: str) -> list[BoatOrder]:
    """
    Return the boats that a text requests.

    :param text: A number of boats (`3`), names (`red,blue`), or names, each with its scenario (`red=3,blue=6`).
    :param scenario: Scenario of boats without their own.
    :raises InputError: If the text has another form, or a name is invalid in ROS, or appears twice.
    """
    parts = boat_names(int(text)) if text.isdecimal() else [part.strip() for part in text.split(',')]
    orders: list[BoatOrder] = []
    for part in parts:
        name, _, own = part.partition('=')
        if not NAME.fullmatch(name) or (not own and '=' in part):
            raise InputError(f'boats is {text!r}; must be how many, or names like red,blue or red=3,blue=6')
        runs = own or scenario
        orders.append(BoatOrder(name, runs, sum(order.scenario == runs for order in orders)))
    if not orders or len({order.name for order in orders}) < len(orders):
        raise InputError(f'boats is {text!r}; must name at least one boat, and no name twice')
    return orders


def scenario_at(scenario: Scenario, place: int) -> dict[str, Any]:
    """
    Return the content of a scenario file: the same scenario, shifted to the place of another boat beside the first.

    :param place: Number of the boat; 1 for the second one.
    """
    placement = boat_placements(scenario, place + 1)[-1]
    east, north = placement.x - scenario.start[0], placement.y - scenario.start[1]
    flows = {name: {'flow': str(flow.path)} for name, flow in (('current', scenario.current), ('wind', scenario.wind))
             if isinstance(flow, FlowFile)}
    return {
        'base': str(scenario.path), 'boat': str(scenario.boat.path), 'plant': str(scenario.plant.path),
        'start': {'x': placement.x, 'y': placement.y, 'heading_deg': math.degrees(placement.yaw)},
        'waypoints': [{'x': x + east, 'y': y + north} for x, y in scenario.waypoints], **flows}


def _add_physics(world: Element, step: float, pace: float) -> None:
    """Add the elements of every world: step, gravity, systems, the water's buoyancy, and light."""
    physics = add(world, 'physics', name='steps', type='dart')
    add_all(physics, {'max_step_size': step, 'real_time_factor': pace})
    add(world, 'gravity', (0.0, 0.0, -GRAVITY))
    for file_name, system_name in SYSTEMS:
        add_system(world, file_name, system_name)
    buoyancy = add_system(world, 'buoyancy', 'Buoyancy')
    note(buoyancy, 'The water\'s surface is z = 0; air carries nothing.')
    graded = add(buoyancy, 'graded_buoyancy')
    add(graded, 'default_density', WATER_DENSITY)
    add_all(add(graded, 'density_change'), {'above_depth': 0.0, 'density': 0.0})
    add_all(add(world, 'scene'), {'ambient': (0.6, 0.6, 0.6, 1.0), 'background': (0.6, 0.75, 0.9, 1.0)})
    sun = add(world, 'light', name='sun', type='directional')
    add_all(sun, {'pose': (0.0, 0.0, 50.0, 0.0, 0.0, 0.0), 'cast_shadows': True, 'diffuse': (0.9, 0.9, 0.85, 1.0),
                  'specular': (0.3, 0.3, 0.3, 1.0), 'direction': (-0.4, 0.3, -0.9)})


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
