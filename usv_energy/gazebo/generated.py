"""The texts of SDF models and worlds, made from a boat file and a scenario, with a comment that names both."""

import math
import os
from pathlib import Path
from typing import NamedTuple

from usv_energy.air.quadcopter import Vector, read_quadcopter
from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.files.locate import share_folder
from usv_energy.flow.flow_file import FlowFile, read_flow
from usv_energy.gazebo.model import config_text, left_out, model_text
from usv_energy.gazebo.quadcopter_model import quadcopter_text
from usv_energy.gazebo.world import NAME, boat_placements, world_text
from usv_energy.sim.scenario import read_scenario


class GeneratedSdf(NamedTuple):
    """An SDF text, its model.config (empty for a world), and a line for each feature that Gazebo lacks."""

    sdf: str
    config: str
    left_out: list[str]


def generated_model(boat_name: str, name: str, payload: float | None = None,
                    pad: Vector | None = None) -> GeneratedSdf:
    """
    Return the model of a boat.

    :param boat_name: Name or YAML file of the boat.
    :param name: Name of the model and its topics.
    :param payload: Payload instead of that in the boat file, kg.
    :param pad: Place of a quadcopter on a deck, as in `model.Placement`; None: no deck.
    :raises InputError: If there is no such boat, the name is invalid, or the deck is in the hull.
    """
    _check_name(name)
    boat = read_boat(boat_name, payload=payload)
    carries = '' if payload is None else f', payload {payload:g}'
    decked = '' if pad is None else f', pad {pad[0]:g} {pad[1]:g} {pad[2]:g}'
    heading = _heading(f'model: boat {boat_name}{carries}, name {name}{decked}',
                       f'boat {boat.name}, {_shown(boat.path)}')
    return GeneratedSdf(model_text(boat, name, heading, pad=pad), config_text(boat.name, boat.description, heading),
                        left_out(boat))


def generated_quadcopter(copter: str, name: str) -> GeneratedSdf:
    """
    Return the model of a quadcopter.

    :param copter: Name or YAML file of the quadcopter.
    :param name: Name of the model and its topics.
    :raises InputError: If there is no such quadcopter, its file lacks what Gazebo needs, or the name is invalid.
    """
    _check_name(name)
    craft = read_quadcopter(copter)
    heading = _heading(f'quadcopter: quadcopter {copter}, name {name}', f'quadcopter {craft.name}')
    return GeneratedSdf(quadcopter_text(craft, name, heading), config_text(craft.name, '', heading),
                        ['Gazebo\'s rotors have no ground effect, and their full thrust at any voltage'])


def _check_name(name: str) -> None:
    if not NAME.fullmatch(name):
        raise InputError(f'--name is {name!r}; must be letters, digits and _, a letter first: topics are named after '
                         'it')


def generated_world(scenario_name: str, boat: str | None, boats: int, world: str, step: float | None,
                    pace: float, payload: float | None = None) -> GeneratedSdf:
    """
    Return the world of a scenario.

    :param scenario_name: Name or YAML file of the scenario.
    :param boat: Name or YAML file of another boat than the scenario's.
    :param boats: Number of boats, side by side.
    :param world: Kind of the world: open_water or river.
    :param step: Step of the physics, s; None: the longest that fits the odometry's period.
    :param pace: Real-time factor; 0 for as fast as possible.
    :param payload: Payload instead of that in the boat file, kg.
    :raises InputError: If a file is wrong, or the pace is invalid.
    """
    if not (math.isfinite(pace) and pace >= 0.0):
        raise InputError(f'--pace is {pace}; must be a finite number, at least 0')
    scenario = read_scenario(scenario_name).with_options(boat=boat, payload=payload)
    river = None if world != 'river' else (
        scenario.current if isinstance(scenario.current, FlowFile) else read_flow('river'))
    given = {'scenario': scenario_name, 'boat': boat, 'payload': payload, 'boats': boats, 'world': world,
             'step': step, 'pace': pace}
    heading = _heading(
        'world: ' + ', '.join(f'{key} {value}' for key, value in given.items() if value is not None),
        f'scenario {scenario.name}, {_shown(scenario.path)}', f'boat {scenario.plant.name}, '
        f'{_shown(scenario.plant.path)}', *([f'river {river.name}, {_shown(river.path)}'] if river else []))
    text = world_text(scenario, world, boat_placements(scenario, boats), pace, heading, river=river, step=step)
    return GeneratedSdf(text, '', left_out(scenario.plant, scenario.sensing.on(scenario.plant)))


def _heading(command: str, *sources: str) -> str:
    """Return the comment at the top of a file: its command, without the two hyphens that XML forbids, and sources."""
    return '\n'.join([f'Made by: usv-energy gazebo {command}', *(f'Made of: {source}' for source in sources),
                      'Change those, not this.'])


def _shown(path: Path) -> str:
    """Return a path as text; that of a shipped file relative to the package's folder, the same on all machines."""
    resolved = path.resolve()
    shared = share_folder().resolve()
    return resolved.relative_to(shared).as_posix() if resolved.is_relative_to(shared) else os.fspath(path)
