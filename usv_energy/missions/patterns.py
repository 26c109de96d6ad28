"""Survey and search patterns over an area (lanes, a box, circles, sectors), and missions of them."""

import itertools
import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from usv_energy.earth import LocalPlane, Place, half_turn
from usv_energy.files.errors import InputError
from usv_energy.missions.itinerary import Waypoint, items_from_waypoints, itinerary_of
from usv_energy.missions.mission import LocalPlace, Mission, in_degrees
from usv_energy.missions.mission_file import read_mission

MOST_LANES = 5000
MOST_PLACES = 60_000
CIRCLE_POINTS = 36
TOUCH = 1e-6  # m: a leg that crosses an island over a shorter length only touches it
SEARCH_SECTORS = 3  # the sector search of IAMSAR has three triangles


class Lane(NamedTuple):
    """A stretch of a lane inside an area, m, in axes turned with the lanes: from x = `begin` to `end`, at `y`."""

    y: float
    begin: float
    end: float


class Lawnmower(NamedTuple):
    """
    A lawnmower pattern over an area.

    `places` are the ends of the lanes in the order in which the boat visits them, `spacing`, m, is the distance of
    lanes, `lanes` their number. `transits` is the number of legs from one part of the area to another, which may lead
    outside; they go around its holes.
    """

    places: tuple[LocalPlace, ...]
    spacing: float
    lanes: int
    transits: int


def rectangle(length: float, width: float, angle: float = 0.0) -> tuple[LocalPlace, ...]:
    """
    Return the corners of a rectangle about the origin, counter-clockwise.

    :param length: Of the sides along `angle`, m.
    :param width: Of the others, m.
    :param angle: rad, counter-clockwise from east.
    """
    corners = [(x * length / 2.0, y * width / 2.0) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return tuple(LocalPlace(x, y) for x, y in _rotated(np.array(corners), angle).tolist())


class Area(NamedTuple):
    """An area: its corners and those of each hole in it, m, and the origin of these metres, None if unknown."""

    corners: tuple[LocalPlace, ...]
    origin: Place | None = None
    holes: tuple[tuple[LocalPlace, ...], ...] = ()


def lawnmower(area: Sequence[LocalPlace], spacing: float, angle: float, start: LocalPlace | None = None,
              holes: Sequence[Sequence[LocalPlace]] = ()) -> Lawnmower:
    """
    Return lanes back and forth over an area.

    The lanes are evenly spaced, at most `spacing` apart, and the outer ones run half a spacing inside the edges, so
    that a swath as wide as `spacing` covers the whole area. An area that is not convex is cut into parts where a lane
    leaves and re-enters it, and where it meets a hole; the parts are covered one after the other, always the nearest
    next. Where the way from lane to lane meets a hole it goes along the hole's edge.

    :param area: Corners in order, clockwise or counter-clockwise, at least three; a ring may be closed.
    :param spacing: m.
    :param angle: Of the lanes, rad, counter-clockwise from east.
    :param start: Where the boat comes from; it begins at the nearest end of the outer lanes of a part. None: it begins
        with the lowest lane.
    :param holes: Rings in the area that no lane and no way crosses, as islands; corners in order.
    :raises InputError: If the area is not one, or takes more than MOST_LANES lanes.
    """
    corners = _uncrossed(area)
    level = _rotated(corners, -angle)
    low, high = float(level[:, 1].min()), float(level[:, 1].max())
    lanes = _number_of_lanes(high - low, spacing)
    lane_spacing = (high - low) / lanes
    islands = [_rotated(_uncrossed(hole), -angle) for hole in holes]
    rows = [_stretches([level, *islands], low + (row + 0.5) * lane_spacing) for row in range(lanes)]
    parts = _parts(rows)
    begin = None if start is None else _rotated(np.array([start], float), -angle)[0].tolist()
    path = _path_through(parts, begin)
    if not path:
        raise InputError('the area is so narrow that no lane lies within it')
    places = _rotated(np.array(_path_around_islands(path, islands)), angle)
    return Lawnmower(tuple(LocalPlace(x, y) for x, y in places.tolist()), lane_spacing, lanes, len(parts) - 1)


def checked_area(area: Sequence[LocalPlace]) -> np.ndarray:
    """
    Return the corners of an area, m, shape (n, 2), without repeated ones.

    :raises InputError: If there are fewer than three, or they lie on a line.
    """
    corners = np.array(area, float).reshape(-1, 2)
    corners = corners[np.any(corners != np.roll(corners, -1, axis=0), axis=1)]
    if len(corners) < 3:
        raise InputError(f'the area has {len(corners)} corners; must be at least 3')
    (x, y), size = corners.T, float(np.ptp(corners, axis=0).max())
    if not size > 0.0 or abs(signed_area(x - x[0], y - y[0])) < 1e-9 * size * size:
        raise InputError('the area has nothing between its corners: they lie on a line, or its edges '
                         'cross')
    return corners


def _uncrossed(area: Sequence[LocalPlace]) -> np.ndarray:
    """Return the corners of an area; raises as `checked_area`, and if its edges cross."""
    corners = checked_area(area)
    if crossed := _crossing_edges(corners):
        raise InputError(f'the edges of the area from corner {crossed[0] + 1} and from corner {crossed[1] + 1} cross; '
                         'must be an area whose edges do not')
    return corners


def _crossing_edges(corners: np.ndarray) -> tuple[int, int] | None:
    """Return the first two edges of a ring that cross, by their first corners' numbers from 0; None if none do."""
    ends = np.roll(corners, -1, axis=0)

    def side(begin: np.ndarray, end: np.ndarray, place: np.ndarray) -> np.ndarray:
        along, beside = end - begin, place - begin
        return np.asarray(along[..., 0] * beside[..., 1] - along[..., 1] * beside[..., 0])

    for number, (begin, end) in enumerate(zip(corners, ends)):
        others = slice(number + 1, None)
        apart = side(begin, end, corners[others]) * side(begin, end, ends[others]) < 0.0
        found = np.flatnonzero(apart & (side(corners[others], ends[others], begin)
                                        * side(corners[others], ends[others], end) < 0.0))
        if found.size:
            return number, number + 1 + int(found[0])
    return None


def signed_area(x: np.ndarray, y: np.ndarray) -> float:
    """Return the area of a ring, m^2, above 0 if it runs counter-clockwise (the shoelace formula)."""
    return 0.5 * float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))


