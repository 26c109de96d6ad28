"""A log from a telemetry log (.tlog) of a ground station: its packets, its vehicles, one vehicle's log."""

import struct
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.earth import towards_of
from usv_energy.files.errors import InputError, counted
from usv_energy.files.optional import optional
from usv_energy.logs.assemble import Source, ThrusterSeries, assembled, with_fixes
from usv_energy.logs.autopilots.dataflash import throttles
from usv_energy.logs.autopilots.vehicle import (
    BOAT,
    Vehicle,
    named_in_errors,
    vehicle_note,
    vehicle_of_messages,
)
from usv_energy.logs.batteries import RecordedBattery, known_current, together
from usv_energy.logs.derive import interpolated
from usv_energy.logs.log import INFO, WARNING, Log, Note
from usv_energy.logs.stamps import CleanTimes, clean_times, in_order

STAMP = struct.Struct('>Q')
FIRST, SECOND = 0xFE, 0xFD  # The bytes that packets of MAVLink 1 and 2 begin with.
AROUND = {FIRST: 8, SECOND: 12}  # Bytes of a packet that are not its payload: header and checksum.
SIGNED, SIGNATURE = 0x01, 13  # The flag of a signed packet of MAVLink 2, and its signature's bytes.

# What is read of a message, besides when it was sent: numbers, one or a list of them.
FIELDS = {
    'ATTITUDE': ('yaw', 'yawspeed'), 'LOCAL_POSITION_NED': ('x', 'y', 'vx', 'vy'),
    'GLOBAL_POSITION_INT': ('lat', 'lon', 'vx', 'vy'), 'GPS_RAW_INT': ('lat', 'lon', 'vel', 'cog', 'fix_type'),
    'SERVO_OUTPUT_RAW': ('port', *(f'servo{channel}_raw' for channel in range(1, 17))),
    'SYS_STATUS': ('voltage_battery', 'current_battery'), 'BATTERY_STATUS': ('id', 'voltages', 'current_battery')}
TIMED = ('ATTITUDE', 'LOCAL_POSITION_NED', 'GLOBAL_POSITION_INT')  # They say themselves when they were sent.
NUMBERED = ('SERVO_OUTPUT_RAW', 'BATTERY_STATUS')  # There may be several of these, told by their first field.
OTHERS = ('HEARTBEAT', 'PARAM_VALUE', 'STATUSTEXT', 'SYSTEM_TIME')
NO_AUTOPILOT, PX4 = 8, 12  # MAV_AUTOPILOT of ground stations, gimbals and so on; of PX4
LEAST_PACE = 0.01  # A clock that goes slower than this share of the time of receipt does not go.
UNKNOWN_CELL = 0xFFFF  # mV
Table = dict[str, np.ndarray]

POSITIONS = ('LOCAL_POSITION_NED', 'GLOBAL_POSITION_INT')
OFTEN = 0.8    # Share of the global positions from which on the local ones, which are finer, are taken.
FIRST_PORT = 0  # Of SERVO_OUTPUT_RAW: the main outputs.
NO_FIX = 3     # GPS fix_type from which there is a 3D fix.


class Packet(NamedTuple):
    """A packet: when it was received, s since 1970; its system, component and message; all its bytes."""

    received: float
    system: int
    component: int
    message: int
    data: bytes


def packet_length(data: bytes | bytearray, begin: int) -> int:
    """Return the number of bytes of the packet that begins at a place; 0 where none does."""
    if data[begin] not in AROUND or begin + 2 >= len(data):
        return 0
    signed = data[begin] == SECOND and data[begin + 2] & SIGNED
    return data[begin + 1] + AROUND[data[begin]] + (SIGNATURE if signed else 0)


def packet_of(received: float, data: bytes) -> Packet:
    """Return a Packet of all its bytes; `received`: s since 1970."""
    if data[0] == FIRST:
        return Packet(received, data[3], data[4], data[5], data)
    return Packet(received, data[5], data[6], data[7] | data[8] << 8 | data[9] << 16, data)


class TelemetryFile:
    """The packets of a telemetry log; `skipped` counts the bytes that belong to none."""

    def __init__(self, data: bytes) -> None:
        """Take the bytes of the file."""
        self._data = data
        self.skipped = 0

    def packets(self) -> Iterator[Packet]:
        """Give the packets in the order of the file; what is none, or not followed by one, is skipped."""
        data, at = self._data, 0
        while at + STAMP.size < len(data):
            begin = at + STAMP.size
            end = begin + packet_length(data, begin)
            following = end + STAMP.size
            if end == begin or end > len(data) or (following < len(data) and data[following] not in AROUND):
                at += 1
                self.skipped += 1
                continue
            yield packet_of(1e-6 * STAMP.unpack_from(data, at)[0], data[begin:end])
            at = end
        self.skipped += len(data) - at


