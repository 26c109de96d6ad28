"""
A log from a dump of an NMEA 2000 bus: a frame a line, of candump, canboat or a gateway's program, or Actisense's EBL.

Read are position, course and speed (129025, 129026, 129029), heading (127250, 127258), rate of turn (127251), wind
(130306), battery (127508), speed through the water (128259), engine (127488). Of several senders of one message the one
that sends most is taken. The bus's own clock (126992, 129033, else 129029) dates what has no date, and
lines without a time evenly between its messages.

Source: the messages as canboat documents them (https://canboat.github.io/canboat/canboat.html): little-endian, a
number of all ones but for its sign is not known, one less is out of range. EBL and the messages in it: Actisense's SDK
(https://github.com/Actisense/SDK, docs/FileFormats/ebl and docs/DataFormats/Binary).
"""

import base64
import itertools
import math
import re
import struct
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.files.limits import check_bytes
from usv_energy.files.text_file import open_text
from usv_energy.logs.assemble import Source
from usv_energy.logs.log import INFO, WARNING, Log, Note
from usv_energy.logs.streams import Stream, ThrusterStreams, log_of_streams
from usv_energy.logs.tables.column_map import APPARENT, FROM_BOW

BYTES = r'(?P<hex>(?:[0-9A-Fa-f]{2}[ ,]?)+)'
IDENTIFIER = r'(?P<id>[0-9A-Fa-f]{8})'
SHORT_IDENTIFIER = r'(?P<id>[0-9A-Fa-f]{1,8})'  # Without the zeros before it.
OF_X = r'(?:[RT]X\s+\S\s+\S\s+)?'
DATE = r'(?P<date>\d{4}-\d\d-\d\d)[ T-](?P<clock>\d\d:\d\d:\d\d(?:\.\d+)?)Z?'
# The lines of gateways and programs. `s`, `ms`: time of a clock; `clock`: time of day; none: the line says no time.
FORMS = tuple(map(re.compile, (
    # candump -l, or with -t; with -tA; without a time, today's and that of old; without an interface, too; with -x
    rf'\s*\((?P<s>\d+\.\d+)\)\s+\S+\s+{OF_X}{IDENTIFIER}(?:#|\s+\[\d+\]\s+){BYTES}',
    rf'\s*\({DATE}\)\s+\S+\s+{OF_X}{IDENTIFIER}(?:#|\s+\[\d+\]\s+){BYTES}',
    rf'\s*[\w.]+\s+{IDENTIFIER}\s+\[\d+\]\s+{BYTES}', rf'<0x{IDENTIFIER}>\s+\[\d+\]\s+{BYTES}',
    rf'\s*{IDENTIFIER}#{BYTES}',
    # canboat and Actisense, in a log of a Signal K server, too; Actisense's N2K ASCII;
    # canboat's analyzer, which says the bytes below what they mean
    rf'(?:\d+;A;)?{DATE},\d+,(?P<number>\d+),(?P<sender>\d+),\d+,\d+,{BYTES}',
    r'A(?P<clock>\d{6}\.\d+) (?P<hex_sender>[0-9A-F]{2})[0-9A-F]{3} (?P<hex_number>[0-9A-F]{5}) ' + BYTES,
    rf'{DATE} +\d+ +(?P<sender>\d+) +\d+ +(?P<number>\d+) : {BYTES}',
    # Yacht Devices; iKonvert of Digital Yacht; a chartplotter of Garmin
    rf'(?P<clock>\d\d:\d\d:\d\d\.\d+) [RT] {IDENTIFIER} {BYTES}',
    r'!PDGY,(?P<number>\d+),\d+,(?P<sender>\d+),\d+,(?P<s>\d+\.\d+),(?P<base64>[A-Za-z0-9+/]+=*)',
    rf'\d+,(?P<ms>\d+),(?P<number>\d+),[^,]*,[^,]*,(?P<sender>\d+),(?:\d+,){{4}}0x{BYTES}',
    # Vector (.asc); PCAN (.trc), of versions 1 and 2; SavvyCAN. Vector and python-can write no zeros before
    rf'\s*(?P<s>\d+\.\d+)\s+\d+\s+{SHORT_IDENTIFIER}x\s+[RT]x\s+d\s+\d+\s+{BYTES}',
    rf'\s*\d+\)\s+(?P<ms>\d+\.\d+)\s+(?:[RT]x\s+)?{SHORT_IDENTIFIER}\s+\d+\s+{BYTES}',
    rf'\s*\d+\s+(?P<ms>\d+\.\d+)\s+DT\s+(?:\d+\s+)?{SHORT_IDENTIFIER}\s+[RT]x\s+(?:-\s+)?\d+\s+{BYTES}',
    rf'(?P<us>\d+),{SHORT_IDENTIFIER},true,(?:[RT]x,)?\d+,\d+,{BYTES}',
    # in NMEA 0183, as SeaSmart's gateways send it, and as Shipmodul's do, the last byte first
    rf'.*\$PCDIN,(?P<hex_number>[0-9A-F]{{6}}),[0-9A-F]{{8}},(?P<hex_sender>[0-9A-F]{{2}}),{BYTES}',
    r'.*\$MXPGN,(?P<hex_number>[0-9A-F]{6}),[0-9A-F]{2}(?P<hex_sender>[0-9A-F]{2}),(?P<reversed>(?:[0-9A-F]{2})+)')))
