"""
Ways on a lattice by what they use of a battery of cells, where a power can be given only until some share is used.

Of each move there are some ways to go it, each within a limit of power: the quick one may be open only while the
battery is full, a slower one longer. The less is used on arrival, the more is open from there on, so Dijkstra's method
holds; for the way back it runs from the goal, with the most that may be used when the way is begun.
"""

import heapq
import math
from typing import NamedTuple

import numpy as np

from ..boats.vessel import Vessel
from ..files.progress_protocol import Progress, no_progress
from .lattice import Lattice, Moves, least_along, move_costs
from .lattice_flow import FlowsAtPoints, costs_at
from .pack_shares import PackShares

BEHIND = -0.25      # Share: ways back that would have to begin with more than so much beyond a full battery are none.


class MoveShares(NamedTuple):
    """
    What moves use: `cost` shares, and `most`, that may be used at their end; shape (ways to go, points, moves).

    A move that there is not, or that no way leads along, costs inf.
    """

    cost: np.ndarray
    most: np.ndarray


def metre_shares(vessel: Vessel, flows: FlowsAtPoints, directions: np.ndarray, speeds: np.ndarray, shares: PackShares,
                 progress: Progress = no_progress) -> MoveShares:
    """
    Return what a metre uses at points in directions, in as many ways as there are limits of power that matter.

    :param directions: Over ground, rad, shape (K,).
    :param speeds: m/s, as `cheapest_motions` has them.
    :return: The `cost` is a metre's.
    """
    limits = shares.limits
    found = costs_at(vessel, flows, directions, speeds, (0.0,) * limits.size, progress, limits.tolist())
    kept = [n for n in range(limits.size) if n == 0 or not np.array_equal(found.cost[n], found.cost[n - 1])]
    cost, slowness = found.cost[kept], found.slowness[kept]
    with np.errstate(invalid='ignore'):
        power = np.where(np.isfinite(cost), cost / slowness, np.inf)
        cost = np.where(np.isfinite(power), cost, np.inf) * shares.share_of_joule(power)
    most = shares.most_share(power)
    return MoveShares(np.where(most > 0.0, cost, np.inf), most)


def along_the_range(metre: MoveShares) -> np.ndarray:
    """Return what a metre uses of all that can be given at its power, in the way that leads furthest, (-)."""
    with np.errstate(invalid='ignore', divide='ignore'):
        found = np.where(np.isfinite(metre.cost), metre.cost / metre.most, np.inf)
    return np.asarray(found.min(axis=0))


def shares_of_moves(lattice: Lattice, moves: Moves, metre: MoveShares) -> MoveShares:
    """Return what the moves of a lattice use, from what a metre does at its points."""
    shape = lattice.rows, lattice.columns, moves.direction.size
    return MoveShares(
        np.array([move_costs(lattice, moves, one.reshape(shape)).reshape(-1, shape[2]) for one in metre.cost]),
        np.array([least_along(lattice, moves, one.reshape(shape)).reshape(-1, shape[2]) for one in metre.most]))


def used_on_arrival(lattice: Lattice, moves: Moves, going: MoveShares, start: int) -> np.ndarray:
    """Return the least share that is used on arrival at each point, shape (points,); inf where no way leads there."""
    offsets = moves.rows * lattice.columns + moves.columns
    cost, most = np.moveaxis(going.cost, 1, 0), np.moveaxis(going.most, 1, 0)
    used = np.full(len(cost), math.inf)
    used[start], heap = 0.0, [(0.0, start)]
    while heap:
        now, at = heapq.heappop(heap)
        if now > used[at]:
            continue
        then = now + cost[at]
        then = np.where(then <= most[at], then, math.inf).min(axis=0)
        open_moves = np.flatnonzero(np.isfinite(then))
        ends = at + offsets[open_moves]
        better = then[open_moves] < used[ends]
        for end, value in zip(ends[better].tolist(), then[open_moves][better].tolist()):
            if value < used[end]:
                used[end] = value
                heapq.heappush(heap, (value, end))
    return used


def usable_before_return(lattice: Lattice, moves: Moves, going: MoveShares, home: int) -> np.ndarray:
    """Return the most that may be used at each point if the way home is to be made, shape (points,); -inf: never."""
    offsets, number = moves.rows * lattice.columns + moves.columns, len(going.cost[0])
    way = np.arange(offsets.size)
    usable = np.full(number, -math.inf)
    usable[home], heap = 1.0, [(-1.0, home)]
    while heap:
        least, at = heapq.heappop(heap)
        if -least < usable[at]:
            continue
        begins = at - offsets
        inside = (begins >= 0) & (begins < number)
        begins, along = begins[inside], way[inside]
        before = (np.minimum(usable[at], going.most[:, begins, along]) - going.cost[:, begins, along]).max(axis=0)
        for begin, value in zip(begins.tolist(), before.tolist()):
            if value > usable[begin] and value > BEHIND:
                usable[begin] = value
                heapq.heappush(heap, (-value, begin))
    return usable


def lacking(lattice: Lattice, moves: Moves, going: MoveShares, used: np.ndarray, start: int,
            usable: np.ndarray | None) -> np.ndarray:
    """
    Return what is lacking at each point, as a share of the battery, shape (points,): at most 0 where it can be reached.

    It goes on smoothly a move beyond what can be reached, so that the border may be drawn between points; then inf.

    :param used: From `used_on_arrival`.
    :param usable: From `usable_before_return`, or None for one way.
    """
    offsets, found = moves.rows * lattice.columns + moves.columns, np.full(used.size, math.inf)
    for k, offset in enumerate(offsets.tolist()):
        cost = going.cost[:, :, k]
        begins = np.flatnonzero(np.isfinite(cost).any(axis=0) & np.isfinite(used))
        then = used[begins] + cost[:, begins]
        if usable is None:
            then = then - going.most[:, begins, k]
        with np.errstate(invalid='ignore'):
            then = np.where(np.isfinite(cost[:, begins]), then, math.inf).min(axis=0)
        found[begins + offset] = np.minimum(found[begins + offset], then)
    if usable is None:
        found[start] = -1.0
        return found
    found[start] = 0.0
    return np.where(np.isfinite(usable), found - usable, math.inf)
