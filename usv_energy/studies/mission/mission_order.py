"""The cheapest order of a mission's waypoints, where their order is free."""

import math
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.physics.motion import Flow
from usv_energy.sim.scenario import Scenario
from usv_energy.studies.mission.mission_scenario import MissionScenario
from usv_energy.studies.plan.steady_motion import steady_state

MOST_EXACT = 12         # up to so many waypoints all orders are compared
MOST_WAYPOINTS = 200
POINTS = 16             # between two places, at which a flow that varies in space is sampled
FORBIDDEN = 1e15        # J: in place of infinity, if the thrusters cannot go from one place to another
SAME_PLACE = 1e-3       # m: a mission that ends within this of its start must end there


class OrderChoice(NamedTuple):
    """
    The cheapest order that was found.

    `order`: the numbers, from 0 on, that the legs have in the file. Energies are of steady motion along the legs alone,
    J, in the flow at the departure: `energy` of the order, `as_given` of the file's order (infinite if the thrusters
    are too weak for it), `bound`: a lower bound on all orders. `exact`: all orders were compared; if not, the order is
    that of the nearest neighbour, improved by 2-opt and Or-opt.
    """

    order: tuple[int, ...]
    energy: float
    as_given: float
    bound: float
    exact: bool

    @property
    def gap(self) -> float:
        """Upper bound on how much more the order costs than the best one, as a share of that."""
        return 0.0 if self.exact else self.energy / self.bound - 1.0


def best_order(mission: MissionScenario, departure: float = 0.0) -> OrderChoice:
    """
    Return the cheapest order of a mission's waypoints; a mission that ends at its start still ends there.

    Speeds, holds, radii and names stay with their waypoints; a speed is that of the leg to the waypoint.

    :param departure: The world's time, s, whose flow is used for the whole mission.
    :raises InputError: If a waypoint is a circle or is visited twice; if there are too many waypoints; if the thrusters
        are too weak for every order.
    """
    items, path = mission.items, mission.scenario.path
    again = [item for before, item in enumerate(items) if item in items[:before]]
    if again:
        raise InputError(f'{path}: item {again[0]} is a circle, or gone to more than once; --any-order goes with '
                         'waypoints that are gone to once')
    if len(items) > MOST_WAYPOINTS:
        raise InputError(f'{path}: has {len(items)} waypoints; --any-order goes with at most {MOST_WAYPOINTS}')
    points = np.array([mission.scenario.start[:2], *mission.scenario.waypoints], dtype=float)
    cost = pair_costs(mission.scenario, points, departure)
    last = len(items) - 1 if len(items) > 1 and math.dist(points[0], points[-1]) < SAME_PLACE else None
    choice = cheapest_order(cost, last)
    if not math.isfinite(choice.energy):
        raise InputError(f'{path}: the thrusters can go the waypoints in no order at these speeds')
    return choice


def cheapest_order(cost: np.ndarray, last: int | None = None) -> OrderChoice:
    """
    Return the cheapest order of places, exact for up to MOST_EXACT of them; its energy is infinite if there is none.

    :param cost: From the start (row 0) and from each place to each place, J, shape (places + 1, places); infinite if
        impossible, and from a place to itself.
    :param last: The number, from 0 on, of the place that must come last; None for any.
    """
    exact = cost.shape[1] <= MOST_EXACT
    order = (_exact_order if exact else _heuristic_order)(cost, last)
    given = tuple(range(cost.shape[1]))
    return OrderChoice(order, order_cost(cost, order), order_cost(cost, given), _lower_bound(cost, last), exact)


def reordered(mission: MissionScenario, order: tuple[int, ...]) -> MissionScenario:
    """Return a mission with its legs in another order."""
    scenario = mission.scenario
    points = tuple(scenario.waypoints[number] for number in order)
    x, y, _ = scenario.start
    heading = math.atan2(points[0][1] - y, points[0][0] - x)
    return replace(mission, items=tuple(mission.items[number] for number in order), scenario=replace(
        scenario, start=(x, y, heading), waypoints=points, orders=tuple(
            scenario.order_of(number)._replace(way=None) for number in order)))


def pair_costs(scenario: Scenario, points: np.ndarray, departure: float) -> np.ndarray:
    """
    Return the energy of steady motion from each place to each waypoint, J, shape (waypoints + 1, waypoints).

    Infinite if the thrusters are too weak, and from a waypoint to itself.

    :param points: Start and waypoints, m, shape (waypoints + 1, 2).
    """
    number = len(points) - 1
    speed = np.array([scenario.order_of(place).speed or scenario.speed or math.nan for place in range(number)])
    way = points[None, 1:] - points[:, None]
    length, course = np.hypot(way[..., 0], way[..., 1]), np.arctan2(way[..., 1], way[..., 0])
    share = (np.arange(POINTS) + 0.5) / POINTS
    x, y = (points[:, None, None, axis] + share * way[..., None, axis] for axis in (0, 1))
    flow = []
    for medium in (scenario.current, scenario.wind):
        vx, vy, inside = medium.velocity(departure, x.ravel(), y.ravel())
        flow += [np.where(inside, part, np.nan).reshape(x.shape) for part in (vx, vy)]
    if all(np.ptp(part) == 0.0 for part in flow):     # The flow is the same everywhere: one place is enough.
        flow = [part[..., :1] for part in flow]
    steady = steady_state(scenario.boat.vessel, course[..., None], speed[None, :, None], Flow(*flow))
    power = np.where(steady.feasible, steady.power.total, np.inf).mean(axis=-1)
    cost = length / speed * np.where(length > 0.0, power, 0.0)
    cost[np.arange(1, number + 1), np.arange(number)] = np.inf
    return np.where(np.isnan(cost), np.inf, cost)


