"""A log from an MCAP file whose messages are JSON: of BlueOS (MAVLink), of Foxglove, or of anything else."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from usv_energy.files.errors import InputError
from usv_energy.logs.assemble import Source
from usv_energy.logs.autopilots.mavlink_json import is_mavlink, log_of_mavlink_json
from usv_energy.logs.bags.bag_columns import BagFile
from usv_energy.logs.bags.mcap import JSON
from usv_energy.logs.log import WARNING, Log, Note
from usv_energy.logs.tables.records import log_of_topics

MOTION = ('ATTITUDE',)  # Messages of MAVLink without which a vehicle's log is none.


def json_topics(kinds: Mapping[str, str]) -> set[str]:
    """Return the topics of a bag whose messages are JSON."""
    return {topic for topic, kind in kinds.items() if kind.startswith(JSON)}


def json_log(files: Sequence[BagFile], topics: set[str], source: Source, system: int | None = None) -> Log:
    """
    Return the log of messages of JSON.

    :param files: Of the bag, in order.
    :param topics: As `json_topics` gives them.
    :param source: Name and path.
    :param system: MAVLink's system id of the vehicle, where there are several.
    :raises InputError: If they hold no motion.
    """
    faults: list[int] = []
    if any(is_mavlink(topic) and topic.rstrip('/').endswith(MOTION) for topic in topics):
        wanted = {topic for topic in topics if is_mavlink(topic)}
        messages = sorted(_messages(files, wanted, faults), key=lambda message: message[1])
        return log_of_mavlink_json(messages, source._replace(notes=_notes(files, faults)), system)
    if system is not None:
        raise InputError(f'{source.path}: --system does not go with this kind of log')
    messages = list(_messages(files, topics, faults))
    return log_of_topics(messages, source.path, source.max_gap, list(_notes(files, faults)))


def _messages(files: Sequence[BagFile], topics: set[str], faults: list[int]) -> Iterator[tuple[str, float, Any]]:
    for file in files:
        for batch in file.batches(topics):
            for when, message in zip(batch.times.tolist(), batch.each()):
                try:
                    yield batch.topic, when * 1e-9, json.loads(message)
                except (ValueError, RecursionError):
                    faults.append(when)


def _notes(files: Sequence[BagFile], faults: Sequence[int]) -> tuple[Note, ...]:
    found = [Note(WARNING, 'bag_damaged', f'{file.path.name}: {fault}') for file in files
             for fault in dict.fromkeys(file.faults)]
    if faults:
        found.append(Note(WARNING, 'messages_damaged', f'{len(faults)} messages are no JSON and are left out',
                          {'messages': len(faults)}))
    return tuple(found)
