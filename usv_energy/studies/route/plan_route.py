"""The planning of a route: from a request to a study, with departures, forecasts, alternatives, battery, simulation."""

import math
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.files.errors import InputError
from usv_energy.files.work import Progress, beside, cores, forked, no_progress
from usv_energy.flow.field import Extent, FlowField
from usv_energy.flow.on_earth import WorldFrame
from usv_energy.show.text_table import exact_seconds
from usv_energy.studies.maps.lattice import extent_of
from usv_energy.studies.mission.mission_order import OrderChoice, cheapest_order
from usv_energy.studies.route.costs.motion_table import MotionTable, SeaMotionTable, sea_motion_table
from usv_energy.studies.route.departures import MEAN, MeanFlow, first_of_cheapest, forecast_costs, route_departures
from usv_energy.studies.route.find_route import FoundRoute, find_route
from usv_energy.studies.route.route_legs import legs_with_energy
from usv_energy.studies.route.route_problem import RouteProblem, sea_towards
from usv_energy.studies.route.route_study import (
    CHEAPEST,
    FASTEST,
    OTHER,
    SHORTEST,
    STRAIGHT,
    DepartureCosts,
    ForecastCosts,
    RouteChoice,
    RouteStudy,
    judged,
    legs_of,
    simulate_legs,
    with_judged_departures,
)
from usv_energy.studies.route.route_through_goals import route_front, route_through_goals, shortest_route
from usv_energy.studies.route.search.rough_ways import SearchOptions

# For the costs between pairs of goals.
COARSE = SearchOptions(points=6_000, hop_points=3_000, most=1, bound=False)
# To compare departures, of which the best is searched again, and for what stands beside the route.
BEST_ALONE = SearchOptions(points=10_000, hop_points=4_000, slack=1.05, bound=False, others=False)
NEAR = 0.03             # Share dearer on the lattice from which departures are not polished; `notes` names it.
BOX_PLACES = 61         # along each side of the box in which the highest speed of a flow is sampled,
BOX_TIMES = 9           # and times
AIR_MARGIN = 1.15       # on the highest sampled speed of the air, for the boat's table
TABLE_ERROR = 2e-3      # relative error of the table of power, above which a note is given
DAY = 86_400.0          # s, after the last departure, in which the speed of a flow is sampled
MOST_GOALS = 60


class RouteRequest(NamedTuple):
    """
    The request of a route.

    `problem`: from the start to the last goal; its cost is replaced. `goals`: places in their order, east and north, m,
    which are all passed; `any_order`: their order is free. `currents`: forecasts by name; several are an ensemble.
    `departures`: s of the flow's clock, of which the cheapest is chosen. `state_of_charge` (-) and `ambient` K: None
    for the boat file's; `reserve`: of the battery, that must be left, (-). `zero`: the moment of the flow's time 0,
    None if unknown.
    """

    boat: Boat
    problem: RouteProblem
    goals: tuple[tuple[float, float], ...]
    currents: tuple[tuple[str, FlowField], ...]
    departures: tuple[float, ...] = (0.0,)
    frame: WorldFrame | None = None
    any_order: bool = False
    state_of_charge: float | None = None
    reserve: float = 0.2
    ambient: float | None = None
    simulate: bool = False
    workers: int | None = None
    dask: str | None = None
    front: int = 0
    zero: datetime | None = None