def order_cost(cost: np.ndarray, order: tuple[int, ...]) -> float:
    """Return the energy of an order, J."""
    return float(sum(cost[before, after] for before, after in zip((0, *(place + 1 for place in order)), order)))


def _exact_order(cost: np.ndarray, last: int | None) -> tuple[int, ...]:
    """Return the cheapest of all orders. Source: Held and Karp (1962)."""
    free = [place for place in range(cost.shape[1]) if place != last]
    number = len(free)
    between = cost[np.ix_([place + 1 for place in free], free)]
    best = np.full((1 << number, number), np.inf)
    before = np.zeros((1 << number, number), dtype=int)
    for place in range(number):
        best[1 << place, place] = cost[0, free[place]]
    for done in range(1, 1 << number):
        for place in range(number):
            if done >> place & 1 and done != 1 << place:
                options = best[done ^ (1 << place)] + between[:, place]
                before[done, place] = np.argmin(options)
                best[done, place] = options[before[done, place]]
    ends = best[-1] + (0.0 if last is None else cost[[place + 1 for place in free], last])
    if not np.isfinite(ends).any():
        return tuple(range(cost.shape[1]))
    done, place, found = (1 << number) - 1, int(np.argmin(ends)), []
    while done:
        found.append(free[place])
        done, place = done ^ (1 << place), int(before[done, place])
    return (*reversed(found), *([] if last is None else [last]))


def _heuristic_order(cost: np.ndarray, last: int | None) -> tuple[int, ...]:
    """Return the nearest neighbour's order, improved until neither a reversal nor a move of up to 3 places helps."""
    cost = np.where(np.isfinite(cost), cost, FORBIDDEN)
    left, order, here = {place for place in range(cost.shape[1]) if place != last}, [], 0
    while left:
        nearest = min(left, key=lambda place: (cost[here, place], place))
        order.append(nearest)
        left.remove(nearest)
        here = nearest + 1
    end = [] if last is None else [last]
    total, better = order_cost(cost, (*order, *end)), True
    while better:
        better = False
        for tried in _neighbours(cost, order, end):
            worth = order_cost(cost, (*tried, *end))
            if worth < total * (1.0 - 1e-12):
                order, total, better = tried, worth, True
                break
    return (*order, *end)


def _neighbours(cost: np.ndarray, order: list[int], end: list[int]) -> list[list[int]]:
    """Return the best order by a reversal, and the best by moving up to three places, of all such orders."""
    way = np.array([-1, *order, *end])
    number = len(order)
    table = np.vstack([cost, np.full((1, cost.shape[1]), np.inf)])
    table = np.column_stack([table, np.zeros(table.shape[0])])     # Nothing comes after the last: that costs nothing.
    padded = np.append(way, cost.shape[1])
    ahead = np.concatenate(([0.0], np.cumsum(table[padded[:-1] + 1, padded[1:]])))
    back = np.concatenate(([0.0], np.cumsum([table[after + 1, before] if before >= 0 else 0.0
                                             for before, after in pairwise(way.tolist())])))
    found: list[tuple[float, list[int]]] = []
    for first in range(1, number):                                  # Places first..until of `way` are reversed.
        until = np.arange(first + 1, number + 1)
        gain = (table[padded[first - 1] + 1, padded[until]] + back[until] - back[first]
                + table[padded[first] + 1, padded[until + 1]] - ahead[until + 1] + ahead[first - 1])
        at = int(np.argmin(gain))
        found.append((float(gain[at]), [*order[:first - 1], *order[first - 1:until[at]][::-1], *order[until[at]:]]))
    for size in (1, 2, 3):
        for first in range(1, number - size + 2):
            rest, block = order[:first - 1] + order[first - 1 + size:], order[first - 1:first - 1 + size]
            ring = np.array([-1, *rest, *end, cost.shape[1]])
            places = np.arange(len(rest) + 1)
            gain = (table[ring[places] + 1, block[0]] + table[block[-1] + 1, ring[places + 1]]
                    - table[ring[places] + 1, ring[places + 1]])
            at = int(np.argmin(gain))
            found.append((float(gain[at]) - float(gain[first - 1]), [*rest[:at], *block, *rest[at:]]))
    return [tried for _, tried in sorted(found, key=lambda one: one[0])[:3]]


def _lower_bound(cost: np.ndarray, last: int | None) -> float:
    """Return a lower bound on the energy of all orders, J, by linear assignment: the way may fall apart into loops."""
    from scipy.optimize import linear_sum_assignment
    square = np.column_stack([cost, np.zeros(cost.shape[0])])
    square[0, -1] = np.inf
    if last is not None:
        square[:, -1] = np.inf
        square[last + 1] = np.inf
        square[last + 1, -1] = 0.0
    try:
        rows, columns = linear_sum_assignment(square)
    except ValueError:
        return 0.0
    return float(square[rows, columns].sum())
