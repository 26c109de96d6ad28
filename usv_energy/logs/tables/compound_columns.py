"""
Columns of a table that must be put together, or taken apart, before they are recognised.

A date may stand in columns for its year, month and day, a time in a GPS week and its seconds or in days since another
epoch; a cell may hold latitude and longitude, a number with its unit, or a point of the compass. RTKLIB's solutions
(.pos) are read here, too: the header names their date and time as one column.
"""

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.files.table import MISSING, degrees_of_text
from usv_energy.files.text_file import open_text
from usv_energy.logs.tables.header_words import meaning_of
from usv_energy.phrases import POINTS

DAY, WEEK = 86400.0, 604800.0
GPS_BEGIN, LEAP_SECONDS = 315_964_800.0, 18.0  # s: since 1970; by which GPS is ahead of UTC since 2017.
# Parts of a moment, by the words of their columns.
PARTS = {'year': r'#?(?:y{2,4}|year|jahr|annee|ano|anno)', 'month': r'mo|month|monat|mois|mes|mese',
         'day': r'd{1,2}|day|tag|jour|dia|giorno', 'hour': r'h{1,2}|hr|hours?|stunde|heure|hora|ora',
         'minute': r'mn|min|minutes?|minuto|minuti', 'second': r'ss?|sec|seconds?|sekunde|segundo|secondi'}
YEARS = 0, 2300
DAY_OF_YEAR = re.compile(r'doy|y ?day|day of (?:the )?year|ordinal day')
GPS_WEEK = re.compile(r'(?:gps )?(?:week|wk|wn|wnc)(?: number| no)?|gwk')
OF_WEEK = re.compile(r'(?:gps )?(?:i ?tow|tow|sow|secs?|seconds?|ms|time of week|(?:secs?|seconds?) of (?:gps )?week)'
                     r'(?: m?s)?|gms')
OF_MATLAB = 719529.0, 7.2e5, 7.7e5  # Its days of 1970, and about those of 1971 and 2108.
SMALL_STEP = 0.01  # d: between samples of a log.
# Days of other epochs by their names: how many of them 1970 began after the epoch.
EPOCHS = (('Modified Julian days', 40587.0, re.compile(r'mjd|modified julian (?:day|date)s?')),
          ("MATLAB's days", OF_MATLAB[0], re.compile(r'date ?num|(?:matlab|serial) ?(?:time|date|date ?num)')),
          ('Julian days', 2440587.5, re.compile(r'jd|julian (?:day|date)s?')))
PLACE = re.compile(r'(?:gps |boat |vessel )*(?:position|pos|location|place|coord(?:inate)?s?|lat ?(?:lon|lng|long)|'
                   r'lat(?:itude)? lon(?:gitude)?|point|fix|gps|geo ?point|geom(?:etry)?|wkt)')
LONGITUDE_FIRST = re.compile(r'(?:lon|lng|long|longitude) ?lat(?:itude)?')
POINT = re.compile(r'(?i)point ?z? ?\((.*)\)')  # Well-known text: longitude first.
HALVES = re.compile(r"(.*[NS][^,;]*?)[ ,;]+([\d].*[EW])|([-+\d.]+) *[,; ] *([-+\d.]+)(?: *[,; ] *[-+\d.]+)?")
LONGEST_PLACE = 200  # Characters of one.
WITH_UNIT = re.compile(r'([-+]?\d+(?:[.,]\d+)?)\s*([^\d\s.,:;/-].{0,11})')
FLOWING = 'wind_direction', 'wind_towards', 'current_direction'
OST = re.compile('(?i)richt|retning')  # German, Dutch and Norwegian: O is east, and not Ouest or Oeste.
SOLUTION = re.compile(r'%\s+(?:GPST|UTC|JST)\s+(\S.*)')
BASELINE = {'e-baseline(m)': 'east (m)', 'n-baseline(m)': 'north (m)'}
Columns = dict[str, np.ndarray]


class Compound(NamedTuple):
    """
    Columns that are made of others.

    `sources`: these, as texts where `texts`; `headers`: of what is made; `make`: gives it, (rows,) each; `text`: what
    was done, for the notes; `sample`: what a cell of each looks like.
    """

    sources: tuple[str, ...]
    headers: tuple[str, ...]
    make: Callable[..., tuple[np.ndarray, ...]]
    text: str
    texts: bool = False
    sample: str = '0'


def compounds_of(said: Mapping[str, str], cells: Mapping[str, Sequence[str]]) -> list[Compound]:
    """
    Return what must be put together or taken apart.

    :param said: What the headers of a table say, with units that stand elsewhere, by their names.
    :param cells: Of their first rows.
    """
    there = {name: [cell for cell in column if cell.lower() not in MISSING] for name, column in cells.items()}
    there = {name: column for name, column in there.items() if column}
    plain = {name: ' '.join(re.findall(r'[a-z0-9#]+', said[name].lower())) for name in there}
    made = [one for one in (_clock(there, plain), _place(there, plain)) if one is not None]
    taken = {name for one in made for name in one.sources}
    return made + [one for name in there if name not in taken
                   and (one := _with_unit(name, said[name], there[name]) or _of_points(name, said[name], there[name])
                        ) is not None]


