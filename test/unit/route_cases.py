"""Routes made by hand, whose costs are known in closed form, and studies of them, for the tests of what is shown."""

import numpy as np

from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.analytic import UniformFlow
from usv_energy.studies.route.barriers.area_barriers import NoBarriers
from usv_energy.studies.route.route_problem import PowerLaw, Route, RouteProblem
from usv_energy.studies.route.route_study import (
    CHEAPEST,
    FASTEST,
    STRAIGHT,
    DepartureCosts,
    ForecastCosts,
    RouteChoice,
    RouteStudy,
    judged,
)
from usv_energy.studies.route.route_through_goals import RouteFront

STILL = UniformFlow()
LAW = PowerLaw(2.0, 3.0, 5.0)       # 5 W of hotel load and 2 v^3.


def problem(start=(0.0, 0.0), goal=(300.0, 400.0), current=STILL, **more):
    return RouteProblem(start, goal, LAW, current, STILL, NoBarriers(), **more)


def steady_route(places, speed, begin=0.0, current=STILL):
    """A route over places at one speed over ground, m/s, priced by the power law itself."""
    x, y = np.array(places, float).T
    dx, dy = np.diff(x), np.diff(y)
    length = np.hypot(dx, dy)
    duration = length / speed
    water = np.hypot(dx / duration - current.x, dy / duration - current.y)
    power = 5.0 + 2.0 * water ** 3
    return Route(begin + np.concatenate([[0.0], np.cumsum(duration)]), x, y, water,
                 np.concatenate([[0.0], np.cumsum(power * duration)]))


def study(**more):
    """A study of three ways over 500 m, with departures and forecasts."""
    route = steady_route([(0.0, 0.0), (300.0, 100.0), (300.0, 400.0)], 1.0, 600.0)
    fast = steady_route([(0.0, 0.0), (300.0, 400.0)], 2.0, 600.0)
    boat = read_boat('lutra_prop')
    departures = DepartureCosts(np.array([0.0, 600.0, 1200.0]), np.array([5000.0, 4400.0, np.nan]),
                                np.array([600.0, 620.0, np.nan]), 1)
    forecasts = ForecastCosts(('low.yaml', 'high.yaml'), ('mean', 'low.yaml'),
                              np.array([[4000.0, 4800.0], [3900.0, np.nan]]), 0)
    made = RouteStudy(
        'route of <lutra>', boat, problem(depart=600.0), None, ((300.0, 400.0),), route, route, 0.02,
        (RouteChoice(CHEAPEST, route), RouteChoice(FASTEST, fast),
         RouteChoice(STRAIGHT, None, 'a barrier, too strong a current, or too early')),
        departures=departures, forecasts=forecasts, notes=('a note with <angles>',))
    return judged(made)._replace(**{'front': RouteFront((fast, route), 3), **more})
