"""One raster file: its header, and the values of a band. ESRI ASCII by our own reader, GeoTIFF by rasterio."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.files.limits import RASTER_CELLS
from usv_energy.files.optional import optional
from usv_energy.flow.readers import beginning

TIFF = (b'II*\0', b'MM\0*', b'II+\0', b'MM\0+')
ASCII_KEYS = ('ncols', 'nrows', 'xllcorner', 'yllcorner', 'xllcenter', 'yllcenter', 'cellsize', 'dx', 'dy',
              'nodata_value')


class RasterHeader(NamedTuple):
    """The grid of a file: cells from the south-west corner, m; values are those at the cells' centres."""

    format: str
    columns: int
    rows: int
    west: float
    south: float
    dx: float
    dy: float
    nodata: float | None
    bands: int
    projection: str | None
    lines: int = 0  # Of an ESRI ASCII header.

    @property
    def x(self) -> np.ndarray:
        """Centres of the columns, m."""
        return self.west + self.dx * (np.arange(self.columns) + 0.5)

    @property
    def y(self) -> np.ndarray:
        """Centres of the rows, from south to north, m."""
        return self.south + self.dy * (np.arange(self.rows) + 0.5)

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Edges of the outermost cells, m."""
        return (self.west, self.south, self.west + self.columns * self.dx, self.south + self.rows * self.dy)

    @property
    def grid(self) -> str:
        """The grid in words."""
        return (f'{self.columns} x {self.rows} cells of {self.dx:g} x {self.dy:g} m '
                f'from ({self.west:.10g}, {self.south:.10g})')

    def same_grid(self, other: 'RasterHeader') -> bool:
        """Return whether another file has the same cells, within a thousandth of a cell."""
        near = 1e-3 * min(self.dx, self.dy)
        return ((self.columns, self.rows) == (other.columns, other.rows)
                and all(abs(a - b) <= near for a, b in zip(self.extent, other.extent)))


def is_raster(path: Path) -> bool:
    """Return whether a file looks like an ESRI ASCII grid or a GeoTIFF."""
    begin = beginning(path, 256)
    return begin.startswith(TIFF) or begin.lower().split()[:1] in ([b'ncols'], [b'nrows'])


def read_header(path: Path, degrees: bool = False) -> RasterHeader:
    """
    Return a file's grid; its values are not read.

    :param degrees: Whether a grid in degrees is allowed; then lengths are in degrees and not in metres.
    :raises InputError: If there is no such file, or it is not a raster in metres.
    """
    if not path.is_file():
        raise InputError(f'{path}: there is no such file')
    header = _tiff_header(path) if beginning(path, 4) in TIFF else _ascii_header(path)
    if header.columns < 2 or header.rows < 2:
        raise InputError(f'{path}: {header.columns} columns, {header.rows} rows; allowed: 2 or more of each')
    # A value of text has a digit and what ends it; one of a GeoTIFF may be compressed to nothing.
    most = RASTER_CELLS if header.format == 'GeoTIFF' else path.stat().st_size // 2
    if header.columns * header.rows > most:
        raise InputError(f'{path}: {header.columns} columns, {header.rows} rows; '
                         + ('allowed: 2**26 values' if header.format == 'GeoTIFF' else 'truncated: it has no more than '
                            f'{most} values'))
    if not degrees and header.projection and header.projection.lstrip().upper().startswith(('GEOGCS', 'GEOGCRS')):
        raise InputError(f'{path}: projection: coordinates in degrees; allowed: a projection in metres '
                         '(gdalwarp -t_srs EPSG:<UTM zone>)')
    return header


def read_values(path: Path, band: int, header: RasterHeader) -> np.ndarray:
    """
    Return the values of a band, shape (ny, nx), rows from south to north, NaN without a value.

    :param path: The file.
    :param band: From 1; an ESRI ASCII grid has one.
    :param header: The grid from `read_header`.
    """
    own = read_header(path, degrees=True)
    if not own.same_grid(header):
        raise InputError(f'{path}: its grid is now {own.grid}; it was {header.grid} when it was opened')
    values = _tiff_values(path, band) if own.format == 'GeoTIFF' else _ascii_values(path, own)
    if own.nodata is not None:
        values[values == own.nodata] = np.nan
    values[~np.isfinite(values)] = np.nan
    return values[::-1]  # Both formats begin in the north.


def _ascii_header(path: Path) -> RasterHeader:
    """Return the header of an ESRI ASCII grid: lines of a key and a number, in any order."""
    found: dict[str, float] = {}
    with open(path, encoding='ascii', errors='replace') as file:
        while len(words := file.readline(1000).split()) == 2 and words[0].lower() in ASCII_KEYS:
            found[words[0].lower()] = _number(path, words[0], words[1])
    dx, dy = found.get('dx', found.get('cellsize')), found.get('dy', found.get('cellsize'))
    corner, centre = ({f'xll{place}', f'yll{place}'} <= set(found) for place in ('corner', 'center'))
    lacking = [key for key in ('ncols', 'nrows') if key not in found]
    lacking += [] if dx is not None and dy is not None else ['cellsize']
    lacking += [] if corner or centre else ['xllcorner, yllcorner']
    if lacking or dx is None or dy is None:
        raise InputError(f'{path}: its header lacks {", ".join(lacking)}; an ESRI ASCII grid begins with ncols, nrows, '
                         'xllcorner, yllcorner (or xllcenter, yllcenter), cellsize')
    for key in ('ncols', 'nrows'):
        if found[key] != int(found[key]):
            raise InputError(f'{path}: {key}: {found[key]:g}; allowed: a whole number')
    if not (dx > 0.0 and dy > 0.0):
        raise InputError(f'{path}: cellsize: {min(dx, dy):g}; allowed: above 0')
    west = found['xllcorner'] if corner else found['xllcenter'] - 0.5 * dx
    south = found['yllcorner'] if corner else found['yllcenter'] - 0.5 * dy
    beside = path.with_suffix('.prj')
    projection = beside.read_text(encoding='utf-8', errors='replace').strip() if beside.is_file() else ''
    return RasterHeader('ESRI ASCII', int(found['ncols']), int(found['nrows']), west, south, dx, dy,
                        found.get('nodata_value', -9999.0), 1, projection or None, len(found))


def _ascii_values(path: Path, header: RasterHeader) -> np.ndarray:
    """Return the values in the file's order, shape (ny, nx), from the north."""
    with open(path, encoding='ascii', errors='replace') as file:
        for _ in range(header.lines):
            file.readline()
        words = file.read().split()
    wanted = header.rows * header.columns
    if len(words) != wanted:
        fate = 'truncated' if len(words) < wanted else 'too long'
        raise InputError(f'{path}: {fate}: {len(words)} values; its header says {header.rows} rows of '
                         f'{header.columns}, {wanted}')
    try:
        values = np.array(words, dtype=float)
    except ValueError:
        wrong = next(at for at, word in enumerate(words) if _float(word) is None)
        raise InputError(f'{path}: row {wrong // header.columns + 1}, column {wrong % header.columns + 1}: '
                         f'{words[wrong]!r}; allowed: a number') from None
    return values.reshape(header.rows, header.columns)


