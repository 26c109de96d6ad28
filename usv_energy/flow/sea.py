"""
The surface of the sea: many linear waves, uniform or varying in place; the entry `waves` of a flow file.

Sea states over place and time from CF netCDF files and zarr stores: height, period and direction of the waves.
"""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.earth import towards_of
from usv_energy.files.errors import InputError
from usv_energy.files.locate import user_path
from usv_energy.flow.field import Extent, FlowSource
from usv_energy.physics.waves.linear_wave import (
    JONSWAP_GAMMA,
    LinearWave,
    WaterMotion,
    elevation,
    energy_period,
    jonswap,
    orbital_acceleration,
    orbital_velocity,
    stokes_drift,
    surface_slope,
    wave_number,
    zero_crossing_period,
)

PEAK, MEAN = 'peak', 'mean'
# CF standard names, then those of Copernicus Marine and ECMWF; for periods with their kind in the spectrum.
HEIGHTS = ('sea_surface_wave_significant_height', 'VHM0', 'swh')
PERIODS = (('sea_surface_wave_period_at_variance_spectral_density_maximum', PEAK), ('VTPK', PEAK), ('pp1d', PEAK),
           ('sea_surface_wave_mean_period_from_variance_spectral_density_inverse_frequency_moment', MEAN),
           ('VTM10', MEAN), ('mwp', MEAN))
DIRECTIONS = (('sea_surface_wave_from_direction', True), ('sea_surface_wave_to_direction', False), ('VMDR', True),
              ('mwd', True))
UNITS = {'height': ('m', 'metre', 'meter', 'meters', 'metres'), 'period': ('s', 'second', 'seconds', 'sec'),
         'direction': ('degree', 'degrees', 'degree true', 'Degree true', 'deg', 'degrees_true', '1')}


class StatesAtPoints(NamedTuple):
    """Hs, m, Tp, s, and the direction towards which the waves run, rad (ENU), NaN without a value; shape (N,)."""

    height: np.ndarray
    period: np.ndarray
    direction: np.ndarray


class WaveField:
    """Sea states on a grid, interpolated linearly in space and time, directions along the shorter arc."""

    def __init__(self, sizes: FlowSource, ways: FlowSource) -> None:
        """Take two fields in place of velocities: (height, period), and cosine and sine of the direction."""
        self._sizes, self._ways = sizes, ways
        self.times: np.ndarray = sizes.times
        self.extent: Extent = sizes.extent
        self.origin_deg: tuple[float, float] | None = getattr(sizes, 'origin_deg', None)

    def at(self, time: float, x: np.ndarray, y: np.ndarray) -> StatesAtPoints:
        """Return the sea states at points of the map, m, shape (N,), at a time, s from the file's first."""
        height, period, inside = self._sizes.velocity(time, x, y)
        east, north, known = self._ways.velocity(time, x, y)
        lacking = ~(inside & known)
        return StatesAtPoints(*(np.where(lacking, np.nan, part) for part in (height, period, np.arctan2(north, east))))

    def describe(self) -> dict[str, Any]:
        """Return the content of the file, as for a FlowSource."""
        shown = self._sizes.describe()
        return {key: shown[key] for key in ('file', 'steps', 'first_s', 'last_s', 'start', 'extent_m') if key in shown}

    def close(self) -> None:
        """Close the file."""
        self._sizes.close()
        self._ways.close()