class Sender(NamedTuple):
    """Who sent messages: MAVLink's system and component."""

    system: int
    component: int


class TelemetryVehicle:
    """
    What one vehicle sent.

    `types`: how often its heartbeats name which MAV_TYPE; `autopilot`: MAV_AUTOPILOT; `parameters` by name; `texts`.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self.types: Counter[int] = Counter()
        self.autopilot = NO_AUTOPILOT
        self.parameters: dict[str, float] = {}
        self.texts: list[str] = []
        self._rows: dict[str, list[tuple[float, ...]]] = {}
        self._boots: list[float] = []
        self._received: list[float] = []

    def take(self, kind: str, message: Any, received: float) -> None:
        """Take one more message, received at a time, s since 1970."""
        if kind == 'HEARTBEAT':
            self.types[message.type] += 1
            self.autopilot = message.autopilot
        elif kind == 'PARAM_VALUE':
            if self.autopilot != PX4:  # whose whole numbers are packed in the bytes of a float
                self.parameters[message.param_id] = message.param_value
        elif kind == 'STATUSTEXT':
            self.texts.append(message.text)
        boot = getattr(message, 'time_boot_ms', None)
        if boot is not None:
            self._boots.append(1e-3 * boot)
            self._received.append(received)
        if kind in FIELDS:
            row = (_plain(name, getattr(message, name)) for name in FIELDS[kind])
            self._rows.setdefault(kind, []).append((len(self._boots) - 1, received, *row))

    def count(self, kind: str) -> int:
        """Return how many messages of a kind it sent."""
        return len(self._rows.get(kind, ()))

    @cached_property
    def _sent(self) -> tuple[CleanTimes, list[Note]]:
        """When the messages were sent that say so, by the vehicle's clock, and notes on that."""
        notes: list[Note] = []
        found = clean_times(np.array(self._boots), 'the vehicle', Path(), notes, np.array(self._received), mixed=True)
        return found, notes

    @property
    def clock_notes(self) -> list[Note]:
        """Notes on the clock of the vehicle: that it was set or began anew, and what was left out."""
        return self._sent[1] if self.has_clock else []

    @property
    def restarts(self) -> int:
        """How often the vehicle's clock began anew, or was set."""
        return len(self._sent[0].parts) - 1

    @cached_property
    def has_clock(self) -> bool:
        """Whether its messages say when they were sent, by a clock that goes."""
        rows = self._rows.get('ATTITUDE', [])
        if len(rows) < 2:
            return False
        places, received = np.array([row[:2] for row in rows], dtype=float).T
        sent = self._times_sent(places, received, True)
        known = sent[np.isfinite(sent)]
        return known.size > 1 and bool(np.ptp(known) > LEAST_PACE * (received[-1] - received[0]))

    def _times_sent(self, places: np.ndarray, received: np.ndarray, timed: bool) -> np.ndarray:
        """
        Return when messages were sent, s of the vehicle's clock, NaN where not known, shape (n,).

        One that does not say it was sent after the last that does by the time between their receipts, but not later
        than the next one that does.

        :param places: Among the messages that say it, of the message itself or of the last before, -1 before all.
        :param received: When they were received, s, shape (n,).
        :param timed: Whether they say it themselves.
        """
        sent = self._sent[0].time
        if not sent.size:
            return np.full(places.size, np.nan)
        places = places.astype(int)
        time: np.ndarray = sent[np.maximum(places, 0)]
        if timed:
            return time
        waited = received - np.array(self._received)[np.maximum(places, 0)]
        longest = np.maximum(sent[np.minimum(places + 1, sent.size - 1)] - time, 0.0)
        return time + np.where(places < 0, np.minimum(waited, 0.0), np.clip(waited, 0.0, longest))

    def numbers(self, kind: str) -> list[int]:
        """Return the numbers of the instances that sent a kind of NUMBERED."""
        return sorted({int(row[2]) for row in self._rows.get(kind, ())})

    def table(self, kind: str, number: int | None = None) -> Table:
        """
        Return the messages of a kind as columns, `time` in s, strictly rising; empty where there are none.

        The time is the vehicle's own; where that does not go, the time at which they were received.

        :param kind: The message's name.
        :param number: Of the instance, of the kinds in NUMBERED; None: all.
        """
        rows = [row for row in self._rows.get(kind, ()) if number is None or row[2] == number]
        if not rows:
            return {}
        values = np.array(rows, dtype=float)
        time = self._times_sent(values[:, 0], values[:, 1], kind in TIMED) if self.has_clock else values[:, 1]
        kept = in_order(time)
        return {'time': time[kept], **dict(zip(FIELDS[kind], values[kept, 2:].T))} if kept.size else {}


