"""What vehicle a log was recorded on, as far as it says so: its type in MAVLink, its firmware, its parameters."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from usv_energy.files.errors import InputError
from usv_energy.logs.log import INFO, WARNING, Log, Note

BOAT, ROVER, AIR, OTHER = 'boat', 'rover', 'air', 'other'
OTHER_VEHICLE = 'other_vehicle'  # The code of the note on a log that is none of a boat.

# By MAV_TYPE. Source: MAVLink, common message set, https://mavlink.io/en/messages/common.html#MAV_TYPE.
TYPES = {
    1: (AIR, 'an airplane'), 2: (AIR, 'a quadrotor'), 3: (AIR, 'a coaxial helicopter'), 4: (AIR, 'a helicopter'),
    5: (OTHER, 'an antenna tracker'), 7: (AIR, 'an airship'), 8: (AIR, 'a balloon'), 9: (AIR, 'a rocket'),
    10: (ROVER, 'a ground rover'), 11: (BOAT, 'a boat'), 12: (OTHER, 'a submarine'), 13: (AIR, 'a hexarotor'),
    14: (AIR, 'an octorotor'), 15: (AIR, 'a tricopter'), 16: (AIR, 'a flapping wing'), 17: (AIR, 'a kite'),
    **{number: (AIR, 'a VTOL aircraft') for number in range(19, 26)}, 28: (AIR, 'a parafoil'),
    29: (AIR, 'a dodecarotor'), 35: (AIR, 'a decarotor'), 43: (AIR, 'a multirotor'), 46: (OTHER, 'a walking robot'),
    47: (AIR, 'a gyrodyne')}
# By the name of ArduPilot's firmware, and of a copter by its FRAME_CLASS. Source: ArduPilot's parameters and start-up
# messages, https://ardupilot.org/copter/docs/parameters.html#frame-class.
FIRMWARES = {'copter': (AIR, 'a multicopter'), 'plane': (AIR, 'an airplane'), 'rover': (ROVER, 'a ground rover'),
             'sub': (OTHER, 'a submarine'), 'blimp': (AIR, 'a blimp'), 'antennatracker': (OTHER, 'an antenna tracker')}
COPTERS = {1: 'a quadrotor', 2: 'a hexarotor', 3: 'an octorotor', 4: 'an octoquad', 5: 'a Y6', 6: 'a helicopter',
           7: 'a tricopter', 9: 'a coaxial helicopter', 11: 'a helicopter', 12: 'a dodecarotor', 14: 'a decarotor'}
BOAT_CLASS = 2  # FRAME_CLASS of a boat with the firmware Rover.
# Parameters that only one firmware has, where no text names it.
TELLING = {'rover': ('CRUISE_THROTTLE', 'ATC_STR_RAT_P'), 'plane': ('TECS_CLMB_MAX', 'RLL2SRV_P', 'RLL_RATE_P'),
           'sub': ('MOT_1_DIRECTION',), 'copter': ('PILOT_SPEED_UP', 'PILOT_SPD_UP', 'LAND_SPEED', 'RATE_RLL_P')}
FIRMWARE = re.compile(r'\b(?:Ardu|APM:)(Copter|Plane|Rover|Sub)\b|'
                      r'^(Rover|Copter|Plane|Sub|Blimp|AntennaTracker) V\d')


class Vehicle(NamedTuple):
    """A vehicle: its kind (boat, rover, air, other), what to call it, and where the log says so."""

    kind: str
    words: str
    evidence: str


def vehicle_of_type(number: int, where: str) -> Vehicle | None:
    """
    Return the vehicle of a MAV_TYPE; None for one that says nothing (generic, a ground station, a part of a vehicle).

    :param number: The MAV_TYPE.
    :param where: Where in the log it stands: `HEARTBEAT`.
    """
    known = TYPES.get(number)
    return Vehicle(*known, f'MAV_TYPE {number} in {where}') if known else None


def vehicle_of_firmware(texts: Iterable[str], parameters: Mapping[str, float]) -> Vehicle | None:
    """
    Return the vehicle that ArduPilot's messages and parameters tell of; None where they do not.

    :param texts: Of MSG or STATUSTEXT: `ArduRover V4.5.0 (...)`.
    :param parameters: By their names; FRAME_CLASS tells a boat from a ground rover, and one copter from another.
    """
    for text in texts:
        if found := FIRMWARE.search(text):
            return _of_firmware((found[1] or found[2]).lower(), f'its firmware is {text.split("(")[0].strip()}',
                                parameters)
    for firmware, names in TELLING.items():
        if there := [name for name in names if name in parameters]:
            return _of_firmware(firmware, f'it has the parameter {there[0]}', parameters)
    return None


def _of_firmware(firmware: str, evidence: str, parameters: Mapping[str, float]) -> Vehicle:
    kind, words = FIRMWARES[firmware]
    frame = int(parameters.get('FRAME_CLASS', 0))
    if firmware == 'rover' and frame == BOAT_CLASS:
        return Vehicle(BOAT, 'a boat', f'{evidence}, its FRAME_CLASS {frame}')
    if firmware == 'copter' and frame in COPTERS:
        return Vehicle(kind, COPTERS[frame], f'{evidence}, its FRAME_CLASS {frame}')
    if firmware == 'plane' and parameters.get('Q_ENABLE', 0.0) > 0.0:
        return Vehicle(kind, 'a VTOL aircraft', f'{evidence}, its Q_ENABLE 1')
    return Vehicle(kind, words, evidence)


def vehicle_of_messages(types: Counter[int], texts: Iterable[str], parameters: Mapping[str, float]) -> Vehicle | None:
    """
    Return the vehicle that MAVLink's messages tell of; None where they do not. Firmware knows more of a boat than type.

    :param types: How often heartbeats name which MAV_TYPE.
    :param texts: Of STATUSTEXT.
    :param parameters: By their names.
    """
    firmware = vehicle_of_firmware(texts, parameters)
    if firmware and firmware.kind == BOAT:
        return firmware
    known = [kind for number, _ in types.most_common() if (kind := vehicle_of_type(number, 'HEARTBEAT'))]
    boats = [kind for kind in known if kind.kind == BOAT]  # ArduPilot's type is a rover's until it has read FRAME_CLASS
    return next(iter([*boats, *known]), firmware)


def vehicle_note(vehicle: Vehicle) -> Note:
    """Return the note on the vehicle of a log: a warning where it is none that floats."""
    said = f'{vehicle.words} ({vehicle.evidence})'
    if vehicle.kind == BOAT:
        return Note(INFO, 'vehicle', f'the log says that it was {said}')
    if vehicle.kind == ROVER:
        return Note(WARNING, 'ground_rover', f'the log says that it was {said}: was it on the water? Boats that run '
                    'ArduPilot say so by FRAME_CLASS 2')
    did = 'flown by' if vehicle.kind == AIR else 'recorded on'
    return Note(WARNING, OTHER_VEHICLE, f'this was {did} {said}, and not by a boat: what it took is not what a boat '
                'would have')


@contextmanager
def named_in_errors(vehicle: Vehicle | None) -> Iterator[None]:
    """Let errors of reading a log say what vehicle it is of, too, where that is no boat."""
    try:
        yield
    except InputError as error:
        if vehicle is None or (note := vehicle_note(vehicle)).code != OTHER_VEHICLE:
            raise
        raise InputError(f'{error}. Besides, {note.text}') from None


def refuse_other_vehicle(log: Log) -> None:
    """
    Refuse a log that was recorded on no boat.

    :raises InputError: Naming the vehicle, where the log says so, and how to take it all the same.
    """
    for note in log.notes:
        if note.code == OTHER_VEHICLE:
            raise InputError(f'{log.path}: {note.text}. To take it as a boat\'s all the same, say --any-vehicle')
