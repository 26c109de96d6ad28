"""
Routes on order, by names of files, and the watch of a route under way: how far boat and water deviate from it.

The request of a route as it is asked for: places, forecasts and barriers in one world, on one clock, checked.
"""

import math
from collections import deque
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat, read_boat, require_motion
from usv_energy.earth import LocalPlane, Place
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.departure import departures_on_clock, flow_seconds
from usv_energy.flow.field import Extent, FlowField, Velocities
from usv_energy.flow.flow_file import FlowFile, read_flow
from usv_energy.flow.on_earth import WorldFrame, laid_on_earth, laid_together, own_frame, remarks_of, world_at
from usv_energy.flow.wind_height import wind_at_boat
from usv_energy.missions.mission import checked_place
from usv_energy.show.text_table import exact_seconds
from usv_energy.studies.maps.lattice import extent_of
from usv_energy.studies.plan.boat_in_sea import boat_in_sea, sea_state_of
from usv_energy.studies.route.barriers.read_barriers import BarrierFiles, boat_barriers
from usv_energy.studies.route.find_route import find_route
from usv_energy.studies.route.plan_route import RouteRequest, prepared_request
from usv_energy.studies.route.route_problem import Objective, PowerLaw, RouteProblem

Point = tuple[float, float]
HIGHEST = 85.0  # degrees of latitude; nearer to a pole, a plane of east and north is not a usable map


class RouteOrder(NamedTuple):
    """
    The boat, flows and options of routes: names or paths of a boat and of flow files ('' for none), and barriers.

    `barriers`: without a clearance, the boat's own is used. `speed`: through the water, m/s, None for the best; `sea`:
    as for `--sea`, '' for none; `origin`: of the world, LATITUDE,LONGITUDE, '' if unknown; the rest as in RouteProblem.
    """

    boat: str
    water_current: str = ''
    wind: str = ''
    barriers: BarrierFiles = BarrierFiles()
    objective: Objective = 'energy'
    speed: float | None = None
    may_wait: bool = False
    may_drift: bool = False
    sea: str = ''
    origin: str = ''

    def boat_in_its_sea(self) -> Boat:
        """Return the boat, in its sea if there is one; InputError if they do not go together."""
        boat = read_boat(self.boat)
        return boat_in_sea(boat, sea_state_of(self.sea, 'sea', uniform=True)) if self.sea else boat


class PlannedWay(NamedTuple):
    """
    A route as it is watched under way, N points.

    `time`: s of the flow's clock; `x`, `y`: east and north, m; `energy`: used since the start, J; `current_x`,
    `current_y`: of the water for which it was planned, m/s; each shape (N,). `notes`: from the search.
    """

    time: np.ndarray
    x: np.ndarray
    y: np.ndarray
    energy: np.ndarray
    current_x: np.ndarray
    current_y: np.ndarray
    notes: tuple[str, ...]


