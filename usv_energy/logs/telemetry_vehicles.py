"""The vehicles in a telemetry log: what each sent, at the times of its own clock."""

import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..files.errors import InputError
from ..files.optional import optional
from .telemetry_file import TelemetryFile

# What is read of a message, besides when it was sent: numbers, one or a list of them.
FIELDS = {
    'ATTITUDE': ('yaw', 'yawspeed'), 'LOCAL_POSITION_NED': ('x', 'y', 'vx', 'vy'),
    'GLOBAL_POSITION_INT': ('lat', 'lon', 'vx', 'vy'), 'GPS_RAW_INT': ('lat', 'lon', 'vel', 'cog', 'fix_type'),
    'SERVO_OUTPUT_RAW': ('port', *(f'servo{channel}_raw' for channel in range(1, 17))),
    'SYS_STATUS': ('voltage_battery', 'current_battery'), 'BATTERY_STATUS': ('id', 'voltages', 'current_battery')}
NUMBERED = ('SERVO_OUTPUT_RAW', 'BATTERY_STATUS')  # There may be several of these, told by their first field.
OTHERS = ('HEARTBEAT', 'PARAM_VALUE', 'STATUSTEXT', 'SYSTEM_TIME')
NO_AUTOPILOT, PX4 = 8, 12  # MAV_AUTOPILOT of ground stations, gimbals and so on; of PX4
LEAST_PACE = 0.01  # A clock that goes slower than this share of the time of receipt does not go.
UNKNOWN_CELL = 0xFFFF  # mV
RESTART = 5.0  # s: a vehicle's clock that goes back by more was started anew; by less, the packets came by two ways.
Table = dict[str, np.ndarray]


class Sender(NamedTuple):
    """Who sent messages: MAVLink's system and component."""

    system: int
    component: int


class TelemetryVehicle:
    """
    What one vehicle sent.

    `types`: how often its heartbeats name which MAV_TYPE; `autopilot`: MAV_AUTOPILOT; `parameters` by name; `texts`;
    `restarts`: how often its clock began anew.
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self.types: Counter[int] = Counter()
        self.autopilot = NO_AUTOPILOT
        self.parameters: dict[str, float] = {}
        self.texts: list[str] = []
        self.restarts = 0
        self._rows: dict[str, list[tuple[float, ...]]] = {}
        self._offset = 0.0
        self._latest = math.nan
        self._received = math.nan

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
        time = self._sent(getattr(message, 'time_boot_ms', None), received)
        if kind in FIELDS:
            row = (_plain(name, getattr(message, name)) for name in FIELDS[kind])
            self._rows.setdefault(kind, []).append((time, received, *row))

    def count(self, kind: str) -> int:
        """Return how many messages of a kind it sent."""
        return len(self._rows.get(kind, ()))

    @property
    def has_clock(self) -> bool:
        """Whether its messages say when they were sent, by a clock that goes."""
        rows = self._rows.get('ATTITUDE', [])
        return len(rows) > 1 and rows[-1][0] - rows[0][0] > LEAST_PACE * (rows[-1][1] - rows[0][1])

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
        time = values[:, 0] if self.has_clock else values[:, 1]
        before = np.concatenate([[-np.inf], np.fmax.accumulate(time)[:-1]])
        kept = np.flatnonzero(time > before)
        return {'time': time[kept], **dict(zip(FIELDS[kind], values[kept, 2:].T))}

    def _sent(self, boot: int | None, received: float) -> float:
        """Return when a message was sent, s of the vehicle's clock; the latest time known where it does not say so."""
        if boot is None:
            return self._latest
        time = 1e-3 * boot + self._offset
        if time < self._latest - RESTART:
            self.restarts += 1
            self._offset += max(received - self._received, RESTART) + self._latest - time
            time = 1e-3 * boot + self._offset
        if not time <= self._latest:
            self._latest, self._received = time, received
        return time


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
