"""Messages from bags of ROS 1 (.bag), read by rosbags (an optional extra); it needs no ROS."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.files.optional import optional
from usv_energy.logs.bags.cdr import ROS1, Field
from usv_energy.logs.bags.message_blocks import Batch, block_of

BATCH = 4000


class Ros1File:
    """One .bag file: its topics, its messages, and what was found wrong with it."""

    wire = ROS1

    def __init__(self, path: Path) -> None:
        """
        Open the file and read its index.

        :raises InputError: If rosbags is not installed, or it is no bag of ROS 1, or was not closed.
        """
        self.path = path
        self.faults: list[str] = []
        library = optional('rosbags.rosbag1', 'ros1', f'{path}: a bag of ROS 1')
        try:
            self._reader: Any = library.Reader(path)
            self._reader.open()
            self._connections = list(self._reader.connections)
        except Exception as error:  # rosbags raises what its code stumbles over, too
            raise InputError(f'{path}: is no bag of ROS 1 that rosbags can read: {error}. If the recorder was killed, '
                             'make its index anew: rosbag reindex') from None

    def topics(self) -> dict[str, str]:
        """Return the types of all topics that have a message in it."""
        return {one.topic: one.msgtype for one in self._connections if one.msgcount}

    def layout_of(self, kind: str) -> tuple[Field, ...] | None:
        """Return nothing: a type that is read has a layout of its own."""
        return None

    def batches(self, topics: set[str]) -> Iterator[Batch]:
        """
        Give the messages of topics, a few thousand at a time.

        :param topics: Names of topics.
        """
        wanted = [one for one in self._connections if one.topic in topics]
        waiting: dict[int, tuple[list[int], list[bytes]]] = {}
        by_id = {one.id: one for one in wanted}
        try:
            for connection, when, raw in self._reader.messages(wanted) if wanted else ():
                times, messages = waiting.setdefault(connection.id, ([], []))
                times.append(when)
                messages.append(bytes(raw))
                if len(times) >= BATCH:
                    yield self._batch(by_id[connection.id], *waiting.pop(connection.id))
        except Exception as error:  # rosbags raises what its code stumbles over, too
            self.faults.append(f'it is damaged ({error}): what came before is used')
        for number, found in waiting.items():
            yield self._batch(by_id[number], *found)

    def _batch(self, connection: Any, times: list[int], messages: list[bytes]) -> Batch:
        return Batch(connection.topic, connection.msgtype, np.array(times), [block_of(messages)])

    def __del__(self) -> None:
        """Close the file."""
        with suppress(Exception):
            self._reader.close()