def _float(word: str) -> float | None:
    try:
        return float(word)
    except ValueError:
        return None


def _number(path: Path, key: str, word: str) -> float:
    value = _float(word)
    if value is None or (not math.isfinite(value) and key.lower() != 'nodata_value'):
        raise InputError(f'{path}: {key}: {word!r}; allowed: a number')
    return value


@contextmanager
def _tiff(path: Path, fault: str) -> Iterator[Any]:
    """Open a GeoTIFF; if rasterio cannot read it, an InputError has the text of `fault`."""
    rasterio = optional('rasterio', 'flow', f'{path}: GeoTIFF (ESRI ASCII is read without: gdal_translate -of AAIGrid)')
    try:
        with rasterio.open(path) as file:
            yield file
    except rasterio.errors.RasterioError as error:
        raise InputError(f'{path}: {fault}: {error}') from None


def _tiff_header(path: Path) -> RasterHeader:
    """Return the grid of a GeoTIFF parallel to the axes."""
    with _tiff(path, 'not a GeoTIFF that can be read') as file:
        to_map, crs = file.transform, file.crs
        if to_map.b or to_map.d or to_map.a <= 0.0 or to_map.e >= 0.0:
            raise InputError(f'{path}: its grid is turned or has no place on a map (no geotransform); '
                             'allowed: north up (gdalwarp)')
        return RasterHeader('GeoTIFF', file.width, file.height, to_map.c, to_map.f + file.height * to_map.e,
                            to_map.a, -to_map.e, file.nodata, file.count, crs.to_wkt() if crs else None)


def _tiff_values(path: Path, band: int) -> np.ndarray:
    """Return the values of a band in the file's order, shape (ny, nx), from the north."""
    with _tiff(path, f'truncated or damaged: band {band}') as file:
        values: np.ndarray = file.read(band, out_dtype='float64')
        return values
