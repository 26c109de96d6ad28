"""
HYPACK's planned lines (.lnw): survey lines of metres on a grid, which the file does not name.

Source: HYPACK, LNW file format: `LNS` number of lines, for which SAT Planner writes `LNW 1.0`; of each `LIN` number of
points, `PTS` east north, `LNN` name, `EOL`.
"""

from pathlib import Path

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.missions.itinerary import Waypoint, items_from_waypoints
from usv_energy.missions.mission import LocalPlace, Mission, check_item_count

HEADERS = ('LNS', 'LNW ')
NUMBERS = 3  # Of a line PTS: the word, east, north.


def read_lnw(text: str, path: Path) -> Mission:
    """
    Return the mission along all planned lines, each from its nearer end.

    Places are metres from the first point: on which grid the file's coordinates are, it does not say.

    :param text: The file's content.
    :param path: Of the file, for errors.
    :raises InputError: If a line of it is wrong: file, line, what is allowed.
    """
    lines: list[tuple[str, list[tuple[float, float]]]] = []
    for number, row in enumerate(text.splitlines(), start=1):
        words = row.split()
        if not words or words[0] not in ('LIN', 'PTS', 'LNN'):
            continue
        if words[0] == 'LIN':
            lines.append(('', []))
        elif not lines:
            raise InputError(f'{path}: line {number}: {words[0]} stands before the first LIN')
        elif words[0] == 'LNN':
            lines[-1] = (' '.join(words[1:]), lines[-1][1])
        else:
            lines[-1][1].append(_point(words, f'{path}: line {number}'))
    lines = [(name, points) for name, points in lines if points]
    if not lines:
        raise InputError(f'{path}: holds no planned line with points (LIN, PTS)')
    check_item_count(sum(len(points) for _, points in lines), path)
    first = lines[0][1][0]
    waypoints: list[Waypoint] = []
    at = first
    for name, points in lines:
        ordered = points if _way(at, points[0]) <= _way(at, points[-1]) else points[::-1]
        waypoints += [Waypoint(LocalPlace(east - first[0], north - first[1]), len(waypoints) + place, name=name)
                      for place, (east, north) in enumerate(ordered, start=1)]
        at = ordered[-1]
    remarks = (f'{len(lines)} planned lines, each from its nearer end; places are metres from the first point, '
               f'{first[0]:.2f} east and {first[1]:.2f} north on a grid that the file does not name',)
    return Mission(path.stem, items_from_waypoints(waypoints), path, remarks=remarks)


def _point(words: list[str], where: str) -> tuple[float, float]:
    try:
        east, north = (float(word) for word in words[1:NUMBERS])
    except ValueError:
        raise InputError(f'{where}: {" ".join(words)[:60]!r} must be PTS, m east and m north') from None
    if not np.isfinite((east, north)).all() or max(abs(east), abs(north)) > 1e8:
        raise InputError(f'{where}: {" ".join(words)[:60]!r} must be metres')
    return east, north


def _way(one: tuple[float, float], other: tuple[float, float]) -> float:
    return float(np.hypot(one[0] - other[0], one[1] - other[1]))
