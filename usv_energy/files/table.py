"""
Read tables of numbers in text, such as comma-separated values: columns by their names in the header.

All tables of this package are read here. NumPy reads a table of plain numbers at once, and so it does one with empty
cells or decimal commas, from a copy. Any other table is read cell by cell, and so is one with a fault, to name the line
in the error.
"""

import csv
import difflib
import itertools
import re
import tempfile
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from usv_energy.files.errors import InputError, counted
from usv_energy.files.text_file import UTF_8, encoding_of, kind_without_text, open_text

DELIMITERS = (',', ';', '\t', '|')
SPACES = ' '  # One or more of them, or tabs.
MISSING = frozenset(('', 'nan', 'na', 'n/a', 'null', 'none', '-nan', 'inf', '-inf', '-', '--', '---',
                     '--.--'))
LETTERS = frozenset('NSEW')  # Of places.
# Degrees, minutes and seconds with their letter in front or behind.
OF_MERIDIANS = re.compile(r"(?=.*[NSEW])([NSEW]?) *(\d+(?:\.\d+)?) *°? *(?:(\d+(?:\.\d+)?) *['′]? *)?"
                          r"(?:(\d+(?:\.\d+)?) *[\"″]? *)?([NSEW]?)")
COMMA_AND_POINTS = re.compile(r'[-+]?\d{1,3}(\.\d{3})+,\d+')  # 1.000,5: points between thousands
MAX_BYTES = 4 * 1024**3
MAX_ROWS = 100_000_000
MAX_COLUMNS = 10_000
MAX_LINE = 1024**2          # Characters of a line up to the header.
MOST_COMMENTS = 100         # Of which one may be the header.
BLOCK = 1024                # Rows read cell by cell before they become arrays; more slow down the garbage collector.
NAMES_SHOWN = 12
STRAYS, ROWS_A_STRAY = 3, 100  # Cells that may be no numbers: so many, and one more in so many rows.


class TableRules(NamedTuple):
    """
    The format of a table.

    `delimiter`: between columns; None: comma, semicolon, tab or bar, whichever is most frequent in the header, else
    spaces where the header has as many words as the line below it.
    `decimal`: decimal sign, `.` or `,`; None: a comma if the numbers have one, and it is not the delimiter.
    `comments`: beginning of a comment line; empty: no comments.
    `cells`: `gaps`: an empty cell, `nan`, `null` or `inf` is NaN, and an incomplete last row is ignored;
    `floats`: every cell is a number, including `nan` and `inf`; `finite`: every cell is a finite number.
    `may_be_empty`: whether a header without rows is valid. `skip`: lines between the header and the first row, such
    as one
    of units. `before`: lines before the header, such as a logger's settings.
    `strays`: not None: a few cells of `gaps` that are no numbers are NaN, too, and are added to it in words.
    """

    delimiter: str | None = None
    decimal: str | None = None
    comments: str = '#'
    cells: Literal['gaps', 'floats', 'finite'] = 'gaps'
    may_be_empty: bool = False
    skip: int = 0
    before: int = 0
    strays: list[str] | None = None


LOGGED = TableRules()
FINITE = TableRules(cells='finite')
OWN = TableRules(',', '.', '', 'floats', may_be_empty=True)     # For tables that this package writes.


class TableHead(NamedTuple):
    """The header of a table: names of the columns, the delimiter, and the number of its line."""

    names: list[str]
    delimiter: str
    line: int


