"""Libraries that only some files and commands need, imported when they are used."""

import contextlib
from importlib import import_module
from typing import Any

from usv_energy.files.errors import InputError

# What is to be loaded before a library, where it is installed: a pyogrio that comes after ecCodes (cfgrib loads it)
# frees at the process's end what is not its own, and aborts it (pyogrio 0.13.0, eccodes 2.50.0).
FIRST = {'cfgrib': 'pyogrio'}


def optional(module: str, extra: str, purpose: str) -> Any:
    """
    Return a module of an optional library.

    :param module: As in an import statement: `xarray`, `shapely`.
    :param extra: The extra of this package that brings the library (requirements/<extra>.txt).
    :param purpose: What needs it, as the subject of a sentence: `netCDF files`.
    :raises InputError: If it is not installed, naming the library, what needs it and how to install it; or if it is
        installed and cannot be imported, with the reason.
    """
    library = module.partition('.')[0]
    if library in FIRST:
        with contextlib.suppress(ImportError):
            import_module(FIRST[library])
    try:
        return import_module(module)
    except ImportError as error:
        if (error.name or '').partition('.')[0] != library:
            raise InputError(f'{purpose}: the library {library} is needed, but cannot be imported: {error}') from error
        raise InputError(f'{purpose}: the library {library} is needed, but not installed: '
                         f"pip install 'usv_energy[{extra}]', or pip install {library}") from None
