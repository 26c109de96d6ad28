"""The link to autopilots: messages from a connection that is live, or from a telemetry log at any rate; and sending."""

import errno
import math
import re
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from usv_energy.files.errors import InputError
from usv_energy.files.limits import check_has_end
from usv_energy.files.locate import user_path
from usv_energy.files.optional import optional
from usv_energy.logs.autopilots.telemetry import (
    AROUND,
    NO_AUTOPILOT,
    STAMP,
    Packet,
    Sender,
    TelemetryFile,
    packet_length,
    packet_of,
)

REPLAYED = '.tlog'      # the end of the name of a telemetry log
LOOPBACK = 'udpin:127.0.0.1:'
LISTENING = 'udpin:', 'udp:', 'udpbcast:', 'mcast:'  # Who waits for the boat's first word.
USUAL_BAUD = 115_200
MOST_BYTES = 65_535      # of a datagram
MOST_AT_ONCE = 500       # datagrams, or reads, after which what is due is done, however much still comes
FORGOTTEN = 30.0         # s of silence after which a sender of datagrams is sent nothing any more
LARGEST_PORT = 65_535
CONNECT_PERIOD = 1.0     # s between two tries to connect again over TCP,
CONNECT_TIME = 3.0       # and the longest time of one, s.
STILL = 10.0             # s without a byte after which a TCP connection counts as lost, as by a pulled cable.
GREETING_PERIOD = 1.0    # s between two heartbeats to those who wait for one before they send anything,
GREETER = 255            # as a ground station, as long as no boat is known.
ONBOARD_CONTROLLER, ACTIVE = 18, 4  # MAV_TYPE, MAV_STATE
STEP_BACK = 1.0          # s by which the clock of a record was set back, from which on that is crossed
UDP = re.compile(r'udp(?:in|out|bcast)?:([^:]*):(\d+)')
ONBOARD_COMPUTER = 191   # MAV_COMP_ID of a companion computer, as which this program sends.
PURPOSE = 'the MAVLink of an autopilot'
ALLOWED = 'a port, udpin:HOST:PORT, udpout:HOST:PORT, tcp:HOST:PORT, a serial port or a .tlog file'
KINDS = ('HEARTBEAT', 'ATTITUDE', 'LOCAL_POSITION_NED', 'GLOBAL_POSITION_INT', 'GPS_RAW_INT', 'SERVO_OUTPUT_RAW',
         'SYS_STATUS', 'BATTERY_STATUS', 'WIND', 'WIND_COV', 'PARAM_VALUE', 'STATUSTEXT', 'HOME_POSITION',
         'MISSION_CURRENT', 'MISSION_COUNT', 'MISSION_ITEM_INT', 'MISSION_ACK', 'COMMAND_ACK', 'NAMED_VALUE_FLOAT')


class Heard(NamedTuple):
    """
    A message: when it was received, s since 1970, who sent it, its name, and pymavlink's object.

    `source`: the address that it came from; None where that is not known.
    """

    received: float
    sender: Sender
    kind: str
    message: Any
    source: Any = None


class Record(Protocol):
    """Where packets are written."""

    def write(self, data: bytes, /) -> object:
        """Write some bytes."""
        ...


class Link(Protocol):
    """What messages come over; `reader` decodes them and counts what is damaged."""

    reader: 'MessageReader'

    @property
    def ended(self) -> bool:
        """Whether no message can come any more."""
        ...

    @property
    def now(self) -> float:
        """The time by which messages are received, s since 1970."""
        ...

    def receive(self, longest: float) -> list[Heard]:
        """Return the messages that are there; wait for them for a time, s, at most."""
        ...

    def send(self, system: int, message: Any) -> None:
        """Send a message to those at the other end, as the onboard computer of a system."""
        ...

    def close(self) -> None:
        """End the connection."""
        ...


def dialect() -> Any:
    """Return pymavlink's module of messages; InputError where it is not installed."""
    return optional('pymavlink.dialects.v20.ardupilotmega', 'ardupilot', PURPOSE)


