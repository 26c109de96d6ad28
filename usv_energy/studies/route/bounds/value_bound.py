"""The value function (least energy to the goal from each place and time), and lower bounds from value functions."""

import math
from typing import NamedTuple

import numpy as np

from usv_energy.studies.route.costs.power_table import EnergyLaw, most_gain
from usv_energy.studies.route.route_problem import RouteProblem
from usv_energy.studies.route.search.flow_cube import SearchGrid
from usv_energy.studies.route.search.move_kernels import FieldTables, air_at, power_at, top_at, velocity_at

NEAR_GOAL = 3.0         # Radius around the goal, in points, within which the straight line limits the value.
SPEED_STRIDE = 4        # Only every fourth knot of the speed is evaluated there.
HEADINGS = 24           # Headings at which the condition is evaluated if the air matters.
BESIDE = 0.03, 0.06, 0.1, 0.15, 0.2     # rad, to both sides of the value's gradient; evaluated in a sea.
LEVELS = 400            # Number of levels of the value.
ROUNDS = 8              # Iterations in which the flow is taken at the times that the bound itself gives.
CORNERS = (0, 0), (0, 1), (1, 0), (1, 1)    # Row and column of the corners of a cell.


class ValueMarch:
    """
    The value function V, the least energy from each point to the goal, computed backwards in time.

    It solves V_t = K(|grad V|) - c . grad V by a scheme of second order: the upwind differences of Rouy and Tourin
    (1992) with the limiter of Osher and Shu (1991), and Heun's time steps. Near the goal V is at most the energy of the
    straight line. Arrays have the shape (rows, columns).
    """

    def __init__(self, law: EnergyLaw, spacing: float, is_open: np.ndarray, goal: tuple[int, int],
                 arrive_by: float | None) -> None:
        """
        Take the lattice.

        :param spacing: Spacing of the points, m.
        :param is_open: Whether the boat may be at a point, shape (rows, columns).
        :param goal: Row and column of the goal.
        :param arrive_by: Latest arrival, s; None for any time.
        """
        self.law, self.spacing, self.goal, self.arrive_by = law, spacing, goal, arrive_by
        row, column = (np.asarray(part) for part in np.indices(is_open.shape))
        off = np.asarray(np.hypot(row - goal[0], column - goal[1]), dtype=float)
        self.disc = off <= NEAR_GOAL
        near = np.stack((np.subtract(goal[1], column)[self.disc], np.subtract(goal[0], row)[self.disc]))
        self.off, self.ahead = spacing * off[self.disc], near / np.maximum(off[self.disc], 1e-300)
        self.passes = [_open_beside(is_open, axis) for axis in (1, 0)]

    def rate(self, value: np.ndarray, current: np.ndarray) -> np.ndarray:
        """Return the change of V per second backwards in time, W."""
        steep, carried = np.zeros_like(value), np.zeros_like(value)
        for axis, flow, passes in zip((1, 0), current, self.passes):
            low, high = _sides(value, axis, self.spacing, passes)
            steep = steep + np.maximum(np.maximum(low, 0.0), np.maximum(-high, 0.0)) ** 2
            low, high = np.where(passes[0], low, high), np.where(passes[1], high, low)  # At an edge: inner one.
            carried = carried + np.where(flow > 0.0, flow * high, flow * low)
        return np.minimum(carried - most_gain(self.law, np.sqrt(steep)), self.law.stand)

    def fastest(self, value: np.ndarray, strongest: float) -> float:
        """Return the highest speed at which information travels over the lattice, m/s."""
        steep = np.hypot(abs(np.diff(value, axis=0)).max(), abs(np.diff(value, axis=1)).max()) / self.spacing
        return 1.5 * (float(np.interp(steep, self.law.slope, self.law.fastest)) + strongest)

    def near_goal(self, value: np.ndarray, current: np.ndarray, time: float) -> np.ndarray:
        """Return V, J, limited near the goal to the energy of the straight line in the current at the goal."""
        c = current[:, self.goal[0], self.goal[1]]
        along, across = self.ahead.T @ c, self.ahead[0] * c[1] - self.ahead[1] * c[0]
        speed, power = self.law.speed[::SPEED_STRIDE], self.law.power[::SPEED_STRIDE]
        with np.errstate(invalid='ignore', divide='ignore'):
            made = np.sqrt(speed ** 2 - across[:, None] ** 2) + along[:, None]
            lasts = np.where(made > 0.0, self.off[:, None] / made, np.inf)
            lasts[lasts > (np.inf if self.arrive_by is None else self.arrive_by - time)] = np.inf
            straight = np.fmin.reduce(power * lasts, axis=1)
        value[self.disc] = np.fmin(value[self.disc], straight)
        value[self.goal] = 0.0
        return value

    def step(self, value: np.ndarray, flows: tuple[np.ndarray, np.ndarray], time: float, lasts: float) -> np.ndarray:
        """Return V `lasts` seconds earlier, by Heun's method."""
        first = self.near_goal(value + lasts * self.rate(value, flows[0]), flows[1], time - lasts)
        second = 0.5 * (value + first + lasts * self.rate(first, flows[1]))
        return self.near_goal(second, flows[1], time - lasts)


