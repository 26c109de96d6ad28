"""Times of day as text, `2025-04-11T11:15:45.434Z`, `4/11/2025 11:15:45 AM` or `11:15:45`, as seconds."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.logs.log import WARNING, Note

CLOCK = r'(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:(?:[.,]|:(?=\d{3}))(\d+))?)?'
# Hours that zones of Europe and, by RFC 2822, North America are ahead of UTC, by the letters that texts say them in.
ZONES = {'Z': 0, 'UTC': 0, 'GMT': 0, 'WET': 0, 'WEST': 1, 'BST': 1, 'CET': 1, 'MEZ': 1, 'CEST': 2, 'MESZ': 2, 'EET': 2,
         'EEST': 3, 'EST': -5, 'EDT': -4, 'CST': -6, 'CDT': -5, 'MST': -7, 'MDT': -6, 'PST': -8, 'PDT': -7}
ZONE = (rf'\s*({"|".join(sorted(ZONES, reverse=True))}|(?:GMT|UTC)?[+-]\d{{2}}(?::?\d{{2}})?)?'
        r'(?:\s*\([^()]*\)|\[[A-Za-z_/]+\])?')
OF_ZONE = re.compile(r'(.*\d)\s+([A-Z][A-Za-z_-]+/[A-Za-z_/+-]*[\w])')  # A local time, and the name of its zone.
HALF = r'\s*([AP]\.?M\.?)?'
YEAR_FIRST = re.compile(rf'(\d{{4}})[-/.](\d{{1,2}})[-/.](\d{{1,2}}),?(?:T|-|\s+){CLOCK}{HALF}{ZONE}', re.IGNORECASE)
BASIC = re.compile(r'(\d{4})(\d{2})(\d{2})(?:T| *)(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,](\d+))?)?' + ZONE, re.IGNORECASE)
# As receivers say it (NMEA 0183): ddmmyy, and hhmmss, of which a spreadsheet drops the first zero.
OF_RECEIVER = re.compile(r'(?:(\d{1,2})(\d{2})(\d{2}) +)?(\d{1,2})(\d{2})(\d{2})(?:\.(\d+))?')
DAY_OF_YEAR = re.compile(r'(\d{4})-?(\d{3})(?=[T ]\d)', re.IGNORECASE)  # Ordinal dates of ISO 8601.
YEAR_LAST = re.compile(rf'(\d{{1,2}})([-/.])(\d{{1,2}})[-/.](\d{{4}}|\d{{2}}),?(?:T|\s+){CLOCK}{HALF}{ZONE}',
                       re.IGNORECASE)
MINUTES = re.compile(r'(\d{1,2}):(\d{2})[.,](\d+)')  # As a spreadsheet shows times that have fractions: no hours.
ELAPSED = re.compile(r'(\d{1,3}):(\d{2})')  # So, too, where they have no fractions.
CLOCK_ONLY = re.compile(rf'(?:T|\d+ days? )?{CLOCK}{HALF}{ZONE}', re.IGNORECASE)
# How names of months begin, in English, German, French, Spanish and Italian.
MONTHS = {begin: number for number, begins in enumerate((
    'jan ene gen', 'feb fév fev', 'mar mär mrz', 'apr avr abr', 'may mai mag', 'jun juin giu', 'jul juil lug',
    'aug aoû aou ago', 'sep set', 'oct okt ott', 'nov', 'dec dez déc dic'), start=1) for begin in begins.split()}
MONTH = rf'({"|".join(MONTHS)})[^\W\d_]*\.?'
NAMED_MONTH = re.compile(rf'(?:[A-Za-z]{{3,9}},?\s+)?(?:(\d{{1,2}})\.?[\s-]+{MONTH}|{MONTH}\s+(\d{{1,2}}))'
                         r'[,\s-]+(\d{4})', re.IGNORECASE)
# As C and `date` write it: the year comes last.
YEAR_BEHIND = re.compile(rf'(?:[A-Za-z]{{3,9}},?\s+)?{MONTH}\s+(\d{{1,2}})\s+([\d:.]+)'
                         rf'(?:\s+([A-Z]{{1,4}}))?\s+(\d{{4}})', re.IGNORECASE)
# Of a time behind its date, dots or dashes for colons, as names of files and Italian spreadsheets have them.
DOTTED = re.compile(r'(\S*\d[-/.]\d{1,2}[-/.]\d+[T _-]+)(\d\d)([-._])(\d\d)\3(\d\d)(?!\d)')
CLOCK_FIRST = re.compile(r'(\d{1,2}:\d\d:\d\d(?:[.,]\d+)?),?\s+(\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4})')
# The seconds of a time of day, with two digits; fewer texts than so many, or so many in a minute, are read one by one.
SECONDS, FEW = re.compile(r'\d:\d\d:(\d\d(?:[.,]\d{1,8})?)(?!\d)'), 10
DAY, HOUR = 86400.0, 3600.0
LONGEST = 100    # Characters of a time.
SUNDAY, CHANGES = 6, (3, 4, 9, 10)  # Of datetime; months in which summer time begins, north and south of the equator.
NANOSECONDS = 9  # Digits of a fraction that counts nanoseconds.
ALLOWED = ("must be like '2025/04/11 11:15:45.434', '2025-04-11T11:15:45Z', '4/11/2025 11:15:45 AM', "
           "'11.4.2025 11:15:45', '11 Apr 2025 11:15:45' or '11:15:45'")


class CalendarTime(NamedTuple):
    """
    Seconds since 1970 in UTC, shape (n,), and in how many stamps a fraction's leading zeros were put back.

    `zoned`: whether they say their zone; else they count as UTC. `unsure_order`: whether the day might as well be the
    month; the month was then taken to stand first. `of_minutes`: whether two numbers were taken as minutes and seconds.
    Where they do not say the day, the first is that of 1970.
    """

    seconds: np.ndarray
    mended: int = 0
    zoned: bool = False
    unsure_order: bool = False
    of_minutes: bool = False


class _Stamp(NamedTuple):
    """A text's numbers: year, and the two others in their order; time of day, s; fraction; zone, s; what it decides."""

    year: int  # 0: no date
    first: int
    second: int
    of_day: int
    fraction: str
    zone: int | None
    month_first: bool | None  # None: the text does not say.