FRAME = 8            # Bytes.
DAY = 86_400.0       # s
CLOCKS, FIX = (126992, 129033), 129029  # The messages with date and time: of a bus, and of a receiver with its place.
FAST = {FIX: 43}     # Messages of several frames (fast packets), and how many of their bytes are read.
DATED = 1e8          # s: times below are no moments since 1970, but since midnight or since a clock began.
NO_FIX = (0, 14)     # Methods of a receiver, the upper half of a byte, that give no place.
BROADCAST = 240      # Format byte of an identifier from which on the next byte belongs to the message's number.
MOSTLY, OFTEN = 0.95, 0.05
SAMPLED, FEW = 1000, 20  # Lines that tell differences of times from times, and some that tell the form.
TRUE, MAGNETIC = 0, 1
# What an EBL file begins with, and what a gateway sent by itself; how many bytes of it are read.
EBL_BEGIN, BINARY_BYTES = b'\x1b\x01', 64 << 20
BINARY = (EBL_BEGIN, b'\x10\x02\x93', b'\x10\x02\x95', b'\x10\x02\xd0', b'\x10\x03\x10\x02')
# Its parts: a tag, between ESC SOH and ESC LF, or what the gateway sent; an ESC in either stands twice.
EBL_PARTS = re.compile(rb'\x1b\x01((?:[^\x1b]|\x1b\x1b){0,4096})\x1b\n|((?:[^\x1b]|\x1b\x1b){1,65536})')
DLE = re.compile(rb'(?:\x10\x10){1,4096}|\x10[\x02\x03]')  # DLEs in a message, twice each; a begin, an end.
LONGEST_BST = 1300   # Bytes of one: at most 300, each perhaps twice.
FILETIME_OF_1970 = 11_644_473_600.0  # s since 1601.
APART, LATE = 2.0, 1.0  # s: between a tag and the count; by which a message's count may lie before that of the last.
OVER_GROUND, FELT, OF_BOAT = (0, 2, (3, 4))  # References of the wind: true north; apparent; of the boat, or water.


class NumberField(NamedTuple):
    """A number of a message: its first byte, its numpy type, and what one of it is in SI."""

    at: int
    kind: str
    unit: float


