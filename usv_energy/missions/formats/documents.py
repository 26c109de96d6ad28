"""JSON and XML of people's files, and the lines and points that maps hold."""

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree
from xml.parsers import expat

from usv_energy.earth import Place
from usv_energy.files.errors import InputError
from usv_energy.missions.itinerary import Waypoint, items_from_waypoints
from usv_energy.missions.mission import Mission, check_number


def parsed_json(text: str, path: Path) -> Any:
    """
    Return what a text of JSON says.

    :param path: Of the file that holds it, for errors.
    :raises InputError: If it is no JSON, or gives a key twice.
    """
    try:
        return json.loads(text, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise InputError(f'{path}: line {error.lineno} is wrong JSON: {error.msg}') from None
    except InputError as error:
        raise InputError(f'{path}: {error}') from None
    except (ValueError, RecursionError) as error:  # a number of 5000 digits; lists in lists a thousand deep
        raise InputError(f'{path}: is wrong JSON: {error}') from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        keys = [key for key, _ in pairs]
        raise InputError(f'the key {next(key for key in keys if keys.count(key) > 1)!r} is given twice')
    return values


def a_number(value: Any, where: str) -> float:
    """Return a value of a file as a finite number; InputError, which begins with `where`, if it is none."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if math.isfinite(number):
            return number
    raise InputError(f'{where} is {shown(value)}; must be a finite number')


def a_mapping(value: Any, where: str) -> dict[str, Any]:
    """Return a value of a file that is a mapping; InputError, which begins with `where`, if it is none."""
    if isinstance(value, dict):
        return value
    raise InputError(f'{where} is {shown(value)}; must be a mapping ({{...}})')


def a_list(value: Any, where: str) -> list[Any]:
    """Return a value of a file that is a list; InputError, which begins with `where`, if it is none."""
    if isinstance(value, list):
        return value
    raise InputError(f'{where} is {shown(value)}; must be a list ([...])')


def shown(value: Any) -> str:
    """Return a value as JSON, shortened."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f'{text[:57]}...'


Element = ElementTree.Element


def parsed_xml(content: bytes, path: Path) -> Element:
    """
    Return the root of an XML document, its elements' names without their namespaces.

    :param content: In whatever encoding it says.
    :param path: Of the file that holds it, for errors.
    :raises InputError: If it is no XML, or declares entities.
    """
    try:
        check = expat.ParserCreate()
        check.EntityDeclHandler = _refuse
        check.Parse(content, True)
        root = ElementTree.fromstring(content)
    except InputError as error:
        raise InputError(f'{path}: {error}') from None
    except (expat.ExpatError, ElementTree.ParseError) as error:
        raise InputError(f'{path}: is wrong XML: {error}') from None
    except (ValueError, LookupError) as error:  # an encoding that there is not
        raise InputError(f'{path}: is wrong XML: {error}') from None
    for element in root.iter():
        element.tag = str(element.tag).rpartition('}')[2]
    return root


def _refuse(name: str, *_: object) -> None:
    raise InputError(f'declares the entity {name[:40]!r}; a map needs none, and none is allowed')


def text_of(element: Element, child: str) -> str:
    """Return the text of a child, empty if there is none."""
    return (element.findtext(child) or '').strip()


def number_of(text: str | None, where: str) -> float:
    """Return a text as a finite number; InputError, which begins with `where`, if it is none."""
    try:
        value = float(text or '')
        if value - value == 0.0:
            return value
    except ValueError:
        pass
    raise InputError(f'{where} is {shown(text)}; must be a finite number')


def children(element: Element, *tags: str) -> Iterator[Element]:
    """Give an element's children of some names."""
    return (child for child in element if child.tag in tags)


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
