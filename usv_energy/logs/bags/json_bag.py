"""A log from an MCAP file whose messages are JSON: of BlueOS (MAVLink), of Foxglove, or of anything else."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from usv_energy.files.errors import InputError
from usv_energy.logs.assemble import Source
from usv_energy.logs.autopilots.telemetry import FIELDS, OTHERS, Sender, TelemetryVehicle, log_of_senders
from usv_energy.logs.bags.bag_columns import BagFile
from usv_energy.logs.bags.mcap import JSON
from usv_energy.logs.log import WARNING, Log, Note
from usv_energy.logs.tables.records import log_of_topics

TOPIC = re.compile(r'(?:^|/)mavlink/(\d+)/(\d+)/([A-Z0-9_]+)(?:/|$)')
# Values of enumerations that are read, by their names in MAVLink.
NUMBERS = {
    'MAV_TYPE_GENERIC': 0, 'MAV_TYPE_FIXED_WING': 1, 'MAV_TYPE_QUADROTOR': 2, 'MAV_TYPE_HELICOPTER': 4,
    'MAV_TYPE_ANTENNA_TRACKER': 5, 'MAV_TYPE_GCS': 6, 'MAV_TYPE_GROUND_ROVER': 10, 'MAV_TYPE_SURFACE_BOAT': 11,
    'MAV_TYPE_SUBMARINE': 12, 'MAV_TYPE_HEXAROTOR': 13, 'MAV_TYPE_OCTOROTOR': 14, 'MAV_TYPE_ONBOARD_CONTROLLER': 18,
    'MAV_AUTOPILOT_GENERIC': 0, 'MAV_AUTOPILOT_ARDUPILOTMEGA': 3, 'MAV_AUTOPILOT_INVALID': 8, 'MAV_AUTOPILOT_PX4': 12,
    'GPS_FIX_TYPE_NO_GPS': 0, 'GPS_FIX_TYPE_NO_FIX': 1, 'GPS_FIX_TYPE_2D_FIX': 2, 'GPS_FIX_TYPE_3D_FIX': 3,
    'GPS_FIX_TYPE_DGPS': 4, 'GPS_FIX_TYPE_RTK_FLOAT': 5, 'GPS_FIX_TYPE_RTK_FIXED': 6, 'GPS_FIX_TYPE_STATIC': 7,
    'GPS_FIX_TYPE_PPP': 8}
WRITTEN_OTHERWISE = {'mavtype': 'type'}  # mavlink2rest keeps `type` for the message's name.


def is_mavlink(topic: str) -> bool:
    """Return whether a topic is one of MAVLink's messages: `mavlink/1/1/ATTITUDE`."""
    return TOPIC.search(topic) is not None


def log_of_mavlink_json(messages: Iterable[tuple[str, float, Any]], source: Source, system: int | None = None) -> Log:
    """
    Return the log of one vehicle.

    :param messages: Topics, when they were recorded, s, and the values of JSON.
    :param source: Name, path and notes.
    :param system: MAVLink's system id of the vehicle, where there are several.
    :raises InputError: If they hold no motion, or several vehicles.
    """
    senders: dict[Sender, TelemetryVehicle] = {}
    notes = list(source.notes)
    damaged = 0
    for topic, when, value in messages:
        found = TOPIC.search(topic)
        if found is None or found[3] not in (*FIELDS, *OTHERS):
            continue
        try:
            fields = value.get('message', value)
            message = SimpleNamespace(**{WRITTEN_OTHERWISE.get(name, name): _plain(one) for name, one in fields.items()
                                         if name != 'type' or found[3] == 'HEARTBEAT'})
            sender = Sender(int(found[1]), int(found[2]))
            senders.setdefault(sender, TelemetryVehicle()).take(found[3], message, when)
        except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
            damaged += 1
    if damaged:
        notes.append(Note(WARNING, 'messages_damaged',
                          f'{damaged} messages of MAVLink lack a field, or have one that is '
                          'no number, and are left out', {'messages': damaged}))
    return log_of_senders(senders, source._replace(notes=()), notes, system)


def _plain(value: Any) -> Any:
    """Return the number of an enumeration, the text of a list of letters; anything else as it is."""
    if isinstance(value, dict):
        return NUMBERS.get(str(value.get('type')), 0)
    if isinstance(value, list) and value and all(isinstance(one, str) and len(one) == 1 for one in value):
        return ''.join(value).rstrip('\0')
    return value


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
