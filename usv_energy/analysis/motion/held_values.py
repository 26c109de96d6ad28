"""Values that are held: repeated in a stream that runs faster than they were measured."""

from typing import NamedTuple

import numpy as np

from .measured_series import known_rows

LEAST_RUNS = 20     # Below which no pattern is one.
ALIKE = 0.8         # Share of the samples that must lie in runs of about the usual length.
MOSTLY_NEW = 0.75   # Share of new samples from which on none is held.
BAND = 0.35         # By which such a run's length may differ from the usual one, and by one sample in any case.


class Held(NamedTuple):
    """Which samples are measurements, shape (n,), and how many samples each is held for as a rule: 1 where none is."""

    fresh: np.ndarray
    length: float


def held_values(values: np.ndarray) -> Held:
    """
    Return which samples of a series are new.

    A slower source in a faster stream repeats each value about equally often. That is told from a boat at rest, or a
    simulator at a steady speed, whose values stand still for long and then change with every sample.

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
    lengths = np.diff(np.append(np.flatnonzero(new), rows.size))[1:-1]
    if lengths.size < LEAST_RUNS:
        return Held(known, 1.0)
    usual = float(np.median(np.repeat(lengths, lengths)))
    near = np.abs(lengths - usual) <= max(1.0, BAND * usual)
    if usual < 2.0 or lengths[near].sum() < ALIKE * lengths.sum():
        return Held(known, 1.0)
    fresh = np.zeros(known.size, dtype=bool)
    fresh[rows[new]] = True
    return Held(fresh, float(rows.size / new.sum()))