def _numbers(cells: Sequence[str]) -> list[float]:
    """Return cells as numbers; none where one is none."""
    try:
        return [float(cell.replace(',', '.')) for cell in cells]
    except ValueError:
        return []


def _clock(cells: Mapping[str, Sequence[str]], plain: Mapping[str, str]) -> Compound | None:
    """Return the time of several columns, or of days since another epoch than 1970; None where a column says it."""
    numeric = {name: values for name in cells if (values := _numbers(cells[name]))}
    if (parts := _parts_of_date(numeric, plain)) is not None:
        return parts
    week = next((name for name in numeric if GPS_WEEK.fullmatch(plain[name]) and 0.0 <= numeric[name][0] < 5000.0), '')
    of_week = next((name for name in numeric if OF_WEEK.fullmatch(plain[name])), '')
    if week and of_week:
        scale = 1e-3 if max(numeric[of_week]) > WEEK or 'ms' in f'{plain[of_week]} {of_week.lower()}' else 1.0
        return Compound((week, of_week), ('time [s]',), lambda weeks, since: (
            GPS_BEGIN + WEEK * weeks + scale * since - LEAP_SECONDS,), f'{week!r} and {of_week!r} are a GPS week and '
            f'the {"ms" if scale < 1.0 else "s"} of it')
    for text, days, names in EPOCHS:
        for name, values in numeric.items():
            if names.fullmatch(plain[name]) or (days == OF_MATLAB[0] and _are_matlab_s(name, values)):
                return Compound((name,), ('time [s]',), lambda since, days=days: (DAY * (since - days),),
                                f'{name!r} holds {text}')
    return None


def _are_matlab_s(name: str, values: Sequence[float]) -> bool:
    """Return whether the values of a time without a unit are days since the year 0, of 1971 to 2108, in small steps."""
    meaning = meaning_of(name)
    return (meaning is not None and meaning.quantity == 'time' and not meaning.unit and len(values) > 1
            and OF_MATLAB[1] < values[0] < OF_MATLAB[2] and 0.0 < values[1] - values[0] < SMALL_STEP)


