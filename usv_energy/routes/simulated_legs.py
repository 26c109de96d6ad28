"""A route's legs in the simulator, with the full model: what they cost beside what was promised."""

import math
from dataclasses import replace

import numpy as np

from ..boats.vessel import Vessel
from ..files.progress_protocol import Progress, no_progress
from ..missions.itinerary import itinerary_of
from ..physics.motion import Flow
from ..planning.mission_scenario import mission_scenario
from ..planning.mission_study import Simulated, simulated_mission
from ..planning.steady_motion import steady_state
from .route_mission import route_mission
from .route_problem import Route, RouteProblem
from .route_study import RouteStudy


def simulate_legs(study: RouteStudy, progress: Progress = no_progress) -> Simulated | None:
    """
    Return what the simulator makes of a route's legs with the full model; None where somebody broke it off.

    The boat begins at rest in the water, under the heading of its first leg.
    """
    itinerary, problem = itinerary_of(route_mission(study.legs, study.name)), study.problem
    scenario = mission_scenario(itinerary, study.boat, problem.current, problem.wind).scenario  # type: ignore[arg-type]
    heading = first_heading(study.boat.vessel, study.legs, problem)
    if math.isfinite(heading):
        scenario = replace(scenario, start=(*scenario.start[:2], heading))
    return simulated_mission(scenario, float(study.route.time[0]), study.legs.duration, progress)


def first_heading(vessel: Vessel, legs: Route, problem: RouteProblem) -> float:
    """
    Return the heading with which a boat goes on the first leg that leads somewhere, rad, ENU.

    Up a stream and across it that is far from the leg's own course, and a boat that turns in a circle is carried off
    while it comes round.

    :param vessel: The Vessel.
    :param legs: Of the route, one at least.
    :param problem: Whose current and wind, where and when that leg begins, it goes in.
    :return: NaN where no leg leads anywhere, or where the boat cannot hold it.
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
