"""How far a boat keeps off land and the end of the water by itself, so that its helm can hold what was planned."""

import importlib.util
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..boats.boat_file import Boat
from ..flow.field import FlowField
from ..planning.lattice_flow import extent_of
from ..sim.drift_observer import steers_by_water
from ..sim.other_boat import LENGTH, RADIUS
from .barriers import Barriers, NoBarriers
from .dry_places import MOST_CELLS, dry_barriers

HALF = 0.5      # Of its length: what a boat keeps that turns on the spot, so that its ends stay in the water.
INSIDE = 0.99   # Of the room that start and goal have, that is kept where it is less than what the boat would keep.


def room_to_steer(boat: Boat) -> float:
    """
    Return how far a boat keeps off by itself, m.

    The least energy up a stream is at the very edge of the water, where no boat's middle can be. One that turns on the
    spot keeps half its length off; one that steers by a rudder comes onto a line in a curve, and swings to its other
    side: as far as its waypoints' radius.
    """
    return (RADIUS if steers_by_water(boat.vessel) else HALF) * (boat.hull.length or LENGTH)


def with_room(boat: Boat, places: Sequence[tuple[float, float]], kept_off: Callable[[float], Barriers]) -> Barriers:
    """
    Return what a boat keeps off, where nobody says at which distance: at its own, or as start and goals allow.

    Without shapely, which distances need, at none.

    :param boat: The boat.
    :param places: Start and goals, east and north, m.
    :param kept_off: Returns the barriers at a distance, m.
    """
    if importlib.util.find_spec('shapely') is None:
        return kept_off(0.0)
    # Distances are told but by barriers that are kept off by some.
    nearest = float(np.min(kept_off(math.ulp(0.0)).distance(*np.array(places, dtype=float).T)))
    return kept_off(min(room_to_steer(boat), max(0.0, INSIDE * nearest)))


def ends_of_water(current: FlowField, times: Sequence[float], clearance: float) -> Barriers:
    """
    Return where a current has no water, or ends, as barriers that are true to half a cell of its own grid.

    :param current: In the world.
    :param times: s of the flow's clock.
    :param clearance: Distance to be kept, m.
    :raises InputError: If the field is dry everywhere.
    """
    return dry_barriers(current, extent_of(current), times, clearance, _spacing(current))


def resolved_ends(boat: Boat, current: FlowField, times: Sequence[float], clearance: float) -> Barriers:
    """
    Return the same for a distance that nobody gave: where it is as true as the room that the boat keeps; else nothing.

    Coarser cells would close what a boat goes through. Parameters as of `ends_of_water`; at no distance, nothing.
    """
    west, south, east, north = extent = extent_of(current)
    room = room_to_steer(boat)
    size = max(_spacing(current) or 2.0 * room, math.sqrt((east - west) * (north - south) / MOST_CELLS))
    if not clearance > 0.0 or not size <= 2.0 * room:
        return NoBarriers()
    return dry_barriers(current, extent, times, clearance, size)


def _spacing(current: Any) -> float | None:
    """Return the spacing of a flow's own grid, m; None of one that has none."""
    spacing = current.describe().get('spacing_m') if hasattr(current, 'describe') else None
    return None if spacing is None else float(min(spacing))