def plan_route(request: RouteRequest, progress: Progress = no_progress,
               simulated: Progress = no_progress) -> RouteStudy:
    """
    Return the study of a route.

    :param progress: Of the search for routes.
    :param simulated: Progress of the simulator: simulated seconds, out of those that the legs take.
    :raises InputError: If there is no route, with the reason; if start or a goal is blocked or dry.
    """
    request = prepared_request(request)
    notes: list[str] = []
    if request.any_order and len(request.goals) > 1:
        order = goal_order(request, progress)
        request = request._replace(goals=tuple(request.goals[place] for place in order.order))
        notes.append(_order_note(order))
    notes += _endless_note(request.problem) + table_notes(request.problem)
    departures, found, broken_off, depart = None, None, False, request.departures[0]
    if len(request.departures) > 1:
        departures, found, broken_off = _departures(request, progress)
        depart = float(departures.departure[departures.best])
    problem, workers = request.problem._replace(depart=depart), request.workers or cores()
    with beside(lambda: _other_end(request.goals, problem), 1 if broken_off else workers) as other_end:
        found = found or route_through_goals(request.goals, problem)
        forecasts = None
        if len(request.currents) > 1:
            forecasts, found = _best_of_forecasts(request, problem, found)
        route = found.best
        study = RouteStudy(
            f'route of {request.boat.name}', request.boat, problem, request.frame, request.goals, route,
            legs_of(route, problem, request.boat), found.gap,
            (RouteChoice(FASTEST if problem.objective == 'time' else CHEAPEST, route),), departures=departures,
            forecasts=forecasts, notes=(*notes, *found.notes), broken_off=broken_off, zero=request.zero)
        try:
            terms = request.state_of_charge, request.reserve, request.ambient
            study = with_judged_departures(judged(study, *terms), workers, *terms)
            if not broken_off:
                others = _straight_ways(request.goals, problem, found)
                study = study._replace(choices=(*study.choices, other_end(), *others))
        except KeyboardInterrupt:
            study = study._replace(broken_off=True)
    if request.front and not study.broken_off:
        study = _with_front(study, request, progress)
    if not request.simulate or study.broken_off:
        return study
    run = simulate_legs(study, simulated)
    return study._replace(simulated=run, broken_off=study.broken_off or run is None)


def prepared_request(request: RouteRequest) -> RouteRequest:
    """Return a checked request, with the table of the boat's power for its flows; InputError if it is inconsistent."""
    problem = request.problem
    if len(request.goals) > MOST_GOALS:
        raise InputError(f'{len(request.goals)} goals are given; must be at most {MOST_GOALS}')
    if request.simulate and len(request.currents) > 1:
        raise InputError('--simulate goes with one current; several forecasts are given')
    if len(request.goals) > 1 and problem.arrive_by is not None:
        raise InputError('--arrive-by goes with one goal; several are given')
    if request.simulate and request.boat.vessel.sea is not None:
        raise InputError('--simulate does not go with --sea: what is simulated has the waves of its current')
    if request.front and (len(request.goals) > 1 or len(request.currents) > 1):
        raise InputError('--front goes with one goal and one current; several are given')
    if request.front and (problem.arrive_by is not None or problem.speed is not None):
        raise InputError('--front is over arrival times and speeds: leave --arrive-by and --speed away')
    if len(request.currents) > 1:
        problem = problem._replace(current=MeanFlow([flow for _, flow in request.currents]))
    _check_places(request, problem)
    box = _sampling_box(request, problem)
    last = problem.arrive_by if problem.arrive_by is not None else request.departures[-1] + DAY
    times = request.departures[0], last
    air = sum(_fastest(flow, box, times) for flow in (problem.current, problem.wind))
    table = sea_motion_table(request.boat.vessel, AIR_MARGIN * air)
    if problem.speed is not None and sea_towards(table) is None:
        ways = np.linspace(0.0, math.tau, 25)
        most = float(np.nanmax(table.top_speed(*(np.append(0.0, air * part(ways)) for part in (np.cos, np.sin)))))
        if problem.speed > 1.01 * most:
            raise InputError(f'--speed {problem.speed:g} m/s: the boat holds at most {most:.3g} m/s through the water '
                             'in this current and wind')
    return request._replace(problem=problem._replace(cost=table))


def _check_places(request: RouteRequest, problem: RouteProblem) -> None:
    """Refuse a start or a goal on land, or without water."""
    for number, place in enumerate([problem.start, *request.goals]):
        name = 'start' if number == 0 else 'goal' if len(request.goals) == 1 else f'goal {number}'
        x, y = np.array([place[0]]), np.array([place[1]])
        where = f'x = {place[0]:g} m, y = {place[1]:g} m'
        if request.frame is not None:
            latitude, longitude = request.frame.to_geodetic(x, y)
            where += f' ({latitude[0]:.5f}, {longitude[0]:.5f})'
        if problem.barriers.blocked(x, y)[0]:
            off = -float(problem.barriers.distance(x, y)[0])
            raise InputError(f'the {name}, {where}, lies on land, in a closed area or '
                             f'in water too shallow, or nearer to it than the clearance: by {off:.3g} m')
        if number == 0 and not problem.current.velocity(request.departures[0], x, y)[2][0]:
            raise InputError(f'the {name}, {where}, has no water at {exact_seconds(request.departures[0])}: it is '
                             'dry, outside the flow, or the flow has ended')