def calendar_time(texts: Sequence[str], path: Path, column: str) -> CalendarTime:
    """
    Return stamps as seconds.

    Of a date with its year last the day comes first after dots, or where a first number is above 12; the month comes
    first with AM or PM, or where a second number is above 12.

    Some programs write the fraction of a second as a count of nanoseconds without its leading zeros: 10.97739016 is
    then 0.097739016 s after 10 s, not 0.977 s. Where time goes back less often if the text is read so, the zeros are
    put back.

    Of times without a date, one that is earlier by more than half a day is of the next day.

    :param texts: As ALLOWED says, with a zone (Z, +02:00) or without; those without count as UTC.
    :param path: Of the table, for errors.
    :param column: Its column, for errors.
    :raises InputError: If a text is no such time, some have a zone or a date and others none, or some dates have the
        day
        first and others the month: file, column, row, text.
    """
    if (at_once := _times_by_minute(texts, path, column)) is not None:
        return at_once

    def fault(row: int, why: str) -> InputError:
        return InputError(f'{path}: column {column!r}, row {row + 1}: {texts[row]!r} {why}')

    stamps = []
    if (elapsed := _of_minutes(texts)) is not None:
        return elapsed
    for row, text in enumerate(texts):
        stamp = _stamp_of(text.strip())
        if stamp is None:
            raise fault(row, f'is no time; {ALLOWED}')
        stamps.append(stamp)
    zoned = [stamp.zone is not None for stamp in stamps]
    if any(zoned) and not all(zoned):
        row = zoned.index(not zoned[0])
        raise fault(row, f'has {"a" if zoned[row] else "no"} zone, other than row 1; all must have one, or none')
    dated = [stamp.year > 0 for stamp in stamps]
    if any(dated) and not all(dated):
        row = dated.index(not dated[0])
        raise fault(row, f'has {"a" if dated[row] else "no"} date, other than row 1; all must have one, or none')
    said = [stamp.month_first for stamp in stamps]
    if True in said and False in said:
        row = max(said.index(True), said.index(False))
        raise fault(row, f'has the {"month" if said[row] else "day"} first, other rows the other; all must be alike')
    month_stands_first = False not in said
    whole = []
    for row, stamp in enumerate(stamps):
        month, day = (stamp.first, stamp.second) if month_stands_first else (stamp.second, stamp.first)
        try:
            date = datetime(stamp.year, month, day, tzinfo=timezone.utc).timestamp() if stamp.year else 0.0
        except ValueError:
            raise fault(row, f'is no time; {ALLOWED}') from None
        whole.append(date + stamp.of_day - (stamp.zone or 0))
    digits = [len(stamp.fraction) for stamp in stamps]
    parts = [(float(f'0.{stamp.fraction or 0}'), int(stamp.fraction or 0) * 10.0**-NANOSECONDS) for stamp in stamps]
    plain, counted = (np.array(whole) + np.array([pair[which] for pair in parts]) for which in (0, 1))
    short = np.array(digits) < NANOSECONDS
    unsure = bool(stamps) and all(one is None for one in said)
    if not all(dated):
        turn = HOUR if MINUTES.fullmatch(texts[0].strip()) else DAY
        return CalendarTime(_over_midnight(plain, turn), 0, all(zoned))
    if max(digits, default=0) == NANOSECONDS and short.any() and _back(counted) < _back(plain):
        return CalendarTime(counted, int(short.sum()), all(zoned), unsure)
    return CalendarTime(plain, 0, all(zoned), unsure)


