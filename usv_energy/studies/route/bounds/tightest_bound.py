"""
Lower bounds on the cost of all routes, and the tightest of them.

A lower bound on the energy of all routes at free speeds in a flow that changes, from a value function V(t, x).

Let V(t, x) be any function that is 0 at the goal. Let v be the velocity through the water, c the current and p(v) the
power. Along a route V falls by -V_t - (v + c) . grad V per second. For each level of V let s be the largest number,
at most 1, for which this holds at all times and places where V has that level:

    p(v) >= s (-V_t - (v + c) . grad V)    for every v that the boat can hold.

A route from (t0, start) passes all levels from V(t0, start) down to 0, and pays at least s dV for each dV. A route on
which V rises in between pays more. So no route costs less than the integral of s over the levels up to V(t0, start).
This holds for any V. V is a subsolution of the Hamilton-Jacobi-Bellman equation (Bardi and Capuzzo-Dolcetta, Optimal
Control and Viscosity Solutions, 1997, chapter III); `value_bound` does the same without the time axis.

Cells are left out if every route through them costs more than the best known route. The cost of such a route is at
least the cost to reach the cell (its time at the least power, or its distance at the least energy per metre) plus a
ratio R of V from there on. This second part is valid only if the bound itself is at least R V at each level, which
`LevelShares.bound` checks in the end.

V is computed backwards in time from the Hamilton-Jacobi-Bellman equation (`ValueMarch`), so that s is near 1 wherever V
is smooth. At the last time V is the energy of the straight line at the least energy per metre. So the bound also holds
for routes that take longer, as long as the current is then nowhere stronger. With an arrival time V is steeper there.
The air is taken as the best one for each speed. s is evaluated at the middle of each cell, so the bound holds as far as
the lattice resolves the flow.
"""

import math

import numpy as np

from usv_energy.flow.flow_box import flow_along
from usv_energy.studies.maps.lattice import Lattice, cheapest_paths, move_costs, moves_of
from usv_energy.studies.route.bounds.value_bound import ValueMarch, value_bound
from usv_energy.studies.route.costs.power_table import EnergyLaw, PowerTable, energy_law, most_gain
from usv_energy.studies.route.route_problem import MotionCost, Route, RouteProblem, bearings, sea_towards
from usv_energy.studies.route.search.flow_cube import FlowCube, SearchGrid, is_steady, most_beside
from usv_energy.studies.route.search.rough_ways import (
    PreparedSearch,
    RoughWays,
    SearchOptions,
    prepared_search,
    rough_ways_by_labels,
)

COURANT = 0.45          # Largest Courant number: cells that information travels in one time step.
UPDATE_STEPS = 3        # Time steps between two updates of the shares.
MOST_STEPS = 6000       # With more time steps than this there is no bound.
STEEP_SPEED = 8.0       # V's last slope belongs to this many times the speed that the arrival time requires.
LEVELS = 480            # Number of levels of V, up to 1.2 times the cost of the best known route.
RATIOS = 0.9, 0.75, 0.5, 0.0    # The ratios R that are tried.
CHUNK = 2000            # Cells per array operation.
SPEED_STRIDE = 4        # Only every fourth knot of the speed is evaluated.
CLOSE = 2e-3            # If a share lacks less than this to 1, the simple estimate is used.


def changing_flow_bound(problem: RouteProblem, prepared: PreparedSearch, cost: float, end: float) -> float:
    """
    Return a lower bound on the energy of all routes over a lattice, J; 0 if it would take too many time steps.

    :param prepared: The lattice, with the flow from the departure until the end.
    :param cost: Energy of the best known route, J.
    :param end: Last time of V, s: the arrival time, or a time later than the best arrival.
    """
    grid, cube, law = prepared.grid, prepared.cube, energy_law(problem, prepared.table)
    lattice, h = grid.lattice, grid.lattice.spacing
    goal, start = (divmod(point, lattice.columns) for point in (grid.goal, grid.start))
    row, column = np.indices((lattice.rows, lattice.columns))
    to_goal, to_start = (h * np.hypot(row - j, column - i) for j, i in (goal, start))
    strongest, is_open = float(cube.strongest.max()), ~prepared.closed.reshape(row.shape)
    metre = slope = law.metre(strongest)
    if problem.arrive_by is not None:
        asked = STEEP_SPEED * to_goal[start] / (end - problem.depart) + strongest
        slope = max(law.slope_at(asked), metre)
    march = ValueMarch(law, h, is_open, goal, problem.arrive_by)
    shares = LevelShares(law, cost, h, is_open, metre * np.maximum(to_start - 2.0 * h, 0.0))
    value, time, now = slope * to_goal, end, _current(cube, end, row.shape)
    seen, seen_at = value, time
    for steps in range(1, MOST_STEPS + 1):
        lasts = min(COURANT * h / march.fastest(value, strongest), time - problem.depart)
        time = max(time - lasts, problem.depart)
        before = _current(cube, time, row.shape)
        value, now = march.step(value, (now, before), time, lasts), before
        if steps % UPDATE_STEPS == 0 or time <= problem.depart:
            shares.update(seen, value, _current(cube, 0.5 * (time + seen_at), row.shape), seen_at - time,
                        time - problem.depart)
            seen, seen_at = value, time
        if time <= problem.depart:
            return shares.bound(float(value[start]))
    return 0.0


