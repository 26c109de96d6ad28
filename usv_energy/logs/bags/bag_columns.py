"""From the messages of a bag's topics to columns of numbers, some thousand messages at a time: what a log needs."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.logs.bags.bag_topics import BOAT_STATE, LEG_NAMES, ODOMETRY, POSES
from usv_energy.logs.bags.cdr import LAYOUTS, PX4_LAYOUTS, Field, Fields, MessageError, Wire, decode
from usv_energy.logs.bags.message_blocks import Batch
from usv_energy.logs.derive import yaw_of_quaternions
from usv_energy.logs.log import INFO, WARNING, Note
from usv_energy.logs.stamps import CleanTimes, clean_times, in_order, times_of_clock
from usv_energy.logs.two_tracks import of_one_track

Columns = dict[str, np.ndarray]
PER_ACTUATOR = ('effort', 'force', 'position', 'velocity')  # Lists of these are looked up by the actuator's name.


class BagFile(Protocol):
    """One file of a bag: its path, and what was found wrong with it while it was read."""

    path: Path
    faults: list[str]
    wire: Wire

    def layout_of(self, kind: str) -> tuple[Field, ...] | None:
        """Return the layout of a type's messages by the definition in the file; None where it has none."""

    def topics(self) -> dict[str, str]:
        """Return the types of its topics."""

    def batches(self, topics: set[str]) -> Iterable[Batch]:
        """Give the messages of topics."""


def bag_columns(files: Iterable[BagFile], topics: set[str], kinds: Mapping[str, str], path: Path,
                progress: Callable[[int], None], frames: dict[str, str]) -> dict[str, Columns]:
    """
    Return the fields of all messages of topics, joined, one row a message, (n,) each.

    `log_time` is when they were recorded, s; `stamp` what their headers say, s, where they have one. An odometry is
    x, y m; yaw rad; ahead, aside m/s; r rad/s, in its own axes. That of BoatState has u_dot, v_dot, r_dot, too; a pose
    is x, y, yaw; a vector is x, y; the beginning of a leg has its name, a text.

    :param files: Of the bag, in order.
    :param topics: Names of those that are read.
    :param kinds: Their types.
    :param path: Of the bag, for errors.
    :param progress: Called now and then with the number of messages read.
    :param frames: The frames that the topics' headers name are added to it.
    :raises InputError: If a topic holds what is not of its type.
    """
    parts: dict[str, list[Columns]] = {}
    count = 0
    for file in files:
        for batch in file.batches(topics):
            if batch.kind != kinds[batch.topic]:
                file.faults.append(f'messages of {batch.topic} called {batch.kind!r} are left out; the topic is '
                                   f'{kinds[batch.topic]}')
                continue
            try:
                columns = _joined(batch, frames, file)
            except MessageError as error:
                raise InputError(f'{path}: the topic {batch.topic} holds what is no {kinds[batch.topic]}: '
                                 f'{error}') from None
            parts.setdefault(batch.topic, []).append(_needed(columns, batch))
            count += len(batch.times)
            progress(count)
    return {topic: _one_after_the_other(found) for topic, found in parts.items()}


def _one_after_the_other(parts: list[Columns]) -> Columns:
    """Return parts as one, NaN where a part lacks a thruster of another; they are emptied, to need less memory."""
    sizes = [len(part['log_time']) for part in parts]
    names = dict.fromkeys(name for part in parts for name in part)
    return {name: np.concatenate([part.pop(name) if name in part else np.full(size, np.nan)
                                  for part, size in zip(parts, sizes)]) for name in names}


def _joined(batch: Batch, frames: dict[str, str], file: BagFile) -> Columns:
    """Return a batch's numbers in the order of its messages."""
    n = len(batch.times)
    columns: Columns = {'log_time': batch.times.astype(float) * 1e-9}
    layout = None if batch.kind in LAYOUTS else file.layout_of(batch.kind) or PX4_LAYOUTS.get(batch.kind, ())
    for places, found in decode(batch.kind, batch.blocks, file.wire, layout):
        frame = str(next(iter(found.get('frame_id', ())), ''))
        frames.setdefault(batch.topic, frame)
        if batch.kind in LEG_NAMES:
            columns.setdefault('leg', np.full(n, '', dtype=object))[places] = str(found[LEG_NAMES[batch.kind]][0])
        for name, column in _named(found).items():
            if len(places) == n:
                columns[name] = column
                continue
            if name not in columns:
                columns[name] = np.full((n, *column.shape[1:]), np.nan)
            columns[name][places] = column
    return columns


def _named(found: Fields) -> dict[str, Any]:
    """Return the numbers in a group of messages by name; of lists those that a log takes, by actuator."""
    texts = found.get('name')
    numbers = {key: values for key, values in found.items() if not isinstance(values, tuple)}
    if texts is None:
        return numbers
    lists = {key: numbers.pop(key) for key in PER_ACTUATOR if key in numbers}
    return {**numbers, **{f'{key}/{name}': lists[key][:, i] for key in PER_ACTUATOR if key in lists
                          for i, name in enumerate(texts) if i < lists[key].shape[1]}}


def _needed(columns: Columns, batch: Batch) -> Columns:
    """Return what a log takes of a batch's columns."""
    kept = {'log_time': columns.pop('log_time')}
    if 'sec' in columns:
        kept['stamp'] = columns.pop('sec') + 1e-9 * columns.pop('nanosec')
    if batch.kind in POSES:
        return {**kept, **_pose(columns)}
    if batch.kind not in (ODOMETRY, BOAT_STATE):
        vector = columns.pop('vector', None)
        return {**kept, **columns} if vector is None else {**kept, 'x': vector[:, 0].copy(), 'y': vector[:, 1].copy()}
    linear = columns['linear']
    kept |= {**_pose(columns), 'ahead': linear[:, 0].copy(), 'aside': linear[:, 1].copy(),
             'r': columns['angular'][:, 2].copy()}
    if batch.kind == BOAT_STATE:
        kept |= {'u_dot': columns['acceleration'][:, 0].copy(), 'v_dot': columns['acceleration'][:, 1].copy(),
                 'r_dot': columns['angular_acceleration'][:, 2].copy()}
    return kept


def _pose(columns: Columns) -> Columns:
    """Return x, y, yaw and, where there are any, height, roll and pitch."""
    position, orientation = columns['position'], columns['orientation']
    return {'x': position[:, 0].copy(), 'y': position[:, 1].copy(), 'yaw': yaw_of_quaternions(*orientation.T),
            **_afloat(position[:, 2], orientation)}


def _afloat(height: np.ndarray, orientation: np.ndarray) -> Columns:
    """Return height, m, roll and pitch, rad, of an odometry that has them; nothing of one in the plane."""
    tilted = orientation[:, :2].any()
    if not tilted and height.size and height.min() == height.max():
        return {}
    x, y, z, w = orientation.T
    return {'height': height.copy(), 'roll': np.arctan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y)),
            'pitch': np.arcsin(np.clip(2.0 * (w * y - z * x), -1.0, 1.0))}


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
    return np.interp(log_time, recorded[known], clock.time[known]) + beyond


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