def _times_by_minute(texts: Sequence[str], path: Path, column: str) -> CalendarTime | None:
    """
    Return stamps of one form as the times of their minutes, read one by one, and their seconds, at once; else None.

    None for a few, too, and where a text is no time: it is read again, so that the error names its row.
    """
    found = SECONDS.search(texts[0]) if len(texts) > FEW and len(texts[0]) <= LONGEST else None
    if found is None or set(map(len, texts)) != {len(texts[0])}:
        return None
    letters = np.array(texts, dtype=f'U{len(texts[0])}').view(np.uint32).reshape(len(texts), -1) - ord('0')
    begin, end = found.span(1)
    places = [place for place in range(begin, end) if texts[0][place].isdigit()]
    digits = letters[:, places]  # Of what is no digit wraps around, and is large.
    letters[:, places] = 0
    begins = np.flatnonzero(np.append(True, (letters[1:] != letters[:-1]).any(axis=1)))
    if begins.size > len(texts) // FEW or digits.max() > 9:
        return None
    seconds = digits @ 10.0 ** np.arange(1, 1 - len(places), -1)
    if seconds.max() >= 60.0:
        return None
    blank = re.sub(r'\d', '0', found[1])
    try:
        minutes = calendar_time([texts[row][:begin] + blank + texts[row][end:] for row in begins.tolist()], path,
                                column)
    except InputError:
        return None
    whole = np.repeat(minutes.seconds, np.diff(np.append(begins, len(texts))))
    return minutes._replace(seconds=whole + seconds)


def _of_minutes(texts: Sequence[str]) -> CalendarTime | None:
    """Return texts as minutes and seconds where they cannot well be hours and minutes: from 0:00 on, or beyond 23."""
    if not texts or ELAPSED.fullmatch(texts[0].strip()) is None:
        return None
    parts = [(int(one[1]), int(one[2])) for text in texts if (one := ELAPSED.fullmatch(text.strip())) is not None]
    if len(parts) < len(texts) or (max(parts)[0] <= 23 and parts[0] != (0, 0)):
        return None
    minutes, seconds = np.array(parts, dtype=float).T
    return CalendarTime(_over_midnight(60.0 * minutes + seconds, HOUR), of_minutes=True)


