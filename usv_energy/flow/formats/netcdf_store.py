"""Files that xarray opens lazily, and parts of a stored velocity in m/s without fill values."""

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.files.limits import NETCDF_VARIABLES
from usv_energy.files.optional import optional
from usv_energy.flow.formats.hdf_file import check_hdf
from usv_energy.flow.grids.pages import Pages, Shape, Window, page_shape
from usv_energy.flow.readers import beginning

HDF5_MAGIC, CLASSIC_MAGICS = b'\x89HDF\r\n\x1a\n', (b'CDF\x01', b'CDF\x02', b'CDF\x05')


def recognises(path: Path) -> bool:
    """Return whether a file is netCDF (classic or HDF5 with netCDF's or CF's marks), or a folder a zarr store."""
    if path.is_dir():
        return any((path / name).is_file() for name in ('.zgroup', '.zmetadata', 'zarr.json'))
    magic = beginning(path, 8)
    if magic != HDF5_MAGIC:
        return magic[:4] in CLASSIC_MAGICS
    import h5py
    try:
        check_hdf(path)
        with h5py.File(path) as store:
            return 'Conventions' in store.attrs or '_NCProperties' in store.attrs or any(
                'DIMENSION_LIST' in store[name].attrs for name in store
                if isinstance(store.get(name, getlink=True), h5py.HardLink))
    except OSError:
        return path.suffix.lower() in ('.nc', '.nc4', '.cdf')  # A damaged file; opening it raises an error.


def opened_store(path: Path) -> Any:
    """
    Return a netCDF file or zarr store as an xarray.Dataset, of which only the header is read.

    :raises InputError: If it cannot be opened, or the library for it is missing.
    """
    _check_whole(path)
    check_store(path)
    xarray = xarray_for(path)
    try:
        if path.is_dir():
            with warnings.catch_warnings():
                warnings.simplefilter('ignore', RuntimeWarning)  # A store without consolidated metadata is slow.
                store = xarray.open_zarr(path, chunks=None, decode_times=False)
        else:
            store = xarray.open_dataset(path, engine='netcdf4', decode_times=False, cache=False)
    except Exception as error:  # each backend raises different errors
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f'{path}: cannot be read; is the file whole? {reason}') from None
    if len(store.variables) > NETCDF_VARIABLES:     # xarray's access takes the longer the more there are.
        raise InputError(f'{path}: has {len(store.variables)} variables; must be at most {NETCDF_VARIABLES}')
    return store


def xarray_for(path: Path) -> Any:
    """Return xarray; InputError if it, or the library by which it reads a netCDF file or zarr store, is missing."""
    purpose = f'{path}: netCDF and zarr'
    xarray = optional('xarray', 'flow', purpose)
    for library in ('zarr',) if path.is_dir() else ('cftime', 'netCDF4'):
        optional(library, 'flow', purpose)
    return xarray


def check_store(path: Path) -> None:
    """Check a netCDF4 file as `check_hdf`; other stores pass."""
    if not path.is_dir() and beginning(path, 8) == HDF5_MAGIC:
        try:
            check_hdf(path)
        except OSError as error:
            raise InputError(f'{path}: cannot be read; is the file whole? {error}') from None


def _check_whole(path: Path) -> None:
    """Check that a classic file is as long as its header says; the netCDF library would read zeros instead."""
    if beginning(path, 4) not in CLASSIC_MAGICS[:2]:  # scipy can read these two.
        return
    from scipy.io import netcdf_file
    try:
        with warnings.catch_warnings():
            warnings.simplefilter('ignore', RuntimeWarning)  # The map stays open while variables refer to it.
            netcdf_file(path, 'r', mmap=True).close()
    except Exception as error:  # each backend raises different errors
        raise InputError(f'{path}: is truncated or damaged: its header tells of more than there is ({error})') from None


FASTEST = 200.0  # m/s; a larger speed is a fill value that the file does not declare.


