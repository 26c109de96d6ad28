"""Reader of rasters: two files (or bands) of one grid for each step, x and y components or speed and direction."""

import math
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.earth import FOOT, KILOMETRE_PER_HOUR, KNOT, MILE_PER_HOUR
from usv_energy.files.errors import InputError
from usv_energy.files.locate import user_path
from usv_energy.flow.formats.raster.raster_file import RasterHeader, is_raster, read_header, read_values
from usv_energy.flow.grids.grid import GridFlow
from usv_energy.flow.readers import Reader

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
        return datetime.fromisoformat(str(start))
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
