"""Files and folders that xarray opens, lazily: netCDF and zarr, recognised by their content, refused where damaged."""

import warnings
from pathlib import Path
from typing import Any

from ....files.errors import InputError
from ....files.optional import optional
from ...readers import beginning

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
        with h5py.File(path) as store:
            return 'Conventions' in store.attrs or '_NCProperties' in store.attrs or any(
                'DIMENSION_LIST' in item.attrs for item in store.values())
    except OSError:
        return path.suffix.lower() in ('.nc', '.nc4', '.cdf')  # damaged: opening it will say so


def opened_store(path: Path) -> Any:
    """
    Return a netCDF file or zarr store as an xarray.Dataset, of which only the header has been read.

    :raises InputError: If it cannot be opened, or a library that opens it is missing.
    """
    _check_whole(path)
    xarray = optional('xarray', 'flow', f'{path}: netCDF and zarr')
    try:
        if path.is_dir():
            with warnings.catch_warnings():
                warnings.simplefilter('ignore', RuntimeWarning)  # that a store without consolidated metadata is slow
                return xarray.open_zarr(path, chunks=None, decode_times=False)
        return xarray.open_dataset(path, engine='netcdf4', decode_times=False, cache=False)
    except ImportError as error:
        raise InputError(f'{path}: xarray lacks what reads it ({error}): pip install netCDF4 zarr') from None
    except Exception as error:  # each backend raises different errors
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        if 'did not find a match' in str(error) or 'found the following matches' in str(error):
            raise InputError(f'{path}: xarray lacks a library that reads it: pip install netCDF4 zarr') from None
        raise InputError(f'{path}: cannot be read; is the file whole? {reason}') from None


def _check_whole(path: Path) -> None:
    """Refuse a classic file that is shorter than its header says: the netCDF library would read zeros instead."""
    if beginning(path, 4) not in CLASSIC_MAGICS[:2]:  # scipy knows these two
        return
    from scipy.io import netcdf_file
    try:
        with warnings.catch_warnings():
            warnings.simplefilter('ignore', RuntimeWarning)  # that the map stays open while variables refer to it
            netcdf_file(path, 'r', mmap=True).close()
    except Exception as error:  # each backend raises different errors
        raise InputError(f'{path}: is truncated or damaged: its header tells of more than there is ({error})') from None
