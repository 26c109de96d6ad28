"""Files of results: netCDF4 or zarr by the suffix, with units and provenance, for xarray; written piece by piece."""

import errno
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.files.optional import optional
from usv_energy.files.text_file import whole_file
from usv_energy.version import __version__

NETCDF, ZARR = '.nc', '.zarr'
ZARR_CHUNK = 1 << 16  # Most values in a chunk of a zarr array.
Attributes = Mapping[str, Any]
Write = Callable[[str, tuple[slice, ...], np.ndarray], None]    # Name of a variable, a box of it, the values there.


class Variable(NamedTuple):
    """An array of a file: its dimensions, its type (as numpy spells it) and its attributes."""

    dims: tuple[str, ...]
    dtype: str
    attributes: Attributes


def check_suffix(path: Path) -> None:
    """Check that results can be written to a path of this name; InputError if not, or if a library is missing."""
    if path.suffix not in (NETCDF, ZARR):
        raise InputError(f'{path}: must end in {NETCDF} (netCDF) or {ZARR}')
    if path.is_dir() != (path.suffix == ZARR) and path.exists():
        raise InputError(f'{path}: is a {"folder" if path.is_dir() else "file"} already')
    if not path.absolute().parent.is_dir():
        raise InputError(f'{path}: there is no folder {path.absolute().parent}')
    library('xarray')
    if path.suffix == NETCDF:
        library('netCDF4')
    elif sys.version_info < (3, 11) or int(library('zarr').__version__.partition('.')[0]) < 3:
        raise InputError(f'{path}: writing zarr needs zarr 3 or later: pip install "zarr>=3" (from Python 3.11 on); or '
                         f'take {NETCDF}')


def library(name: str) -> Any:
    """Return an optional library. Raises InputError if it is not installed."""
    return optional(name, 'sweep', 'results of sweeps and maps')


def provenance(title: str, command: str, texts: Mapping[str, str], **more: Any) -> dict[str, Any]:
    """
    Return a file's own attributes: its origin, and everything that is needed to make it again.

    :param command: The command line that wrote the file.
    :param texts: Content of the input files, by name.
    """
    date = datetime.now(timezone.utc).isoformat(timespec='seconds')
    return {'Conventions': 'CF-1.10', 'title': title, 'source': f'usv_energy {__version__}', 'date_created': date,
            'history': f'{date} {command}', 'python': sys.version.split()[0], 'numpy': np.__version__,
            **{f'{name}_yaml': text for name, text in texts.items()}, **more}


def boxes(first: int, last: int, shape: tuple[int, ...]) -> Iterator[tuple[slice, ...]]:
    """
    Return boxes that together hold the elements `first` to before `last` of an array, in C order.

    :param shape: Of the array, at least one dimension; there are at most 2 * dimensions - 1 boxes.
    """
    if len(shape) == 1:
        yield (slice(first, last),)
        return
    inner = math.prod(shape[1:])
    (a, skipped), (b, left) = divmod(first, inner), divmod(last, inner)
    if skipped:
        yield from ((slice(a, a + 1), *box) for box in boxes(skipped, left if a == b else inner, shape[1:]))
        a += 1
    if b > a:
        yield (slice(a, b), *(slice(0, size) for size in shape[1:]))
    if left and b >= a:
        yield from ((slice(b, b + 1), *box) for box in boxes(0, left, shape[1:]))


def write_pieces(path: Path, coordinates: Any, variables: Mapping[str, Variable],
                 pieces: Iterable[tuple[str, tuple[slice, ...], np.ndarray]]) -> None:
    """
    Write a file of results atomically, with the memory of only one piece at a time.

    :param path: `.nc` or `.zarr`; an existing one is replaced at the end.
    :param coordinates: xarray Dataset of the coordinates of all dimensions, and the file's own attributes.
    :param pieces: Name of a variable, a box of it, and the values there.
    :raises OSError: If it cannot be written.
    """
    store = _netcdf if path.suffix == NETCDF else _zarr
    with whole_file(path) as part, _as_os_error(path), store(part, coordinates, variables) as write:
        for name, box, values in pieces:
            write(name, box, values)


@contextmanager
def _as_os_error(path: Path) -> Iterator[None]:
    """Convert the netCDF library's error for what cannot be written, as on a full disk, to an OSError."""
    try:
        yield
    except RuntimeError as error:
        raise OSError(errno.EIO, f'cannot be written; is the disk full? {error}', str(path)) from None


@contextmanager
def _netcdf(path: Path, coordinates: Any, variables: Mapping[str, Variable]) -> Iterator[Write]:
    coordinates.to_netcdf(path, engine='netcdf4', encoding=_unfilled(coordinates))
    with library('netCDF4').Dataset(path, 'a') as file:
        for name, variable in variables.items():
            file.createVariable(name, variable.dtype, variable.dims).setncatts(variable.attributes)
        yield lambda name, box, values: file[name].__setitem__(box, values)


@contextmanager
def _zarr(path: Path, coordinates: Any, variables: Mapping[str, Variable]) -> Iterator[Write]:
    zarr = library('zarr')
    coordinates.to_zarr(path, zarr_format=2, consolidated=False, encoding=_unfilled(coordinates))
    group = zarr.open_group(path, mode='a', zarr_format=2)
    for name, variable in variables.items():
        shape = tuple(coordinates.sizes[dim] for dim in variable.dims)
        attributes = {key: value.tolist() if isinstance(value, np.ndarray) else value
                      for key, value in variable.attributes.items()}
        group.create_array(name, shape=shape, chunks=_zarr_chunks(shape), dtype=variable.dtype,
                           fill_value=np.nan if variable.dtype.startswith('f') else None,
                           attributes={'_ARRAY_DIMENSIONS': list(variable.dims), **attributes})
    yield lambda name, box, values: group[name].__setitem__(box, values)
    zarr.consolidate_metadata(path, zarr_format=2)


def _zarr_chunks(shape: tuple[int, ...]) -> tuple[int, ...]:
    left, chunks = ZARR_CHUNK, []
    for size in reversed(shape):
        chunks.append(min(size, left))
        left = max(left // size, 1)
    return tuple(reversed(chunks))


def _unfilled(dataset: Any) -> dict[str, Any]:
    return {name: {'_FillValue': None} for name in dataset.coords}


def write_dataset(dataset: Any, path: Path) -> None:
    """Write an xarray Dataset as netCDF4 or zarr, atomically. Raises OSError if it cannot be written."""
    encoding = _unfilled(dataset)
    with whole_file(path) as part, _as_os_error(path):
        if path.suffix == NETCDF:
            encoding |= {name: {'zlib': True, 'complevel': 1} for name in dataset.data_vars}
            dataset.to_netcdf(part, engine='netcdf4', encoding=encoding)
        else:
            dataset.to_zarr(part, zarr_format=2, consolidated=True, encoding=encoding)


def open_results(path: Path) -> Any:
    """Return a file of results as a lazy xarray Dataset; close it after use. Raises InputError if it cannot be read."""
    xarray = library('xarray')
    try:
        return xarray.open_dataset(path, engine='netcdf4' if path.suffix == NETCDF else 'zarr')
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f'{path}: cannot be read as results: {error}') from None