def is_for(message: Any, system: int) -> bool:
    """Return whether an answer is for this program beside a system, or says for nobody in particular."""
    return (getattr(message, 'target_system', 0) in (0, system)
            and getattr(message, 'target_component', 0) in (0, ONBOARD_COMPUTER))


def heartbeat() -> Any:
    """Return the heartbeat of this program."""
    return dialect().MAVLink_heartbeat_message(ONBOARD_CONTROLLER, NO_AUTOPILOT, 0, 0, ACTIVE, 3)


def steady_clock() -> Callable[[], float]:
    """
    Return a clock that gives s since 1970 as the computer has it now, and goes on when that is set.

    On Linux it goes on while the computer sleeps, too: else a boat would seem to have another clock after that.
    """
    clock = partial(time.clock_gettime, time.CLOCK_BOOTTIME) if hasattr(time, 'CLOCK_BOOTTIME') else time.monotonic
    offset = time.time() - clock()
    return lambda: offset + clock()


class MessageReader:
    """Finds packets in bytes, and decodes those that are used. `damaged`: packets; `noise`: bytes that are of none."""

    def __init__(self, datagrams: bool) -> None:
        """Begin; `datagrams`: whether bytes come in whole packets, so that none waits for the next bytes."""
        self._datagrams = datagrams
        self._dialect = dialect()
        self._decoder = self._dialect.MAVLink(None)
        self._wanted = {getattr(self._dialect, f'MAVLINK_MSG_ID_{kind}'): kind for kind in KINDS}
        self._rest = b''
        self.damaged = self.noise = 0

    def take(self, received: float, data: bytes, record: Record | None = None) -> list[Heard]:
        """
        Return the messages in bytes.

        :param received: When they came, s since 1970.
        :param data: The bytes.
        :param record: Where to write the packets, as a telemetry log has them; None: nowhere.
        """
        data, at, heard = self._rest + data, 0, []
        while at < len(data):
            length = packet_length(data, at)
            if data[at] in AROUND and not (length and at + length <= len(data)) and not self._datagrams:
                break
            whole = bool(length) and at + length <= len(data)
            message = self._decoded(packet_of(received, data[at:at + length]), data[at + length:at + length + 1]) \
                if whole else None
            if message is None:
                at, self.noise = at + 1, self.noise + 1
                continue
            heard += message
            if record is not None:
                record.write(STAMP.pack(round(1e6 * received)) + data[at:at + length])
            at += length
        self._rest = b'' if self._datagrams else data[at:]
        return heard

    def decode(self, packet: Packet) -> list[Heard]:
        """Return the message of a packet in a list; an empty one if it is damaged, or not used."""
        kind = self._wanted.get(packet.message)
        if kind is None:
            return []
        try:
            message = self._decoder.decode(bytearray(packet.data))
        except self._dialect.MAVError:
            self.damaged += 1
            return []
        return [Heard(packet.received, Sender(packet.system, packet.component), kind, message)]

    def _decoded(self, packet: Packet, following: bytes) -> list[Heard] | None:
        """Return as `decode`; None for bytes that are no packet, which show by their checksum, or by what follows."""
        before = self.damaged
        found = self.decode(packet)
        is_none = self.damaged > before or (packet.message not in self._wanted and following
                                            and following[0] not in AROUND)
        return None if is_none else found


class _SourceSocket:
    """A socket whose `source` is the address that the last datagram came from, which pymavlink does not say."""

    def __init__(self, plain: socket.socket) -> None:
        self._plain, self.source = plain, None

    def recvfrom(self, most: int) -> tuple[bytes, Any]:
        data, self.source = self._plain.recvfrom(most)
        return data, self.source

    def __getattr__(self, name: str) -> Any:
        return getattr(self._plain, name)


