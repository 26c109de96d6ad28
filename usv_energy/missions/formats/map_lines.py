"""What files of maps hold (GPX, KML, GeoJSON): lines and points with names; which of them is the mission."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from ...earth import Place
from ...files.errors import InputError
from ..items_from_waypoints import items_from_waypoints
from ..itinerary import Waypoint
from ..mission import Mission, check_number

ALL = 'all'


class MapPoint(NamedTuple):
    """A point of a map, and what we have written there of what a boat does at it: as in Waypoint."""

    place: Place
    name: str = ''
    waypoint: Waypoint | None = None


class MapLine(NamedTuple):
    """A line of a map: what it is (`route`, `track` ...), its name, empty if it has none, and its points in order."""

    kind: str
    name: str
    points: Sequence[MapPoint]


class MapContent(NamedTuple):
    """What a map holds: its lines, the points that stand for themselves, home if it says so, and remarks."""

    lines: Sequence[MapLine]
    points: Sequence[MapPoint]
    home: Place | None = None
    speed: float | None = None
    remarks: Sequence[str] = ()


def mission_of_map(content: MapContent, path: Path, part: str | None = None) -> Mission:
    """
    Return the mission in a map.

    It is the only line there is, or all points in their order where there is no line.

    :param path: Of the file, for errors.
    :param part: Which line, where there are several: its name, its number from 1 on, or `all` for one after the other.
    :raises InputError: If it holds nothing to go along, or several lines of which none is chosen.
    """
    lines = [line for line in content.lines if line.points]
    remarks = list(content.remarks)
    if not lines:
        if not content.points:
            raise InputError(f'{path}: holds no line and no point; a mission needs places to go to')
        name, points = '', content.points
    else:
        name, points = _chosen(lines, part, path)
        if content.points:
            remarks.append(f'{len(content.points)} points beside the {lines[0].kind} are left out')
    check_number(len(points), path)
    waypoints = [point.waypoint or Waypoint(point.place, number, name=point.name)
                 for number, point in enumerate(points, start=1)]
    return Mission(name or path.stem, items_from_waypoints(waypoints), path, content.home, speed=content.speed,
                   remarks=tuple(remarks))


def _chosen(lines: Sequence[MapLine], part: str | None, path: Path) -> tuple[str, list[MapPoint]]:
    if part == ALL:
        return '', [point for line in lines for point in line.points]
    if part is not None:
        lines = _named(lines, part, path)
    if len(lines) > 1:
        raise InputError(f'{path}: holds {len(lines)} lines: {_listed(lines)}; choose one with --part, by its name or '
                         f'number, or {ALL} for one after the other')
    return lines[0].name, list(lines[0].points)


def _named(lines: Sequence[MapLine], part: str, path: Path) -> Sequence[MapLine]:
    found = [line for line in lines if line.name == part]
    if not found and part.isdecimal() and 1 <= int(part[:9]) <= len(lines):
        found = [lines[int(part[:9]) - 1]]
    if not found:
        raise InputError(f'{path}: holds no line {part!r}; there are: {_listed(lines)}')
    return found


def _listed(lines: Iterable[MapLine], shown: int = 8) -> str:
    texts = [f'{number} {line.name or line.kind}'[:40] for number, line in enumerate(lines, start=1)]
    return ', '.join(texts[:shown]) + (f' and {len(texts) - shown} more' if len(texts) > shown else '')
