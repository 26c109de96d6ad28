"""Maps as labelled arrays with units (xarray), and as files of results."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from ..files.checked import read_with_base
from ..files.optional import optional
from ..sweep.results_file import provenance, write_dataset
from .energy_map import DIMS, FIELDS, BestSpeedMap, EnergyMap
from .map_study import MapResult, MapStudy
from .reach import Reach
from .time_energy_front import TimeEnergyFront

TITLES = {EnergyMap: 'Energy map', BestSpeedMap: 'Best speeds', Reach: 'Reach', TimeEnergyFront: 'Time and energy'}
Array = tuple[Any, np.ndarray, dict[str, Any]]  # Its dimensions, values and attributes.
Arrays = tuple[dict[str, Array], dict[str, Array]]  # Variables and coordinates.


def write_map(study: MapStudy, path: Path, command: str) -> None:
    """
    Write a map as netCDF (`.nc`) or zarr (`.zarr`), with the command that wrote it and what it takes to repeat it.

    :raises OSError: If it cannot be written.
    """
    text = yaml.safe_dump(read_with_base('boats', study.boat.path), sort_keys=False, allow_unicode=True)
    limit = {'energy_j': study.result.limit} if isinstance(study.result, Reach) and not study.result.on_cells else {}
    attributes = provenance(f'{TITLES[type(study.result)]} of {study.boat.name}', command, {'boat': text}, **limit,
                            static_load_w=study.boat.vessel.static_load)
    write_dataset(map_dataset(study.result).assign_attrs(attributes), path)


def map_dataset(result: MapResult) -> Any:
    """Return a map as an xarray Dataset with units."""
    arrays: dict[type, Callable[..., Arrays]] = {EnergyMap: _of_energy_map, BestSpeedMap: _of_best_speeds,
                                                 Reach: _of_reach, TimeEnergyFront: _of_front}
    variables, coordinates = arrays[type(result)](result)
    return optional('xarray', 'sweep', 'maps as labelled arrays').Dataset(variables, coordinates)


def _of_energy_map(result: EnergyMap) -> Arrays:
    variables = {name: _array(DIMS, result.fields[name], *about) for name, about in FIELDS.items()}
    variables['feasible'] = _array(DIMS, result.feasible, '1', 'whether the thrusters can hold the motion',
                                   'beyond_thrust_limits feasible')
    return variables, {'speed': _array('speed', result.speeds, 'm s-1', 'speed over ground'), **_conditions(result)}


def _of_best_speeds(result: BestSpeedMap) -> Arrays:
    dims = ('course', 'current', 'wind')
    return {
        'best_speed': _array(dims, result.speed, 'm s-1', 'speed of least energy per metre'),
        'energy_per_meter': _array(dims, result.energy_per_meter, 'J m-1', 'energy per metre there'),
        'power_total': _array(dims, result.power, 'W', 'electrical power there'),
        'at_limit': _array(dims, result.at_limit, '1', 'whether the least lies at the lowest speed allowed',
                           'inside at_the_lowest_speed')}, _conditions(result)


def _of_reach(result: Reach) -> Arrays:
    x, y = result.lattice.points()
    dims = ('y', 'x')
    kind, unit, meaning = ('share', '1', 'least share of the battery') if result.on_cells else (
        'energy', 'J', 'least energy')
    variables = {f'{kind}_{name}': _array(dims, np.where(np.isfinite(values), values, np.nan), unit,
                                          f'{meaning} {way} the start')
                 for name, way, values in (('out', 'from', result.out), ('back', 'to', result.back))
                 if values is not None}
    if result.not_held is not None:
        variables['not_held'] = _array(dims, result.not_held, '1', 'where the boat comes, but cannot be held at the '
                                       'voltage that is left', 'no not_held')
    variables['reachable'] = _array(dims, result.energy <= result.limit, '1', 'whether the energy lasts',
                                    'beyond_reach reachable')
    for name, values in zip(('current_x', 'current_y', 'wind_x', 'wind_y'), result.flows.values.T):
        variables[name] = _array(dims, values.reshape(x.shape), 'm s-1',
                                 f'{name[:-2]}, {"east" if name.endswith("x") else "north"}')
    return variables, {'x': _array('x', x[0], 'm', 'east'), 'y': _array('y', y[:, 0], 'm', 'north')}


def _of_front(result: TimeEnergyFront) -> Arrays:
    """Routes of fewer points end in NaN."""
    longest = max(len(route.points) for route in result.routes)
    places = np.array([np.pad(route.points, ((0, longest - len(route.points)), (0, 0)), constant_values=np.nan)
                       for route in result.routes])
    about = {'duration': ('s', 'time that the way takes'), 'energy': ('J', 'energy of the way'),
             'length': ('m', 'length of the way over ground'), 'price': ('W', 'price of time that it is cheapest for'),
             'gap': ('1', 'how much dearer than the best way of all it may be, about at most')}
    variables = {name: _array('way', np.array([getattr(route, name) for route in result.routes]), *words)
                 for name, words in about.items()}
    for axis, (name, meaning) in enumerate((('x', 'east'), ('y', 'north'))):
        variables[name] = _array(('way', 'point'), places[:, :, axis], 'm', meaning)
    return variables, {}


def _conditions(result: EnergyMap | BestSpeedMap) -> dict[str, Array]:
    """Return the coordinates of courses, and of currents and winds: number, speed and direction."""
    meaning = 'course over ground, counter-clockwise from east'
    found = {'course': _array('course', result.courses_deg, 'degree', meaning)}
    for name, conditions in (('current', result.currents), ('wind', result.winds)):
        speeds, directions = np.array(conditions, dtype=float).T
        meaning = f'where the {name} flows to, counter-clockwise from east'
        found |= {name: _array(name, np.arange(len(conditions)), '1', f'number of the {name}'),
                  f'{name}_speed': _array(name, speeds, 'm s-1', f'speed of the {name}'),
                  f'{name}_direction': _array(name, directions, 'degree', meaning)}
    return found


def _array(dims: Any, values: np.ndarray, unit: str, meaning: str, flags: str = '') -> Array:
    """Return an array with its attributes; `flags` are the names of False and True, where its values are these."""
    if not flags:
        return dims, values, {'units': unit, 'long_name': meaning}
    return dims, values.astype('i1'), {'units': unit, 'long_name': meaning, 'flag_meanings': flags,
                                       'flag_values': np.array([0, 1], dtype='i1')}
