"""
Reader of rasters (ESRI ASCII by our own reader, GeoTIFF by rasterio).

Two files (or bands) of one grid for each step, x and y components or speed and direction.
"""

import math
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.earth import FOOT, KILOMETRE_PER_HOUR, KNOT, MILE_PER_HOUR
from usv_energy.files.errors import InputError
from usv_energy.files.limits import PROJECTION_BYTES, RASTER_CELLS, check_bytes, safe_name
from usv_energy.files.locate import user_path
from usv_energy.files.optional import optional
from usv_energy.flow.grids.grid import GridFlow
from usv_energy.flow.readers import Reader, beginning

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
    if beside.is_file():
        check_bytes(beside, PROJECTION_BYTES, 'a projection')
    projection = beside.read_text(encoding='utf-8', errors='replace').strip() if beside.is_file() else ''
    return RasterHeader('ESRI ASCII', int(found['ncols']), int(found['nrows']), west, south, dx, dy,
                        found.get('nodata_value', -9999.0), 1, projection or None, len(found))


def _ascii_values(path: Path, header: RasterHeader) -> np.ndarray:
    """Return the values in the file's order, shape (ny, nx), from the north."""
    with open(path, encoding='ascii', errors='replace') as file:
        for _ in range(header.lines):
            file.readline()
        text = file.read()
    wanted = header.rows * header.columns
    # A list of words would take six times the memory. At one that is no number numpy warns and ends, or raises.
    with warnings.catch_warnings():
        warnings.simplefilter('error', DeprecationWarning)
        try:
            values = np.fromstring(text, sep=' ')
        except (ValueError, DeprecationWarning):
            values = np.empty(0)
    if values.size != wanted:
        words = text.split()
        wrong = next((at for at, word in enumerate(words) if _float(word) is None), wanted)
        if wrong < wanted:
            raise InputError(f'{path}: row {wrong // header.columns + 1}, column {wrong % header.columns + 1}: '
                             f'{safe_name(words[wrong])!r}; allowed: a number')
        fate = 'truncated' if len(words) < wanted else 'too long'
        raise InputError(f'{path}: {fate}: {len(words)} values; its header says {header.rows} rows of '
                         f'{header.columns}, {wanted}')
    return values.reshape(header.rows, header.columns)


def _float(word: str) -> float | None:
    try:
        return float(word)
    except ValueError:
        return None


def _number(path: Path, key: str, word: str) -> float:
    value = _float(word)
    if value is None or (not math.isfinite(value) and key.lower() != 'nodata_value'):
        raise InputError(f'{path}: {key}: {safe_name(word)!r}; allowed: a number')
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
        return file.read(band, out_dtype='float64')


UNITS = {'m/s': 1.0, 'km/h': KILOMETRE_PER_HOUR, 'mph': MILE_PER_HOUR, 'kn': KNOT, 'ft/s': FOOT}
KINDS = ('components', 'speed_direction')
SENSES = ('from', 'to')
OPTIONS = {
    'kind': 'required: components (the file is towards +x, its partner towards +y), or speed_direction (the file is '
            "the speed, its partner the direction, degrees clockwise from the grid's +y, north)",
    'unit': f'required: of the speed or components in the file: {", ".join(UNITS)}',
    'direction': 'required with kind speed_direction: from (as wind is reported) or to (as currents are)',
    'partner': "the second file, relative to the first one's folder; not needed where `bands` has both",
    'bands': 'of a GeoTIFF: [band of the file, band of its partner], from 1; default [1, 1], without partner [1, 2]',
    'series': 'further steps: a list of {time: s after the first step, file: ..., partner: ...}',
    'start': 'date and time of the first step, ISO 8601; rasters hold none',
}


class _Step(NamedTuple):
    """The two grids of one step."""

    time: float
    first: Path
    second: Path


class _Meaning(NamedTuple):
    """The meaning of the numbers of a pair, as given by the options."""

    kind: str
    factor: float  # To m/s.
    sense: str | None
    bands: tuple[int, int]


def open_raster(path: Path, options: Mapping[str, Any]) -> GridFlow:
    """
    Open a series of raster pairs; only headers are read now.

    :param path: The first file of the first step.
    :param options: See OPTIONS.
    :raises InputError: If an option for the meaning of the numbers is missing, or the grids differ.
    """
    meaning = _meaning(path, options)
    steps = _steps(path, options)
    header = _common_header(steps, meaning)

    def load(step: int) -> tuple[np.ndarray, np.ndarray]:
        return _velocity(steps[step], meaning, header)

    return GridFlow(header.x, header.y, np.array([step.time for step in steps]), load, start=_start(path, options),
                    extent=header.extent, about=_about(path, steps, meaning, options, header))


def _meaning(path: Path, options: Mapping[str, Any]) -> _Meaning:
    """Return the meaning by the options; there are no defaults."""
    kind = _stated(path, options, 'kind', KINDS)
    factor = UNITS[_stated(path, options, 'unit', tuple(UNITS))]
    sense = None
    if kind == 'speed_direction':
        sense = _stated(path, options, 'direction', SENSES)
    elif 'direction' in options:
        raise InputError(f'{path}: option direction: {options["direction"]!r} with kind components; '
                         'allowed: with kind speed_direction only')
    bands = options.get('bands', [1, 1] if options.get('partner') is not None else [1, 2])
    if not (isinstance(bands, (list, tuple)) and len(bands) == 2
            and all(isinstance(band, int) and band >= 1 for band in bands)):
        raise InputError(f'{path}: option bands: {bands!r}; allowed: two band numbers, from 1')
    return _Meaning(kind, factor, sense, (bands[0], bands[1]))