MESSAGES: dict[int, dict[str, NumberField]] = {
    126992: {'day': NumberField(2, '<u2', DAY), 'second': NumberField(4, '<u4', 1e-4)},
    129033: {'day': NumberField(0, '<u2', DAY), 'second': NumberField(2, '<u4', 1e-4)},
    127250: {'heading': NumberField(1, '<u2', 1e-4), 'deviation': NumberField(3, '<i2', 1e-4),
             'variation': NumberField(5, '<i2', 1e-4), 'reference': NumberField(7, 'u1', 1.0)},
    127258: {'variation': NumberField(4, '<i2', 1e-4)},
    127251: {'rate': NumberField(1, '<i4', 1e-6 / 32.0)},
    127488: {'instance': NumberField(0, 'u1', 1.0), 'revolutions': NumberField(1, '<u2', 0.25 / 60.0)},
    127508: {'instance': NumberField(0, 'u1', 1.0), 'volts': NumberField(1, '<i2', 0.01),
             'amperes': NumberField(3, '<i2', 0.1)},
    128259: {'water': NumberField(1, '<u2', 0.01)},
    FIX: {'day': NumberField(1, '<u2', DAY), 'second': NumberField(3, '<u4', 1e-4),
          'latitude': NumberField(7, '<i8', 1e-16), 'longitude': NumberField(15, '<i8', 1e-16),
          'method': NumberField(31, 'u1', 1.0 / 16.0)},
    129025: {'latitude': NumberField(0, '<i4', 1e-7), 'longitude': NumberField(4, '<i4', 1e-7)},
    129026: {'reference': NumberField(1, 'u1', 1.0), 'course': NumberField(2, '<u2', 1e-4),
             'speed': NumberField(4, '<u2', 0.01)},
    130306: {'speed': NumberField(1, '<u2', 0.01), 'angle': NumberField(3, '<u2', 1e-4),
             'reference': NumberField(5, 'u1', 1.0)}}


class Frames(NamedTuple):
    """The frames of one message: when they were sent, s, (m,), by whom, (m,), and their fields, (m,) each."""

    time: np.ndarray
    sender: np.ndarray
    fields: dict[str, np.ndarray]

    def of(self, chosen: np.ndarray) -> 'Frames':
        """Return some of them."""
        return Frames(self.time[chosen], self.sender[chosen],
                      {name: values[chosen] for name, values in self.fields.items()})


def is_bus_dump(begin: bytes) -> bool:
    """Return whether the first bytes of a file are those of a dump of a CAN bus."""
    return any(form.match(line) for line in begin.decode('latin-1').splitlines() for form in FORMS)


def read_nmea2000(path: Path, max_gap: float | None = None,
                  progress: Callable[[int], None] = lambda frames: None) -> Log:
    """
    Return the log in a dump of an NMEA 2000 bus.

    :param path: The dump.
    :param max_gap: Samples further apart than this, s, do not belong together; None: it follows from their period.
    :param progress: Called now and then with the number of lines read.
    :raises InputError: If it holds no message that is read, or none of a position or a speed.
    """
    notes: list[Note] = []
    frames = _dated(_frames(path, progress), path, notes)
    if not frames:
        raise InputError(f'{path}: holds none of the messages of NMEA 2000 that are read: '
                         f'{", ".join(str(number) for number in MESSAGES if number not in CLOCKS)}')
    found = {number: _of_one_sender(one, number, notes) for number, one in frames.items()}
    streams = _streams(found, notes)
    notes.append(Note(INFO, 'messages', 'messages of NMEA 2000: ' + ', '.join(
        f'{one.time.size} of {number}' for number, one in sorted(found.items()))))
    return log_of_streams(streams, Source(path.stem, path, max_gap, tuple(notes)), _engines(found.get(127488)))


def _frames(path: Path, progress: Callable[[int], None]) -> dict[int, Frames]:
    """Return the frames of the messages that are read, by their numbers."""
    times: dict[int, list[float]] = {}
    senders: dict[int, list[int]] = {}
    data: dict[int, list[bytes]] = {}
    packets = _FastPackets()
    with path.open('rb') as file:
        in_lines = not file.read(FRAME).startswith(BINARY)
    for when, number, sender, content in _line_messages(path, progress) if in_lines else _binary_messages(path):
        whole = packets.joined(number, sender, content) if number in FAST and len(content) <= FRAME else content
        if whole:
            size = FAST.get(number, FRAME)
            times.setdefault(number, []).append(when)
            senders.setdefault(number, []).append(sender)
            data.setdefault(number, []).append(whole[:size].ljust(size, b'\xff'))
    frames = {}
    for number, contents in data.items():
        table = np.frombuffer(b''.join(contents), dtype=np.uint8).reshape(len(contents), -1)
        frames[number] = Frames(np.array(times[number]), np.array(senders[number]), {
            name: _numbers(table, field) for name, field in MESSAGES[number].items()})
    return frames