def angle_of_fewest_lanes(area: Sequence[LocalPlace]) -> float:
    """
    Return the angle of lanes, rad, 0 to pi, across which the area is narrowest; the smallest of several.

    It is that of an edge of the area's convex hull (Houle and Toussaint, IEEE PAMI 10 (1988), theorem 2.1).
    """
    corners = checked_area(area)
    steps = corners[:, None, :] - corners[None, :, :]
    angles = np.unique(np.round(np.arctan2(steps[..., 1], steps[..., 0])[np.any(steps != 0.0, axis=-1)] % math.pi, 12))
    across = corners @ np.array([-np.sin(angles), np.cos(angles)])
    widths = np.ptp(across, axis=0)
    return float(angles[int(np.argmax(widths <= widths.min() * (1.0 + 1e-9)))])


def _number_of_lanes(width: float, spacing: float) -> int:
    if not spacing > 0.0:
        raise InputError(f'the spacing is {spacing:g} m; must be above 0')
    if width / spacing > MOST_LANES:
        raise InputError(f'{width:g} m at a spacing of {spacing:g} m are more than {MOST_LANES} lanes')
    return max(1, math.ceil(width / spacing * (1.0 - 1e-12)))


def _rotated(points: np.ndarray, angle: float) -> np.ndarray:
    """Return points, shape (n, 2), rotated about the origin by an angle, rad, counter-clockwise."""
    cosine, sine = math.cos(angle), math.sin(angle)
    return points @ np.array([[cosine, sine], [-sine, cosine]])


