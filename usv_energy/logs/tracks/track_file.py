"""
A log from a track with times: GPX, KML and KMZ, GeoJSON, TCX.

Sources: GPX 1.0 and 1.1 (topografix.com), Garmin's TrackPointExtension v2 (speed, course) and Training Center
Database v2;
KML 2.3 (`gx:Track`, TimeStamp, TimeSpan); RFC 7946 with `coordTimes`, as togeojson writes them.
"""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.earth import towards_of
from usv_energy.files.errors import InputError
from usv_energy.files.limits import DOCUMENT_BYTES, check_bytes
from usv_energy.files.parsed_text import Element, parsed_json, parsed_xml
from usv_energy.logs.assemble import Source
from usv_energy.logs.calendar_time import noted_times
from usv_energy.logs.log import INFO, WARNING, Log, Note
from usv_energy.logs.streams import Stream, log_of_streams
from usv_energy.missions.formats.kml import kml_in_kmz

# Properties of GeoJSON that hold times: of each place of a line, or of a point.
TIMES = ('coordTimes', 'times', 'time', 'timestamp', 'datetime', 'date')
LINES = re.compile(r'\{[^\n]*\}\s*\{')  # How values of JSON a line begin.
POINT_ENDS = b'</trkpt>'
EPOCH, MILLISECONDS = 1e8, 1e11  # Numbers above are s since 1970, and ms.
FASTEST, METRES = 300.0, 111_195.0  # Nothing on the water is faster, m/s; metres of a degree.


class TrackPoint(NamedTuple):
    """A point of a track: its time as written, degrees, speed m/s, course and heading, degrees; NaN where not known."""

    time: Any
    longitude: float
    latitude: float
    speed: float = math.nan
    course: float = math.nan
    heading: float = math.nan


def read_track(path: Path, max_gap: float | None = None) -> Log:
    """
    Return the log of a track.

    :param path: A file of GPX, KML, KMZ, GeoJSON or TCX.
    :param max_gap: Samples further apart than this, s, do not belong together; None: it follows from their period.
    :raises InputError: If it is none of these, a value is wrong, or its points have no times.
    """
    check_bytes(path, DOCUMENT_BYTES, 'a track')
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f'{path}: cannot be read: {error.strerror}') from None
    notes: list[Note] = []
    points = list(_points(_whole(content, notes), path))
    timed = [point for point in points if point.time not in (None, '')
             and math.isfinite(point.longitude) and math.isfinite(point.latitude)]
    if not timed:
        raise _no_log(path, f'{len(points)} points, none of which has a time of a boat there' if points else
                      'no point of a track')
    if len(timed) < len(points):
        notes.append(Note(WARNING, 'points_without_time', f'{len(points) - len(timed)} of {len(points)} points have no '
                          'time, or are no places, and are left out', {'points': len(points) - len(timed)}))
    time = _seconds([point.time for point in timed], path, notes)
    longitude, latitude, speed, course, heading = np.array([point[1:] for point in timed], dtype=float).T
    order = np.argsort(time, kind='stable')
    if len(time) > 1 and _typical_speed(time[order], longitude[order], latitude[order]) > FASTEST:
        raise _no_log(path, f"{len(time)} points whose times are no boat's, as of marks put on a chart")
    if (np.diff(time) < 0.0).any():
        notes.append(Note(INFO, 'tracks_joined', 'the points are put in the order of their times'))
    streams = {'longitude': longitude, 'latitude': latitude, 'speed': speed, 'course': towards_of(course),
               'yaw': towards_of(heading)}
    if not np.isfinite(speed).any():
        del streams['course']
    source = Source(path.stem, path, max_gap, tuple(notes))
    return log_of_streams({name: Stream(time[order], values[order], 'the track') for name, values in streams.items()},
                          source)


def _no_log(path: Path, what: str) -> InputError:
    return InputError(f'{path}: holds {what}: as a log nothing can be made of it. If it is a route, what it will take '
                      f'is told by: usv-energy mission {path}')


def _typical_speed(time: np.ndarray, longitude: np.ndarray, latitude: np.ndarray) -> float:
    """Return the median speed from point to point, m/s; whole seconds may stand for several points."""
    east = np.diff(longitude) * np.cos(np.radians(latitude[1:]))
    return float(np.median(np.hypot(east, np.diff(latitude)) * METRES / np.maximum(np.diff(time), 1.0)))


def _whole(content: bytes, notes: list[Note]) -> bytes:
    """Return GPX that ends in the middle, as where a phone went off, with its whole points and an end."""
    end = content.rfind(POINT_ENDS)
    if end < 0 or b'<gpx' not in content or b'</gpx>' in content:
        return content
    notes.append(Note(WARNING, 'track_cut_off', 'the file ends in the middle: its points up to there are taken'))
    return content[:end] + POINT_ENDS + b'</trkseg></trk></gpx>'


def _seconds(times: Sequence[Any], path: Path, notes: list[Note]) -> np.ndarray:
    """Return times, texts or numbers, in s."""
    if all(isinstance(time, int | float) and not isinstance(time, bool) for time in times):
        numbers = np.array(times, dtype=float)
        return numbers * (1e-3 if float(np.median(numbers)) > MILLISECONDS else 1.0)
    return noted_times([str(time).strip() for time in times], path, 'time', notes)