class _FastPackets:
    """Messages of several frames: a counter, in the first one the number of bytes, and the bytes."""

    def __init__(self) -> None:
        self._begun: dict[tuple[int, int], tuple[int, int, bytes]] = {}  # the counter that comes next, bytes in all

    def joined(self, number: int, sender: int, frame: bytes) -> bytes:
        """Return the message that a frame ends; nothing where it ends none, or one of its frames is not there."""
        counter, body = frame[0], frame[1:]
        expected, size, data = self._begun.pop((number, sender), (-1, 0, b''))
        if counter & 0x1F == 0 and body:
            expected, size, data, body = counter, body[0], b'', body[1:]
        if counter != expected:
            return b''
        data += body
        if len(data) >= size:
            return data[:size]
        self._begun[number, sender] = (counter + 1, size, data)
        return b''


def _dated(frames: dict[int, Frames], path: Path, notes: list[Note]) -> dict[int, Frames]:
    """Return frames with times since 1970, by the clock of the bus where there is one; below zero are line numbers."""
    found = {number: one for number, one in frames.items() if number not in CLOCKS}
    times = np.concatenate([one.time for one in frames.values()]) if frames else np.zeros(0)
    if not times.size or (times >= DATED).all():
        return found
    untimed = bool((times < 0.0).any())
    number, marks, moments = _clock_of_bus(frames, untimed, notes)
    if moments.size < 2:
        if untimed:
            raise InputError(f'{path}: says no times: its lines have none, and the bus sent no date and time that goes '
                             f'on (message {CLOCKS[0]}, {CLOCKS[1]} or {FIX}); record it with candump -l, or -ta')
        return found
    what = 'lines without times' if untimed else 'times without a date'
    notes.append(Note(WARNING if untimed else INFO, 'clock_of_bus', f'{what}: dated by {moments.size} messages '
                      f'{number} of the bus{", evenly between them" if untimed else ""}'))
    if not untimed:
        ahead = float(np.median(moments - marks))
        return {number: one._replace(time=np.where(one.time < DATED, one.time + ahead, one.time))
                for number, one in found.items()}
    between = {}
    for number, one in found.items():
        one = one.of((one.time < 0.0) & (-one.time >= marks[0]) & (-one.time <= marks[-1]))
        if one.time.size:
            between[number] = one._replace(time=np.interp(-one.time, marks, moments))
    return between


def _clock_of_bus(frames: dict[int, Frames], untimed: bool, notes: list[Note]) -> tuple[int, np.ndarray, np.ndarray]:
    """
    Return the message that dates a dump, its marks and its moments, s since 1970, rising; none where none goes on.

    :param untimed: Whether marks are numbers of lines, of times below zero; else they are times without a date.
    """
    for number in (*CLOCKS, FIX):
        if number not in frames:
            continue
        one = _of_one_sender(frames[number], number, notes)
        moments = one.fields['day'] + one.fields['second']
        known = np.isfinite(moments) & (moments >= DATED) & (one.time < DATED) & ((one.time < 0.0) == untimed)
        marks, moments = np.abs(one.time[known]), moments[known]
        if moments.size > 1 and (np.diff(moments) >= 0.0).all() and moments[-1] > moments[0]:
            return number, marks, moments
    return FIX, np.zeros(0), np.zeros(0)


def _line_messages(path: Path, progress: Callable[[int], None]) -> Iterator[tuple[float, int, int, bytes]]:
    """Give time, message, sender and bytes of each line of a dump that says one that is read."""
    with open_text(path) as file:
        first = list(itertools.islice(file, SAMPLED))
        lines = _Lines(_are_differences(first))
        for count, line in enumerate(itertools.chain(first, file), start=1):
            if count % 100_000 == 0:
                progress(count)
            said = lines.frame(line, count)
            if said is not None:
                yield said