def _stretches(rings: Sequence[np.ndarray], y: float) -> list[Lane]:
    """Return the stretches of the line at y inside the first ring and outside of all others."""
    crossings = sorted((x, number) for number, ring in enumerate(rings) for x, _ in _crossings(ring, y))
    stretches, inside = [], set[int]()
    for (begin, number), (end, _) in itertools.pairwise(crossings):
        inside ^= {number}
        if inside == {0} and end > begin:
            stretches.append(Lane(y, begin, end))
    return stretches


def _crossings(corners: np.ndarray, y: float) -> list[tuple[float, int]]:
    """Return where the line at y crosses a ring, in the order of x: x, m, and the number of the edge."""
    (x0, y0), (x1, y1) = corners.T, np.roll(corners, -1, axis=0).T
    cut = np.flatnonzero((y0 <= y) != (y1 <= y))
    x = x0[cut] + (y - y0[cut]) * (x1[cut] - x0[cut]) / (y1[cut] - y0[cut])
    return sorted(zip(x.tolist(), cut.tolist()))


def _path_around_islands(path: Sequence[tuple[float, float]],
                    islands: Sequence[np.ndarray]) -> list[tuple[float, float]]:
    """Return a path that goes around islands where its legs cross them: along their edge, the shorter way."""
    found = list(path[:1])
    for one, other in itertools.pairwise(path):
        for place in (*_detour(one, other, islands), other):
            found += [place] if math.dist(place, found[-1]) > TOUCH else []
    return found


def _detour(one: tuple[float, float], other: tuple[float, float],
                 islands: Sequence[np.ndarray]) -> list[tuple[float, float]]:
    """Return the places of the detour of a straight leg around islands, in order; empty if it crosses none."""
    length, angle = math.dist(one, other), math.atan2(other[1] - one[1], other[0] - one[0])
    detours = []
    for island in islands:
        along = _rotated(island - np.array(one), -angle)    # The leg lies on its x axis, from 0 to its length.
        crossings = _crossings(along, 0.0)
        for (begin, first), (end, last) in zip(crossings[::2], crossings[1::2]):
            ends = (max(begin, 0.0), 0.0), (min(end, length), 0.0)
            if ends[1][0] - ends[0][0] > TOUCH and not _lies_on_edges(along, ends[0][0], ends[1][0]):
                detours.append((begin, _path_along_ring(along, first, last, *ends)))
    places = [place for _, detour in sorted(detours) for place in detour]
    if not places:
        return []
    return [(x, y) for x, y in (_rotated(np.array(places), angle) + np.array(one)).tolist()]


def _lies_on_edges(ring: np.ndarray, begin: float, end: float) -> bool:
    """Return whether a stretch of the x axis lies on the edges of a ring, so that it does not cross the ring."""
    points = np.column_stack([begin + np.array([0.25, 0.5, 0.75]) * (end - begin), np.zeros(3)])
    sides = np.roll(ring, -1, axis=0) - ring
    share = np.clip(np.einsum('pij,ij->pi', points[:, None] - ring, sides) / (sides ** 2).sum(axis=1), 0.0, 1.0)
    off = np.linalg.norm(points[:, None] - ring - share[..., None] * sides, axis=2)
    return bool(off.min(axis=1).max() < TOUCH)


def _path_along_ring(ring: np.ndarray, first: int, last: int, begin: tuple[float, float],
         end: tuple[float, float]) -> list[tuple[float, float]]:
    """Return the shorter path along a ring from a place on edge `first` to one on edge `last`, both included."""
    number = len(ring)
    ahead = [(first + 1 + step) % number for step in range((last - first) % number)]
    back = [(first - step) % number for step in range((first - last) % number)]
    ways = [[begin, *((x, y) for x, y in ring[corners].tolist()), end] for corners in (ahead, back)]
    return min(ways, key=_length_of)


def _length_of(places: Sequence[Sequence[float]]) -> float:
    return sum(math.dist(one, other) for one, other in itertools.pairwise(places))


