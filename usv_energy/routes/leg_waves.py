"""What the waves of a sea cost on a route's legs, against calm water at the same speeds over ground."""

from typing import NamedTuple

import numpy as np

from ..boats.vessel import Vessel
from ..physics.motion import Flow
from ..planning.steady_motion import steady_state
from ..powering.power import Power
from .flow_along import flow_along
from .leg_conditions import leg_conditions
from .route_problem import Route, RouteProblem

PLACES = 9      # Of each leg, at which the boat's power is asked for.


class LegWaves(NamedTuple):
    """
    What waves cost, below 0 where they help.

    `energy`: of each leg, J: what it takes beyond the same leg in calm water. `share`: of what the thrusters give on
    all legs, that against the waves, (-).
    """

    energy: np.ndarray
    share: float


def leg_waves(legs: Route, problem: RouteProblem, vessel: Vessel) -> LegWaves | None:
    """Return what the waves of a vessel's sea cost on a route's legs; None in calm water."""
    if vessel.sea is None:
        return None
    found, share = leg_conditions(legs, problem), (np.arange(PLACES) + 0.5) / PLACES
    time, x, y = (part[:-1, None] + np.diff(part)[:, None] * share for part in (legs.time, legs.x, legs.y))
    current, wind = (flow_along(flow)(time, x, y) for flow in (problem.current, problem.wind))
    goes = found.ground_speed > 0.0
    flow = Flow(*(part[goes] for part in (*current, *wind)))

    def power(one: Vessel) -> Power:
        return steady_state(one, found.course[goes, None], found.ground_speed[goes, None], flow).power

    there, calm = power(vessel), power(vessel._replace(sea=None))
    energy, lasts = np.zeros(goes.size), np.diff(legs.time)[goes]
    energy[goes] = np.diff(legs.energy)[goes] * (1.0 - calm.total.sum(axis=1) / there.total.sum(axis=1))
    given = float(there.thrust.mean(axis=1) @ lasts)
    return LegWaves(energy, float(there.waves.mean(axis=1) @ lasts) / given if given else 0.0)