def _are_differences(lines: Sequence[str]) -> bool:
    """Return whether the times of lines are those since the line before (candump -td, .asc): they go back often."""
    form = next((form for form in FORMS for line in lines[:FEW] if form.match(line)), FORMS[0])
    times = [float(said['s']) for line in lines if (said := form.match(line)) and 's' in form.groupindex]
    return len(times) > 1 and max(times) < DATED and float(np.mean(np.diff(times) < 0.0)) > OFTEN


class _Lines:
    """
    What lines say, of one form as a rule; over midnight a time of day goes on.

    `differences`: whether the times are those since the line before.
    """

    def __init__(self, differences: bool) -> None:
        self._form, self._last, self._days = FORMS[0], -math.inf, 0.0
        self._differences, self._gone = differences, 0.0

    def frame(self, line: str, count: int) -> tuple[float, int, int, bytes] | None:
        """
        Return time, message, sender and bytes of a line; None where it is none of a message that is read.

        :param count: Number of the line; less this is the time of one that says none.
        """
        said = self._form.match(line)
        if said is None:
            self._form = next((form for form in FORMS if form.match(line)), self._form)
            if (said := self._form.match(line)) is None:
                return None
        found = said.groupdict()
        if self._differences and 's' in found:
            self._gone += float(found['s'])
        if 'id' in found:
            number, sender = _of_identifier(int(found['id'], 16))
        elif 'hex_number' in found:
            number, sender = int(found['hex_number'], 16), int(found['hex_sender'], 16)
        else:
            number, sender = int(found['number']), int(found['sender'])
        if number not in MESSAGES:
            return None
        try:
            when = self._when(found, count)
            content = (base64.b64decode(found['base64']) if 'base64' in found else
                       bytes.fromhex(found['reversed'])[::-1] if 'reversed' in found else
                       bytes.fromhex(re.sub(r'[\s,]', '', found['hex'])))
        except ValueError:
            return None
        fits = content and (len(content) <= FRAME or number in FAST)
        return (when, number, sender, content) if fits else None

    def _when(self, found: dict[str, str], count: int) -> float:
        """Return the time of a line, s."""
        if 's' in found:
            return self._gone if self._differences else float(found['s'])
        if 'ms' in found or 'us' in found:
            return 1e-3 * float(found['ms']) if 'ms' in found else 1e-6 * float(found['us'])
        if 'date' in found:
            whole, part = found['clock'][:8], found['clock'][8:]
            return datetime.fromisoformat(f'{found["date"]}T{whole}+00:00').timestamp() + float(f'0{part}')
        if 'clock' not in found:
            return -float(count)
        hours, minutes, seconds = re.findall(r'\d\d(?:\.\d+)?', found['clock'])
        when = 3600.0 * int(hours) + 60.0 * int(minutes) + float(seconds)
        self._days += when < self._last - 0.5 * DAY
        self._last = when
        return when + DAY * self._days


def _of_identifier(identifier: int) -> tuple[int, int]:
    """Return message and sender of the identifier of a frame."""
    number = identifier >> 8 & 0x3FFFF
    return number if number >> 8 & 0xFF >= BROADCAST else number & 0x3FF00, identifier & 0xFF


