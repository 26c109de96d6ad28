"""A flow in a simulation: a file or a closed form with its place in the world and its clock; read from a YAML file."""

import math
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from usv_energy.earth import DegreeGrid
from usv_energy.files import checked
from usv_energy.files.checked import values_of
from usv_energy.files.errors import InputError
from usv_energy.files.limits import safe_name
from usv_energy.files.locate import resolve, user_path
from usv_energy.files.parsed_text import read_yaml
from usv_energy.flow.analytic import KINDS, Uniform
from usv_energy.flow.field import Extent, FlowSource, Velocities, extent_polygon, height_of, outside
from usv_energy.flow.placement import FlowClock, Transform
from usv_energy.flow.readers import open_flow
from usv_energy.flow.sea import Sea, Waves, waves_of
from usv_energy.show.text_table import exact_seconds
from usv_energy.units import moment_words, utc

AS_IT_IS = Transform()
EDGES = 16  # Parts of an edge of a grid in degrees, which is a curve on the local plane.
AT_BOAT = 'boat'  # Value of a flow file for a wind that is given at the boat's height.
DRIFT_ALONE = ('a boat whose file has parts moves on its waves; any other feels their mean force where its file says '
               'it, else their mean drift alone, as part of the current')
STILL_WATER = {'speed': 0.0, 'direction_deg': 0.0}
SUFFIXES = ('.yaml', '.yml')


