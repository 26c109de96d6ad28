"""Times of day as text, `2025/04/11 11:15:45.434069383`, as seconds; fractions that lost their leading zeros, too."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np

from usv_energy.files.errors import InputError

STAMP = re.compile(r'(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})[ T](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,](\d+))?(Z|[+-]00:?00)?')
NANOSECONDS = 9  # Digits of a fraction that counts nanoseconds.


class CalendarTime(NamedTuple):
    """Seconds since 1970 in UTC, shape (n,), and in how many stamps a fraction's leading zeros were put back."""

    seconds: np.ndarray
    mended: int = 0


def calendar_time(texts: Sequence[str], path: Path, column: str) -> CalendarTime:
    """
    Return stamps as seconds.

    Some programs write the fraction of a second as a count of nanoseconds without its leading zeros: 10.97739016 is
    then 0.097739016 s after 10 s, not 0.977 s. Where time goes back less often if the text is read so, the zeros are
    put back.

    :param texts: `2025/04/11 11:15:45.434`, or with `-` and `T` (ISO 8601); UTC, or any one zone without a name.
    :param path: Of the table, for errors.
    :param column: Its column, for errors.
    :raises InputError: If a text is no such time: file, column, row, text.
    """
    whole, fractions, digits = [], [], []
    for row, text in enumerate(texts, start=1):
        found = STAMP.fullmatch(text.strip())
        try:
            if found is None:
                raise ValueError
            year, month, day, hour, minute, second = map(int, found.groups()[:6])
            whole.append(datetime(year, month, day, hour, minute, second, tzinfo=UTC).timestamp())
        except ValueError:
            raise InputError(f'{path}: column {column!r}, row {row}: {text!r} is no time; must be like '
                             "'2025/04/11 11:15:45.434'") from None
        fraction = found.group(7) or ''
        digits.append(len(fraction))
        fractions.append((float(f'0.{fraction or 0}'), int(fraction or 0) * 10.0**-NANOSECONDS))
    plain, counted = (np.array(whole) + np.array([pair[which] for pair in fractions]) for which in (0, 1))
    short = np.array(digits) < NANOSECONDS
    if max(digits, default=0) == NANOSECONDS and short.any() and _back(counted) < _back(plain):
        return CalendarTime(counted, int(short.sum()))
    return CalendarTime(plain)


def _back(seconds: np.ndarray) -> int:
    """Return how often time goes back."""
    return int((np.diff(seconds) < 0.0).sum())
