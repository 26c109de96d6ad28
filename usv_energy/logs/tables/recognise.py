"""A log from a table (CSV) without a column map: its header and its motion say what its columns hold."""

import itertools
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from usv_energy.files.errors import InputError, counted
from usv_energy.files.limits import safe_name
from usv_energy.files.locate import names
from usv_energy.files.table import (
    LOGGED,
    MAX_LINE,
    MISSING,
    degrees_of_text,
    first_rows,
    read_head,
    read_table,
    rows_of,
)
from usv_energy.files.text_file import open_text, write_text
from usv_energy.logs.calendar_time import ALLOWED, has_date, is_calendar
from usv_energy.logs.log import INFO, WARNING, Log, Note
from usv_energy.logs.tables.column_map import ColumnMap, columns_from
from usv_energy.logs.tables.compound_columns import compounds_of, rtklib_columns
from usv_energy.logs.tables.csv_log import log_of_table, note_encoding, without_markers
from usv_energy.logs.tables.header_words import CLOCK_OF_MAVLINK, Meaning, meaning_of, unit_row
from usv_energy.logs.tables.told_columns import Recognised, told

PREAMBLE, TELLING = 200, 2  # Lines in which a header is looked for; quantities that it names, the time among them.
LONGEST_NAME = 200         # Characters of a name.
# Letters of a column that says on which side of the equator or of Greenwich unsigned places are; how it is called.
HEMISPHERES = {'latitude': {'N', 'S'}, 'longitude': {'E', 'W'}}
OF_HEMISPHERE = re.compile(r'(?i)(?:^|[^a-z])(?:n\W?s|e\W?w|lat|lon|hemi)')
SHOWN, SHOWN_CELL = 5, 30  # Cells that are named, and characters of one.
# How a column is called that says whose a row is, as in AIS.
OF_WHOM = re.compile(r'(?i)^(?:mmsi|(?:vessel|boat|ship|vehicle|usv|asv|robot|device|tracker)[ _]?(?:id|name|number))$')
# Of digits alone: a whole date and time, a date with its year last or first, a time of day.
WHOLE_DATE = re.compile(r'(?:19|20)\d\d[01]\d[0-3]\d[0-2]\d[0-5]\d[0-5]\d(?:\.\d+)?')
DATE_DIGITS = re.compile(r'[0-3]?\d[01]\d\d\d|(?:19|20)\d\d[01]\d[0-3]\d')
CLOCK_DIGITS = re.compile(r'[0-2]?\d[0-5]\d[0-5]\d(?:\.\d+)?')
MANY_DIGITS = 6  # Of a text that may be a time that is not read.
# How the column of a table in long form is called that says of what a row's value is.
KEYS = frozenset(('field', 'topic', 'name', 'path', 'key', 'signal', 'variable', 'metric', 'parameter', 'channel'))
BEAUFORT = re.compile(r'(?i)(?:^|[^a-z])(?:bft|bf|beaufort)(?![a-z])')
UNKNOWN = 20   # Columns of which nothing is known that are named.
SAMPLED = 200  # Rows whose cells tell texts from numbers; of a column that is empty in these so many further on.


def recognised_log(path: Path, max_gap: float | None = None) -> Log:
    """
    Return the log in a table without a column map.

    :param path: The table.
    :param max_gap: Samples further apart than this, s, do not belong together; None: it follows from their period.
    :raises InputError: If it has no header with a time and a motion, or needs an answer: which column, and what to do.
    """
    found = recognised(path)
    note_encoding(path, found.notes)
    return log_of_columns(found, max_gap)


def log_of_columns(found: Recognised, max_gap: float | None = None) -> Log:
    """
    Return the log of columns that were recognised.

    :raises InputError: If a question is left, or they hold neither motion nor power: what they hold.
    """
    path = found.path
    if found.questions:
        left = '; '.join(f'{one.header!r}: {one.text}' for one in found.findings if one.how == 'not told')
        raise InputError(f'{path}: {"; ".join(found.questions)}{left and f" (not used: {left})"}. {_advice(found)}')
    columns = columns_from(found.document, path)
    if set(columns.columns) <= {'time', 'wind_speed', 'wind_x', 'current_speed', 'current_x'} and not columns.thrusters:
        said = ', '.join(one.sentence for one in found.findings)
        raise InputError(f'{path}: no column is known for the motion of a boat or its battery. Known are: '
                         f'{said or "none"}. {_advice(found)}')
    if max_gap is not None:
        columns = ColumnMap(**{**columns.__dict__, 'max_gap': float(max_gap)})
    taken = '; '.join(one.sentence for one in found.findings if one.quantity)
    left = '; '.join(one.sentence for one in found.findings if not one.quantity)
    writes = '. --write-columns FILE writes the map, to be edited and given by --columns' if found.takes_map else ''
    notes = [*found.notes, Note(INFO, 'columns_recognised', f'no column map was given; taken are {taken}{writes}')]
    if left:
        notes.append(Note(WARNING if any(one.how == 'not told' for one in found.findings) else INFO, 'columns_left',
                          f'columns that are not used: {left}'))
    return log_of_table(path, dict(found.table), columns, notes)


