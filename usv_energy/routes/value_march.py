"""The least energy to the goal from each place and time, by Hamilton, Jacobi and Bellman's equation on a lattice."""

import numpy as np

from .energy_law import EnergyLaw, most_gain

NEAR_GOAL = 3.0         # Points around the goal.
LESS = 4                # Every so many of the knots of the speed are looked at there.


class ValueMarch:
    """
    The least energy from each place of a lattice to its goal, V, on its way back in time; arrays (rows, columns).

    V_t = K(|grad V|) - c . grad V, by a monotone scheme of second order: the differences of Rouy and Tourin (1992),
    sharpened as Osher and Shu (1991) do, Heun's steps. Near the goal V is no more than the straight way takes.
    """

    def __init__(self, law: EnergyLaw, spacing: float, is_open: np.ndarray, goal: tuple[int, int],
                 arrive_by: float | None) -> None:
        """
        Take the lattice.

        :param spacing: Of its points, m.
        :param is_open: Whether one can be at a point, shape (rows, columns).
        :param goal: Row and column.
        :param arrive_by: s; None for any time.
        """
        self.law, self.spacing, self.goal, self.arrive_by = law, spacing, goal, arrive_by
        row, column = (np.asarray(part) for part in np.indices(is_open.shape))
        off = np.asarray(np.hypot(row - goal[0], column - goal[1]), dtype=float)
        self.disc = off <= NEAR_GOAL
        near = np.stack((np.subtract(goal[1], column)[self.disc], np.subtract(goal[0], row)[self.disc]))
        self.off, self.ahead = spacing * off[self.disc], near / np.maximum(off[self.disc], 1e-300)
        self.passes = [_open_beside(is_open, axis) for axis in (1, 0)]

    def rate(self, value: np.ndarray, current: np.ndarray) -> np.ndarray:
        """Return by how much V changes a second, backwards, W."""
        steep, carried = np.zeros_like(value), np.zeros_like(value)
        for axis, flow, passes in zip((1, 0), current, self.passes):
            low, high = _sides(value, axis, self.spacing, passes)
            steep = steep + np.maximum(np.maximum(low, 0.0), np.maximum(-high, 0.0)) ** 2
            low, high = np.where(passes[0], low, high), np.where(passes[1], high, low)  # Beyond the edge: as inside.
            carried = carried + np.where(flow > 0.0, flow * high, flow * low)
        rate: np.ndarray = np.minimum(carried - most_gain(self.law, np.sqrt(steep)), self.law.stand)
        return rate

    def fastest(self, value: np.ndarray, strongest: float) -> float:
        """Return how fast anything moves over the lattice, m/s, at most."""
        steep = np.hypot(abs(np.diff(value, axis=0)).max(), abs(np.diff(value, axis=1)).max()) / self.spacing
        return 1.5 * (float(np.interp(steep, self.law.slope, self.law.fastest)) + strongest)

    def near_goal(self, value: np.ndarray, current: np.ndarray, time: float) -> np.ndarray:
        """Return V, and near the goal no more than the straight way takes in the current that is there, J."""
        c = current[:, self.goal[0], self.goal[1]]
        along, across = self.ahead.T @ c, self.ahead[0] * c[1] - self.ahead[1] * c[0]
        speed, power = self.law.speed[::LESS], self.law.power[::LESS]
        with np.errstate(invalid='ignore', divide='ignore'):
            made = np.sqrt(speed ** 2 - across[:, None] ** 2) + along[:, None]
            lasts = np.where(made > 0.0, self.off[:, None] / made, np.inf)
            lasts[lasts > (np.inf if self.arrive_by is None else self.arrive_by - time)] = np.inf
            straight = np.fmin.reduce(power * lasts, axis=1)
        value[self.disc] = np.fmin(value[self.disc], straight)
        value[self.goal] = 0.0
        return value

    def step(self, value: np.ndarray, flows: tuple[np.ndarray, np.ndarray], time: float, lasts: float) -> np.ndarray:
        """Return V a time earlier, by Heun's method."""
        first = self.near_goal(value + lasts * self.rate(value, flows[0]), flows[1], time - lasts)
        second = 0.5 * (value + first + lasts * self.rate(first, flows[1]))
        return self.near_goal(second, flows[1], time - lasts)


def _open_beside(is_open: np.ndarray, axis: int) -> tuple[np.ndarray, np.ndarray]:
    """Return whether one can go from each point to the one before it along an axis, and to the one after it."""
    inner = np.logical_and(*(np.take(is_open, some, axis=axis)
                             for some in (np.arange(is_open.shape[axis] - 1), np.arange(1, is_open.shape[axis]))))
    pads = [[(1, 0) if axis == k else (0, 0) for k in (0, 1)], [(0, 1) if axis == k else (0, 0) for k in (0, 1)]]
    return np.pad(inner, pads[0]), np.pad(inner, pads[1])


def _sides(value: np.ndarray, axis: int, spacing: float,
           passes: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return the slopes to the point before and to that after, of second order; 0 where nobody can go."""
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
    """Return the number of two that is nearer to 0, and 0 where they have different signs."""
    return np.where(one * other > 0.0, np.where(abs(one) < abs(other), one, other), 0.0)
