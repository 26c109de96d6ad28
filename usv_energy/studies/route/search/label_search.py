"""
The least time, or the least energy, from one point of a lattice to all others: label setting in a flow that changes.

A label is a place that was reached, when, at which cost, and from where. Labels are settled by their cost, the lowest
first (Dijkstra, 1959); each is gone on from at its own time, so that every way found is one that the boat can go.
Where a boat can hold its place, to be there earlier is never worse (first in, first out), and one label a place is
enough. Where the current is stronger than the boat and changes, a later one may lead on better: there, and within a
move of there, places keep a label for each of some intervals of time, and the boat may hold its place where it can.
"""

import math
from heapq import heappop, heappush
from typing import Any, NamedTuple

import numpy as np

from usv_energy.engine.ensemble import has_numba
from usv_energy.engine.numba_engine import SOURCES, compiled
from usv_energy.physics.elementwise import kernel, larger, select
from usv_energy.studies.route.search.move_kernels import FieldTables, move, power_at

ROUTE_SOURCES = (*SOURCES, 'studies/route/**/*.py')
BUCKET = 2.0        # Moves of the shortest kind: labels whose costs differ by less are gone on from together.


class LatticeMoves(NamedTuple):
    """Moves of a lattice: columns and rows on, pieces of each integral, shape (K,), and which are open, (points, K)."""

    columns: np.ndarray
    rows: np.ndarray
    parts: np.ndarray
    is_open: np.ndarray


class LabelTask(NamedTuple):
    """
    What is asked of a search by labels.

    `begin`, `end`: numbers of points; the search ends when the cost of the labels exceeds `slack` times that of the
    end. `time`: at the begin, s. `sign`: 1.0, or -1.0: ways that lead to the begin, where they are at that time.
    `speeds`: through the water that may be chosen, m/s; negative: the top speed. `per_second`, `per_joule`: the cost.
    `intervals`: of time, `width` s each, of which a place keeps a label apiece where `single` does not say that one is
    enough; `held`: where the boat can hold its place, which is to circle, or to lie at anchor.
    """

    begin: int
    end: int
    time: float
    sign: float
    speeds: np.ndarray
    per_second: float
    per_joule: float
    slack: float
    intervals: int
    width: float
    single: np.ndarray
    held: np.ndarray


