"""
The study of a route: the route, its alternatives, legs, departures, forecasts, battery, simulation.

A route as a mission, for plan files and the simulator, and its legs simulated.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.vessel import Vessel
from usv_energy.earth import Place
from usv_energy.files.work import Progress, no_progress
from usv_energy.flow.on_earth import WorldFrame
from usv_energy.missions.itinerary import GROUND_SPEED, itinerary_of
from usv_energy.missions.mission import (
    CHANGE_SPEED,
    LOCAL_ENU,
    RELATIVE_ALTITUDE,
    WAYPOINT,
    LocalPlace,
    Mission,
    MissionItem,
)
from usv_energy.physics.motion import Flow
from usv_energy.powering.energy import CAUSES
from usv_energy.studies.mission.mission_battery import GO, NO_BATTERY, NO_GO, MissionBattery, keeps_reserve
from usv_energy.studies.mission.mission_estimate import LegEstimate
from usv_energy.studies.mission.mission_scenario import mission_scenario
from usv_energy.studies.mission.mission_study import Simulated, simulated_mission
from usv_energy.studies.plan.steady_motion import steady_state
from usv_energy.studies.route.route_problem import Route, RouteProblem
from usv_energy.studies.route.route_through_goals import RouteFront

CHEAPEST, FASTEST, SHORTEST = 'cheapest', 'fastest', 'shortest'
STRAIGHT, OTHER = 'straight', 'other'


class RouteBattery(NamedTuple):
    """
    A battery along a route.

    `charge`: at each point, (-), below 0 when the battery is empty; None without a battery. `reserve`: that must be
    left, (-). `verdict`: GO, NO_GO, NO_BATTERY. `brown_out`: the first part in which cells cannot give the power.
    """

    charge: np.ndarray | None
    reserve: float
    verdict: str
    brown_out: int | None = None


def route_battery(boat: Boat, route: Route, state_of_charge: float | None = None, reserve: float = 0.2,
                  ambient: float | None = None) -> RouteBattery:
    """
    Return a boat's battery along a route.

    :param state_of_charge: At the start, (-); None for that of the boat's file.
    :param reserve: That must be left at the end, (-).
    :param ambient: Temperature around a battery of cells, K; None for that of the boat's file.
    """
    if boat.battery is None:
        return RouteBattery(None, reserve, NO_BATTERY)
    start = boat.battery.initial_state_of_charge if state_of_charge is None else state_of_charge
    battery = MissionBattery(boat, start, reserve, boat.ambient if ambient is None else ambient)
    history = battery.history(_legs(route))
    if history is None:
        charge = start - (route.energy - route.energy[0]) / battery.capacity
        return RouteBattery(charge, reserve, GO if charge[-1] >= reserve else NO_GO)
    verdict = GO if keeps_reserve(history, reserve) else NO_GO
    return RouteBattery(np.concatenate([[start], history.charge]), reserve, verdict,
                        None if history.brown_out is None else history.brown_out.leg)


def _legs(route: Route) -> LegEstimate:
    """Return the parts of a route as legs with time and energy only, which is enough for the cells."""
    duration, energy = np.diff(route.time), np.zeros((len(CAUSES), route.time.size - 1))
    energy[CAUSES.index('total')] = np.diff(route.energy)
    length, none = np.hypot(np.diff(route.x), np.diff(route.y)), np.zeros(duration.size)
    course = np.arctan2(np.diff(route.y), np.diff(route.x))
    speed = np.divide(length, duration, out=np.full(duration.size, math.nan), where=duration > 0.0)
    return LegEstimate(length, course, speed, route.time[:-1] - route.time[0], duration, none, energy, none, none,
                       np.ones(duration.size, dtype=bool), np.zeros((0, duration.size)))


class RouteChoice(NamedTuple):
    """
    One of the alternative routes; `kind`: CHEAPEST, FASTEST, SHORTEST (around land), STRAIGHT or OTHER.

    `route`: None if there is no such route; then `why` gives the reason in words.
    """

    kind: str
    route: Route | None
    why: str = ''


class DepartureCosts(NamedTuple):
    """
    Departures, s of the flow's clock; their energy, J, and duration, s, NaN without a route; index of the best.

    `why`: the reason for no route, NOT_TRIED where the user's Ctrl-C came before, '' where there is one. `polished`:
    where it is False, energy and duration are about those of a route, by the search on a lattice alone.
    """

    departure: np.ndarray
    energy: np.ndarray
    duration: np.ndarray
    best: int
    why: tuple[str, ...] = ()
    polished: tuple[bool, ...] = ()

    def about(self, number: int) -> bool:
        """Return whether energy and duration of a departure are about those of a route, and not one's own."""
        known = number != self.best and math.isfinite(self.energy[number])
        return bool(self.polished) and not self.polished[number] and known


class ForecastCosts(NamedTuple):
    """
    Energy of routes in each forecast, J, shape (ways, forecasts), NaN if the boat cannot follow a route there.

    Routes keep their times, so that a stronger current costs power and not time. `names`: of the forecasts; `ways`:
    the forecast for which each route was found, `mean` for the mean flow; `chosen`: index of the least mean energy.
    """

    names: tuple[str, ...]
    ways: tuple[str, ...]
    energy: np.ndarray
    chosen: int

    @property
    def spread(self) -> tuple[float, float, float]:
        """Mean, least and most energy of the chosen route, J; NaN if the boat cannot follow it in a forecast."""
        row = self.energy[self.chosen]
        return float(row.mean()), float(row.min()), float(row.max())


