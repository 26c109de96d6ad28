"""All topics of a bag on the one clock of its motion: rows in order of their times, each time once."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from usv_energy.logs.bags.bag_columns import Columns
from usv_energy.logs.log import INFO, WARNING, Note
from usv_energy.logs.stamps import CleanTimes, clean_times, in_order, times_of_clock
from usv_energy.logs.two_tracks import of_one_track

ALIKE = 1.0  # s by which times of recording and stamps differ at most where they are of one clock.


def on_one_clock(columns: Mapping[str, Columns], motion: str, path: Path, notes: list[Note]) -> dict[str, Columns]:
    """
    Return the columns of topics with `time`, s, strictly rising, for stamps and times of recording.

    :param columns: As `bag_columns` gives them.
    :param motion: The topic whose stamps are the clock.
    :param path: Of the bag, for errors.
    :param notes: What was found is added to these.
    :return: Of all topics; of none where the motion's has no message.
    """
    if motion not in columns:
        return {}
    own = _each_once(_of_one_boat(columns[motion], motion, notes), motion, notes)
    clock = clean_times(stamps_of(own), motion, path, notes, own['log_time'])
    if clock.repeated.size:
        notes.append(Note(WARNING, 'stamps_repeated', f'{clock.repeated.size} of {len(own["log_time"])} messages of '
                          f'{motion} have the stamp of another one, but another content; they are left out',
                          {'messages': int(clock.repeated.size)}))
    found = {motion: _timed(own, clock.rising, clock.rows)}
    for topic, other in columns.items():
        if topic == motion:
            continue
        if _has_stamps(other):
            times = times_of_clock(other['stamp'], clock, topic, notes, other['log_time'])
            found[topic] = _timed(other, times.rising, times.rows)
        else:
            recorded = _recorded(other['log_time'], clock, own['log_time'])
            rows = in_order(recorded)
            found[topic] = _timed(other, recorded[rows], rows)
    return found


def stamps_of(columns: Columns) -> np.ndarray:
    """Return the header's stamps, s; where a publisher left them at zero, the times of recording."""
    return columns['stamp'] if _has_stamps(columns) else columns['log_time']


def _has_stamps(columns: Columns) -> bool:
    return 'stamp' in columns and (bool(columns['stamp'].any()) or len(columns['stamp']) < 2)


def _timed(columns: Columns, time: np.ndarray, rows: np.ndarray) -> Columns:
    whole = rows.size == len(columns['log_time']) and bool((rows == np.arange(rows.size)).all())
    return {'time': time, **{name: values if whole else values[rows] for name, values in columns.items()
                             if name not in ('stamp', 'log_time')}}


def _recorded(log_time: np.ndarray, clock: CleanTimes, recorded: np.ndarray) -> np.ndarray:
    """Return the times of messages without a stamp: of recording, on the clock of the motion where that is another."""
    known = np.isfinite(clock.time)
    if not known.any() or clock.order is None:
        return log_time
    if float(np.median(np.abs(clock.time[known] - recorded[known]))) < ALIKE:
        return log_time
    first, last = recorded[known][0], recorded[known][-1]
    beyond = np.minimum(log_time - first, 0.0) + np.maximum(log_time - last, 0.0)
    time: np.ndarray = np.interp(log_time, recorded[known], clock.time[known]) + beyond
    return time


def _of_one_boat(own: Columns, topic: str, notes: list[Note]) -> Columns:
    """Return the messages of one of two publishers whose places alternate; all where there is one."""
    if 'x' not in own or (first := of_one_track(own['x'], own['y'], topic, notes)) is None:
        return own
    return {name: values[first] for name, values in own.items()}


def _each_once(own: Columns, topic: str, notes: list[Note]) -> Columns:
    """Return the messages without those that were sent before, with the same stamp and the same content."""
    stamps = stamps_of(own)
    if len(stamps) < 2 or (np.diff(stamps) > 0.0).all():
        return own
    _, inverse, counts = np.unique(stamps, return_inverse=True, return_counts=True)
    several = np.flatnonzero(counts[inverse] > 1)
    content = [np.nan_to_num(one[several]) for name, one in own.items() if name not in ('stamp', 'log_time')
               and one.ndim == 1 and one.dtype != object]
    _, first = np.unique(np.column_stack([stamps[several], *content]), axis=0, return_index=True)
    again = np.ones(several.size, dtype=bool)
    again[first] = False
    if not again.any():
        return own
    notes.append(Note(INFO, 'repeated', f'{int(again.sum())} of {len(stamps)} messages of {topic} are earlier ones '
                      'once more; they are left out', {'messages': int(again.sum())}))
    kept = np.delete(np.arange(len(stamps)), several[again])
    return {name: one[kept] for name, one in own.items()}
