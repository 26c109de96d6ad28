"""
A label-setting search: the least time or the least energy from one lattice point to all others, in a changing flow.

A label stores a point, its time of arrival, its cost, and the label before it. The search settles the label first whose
cost, with a lower bound on what is left, is lowest (Hart, Nilsson and Raphael, 1968; Dijkstra, 1959, without a bound).
Each move starts at the time of its label, so the boat can follow every path found.
If the boat can hold its position at a point, an earlier arrival is never worse (first in, first out), and one label per
point is enough. If the current there changes and is stronger than the boat, a later arrival may be better. Such points,
and points within one move of them, keep one label for each interval of time. The boat may wait where it can hold its
position.
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
BUCKET = 2.0        # Labels are extended together if their costs differ by less than this many of the cheapest moves.


class LatticeMoves(NamedTuple):
    """
    The moves of a lattice.

    `columns`, `rows`: steps of each move, shape (K,). `parts`: pieces of its integral, (K,). `is_open`: (points, K).
    """

    columns: np.ndarray
    rows: np.ndarray
    parts: np.ndarray
    is_open: np.ndarray


class LabelTask(NamedTuple):
    """
    The settings of a label search.

    `begin`, `end`: numbers of points. The search leaves out paths whose cost exceeds `slack` times that of `end`.
    `time`: time at `begin`, s. `sign`: 1.0 searches forwards from `begin`; -1.0 searches backwards, for paths that
    arrive at `begin` at `time`. `speeds`: speeds through the water, m/s, that may be chosen; a negative one is the top
    speed. `per_second`, `per_joule`: cost of a second and of a joule. `intervals`: number of intervals, each `width`
    seconds long; a point keeps one label for each, or only one if `single` is true there. `held`: whether the boat can
    hold its position at a point, by circling or at anchor. `rest`: lower bound on the cost between each point and
    `end`, shape (points,), which falls along a move by no more than the move's cost; inf: the point is left out.
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
    rest: np.ndarray


class Labels(NamedTuple):
    """
    The result of a label search. A label's number is the point's number times `intervals` plus the interval's number.

    `cost`: inf if not reached. `time`: s. `energy`: J. `before`: number of the label before, -1 for none. `ended`:
    whether a move was impossible because the flow ended.
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
    Return the labels of the cheapest paths from one point to the others, or from the others to it.

    :param use_numba: Whether compiled code runs; None: if numba is installed. Otherwise NumPy handles whole fronts.
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
    """Settle the labels one by one, and fill the last four arguments. numba compiles this."""
    cost[first], time[first] = 0.0, task.time
    settled = np.zeros(len(cost), dtype=np.bool_)
    done = np.zeros(field.columns * field.rows, dtype=np.bool_)     # Points that need no other label.
    queue = [(task.rest[task.begin], first)]
    limit = np.inf
    last = field.t0 + field.dt * (field.slices - 1) if field.slices > 1 else np.inf
    ended, start = False, len(task.speeds) // 2
    standing = power_at(field, abs(task.speeds[0]), 0.0, 0.0, 1.0, 0.0)
    per_second = task.per_second + task.per_joule * standing
    while len(queue) > 0:
        least, label = heappop(queue)
        if least > limit:
            break
        point, paid = label // task.intervals, cost[label]
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
                heappush(queue, (price + task.rest[point], new))
        row = point // field.columns
        place = (float(point - row * field.columns), float(row))
        for k in range(len(moves.columns)):
            if moves.is_open[point, k] == 0:
                continue
            target = point + moves.rows[k] * field.columns + moves.columns[k]
            if done[target] or not paid + task.rest[target] <= limit or task.rest[target] == np.inf:
                continue
            way = (float(moves.columns[k]), float(moves.rows[k]))
            # The cost of a move has one minimum over the speeds, looked for from that of the move before.
            best, lasts, uses, chosen = np.inf, 0.0, 0.0, start
            n, step, all_speeds = start, 1, False
            while 0 <= n < len(task.speeds):
                lasted, used = move(field, task.speeds[n], time[label], place, way, moves.parts[k], task.sign)
                price = paid + task.per_second * lasted + task.per_joule * used
                better = price < best
                if better:
                    best, lasts, uses, chosen = price, lasted, used, n
                if not best < np.inf and not all_speeds:
                    n, all_speeds = 0, True
                elif better or all_speeds:
                    n += step
                    if n == len(task.speeds) and chosen == start and not all_speeds:
                        n, step = start - 1, -1
                elif step == 1 and chosen == start:
                    n, step = start - 1, -1
                else:
                    break
            if not best < np.inf:
                ended = ended or time[label] > last - 0.02 * (last - field.t0)
                continue
            start, there = chosen, time[label] + task.sign * lasts
            interval = int(min(abs(there - task.time) / task.width, task.intervals - 1.0))
            new = target * task.intervals + (0 if task.single[target] else interval)
            if best < cost[new] and not settled[new]:
                cost[new], time[new], energy[new], before[new] = best, there, energy[label] + uses, label
                heappush(queue, (best + task.rest[target], new))
    return ended


@kernel
def later_label(task: Any, label: Any, time: Any) -> Any:
    """Return the label of the same point in the next interval, -1 if there is none, and the time it begins, s."""
    interval = label % task.intervals + 1
    new = select(interval < task.intervals, label + 1, -1)
    return new, task.time + task.sign * larger(task.width * interval, abs(time - task.time))


def settle_rounds(field: FieldTables, moves: LatticeMoves, task: LabelTask, first: int, cost: np.ndarray,
                  time: np.ndarray, energy: np.ndarray, before: np.ndarray) -> bool:
    """Do the same as `settle` in rounds over labels of similar cost; repeat labels until none becomes cheaper."""
    cost[first], time[first] = 0.0, task.time
    waiting = np.zeros(len(cost), dtype=bool)
    waiting[first] = True
    limit, bucket, ended = math.inf, 0.0, False
    while (numbers := np.flatnonzero(waiting)).size:
        least = cost[numbers].min()
        goal = cost.reshape(-1, task.intervals)[task.end].min()
        limit = task.slack * goal
        rest = task.rest[numbers // task.intervals]
        waiting[numbers] = (cost[numbers] + rest <= limit) & np.isfinite(rest)
        now = numbers[waiting[numbers] & (cost[numbers] <= least + bucket)]
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
        better = (price[place] < cost[kept]) & np.isfinite(task.rest[kept // task.intervals])
        kept, place = kept[better], place[better]
        cost[kept], time[kept], energy[kept], before[kept] = price[place], there[place], used[place], origin[place]
        waiting[kept] = True
    return ended


def _moves_from(field: FieldTables, moves: LatticeMoves, task: LabelTask, now: np.ndarray,
                known: tuple[np.ndarray, np.ndarray, np.ndarray]) -> tuple[tuple[np.ndarray, ...], bool]:
    """Return the labels reached from some labels, with cost, time, energy and predecessor; and if the flow ended."""
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
    """Return the labels reached by waiting from some labels, with cost, time, energy and predecessor."""
    cost, time, energy = known
    point = now // task.intervals
    labels = now[task.held[point] & ~task.single[point] & ((now + 1) % task.intervals != 0)]
    new, there = later_label(task, labels, time[labels])
    standing = float(power_at(field, np.abs(task.speeds[:1]), *np.array([[0.0], [0.0], [1.0], [0.0]]))[0])
    lasted = np.abs(there - time[labels])
    per_second = task.per_second + task.per_joule * standing
    return new, cost[labels] + per_second * lasted, there, energy[labels] + standing * lasted, labels