class RouteStudy(NamedTuple):
    """
    A route's study.

    `problem`: with the chosen departure; its goal is the last of `goals`, east and north, m. `route`: the route that
    was found, `legs`: the same in few legs. `gap`: upper bound on the share of energy (or time) that a better route
    could save, NaN if unknown. `choices`: the route and its alternatives. `frame`: where the world lies on the Earth.
    `broken_off`: the user interrupted a part of the study. `zero`: the moment of the flow's time 0, None if unknown.
    """

    name: str
    boat: Boat
    problem: RouteProblem
    frame: WorldFrame | None
    goals: tuple[tuple[float, float], ...]
    route: Route
    legs: Route
    gap: float
    choices: tuple[RouteChoice, ...]
    battery: RouteBattery
    departures: DepartureCosts | None = None
    forecasts: ForecastCosts | None = None
    simulated: Simulated | None = None
    notes: tuple[str, ...] = ()
    broken_off: bool = False
    front: RouteFront | None = None
    zero: datetime | None = None

    @property
    def energy(self) -> float:
        """Energy of the route, J."""
        return float(self.route.energy[-1] - self.route.energy[0])

    @property
    def legs_excess(self) -> float:
        """Relative excess of the legs' energy over the route's, (-)."""
        return float(self.legs.energy[-1]) / self.energy - 1.0

    @property
    def simulation_error(self) -> float:
        """Relative difference of the simulated energy from that of the legs, (-); NaN without a simulation."""
        return math.nan if self.simulated is None else self.simulated.energy / float(self.legs.energy[-1]) - 1.0


SAME_SPEED = 5e-3       # m/s


def route_mission(legs: Route, name: str, frame: WorldFrame | None = None) -> Mission:
    """
    Return the legs of a route as a mission, with a speed over ground for each leg, and a hold where the boat waits.

    A mission cannot express the times of a route, such as the departure, beyond these speeds.

    :param legs: From `simplified_route`.
    :param frame: Where the world lies on the Earth, for places in degrees; None: local metres.
    """
    places = _places(legs, frame)
    items: list[MissionItem] = []
    length, duration = np.hypot(np.diff(legs.x), np.diff(legs.y)), np.diff(legs.time)
    held, last = 0.0, None
    for number, place in enumerate(places[1:]):
        if length[number] == 0.0:
            held += float(duration[number])
            if items:
                held_at = items[-1]
                items[-1] = held_at._replace(parameters=((held_at.parameters[0] or 0.0) + held,
                                                         *held_at.parameters[1:]))
            else:
                items.append(_waypoint(places[0], len(items) + 1, held))
            held = 0.0
            continue
        speed = round(float(length[number] / duration[number]), 4)
        if last is None or abs(speed - last) > SAME_SPEED:
            items.append(MissionItem(CHANGE_SPEED, len(items) + 1, (GROUND_SPEED, speed, -1.0, 0.0)))
            last = speed
        items.append(_waypoint(place, len(items) + 1))
    return Mission(name, tuple(items), home=places[0])


def _waypoint(place: Place | LocalPlace, number: int, hold: float = 0.0) -> MissionItem:
    frame = LOCAL_ENU if isinstance(place, LocalPlace) else RELATIVE_ALTITUDE
    return MissionItem(WAYPOINT, number, (hold, 0.0, 0.0, None), place[0], place[1], 0.0, frame)


def _places(legs: Route, frame: WorldFrame | None) -> Sequence[Place | LocalPlace]:
    if frame is None:
        return [LocalPlace(x, y) for x, y in zip(legs.x.tolist(), legs.y.tolist())]
    latitude, longitude = frame.to_geodetic(legs.x, legs.y)
    return [Place(north, east) for north, east in zip(latitude.tolist(), longitude.tolist())]


def simulate_legs(study: RouteStudy, progress: Progress = no_progress) -> Simulated | None:
    """
    Return the result of the simulator for a route's legs, with the full model; None if the user interrupted it.

    The boat begins at rest in the water, with the heading of its first leg.
    """
    itinerary, problem = itinerary_of(route_mission(study.legs, study.name)), study.problem
    scenario = mission_scenario(itinerary, study.boat, problem.current, problem.wind).scenario  # type: ignore[arg-type]
    heading = first_heading(study.boat.vessel, study.legs, problem)
    if math.isfinite(heading):
        scenario = replace(scenario, start=(*scenario.start[:2], heading))
    return simulated_mission(scenario, float(study.route.time[0]), study.legs.duration, progress)


def first_heading(vessel: Vessel, legs: Route, problem: RouteProblem) -> float:
    """
    Return the heading of a boat in steady motion on the first leg with a length, rad, ENU.

    In a strong current it differs much from the leg's course. A boat that began with the leg's course would be carried
    off while it turns.

    :param vessel: The Vessel.
    :param legs: Of the route, at least one.
    :param problem: It gives current and wind where and when that leg begins.
    :return: NaN if no leg has a length, or the boat cannot hold it.
    """
    dx, dy, duration = np.diff(legs.x), np.diff(legs.y), np.diff(legs.time)
    going = np.flatnonzero((np.hypot(dx, dy) > 0.0) & (duration > 0.0))
    if going.size == 0:
        return math.nan
    leg = int(going[0])
    place = float(legs.time[leg]), legs.x[leg:leg + 1], legs.y[leg:leg + 1]
    flow = Flow(*(part[0] for field in (problem.current, problem.wind) for part in field.velocity(*place)[:2]))
    motion = steady_state(vessel, math.atan2(dy[leg], dx[leg]), math.hypot(dx[leg], dy[leg]) / duration[leg], flow)
    return float(motion.yaw) if motion.feasible else math.nan
