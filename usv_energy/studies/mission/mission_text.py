"""A mission as a table of its legs, and as figures for JSON."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from usv_energy.earth import Place, compass_text
from usv_energy.files.text_file import without_nan
from usv_energy.missions.itinerary import CIRCLE, RETURN, Itinerary, LocalTrack, Waypoint, circles_length
from usv_energy.missions.mission import LocalPlace, Mission
from usv_energy.show.text_table import (
    compass,
    degrees,
    metres,
    seconds,
    shortened,
    text_list,
    text_table,
)
from usv_energy.studies.mission.mission_words import COURSES

ROWS = 200
HEAD = ('item', 'to', 'distance m', 'course', 'speed m/s', 'hold s', 'what')


def mission_figures(mission: Mission, itinerary: Itinerary, track: LocalTrack) -> dict[str, Any]:
    """Return a mission for JSON: units in the keys, angles in degrees from east, those of the compass named so."""
    return without_nan({
        'name': itinerary.name, 'file': None if mission.path is None else str(mission.path),
        'home': _place(itinerary.start) if itinerary.has_home else None,
        'length_m': float(track.length.sum()) + circles_length(itinerary),
        'hold_s': sum(waypoint.hold for waypoint in itinerary.waypoints), 'speed_m_s': itinerary.speed,
        'legs': [{'item': waypoint.item, 'name': waypoint.name, 'doing': waypoint.doing, **_place(waypoint.place),
                  'x_m': float(x), 'y_m': float(y), 'distance_m': float(length),
                  'course_deg': degrees(course), 'course_compass_deg': compass(course),
                  'speed_m_s': waypoint.speed, 'radius_m': waypoint.radius, 'hold_s': waypoint.hold,
                  'heading_deg': None if waypoint.heading is None else degrees(waypoint.heading),
                  'turns': waypoint.turns, 'circle_radius_m': waypoint.circle_radius}
                 for waypoint, x, y, length, course in zip(
                     itinerary.waypoints, track.east[1:], track.north[1:], track.length, track.course)],
        'ignored': [{'item': number, 'command': command} for number, command in itinerary.ignored],
        'remarks': list(itinerary.remarks)})


def _place(place: Place | LocalPlace) -> dict[str, float]:
    return {} if isinstance(place, LocalPlace) else {'latitude': place.latitude, 'longitude': place.longitude}


def mission_text(itinerary: Itinerary, track: LocalTrack) -> str:
    """Return a mission as text: its legs, their sum, ignored commands and remarks."""
    start = f'from home, {_where(itinerary.start)}' if itinerary.has_home else 'without home: from its first place'
    length, circled = float(track.length.sum()), circles_length(itinerary)
    hold = sum(waypoint.hold for waypoint in itinerary.waypoints)
    number = len(itinerary.waypoints)
    total = [f'{number} way{"s" if number != 1 else ""}, {metres(length)}',
             *([f'{metres(circled)} of circles'] if circled else []), *([f'{seconds(hold)} of stays'] if hold else []),
             *([] if itinerary.speed is None else [f'planned with {itinerary.speed:g} m/s'])]
    lines = [f'{itinerary.name}: {start}', '', *text_table([HEAD, *_rows(itinerary, track)], 'rlrrrrl', rule=True)]
    if number > ROWS:
        lines.append(f'and {number - ROWS} more; --json has all')
    lines += ['', ', '.join(total), COURSES]
    lines += text_list('Commands that change nothing here:', ignored_commands(itinerary))
    return '\n'.join([*lines, *text_list('Remarks:', itinerary.remarks)])


def _rows(itinerary: Itinerary, track: LocalTrack) -> Iterator[tuple[str, ...]]:
    for waypoint, length, course in list(zip(itinerary.waypoints, track.length, track.course))[:ROWS]:
        yield (str(waypoint.item), _where(waypoint.place), f'{length:.1f}',
               compass_text(course, '') if length else '',
               '' if waypoint.speed is None else f'{waypoint.speed:g}', f'{waypoint.hold:g}' if waypoint.hold else '',
               _what(waypoint))


def _where(place: Place | LocalPlace) -> str:
    if isinstance(place, LocalPlace):
        return f'x {place.east:.2f}, y {place.north:.2f}'
    return f'{place.latitude:.6f}, {place.longitude:.6f}'


def _what(waypoint: Waypoint) -> str:
    texts = [shortened(waypoint.name, 30)] if waypoint.name else []
    if waypoint.doing == RETURN:
        texts.append('return to launch')
    if waypoint.doing == CIRCLE:
        side = 'to port' if waypoint.turns > 0.0 else 'to starboard'
        texts.append(f'{abs(waypoint.turns):g} turns {side} at {waypoint.circle_radius:g} m')
    if waypoint.heading is not None:
        texts.append(f'heading {compass_text(waypoint.heading)}')
    return ', '.join(texts)


def ignored_commands(itinerary: Itinerary, shown: int = 6) -> Iterator[str]:
    """Yield the ignored commands of a mission, one line per kind, with the numbers of their items."""
    counts = Counter(command for _, command in itinerary.ignored)
    for command, number in counts.items():
        items = [str(item) for item, name in itinerary.ignored if name == command][:shown]
        more = f' and {number - shown} more' if number > shown else ''
        yield f'{command}: item{"s" if number > 1 else ""} {", ".join(items)}{more}'
