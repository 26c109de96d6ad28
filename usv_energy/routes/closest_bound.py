"""The closest of the bounds on what a route may cost at least, by what fits the problem."""

import numpy as np

from .changing_bound import changing_bound
from .flow_along import flow_along
from .flow_cube import is_steady
from .rough_ways import RoughWays, SearchOptions, by_labels, prepared_search
from .route_bound import lower_bound
from .route_problem import MotionCost, Route, RouteProblem, bearings, sea_towards
from .value_bound import value_bound

POINTS = 4000           # Of the lattice of a value of place and time.
LATER = 2.0             # Times the best route's duration: until when that is looked at.
SLOPE = 1e-3            # Of the highest speed: over which power's slope is taken.


class WithPriceOfTime:
    """A MotionCost and a price of each second, W, besides."""

    def __init__(self, cost: MotionCost, price: float) -> None:
        """Take the cost and the price."""
        self.cost, self.price, self.top_speed, self.towards = cost, price, cost.top_speed, sea_towards(cost)

    def power(self, speed: np.ndarray, air_along: np.ndarray, air_across: np.ndarray,
              *bearing: np.ndarray | None) -> np.ndarray:
        """Return the power and the price, W; see MotionCost.power."""
        return self.cost.power(speed, air_along, air_across, *bearing) + self.price


def closest_bound(problem: RouteProblem, rough: RoughWays, best: Route, options: SearchOptions) -> float:
    """
    Return a bound on the cost of all ways, s or J, as far as the search's lattice resolves the flow.

    The least time in any flow, one speed where air does not matter, and the least energy in a steady flow: the value
    that the search found, by how much of it is true (`value_bound`), over places within the search's slack of the best
    way. With an arrival time, E >= (least of E + L t) - L T for any price L of time: that of the route is taken. Else,
    speeds of choice in a flow that changes: `changing_bound`, a value of place and time. Never less than what it would
    cost if the current always helped most (`lower_bound`).

    :param best: The best route that was found.
    """
    made = rough.prepared
    weak = lower_bound(problem, made.grid, made.cube, made.table)
    if not options.bound:
        return weak
    of_labels = 0.0 if rough.value is None else _of_labels(problem, rough)
    if of_labels > 0.0:
        return max(weak, of_labels)
    if problem.objective == 'energy' and problem.speed is None and is_steady(problem, float(best.time[-1])):
        price = max(price_of_time(problem, best), 0.0) if problem.arrive_by is not None else 0.0
        free = problem._replace(cost=WithPriceOfTime(problem.cost, price), arrive_by=None)
        labels = by_labels(free, options._replace(points=options.hop_points, most=1), float(best.time[-1]))
        if labels.value is not None:
            return max(weak, _of_labels(free, labels) - price * ((problem.arrive_by or 0.0) - problem.depart))
    elif problem.objective == 'energy':
        return max(weak, _of_a_changing_flow(problem, best, options))
    return weak


def _of_a_changing_flow(problem: RouteProblem, best: Route, options: SearchOptions) -> float:
    """Return the bound by a value of place and time, J."""
    end = problem.depart + LATER * best.duration if problem.arrive_by is None else problem.arrive_by
    made = prepared_search(problem, min(options.hop_points, POINTS), options.margin, end)
    return changing_bound(problem, made, float(best.energy[-1]), min(end, made.cube.end))


def _of_labels(problem: RouteProblem, rough: RoughWays) -> float:
    """Return the bound of what a search by labels found; 0 where there is none."""
    made, value, near = rough.prepared, rough.value, rough.near
    assert value is not None and near is not None
    if problem.objective == 'time' or made.field.slices == 1:
        return value_bound(problem, made.grid, made.field, value, near)
    if problem.speed is None or made.field.knots > 1 or made.field.turns > 1:
        return 0.0
    still = np.zeros(1)
    power = float(np.asarray(problem.cost.power(np.full(1, problem.speed), still, still))[0])
    return power * value_bound(problem._replace(objective='time'), made.grid, made.field, value / power, near)


def price_of_time(problem: RouteProblem, route: Route) -> float:
    """
    Return by how much the least energy falls with the time that there is, W: the same all along a route in steady flow.

    P'(v) v . g / |v| - P(v), with v through the water and g over ground (the Hamiltonian of the speeds' choice).
    """
    lasting = np.diff(route.time)
    ground = np.stack([np.diff(route.x), np.diff(route.y)]) / lasting
    middle = [0.5 * (part[1:] + part[:-1]) for part in (route.time, route.x, route.y)]
    current, wind = (np.array(flow_along(flow)(*middle)) for flow in (problem.current, problem.wind))
    water, air = ground - current, wind - current
    speed = np.hypot(*water)
    ahead = water / np.maximum(speed, 1e-12)
    head, beam = (air * ahead).sum(axis=0), ahead[0] * air[1] - ahead[1] * air[0]
    step = SLOPE * float(np.nanmax(speed))
    bearing = bearings(problem.cost, *water)
    power, slower = (np.asarray(problem.cost.power(np.maximum(v, 0.0), head, beam, *bearing))
                     for v in (speed, speed - step))
    price = (power - slower) / step * (ahead * ground).sum(axis=0) - power
    return float(np.nanmedian(price[np.isfinite(price)])) if np.isfinite(price).any() else 0.0
