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