def _binary_messages(path: Path) -> Iterator[tuple[float, int, int, bytes]]:
    """
    Give time, message, sender and bytes of the messages in Actisense's EBL, or in what its gateway sent.

    The gateway counts in ms and the tags of an EBL say moments: the count goes on from the first tag, and from a later
    one that is further from it than APART, as after a pause.
    """
    check_bytes(path, BINARY_BYTES, 'what a gateway sent')
    data = path.read_bytes()
    is_ebl = data.startswith(EBL_BEGIN)
    parts = (part.groups(b'') for part in EBL_PARTS.finditer(data)) if is_ebl else iter([(b'', data)])
    moment = begin = math.nan
    gone, last, rest = 0.0, 0.0, b''
    for part in parts:
        tag, stream = (one.replace(b'\x1b\x1b', b'\x1b') for one in part) if is_ebl else part
        if tag[:1] == b'\x03' and len(tag) == 9:
            moment = struct.unpack('<Q', tag[1:])[0] * 1e-7 - FILETIME_OF_1970
        messages, start, ends, rest = [tag[1:]] if tag[:1] == b'\x07' else [], 0, 0, rest + stream
        for mark in DLE.finditer(rest) if stream else ():
            if mark[0] == b'\x10\x02':
                start = mark.end()
            elif mark[0] == b'\x10\x03' and start:
                whole = rest[start:mark.start()].replace(b'\x10\x10', b'\x10')
                messages += [whole] if sum(whole) & 0xFF == 0 else []
                start, ends = 0, mark.end()
        rest = rest[ends:][-LONGEST_BST:]
        for said in filter(None, map(_bst, messages)):
            count, turn, number, sender, content = said
            gone, last = gone + (count - last + LATE) % turn - LATE, count
            if math.isnan(begin) or abs(moment - begin - gone) > APART:
                begin, gone = (count if math.isnan(moment) else moment), 0.0
            moment = math.nan
            if number in MESSAGES and content:
                yield max(begin + gone, 0.0), number, sender, content


def _bst(message: bytes) -> tuple[float, float, int, int, bytes] | None:
    """Return count and its turn, s, number, sender and bytes of a message of NMEA 2000 that a gateway received."""
    kind, turn, sent = message[:1], 2**32 * 1e-3, 0
    try:
        if kind == b'\x93':
            low, middle, high, _, sender, count, size = struct.unpack_from('<3x5BIB', message)
            seconds, content = 1e-3 * count, message[13:13 + size]
        elif kind == b'\x95':
            size, count, sender, low, middle, high = struct.unpack_from('<xBH4B', message)
            unit, sent = 10.0 ** -(3 + (high >> 5 & 3)), high >> 7
            seconds, turn, content = unit * count, unit * 2**16, message[8:2 + size]
        elif kind == b'\xd0':
            size, _, sender, low, middle, high, control, count = struct.unpack_from('<xH6BI', message)
            seconds, sent, content = 1e-3 * count, control >> 3 & 1, message[13:size]
        else:
            return None
    except struct.error:
        return None
    number, sender = _of_identifier((high & 3) << 24 | middle << 16 | low << 8 | sender)
    return None if sent else (seconds, turn, number, sender, content)


def _numbers(table: np.ndarray, field: NumberField) -> np.ndarray:
    """Return a field of frames, bytes of shape (m, 8), in SI; NaN where it is not known."""
    kind = np.dtype(field.kind)
    raw = np.ascontiguousarray(table[:, field.at:field.at + kind.itemsize]).view(kind)[:, 0]
    known = raw < np.iinfo(kind).max - 1 if kind.itemsize > 1 else np.ones(raw.size, dtype=bool)
    return np.where(known, raw * field.unit, np.nan)


def _of_one_sender(one: Frames, number: int, notes: list[Note]) -> Frames:
    """Return the frames of the sender that sent most; all where there is one, or each has an instance."""
    senders, counts = np.unique(one.sender, return_counts=True)
    if senders.size == 1 or 'instance' in one.fields:
        return one
    best = int(senders[counts.argmax()])
    notes.append(Note(INFO, 'sender_chosen', f'of {senders.size} senders of message {number} {best} is taken, which '
                      'sends most'))
    return one.of(one.sender == best)