class ShiftedFlow(NamedTuple):
    """A flow with a uniform correction added to the forecast: east and north, m/s."""

    flow: FlowField
    east: float
    north: float

    def velocity(self, t: float, x: np.ndarray, y: np.ndarray) -> Velocities:
        """Return the velocity at many points; see FlowField.velocity."""
        vx, vy, inside = self.flow.velocity(t, x, y)
        return vx + self.east, vy + self.north, inside

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Bounding box of the flow, m; infinite if it is unbounded."""
        return getattr(self.flow, 'extent', (-np.inf, -np.inf, np.inf, np.inf))


def planned_way(order: RouteOrder, start: Point, goal: Point, depart: float, ahead: Point = (0.0, 0.0)) -> PlannedWay:
    """
    Return the best way between two places, m east and north, from a time, s of the flow's clock.

    :param ahead: Measured less forecast current, east and north, m/s.
    :raises InputError: If a file is wrong, or there is no route, with the reason.
    """
    current, wind = _flows_of(order)
    water = ShiftedFlow(current, *ahead) if any(ahead) else current
    boat = order.boat_in_its_sea()
    frame = world_at(order.origin, 'origin') or frame_of(current)
    barriers = boat_barriers(boat, order.barriers, current, frame, (start, goal), (depart,))
    problem = RouteProblem(start, goal, None, water, wind, barriers, depart, objective=order.objective,  # type: ignore[arg-type]
                           speed=order.speed, may_wait=order.may_wait, may_drift=order.may_drift)
    request = prepared_request(RouteRequest(boat, problem, (goal,), (('forecast', water),), (depart,)))
    found = find_route(request.problem)
    route = found.best
    met = [water.velocity(float(t), *np.array([[x], [y]])) for t, x, y in zip(route.time, route.x, route.y)]
    return PlannedWay(route.time, route.x, route.y, route.energy, np.array([vx[0] for vx, _, _ in met]),
                      np.array([vy[0] for _, vy, _ in met]), (*remarks_of(current, wind), *found.notes))


@lru_cache(maxsize=2)
def _flows_of(order: RouteOrder) -> tuple[UniformFlow | FlowFile, UniformFlow | FlowFile]:
    """Return water and wind at the boat of an order; the files stay open as long as the process lives."""
    current = read_flow(order.water_current) if order.water_current else UniformFlow()
    wind: UniformFlow | FlowFile = UniformFlow()
    if order.wind:
        file = read_flow(order.wind)
        wind = file if file.height is None else wind_at_boat(file, read_boat(order.boat))
    return laid_together(current, wind, world_at(order.origin, 'origin'), 'the world')


class WatchLimits(NamedTuple):
    """
    Deviations from which on a new route is planned.

    `off_route`: m beside the route; `late`: s late or early; `current`: m/s, difference of the water from the
    forecast, as the mean over the last `window`, s.
    """

    off_route: float = 30.0
    late: float = 120.0
    current: float = 0.1
    window: float = 30.0


class RouteWatch:
    """Watches one route; it gives no reason in the first window of time, nor when the boat is near the goal."""

    def __init__(self, way: PlannedWay, limits: WatchLimits) -> None:
        """Begin without measurements."""
        self._way, self._limits = way, limits
        self._seen: deque[tuple[float, float, float]] = deque()
        self._begin = math.nan

    @property
    def difference(self) -> tuple[float, float]:
        """Measured less planned current, mean over the window: east and north, m/s."""
        if not self._seen:
            return 0.0, 0.0
        _, east, north = zip(*self._seen)
        return sum(east) / len(east), sum(north) / len(north)

    def replanning_reason(self, time: float, x: float, y: float, current: tuple[float, float]) -> str:
        """
        Return the reason for a new route as a sentence; '' if there is none.

        :param time: s of the flow's clock; if it goes backwards, the watch starts again.
        :param x: East, m; `y`: north.
        :param current: Of the water, measured, m/s; NaN if unknown.
        """
        way, limits = self._way, self._limits
        if not self._begin <= time:
            self._begin = time
            self._seen.clear()
        off, passing, forecast = self._nearest(x, y)
        if all(map(math.isfinite, current)):
            self._seen.append((time, current[0] - forecast[0], current[1] - forecast[1]))
        while self._seen and time - self._seen[0][0] > limits.window:
            self._seen.popleft()
        left = math.hypot(way.x[-1] - x, way.y[-1] - y)
        if time - self._begin < limits.window or left < limits.off_route or not math.isfinite(off):
            return ''
        if off > limits.off_route:
            return f'the boat is {off:.0f} m off its route'
        if abs(time - passing) > limits.late:
            late = time - passing
            return f'the boat is {abs(late):.0f} s {"late" if late > 0.0 else "early"}'
        if (differs := math.hypot(*self.difference)) > limits.current:
            return f'the water differs by {differs:.2f} m/s from what the route was planned in'
        return ''

    def _nearest(self, x: float, y: float) -> tuple[float, float, tuple[float, float]]:
        """Return a place's distance from the route, m, and the nearest point's time, s, and planned current, m/s."""
        way = self._way
        east, north = np.diff(way.x), np.diff(way.y)
        length = np.maximum(east * east + north * north, 1e-12)
        share = np.clip(((x - way.x[:-1]) * east + (y - way.y[:-1]) * north) / length, 0.0, 1.0)
        off = np.hypot(way.x[:-1] + share * east - x, way.y[:-1] + share * north - y)
        part = int(off.argmin())

        def between(values: np.ndarray) -> float:
            return float(values[part] + share[part] * (values[part + 1] - values[part]))
        return float(off[part]), between(way.time), (between(way.current_x), between(way.current_y))


def frame_of(flow: object, origin: Place | None = None) -> WorldFrame | None:
    """
    Return where a flow's world lies on the Earth: from its file, else about a given origin; None if unknown.

    :param flow: Of the water; only a flow file can contain its place.
    :param origin: Degrees, of the world's origin.
    :raises InputError: If both give it; if the origin is within 5 degrees of a pole.
    """
    own = own_frame(flow)
    if own is not None and origin is not None:
        raise InputError(f'{getattr(flow, "path", flow)}: says itself where it lies on the Earth; --origin goes with a '
                         'flow in local metres')
    if own is None and origin is not None:
        own = LocalPlane(checked_place(*origin, '--origin'))
    latitude = 0.0 if own is None else float(own.to_geodetic(np.zeros(1), np.zeros(1))[0][0])
    if abs(latitude) > HIGHEST:
        raise InputError(f'the origin lies at latitude {latitude:g}; routes are found up to {HIGHEST:g} degrees: '
                         'at the poles there is no east')
    return own


HARDLY_A_WAY = 20.0     # m
OWN_CLEARANCE = BarrierFiles(clearance=None)


class RouteTerms(NamedTuple):
    """
    What is asked of a route.

    `depart`: as of `departure_window`, several of which the cheapest is taken; `arrive_by`: as of `flow_seconds`.
    `least`, `speed`, `lowest_speed`, `may_wait`, `may_drift`, `extent`: as of `RouteProblem`. `files`: of barriers.
    `any_order`, `reserve`, `ambient`, `simulate`, `workers`, `dask`, `front`: as of `RouteRequest`. `origin`: latitude
    and longitude, degrees, from which the world's metres count. `degrees`: places are latitude and longitude.
    """

    depart: str | None = None
    arrive_by: str | None = None
    least: Objective = 'energy'
    speed: float | None = None
    lowest_speed: float = 0.0
    may_wait: bool = False
    may_drift: bool = False
    extent: Extent | None = None
    files: BarrierFiles = OWN_CLEARANCE
    any_order: bool = False
    reserve: float = 0.2
    ambient: float | None = None
    simulate: bool = False
    workers: int | None = None
    dask: str | None = None
    front: int = 0
    origin: Point | None = None
    degrees: bool = False


def route_request(boat: Boat, currents: Sequence[tuple[str, UniformFlow | FlowFile]], wind: UniformFlow | FlowFile,
                  places: Sequence[Point], terms: RouteTerms,
                  say: Callable[[str], None] = lambda text: None) -> RouteRequest:
    """
    Return the request of a route.

    :param boat: With its payload, its battery and its sea.
    :param currents: Forecasts of the water by name; one is a current.
    :param wind: Air at the boat.
    :param places: The start and the goals, m east and north in the world of the first current, or degrees.
    :param say: Called with remarks on places that are taken for granted, and on what changes nothing.
    :raises InputError: If the terms contradict each other, or a place or a file is wrong.
    """
    if terms.simulate:
        require_motion(boat, 'a simulation')
    depart, (*flows, wind) = departures_on_clock(terms.depart, (*(flow for _, flow in currents), wind), '--depart')
    currents = [(name, flow) for (name, _), flow in zip(currents, flows)]
    arrive_by = None if terms.arrive_by is None else flow_seconds(terms.arrive_by, depart.zero, '--arrive-by')
    _check(terms, depart.seconds, arrive_by)
    if terms.least == 'time' and (terms.may_wait or terms.may_drift):
        say('--may-wait and --may-drift change nothing with --least time')
    frame = frame_of(currents[0][1], None if terms.origin is None else checked_place(*terms.origin, '--origin'))
    if frame is None:
        frame = own_frame(wind)
    elif not isinstance(wind, UniformFlow):
        wind = laid_on_earth(wind, frame, 'the route')
    if frame is None and terms.degrees and all(isinstance(flow, UniformFlow) for _, flow in (*currents, ('', wind))):
        frame = frame_of(None, checked_place(*places[0], '--from'))       # What is the same everywhere lies anywhere.
    if frame is not None:
        currents[1:] = [(name, laid_on_earth(flow, frame, 'the route')) for name, flow in currents[1:]]
    for remark in remarks_of(*(flow for _, flow in currents), wind):
        say(remark)
    if frame is not None and not terms.degrees:
        _check_are_metres(places, frame, extent_of(currents[0][1]))
    start, *goals = _in_metres(places, frame) if terms.degrees else places
    times = [depart.seconds[0], arrive_by if arrive_by is not None else depart.seconds[-1]]
    barriers = boat_barriers(boat, terms.files, currents[0][1], frame, [start, *goals], times)
    problem = RouteProblem(start, goals[-1], PowerLaw(1.0), currents[0][1], wind, barriers,
                           depart.seconds[0], arrive_by, terms.least, terms.speed, terms.lowest_speed, terms.may_wait,
                           terms.may_drift, terms.extent)
    return RouteRequest(boat, problem, tuple(goals), tuple(currents), depart.seconds, frame, terms.any_order, None,
                        terms.reserve, terms.ambient, terms.simulate, terms.workers, terms.dask, terms.front,
                        depart.zero)


def _check(terms: RouteTerms, departures: tuple[float, ...], arrive_by: float | None) -> None:
    """Refuse terms that contradict each other."""
    if terms.dask is not None and len(departures) == 1:
        raise InputError('--dask shares many departures between workers, and there is one; --depart FROM,TO,STEP tries '
                         'many')
    if terms.extent is not None and not (terms.extent[0] < terms.extent[2] and terms.extent[1] < terms.extent[3]):
        raise InputError(f'--extent is {list(terms.extent)}; must be XMIN YMIN XMAX YMAX, rising')
    if arrive_by is not None and arrive_by <= departures[-1]:
        raise InputError(f'--arrive-by is {exact_seconds(arrive_by)}; must be after the last departure, '
                         f'{exact_seconds(departures[-1])}')
    if arrive_by is not None and terms.least == 'time':
        raise InputError('--arrive-by goes with --least energy: the least time is there as early as can be')


def _check_are_metres(places: Sequence[Point], frame: WorldFrame, extent: Extent) -> None:
    """Refuse places that are hardly a way in metres, but lie in the flow's file, of that extent, as degrees."""
    way = sum(math.dist(*pair) for pair in pairwise(places))
    are_degrees = all(abs(north) <= HIGHEST and abs(east) <= 180.0 for north, east in places)
    if way > HARDLY_A_WAY or not are_degrees or not np.isfinite(extent).all():
        return
    x, y = frame.to_local(*np.array(places, dtype=float).T)
    if bool(((extent[0] <= x) & (x <= extent[2]) & (extent[1] <= y) & (y <= extent[3])).all()):
        words = ' '.join(f'--{"to" if number else "from"} {north:g} {east:g}'
                         for number, (north, east) in enumerate(places))
        raise InputError(f'{words}: read as metres a way of {way:.3g} m, read as LATITUDE LONGITUDE one of '
                         f'{np.hypot(np.diff(x), np.diff(y)).sum():.4g} m in this flow; for that say --degrees')


def _in_metres(places: Sequence[Point], frame: WorldFrame | None) -> list[Point]:
    """Return places in degrees as places in the world, m."""
    if frame is None:
        raise InputError("--degrees: nobody says where on the Earth the world's metres lie; give --origin LATITUDE "
                         'LONGITUDE')
    checked: list[Place] = [checked_place(*place, '--from' if number == 0 else '--to')
                            for number, place in enumerate(places)]
    east, north = frame.to_local(*np.array(checked).T)
    return list(zip(east.tolist(), north.tolist()))
