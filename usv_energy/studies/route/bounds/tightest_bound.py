"""Bounds on what a route may cost at least, and the closest of them."""

import math

import numpy as np

from usv_energy.studies.maps.lattice import Lattice, cheapest_ways, move_costs, moves_of
from usv_energy.studies.route.bounds.changing_flow_bound import changing_flow_bound
from usv_energy.studies.route.bounds.value_bound import value_bound
from usv_energy.studies.route.costs.motion_cost_table import PowerTable
from usv_energy.studies.route.flow_along import flow_along
from usv_energy.studies.route.route_problem import MotionCost, Route, RouteProblem, bearings, sea_towards
from usv_energy.studies.route.search.flow_cube import FlowCube, is_steady
from usv_energy.studies.route.search.rough_ways import RoughWays, SearchOptions, prepared_search, rough_ways_by_labels
from usv_energy.studies.route.search.search_grid import SearchGrid

POINTS = 3000       # Of the lattice that the bound is found on.
RADIUS = 3
BESIDE = math.atan(1.0 / RADIUS)                    # From a move's direction to the next one's, rad, at most.
COARSENESS = 1.0 / math.cos(0.5 * BESIDE)           # Ways on that lattice are at most so many times too long.


def lower_bound(problem: RouteProblem, grid: SearchGrid, cube: FlowCube, table: PowerTable) -> float:
    """
    Return a bound on the cost of all ways, s or J, as far as the lattice resolves the flow; barriers are left out.

    A metre in a direction costs at least what it would in the current that helps most: of all times, of all points
    within a step of the bound's own lattice, and of all directions as far as the next move's.

    :param cube: Flow over the lattice.
    """
    lattice = grid.lattice
    row, column = divmod(grid.start, lattice.columns)
    between = grid.goal % lattice.columns - column
    wanted = max(math.floor(math.sqrt(grid.size / POINTS)), 1)
    every = next(n for n in range(wanted, 0, -1) if between % n == 0)
    kept = slice(row % every, None, every), slice(column % every, None, every)
    shape = tuple(len(range(*part.indices(size))) for part, size in zip(kept, (lattice.rows, lattice.columns)))
    coarse = Lattice(lattice.x, lattice.y, lattice.angle, every * lattice.spacing, shape[1], shape[0])
    moves = moves_of(coarse, RADIUS)
    cost = np.empty((*shape, len(moves.columns)))
    for k, direction in enumerate((moves.direction - lattice.angle).tolist()):
        cost[:, :, k] = _cost_of_metre(problem, table, _helping(cube, grid, direction, every)[kept])
    start = (row // every) * shape[1] + column // every
    found = cheapest_ways(coarse, moves, move_costs(coarse, moves, cost), start)[0].ravel()
    return float(found[start + between // every]) / COARSENESS


def _helping(cube: FlowCube, grid: SearchGrid, direction: float, every: int) -> np.ndarray:
    """Return the most that the current helps in a direction, m/s, near each point, (rows, columns)."""
    from scipy.ndimage import maximum_filter
    best = np.full(cube.current.shape[2], -np.inf, dtype=np.float32)
    for angle in (direction - BESIDE, direction, direction + BESIDE):
        c, s = np.float32(math.cos(angle)), np.float32(math.sin(angle))
        for along, across in cube.current:
            np.fmax(best, c * along + s * across, out=best)
    best[~np.isfinite(best)] = 0.0
    best = np.where(best > 0.0, best / math.cos(0.5 * BESIDE), best)    # Between the three angles it may be more.
    near = best.reshape(grid.lattice.rows, grid.lattice.columns)
    return np.asarray(maximum_filter(near, size=2 * every + 1), dtype=float)


def _cost_of_metre(problem: RouteProblem, table: PowerTable, current: np.ndarray) -> np.ndarray:
    """Return the least cost of a metre, s or J, where the current helps so much, m/s; in the best air."""
    speeds = table.speeds
    power = np.ones(len(speeds)) if problem.objective == 'time' else table.least_power
    if problem.speed is not None:
        power, speeds = np.full(1, np.interp(problem.speed, speeds, power)), np.full(1, problem.speed)
    elif problem.objective == 'energy':
        allowed = (speeds >= problem.lowest_speed - table.speed_step) | problem.may_drift
        power, speeds = power[allowed], speeds[allowed]
    best = np.full(current.shape, np.inf)
    for speed, watts in zip(speeds.tolist(), power.tolist()):
        with np.errstate(divide='ignore', invalid='ignore'):
            best = np.fmin(best, np.where(speed + current > 0.0, watts / (speed + current), np.inf))
    return best



VALUE_POINTS = 4000           # Of the lattice of a value of place and time.
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


def tightest_bound(problem: RouteProblem, rough: RoughWays, best: Route, options: SearchOptions) -> float:
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
        labels = rough_ways_by_labels(free, options._replace(points=options.hop_points, most=1), float(best.time[-1]))
        if labels.value is not None:
            return max(weak, _of_labels(free, labels) - price * ((problem.arrive_by or 0.0) - problem.depart))
    elif problem.objective == 'energy':
        return max(weak, _of_a_changing_flow(problem, best, options))
    return weak


def _of_a_changing_flow(problem: RouteProblem, best: Route, options: SearchOptions) -> float:
    """Return the bound by a value of place and time, J."""
    end = problem.depart + LATER * best.duration if problem.arrive_by is None else problem.arrive_by
    made = prepared_search(problem, min(options.hop_points, VALUE_POINTS), options.margin, end)
    return changing_flow_bound(problem, made, float(best.energy[-1]), min(end, made.cube.end))


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
