"""A mission, its lanes and its departures as tables for people and figures for JSON."""

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from usv_energy.earth import Place
from usv_energy.files.text_file import without_nan
from usv_energy.missions.itinerary import CIRCLE, RETURN, Itinerary, LocalTrack, Waypoint, circles_length
from usv_energy.missions.mission import LocalPlace, Mission
from usv_energy.physics.batteries.battery import JOULES_PER_WH
from usv_energy.show.text_table import (
    degrees,
    fixed,
    joules,
    metres,
    percent,
    seconds,
    shortened,
    text_list,
    text_table,
)
from usv_energy.studies.mission.lane_direction import LaneChoice
from usv_energy.studies.mission.mission_departures import Departures
from usv_energy.studies.mission.mission_study import MissionStudy, departure_verdict
from usv_energy.studies.mission.mission_words import COURSES, VERDICTS

ROWS = 200
HEAD = ('item', 'to', 'distance m', 'course deg', 'speed m/s', 'hold s', 'what')


def mission_figures(mission: Mission, itinerary: Itinerary, track: LocalTrack) -> dict[str, Any]:
    """Return a mission for JSON: units in the keys, angles in degrees counter-clockwise from east."""
    return without_nan({
        'name': itinerary.name, 'file': None if mission.path is None else str(mission.path),
        'home': _place(itinerary.start) if itinerary.has_home else None,
        'length_m': float(track.length.sum()) + circles_length(itinerary),
        'hold_s': sum(waypoint.hold for waypoint in itinerary.waypoints), 'speed_m_s': itinerary.speed,
        'legs': [{'item': waypoint.item, 'name': waypoint.name, 'doing': waypoint.doing, **_place(waypoint.place),
                  'x_m': float(x), 'y_m': float(y), 'distance_m': float(length),
                  'course_deg': degrees(course),
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
    """Return a mission as lines: its ways, their sum, what is ignored or taken for something else."""
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
               f'{round(math.degrees(course)) % 360}' if length else '',
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
        texts.append(f'heading {round(math.degrees(waypoint.heading)) % 360} deg')
    return ', '.join(texts)


def ignored_commands(itinerary: Itinerary, shown: int = 6) -> Iterator[str]:
    """Give the commands of a mission that change nothing here, a line a kind, with the numbers of their items."""
    counts = Counter(command for _, command in itinerary.ignored)
    for command, number in counts.items():
        items = [str(item) for item, name in itinerary.ignored if name == command][:shown]
        more = f' and {number - shown} more' if number > shown else ''
        yield f'{command}: item{"s" if number > 1 else ""} {", ".join(items)}{more}'



def lane_figures(choice: LaneChoice) -> dict[str, Any]:
    """Return the choice for JSON: units in the keys, degrees counter-clockwise from east, None where it cannot be."""
    return without_nan({
        'speed_m_s': choice.speed, 'speed_chosen': choice.speed_chosen,
        'best': {'angle_deg': degrees(choice.best), 'energy_j': choice.best_energy, 'time_s': choice.best_time},
        'fewest_lanes': {'angle_deg': degrees(choice.fewest), 'energy_j': choice.fewest_energy},
        'by_angle': [{'angle_deg': degrees(angle), 'energy_j': energy, 'time_s': time}
                     for angle, energy, time in zip(choice.angle.tolist(), choice.energy.tolist(),
                                                    choice.time.tolist())]})


def lane_text(choice: LaneChoice) -> str:
    """Return the choice in words, to stand before the number of places."""
    worst = int(np.nanargmax(choice.energy))
    saved = percent(choice.best_energy / float(choice.energy[worst]) - 1.0, 1)
    at = f'the cheapest speed, {choice.speed:.2f} m/s' if choice.speed_chosen else f'{choice.speed:.2f} m/s'
    fewest = ('' if math.isnan(choice.fewest_energy) else
              f', {percent(choice.best_energy / choice.fewest_energy - 1.0, 1)} to the fewest lanes '
              f'({degrees(choice.fewest):.0f} deg)')
    return (f'{joules(choice.best_energy)} in {seconds(choice.best_time)} at {at}: {saved} to the worst direction '
            f'({math.degrees(choice.angle[worst]):.0f} deg){fewest}; ')



DEPARTURE_ROWS = 60
SAME = 'neither water nor air changes in time on the way: all departures cost the same'


def departures_figures(study: MissionStudy) -> dict[str, Any] | None:
    """Return the departures for JSON, units in the keys; None where only one was asked for."""
    found = study.departures
    if found is None:
        return None
    return {'best_s': float(found.departure[found.best]), 'matters': found.changing, 'wanted': found.wanted, 'each': [
        {'departure_s': float(found.departure[number]), 'time_s': float(found.time[number]),
         'energy_j': float(found.energy[number]), 'speeds_held': bool(found.held[number]),
         'verdict': departure_verdict(study, number)} for number in range(found.departure.size)]}


def departures_text(study: MissionStudy, found: Departures) -> list[str]:
    """Return the table of departures as lines, the best one marked; one line where they do not matter."""
    lines = [] if found.departure.size == found.wanted else [
        f'Broken off: {found.departure.size} of {found.wanted} departures were looked at']
    if not found.changing:
        return [*lines, f'Departures: {SAME}']
    rows = [('departs at', 'takes', 'Wh', '', '')]
    step = math.ceil(found.departure.size / DEPARTURE_ROWS)
    for number in range(found.departure.size):
        if number % step == 0 or number == found.best:
            rows.append((seconds(float(found.departure[number])), takes(found, number),
                         fixed(found.energy[number] / JOULES_PER_WH, 2), VERDICTS[departure_verdict(study, number)],
                         'best' if number == found.best else ''))
    more = [] if step == 1 else [f'(every {step}th of {found.departure.size}; --json has all)']
    return [*lines, *text_table(rows, 'rrrll', rule=True), *more]


def takes(found: Departures, number: int) -> str:
    """Return how long the mission takes from one of the departures, and whether that is as long as was ordered."""
    if not math.isfinite(found.time[number]):
        return 'cannot'
    return seconds(float(found.time[number])) + ('' if found.held[number] else ' (slowed)')
