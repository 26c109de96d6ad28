"""
Dynamic programming over layers of time: the least energy to be at each point at each time, and rough routes.

The least cost to each place around a route, for lines of equal time or energy on a map.
"""

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from usv_energy.engine.ensemble import has_numba
from usv_energy.engine.numba_engine import compiled
from usv_energy.files.errors import InputError
from usv_energy.files.work import free_cores
from usv_energy.physics.elementwise import kernel, select, smaller, sqrt
from usv_energy.studies.maps.lattice import Moves
from usv_energy.studies.route.route_problem import Route, RouteProblem
from usv_energy.studies.route.search.flow_cube import SearchGrid, is_steady, open_moves
from usv_energy.studies.route.search.label_search import ROUTE_SOURCES, cheapest_labels
from usv_energy.studies.route.search.move_kernels import FieldTables, power_at, top_at
from usv_energy.studies.route.search.rough_ways import (
    PreparedSearch,
    RoughWays,
    SearchOptions,
    Way,
    crossings,
    different_ways,
    label_task,
    lattice_moves,
    least_metre,
    prepared_search,
    usual_speed,
)

SLOW = 0.7      # Points per interval; a boat slower than this counts as drifting.
STAY = -1       # Hop number of a point that was not reached.
HOP, LONGEST = 6.0, 10.0    # Length of a hop in points, at the usual speed and at the highest speed.
MOST_LAYERS = 240
COARSER = 5         # The coarse search has this many times fewer points.
MISTAKEN = 1.1      # The true cost may be this many times the cost of the coarse search.
LATER = 1.5         # The fine search covers this many times the duration of the coarse route.


class Hops(NamedTuple):
    """
    The hops from one layer of time to the next.

    `columns`, `rows`: steps of each hop, shape (K,). `is_open`: which hops are open, (points, K). `interval`: time
    between two layers, s. `layers`: number of layers. `lowest`: lowest speed through the water, m/s. `waits`, `drifts`:
    power at anchor and while drifting, W; inf if not allowed. `least`: lower bound on the power of each hop, W, shape
    (K,). `most`: the search ignores everything that needs more energy than this, J.
    """

    columns: np.ndarray
    rows: np.ndarray
    is_open: np.ndarray
    interval: float
    layers: int
    lowest: float
    waits: float
    drifts: float
    least: np.ndarray
    most: float


class Layers(NamedTuple):
    """
    The least energies and their hops, by layer and point, shape (layers, points).

    `energy`: J, inf if not reached: used since the start (forwards), or needed to the goal (backwards). `hop`: int16,
    number of the last hop (forwards) or of the next hop (backwards); STAY if there is none.
    """

    energy: np.ndarray
    hop: np.ndarray


@kernel
def hop_power(field: Any, hops: Any, made: Any, water: Any, air: Any) -> Any:
    """
    Return the power of a hop, W; inf where the boat cannot make it.

    :param made: Velocity over ground, m/s, in the lattice's axes; `water`: the current, the same; `air`: through the
        water, the same.
    """
    along, across = made[0] - water[0], made[1] - water[1]
    speed = sqrt(along * along + across * across)
    safe = select(speed > 1e-12, speed, 1.0)
    along, across = along / safe, across / safe
    head, beam = air[0] * along + air[1] * across, air[1] * along - air[0] * across
    power = power_at(field, speed, head, beam, along, across)
    good = (speed >= hops.lowest) & (speed <= top_at(field, head, beam, along, across) * (1.0 + 1e-9))
    power = select(good, power, math.inf)
    slow = speed <= SLOW * field.spacing / hops.interval
    power = smaller(power, select(slow, hops.drifts, math.inf))
    return smaller(power, select((made[0] == 0.0) & (made[1] == 0.0), hops.waits, math.inf))


