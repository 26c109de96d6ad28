"""An SDF world of a scenario: water, banks, waypoints and boats, one or several."""

import math
import re
from collections.abc import Sequence
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

from ..boats.boat_file import Boat
from ..boats.sensor import Sensor
from ..files.errors import InputError
from ..flow.analytic import River
from ..flow.flow_file import FlowFile
from ..flow.uniform import UniformFlow
from ..physics.frames import to_earth
from ..sim.scenario import Scenario
from ..sim.step_limit import SAILING_WIND, longest_step
from .hull import GRAVITY, WATER_DENSITY, hull_size
from .model import SDF_VERSION, Placement, boat_model
from .river import add_river, add_water
from .sdf import add, add_all, add_shape, add_system, document, note, paint, static_model
from .sdf_sensors import add_sensor_systems

WORLDS = ('open_water', 'river')
NANOSECONDS = 10 ** 9
LARGEST_STEP = 0.004     # s; ten times faster than real time on two cores, and no error that shows (docs/gazebo.md).
BOAT = 'diffboat'
SPACING = 3.0            # Lengths of the hull between two boats, side by side.
SYSTEMS = (('physics', 'Physics'), ('user-commands', 'UserCommands'), ('scene-broadcaster', 'SceneBroadcaster'),
           ('apply-link-wrench', 'ApplyLinkWrench'))
RED = (0.85, 0.15, 0.1, 1.0)
NAME = re.compile(r'[A-Za-z][A-Za-z0-9_]*')  # of a boat: of its model in Gazebo, its namespace in ROS
WATER_SIZE = 600.0       # m, of the picture of open water.


def world_text(scenario: Scenario, kind: str, placements: Sequence[Placement], pace: float, heading: str, *,
               river: FlowFile | None = None, step: float | None = None,
               sensors: Sequence[Sensor] = ()) -> str:
    """
    Return the text of a world file, named after its kind.

    :param scenario: Whose way is marked, and whose period the odometry has.
    :param kind: One of WORLDS.
    :param placements: The boats in it; `boat_placements` for the scenario's own.
    :param pace: Seconds of the world in a second; 0 for as many as it can.
    :param heading: First comment in the file: the command that wrote it, and its inputs.
    :param river: For a river: the flow whose banks are built.
    :param step: Of the physics, s; as `checked_step` has it.
    :param sensors: Of boats that come later, for which the world has systems, too.
    :raises InputError: As `checked_step`, or if the flow is no river.
    """
    root = Element('sdf', {'version': SDF_VERSION})
    world = add(root, 'world', name=kind)
    boats = [placement.boat for placement in placements]
    _add_physics(world, checked_step(scenario, step, boats), pace)
    carried = [*(sensor for placement in placements for sensor in placement.sensors), *sensors]
    add_sensor_systems(world, carried, scenario.sensing.origin)
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

    Keels and rudders may need a shorter one: Gazebo's systems push by the velocity of the step before. A step of
    whole nanoseconds is taken, which are what Gazebo counts: six of 3.33 ms are 2 ns short of 20 ms, and a seventh
    would be made before the odometry.

    :param boats: Those in the world.
    :raises InputError: If the period is not a whole number of steps: Gazebo would round it up to some. Or if the step
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

    :param boats: How many; 0 for an empty world.
    :raises InputError: If there are fewer, or the boat has no size.
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
    """A boat that is asked for: its name, the scenario's name or path, its place among those that run the same."""

    name: str
    scenario: str
    place: int


def boat_orders(text: str, scenario: str) -> list[BoatOrder]:
    """
    Return the boats that a text asks for.

    :param text: A number of boats (`3`), names (`red,blue`), or names, each with its scenario (`red=3,blue=6`).
    :param scenario: Of those that name none.
    :raises InputError: If it is none of these, or a name is no name in ROS, or there twice.
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
    Return the content of a scenario file: the same scenario for the next boat, or the one after it, beside the first.

    :param place: 1 for the second boat, and so on.
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
    """Add what every world has: steps, gravity, systems, the water's buoyancy, and light."""
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
