"""The barriers of a boat: from files and from the ends of the water, and the distance that the boat keeps from them."""

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
from usv_energy.missions.land_file import read_land, refuse_crossings
from usv_energy.sim.control.autopilot import steers_by_rudder
from usv_energy.sim.scenario import LENGTH, RADIUS
from usv_energy.studies.maps.lattice import extent_of
from usv_energy.studies.route.barriers.area_barriers import Barriers, NoBarriers, combined_barriers, shape_barriers
from usv_energy.studies.route.barriers.cell_barriers import MOST_CELLS, depth_barriers, dry_barriers

TURN_ROOM = 0.5     # of the boat's length: clearance of a boat that turns on the spot
ROOM_SHARE = 0.99   # of the distance from start and goals to the nearest barrier: the largest default clearance


class BarrierFiles(NamedTuple):
    """
    The files of barriers, and how they are used.

    `land`: files of areas, lines and points. `depth`, `bed`: files of depth, m, positive below water, and of the bed's
    height, m. `draught`: depth that the boat needs, m. `water_level`: of the surface, m, above the zero of the heights.
    `clearance`: distance to be kept from all barriers, m; None: the boat's own in `boat_barriers`, 0 in
    `read_barriers`. `metres`: the files are in the world's metres.
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

    :param frame: Where the world lies on the Earth; None if unknown.
    :param region: The part of the world that is read, m; None: 3000 km around its origin.
    :raises InputError: If a file is wrong, or a depth is given without a draught.
    """
    if (files.depth or files.bed) and files.draught is None:
        raise InputError(f'{(*files.depth, *files.bed)[0]}: a depth needs --draught, m: how deep the water must be')
    if files.draught is not None and not (files.depth or files.bed):
        raise InputError(f'--draught is {files.draught:g}; it goes with --depth or --bed')
    clearance = files.clearance or 0.0
    shapes = [shape for path in files.land for shape in read_land(path, frame, files.metres, region)]
    if len(files.land) > 1:
        refuse_crossings(shapes, ', '.join(map(str, files.land)))
    parts = [shape_barriers(shapes, clearance)] if shapes else []
    for meaning, paths in (('depth', files.depth), ('bed', files.bed)):
        for path in paths:
            parts.append(depth_barriers(path, 'depth' if meaning == 'depth' else 'bed', files.draught or 0.0, frame,
                                        files.metres, clearance, files.water_level))
    return combined_barriers(parts)


def boat_barriers(boat: Boat, files: BarrierFiles, current: FlowField, frame: WorldFrame | None,
             places: Sequence[tuple[float, float]], times: Sequence[float]) -> Barriers:
    """
    Return the barriers of a boat, with its clearance: those of files, and the edges of the water.

    :param files: Their clearance holds for the edges of the water, too; None: the boat's own (`room_to_steer`).
    :param current: In the world.
    :param frame: Where the world lies on the Earth; None if unknown.
    :param places: Start and goals, east and north, m.
    :param times: s of the flow's clock, at which the water's edges are sampled.
    :raises InputError: If a file is wrong, or the water is dry everywhere.
    """
    def of_files(clearance: float) -> Barriers:
        return read_barriers(files._replace(clearance=clearance), frame)

    if files.clearance is None:
        return barriers_with_room(boat, places, lambda clearance: combined_barriers(
            [of_files(clearance), resolved_water_edges(boat, current, times, clearance)]))
    edges = [water_edges(current, times, files.clearance)] if files.clearance > 0.0 else []
    return combined_barriers([of_files(files.clearance), *edges])


def room_to_steer(boat: Boat) -> float:
    """
    Return a boat's default clearance, m.

    The route of least energy against a current runs along the very edge of the water, where the middle of a boat
    cannot be. A boat that turns on the spot needs half its length. A boat that steers by a rudder comes onto a line in
    a curve and overshoots it by up to the radius of its waypoints.
    """
    return (RADIUS if steers_by_rudder(boat.vessel) else TURN_ROOM) * (boat.hull.length or LENGTH)


def barriers_with_room(boat: Boat, places: Sequence[tuple[float, float]],
                       barriers_at: Callable[[float], Barriers]) -> Barriers:
    """
    Return barriers with a boat's default clearance, reduced if start or goals are nearer to a barrier.

    Without shapely, which distances need, the clearance is 0.

    :param boat: The boat.
    :param places: Start and goals, east and north, m.
    :param barriers_at: Returns the barriers with a clearance, m.
    """
    if importlib.util.find_spec('shapely') is None:
        return barriers_at(0.0)
    # With a clearance of 0 some barriers are not built; the least number above 0 gives all distances.
    nearest = float(np.min(barriers_at(math.ulp(0.0)).distance(*np.array(places, dtype=float).T)))
    return barriers_at(min(room_to_steer(boat), max(0.0, ROOM_SHARE * nearest)))


def water_edges(current: FlowField, times: Sequence[float], clearance: float) -> Barriers:
    """
    Return where a current is dry or ends, as barriers that are accurate to half a cell of its own grid.

    :param current: In the world.
    :param times: s of the flow's clock.
    :param clearance: Distance to be kept, m.
    :raises InputError: If the field is dry everywhere.
    """
    return dry_barriers(current, extent_of(current), times, clearance, _grid_spacing(current))


def resolved_water_edges(boat: Boat, current: FlowField, times: Sequence[float], clearance: float) -> Barriers:
    """
    Return the `water_edges`, or none if the current's grid is coarser than the boat's default clearance.

    Coarser cells could close a passage that the boat fits through. Without a clearance there are none either.
    """
    west, south, east, north = extent = extent_of(current)
    room = room_to_steer(boat)
    size = max(_grid_spacing(current) or 2.0 * room, math.sqrt((east - west) * (north - south) / MOST_CELLS))
    if not clearance > 0.0 or not size <= 2.0 * room:
        return NoBarriers()
    return dry_barriers(current, extent, times, clearance, size)


def _grid_spacing(current: Any) -> float | None:
    """Return the spacing of a flow's own grid, m; None if it has no grid."""
    spacing = current.describe().get('spacing_m') if hasattr(current, 'describe') else None
    return None if spacing is None else float(min(spacing))
