"""Columns of numbers in a table of comma-separated values, by the names in its first line."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from ..files.errors import InputError
from ..files.text_file import csv_cells


def number_columns(path: Path, names: Sequence[str], words: Mapping[str, float] | None = None) -> list[np.ndarray]:
    """
    Return the columns of these names, one array each, all of a length; other columns are passed over.

    :param path: The table's file.
    :param names: As they stand in its first line.
    :param words: That stand for numbers, as they are written.
    :raises InputError: If it cannot be read, or lacks a column; if a value is no number (`nan` and `inf` are). It
        names file, line, column and value.
    """
    lines = csv_cells(path)
    header = lines[0] if lines else []
    for name in names:
        if name not in header:
            raise InputError(f'{path}: line 1: has no column {name!r}')
    places = [header.index(name) for name in names]
    rows = [[_number(path, line, name, cells[place] if place < len(cells) else '', words or {})
             for name, place in zip(names, places)] for line, cells in enumerate(lines[1:], start=2)]
    return list(np.array(rows, dtype=float).reshape(-1, len(names)).T)


def _number(path: Path, line: int, name: str, text: str, words: Mapping[str, float]) -> float:
    try:
        return words[text] if text in words else float(text)
    except ValueError:
        raise InputError(f'{path}: line {line}: {name} is {text!r}; must be a number') from None
