"""
GRIB files that cfgrib opens in another process, which a damaged file may end: ecCodes aborts where it should complain.

The other process keeps the files open. This one has their dimensions, attributes and coordinates, and asks for values
as they are needed, message by message.
"""

import os
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.files.optional import optional
from usv_energy.files.side_process import SideProcess

MEMORY = 4 << 30    # Bytes of addresses that the other process may take, beside those that it begins with.
SHAPE = ('Ni', 'Nj', 'jPointsAreConsecutive', 'alternativeRowScanning')
_opened: dict[str, list[Any]] = {}              # In the other process: the groups of messages of each file.
_processes: dict[int, SideProcess] = {}         # The other process of each process; a forked worker starts its own.


def open_groups(path: Path) -> list[Any]:
    """
    Return the groups of messages of a GRIB file as xarray Datasets whose values another process reads.

    :raises InputError: If the file cannot be read, or ends the other process.
    """
    xarray = optional('xarray', 'flow', f'{path}: GRIB')
    found: list[Any] = []
    for group, (variables, attributes) in enumerate(_answer(path, _headers, str(path.resolve()))):
        data, coordinates = {}, {}
        for name, (dimensions, attrs, encoding, values) in variables.items():
            if isinstance(values, np.ndarray):
                coordinates[name] = xarray.Variable(dimensions, values, attrs, encoding)
            else:
                data[name] = xarray.Variable(dimensions, _lazy(path, group, name, *values), attrs, encoding)
        found.append(xarray.Dataset(data, coordinates, attributes))
    return found


def _lazy(path: Path, group: int, name: str, shape: tuple[int, ...], kind: np.dtype) -> Any:
    """Return an array of xarray whose values the other process reads."""
    from xarray.backends import BackendArray
    from xarray.core import indexing

    class Values(BackendArray):  # type: ignore[misc]  # xarray is not looked into
        def __init__(self) -> None:
            self.shape, self.dtype = shape, kind

        def __getitem__(self, key: Any) -> Any:
            return indexing.explicit_indexing_adapter(key, shape, indexing.IndexingSupport.BASIC, self._read)

        def _read(self, key: Any) -> np.ndarray:
            values: np.ndarray = _answer(path, _values, str(path.resolve()), group, name, key)
            return values

    return indexing.LazilyIndexedArray(Values())


def _answer(path: Path, function: Any, *arguments: Any) -> Any:
    """Return what a function returns in the other process; InputError if it fails, or ends the process."""
    process = _processes.get(os.getpid())
    if process is None:
        process = _processes[os.getpid()] = SideProcess(quiet=True)
    try:
        return process.call(function, *arguments).result()
    except ChildProcessError:
        _processes.pop(os.getpid()).kill()
        raise InputError(f'{path}: is damaged: ecCodes ended the process that read it') from None
    except MemoryError:
        raise InputError(f'{path}: its values need more than {MEMORY >> 30} GB; is it whole?') from None
    except Exception as error:  # ecCodes has its own error types.
        reason = ' '.join(str(error).split())
        raise InputError(f'{path}: cannot be read; is the file whole? {type(error).__name__}: {reason}') from None


def _headers(path: str) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Open a file in the other process; return each group's variables, those of coordinates with values."""
    _limit_memory()
    return [({str(name): (item.dims, dict(item.attrs), dict(item.encoding), np.asarray(item.values)
                          if name in store.coords else (item.shape, item.dtype))
              for name, item in store.variables.items()}, dict(store.attrs)) for store in _groups(path)]


def _groups(path: str) -> list[Any]:
    if path not in _opened:
        import cfgrib
        with warnings.catch_warnings():
            warnings.simplefilter('ignore', FutureWarning)  # Of xarray, about cfgrib's use of it.
            _opened[path] = cfgrib.open_datasets(path, backend_kwargs={'indexpath': '', 'read_keys': list(SHAPE)})
    return _opened[path]


def _values(path: str, group: int, name: str, key: Any) -> np.ndarray:
    """Return a part of a variable, in the other process."""
    values: np.ndarray = np.asarray(_groups(path)[group].variables[name][key].values)
    return values


def _limit_memory() -> None:
    """Limit the memory of this process on Linux; other systems do not say how much it has, or know no limit."""
    try:
        import resource
    except ImportError:
        return
    if not os.path.exists('/proc/self/statm'):
        return
    with open('/proc/self/statm', encoding='ascii') as file:
        begin = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (begin + MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
