"""
Maps of a boat (energy, best speeds, reach, time against energy), as labelled arrays (xarray) and result files.

Energy maps: energy per metre over course and speed, in many currents and winds; the best speed by course.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.vessel import Vessel
from usv_energy.engine.sweep.results_file import provenance, write_dataset
from usv_energy.files.checked import read_with_base
from usv_energy.files.errors import InputError
from usv_energy.files.optional import optional
from usv_energy.files.work import Progress, no_progress
from usv_energy.physics.frames import polar_to_earth
from usv_energy.physics.motion import Flow
from usv_energy.studies.maps.lattice import CurrentAndWind, extent_of
from usv_energy.studies.maps.pack_shares import PackShares
from usv_energy.studies.maps.reach import Reach, reach
from usv_energy.studies.maps.time_energy_front import TimeEnergyFront, time_energy_front
from usv_energy.studies.plan.pack_energy import PackEnergy
from usv_energy.studies.plan.steady_motion import steady_state, top_speed
from usv_energy.studies.plan.steady_range import BatteryUse, cheapest_motions

Conditions = Sequence[tuple[float, float]]  # Speed, m/s, and where it flows to, degrees counter-clockwise from east.
DIMS = ('course', 'speed', 'current', 'wind')
FIELDS = {
    'energy_per_meter': ('J m-1', 'energy per metre over ground'),
    'power_total': ('W', 'electrical power, static load included'),
    'heading': ('degree', 'heading, counter-clockwise from east, 0 to 360'),
    'drift': ('degree', 'from the heading to the motion through the water, to port positive'),
    'speed_through_water': ('m s-1', 'speed through the water'),
}


@dataclass(frozen=True)
class EnergyMap:
    """
    Steady motions over course, speed, current and wind: arrays of the shape (courses, speeds, currents, winds).

    `fields`: by the names in FIELDS; NaN if the thrusters cannot hold the motion. `feasible`: whether they can.
    `courses_deg`: counter-clockwise from east. `speeds`: over ground, m/s.
    """

    courses_deg: np.ndarray
    speeds: np.ndarray
    currents: Conditions
    winds: Conditions
    fields: dict[str, np.ndarray]
    feasible: np.ndarray


def energy_map(vessel: Vessel, courses_deg: np.ndarray, speeds: np.ndarray, currents: Conditions, winds: Conditions,
               progress: Progress = no_progress) -> EnergyMap:
    """
    Return the energy map of a boat.

    :param courses_deg: Over ground, degrees counter-clockwise from east, shape (C,).
    :param speeds: Over ground, m/s, above 0, shape (S,).
    :param currents: Speeds, m/s, and directions that they flow to, degrees; likewise `winds`.
    """
    shape = courses_deg.size, speeds.size, len(currents), len(winds)
    fields = {name: np.empty(shape) for name in FIELDS}
    feasible = np.empty(shape, dtype=bool)
    current, wind = _earth_components(currents)[:, :, None], _earth_components(winds)[:, None, :]
    flow = Flow(current[0], current[1], wind[0], wind[1])
    for number, course in enumerate(np.radians(courses_deg)):
        steady = steady_state(vessel, course, speeds[:, None, None], flow)
        feasible[number] = steady.feasible
        values = {
            'energy_per_meter': steady.power.total / speeds[:, None, None], 'power_total': steady.power.total,
            'heading': np.degrees(steady.yaw) % 360.0, 'drift': np.degrees(np.arctan2(steady.v_r, steady.u_r)),
            'speed_through_water': np.hypot(steady.u_r, steady.v_r)}
        for name, value in values.items():
            fields[name][number] = np.where(steady.feasible, value, np.nan)
        progress(number + 1, courses_deg.size)
    return EnergyMap(courses_deg, speeds, currents, winds, fields, feasible)


@dataclass(frozen=True)
class BestSpeedMap:
    """
    The speeds over ground of least energy per metre, m/s, that energy, J/m, and the power, W.

    Shape (courses, currents, winds); NaN if no speed can be held. `at_limit`: the least is at the lowest speed
    allowed; a lower speed would cost less.
    """

    courses_deg: np.ndarray
    currents: Conditions
    winds: Conditions
    speed: np.ndarray
    energy_per_meter: np.ndarray
    power: np.ndarray
    at_limit: np.ndarray


def best_speeds(vessel: Vessel, courses_deg: np.ndarray, speeds: np.ndarray, currents: Conditions,
                winds: Conditions) -> BestSpeedMap:
    """
    Return the speed of least energy per metre for each course, between the lowest and the highest of `speeds`.

    Dead before a strong wind the cheapest motion is to drift across it with hardly any thrust. It exists at a sharply
    defined speed only, so it may be missed between two of `speeds`, while courses a few degrees off find it.

    :param courses_deg: Degrees counter-clockwise from east, shape (C,).
    :param speeds: Over ground, m/s, rising; the least is interpolated between them.
    :param currents: As for `energy_map`; likewise `winds`.
    """
    shape = courses_deg.size, len(currents), len(winds)
    current, wind = _earth_components(currents)[:, None, :, None], _earth_components(winds)[:, None, None, :]
    courses = np.radians(courses_deg)[:, None, None]
    course, *flow = (part.ravel() for part in np.broadcast_arrays(courses, *current, *wind))
    found = cheapest_motions(vessel, course, Flow(flow[0], flow[1], flow[2], flow[3]), speeds, (0.0,))
    held = np.isfinite(found.cost[0])
    speed, cost = np.where(held, 1.0 / found.slowness[0], np.nan), np.where(held, found.cost[0], np.nan)
    return BestSpeedMap(courses_deg, currents, winds, *(values.reshape(shape) for values in (
        speed, cost, cost * speed, speed == speeds[0])))


def _earth_components(conditions: Conditions) -> np.ndarray:
    """Return the east and north components, m/s, of flows given by speed and direction; shape (2, N)."""
    return np.array([polar_to_earth(*condition) for condition in conditions]).T.reshape(2, -1)


MOST_POINTS = 20_000_000    # of an energy map; each takes about 100 bytes of memory
MOST_LATTICE_POINTS = 1000  # along the longer side of a lattice; each point takes about 1 kB
LEAST_SPEED = 0.05          # m/s over ground: the lowest default speed
SEARCH_RADIUS = 1e3         # m: around the start, in which the speed of an unbounded current is sampled
TITLES = {EnergyMap: 'Energy map', BestSpeedMap: 'Best speeds', Reach: 'Reach', TimeEnergyFront: 'Time and energy'}
Array = tuple[Any, np.ndarray, dict[str, Any]]  # dimensions, values and attributes
Arrays = tuple[dict[str, Array], dict[str, Array]]  # variables and coordinates
MapResult = EnergyMap | BestSpeedMap | Reach | TimeEnergyFront


@dataclass(frozen=True)
class MapStudy:
    """A map of a boat; the speeds over ground that were tried, m/s; the computing time, s."""

    boat: Boat
    speeds: np.ndarray
    result: MapResult
    wall: float


def conditions_of(speeds: Sequence[float], directions: Sequence[float]) -> Conditions:
    """Return every speed, m/s, in every direction, degrees; a speed of 0 only once."""
    found = [(speed, direction) for speed in speeds for direction in directions]
    still = next((condition for condition in found if not condition[0]), None)
    return [condition for condition in found if condition[0] or condition is still]


def energy_study(boat: Boat, courses: int, currents: Conditions, winds: Conditions,
                 speeds: Sequence[float] | int = 40, progress: Progress = no_progress) -> MapStudy:
    """
    Return an energy map; other arguments as for `energy_map`.

    :param courses: Number of courses, all around.
    :param speeds: Over ground, m/s; or the number of speeds up to the top speed plus the fastest current.
    :raises InputError: If the map is too large, or the boat cannot move.
    """
    def map_at(tried: np.ndarray) -> EnergyMap:
        number = courses * tried.size * len(currents) * len(winds)
        if number > MOST_POINTS:
            raise InputError(f'a map of {number} points; must be at most {MOST_POINTS}')
        courses_deg = np.linspace(0.0, 360.0, courses, endpoint=False)
        return energy_map(boat.vessel, courses_deg, tried, currents, winds, progress)

    return _study(boat, speeds, max(currents)[0], map_at)


def best_speed_study(boat: Boat, courses: int, currents: Conditions, winds: Conditions,
                     speeds: Sequence[float] | int = 96) -> MapStudy:
    """Return the best speed of each course; arguments and errors as of `energy_study`."""
    courses_deg = np.linspace(0.0, 360.0, courses, endpoint=False)
    return _study(boat, speeds, max(currents)[0],
                  lambda tried: best_speeds(boat.vessel, courses_deg, tried, currents, winds))


def reach_study(boat: Boat, fields: CurrentAndWind, start: tuple[float, float], energy: float | None = None,
                speeds: Sequence[float] | int = 32, points: int = 121, round_trip: bool = False,
                extent: tuple[float, float, float, float] | None = None, progress: Progress = no_progress) -> MapStudy:
    """
    Return what can be reached; arguments as for `reach`, `speeds` as for `energy_study`.

    :param energy: That may be used, J; None: the charge of the boat's battery, of cells down to their cutoff under
        load.
    :raises InputError: As `reach`; if there is neither a battery nor an energy, the start lies outside the extent, or
        the lattice is too fine.
    """
    _check_lattice(points)
    if extent is not None and not (extent[0] <= start[0] <= extent[2] and extent[1] <= start[1] <= extent[3]):
        raise InputError(f'the start, x = {start[0]:g} m, y = {start[1]:g} m: lies outside the extent, '
                         f'{", ".join(f"{edge:g}" for edge in extent)} m')
    given = BatteryUse(energy=energy).energy_at(boat)
    limit = PackShares(boat, given) if isinstance(given, PackEnergy) else given
    return _study(boat, speeds, fastest_current(fields, start), lambda tried: reach(
        boat.vessel, fields, start, limit, tried, points, round_trip, extent, progress))


def front_study(boat: Boat, fields: CurrentAndWind, start: tuple[float, float], goal: tuple[float, float],
                speeds: Sequence[float] | int = 32, points: int = 48, margin: float = 0.5,
                progress: Progress = no_progress) -> MapStudy:
    """Return the front of time and energy; arguments as of `time_energy_front` and `energy_study`."""
    _check_lattice(points)
    return _study(boat, speeds, fastest_current(fields, start), lambda tried: time_energy_front(
        boat.vessel, fields, start, goal, tried, points, margin, progress=progress))


def _check_lattice(points: int) -> None:
    if points > MOST_LATTICE_POINTS:
        raise InputError(f'a grid of {points} points along its longer side; must be at most {MOST_LATTICE_POINTS}')


def fastest_current(fields: CurrentAndWind, start: tuple[float, float]) -> float:
    """Return about the highest speed of the current, m/s: over the field, or around the start if it is unbounded."""
    extent: Sequence[float] = extent_of(fields.current)
    if not np.isfinite(extent).all():
        extent = start[0] - SEARCH_RADIUS, start[1] - SEARCH_RADIUS, start[0] + SEARCH_RADIUS, start[1] + SEARCH_RADIUS
    x, y = np.meshgrid(*(np.linspace(extent[axis], extent[axis + 2], 100) for axis in (0, 1)))
    vx, vy, inside = fields.current.velocity(fields.time, x.ravel(), y.ravel())
    return float(np.hypot(vx, vy)[inside].max(initial=0.0))


def _study(boat: Boat, speeds: Sequence[float] | int, current: float,
           result_at: Callable[[np.ndarray], MapResult]) -> MapStudy:
    """Return the map over given speeds, m/s, or over a number of speeds up to the top speed plus the current, m/s."""
    if isinstance(speeds, int):
        top = top_speed(boat.vessel)
        if not top > LEAST_SPEED:
            raise InputError(f'the boat {boat.name} cannot go faster than {top:g} m/s')
        tried = np.linspace(LEAST_SPEED, top + current, speeds)
    else:
        tried = np.array(speeds)
    begin = time.perf_counter()
    result = result_at(tried)
    return MapStudy(boat, tried, result, time.perf_counter() - begin)


def write_map(study: MapStudy, path: Path, command: str) -> None:
    """
    Write a map as netCDF (`.nc`) or zarr (`.zarr`), with the command and the boat file that produced it.

    :raises OSError: If it cannot be written.
    """
    text = yaml.safe_dump(read_with_base('boats', study.boat.path), sort_keys=False, allow_unicode=True)
    limit = {'energy_j': study.result.limit} if isinstance(study.result, Reach) and not study.result.on_cells else {}
    attributes = provenance(f'{TITLES[type(study.result)]} of {study.boat.name}', command, {'boat': text}, **limit,
                            static_load_w=study.boat.vessel.static_load)
    write_dataset(map_dataset(study.result).assign_attrs(attributes), path)


def map_dataset(result: MapResult) -> Any:
    """Return a map as an xarray Dataset with units."""
    arrays: dict[type, Callable[..., Arrays]] = {
        EnergyMap: _energy_map_arrays, BestSpeedMap: _best_speed_arrays, Reach: _reach_arrays,
        TimeEnergyFront: _front_arrays}
    variables, coordinates = arrays[type(result)](result)
    return optional('xarray', 'sweep', 'maps as labelled arrays').Dataset(variables, coordinates)


def _energy_map_arrays(result: EnergyMap) -> Arrays:
    variables = {name: _array(DIMS, result.fields[name], *about) for name, about in FIELDS.items()}
    variables['feasible'] = _array(DIMS, result.feasible, '1', 'whether the thrusters can hold the motion',
                                   'beyond_thrust_limits feasible')
    coordinates = {'speed': _array('speed', result.speeds, 'm s-1', 'speed over ground')}
    return variables, {**coordinates, **_condition_coordinates(result)}


def _best_speed_arrays(result: BestSpeedMap) -> Arrays:
    dims = ('course', 'current', 'wind')
    return {
        'best_speed': _array(dims, result.speed, 'm s-1', 'speed of least energy per metre'),
        'energy_per_meter': _array(dims, result.energy_per_meter, 'J m-1', 'energy per metre there'),
        'power_total': _array(dims, result.power, 'W', 'electrical power there'),
        'at_limit': _array(dims, result.at_limit, '1', 'whether the least lies at the lowest speed allowed',
                           'inside at_the_lowest_speed')}, _condition_coordinates(result)


def _reach_arrays(result: Reach) -> Arrays:
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


def _front_arrays(result: TimeEnergyFront) -> Arrays:
    """Return the arrays of a front; shorter routes are padded with NaN."""
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


def _condition_coordinates(result: EnergyMap | BestSpeedMap) -> dict[str, Array]:
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
    """Return an array with its attributes; `flags`: the names of False and True, for an array of these."""
    if not flags:
        return dims, values, {'units': unit, 'long_name': meaning}
    return dims, values.astype('i1'), {'units': unit, 'long_name': meaning, 'flag_meanings': flags,
                                       'flag_values': np.array([0, 1], dtype='i1')}
