"""GPX 1.0 and 1.1: routes, tracks and waypoints; what a boat does at a point stands in extensions of our own."""

from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from usv_energy.earth import Place, compass_degrees, enu_angle
from usv_energy.files.errors import InputError
from usv_energy.missions.formats.documents import Element, MapContent, MapLine, MapPoint, children, number_of, text_of
from usv_energy.missions.itinerary import CIRCLE, GO, RETURN, Itinerary, Waypoint
from usv_energy.missions.mission import LocalPlace, check_number, checked_place

OURS = 'usv_energy'  # the namespace of our extensions, a name and no address
FIELDS = ('speed', 'radius', 'hold', 'heading_deg', 'turns', 'circle_radius')


def gpx_content(root: Element, path: Path) -> MapContent:
    """
    Return what a GPX file holds; the segments of a track are one line.

    :param root: Of its XML.
    :param path: Of the file, for errors.
    :raises InputError: If a point is not on the Earth: file, point, value, what is allowed.
    """
    lines = [MapLine('route', text_of(route, 'name'), _points(route, 'rtept', path)) for route in children(root, 'rte')]
    lines += [MapLine('track', text_of(track, 'name'),
                      [point for segment in children(track, 'trkseg') for point in _points(segment, 'trkpt', path)])
              for track in children(root, 'trk')]
    ours = next((inner for route in children(root, 'rte') for inner in children(route, 'extensions')), None)
    home = None if ours is None else next(children(ours, 'home'), None)
    return MapContent(lines, _points(root, 'wpt', path), None if home is None else _place(home, f'{path}: home'),
                      None if ours is None else _field(ours, 'speed', f'{path}: extensions'))


def _points(parent: Element, tag: str, path: Path) -> list[MapPoint]:
    elements, found = list(children(parent, tag)), []
    check_number(len(elements), path)
    for number, element in enumerate(elements, start=1):
        where = f'{path}: {tag} {number}'
        place, name = _place(element, where), text_of(element, 'name')
        ours = element.find('extensions')
        found.append(MapPoint(place, name, None if ours is None else _waypoint(ours, place, number, name, where)))
    return found


def _place(element: Element, where: str) -> Place:
    return checked_place(number_of(element.get('lat'), f'{where}: lat'), number_of(element.get('lon'), f'{where}: lon'),
                         where)


def _waypoint(ours: Element, place: Place, number: int, name: str, where: str) -> Waypoint | None:
    """Return what our extensions of a point say; None where there are none of ours."""
    doing = text_of(ours, 'doing')
    if doing not in (GO, CIRCLE, RETURN):
        return None
    speed, radius, hold, heading, turns, circle = (_field(ours, field, where) for field in FIELDS)
    return Waypoint(place, number, doing, name, speed, radius, hold or 0.0,
                    None if heading is None else enu_angle(heading), turns or 0.0,
                    circle or 0.0)


def _field(ours: Element, field: str, where: str) -> float | None:
    text = ours.findtext(field)
    return None if text is None else number_of(text, f'{where}: {field}')


def gpx_text(itinerary: Itinerary) -> str:
    """
    Return an itinerary as a GPX 1.1 file with one route.

    :param itinerary: In degrees.
    """
    return '\n'.join(_lines(itinerary)) + '\n'


def _lines(itinerary: Itinerary) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield (f'<gpx version="1.1" creator="usv_energy" xmlns="http://www.topografix.com/GPX/1/1" xmlns:usv="{OURS}">')
    yield f'  <rte>\n    <name>{_text(itinerary.name)}</name>'
    home = f'<usv:home {_attributes(itinerary.start)}/>' if itinerary.has_home else ''
    speed = f'<usv:speed>{itinerary.speed!r}</usv:speed>' if itinerary.speed is not None else ''
    if home or speed:
        yield f'    <extensions>{home}{speed}</extensions>'
    for waypoint in itinerary.waypoints:
        name = f'<name>{_text(waypoint.name)}</name>' if waypoint.name else ''
        fields = ''.join(f'<usv:{field}>{value!r}</usv:{field}>' for field, value in fields_of(waypoint).items())
        yield (f'    <rtept {_attributes(waypoint.place)}>{name}<extensions><usv:doing>{waypoint.doing}</usv:doing>'
               f'{fields}</extensions></rtept>')
    yield '  </rte>\n</gpx>'


def fields_of(waypoint: Waypoint) -> dict[str, float]:
    """Return what there is to say of a waypoint besides its place, by the names of FIELDS."""
    heading = None if waypoint.heading is None else compass_degrees(waypoint.heading)
    values = (waypoint.speed, waypoint.radius, waypoint.hold or None, heading, waypoint.turns or None,
              waypoint.circle_radius or None)
    return {field: value for field, value in zip(FIELDS, values) if value is not None}


def _attributes(place: Place | LocalPlace) -> str:
    if isinstance(place, LocalPlace):
        raise InputError('a GPX file needs latitudes and longitudes, and the mission has local metres')
    return f'lat={quoteattr(repr(place.latitude))} lon={quoteattr(repr(place.longitude))}'


def _text(text: str) -> str:
    """Return a text as XML has it, without the signs that XML does not know."""
    return escape(''.join(sign for sign in text if sign >= ' ' and sign not in '\ufffe\uffff'
                          and not '\ud800' <= sign <= '\udfff'))
