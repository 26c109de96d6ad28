"""A battery of cells shared out over a way, and ways on a lattice by what they use of it."""

import heapq
import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.vessel import Vessel
from usv_energy.files.work import Progress, no_progress
from usv_energy.physics.batteries.cell import INTERVALS, CellState, available_charge, open_circuit_voltage, rested
from usv_energy.physics.batteries.cell_discharge import energy_left
from usv_energy.studies.maps.lattice import FlowsAtPoints, Lattice, Moves, costs_at, least_along, move_costs
from usv_energy.studies.plan.pack_energy import SHARES, PackEnergy

LEVELS = 0.999, 0.99, 0.97, 0.93, 0.85, 0.7, 0.45, 0.0   # Shares until which the powers of `limits` can be given.
GENTLEST = 1e-5     # Of the most power: at which a discharge takes all that there is.


@dataclass(frozen=True)
class PackShares:
    """How a battery of cells is used up: `boat`, whose it is; `energy`: has pack, charge, reserve and temperature."""

    boat: Boat
    energy: PackEnergy

    @cached_property
    def _table(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Powers, W, rising; share that is used when each cannot be given any more; share that a joule of it uses."""
        one = self.energy
        powers = np.concatenate(([GENTLEST], SHARES[SHARES > GENTLEST])) * max(one.most_power, 1e-9)
        zeros = np.zeros(powers.size)
        left = energy_left(rested(zeros + one.charge, one.ambient), powers, zeros + one.ambient, one.pack, one.reserve)
        at_rest = np.asarray(self._energy_at_rest(left.charge))
        whole = max(float(at_rest[0]), 1e-9)
        share = np.minimum.accumulate(np.clip(at_rest / whole, 0.0, 1.0))
        with np.errstate(divide='ignore', invalid='ignore'):
            per_joule = np.where(left.energy > 0.0, at_rest / whole / left.energy, math.inf)
        return powers, share, per_joule

    @cached_property
    def _rest(self) -> tuple[np.ndarray, np.ndarray]:
        """Charges, (-), falling from the first, and the energy at rest used down to each, a pack's coulomb each 1."""
        one = self.energy
        charges = one.charge - np.linspace(0.0, max(one.charge, 0.0) + 0.05, 4 * INTERVALS + 1)
        volts = open_circuit_voltage(available_charge(charges, one.ambient, one.pack.cell), one.pack.cell)
        steps = -np.diff(charges) * 0.5 * (volts[1:] + volts[:-1])
        return charges, np.concatenate(([0.0], np.cumsum(np.maximum(steps, 0.0))))

    def _energy_at_rest(self, charge: np.ndarray) -> np.ndarray:
        charges, used = self._rest
        return np.asarray(np.interp(-np.asarray(charge), -charges, used))

    @property
    def limits(self) -> np.ndarray:
        """Powers, W, rising: of those that a way may be limited to."""
        powers, share, _ = self._table
        return np.unique(np.interp(-np.array(LEVELS), -share, powers))

    def most_share(self, power: np.ndarray) -> np.ndarray:
        """Return the share that may be used when a power, W, is still to be given; -inf where it never can."""
        powers, share, _ = self._table
        found = np.interp(power, powers, share)
        return np.where((share[0] > 0.0) & (power <= self.energy.most_power) & np.isfinite(power), found, -math.inf)

    def share_of_joule(self, power: np.ndarray) -> np.ndarray:
        """Return what a joule that is given at a power, W, uses, (-); inf where the pack cannot give it."""
        powers, _, per_joule = self._table
        able = np.isfinite(per_joule)
        found = np.interp(power, powers[able], per_joule[able]) if able.any() else np.full(np.shape(power), math.inf)
        return np.where(np.isfinite(power) & (power <= self.energy.most_power), found, math.inf)

    def state_at(self, share: np.ndarray) -> CellState:
        """Return cells that have rested, and of which a share is used; 0 to 1."""
        charges, used = self._rest
        whole = float(self._energy_at_rest(np.array(self._last_charge)))
        return rested(np.interp(np.clip(share, 0.0, 1.0) * whole, used, charges), self.energy.ambient)

    @cached_property
    def _last_charge(self) -> float:
        one, power = self.energy, GENTLEST * max(self.energy.most_power, 1e-9)
        return float(energy_left(rested(one.charge, one.ambient), power, one.ambient, one.pack, one.reserve).charge)



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
