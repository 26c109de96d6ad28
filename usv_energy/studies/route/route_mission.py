"""A route as a mission, for plan files and the simulator, and its legs simulated."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

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
from usv_energy.studies.mission.mission_scenario import mission_scenario
from usv_energy.studies.mission.mission_study import Simulated, simulated_mission
from usv_energy.studies.plan.steady_motion import steady_state
from usv_energy.studies.route.route_problem import Route, RouteProblem
from usv_energy.studies.route.route_study import RouteStudy

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
