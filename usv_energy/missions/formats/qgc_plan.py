"""QGroundControl's plans (.plan): JSON with simple items and complex ones (surveys, corridors), which hold others."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from usv_energy.earth import Place
from usv_energy.files.errors import InputError
from usv_energy.missions.formats.documents import checked_list, checked_mapping, checked_number, json_excerpt
from usv_energy.missions.itinerary import Itinerary
from usv_energy.missions.mission import (
    JUMP,
    WAYPOINT,
    LocalPlace,
    Mission,
    MissionItem,
    check_item_count,
    checked_item,
    checked_place,
)

ARDUPILOT, SURFACE_BOAT = 3, 11       # MAV_AUTOPILOT, MAV_TYPE: written for a mission that does not come from a plan
HOVERING = (2, 3, 4, 13, 14, 15, 29)  # MAV_TYPE of vehicles whose speed is `hoverSpeed`
ITEM_KEYS = ('type', 'command', 'params', 'frame', 'autoContinue', 'doJumpId', 'coordinate')


def read_plan(document: dict[str, Any], path: Path) -> Mission:
    """
    Return the mission of a plan.

    A survey or a corridor becomes the items that QGroundControl made of it or, if it made none, the points of its
    transects. The target of a jump, in the file an item's doJumpId, becomes the item's number.

    :param document: The file's content.
    :param path: Of the file, for errors.
    :raises InputError: If a value is wrong: file, key, value, what is allowed.
    """
    mission = checked_mapping(document.get('mission'), f'{path}: mission')
    entries = checked_list(mission.get('items'), f'{path}: mission.items')
    check_item_count(len(entries), path)
    reader = _ItemReader(path)
    for number, entry in enumerate(entries):
        reader.add(entry, f'{path}: mission.items[{number}]')
    home = _home(mission.get('plannedHomePosition'), f'{path}: mission.plannedHomePosition')
    return Mission(
        path.stem, tuple(reader.items_with_jump_targets()), path, *home, speed=_speed(mission, path),
        surveys=tuple(reader.surveys), remarks=tuple(reader.remarks),
        plan={'top': {key: value for key, value in document.items() if key != 'mission'},
              'mission': {key: value for key, value in mission.items() if key not in ('items', 'plannedHomePosition')}})


def _home(value: Any, where: str) -> tuple[Place | None, float]:
    if value is None:
        return None, 0.0
    if isinstance(value, dict):  # In old plans home is an item.
        value = value.get('coordinate')
    values = checked_list(value, where)
    if not 2 <= len(values) <= 3:
        raise InputError(f'{where} is {json_excerpt(values)}; must be [latitude, longitude, altitude]')
    latitude, longitude = (checked_number(inner, where) for inner in values[:2])
    altitude = checked_number(values[2], where) if len(values) == 3 and values[2] is not None else 0.0
    return (None if latitude == longitude == 0.0 else checked_place(latitude, longitude, where)), altitude


def _speed(mission: dict[str, Any], path: Path) -> float | None:
    key = 'hoverSpeed' if mission.get('vehicleType') in HOVERING else 'cruiseSpeed'
    value = mission.get(key)
    speed = None if value is None else checked_number(value, f'{path}: mission.{key}')
    return speed if speed is not None and speed > 0.0 else None


class _ItemReader:
    """Reads the items of a plan, and collects them as mission items."""

    def __init__(self, path: Path) -> None:
        self.items: list[MissionItem] = []
        self.surveys: list[dict[str, Any]] = []
        self.remarks: list[str] = []
        self._number_of: dict[int, int] = {}  # by doJumpId
        self._path = path

    def add(self, entry: Any, where: str) -> None:
        """Read a simple or complex item."""
        kind = checked_mapping(entry, where).get('type', 'SimpleItem')
        if kind == 'SimpleItem':
            self._simple(entry, where)
        elif kind == 'ComplexItem':
            self._complex(entry, where)
        else:
            raise InputError(f'{where}.type is {json_excerpt(kind)}; must be SimpleItem or ComplexItem')

    def _simple(self, entry: dict[str, Any], where: str, survey: int | None = None) -> None:
        number = len(self.items) + 1
        four, three = _parameters(entry, where)
        item = MissionItem(
            _whole(entry.get('command'), f'{where}.command'), number, four, *three,
            _whole(entry.get('frame', 3), f'{where}.frame'), entry.get('autoContinue') is not False, survey=survey,
            details={key: value for key, value in entry.items() if key not in ITEM_KEYS} or None)
        self.items.append(checked_item(item, where))
        if (name := entry.get('doJumpId')) is not None:
            self._number_of.setdefault(_whole(name, f'{where}.doJumpId'), number)

    def _complex(self, entry: dict[str, Any], where: str) -> None:
        kind, before = json_excerpt(entry.get('complexItemType', entry.get('id', 'unknown'))), len(self.items)
        transects = entry.get('TransectStyleComplexItem', {})
        where = f'{where}.TransectStyleComplexItem'
        checked_mapping(transects, where)
        inner = checked_list(transects.get('Items', []), f'{where}.Items')
        points = checked_list(transects.get('VisualTransectPoints', []), f'{where}.VisualTransectPoints')
        check_item_count(before + max(len(inner), len(points)), self._path)
        for place, item in enumerate(inner):
            self._simple(checked_mapping(item, f'{where}.Items[{place}]'), f'{where}.Items[{place}]', len(self.surveys))
        for place, point in enumerate(points if not inner else []):
            self._point(point, f'{where}.VisualTransectPoints[{place}]')
        if len(self.items) > before:
            self.surveys.append(entry)
        else:
            self.remarks.append(f'the complex item {kind} holds no ways, and is left out')

    def _point(self, value: Any, where: str) -> None:
        values = checked_list(value, where)
        if len(values) < 2:
            raise InputError(f'{where} is {json_excerpt(value)}; must be [latitude, longitude]')
        x, y = (checked_number(inner, where) for inner in values[:2])
        item = MissionItem(WAYPOINT, len(self.items) + 1, x=x, y=y, survey=len(self.surveys))
        self.items.append(checked_item(item, where))

    def items_with_jump_targets(self) -> Iterator[MissionItem]:
        """Yield the items; the target of a jump is replaced by the number of the item."""
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
    values = [None if value is None else checked_number(value, f'{where}.params[{place}]')
              for place, value in enumerate(checked_list(entry.get('params'), f'{where}.params'))]
    if 'coordinate' in entry and len(values) == 4:  # In old plans the place has a key of its own.
        values += [None if value is None else checked_number(value, f'{where}.coordinate')
                   for value in checked_list(entry['coordinate'], f'{where}.coordinate')]
    if len(values) != 7:
        raise InputError(f'{where}.params holds {len(values)} values; must be 7')
    first, second, third, fourth, x, y, z = values
    return (first, second, third, fourth), (x, y, z)


def _whole(value: Any, where: str) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**31:
        return value
    raise InputError(f'{where} is {json_excerpt(value)}; must be a whole number')


def plan_text(mission: Mission, itinerary: Itinerary | None = None) -> str:
    """
    Return a mission as the text of a plan.

    A survey is written as it was read. A mission that does not come from a plan is written for a surface boat with
    ArduPilot. A plan must have a home: a mission without one gets its first place.

    :param mission: In degrees.
    :param itinerary: Of the mission, for that first place; None: a missing home is written as 0, 0.
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
            yield _renumbered_survey(mission.surveys[item.survey], item.number)


def _renumbered_survey(survey: Mapping[str, Any], number: int) -> Mapping[str, Any]:
    """Return a survey with its items numbered as in the mission, from `number` on, so that jumps find them."""
    transects = survey.get('TransectStyleComplexItem', {})
    items = [{**item, 'doJumpId': number + place} for place, item in enumerate(transects.get('Items', []))]
    return {**survey, 'TransectStyleComplexItem': {**transects, 'Items': items}} if items else survey