def _plain(name: str, value: Any) -> float:
    """Return a field as a number; of a battery's cells the sum, mV."""
    return float(sum(cell for cell in value if cell < UNKNOWN_CELL)) if name == 'voltages' else float(value)


def vehicles_in(path: Path, progress: Callable[[int], None]) -> tuple[dict[Sender, TelemetryVehicle], int, int]:
    """
    Return all senders in a telemetry log, the number of damaged packets, and of bytes that are no packets.

    :raises InputError: Where pymavlink is not installed, or if the file holds no packet.
    """
    dialect = optional('pymavlink.dialects.v20.ardupilotmega', 'ardupilot', f'{path}: a telemetry log')
    decoder = dialect.MAVLink(None)
    wanted = {getattr(dialect, f'MAVLINK_MSG_ID_{kind}'): kind for kind in (*FIELDS, *OTHERS)}
    file = TelemetryFile(path.read_bytes())
    senders: dict[Sender, TelemetryVehicle] = {}
    count = damaged = 0
    for count, packet in enumerate(file.packets(), start=1):
        if count % 100_000 == 0:
            progress(count)
        kind = wanted.get(packet.message)
        if kind is None:
            continue
        try:
            message = decoder.decode(bytearray(packet.data))
        except dialect.MAVError:
            damaged += 1
            continue
        senders.setdefault(Sender(packet.system, packet.component), TelemetryVehicle()).take(
            kind, message, packet.received)
    if not count:
        raise InputError(f'{path}: is no telemetry log: it holds no MAVLink packet')
    return senders, damaged, file.skipped


class _Motion(NamedTuple):
    """The message of the clock, and the motion at its times, ENU."""

    clock: str
    series: Table


def read_telemetry(path: Path, max_gap: float | None = None, system: int | None = None,
                   progress: Callable[[int], None] = lambda packets: None) -> Log:
    """
    Return the log of one vehicle in a telemetry log: the one that sends its attitude, or the boat among several.

    :param path: The .tlog file.
    :param max_gap: Samples further apart than this, s, do not belong together; None: it follows from their period.
    :param system: MAVLink's system id of the vehicle, where there are several.
    :param progress: Called now and then with the number of packets read.
    :raises InputError: Where pymavlink is not installed; if it is no such file, holds no motion, or several vehicles.
    """
    senders, damaged, skipped = vehicles_in(path, progress)
    notes: list[Note] = []
    if damaged or skipped:
        said = [*([f'{counted(damaged, "packet")} damaged'] if damaged else []),
                *([f'{counted(skipped, "byte")} that belong to no packet'] if skipped else [])]
        notes.append(Note(WARNING, 'packets_damaged', f'{" and ".join(said)}: left out',
                          {'packets': damaged, 'bytes': skipped}))
    return log_of_senders(senders, Source(path.stem, path, max_gap), notes, system)


def log_of_senders(senders: dict[Sender, TelemetryVehicle], source: Source, notes: list[Note],
                   system: int | None = None) -> Log:
    """
    Return the log of one vehicle among those that sent messages.

    :param senders: What each sent.
    :param source: Name and path.
    :param notes: What was found so far.
    :param system: MAVLink's system id of the vehicle, where there are several.
    :raises InputError: If they hold no motion, or several vehicles.
    """
    sender = _chosen(senders, source.path, system)
    vehicle = senders[sender]
    if kind := _kind_of(vehicle):
        notes.append(vehicle_note(kind))
    if not vehicle.has_clock:
        notes.append(Note(WARNING, 'times_of_receipt', 'the vehicle does not say when it sent what: the times are '
                          'those at which it was received, which jitter'))
    notes += vehicle.clock_notes
    with named_in_errors(kind):
        motion = _motion(vehicle, source, notes)
        time = motion.series.pop('time')
        series = motion.series | together(_batteries(vehicle), time, source, notes)
        notes.append(Note(INFO, 'messages', f'the vehicle is system {sender.system}; the clock is that of '
                          f'{motion.clock}'))
        return assembled(source._replace(notes=tuple(notes)), time, series, _commands(vehicle, time, notes))


def _kind_of(vehicle: TelemetryVehicle) -> Vehicle | None:
    return vehicle_of_messages(vehicle.types, vehicle.texts, vehicle.parameters)


