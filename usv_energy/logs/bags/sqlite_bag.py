"""Messages from rosbag2's SQLite3 files (.db3)."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.files.limits import PART_BYTES
from usv_energy.logs.bags.cdr import CDR, Field, layout_of_definition
from usv_energy.logs.bags.message_blocks import Batch, block_of

BATCH = 4000
LONGEST_NAME = 256      # Characters of a topic's name and type; ROS 2 has no longer ones.
DAMAGED = (sqlite3.DatabaseError, UnicodeDecodeError)  # the second is of the text of one of the first


class SqliteFile:
    """One .db3 file: its topics, its messages, and what was found wrong with it."""

    wire = CDR

    def __init__(self, path: Path) -> None:
        """
        Check that the file is a bag in SQLite3.

        :raises InputError: If it is not, or cannot be read.
        """
        self.path = path
        self.faults: list[str] = []
        if not path.stat().st_size:
            raise InputError(f'{path}: is empty')
        try:
            with closing(self._connection()) as connection:
                self._check_tables(connection)
                self._topics = {number: (str(name)[:LONGEST_NAME], str(kind)[:LONGEST_NAME]) for number, name, kind
                                in connection.execute('SELECT id, name, type FROM topics')}
        except DAMAGED as error:
            raise InputError(f'{path}: is no bag that SQLite can read: {error}') from None

    def _check_tables(self, connection: sqlite3.Connection) -> None:
        """Raise InputError if topics or messages are no plain tables: a view may have rows without end."""
        for name in ('topics', 'messages'):
            found = connection.execute('SELECT type, sql FROM sqlite_master WHERE name = ? COLLATE NOCASE',
                                       (name,)).fetchone()
            if found is not None and (found[0] != 'table' or str(found[1]).upper().startswith('CREATE VIRTUAL')):
                raise InputError(f'{self.path}: its {name} are a {found[0]} that SQLite computes; must be a plain '
                                 'table, as rosbag2 writes it')
            if any(hidden for *_, hidden in connection.execute(f'PRAGMA table_xinfo({name})')):
                raise InputError(f'{self.path}: SQLite computes a column of its {name}; must be a plain table, as '
                                 'rosbag2 writes it')

    def _connection(self) -> sqlite3.Connection:
        """Open it for reading only, even where a recorder that was killed has left its journal behind."""
        quoted = self.path.resolve().as_uri()
        try:
            connection = sqlite3.connect(f'{quoted}?mode=ro', uri=True)
            connection.execute('SELECT 1 FROM sqlite_master LIMIT 1')
        except sqlite3.OperationalError:
            connection = sqlite3.connect(f'{quoted}?immutable=1', uri=True)
        if hasattr(connection, 'setlimit'):  # From Python 3.11 on.
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, PART_BYTES)
        connection.text_factory = lambda text: text.decode('utf-8', 'replace')
        return connection

    def layout_of(self, kind: str) -> tuple[Field, ...] | None:
        """Return the layout of a type's messages by its definition; None where the file has none."""
        try:
            with closing(self._connection()) as connection:
                found = connection.execute('SELECT encoded_message_definition FROM message_definitions '
                                           'WHERE topic_type = ?', (kind,)).fetchone()
        except DAMAGED:  # Bags of ROS 2 before Iron have no such table.
            return None
        return layout_of_definition(str(found[0])) if found else None

    def topics(self) -> dict[str, str]:
        """Return the types of all topics that have a message in it."""
        try:
            with closing(self._connection()) as connection:
                seen = {number for number, in connection.execute('SELECT DISTINCT topic_id FROM messages')}
                return {name: kind for number, (name, kind) in self._topics.items() if number in seen}
        except DAMAGED:
            return dict(self._topics.values())

    def batches(self, topics: set[str]) -> Iterator[Batch]:
        """
        Give the messages of topics, a few thousand at a time.

        :param topics: Names of topics.
        """
        wanted = {number: topic for number, topic in self._topics.items() if topic[0] in topics}
        for number, (name, kind) in wanted.items():
            try:
                with closing(self._connection()) as connection:
                    rows = connection.execute(
                        "SELECT timestamp, data FROM messages WHERE topic_id = ? AND typeof(timestamp) = 'integer' "
                        "AND typeof(data) = 'blob' ORDER BY id", (number,))
                    for found in _batches(rows):
                        times, messages = zip(*found)
                        yield Batch(name, kind, np.array(times), [block_of(messages)])
            except DAMAGED as error:
                self.faults.append(f'it is damaged ({error}): what came before is used')


def _batches(rows: Iterable[tuple[int, bytes]]) -> Iterator[list[tuple[int, bytes]]]:
    """Yield rows together: BATCH of them, or fewer if they are long."""
    found: list[tuple[int, bytes]] = []
    size = 0
    for row in rows:
        found.append(row)
        size += len(row[1])
        if len(found) == BATCH or size > PART_BYTES:
            yield found
            found, size = [], 0
    if found:
        yield found
