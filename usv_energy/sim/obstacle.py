"""Obstacles of a scenario, discs and polygons seen from above, and their distance from the boat's hull."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.files.errors import InputError
from usv_energy.sim.control.guidance import Point

CHUNK = 4096  # Samples that are processed at a time, to limit the memory for corners times samples.


class Obstacle(NamedTuple):
    """
    Something solid in the water, seen from above: a disc or a polygon.

    `outline`: the disc's centre, or the polygon's corners in order, m (ENU). `radius`: m, 0 for a polygon.
    """

    name: str
    outline: tuple[Point, ...]
    radius: float = 0.0


class Footprint(NamedTuple):
    """Length and width of a hull, m: a rectangle about the boat's origin, seen from above."""

    length: float
    width: float


def obstacles_of(entries: Sequence[Mapping[str, Any]], path: Path) -> tuple[Obstacle, ...]:
    """
    Return the obstacles from the values under the key `obstacles`, already checked against the schema.

    An obstacle without a name gets its number in the file, from 1.

    :raises InputError: If a polygon's edges cross or touch, or it has no area; the message names file, key and value.
    """
    return tuple(_obstacle(entry, number, path) for number, entry in enumerate(entries))


def _obstacle(entry: Mapping[str, Any], number: int, path: Path) -> Obstacle:
    name = str(entry.get('name', number + 1))
    if 'radius' in entry:
        return Obstacle(name, ((float(entry['x']), float(entry['y'])),), float(entry['radius']))
    corners = tuple((float(corner['x']), float(corner['y'])) for corner in entry['corners'])
    fault = _fault(np.array(corners))
    if fault:
        raise InputError(f'{path}: obstacles.{number}.corners {fault}; must be the corners of one area, in the order '
                         'in which its outline passes them')
    return Obstacle(name, corners)


def _fault(corners: np.ndarray) -> str:
    """Return what is wrong with a polygon, in words; empty if nothing is."""
    x, y = (corners - corners[0]).T
    size = float(np.ptp(corners, axis=0).max())
    if abs(float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))) <= 1e-9 * size * size:
        return 'have no area between them'
    edges = [(corners[n], corners[(n + 1) % len(corners)]) for n in range(len(corners))]
    for first in range(len(edges)):
        for second in range(first + 2, len(edges) - (first == 0)):
            if _cross(*edges[first], *edges[second]):
                return f'{first + 1} to {first + 2} cross those from {second + 1} on'
    return ''


def _cross(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> bool:
    """Return whether two line segments, from a to b and from c to d, have a point in common."""
    def side(p: np.ndarray, q: np.ndarray, r: np.ndarray) -> float:
        return float(np.sign((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])))

    boxes = all(min(a[n], b[n]) <= max(c[n], d[n]) and min(c[n], d[n]) <= max(a[n], b[n]) for n in range(2))
    return boxes and side(a, b, c) * side(a, b, d) <= 0.0 and side(c, d, a) * side(c, d, b) <= 0.0


def hull_among(obstacles: Sequence[Obstacle], boat: Boat, path: Path) -> Footprint | None:
    """Return the hull of the simulated boat, None without obstacles; InputError if its file lacks its size."""
    if not obstacles:
        return None
    for key, value in (('length', boat.hull.length), ('width', boat.hull.width)):
        if value is None:
            raise InputError(f'{path}: obstacles: the boat {boat.name} has no hull.{key}, m, which says how close it '
                             f'comes to them; add it to {boat.path}')
    return Footprint(float(boat.hull.length or 0.0), float(boat.hull.width or 0.0))


def clearances(obstacle: Obstacle, x: np.ndarray, y: np.ndarray, yaw: np.ndarray, hull: Footprint) -> np.ndarray:
    """
    Return the distances between a hull and an obstacle, m; 0 where they touch or overlap, NaN without a position.

    :param obstacle: The Obstacle.
    :param x: East, of the hull's middle, m, shape (N,).
    :param y: North, m, shape (N,).
    :param yaw: Counter-clockwise from east, rad, shape (N,).
    :param hull: The Footprint.
    """
    found = [_chunk(obstacle, x[begin:begin + CHUNK], y[begin:begin + CHUNK], yaw[begin:begin + CHUNK], hull)
             for begin in range(0, len(x), CHUNK)]
    return np.concatenate(found) if found else np.zeros(0)


