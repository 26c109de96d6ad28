"""Sea states over place and time from CF netCDF files and zarr stores: height, period and direction of the waves."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from usv_energy.earth import towards_of
from usv_energy.files.errors import InputError
from usv_energy.flow.field import Extent, FlowSource
from usv_energy.physics.waves.linear_wave import energy_period

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
    from usv_energy.flow.formats.netcdf.netcdf_reader import flow_of_store
    from usv_energy.flow.formats.netcdf.store import opened_store
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
