"""
Read a team's file: boats with their scenarios, and quadcopters on their decks.

There are two forms: one boat with one quadcopter (config/schema/team.schema.yaml), and several boats with any number of
quadcopters (config/schema/fleet.schema.yaml).
"""

import math
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from usv_energy.air.flight import FlightOrders
from usv_energy.air.flight_control import CASCADE
from usv_energy.air.quadcopter import Quadcopter, read_quadcopter
from usv_energy.files import checked
from usv_energy.files.errors import InputError
from usv_energy.files.locate import resolve, share_folder
from usv_energy.files.parsed_text import read_yaml
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.sea import SeaState
from usv_energy.sim.scenario import Scenario, read_scenario, read_scenario_document, scenario_from

STEP = 0.01             # Default step, s, as in [V].
GUSTS = 0.1             # Default gusts, as a share of the wind.
BOAT, CRAFT = 'boat', 'quadcopter'  # Names in the form with one of each.
CRAFT_KEYS = ('quadcopter', 'controller', 'battery', 'pad', 'lost', 'flight')
WITHOUT_FLOW = {'flow': None, 'speed': None, 'direction_deg': None, 'height': None}  # Removes the flow of a base.
BOAT_KEYS = ('boat', 'start', 'waypoints', 'speed')


class BoatPlan(NamedTuple):
    """A boat of a team: its name, its scenario, and the content of a scenario file for it (None in the short form)."""

    name: str
    scenario: Scenario
    document: Mapping[str, Any] | None = None


class CraftPlan(NamedTuple):
    """
    A quadcopter of a team.

    `deck`: name of its boat. `battery`: state of charge at the start, (-). `pad`: ahead, to port, above the water, m.
    `lost`: intervals in which it does not see the deck, s. `path`: the quadcopter's file.
    """

    name: str
    deck: str
    craft: Quadcopter
    controller: str
    orders: FlightOrders
    battery: float
    pad: tuple[float, float, float]
    lost: tuple[tuple[float, float], ...]
    path: Path