@kernel
def hop_velocity(field: Any, flows: Any, begin: Any, columns: Any, rows: Any) -> Any:
    """
    Return the mean velocity of water or air over a hop, m/s.

    :param flows: Velocities in the earlier layer, in the later one, and their mean, each (points, 2): the hop's begin
        counts in the first, its end in the second, and the two points beside its middle in the third.
    """
    end = begin + rows * field.columns + columns
    near = begin + (rows // 2) * field.columns + columns // 2
    far = begin + (rows - rows // 2) * field.columns + (columns - columns // 2)
    return (0.25 * (flows[0][begin, 0] + flows[1][end, 0] + flows[2][near, 0] + flows[2][far, 0]),
            0.25 * (flows[0][begin, 1] + flows[1][end, 1] + flows[2][near, 1] + flows[2][far, 1]))


def one_layer(field: Any, hops: Any, sign: int, flows: Any, before: Any, rest: Any, rows: Any, energy: Any,
              hop: Any) -> None:
    """
    Fill the rows `rows[0]` to `rows[1]` of a layer from the one before it (after it, backwards): what numba compiles.

    :param flows: Current and air, each as `hop_velocity` takes it.
    :param rest: At least so much must be added to a place's energy on the way to the other end, J; what then exceeds
        `hops.most` is not looked at.
    """
    water, air = flows
    scale = field.spacing / hops.interval
    for point in range(rows[0] * field.columns, rows[1] * field.columns):
        energy[point], hop[point] = np.inf, STAY
        best, which = hops.most - rest[point], STAY
        if not best >= 0.0:
            continue
        row = point // field.columns
        column = point - row * field.columns
        for k in range(len(hops.columns)):
            i, j = hops.columns[k], hops.rows[k]
            to_column, to_row = column - sign * i, row - sign * j
            if to_column < 0 or to_row < 0 or to_column >= field.columns or to_row >= field.rows:
                continue
            other = to_row * field.columns + to_column
            if not before[other] + hops.interval * hops.least[k] < best:
                continue
            begin = other if sign > 0 else point
            if hops.is_open[begin, k] == 0:
                continue
            blown = (0.0, 0.0)
            if field.knots > 1:
                blown = hop_velocity(field, air, begin, i, j)
            power = hop_power(field, hops, (scale * i, scale * j), hop_velocity(field, water, begin, i, j), blown)
            price = before[other] + hops.interval * power
            if price < best:
                best, which = price, k
        if which != STAY:
            energy[point], hop[point] = best, which


def one_layer_of_arrays(field: FieldTables, hops: Hops, sign: int, flows: tuple[np.ndarray, ...], before: np.ndarray,
                        rest: np.ndarray, rows: tuple[int, int], energy: np.ndarray, hop: np.ndarray) -> None:
    """Do the same as `one_layer` with arrays, hop by hop over all points."""
    water, air = flows
    point = np.arange(rows[0] * field.columns, rows[1] * field.columns)
    row, column = np.divmod(point, field.columns)
    best, hop[point] = hops.most - rest, STAY
    scale = field.spacing / hops.interval
    for k, (i, j) in enumerate(zip(hops.columns.tolist(), hops.rows.tolist())):
        to_column, to_row = column - sign * i, row - sign * j
        good = (to_column >= 0) & (to_row >= 0) & (to_column < field.columns) & (to_row < field.rows)
        here, other = point[good], (to_row * field.columns + to_column)[good]
        begin = other if sign > 0 else here
        good = (hops.is_open[begin, k] != 0) & (before[other] + hops.interval * hops.least[k] < best[here])
        here, other, begin = here[good], other[good], begin[good]
        blown = (0.0 * before[other],) * 2
        if field.knots > 1:
            blown = hop_velocity(field, air, begin, i, j)
        made = np.full(here.shape, scale * i), np.full(here.shape, scale * j)
        with np.errstate(invalid='ignore'):
            power = hop_power(field, hops, made, hop_velocity(field, water, begin, i, j), blown)
            price = before[other] + hops.interval * power
        better = price < best[here]
        best[here[better]], hop[here[better]] = price[better], k
    energy[point] = np.where(hop[point] != STAY, best[point], np.inf)


def least_energy_layers(field: FieldTables, hops: Hops, begin: float, first: np.ndarray, sign: int, rest: np.ndarray,
                 every: np.ndarray | None = None, use_numba: bool | None = None) -> Layers:
    """
    Return the least energies of all points in all layers.

    :param begin: Time of the first layer, s.
    :param first: Energies of the first layer (of the last, backwards), J, shape (points,).
    :param sign: 1: forwards from the first layer; -1: backwards from the last.
    :param rest: What must at least be added to each place's energy, at each layer, J, shape (layers or 1, points).
    :param every: Energies that are offered in every layer, J, shape (points,): the goal's, backwards.
    :param use_numba: None: where it is installed; its threads are Python's, one a core.
    """
    energy = np.full((hops.layers, len(first)), np.inf)
    hop = np.full((hops.layers, len(first)), STAY, dtype=np.int16)
    fast = has_numba() if use_numba is None else use_numba
    work: Any = compiled(one_layer, ROUTE_SOURCES) if fast else one_layer_of_arrays
    number = free_cores() if fast else 1
    bounds = np.linspace(0, field.rows, 4 * number + 1 if fast else 2).astype(int)
    bands = [(a, b) for a, b in pairwise(bounds.tolist()) if b > a]
    order = range(hops.layers) if sign > 0 else range(hops.layers - 1, -1, -1)
    energy[order[0]] = first
    with ThreadPoolExecutor(number) as threads:
        for last, now in pairwise(order):
            flows = _flows(field, begin + hops.interval * min(last, now), hops.interval)
            tasks = [threads.submit(work, field, hops, sign, flows, energy[last], rest[now % len(rest)], band,
                                    energy[now], hop[now]) for band in bands]
            for task in tasks:
                task.result()
            if every is not None:
                better = every < energy[now]
                energy[now, better], hop[now, better] = every[better], STAY
    return Layers(energy, hop)


def _flows(field: FieldTables, time: float, interval: float) -> tuple[tuple[np.ndarray, ...], ...]:
    """Return current and air from a time to an interval later, each as `hop_velocity` takes it."""
    found = []
    for values in (field.current, field.air):
        early, late = (_at(field, values, t) for t in (time, time + interval))
        found.append((early, late, 0.5 * (early + late)))
    return tuple(found)


def _at(field: FieldTables, values: np.ndarray, time: float) -> np.ndarray:
    """Return velocities at a time, (points, 2), float64; NaN after the flow's end."""
    size = 2 * field.columns * field.rows
    if not values.size:
        return np.zeros((1, 2))
    at = (time - field.t0) / field.dt
    if field.slices > 1 and not -1e-6 <= at <= field.slices - 1 + 1e-6:
        return np.full((size // 2, 2), np.nan)
    low = int(min(max(at, 0.0), max(field.slices - 2.0, 0.0)))
    between = values[low * size:(low + 1) * size].astype(float)
    if field.slices > 1:
        between += (at - low) * (values[(low + 1) * size:(low + 2) * size] - between)
    return np.ascontiguousarray(between.reshape(2, -1).T)


def rough_ways_by_hops(problem: RouteProblem, options: SearchOptions, end: float) -> RoughWays:
    """
    Return rough routes of the least energy at free speeds, in a flow that may change.

    A coarse search first estimates the cost and the duration of the best route. The fine search then ignores everything
    that costs more than that by more than the slack.

    :param end: The latest arrival, s.
    :raises InputError: If the boat cannot be at the start or at the goal.
    """
    coarse = hops_forwards(problem, options.hop_points // COARSER, options.margin, end, math.inf)
    most, last = math.inf, end
    if math.isfinite(coarse.cost):
        most = MISTAKEN * options.slack * coarse.cost
        if problem.arrive_by is None:
            last = min(end, problem.depart + LATER * (coarse.arrival - problem.depart))
    fine = hops_forwards(problem, options.hop_points, options.margin, last, most)
    if not math.isfinite(fine.cost):
        fine = hops_forwards(problem, options.hop_points, options.margin, end, math.inf)
    grid, prepared, there = fine.prepared.grid, fine.prepared, fine.layers
    over = prepared.cube.end < end and not fine.cost < math.inf
    if not math.isfinite(fine.cost):
        return RoughWays([], math.inf, over, prepared)
    goal = np.where(np.arange(grid.size) == grid.goal, 0.0, np.inf)
    hops = fine.hops._replace(most=options.slack * fine.cost)
    home = least_energy_layers(prepared.field, hops, problem.depart, goal, -1, there.energy, goal)
    both = there.energy + home.energy
    through = _way_through(grid, hops, problem.depart, (there, home), both.argmin(axis=0))
    points = [grid.start, *crossings(grid, both.min(axis=0), options.slack)]
    ways = different_ways(points, through, math.dist(problem.start, problem.goal), options.most)
    return RoughWays(ways, fine.cost, over, prepared)


class Forwards(NamedTuple):
    """The layers from the start on; `cost`: least energy to the goal, J; `arrival`: its time, s."""

    prepared: PreparedSearch
    hops: Hops
    layers: Layers
    cost: float
    arrival: float


def hops_forwards(problem: RouteProblem, points: int, margin: float, end: float, most: float) -> Forwards:
    """
    Search the layers of time forwards from the start.

    :param points: Of the lattice, about; `margin`: around it; `end`: the last layer's time, s, at the latest.
    :param most: The search ignores everything that costs more than this, J.
    """
    prepared = prepared_search(problem, points, margin, end)
    grid = prepared.grid
    hops = _hops(problem, prepared, min(end, prepared.cube.end))._replace(most=most)
    x, y = (part.ravel() for part in grid.lattice.points())
    metre = least_metre(prepared.table, float(prepared.cube.strongest.max()))
    rest = metre * np.hypot(x - problem.goal[0], y - problem.goal[1])
    first = np.where(np.arange(grid.size) == grid.start, 0.0, np.inf)
    layers = least_energy_layers(prepared.field, hops, problem.depart, first, 1, rest[None])
    used = layers.energy[:, grid.goal]
    best = int(used.argmin())
    return Forwards(prepared, hops, layers, float(used[best]), problem.depart + hops.interval * best)


def _hops(problem: RouteProblem, prepared: PreparedSearch, end: float) -> Hops:
    """Return hops long enough for many speeds and directions, and short enough to resolve the flow."""
    grid, cube, h = prepared.grid, prepared.cube, prepared.grid.lattice.spacing
    strong = float(np.percentile(cube.strongest[~prepared.closed], 95.0))
    usual = usual_speed(problem)
    highest = min(prepared.table.highest, max(3.0 * usual, usual + strong))
    interval = min(HOP * h / (usual + 0.5 * strong), LONGEST * h / (highest + strong))
    layers = math.ceil((end - problem.depart) / interval)
    layers = min(layers, MOST_LAYERS)
    interval = (end - problem.depart) / layers
    reach = min(math.ceil((highest + strong) * interval / h), int(LONGEST) + 4)
    i, j = np.meshgrid(np.arange(-reach, reach + 1), np.arange(-reach, reach + 1))
    near = np.flatnonzero(i * i + j * j <= reach * reach)
    near = near[np.argsort(np.hypot(i, j).ravel()[near], kind='stable')]
    columns, rows = (np.ascontiguousarray(part.ravel()[near], dtype=np.int64) for part in (i, j))
    # Through the water a hop is at least as fast as over ground less the strongest current.
    slowest = np.maximum(np.hypot(columns, rows) * h / interval - 1.000001 * float(cube.strongest.max()), 0.0)
    from_speed = np.minimum.accumulate(prepared.table.least_power[::-1])[::-1]
    least = from_speed[np.minimum((slowest / prepared.table.speed_step).astype(int), from_speed.size - 1)]
    is_open = open_moves(grid, Moves(columns, rows, np.arctan2(rows, columns)), prepared.closed, problem.barriers)
    standing = float(np.asarray(problem.cost.power(np.zeros(1), np.zeros(1), np.zeros(1)))[0])
    if problem.may_wait or problem.may_drift:
        least = np.where(slowest <= SLOW * h / interval, np.minimum(least, standing), least)
    return Hops(columns, rows, is_open, interval, layers + 1, problem.lowest_speed,
                standing if problem.may_wait else math.inf, standing if problem.may_drift else math.inf, least,
                math.inf)


def _way_through(grid: SearchGrid, hops: Hops, begin: float, layers: tuple[Layers, Layers],
                 best: np.ndarray) -> Callable[[int], Way]:
    """Return a function that gives the best path through a point, in the best layer of that point."""
    there, home = layers

    def followed(found: Layers, layer: int, point: int, sign: int) -> list[tuple[int, int]]:
        steps = []
        while found.hop[layer, point] != STAY:
            hop = found.hop[layer, point]
            point -= sign * int(hops.rows[hop] * grid.lattice.columns + hops.columns[hop])
            layer -= sign
            steps.append((layer, point))
        return steps

    def through(point: int) -> Way:
        layer = int(best[point])
        steps = [*followed(there, layer, point, 1)[::-1], (layer, point), *followed(home, layer, point, -1)]
        time = begin + hops.interval * np.array([one for one, _ in steps], dtype=float)
        return time, *grid.places(np.array([number for _, number in steps]))
    return through


LABELS = SearchOptions(points=9_000, slack=math.inf)
HOP_POINTS = 2_500
FARTHER = 1.3           # times the route's duration: end of the search


class ReachedCost(NamedTuple):
    """
    The least cost of reaching places from the start, at any time, on a lattice.

    `x`, `y`: of the lattice's points, m, shape (rows, columns); `cost`: s or J, NaN if out of reach, same shape;
    `of_time`: whether it is time; `goal`: the cost of the goal on the lattice.
    """

    x: np.ndarray
    y: np.ndarray
    cost: np.ndarray
    of_time: bool
    goal: float


def reached_cost(problem: RouteProblem, route: Route) -> ReachedCost | None:
    """
    Return the least time, or the least energy, to each place around a route; None if the lattice has no way.

    It is computed with labels for the least time, at one speed, and in a steady flow; else with layers of time. The
    costs are those on the lattice, some percent above those of polished routes.

    :param problem: Of the route, with its departure; its goal is the only one.
    """
    end = problem.depart + FARTHER * route.duration
    of_time = problem.objective == 'time'
    try:
        if of_time or problem.speed is not None or is_steady(problem, end):
            prepared = prepared_search(problem, LABELS.points, LABELS.margin, end)
            task = label_task(problem, LABELS, prepared)
            labels = cheapest_labels(prepared.field, lattice_moves(problem, LABELS, prepared), task)
            cost = labels.at_points(task.intervals)[0]
        else:
            found = hops_forwards(problem, HOP_POINTS, LABELS.margin, end, math.inf)
            prepared, cost = found.prepared, found.layers.energy.min(axis=0)
    except InputError:
        return None
    lattice, goal = prepared.grid.lattice, float(cost[prepared.grid.goal])
    if not math.isfinite(goal):
        return None
    x, y = lattice.points()
    shown = np.where(np.isfinite(cost) & ~prepared.closed, cost, np.nan).reshape(lattice.rows, lattice.columns)
    return ReachedCost(x, y, shown, of_time, goal)
