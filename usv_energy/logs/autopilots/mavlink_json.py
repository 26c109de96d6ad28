"""
MAVLink's messages as JSON: as mavlink2rest writes them, which BlueOS records, or with their fields at the top.

Source: https://github.com/mavlink/mavlink2rest: {"header": {"system_id": ...}, "message": {"type": "ATTITUDE", ...}},
an
enumeration is {"type": its name}, a text a list of letters.
"""

import re
from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

from usv_energy.logs.assemble import Source
from usv_energy.logs.autopilots.telemetry import FIELDS, OTHERS, Sender, TelemetryVehicle, log_of_senders
from usv_energy.logs.log import WARNING, Log, Note

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
