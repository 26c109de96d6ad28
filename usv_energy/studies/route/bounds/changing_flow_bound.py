"""
A bound on the least energy at speeds of choice in a flow that changes, from a value of place and time.

Let V(t, x) be any function, 0 at the goal. Along a way V falls by -V_t - (v + c) . grad V a second, v through the water
and c the current, and a second costs p(v). Let s be a share so that at all times and places where V has some level

    p(v) >= s (-V_t - (v + c) . grad V)    for every v that the boat has.

A way from (t0, start) falls through all levels from V(t0, start) to 0, and while it falls through dV it pays at least
s dV; where it rises and falls again it pays more. So no way costs less than the integral of the least s of each level
from 0 to V(t0, start), whatever V is. (`value_bound` with time as another axis; a subsolution of Hamilton, Jacobi and
Bellman's equation: Bardi and Capuzzo-Dolcetta, Optimal Control and Viscosity Solutions, 1997, chapter III.)

Places and times are left out through which every way costs more than the best one: what led there, which is at least
its time at the least power, or its distance at the least that a metre costs anywhere, and a share R of V from there
on. That is true where the bound itself is at least R of V at each level, which is seen in the end: from where a way
was left out last, it goes through places that were looked at.

V is the solution of that equation, backwards in time (`ValueMarch`), so that s is near 1 wherever V is smooth. At the
last time it is the straight way at the least that a metre costs anywhere: so ways that take longer are bounded, too,
as long as the current is nowhere stronger then. With an arrival time V is steeper there. The air is at its best for
each speed. s is taken at the middle of each cell, so that the bound holds as far as the lattice resolves the flow.
"""

import numpy as np

from usv_energy.studies.route.bounds.value_bound import ValueMarch
from usv_energy.studies.route.costs.speed_power_law import EnergyLaw, energy_law, most_gain
from usv_energy.studies.route.route_problem import RouteProblem
from usv_energy.studies.route.search.flow_cube import FlowCube
from usv_energy.studies.route.search.rough_ways import PreparedSearch

COURANT = 0.45          # Cells that anything moves in a step, at most.
EVERY = 3               # Steps from one look at the shares to the next.
MOST_STEPS = 6000
HURRY = 8.0             # Times the speed that the arrival asks for: at which a way goes that V's last slope is worth.
LEVELS = 480            # Of V, up to a fifth more than the best way's cost.
RATIOS = 0.9, 0.75, 0.5, 0.0    # The shares R that are tried.
CHUNK = 2000            # Cells that are looked at together,
LESS = 4                # and every so many of the knots of the speed.
CLOSE = 2e-3            # Of a share: where no more is missing, a simple estimate will do.


def changing_flow_bound(problem: RouteProblem, prepared: PreparedSearch, cost: float, end: float) -> float:
    """
    Return a bound on the energy of all ways over a lattice, J; 0 where it takes too many steps.

    :param prepared: The lattice, with the flow from the departure until the end.
    :param cost: Of the best way that is known, J.
    :param end: Until when V is looked at, s: the arrival time, or later than the best arrival.
    """
    grid, cube, law = prepared.grid, prepared.cube, energy_law(problem, prepared.table)
    lattice, h = grid.lattice, grid.lattice.spacing
    goal, start = (divmod(point, lattice.columns) for point in (grid.goal, grid.start))
    row, column = np.indices((lattice.rows, lattice.columns))
    to_goal, to_start = (h * np.hypot(row - j, column - i) for j, i in (goal, start))
    strongest, is_open = float(cube.strongest.max()), ~prepared.closed.reshape(row.shape)
    metre = slope = law.metre(strongest)
    if problem.arrive_by is not None:
        asked = HURRY * to_goal[start] / (end - problem.depart) + strongest
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
        if steps % EVERY == 0 or time <= problem.depart:
            shares.look(seen, value, _current(cube, 0.5 * (time + seen_at), row.shape), seen_at - time,
                        time - problem.depart)
            seen, seen_at = value, time
        if time <= problem.depart:
            return shares.bound(float(value[start]))
    return 0.0