def _sampling_box(request: RouteRequest, problem: RouteProblem) -> Extent:
    """Return the box in which the speeds of flows are sampled, m."""
    places = np.array([problem.start, *request.goals])
    room = float(np.ptp(places, axis=0).max())
    box = np.array([*places.min(axis=0) - room, *places.max(axis=0) + room])
    own = np.array([extent_of(problem.current), problem.extent or (-math.inf, -math.inf, math.inf, math.inf)])
    low, high = np.maximum(box[:2], own[:, :2].max(axis=0)), np.minimum(box[2:], own[:, 2:].min(axis=0))
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def _fastest(flow: FlowField, box: Extent, times: tuple[float, float]) -> float:
    """Return the highest speed of a flow, m/s, among places of a box and times."""
    x, y = np.meshgrid(np.linspace(box[0], box[2], BOX_PLACES), np.linspace(box[1], box[3], BOX_PLACES))
    most = 0.0
    for time in np.unique(np.linspace(*times, BOX_TIMES)).tolist():
        vx, vy, _ = flow.velocity(time, x.ravel(), y.ravel())
        most = max(most, float(np.nanmax(np.hypot(vx, vy), initial=0.0)))
    return most


def goal_order(request: RouteRequest, progress: Progress = no_progress) -> OrderChoice:
    """
    Return the cheapest order of the goals, by the energy (or time) of the routes between all pairs.

    For these routes the departure of the first leg is used. The order is exact for up to a dozen goals, else an
    improved nearest-neighbour order with a gap.

    :raises InputError: If no order is possible.
    """
    places, number = [request.problem.start, *request.goals], len(request.goals)
    pairs = [(begin, end) for begin in range(number + 1) for end in range(number) if end + 1 != begin]
    cost = np.full((number + 1, number), np.inf)

    def cost_of(pair: int) -> float:
        begin, end = pairs[pair]
        return _route_cost(request.problem._replace(start=places[begin], goal=places[end + 1],
                                                    depart=request.departures[0]))

    cost[pairs[0]] = cost_of(0)     # In this process, so that the forked ones have the compiled code.
    others = forked(lambda pair: cost_of(pair + 1), len(pairs) - 1, request.workers or cores())
    for done, (pair, value) in enumerate(others, start=2):
        cost[pairs[pair + 1]] = value
        progress(done, len(pairs))
    order = cheapest_order(cost)
    if not math.isfinite(order.energy):
        raise InputError('the goals can be gone in no order: from some there is no way to any other')
    return order


def _route_cost(problem: RouteProblem) -> float:
    if problem.start == problem.goal:
        return 0.0
    try:
        return find_route(problem, COARSE).cost
    except InputError:
        return math.inf


def _endless_note(problem: RouteProblem) -> list[str]:
    """Return a note if the boat takes no power at standstill and nothing else bounds the route's time."""
    bounded = problem.objective == 'time' or problem.speed is not None or problem.arrive_by is not None
    if bounded or float(problem.cost.power(np.zeros(1), np.zeros(1), np.zeros(1))[0]) > 0.0:
        return []
    return ['the boat takes no power while it stands, so that slower is cheaper without end: give it its '
            '--hotel, or say --arrive-by, --speed or --lowest-speed']


def table_notes(problem: RouteProblem) -> list[str]:
    """Return a note on the error of the table of the boat's power, if that is large."""
    table = problem.cost
    if not isinstance(table, MotionTable | SeaMotionTable) or not table.error > TABLE_ERROR:
        return []
    return [f"the boat's power has corners that its table does not follow: at 5 of 100 speeds and winds it is off by "
            f'more than {100.0 * table.error:.1f} %, at the worst by {100.0 * table.worst:.0f} %']


def _order_note(order: OrderChoice) -> str:
    how = 'the cheapest of all orders' if order.exact else f'at most {100.0 * order.gap:.2g} % from the cheapest order'
    return f'the goals are gone in the order {", ".join(str(place + 1) for place in order.order)} of those given: {how}'


