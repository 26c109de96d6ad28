"""
The best route: a global search on a lattice, local optimization of each candidate, and a lower bound.

The reason why there is no route, found by searching again without the barriers and without the current.
"""

import math
from typing import NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.show.text_table import exact_seconds
from usv_energy.studies.route.barriers.area_barriers import NoBarriers
from usv_energy.studies.route.bounds.tightest_bound import tightest_bound
from usv_energy.studies.route.polishing.polish import MESH_TOLERANCE, Polish
from usv_energy.studies.route.route_cost import (
    objective_value,
    route_along_path,
    route_with_energy,
    routes_with_energy,
)
from usv_energy.studies.route.route_problem import Route, RouteProblem
from usv_energy.studies.route.search.flow_cube import is_steady, room_of
from usv_energy.studies.route.search.hop_search import rough_ways_by_hops
from usv_energy.studies.route.search.rough_ways import (
    APART,
    RoughWays,
    SearchOptions,
    Way,
    hausdorff_distance,
    rough_ways_by_labels,
    usual_speed,
)

FEW = 6000      # Number of points of the lattices of these searches.


def no_route_reason(problem: RouteProblem, options: SearchOptions, rough: RoughWays) -> str:
    """
    Return the reason why there is no route, as a sentence.

    :param rough: The result of the failed search.
    """
    place = f'the goal, x = {problem.goal[0]:g} m, y = {problem.goal[1]:g} m, cannot be reached'
    cube = rough.prepared.cube
    most = float(problem.cost.top_speed(np.zeros(1), np.zeros(1))[0])
    if problem.speed is not None and problem.speed > most:
        return (f'{place} at {problem.speed:g} m/s through the water: the boat holds at most {most:.3g} m/s in water '
                'and air at rest')
    few = options._replace(points=min(options.points, FEW))
    fast = problem._replace(objective='time', arrive_by=None)
    end = cube.end if len(cube.current) > 1 else problem.depart
    if problem.arrive_by is not None:
        earliest = rough.ways[0][0][-1] if rough.ways else _arrival(fast, few, end)
        if problem.arrive_by < earliest < math.inf:
            return (f'{place} by {exact_seconds(problem.arrive_by)}: the earliest arrival is about '
                    f'{exact_seconds(round(earliest))}')
    if rough.ways:
        return f'{place}: the ways that the search found cannot be gone in the flow itself; more points may help'
    if _reached(fast._replace(barriers=NoBarriers()), few, end):
        return f'{place}: land or closed areas are in the way'
    if rough.ended:
        return f'{place}: the flow ends at {exact_seconds(cube.end)}, before the boat could arrive'
    if _reached(fast._replace(current=UniformFlow()), few, end):
        return f'{place}: the current is too strong for the boat'
    return f'{place}: dry places, land and current together are in the way'


def _arrival(problem: RouteProblem, options: SearchOptions, end: float) -> float:
    """Return when the goal is reached, s, inf if it is not."""
    try:
        ways = rough_ways_by_labels(problem, options, end).ways
        return float(ways[0][0][-1]) if ways else math.inf
    except InputError:
        return math.inf


def _reached(problem: RouteProblem, options: SearchOptions, end: float) -> bool:
    return math.isfinite(_arrival(problem, options, end))


FIRST_TIME = 3.0        # First time span of the search, in durations of the straight line in still water.
ROUNDS = 5              # Most searches, each with twice the time span of the one before.
NEAR = 0.9              # The search repeats with a longer time span if the arrival is beyond this share of it.
FINER, FINEST = 4, 50_000   # If the boat can follow no path found: factor on the points, and the limit for that.
COARSE_PARTS = 64       # Of the meshes on which all candidates are polished,
COARSE_ERROR = 0.02     # and share of the cost by which such a mesh may err, with land beside it.
COMPARED = 2e-4         # Tolerance of the meshes of routes that are only compared.
ROUGH_ERROR = 0.03      # Share of the cost by which rough ways of different sides may be ranked wrongly.
SPEEDS, FINER_SPEEDS = 24, 3    # Number of constant speeds tried on the straight line, and how often between two.


class FoundRoute(NamedTuple):
    """
    The result of the search.

    `best`: the cheapest route; `others`: polished routes past other sides of barriers, the cheapest first; `cost`: of
    the best, s or J by the problem's objective; `rough`: cost of the rough route on the lattice; `bound`: lower bound
    on the cost of all routes, s or J, from `tightest_bound`, 0 without one; `straight`: the straight line at the best
    constant speed, None if it is impossible; `notes`: remarks in whole sentences.
    """

    best: Route
    others: tuple[Route, ...]
    cost: float
    rough: float
    bound: float
    straight: Route | None
    notes: tuple[str, ...]

    @property
    def gap(self) -> float:
        """Upper bound on the share of the cost that a better route could save, (-)."""
        return 1.0 - self.bound / self.cost


