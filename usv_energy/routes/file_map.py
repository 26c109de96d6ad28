"""The coordinates of a file of land or depth, degrees or a map's, as the world's metres and back."""

from pathlib import Path
from typing import Any

import numpy as np
from pyproj import CRS, Transformer
from pyproj.exceptions import CRSError

from ..earth import Pair
from ..files.errors import InputError
from .world_frame import WorldFrame

WORLD = ('world', 'local')      # What a file may call its coordinate system where it is in the world's metres.


class FileMap:
    """
    A file's coordinates and the world's, m. `frame` is None where they are the same; `degrees`: longitude, latitude.

    Any shape; safe for threads.
    """

    def __init__(self, path: Path, crs: CRS | None, frame: WorldFrame | None) -> None:
        """Take the file's path, for errors, its coordinate system, and where the world lies; None, None: the same."""
        self.path, self.frame = path, frame
        self.degrees = crs is not None and crs.is_geographic
        self._there: Any = None if crs is None or self.degrees else Transformer.from_crs(crs, 'EPSG:4326',
                                                                                        always_xy=True)
        self._back: Any = None if self._there is None else Transformer.from_crs('EPSG:4326', crs, always_xy=True)

    def to_world(self, x: np.ndarray, y: np.ndarray) -> Pair:
        """Return m in the world of the file's coordinates, x (longitude) first."""
        if self.frame is None:
            return x, y
        longitude, latitude = (x, y) if self._there is None else self._there.transform(x, y)
        return self.frame.to_local(latitude, longitude)

    def to_file(self, x: np.ndarray, y: np.ndarray) -> Pair:
        """Return the file's coordinates, x (longitude) first, of places in the world, m."""
        if self.frame is None:
            return x, y
        latitude, longitude = self.frame.to_geodetic(x, y)
        if self._back is None:
            return longitude, latitude
        east, north = self._back.transform(longitude, latitude)
        return np.asarray(east), np.asarray(north)


def file_map(path: Path, crs: str | None, frame: WorldFrame | None, metres: bool) -> FileMap:
    """
    Return how a file's coordinates become the world's.

    :param crs: Its coordinate system as pyproj takes it; `world` or a local one is the world's metres; None: not said.
    :param frame: Where the world lies on the Earth; None if nobody knows.
    :param metres: The file is in the world's metres, whatever it says itself.
    :raises InputError: If the system is unknown or not said, or nobody says where the world lies.
    """
    if metres or (crs is not None and crs.lower() in WORLD):
        return FileMap(path, None, None)
    if crs is None:
        raise InputError(f'{path}: does not say in which coordinates it is (no .prj, no projection); name them in it, '
                         "or give --land-metres if they are the world's metres")
    try:
        known = CRS.from_user_input(crs)
    except CRSError:
        raise InputError(f'{path}: its coordinate system is {crs[:60]!r}, which pyproj does not know') from None
    if known.is_engineering:
        return FileMap(path, None, None)
    if frame is None:
        raise InputError(f'{path}: is in {"degrees" if known.is_geographic else known.name}, and nobody says where on '
                         "the Earth the world's metres lie; give --origin LATITUDE LONGITUDE, or --land-metres if the "
                         "file is in the world's metres")
    return FileMap(path, known, frame)
