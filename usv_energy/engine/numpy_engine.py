"""The loop of `loop.py` on numpy arrays, all runs of an ensemble side by side: what there is without numba."""

from typing import Any

import numpy as np

from ..sim.guidance import next_waypoint
from ..sim.outcomes import REACHED, RUNNING
from ..sim.run_state import Case, Lane
from ..sim.step import (
    begun,
    duration_of,
    ending,
    leg_between,
    moved_on,
    observed,
    on_leg,
    period_later,
    reached,
    steered,
)
from .pack import Packed
from .single_run import RESULT_ROWS, write_result
from .tuple_rows import mapped

BATCH = 2048      # Runs at a time: their numbers stay in the second-level cache.
TIGHTEN = 0.75    # Where less than this share of a batch is still under way, the rest is taken out of the arrays.


def run_arrays(packed: Packed) -> np.ndarray:
    """Return what came of the runs, rows as in Results.COLUMNS, shape (rows, runs)."""
    results = np.empty((RESULT_ROWS, packed.number))
    with np.errstate(all='ignore'):  # NaN before the first sample, and what has run away
        for first in range(0, packed.number, BATCH):
            _Batch(packed, np.arange(first, min(first + BATCH, packed.number)), results).run()
    return results


class _Batch:
    """Some runs, side by side; those that have ended are idle until the arrays are tightened."""

    def __init__(self, packed: Packed, runs: np.ndarray, results: np.ndarray) -> None:
        self.packed, self.runs, self.results = packed, runs, results
        self.under_way = np.ones(runs.size, dtype=bool)
        self.legs = np.zeros(runs.size, dtype=int)
        case: Any = mapped(lambda leaf: leaf if np.ndim(leaf) == 0 else leaf[runs], packed.case)
        self.case: Case = case._replace(start=tuple(np.broadcast_to(part, runs.size) + 0.0 for part in case.start))
        self.lane: Lane = begun(self.case, self._legs_of(self.legs))

    def run(self) -> None:
        packed = self.packed
        surroundings = packed.clock, packed.water, packed.air
        while self.under_way.any():
            if self.under_way.mean() < TIGHTEN:
                self._tighten()
            self.lane = observed(self.lane, self.case, *surroundings)
            arrived = np.flatnonzero(reached(self.lane, self.case) & self.under_way)
            if arrived.size:
                self._settle(arrived)
            integral, commands = steered(self.lane, self.case, packed.clock)
            for number in range(packed.clock.steps):
                self.lane = moved_on(self.lane, number, commands, integral, self.case, *surroundings)
            self.lane = period_later(self.lane)
            outcomes = ending(self.lane, self.case, packed.clock)
            for place in np.flatnonzero((outcomes != RUNNING) & self.under_way):
                self._end(int(place), int(outcomes[place]))

    def _settle(self, arrived: np.ndarray) -> None:
        """Put those that are at their goal on their next leg, or end their runs."""
        ways = self.packed.ways
        for place in arrived:
            points: Any = ways[1:, :, self.runs[place] if ways.shape[2] > 1 else 0]
            radius = self.case.radius if np.ndim(self.case.radius) == 0 else self.case.radius[place]
            state = self.lane.state
            self.legs[place] = next_waypoint(state.x[place], state.y[place], self.legs[place], points, radius)
            if self.legs[place] == len(points):
                self._end(place, REACHED)
        self.lane = on_leg(self.lane, self._legs_of(np.minimum(self.legs, ways.shape[0] - 2)))

    def _end(self, place: int, outcome: int) -> None:
        lane = self._taken(self.lane, place)
        write_result(self.results, self.runs[place], outcome, duration_of(lane), lane, self.legs[place])
        self.under_way[place] = False

    def _tighten(self) -> None:
        kept = np.flatnonzero(self.under_way)
        self.case, self.lane = self._taken(self.case, kept), self._taken(self.lane, kept)
        self.runs, self.legs, self.under_way = self.runs[kept], self.legs[kept], self.under_way[kept]

    def _legs_of(self, legs: np.ndarray) -> Any:
        ways, columns = self.packed.ways, self.runs if self.packed.ways.shape[2] > 1 else 0
        return leg_between(ways[legs, 0, columns], ways[legs, 1, columns], ways[legs + 1, 0, columns],
                           ways[legs + 1, 1, columns])

    @staticmethod
    def _taken(value: Any, places: Any) -> Any:
        return mapped(lambda leaf: leaf if np.ndim(leaf) == 0 else leaf[places], value)