def find_route(problem: RouteProblem, options: SearchOptions | None = None) -> FoundRoute:
    """
    Return the path and speeds of least cost, with the best routes past other sides of barriers.

    At one speed (fixed, or the top speed for the least time) the search uses labels. For the least energy with free
    speeds in a flow that changes, or with an arrival time, it uses layers of time. The best path of each side is
    polished; the straight line is always among the candidates. Without the polish, a best way of the lattice that the
    boat can follow is the route.

    :raises InputError: If there is no route, with the reason: a barrier, the current, the charge, the flow's end.
    """
    options = options or SearchOptions()
    if problem.arrive_by is not None and not problem.arrive_by > problem.depart:
        raise InputError(f'arrive_by is {exact_seconds(problem.arrive_by)}; must be after the departure, '
                         f'{exact_seconds(problem.depart)}')
    rough = _rough_ways(problem, options)
    if rough.ways and not options.polish:
        route = _route(problem, rough.ways[0])
        cost = objective_value(problem, route)
        if math.isfinite(cost) and not (problem.charge is not None and route.energy[-1] > problem.charge):
            return FoundRoute(route, (), cost, rough.cost, 0.0, None, ())
    straight = straight_route(problem)
    if not rough.ways and not math.isfinite(objective_value(problem, straight)):
        raise InputError(no_route_reason(problem, options, rough))
    routes, notes = _polished_routes(problem, rough.ways, straight, options.others, options.slack)
    if not routes:
        if options.points <= FINEST:    # The boat cannot follow the lattice's paths in the flow between its points.
            return find_route(problem, options._replace(points=FINER * options.points,
                                                        hop_points=FINER * options.hop_points))
        raise InputError(no_route_reason(problem, options, rough))
    best, cost = routes[0], objective_value(problem, routes[0])
    if problem.charge is not None and best.energy[-1] > problem.charge:
        raise InputError(f'the charge is too small: the route takes {best.energy[-1]:.0f} J, and there are '
                         f'{problem.charge:.0f} J'
                         + ('; the least energy may do with less' if problem.objective == 'time' else ''))
    bound = min(tightest_bound(problem, rough, best, options), cost) if options.bound else 0.0
    searched = rough.cost if math.isfinite(rough.cost) else cost
    good_straight = straight if math.isfinite(objective_value(problem, straight)) else None
    return FoundRoute(best, tuple(routes[1:]), cost, searched, bound, good_straight, tuple(notes))


def _rough_ways(problem: RouteProblem, options: SearchOptions) -> RoughWays:
    """Search rough ways, with a time span and a lattice that are enlarged until they suffice."""
    distance = math.dist(problem.start, problem.goal)
    if not distance > 0.0:
        raise InputError(f'start {problem.start} and goal {problem.goal}: must be two places')
    span = FIRST_TIME * distance / max(usual_speed(problem), 1e-12)
    if problem.arrive_by is not None:
        span = problem.arrive_by - problem.depart
    rough = None
    for _ in range(ROUNDS):
        rough = _one_search(problem, options, problem.depart + span)
        cube = rough.prepared.cube
        lasted = rough.ways[0][0][-1] - problem.depart if rough.ways else math.inf
        over = cube.end < problem.depart + span * (1.0 - 1e-6)
        if problem.arrive_by is not None or over or (lasted < NEAR * span):
            break
        span *= 2.0
    assert rough is not None
    if rough.ways and _touches_edge(rough, rough.ways[0], problem):
        wider = _one_search(problem, options._replace(margin=3.0 * options.margin, points=2 * options.points,
                                                  hop_points=2 * options.hop_points), problem.depart + span)
        rough = wider if wider.cost < rough.cost * (1.0 + 1e-2) else rough
    return rough


def _one_search(problem: RouteProblem, options: SearchOptions, end: float) -> RoughWays:
    """Search rough ways with the method that fits the problem."""
    if problem.speed is not None or problem.objective == 'time':
        return rough_ways_by_labels(problem, options, end)
    free = problem.arrive_by is None and not (problem.may_wait or problem.may_drift)
    if free and is_steady(problem, end):
        return rough_ways_by_labels(problem, options._replace(points=options.hop_points), end)
    rough = rough_ways_by_hops(problem, options, end)
    if problem.arrive_by is None or rough.ways:
        return rough
    # Near the earliest arrival the layers of time are too coarse: the quickest ways, slowed.
    fast = rough_ways_by_labels(problem._replace(objective='time', arrive_by=None), options, end)
    lasts = [way[0][-1] - problem.depart for way in fast.ways]
    allowed = problem.arrive_by - problem.depart
    return rough._replace(ways=[(problem.depart + allowed / last * (way[0] - problem.depart), *way[1:])
                                for last, way in zip(lasts, fast.ways) if last <= (1.0 + ROUGH_ERROR) * allowed])


def _touches_edge(rough: RoughWays, way: Way, problem: RouteProblem) -> bool:
    """Return whether a way touches the lattice's edge and the problem has no finite extent."""
    lattice = rough.prepared.grid.lattice
    east, north = way[1] - lattice.x, way[2] - lattice.y
    c, s, h = math.cos(lattice.angle), math.sin(lattice.angle), lattice.spacing
    column, row = (c * east + s * north) / h, (c * north - s * east) / h
    edge = (column < 1.5) | (row < 1.5) | (column > lattice.columns - 2.5) | (row > lattice.rows - 2.5)
    inner = edge[1:-1]
    box = np.array(problem.extent or (np.inf,) * 4)
    return bool(inner.any()) and not np.isfinite(box).all()


