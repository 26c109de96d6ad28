"""The columns of a delimited text file as numbers, by the names in its header."""

import csv
import difflib
import io
import itertools
import re
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..files.errors import InputError
from ..files.text_file import encoding_of, kind_without_text, open_text

DELIMITERS = (',', ';', '\t')
MISSING = frozenset(('', 'nan', 'na', 'n/a', 'null', 'none', '-nan', 'inf', '-inf'))
SHOWN = 12


class Header(NamedTuple):
    """Names of the columns, the character between them, and the lines before the first row of numbers."""

    names: list[str]
    delimiter: str
    lines: int


def read_header(path: Path, delimiter: str | None = None) -> Header:
    """
    Return the header of a table: its first line that is neither empty nor starts with `#`.

    :param delimiter: Between columns; found in the header where None.
    :raises InputError: If the file cannot be read, is empty, or starts with numbers.
    """
    if kind := kind_without_text(path):
        raise InputError(f'{path}: is {kind}; must be a table, or another log')
    with open_text(path) as file:
        lines = ((number, line) for number, line in enumerate(file, start=1) if line.strip() and line[0] != '#')
        number, line = next(lines, (0, ''))
    if not number:
        raise InputError(f'{path}: is empty')
    if '\0' in line:
        raise InputError(f'{path}: is no text table')
    delimiter = delimiter or max(DELIMITERS, key=re.sub('"[^"]*"', '', line).count)
    names = [name.strip() for name in next(csv.reader([line], delimiter=delimiter))]
    if all(_is_number(name) for name in names):
        raise InputError(f'{path}: line {number} holds numbers only ({line.strip()[:60]}); a table needs a first line '
                         'with the names of its columns')
    return Header(names, delimiter, number)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return text == ''
    return True


def read_table(path: Path, wanted: Sequence[str], delimiter: str | None = None,
               decimal: str = '.') -> dict[str, np.ndarray]:
    """
    Return columns of a table, each of shape (rows,); an empty cell, `nan` or `null` is NaN.

    :param path: The file; one that ends within a row loses that row.
    :param wanted: Names of columns.
    :param delimiter: Between columns; found in the header where None.
    :param decimal: Of numbers, a point or a comma.
    :raises InputError: If a column is missing or stands twice, a cell is no number (file, line, column, value), or
        there is no row.
    """
    header = read_header(path, delimiter)
    places = [_place(name, header, path) for name in wanted]
    if decimal == '.':
        try:
            with warnings.catch_warnings():
                warnings.simplefilter('ignore', UserWarning)  # of no data: said below
                # By its path, not opened here: numpy then reads blocks, not lines.
                values = np.loadtxt(path, delimiter=header.delimiter, skiprows=header.lines, usecols=places, ndmin=2,
                                    quotechar='"', comments='#', encoding=encoding_of(path))
        except (ValueError, IndexError):
            values = _slowly(path, header, places, wanted, decimal)
    else:
        values = _slowly(path, header, places, wanted, decimal)
    if not values.size:
        raise InputError(f'{path}: has a header and no rows')
    values[~np.isfinite(values)] = np.nan
    return {name: values[:, number] for number, name in enumerate(wanted)}


def _place(name: str, header: Header, path: Path) -> int:
    count = header.names.count(name)
    if count == 1:
        return header.names.index(name)
    if count:
        raise InputError(f'{path}: line {header.lines}: {count} columns are called {name!r}; each name must stand once')
    close = difflib.get_close_matches(name, header.names, n=1)
    hint = f'; did you mean {close[0]!r}?' if close else '.'
    there = ', '.join(repr(other) for other in header.names[:SHOWN])
    more = f' and {len(header.names) - SHOWN} more' if len(header.names) > SHOWN else ''
    raise InputError(f'{path}: has no column {name!r}{hint} There are: {there}{more}')


def _slowly(path: Path, header: Header, places: Sequence[int], wanted: Sequence[str], decimal: str) -> np.ndarray:
    """Read cell by cell, to take gaps in the table, and to name the cell that is no number."""
    rows: list[list[float]] = []
    if kind := kind_without_text(path):
        raise InputError(f'{path}: is {kind}; must be a table, or another log')
    with open_text(path) as file:
        lines = itertools.islice(file, header.lines, None)
        cut: str | None = None
        for number, line in enumerate(lines, start=header.lines + 1):
            if not line.strip() or line.startswith('#'):
                continue
            if cut is not None:
                raise InputError(cut)
            cells = next(csv.reader(io.StringIO(line), delimiter=header.delimiter))
            if len(cells) < len(header.names) and max(places) >= len(cells):
                cut = f'{path}: line {number}: {len(cells)} cells; the header has {len(header.names)}'
                continue
            rows.append([_number(cells[place], decimal, path, number, name) for place, name in zip(places, wanted)])
    return np.array(rows, dtype=float).reshape(-1, len(places))


def _number(cell: str, decimal: str, path: Path, line: int, column: str) -> float:
    text = cell.strip() if decimal == '.' else cell.strip().replace('.', '').replace(',', '.')
    if text.lower() in MISSING:
        return np.nan
    try:
        return float(text)
    except ValueError:
        hint = ' (a decimal comma? the column map says so by `decimal: ","`)' if ',' in text else ''
        raise InputError(f'{path}: line {line}: column {column!r} is {cell!r}; must be a number{hint}') from None