class LiveLink:
    """A connection of pymavlink: UDP, TCP, a serial port."""

    def __init__(self, connection: str, record: Record | None = None,
                 clock: Callable[[], float] | None = None) -> None:
        """
        Open it.

        :param connection: As pymavlink names it (`udpin:0.0.0.0:14550`, `tcp:HOST:PORT`, `/dev/ttyACM0`, or with its
            rate `/dev/ttyACM0,57600`); a port alone is UDP on this machine only.
        :param record: Where packets are written as a telemetry log; None: nowhere.
        :param clock: Returns when a packet is received, s since 1970; must never step back. None: `steady_clock`.
        :raises InputError: If it cannot be opened, or pymavlink is not installed.
        """
        text = f'{LOOPBACK}{connection}' if connection.isdecimal() else connection
        device, _, baud = text.partition(',')
        if baud and not baud.isdecimal():
            raise InputError(f'CONNECTION is {connection!r}: {baud!r} after the comma must be the rate of a serial '
                             'port, bits a second')
        mavutil = optional('pymavlink.mavutil', 'ardupilot', PURPOSE)
        _check_is_free(connection, device)
        try:
            with redirect_stdout(sys.stderr):  # on which pymavlink prints
                self._connection = mavutil.mavlink_connection(
                    device, baud=int(baud or USUAL_BAUD), autoreconnect=True, retries=1, udp_timeout=FORGOTTEN)
        except ModuleNotFoundError as error:
            raise InputError(f'CONNECTION is {connection!r}: a serial port needs the library {error.name}: pip install '
                             'pyserial') from None
        except (OSError, ValueError, OverflowError, IndexError) as error:
            raise InputError(f'CONNECTION is {connection!r}, which cannot be opened: {error}; must be {ALLOWED}'
                             ) from None
        if device.startswith('udp'):  # pymavlink lets others have the port, too, and messages go to one of them.
            self._connection.port.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)
            self._connection.port = _SourceSocket(self._connection.port)
        self._still = STILL if device.startswith('tcp:') else math.inf
        if device.startswith('tcp:'):  # pymavlink waits for seconds until it is connected again.
            self._peer, self._connection.reconnect = self._connection.port.getpeername(), self._connect_again
        self._is_down, self._over, self._got = False, threading.Event(), time.monotonic()
        self._greets, self._greeted = not device.startswith(LISTENING), -math.inf
        self.reader = MessageReader(device.startswith('udp') or device.startswith('mcast'))
        self._record, self._clock = record, clock or steady_clock()
        self._senders: dict[int, Any] = {}
        self.ended = False

    @property
    def now(self) -> float:
        """The time of the clock, s since 1970, in whole microseconds, as a telemetry log has it."""
        return round(1e6 * self._clock()) / 1e6

    def receive(self, longest: float) -> list[Heard]:
        """Return the messages that are there; wait for them for a time, s, at most."""
        heard: list[Heard] = []
        if self._is_down:
            time.sleep(min(longest, 0.5))
            return heard
        if self._greets and time.monotonic() - self._greeted >= GREETING_PERIOD:
            self._greeted = time.monotonic()
            self._write(GREETER, heartbeat())
        if time.monotonic() - self._got > self._still:
            self._connect_again()
            return heard
        try:
            with redirect_stdout(sys.stderr):
                if not self._connection.select(longest):
                    return heard
                for _ in range(MOST_AT_ONCE):
                    if not (data := self._connection.recv(MOST_BYTES)):
                        break
                    self._got = time.monotonic()
                    source = getattr(self._connection.port, 'source', None)
                    heard += [one._replace(source=source)
                              for one in self.reader.take(self.now, bytes(data), self._record)]
        except OSError:
            time.sleep(min(longest, 0.5))  # It is connected again meanwhile, or by the next call.
        return heard

    def send(self, system: int, message: Any) -> None:
        """Send a message to those at the other end, as the onboard computer of a system."""
        self._greets = False
        self._write(system, message)

    def _write(self, system: int, message: Any) -> None:
        if system not in self._senders:
            self._senders[system] = dialect().MAVLink(None, system, ONBOARD_COMPUTER)
        if not self._is_down:
            with redirect_stdout(sys.stderr):
                self._connection.write(message.pack(self._senders[system]))

    def _connect_again(self) -> None:
        """Connect over TCP again, beside what goes on."""
        self._is_down = True
        self._connection.port.close()
        threading.Thread(target=self._connect, daemon=True).start()

    def _connect(self) -> None:
        while not self._over.wait(CONNECT_PERIOD):
            try:
                port = socket.create_connection(self._peer, CONNECT_TIME)
            except OSError:
                continue
            port.setblocking(False)
            port.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._connection.port, self._connection.fd = port, port.fileno()
            self._is_down, self._got = False, time.monotonic()
            return

    def close(self) -> None:
        """End the connection."""
        self._over.set()
        self._connection.close()


