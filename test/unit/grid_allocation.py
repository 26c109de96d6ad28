"""
The least power of thrusters for a force, by a linear programme over a fine grid of their thrusts and angles.

It shares nothing with the package. A thruster that turns in a range gives its thrust in one of several convex sets of
forces; within one, a mixture of settings costs no less than the one setting that gives their mean force. So what the
programme finds can be had, and lies above the least power by what the grid is coarse.
"""

import itertools
import math
from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_matrix

ANGLES, THRUSTS = 61, 24


class Thruster(NamedTuple):
    """Place, m; angles, rad, two equal ones of a fixed one; limits, N; cost, W/N^1.5; velocity of its place, m/s."""

    x: float
    y: float
    least: float
    largest: float
    low: float
    high: float
    cost: float
    u: float
    v: float

    @property
    def round(self):
        return self.largest - self.least >= math.tau


def random_thrusters(rng, number):
    """Return thrusters of a boat under way: half in narrow ranges, a quarter in wide ones, some round, some fixed."""
    u, v, r = rng.uniform(-2.0, 2.0), rng.uniform(-1.0, 1.0), rng.uniform(-0.5, 0.5)
    boat = []
    for _ in range(number):
        x, y = rng.uniform(-1.0, 1.0, 2)
        high, cost, kind = 10.0 ** rng.uniform(0.0, 2.0), 10.0 ** rng.uniform(-0.5, 0.3), rng.uniform()
        low = -high * rng.uniform() if rng.uniform() < 0.5 else 0.0
        half = rng.uniform(0.05, 1.5) if kind < 0.5 else rng.uniform(1.6, 3.0) if kind < 0.7 else 0.0
        middle = rng.uniform(-math.pi, math.pi)
        if kind > 0.85:
            low, middle, half = 0.0, 0.0, math.pi
        boat.append(Thruster(*map(float, (x, y, middle - half, middle + half, low, high, cost, u - r * y, v + r * x))))
    return boat


def forces(thruster, thrusts, angles):
    """Return surge N, sway N and yaw N m of settings of a thruster."""
    x, y = thrusts * np.cos(angles), thrusts * np.sin(angles)
    return np.array([x, y, thruster.x * y - thruster.y * x])


def power(thruster, thrusts, angles):
    """Return what a thruster draws, W: nothing where the water drives it."""
    work = thrusts * (thruster.u * np.cos(angles) + thruster.v * np.sin(angles))
    return np.maximum(thruster.cost * np.abs(thrusts) ** 1.5 + work, 0.0)


def least_power(demand, boat):
    """Return the least power, W, that gives surge N, sway N and yaw N m; infinite where nothing on the grid does."""
    found = (_of_sets(demand, sets) for sets in itertools.product(*map(_convex_sets, boat)))
    return min(found, default=math.inf)


def _of_sets(demand, sets):
    columns = np.concatenate(sets, axis=1)
    ones = np.repeat(np.eye(len(sets)), [one.shape[1] for one in sets], axis=1)
    answer = linprog(columns[3], A_eq=csr_matrix(np.concatenate([columns[:3], ones])),
                     b_eq=np.concatenate([demand, np.ones(len(sets))]), method='highs')
    return answer.fun if answer.status == 0 else math.inf


def _convex_sets(thruster):
    """Return force and power of settings, a table of columns for each convex set that they make."""
    middle = 0.5 * (thruster.least + thruster.largest)
    if thruster.least == thruster.largest:
        return [np.concatenate([_columns(thruster, middle, middle, way) for way in (1.0, -1.0)], axis=1)]
    if thruster.round:
        return [_columns(thruster, thruster.least, thruster.largest, 1.0)]
    wide = thruster.largest - thruster.least > math.pi
    ends = (thruster.least, middle, thruster.largest) if wide else (thruster.least, thruster.largest)
    return [_columns(thruster, *pair, way) for way in ((1.0, -1.0) if thruster.low < 0.0 else (1.0,))
            for pair in itertools.pairwise(ends)]


def _columns(thruster, begin, end, way):
    """Return settings ahead or astern, with those that are just for nothing among them."""
    angles = np.linspace(begin, end, ANGLES if end > begin else 1)[:, None]
    most = thruster.high if way > 0.0 else -thruster.low
    against = np.maximum(-way * (thruster.u * np.cos(angles) + thruster.v * np.sin(angles)), 0.0)
    idle = np.minimum((against / thruster.cost) ** 2, most) * np.linspace(0.25, 1.0, 4)
    thrusts = way * np.concatenate([most * np.linspace(0.0, 1.0, THRUSTS) ** 2 + 0.0 * angles, idle], axis=1)
    thrusts, angles = thrusts.ravel(), np.repeat(angles.ravel(), thrusts.shape[1])
    return np.vstack([forces(thruster, thrusts, angles), power(thruster, thrusts, angles)])
