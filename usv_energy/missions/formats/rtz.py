"""
RTZ, the routes of electronic charts (ECDIS): waypoints with names, and the speeds that are planned.

Source: IEC 61174:2015, annex S (RTZ 1.0 to 1.2), as the CIRM describes it: a leg is the one to its waypoint; speeds are
in knots, the one that is planned stands in the schedule.
"""

import re
from pathlib import Path

from usv_energy.earth import KNOT
from usv_energy.files.errors import InputError
from usv_energy.files.parsed_text import Element
from usv_energy.missions.formats.documents import MapContent, MapLine, MapPoint, children, number_of_text
from usv_energy.missions.itinerary import Waypoint
from usv_energy.missions.mission import check_item_count, checked_place

ROOT = 'route'
DURATION = re.compile(r'P(?:(\d{1,4})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,9}(?:\.\d+)?)S)?)?')  # ISO 8601
FASTEST = 100.0  # m/s: no planned speed is above.


def is_rtz(root: Element) -> bool:
    """Return whether the root of an XML file is that of an RTZ route."""
    return root.tag == ROOT and next(root.iter('waypoints'), None) is not None


def rtz_content(root: Element, path: Path) -> MapContent:
    """
    Return the route of an RTZ file.

    :param root: The root of its XML.
    :param path: Of the file, for errors.
    :raises InputError: If a place is not on the Earth, or a speed is none: file, waypoint, value, what is allowed.
    """
    name = next((info.get('routeName', '') for info in root.iter('routeInfo')), '')
    elements = [one for group in root.iter('waypoints') for one in children(group, 'waypoint')]
    check_item_count(len(elements), path)
    planned, stays = _planned(root, path)
    points = []
    for number, element in enumerate(elements, start=1):
        where = f'{path}: waypoint {number}'
        position = next(children(element, 'position'), None)
        if position is None:
            raise InputError(f'{where}: has no position')
        latitude, longitude = (number_of_text(position.get(key), f'{where}: {key}') for key in ('lat', 'lon'))
        place = checked_place(latitude, longitude, where)
        speed = planned.get(element.get('id', ''), _speed_of_leg(element, where))
        stay = stays.get(element.get('id', ''), 0.0)
        points.append(MapPoint(place, element.get('name', ''), Waypoint(place, number, name=element.get('name', ''),
                                                                       speed=speed, hold=stay)))
    unsaid = sum(point.waypoint is not None and point.waypoint.speed is None for point in points[1:])
    remarks = [f'{unsaid} legs have no planned speed'] if unsaid and unsaid < len(points) - 1 else []
    return MapContent([MapLine('route', name, points)], [], remarks=remarks)


def _planned(root: Element, path: Path) -> tuple[dict[str, float], dict[str, float]]:
    """
    Return what the schedule says by the ids of waypoints; the calculated one wins.

    These are the speeds of the legs that go there, m/s, and how long the boat stays, s.
    """
    speeds: dict[str, float] = {}
    stays: dict[str, float] = {}
    for kind in ('manual', 'calculated'):
        for part in root.iter(kind):
            for element in part.iter('scheduleElement'):
                where = f'{path}: scheduleElement'
                if element.get('speed') is not None:
                    speeds[element.get('waypointId', '')] = _knots(element, 'speed', where)
                if (stay := element.get('stay')) is not None:
                    if (said := DURATION.fullmatch(stay)) is None or stay[-1] in 'PT':
                        raise InputError(f'{where}: stay is {stay!r}; must be a duration, such as PT5M')
                    stays[element.get('waypointId', '')] = sum(
                        unit * float(part or 0.0) for unit, part in zip((86400.0, 3600.0, 60.0, 1.0), said.groups()))
    return speeds, stays


def _speed_of_leg(element: Element, where: str) -> float | None:
    leg = next(children(element, 'leg'), None)
    return None if leg is None or leg.get('planSpeedMax') is None else _knots(leg, 'planSpeedMax', f'{where}: leg')


def _knots(element: Element, key: str, where: str) -> float:
    speed = KNOT * number_of_text(element.get(key), f'{where}: {key}')
    if not 0.0 < speed <= FASTEST:
        raise InputError(f'{where}: {key} is {element.get(key)}; must be above 0, knots')
    return speed