def _departures(request: RouteRequest, progress: Progress) -> tuple[DepartureCosts, FoundRoute, bool]:
    """Return the costs of departures, the route of the best, and whether the user interrupted the search."""
    of = route_departures(request.problem, request.departures, BEST_ALONE, request.workers, request.dask,
                          progress, request.goals, NEAR)
    in_time = request.problem.objective == 'time'
    value = of.departure + of.cost if in_time else of.cost
    best = first_of_cheapest(np.where(of.polished | ~of.polished.any(), value, np.nan), float(np.nanmin(of.cost)))
    energy, duration = np.array([(found.best.energy[-1], found.best.duration) if found else (np.nan, np.nan)
                                 for found in of.found]).T
    rough = of.found[best]
    assert rough is not None
    broken_off, chosen = of.broken_off, rough
    try:
        if not broken_off or not of.polished[best]:
            chosen = route_through_goals(request.goals, request.problem._replace(depart=float(of.departure[best])),
                                         BEST_ALONE if broken_off else None)
    except KeyboardInterrupt:
        broken_off = True
    saved = chosen.cost / rough.rough   # The polish of the others would save about as much.
    energy[~of.polished] *= saved
    duration[~of.polished] *= saved if in_time else 1.0
    energy[best], duration[best] = chosen.best.energy[-1], chosen.best.duration
    return (DepartureCosts(of.departure, energy, duration, best, of.why, tuple(of.polished.tolist()),
                           tuple(one and one.best for one in of.found)), chosen, broken_off)


def _best_of_forecasts(request: RouteRequest, problem: RouteProblem,
                  of_mean: FoundRoute) -> tuple[ForecastCosts, FoundRoute]:
    """Return the energy of the routes of the forecasts and of their mean in each, and the one of least mean energy."""
    names = [name for name, _ in request.currents]
    problems = [problem._replace(current=flow) for _, flow in request.currents]
    found, ways = [of_mean], [MEAN]
    for name, own in zip(names, problems):
        try:
            found.append(route_through_goals(request.goals, own))
            ways.append(name)
        except InputError:
            continue
    costs = forecast_costs(problems, names, ways, [one.best for one in found])
    if not np.isfinite(costs.energy).any():
        raise InputError('the forecasts disagree: no route of one of them, nor of their mean, can be kept to in any')
    chosen = found[costs.chosen]
    way = chosen.best       # It may be the route of one forecast; its energy is shown for the mean flow.
    return costs, chosen._replace(best=legs_with_energy(problem, way.time, way.x, way.y, way.speed == 0.0))


def _other_end(goals: Sequence[tuple[float, float]], problem: RouteProblem) -> RouteChoice:
    """Return the route of least time, or of least energy where that of least time is asked for."""
    of_time = problem.objective == 'time'
    kind = CHEAPEST if of_time else FASTEST
    try:
        return RouteChoice(kind, route_through_goals(goals, problem._replace(
            objective='energy' if of_time else 'time', may_wait=False, may_drift=False), BEST_ALONE).best)
    except InputError as error:
        return RouteChoice(kind, None, str(error))


def _straight_ways(goals: Sequence[tuple[float, float]], problem: RouteProblem,
                   found: FoundRoute) -> tuple[RouteChoice, ...]:
    """Return the ways beside a route: straight, around land, and past other sides."""
    straight = [RouteChoice(STRAIGHT, found.straight, '' if found.straight is not None else
                            'a barrier, too strong a current, or too early')]
    try:
        shortest = shortest_route(goals, problem)
        straight += [] if shortest is None else [RouteChoice(SHORTEST, shortest)]
    except InputError as error:
        straight.append(RouteChoice(SHORTEST, None, str(error)))
    return *straight, *(RouteChoice(OTHER, route) for route in found.others)


def _with_front(study: RouteStudy, request: RouteRequest, progress: Progress) -> RouteStudy:
    """Return a study with the front between its quickest and its cheapest route."""
    ends = [next((one for one in study.choices if one.kind == kind), None) for kind in (FASTEST, CHEAPEST)]
    fastest, cheapest = (None if end is None else end.route for end in ends)
    if fastest is None or cheapest is None:
        return study._replace(notes=(*study.notes, 'there is no front: one of its ends has no way'))
    front = route_front(study.problem, fastest, cheapest, request.front, None, request.workers, progress)
    return study._replace(front=front, broken_off=study.broken_off or front.broken_off)
