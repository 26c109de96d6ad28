"""Routes of several departures and in several forecasts: found side by side, and compared."""

import pickle
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from usv_energy.engine.sweep.run_sweep import shared_by_dask
from usv_energy.files.errors import InputError
from usv_energy.files.work import Progress, cores, forked, no_progress
from usv_energy.flow.field import Extent, FlowField, Velocities
from usv_energy.flow.flow_box import flow_along, read_box
from usv_energy.flow.flow_file import FlowFile
from usv_energy.show.text_table import exact_seconds
from usv_energy.studies.maps.lattice import extent_of
from usv_energy.studies.route.find_route import FoundRoute
from usv_energy.studies.route.route_legs import legs_with_energy
from usv_energy.studies.route.route_problem import Route, RouteProblem
from usv_energy.studies.route.route_study import ForecastCosts
from usv_energy.studies.route.route_through_goals import route_through_goals
from usv_energy.studies.route.search.flow_cube import room_of
from usv_energy.studies.route.search.rough_ways import SearchOptions

MEAN = 'mean'
NOT_TRIED = 'not tried'   # Of a departure that the user's Ctrl-C came before.
TIE = 1e-3      # relative difference of the costs of departures, about their accuracy, of which the earlier is chosen
SAME = 1e-4     # relative difference of energies of routes that count as equal; the first of them is chosen
Found = tuple[FoundRoute | None, str]
Goals = tuple[tuple[float, float], ...]
DepartureTask = tuple[RouteProblem, SearchOptions, Goals]


class RouteDepartures(NamedTuple):
    """
    Routes by their departures.

    `departure`: s of the flow's clock, shape (n,); `found`: the route of each, None if there is none, or the search was
    interrupted before it; `cost`: J or s by the problem's objective, NaN if there is no route; `why`: the reason for
    no route, NOT_TRIED, or ''. `polished`: whether a route is more than the best way of a lattice, shape (n,).
    `broken_off`: whether the user interrupted the search.
    """

    departure: np.ndarray
    found: tuple[FoundRoute | None, ...]
    cost: np.ndarray
    why: tuple[str, ...]
    polished: np.ndarray
    broken_off: bool = False

    @property
    def best(self) -> int:
        """Index of the departure of least cost, the first of equals; see `first_of_cheapest`."""
        return first_of_cheapest(self.cost, float(np.nanmin(self.cost)))


def first_of_cheapest(cost: np.ndarray, scale: float) -> int:
    """Return the index of the first cost that exceeds the least by at most the share TIE of `scale`; NaN is no cost."""
    return int(np.argmax(cost <= np.nanmin(cost) + TIE * scale))


def route_departures(problem: RouteProblem, departures: Sequence[float], options: SearchOptions | None = None,
                     workers: int | None = None, dask: str | None = None, progress: Progress = no_progress,
                     goals: Goals | None = None, near: float = np.inf) -> RouteDepartures:
    """
    Return the best route of each departure. Ctrl-C ends it with those that are done, if there are any.

    If a worker process is killed, another one repeats its departure.

    :param problem: Its own departure is not used; `arrive_by` holds for all.
    :param departures: s of the flow's clock, at least one.
    :param workers: Processes on this machine; None: one per core.
    :param dask: Instead of these: the address of a scheduler, or `local:N`, as for a sweep.
    :param goals: Passed in their order, east and north, m; None: that of the problem.
    :param near: If it is finite, all departures are first searched without the polish, and only those that are then
        dearer than the cheapest by at most this share of its cost (later, for the least time) are polished.
    :raises InputError: If there is no route at any departure: the reason for the first; or for a wrong cluster.
    """
    number = len(departures)
    rows: dict[int, Found] = {}
    polished, broken_off = np.zeros(number, dtype=bool), False

    def search(places: Sequence[int], polish: bool) -> None:
        task = problem, (options or SearchOptions())._replace(polish=polish), goals or (problem.goal,)
        some = [departures[place] for place in places]
        work = _by_processes(task, some, workers or cores()) if dask is None else _by_dask(task, some, dask)
        for at, row in work:
            again = places[at] in rows
            rows[places[at]], polished[places[at]] = row, polish
            if not again:
                progress(len(rows), number)
    try:
        search(range(number), not np.isfinite(near))
        if np.isfinite(near):
            search(_near_cheapest(problem, departures, rows, near), True)
    except KeyboardInterrupt:
        if not any(row[0] for row in rows.values()):
            raise
        broken_off = True
    found, why = zip(*(rows.get(place, (None, NOT_TRIED)) for place in range(number)))
    if not any(found):
        raise InputError(f'no departure has a route; at {exact_seconds(departures[0])}: {why[0]}')
    cost = np.array([one.cost if one else np.nan for one in found])
    return RouteDepartures(np.array(departures, dtype=float), found, cost, why, polished, broken_off)


