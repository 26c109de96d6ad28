"""
GPX 1.0 and 1.1: routes, tracks and waypoints; extensions of our own hold what the boat does at a point.

Of OpenCPN's extensions the planned departure and speeds are read, knots: that of the route (`planned_speed`), and that
of the leg to a point (`rte_properties`). Source: OpenCPN, NavObjectCollection.cpp and Route::UpdateSegmentDistance.
"""

from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from usv_energy.earth import KNOT, Place, compass_degrees, enu_angle
from usv_energy.files.errors import InputError
from usv_energy.files.parsed_text import Element
from usv_energy.missions.formats.documents import (
    MapContent,
    MapLine,
    MapPoint,
    children,
    moment_of_text,
    number_of_text,
    text_of,
)
from usv_energy.missions.itinerary import CIRCLE, GO, RETURN, Itinerary, Waypoint
from usv_energy.missions.mission import LocalPlace, check_item_count, checked_place

OURS = 'usv_energy'  # the namespace of our extensions, a name and no address
FIELDS = ('speed', 'radius', 'hold', 'heading_deg', 'turns', 'circle_radius')


def gpx_content(root: Element, path: Path) -> MapContent:
    """
    Return what a GPX file holds; the segments of a track become one line.

    :param root: The root of its XML.
    :param path: Of the file, for errors.
    :raises InputError: If a point is not on the Earth: file, point, value, what is allowed.
    """
    lines = [MapLine('route', text_of(route, 'name'), _points(route, 'rtept', path)) for route in children(root, 'rte')]
    lines += [MapLine('track', text_of(track, 'name'),
                      [point for segment in children(track, 'trkseg') for point in _points(segment, 'trkpt', path)])
              for track in children(root, 'trk')]
    ours = next((inner for route in children(root, 'rte') for inner in children(route, 'extensions')), None)
    home = None if ours is None else next(children(ours, 'home'), None)
    speed = None if ours is None else _field(ours, 'speed', f'{path}: extensions')
    planned = None if ours is None else ours.findtext('planned_departure')
    remarks = []
    if ours is not None and speed is None:
        speed = _planned(ours.findtext('planned_speed'), f'{path}: planned_speed')
        remarks = [] if speed is None else [f'the speed of the route is what OpenCPN planned, {speed / KNOT:g} kn']
    return MapContent(lines, _points(root, 'wpt', path), None if home is None else _place(home, f'{path}: home'), speed,
                      remarks, moment_of_text(planned, f'{path}: planned_departure') if planned else None)


def _planned(text: str | None, where: str) -> float | None:
    """Return a speed of OpenCPN, m/s; None where none is planned, which it writes as 0, too."""
    speed = KNOT * number_of_text(text, where) if text else 0.0
    return speed if speed > 0.0 else None


def _points(parent: Element, tag: str, path: Path) -> list[MapPoint]:
    elements, found = list(children(parent, tag)), []
    check_item_count(len(elements), path)
    for number, element in enumerate(elements, start=1):
        where = f'{path}: {tag} {number}'
        place, name = _place(element, where), text_of(element, 'name')
        ours = element.find('extensions')
        found.append(MapPoint(place, name, None if ours is None else _waypoint(ours, place, number, name, where)))
    return found


def _place(element: Element, where: str) -> Place:
    latitude, longitude = (number_of_text(element.get(key), f'{where}: {key}') for key in ('lat', 'lon'))
    return checked_place(latitude, longitude, where)


def _waypoint(ours: Element, place: Place, number: int, name: str, where: str) -> Waypoint | None:
    """Return the waypoint that our extensions of a point describe, or OpenCPN's a speed of; None for others."""
    doing = text_of(ours, 'doing')
    if doing not in (GO, CIRCLE, RETURN):
        properties = next(children(ours, 'rte_properties'), None)
        planned = None if properties is None else _planned(properties.get('planned_speed'), f'{where}: planned_speed')
        return None if planned is None else Waypoint(place, number, GO, name, planned)
    speed, radius, hold, heading, turns, circle = (_field(ours, field, where) for field in FIELDS)
    return Waypoint(place, number, doing, name, speed, radius, hold or 0.0,
                    None if heading is None else enu_angle(heading), turns or 0.0,
                    circle or 0.0)


def _field(ours: Element, field: str, where: str) -> float | None:
    text = ours.findtext(field)
    return None if text is None else number_of_text(text, f'{where}: {field}')


def gpx_text(itinerary: Itinerary) -> str:
    """
    Return an itinerary as a GPX 1.1 file with one route.

    :param itinerary: In degrees.
    """
    return '\n'.join(_lines(itinerary)) + '\n'


def _lines(itinerary: Itinerary) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield (f'<gpx version="1.1" creator="usv_energy" xmlns="http://www.topografix.com/GPX/1/1" xmlns:usv="{OURS}">')
    yield f'  <rte>\n    <name>{_escaped(itinerary.name)}</name>'
    home = f'<usv:home {_position_attributes(itinerary.start)}/>' if itinerary.has_home else ''
    speed = f'<usv:speed>{itinerary.speed!r}</usv:speed>' if itinerary.speed is not None else ''
    if home or speed:
        yield f'    <extensions>{home}{speed}</extensions>'
    for waypoint in itinerary.waypoints:
        name = f'<name>{_escaped(waypoint.name)}</name>' if waypoint.name else ''
        fields = ''.join(f'<usv:{field}>{value!r}</usv:{field}>' for field, value in waypoint_fields(waypoint).items())
        yield (f'    <rtept {_position_attributes(waypoint.place)}>{name}<extensions>'
               f'<usv:doing>{waypoint.doing}</usv:doing>{fields}</extensions></rtept>')
    yield '  </rte>\n</gpx>'


def waypoint_fields(waypoint: Waypoint) -> dict[str, float]:
    """Return the numbers of a waypoint besides its place, by the names of FIELDS; those that are not set are absent."""
    heading = None if waypoint.heading is None else compass_degrees(waypoint.heading)
    values = (waypoint.speed, waypoint.radius, waypoint.hold or None, heading, waypoint.turns or None,
              waypoint.circle_radius or None)
    return {field: value for field, value in zip(FIELDS, values) if value is not None}


def _position_attributes(place: Place | LocalPlace) -> str:
    if isinstance(place, LocalPlace):
        raise InputError('a GPX file needs latitudes and longitudes, and the mission has local metres')
    return f'lat={quoteattr(repr(place.latitude))} lon={quoteattr(repr(place.longitude))}'


def _escaped(text: str) -> str:
    """Return a text escaped for XML, without the characters that XML does not allow."""
    return escape(''.join(character for character in text if character >= ' ' and character not in '\ufffe\uffff'
                          and not '\ud800' <= character <= '\udfff'))
