"""
The study of a route: the route, its alternatives, legs, departures, forecasts.

A route as a mission, for plan files, the verdict and the simulator.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.vessel import Vessel
from usv_energy.earth import Place
from usv_energy.files.errors import InputError
from usv_energy.files.work import Progress, forked, no_progress
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
from usv_energy.sim.scenario import LENGTH, RADIUS
from usv_energy.studies.mission.mission_alternatives import Departures
from usv_energy.studies.mission.mission_battery import NO_BATTERY, UNSURE, charge_at_ends
from usv_energy.studies.mission.mission_scenario import MissionScenario, mission_scenario
from usv_energy.studies.mission.mission_study import (
    MissionStudy,
    Simulated,
    departure_verdict,
    departures_near_reserve,
    mission_study,
    simulated_mission,
)
from usv_energy.studies.plan.steady_motion import steady_state
from usv_energy.studies.route.route_legs import legs_with_energy, legs_with_exact_energy, simplified_route
from usv_energy.studies.route.route_problem import Route, RouteProblem
from usv_energy.studies.route.route_through_goals import RouteFront

CHEAPEST, FASTEST, SHORTEST = 'cheapest', 'fastest', 'shortest'
STRAIGHT, OTHER = 'straight', 'other'


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
    where it is False, energy and duration are about those of a route, by the search on a lattice alone. `routes`: of
    the departures. `verdicts`: as of a mission's departures; if there are any, starts, turns and stops are counted in
    energy and duration.
    """

    departure: np.ndarray
    energy: np.ndarray
    duration: np.ndarray
    best: int
    why: tuple[str, ...] = ()
    polished: tuple[bool, ...] = ()
    routes: tuple[Route | None, ...] = ()
    verdicts: tuple[str, ...] = ()

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
    `plan`: the legs as a mission, None if it cannot be estimated; `unjudged` is then the reason.
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
    plan: MissionStudy | None = None
    unjudged: str = 'it was not estimated'
    departures: DepartureCosts | None = None
    forecasts: ForecastCosts | None = None
    simulated: Simulated | None = None
    notes: tuple[str, ...] = ()
    broken_off: bool = False
    front: RouteFront | None = None
    zero: datetime | None = None

    def as_mission(self, in_metres: bool = False) -> Mission:
        """
        Return the legs as a mission; `write_plan` writes it.

        :param in_metres: Whether its places are in the world's metres, where its place on the Earth is known, too.
        """
        radius = RADIUS * (self.boat.hull.length or LENGTH)
        return route_mission(self.legs, self.name, None if in_metres else self.frame, radius)

    @property
    def verdict(self) -> str:
        """That on the plan, as of a mission; UNSURE without one."""
        if self.plan is None:
            return NO_BATTERY if self.boat.battery is None else UNSURE
        return self.plan.verdict

    @property
    def energy(self) -> float:
        """Energy of the plan, J, with starts, turns and stops; of the legs without a plan."""
        return self.plan.energy if self.plan is not None and self.plan.is_possible else float(self.legs.energy[-1])

    @property
    def time(self) -> float:
        """How long the plan takes, s; the legs without a plan."""
        return self.plan.time if self.plan is not None and self.plan.is_possible else self.legs.duration

    @property
    def route_energy(self) -> float:
        """Energy of the route itself, J, without starts, turns and stops, as its alternatives have it."""
        return float(self.route.energy[-1] - self.route.energy[0])

    @property
    def simulation_error(self) -> float:
        """Relative difference of the simulated energy from that of the plan, (-); NaN without a simulation."""
        return math.nan if self.simulated is None else self.simulated.energy / self.energy - 1.0

    @property
    def charge(self) -> np.ndarray | None:
        """State of charge at the start and at the end of each leg, (-); None without a battery or a plan."""
        if self.plan is None or self.plan.charge is None:
            return None
        at_ends = charge_at_ends(self.plan.charge, self.plan.charge_at_start, self.plan.legs)
        return np.concatenate((at_ends[:1], at_ends[1:][self.plan_parts]))

    @property
    def plan_parts(self) -> np.ndarray:
        """The part of the plan that each leg is: twice the number of the plan's leg, and 1 more for its stay."""
        waits = np.hypot(np.diff(self.legs.x), np.diff(self.legs.y)) == 0.0
        goes = np.cumsum(~waits) - 1 + int(waits[0])    # A stay before the first way is a leg of its own.
        return 2 * np.maximum(goes, 0) + waits


SAME_SPEED = 5e-3       # m/s, above the one before: not worth a command; to be slower is one, as it may be the limit.
SHORTEST_LEG = 0.01, 3.0    # of the route's length, and boat lengths
ABOUT = 0.03            # by which share the energy of a departure that is only about known may be off


