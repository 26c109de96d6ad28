"""
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

import numpy as np

from usv_energy.studies.route.bounds.value_bound import ValueMarch
from usv_energy.studies.route.costs.power_table import EnergyLaw, energy_law, most_gain
from usv_energy.studies.route.route_problem import RouteProblem
from usv_energy.studies.route.search.flow_cube import FlowCube
from usv_energy.studies.route.search.rough_ways import PreparedSearch

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
    flow: np.ndarray = found.reshape(2, *shape)
    return flow