def open_wave_field(path: Path, options: Mapping[str, Any], gamma: float) -> WaveField:
    """
    Open the sea states in a netCDF file or zarr store.

    :param path: The file or the folder.
    :param options: Of the netCDF reader: origin, member, select, time_unit; and `variables`: the names of height,
        period (of the peak) and direction (from which the waves come), if these are not found.
    :param gamma: Peak enhancement of the spectrum, (-), to convert a mean period to that of the peak.
    :raises InputError: If it cannot be read, or lacks one of the three.
    """
    from usv_energy.flow.formats.netcdf_reader import flow_of_store
    from usv_energy.flow.formats.netcdf_store import opened_store
    store = opened_store(path)
    try:
        height, (period, kind), (direction, comes_from) = _names(store, path, options)
        _check_units(store, path, {'height': height, 'period': period, 'direction': direction})
        ratio = 1.0 if kind == PEAK else 1.0 / energy_period(1.0, gamma)
        towards = towards_of(store[direction], comes_from)
    except InputError:
        store.close()
        raise
    more = {key: value for key, value in options.items() if key != 'variables'}
    fields = [flow_of_store(_as_velocity(store[[height]], first, second), path, {**more, 'variables': ['one', 'two']},
                            'netcdf')
              for first, second in ((store[height], ratio * store[period]), (np.cos(towards), np.sin(towards)))]
    return WaveField(*fields)


def _as_velocity(store: Any, first: Any, second: Any) -> Any:
    """Return a store of two variables in a form for the reader of velocities."""
    axes = next(iter(store.data_vars.values()))
    sides = {name: part.assign_attrs({**axes.attrs, 'standard_name': '', 'units': 'm/s'})
             for name, part in (('one', first), ('two', second))}
    return store.assign(**sides)


def _names(store: Any, path: Path, options: Mapping[str, Any]) -> tuple[str, tuple[str, str], tuple[str, bool]]:
    given = options.get('variables')
    if given is not None:
        names = [name.strip() for name in given.split(',')] if isinstance(given, str) else list(given)
        if len(names) != 3 or not all(name in store.data_vars for name in names):
            raise InputError(f'{path}: variables is {names}; must be three of: {", ".join(map(str, store.data_vars))}: '
                             'height, peak period and the direction from which the waves come')
        return names[0], (names[1], PEAK), (names[2], True)
    known = {str(store[name].attrs.get('standard_name', '')): str(name) for name in store.data_vars}
    known |= {str(name): str(name) for name in store.data_vars}
    height = next((known[name] for name in HEIGHTS if name in known), None)
    period = next(((known[name], kind) for name, kind in PERIODS if name in known), None)
    direction = next(((known[name], comes) for name, comes in DIRECTIONS if name in known), None)
    for what, found, usual in (('significant height', height, HEIGHTS), ('period', period, [p[0] for p in PERIODS]),
                               ('direction', direction, [d[0] for d in DIRECTIONS])):
        if found is None:
            raise InputError(f'{path}: holds no {what} of waves that this reader knows ({", ".join(usual)}); name '
                             'three variables with the option variables. There are: '
                             f'{", ".join(map(str, store.data_vars))}')
    assert height and period and direction
    return height, period, direction


def _check_units(store: Any, path: Path, names: Mapping[str, str]) -> None:
    for what, name in names.items():
        unit = str(store[name].attrs.get('units', '')).strip()
        if unit and unit not in UNITS[what]:
            raise InputError(f'{path}: {name} is in {unit}; must be in {UNITS[what][0]}')


COMPONENTS = 200  # Default number of waves of an irregular sea.
SLOWEST, FASTEST = 0.4, 8.0  # Range of their frequencies over that of the peak.
GRID = 20_000  # Frequencies at which the spectrum is integrated into bins.
SPREADING = 10.0  # s of cos^2s(half the angle), wind sea: Mitsuyasu et al. (1975), J. Phys. Oceanogr. 5, 750.
TOGETHER = 1 << 18  # Pairs of a point and a wave that are held in memory at once.


class SeaState(NamedTuple):
    """
    The parameters of an irregular sea.

    `height`: significant wave height, Hs, m. `period`: of the peak, Tp, s. `gamma`: peak enhancement (-), 1 for
    Pierson-Moskowitz. `direction`: towards which it runs, rad (ENU). `spreading`: s of cos^2s(half the angle to it),
    inf for long crests. `depth`: of the water, m, inf for deep water.
    """

    height: float
    period: float
    gamma: float = JONSWAP_GAMMA
    direction: float = 0.0
    spreading: float = SPREADING
    depth: float = math.inf