class Labels(NamedTuple):
    """
    What a search by labels found: a label's number is the point's times `intervals` plus that of the interval.

    `cost`: inf where nothing was reached; `time`, s, `energy`, J; `before`: the label that it came from, -1 for none;
    `ended`: whether a move was lost because the flow ended meanwhile.
    """

    cost: np.ndarray
    time: np.ndarray
    energy: np.ndarray
    before: np.ndarray
    ended: bool

    def at_points(self, intervals: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the cost of each point's cheapest label, and its number."""
        several = self.cost.reshape(-1, intervals)
        best = several.argmin(axis=1)
        return several[np.arange(len(several)), best], np.arange(len(several)) * intervals + best


def cheapest_labels(field: FieldTables, moves: LatticeMoves, task: LabelTask, use_numba: bool | None = None) -> Labels:
    """
    Return the cheapest ways from one point to others, or to it from others.

    :param use_numba: None: where it is installed; else rounds over whole fronts of labels, as arrays.
    """
    number = field.columns * field.rows * task.intervals
    out = (np.full(number, np.inf), np.full(number, np.nan), np.zeros(number), np.full(number, -1, dtype=np.int64))
    first = task.begin * task.intervals
    if has_numba() if use_numba is None else use_numba:
        ended = compiled(settle, ROUTE_SOURCES)(field, moves, task, first, *out)
    else:
        ended = settle_rounds(field, moves, task, first, *out)
    return Labels(*out, bool(ended))


def settle(field: Any, moves: Any, task: Any, first: int, cost: Any, time: Any, energy: Any, before: Any) -> bool:
    """Settle labels one by one, the cheapest first: what numba compiles. The last four arguments are filled."""
    cost[first], time[first] = 0.0, task.time
    settled = np.zeros(len(cost), dtype=np.bool_)
    done = np.zeros(field.columns * field.rows, dtype=np.bool_)     # Points at which no other label can be of use.
    queue = [(0.0, first)]
    limit = np.inf
    last = field.t0 + field.dt * (field.slices - 1) if field.slices > 1 else np.inf
    ended = False
    standing = power_at(field, abs(task.speeds[0]), 0.0, 0.0, 1.0, 0.0)
    per_second = task.per_second + task.per_joule * standing
    while len(queue) > 0:
        paid, label = heappop(queue)
        if paid > limit:
            break
        point = label // task.intervals
        if settled[label] or done[point]:
            continue
        settled[label] = True
        done[point] = task.single[point]
        if point == task.end:
            done[point] = True
            limit = task.slack * paid
        if task.held[point] and not task.single[point]:
            new, there = later_label(task, label, time[label])
            price = paid + abs(there - time[label]) * per_second
            if new >= 0 and price < cost[new] and not settled[new]:
                cost[new], time[new], before[new] = price, there, label
                energy[new] = energy[label] + abs(there - time[label]) * standing
                heappush(queue, (price, new))
        row = point // field.columns
        place = (float(point - row * field.columns), float(row))
        for k in range(len(moves.columns)):
            if moves.is_open[point, k] == 0:
                continue
            target = point + moves.rows[k] * field.columns + moves.columns[k]
            if done[target]:
                continue
            way = (float(moves.columns[k]), float(moves.rows[k]))
            for n in range(len(task.speeds)):
                lasted, used = move(field, task.speeds[n], time[label], place, way, moves.parts[k], task.sign)
                price = paid + task.per_second * lasted + task.per_joule * used
                if not price < np.inf:
                    ended = ended or time[label] > last - 0.02 * (last - field.t0)
                    continue
                there = time[label] + task.sign * lasted
                interval = int(min(abs(there - task.time) / task.width, task.intervals - 1.0))
                new = target * task.intervals + (0 if task.single[target] else interval)
                if price < cost[new] and not settled[new]:
                    cost[new], time[new], energy[new], before[new] = price, there, energy[label] + used, label
                    heappush(queue, (price, new))
    return ended


@kernel
def later_label(task: Any, label: Any, time: Any) -> Any:
    """Return the label of the same place an interval on, -1 after the last one, and when that begins, s."""
    interval = label % task.intervals + 1
    new = select(interval < task.intervals, label + 1, -1)
    return new, task.time + task.sign * larger(task.width * interval, abs(time - task.time))


def settle_rounds(field: FieldTables, moves: LatticeMoves, task: LabelTask, first: int, cost: np.ndarray,
                  time: np.ndarray, energy: np.ndarray, before: np.ndarray) -> bool:
    """Do what `settle` does by rounds over all labels of about the same cost, corrected until none gets cheaper."""
    cost[first], time[first] = 0.0, task.time
    waiting = np.zeros(len(cost), dtype=bool)
    waiting[first] = True
    limit, bucket, ended = math.inf, 0.0, False
    while waiting.any():
        numbers = np.flatnonzero(waiting)
        least = cost[numbers].min()
        goal = cost.reshape(-1, task.intervals)[task.end].min()
        limit = task.slack * goal
        if least > limit:
            break
        now = numbers[cost[numbers] <= least + bucket]
        waiting[now] = False
        found, late = _moves_from(field, moves, task, now, (cost, time, energy))
        ended |= late
        new, price, there, used, origin = found
        if not new.size:
            continue
        bucket = bucket or BUCKET * float((price - cost[origin]).min())
        order = np.argsort(price, kind='stable')
        kept, place = np.unique(new[order], return_index=True)
        place = order[place]
        better = price[place] < cost[kept]
        kept, place = kept[better], place[better]
        cost[kept], time[kept], energy[kept], before[kept] = price[place], there[place], used[place], origin[place]
        waiting[kept] = True
    return ended


def _moves_from(field: FieldTables, moves: LatticeMoves, task: LabelTask, now: np.ndarray,
                known: tuple[np.ndarray, np.ndarray, np.ndarray]) -> tuple[tuple[np.ndarray, ...], bool]:
    """Return all that is reached from some labels: labels, costs, times, energies, labels before; and whether late."""
    cost, time, energy = known
    last = field.t0 + field.dt * (field.slices - 1) if field.slices > 1 else math.inf
    found: list[tuple[np.ndarray, ...]] = []
    late = False
    for k, (i, j, parts) in enumerate(zip(moves.columns.tolist(), moves.rows.tolist(), moves.parts.tolist())):
        labels = now[moves.is_open[now // task.intervals, k] != 0]
        point = labels // task.intervals
        place = (point % field.columns).astype(float), (point // field.columns).astype(float)
        for speed in task.speeds.tolist():
            with np.errstate(invalid='ignore', divide='ignore'):
                lasted, used = move(field, speed, time[labels], place, (float(i), float(j)), parts, task.sign)
            price = cost[labels] + task.per_second * lasted + task.per_joule * used
            good = np.isfinite(price)
            late |= bool((time[labels[~good]] > last - 0.02 * (last - field.t0)).any())
            there = time[labels] + task.sign * lasted
            target = point + j * field.columns + i
            with np.errstate(invalid='ignore'):
                interval = np.minimum(np.abs(there - task.time) / task.width, task.intervals - 1.0)
            several = np.where(task.single[target], 0, np.nan_to_num(interval).astype(int))
            new = target * task.intervals + several
            found.append((new[good], price[good], there[good], (energy[labels] + used)[good], labels[good]))
    found.append(_waits(field, task, now, known))
    columns = zip(*found)
    return tuple(np.concatenate(column) for column in columns), late


def _waits(field: FieldTables, task: LabelTask, now: np.ndarray,
           known: tuple[np.ndarray, np.ndarray, np.ndarray]) -> tuple[np.ndarray, ...]:
    """Return what holding one's place leads to from some labels: labels, costs, times, energies, labels before."""
    cost, time, energy = known
    point = now // task.intervals
    labels = now[task.held[point] & ~task.single[point] & ((now + 1) % task.intervals != 0)]
    new, there = later_label(task, labels, time[labels])
    standing = float(power_at(field, np.abs(task.speeds[:1]), *np.array([[0.0], [0.0], [1.0], [0.0]]))[0])
    lasted = np.abs(there - time[labels])
    per_second = task.per_second + task.per_joule * standing
    return new, cost[labels] + per_second * lasted, there, energy[labels] + standing * lasted, labels
