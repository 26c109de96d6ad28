"""Tiles of a map from the served folder: an MBTiles or PMTiles file, or a folder of z/x/y.png."""

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import quote

from fastapi import Response
from fastapi.responses import PlainTextResponse
from nicegui import app

from usv_energy.earth import is_place
from usv_energy.files.errors import InputError
from usv_energy.web.folder import offered_files, offered_folder, offered_path
from usv_energy.web.pmtiles import corners_of_pmtiles, read_pmtile

ADDRESS = '/usv_energy/tiles'
MBTILES, PMTILES = '.mbtiles', '.pmtiles'
KINDS = {b'\x89PNG': 'image/png', b'\xff\xd8\xff': 'image/jpeg', b'RIFF': 'image/webp'}   # by their first bytes
ENDINGS = '.png', '.jpg', '.jpeg', '.webp'
DEEPEST = 24            # zoom
TILE_BYTES = 4 << 20


def tile_sets() -> list[str]:
    """Return the names of MBTiles and PMTiles files, and of folders with folders for zooms, in the served folder."""
    return [*offered_files((MBTILES, PMTILES)), *sorted(_tile_folders())]


def _tile_folders() -> Iterator[str]:
    root = offered_folder('')
    for one in sorted(root.iterdir()) if root is not None else ():
        if not one.name.startswith('.') and offered_folder(one.name):
            inner: list[str] = []
            with suppress(OSError):     # A folder that may not be read, or goes just now.
                inner = [entry.name for entry in os.scandir(one) if entry.is_dir()][:DEEPEST + 2]
            if inner and all(re.fullmatch(r'\d{1,2}', name) for name in inner):
                yield one.name


def tile_address(name: str) -> str:
    """Return the address of a set's tiles, with Leaflet's {z}, {x} and {y}."""
    return f'{ADDRESS}/{quote(name, safe="")}/{{z}}/{{x}}/{{y}}'


def serve_tiles() -> None:
    """Answer with the tiles of the sets."""
    @app.get(ADDRESS + '/{name:path}/{z}/{x}/{y}')
    def tile(name: str, z: str, x: str, y: str) -> Response:
        try:
            content = read_tile(name, int(z), int(x), int(y))
        except InputError as error:
            return PlainTextResponse(str(error), 404)
        except ValueError:
            return PlainTextResponse('a tile is asked for by zoom, column and row, whole numbers', 404)
        if content is None:
            return Response(status_code=204)
        kind = next((kind for begin, kind in KINDS.items() if content.startswith(begin)), None)
        if kind is None:
            return PlainTextResponse('must be pictures: PNG, JPEG or WebP', 404)
        return Response(content, media_type=kind, headers={'cache-control': 'private, max-age=3600'})


def read_tile(name: str, z: int, x: int, y: int) -> bytes | None:
    """
    Return a tile of a set; None if it has none there.

    :param name: Of the set, from `tile_sets`.
    :param z: Zoom; `x` and `y`: column from the west and row from the north (XYZ).
    :raises InputError: If there is no such set, or it is a file of another kind.
    """
    if not (0 <= z <= DEEPEST and 0 <= x < 1 << z and 0 <= y < 1 << z):
        raise InputError(f'there is no tile {z}/{x}/{y}')
    if name.lower().endswith(MBTILES):
        return _mbtile(offered_path(name), z, x, (1 << z) - 1 - y)
    if name.lower().endswith(PMTILES):
        return read_pmtile(offered_path(name), z, x, y)
    folder = offered_folder(name)
    if folder is None or name not in _tile_folders():
        raise InputError('there is no such set of tiles')
    path = next((found for ending in ENDINGS if (found := folder / f'{z}/{x}/{y}{ending}').is_file()), None)
    if path is None or not path.resolve().is_relative_to(folder):
        return None
    with path.open('rb') as file:
        return file.read(TILE_BYTES)


def corners_of_tiles(name: str) -> list[tuple[float, float]]:
    """
    Return the south-western and the north-eastern corner of a set that says where it is, degrees; else none.

    Zeros, as a PMTiles file has that does not say it, are no corners.
    """
    found: list[tuple[float, float]] = []
    with suppress(InputError, sqlite3.Error, ValueError, TypeError):
        if name.lower().endswith(PMTILES):
            found = corners_of_pmtiles(offered_path(name))
        elif name.lower().endswith(MBTILES):
            with closing(_opened(offered_path(name))) as base:
                said = base.execute("SELECT value FROM metadata WHERE name = 'bounds'").fetchone()
            west, south, east, north = map(float, said[0].split(','))
            found = [(south, west), (north, east)]
    return found if len(set(found)) == 2 and all(is_place(*corner) for corner in found) else []


def _opened(path: Path) -> sqlite3.Connection:
    """Return an MBTiles file, opened only to read."""
    return sqlite3.connect(f'file:{quote(str(path))}?mode=ro&immutable=1', uri=True)


def _mbtile(path: Path, z: int, column: int, row: int) -> bytes | None:
    """Return a tile of an MBTiles file, whose rows count from the south (TMS)."""
    try:
        with closing(_opened(path)) as base:
            found = base.execute('SELECT substr(tile_data, 1, ?) FROM tiles WHERE zoom_level = ? AND tile_column = ? '
                                 'AND tile_row = ? LIMIT 1', (TILE_BYTES, z, column, row)).fetchone()
    except sqlite3.Error as error:
        raise InputError(f'{path.name}: is no MBTiles file: {error}') from None
    return None if found is None or not isinstance(found[0], bytes) else found[0]