class LevelShares:
    """The least shares of V that are true, by its levels, of cells on ways that cost no more than the best."""

    def __init__(self, law: EnergyLaw, cost: float, spacing: float, is_open: np.ndarray, led: np.ndarray) -> None:
        """
        Begin with nothing seen.

        :param cost: Of the best way, J.
        :param spacing: Of the lattice, m.
        :param is_open: Whether one can be at a point, shape (rows, columns).
        :param led: What ways there from the start cost at least, J, same shape.
        """
        self.law, self.cost, self.spacing = law, cost, spacing
        self.step = 1.2 * cost / LEVELS
        self.least = float(min(law.power.min(), law.stand))
        self.led = np.minimum.reduce(_corners(led))
        self.open_points, self.is_open = is_open, np.logical_or.reduce(_corners(is_open))
        self.found = np.ones((len(RATIOS), LEVELS))

    def look(self, late: np.ndarray, early: np.ndarray, current: np.ndarray, lasts: float, since: float) -> None:
        """
        Look at the cells between two times.

        :param late: V at the later time, J, shape (rows, columns), and `early`: `lasts` s before.
        :param current: Between both, m/s, (2, rows, columns).
        :param since: From the departure to the earlier time, s.
        """
        late, early = (_over_land(value, self.open_points) for value in (late, early))
        corners = _corners(0.5 * (late + early))
        along = 0.5 * (corners[1] - corners[0] + corners[3] - corners[2]) / self.spacing
        across = 0.5 * (corners[2] - corners[0] + corners[3] - corners[1]) / self.spacing
        flow = 0.25 * np.sum(_corners(current), axis=0)
        falls = 0.25 * np.sum(_corners(early - late), axis=0) / lasts       # While the boat lies still.
        steep, drifts = np.hypot(along, across), falls - flow[0] * along - flow[1] * across
        wrong = np.maximum(most_gain(self.law, steep) + drifts, falls - self.law.stand)
        low, high = np.minimum.reduce(corners), np.maximum.reduce(corners)
        led = np.maximum(self.led, self.least * since)
        some = self.is_open & (wrong > 0.0) & (led + RATIOS[-1] * low <= self.cost)
        share = self._share(steep[some], drifts[some], falls[some], wrong[some])
        self._keep(low[some], high[some], led[some], share)

    def _share(self, steep: np.ndarray, drifts: np.ndarray, falls: np.ndarray, wrong: np.ndarray) -> np.ndarray:
        """Return the least of p(v) by how much V falls a second, over all speeds, (-), or a bit less near 1."""
        with np.errstate(divide='ignore', invalid='ignore'):
            share = self.least / (self.least + wrong)       # A second's fall is at most p(v) and what is wrong.
            far = np.flatnonzero(~(share > 1.0 - CLOSE))
            share[far] = np.where(falls[far] > 0.0, self.law.stand / falls[far], np.inf)
            for some in np.array_split(far, far.size // CHUNK + 1):
                fall = steep[some, None] * self.law.speed[::LESS] + drifts[some, None]
                one = np.where(fall > 0.0, self.law.power[::LESS] / fall, np.inf).min(axis=1)
                share[some] = np.minimum(share[some], one)
        return np.minimum(share, 1.0)

    def _keep(self, low: np.ndarray, high: np.ndarray, led: np.ndarray, share: np.ndarray) -> None:
        """Keep the least share of each level that cells have, for each R."""
        first, last = (np.clip((edge / self.step).astype(int), 0, LEVELS - 1) for edge in (low, high))
        for ratio, found in zip(RATIOS, self.found):
            used = led + ratio * low <= self.cost
            for more in range(int((last - first)[used].max(initial=-1)) + 1):
                rows = used & (first + more <= last)
                np.minimum.at(found, first[rows] + more, share[rows])

    def bound(self, value: float) -> float:
        """Return the bound where V is so much at the start, J."""
        edges = np.minimum(self.step * np.arange(LEVELS + 1), value)
        best = 0.0
        for ratio, found in zip(RATIOS, self.found):
            true = np.cumsum(found * np.diff(edges))
            if np.all(true >= ratio * edges[1:] * (1.0 - 1e-12)):
                best = max(best, float(true[-1]))
        return best


def _corners(values: np.ndarray) -> list[np.ndarray]:
    """Return what the four corners of each cell have."""
    return [values[..., :-1, :-1], values[..., :-1, 1:], values[..., 1:, :-1], values[..., 1:, 1:]]


def _over_land(value: np.ndarray, is_open: np.ndarray) -> np.ndarray:
    """Return V with the mean of the open points beside each closed one, so that cells on the bank have a slope."""
    if is_open.all():
        return value
    known, number = (np.pad(part, 1) for part in (np.where(is_open, value, 0.0), is_open.astype(float)))
    rows, columns = value.shape
    total, many = (sum(part[1 + j:1 + j + rows, 1 + i:1 + i + columns] for j in (-1, 0, 1) for i in (-1, 0, 1))
                   for part in (known, number))
    return np.asarray(np.where(is_open, value, total / np.maximum(many, 1.0)))


def _current(cube: FlowCube, time: float, shape: tuple[int, ...]) -> np.ndarray:
    """Return the current at a time, m/s, (2, rows, columns), in the lattice's axes; 0 where there is none."""
    most = len(cube.current) - 1
    at = min(max((time - cube.t0) / cube.dt, 0.0), float(most))
    low = min(int(at), max(most - 1, 0))
    found = np.nan_to_num(cube.current[low].astype(float))
    if at > low:
        found += (at - low) * (np.nan_to_num(cube.current[low + 1].astype(float)) - found)
    flow: np.ndarray = found.reshape(2, *shape)
    return flow