@dataclass(frozen=True)
class FlowFile:
    """
    Velocity of water or air in the world's frame and time (a FlowField); close it after use.

    `medium`: water or air, or '' if a raw file does not state it. `path`: of the flow file. `height`: of a wind, m
    above water; None for the boat's height. `share`: factor on the source's velocity, (-), which is 1 except for a wind
    that was reduced to a boat's height (`wind_at_boat`). `waves`: on the water, on the map, by the world's time; the
    velocity includes their drift. `remark`: a note on its position on the Earth, or '' (`flow.on_earth`).
    """

    name: str
    title: str
    path: Path
    medium: str
    source: FlowSource
    transform: Transform
    clock: FlowClock
    height: float | None = None
    share: float = 1.0
    waves: Waves | None = None
    remark: str = ''

    def __repr__(self) -> str:
        """Return its title, medium and file; the fields have all."""
        medium = self.medium or 'of any medium'
        return f'<FlowFile {safe_name(self.name)}: {safe_name(self.title)}; {medium}; {self.path}>'

    def velocity(self, t: float, x: np.ndarray, y: np.ndarray) -> Velocities:
        """
        Return the velocity at many points of the world at one time.

        :param t: The world's time, s.
        :param x: East, m, in the world, shape (N,).
        :param y: North, m, in the world, shape (N,).
        :return: East and north velocity in the world's frame, m/s, and whether there is a value; NaN without.
        """
        x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
        at = self.clock.time(t)
        if at != at:  # NaN: the file has ended.
            return outside(x.shape)
        if self.transform == AS_IT_IS:
            vx, vy, inside = self._with_drift(*self.source.velocity(at, x, y), t, x, y)
        else:
            on_map = self.transform.to_map(x, y)
            vx, vy, inside = self._with_drift(*self.source.velocity(at, *on_map), t, *on_map)
            vx, vy = self.transform.velocity_to_world(vx, vy, on_map)
        return (vx, vy, inside) if self.share == 1.0 else (self.share * vx, self.share * vy, inside)

    def _with_drift(self, vx: np.ndarray, vy: np.ndarray, inside: np.ndarray, t: float, x: np.ndarray,
                    y: np.ndarray) -> Velocities:
        if self.waves is None or not self.waves.carries:
            return vx, vy, inside
        drift = self.waves.drift if self.waves.local is None else self.waves.local.drift(self._time_of_waves(t), x, y)
        return vx + drift[0], vy + drift[1], inside

    def _time_of_waves(self, t: float) -> float:
        """Return the time of a field of waves, s from its first, at the world's time, s; at most its last time."""
        assert self.waves is not None and self.waves.local is not None
        times = self.waves.local.field.times
        return min(max(t + float(self.waves.entry.get('start', 0.0)), float(times[0])), float(times[-1]))

    @property
    def sea(self) -> Sea | None:
        """The sea on this water, by positions in the world, m, and the world's time; None without, or if it varies."""
        return None if self.waves is None or self.waves.local is not None else self._in_world(self.waves.sea)

    @property
    def sea_varies(self) -> bool:
        """Whether its waves vary in space or time; then use `sea_around`."""
        return self.waves is not None and self.waves.local is not None

    @property
    def drift_depth(self) -> float | None:
        """Depth at which the Stokes drift in the velocity was evaluated, m; None without waves."""
        if self.waves is None or not self.waves.carries:
            return None
        return float(self.waves.entry.get('drift_depth', 0.0))

    def without_drift(self) -> 'FlowFile':
        """Return the flow with its waves, but without their drift."""
        return self if self.waves is None else replace(self, waves=self.waves._replace(drift=(0.0, 0.0), carries=False))

    @property
    def drift(self) -> tuple[float, float] | None:
        """The Stokes drift in the velocity, m/s in the world's frame; None without waves, or if they vary."""
        if self.waves is None or self.waves.local is not None:
            return None
        east, north = self.transform.velocity_to_world(np.asarray(self.waves.drift[0]), np.asarray(self.waves.drift[1]))
        return self.share * float(east), self.share * float(north)

    def sea_around(self, t: float, x: float, y: float) -> Sea | None:
        """Return the sea around a position in the world, m, at the world's time, s; None without waves."""
        if self.waves is None or self.waves.local is None:
            return self.sea
        found = self.waves.local.sea_at(self._time_of_waves(t), *self._on_map(x, y))
        return None if found is None else self._in_world(found)

    def _on_map(self, x: float, y: float) -> tuple[float, float]:
        east, north = self.transform.to_map(np.array(x), np.array(y))
        return float(east), float(north)

    def _in_world(self, sea: Sea) -> Sea:
        if self.transform == AS_IT_IS:
            return sea
        waves = sea.waves
        east, north = self.transform.velocity_to_world(waves.east, waves.north)
        beyond = waves.number * (waves.east * self.transform.x + waves.north * self.transform.y)
        return Sea(waves._replace(east=east, north=north, phase=waves.phase + beyond))

    def sea_state(self, t: float, x: float, y: float) -> tuple[float, float, float]:
        """
        Return Hs, m, Tp, s (for a regular wave its period), and the direction, rad (ENU), of the waves.

        :param t: The world's time, s.
        :param x: East, m, in the world.
        :param y: North, m. NaN is returned where varying waves have no value.
        """
        assert self.waves is not None
        entry, turned = self.waves.entry, math.radians(self.transform.rotation_deg)
        if self.waves.local is not None:
            state = self.waves.local.state_at(self._time_of_waves(t), *self._on_map(x, y))
            return (math.nan,) * 3 if state is None else (
                state.height, state.period, math.remainder(state.direction - turned, math.tau))
        period = entry['period'] if entry['kind'] == 'regular' else entry['peak_period']
        towards = math.radians(entry['direction_deg']) - turned
        return self.waves.sea.significant_height, float(period), math.remainder(towards, math.tau)

    @property
    def varies(self) -> bool:
        """Whether its velocity may vary in space or time, or end somewhere."""
        everywhere = isinstance(self.source, Uniform) and not np.isfinite(self.source.extent).any()
        return self.sea_varies or not everywhere

    @property
    def zero(self) -> datetime | None:
        """Moment of the world's time 0; None if the file says no dates. A date without a zone is taken for UTC."""
        start = self.source.start
        return None if start is None else utc(start) + timedelta(seconds=self.clock.start - float(self.source.times[0]))

    def later(self, seconds: float) -> 'FlowFile':
        """Return the flow for a clock that begins later, s; it shares the file with this one."""
        waves = self.waves
        if waves is not None and waves.local is not None:
            waves = waves._replace(entry={**waves.entry, 'start': float(waves.entry.get('start', 0.0)) + seconds})
        return replace(self, clock=self.clock._replace(start=self.clock.start + seconds), waves=waves)

    def from_moment(self, moment: float) -> 'FlowFile':
        """Return the flow for a clock that begins at a moment, s since 1970, if it is changing data; else itself."""
        zero = self.zero
        return self.later(moment - zero.timestamp()) if self.is_data and self.changes and zero is not None else self

    @property
    def extent(self) -> Extent:
        """Bounding box in the world, m; infinite if the field is unlimited."""
        if not np.isfinite(self.source.extent).all():
            return self.source.extent
        x, y = self.transform.to_world(*edges_of(extent_polygon(self.source.extent)).T)
        return float(x.min()), float(y.min()), float(x.max()), float(y.max())

    def outline(self) -> list[np.ndarray]:
        """Return polygons (K, 2) for pictures in the world, m: the field's outline, holes and buildings."""
        parts = 1 if self.transform.degrees is None else EDGES
        return [np.column_stack(self.transform.to_world(*edges_of(np.asarray(polygon, dtype=float), parts).T))
                for polygon in self.source.outline()]

    @property
    def is_data(self) -> bool:
        """Whether this is a file of data itself, which no flow file places and puts on a clock."""
        return self.path.suffix not in SUFFIXES

    @property
    def changes(self) -> bool:
        """Whether the file has several times."""
        return self.clock.first != self.clock.last

    @property
    def span_words(self) -> str:
        """From when to when a file with dates has a flow, in words."""
        assert self.zero is not None
        last = self.zero + timedelta(seconds=self.clock.last - self.clock.start)
        first = self.zero + timedelta(seconds=self.clock.first - self.clock.start)
        return f'from {moment_words(first)} to {moment_words(last)}'

    @property
    def raw(self) -> bool:
        """Whether this is a file with its own coordinates and times."""
        return self.is_data and self.transform._replace(degrees=None) == AS_IT_IS

    def describe(self) -> dict[str, Any]:
        """Return the output of `usv-energy flow info`: the source's description, and its place in the world."""
        description = self.source.describe()
        if self.raw:
            return {'flow': self.name, **description}
        place = {'map_x_m': self.transform.x, 'map_y_m': self.transform.y, 'rotation_deg': self.transform.rotation_deg}
        time = {'mode': self.clock.mode, 'start_s': self.clock.start}
        medium = self.medium or description.get('medium')
        says = self.height is not None or height_of(self.source) is not None
        height = {'height_m': self.height} if says else {}
        waves: dict[str, Any] = {}
        if self.waves is not None:
            waves = {'waves': self.waves.describe(), 'notes': [*description.get('notes', []), DRIFT_ALONE]}
        return {'flow': self.name, 'title': self.title, **description, 'medium': medium, **height, **waves,
                'world': {'transform': place, 'time': time,
                          'extent_m': list(self.extent) if np.isfinite(self.extent).all() else None}}

    def close(self) -> None:
        """Close the file."""
        self.source.close()
        if self.waves is not None and self.waves.local is not None:
            self.waves.local.field.close()