def _chosen(senders: dict[Sender, TelemetryVehicle], path: Path, system: int | None) -> Sender:
    moving = {sender: one for sender, one in senders.items() if one.count('ATTITUDE')
              and (system is None or sender.system == system)}
    flying = {sender: one for sender, one in moving.items() if one.autopilot != NO_AUTOPILOT} or moving
    most = {sender.system: sender for sender in sorted(flying, key=lambda sender: flying[sender].count('ATTITUDE'))}
    if not most:
        there = ', '.join(str(sender.system) for sender in senders) or 'none'
        raise InputError(f'{path}: no vehicle sends its attitude (ATTITUDE)'
                         f'{"" if system is None else f" as system {system}"}. There are the systems: {there}')
    boats = [sender for sender in most.values() if (kind := _kind_of(senders[sender])) and kind.kind == BOAT]
    if len(most) > 1 and len(boats) != 1:
        shown = ', '.join(f'{number} ({kind.words if (kind := _kind_of(senders[sender])) else "of no known type"})'
                          for number, sender in sorted(most.items()))
        raise InputError(f'{path}: has {len(most)} vehicles: system {shown}. Choose one by --system {min(most)}')
    return boats[0] if len(most) > 1 else next(iter(most.values()))


def _motion(vehicle: TelemetryVehicle, source: Source, notes: list[Note]) -> _Motion:
    local, world = (vehicle.count(kind) for kind in POSITIONS)
    fine = local > OFTEN * world and not (vehicle.restarts and world)  # whose origin is another after a restart
    clock = POSITIONS[0] if fine else POSITIONS[1] if world else 'GPS_RAW_INT'
    table = vehicle.table(clock)
    if not table:
        raise InputError(f'{source.path}: has no motion: neither {", ".join(POSITIONS)} nor GPS_RAW_INT of the vehicle')
    if clock == 'GPS_RAW_INT':
        fixed = table['fix_type'] >= NO_FIX
        if not fixed.any():
            raise InputError(f'{source.path}: its GPS never had a fix')
        table = {name: values[fixed] for name, values in table.items()}
        notes.append(Note(WARNING, 'gps_only', 'no estimator sends in this log: motion is the GPS\'s'))
        series = {'longitude': 1e-7 * table['lon'], 'latitude': 1e-7 * table['lat'], 'speed': 1e-2 * table['vel'],
                  'course': towards_of(1e-2 * table['cog'])}
    elif clock == 'GLOBAL_POSITION_INT':
        series = {'longitude': 1e-7 * table['lon'], 'latitude': 1e-7 * table['lat'], 'velocity_x': 1e-2 * table['vy'],
                  'velocity_y': 1e-2 * table['vx']}
    else:
        series = {'x': table['y'], 'y': table['x'], 'velocity_x': table['vy'], 'velocity_y': table['vx']}
        fixes = vehicle.table(POSITIONS[1] if world else 'GPS_RAW_INT')
        if fixes:
            series = with_fixes(series, table['time'], fixes['time'], 1e-7 * fixes['lon'], 1e-7 * fixes['lat'])
    attitude = vehicle.table('ATTITUDE')
    longest = source.longest_interval(attitude['time'])
    yaw, rate = (interpolated(table['time'], attitude['time'], values, longest)
                 for values in (np.unwrap(attitude['yaw']), attitude['yawspeed']))
    return _Motion(clock, {'time': table['time'], **series, 'yaw': 0.5 * np.pi - yaw, 'r': -rate})


def _batteries(vehicle: TelemetryVehicle) -> list[RecordedBattery]:
    """Return the batteries with a current: each that has messages of its own, else the one of the system's status."""
    tables = {f'battery {number}': vehicle.table('BATTERY_STATUS', number)
              for number in vehicle.numbers('BATTERY_STATUS')}
    found = [RecordedBattery(name, table['time'], 1e-3 * table['voltages'], _amperes(table))
             for name, table in tables.items()]
    found = [one for one in found if np.isfinite(one.amperes).any()]
    if found or not (status := vehicle.table('SYS_STATUS')):
        return found
    return [RecordedBattery('SYS_STATUS', status['time'], 1e-3 * status['voltage_battery'], _amperes(status))]


def _amperes(table: Table) -> np.ndarray:
    """Return the current of a battery's messages, A, negative while it is charged; NaN where it is not known (-1)."""
    return 1e-2 * known_current(table['current_battery'])


def _commands(vehicle: TelemetryVehicle, time: np.ndarray, notes: list[Note]) -> tuple[ThrusterSeries, ...]:
    output = vehicle.table('SERVO_OUTPUT_RAW', FIRST_PORT)
    if not output or vehicle.autopilot == PX4:  # whose outputs are whatever its parameters make of them
        return ()
    channels = {channel: output[f'servo{channel}_raw'] for channel in range(1, 17)}
    return throttles(time, output['time'], channels, vehicle.parameters, notes)
