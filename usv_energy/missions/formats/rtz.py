"""
RTZ, the routes of electronic charts (ECDIS): waypoints with names, and the speeds that are planned.

Source: IEC 61174:2015, annex S (RTZ 1.0 to 1.2), as the CIRM describes it: a leg is the one to its waypoint; speeds are
in knots, the one that is planned stands in the schedule, times (`eta`, `etd`) are UTC.
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import numpy as np

from usv_energy.earth import KNOT, Place, ways_between
from usv_energy.files.errors import InputError
from usv_energy.files.limits import BOAT_SPEED
from usv_energy.files.parsed_text import Element
from usv_energy.missions.formats.documents import (
    MapContent,
    MapLine,
    MapPoint,
    children,
    moment_of_text,
    number_of_text,
)
from usv_energy.missions.itinerary import Waypoint
from usv_energy.missions.mission import check_item_count, checked_place

ROOT = 'route'
DURATION = re.compile(r'P(?:(\d{1,4})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,9}(?:\.\d+)?)S)?)?')  # ISO 8601
FASTEST = 100.0  # m/s: no planned speed is above.
APART = 0.1      # Share by which a planned speed and that by the times may differ before it is remarked on.


def is_rtz(root: Element) -> bool:
    """Return whether the root of an XML file is that of an RTZ route."""
    return root.tag == ROOT and next(root.iter('waypoints'), None) is not None


class Schedule(NamedTuple):
    """
    What is planned, by the ids of waypoints.

    `speed`: of the leg that goes there, m/s; `stay`: how long the boat stays, s; `eta`, `etd`: when it comes and goes.
    """

    speed: dict[str, float]
    stay: dict[str, float]
    eta: dict[str, datetime]
    etd: dict[str, datetime]

    def stays(self, one: str) -> timedelta:
        """Return how long the boat stays at a waypoint: what is said, else from its arrival to its departure."""
        if one in self.stay or not (one in self.eta and one in self.etd):
            return timedelta(seconds=self.stay.get(one, 0.0))
        return max(self.etd[one] - self.eta[one], timedelta())

    def comes(self, one: str) -> datetime | None:
        """Return when the boat comes to a waypoint; None where that is not said."""
        return self.eta[one] if one in self.eta else self.etd[one] - self.stays(one) if one in self.etd else None

    def goes(self, one: str) -> datetime | None:
        """Return when the boat goes from a waypoint; None where that is not said."""
        return self.etd[one] if one in self.etd else self.eta[one] + self.stays(one) if one in self.eta else None


def rtz_content(root: Element, path: Path) -> MapContent:
    """
    Return the route of an RTZ file.

    :param root: The root of its XML.
    :param path: Of the file, for errors.
    :raises InputError: If a place is not on the Earth, or a speed or time is none: file, waypoint, value, what is
        allowed.
    """
    name = next((info.get('routeName', '') for info in root.iter('routeInfo')), '')
    elements = [one for group in root.iter('waypoints') for one in children(group, 'waypoint')]
    check_item_count(len(elements), path)
    planned = _planned(root, path)
    places = []
    for number, element in enumerate(elements, start=1):
        where = f'{path}: waypoint {number}'
        position = next(children(element, 'position'), None)
        if position is None:
            raise InputError(f'{where}: has no position')
        latitude, longitude = (number_of_text(position.get(key), f'{where}: {key}') for key in ('lat', 'lon'))
        places.append(checked_place(latitude, longitude, where))
    ids = [element.get('id', '') for element in elements]
    remarks: list[str] = []
    by_times = _speeds_by_times(planned, ids, places, remarks)
    points = []
    for number, (element, one, place) in enumerate(zip(elements, ids, places), start=1):
        speed = planned.speed.get(one, by_times.get(one, _speed_of_leg(element, f'{path}: waypoint {number}')))
        points.append(MapPoint(place, element.get('name', ''), Waypoint(
            place, number, name=element.get('name', ''), speed=speed, hold=planned.stays(one).total_seconds())))
    unsaid = sum(point.waypoint is not None and point.waypoint.speed is None for point in points[1:])
    if unsaid and unsaid < len(points) - 1:
        remarks.append(f'{unsaid} legs have no planned speed')
    return MapContent([MapLine('route', name, points)], [], remarks=remarks,
                      departure=planned.goes(ids[0]) if ids else None)


def _speeds_by_times(planned: Schedule, ids: Sequence[str], places: Sequence[Place],
                     remarks: list[str]) -> dict[str, float]:
    """Return the speeds of legs between whose ends the times are planned, m/s; others are remarked on."""
    if not planned.eta and not planned.etd:
        return {}
    lengths = ways_between(*np.array(places).T)[0] if len(places) > 1 else ()
    found: dict[str, float] = {}
    for before, one, length in zip(ids, ids[1:], lengths):
        left, there = planned.goes(before), planned.comes(one)
        if left is None or there is None:
            continue
        duration = (there - left).total_seconds()
        speed = float(length) / duration if duration > 0.0 else 0.0
        if BOAT_SPEED[0] <= speed <= BOAT_SPEED[1]:
            found[one] = speed
        if one in planned.speed and abs(speed / planned.speed[one] - 1.0) > APART:
            remarks.append(f'to waypoint {one!r} the schedule says {planned.speed[one] / KNOT:.3g} kn, and its times '
                           f'{speed / KNOT:.3g} kn: the speed is taken')
        elif one not in planned.speed and one not in found and length > 0.0:
            remarks.append(f'the times of the schedule allow {duration:g} s to waypoint {one!r}: they are not used')
    return found


def _planned(root: Element, path: Path) -> Schedule:
    """Return what the schedule says; the calculated one wins. Times are those of the first schedule that has some."""
    planned = Schedule({}, {}, {}, {})
    for element in list(root.iter('sheduleElement')):  # As the schema of RTZ 1.0 spells it.
        element.tag = 'scheduleElement'
    where = f'{path}: scheduleElement'
    for kind in ('manual', 'calculated'):
        for element in (one for part in root.iter(kind) for one in part.iter('scheduleElement')):
            waypoint = element.get('waypointId', '')
            if element.get('speed') is not None:
                planned.speed[waypoint] = _knots(element, 'speed', where)
            if (stay := element.get('stay')) is not None:
                if (said := DURATION.fullmatch(stay)) is None or stay[-1] in 'PT':
                    raise InputError(f'{where}: stay is {stay!r}; must be a duration, such as PT5M')
                planned.stay[waypoint] = sum(
                    unit * float(part or 0.0) for unit, part in zip((86400.0, 3600.0, 60.0, 1.0), said.groups()))
    for schedule in root.iter('schedule'):
        for element in (one for kind in ('manual', 'calculated') for part in schedule.iter(kind)
                        for one in part.iter('scheduleElement')):
            for key, times in (('eta', planned.eta), ('etd', planned.etd)):
                if (text := element.get(key)) is not None:
                    times[element.get('waypointId', '')] = moment_of_text(text, f'{where}: {key}')
        if planned.eta or planned.etd:
            break
    return planned


def _speed_of_leg(element: Element, where: str) -> float | None:
    leg = next(children(element, 'leg'), None)
    return None if leg is None or leg.get('planSpeedMax') is None else _knots(leg, 'planSpeedMax', f'{where}: leg')


def _knots(element: Element, key: str, where: str) -> float:
    speed = KNOT * number_of_text(element.get(key), f'{where}: {key}')
    if not 0.0 < speed <= FASTEST:
        raise InputError(f'{where}: {key} is {element.get(key)}; must be above 0, knots')
    return speed
