"""Shares of a battery of cells that motions use, and paths on a lattice by the share that they use."""

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
from usv_energy.physics.batteries.cell_step import supply_at_power
from usv_energy.physics.motion import Flow
from usv_energy.studies.maps.lattice import FlowsAtPoints, Lattice, Moves, costs_at, least_on_moves, move_costs
from usv_energy.studies.plan.pack_energy import SHARES, PackEnergy
from usv_energy.studies.plan.steady_motion import steady_state
from usv_energy.thrusters.voltage_curves import curves_of, vessel_at_voltage

LIMIT_SHARES = 0.999, 0.99, 0.97, 0.93, 0.85, 0.7, 0.45, 0.0   # used shares up to which the pack gives each of `limits`
LEAST_POWER_SHARE = 1e-5    # of the most power: a discharge that takes all of the charge
LEAST_USABLE = -0.25        # paths home that need this share beyond a full battery are not followed further
VOLTAGE_STEPS = 6           # voltages under load, from the cutoff to full, for thrusters with sheets at several ones


@dataclass(frozen=True)
class PackShares:
    """The use of a battery of cells in shares, 0 to 1: the `boat`, and its pack, charge and reserve in `energy`."""

    boat: Boat
    energy: PackEnergy

    @cached_property
    def _table(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Powers, W, rising; for each the used share from which the pack cannot give it; the share per joule."""
        one = self.energy
        powers = np.concatenate(([LEAST_POWER_SHARE], SHARES[SHARES > LEAST_POWER_SHARE])) * max(one.most_power, 1e-9)
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
        """Charges, (-), falling from the first, and the energy used down to each at open-circuit voltage, relative."""
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
        """Powers, W, rising, to which motions may be limited."""
        powers, share, _ = self._table
        return np.unique(np.interp(-np.array(LIMIT_SHARES), -share, powers))

    def most_share(self, power: np.ndarray) -> np.ndarray:
        """Return the used share up to which the pack gives a power, W; -inf if it never can."""
        powers, share, _ = self._table
        found = np.interp(power, powers, share)
        return np.where((share[0] > 0.0) & (power <= self.energy.most_power) & np.isfinite(power), found, -math.inf)

    def share_of_joule(self, power: np.ndarray) -> np.ndarray:
        """Return the share that a joule at a power, W, uses, (-); inf if the pack cannot give that power."""
        powers, _, per_joule = self._table
        able = np.isfinite(per_joule)
        found = np.interp(power, powers[able], per_joule[able]) if able.any() else np.full(np.shape(power), math.inf)
        return np.where(np.isfinite(power) & (power <= self.energy.most_power), found, math.inf)

    def state_at(self, share: np.ndarray) -> CellState:
        """Return cells at rest after a share, 0 to 1, is used."""
        charges, used = self._rest
        whole = float(self._energy_at_rest(np.array(self._last_charge)))
        return rested(np.interp(np.clip(share, 0.0, 1.0) * whole, used, charges), self.energy.ambient)

    @cached_property
    def _last_charge(self) -> float:
        one, power = self.energy, LEAST_POWER_SHARE * max(self.energy.most_power, 1e-9)
        return float(energy_left(rested(one.charge, one.ambient), power, one.ambient, one.pack, one.reserve).charge)


class MoveShares(NamedTuple):
    """
    Shares of the battery that moves use, `cost`, and the most that may be used at their end, `most`.

    Both have the shape (limits of power, points, moves). An impossible move costs inf.
    """

    cost: np.ndarray
    most: np.ndarray


def metre_shares(vessel: Vessel, flows: FlowsAtPoints, directions: np.ndarray, speeds: np.ndarray, shares: PackShares,
                 progress: Progress = no_progress) -> MoveShares:
    """
    Return the shares that a metre uses at points in directions, for each limit of power that matters.

    :param directions: Over ground, rad, shape (K,).
    :param speeds: m/s, as for `cheapest_motions`.
    :return: The `cost` is that of a metre.
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


def share_of_range(metre: MoveShares) -> np.ndarray:
    """Return the share of the range that a metre uses, (-), at the limit of power that leads furthest."""
    with np.errstate(invalid='ignore', divide='ignore'):
        found = np.where(np.isfinite(metre.cost), metre.cost / metre.most, np.inf)
    return np.asarray(found.min(axis=0))


def move_shares(lattice: Lattice, moves: Moves, metre: MoveShares) -> MoveShares:
    """Return the shares that the moves of a lattice use, from those of a metre at its points."""
    shape = lattice.rows, lattice.columns, moves.direction.size
    return MoveShares(
        np.array([move_costs(lattice, moves, one.reshape(shape)).reshape(-1, shape[2]) for one in metre.cost]),
        np.array([least_on_moves(lattice, moves, one.reshape(shape)).reshape(-1, shape[2]) for one in metre.most]))


def used_on_arrival(lattice: Lattice, moves: Moves, going: MoveShares, start: int) -> np.ndarray:
    """Return the least share that is used on arrival at each point, shape (points,); inf if no path leads there."""
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
    """Return the most that may be used at each point so that the boat still gets home, (points,); -inf if it cannot."""
    offsets, number = moves.rows * lattice.columns + moves.columns, len(going.cost[0])
    move = np.arange(offsets.size)
    usable = np.full(number, -math.inf)
    usable[home], heap = 1.0, [(-1.0, home)]
    while heap:
        least, at = heapq.heappop(heap)
        if -least < usable[at]:
            continue
        begins = at - offsets
        inside = (begins >= 0) & (begins < number)
        begins, along = begins[inside], move[inside]
        before = (np.minimum(usable[at], going.most[:, begins, along]) - going.cost[:, begins, along]).max(axis=0)
        for begin, value in zip(begins.tolist(), before.tolist()):
            if value > usable[begin] and value > LEAST_USABLE:
                usable[begin] = value
                heapq.heappush(heap, (-value, begin))
    return usable


def missing_share(lattice: Lattice, moves: Moves, going: MoveShares, used: np.ndarray, start: int,
            usable: np.ndarray | None) -> np.ndarray:
    """
    Return the missing share of the battery at each point, shape (points,): at most 0 if the point can be reached.

    It continues smoothly one move beyond the reach, so that the border can be interpolated between points; then inf.

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


def not_held(vessel: Vessel, shares: PackShares, flows: FlowsAtPoints, used: np.ndarray) -> np.ndarray:
    """
    Return at which points a boat cannot hold its position because of its battery, shape (points,).

    There the pack, at rest at the charge on arrival, does not give the power above its cutoff, or only at a voltage at
    which the thrusters are too weak. Points at which the thrusters are too weak at the boat file's voltage are not
    among them: the flow is too strong there, whatever the battery.

    :param vessel: The boat's.
    :param flows: At the points.
    :param used: Share of the battery on arrival, (-), shape (points,); not finite if the boat does not get there.
    """
    there = np.flatnonzero(flows.inside & np.isfinite(used))
    found = np.zeros(used.size, dtype=bool)
    if not there.size:
        return found
    different, which = np.unique(flows.values[there], axis=0, return_inverse=True)
    flow, still = Flow(*different.T), np.zeros(len(different))
    state, pack = shares.state_at(used[there]), shares.energy.pack
    held, curves = np.zeros(there.size, dtype=bool), curves_of(shares.boat)
    low, high = pack.series * pack.cell.cutoff_voltage, pack.series * pack.cell.full_voltage
    by_voltage = any(curve is not None for curve in curves)
    for voltage in np.linspace(low, high, VOLTAGE_STEPS) if by_voltage else (low,):
        supplied = vessel_at_voltage(vessel, float(voltage), 1.0, curves) if by_voltage else vessel
        steady = steady_state(supplied, still, still, flow)
        power = np.where(steady.feasible, steady.power.total, np.inf)[np.ravel(which)]
        able = np.isfinite(power)
        supply = supply_at_power(state, np.where(able, power, 0.0), pack)
        held |= able & (supply.lacking == 0.0) & (supply.voltage >= voltage - 1e-6)
    can_at_all = steady_state(vessel, still, still, flow).feasible[np.ravel(which)]
    found[there] = can_at_all & ~held
    return found
