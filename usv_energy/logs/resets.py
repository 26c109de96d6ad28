"""
Resets of an estimator that the log itself tells: by counters and steps (PX4), or by another primary core (ArduPilot).

A step of the position is no motion: it is taken out of all that follows. A step of the heading says that the headings
before were off: they are turned by it.
"""

import math

import numpy as np

from usv_energy.files.errors import counted
from usv_energy.logs.log import WARNING, Note

SHOWN = 3  # Resets that a note tells one by one.
POSITION, HEADING, VELOCITY = 'position_reset', 'heading_reset', 'velocity_reset'  # Codes of notes.
LEAST = {POSITION: 1e-6, HEADING: 1e-9, VELOCITY: 1e-6}  # m, rad, m/s: smaller steps are none.
WORDS = {POSITION: ('position', 'm', 1.0, 'the steps are taken out of what follows'),
         HEADING: ('heading', 'deg', 180.0 / math.pi, 'the headings before are turned by them'),
         VELOCITY: ('velocity', 'm/s', 1.0, 'the velocities are left as they are')}


def without_steps(values: np.ndarray, rows: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """
    Return a series less its steps, so that what follows each goes on from what was before.

    :param values: Shape (n,).
    :param rows: The first sample after each step, rising, shape (k,).
    :param steps: In the unit of the values, shape (k,).
    """
    less: np.ndarray = values - _summed(rows, steps, len(values))
    return less


def turned_before(values: np.ndarray, rows: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """Return a series with what was before each step moved by it; parameters as `without_steps`."""
    turned: np.ndarray = values - _summed(rows, steps, len(values)) + float(np.sum(steps))
    return turned


def _summed(rows: np.ndarray, steps: np.ndarray, n: int) -> np.ndarray:
    at = np.zeros(n)
    np.add.at(at, rows, steps)
    return np.cumsum(at)


def reset_notes(code: str, times: np.ndarray, sizes: np.ndarray, told_by: str) -> list[Note]:
    """
    Return the note on resets; none where there are none.

    :param code: POSITION, HEADING or VELOCITY.
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
