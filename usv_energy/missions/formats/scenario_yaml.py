"""Scenarios of usv_energy as missions with waypoints in local metres, and missions as scenarios."""

import math
from pathlib import Path
from typing import Any

import yaml

from usv_energy.files import checked
from usv_energy.files.checked import values_of
from usv_energy.files.errors import InputError
from usv_energy.missions.itinerary import GO, RETURN, Itinerary, Waypoint, items_from_waypoints, local_track
from usv_energy.missions.mission import LocalPlace, Mission, checked_place

LARGEST = 1 << 20  # bytes
LEAST_TIMEOUT = 120.0  # s: of a scenario that is written
SLOWEST = 0.2          # m/s: the speed assumed for the timeout, if the mission gives none or a lower one
TIMEOUT_FACTOR = 3.0   # the timeout, in times of the expected duration


def read_scenario_mission(path: Path) -> Mission:
    """
    Return the mission of a scenario. It starts where the boat starts, with the scenario's speed over ground.

    :raises InputError: If the file is not a scenario: file, key, value, what is allowed.
    """
    if path.stat().st_size > LARGEST:
        raise InputError(f'{path}: is larger than {LARGEST >> 10} KiB, which no scenario is; a mission of very many '
                         'waypoints is read from a plan, .waypoints, GPX, KML or GeoJSON')
    document: dict[str, Any] = checked.read_with_base('scenarios', path)
    checked.check(document, 'scenario', path)
    plain = values_of(document)
    origin = plain.get('origin')
    start, speed = plain['start'], plain['speed']
    target = float(speed['target']) if speed['mode'] == 'over_ground' and 'target' in speed else None
    radius = float(plain['stop']['radius'])
    waypoints = [Waypoint(
        LocalPlace(float(point['x']), float(point['y'])), number, name=point.get('name', ''),
        speed=float(point['speed']) if 'speed' in point else target, radius=float(point.get('radius', radius)),
        hold=float(point.get('hold', 0.0)),
        heading=math.radians(point['heading_deg']) if 'heading_deg' in point else None)
        for number, point in enumerate(plain['waypoints'], start=1)]
    return Mission(
        plain.get('title', path.stem), items_from_waypoints(waypoints), path,
        LocalPlace(float(start['x']), float(start['y'])), speed=target,
        origin=None if origin is None else checked_place(
            float(origin['latitude']), float(origin['longitude']), f'{path}: origin'))


def scenario_text(itinerary: Itinerary, boat: str) -> str:
    """
    Return an itinerary as the text of a scenario, with its places, speeds, stays and headings.

    Control and guidance are those of `config/scenarios/_thesis.yaml`; the timeout is three times what the legs take.

    :param boat: A name in config/boats, or a path.
    :raises InputError: If a place is more than 10 000 km from the origin.
    """
    track = local_track(itinerary)
    first = 0 if itinerary.has_home or len(itinerary.waypoints) == 1 else 1
    speed = _first_speed(itinerary)
    radius = next((waypoint.radius for waypoint in itinerary.waypoints if waypoint.radius), None)
    slowest = max(SLOWEST, min(waypoint.speed or speed or SLOWEST for waypoint in itinerary.waypoints))
    stays = sum(waypoint.hold for waypoint in itinerary.waypoints)
    timeout = max(LEAST_TIMEOUT, TIMEOUT_FACTOR * (float(track.length.sum()) / slowest + stays))
    course = math.degrees(float(track.course[first]))
    document = {
        'base': '_thesis', 'title': itinerary.name, 'boat': boat,
        **({} if track.origin is None else {
            'origin': {'latitude': track.origin.latitude, 'longitude': track.origin.longitude}}),
        'start': {'x': _metres(track.east[0]), 'y': _metres(track.north[0]), 'heading_deg': round(course, 3)},
        'speed': {'mode': 'full_thrust'} if speed is None else {'mode': 'over_ground', 'target': speed},
        'stop': {**({} if radius is None else {'radius': radius}), 'timeout': round(timeout, 1)}}
    head = yaml.safe_dump(document, sort_keys=False, default_flow_style=None, allow_unicode=True, width=110)
    places = [f'  - {_point(east, north, waypoint, speed, radius)}\n' for east, north, waypoint in zip(
        track.east[1 + first:], track.north[1 + first:], itinerary.waypoints[first:])]
    return ''.join(['# Written by usv-energy from a mission.\n', head, 'waypoints:\n', *places])


def _point(east: float, north: float, waypoint: Waypoint, speed: float | None, radius: float | None) -> str:
    """Return a waypoint as a line of YAML, with the keys in which it differs from the whole scenario."""
    own: dict[str, Any] = {'x': _metres(east), 'y': _metres(north)}
    if waypoint.speed is not None and waypoint.speed != speed:
        own['speed'] = waypoint.speed
    if waypoint.hold > 0.0:
        own['hold'] = waypoint.hold
    if waypoint.heading is not None:
        own['heading_deg'] = round(math.degrees(waypoint.heading), 6)
    if waypoint.radius is not None and waypoint.radius != radius:
        own['radius'] = waypoint.radius
    if waypoint.name:
        own['name'] = waypoint.name
    text = yaml.safe_dump(own, sort_keys=False, default_flow_style=True, allow_unicode=True, width=1 << 20)
    return text.strip()


def _first_speed(itinerary: Itinerary) -> float | None:
    """Return the speed of the first leg that has one, else the planned speed of the mission, m/s."""
    speeds = (waypoint.speed for waypoint in itinerary.waypoints)
    return next((speed for speed in speeds if speed is not None), itinerary.speed)


def lost_in_scenario(itinerary: Itinerary) -> list[str]:
    """Return remarks about what of an itinerary a scenario cannot express."""
    circles = sum(waypoint.doing not in (GO, RETURN) for waypoint in itinerary.waypoints)
    return [f'a scenario says nothing of circles: left out at {circles} of {len(itinerary.waypoints)} waypoints'] if (
        circles) else []


def _metres(value: float) -> float:
    """Return m rounded to 0.1 mm and never -0.0, so that YAML writes no exponent."""
    return round(float(value), 4) + 0.0