def read_head(path: Path, rules: TableRules = LOGGED) -> TableHead:
    """
    Return the header of a table: its first line that is neither empty nor a comment.

    Where that holds a number, the first comment above it with as many cells, none a number, is the header, as NumPy
    writes it.

    :raises InputError: If the file cannot be read, is no text, is empty, or begins with numbers.
    """
    if kind := kind_without_text(path):
        raise InputError(f'{path}: is {kind}; must be a table of numbers in text (CSV)')
    number, line, below, comments = _first_line(path, rules)
    if '\0' in line:
        raise InputError(f'{path}: is no text table')
    bare = re.sub('"[^"]*"', '', line)
    delimiter = rules.delimiter or max(DELIMITERS, key=bare.count)
    if not rules.delimiter and delimiter not in bare and 1 < len(line.split()) == len(below.split()):
        delimiter = SPACES
    try:
        names, *others = ([name.strip() for name in next(_cells([one], delimiter))] for one in (line, *comments))
    except csv.Error as error:
        raise InputError(f'{path}: line {number} is no header of a table: {error}') from None
    if any(name and _is_number(name) for name in names):
        said = next((cells for cells in others if len(cells) == len(names) and not any(map(_is_number, cells))), None)
        names, number = (names, number) if said is None else (said, number - 1)
    if len(names) > MAX_COLUMNS:
        raise InputError(f'{path}: line {number} names {len(names)} columns; must be at most {MAX_COLUMNS}')
    if all(_is_number(name) for name in names):
        raise InputError(f'{path}: line {number} holds numbers only ({line.strip()[:60]}); a table needs a first line '
                         'with the names of its columns')
    return TableHead(names, delimiter, number)


def _cells(lines: Iterable[str], delimiter: str) -> Any:
    """Return the reader of rows of cells; any run of spaces and tabs is one SPACES."""
    if delimiter != SPACES:
        return csv.reader(lines, delimiter=delimiter)
    return csv.reader((' '.join(line.split()) for line in lines), delimiter=SPACES)


def _first_line(path: Path, rules: TableRules) -> tuple[int, str, str, list[str]]:
    """Return the number of the first line that is no comment, that line, the one below it, and the comments above."""
    comments: list[str] = []
    with open_text(path) as file:
        for number, line in enumerate(iter(lambda: file.readline(MAX_LINE), ''), start=1):
            if len(line) == MAX_LINE:
                raise InputError(f'{path}: line {number} is longer than {MAX_LINE} characters: is no text table')
            if number > rules.before and line.strip():
                if not (rules.comments and line.startswith(rules.comments)):
                    return number, line, file.readline(MAX_LINE), comments
                if len(comments) < MOST_COMMENTS and (said := line.lstrip(f'{rules.comments} ').rstrip()):
                    comments.append(said)
    raise InputError(f'{path}: is empty')


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return text == ''
    return True


def read_table(path: Path, numbers: Sequence[str], rules: TableRules = LOGGED, texts: Sequence[str] = (),
               words: Mapping[str, float] | None = None) -> dict[str, np.ndarray]:
    """
    Return columns of a table by their names, each of shape (rows,); other columns are ignored.

    Rows with empty cells only are ignored, too.

    :param path: The file; its encoding is detected (`encoding_of`).
    :param numbers: Names of columns of numbers, which become arrays of floats.
    :param rules: The format of the table.
    :param texts: Names of columns of texts, which become arrays of str.
    :param words: Words in the table that stand for numbers.
    :raises InputError: If it cannot be read or is too large, a column is missing or appears twice, a cell is no number
        (file, line, column, value, what is allowed), a row is too short, or there is no row.
    """
    head = read_head(path, rules)
    _check_size(path)
    if rules.decimal is None and head.delimiter == ',':
        rules = rules._replace(decimal='.')
    places = {name: _place(name, head, path) for name in (*numbers, *texts)}
    found = _read_at_once(path, head, rules, [places[name] for name in numbers])
    table = None if found is None else dict(zip(numbers, found.T)) | _texts_at_once(path, head, rules, texts)
    if table is None or len({len(column) for column in table.values()}) > 1:
        table = _read_by_cells(path, head, rules, places, _CellParser(path, rules, words or {}, texts))
    rows = len(next(iter(table.values()), ()))
    if not (rows or rules.may_be_empty):
        raise InputError(f'{path}: has a header and no rows')
    if rules.cells == 'gaps':
        for name in numbers:
            table[name][~np.isfinite(table[name])] = np.nan
    return table


