"""An acoustic modem as a file describes it, shipped in config/modems or a user's own: read and checked."""

import math
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from ...files import checked
from ...files.errors import InputError
from ...files.locate import resolve
from ...physics.acoustics.link import Modem

HALF_TURN = 180.0  # deg


class ModemFile(NamedTuple):
    """A modem's name, what it is in words, its file, and its numbers."""

    name: str
    description: str
    path: Path
    modem: Modem


def read_modem(name: str, beside: Path | None = None) -> ModemFile:
    """
    Return a modem by its name in config/modems or by the path of its YAML file.

    :param beside: Folder of the file that names it, for relative paths.
    :raises InputError: If there is none, or its file is wrong: file, key, value, what is allowed.
    """
    path = resolve('modems', name, beside)
    document = checked.read_yaml(path)
    checked.check(document, 'modem', path)
    given = document['modem']
    rows = given.pop('directivity', {}).get('rows', [])
    numbers = {key: float(value) for key, value in checked.values_of(given).items()}
    if numbers['bandwidth'] >= 2.0 * numbers['frequency']:
        raise InputError(f'{path}: modem.bandwidth is {numbers["bandwidth"]:g} Hz; must be below twice the frequency, '
                         f'{numbers["frequency"]:g} Hz, in its middle')
    _check_directivity(rows, path)
    modem = Modem(**numbers, angles=tuple(math.radians(angle) for angle, _ in rows),
                  gains=tuple(float(gain) for _, gain in rows))
    return ModemFile(document['name'], document.get('description', ''), path, modem)


def _check_directivity(rows: Sequence[Sequence[float]], path: Path) -> None:
    """Refuse a directivity whose angles do not rise from 0 to 180 degrees, or that gives more than its axis has."""
    angles = [angle for angle, _ in rows]
    if rows and (angles[0] != 0.0 or angles[-1] != HALF_TURN or any(a >= b for a, b in pairwise(angles))):
        raise InputError(f'{path}: modem.directivity.rows have the angles {angles}; must rise from 0 to 180 deg')
    for angle, gain in rows:
        if gain > 0.0:
            raise InputError(f'{path}: modem.directivity.rows give {gain:g} dB at {angle:g} deg; must be at most 0: '
                             'level is that of the loudest direction')
