"""The Pareto front of time and energy between two places: routes and speeds that no other beats in both."""

import math
from typing import NamedTuple

import numpy as np

from usv_energy.boats.vessel import Vessel
from usv_energy.files.errors import InputError
from usv_energy.files.work import Progress, no_progress
from usv_energy.studies.maps.lattice import (
    NEGLIGIBLE,
    CurrentAndWind,
    FlowsAtPoints,
    Lattice,
    Moves,
    cheapest_paths,
    costs_at,
    flows_at,
    move_costs,
    moves_of,
    path_to,
    reach_in_directions,
)
from usv_energy.studies.plan.steady_range import TIME_ONLY

GAP_PLACES = 24     # on a route, at which its directions are compared
ANGLES_AROUND = np.radians(np.arange(-14.0, 14.1, 2.0))  # about the route's course; wider than between two moves
FINE = np.radians(np.arange(0.0, 360.0, 2.0))
ERROR_FACTOR = 2.0  # the error, in differences between the spacing and its double, if halving removes a third of it
PRICES = 0.01, 30.0  # least and greatest price of time that is tried, in powers of the quickest route


def direction_gap(vessel: Vessel, fields: CurrentAndWind, points: np.ndarray, price: float, speeds: np.ndarray,
                  lattice: Lattice) -> float:
    """
    Return the relative excess cost of a route due to the lattice's few directions and the few speeds.

    At places along the route, the reach of a unit of cost by the lattice's moves is compared with the reach by any
    course at a refined speed, in the route's direction and up to 14 degrees off it. The result is the mean over the
    places of the worst of these. It is valid as long as the flow changes little from move to move.

    :param points: Of the route, m, shape (N, 2), N at least 2.
    :param price: Of time, W, for which the route is the cheapest; TIME_ONLY for the quickest.
    :param speeds: Over ground, m/s, among which the route's speeds are.
    :returns: Infinite if the lattice's directions miss some in which the boat can go.
    """
    middle, step = 0.5 * (points[1:] + points[:-1]), np.diff(points, axis=0)
    length, course = np.hypot(*step.T), np.arctan2(step[:, 1], step[:, 0])
    along = np.cumsum(length) - 0.5 * length
    some = np.unique(np.searchsorted(along, np.linspace(along[0], along[-1], GAP_PLACES)))
    flows = flows_at(fields, *middle[some].T)
    moves = moves_of(lattice).direction
    every = np.concatenate((moves, FINE))
    there = flows._replace(inside=np.ones_like(flows.inside))
    coarse = costs_at(vessel, there, moves, speeds, (price,)).cost[0]
    fine = costs_at(vessel, there, every, speeds, (price,), refinements=1).cost[0]
    gaps = []
    for place, of_moves, of_every in zip(some, coarse, fine):
        wanted = course[place] + ANGLES_AROUND
        best, on_lattice = reach_in_directions(every, of_every, wanted), reach_in_directions(moves, of_moves, wanted)
        possible = best > NEGLIGIBLE * best.max()
        with np.errstate(divide='ignore'):
            gaps.append(float(np.max(best[possible] / on_lattice[possible], initial=1.0)) - 1.0)
    return float(np.mean(gaps))


def spacing_gap(cost: float, cost_of_twice: float) -> float:
    """
    Return an approximate upper bound on the relative excess cost of a route due to the lattice's spacing.

    It is extrapolated from the cost at twice the spacing, on the assumption that halving the spacing removes a third
    of the error. In smooth flows halving removes three quarters; along a bank oblique to the lattice, less than a half.

    :param cost: J or s, finite.
    :param cost_of_twice: The same at twice the spacing, infinite if there is no route.
    :returns: Infinite if the two costs differ too much.
    """
    error = ERROR_FACTOR * abs(cost_of_twice / cost - 1.0)
    return error / (1.0 - error) if error < 1.0 else math.inf


class PricedRoute(NamedTuple):
    """
    A route: the price of time, W, for which it is the cheapest; duration s, energy J, length m; points, m, (N, 2).

    `gap`: approximate upper bound on its relative excess cost over the optimum, at its price: `direction_gap` plus
    `spacing_gap`. Infinite if unknown.
    """

    price: float
    duration: float
    energy: float
    length: float
    points: np.ndarray
    gap: float = math.inf

    @property
    def cost(self) -> float:
        """Energy plus price times duration, J; for the price TIME_ONLY the duration, s."""
        return self.duration if math.isinf(self.price) else self.energy + self.price * self.duration


class TimeEnergyFront(NamedTuple):
    """Routes, the quickest first; the cheapest on the straight line, or None; flows at the lattice's points."""

    routes: list[PricedRoute]
    straight: PricedRoute | None
    lattice: Lattice
    flows: FlowsAtPoints


