"""Rough routes from a label search: the best one, and the best on other sides of barriers or currents."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.studies.maps.lattice import moves_of
from usv_energy.studies.route.costs.power_table import PowerTable, air_matters, cheapest_speed, power_table
from usv_energy.studies.route.route_problem import RouteProblem
from usv_energy.studies.route.search.flow_cube import (
    FlowCube,
    SearchGrid,
    closed_points,
    most_beside,
    open_moves,
    sampled_flow,
    search_grid,
    with_banks,
)
from usv_energy.studies.route.search.label_search import Labels, LabelTask, LatticeMoves, cheapest_labels
from usv_energy.studies.route.search.move_kernels import FieldTables, field_tables

LINES = 0.2, 0.35, 0.5, 0.65, 0.8   # Position of the lines across, as shares of the distance to the goal.
PROMINENCE = 2e-3                   # Two minima count as different if the cost between them rises by this share.
APART = 0.03                        # Two routes are the same if their distance is below this share of the whole.
BESIDE = 4.0                        # Spacings beside ways at which values are found, too, as a detour of so many.
BACKWARD = 0.98                     # Share of the cost from the start that surely bounds what the search back pays.
INTERVALS = 32                      # Number of labels per point where the boat cannot hold its position.

Way = tuple[np.ndarray, np.ndarray, np.ndarray]     # Time s, east m, north m, each shape (N,).


def crossings(grid: SearchGrid, through: np.ndarray, slack: float) -> list[int]:
    """
    Return points of locally best routes, the cheapest first.

    Every route from start to goal crosses each line. Where the cost of the best route through a point of a line
    has a local minimum, a small shift of that route does not make it cheaper. So it is the best route on its side.

    :param through: Cost of the best way through each point, shape (points,); inf if there is none.
    :param slack: Limit on the cost of ways, in times of the best.
    """
    rows, columns = grid.lattice.rows, grid.lattice.columns
    first, last = grid.start % columns, grid.goal % columns
    best = float(through[[grid.start, grid.goal]].min())
    found = []
    for share in LINES:
        column = round(first + share * (last - first))
        numbers = np.arange(rows) * columns + column
        line = through[numbers]
        found += [(float(line[row]), int(numbers[row])) for row in valleys(line, PROMINENCE * best)
                  if line[row] <= slack * best]
    return [number for _, number in sorted(found)]


def valleys(line: np.ndarray, height: float) -> list[int]:
    """Return the minima of a row of numbers that are separated by a rise of at least `height` above both."""
    kept: list[int] = []
    ridge = np.inf
    for n, value in enumerate(line.tolist()):
        if not np.isfinite(value):
            ridge = np.inf
        elif not kept or (ridge > value + height and ridge > line[kept[-1]] + height):
            kept.append(n)
            ridge = value
        elif value < line[kept[-1]]:
            kept[-1], ridge = n, value
        else:
            ridge = max(ridge, value)
    return kept


def different_ways(ways: list[int], way_through: Callable[[int], Way], distance: float, most: int) -> list[Way]:
    """
    Return ways through points, in their order, without those that are the same as an earlier one.

    :param distance: From the start to the goal, m; `most`: ways at most.
    """
    kept: list[Way] = []
    for number in ways:
        way = way_through(number)
        if all(hausdorff_distance(way, other) > APART * distance for other in kept):
            kept.append(way)
        if len(kept) == most:
            break
    return kept


def hausdorff_distance(way: Way, other: Way) -> float:
    """Return the Hausdorff distance of two paths, m, at evenly spaced points of both."""
    here, there = (_spread(one) for one in (way, other))
    between = np.hypot(here[:, None, 0] - there[None, :, 0], here[:, None, 1] - there[None, :, 1])
    return float(max(between.min(axis=1).max(), between.min(axis=0).max()))


def _spread(way: Way, number: int = 100) -> np.ndarray:
    """Return points evenly spaced along a way, m, shape (number, 2)."""
    along = np.concatenate(((0.0,), np.cumsum(np.hypot(np.diff(way[1]), np.diff(way[2])))))
    at = np.linspace(0.0, along[-1], number)
    return np.column_stack((np.interp(at, along, way[1]), np.interp(at, along, way[2])))


class SearchOptions(NamedTuple):
    """
    Options of a search.

    `points`: of the lattice for labels, about; `hop_points`: of that for hops; `radius`: of the longest move, in steps;
    `margin`: room around start and goal, as a share of their distance; `slack`: ways past other sides are kept if they
    cost at most so many times the best; `most`: number of ways, at most; `bound`: whether to compute a lower bound;
    `others`: whether ways past other sides, which are dearer, are polished as well as the best; `polish`: if not, the
    best way of the lattice is the route.
    """

    points: int = 40_000
    hop_points: int = 10_000
    radius: int = 5
    margin: float = 0.75
    slack: float = 1.15
    most: int = 6
    bound: bool = True
    others: bool = True
    polish: bool = True


class PreparedSearch(NamedTuple):
    """The inputs of a search: lattice, flow, power table, and which points are closed."""

    grid: SearchGrid
    cube: FlowCube
    table: PowerTable
    field: FieldTables
    closed: np.ndarray


class RoughWays(NamedTuple):
    """
    The ways that a search found, the best first; empty if there is none.

    `cost`: of the best way on the lattice, s or J; `ended`: whether the flow ended before the goal was reached. For a
    search by labels, shape (points,): `value`, the least cost of each place from the start, and `near`, the places on
    ways that cost at most `slack` times the best.
    """

    ways: list[Way]
    cost: float
    ended: bool
    prepared: PreparedSearch
    value: np.ndarray | None = None
    near: np.ndarray | None = None


def prepared_search(problem: RouteProblem, points: int, margin: float, end: float) -> PreparedSearch:
    """
    Return a lattice with the flow sampled over it.

    :param points: Of the lattice, about; `margin`: around it; `end`: until when the flow is sampled, s.
    :raises InputError: If the start or the goal is dry or blocked, or the flow is over.
    """
    grid = search_grid(problem, points, margin)
    cube = sampled_flow(problem, grid, end, air_matters(problem.cost))
    closed = closed_points(grid, problem, cube.wet)
    for name, point, place in (('start', grid.start, problem.start), ('goal', grid.goal, problem.goal)):
        if closed[point]:
            why = 'there is no water' if not cube.wet[point] else 'a barrier or an edge is in the way'
            raise InputError(f'the {name}, x = {place[0]:g} m, y = {place[1]:g} m, cannot be gone to: {why} there')
    cube = with_banks(cube, grid)
    table = power_table(problem.cost, float(np.nanmax(np.hypot(cube.air[:, 0], cube.air[:, 1]), initial=0.0)),
                        _limit(problem, float(cube.strongest.max())))
    lattice = grid.lattice
    field = field_tables(cube, table, lattice.columns, lattice.rows, lattice.spacing, lattice.angle)
    return PreparedSearch(grid, cube, table, field, closed)


def _limit(problem: RouteProblem, strongest: float) -> float:
    """Return the highest speed through the water, m/s, that the search considers."""
    if problem.speed is not None:
        return problem.speed * 1.001
    if problem.objective == 'time':
        return math.inf
    return 5.0 * usual_speed(problem) + 3.0 * strongest


def usual_speed(problem: RouteProblem) -> float:
    """Return the speed, m/s, at which a boat would go in still water: the cheapest, or more to arrive in time."""
    if problem.speed is not None:
        return problem.speed
    if problem.objective == 'time':
        still = np.zeros(1)
        top = float(np.asarray(problem.cost.top_speed(still, still))[0])
        if not math.isfinite(top):
            raise InputError('the least time is asked for, and the boat has no top speed: give one, or a speed')
        return top
    cheapest = cheapest_speed(problem.cost, problem.lowest_speed)
    if problem.arrive_by is None:
        return cheapest
    distance = math.dist(problem.start, problem.goal)
    return max(cheapest, distance / (problem.arrive_by - problem.depart))


def rough_ways_by_labels(problem: RouteProblem, options: SearchOptions, end: float) -> RoughWays:
    """
    Return ways of the least time, or of the least energy: at one speed, or in a flow that does not change.

    :param end: Until when the flow is sampled, s.
    :raises InputError: If the start or the goal cannot be gone to.
    """
    prepared = prepared_search(problem, options.points, options.margin, end)
    grid, moves = prepared.grid, lattice_moves(problem, options, prepared)
    task = label_task(problem, options, prepared)
    distance = math.dist(problem.start, problem.goal)
    # The bound needs values beside the ways, too.
    beside = 1.0 + BESIDE * grid.lattice.spacing / distance if options.bound else 1.0
    there = cheapest_labels(prepared.field, moves, task._replace(slack=beside * options.slack))
    cost, label = there.at_points(task.intervals)
    if not math.isfinite(cost[grid.goal]):
        return RoughWays([], math.inf, there.ended, prepared)
    arrival = float(there.time[label[grid.goal]])
    back = task._replace(begin=grid.goal, end=grid.start, time=arrival, sign=-1.0, rest=BACKWARD * cost)
    home = cheapest_labels(prepared.field, moves, back)
    onward, onward_label = home.at_points(task.intervals)
    points = [grid.goal, *crossings(grid, cost + onward, options.slack)]

    def through(point: int) -> Way:
        first = _chain(there, int(label[point]))
        second = _chain(home, int(onward_label[point]))[::-1]
        numbers = np.concatenate((first, second[1:])) // task.intervals
        late = there.time[first[-1]] - home.time[second[0]]
        time = np.concatenate((there.time[first], home.time[second[1:]] + late))
        return time, *grid.places(numbers)
    ways = different_ways(points, through, distance, options.most)
    best = float(cost[grid.goal])
    return RoughWays(ways, best, there.ended, prepared, cost, cost + onward <= options.slack * best)


def lattice_moves(problem: RouteProblem, options: SearchOptions, prepared: PreparedSearch) -> LatticeMoves:
    """Return the moves of a search by labels."""
    moves = moves_of(prepared.grid.lattice, options.radius)
    parts = np.maximum(np.abs(moves.columns), np.abs(moves.rows))
    columns, rows, parts = (np.ascontiguousarray(part, dtype=np.int64) for part in (moves.columns, moves.rows, parts))
    return LatticeMoves(columns, rows, parts, open_moves(prepared.grid, moves, prepared.closed, problem.barriers))


def label_task(problem: RouteProblem, options: SearchOptions, prepared: PreparedSearch) -> LabelTask:
    """Return the settings of a label search from the start on."""
    grid, cube, table = prepared.grid, prepared.cube, prepared.table
    in_time = problem.objective == 'time'
    usual = usual_speed(problem)
    if problem.speed is not None or in_time:
        speeds = np.array([-1.0 if problem.speed is None else problem.speed])
    else:
        least = max(problem.lowest_speed, 0.2 * usual)
        speeds = np.geomspace(least, max(min(table.highest, 3.0 * usual + cube.strongest.max()), least), 12)
    slowest = float(table.top.min()) if problem.speed is None else problem.speed
    single, held = _single_label_points(problem, options, prepared, slowest)
    intervals = 1 if single.all() else INTERVALS
    width = (cube.end - cube.t0) / intervals if intervals > 1 else 1.0
    to_goal = np.hypot(*(part - place for part, place in zip(grid.places(np.arange(grid.size)), problem.goal)))
    metre = least_metre(table, float(cube.strongest.max()), float(in_time), float(not in_time))
    return LabelTask(grid.start, grid.goal, problem.depart, 1.0, speeds, float(in_time), float(not in_time),
                    options.slack, intervals, width, single, held, metre * (1.0 - 1e-9) * to_goal)


def least_metre(table: PowerTable, strongest: float, per_second: float = 0.0, per_joule: float = 1.0) -> float:
    """
    Return a lower bound on the cost of a metre: that in the strongest current from astern.

    :param strongest: Speed of that current, m/s.
    :param per_second: Cost of a second; `per_joule`, of a joule.
    """
    with np.errstate(divide='ignore', invalid='ignore'):
        metre = (per_second + per_joule * table.least_power) / (table.speeds + strongest)
    return float(np.nanmin(metre))


def _single_label_points(problem: RouteProblem, options: SearchOptions, prepared: PreparedSearch,
                         slowest: float) -> tuple[np.ndarray, np.ndarray]:
    """Return at which points one label is enough, and where the boat can hold its place, both shape (points,)."""
    grid, cube = prepared.grid, prepared.cube
    held = cube.strongest <= slowest
    if len(cube.current) == 1 or held.all():
        return np.full(grid.size, True), held
    strong = (~held & ~prepared.closed).reshape(grid.lattice.rows, grid.lattice.columns)
    return ~most_beside(strong, options.radius).ravel(), held | problem.may_wait


def _chain(labels: Labels, last: int) -> np.ndarray:
    """Return the chain of labels that leads to a label, from the first one on."""
    chain = [last]
    while labels.before[chain[-1]] >= 0:
        chain.append(int(labels.before[chain[-1]]))
    return np.array(chain[::-1])