def write_recognised(found: Recognised, target: Path) -> None:
    """
    Write what is recognised of columns as a column map, with how each column is known as comments.

    :param target: The YAML file, which is replaced completely or not at all.
    """
    lines = [f'# What was recognised of {found.path.name}; to be edited, and given by --columns {target.name}.',
             *(f'# To be settled: {question}' for question in found.questions),
             *(f'#   {one.sentence}' for one in found.findings)]
    body = yaml.safe_dump(found.document, sort_keys=False, allow_unicode=True, width=110, default_flow_style=None)
    write_text('\n'.join(' '.join(line.split('\n')) for line in lines) + f'\n{body}', target)


def _advice(found: Recognised) -> str:
    if not found.takes_map:
        return 'Write what is known as a table (CSV), with units in its header'
    shipped = ', '.join(names('columns'))
    return ('Write down what is known by --write-columns map.yaml, say the rest in that file, and give it by --columns '
            f'map.yaml (shipped maps: {shipped})')


def recognised(path: Path) -> Recognised:
    """
    Return what the columns of a table hold.

    :raises InputError: If it is no table, or no column is a time.
    """
    if (solution := rtklib_columns(path)) is not None:
        return recognised_columns(path, solution, takes_map=False)
    strays: list[str] = []
    rules = LOGGED._replace(before=_lines_before(path), strays=strays)
    head = read_head(path, rules)
    values = [name for name in head.names if len(name) < LONGEST_NAME and is_calendar(name)]
    if not any(meaning_of(name) for name in head.names if len(name) < LONGEST_NAME):
        values += [name for name in head.names if name and _is_number(name)]
    if value := next(iter(values), ''):
        raise InputError(f'{path}: line {head.line} is a row of values ({value!r}), and nothing before it names the '
                         'columns; write their names above it, such as time,lat,lon,course,speed')
    rows = first_rows(path, SAMPLED, rules)
    units = rows[0] if rows and unit_row(rows[0]) else None
    rules = rules._replace(skip=1) if units else rules
    rows = rows[1:] if units else rows
    number = Counter(head.names)
    place = {name: at for at, name in enumerate(head.names) if name and number[name] == 1}
    headers = list(place)
    said = {name: f'{name} [{units[place[name]].strip("[]() ")}]' if units and place[name] < len(units) else name
            for name in headers}
    cells = _of_rows(place, rows)
    further = itertools.islice(rows_of(path, rules), len(rows), None)
    while (late := [name for name in headers if not cells[name]]) and (
            rows := list(itertools.islice(further, SAMPLED))):
        cells |= _of_rows({name: place[name] for name in late}, rows)
    compounds = compounds_of(said, cells)
    for one in compounds:
        for name in one.sources:
            del said[name], cells[name]
        said |= {name: name for name in one.headers}
        cells |= {name: [one.sample] for name in one.headers}

    def read(numbers: Sequence[str], texts: Sequence[str]) -> Mapping[str, np.ndarray]:
        made = {name for one in compounds for name in one.headers}
        sources = {as_text: [name for one in compounds if one.texts is as_text for name in one.sources]
                   for as_text in (True, False)}
        table = read_table(path, [name for name in numbers if name not in made] + sources[False], rules,
                           texts=[name for name in texts if name not in made] + sources[True])
        for one in compounds:
            table |= zip(one.headers, one.make(*(table.pop(name) for name in one.sources)))
        return table

    found = _recognised(path, said, cells, read, not compounds)
    for one in compounds:
        if one.text:
            found.notes.append(Note(INFO, 'columns_joined', one.text))
    for name in (name for name in number if number[name] > 1 and len(name) < LONGEST_NAME and meaning_of(name)):
        found.leave(name, f'stands {number[name]} times in the header', 'not told')
    if strays:
        shown = ', '.join(strays[:SHOWN])
        found.notes.append(Note(WARNING, 'cells_wrong', f'{counted(len(strays), "cell")} without a number, taken as '
                                f'empty: {shown}', {'cells': len(strays)}))
    found.document |= {key: number for key, number in (('before', rules.before), ('skip', rules.skip)) if number}
    return found