def _open_beside(is_open: np.ndarray, axis: int) -> tuple[np.ndarray, np.ndarray]:
    """Return whether the boat can go from each point to the previous one and to the next one."""
    inner = np.logical_and(*(np.take(is_open, some, axis=axis)
                             for some in (np.arange(is_open.shape[axis] - 1), np.arange(1, is_open.shape[axis]))))
    pads = [[(1, 0) if axis == k else (0, 0) for k in (0, 1)], [(0, 1) if axis == k else (0, 0) for k in (0, 1)]]
    return np.pad(inner, pads[0]), np.pad(inner, pads[1])


def _sides(value: np.ndarray, axis: int, spacing: float,
           passes: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return the one-sided slopes to the previous and to the next point, of second order; 0 if the way is closed."""
    step = np.diff(value, axis=axis) / spacing
    pads = [(1, 1) if axis == k else (0, 0) for k in (0, 1)]
    step = np.pad(step, pads)
    before, after = (step[:, :-1], step[:, 1:]) if axis else (step[:-1], step[1:])
    before, after = np.where(passes[0], before, 0.0), np.where(passes[1], after, 0.0)
    bend = np.where(passes[0] & passes[1], after - before, 0.0)
    beside = np.pad(bend, pads)
    left, right = (beside[:, :-2], beside[:, 2:]) if axis else (beside[:-2], beside[2:])
    return (np.where(passes[0], before + 0.5 * _least_of_both(left, bend), 0.0),
            np.where(passes[1], after - 0.5 * _least_of_both(bend, right), 0.0))


def _least_of_both(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the minmod of two numbers: the one nearer to 0, and 0 if their signs differ."""
    return np.where(one * other > 0.0, np.where(abs(one) < abs(other), one, other), 0.0)


class SlopedCells(NamedTuple):
    """
    Cells of a lattice, flat arrays.

    `column`, `row`: their middles. `low`, `high`: least and greatest W at the corners. `along`, `across`: gradient
    of W in the lattice's axes, per metre.
    """

    column: np.ndarray
    row: np.ndarray
    low: np.ndarray
    high: np.ndarray
    along: np.ndarray
    across: np.ndarray


def value_bound(problem: RouteProblem, grid: SearchGrid, field: FieldTables, value: np.ndarray,
                used: np.ndarray) -> float:
    """
    Return a lower bound on the cost of all routes over some points, s or J, as far as the lattice resolves the flow.

    It holds for the least time in any flow, and for the least energy in a steady flow. W is the value: the least cost
    from the start. For each level of W the share is the largest s, at most 1, for which the cost per second is at least
    s times the rise of W per second, for all velocities of the boat. The bound is the integral of s over the levels.

    :param value: Least cost from the start to each point, s or J, shape (points,); inf where it is not known.
    :param used: Whether a point may be on a route, shape (points,). Cells with such a corner are evaluated.
    """
    goal = float(value[grid.goal])
    cells = _cells(grid, value, used, goal)
    levels = np.linspace(0.0, goal, LEVELS + 1)
    paid, new = levels, levels
    for _ in range(ROUNDS):
        time = problem.depart + np.interp(0.5 * (cells.low + cells.high), levels, paid)
        least = _least_by_level(cells, _shares(problem, field, cells, time), levels)
        paid, new = new, np.concatenate(([0.0], np.cumsum(least * np.diff(levels))))
        if field.slices == 1 or problem.objective != 'time' or np.allclose(new, paid, rtol=1e-4, atol=0.0):
            break
    return float(min(new[-1], paid[-1]))


def _cells(grid: SearchGrid, value: np.ndarray, used: np.ndarray, goal: float) -> SlopedCells:
    """Return the cells with a used corner and a value below the goal's; gradients come from the known edges."""
    shape, h = (grid.lattice.rows, grid.lattice.columns), grid.lattice.spacing
    known = np.where(np.isfinite(value), value, np.nan).reshape(shape)
    corners = [known[j:shape[0] - 1 + j, i:shape[1] - 1 + i] for j, i in CORNERS]
    some = np.logical_or.reduce([used.reshape(shape)[j:shape[0] - 1 + j, i:shape[1] - 1 + i] for j, i in CORNERS])
    low, high = np.fmin.reduce(corners), np.fmax.reduce(corners)
    some &= low < goal
    row, column = (part[some] + 0.5 for part in np.indices(some.shape))
    along, across = (_mean_of_known(corners[b] - corners[a], corners[d] - corners[c])[some] / h
                     for a, b, c, d in ((0, 1, 2, 3), (0, 2, 1, 3)))
    return SlopedCells(column, row, low[some], high[some], along, across)


def _mean_of_known(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the mean of two numbers, elementwise; if only one is known, that one; if none is known, 0."""
    number = np.isfinite(one).astype(int) + np.isfinite(other)
    return (np.nan_to_num(one) + np.nan_to_num(other)) / np.maximum(number, 1)


def _shares(problem: RouteProblem, field: FieldTables, cells: SlopedCells, time: np.ndarray) -> np.ndarray:
    """Return the share s of each cell, (-): least cost per second by rise of W per second over all velocities."""
    water = velocity_at(field, field.current, time, cells.column, cells.row)
    air = air_at(field, time, cells.column, cells.row)
    steep = np.hypot(cells.along, cells.across)
    carried = water[0] * cells.along + water[1] * cells.across
    ahead = np.arctan2(cells.across, cells.along)
    share = np.full(steep.shape, np.inf)
    in_time = problem.objective == 'time'
    speeds = [(speed, 1.0 if in_time else _least_power(field, speed)) for speed in _speeds(problem, field)]
    for heading in _headings(field, ahead, speeds[0][0] == 0.0):
        c, s = np.cos(heading), np.sin(heading)
        head, beam = air[0] * c + air[1] * s, air[1] * c - air[0] * s
        top = top_at(field, head, beam, c, s)
        rise = steep * np.cos(heading - ahead)
        for speed, least in speeds:
            fast = top if speed is None else np.full(top.shape, speed)
            rate = fast * rise + carried
            # Where the least power in any air gives no smaller share, the power here does not, either.
            with np.errstate(divide='ignore', invalid='ignore'):    # No share is below 0, where it drifts.
                at = np.flatnonzero((rate > 0.0) & (fast <= top * (1.0 + 1e-9)) & (least / share < rate))
            if at.size:
                power = 1.0 if in_time else power_at(field, fast[at], *(part[at] for part in (head, beam, c, s)))
                share[at] = np.fmin(share[at], power / rate[at])
    return share


def _least_power(field: FieldTables, speed: float | None) -> float:
    """Return the least power in any air, W, at a speed through the water, m/s; None: at any speed."""
    sheets = field.power.reshape(field.turns, field.speeds, -1)
    if speed is None:
        return float(np.nanmin(sheets))
    low = min(int(speed / field.speed_step), field.speeds - 2)
    return float(np.nanmin(sheets[:, low:low + 2]))


def _headings(field: FieldTables, ahead: np.ndarray, may_stand: bool) -> list[np.ndarray]:
    """
    Return the headings, rad in the lattice's axes, at which the condition may be tightest.

    :param ahead: Direction of the gradient of W, rad. In a sea, power has kinks at the table's knots of the bearing.
    :param may_stand: Whether speed 0 is one of the speeds. If no other one takes less power, going down the gradient
        is never better.
    """
    if field.knots == 1 and field.turns == 1:
        return [ahead]
    if field.turns == 1:
        turns = np.linspace(0.0, 2.0 * math.pi, HEADINGS, endpoint=False)
        if may_stand and field.power[:field.knots ** 2].max() <= field.power.min():
            turns = turns[np.cos(turns) > -1e-9]
        return [ahead + turn for turn in turns.tolist()]
    near = [0.0, *BESIDE, *(-turn for turn in BESIDE)]
    knots = field.turn0 + np.linspace(0.0, 2.0 * math.pi, 2 * field.turns, endpoint=False)
    return [*(ahead + turn for turn in near), *(knot + 0.0 * ahead for knot in knots.tolist())]


def _speeds(problem: RouteProblem, field: FieldTables) -> list[float | None]:
    """Return the speeds at which the condition may be tightest: power is linear between the table's knots."""
    if problem.speed is not None:
        return [problem.speed]
    if problem.objective == 'time':
        return [None]
    knots = field.speed_step * np.arange(field.speeds)
    allowed = (knots >= problem.lowest_speed - field.speed_step) | problem.may_drift
    return [*knots[allowed].tolist(), None]


def _least_by_level(cells: SlopedCells, share: np.ndarray, levels: np.ndarray) -> np.ndarray:
    """Return the smallest share, at most 1, among the cells that span each level."""
    number, step = levels.size - 1, levels[1]
    least = np.ones(number)
    first = np.minimum((cells.low / step).astype(int), number - 1)
    last = np.minimum((cells.high / step).astype(int), number - 1)
    for more in range(int((last - first).max(initial=-1)) + 1):
        rows = first + more <= last
        np.minimum.at(least, first[rows] + more, share[rows])
    return least
