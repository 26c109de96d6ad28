"""
A log from sentences of NMEA 0183 in a text file, with or without a logger's time and other columns around them.

Read are position, speed and course (RMC, GGA, GLL, VTG, VBW), heading (HDT, THS, HDG, HDM), rate of turn (ROT), wind
(MWD, MWV, VWR, VWT), current (VDR), speed through the water (VHW), depth (DBT, DPT), revolutions (RPM), volts and
amperes (XDR). A sentence without a time was sent after the last that has one; several of a kind between two of these
are spread evenly.

Source: NMEA 0183, version 4.11, as in gpsd's "NMEA Revealed" (https://gpsd.gitlab.io/gpsd/NMEA.html).
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import NamedTuple

import numpy as np

from usv_energy.earth import KILOMETRE_PER_HOUR, KNOT, towards_of
from usv_energy.files.errors import InputError
from usv_energy.logs.assemble import Source
from usv_energy.logs.log import INFO, WARNING, Log, Note
from usv_energy.logs.streams import CLOCKS, Stream, ThrusterStreams, log_of_streams
from usv_energy.logs.tables.column_map import APPARENT, FROM_BOW

KINDS = ('RMC', 'GGA', 'GLL', 'VTG', 'VBW', 'HDT', 'THS', 'HDG', 'HDM', 'ROT', 'MWD', 'MWV', 'VWR', 'VWT', 'VDR', 'VHW',
         'DBT', 'DPT', 'RPM', 'XDR', 'ZDA')
# A sentence from `$` on: talker, kind, fields, checksum.
SENTENCE = re.compile(rb'\$([A-Z0-9]{2})(' + '|'.join(KINDS).encode() + rb'),([^$*\r\n"]*)(?:\*([0-9A-Fa-f]{2}))?')
ANY = re.compile(rb'[$!]([A-Z0-9]{2})([A-Z]{3}),')
PIECE = 1 << 24        # Bytes that are searched at a time.
DAY, DAYS_OF_1970 = 86400.0, 719163
TIME_FIELD = {'RMC': 0, 'GGA': 0, 'GLL': 4, 'ZDA': 0}
SELECTED = {'MWV': 1, 'RPM': 1, 'XDR': 3}  # The field that tells sentences of one kind apart.
FIX_FIELD = {'RMC': 2, 'GGA': 1, 'GLL': 0}  # Where the latitude stands.
HECTO = 100.0
LONGEST = 40           # Characters of a number.
Rows = list[list[bytes]]


class Sentences(NamedTuple):
    """The sentences of one kind: where each begins in the file, bytes, shape (m,), and their fields."""

    place: np.ndarray
    rows: Rows

    def number(self, field: int) -> np.ndarray:
        """Return a field as numbers, NaN where it is none, shape (m,)."""
        return numbers([row[field] if field < len(row) else b'' for row in self.rows])

    def letters(self, field: int) -> np.ndarray:
        """Return a field as it is, shape (m,)."""
        return np.array([row[field] if field < len(row) else b'' for row in self.rows], dtype=object)


def numbers(cells: Sequence[bytes]) -> np.ndarray:
    """Return texts as numbers, NaN where they are none."""
    cells = [cell[:LONGEST] or b'nan' for cell in cells]
    try:
        return np.array(cells, dtype='S').astype(float)
    except ValueError:
        return np.array([_number(cell) for cell in cells])


def _number(cell: bytes) -> float:
    try:
        return float(cell)
    except ValueError:
        return float('nan')


def has_sentences(begin: bytes) -> bool:
    """Return whether the first bytes of a file hold sentences of NMEA 0183."""
    return ANY.search(begin) is not None


def read_nmea(path: Path, max_gap: float | None = None,
              progress: Callable[[int], None] = lambda sentences: None) -> Log:
    """
    Return the log of sentences of NMEA 0183.

    :param path: A text file that holds them.
    :param max_gap: Samples further apart than this, s, do not belong together; None: it follows from their period.
    :param progress: Called now and then with the number of sentences read.
    :raises InputError: If it holds none, or none that says where the boat is, or how fast it goes.
    """
    notes: list[Note] = []
    found = sentences_in(path, notes, progress)
    if not found:
        there = ''.join(f'; {note.text}' for note in notes)
        raise InputError(f'{path}: holds no sentence of NMEA 0183 that is read ($GPRMC, ...){there}')
    clock = _Clock(found)
    streams, extra = _streams(found, clock, path, notes)
    kinds = ', '.join(f'{len(one.rows)} {kind}' for kind, one in sorted(found.items()))
    notes.append(Note(INFO, 'sentences', f'sentences of NMEA 0183: {kinds}'))
    return log_of_streams(streams, Source(path.stem, path, max_gap, tuple(notes)), _engines(found, clock), extra)


def sentences_in(path: Path, notes: list[Note], progress: Callable[[int], None]) -> dict[str, Sentences]:
    """
    Return the sentences of a file by their kind; those whose checksum is wrong are left out, and counted.

    :raises InputError: If the file cannot be read.
    """
    places: dict[str, list[np.ndarray]] = {}
    rows: dict[str, Rows] = {}
    wrong = count = at = 0
    others: dict[str, int] = {}
    try:
        with path.open('rb') as file:
            left = b''
            while block := file.read(PIECE):
                text = left + block
                end = text.rfind(b'\n') + 1 or len(text)
                text, left = text[:end], text[end:]
                if len(block) < PIECE:
                    text, left = text + left, b''
                wrong += _take(text, at, places, rows)
                at += len(text)
                for match in () if others else ANY.finditer(text):
                    kind = match[2].decode()
                    if kind not in KINDS:
                        others[kind] = others.get(kind, 0) + 1
                count = sum(map(len, rows.values()))
                progress(count)
    except OSError as error:
        raise InputError(f'{path}: cannot be read: {error.strerror}') from None
    if wrong:
        notes.append(Note(WARNING, 'checksums_wrong', f'{wrong} of {count + wrong} sentences have a wrong checksum and '
                          'are left out', {'sentences': wrong}))
    if others:
        notes.append(Note(INFO, 'sentences_ignored', f'sentences that are not read: {", ".join(sorted(others)[:20])}'))
    return {kind: Sentences(np.concatenate(places[kind]), rows[kind]) for kind in rows if rows[kind]}


def _take(text: bytes, at: int, places: dict[str, list[np.ndarray]], rows: dict[str, Rows]) -> int:
    """Add the sentences of a piece of text that begins at a place; return how many have a wrong checksum."""
    matches = list(SENTENCE.finditer(text))
    if not matches:
        return 0
    spans = np.array([(match.start(), match.end(3)) for match in matches])
    given = np.array([int(match[4], 16) if match[4] else -1 for match in matches])
    sums = np.concatenate([[0], np.bitwise_xor.accumulate(np.frombuffer(text, dtype=np.uint8))])
    right = (given < 0) | ((sums[spans[:, 1]] ^ sums[spans[:, 0] + 1]) == given)
    kinds: dict[str, list[int]] = {}
    for number in np.flatnonzero(right).tolist():
        match = matches[number]
        kind = match[2].decode()
        rows.setdefault(kind, []).append(match[3].split(b','))
        kinds.setdefault(kind, []).append(number)
    for kind, those in kinds.items():
        places.setdefault(kind, []).append(at + spans[those, 0])
    return int((~right).sum())


class _Clock:
    """When sentences were sent, by those that say it: s since 1970, or since midnight where none says the date."""

    def __init__(self, found: Mapping[str, Sentences]) -> None:
        """Take the times of day and the dates of all sentences that have them."""
        self._own = {kind: of_day for kind in TIME_FIELD if kind in found and np.isfinite(
            of_day := self._of_day(found[kind].number(TIME_FIELD[kind]))).any()}
        if len(self._own) > 1:
            self._own.pop('ZDA', None)
        timed = {kind: found[kind] for kind in self._own}
        place = np.concatenate([one.place for one in timed.values()]) if timed else np.zeros(0)
        of_day = np.concatenate([*self._own.values()]) if timed else np.zeros(0)
        order = np.argsort(place, kind='stable')
        order = order[np.isfinite(of_day[order])]
        day = self._days(found, place[order], of_day[order])
        when = np.full(place.size, np.nan)
        when[order] = of_day[order] + DAY * day
        ends = np.cumsum([len(one.rows) for one in timed.values()])
        self._own = dict(zip(timed, np.split(when, ends[:-1]))) if timed else {}
        place, when = place[order], when[order]
        new = np.concatenate([[True], np.diff(when) != 0.0]) if when.size else np.zeros(0, dtype=bool)
        self._place, self._when = place[new], when[new]

    @staticmethod
    def _of_day(clock: np.ndarray) -> np.ndarray:
        """Return times of day, s, of hhmmss.ss."""
        seconds: np.ndarray = clock // 1e4 * 3600.0 + clock % 1e4 // HECTO * 60.0 + clock % HECTO
        return np.where((clock >= 0.0) & (clock < 240000.0), seconds, np.nan)

    @staticmethod
    def _days(found: Mapping[str, Sentences], place: np.ndarray, of_day: np.ndarray) -> np.ndarray:
        """Return the day of times of day, since 1970, by the dates of RMC and ZDA; counted over midnight without."""
        dates: list[np.ndarray] = []
        at: list[np.ndarray] = []
        hour: list[np.ndarray] = []
        for kind in ('RMC', 'ZDA'):
            if kind not in found:
                continue
            one = found[kind]
            when = _Clock._of_day(one.number(0))
            days = _dates(one.letters(8)) if kind == 'RMC' else _dates_of_parts(*(one.number(k) for k in (3, 2, 1)))
            known = np.isfinite(days) & np.isfinite(when)
            dates, at, hour = [*dates, days[known]], [*at, one.place[known]], [*hour, when[known]]
        if not dates or not sum(map(len, dates)):
            return np.concatenate([[0.0], np.cumsum(np.diff(of_day) < -0.5 * DAY)]) if of_day.size else of_day
        order = np.argsort(np.concatenate(at))
        days, of_date, begins = (np.concatenate(one)[order] for one in (dates, hour, at))
        last = np.maximum(np.searchsorted(begins, place, side='right') - 1, 0)
        later = np.round((of_date[last] - of_day) / DAY)
        return days[last] + later

    @property
    def known(self) -> bool:
        """Whether any sentence says a time."""
        return bool(self._when.size)

    def times(self, kind: str, one: Sentences) -> np.ndarray:
        """Return when sentences were sent, s, NaN where not known, shape (m,)."""
        if kind in self._own:
            return self._own[kind]
        if not self.known:
            return np.full(one.place.size, np.nan)
        if kind not in SELECTED:
            return self._spread(one.place)
        time = np.empty(one.place.size)
        selected = one.letters(SELECTED[kind])
        for which in set(selected.tolist()):
            own = selected == which
            time[own] = self._spread(one.place[own])
        return time

    def _spread(self, places: np.ndarray) -> np.ndarray:
        """Return when sentences at places of the file were sent, s, NaN before the first that says its time."""
        epoch = np.searchsorted(self._place, places, side='right') - 1
        known = epoch >= 0
        first = np.searchsorted(epoch, epoch, side='left')
        number = np.bincount(epoch[known], minlength=self._when.size) if known.any() else np.ones(self._when.size)
        steps = np.append(np.diff(self._when), 0.0)
        usual = np.median(steps[steps > 0.0]) if (steps > 0.0).any() else 0.0
        steps = np.clip(steps, 0.0, usual)
        place = np.maximum(epoch, 0)
        spread = (np.arange(epoch.size) - first) / np.maximum(number[place], 1) * steps[place]
        return np.where(known, self._when[place] + spread, np.nan)


def _dates(texts: np.ndarray) -> np.ndarray:
    """Return days since 1970 of ddmmyy."""
    known = {text: _day(text[4:6], text[2:4], text[:2]) for text in set(texts.tolist())}
    return np.array([known[text] for text in texts.tolist()])


def _dates_of_parts(year: np.ndarray, month: np.ndarray, day: np.ndarray) -> np.ndarray:
    return np.array([_day(*(b'%d' % part if np.isfinite(part) else b'' for part in parts))
                     for parts in zip(year, month, day)])


def _day(year: bytes, month: bytes, day: bytes) -> float:
    try:
        full = int(year) + (0 if len(year) == 4 else 1900 if int(year) >= 80 else 2000)
        return float(datetime(full, int(month), int(day), tzinfo=timezone.utc).toordinal() - DAYS_OF_1970)
    except ValueError:
        return float('nan')


def _degrees(one: Sentences, field: int) -> tuple[np.ndarray, np.ndarray]:
    """Return latitude and longitude, degrees, of ddmm.mm and their letters; NaN where there is no fix."""
    found = []
    for at, negative in ((field, b'S'), (field + 2, b'W')):
        value = one.number(at)
        degrees = value // HECTO + value % HECTO / 60.0
        found.append(np.where(one.letters(at + 1) == negative, -degrees, degrees))
    return found[0], found[1]


def _streams(found: Mapping[str, Sentences], clock: _Clock, path: Path,
             notes: list[Note]) -> tuple[dict[str, Stream], dict[str, Stream]]:
    """Return what the sentences say, by the names of `log_of_streams`; further series."""
    if not clock.known:
        raise InputError(f'{path}: no sentence says the time (RMC, GGA, GLL, ZDA); there are '
                         f'{", ".join(sorted(found))}')
    streams: dict[str, Stream] = {}

    def add(name: str, kind: str, values: np.ndarray) -> None:
        if name not in streams and np.isfinite(values).any():
            streams[name] = Stream(clock.times(kind, found[kind]), values, kind)

    best = max((kind for kind in FIX_FIELD if kind in found), default='',
               key=lambda kind: (round(len(found[kind].rows) / max(map(len, (one.rows for one in found.values()))), 1),
                                 -list(FIX_FIELD).index(kind)))
    if best:
        one = found[best]
        latitude, longitude = _degrees(one, FIX_FIELD[best])
        valid = (one.number(5) > 0.0) if best == 'GGA' else one.letters(1 if best == 'RMC' else 5) != b'V'
        for name, values in (('longitude', longitude), ('latitude', latitude)):
            add(name, best, np.where(valid, values, np.nan))
    if 'RMC' in found:
        one = found['RMC']
        valid = one.letters(1) != b'V'
        add('speed', 'RMC', np.where(valid, KNOT * one.number(6), np.nan))
        add('course', 'RMC', np.where(valid, towards_of(one.number(7)), np.nan))
    if 'VTG' in found:
        one = found['VTG']
        add('speed', 'VTG', KNOT * one.number(4))
        add('speed', 'VTG', KILOMETRE_PER_HOUR * one.number(6))
        add('course', 'VTG', towards_of(one.number(0)))
    if 'VBW' in found:
        one = found['VBW']
        valid = one.letters(5) == b'A'
        add('u', 'VBW', np.where(valid, KNOT * one.number(3), np.nan))
        add('v', 'VBW', np.where(valid, -KNOT * one.number(4), np.nan))
    for kind in ('HDT', 'THS', 'VHW'):
        if kind in found:
            add('yaw', kind, towards_of(found[kind].number(0)))
    _magnetic(found, add, notes, streams)
    if 'ROT' in found:
        one = found['ROT']
        add('r', 'ROT', np.where(one.letters(1) != b'V', -np.radians(one.number(0)) / 60.0, np.nan))
    _flows(found, add, notes)
    extra: dict[str, Stream] = {}
    for kind, field in (('DBT', 2), ('DPT', 0)):
        if kind in found and 'depth_m' not in extra:
            extra['depth_m'] = Stream(clock.times(kind, found[kind]), found[kind].number(field), kind)
    if 'VHW' in found:
        add('through_water', 'VHW', KNOT * found['VHW'].number(4))
    if 'VBW' in found:
        add('through_water', 'VBW', np.where(found['VBW'].letters(2) == b'A', KNOT * found['VBW'].number(0), np.nan))
    if best and not any(name in streams for name in CLOCKS):
        raise InputError(f'{path}: the receiver had no fix: all of {len(found[best].rows)} sentences {best} say so, or '
                         'have no position')
    _electrical(found, clock, streams, notes)
    return streams, extra


def _variation(found: Mapping[str, Sentences]) -> float:
    """Return the variation that RMC says, degrees to the east; 0 where it says none."""
    if 'RMC' not in found:
        return 0.0
    own = found['RMC'].number(9) * np.where(found['RMC'].letters(10) == b'W', -1.0, 1.0)
    return float(np.nanmedian(own)) if np.isfinite(own).any() else 0.0


def _magnetic(found: Mapping[str, Sentences], add: Callable[[str, str, np.ndarray], None], notes: list[Note],
              streams: Mapping[str, Stream]) -> None:
    """Add the heading of a needle, with its deviation and variation where the sentence has them."""
    of_rmc = _variation(found)
    if 'HDG' in found:
        one = found['HDG']
        off = [np.nan_to_num(one.number(field)) * np.where(one.letters(field + 1) == b'W', -1.0, 1.0) for field in (1,
                                                                                                                    3)]
        if not np.any(off[1]):
            off[1] = np.full(one.place.size, of_rmc)
        before = 'yaw' in streams
        add('yaw', 'HDG', towards_of(one.number(0) + off[0] + off[1]))
        if not before and not np.any(off[1]):
            notes.append(Note(WARNING, 'magnetic_heading', 'the heading is that of a needle (HDG without variation): '
                              'declination is not taken off'))
    elif 'HDM' in found and 'yaw' not in streams:
        of_needle = found['HDM'].number(0)
        add('yaw', 'HDM', towards_of(of_needle + of_rmc))
        if not of_rmc and np.isfinite(of_needle).any():
            notes.append(Note(WARNING, 'magnetic_heading', 'the heading is that of a needle (HDM, and RMC says no '
                              'variation): declination is not taken off'))


def _flows(found: Mapping[str, Sentences], add: Callable[[str, str, np.ndarray], None],
           notes: list[Note]) -> None:
    """Add wind and water current; of several sentences that say the same the first."""
    if 'MWD' in found:
        one = found['MWD']
        speed = one.number(6)
        add('wind_speed', 'MWD', np.where(np.isfinite(speed), speed, KNOT * one.number(4)))
        true, of_needle, variation = one.number(0), one.number(2), _variation(found)
        if not np.isfinite(true).any() and np.isfinite(of_needle).any():
            true = of_needle + variation
            if not variation:
                notes.append(Note(WARNING, 'magnetic_wind', 'the direction of the wind is that of a needle (MWD, and '
                                  'RMC says no variation): declination is not taken off'))
        add('wind_direction', 'MWD', towards_of(true, True))
    if 'MWV' in found:
        one = found['MWV']
        unit, of = one.letters(3), one.letters(1)
        scale = np.select([unit == b'N', unit == b'K', unit == b'M'], [KNOT, KILOMETRE_PER_HOUR, 1.0], np.nan)
        speed = np.where(one.letters(4) != b'V', scale * one.number(2), np.nan)
        for letter, names in ((b'T', FROM_BOW), (b'R', APPARENT)):
            for name, values in zip(names, (speed, -np.radians(one.number(0)))):
                add(name, 'MWV', np.where(of == letter, values, np.nan))
    for kind, names in (('VWT', FROM_BOW), ('VWR', APPARENT)):
        if kind in found:
            one = found[kind]
            angle = np.radians(one.number(0)) * np.where(one.letters(1) == b'L', 1.0, -1.0)  # to port is positive
            speeds = KNOT * one.number(2), one.number(4), KILOMETRE_PER_HOUR * one.number(6)
            for name, values in zip(names, (next((one for one in speeds if np.isfinite(one).any()), speeds[0]), angle)):
                add(name, kind, values)
    if 'VDR' in found:
        add('current_speed', 'VDR', KNOT * found['VDR'].number(4))
        add('current_direction', 'VDR', towards_of(found['VDR'].number(0)))


def _electrical(found: Mapping[str, Sentences], clock: _Clock, streams: dict[str, Stream], notes: list[Note]) -> None:
    """Add volts and amperes of XDR: the first transducer of each kind, of a battery where one is called so."""
    if 'XDR' not in found:
        return
    one = found['XDR']
    time = clock.times('XDR', one)
    measured: dict[tuple[bytes, bytes], list[tuple[float, float]]] = {}
    for when, row in zip(time.tolist(), one.rows):
        for at in range(0, len(row) - 3, 4):
            if row[at] in (b'U', b'I') or row[at + 2] in (b'V', b'A'):
                kind = b'V' if row[at] == b'U' or row[at + 2] == b'V' else b'A'
                measured.setdefault((kind, row[at + 3]), []).append((when, _number(row[at + 1])))
    for kind, name in ((b'V', 'volts'), (b'A', 'amperes')):
        names = [transducer for unit, transducer in measured if unit == kind]
        if names:
            best = max(names, key=lambda text: (b'BAT' in text.upper(), len(measured[kind, text])))
            table = np.array(measured[kind, best])
            streams[name] = Stream(table[:, 0], table[:, 1], f'XDR {best.decode("ascii", "replace")}')
            if len(names) > 1:
                notes.append(Note(INFO, 'transducer_chosen', f'of several transducers of {name} '
                                  f'{best.decode("ascii", "replace")!r} is taken'))


def _engines(found: Mapping[str, Sentences], clock: _Clock) -> tuple[ThrusterStreams, ...]:
    """Return the revolutions of shafts, else of engines, from port to starboard."""
    if 'RPM' not in found:
        return ()
    one = found['RPM']
    time, source, number, rate = clock.times('RPM', one), one.letters(0), one.number(1), one.number(2) / 60.0
    wanted = source == (b'S' if (source == b'S').any() else b'E')
    # Of shafts odd numbers are on the starboard side, even ones on the port side, 0 is the centre line.
    shafts = sorted({int(n) for n in number[wanted & np.isfinite(number)].tolist()}, key=lambda n: (n % 2, n))
    names = {shaft: f'thruster_{shaft}' for shaft in shafts}
    if len(shafts) == 2 and shafts[0] % 2 == 0 and shafts[1] % 2 == 1:
        names = dict(zip(shafts, ('left', 'right')))
    return tuple(ThrusterStreams(names[shaft], None, Stream(time[rows], rate[rows], 'RPM')) for shaft in shafts
                 if (rows := wanted & (number == shaft)).any())
