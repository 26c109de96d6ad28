"""
Resets of an estimator that the log itself tells: by counters and steps (PX4), or by another primary core (ArduPilot).

A step of the position is no motion: it is taken out of all that follows. A step of the heading says that the headings
before were off: they are turned by it. Of a step of the velocity the positions say which side of it was off.
"""

import math

import numpy as np

from usv_energy.files.errors import counted
from usv_energy.logs.log import WARNING, Note

SHOWN = 3  # Resets that a note tells one by one.
POSITION_RESET, HEADING_RESET, VELOCITY_RESET = 'position_reset', 'heading_reset', 'velocity_reset'  # Codes of notes.
LEAST = {POSITION_RESET: 1e-6, HEADING_RESET: 1e-9, VELOCITY_RESET: 1e-6}  # m, rad, m/s: smaller steps are none.
WORDS = {POSITION_RESET: ('position', 'm', 1.0, 'the steps are taken out of what follows'),
         HEADING_RESET: ('heading', 'deg', 180.0 / math.pi, 'the headings before are turned by them'),
         VELOCITY_RESET: ('velocity', 'm/s', 1.0, 'those that the positions contradict are moved by the step')}
WINDOW = 10.0  # s before and after a reset in which velocities are held against the positions.
BETTER = 0.5   # Share of the error of one side that the other may have at most, to be believed.
WRAP = 256     # Where PX4's counters begin anew.


def counted_steps(counter: np.ndarray, steps: np.ndarray, changes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """
    Return the first samples after resets, rising, shape (k,), and their steps, shape (k, axes).

    A step that the series itself does not show is left out; where a counter went on by more than one, and the log tells
    the last step only, what the series shows is the step.

    :param counter: Of resets, shape (n,).
    :param steps: What the log tells of the last one, shape (n, axes).
    :param changes: Of the series from the sample before, less what the boat moved or turned, shape (n, axes); NaN where
        not known.
    """
    resets = np.diff(counter, prepend=counter[:1]) % WRAP
    rows = np.flatnonzero(resets > 0.0)
    told, shown = steps[rows], changes[rows]
    with np.errstate(invalid='ignore'):
        seen = np.linalg.norm(shown - told, axis=1) < np.linalg.norm(shown, axis=1)
    several = (resets[rows] > 1.0) & np.isfinite(shown).all(axis=1)
    taken = np.where(several[:, None], shown, told)
    good = (seen | several) & np.isfinite(taken).all(axis=1)
    return rows[good], taken[good]


def velocities_moved(time: np.ndarray, velocity: np.ndarray, place: np.ndarray, rows: np.ndarray,
                     steps: np.ndarray) -> np.ndarray:
    """
    Return velocities, m/s, (n, 2), with what was off before or after a reset moved by its step.

    Up to WINDOW before and after, and no further than to the next reset, the velocities are held against the way
    between the places. Of two sides that agree with it alike, or of places that are not known, none is moved.

    :param time: s, rising, shape (n,).
    :param velocity: m/s, shape (n, 2).
    :param place: m, without steps, shape (n, 2).
    :param rows: The first sample after each reset, rising, shape (k,).
    :param steps: m/s, shape (k, 2).
    """
    moved = velocity.copy()
    edges = [0, *rows.tolist(), len(time)]
    for number, step in enumerate(steps, start=1):
        before, at, after = edges[number - 1:number + 2]
        first, last = np.searchsorted(time, (time[at] - WINDOW, time[at] + WINDOW))
        off_before = _off(time, moved, place, slice(max(before, int(first)), at))
        off_after = _off(time, velocity, place, slice(at, min(after, int(last))))
        if off_after < BETTER * off_before:
            moved[before:at] += step
        elif off_before < BETTER * off_after:
            moved[at:] -= step
            velocity = velocity - np.where(np.arange(len(time))[:, None] >= at, step, 0.0)
    return moved


def _off(time: np.ndarray, velocity: np.ndarray, place: np.ndarray, rows: slice) -> float:
    """Return how far the mean velocity of some samples is from that between their places, m/s; NaN if not known."""
    if rows.stop - rows.start < 3:
        return math.nan
    span = time[rows]
    way = place[rows][-1] - place[rows][0]
    mean = (0.5 * (velocity[rows][1:] + velocity[rows][:-1]) * np.diff(span)[:, None]).sum(axis=0)
    return float(np.linalg.norm(mean - way) / (span[-1] - span[0]))


def without_steps(values: np.ndarray, rows: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """
    Return a series less its steps, so that what follows each goes on from what was before.

    :param values: Shape (n,).
    :param rows: The first sample after each step, rising, shape (k,).
    :param steps: In the unit of the values, shape (k,).
    """
    return values - _summed(rows, steps, len(values))


def turned_before(values: np.ndarray, rows: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """Return a series with what was before each step moved by it; parameters as `without_steps`."""
    return values - _summed(rows, steps, len(values)) + float(np.sum(steps))


def _summed(rows: np.ndarray, steps: np.ndarray, n: int) -> np.ndarray:
    at = np.zeros(n)
    np.add.at(at, rows, steps)
    return np.cumsum(at)


def reset_notes(code: str, times: np.ndarray, sizes: np.ndarray, told_by: str) -> list[Note]:
    """
    Return the note on resets; none where there are none.

    :param code: POSITION_RESET, HEADING_RESET or VELOCITY_RESET.
    :param times: When, s after the begin, shape (k,).
    :param sizes: How large each was, m, rad or m/s, shape (k,).
    :param told_by: What says so: `xy_reset_counter`.
    """
    there = np.abs(sizes) > LEAST[code]
    if not there.any():
        return []
    times, sizes = times[there], sizes[there]
    name, unit, factor, what = WORDS[code]
    shown = ', '.join(f'{factor * size:.3g} {unit} at {time:.1f} s' for time, size in zip(times[:SHOWN], sizes[:SHOWN]))
    more = f' and {len(times) - SHOWN} more' if len(times) > SHOWN else ''
    return [Note(WARNING, code, f'the estimator\'s {name} was reset {counted(len(times), "time")} ({told_by}: {shown}'
                 f'{more}): {what}',
                 {'resets': len(times), 'first_s': float(times[0]),
                  f'largest_{unit.replace("/", "_")}': float(factor * np.abs(sizes).max())})]