def _chunk(obstacle: Obstacle, x: np.ndarray, y: np.ndarray, yaw: np.ndarray, hull: Footprint) -> np.ndarray:
    ahead, aside = _in_body_axes(np.array(obstacle.outline), x, y, yaw)
    outside = _distance_to_hull(ahead, aside, hull)
    if obstacle.radius > 0.0:
        return np.maximum(outside[:, 0] - obstacle.radius, 0.0)
    near = np.minimum(outside.min(axis=1), _from_hulls_corners(ahead, aside, hull))
    overlap = _edges_meet_hull(ahead, aside, hull) | _origin_within(ahead, aside)
    return np.where(overlap, 0.0, near)


def _in_body_axes(points: np.ndarray, x: np.ndarray, y: np.ndarray, yaw: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the components ahead and to port of points, m (ENU), (M, 2), for each boat: two of shape (N, M), m."""
    east, north = points[:, 0] - x[:, None], points[:, 1] - y[:, None]
    cosine, sine = np.cos(yaw)[:, None], np.sin(yaw)[:, None]
    return cosine * east + sine * north, cosine * north - sine * east


def _distance_to_hull(ahead: np.ndarray, aside: np.ndarray, hull: Footprint) -> np.ndarray:
    """Return the distances of points in body axes, m, from the rectangle of the hull; 0 within it."""
    return np.hypot(np.maximum(np.abs(ahead) - 0.5 * hull.length, 0.0),
                    np.maximum(np.abs(aside) - 0.5 * hull.width, 0.0))


def _from_hulls_corners(ahead: np.ndarray, aside: np.ndarray, hull: Footprint) -> np.ndarray:
    """Return the least distances of the hull's four corners from the edges of polygons in body axes, m, shape (N,)."""
    along, across = np.roll(ahead, -1, axis=1) - ahead, np.roll(aside, -1, axis=1) - aside
    squared = np.maximum(along * along + across * across, 1e-300)
    least = np.full(len(ahead), np.inf)
    for end in (0.5, -0.5):
        for side in (0.5, -0.5):
            to_x, to_y = end * hull.length - ahead, side * hull.width - aside
            share = np.clip((to_x * along + to_y * across) / squared, 0.0, 1.0)
            least = np.minimum(least, np.hypot(to_x - share * along, to_y - share * across).min(axis=1))
    return least


def _edges_meet_hull(ahead: np.ndarray, aside: np.ndarray, hull: Footprint) -> np.ndarray:
    """Return whether an edge of each polygon passes through the hull; Liang and Barsky's clipping, shape (N,)."""
    first, last = np.zeros_like(ahead), np.ones_like(ahead)
    for begin, half in ((ahead, 0.5 * hull.length), (aside, 0.5 * hull.width)):
        step = np.roll(begin, -1, axis=1) - begin
        still, safe = step == 0.0, np.where(step == 0.0, 1.0, step)
        within = np.where(np.abs(begin) <= half, -np.inf, np.inf)  # Of an edge along this side of the hull.
        low, high = (-half - begin) / safe, (half - begin) / safe
        first = np.maximum(first, np.where(still, within, np.minimum(low, high)))
        last = np.minimum(last, np.where(still, -within, np.maximum(low, high)))
    return np.asarray(np.any(first <= last, axis=1))


def _origin_within(ahead: np.ndarray, aside: np.ndarray) -> np.ndarray:
    """Return whether each boat's point lies in its polygon: a ray from it crosses an odd number of edges; (N,)."""
    odd: np.ndarray = np.zeros(len(ahead), dtype=bool)
    corners = [*range(ahead.shape[1]), 0]
    for a, b in pairwise(corners):
        apart = (aside[:, a] > 0.0) != (aside[:, b] > 0.0)
        rise = np.where(apart, aside[:, b] - aside[:, a], 1.0)
        beside = ahead[:, a] - aside[:, a] * (ahead[:, b] - ahead[:, a]) / rise > 0.0
        odd = np.logical_xor(odd, np.logical_and(apart, beside))
    return odd