def _stated(path: Path, options: Mapping[str, Any], key: str, allowed: tuple[str, ...]) -> str:
    if key not in options:
        raise InputError(f'{path}: option {key} is missing: the file does not say it, and it is never guessed; '
                         f'allowed: {", ".join(allowed)}')
    if options[key] not in allowed:
        raise InputError(f'{path}: option {key}: {options[key]!r}; allowed: {", ".join(allowed)}')
    return str(options[key])


def _steps(path: Path, options: Mapping[str, Any]) -> list[_Step]:
    """Return the pairs of files in order of time."""
    series = options.get('series', [])
    if not isinstance(series, (list, tuple)):
        raise InputError(f'{path}: option series: {series!r}; allowed: {OPTIONS["series"]}')
    steps = [_Step(0.0, path, _partner(path, options.get('partner'), path))]
    for entry in series:
        keys = set(entry) if isinstance(entry, Mapping) else set()
        if not {'time', 'file'} <= keys <= {'time', 'file', 'partner'}:
            raise InputError(f'{path}: option series: {entry!r}; allowed: {OPTIONS["series"]}')
        time = entry['time']
        if isinstance(time, bool) or not isinstance(time, (int, float)) or not steps[-1].time < time < math.inf:
            raise InputError(f'{path}: option series: time: {time!r} after {steps[-1].time:g}; '
                             'allowed: a number, s, above the one before')
        file = path.parent / user_path(str(entry['file']))
        steps.append(_Step(float(time), file, _partner(file, entry.get('partner'), path)))
    return steps


def _partner(file: Path, partner: Any, base: Path) -> Path:
    """Return the second file of a pair: the first itself if that may have two bands."""
    if partner is not None:
        return base.parent / user_path(str(partner))
    if read_header(file).bands >= 2:
        return file
    raise InputError(f'{file}: option partner is missing: the file has one band, and two are needed: y components or '
                     'direction; allowed: the name of the second file')


def _common_header(steps: list[_Step], meaning: _Meaning) -> RasterHeader:
    """Return the grid of the first file, after checking that all others have the same."""
    header = read_header(steps[0].first)
    for step in steps:
        for file, band in zip((step.first, step.second), meaning.bands):
            other = read_header(file)
            if not header.same_grid(other):
                raise InputError(f'{file}: its grid, {other.grid}, differs from that of {steps[0].first}, '
                                 f'{header.grid}; allowed: the same rows, columns, corner and cell size')
            if band > other.bands:
                raise InputError(f'{file}: option bands: {band}; allowed: 1 to {other.bands}')
    return header


def _velocity(step: _Step, meaning: _Meaning, header: RasterHeader) -> tuple[np.ndarray, np.ndarray]:
    """Return vx, vy, m/s, shape (ny, nx), rows from south to north, NaN where either file has no value."""
    first = read_values(step.first, meaning.bands[0], header)
    second = read_values(step.second, meaning.bands[1], header)
    if meaning.kind == 'components':
        return first * meaning.factor, second * meaning.factor
    _refuse(step.first, 'speed', first, first < 0.0, '0 or more')
    _refuse(step.second, 'direction', second, np.abs(second) > 360.0, 'degrees, -360 to 360')
    towards = np.radians(second)
    speed = first * (-meaning.factor if meaning.sense == 'from' else meaning.factor)
    return speed * np.sin(towards), speed * np.cos(towards)


def _refuse(file: Path, what: str, values: np.ndarray, wrong: np.ndarray, allowed: str) -> None:
    """Raise InputError if values contradict the options."""
    if wrong.any():
        raise InputError(f'{file}: {what}: {values[wrong][0]:g}, as {int(wrong.sum())} value(s); allowed: {allowed}')


def _start(path: Path, options: Mapping[str, Any]) -> datetime | None:
    start = options.get('start')
    if start is None or isinstance(start, datetime):
        return start
    try:
        return datetime.fromisoformat(str(start).replace('Z', '+00:00'))
    except ValueError:
        raise InputError(f'{path}: option start: {start!r}; allowed: a date and time as 2013-07-11T12:00:00') from None


def _about(path: Path, steps: list[_Step], meaning: _Meaning, options: Mapping[str, Any],
           header: RasterHeader) -> dict[str, Any]:
    missing, notes = [], []
    if header.projection is None:
        missing.append('projection')
        notes.append('no projection in the file or beside it (.prj): its coordinates are taken as metres')
    if 'start' not in options:
        missing.append('start')
    if meaning.kind == 'speed_direction':
        notes.append("directions count clockwise from the grid's +y; true north may differ by the meridian's "
                     'convergence')
    return {'reader': 'raster', 'file': str(path), 'format': header.format, 'medium': None,
            'files': [str(file) for step in steps for file in (step.first, step.second)],
            'kind': meaning.kind, 'direction': meaning.sense, 'units': {'speed': options['unit']},
            'nodata': header.nodata, 'projection': header.projection, 'missing': missing, 'notes': notes}


READER = Reader('raster', is_raster, open_raster, OPTIONS)