def _check_is_free(connection: str, device: str) -> None:
    """Refuse a file, a UDP port that is none, and one that another program listens on."""
    if Path(device).is_file():
        raise InputError(f'CONNECTION is {connection!r}, a file whose name does not end in {REPLAYED}; must be '
                         f'{ALLOWED}')
    found = UDP.fullmatch(device)
    if found is None:
        return
    host, port = found[1], int(found[2])
    if port > LARGEST_PORT:
        raise InputError(f'CONNECTION is {connection!r}: the port is {port}; must be 0 to {LARGEST_PORT}')
    if device.startswith('udpin:') or device.startswith('udp:'):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.bind((host, port))
            except OSError as error:
                if error.errno == errno.EADDRINUSE:
                    raise InputError(f'CONNECTION is {connection!r}: another program listens on port {port}; end it, '
                                     'or let the autopilot send to another port') from None


class ReplayedLink:
    """The packets of a telemetry log, by the times at which they were received; a clock that was set back goes on."""

    def __init__(self, path: Path, rate: float = math.inf) -> None:
        """
        Read the file.

        :param path: The .tlog file.
        :param rate: How many times as fast as it was recorded; infinite: as fast as it is read.
        :raises InputError: If it cannot be read, or pymavlink is not installed.
        """
        check_has_end(path)
        try:
            self._file = TelemetryFile(path.read_bytes())
        except OSError as error:
            raise InputError(f'{path}: cannot be read: {error.strerror}') from None
        self.reader = MessageReader(True)
        self._rate = rate
        self._packets: Iterator[Packet] = self._file.packets()
        self._next = next(self._packets, None)
        if self._next is None:
            raise InputError(f'{path}: is no telemetry log: it holds no MAVLink packet')
        self._first = self.now = self._next.received
        self._offset = 0.0  # s, by which its clock was set back.
        self._began = time.monotonic()

    @property
    def ended(self) -> bool:
        """Whether all packets were given."""
        return self._next is None

    def receive(self, longest: float) -> list[Heard]:
        """Return the message of the next packet, when it is due."""
        if self._next is None:
            return []
        received = self._next.received + self._offset
        if received < self.now - STEP_BACK:
            self._offset += self.now - received
            received = self.now
        due = self._began + (received - self._first) / self._rate
        if (wait := due - time.monotonic()) > 0.0:
            time.sleep(min(wait, longest))
            if wait > longest:
                return []
        heard = self.reader.decode(self._next._replace(received=received))
        self.now = max(self.now, received)
        self._next = next(self._packets, None)
        self.reader.noise = self._file.skipped
        return heard

    def send(self, system: int, message: Any) -> None:
        """Do nothing: nobody listens."""

    def close(self) -> None:
        """Do nothing."""


def open_link(connection: str, rate: float = math.inf, record: Record | None = None) -> Link:
    """
    Return the link of a connection: a .tlog file is replayed, anything else opened.

    :param connection: As of `LiveLink`, or the path of a .tlog file.
    :param rate: As of `ReplayedLink`.
    :param record: As of `LiveLink`.
    :raises InputError: As both.
    """
    if connection.lower().endswith(REPLAYED):
        return ReplayedLink(user_path(connection), rate)
    return LiveLink(connection, record)