def _parts_of_date(numeric: Mapping[str, Sequence[float]], plain: Mapping[str, str]) -> Compound | None:
    """Return the time, or where hours are in no column of their own the date, of the parts of a date."""
    found = {part: next((name for name in numeric if re.fullmatch(words, plain[name])), '')
             for part, words in PARTS.items()}
    for part, name in (('month', 'MM'), ('minute', 'mm')):
        found[part] = found[part] or (name if name in numeric else '')
    day_of_year = next((name for name in numeric if DAY_OF_YEAR.fullmatch(plain[name])), '')
    date = [found['year'], *([found['month'], found['day']] if found['month'] and found['day'] else [day_of_year])]
    if not all(date):
        return None
    clock = list(itertools.takewhile(bool, (found[part] for part in ('hour', 'minute', 'second'))))
    limits = (YEARS, *([(1, 12), (1, 31)] if len(date) > 2 else [(1, 366)]), (0, 24), (0, 60), (0, 61))

    def make(*columns: np.ndarray) -> tuple[np.ndarray, ...]:
        known = np.isfinite(sum(columns)) & np.all([(least <= one) & (one <= most) for one, (least, most) in zip(
            columns, limits)], axis=0)
        year, *rest = (np.where(known, column, 0.0) for column in columns)
        days, hours = rest[:len(date) - 1], rest[len(date) - 1:]
        months = (year + np.where(year < 100.0, 2000.0, 0.0) - 1970.0) * 12.0 + (days[0] - 1.0 if days[1:] else 0.0)
        begin = months.astype(int).astype('datetime64[M]').astype('datetime64[s]').astype(float)
        of_day = sum(scale * one for scale, one in zip((3600.0, 60.0, 1.0), hours))
        seconds = begin + DAY * (days[-1] - 1.0) + of_day
        if clock:
            return (np.where(known, seconds, np.nan),)
        texts = (seconds // DAY).astype('datetime64[D]').astype(str).astype(object)
        return (np.where(known, texts, ''),)

    names = ', '.join(repr(name) for name in (*date, *clock))
    return Compound((*date, *clock), ('time [s]',) if clock else ('date',), make,
                    f'{names} are the parts of a {"time" if clock else "date"}', sample='0' if clock else '2024-05-01')


def _place(cells: Mapping[str, Sequence[str]], plain: Mapping[str, str]) -> Compound | None:
    """Return latitude and longitude of a column that holds both; None where there is none, or they have their own."""
    if any((meaning := meaning_of(name)) is not None and meaning.name == 'latitude' for name in cells):
        return None
    for name, column in cells.items():
        lettered = not {'N', 'S'}.isdisjoint(column[0])
        exchanged = LONGITUDE_FIRST.fullmatch(plain[name]) is not None
        if (lettered or exchanged or PLACE.fullmatch(plain[name])) and all(
                np.isfinite(both := _both(cell, exchanged)).all() and abs(both[0]) <= 90.0 for cell in column):
            return Compound((name,), ('latitude', 'longitude'), lambda texts, exchanged=exchanged: tuple(np.array(
                [_both(cell, exchanged) for cell in texts]).T), f'{name!r} holds latitude and longitude', texts=True)
    return None


def _both(cell: str, exchanged: bool) -> tuple[float, float]:
    """Return the latitude and longitude in a text, degrees, which has them exchanged, or not; NaN where it has none."""
    cell = cell.strip()
    point = POINT.fullmatch(cell)
    found = HALVES.fullmatch((point[1] if point else cell).strip(' ()[]{}"')) if len(cell) <= LONGEST_PLACE else None
    if found is None:
        return np.nan, np.nan
    if found[1]:
        north, east = (degrees_of_text(part.strip()) for part in found.groups()[:2])
        return (np.nan, np.nan) if north is None or east is None else (north, east)
    try:
        first, second = float(found[3]), float(found[4])
    except ValueError:
        return np.nan, np.nan
    return (second, first) if exchanged or point else (first, second)


def _with_unit(name: str, said: str, cells: Sequence[str]) -> Compound | None:
    """Return a column whose cells are numbers with one unit, which its header does not say; None where it is none."""
    found = [WITH_UNIT.fullmatch(cell.strip()) for cell in cells]
    units = {one[2].strip() for one in found if one is not None}
    if None in found or len(units) != 1:
        return None
    header = f'{said} [{next(iter(units))}]'
    meaning = meaning_of(header)
    if meaning is None or not meaning.unit or meaning.quantity == 'time':
        return None

    def make(texts: np.ndarray) -> tuple[np.ndarray, ...]:
        matches = [WITH_UNIT.fullmatch(text.strip()) for text in texts]
        return (np.array([float(one[1].replace(',', '.')) if one else np.nan for one in matches]),)
    return Compound((name,), (header,), make, '', texts=True)


def _of_points(name: str, said: str, cells: Sequence[str]) -> Compound | None:
    """Return a direction of wind or current in points of the compass (NNW); None where it is none, or O is unclear."""
    header = f'{said} [deg]'
    meaning, words = meaning_of(header), ''.join(cells).lower()
    if meaning is None or meaning.name not in FLOWING or (
            'o' in words and not {'w', 'ø'}.intersection(words) and not OST.search(said)):
        return None
    east = re.compile('[oø]' if 'w' in words or OST.search(said) else 'ø', re.IGNORECASE)
    degrees = {point.upper(): 11.25 * number for number, point in enumerate(POINTS)}

    def make(texts: np.ndarray) -> tuple[np.ndarray, ...]:
        return (np.array([degrees.get(east.sub('e', text.strip()).upper(), np.nan) for text in texts]),)
    if np.isnan(make(np.array(cells))[0]).any():
        return None
    return Compound((name,), (header,), make, f'{name!r} holds points of the compass', texts=True)


def rtklib_columns(path: Path) -> Columns | None:
    """
    Return the columns of a solution of RTKLIB; None where a file is none.

    :raises InputError: If its places are in degrees, minutes and seconds, or it has no whole row.
    """
    with open_text(path) as file:
        if file.read(1) != '%':
            return None
        file.seek(0)
        names: list[str] = []
        rows: list[list[str]] = []
        for line in file:
            if (head := SOLUTION.fullmatch(line.strip())) is not None:
                names = head[1].split()
            elif names and not line.startswith('%') and len(cells := line.split()) >= len(names) + 2:
                rows.append(cells)
    if not names:
        return None
    if any("d'" in name for name in names):
        raise InputError(f'{path}: has its places in degrees, minutes and seconds; let RTKLIB write degrees')
    if not rows:
        raise InputError(f'{path}: is a solution of RTKLIB without a whole row')
    dated = '/' in rows[0][0]
    try:
        values = {name: np.array([row[at] for row in rows], dtype=float)
                  for at, name in enumerate([*([] if dated else ('', 'time [s]')), *names], start=2 if dated else 0)}
    except ValueError as error:
        raise InputError(f'{path}: a row of the solution is damaged: {error}') from None
    if dated:
        values['time'] = np.array([f'{row[0]} {row[1]}' for row in rows], dtype=object)
    else:
        values['time [s]'] += GPS_BEGIN + WEEK * values.pop('') - LEAP_SECONDS
    return {BASELINE.get(name, name): column for name, column in values.items()}