def cell_fault(path: Path, row: int, name: str, allowed: str, rules: TableRules = LOGGED) -> InputError:
    """
    Return the error for a cell with a wrong number, with its line and its text.

    :param row: Row in the arrays of `read_table`, from 0.
    :param allowed: Text for what is allowed, such as `must rise`.
    """
    head = read_head(path, rules)
    line, cells = _row(path, head, rules, row)
    return InputError(f'{path}: line {line}: column {name!r} is {cells[head.names.index(name)]!r}; {allowed}')


def _check_size(path: Path) -> None:
    size = path.stat().st_size
    if size > MAX_BYTES:
        raise InputError(f'{path}: has {size / 1e9:.1f} GB; a table may have {MAX_BYTES / 1e9:.1f} GB at most')
    if size > 2 * MAX_ROWS:    # Each row has at least two bytes.
        with path.open('rb') as file:
            lines = sum(block.count(b'\n') for block in iter(lambda: file.read(MAX_LINE), b''))
        if lines > MAX_ROWS:
            raise InputError(f'{path}: has {lines} lines; a table may have {MAX_ROWS} at most')


def _place(name: str, head: TableHead, path: Path) -> int:
    count = head.names.count(name)
    if count == 1:
        return head.names.index(name)
    if count:
        raise InputError(f'{path}: line {head.line}: {count} columns are called {name!r}; each name must stand once')
    close = difflib.get_close_matches(name, head.names, n=1)
    hint = f'; did you mean {close[0]!r}?' if close else '.'
    there = ', '.join(repr(other) for other in head.names[:NAMES_SHOWN])
    more = f' and {len(head.names) - NAMES_SHOWN} more' if len(head.names) > NAMES_SHOWN else ''
    raise InputError(f'{path}: line {head.line}: has no column {name!r}{hint} There are: {there}{more}')


def _read_at_once(path: Path, head: TableHead, rules: TableRules, places: list[int]) -> np.ndarray | None:
    """Return columns of plain numbers, shape (rows, columns); None if there are other cells, or no rows."""
    found = None if rules.decimal == ',' else _loaded(path, head, rules, places, encoding_of(path))
    if found is not None or rules.cells != 'gaps' or head.delimiter == SPACES or not places:
        return found
    has_commas = rules.decimal == ',' or (rules.decimal is None and any(
        ',' in row[place] for row in first_rows(path, BLOCK, rules) for place in places if place < len(row)))
    if has_commas and head.delimiter == ',':
        return None
    try:
        with tempfile.NamedTemporaryFile('w', encoding=UTF_8, newline='') as copy:
            _copy_plain(path, copy, head.delimiter, has_commas)
            found = _loaded(Path(copy.name), head, rules, places, UTF_8)
    except OSError:  # no room for it
        return None
    return None if found is None or np.isnan(found).all(axis=1).any() else found


def _copy_plain(path: Path, copy: Any, delimiter: str, has_commas: bool) -> None:
    """
    Copy a table with nan in its empty cells and, if it has decimal commas, with these for points and points for commas.

    So a number that has both, or a point in a table of commas, stays none.
    """
    signs = str.maketrans(',.', '.,') if has_commas else {}
    d, gap = delimiter, f'{delimiter}nan{delimiter}'
    ends = [(f'{d}{end}', f'{d}nan{end}') for end in ('\r', '\n')]
    with open_text(path) as file:
        while lines := ''.join(file.readlines(MAX_LINE)):
            lines = f'\n{lines.translate(signs) if signs else lines}'.replace(f'\n{d}', f'\nnan{d}')
            for empty, filled in ((2 * d, gap), (2 * d, gap), *ends):
                lines = lines.replace(empty, filled)
            copy.write(lines[1:])
    copy.flush()