def read_flow(name: str | Path, beside: Path | None = None) -> FlowFile:
    """
    Return a flow by its name in config/flows or by the path of its YAML file.

    :param name: A shipped one, or a path.
    :param beside: Folder of the file that holds the name, if any.
    :raises InputError: If there is none, or its file, or the data file that this names, is wrong.
    """
    path = resolve('flows', str(name), beside)
    return flow_from(read_yaml(path), path)


def flow_from(document: dict[str, Any], path: Path) -> FlowFile:
    """
    Return a flow from the content of its file.

    :raises InputError: As `read_flow`.
    """
    checked.check(document, 'flow', path)
    if ('file' in document) == ('analytic' in document) and ('file' in document or 'waves' not in document):
        raise InputError(f'{path}: must hold either file or analytic: what the flow is read from, or its closed form')
    if 'waves' in document and document['medium'] != 'water':
        raise InputError(f'{path}: waves go with water (medium: water); this is a flow of {document["medium"]}')
    if 'height' in document and document['medium'] != 'air':
        raise InputError(f'{path}: height goes with a wind (medium: air); this is a flow of {document["medium"]}')
    options = document.get('file', {}).get('options', {})
    plain = values_of({key: value for key, value in document.items() if key != 'file'})
    if 'file' in document:
        source = _opened(document['file'], options, path, plain['medium'])
    else:
        source = _analytic(plain['analytic'], path) if 'analytic' in plain else Uniform(STILL_WATER)
    try:
        waves = waves_of(plain['waves'], path, getattr(source, 'origin_deg', None)) if 'waves' in plain else None
        clock = _clock(plain.get('time', {}), source, path)
    except InputError:
        source.close()
        raise
    place = {key: float(value) for key, value in plain.get('transform', {}).items()}
    return FlowFile(path.stem, plain.get('title', path.stem), path, plain['medium'], source,
                    Transform(**place, degrees=_degrees(source, waves)), clock, _height(plain, source), waves=waves)


