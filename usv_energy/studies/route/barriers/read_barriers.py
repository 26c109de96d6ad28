"""All that a boat must keep off, of files and of the flow itself, and at which distance."""

import importlib.util
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.files.errors import InputError
from usv_energy.flow.field import Extent, FlowField
from usv_energy.flow.on_earth import WorldFrame
from usv_energy.sim.control.drift_observer import steers_by_water
from usv_energy.sim.scenario import LENGTH, RADIUS
from usv_energy.studies.maps.lattice import extent_of
from usv_energy.studies.route.barriers.area_barriers import Barriers, NoBarriers, combined_barriers, shape_barriers
from usv_energy.studies.route.barriers.cell_barriers import MOST_CELLS, depth_barriers, dry_barriers
from usv_energy.studies.route.barriers.land_file import read_land


class BarrierFiles(NamedTuple):
    """
    What is to be kept off.

    `land`: files of areas, lines and points. `depth`, `bed`: files of depth, m, positive below water, and of the bed's
    height, m. `draught`: depth that the boat needs, m, and `water_level`: m above the height that these count from.
    `clearance`: distance to be kept from all, m; None: nobody says, which is none here, and the boat's own in
    `kept_off`. `metres`: the files are in the world's metres.
    """

    land: Sequence[str | Path] = ()
    depth: Sequence[str | Path] = ()
    bed: Sequence[str | Path] = ()
    draught: float | None = None
    water_level: float = 0.0
    clearance: float | None = 0.0
    metres: bool = False


def read_barriers(files: BarrierFiles, frame: WorldFrame | None, region: Extent | None = None) -> Barriers:
    """
    Return the barriers of files.

    :param frame: Where the world lies on the Earth; None if nobody knows.
    :param region: The part of the world that counts, m; None: 3000 km around its origin.
    :raises InputError: If a file is wrong, or no draught goes with a depth.
    """
    if (files.depth or files.bed) and files.draught is None:
        raise InputError(f'{(*files.depth, *files.bed)[0]}: a depth needs --draught, m: how deep the water must be')
    if files.draught is not None and not (files.depth or files.bed):
        raise InputError(f'--draught is {files.draught:g}; it goes with --depth or --bed')
    clearance = files.clearance or 0.0
    shapes = [shape for path in files.land for shape in read_land(path, frame, files.metres, region)]
    parts = [shape_barriers(shapes, clearance)] if shapes else []
    for meaning, paths in (('depth', files.depth), ('bed', files.bed)):
        for path in paths:
            parts.append(depth_barriers(path, 'depth' if meaning == 'depth' else 'bed', files.draught or 0.0, frame,
                                        files.metres, clearance, files.water_level))
    return combined_barriers(parts)



def kept_off(boat: Boat, files: BarrierFiles, current: FlowField, frame: WorldFrame | None,
             places: Sequence[tuple[float, float]], times: Sequence[float]) -> Barriers:
    """
    Return what a boat keeps off.

    :param files: Their clearance counts for the end of the water, too; None: the boat's own room (`room_to_steer`).
    :param current: In the world.
    :param frame: Where the world lies on the Earth; None if nobody knows.
    :param places: Start and goals, east and north, m.
    :param times: s of the flow's clock, at which the water's end is looked for.
    :raises InputError: If a file is wrong, or the water is dry everywhere.
    """
    def at(clearance: float) -> Barriers:
        return read_barriers(files._replace(clearance=clearance), frame)

    if files.clearance is None:
        return with_room(boat, places,
                         lambda room: combined_barriers([at(room), resolved_ends(boat, current, times, room)]))
    ends = [ends_of_water(current, times, files.clearance)] if files.clearance > 0.0 else []
    return combined_barriers([at(files.clearance), *ends])



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