def _of_rows(place: Mapping[str, int], rows: Sequence[Sequence[str]]) -> dict[str, list[str]]:
    """Return the cells of columns in rows, without those that hold nothing."""
    found = {name: [row[at].strip() for row in rows if at < len(row)] for name, at in place.items()}
    return {name: [cell for cell in cells if cell.lower() not in MISSING] for name, cells in found.items()}


def _lines_before(path: Path) -> int:
    """Return the number of lines before a table's header, the first line that names a time and one thing more."""
    with open_text(path) as file:
        for number, line in zip(range(PREAMBLE), iter(lambda: file.readline(MAX_LINE), '')):
            names = re.split(r'[,;\t]', line.replace('"', ''))
            said = {meaning.quantity for name in names if len(name) < LONGEST_NAME
                    and (meaning := meaning_of(name.strip())) is not None}
            if 'time' in said and len(said) >= TELLING:
                return number
    return 0


def recognised_columns(path: Path, table: Mapping[str, np.ndarray], headers: Mapping[str, str] | None = None,
                       takes_map: bool = True) -> Recognised:
    """
    Return what columns hold that were read already.

    :param path: Of their file, for errors.
    :param table: Numbers, NaN where there is none, or texts (objects), by their names.
    :param headers: What is said of each column, where it is not its name.
    :param takes_map: Whether such a file is read by a column map, too.
    :raises InputError: If no column is a time.
    """
    cells = {name: [str(one) for one in values if one][:SAMPLED] if values.dtype == object else
             ['0'] * int(np.isfinite(values).any()) for name, values in table.items()}
    return _recognised(path, headers or {name: name for name in table}, cells,
                       lambda numbers, texts: {name: table[name] for name in (*numbers, *texts)}, takes_map)


def _recognised(path: Path, said: Mapping[str, str], cells: Mapping[str, list[str]],
                read: Callable[[list[str], list[str]], Mapping[str, Any]], takes_map: bool = True) -> Recognised:
    """
    Return what columns hold.

    :param said: What their headers say, with units that stand elsewhere, by their names.
    :param cells: Of their first rows.
    :param read: Gives columns of numbers and of texts.
    """
    cells = {name: [cell for cell in all_of_it if cell.lower() not in MISSING] for name, all_of_it in cells.items()}
    texts = {name for name, all_of_it in cells.items() if all_of_it and not _is_number(all_of_it[0])}
    texts |= _times_of_digits(said, cells, texts)
    meanings = {name: meaning for name in said if (meaning := meaning_of(said[name])) is not None and cells[name]
                and (name not in texts or meaning.quantity == 'time')}
    letters = {quantity: name for quantity, both in HEMISPHERES.items() for name in texts
               if OF_HEMISPHERE.search(name) and {cell.upper() for cell in cells[name]} <= both}
    no_numbers = [name for name in texts if (meaning := meaning_of(said[name])) is not None
                  and meaning.quantity != 'time']
    clock = _clock(meanings, cells, texts, path, list(said))
    _check_wide(path, cells, texts)
    whose = [name for name in said if OF_WHOM.search(name) and cells[name]][:1]
    notes: list[Note] = []
    table = without_markers(read([name for name in meanings if name not in texts], [
        *(name for name in clock if name in texts), *letters.values(), *whose]), notes)
    _check_one_boat(path, {name: table.pop(name) for name in whose if name not in meanings})
    document: dict[str, Any] = {'title': f'as recognised in {path.name}', 'columns': {}}
    found = told(Recognised(path, document, table=table, notes=notes, hemispheres=letters, takes_map=takes_map),
                 meanings, clock, texts)
    forces = [name for name in said if BEAUFORT.search(name) and name not in meanings and cells[name]]
    known = {*meanings, *clock, *letters.values(), *whose, *no_numbers, *forces}
    unknown = [name for name in said if name not in known and cells[name]]
    if unknown:
        found.notes.append(Note(INFO, 'columns_unknown', 'columns whose names say nothing that is read: '
                                f'{", ".join(repr(safe_name(name)) for name in unknown[:UNKNOWN])}'
                                f'{f" and {len(unknown) - UNKNOWN} more" if len(unknown) > UNKNOWN else ""}'))
    for name in forces:
        found.leave(name, 'forces of Beaufort, of which each is a range of speeds; write the wind in m/s or kn',
                    'not told')
    for name in sorted(no_numbers):
        found.leave(name, f'holds {cells[name][0][:SHOWN_CELL]!r}, which is no number and no place', 'not told')
    return found


