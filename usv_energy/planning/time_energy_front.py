"""Time against energy between two places: the ways and speeds than which none is both quicker and cheaper."""

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ..boats.vessel import Vessel
from ..files.errors import InputError
from ..sweep.results_file import library
from .cheapest_speed import TIME_ONLY
from .lattice import Lattice, Moves, cheapest_ways, move_between, move_costs, moves_of, way_to
from .lattice_flow import Waters, costs_at, sampled

PRICES = 0.01, 30.0    # The least and greatest price of time that is tried, times the power of the quickest way.


class Way(NamedTuple):
    """A way: price of time, W, that it is the cheapest for; duration s, energy J, length m; its points, m, (N, 2)."""

    price: float
    duration: float
    energy: float
    length: float
    points: np.ndarray


class Front(NamedTuple):
    """Ways from the quickest to the cheapest, and the cheapest on the straight line, if that can be gone."""

    ways: list[Way]
    straight: Way | None
    lattice: Lattice


def front(vessel: Vessel, waters: Waters, start: tuple[float, float], goal: tuple[float, float], speeds: np.ndarray,
          points: int = 48, margin: float = 0.5, number: int = 15,
          progress: Callable[[int, int], None] = lambda done, number: None) -> Front:
    """
    Return the front of time and energy between two places.

    Each way is the cheapest for a price of time, so that the front found is convex: where the true one is not, the
    convex one is had by going parts of two ways. Way and speed are chosen together, the flow as it is at one time.

    :param vessel: The Vessel.
    :param waters: Current and wind.
    :param start: East and north, m.
    :param goal: The same.
    :param speeds: Over ground, m/s, as `cheapest` has them.
    :param points: Of the lattice between start and goal; both lie on it.
    :param margin: Room for detours around them, as a share of their distance.
    :param number: Of prices, at least 3.
    :param progress: Called with the motions done and their number.
    :raises InputError: If there is no way.
    """
    lattice, ends = _lattice(start, goal, points, margin)
    x, y = lattice.points()
    flows, moves = sampled(waters, x, y), moves_of(lattice)
    for name, place, point in zip(('start', 'goal'), (start, goal), ends):
        if not flows.inside[point]:
            raise InputError(f'the {name}, x = {place[0]:g} m, y = {place[1]:g} m: there is no water or no wind there')
    prices = _prices(vessel, waters, lattice, speeds, number)
    metre = costs_at(vessel, flows, moves.direction, speeds, prices, progress)
    ways = []
    for n, price in enumerate(prices):
        cost, slowness, energy = (move_costs(lattice, moves, part[n].reshape(*x.shape, -1)) for part in metre)
        before = cheapest_ways(lattice, moves, cost, ends[0])[1]
        way = way_to(before, ends[1])
        if way[0] != ends[0]:
            raise InputError('there is no way from the start to the goal that the boat can go')
        ways.append(_way(lattice, moves, way, price, slowness, energy))
        if n == 0:
            line = list(range(ends[0], ends[1] + 1))
            straight = _way(lattice, moves, line, price, slowness, energy)
    return Front(_best(ways), straight if math.isfinite(straight.energy) else None, lattice)


def _lattice(start: tuple[float, float], goal: tuple[float, float], points: int,
             margin: float) -> tuple[Lattice, tuple[int, int]]:
    """Return a lattice along the line from start to goal, and the numbers of its points at both."""
    distance = math.hypot(goal[0] - start[0], goal[1] - start[1])
    if not distance > 0.0:
        raise InputError('start and goal are the same place; must be two')
    angle = math.atan2(goal[1] - start[1], goal[0] - start[0])
    spacing, room = distance / (points - 1), math.ceil(margin * (points - 1))
    columns, rows = points + 2 * room, 2 * room + 1
    c, s = math.cos(angle), math.sin(angle)
    corner = start[0] + room * spacing * (s - c), start[1] - room * spacing * (s + c)
    first = room * columns + room
    return Lattice(*corner, angle, spacing, columns, rows), (first, first + points - 1)


def _prices(vessel: Vessel, waters: Waters, lattice: Lattice, speeds: np.ndarray, number: int) -> list[float]:
    """Return prices of time, W, from energy only to time only."""
    x, y = (part[lattice.rows // 2, ::4] for part in lattice.points())
    found = costs_at(vessel, sampled(waters, x, y), np.array([lattice.angle]), speeds, (TIME_ONLY,))
    good = np.isfinite(found.energy)
    power = found.energy[good] / found.slowness[good] if good.any() else np.ones(1)
    return [0.0, *(float(np.median(power)) * np.geomspace(*PRICES, number - 2)), TIME_ONLY]


def _way(lattice: Lattice, moves: Moves, way: list[int], price: float, slowness: np.ndarray,
         energy: np.ndarray) -> Way:
    steps = [(point, move_between(lattice, moves, point, after)) for point, after in pairwise(way)]
    row, column = np.divmod(np.array([point for point, _ in steps]), lattice.columns)
    move = np.array([number for _, number in steps])
    length = float(np.hypot(moves.columns[move], moves.rows[move]).sum()) * lattice.spacing
    x, y = lattice.points()
    return Way(price, float(slowness[row, column, move].sum()), float(energy[row, column, move].sum()), length,
               np.column_stack((x.ravel()[way], y.ravel()[way])))


def _best(ways: list[Way]) -> list[Way]:
    """Return the ways, the quickest first, without those that another is as quick and as cheap as."""
    kept: list[Way] = []
    for way in sorted(ways, key=lambda one: (one.duration, one.energy)):
        if not kept or way.energy < kept[-1].energy * (1.0 - 1e-9):
            kept.append(way)
    return kept


def front_dataset(found: Front, attributes: dict[str, Any]) -> Any:
    """Return a Front as an xarray Dataset with units; ways of fewer points end in NaN."""
    longest = max(len(way.points) for way in found.ways)
    places = np.full((len(found.ways), longest, 2), np.nan)
    for number, way in enumerate(found.ways):
        places[number, :len(way.points)] = way.points
    told = {'duration': ('s', 'time that the way takes'), 'energy': ('J', 'energy of the way'),
            'length': ('m', 'length of the way over ground'), 'price': ('W', 'price of time that it is cheapest for')}
    variables: dict[str, Any] = {name: ('way', np.array([getattr(way, name) for way in found.ways]), {
        'units': unit, 'long_name': meaning}) for name, (unit, meaning) in told.items()}
    for axis, (name, meaning) in enumerate((('x', 'east'), ('y', 'north'))):
        variables[name] = (('way', 'point'), places[:, :, axis], {'units': 'm', 'long_name': meaning})
    return library('xarray').Dataset(variables, attrs=attributes)