def time_energy_front(vessel: Vessel, fields: CurrentAndWind, start: tuple[float, float], goal: tuple[float, float],
                      speeds: np.ndarray, points: int = 48, margin: float = 0.5, number: int = 15,
                      progress: Progress = no_progress) -> TimeEnergyFront:
    """
    Return the front of time and energy between two places.

    Each route is the cheapest for some price of time, so the result is the convex part of the front. Path and speed are
    optimized together, in the flow at one time. The search is repeated at twice the spacing, for the gap.

    :param start: East and north, m; likewise `goal`.
    :param speeds: Over ground, m/s, as for `cheapest_motions`.
    :param points: Of the lattice between start and goal; both lie on it.
    :param margin: Room for detours around them, as a share of their distance.
    :param number: Of prices, at least 3.
    :raises InputError: If there is no route.
    """
    lattice, ends = _lattice(start, goal, points, margin)
    flows = flows_at(fields, *lattice.points())
    for name, place, point in zip(('start', 'goal'), (start, goal), ends):
        if not flows.inside[point]:
            raise InputError(f'the {name}, x = {place[0]:g} m, y = {place[1]:g} m: there is no water or no wind there')
    prices = _prices(vessel, fields, lattice, speeds, number)
    routes, straight = _routes(vessel, lattice, ends, flows, speeds, prices, progress)
    if not all(math.isfinite(route.cost) for route in routes):
        raise InputError('there is no way from the start to the goal that the boat can go')
    coarser, its_ends = _lattice(start, goal, (points + 1) // 2, margin)
    coarse, _ = _routes(vessel, coarser, its_ends, flows_at(fields, *coarser.points()), speeds, prices)
    costs = {route.price: route.cost for route in coarse}
    best = [route._replace(gap=direction_gap(vessel, fields, route.points, route.price, speeds, lattice)
                           + spacing_gap(route.cost, costs[route.price])) for route in _undominated_routes(routes)]
    return TimeEnergyFront(best, straight if math.isfinite(straight.energy) else None, lattice, flows)


def _routes(vessel: Vessel, lattice: Lattice, ends: tuple[int, int], flows: FlowsAtPoints, speeds: np.ndarray,
            prices: list[float], progress: Progress = no_progress) -> tuple[list[PricedRoute], PricedRoute]:
    """Return the cheapest route for each price, with infinite cost if there is none, and that on the straight line."""
    moves = moves_of(lattice)
    metre = costs_at(vessel, flows, moves.direction, speeds, prices, progress)
    routes = []
    for n, price in enumerate(prices):
        cost, slowness, energy = (move_costs(lattice, moves, part[n].reshape(lattice.rows, lattice.columns, -1))
                                  for part in metre)
        way = path_to(cheapest_paths(lattice, moves, cost, ends[0])[1], ends[1])
        if way[0] == ends[0]:
            routes.append(_route(lattice, moves, way, price, slowness, energy))
        else:
            routes.append(PricedRoute(price, math.inf, math.inf, math.inf, np.empty((0, 2))))
        if n == 0:
            straight = _route(lattice, moves, list(range(ends[0], ends[1] + 1)), price, slowness, energy)
    return routes, straight


def _lattice(start: tuple[float, float], goal: tuple[float, float], points: int,
             margin: float) -> tuple[Lattice, tuple[int, int]]:
    """Return a lattice along the line from start to goal, and the numbers of its points there."""
    east, north = goal[0] - start[0], goal[1] - start[1]
    distance, angle = math.hypot(east, north), math.atan2(north, east)
    if not distance > 0.0:
        raise InputError('start and goal are the same place; must be two')
    spacing, room = distance / (points - 1), math.ceil(margin * (points - 1))
    columns, rows = points + 2 * room, 2 * room + 1
    c, s = math.cos(angle), math.sin(angle)
    corner = start[0] + room * spacing * (s - c), start[1] - room * spacing * (s + c)
    first = room * columns + room
    return Lattice(*corner, angle, spacing, columns, rows), (first, first + points - 1)


def _prices(vessel: Vessel, fields: CurrentAndWind, lattice: Lattice, speeds: np.ndarray, number: int) -> list[float]:
    """Return prices of time, W, from energy only to time only."""
    x, y = (part[lattice.rows // 2, ::4] for part in lattice.points())
    found = costs_at(vessel, flows_at(fields, x, y), np.array([lattice.angle]), speeds, (TIME_ONLY,))
    good = np.isfinite(found.energy)
    power = found.energy[good] / found.slowness[good] if good.any() else np.ones(1)
    return [0.0, *(float(np.median(power)) * np.geomspace(*PRICES, number - 2)), TIME_ONLY]


def _route(lattice: Lattice, moves: Moves, way: list[int], price: float, slowness: np.ndarray,
           energy: np.ndarray) -> PricedRoute:
    row, column = np.divmod(np.array(way), lattice.columns)
    numbers = {step: number for number, step in enumerate(zip(moves.columns.tolist(), moves.rows.tolist()))}
    move = [numbers[step] for step in zip(np.diff(column).tolist(), np.diff(row).tolist())]
    length = float(np.hypot(moves.columns[move], moves.rows[move]).sum()) * lattice.spacing
    x, y = lattice.points()
    begins = row[:-1], column[:-1], move
    return PricedRoute(price, float(slowness[begins].sum()), float(energy[begins].sum()), length,
                       np.column_stack((x.ravel()[way], y.ravel()[way])))


def _undominated_routes(routes: list[PricedRoute]) -> list[PricedRoute]:
    """Return the routes, the quickest first, without those that another beats or equals in both time and energy."""
    kept: list[PricedRoute] = []
    for route in sorted(routes, key=lambda one: (one.duration, one.energy)):
        if not kept or route.energy < kept[-1].energy * (1.0 - 1e-9):
            kept.append(route)
    return kept
