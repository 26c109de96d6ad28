"""The table of readers of flow files. A new format is one file with a READER, and a row here."""

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from usv_energy.files.errors import InputError
from usv_energy.files.limits import check_has_end
from usv_energy.files.what_file import FLOW, refuse_other_file
from usv_energy.flow.field import FlowSource
from usv_energy.flow.grids.node_steps import SteppedFlow


class Reader(NamedTuple):
    """A reader of one format of flow files."""

    name: str                                             # The value of `reader:` in a flow's YAML.
    recognises: Callable[[Path], bool]                    # By the content, fast; a wrong file is no error.
    open: Callable[[Path, Mapping[str, Any]], FlowSource]
    options: Mapping[str, str]                            # Name to meaning, unit and what is allowed.


def beginning(path: Path, size: int) -> bytes:
    """Return the first bytes of a file; empty if it cannot be read."""
    try:
        with path.open('rb') as file:
            return file.read(size)
    except OSError:
        return b''


# Tried in this order. Modules are imported on demand, so that a reader's libraries cost nothing before.
READERS = {
    'hecras': 'a HEC-RAS 2D plan (.hdf)',
    'openfoam': 'an OpenFOAM case, or a plane of one from ParaView (CSV, VTK)',
    'netcdf': 'a CF netCDF file or zarr store',
    'grib': 'a GRIB file of winds or currents',
    'raster': 'a raster of one component (ESRI ASCII, GeoTIFF); its partner is an option',
}


def reader(name: str) -> Reader:
    """
    Return a reader by name.

    :raises InputError: If there is none.
    """
    if name not in READERS:
        raise InputError(f'no flow reader named {name!r}; there are: {", ".join(READERS)}')
    return import_module(f'{__package__}.formats.{name}_reader').READER


def recognise(path: Path) -> Reader:
    """
    Return the reader of a file, recognised by its content, not its name.

    :raises InputError: If the file does not exist, or no reader knows it.
    """
    if not path.exists():
        raise InputError(f'{path}: there is no such file')
    check_has_end(path)
    for name in READERS:
        if (found := reader(name)).recognises(path):
            return found
    if path.is_file() and path.stat().st_size == 0:
        raise InputError(f'{path}: is empty')
    if path.is_file():
        refuse_other_file(path, FLOW)
    known = '; '.join(f'{name}: {what}' for name, what in READERS.items())
    raise InputError(f'{path}: no reader knows this file. Readers: {known}')


def open_flow(path: Path, options: Mapping[str, Any] | None = None, name: str | None = None,
              medium: str | None = None) -> FlowSource:
    """
    Open a flow file.

    :param path: The file, or the folder of a case or store.
    :param options: Of the reader, by name; unknown ones are refused.
    :param name: Of the reader; None to recognise it by the file's content. A given reader also tries unrecognised
        files.
    :param medium: water or air, for readers of both, unless the options state it.
    :return: The source; close it after use. If it is sent to another process (pickled), it is opened again there.
    :raises InputError: If it cannot be read, or an option is wrong.
    """
    if not path.exists():
        raise InputError(f'{path}: there is no such file')
    check_has_end(path)
    found = recognise(path) if name is None else _named(name, path)
    given = dict(options or {})
    unknown = sorted(set(given) - set(found.options))
    if unknown:
        allowed = '; '.join(f'{key}: {what}' for key, what in found.options.items()) or 'none'
        raise InputError(f'{path}: unknown option {unknown[0]!r} of the reader {found.name}. Allowed: {allowed}')
    if medium is not None and 'medium' in found.options:
        given.setdefault('medium', medium)
    source = found.open(path, given)
    if isinstance(source, SteppedFlow):
        source.reopened = open_flow, (path.resolve(), given, found.name)
    return source


def _named(name: str, path: Path) -> Reader:
    """Return the reader of this name, unless another reader recognises the file."""
    found = reader(name)
    if not found.recognises(path):
        others = [other for other in READERS if other != name and reader(other).recognises(path)]
        if others:
            raise InputError(f'{path}: is no file for the reader {name}, but for {others[0]}')
    return found