def _over_midnight(of_day: np.ndarray, turn: float) -> np.ndarray:
    """Return times of day, or of what else begins anew after a time, s, as they went on."""
    return of_day + turn * np.concatenate([[0.0], np.cumsum(np.diff(of_day) < -0.5 * turn)])


def _hour_once(seconds: np.ndarray) -> tuple[np.ndarray, str] | None:
    """
    Return local times of a night in which an hour came twice or not at all, s, and in words what they do.

    None where there is no such hour. The times go back once, by an hour less one step of the recording, or ahead once,
    by an hour and a step, at a full hour of a Sunday night of March, April, September or October.
    """
    steps = np.diff(seconds)
    usual = 10.0 * max(float(np.median(steps)), 1.0) if steps.size else 0.0
    back = np.flatnonzero(steps < 0.0)
    if back.size == 1 and 0.0 <= steps[back[0]] + HOUR <= usual:
        at, hour, does = back[0] + 1, HOUR, 'go back by an hour, as local times do where summer time ends: the later '\
            'ones are an hour more'
    else:
        ahead = np.flatnonzero((steps >= HOUR) & (steps <= HOUR + usual))
        if back.size or ahead.size != 1 or np.any(np.delete(steps, ahead) > HOUR / 2.0):
            return None
        at, hour, does = ahead[0] + 1, -HOUR, 'go ahead by an hour, as local times do where summer time begins: the '\
            'later ones are an hour less'
        first = datetime.fromtimestamp(float(seconds[at]), timezone.utc)
        if first.weekday() != SUNDAY or first.month not in CHANGES or not 2 <= first.hour <= 3 or (
                seconds[at] % HOUR > usual):
            return None
    return np.concatenate([seconds[:at], seconds[at:] + hour]), does


def is_calendar(text: str) -> bool:
    """Return whether a text is a time of day, with or without its date."""
    return _stamp_of(text.strip()) is not None


def has_date(text: str) -> bool:
    """Return whether a text is a time with its date."""
    stamp = _stamp_of(text.strip())
    return stamp is not None and stamp.year > 0


def _stamp_of(text: str) -> _Stamp | None:
    """Return the numbers of a text; None where it is no time. Whether there is such a day is not looked at."""
    half: str | None = None
    month_first: bool | None = True
    if len(text) > LONGEST:
        return None
    if (local := OF_ZONE.fullmatch(text)) is not None:
        return _in_zone(_stamp_of(local[1]), local[2])
    if (behind := YEAR_BEHIND.fullmatch(text)) is not None:
        text = f'{behind[1]} {behind[2]} {behind[5]} {behind[3]} {behind[4] or ""}'.strip()
    if (named := NAMED_MONTH.match(text)) is not None:
        month = MONTHS[(named[2] or named[3]).lower()]
        text = f'{named[5]}-{month}-{named[1] or named[4]}{text[named.end():]}'
    text = CLOCK_FIRST.sub(r'\2 \1', DOTTED.sub(r'\1\2:\4:\5', text))
    if (ordinal := DAY_OF_YEAR.match(text)) is not None and 0 < int(ordinal[2]) <= 366 and 0 < int(
            ordinal[1]) < 9999:
        date = datetime(int(ordinal[1]), 1, 1) + timedelta(days=int(ordinal[2]) - 1)
        text = f'{date:%Y-%m-%d}{text[ordinal.end():]}'
    if (found := YEAR_FIRST.fullmatch(text)) is not None:
        year, first, second, hour, minute, seconds, fraction, half, zone = found.groups()
    elif (found := BASIC.fullmatch(text)) is not None:
        year, first, second, hour, minute, seconds, fraction, zone = found.groups()
    elif (found := CLOCK_ONLY.fullmatch(text)) is not None:
        hour, minute, seconds, fraction, half, zone = found.groups()
        year = first = second = '0'
    elif (found := MINUTES.fullmatch(text)) is not None:
        minute, seconds, fraction = found.groups()
        hour = year = first = second = '0'
        zone = None
    elif (found := OF_RECEIVER.fullmatch(text)) is not None:
        second, first, year, hour, minute, seconds, fraction = (part or '0' for part in found.groups())
        year, zone = f'20{year}' if found[1] else '0', None
    elif (found := YEAR_LAST.fullmatch(text)) is not None:
        first, mark, second, year, hour, minute, seconds, fraction, half, zone = found.groups()
        year = year if len(year) == 4 else f'20{year}'
        month_first = False if mark == '.' or int(first) > 12 else True if half or int(second) > 12 else None
    else:
        return None
    hours = int(hour)
    if half:
        if not 1 <= hours <= 12:
            return None
        hours = hours % 12 + (12 if half[0] in 'Pp' else 0)
    if hours > 23 or int(minute) > 59 or int(seconds or 0) > 60:  # 60: a leap second
        return None
    of_day = 3600 * hours + 60 * int(minute) + int(seconds or 0)
    return _Stamp(int(year), int(first), int(second), of_day, fraction or '', _zone(zone), month_first)


