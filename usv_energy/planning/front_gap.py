"""How much dearer a way on a lattice may be for the lattice's few directions, the speeds tried, and its spacing."""

import math

import numpy as np

from ..boats.vessel import Vessel
from ..physics.motion import Flow
from .cheapest_speed import cheapest_motions
from .lattice import NEGLIGIBLE, Lattice, moves_of, reach_of
from .lattice_flow import CurrentAndWind, FlowsAtPoints, costs_at, flows_at

PLACES = 24         # Of a way at which its directions are looked at.
AROUND = np.radians(np.arange(-14.0, 14.1, 2.0))     # Of the way there: more than lies between two moves of a lattice.
FINE = np.radians(np.arange(0.0, 360.0, 2.0))
OF_ERROR = 2.0      # Times what twice the spacing adds: the error, if half the spacing takes a third of it.


def direction_gap(vessel: Vessel, fields: CurrentAndWind, points: np.ndarray, price: float, speeds: np.ndarray,
                  lattice: Lattice) -> float:
    """
    Return by how much a way on a lattice is too dear at most for its few directions and the speeds tried, a share.

    At places along the way: what one unit of cost reaches by combining the lattice's moves, against what it reaches by
    any course at a refined speed, in the direction of the way and up to 14 degrees beside it, the worst of these; of
    all places the mean. It holds while the flow differs little from move to move: what is left is the spacing's.

    :param points: Of the way, m, shape (N, 2), N at least 2.
    :param price: Of time, W, that the way is the cheapest for; TIME_ONLY for the quickest.
    :param speeds: Over ground, m/s, of which the way has its own.
    :returns: Infinite where the lattice's directions miss some that the boat can go.
    """
    middle, step = 0.5 * (points[1:] + points[:-1]), np.diff(points, axis=0)
    length, course = np.hypot(*step.T), np.arctan2(step[:, 1], step[:, 0])
    along = np.cumsum(length) - 0.5 * length
    some = np.unique(np.searchsorted(along, np.linspace(along[0], along[-1], PLACES)))
    flows = flows_at(fields, *middle[some].T)
    moves = moves_of(lattice).direction
    every = np.concatenate((moves, FINE))
    gaps = []
    for place, values in zip(some, flows.values):
        here = FlowsAtPoints(values[None], np.ones(1, dtype=bool))
        coarse = costs_at(vessel, here, moves, speeds, (price,)).cost[0, 0]
        fine = cheapest_motions(vessel, every, Flow(*values), speeds, (price,), refinements=1).cost[0]
        wanted = course[place] + AROUND
        best, gone = reach_of(every, fine, wanted), reach_of(moves, coarse, wanted)
        can = best > NEGLIGIBLE * best.max()
        with np.errstate(divide='ignore'):
            gaps.append(float(np.max(best[can] / gone[can], initial=1.0)) - 1.0)
    return float(np.mean(gaps))


def spacing_gap(cost: float, cost_of_twice: float) -> float:
    """
    Return by how much a way may be too dear for the lattice's spacing, as a share of the best, about at most.

    Taken from what the same at twice the spacing costs, as if half the spacing took a third of the error only: among
    smooth flows it takes three quarters, along a bank that lies askew to the lattice less than a half.

    :param cost: J or s, finite; `cost_of_twice`, too, infinite where there is no way at twice the spacing.
    :returns: Infinite where twice the spacing tells too little.
    """
    error = OF_ERROR * abs(cost_of_twice / cost - 1.0)
    return error / (1.0 - error) if error < 1.0 else math.inf