def raw_flow(path: Path, source: FlowSource, transform: Transform = AS_IT_IS) -> FlowFile:
    """
    Return a source as a flow with the source's own times; outside them there is none.

    :param path: Of the source's file.
    :param transform: Its place in the world; by default the world's frame is the file's own.
    """
    first, last = float(source.times[0]), float(source.times[-1])
    return FlowFile(path.stem, path.name, path, '', source, transform._replace(degrees=_degrees(source)),
                    FlowClock('end', first, last), height_of(source))


def _degrees(source: FlowSource, waves: Waves | None = None) -> DegreeGrid | None:
    """Return the grid of degrees of the coordinates of a source or its waves; None if they are metres of a map."""
    local = None if waves is None or waves.local is None else waves.local.field
    origin = getattr(source, 'origin_deg', None) or getattr(local, 'origin_deg', None)
    return None if origin is None else DegreeGrid(origin)


def edges_of(polygon: np.ndarray, parts: int = EDGES) -> np.ndarray:
    """Return a polygon (K, 2) with each edge divided into some parts, shape (K parts, 2), since edges become curves."""
    share = np.arange(parts)[:, None] / parts
    after = np.roll(polygon, -1, axis=0)
    return np.concatenate([first + share * (second - first) for first, second in zip(polygon, after)])


def velocity_everywhere(flow: FlowFile) -> tuple[float, float]:
    """Return the velocity, m/s, of a uniform and constant flow."""
    vx, vy, _ = flow.velocity(0.0, np.zeros(1), np.zeros(1))
    return float(vx[0]), float(vy[0])


def _height(plain: dict[str, Any], source: FlowSource) -> float | None:
    """Return the height of a wind, m above water: the flow file's, else its source's; None for the boat's."""
    if plain['medium'] != 'air' or plain.get('height') == AT_BOAT:
        return None
    return float(plain['height']) if 'height' in plain else height_of(source)


def _analytic(plain: dict[str, Any], path: Path) -> FlowSource:
    try:
        return KINDS[plain['kind']]({key: float(value) if isinstance(value, int) else value
                                     for key, value in plain.items() if key != 'kind'})
    except InputError as error:
        raise InputError(f'{path}: analytic.{error}') from None


def _opened(entry: dict[str, Any], options: dict[str, Any], path: Path, medium: str) -> FlowSource:
    given = user_path(entry['path'])
    found = next((file for file in (path.parent / given, Path.cwd() / given) if file.exists()), None)
    if found is None:
        raise InputError(f'{path}: file.path is {entry["path"]!r}: there is no such file')
    try:
        return open_flow(found, options, entry.get('reader'), medium)
    except InputError as error:
        raise InputError(f'{path}: file: {error}') from None


def _clock(plain: dict[str, Any], source: FlowSource, path: Path) -> FlowClock:
    """Return the clock; the flow file of an unsteady field must state how its times continue."""
    first, last = float(source.times[0]), float(source.times[-1])
    times = f'{first:.9g} to {exact_seconds(last)}'
    if 'mode' not in plain and first != last:
        raise InputError(f'{path}: lacks the key time: this flow has times from {times}, and time.mode '
                         'says how it goes on after them: loop, hold or end')
    start = float(plain.get('start', 0.0))
    if plain.get('mode') != 'loop' and first != last and not first <= start <= last:
        raise InputError(f'{path}: time.start is {start:.9g}; must be a time of the file, {times}')
    return FlowClock(plain.get('mode', 'hold'), first, last, start)
