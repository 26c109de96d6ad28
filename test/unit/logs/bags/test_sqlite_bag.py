import sqlite3
from contextlib import closing

import pytest

from usv_energy.files.errors import InputError
from usv_energy.logs.bags.sqlite_bag import BATCH, PART_BYTES, SqliteFile, _batches


@pytest.mark.parametrize(('content', 'says'), [(b'', 'is empty'), (b'0123456789' * 90, 'SQLite')])
def test_what_is_no_database_is_refused(tmp_path, content, says):
    (tmp_path / 'a.db3').write_bytes(content)
    with pytest.raises(InputError, match=says):
        SqliteFile(tmp_path / 'a.db3')


def test_messages_come_in_their_order_a_few_thousand_at_a_time(tmp_path):
    """Tables as rosbag2_storage_sqlite3 makes them; a topic without a message is none of the bag's."""
    path, number = tmp_path / 'a.db3', 2 * BATCH + 7
    with closing(sqlite3.connect(path)) as made, made:
        made.execute('CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL)')
        made.execute('CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER, timestamp INTEGER, data BLOB)')
        made.executemany('INSERT INTO topics VALUES (?, ?, ?)', [(1, '/a', 'x/msg/A'), (2, '/b', 'x/msg/B'),
                                                                 (3, '/silent', 'x/msg/A')])
        made.executemany('INSERT INTO messages VALUES (?, ?, ?, ?)',
                         [(k, 1 + k % 2, 10 * k, str(k).encode()) for k in range(2 * number)])
    file = SqliteFile(path)
    assert file.topics() == {'/a': 'x/msg/A', '/b': 'x/msg/B'}
    batches = list(file.batches({'/b', '/silent'}))
    assert [len(batch.times) for batch in batches] == [BATCH, BATCH, 7]
    assert {(batch.topic, batch.kind) for batch in batches} == {('/b', 'x/msg/B')} and file.faults == []
    assert [time for batch in batches for time in batch.times.tolist()] == [10 * k for k in range(1, 2 * number, 2)]
    assert [one for batch in batches for one in batch.each()] == [str(k).encode() for k in range(1, 2 * number, 2)]


@pytest.mark.parametrize('statements', [
    ('CREATE VIEW topics AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id, '
     "'/t' || i AS name, 'x/msg/A' AS type FROM n", 'CREATE TABLE messages(id, topic_id, timestamp, data)'),
    ('CREATE TABLE topics(id, name, type)', 'CREATE VIEW Messages AS SELECT 1 AS id, 1 AS topic_id'),
    ('CREATE TABLE topics(id, name, type)',
     'CREATE TABLE messages(id, topic_id, timestamp, data AS (zeroblob(60000000)))')],
    ids=['endless', 'view', 'column'])
def test_rows_that_sqlite_computes_are_refused(tmp_path, statements):
    path = tmp_path / 'a.db3'
    with closing(sqlite3.connect(path)) as made, made:
        for statement in statements:
            made.execute(statement)
    with pytest.raises(InputError, match='must be a plain table'):
        SqliteFile(path)


def test_long_rows_come_in_small_batches():
    long = bytes(PART_BYTES // 2)
    assert [len(found) for found in _batches([(n, long) for n in range(7)])] == [3, 3, 1]
    assert [len(found) for found in _batches([(n, b'a') for n in range(BATCH + 1)])] == [BATCH, 1]