class TeamPlan(NamedTuple):
    """A team: boats, quadcopters, environment. `gusts`: share of the wind. `waves`: lift the decks of plane boats."""

    title: str
    path: Path
    boats: tuple[BoatPlan, ...]
    crafts: tuple[CraftPlan, ...]
    seed: int
    step: float
    gusts: float
    waves: SeaState | None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all vehicles, boats first."""
        return (*(boat.name for boat in self.boats), *(craft.name for craft in self.crafts))

    def boat(self, name: str) -> BoatPlan:
        """Return a boat by its name."""
        return next(boat for boat in self.boats if boat.name == name)


def read_team(name: str) -> TeamPlan:
    """
    Return a team by its name in config/teams or by the path of its file.

    :raises InputError: If there is none, or it is wrong: file, key, value, what is allowed.
    """
    path = resolve('teams', name)
    document = read_yaml(path)
    several = 'boats' in document
    checked.check(document, _fleet_schema if several else 'team', path)
    waves = document.get('waves')
    state = None if waves is None else SeaState(float(waves['height']), float(waves['period']),
                                                direction=math.radians(float(waves.get('direction_deg', 0.0))))
    boats = _boats(document, path) if several else (BoatPlan(BOAT, _scenario(document, path)),)
    crafts = (tuple(_craft(entry, entry['name'], entry['deck'], path, f'quadcopters.{number}.')
                    for number, entry in enumerate(document.get('quadcopters', ()))) if several
              else (_craft(document, CRAFT, BOAT, path, ''),))
    plan = TeamPlan(document['title'], path, boats, crafts, int(document.get('seed', 1)),
                    float(document.get('step', STEP)), float(document.get('gusts', GUSTS)), state)
    _check(plan)
    return plan


@cache
def _fleet_schema() -> dict[str, Any]:
    folder = share_folder() / 'config' / 'schema'
    schema, single = (deepcopy(read_yaml(folder / f'{kind}.schema.yaml')) for kind in ('fleet', 'team'))
    schema['properties']['quadcopters']['items']['properties'] |= {
        key: single['properties'][key] for key in CRAFT_KEYS}
    schema['properties']['waves'] = single['properties']['waves']
    return schema


def _craft(entry: Mapping[str, Any], name: str, deck: str, path: Path, where: str) -> CraftPlan:
    """Return a quadcopter from its entry; `where`: prefix of its keys in an error."""
    orders = FlightOrders(**{key: float(value) for key, value in entry['flight'].items()})
    if orders.land <= orders.take_off:
        raise InputError(f'{path}: {where}flight.land is {orders.land:g} s; must be after take_off, '
                         f'{orders.take_off:g} s')
    if orders.threshold > orders.abort:
        raise InputError(f'{path}: {where}flight.threshold is {orders.threshold:g} m; must be at most abort, '
                         f'{orders.abort:g} m')
    pad = entry.get('pad', {})
    return CraftPlan(
        name, deck, read_quadcopter(entry['quadcopter'], path.parent), entry.get('controller', CASCADE), orders,
        float(entry.get('battery', 1.0)), (float(pad.get('x', 0.0)), float(pad.get('y', 0.0)),
                                           float(pad.get('z', 0.3))),
        tuple((float(begin), float(end)) for begin, end in entry.get('lost', [])),
        resolve('quadcopters', entry['quadcopter'], path.parent))


def _check(plan: TeamPlan) -> None:
    """Check that the vehicles fit together; raises InputError."""
    names, boats = plan.names, [boat.name for boat in plan.boats]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f'{plan.path}: two vehicles are called {name}; each name must stand once')
    for craft in plan.crafts:
        if craft.deck not in boats:
            raise InputError(f'{plan.path}: the quadcopter {craft.name} stands on {craft.deck!r}; there are the boats: '
                             f'{", ".join(boats)}')
    for boat in plan.boats:
        if plan.waves is not None and boat.scenario.plant.vessel.parts is not None:
            raise InputError(f'{plan.path}: waves are given, and {boat.name} is a hull of parts, which moves with the '
                             'waves of its current: give a current with waves (current: {flow: sea}) instead')
    first = plan.boats[0].scenario
    for boat in plan.boats[1:]:
        for key in ('current', 'wind'):
            if _flow_of(boat.scenario, key) != _flow_of(first, key):
                raise InputError(f'{plan.path}: the scenarios of {plan.boats[0].name} and {boat.name} have different '
                                 f'flows: {key}; give {key} in the team\'s file, which is for all')


def _flow_of(scenario: Scenario, key: str) -> object:
    """Return a value that identifies a flow: the uniform flow itself, or the path of its file."""
    flow = getattr(scenario, key)
    return flow if isinstance(flow, UniformFlow) else flow.path


def _boats(document: Mapping[str, Any], path: Path) -> tuple[BoatPlan, ...]:
    """Return the boats of the form with several, each with its scenario and the changes of the file."""
    shared = {key: WITHOUT_FLOW | _absolute_flow(document[key], path) for key in ('current', 'wind')
              if key in document}
    found = []
    for number, entry in enumerate(document['boats']):
        base = resolve('scenarios', entry['scenario'], path.parent)
        below = read_scenario_document(base)
        own: dict[str, Any] = {'base': str(base.resolve())}
        own |= {key: _absolute('boats', below[key], base) for key in ('boat', 'plant') if key in below}
        own |= {key: _absolute_flow(below[key], base) for key in ('current', 'wind') if key in below} | shared
        own |= {key: entry[key] for key in BOAT_KEYS if key in entry}
        if 'boat' in entry:
            own |= {'boat': _absolute('boats', entry['boat'], path), 'plant': None}
        own |= {'published': None}
        where = path.parent / f'{entry["name"]}.yaml'
        try:
            scenario = scenario_from(checked.with_base('scenarios', own, where), where)
        except InputError as error:
            raise InputError(f'{path}: boats.{number}: {error}') from None
        found.append(BoatPlan(entry['name'], scenario, own))
    return tuple(found)


def _absolute(kind: str, name: str, path: Path) -> str:
    """Return a shipped name, or the absolute path of a file that is named relative to the folder of `path`."""
    text = str(checked.values_of(name))
    return str(resolve(kind, text, path.parent).resolve()) if text.endswith(('.yaml', '.yml')) else text


def _absolute_flow(flow: Any, path: Path) -> Any:
    return {**flow, 'flow': _absolute('flows', flow['flow'], path)} if 'flow' in flow else flow


def _scenario(document: Mapping[str, Any], path: Path) -> Scenario:
    """Return the scenario of the form with one boat, with the wind and current of the file if it has them."""
    beside = path.parent / document['scenario']
    scenario = read_scenario(str(beside) if beside.is_file() else document['scenario'])
    wind, current = (UniformFlow(float(document[key]['x']), float(document[key]['y'])) if key in document else own
                     for key, own in (('wind', scenario.wind), ('current', scenario.current)))
    return replace(scenario, wind=wind, current=current)