def _loaded(path: Path, head: TableHead, rules: TableRules, places: list[int], encoding: str) -> np.ndarray | None:
    """Return columns of plain numbers as numpy reads them, shape (rows, columns); None where it does not."""
    last = len(head.names) - 1
    ends = [] if rules.cells == 'gaps' or last in places else [last]  # To check that each row is complete.
    try:
        with warnings.catch_warnings():
            warnings.simplefilter('ignore', UserWarning)  # For an empty table, which read_table reports.
            # With the path instead of an open file numpy reads blocks, not lines.
            found = np.loadtxt(path, delimiter=_of_numpy(head), skiprows=head.line + rules.skip, usecols=places + ends,
                               ndmin=2,
                               converters=dict.fromkeys(ends, lambda _: 0.0), quotechar='"',
                               comments=rules.comments or None, encoding=encoding)
    except (ValueError, IndexError):
        return None
    found = found[:, :len(places)]
    if not found.size or (rules.cells == 'finite' and not np.isfinite(found).all()):
        return None
    return found


def _of_numpy(head: TableHead) -> str | None:
    """Return a delimiter as numpy has it: None is any white space."""
    return None if head.delimiter == SPACES else head.delimiter


def _texts_at_once(path: Path, head: TableHead, rules: TableRules, names: Sequence[str]) -> dict[str, np.ndarray]:
    """Return columns of texts of a table whose other columns were read at once; empty ones if a row has none."""
    if not names:
        return {}
    try:
        found = np.loadtxt(path, dtype=object, delimiter=_of_numpy(head), skiprows=head.line + rules.skip,
                           usecols=[head.names.index(name) for name in names], ndmin=2, quotechar='"',
                           comments=rules.comments or None, encoding=encoding_of(path), converters=str)
    except (ValueError, IndexError):
        found = np.empty((0, len(names)), dtype=object)
    return dict(zip(names, found.T))


def first_rows(path: Path, count: int, rules: TableRules = LOGGED) -> list[list[str]]:
    """
    Return the cells of the first rows of a table.

    :raises InputError: If the file cannot be read or has no header.
    """
    return list(itertools.islice(rows_of(path, rules), count))


def rows_of(path: Path, rules: TableRules = LOGGED) -> Iterator[list[str]]:
    """Yield the cells of the rows of a table; InputError as `first_rows`."""
    return (cells for _, cells in _rows(path, read_head(path, rules), rules))


