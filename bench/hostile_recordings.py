"""Recordings with faults in their messages, written by the helpers of the tests, for `bench/hostile.py`."""

import importlib
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from hostile_faults import faulty_bytes, faulty_document, faulty_messages, faulty_rows


def helper(name: str) -> Any:
    """Return a module of the tests that writes files."""
    return importlib.import_module(name)


def bag(plugin: str) -> Callable[[Path], object]:
    """Return a function that writes a bag of ROS 2."""
    return lambda folder: helper('bag_files').write_bag(folder / 'bag', messages(), plugin)


def messages() -> dict[str, Any]:
    """Return what a boat publishes for 10 s."""
    files = helper('bag_files')
    times = np.arange(4.9, 16.0, 0.5)
    return {'/boat/odom': files.circle(seconds=10.0),
            '/boat/thruster_command': [(t, files.joints(t, ['left', 'right'], [3.0, t])) for t in times],
            '/boat/battery': [(t, files.battery(t, 16.0, -2.0)) for t in times]}


def faulty_bag(path: Path, rng: random.Random) -> None:
    """Write a bag anew with faults in its messages, or change its bytes."""
    if rng.random() < 0.4:
        file = rng.choice([one for one in path.iterdir() if one.name != 'metadata.yaml'])
        file.write_bytes(faulty_bytes(file.read_bytes(), rng))
        return
    plugin = 'MCAP' if next(path.glob('*.mcap'), None) else 'SQLITE3'
    while True:
        shutil.rmtree(path, ignore_errors=True)
        try:
            helper('bag_files').write_bag(path, faulty_messages(messages(), rng), plugin)
            return
        except Exception:       # A value that no message of this type can have.
            continue


def faulty_database(path: Path, rng: random.Random) -> None:
    """Change a bag in SQLite by its own language."""
    import sqlite3
    connection = sqlite3.connect(path)
    for _ in range(rng.choice((1, 1, 2, 3))):
        value = rng.choice(('NULL', "'text'", '-1', '0', '9223372036854775807', '1e308', "x'00'", "x''",
                            'zeroblob(1000000)', "zeroblob(60000000)", "char(27)||'[31m'", "''"))
        where = rng.choice(('', ' WHERE id % 7 = 1', ' WHERE id = 1'))
        table, columns = rng.choice((
            ('messages', ('timestamp', 'topic_id', 'data', 'id')),
            ('topics', ('name', 'type', 'serialization_format', 'offered_qos_profiles', 'id'))))
        statements = (f'UPDATE {table} SET {rng.choice(columns)} = {value}{where}',
                      f'ALTER TABLE {table} RENAME TO other', f'ALTER TABLE {table} ADD COLUMN data2 TEXT',
                      f'ALTER TABLE {table} RENAME COLUMN {rng.choice(columns)} TO other',
                      f'DELETE FROM {table}{where}', f'DROP TABLE {table}',
                      f'INSERT INTO {table} SELECT * FROM {table}',
                      f'CREATE TRIGGER t AFTER UPDATE ON {table} BEGIN DELETE FROM {table}; END',
                      'PRAGMA journal_mode=WAL', 'PRAGMA encoding', 'PRAGMA user_version = 9')
        try:
            connection.execute(rng.choice((statements[0], *statements)))
        except sqlite3.Error:
            continue
    connection.commit()
    connection.close()


def faulty_ros1(path: Path, rng: random.Random) -> None:
    """Write a bag of ROS 1 anew with faults in its messages, or change its bytes."""
    bags = helper('east_bags')
    if rng.random() < 0.5:
        path.write_bytes(faulty_bytes(path.read_bytes(), rng))
        return
    write, topics = bags.write_ros1, {}
    bags.write_ros1 = lambda path, kept: topics.update(kept)
    try:
        (bags.ros1_odometry if 'odom' in path.name else bags.ros1_sensors)(path)
    finally:
        bags.write_ros1 = write
    while True:
        path.unlink(missing_ok=True)
        try:
            changed = faulty_messages({topic: rows for topic, (_, rows) in topics.items()}, rng)
            write(path, {topic: (topics[topic][0], rows) for topic, rows in changed.items()})
            return
        except Exception:
            continue


def faulty_json_bag(path: Path, rng: random.Random) -> None:
    """Write an MCAP file of JSON anew with faults in its messages, or change its bytes."""
    bags = helper('east_bags')
    if rng.random() < 0.3:
        path.write_bytes(faulty_bytes(path.read_bytes(), rng))
        return
    write, kept = bags.write_json, {}
    bags.write_json = lambda path, topics, *_: kept.update(topics)
    try:
        (bags.bag_of_foxglove if 'foxglove' in path.name else bags.bag_of_blueos)(path)
    finally:
        bags.write_json = write
    seed = rng.random()
    write(path, {topic: [(time, faulty_document(value, random.Random(seed)) if rng.random() < seed else value)
                         for time, value in rows] for topic, rows in kept.items()})


def faulty_dataflash(path: Path, rng: random.Random) -> None:
    """Write a log of ArduPilot anew with faults in its messages, or change its bytes."""
    files = helper('dataflash_files')
    if rng.random() < 0.5:
        path.write_bytes(faulty_bytes(path.read_bytes(), rng))
        return
    rows = files.circle(seconds=4)
    while True:
        try:
            files.write_dataflash(path, faulty_rows(rows, rng))
            return
        except Exception:
            continue


def faulty_telemetry(path: Path, rng: random.Random) -> None:
    """Write a log of a ground station anew with faults in its messages, or change its bytes."""
    files = helper('telemetry_files')
    if rng.random() < 0.3:
        path.write_bytes(faulty_bytes(path.read_bytes(), rng))
        return
    station, rows = files.Station(), []
    put = station.put
    station.put = lambda time, kind, *values, **more: rows.append((kind, (time, *values)))
    files.vehicle(station, seconds=4)
    for kind, values in faulty_rows(rows, rng):
        try:
            put(values[0], kind, *values[1:])
        except Exception:
            continue
    station.write(path)


def faulty_ulog(path: Path, rng: random.Random) -> None:
    """Write a log of PX4 anew with faults in its messages, its parameters or its head, or change its bytes."""
    files = helper('ulog_files')
    if rng.random() < 0.5:
        path.write_bytes(faulty_bytes(path.read_bytes(), rng))
        return
    rows: list[Any] = []
    whole = files.UlogFile.put
    files.UlogFile.put = lambda self, topic, time, *values, instance=0: rows.append((topic, (time, *values)))
    try:
        files.circle(seconds=4)
    finally:
        files.UlogFile.put = whole
    topics = dict(files.TOPICS)
    if rng.random() < 0.3:
        topic = rng.choice(list(topics))
        topics[topic] = topics[topic].replace(*rng.choice((
            ('float ', 'double '), ('uint64_t ', 'uint32_t '), ('[4]', ''), (';', ';;'), ('timestamp', 't'),
            ('[3]', '[99999999]'))))
    file = files.UlogFile(topics=topics)
    for topic, values in faulty_rows(rows, rng):
        try:
            file.put(topic, values[0], *values[1:])
        except Exception:
            continue
    file.write(path)


def write_telemetry(folder: Path) -> None:
    """Write a log of a ground station."""
    files = helper('telemetry_files')
    station = files.Station()
    files.vehicle(station, seconds=4)
    station.write(folder / 'a.tlog')