def _near_cheapest(problem: RouteProblem, departures: Sequence[float], rows: dict[int, Found],
                   near: float) -> list[int]:
    """Return the places of departures whose rough cost (arrival, for the least time) is near the least."""
    found = [rows[place][0] for place in range(len(departures))]
    cost = np.array([one.rough if one else np.nan for one in found])
    if not np.isfinite(cost).any():
        return []
    value = cost + np.array(departures) if problem.objective == 'time' else cost
    return np.flatnonzero(value <= np.nanmin(value) + near * np.nanmin(cost)).tolist()


def route_at_departure(task: DepartureTask, departure: float) -> Found:
    """Return the route of one departure, s, or the reason why there is none."""
    problem, options, goals = task
    try:
        return route_through_goals(goals, problem._replace(depart=departure), options), ''
    except InputError as error:
        return None, str(error)


def _by_processes(task: DepartureTask, departures: Sequence[float], workers: int) -> Iterator[tuple[int, Found]]:
    """Find the first route in this process, so that compiled code exists, and the others in forked processes."""
    yield 0, route_at_departure(task, departures[0])
    others = forked(lambda place: route_at_departure(task, departures[place + 1]), len(departures) - 1, workers)
    yield from ((place + 1, row) for place, row in others)


def _by_dask(task: DepartureTask, departures: Sequence[float], address: str) -> Iterator[tuple[int, Found]]:
    return shared_by_dask(address, route_at_departure, (_picklable_problem(task[0], departures), *task[1:]), departures)


def _picklable_problem(problem: RouteProblem, departures: Sequence[float]) -> RouteProblem:
    """Return a problem that can be sent to other machines: flows of open files become grids in memory."""
    current, wind = (_picklable_flow(flow, room_of(problem), departures) for flow in (problem.current, problem.wind))
    return problem._replace(current=current, wind=wind)


def _picklable_flow(flow: FlowField, room: Extent, departures: Sequence[float]) -> FlowField:
    try:
        pickle.dumps(flow)
        return flow
    except (TypeError, pickle.PicklingError, AttributeError):
        if isinstance(flow, MeanFlow):
            return MeanFlow([_picklable_flow(one, room, departures) for one in flow.flows])
        if not np.isfinite(room).all():
            raise InputError('departures on other machines: the flow is everywhere; give the extent') from None
        last = flow.clock.last - flow.clock.start if isinstance(flow, FlowFile) else max(departures)
        return read_box(flow, room, min(departures), max(last, *departures))


class MeanFlow:
    """The mean of several flows, a FlowField; it has a value where all of them have one."""

    def __init__(self, flows: Sequence[FlowField]) -> None:
        """Take the flows, at least one."""
        self.flows = tuple(flows)
        self._along = [flow_along(flow) for flow in self.flows]
        self.name = f'mean of {len(self.flows)} forecasts'

    def __reduce__(self) -> tuple[type['MeanFlow'], tuple[tuple[FlowField, ...]]]:
        """Return the constructor and its arguments, for pickle."""
        return MeanFlow, (self.flows,)

    @property
    def extent(self) -> Extent:
        """Intersection of the bounding boxes of the flows: xmin, ymin, xmax, ymax, m."""
        boxes = np.array([extent_of(flow) for flow in self.flows])
        low, high = boxes[:, :2].max(axis=0), boxes[:, 2:].min(axis=0)
        return float(low[0]), float(low[1]), float(high[0]), float(high[1])

    def velocity(self, t: float, x: np.ndarray, y: np.ndarray) -> Velocities:
        """Return the mean velocity at many points, at one time; see FlowField.velocity."""
        found = [flow.velocity(t, x, y) for flow in self.flows]
        vx, vy = (np.mean([part[axis] for part in found], axis=0) for axis in (0, 1))
        inside: np.ndarray = np.logical_and.reduce([part[2] for part in found])
        return np.where(inside, vx, np.nan), np.where(inside, vy, np.nan), inside

    def velocities(self, t: np.ndarray, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the mean velocity at many times and places, m/s; NaN where not all flows have a value."""
        found = np.mean([along(t, x, y) for along in self._along], axis=0)
        return found[0], found[1]


def forecast_costs(problems: Sequence[RouteProblem], names: Sequence[str], ways: Sequence[str],
                   routes: Sequence[Route]) -> ForecastCosts:
    """
    Return the energy of routes, followed with their times, in each forecast, and the route of least mean energy.

    A route that the boat cannot follow in some forecast is chosen only if there is no other; then the one with the
    fewest such forecasts.

    :param problems: The same problem in each forecast.
    :param names: Of the forecasts.
    :param ways: The forecast for which each route was found, or MEAN.
    :param routes: The routes that are compared.
    """
    energy = np.array([[float(legs_with_energy(problem, route.time, route.x, route.y, route.speed == 0.0).energy[-1])
                        for problem in problems] for route in routes])
    lacking = np.isnan(energy).sum(axis=1)
    mean = np.where(lacking == lacking.min(), np.nansum(energy, axis=1), np.inf)
    return ForecastCosts(tuple(names), tuple(ways), energy, int(np.argmax(mean <= mean.min() * (1.0 + SAME))))