def _points(content: bytes, path: Path) -> Iterator[TrackPoint]:
    """Give the points of all tracks in a file."""
    if content.startswith(b'PK'):
        content = kml_in_kmz(content, path)
    if content.lstrip(b'\xef\xbb\xbf\xff\xfe\0 \t\r\n').startswith(b'<'):
        root = parsed_xml(content, path)
        readers: dict[str, Callable[[Element, Path], Iterator[TrackPoint]]] = {
            'gpx': _gpx_points, 'kml': _kml_points, 'TrainingCenterDatabase': _tcx_points}
        if root.tag not in readers:
            raise InputError(f'{path}: is XML of {root.tag[:40]!r}; must be a track: gpx, kml or '
                             'TrainingCenterDatabase')
        yield from readers[root.tag](root, path)
        return
    text = content.decode('utf-8-sig', 'replace')
    for before, one in enumerate(text.split('\n') if LINES.match(text.lstrip()) else [text]):
        if one.strip():
            yield from _geojson_points(parsed_json(one, path, before), path, {})


def _gpx_points(root: Element, path: Path) -> Iterator[TrackPoint]:
    """
    Give the points of tracks; where there are none, those of routes and the waypoints, which loggers use, too.

    OpenCPN's have a `guid`, and the time at which they were put on the chart, which is none of a way.
    """
    for element in [*root.iter('trkpt')] or [*root.iter('rtept'), *root.iter('wpt')]:
        said: dict[str, str] = {inner.tag: (inner.text or '').strip() for inner in element.iter()}
        time = None if element.tag != 'trkpt' and 'guid' in said else said.get('time')
        yield TrackPoint(time, _number(element.get('lon')), _number(element.get('lat')),
                         _number(said.get('speed')), _number(said.get('course')))


def _tcx_points(root: Element, path: Path) -> Iterator[TrackPoint]:
    for element in root.iter('Trackpoint'):
        said = {inner.tag: (inner.text or '').strip() for inner in element.iter()}
        yield TrackPoint(said.get('Time'), _number(said.get('LongitudeDegrees')), _number(said.get('LatitudeDegrees')),
                         _number(said.get('Speed')))


def _kml_points(root: Element, path: Path) -> Iterator[TrackPoint]:
    for track in root.iter('Track'):
        times = [(one.text or '').strip() for one in track if one.tag == 'when']
        places = [(one.text or '').split() for one in track if one.tag == 'coord']
        if len(times) != len(places):
            raise InputError(f'{path}: a Track has {len(times)} times and {len(places)} places; must be as many')
        for time, place in zip(times, places):
            yield TrackPoint(time, *_two(place))
    for mark in root.iter('Placemark'):
        when = next((inner.text for stamp in mark.iter() if stamp.tag in ('TimeStamp', 'TimeSpan')
                     for inner in stamp.iter() if inner.tag in ('when', 'begin') and inner.text), None)
        point = next(mark.iter('Point'), None)
        if when is not None and point is not None:
            yield TrackPoint(when.strip(), *_two((point.findtext('coordinates') or '').replace(',', ' ').split()))


def _two(texts: Sequence[str]) -> tuple[float, float]:
    return (_number(texts[0]), _number(texts[1])) if len(texts) > 1 else (math.nan, math.nan)


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def _geojson_points(value: Any, path: Path, properties: dict[str, Any], depth: int = 0) -> Iterator[TrackPoint]:
    """Give the points of a GeoJSON value whose properties, or fourth coordinates, have times."""
    if not isinstance(value, dict) or depth > 100:
        return
    own = value.get('properties') if isinstance(value.get('properties'), dict) else properties
    for inner in [*_listed(value.get('features')), *_listed(value.get('geometries')), value.get('geometry')]:
        yield from _geojson_points(inner, path, own or {}, depth + 1)
    coordinates = value.get('coordinates')
    if not isinstance(coordinates, list):
        return
    told = [properties.get('coordinateProperties'), properties]
    times = next((said[name] for said in told if isinstance(said, dict) for name in TIMES if said.get(name)), None)
    places, stamps = coordinates, times
    if value.get('type') == 'Point':
        places, stamps = [coordinates], [times]
    elif value.get('type') == 'MultiLineString':
        places = [place for line in _listed(coordinates) for place in _listed(line)]
        stamps = [time for line in _listed(times) for time in (line if isinstance(line, list) else [line])]
    speeds = _listed(properties.get('speeds'))
    for number, place in enumerate(places if value.get('type') in ('Point', 'LineString', 'MultiLineString') else ()):
        if not isinstance(place, list) or len(place) < 2:
            continue
        time = stamps[number] if isinstance(stamps, list) and len(stamps) == len(places) else (
            place[3] if len(place) > 3 and _number(place[3]) > EPOCH else None)
        single = properties if value.get('type') == 'Point' else {}
        yield TrackPoint(time, _number(place[0]), _number(place[1]),
                         _number(single.get('speed', speeds[number] if len(speeds) == len(places) else None)),
                         _number(single.get('course', single.get('bearing'))),
                         _number(single.get('heading')) if _number(single.get('heading')) >= 0.0 else math.nan)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
