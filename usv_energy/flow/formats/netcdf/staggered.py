"""Velocities on the faces of cells (Arakawa's C-grid, as in ROMS and CROCO), converted to velocities in the cells."""

from pathlib import Path
from typing import Any

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.flow.formats.netcdf import cf
from usv_energy.flow.formats.netcdf.store import FASTEST, Side, StoredVelocity
from usv_energy.flow.grids.pages import Shape, Window

CENTRES = (('lon_rho', 'lat_rho'), ('x_rho', 'y_rho'), ('longitude_rho', 'latitude_rho'))


def is_staggered(u: Any, v: Any) -> bool:
    """Return whether two variables are on the western and the southern faces of the same cells, by their sizes."""
    (u_rows, u_columns), (v_rows, v_columns) = u.shape[-2:], v.shape[-2:]
    return bool(u.dims[-2:] != v.dims[-2:] and u_rows == v_rows + 1 and v_columns == u_columns + 1)


def centres(store: Any, path: Path, u: Any, v: Any) -> tuple[Any, Any]:
    """
    Return the coordinates of the centres of inner cells, longitudes and latitudes or x and y.

    :raises InputError: If the file has none.
    """
    shape = u.shape[-2], v.shape[-1]
    for names in CENTRES:
        if all(name in store.variables and store[name].shape == shape for name in names):
            x, y = (store[name] for name in names)
            inner = dict.fromkeys(x.dims, slice(1, -1))
            return x.isel(inner), y.isel(inner)
    raise InputError(f'{path}: {u.name} and {v.name} lie on the faces of cells, and the file does not say where these '
                     f'are: lacks lon_rho and lat_rho with {shape[0]} rows and {shape[1]} columns. They are in the '
                     'model\'s grid file: put them in with ncks -A -v lon_rho,lat_rho,mask_rho,angle')


def inner_values(store: Any, name: str, centre: Any) -> np.ndarray | None:
    """Return a variable of the cells at the centres that are used, shape (rows, columns); None if it is missing."""
    if name not in store.variables or store[name].dims != centre.dims:
        return None
    return np.asarray(store[name].values, dtype=float)[1:-1, 1:-1]


def angle_of(store: Any, centre: Any) -> np.ndarray | None:
    """Return the angle from the east to the rows' direction, rad, from the file; None without."""
    angle = inner_values(store, 'angle', centre)
    if angle is not None and cf.unit_of(store['angle'].attrs).lower().startswith('degree'):
        return angle * (np.pi / 180.0)
    return angle


class StaggeredVelocity(StoredVelocity):
    """
    The velocity in cells: the mean over two faces, along the rows and across them.

    A face without a value beside a cell with water is a wall with zero velocity. A cell is dry by the file's mask, or
    if none of its four faces has a value.
    """

    def __init__(self, sides: tuple[Side, Side], path: Path, notes: list[str],
                 turn: tuple[np.ndarray, np.ndarray], wet: np.ndarray | None) -> None:
        """
        Take the two components.

        :param sides: Through the western and the southern faces.
        :param path: Name of the file in error messages.
        :param notes: See StoredVelocity.
        :param turn: See StoredVelocity; of the cells used.
        :param wet: Which cells have water, bool, shape (rows, columns); None if not in the file.
        """
        super().__init__(sides, path, notes, turn)
        times, rows, columns = sides[0].shape
        self.shape: Shape = (times, rows - 2, columns - 1)
        self._wet = wet

    def _parts(self, window: Window) -> list[np.ndarray]:
        """Return the two components in a window."""
        times, rows, columns = window
        faces = self._sides[0].read((times, slice(rows.start + 1, rows.stop + 1), slice(columns.start,
                                                                                        columns.stop + 1)))
        more = self._sides[1].read((times, slice(rows.start, rows.stop + 1), slice(columns.start + 1,
                                                                                   columns.stop + 1)))
        four = [faces[..., :-1], faces[..., 1:], more[:, :-1], more[:, 1:]]
        known = [np.abs(face) <= FASTEST for face in four]
        west, east, south, north = (np.where(here, face, 0.0) for here, face in zip(known, four))
        wet = np.logical_or.reduce(known)
        if self._wet is not None:
            wet &= self._wet[rows, columns]
        return [np.where(wet, 0.5 * (one + other), np.nan) for one, other in ((west, east), (south, north))]
