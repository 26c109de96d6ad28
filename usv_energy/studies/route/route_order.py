"""A route ordered by names of files, and a route under way: how far the boat and the water are off it."""

import math
from collections import deque
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat, read_boat
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.field import FlowField, Velocities
from usv_energy.flow.flow_file import FlowFile, read_flow
from usv_energy.flow.on_earth import laid_together, remarks_of, world_at
from usv_energy.flow.wind_height import wind_at_boat
from usv_energy.studies.plan.boat_in_sea import boat_in_sea, sea_state_of
from usv_energy.studies.route.barriers.read_barriers import BarrierFiles, boat_barriers
from usv_energy.studies.route.find_route import find_route
from usv_energy.studies.route.plan_route import RouteRequest, prepared_request
from usv_energy.studies.route.route_problem import Objective, RouteProblem
from usv_energy.studies.route.world_frame import frame_of

Place = tuple[float, float]


class RouteOrder(NamedTuple):
    """
    With what routes are found: names or paths of a boat and of flow files ('' for none), and what is kept off.

    `barriers`: where they have no clearance at the boat's own. `speed`: through the water, m/s, None for the best;
    `sea`: as `--sea` has it, '' for none; `origin`: of the world, LATITUDE,LONGITUDE, '' where nobody says it; the rest
    as RouteProblem has it.
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

    def boat_read(self) -> Boat:
        """Return the boat, in its sea where there is one. Raises InputError for what does not go together."""
        boat = read_boat(self.boat)
        return boat_in_sea(boat, sea_state_of(self.sea, 'sea', uniform=True)) if self.sea else boat


class PlannedWay(NamedTuple):
    """
    A route as it is watched under way, N points.

    `time`: s of the flow's clock; `x`, `y`: east and north, m; `energy`: used since the start, J; `current_x`,
    `current_y`: of the water that it was planned in, m/s; each shape (N,). `notes`: what to know of it.
    """

    time: np.ndarray
    x: np.ndarray
    y: np.ndarray
    energy: np.ndarray
    current_x: np.ndarray
    current_y: np.ndarray
    notes: tuple[str, ...]


class ShiftedFlow(NamedTuple):
    """A flow that runs faster than forecast by the same everywhere: east and north, m/s."""

    flow: FlowField
    east: float
    north: float

    def velocity(self, t: float, x: np.ndarray, y: np.ndarray) -> Velocities:
        """Return the velocity at many points; see FlowField.velocity."""
        vx, vy, inside = self.flow.velocity(t, x, y)
        return vx + self.east, vy + self.north, inside

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Bounding box of the flow, m; infinite where it is everywhere."""
        extent: tuple[float, float, float, float] = getattr(self.flow, 'extent', (-np.inf, -np.inf, np.inf, np.inf))
        return extent


def planned_way(order: RouteOrder, start: Place, goal: Place, depart: float, ahead: Place = (0.0, 0.0)) -> PlannedWay:
    """
    Return the best way between two places, m east and north, from a time, s of the flow's clock.

    :param ahead: By how much the water was found to run faster than forecast, east and north, m/s.
    :raises InputError: If a file is wrong, or there is no way, and why.
    """
    current, wind = _opened(order)
    water = ShiftedFlow(current, *ahead) if any(ahead) else current
    boat = order.boat_read()
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
def _opened(order: RouteOrder) -> tuple[UniformFlow | FlowFile, UniformFlow | FlowFile]:
    """Return water and wind at the boat of an order; open as long as the process lives."""
    current = read_flow(order.water_current) if order.water_current else UniformFlow()
    wind: UniformFlow | FlowFile = UniformFlow()
    if order.wind:
        file = read_flow(order.wind)
        wind = file if file.height is None else wind_at_boat(file, read_boat(order.boat))
    return laid_together(current, wind, world_at(order.origin, 'origin'), 'the world')


class WatchLimits(NamedTuple):
    """
    From when on a new route is worth while.

    `off_route`: m beside it; `late`: s behind or before it; `current`: m/s, by which the water differs from the
    forecast, the mean over the last `window`, s.
    """

    off_route: float = 30.0
    late: float = 120.0
    current: float = 0.1
    window: float = 30.0


class RouteWatch:
    """Watches one route; it is silent until a window has passed, and once the boat is near the goal."""

    def __init__(self, way: PlannedWay, limits: WatchLimits) -> None:
        """Begin with nothing seen."""
        self._way, self._limits = way, limits
        self._seen: deque[tuple[float, float, float]] = deque()
        self._begin = math.nan

    @property
    def difference(self) -> tuple[float, float]:
        """By how much the water ran faster than it was planned in, mean over the window: east and north, m/s."""
        if not self._seen:
            return 0.0, 0.0
        _, east, north = zip(*self._seen)
        return sum(east) / len(east), sum(north) / len(north)

    def why_anew(self, time: float, x: float, y: float, current: tuple[float, float]) -> str:
        """
        Return why a new route is worth while, a sentence; '' while none is.

        :param time: s of the flow's clock; earlier than before begins anew.
        :param x: East, m; `y`: north.
        :param current: Of the water, measured, m/s; NaN where it is not known.
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
        """Return how far off the route a place is, m; when its nearest point is passed, s; the current then, m/s."""
        way = self._way
        east, north = np.diff(way.x), np.diff(way.y)
        length = np.maximum(east * east + north * north, 1e-12)
        share = np.clip(((x - way.x[:-1]) * east + (y - way.y[:-1]) * north) / length, 0.0, 1.0)
        off = np.hypot(way.x[:-1] + share * east - x, way.y[:-1] + share * north - y)
        part = int(off.argmin())

        def between(values: np.ndarray) -> float:
            return float(values[part] + share[part] * (values[part + 1] - values[part]))
        return float(off[part]), between(way.time), (between(way.current_x), between(way.current_y))
