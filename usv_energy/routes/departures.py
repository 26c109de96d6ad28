"""Routes of several departures: found side by side, by forked processes here or by Dask; when it is best to leave."""

import pickle
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ..files.errors import InputError
from ..files.forked_work import cores, forked
from ..files.progress_protocol import Progress, no_progress
from ..flow.flow_box import read_box
from ..flow.flow_file import FlowFile
from ..sweep.dask_cluster import shared_by_dask
from .find_route import FoundRoute, find_route
from .rough_ways import SearchOptions
from .route_problem import RouteProblem
from .search_grid import room_of

Found = tuple[FoundRoute | None, str]


class RouteDepartures(NamedTuple):
    """
    Routes by their departures.

    `departure`: s of the flow's clock, shape (n,); `found`: the route of each, None where there is none, or where it
    was broken off before; `cost`: J or s as the problem counts, NaN where none; `why`: why there is none, '' else.
    """

    departure: np.ndarray
    found: tuple[FoundRoute | None, ...]
    cost: np.ndarray
    why: tuple[str, ...]

    @property
    def best(self) -> int:
        """Place of the departure that costs the least, the first of equals."""
        return int(np.nanargmin(self.cost))


def route_departures(problem: RouteProblem, departures: Sequence[float], options: SearchOptions | None = None,
                     workers: int | None = None, dask: str | None = None,
                     progress: Progress = no_progress) -> RouteDepartures:
    """
    Return the best route of each departure. Ctrl-C ends it with those that are done, if there are any.

    :param problem: Its own departure does not count; `arrive_by` holds for all.
    :param departures: s of the flow's clock, at least one.
    :param workers: Processes on this machine; None: one a core.
    :param dask: Instead of these: the address of a scheduler, or `local:N`, as a sweep takes it.
    :raises InputError: Where there is no route at any departure: the reason of the first; or for a cluster.
    """
    options = options or SearchOptions()
    rows: dict[int, Found] = {}
    work = _by_dask(problem, departures, options, dask) if dask is not None else _here(
        problem, departures, options, workers or cores())
    try:
        for place, row in work:
            rows[place] = row
            progress(len(rows), len(departures))
    except KeyboardInterrupt:
        if not any(row[0] for row in rows.values()):
            raise
    found = tuple(rows.get(place, (None, ''))[0] for place in range(len(departures)))
    why = tuple(rows.get(place, (None, 'broken off before it was looked at'))[1] for place in range(len(departures)))
    if not any(found):
        raise InputError(why[0])
    cost = np.array([one.cost if one else np.nan for one in found])
    return RouteDepartures(np.array(departures, dtype=float), found, cost, why)


def found_at(asked: tuple[RouteProblem, SearchOptions], departure: float) -> Found:
    """Return the route of one departure, s, or why there is none."""
    try:
        return find_route(asked[0]._replace(depart=departure), asked[1]), ''
    except InputError as error:
        return None, str(error)


def _here(problem: RouteProblem, departures: Sequence[float], options: SearchOptions,
          workers: int) -> Iterator[tuple[int, Found]]:
    """Find the first one here, which compiles what there is to compile, and the others by forked processes."""
    yield 0, found_at((problem, options), departures[0])
    others = forked(lambda place: found_at((problem, options), departures[place + 1]), len(departures) - 1, workers)
    yield from ((place + 1, row) for place, row in others)


def _by_dask(problem: RouteProblem, departures: Sequence[float], options: SearchOptions,
             address: str) -> Iterator[tuple[int, Found]]:
    return shared_by_dask(address, found_at, (_sent(problem, departures), options), departures)


def _sent(problem: RouteProblem, departures: Sequence[float]) -> RouteProblem:
    """Return a problem that can be sent to other processes: flows of open files as grids in memory."""
    try:
        pickle.dumps(problem.current), pickle.dumps(problem.wind)
        return problem
    except (TypeError, pickle.PicklingError, AttributeError):
        room = room_of(problem)
        if not np.isfinite(room).all():
            raise InputError('departures on other machines: the flow is everywhere; give the extent') from None
        clocks = [flow.clock for flow in (problem.current, problem.wind) if isinstance(flow, FlowFile)]
        last = max([clock.last - clock.start for clock in clocks] + list(departures))
        current, wind = (read_box(flow, room, min(departures), last) for flow in (problem.current, problem.wind))
        return problem._replace(current=current, wind=wind)