def _check_wide(path: Path, cells: Mapping[str, list[str]], texts: set[str]) -> None:
    """Raise InputError for a table in long form: one column of values, and one that says of what each is."""
    value = next((name for name in cells if name.strip('_ ').lower() == 'value' and cells[name]), None)
    key = next((name for name in cells if name in texts and name.strip('_ ').lower() in KEYS), None)
    if value is None or key is None:
        return
    shown = ', '.join(sorted(set(cells[key]))[:SHOWN])
    raise InputError(f'{path}: is in long form: each row has one value ({value!r}), of what {key!r} says ({shown}). '
                     'Write a column for each of these: pivot() in InfluxDB (Flux), pandas or a spreadsheet')


def _check_one_boat(path: Path, whose: Mapping[str, np.ndarray]) -> None:
    """Raise InputError if a column that says whose each row is names several."""
    for name, cells in whose.items():
        boats = sorted({str(cell).strip() for cell in cells} - MISSING)
        if len(boats) > 1:
            raise InputError(f'{path}: holds {len(boats)} boats by its column {name!r} ({", ".join(boats[:SHOWN])}'
                             f'{", ..." if len(boats) > SHOWN else ""}); write the rows of one to a file of their own')


def _times_of_digits(said: Mapping[str, str], cells: Mapping[str, list[str]], texts: set[str]) -> set[str]:
    """
    Return the columns of a time and its date that are digits, and no number: yyyymmddhhmmss, hhmmss and ddmmyy.

    A number of six digits is hhmmss where there is a date, or where it goes on from 59 to 100 as nothing else does.
    """
    named = {name: meaning.name for name in said if name not in texts and cells[name]
             and (meaning := meaning_of(said[name])) is not None and meaning.quantity == 'time' and not meaning.unit}
    whole = {name for name in named if all(map(WHOLE_DATE.fullmatch, cells[name]))}
    if whole:
        return whole
    dates = {name for name, kind in named.items() if kind == 'date' and all(map(DATE_DIGITS.fullmatch, cells[name]))}
    clocks = {name for name, kind in named.items() if kind != 'date' and all(map(CLOCK_DIGITS.fullmatch, cells[name]))}
    clocks = {name for name in clocks if dates or any(
        float(one) % 100.0 >= 50.0 and float(other) % 100.0 < 10.0 and float(other) - float(one) > 40.0
        for one, other in pairwise(cells[name]))}
    has_clock = clocks or any(is_calendar(cells[name][0]) for name in texts if cells[name])
    return clocks | (dates if has_clock else set())


def _is_number(cell: str) -> bool:
    try:
        float(cell.replace(',', '.'))
    except ValueError:
        return degrees_of_text(cell) is not None
    return True


def _clock(meanings: Mapping[str, Meaning], cells: Mapping[str, list[str]], texts: set[str], path: Path,
           headers: Sequence[str]) -> list[str]:
    """Return the column of the time, and that of its date where this is another one."""
    times = [name for name, one in meanings.items() if one.name in ('time', 'clock', 'date')]
    dated = [name for name in (*times, *texts) if name in texts and has_date(cells[name][0])]
    if dated:
        return dated[:1]
    dates = [name for name in times if meanings[name].name == 'date' and name in texts]
    clocks = [name for name in (*times, *texts) if name in texts and name not in dates and (
        is_calendar(cells[name][0]) or (dates and name in times
                                        and is_calendar(f'{cells[dates[0]][0]} {cells[name][0]}')))]
    if clocks:
        fits = dates and is_calendar(f'{cells[dates[0]][0]} {cells[clocks[0]][0]}')
        return [clocks[0], dates[0]] if fits else clocks[:1]
    numbers = [name for name in times if name not in texts]
    if numbers:
        return [max(numbers, key=lambda name: (not name.endswith(CLOCK_OF_MAVLINK), meanings[name].name == 'time',
                                               bool(meanings[name].unit)))]
    if times and cells[times[0]]:
        raise InputError(f'{path}: column {times[0]!r} holds {cells[times[0]][0][:SHOWN_CELL]!r}, which is no time; '
                         f'{ALLOWED}, with Z, UTC or +02:00 for a zone')
    shown = ', '.join(repr(name) for name in headers[:12])
    if not any(cells.values()) and any(meaning_of(name) is not None for name in headers):
        raise InputError(f'{path}: holds no row below its header ({shown})')
    unread = next((f' (no time is {cells[name][0][:SHOWN_CELL]!r} in {name!r}; {ALLOWED})' for name in headers
                   if name in texts and sum(map(str.isdigit, cells[name][0])) >= MANY_DIGITS), '')
    raise InputError(f'{path}: no column is known for the time. There are: {shown}'
                     f'{", ..." if len(headers) > 12 else ""}{unread}. {_advice(Recognised(path, {}))}')