class LevelShares:
    """The smallest share s of each level of V, over the cells of routes no dearer than the best known one."""

    def __init__(self, law: EnergyLaw, cost: float, spacing: float, is_open: np.ndarray,
                 reach_cost: np.ndarray) -> None:
        """
        Begin with a share of 1 at every level.

        :param cost: Energy of the best known route, J.
        :param spacing: Spacing of the lattice, m.
        :param is_open: Whether the boat may be at a point, shape (rows, columns).
        :param reach_cost: Lower bound on the energy from the start to each point, J, same shape.
        """
        self.law, self.cost, self.spacing = law, cost, spacing
        self.step = 1.2 * cost / LEVELS
        self.least = float(min(law.power.min(), law.stand))
        self.reach_cost = np.minimum.reduce(_corners(reach_cost))
        self.open_points, self.is_open = is_open, np.logical_or.reduce(_corners(is_open))
        self.found = np.ones((len(RATIOS), LEVELS))

    def update(self, late: np.ndarray, early: np.ndarray, current: np.ndarray, lasts: float, since: float) -> None:
        """
        Update the shares with the cells between two times.

        :param late: V at the later time, J, shape (rows, columns); `early` is V `lasts` seconds before.
        :param current: Current between the two times, m/s, shape (2, rows, columns).
        :param since: Time from the departure to the earlier time, s.
        """
        late, early = (_over_land(value, self.open_points) for value in (late, early))
        corners = _corners(0.5 * (late + early))
        along = 0.5 * (corners[1] - corners[0] + corners[3] - corners[2]) / self.spacing
        across = 0.5 * (corners[2] - corners[0] + corners[3] - corners[1]) / self.spacing
        flow = 0.25 * np.sum(_corners(current), axis=0)
        falls = 0.25 * np.sum(_corners(early - late), axis=0) / lasts   # Fall of V per second at rest.
        steep, drifts = np.hypot(along, across), falls - flow[0] * along - flow[1] * across
        wrong = np.maximum(most_gain(self.law, steep) + drifts, falls - self.law.stand)
        low, high = np.minimum.reduce(corners), np.maximum.reduce(corners)
        reach_cost = np.maximum(self.reach_cost, self.least * since)
        some = self.is_open & (wrong > 0.0) & (reach_cost + RATIOS[-1] * low <= self.cost)
        share = self._share(steep[some], drifts[some], falls[some], wrong[some])
        self._keep(low[some], high[some], reach_cost[some], share)

    def _share(self, steep: np.ndarray, drifts: np.ndarray, falls: np.ndarray, wrong: np.ndarray) -> np.ndarray:
        """Return the least quotient, over all speeds, of p(v) by the fall of V per second, (-), or a lower estimate."""
        with np.errstate(divide='ignore', invalid='ignore'):
            share = self.least / (self.least + wrong)       # V falls by at most p(v) + wrong per second.
            far = np.flatnonzero(~(share > 1.0 - CLOSE))
            share[far] = np.where(falls[far] > 0.0, self.law.stand / falls[far], np.inf)
            for some in np.array_split(far, far.size // CHUNK + 1):
                fall = steep[some, None] * self.law.speed[::SPEED_STRIDE] + drifts[some, None]
                one = np.where(fall > 0.0, self.law.power[::SPEED_STRIDE] / fall, np.inf).min(axis=1)
                share[some] = np.minimum(share[some], one)
        return np.minimum(share, 1.0)

    def _keep(self, low: np.ndarray, high: np.ndarray, reach_cost: np.ndarray, share: np.ndarray) -> None:
        """Update the smallest share of each level that the cells span, for each ratio R."""
        first, last = (np.clip((edge / self.step).astype(int), 0, LEVELS - 1) for edge in (low, high))
        for ratio, found in zip(RATIOS, self.found):
            used = reach_cost + ratio * low <= self.cost
            for more in range(int((last - first)[used].max(initial=-1)) + 1):
                rows = used & (first + more <= last)
                np.minimum.at(found, first[rows] + more, share[rows])

    def bound(self, value: float) -> float:
        """Return the lower bound, J, for a value V at the start, J."""
        edges = np.minimum(self.step * np.arange(LEVELS + 1), value)
        best = 0.0
        for ratio, found in zip(RATIOS, self.found):
            true = np.cumsum(found * np.diff(edges))
            if np.all(true >= ratio * edges[1:] * (1.0 - 1e-12)):
                best = max(best, float(true[-1]))
        return best


def _corners(values: np.ndarray) -> list[np.ndarray]:
    """Return the values at the four corners of each cell."""
    return [values[..., :-1, :-1], values[..., :-1, 1:], values[..., 1:, :-1], values[..., 1:, 1:]]


def _over_land(value: np.ndarray, is_open: np.ndarray) -> np.ndarray:
    """Return V with the mean of the open neighbours at each closed point, so that cells on the bank have a slope."""
    if is_open.all():
        return value
    known, number = (np.pad(part, 1) for part in (np.where(is_open, value, 0.0), is_open.astype(float)))
    rows, columns = value.shape
    total, many = (sum(part[1 + j:1 + j + rows, 1 + i:1 + i + columns] for j in (-1, 0, 1) for i in (-1, 0, 1))
                   for part in (known, number))
    return np.asarray(np.where(is_open, value, total / np.maximum(many, 1.0)))


def _current(cube: FlowCube, time: float, shape: tuple[int, ...]) -> np.ndarray:
    """Return the current at a time, m/s, in the lattice's axes, shape (2, rows, columns); 0 where it is not known."""
    most = len(cube.current) - 1
    at = min(max((time - cube.t0) / cube.dt, 0.0), float(most))
    low = min(int(at), max(most - 1, 0))
    found = np.nan_to_num(cube.current[low].astype(float))
    if at > low:
        found += (at - low) * (np.nan_to_num(cube.current[low + 1].astype(float)) - found)
    return found.reshape(2, *shape)


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