def _in_zone(stamp: _Stamp | None, name: str) -> _Stamp | None:
    """Return a local time whose year comes first with its zone, `Europe/Berlin`; None where it is none."""
    if stamp is None or stamp.zone is not None or not stamp.year or not stamp.month_first:
        return None
    try:
        local = datetime(stamp.year, stamp.first, stamp.second) + timedelta(seconds=stamp.of_day)
        ahead = ZoneInfo(name).utcoffset(local)
    except (KeyError, OSError, ValueError):     # No such zone, no such day.
        return None
    return None if ahead is None else stamp._replace(zone=round(ahead.total_seconds()))


def _zone(text: str | None) -> int | None:
    """Return by how much a zone is ahead of UTC, s; None where there is none."""
    if text is None:
        return None
    if text.upper() in ZONES:
        return 3600 * ZONES[text.upper()]
    sign, numbers = text.upper().lstrip('GMTUC')[0], re.sub(r'\D', '', text)
    ahead = 3600 * int(numbers[:2]) + 60 * int(numbers[2:] or 0)
    return -ahead if sign == '-' else ahead


def _back(seconds: np.ndarray) -> int:
    """Return how often time goes back."""
    return int((np.diff(seconds) < 0.0).sum())


def noted_times(texts: Sequence[str], path: Path, column: str, notes: list[Note]) -> np.ndarray:
    """
    Return stamps as seconds, shape (n,); what was taken for what is added to the notes.

    :raises InputError: As `calendar_time`.
    """
    found = calendar_time(texts, path, column)
    if found.mended:
        notes.append(Note(WARNING, 'time_fraction', f'{path.name}: {found.mended} of {len(texts)} times have lost the '
                          'leading zeros of their fraction (10.97739016 is 10.097739016 s); put back',
                          {'rows': found.mended}))
    if found.unsure_order:
        notes.append(Note(WARNING, 'date_order', f'{path.name}: nothing in column {column!r} ({texts[0]}) says which '
                          'of the two numbers is the month: the first is taken', {'rows': len(texts)}))
    if found.of_minutes:
        notes.append(Note(WARNING, 'minutes_seconds', f'{path.name}: the times of column {column!r} ({texts[0]}) are '
                          'taken as minutes and seconds; where they are hours and minutes, write them with seconds',
                          {'rows': len(texts)}))
    if not found.zoned and (once := _hour_once(found.seconds)) is not None:
        notes.append(Note(WARNING, 'hour_twice' if once[0][-1] > found.seconds[-1] else 'hour_skipped',
                          f'{path.name}: the times {once[1]}', {'rows': len(texts)}))
        return once[0]
    return found.seconds
