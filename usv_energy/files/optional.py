"""Import optional libraries, which only some files and commands need, when they are used."""

import contextlib
import sys
from importlib import import_module
from typing import Any

from usv_energy.files.errors import InputError

# Libraries to load before another one, if they are installed: a pyogrio that is loaded after ecCodes, which cfgrib
# loads, frees foreign memory at the end of the process, and aborts it (pyogrio 0.13.0, eccodes 2.50.0).
FIRST = {'cfgrib': 'pyogrio'}


def leave_out(*libraries: str) -> None:
    """
    Let libraries be as if not installed for the rest of this process, which has no use for them.

    Others load them wherever they are: pandas, which xarray needs, loads pyarrow, which takes 34 MB.
    """
    for library in libraries:
        sys.modules.setdefault(library, None)  # type: ignore[arg-type]  # The import system takes None for that.


def optional(module: str, extra: str, purpose: str) -> Any:
    """
    Return a module of an optional library.

    :param module: Name as in an import statement: `xarray`, `shapely`.
    :param extra: The extra of this package that installs the library (requirements/<extra>.txt).
    :param purpose: What needs it, as the subject of a sentence: `netCDF files`.
    :raises InputError: If it is not installed: the library, what needs it, and how to install it. If it is installed
        and cannot be imported: the reason.
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