def _rows(path: Path, head: TableHead, rules: TableRules) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and the cells of each row that is neither empty nor a comment."""
    with open_text(path) as file:
        lines = _cells(itertools.islice(file, head.line + rules.skip, None), head.delimiter)
        try:
            for cells in lines:
                if not cells or not (cells[0].strip() or any(map(str.strip, cells))):
                    continue
                if not (rules.comments and cells[0].startswith(rules.comments)):
                    yield head.line + rules.skip + lines.line_num, cells
        except csv.Error as error:
            raise InputError(f'{path}: line {head.line + rules.skip + lines.line_num}: is no row of a table: '
                             f'{error}') from None


def _row(path: Path, head: TableHead, rules: TableRules, row: int) -> tuple[int, list[str]]:
    """Return the line and the cells of one row, counted from 0."""
    return next(itertools.islice(_rows(path, head, rules), row, None))


def _read_by_cells(path: Path, head: TableHead, rules: TableRules, places: Mapping[str, int],
                   parser: '_CellParser') -> dict[str, np.ndarray]:
    """Return columns, read cell by cell."""
    parts: dict[str, list[np.ndarray]] = {name: [] for name in places}
    least = max(places.values()) + 1 if rules.cells == 'gaps' else len(head.names)
    rows = _rows(path, head, rules)
    begin = 0
    while block := [cells for _, cells in itertools.islice(rows, BLOCK)]:
        short = next((row for row, cells in enumerate(block) if len(cells) < least), None)
        if short is not None:
            if rules.cells != 'gaps' or short + 1 < len(block) or next(rows, None) is not None:
                line, cells = _row(path, head, rules, begin + short)
                raise InputError(f'{path}: line {line}: {counted(len(cells), "cell")}; the header has '
                                 f'{len(head.names)}')
            del block[short]
        for name, place in places.items():
            parts[name].append(parser.array(name, [cells[place] for cells in block], begin))
        begin += len(block)
    return {name: np.concatenate(part) if part else np.array([]) for name, part in parts.items()}


class _CellParser:
    """Converts cells to numbers by the rules of a table."""

    def __init__(self, path: Path, rules: TableRules, words: Mapping[str, float], texts: Sequence[str]) -> None:
        self.path, self.rules, self.words, self.texts = path, rules, words, frozenset(texts)
        self.decimal = rules.decimal
        self.has_points = False

    def array(self, name: str, cells: Sequence[str], begin: int) -> np.ndarray:
        """Return a column's cells as an array; the first cell is in row `begin` of the table."""
        if name in self.texts:
            return np.array(cells, dtype=object)
        try:
            values = np.array(self._plain(cells), dtype=float)
        except ValueError:
            values = np.array([self._number(name, cell, begin + row) for row, cell in enumerate(cells)])
        if self.rules.cells == 'finite' and not np.isfinite(values).all():
            raise self._fault(name, begin + int(np.argmin(np.isfinite(values))), 'must be a finite number')
        return values

    def _plain(self, cells: Sequence[str]) -> Sequence[str]:
        """Return cells with decimal points and without gaps; ValueError if each cell must be checked separately."""
        if self.decimal != '.':
            signs = {sign for sign in ',.' if any(sign in cell for cell in cells)}
            if self.decimal is None and ',' in signs:
                self.decimal = '.' if self.has_points else ','
            self.has_points = self.has_points or '.' in signs
            if self.decimal == ',' and '.' in signs:
                raise ValueError
            if self.decimal == ',':
                cells = [cell.replace(',', '.') for cell in cells]
        return [cell or 'nan' for cell in cells] if self.rules.cells == 'gaps' else cells

    def _number(self, name: str, cell: str, row: int) -> float:
        text = cell.strip()
        if text in self.words:
            return self.words[text]
        if self.rules.cells == 'gaps' and text.lower() in MISSING:
            return np.nan
        hint = ' (a decimal comma? a column map says so by `decimal: ","`)' if ',' in text else ''
        if self.decimal == ',':
            if self.rules.decimal is None and '.' in text and not COMMA_AND_POINTS.fullmatch(text):
                return self._stray(name, cell, row, 'must have a decimal comma, as other numbers of the table have (a '
                                   'column map says which sign it is by `decimal`)')
            text = text.replace('.', '').replace(',', '.')
        if (text[:1] in LETTERS or text[-1:] in LETTERS) and (degrees := degrees_of_text(text)) is not None:
            return degrees
        try:
            return float(text.partition(self.rules.comments)[0] if self.rules.comments else text)
        except ValueError:
            allowed = ', '.join(['a finite number' if self.rules.cells == 'finite' else 'a number', *self.words])
        return self._stray(name, cell, row, f'must be {allowed}{hint}')

    def _stray(self, name: str, cell: str, row: int, allowed: str) -> float:
        """Return NaN for a cell that is no number, where a few may be; else raise its fault."""
        strays = self.rules.strays
        if strays is None or len(strays) >= STRAYS + row // ROWS_A_STRAY:
            raise self._fault(name, row, allowed)
        strays.append(f'{cell!r} of {name!r} in row {row + 1}')
        return np.nan

    def _fault(self, name: str, row: int, allowed: str) -> InputError:
        return cell_fault(self.path, row, name, allowed, self.rules)


def degrees_of_text(text: str) -> float | None:
    """
    Return the degrees of a latitude or longitude as people and receivers write it; None where a text is none.

    `45 30.2012 N`, `45°30'12.1"N`, and `4530.2012N` as NMEA 0183 has it; south and west are negative.
    """
    found = OF_MERIDIANS.fullmatch(text)
    if found is None:
        return None
    degrees, minutes, seconds = (float(part or 0.0) for part in found.groups()[1:4])
    if minutes == seconds == 0.0 and degrees > 360.0:
        degrees, minutes = degrees // 100.0, degrees % 100.0
    if minutes >= 60.0 or seconds >= 60.0:
        return None
    return (degrees + minutes / 60.0 + seconds / 3600.0) * (-1.0 if (found[1] or found[5]) in 'SW' else 1.0)