class SurfacePoints(NamedTuple):
    """The sea at points: elevation, m; slope towards east and north, (-); velocity, m/s, and its rate, m/s^2."""

    elevation: np.ndarray
    slope: tuple[np.ndarray, np.ndarray]
    velocity: WaterMotion
    acceleration: WaterMotion


class Sea:
    """The waves of a sea, which continue forever; thread-safe."""

    def __init__(self, waves: LinearWave) -> None:
        """Take the waves: a LinearWave of arrays of shape (M,), or of floats for one."""
        self.waves = LinearWave(*(np.atleast_1d(np.asarray(part, dtype=float)) for part in np.broadcast_arrays(*waves)))

    @property
    def significant_height(self) -> float:
        """Hs = 4 sqrt(m0), m; for one regular wave it is sqrt(2) times its height from trough to crest."""
        return 4.0 * math.sqrt(0.5 * float(np.sum(self.waves.amplitude ** 2)))

    def elevation(self, t: float | np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the surface elevation, m above rest, at points, m, shape (N,), at a time, s, or one for each."""
        if np.ndim(t):
            return self._summed(lambda *given: (elevation(*given),), x, y, np.asarray(t))[0]
        return self._summed(lambda waves, *point: (elevation(waves, *point, t),), x, y)[0]

    def at(self, t: float, x: np.ndarray, y: np.ndarray, z: np.ndarray | float = 0.0) -> SurfacePoints:
        """
        Return the sea at points at a time.

        :param t: s.
        :param x: East, m, shape (N,); `y`: north.
        :param z: Of the water whose velocity and acceleration are wanted, m, up from the surface at rest.
        """
        def parts(waves: LinearWave, east: np.ndarray, north: np.ndarray, up: np.ndarray) -> tuple[Any, ...]:
            return (elevation(waves, east, north, t), *surface_slope(waves, east, north, t),
                    *orbital_velocity(waves, east, north, up, t), *orbital_acceleration(waves, east, north, up, t))
        found = self._summed(parts, x, y, np.broadcast_to(np.asarray(z, dtype=float), np.shape(x)))
        return SurfacePoints(found[0], (found[1], found[2]), WaterMotion(*found[3:6]), WaterMotion(*found[6:9]))

    def stokes_drift(self, z: float = 0.0) -> tuple[float, float]:
        """Return the mean velocity of the water due to the waves at a height, m: east and north, m/s."""
        speed = stokes_drift(self.waves, np.full(self.waves.amplitude.shape, float(z)))
        return float(np.sum(speed * self.waves.east)), float(np.sum(speed * self.waves.north))

    def _summed(self, parts: Any, *points: np.ndarray) -> list[np.ndarray]:
        """Return the sums over the waves of `parts(waves, *points)`, each of the points' shape."""
        columns = [np.asarray(part, dtype=float).ravel() for part in points]
        shape, block = np.shape(points[0]), max(1, TOGETHER // self.waves.amplitude.size)
        sums = []
        for first in range(0, max(columns[0].size, 1), block):
            some = (column[first:first + block, None] for column in columns)
            sums.append([part.sum(axis=1) for part in parts(self.waves, *some)])
        return [np.concatenate(pieces).reshape(shape) for pieces in zip(*sums)]


def regular_sea(height: float, period: float, direction: float, depth: float = math.inf, phase: float = 0.0) -> Sea:
    """
    Return a sea of one wave.

    :param height: From trough to crest, m: twice the amplitude.
    :param period: s.
    :param direction: Towards which it runs, rad (ENU).
    :param depth: Of the water, m.
    :param phase: rad; at 0 a crest passes the origin at time 0.
    """
    frequency = 2.0 * math.pi / period
    return Sea(LinearWave(0.5 * height, frequency, wave_number(frequency, depth), math.cos(direction),
                          math.sin(direction), phase, depth))


def irregular_sea(state: SeaState, seed: int, components: int = COMPONENTS) -> Sea:
    """
    Return a sea drawn from a spectrum; the same seed gives the same sea.

    :param state: The SeaState.
    :param seed: Of the random numbers.
    :param components: Number of waves; more are more accurate and slower.

    Half of the bins' bounds divide the energy over frequency equally, the other half the second moment. So the short
    waves, which have little energy but much of the water's acceleration, have their own components.
    """
    rng = np.random.default_rng(seed)
    peak = 2.0 * math.pi / state.period
    grid = np.geomspace(SLOWEST * peak, FASTEST * peak, GRID)
    density = jonswap(grid, state.height, state.period, state.gamma)
    energy, bent = (_added_up(grid, density * grid ** order) for order in (0, 2))
    share = 0.5 * (energy / energy[-1] + bent / bent[-1])
    bounds = np.interp(np.linspace(0.0, 1.0, components + 1), share, grid)
    held = np.diff(np.interp(bounds, grid, energy)) * (state.height ** 2 / 16.0 / energy[-1])
    frequency = bounds[:-1] + np.diff(bounds) * rng.uniform(size=components)
    towards = state.direction + _spread(state.spreading, components, rng)
    return Sea(LinearWave(np.sqrt(2.0 * held), frequency, wave_number(frequency, state.depth), np.cos(towards),
                          np.sin(towards), rng.uniform(0.0, 2.0 * math.pi, components), state.depth))


def _added_up(grid: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return the integral from the first grid point to each, by the trapezoidal rule."""
    return np.concatenate(([0.0], np.cumsum(0.5 * (values[1:] + values[:-1]) * np.diff(grid))))


def _spread(exponent: float, number: int, rng: np.random.Generator) -> np.ndarray:
    """Return angles to the main direction, rad, distributed as cos^2s of their half: one from each slice, shuffled."""
    if math.isinf(exponent):
        return np.zeros(number)
    angle = np.linspace(-math.pi, math.pi, GRID)
    share = _added_up(angle, np.cos(0.5 * angle) ** (2.0 * exponent))
    drawn = (np.arange(number) + rng.uniform(size=number)) / number
    return rng.permutation(np.interp(drawn, share / share[-1], angle))


SHORTEST, LONGEST = 0.5, 25.0  # Peak periods, s, that are distinguished; beyond them the nearest is used.
DRIFT_PERIODS = np.geomspace(SHORTEST, LONGEST, 24)


class LocalSea:
    """The sea of a WaveField: waves that are drawn once from a seed; thread-safe."""

    def __init__(self, field: WaveField, state: SeaState, seed: int, components: int, drift_depth: float) -> None:
        """
        Draw the waves.

        :param field: Of height, period and direction.
        :param state: For its gamma, spreading and depth; the rest is the field's.
        :param seed: The same seed gives the same waves.
        :param components: Number of waves; more than for a uniform sea, because all directions need some.
        :param drift_depth: Depth at which the Stokes drift acts on a boat, m.
        """
        self.field, self._state = field, state
        rng = np.random.default_rng(seed)
        middle = np.array([0.5 * (field.extent[0] + field.extent[2])]), np.array(
            [0.5 * (field.extent[1] + field.extent[3])])
        periods = [float(field.at(float(time), *middle).period[0]) for time in (field.times[0], field.times[-1])]
        known = [period for period in periods if math.isfinite(period)] or [SHORTEST, 12.0]
        low, high = SLOWEST * math.tau / (1.5 * max(known)), FASTEST * math.tau / min(known) / 1.5
        bounds = np.geomspace(low, high, components + 1)
        frequency = bounds[:-1] + np.diff(bounds) * rng.uniform(size=components)
        self._width = np.diff(bounds)
        self._angle = rng.permutation((np.arange(components) + rng.uniform(size=components)) * math.tau / components)
        self._waves = LinearWave(np.zeros(components), frequency, wave_number(frequency, state.depth),
                                 np.cos(self._angle), np.sin(self._angle), rng.uniform(0.0, math.tau, components),
                                 state.depth)
        self._drifts = np.array([math.hypot(*irregular_sea(
            state._replace(height=1.0, period=period, direction=0.0), 0).stokes_drift(-drift_depth))
            for period in DRIFT_PERIODS])

    def sea_in_the_middle(self) -> Sea:
        """Return the waves in the middle of the field at its first time; none if it has no value there."""
        xmin, ymin, xmax, ymax = self.field.extent
        found = self.sea_at(float(self.field.times[0]), 0.5 * (xmin + xmax), 0.5 * (ymin + ymax))
        return Sea(self._waves) if found is None else found

    def state_at(self, time: float, x: float, y: float) -> SeaState | None:
        """Return the SeaState at a position of the map, m, and a time of the file, s; None if there is none."""
        found = self.field.at(time, np.array([x]), np.array([y]))
        height, period, direction = (float(part[0]) for part in found)
        if not (math.isfinite(height) and period > 0.0):
            return None
        return self._state._replace(height=height, period=min(max(period, SHORTEST), LONGEST), direction=direction)

    def sea_at(self, time: float, x: float, y: float) -> Sea | None:
        """Return the waves around a position of the map, m, and a time of the file, s; None if there are none."""
        state = self.state_at(time, x, y)
        if state is None or state.height <= 0.0:
            return None
        away = self._angle - state.direction
        shape = (np.cos(away) > 0.999999) if math.isinf(state.spreading) else np.cos(0.5 * away) ** (
            2.0 * state.spreading)
        held = jonswap(self._waves.frequency, state.height, state.period, state.gamma) * self._width * shape
        held = held * (state.height ** 2 / 16.0 / np.sum(held))
        return Sea(self._waves._replace(amplitude=np.sqrt(2.0 * held)))

    def drift(self, time: float, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the Stokes drift at points of the map, m/s east and north; 0 where the field has no waves."""
        states = self.field.at(time, x, y)
        unit = np.interp(np.nan_to_num(states.period, nan=SHORTEST), DRIFT_PERIODS, self._drifts)
        speed = np.nan_to_num(states.height) ** 2 * unit
        direction = np.nan_to_num(states.direction)
        return speed * np.cos(direction), speed * np.sin(direction)


# Steeper waves (height over length) break: 0.142 tanh(k h), R. Miche (1944), Annales des Ponts et Chaussees. For a sea,
# by its significant height and zero-crossing period: 1/10, DNV-RP-C205 (2010), 3.5.4.
STEEPEST, STEEPEST_SEA = 0.142, 0.1
LOCAL_COMPONENTS = 600  # Waves of a sea whose direction varies; a third of them run near the local direction.


class Waves(NamedTuple):
    """
    The sea on a water, its drift velocity, m/s, and its entry in the file.

    `local`: the varying sea state, if there is one; `sea` is then that of the file's middle at its first time, and the
    drift 0. `carries`: whether the drift acts on a boat; False if the boat's coefficients contain its effect.
    """

    sea: Sea
    drift: tuple[float, float]
    entry: Mapping[str, Any]
    local: LocalSea | None = None
    carries: bool = True

    def describe(self) -> dict[str, Any]:
        """Return the output of `usv-energy flow info`, for JSON, with units in the keys."""
        entry, waves = self.entry, self.sea.waves
        if self.local is not None:
            return {'kind': 'field', **self.local.field.describe(), 'seed': entry.get('seed', 0),
                    'components': int(waves.amplitude.size)}
        shown = {'kind': entry['kind'], 'direction_deg': entry['direction_deg'],
                'depth_m': entry.get('depth'), 'drift_m_per_s': math.hypot(*self.drift)}
        if entry['kind'] == 'regular':
            number = float(waves.number[0])
            return shown | {'height_m': entry['height'], 'period_s': entry['period'],
                            'length_m': 2.0 * math.pi / number, 'celerity_m_per_s': float(waves.frequency[0]) / number}
        gamma = float(entry.get('gamma', JONSWAP_GAMMA))
        return shown | {'significant_height_m': entry['significant_height'], 'peak_period_s': entry['peak_period'],
                       'zero_crossing_period_s': zero_crossing_period(entry['peak_period'], gamma), 'gamma': gamma,
                       'spreading': entry.get('spreading', SPREADING), 'seed': entry.get('seed', 0),
                       'components': int(waves.amplitude.size)}


def waves_of(entry: Mapping[str, Any], path: Path, origin: tuple[float, float] | None = None) -> Waves:
    """
    Return the waves of a flow file.

    :param entry: Its `waves`, checked against the schema, with plain numbers.
    :param path: Of the file, for errors.
    :param origin: Degrees north and east, from which the water's own metres count, for a field of waves in degrees.
    :raises InputError: If such waves would break.
    """
    if entry['kind'] == 'field':
        return _local_waves(entry, path, origin)
    direction, depth = math.radians(entry['direction_deg']), float(entry.get('depth', math.inf))
    if entry['kind'] == 'regular':
        height, period = float(entry['height']), float(entry['period'])
        _check_height(f'{path}: waves.height', height, period, depth, STEEPEST)
        sea = regular_sea(height, period, direction, depth, math.radians(entry.get('phase_deg', 0.0)))
    else:
        gamma, spreading = float(entry.get('gamma', JONSWAP_GAMMA)), float(entry.get('spreading', SPREADING))
        state = SeaState(float(entry['significant_height']), float(entry['peak_period']), gamma, direction, spreading,
                         depth)
        _check_height(f'{path}: waves.significant_height', state.height,
                      zero_crossing_period(state.period, state.gamma), depth, STEEPEST_SEA)
        sea = irregular_sea(state, int(entry.get('seed', 0)), int(entry.get('components', COMPONENTS)))
    return Waves(sea, sea.stokes_drift(-float(entry.get('drift_depth', 0.0))), entry)


def _local_waves(entry: Mapping[str, Any], path: Path, origin: tuple[float, float] | None) -> Waves:
    given = user_path(entry['path'])
    found = next((file for file in (path.parent / given, Path.cwd() / given) if file.exists()), None)
    if found is None:
        raise InputError(f'{path}: waves.path is {entry["path"]!r}: there is no such file')
    gamma, depth = float(entry.get('gamma', JONSWAP_GAMMA)), float(entry.get('depth', math.inf))
    options = entry.get('options', {}) if origin is None else {**entry.get('options', {}), 'origin': origin[::-1]}
    try:
        field = open_wave_field(found, options, gamma)
    except InputError as error:
        raise InputError(f'{path}: waves: {error}') from None
    state = SeaState(0.0, 1.0, gamma, 0.0, float(entry.get('spreading', SPREADING)), depth)
    local = LocalSea(field, state, int(entry.get('seed', 0)), int(entry.get('components', LOCAL_COMPONENTS)),
                     float(entry.get('drift_depth', 0.0)))
    return Waves(local.sea_in_the_middle(), (0.0, 0.0), entry, local)


def _check_height(what: str, height: float, period: float, depth: float, steepest: float) -> None:
    """Check that waves of a height, m, and period, s, are less steep than breaking waves (height over length, deep)."""
    number = wave_number(2.0 * math.pi / period, depth)
    most = steepest * 2.0 * math.pi / number * math.tanh(number * min(depth, 100.0 / number))
    if height > most:
        raise InputError(f'{what} is {height:g} m; waves of {period:.3g} s break above {most:.3g} m')
