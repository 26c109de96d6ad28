"""QGroundControl's plans (.plan): JSON with simple items, and complex ones (surveys, corridors), which hold others."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from usv_energy.earth import Place
from usv_energy.files.errors import InputError
from usv_energy.missions.formats.documents import a_list, a_mapping, a_number, shown
from usv_energy.missions.itinerary import Itinerary
from usv_energy.missions.mission import (
    JUMP,
    WAYPOINT,
    LocalPlace,
    Mission,
    MissionItem,
    check_number,
    checked_item,
    checked_place,
)

ARDUPILOT, SURFACE_BOAT = 3, 11       # MAV_AUTOPILOT, MAV_TYPE: what we say of a mission that comes from elsewhere
HOVERING = (2, 3, 4, 13, 14, 15, 29)  # MAV_TYPE of those whose speed is `hoverSpeed`
KNOWN = ('type', 'command', 'params', 'frame', 'autoContinue', 'doJumpId', 'coordinate')
Numbers = Mapping[int, int]


def read_plan(document: dict[str, Any], path: Path) -> Mission:
    """
    Return the mission of a plan.

    Of a survey or a corridor, the items that QGroundControl made of it are taken, or the points of its transects where
    it made none. What a jump names, which is an item's doJumpId in the file, becomes the item's number.

    :param document: The file's content.
    :param path: Of the file, for errors.
    :raises InputError: If a value is wrong: file, key, value, what is allowed.
    """
    mission = a_mapping(document.get('mission'), f'{path}: mission')
    entries = a_list(mission.get('items'), f'{path}: mission.items')
    check_number(len(entries), path)
    reading = _Reading(path)
    for number, entry in enumerate(entries):
        reading.add(entry, f'{path}: mission.items[{number}]')
    home = _home(mission.get('plannedHomePosition'), f'{path}: mission.plannedHomePosition')
    return Mission(
        path.stem, tuple(reading.with_numbers_to_jump_to()), path, *home, speed=_speed(mission, path),
        surveys=tuple(reading.surveys), remarks=tuple(reading.remarks),
        plan={'top': {key: value for key, value in document.items() if key != 'mission'},
              'mission': {key: value for key, value in mission.items() if key not in ('items', 'plannedHomePosition')}})


def _home(value: Any, where: str) -> tuple[Place | None, float]:
    if value is None:
        return None, 0.0
    if isinstance(value, dict):  # as plans had it once: an item
        value = value.get('coordinate')
    values = a_list(value, where)
    if not 2 <= len(values) <= 3:
        raise InputError(f'{where} is {shown(values)}; must be [latitude, longitude, altitude]')
    latitude, longitude = (a_number(inner, where) for inner in values[:2])
    altitude = a_number(values[2], where) if len(values) == 3 and values[2] is not None else 0.0
    return (None if latitude == longitude == 0.0 else checked_place(latitude, longitude, where)), altitude


def _speed(mission: dict[str, Any], path: Path) -> float | None:
    key = 'hoverSpeed' if mission.get('vehicleType') in HOVERING else 'cruiseSpeed'
    value = mission.get(key)
    speed = None if value is None else a_number(value, f'{path}: mission.{key}')
    return speed if speed is not None and speed > 0.0 else None


class _Reading:
    """The items of a plan as they are read."""

    def __init__(self, path: Path) -> None:
        self.items: list[MissionItem] = []
        self.surveys: list[dict[str, Any]] = []
        self.remarks: list[str] = []
        self._number_of: dict[int, int] = {}  # by doJumpId
        self._path = path

    def add(self, entry: Any, where: str) -> None:
        """Read a simple or complex item."""
        kind = a_mapping(entry, where).get('type', 'SimpleItem')
        if kind == 'SimpleItem':
            self._simple(entry, where)
        elif kind == 'ComplexItem':
            self._complex(entry, where)
        else:
            raise InputError(f'{where}.type is {shown(kind)}; must be SimpleItem or ComplexItem')

    def _simple(self, entry: dict[str, Any], where: str, survey: int | None = None) -> None:
        number = len(self.items) + 1
        four, three = _parameters(entry, where)
        item = MissionItem(
            _whole(entry.get('command'), f'{where}.command'), number, four, *three,
            _whole(entry.get('frame', 3), f'{where}.frame'), entry.get('autoContinue') is not False, survey=survey,
            details={key: value for key, value in entry.items() if key not in KNOWN} or None)
        self.items.append(checked_item(item, where))
        if (name := entry.get('doJumpId')) is not None:
            self._number_of.setdefault(_whole(name, f'{where}.doJumpId'), number)

    def _complex(self, entry: dict[str, Any], where: str) -> None:
        kind, before = shown(entry.get('complexItemType', entry.get('id', 'unknown'))), len(self.items)
        transects = entry.get('TransectStyleComplexItem', {})
        where = f'{where}.TransectStyleComplexItem'
        a_mapping(transects, where)
        inner = a_list(transects.get('Items', []), f'{where}.Items')
        points = a_list(transects.get('VisualTransectPoints', []), f'{where}.VisualTransectPoints')
        check_number(before + max(len(inner), len(points)), self._path)
        for place, item in enumerate(inner):
            self._simple(a_mapping(item, f'{where}.Items[{place}]'), f'{where}.Items[{place}]', len(self.surveys))
        for place, point in enumerate(points if not inner else []):
            self._point(point, f'{where}.VisualTransectPoints[{place}]')
        if len(self.items) > before:
            self.surveys.append(entry)
        else:
            self.remarks.append(f'the complex item {kind} holds no ways, and is left out')

    def _point(self, value: Any, where: str) -> None:
        values = a_list(value, where)
        if len(values) < 2:
            raise InputError(f'{where} is {shown(value)}; must be [latitude, longitude]')
        x, y = (a_number(inner, where) for inner in values[:2])
        item = MissionItem(WAYPOINT, len(self.items) + 1, x=x, y=y, survey=len(self.surveys))
        self.items.append(checked_item(item, where))

    def with_numbers_to_jump_to(self) -> Iterator[MissionItem]:
        """Give the items, jumps with the numbers of the items that they name."""
        for item in self.items:
            target = item.parameters[0]
            if item.command != JUMP or target is None or not self._number_of:
                yield item
                continue
            if (number := self._number_of.get(target)) is None:  # type: ignore[call-overload]  # 3.0 finds 3
                raise InputError(f'{self._path}: item {item.number}, DO_JUMP: jumps to {target:g}; there is no '
                                 f'doJumpId {target:g}')
            yield item._replace(parameters=(float(number), *item.parameters[1:]))


def _parameters(entry: dict[str, Any], where: str) -> tuple[Any, tuple[float | None, float | None, float | None]]:
    values = [None if value is None else a_number(value, f'{where}.params[{place}]')
              for place, value in enumerate(a_list(entry.get('params'), f'{where}.params'))]
    if 'coordinate' in entry and len(values) == 4:  # as plans had it once
        values += [None if value is None else a_number(value, f'{where}.coordinate')
                   for value in a_list(entry['coordinate'], f'{where}.coordinate')]
    if len(values) != 7:
        raise InputError(f'{where}.params holds {len(values)} values; must be 7')
    first, second, third, fourth, x, y, z = values
    return (first, second, third, fourth), (x, y, z)


def _whole(value: Any, where: str) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**31:
        return value
    raise InputError(f'{where} is {shown(value)}; must be a whole number')


def plan_text(mission: Mission, itinerary: Itinerary | None = None) -> str:
    """
    Return a mission as the text of a plan.

    A survey is written as it was read. A mission that comes from elsewhere is that of a surface boat with ArduPilot,
    and its home, which a plan must have, the first place if it has none.

    :param mission: In degrees.
    :param itinerary: What it amounts to, for that first place; None: home is written as 0, 0 where there is none.
    """
    home = mission.home or (itinerary.waypoints[0].place if itinerary is not None else Place(0.0, 0.0))
    assert not isinstance(home, LocalPlace)
    vehicle = {'firmwareType': ARDUPILOT, 'vehicleType': SURFACE_BOAT, 'version': 2, 'globalPlanAltitudeMode': 1,
               **({} if mission.speed is None else {'cruiseSpeed': mission.speed, 'hoverSpeed': mission.speed})}
    inner = {**vehicle, **mission.plan.get('mission', {}), 'items': list(_entries(mission)),
             'plannedHomePosition': [*home, mission.home_altitude]}
    top = {'fileType': 'Plan', 'geoFence': {'circles': [], 'polygons': [], 'version': 2},
           'groundStation': 'QGroundControl', 'rallyPoints': {'points': [], 'version': 2}, 'version': 1}
    return json.dumps({**top, **mission.plan.get('top', {}), 'mission': inner}, indent=4, allow_nan=False) + '\n'


def _entries(mission: Mission) -> Iterable[Mapping[str, Any]]:
    written: set[int] = set()
    for item in mission.items:
        if item.survey is None:
            yield {**(item.details or {}), 'type': 'SimpleItem', 'command': item.command, 'doJumpId': item.number,
                   'frame': item.frame, 'autoContinue': item.auto_continue,
                   'params': [*item.parameters, item.x, item.y, item.z]}
        elif item.survey not in written:
            written.add(item.survey)
            yield _numbered(mission.surveys[item.survey], item.number)


def _numbered(survey: Mapping[str, Any], number: int) -> Mapping[str, Any]:
    """Return a survey whose items have the numbers that they have in the mission, for jumps."""
    transects = survey.get('TransectStyleComplexItem', {})
    items = [{**item, 'doJumpId': number + place} for place, item in enumerate(transects.get('Items', []))]
    return {**survey, 'TransectStyleComplexItem': {**transects, 'Items': items}} if items else survey