class Side(NamedTuple):
    """A component of a velocity: variable, dimensions of time, row (or None) and column, its unit in m/s."""

    variable: Any
    dimensions: tuple[str | None, str | None, str]
    scale: float

    @property
    def shape(self) -> Shape:
        """Times (1 without a time dimension), rows, columns."""
        times, rows, columns = (1 if name is None else int(self.variable.sizes[name]) for name in self.dimensions)
        return times, rows, columns

    def read(self, window: Window) -> np.ndarray:
        """Return a part, m/s, shape (times, rows, columns); NaN without a value."""
        named = {name: part for name, part in zip(self.dimensions, window) if name is not None}
        order = [name for name in self.dimensions if name is not None]
        values = np.asarray(self.variable.isel(named).transpose(*order).values)
        if self.scale != 1.0 or not np.issubdtype(values.dtype, np.floating):
            values = values * self.scale
        return values if self.dimensions[0] is not None else values[np.newaxis]


class StoredVelocity:
    """The two components of a velocity on one lattice, as `Pages` reads them."""

    def __init__(self, sides: Sequence[Side], path: Path, notes: list[str],
                 turn: tuple[np.ndarray, np.ndarray] | None = None) -> None:
        """
        Take the two components.

        :param sides: Along the lattice's columns and along its rows, or to the east and to the north.
        :param path: Name of the file in error messages.
        :param notes: List to which a note on fill values is added.
        :param turn: Cosine and sine of the angle from the east to the direction of the first component,
            counter-clockwise, at each node; None if that is the east.
        """
        self._sides, self._path, self._notes, self._turn = sides, path, notes, turn
        self.shape = sides[0].shape

    def pages(self) -> Pages:
        """Return the pages of this velocity, matched to the chunks of the file."""
        kind = np.result_type(np.float32, *(side.variable.dtype for side in self._sides))
        chunks = chunks_of(self._sides[0])
        page = page_shape(self.shape, chunks, kind.itemsize)
        if chunks is not None and np.prod(page) * 4 <= np.prod(np.minimum(chunks, self.shape)):
            size = 2 * kind.itemsize * float(np.prod(np.minimum(chunks, self.shape))) / 1e6
            shape = ' x '.join(map(str, chunks))
            self._notes.append(f'its chunks of {shape} (times, rows, columns) take {size:.0f} MB: each is '
                               'unpacked anew for every part of it; chunks of one time and at most 512 x 512 are '
                               'read faster')
        return Pages(self.read, self.shape, page, kind)

    def read(self, window: Window) -> np.ndarray:
        """
        Return a part of the velocity to the east and to the north, m/s, shape (2, times, rows, columns).

        :raises InputError: If the file is damaged there.
        """
        try:
            both = np.stack(self._parts(window))
        except Exception as error:  # each backend raises different errors
            raise InputError(f'{self._path}: step {window[0].start} cannot be read; is the file whole? '
                             f'{error}') from None
        self._drop_fill(both)
        if self._turn is not None:
            cosine, sine = (side[window[1:]] for side in self._turn)
            both = np.stack((cosine * both[0] - sine * both[1], sine * both[0] + cosine * both[1]))
        return both

    def _parts(self, window: Window) -> list[np.ndarray]:
        """Return the two components in a window."""
        return [side.read(window) for side in self._sides]

    def _drop_fill(self, both: np.ndarray) -> None:
        """Replace impossible velocities, m/s, by NaN in both components, with a note the first time."""
        wrong = np.abs(both) > FASTEST
        if wrong.any():
            note = f'values above {FASTEST:g} m/s were taken for fill values that the file does not declare'
            self._notes += [] if note in self._notes else [note]
            both[wrong] = np.nan
        both[:, ~np.isfinite(both).all(axis=0)] = np.nan


def chunks_of(side: Side) -> Shape | None:
    """Return the times, rows and columns of a chunk of the file; None without chunks."""
    chunks = side.variable.encoding.get('preferred_chunks')
    if not chunks:
        return None
    times, rows, columns = (1 if name is None else int(chunks.get(name, 1)) for name in side.dimensions)
    return times, rows, columns
