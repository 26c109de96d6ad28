"""Several boats in one world: who runs which scenario, and where those start that run the same one."""

import math
import re
from typing import Any, NamedTuple

from ..files.errors import InputError
from ..flow.flow_file import FlowFile
from ..sim.scenario import Scenario
from .world import boat_names, boat_placements

NAME = re.compile(r'[A-Za-z][A-Za-z0-9_]*')


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