def route_mission(legs: Route, name: str, frame: WorldFrame | None = None, radius: float = 0.0) -> Mission:
    """
    Return the legs of a route as a mission, with a speed over ground for each leg, and a hold where the boat waits.

    A mission cannot express the times of a route, such as the departure, beyond these speeds.

    :param legs: From `simplified_route`.
    :param frame: Where the world lies on the Earth, for places in degrees; None: local metres.
    :param radius: Within which a place counts as reached, m; 0 for the boat's own, which a scenario takes for another.
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
                items.append(_waypoint(places[0], len(items) + 1, radius, held))
            held = 0.0
            continue
        speed = math.floor(1e4 * float(length[number] / duration[number]) + 1e-3) / 1e4
        if last is None or not last <= speed <= last + SAME_SPEED:
            items.append(MissionItem(CHANGE_SPEED, len(items) + 1, (GROUND_SPEED, speed, -1.0, 0.0)))
            last = speed
        items.append(_waypoint(place, len(items) + 1, radius))
    return Mission(name, tuple(items), home=places[0])


def _waypoint(place: Place | LocalPlace, number: int, radius: float, hold: float = 0.0) -> MissionItem:
    frame = LOCAL_ENU if isinstance(place, LocalPlace) else RELATIVE_ALTITUDE
    return MissionItem(WAYPOINT, number, (hold, radius, 0.0, None), place[0], place[1], 0.0, frame)


def _places(legs: Route, frame: WorldFrame | None) -> Sequence[Place | LocalPlace]:
    if frame is None:
        return [LocalPlace(x, y) for x, y in zip(legs.x.tolist(), legs.y.tolist())]
    latitude, longitude = frame.to_geodetic(legs.x, legs.y)
    return [Place(north, east) for north, east in zip(latitude.tolist(), longitude.tolist())]


def _placed(study: RouteStudy) -> MissionScenario:
    """Return a route's legs as a mission in the metres of its flow."""
    itinerary, problem = itinerary_of(study.as_mission(in_metres=True)), study.problem
    return mission_scenario(itinerary, study.boat, problem.current, problem.wind)  # type: ignore[arg-type]


def judged(study: RouteStudy, state_of_charge: float | None = None, reserve: float = 0.2,
           ambient: float | None = None) -> RouteStudy:
    """
    Return a study with its plan: what `usv-energy mission` says of the legs, other speeds left out.

    :param state_of_charge: At the start, (-); None for that of the boat's file.
    :param reserve: That must be left at the end, (-).
    :param ambient: Temperature around a battery of cells, K; None for that of the boat's file.
    """
    try:
        plan = mission_study(_placed(study), float(study.legs.time[0]), state_of_charge, reserve, ambient=ambient,
                             is_alone=True)
        slowed = _slowed(study, plan)
        if slowed is not None:      # The table by which the route was found is a little off, and a leg at the limit.
            plan = mission_study(_placed(slowed), float(study.legs.time[0]), state_of_charge, reserve, ambient=ambient,
                                 is_alone=True)
    except InputError as error:     # Turns take time, so that a plan may outlast the flow that its route is within.
        return study._replace(unjudged=str(error))
    return (slowed or study)._replace(plan=plan._replace(zero=study.zero))


def with_judged_departures(study: RouteStudy, workers: int, *terms: Any) -> RouteStudy:
    """
    Return a study whose departures cost more than their routes in the proportion of its plan, with their verdicts.

    One near the reserve has the verdict on the plan of its own route; one whose cost is only about known is judged as
    if it were off by ABOUT, and UNSURE where that decides.

    :param workers: Processes, at most.
    :param terms: Further arguments of `judged`.
    """
    found, plan = study.departures, study.plan
    if found is None or plan is None or not plan.is_possible:
        return study
    energy = study.energy / study.route_energy * found.energy
    time = study.time / study.route.duration * found.duration
    costs = Departures(found.departure, time, energy, np.isfinite(energy), found.departure.size, {})
    middle, *ends = (plan._replace(departures=costs._replace(energy=share * energy))
                     for share in (1.0, 1.0 - ABOUT, 1.0 + ABOUT))
    verdicts = [departure_verdict(middle, number) for number in range(found.departure.size)]
    for number in filter(found.about, range(found.departure.size)):
        low, high = (departure_verdict(end, number) for end in ends)
        verdicts[number] = low if low == high else UNSURE
    near = [number for number in departures_near_reserve(middle, costs) if not found.about(number)]

    def own_verdict(at: int) -> str:
        route = found.routes[near[at]]
        assert route is not None
        problem = study.problem._replace(depart=float(found.departure[near[at]]))
        return judged(study._replace(problem=problem, route=route, legs=legs_of(route, problem, study.boat)),
                      *terms).verdict
    for at, verdict in forked(own_verdict, len(near), workers):
        verdicts[near[at]] = verdict
    return study._replace(departures=found._replace(energy=energy, duration=time, verdicts=tuple(verdicts)))


def legs_of(route: Route, problem: RouteProblem, boat: Boat) -> Route:
    """Return a route in few legs, with their energy by steady motion."""
    return legs_with_exact_energy(simplified_route(route, problem, shortest_leg(boat, route)), problem, boat.vessel)


def shortest_leg(boat: Boat, route: Route) -> float:
    """Return the length below which a leg of a route is too short for a boat, m."""
    return max(SHORTEST_LEG[0] * route.length, SHORTEST_LEG[1] * (boat.hull.length or LENGTH))


def _slowed(study: RouteStudy, plan: MissionStudy) -> RouteStudy | None:
    """Return a study whose legs are as fast as the thrusters can; None if they hold the speeds, or none."""
    if plan.legs.feasible.all() or not plan.is_possible:
        return None
    lasts, part = np.diff(study.legs.time), study.plan_parts
    goes = part % 2 == 0
    lasts[goes] = np.maximum(lasts[goes], (plan.legs.length / plan.legs.speed)[part[goes] // 2])
    time = study.legs.time[0] + np.concatenate(([0.0], np.cumsum(lasts)))
    rests = (study.legs.speed == 0.0) & (lasts > 0.0)
    return study._replace(legs=legs_with_exact_energy(
        legs_with_energy(study.problem, time, study.legs.x, study.legs.y, rests), study.problem, study.boat.vessel))


def simulate_legs(study: RouteStudy, progress: Progress = no_progress) -> Simulated | None:
    """
    Return the result of the simulator for a route's legs, with the full model; None if the user interrupted it.

    The boat begins at rest in the water, with the heading of its first leg.
    """
    scenario, heading = _placed(study).scenario, first_heading(study.boat.vessel, study.legs, study.problem)
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