def _streams(found: dict[int, Frames], notes: list[Note]) -> dict[str, Stream]:
    """Return what the messages say, by the names of `log_of_streams`."""
    streams: dict[str, Stream] = {}

    def add(name: str, number: int, values: np.ndarray, rows: np.ndarray | None = None) -> None:
        time = found[number].time
        chosen = np.ones(time.size, dtype=bool) if rows is None else rows
        if np.isfinite(values[chosen]).any():
            streams[name] = Stream(time[chosen], values[chosen], f'message {number}')

    if FIX in found:
        method = found[FIX].fields['method'].astype(int)
        for name in ('longitude', 'latitude'):
            add(name, FIX, np.where(np.isin(method, NO_FIX), np.nan, found[FIX].fields[name]))
    if 129025 in found:
        own = np.isfinite(found[129025].fields['latitude']).sum()
        if 'latitude' not in streams or own >= np.isfinite(streams['latitude'].values).sum():
            for name in ('longitude', 'latitude'):
                add(name, 129025, found[129025].fields[name])
    if 129026 in found:
        fields = found[129026].fields
        add('speed', 129026, fields['speed'])
        add('course', 129026, np.where(fields['reference'].astype(int) & 3 == TRUE, 0.5 * np.pi - fields['course'],
                                       np.nan))
    if 127250 in found:
        fields = found[127250].fields
        magnetic = fields['reference'].astype(int) & 3 == MAGNETIC
        variation = np.nan_to_num(fields['variation'])
        if not np.any(variation) and 127258 in found and np.isfinite(own := found[127258].fields['variation']).any():
            variation = np.full(magnetic.size, np.nanmedian(own))
        off = np.where(magnetic, np.nan_to_num(fields['deviation']) + variation, 0.0)
        add('yaw', 127250, 0.5 * np.pi - fields['heading'] - off)
        if magnetic.any() and not np.any(variation):
            notes.append(Note(WARNING, 'magnetic_heading', 'the heading is that of a needle (127250 without variation, '
                              'and no 127258): declination is not taken off'))
    if 127251 in found:
        add('r', 127251, -found[127251].fields['rate'])
    if 128259 in found:
        add('through_water', 128259, found[128259].fields['water'])
    if 130306 in found:
        fields = found[130306].fields
        reference = fields['reference'].astype(int) & 7
        add('wind_speed', 130306, fields['speed'], reference == OVER_GROUND)
        add('wind_direction', 130306, 1.5 * np.pi - fields['angle'], reference == OVER_GROUND)
        for names, rows in ((APPARENT, reference == FELT), (FROM_BOW, np.isin(reference, OF_BOAT))):
            add(names[0], 130306, fields['speed'], rows)
            add(names[1], 130306, -fields['angle'], rows)
    if 127508 in found:
        _battery(found[127508], add, notes)
    return streams


def _battery(one: Frames, add: Callable[[str, int, np.ndarray, np.ndarray | None], None], notes: list[Note]) -> None:
    """Add volts and amperes of the battery whose current is known most often; a drawn one is positive."""
    instance = one.fields['instance']
    numbers = np.unique(instance)
    best = max(numbers.tolist(), key=lambda number: int(np.isfinite(one.fields['amperes'][instance == number]).sum()))
    rows = instance == best
    amperes = one.fields['amperes']
    known = amperes[rows & np.isfinite(amperes)]
    turned = known.size and float(np.mean(known < 0.0)) > MOSTLY
    add('volts', 127508, one.fields['volts'], rows)
    add('amperes', 127508, -amperes if turned else amperes, rows)
    if numbers.size > 1:
        notes.append(Note(INFO, 'battery_chosen', f'of {numbers.size} batteries number {int(best)} is taken'))


def _engines(one: Frames | None) -> tuple[ThrusterStreams, ...]:
    """Return the revolutions of engines: instance 0 is the port one, or the only one."""
    if one is None:
        return ()
    numbers = np.unique(one.fields['instance']).astype(int).tolist()
    names = dict(zip(numbers, ('left', 'right'))) if numbers == [0, 1] else {n: f'thruster_{n}' for n in numbers}
    rows = {number: one.fields['instance'] == number for number in numbers}
    return tuple(ThrusterStreams(names[number], None,
                                 Stream(one.time[rows[number]], one.fields['revolutions'][rows[number]],
                                                             'message 127488')) for number in numbers)