def _parts(rows: Sequence[Sequence[Lane]]) -> list[list[Lane]]:
    """
    Return the lanes in parts that can be covered back and forth: where a row splits or joins, new parts begin.

    Source: Choset, Coverage of known spaces: the boustrophedon cellular decomposition, Autonomous Robots 9 (2000).
    """
    parts: list[list[Lane]] = []
    last: list[tuple[Lane, list[Lane]]] = []  # the stretches of the row before, each with its part
    for row in rows:
        adjacent = {lane: [part for other, part in last if _overlap(lane, other)] for lane in row}
        now = []
        for lane in row:
            continues = len(adjacent[lane]) == 1 and sum(adjacent[lane][0] in found for found in adjacent.values()) == 1
            part = adjacent[lane][0] if continues else []
            if not continues:
                parts.append(part)
            part.append(lane)
            now.append((lane, part))
        last = now
    return parts


def _overlap(one: Lane, other: Lane) -> bool:
    return one.begin < other.end and other.begin < one.end


def _path_through(parts: Sequence[list[Lane]], start: Sequence[float] | None) -> list[tuple[float, float]]:
    """Return the ends of all lanes in order: back and forth through a part, then through the nearest part left."""
    left: list[list[Lane]] = list(parts)
    path: list[tuple[float, float]] = []
    while left:
        paths = [_back_and_forth(lanes, first) for part in left for lanes in (part, part[::-1]) for first in (0, 1)]
        here = path[-1] if path else start or paths[0][0]
        nearest = min(range(len(paths)), key=lambda number: math.dist(here, paths[number][0]))
        path += paths[nearest]
        del left[nearest // 4]
    return path


def _back_and_forth(lanes: Sequence[Lane], first: int) -> list[tuple[float, float]]:
    path = []
    for row, lane in enumerate(lanes, start=first):
        ends = [(lane.begin, lane.y), (lane.end, lane.y)]
        path += ends[::-1] if row % 2 else ends
    return path


def box(area: Sequence[LocalPlace]) -> tuple[LocalPlace, ...]:
    """Return the way around an area, back to its first corner; raises as `checked_area`."""
    corners = [LocalPlace(x, y) for x, y in checked_area(area).tolist()]
    return (*corners, corners[0])


def boxes_inward(length: float, width: float, spacing: float, angle: float = 0.0) -> tuple[LocalPlace, ...]:
    """
    Return the way around a rectangle about the origin and on inwards, box within box, counter-clockwise.

    :param length: m, along `angle`; :param width: m, across.
    :param spacing: Of one box to the next, m.
    :param angle: rad, counter-clockwise from east.
    :raises InputError: If there are too many.
    """
    number = _number_of_lanes(min(length, width), 2.0 * spacing)
    rings = [rectangle(length - 2.0 * ring * spacing, width - 2.0 * ring * spacing, angle) for ring in range(number)]
    return tuple(place for corners in rings for place in (*corners, corners[0]))


def circles(radius: float, spacing: float | None = None, points: int = CIRCLE_POINTS) -> tuple[LocalPlace, ...]:
    """
    Return the path around a circle about the origin, counter-clockwise from east, as chords.

    :param radius: m; the corners lie on the circle.
    :param spacing: Distance to the next circle inwards, m; None for a single circle.
    :param points: Corners of each circle.
    :raises InputError: If there are too many.
    """
    number = 1 if spacing is None else _number_of_lanes(radius, spacing)
    if number * (points + 1) > MOST_PLACES:
        raise InputError(f'{number} circles of {points} points are more than {MOST_PLACES} places')
    turns = [math.tau * point / points for point in range(points)]
    rings = [[LocalPlace(size * math.cos(turn), size * math.sin(turn)) for turn in turns]
             for size in (radius - ring * (spacing or 0.0) for ring in range(number))]
    return tuple(place for ring in rings for place in (*ring, ring[0]))


def sectors(radius: float, spacing: float | None = None, angle: float = 0.0) -> tuple[LocalPlace, ...]:
    """
    Return a sector search about the origin: out, across, back through the middle, until all directions are covered.

    The standard search has three equilateral triangles and is 9 radii long. With a spacing it has as many as needed.

    :param radius: m.
    :param spacing: Largest distance of the rays at the rim, m; None for the three triangles of a search at sea.
    :param angle: Of the first ray, rad, counter-clockwise from east; the boat turns to starboard.
    :raises InputError: If there are too many.

    Source: IAMSAR manual, volume III, section 3: sector search, VS.
    """
    number = SEARCH_SECTORS
    if spacing is not None:
        if not spacing > 0.0:
            raise InputError(f'the spacing is {spacing:g} m; must be above 0')
        number = math.ceil(math.pi / 2.0 / math.asin(min(1.0, spacing / (2.0 * radius))) * (1.0 - 1e-12))
        number += 1 - number % 2  # With an even number the last ray would be the first again.
        if number > MOST_LANES:
            raise InputError(f'a radius of {radius:g} m at a spacing of {spacing:g} m takes over {MOST_LANES} rays')
    path, ray = [LocalPlace(0.0, 0.0)], angle
    for _ in range(number):
        path += [_point_on_circle(radius, ray), _point_on_circle(radius, ray - math.pi / number), LocalPlace(0.0, 0.0)]
        ray += math.pi - math.pi / number
    return tuple(path)


def _point_on_circle(radius: float, angle: float) -> LocalPlace:
    return LocalPlace(radius * math.cos(angle), radius * math.sin(angle))


def pattern_mission(name: str, places: Sequence[LocalPlace], origin: Place | None, speed: float | None = None,
                    home: Place | None = None, radius: float | None = None, holds: Sequence[float] = ()) -> Mission:
    """
    Return the mission that visits places.

    :param name: Of the mission.
    :param places: m from the origin.
    :param origin: Of the places; None if unknown: the mission then stays in local metres.
    :param speed: On all legs, m/s over ground; None: the mission gives none.
    :param home: Where it starts; None: at the first place.
    :param radius: Within which a place counts as reached, m.
    :param holds: How long it stays at each place, s; empty: it does not.
    :raises InputError: If there is a home, but no origin.
    """
    if origin is None and home is not None:
        raise InputError('home is a place on the Earth, and the pattern has none: give it one, too')
    waypoints = [Waypoint(place, number, speed=speed, radius=radius, hold=holds[number - 1] if holds else 0.0)
                 for number, place in enumerate(places, start=1)]
    mission = in_degrees(Mission(name, items_from_waypoints(waypoints), origin=origin, speed=speed)) if (
        origin is not None) else Mission(name, items_from_waypoints(waypoints), speed=speed)
    return Mission(name, mission.items, home=home, origin=origin, speed=speed)


def area_of(path: str | Path, part: str | None = None) -> Area:
    """
    Return the area in a file: the corners of its ring or line, or its waypoints, and the holes of its ring.

    :param part: As `read_mission`.
    :return: The area; its origin is the middle of its latitudes and longitudes. The corners of a file in local metres
        are returned as they are.
    :raises InputError: As `read_mission`.
    """
    mission = read_mission(path, part)
    itinerary = itinerary_of(mission)
    places = [waypoint.place for waypoint in itinerary.waypoints]
    if isinstance(places[0], LocalPlace):
        return Area(tuple(place for place in places if isinstance(place, LocalPlace)), itinerary.origin)
    latitude, longitude = np.array(places, float).T
    turned = half_turn(longitude - longitude[0])  # across the date line, too
    middle = longitude[0] + 0.5 * float(turned.min() + turned.max())
    origin = Place(0.5 * float(latitude.min() + latitude.max()), float(half_turn(middle)))

    def local(latitude: np.ndarray, longitude: np.ndarray) -> tuple[LocalPlace, ...]:
        east, north = LocalPlane(origin).to_local(latitude, longitude)
        return tuple(LocalPlace(x, y) for x, y in zip(east.tolist(), north.tolist()))
    return Area(local(latitude, longitude), origin, tuple(local(*np.array(hole, float).T) for hole in mission.holes))
