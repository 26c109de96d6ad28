"""Checked values of JSON and XML, and the mission in a map's lines and points."""

import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, NamedTuple

from usv_energy.earth import Place
from usv_energy.files.errors import InputError
from usv_energy.files.parsed_text import Element
from usv_energy.missions.itinerary import Waypoint, items_from_waypoints
from usv_energy.missions.mission import Mission, check_item_count

ALL = 'all'


class MapPoint(NamedTuple):
    """A point of a map; `waypoint` is what our own extensions say of it, as in Waypoint."""

    place: Place
    name: str = ''
    waypoint: Waypoint | None = None


class MapLine(NamedTuple):
    """
    A line of a map: its kind (`route`, `track` ...), its name, empty if it has none, and its points in order.

    `holes`: of a polygon, the inner rings.
    """

    kind: str
    name: str
    points: Sequence[MapPoint]
    holes: Sequence[Sequence[MapPoint]] = ()


class MapContent(NamedTuple):
    """What a map holds: lines, points that belong to no line; home, speed and departure if it gives them; remarks."""

    lines: Sequence[MapLine]
    points: Sequence[MapPoint]
    home: Place | None = None
    speed: float | None = None
    remarks: Sequence[str] = ()
    departure: datetime | None = None


def checked_number(value: Any, where: str) -> float:
    """Return a value of a file as a finite number; InputError, which begins with `where`, if it is not one."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if math.isfinite(number):
            return number
    raise InputError(f'{where} is {json_excerpt(value)}; must be a finite number')


def checked_mapping(value: Any, where: str) -> dict[str, Any]:
    """Return a value of a file if it is a mapping; else raise InputError, which begins with `where`."""
    if isinstance(value, dict):
        return value
    raise InputError(f'{where} is {json_excerpt(value)}; must be a mapping ({{...}})')


def checked_list(value: Any, where: str) -> list[Any]:
    """Return a value of a file if it is a list; else raise InputError, which begins with `where`."""
    if isinstance(value, list):
        return value
    raise InputError(f'{where} is {json_excerpt(value)}; must be a list ([...])')


def json_excerpt(value: Any) -> str:
    """Return a value as JSON, shortened."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f'{text[:57]}...'


def text_of(element: Element, child: str) -> str:
    """Return the text of a child, empty if there is none."""
    return (element.findtext(child) or '').strip()


def number_of_text(text: str | None, where: str) -> float:
    """Return a text as a finite number; InputError, which begins with `where`, if it is not one."""
    try:
        value = float(text or '')
        if math.isfinite(value):
            return value
    except ValueError:
        pass
    raise InputError(f'{where} is {json_excerpt(text)}; must be a finite number')


def children(element: Element, *tags: str) -> Iterator[Element]:
    """Yield an element's children with one of some names."""
    return (child for child in element if child.tag in tags)


def moment_of_text(text: str, where: str) -> datetime:
    """
    Return a moment as XML has it, in UTC where it says no zone.

    :raises InputError: If it is none: where, value, what is allowed.
    """
    try:
        six_digits = re.sub(r'\.(\d+)', lambda found: f'.{found[1]:0<6.6}', text)  # Python 3.10 takes 3 or 6.
        moment = datetime.fromisoformat(six_digits.replace('Z', '+00:00'))
    except ValueError:
        raise InputError(f'{where} is {text!r}; must be a date and time, such as 2026-06-01T09:00:00Z') from None
    return moment.replace(tzinfo=timezone.utc) if moment.tzinfo is None else moment


def mission_of_map(content: MapContent, path: Path, part: str | None = None) -> Mission:
    """
    Return the mission in a map.

    The mission follows the map's only line or, if there is no line, visits all points in their order.

    :param path: Of the file, for errors.
    :param part: Which line, if there are several: its name, its number from 1 on, or `all` for one after the other.
    :raises InputError: If the map has no line and no point, or several lines and none is chosen.
    """
    lines = [line for line in content.lines if line.points]
    remarks = list(content.remarks)
    holes: list[Sequence[MapPoint]] = []
    if not lines:
        if not content.points:
            raise InputError(f'{path}: holds no line and no point; a mission needs places to go to')
        name, points = '', content.points
    else:
        name, points, holes = _chosen_line(lines, part, path)
        if content.points:
            remarks.append(f'{len(content.points)} points beside the {lines[0].kind} are left out')
    if holes:
        remarks.append(f'{len(holes)} {"hole" if len(holes) == 1 else "holes"} of the area left out')
    check_item_count(len(points), path)
    waypoints = [point.waypoint or Waypoint(point.place, number, name=point.name)
                 for number, point in enumerate(points, start=1)]
    return Mission(name or path.stem, items_from_waypoints(waypoints), path, content.home, speed=content.speed,
                   remarks=tuple(remarks), holes=tuple(tuple(point.place for point in hole) for hole in holes),
                   departure=content.departure)


def _chosen_line(lines: Sequence[MapLine], part: str | None,
                 path: Path) -> tuple[str, list[MapPoint], list[Sequence[MapPoint]]]:
    """Return the name, the points and the holes of the chosen line."""
    if part == ALL:
        return '', [point for line in lines for point in line.points], [hole for line in lines for hole in line.holes]
    if part is not None:
        lines = _lines_of_name(lines, part, path)
    if len(lines) > 1:
        raise InputError(f'{path}: holds {len(lines)} lines: {_listing(lines)}; choose one with --part, by its name or '
                         f'number, or {ALL} for one after the other')
    return lines[0].name, list(lines[0].points), list(lines[0].holes)


def _lines_of_name(lines: Sequence[MapLine], part: str, path: Path) -> Sequence[MapLine]:
    found = [line for line in lines if line.name == part]
    if not found and part.isdecimal() and 1 <= int(part[:9]) <= len(lines):
        found = [lines[int(part[:9]) - 1]]
    if not found:
        raise InputError(f'{path}: holds no line {part!r}; there are: {_listing(lines)}')
    return found


def _listing(lines: Iterable[MapLine], shown: int = 8) -> str:
    texts = [f'{number} {line.name or line.kind}'[:40] for number, line in enumerate(lines, start=1)]
    return ', '.join(texts[:shown]) + (f' and {len(texts) - shown} more' if len(texts) > shown else '')
