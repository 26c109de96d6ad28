"""A route ordered by names of files, so that another process may find it; and what of it is watched under way."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..boats.boat_file import Boat, read_boat
from ..flow.field import FlowField, Velocities
from ..flow.flow_file import read_flow
from ..flow.uniform import UniformFlow
from ..flow.wind_height import wind_at_boat
from ..planning.boat_in_sea import boat_in_sea, sea_state_of
from .find_route import find_route
from .kept_off import kept_off
from .plan_route import RouteAsked, prepared
from .read_barriers import BarrierFiles
from .route_problem import Objective, RouteProblem
from .world_frame import frame_of

Place = tuple[float, float]


class RouteOrder(NamedTuple):
    """
    With what routes are found: names or paths of a boat and of flow files ('' for none), and what is kept off.

    `barriers`: where they have no clearance at the boat's own. `speed`: through the water, m/s, None for the best;
    `sea`: as `--sea` has it, '' for none; the rest as RouteProblem has it.
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
    barriers = kept_off(boat, order.barriers, current, frame_of(current), (start, goal), (depart,))
    problem = RouteProblem(start, goal, None, water, wind, barriers, depart, objective=order.objective,  # type: ignore[arg-type]
                           speed=order.speed, may_wait=order.may_wait, may_drift=order.may_drift)
    asked = prepared(RouteAsked(boat, problem, (goal,), (('forecast', water),), (depart,)))
    found = find_route(asked.problem)
    route = found.best
    met = [water.velocity(float(t), *np.array([[x], [y]])) for t, x, y in zip(route.time, route.x, route.y)]
    return PlannedWay(route.time, route.x, route.y, route.energy, np.array([vx[0] for vx, _, _ in met]),
                      np.array([vy[0] for _, vy, _ in met]), found.notes)


@lru_cache(maxsize=2)
def _opened(order: RouteOrder) -> tuple[FlowField, FlowField]:
    """Return water and wind at the boat of an order; open as long as the process lives."""
    current = read_flow(order.water_current) if order.water_current else UniformFlow()
    wind: FlowField = UniformFlow()
    if order.wind:
        file = read_flow(order.wind)
        wind = file if file.height is None else wind_at_boat(file, read_boat(order.boat))
    return current, wind
