"""The maps of a boat that a person asks for, each by one call: over speeds that suit the boat, and timed."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..boats.boat_file import Boat
from ..files.errors import InputError
from ..files.progress_protocol import Progress, no_progress
from .energy_map import BestSpeedMap, Conditions, EnergyMap, best_speeds, energy_map
from .lattice_flow import CurrentAndWind, extent_of
from .pack_energy import PackEnergy
from .pack_shares import PackShares
from .reach import Reach, reach
from .steady_motion import top_speed
from .steady_range import BatteryUse
from .time_energy_front import TimeEnergyFront, time_energy_front

MOST_POINTS = 20_000_000    # Of an energy map: about 100 bytes each are in memory.
MOST_ALONG = 1000   # Points of a lattice along its longer side: ways in all directions from each take about 1 kB.
LEAST_SPEED = 0.05          # m/s over ground: the least of the speeds that are tried where none are given.
AROUND = 1e3                # m: where a current without end is looked at for its speed, each way from the start.
MapResult = EnergyMap | BestSpeedMap | Reach | TimeEnergyFront


@dataclass(frozen=True)
class MapStudy:
    """A map of a boat, its static load as asked for; speeds over ground that were tried, m/s; time that it took, s."""

    boat: Boat
    speeds: np.ndarray
    result: MapResult
    wall: float


def with_static_load(boat: Boat, load: float | None) -> Boat:
    """Return a boat with another static load, W; None for its own."""
    return boat if load is None else replace(boat, vessel=boat.vessel._replace(static_load=load))


def conditions_of(speeds: Sequence[float], directions: Sequence[float]) -> Conditions:
    """Return every speed, m/s, in every direction, degrees; rest, which is the same in all directions, once."""
    found = [(speed, direction) for speed in speeds for direction in directions]
    still = next((condition for condition in found if not condition[0]), None)
    return [condition for condition in found if condition[0] or condition is still]


def energy_study(boat: Boat, courses: int, currents: Conditions, winds: Conditions,
                 speeds: Sequence[float] | int = 40, progress: Progress = no_progress) -> MapStudy:
    """
    Return an energy map; the arguments that are not below are those of `energy_map`.

    :param courses: How many, all around.
    :param speeds: Over ground, m/s; or how many up to the top speed and the fastest current.
    :raises InputError: If the map is too large, or the boat cannot move.
    """
    def found(tried: np.ndarray) -> EnergyMap:
        number = courses * tried.size * len(currents) * len(winds)
        if number > MOST_POINTS:
            raise InputError(f'a map of {number} points; must be at most {MOST_POINTS}')
        courses_deg = np.linspace(0.0, 360.0, courses, endpoint=False)
        return energy_map(boat.vessel, courses_deg, tried, currents, winds, progress)

    return _study(boat, speeds, max(currents)[0], found)


def best_speed_study(boat: Boat, courses: int, currents: Conditions, winds: Conditions,
                     speeds: Sequence[float] | int = 24) -> MapStudy:
    """Return the best speed of each course; arguments and errors as of `energy_study`."""
    courses_deg = np.linspace(0.0, 360.0, courses, endpoint=False)
    return _study(boat, speeds, max(currents)[0],
                  lambda tried: best_speeds(boat.vessel, courses_deg, tried, currents, winds))


def reach_study(boat: Boat, fields: CurrentAndWind, start: tuple[float, float], energy: float | None = None,
                speeds: Sequence[float] | int = 32, points: int = 121, round_trip: bool = False,
                extent: tuple[float, float, float, float] | None = None, progress: Progress = no_progress) -> MapStudy:
    """
    Return what can be reached; arguments are those of `reach`, `speeds` as of `energy_study`.

    :param energy: What there is to use, J; None: the charge of the boat's battery, of cells what they give until their
        cutoff under load.
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
    if points > MOST_ALONG:
        raise InputError(f'a grid of {points} points along its longer side; must be at most {MOST_ALONG}')


def fastest_current(fields: CurrentAndWind, start: tuple[float, float]) -> float:
    """Return about how fast the current is at most, m/s: over the field, or around the start where it has no end."""
    extent: Sequence[float] = extent_of(fields.current)
    if not np.isfinite(extent).all():
        extent = start[0] - AROUND, start[1] - AROUND, start[0] + AROUND, start[1] + AROUND
    x, y = np.meshgrid(*(np.linspace(extent[axis], extent[axis + 2], 100) for axis in (0, 1)))
    vx, vy, inside = fields.current.velocity(fields.time, x.ravel(), y.ravel())
    return float(np.hypot(vx, vy)[inside].max(initial=0.0))


def _study(boat: Boat, speeds: Sequence[float] | int, current: float,
           result_at: Callable[[np.ndarray], MapResult]) -> MapStudy:
    """Return the map over the speeds given, m/s, or over so many up to the top speed in the current, m/s."""
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