def _polished_routes(problem: RouteProblem, ways: list[Way], straight: Route,
                     others: bool, most: float) -> tuple[list[Route], list[str]]:
    """
    Return the polished feasible routes, the cheapest first, and notes.

    All are polished on coarse meshes first. On fine ones only those that may be the cheapest are, and with `others`
    those past other sides that cost at most `most` times as much.
    """
    notes: list[str] = []
    found: list[tuple[float, Route, Polish]] = []
    room, distance = room_of(problem), math.dist(problem.start, problem.goal)
    inside = problem._replace(extent=room) if np.isfinite(room).all() else problem   # The polish goes up to its edge.
    roughs = [_route(problem, way) for way in ways]
    if not others:      # What the lattice finds much dearer, no polish makes the cheapest.
        costs = [objective_value(problem, rough) for rough in roughs]
        roughs = [rough for rough, cost in zip(roughs, costs) if cost <= (1.0 + ROUGH_ERROR) * min(costs)
                  or not math.isfinite(cost)]

    def cost_of(route: Route) -> float:
        return objective_value(problem, route)
    tolerance = MESH_TOLERANCE if others else COMPARED
    # The polish of the straight line would end where that of a way beside it ends.
    begins = [*roughs, straight] if _apart(straight, roughs, distance) else roughs
    for begin in begins:
        if math.isfinite(begin.time[-1]):
            polish = Polish(inside, begin)
            coarse = min(begin, polish.refined(tolerance, COARSE_PARTS).route, key=cost_of)
            found.append((cost_of(coarse), coarse, polish))
    found = sorted((one for one in found if math.isfinite(one[0])), key=lambda one: one[0])
    kept: list[tuple[float, Route, Polish]] = []
    for one in found:
        if one[0] <= most * found[0][0] and _apart(one[1], [other[1] for other in kept], distance):
            kept.append(one)
    routes = []
    for cost, coarse, polish in kept:
        fine = others or cost <= (1.0 + COARSE_ERROR) * kept[0][0]
        routes.append(min(coarse, polish.refined(tolerance).route, key=cost_of) if fine else coarse)
    routes.sort(key=cost_of)
    if math.isfinite(cost_of(straight)) and not (routes and cost_of(routes[0]) <= cost_of(straight)):
        routes = [straight, *(route for route in routes if _apart(route, [straight], distance))]
    if len(ways) > 1 and len(kept) == 1:
        notes.append(f'{len(ways)} sides were looked at, and their ways came to be one.')
    return routes, notes


def _apart(route: Route, others: list[Route], distance: float) -> bool:
    """Return whether a route is another than all others, between places so far apart, m."""
    return all(hausdorff_distance(_way(route), _way(other)) > APART * distance for other in others)


def _way(route: Route) -> Way:
    return route.time, route.x, route.y


def _route(problem: RouteProblem, way: Way) -> Route:
    """Return a rough way as a route, at the problem's speed if it has one."""
    if problem.speed is not None or problem.objective == 'time':
        return route_along_path(problem, way[1], way[2], way[0])
    return route_with_energy(problem, *way)


def straight_route(problem: RouteProblem) -> Route:
    """Return the straight line at the problem's speed, or at the best constant speed over ground; NaN if impossible."""
    x, y = np.array([problem.start, problem.goal]).T
    if problem.barriers.crossed(x[:1], y[:1], x[1:], y[1:])[0]:
        return Route(np.array([problem.depart, math.nan]), x, y, np.full(1, math.nan), np.array([0.0, math.nan]))
    return best_route_along_path(problem, x, y)


def best_route_along_path(problem: RouteProblem, x: np.ndarray, y: np.ndarray) -> Route:
    """
    Return a path at the problem's speed, or at the best constant speed over ground; NaN if impossible.

    :param x: East of its points, m, shape (N,), and `y`: north; no two consecutive points coincide.
    """
    if problem.speed is not None or problem.objective == 'time':
        return route_along_path(problem, x, y)
    along = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))])
    share = np.unique(np.round(np.concatenate([np.linspace(0.0, 1.0, 65), along / along[-1]]), 9))
    east, north = (np.interp(share * along[-1], along, part) for part in (x, y))
    spans = along[-1] / (usual_speed(problem) * np.geomspace(0.2, 4.0, SPEEDS))
    if problem.arrive_by is not None:
        last = problem.arrive_by - problem.depart
        spans = np.append(last, spans[spans < last])
    best: list[Route] = []
    for _ in range(FINER_SPEEDS):
        routes = routes_with_energy(problem, problem.depart + spans[:, None] * share, east, north)
        at = int(np.argmin([objective_value(problem, one) for one in routes]))
        best.append(routes[at])
        spans = np.linspace(spans[max(at - 1, 0)], spans[min(at + 1, spans.size - 1)], SPEEDS)
    return min(best, key=lambda one: objective_value(problem, one))
