"""The scenario to run: one by name or file, or made of a mission file; with another boat, speed, water or wind."""

import math
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from usv_energy.boats.boat_file import Boat, read_boat, require_motion
from usv_energy.boats.boat_values import checked_boat_with
from usv_energy.files.errors import InputError
from usv_energy.files.locate import names, user_path
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.departure import departures_on_clock
from usv_energy.flow.flow_argument import flow_of
from usv_energy.flow.flow_file import FlowFile
from usv_energy.flow.wind_height import wind_at_boat
from usv_energy.missions.itinerary import itinerary_of
from usv_energy.missions.mission_file import YAML, read_mission
from usv_energy.sim.scenario import Published, Scenario, read_scenario
from usv_energy.studies.mission.mission_scenario import mission_scenario


class RunChoice(NamedTuple):
    """
    What the user chooses for a run instead of the scenario's own; empty, or 0, keeps the scenario's.

    `boat`: for motion and power; `plant`: for motion instead of the boat; boats, names or files. `speed`: over ground,
    m/s, for waypoints without a speed. `current`, `wind`: flows, or texts as for `flow_of`; `wind_height`: of that
    wind, m above water. `depart`: when the run begins, in the flows' time, a text as of `departure_window`;
    None where it cannot be said.
    """

    boat: Boat | str = ''
    plant: Boat | str = ''
    speed: float = 0.0
    current: str | UniformFlow | FlowFile = ''
    wind: str | UniformFlow | FlowFile = ''
    wind_height: float = 0.0
    depart: str | None = None


AS_IT_IS = RunChoice()


def is_mission(name: str) -> bool:
    """Return whether a name is that of a mission file, by its ending, and not of a scenario."""
    suffix = Path(name).suffix.lower()
    return bool(suffix) and suffix not in YAML and name not in names('scenarios')


def check_scenario_or_mission(name: str) -> None:
    """Raise InputError if there is no scenario or mission of a name, or if its file is wrong."""
    if is_mission(name):
        itinerary_of(read_mission(name))
    else:
        read_scenario(name)


def scenario_to_run(name: str, choice: RunChoice = AS_IT_IS, payload: float | None = None) -> Scenario:
    """
    Return the scenario of a name, or that of a mission file.

    :param name: As for `read_scenario`, or the path of a mission file, which needs a boat.
    :param choice: It takes precedence over the scenario.
    :param payload: Mass on board, kg, instead of that in the boat's file.
    :raises InputError: If there is none, a file is wrong, the boat cannot be simulated, or the choice is wrong.
    """
    if is_mission(name):
        return with_choice(_of_mission(name, choice, payload), choice, payload)
    return with_choice(read_scenario(name), choice, payload)


def with_choice(scenario: Scenario, choice: RunChoice, payload: float | None = None) -> Scenario:
    """
    Return a scenario with the user's choices. With another speed, water or wind it loses its published figures.

    :raises InputError: As `Scenario.with_options`, and for a wrong speed, flow or height.
    """
    scenario = scenario.with_options(choice.boat or None, choice.plant or None, payload=payload)
    for name, value in (('speed', choice.speed), ('wind_height', choice.wind_height)):
        if not (math.isfinite(value) and value >= 0.0):
            raise InputError(f'{name} is {value:g}; must be above 0')
    dated = choice.depart is not None
    wind, current = (flow_of(flow or None, name, medium, dated) if isinstance(flow, str) else flow
                     for flow, name, medium in ((choice.wind, 'wind', 'air'), (choice.current, 'current', 'water')))
    if choice.wind_height and not isinstance(wind, UniformFlow):
        raise InputError(f'wind_height is {choice.wind_height:g}; it goes with a wind of SPEED,DIRECTION: a flow file '
                         'says its own height')
    if not choice.speed and wind is None and current is None and not choice.depart:
        return scenario
    height = scenario.wind_height if wind is None else choice.wind_height or None
    water, air = from_departure(choice.depart, (
        scenario.current if current is None else current,
        scenario.wind if wind is None else wind_at_boat(wind, scenario.boat, height)))
    return replace(scenario, published=Published(), speed=choice.speed or scenario.speed, current=water, wind=air,
                   wind_height=height).laid_on_earth()


def from_departure(text: str | None, flows: tuple[UniformFlow | FlowFile, ...]) -> list[UniformFlow | FlowFile]:
    """
    Return flows on the clock of a run that begins at a departure, which is its time 0.

    :param text: As of `departure_window`, one departure; empty where nobody said it.
    :raises InputError: If files of data change and it is not said, it is a window, or a file does not cover it.
    """
    times, on_clock = departures_on_clock(text or None, flows, '--depart')
    if len(times.seconds) > 1:
        raise InputError(f'--depart is {text!r}, a window; must be one departure of a run')
    return [flow.later(times.seconds[0]) for flow in on_clock]


def _loaded(boat: Boat | str, payload: float | None) -> Boat:
    """Return a boat, read where its name or file is given, with a payload, kg, in place of its own; None: its own."""
    if not isinstance(boat, Boat):
        return read_boat(boat, payload=payload)
    return boat if payload is None else checked_boat_with(boat, {'hull.payload': payload})


def _of_mission(name: str, choice: RunChoice, payload: float | None) -> Scenario:
    """Return the scenario of a mission file, in still water and air; legs without a name are named for their items."""
    path = user_path(name)
    mission = read_mission(path)
    if not choice.boat:
        raise InputError(f'{path}: is a mission, which says nothing of its boat: give a boat '
                         f'({", ".join(names("boats"))}, or the path of a YAML file)')
    boat = _loaded(choice.boat, payload)
    plant = _loaded(choice.plant, payload) if choice.plant else boat
    for one in (boat, plant):
        require_motion(one, 'a simulation')
    placed = mission_scenario(itinerary_of(mission), boat, UniformFlow(), UniformFlow(), choice.speed or None, path,
                              plant)
    scenario = placed.scenario
    orders = tuple(order if order.name else order._replace(name=f'item {item}')
                   for order, item in zip(scenario.orders, placed.items))
    said = '' if scenario.speed is None else f', {scenario.speed:.3g} m/s over ground: {placed.speed_from}'
    return replace(scenario, name=path.stem, title=f'{mission.name or path.stem}{said}', orders=orders)
