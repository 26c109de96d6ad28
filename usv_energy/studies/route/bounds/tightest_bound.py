"""Lower bounds on the cost of all routes, and the tightest of them."""

import math

import numpy as np

from usv_energy.flow.flow_box import flow_along
from usv_energy.studies.maps.lattice import Lattice, cheapest_paths, move_costs, moves_of
from usv_energy.studies.route.bounds.changing_flow_bound import changing_flow_bound
from usv_energy.studies.route.bounds.value_bound import value_bound
from usv_energy.studies.route.costs.power_table import PowerTable
from usv_energy.studies.route.route_problem import MotionCost, Route, RouteProblem, bearings, sea_towards
from usv_energy.studies.route.search.flow_cube import FlowCube, is_steady
from usv_energy.studies.route.search.rough_ways import RoughWays, SearchOptions, prepared_search, rough_ways_by_labels
from usv_energy.studies.route.search.search_grid import SearchGrid, most_beside

POINTS = 3000       # Number of points of the lattice of `lower_bound`.
RADIUS = 3          # Longest move on that lattice, in points along each axis.
BESIDE = math.atan(1.0 / RADIUS)                    # Largest angle between the directions of neighbouring moves, rad.
COARSENESS = 1.0 / math.cos(0.5 * BESIDE)           # A path on that lattice is at most this many times too long.
VALUE_POINTS = 4000     # Number of points of the lattice of the value function of place and time.
LATER = 2.0             # The value function begins this many times the best route's duration after the departure.
TIGHT = 0.9         # A value bound above this share of the lattice's best cost is tight.
SLOPE = 1e-3            # Step of the speed for the slope of the power, as a share of the highest speed.


def lower_bound(problem: RouteProblem, grid: SearchGrid, cube: FlowCube, table: PowerTable) -> float:
    """
    Return a lower bound on the cost of all routes, s or J, as far as the lattice resolves the flow.

    Barriers are left out.

    A metre in a direction costs at least as much as in the most favourable current. That current is taken over all
    times, over all points within one step of the coarse lattice, and over all directions up to the next move's.

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
        cost[:, :, k] = _cost_of_metre(problem, table, _following_current(cube, grid, direction, every)[kept])
    start = (row // every) * shape[1] + column // every
    found = cheapest_paths(coarse, moves, move_costs(coarse, moves, cost), start)[0].ravel()
    return float(found[start + between // every]) / COARSENESS


def _following_current(cube: FlowCube, grid: SearchGrid, direction: float, every: int) -> np.ndarray:
    """Return the largest current along a direction, m/s, near each point, (rows, columns)."""
    best = np.full(cube.current.shape[2], -np.inf, dtype=np.float32)
    for angle in (direction - BESIDE, direction, direction + BESIDE):
        c, s = np.float32(math.cos(angle)), np.float32(math.sin(angle))
        for along, across in cube.current:
            np.fmax(best, c * along + s * across, out=best)
    best[~np.isfinite(best)] = 0.0
    best = np.where(best > 0.0, best / math.cos(0.5 * BESIDE), best)    # It may be larger between the three angles.
    near = best.reshape(grid.lattice.rows, grid.lattice.columns)
    return np.asarray(most_beside(near, every), dtype=float)


def _cost_of_metre(problem: RouteProblem, table: PowerTable, current: np.ndarray) -> np.ndarray:
    """Return the least cost of a metre, s or J, for a following current, m/s, in the best air."""
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


class CostWithTimeMultiplier:
    """A MotionCost with a constant multiplier of time added to its power, W."""

    def __init__(self, cost: MotionCost, multiplier: float) -> None:
        """Take the cost and the multiplier."""
        self.cost, self.multiplier, self.top_speed, self.towards = cost, multiplier, cost.top_speed, sea_towards(cost)

    def power(self, speed: np.ndarray, air_along: np.ndarray, air_across: np.ndarray,
              *bearing: np.ndarray | None) -> np.ndarray:
        """Return the power plus the multiplier, W; see MotionCost.power."""
        return self.cost.power(speed, air_along, air_across, *bearing) + self.multiplier


def tightest_bound(problem: RouteProblem, rough: RoughWays, best: Route, options: SearchOptions) -> float:
    """
    Return a lower bound on the cost of all routes, s or J, as far as the search's lattice resolves the flow.

    The result is the largest of the bounds that apply:

    - `lower_bound` always applies; where the next one is tight, it is left out.
    - `value_bound` applies to the least time, to a fixed speed if the air does not matter, and to the least energy in a
      steady flow. It uses the value function of the search, at places within the search's slack of the best route.
    - With an arrival time T in a steady flow, E >= min(E + L t) - L T for any multiplier L >= 0, with t the duration
      and T counted from the departure. L is the multiplier of the best route.
    - `changing_flow_bound` applies to the least energy at free speeds in a flow that changes.

    :param best: The best known route.
    """
    made = rough.prepared
    from_labels = 0.0 if rough.value is None else _bound_from_labels(problem, rough)
    if from_labels > TIGHT * rough.cost:
        return from_labels
    weak = lower_bound(problem, made.grid, made.cube, made.table)
    if from_labels > 0.0:
        return max(weak, from_labels)
    if problem.objective == 'energy' and problem.speed is None and is_steady(problem, float(best.time[-1])):
        multiplier = max(time_multiplier(problem, best), 0.0) if problem.arrive_by is not None else 0.0
        free = problem._replace(cost=CostWithTimeMultiplier(problem.cost, multiplier), arrive_by=None)
        labels = rough_ways_by_labels(free, options._replace(points=options.hop_points, most=1), float(best.time[-1]))
        if labels.value is not None:
            allowed = (problem.arrive_by or 0.0) - problem.depart
            return max(weak, _bound_from_labels(free, labels) - multiplier * allowed)
    elif problem.objective == 'energy':
        return max(weak, _bound_in_changing_flow(problem, best, options))
    return weak


def _bound_in_changing_flow(problem: RouteProblem, best: Route, options: SearchOptions) -> float:
    """Return the lower bound from a value function of place and time, J."""
    end = problem.depart + LATER * best.duration if problem.arrive_by is None else problem.arrive_by
    made = prepared_search(problem, min(options.hop_points, VALUE_POINTS), options.margin, end)
    return changing_flow_bound(problem, made, float(best.energy[-1]), min(end, made.cube.end))


def _bound_from_labels(problem: RouteProblem, rough: RoughWays) -> float:
    """Return the lower bound from the value function of a label search; 0 if it does not apply."""
    made, value, near = rough.prepared, rough.value, rough.near
    assert value is not None and near is not None
    if problem.objective == 'time' or made.field.slices == 1:
        return value_bound(problem, made.grid, made.field, value, near)
    if problem.speed is None or made.field.knots > 1 or made.field.turns > 1:
        return 0.0
    still = np.zeros(1)
    power = float(np.asarray(problem.cost.power(np.full(1, problem.speed), still, still))[0])
    return power * value_bound(problem._replace(objective='time'), made.grid, made.field, value / power, near)


def time_multiplier(problem: RouteProblem, route: Route) -> float:
    """
    Return the multiplier of time, W: by how much the least energy falls per second of additional time.

    It is P'(v) v . g / |v| - P(v), with v the velocity through the water and g that over ground (the Hamiltonian of the
    choice of speed). In a steady flow it is the same all along the best route; the median over its parts is taken.
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
    multiplier = (power - slower) / step * (ahead * ground).sum(axis=0) - power
    return float(np.nanmedian(multiplier[np.isfinite(multiplier)])) if np.isfinite(multiplier).any() else 0.0
