"""Routes on order, by names of files, and the watch of a route under way: how far boat and water deviate from it."""

import math
from collections import deque
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat, read_boat
from usv_energy.earth import LocalPlane, Place
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.field import FlowField, Velocities
from usv_energy.flow.flow_file import FlowFile, read_flow
from usv_energy.flow.on_earth import WorldFrame, laid_together, own_frame, remarks_of, world_at
from usv_energy.flow.wind_height import wind_at_boat
from usv_energy.missions.mission import checked_place
from usv_energy.studies.plan.boat_in_sea import boat_in_sea, sea_state_of
from usv_energy.studies.route.barriers.read_barriers import BarrierFiles, boat_barriers
from usv_energy.studies.route.find_route import find_route
from usv_energy.studies.route.plan_route import RouteRequest, prepared_request
from usv_energy.studies.route.route_problem import Objective, RouteProblem

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
        extent: tuple[float, float, float, float] = getattr(self.flow, 'extent', (-np.inf, -np.inf, np.inf, np.inf))
        return extent


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
