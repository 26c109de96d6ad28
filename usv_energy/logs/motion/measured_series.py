"""Series of noisy or held samples as measurements of states."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from usv_energy.logs.motion.jerk_prior import STATES, Knots

LEAST_RUNS = 20     # Fewest samples for detecting a pattern.
ALIKE = 0.8         # Share of the samples that must lie in runs of about the usual length.
MOSTLY_NEW = 0.75   # Share of new samples from which the series counts as not held.
RESTS = 3.0         # Of a value that stands still for so many usual runs, more than the first sample is measured.
IN_PROPORTION = 0.5  # Share of the scatter of changes that is left where they are as the time before them.
BAND = 0.35         # Share by which a run's length may differ from the usual one; one sample is always allowed.

KNOT_STEP = 0.1  # s: smallest distance of knots; the motion between them is a polynomial of fifth degree.


class Held(NamedTuple):
    """Which samples are measurements, shape (n,), and for how many samples each is usually held (1: not held)."""

    fresh: np.ndarray
    length: float


def held_values(values: np.ndarray) -> Held:
    """
    Return which samples of a series are new measurements.

    A slower source in a faster stream repeats each value about equally often, or, where it comes at times of its own,
    changes the more the longer a value stood still: the boat went on meanwhile. A boat at rest, or a simulator at a
    steady speed, repeats a value for a long time and then changes it with every sample, which does not count as held.
    Of one that rests before or after its way, values repeat there as often as usual.

    :param values: Shape (n, k); a sample repeats the one before if all of its numbers do. Rows with a NaN are none.
    """
    columns = list(values.T)
    known = known_rows(columns)
    number = int(known.sum())
    if number < 2 * LEAST_RUNS:
        return Held(known, 1.0)
    if number < known.size:
        columns = [column[known] for column in columns]
    new = np.zeros(number, dtype=bool)
    new[0] = True
    for column in columns:
        new[1:] |= column[1:] != column[:-1]
    if new.mean() > MOSTLY_NEW:
        return Held(known, 1.0)
    rows = np.flatnonzero(known)
    every = np.diff(np.append(np.flatnonzero(new), rows.size))
    lengths = every[1:-1]
    if lengths.size < LEAST_RUNS:
        return Held(known, 1.0)
    usual = float(np.median(np.repeat(lengths, lengths)))
    near = np.abs(lengths - usual) <= max(1.0, BAND * usual)
    alike = lengths[near].sum() >= ALIKE * lengths.sum()
    if usual < 2.0 or not (alike or _go_on(columns, new, every)):
        return Held(known, 1.0)
    fresh = np.zeros(known.size, dtype=bool)
    fresh[rows[new]] = True
    ends = np.cumsum(every)
    for run in np.flatnonzero(every > RESTS * usual).tolist():  # At rest, too.
        fresh[rows[ends[run] - every[run]:ends[run]:int(usual)]] = True
    return Held(fresh, float(rows.size / new.sum()))


def _go_on(columns: Sequence[np.ndarray], new: np.ndarray, every: np.ndarray) -> bool:
    """Return whether values that stood still for longer changed by more then, as places of a boat under way do."""
    begins = np.flatnonzero(new)
    steps = np.log(np.hypot.reduce([np.diff(column[begins]) for column in columns], axis=0))
    paces = steps - np.log(every[:-1])
    return bool(_scatter(paces) < IN_PROPORTION * _scatter(steps))


def _scatter(values: np.ndarray) -> float:
    return float(np.median(np.abs(values - np.median(values))))


class Measured(NamedTuple):
    """
    Means of the samples about each of n knots.

    `order`: 0 for the value itself, 1 for its first derivative. `values` (n, k): of k quantities that share times and
    noise; `offset` (n,): how long after the knot they were measured, s; `weight` (n,): number of samples in it, less
    where it is trusted less, 0 where there is none.
    """

    order: int
    values: np.ndarray
    offset: np.ndarray
    weight: np.ndarray

    def rows(self) -> np.ndarray:
        """Return the measurement matrix's rows, shape (n, 3), by a Taylor series about the knot."""
        row = np.zeros((self.offset.size, STATES))
        if self.order == 0:
            row[:, 0], row[:, 1], row[:, 2] = 1.0, self.offset, 0.5 * self.offset ** 2
        else:
            row[:, 1], row[:, 2] = 1.0, self.offset
        return row

    def part(self, rows: slice) -> 'Measured':
        """Return the measurements at some successive knots."""
        return self._replace(values=self.values[rows], offset=self.offset[rows], weight=self.weight[rows])

    def expected(self, states: np.ndarray) -> np.ndarray:
        """Return the measurements, shape (n, k), that states, shape (n, 3, k), predict."""
        return np.einsum('ns,nsk->nk', self.rows(), states)


def knots_of(time: np.ndarray, longest: float, step: float = KNOT_STEP) -> tuple[Knots, np.ndarray]:
    """
    Return the knots of a log and the knot of every sample.

    :param time: s, rising, shape (n,).
    :param longest: Of two samples further apart than this, s, each is in a stretch of its own.
    :param step: Of the lattice that the knots lie on, s.
    """
    place = np.rint((time - time[0]) / step).astype(np.int64)
    new = np.concatenate(([True], np.diff(place) > 0))
    gap = np.diff(time) > longest
    knot = np.cumsum(new) - 1
    joined = np.ones(max(int(knot[-1]), 0), dtype=bool)
    joined[knot[1:][gap] - 1] = False
    return Knots(time[0] + step * place[new], joined), knot


def measured(order: int, time: np.ndarray, values: np.ndarray, knots: Knots, knot: np.ndarray,
             used: np.ndarray | None = None) -> Measured:
    """
    Return samples as measurements at knots.

    :param order: 0: the value was sampled; 1: its first derivative.
    :param time: s, shape (n,).
    :param values: Shape (n, k); a row with a NaN is none.
    :param knots: The Knots.
    :param knot: Of each sample, shape (n,).
    :param used: Which samples are measurements, shape (n,); None: all.
    """
    columns = [np.ascontiguousarray(column) for column in values.T]
    good = known_rows(columns)
    if used is not None:
        good &= used
    if not good.all():
        knot, time, columns = knot[good], time[good], [column[good] for column in columns]
    number = knots.time.size
    weight = np.bincount(knot, minlength=number).astype(float)
    share = 1.0 / np.maximum(weight, 1.0)
    offset = np.bincount(knot, time - knots.time[knot], number) * share
    means = np.stack([np.bincount(knot, column, number) * share for column in columns], axis=1)
    return Measured(order, means, offset, weight)


def known_rows(columns: Sequence[np.ndarray]) -> np.ndarray:
    """Return the indices at which all of some series, each (n,), have a number."""
    known: np.ndarray = np.isfinite(columns[0])
    for column in columns[1:]:
        known &= np.isfinite(column)
    return known
