"""All that a boat must keep off, of files and of the flow itself, as one."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ..files.errors import InputError
from ..flow.field import Extent
from .area_barriers import joined, shape_barriers
from .barriers import Barriers
from .depth_raster import depth_barriers
from .land_file import read_land
from .world_frame import WorldFrame


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
    return joined(parts)
