"""Routes of several departures: found side by side, by forked processes here or by Dask; when it is best to leave."""

import pickle
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ..files.errors import InputError
from ..files.forked_work import cores, forked
from ..files.progress_protocol import Progress, no_progress
from ..flow.field import Extent, FlowField
from ..flow.flow_box import read_box
from ..flow.flow_file import FlowFile
from ..sweep.dask_cluster import shared_by_dask
from .chained_route import chained
from .find_route import FoundRoute
from .forecasts import MeanFlow
from .rough_ways import SearchOptions
from .route_problem import RouteProblem
from .search_grid import room_of

Found = tuple[FoundRoute | None, str]
Goals = tuple[tuple[float, float], ...]
Asked = tuple[RouteProblem, SearchOptions, Goals]


class RouteDepartures(NamedTuple):
    """
    Routes by their departures.

    `departure`: s of the flow's clock, shape (n,); `found`: the route of each, None where there is none, or where it
    was broken off before; `cost`: J or s as the problem counts, NaN where none; `why`: why there is none, '' else.
    `broken_off`: whether somebody broke it off.
    """

    departure: np.ndarray
    found: tuple[FoundRoute | None, ...]
    cost: np.ndarray
    why: tuple[str, ...]
    broken_off: bool = False

    @property
    def best(self) -> int:
        """Place of the departure that costs the least, the first of equals."""
        return int(np.nanargmin(self.cost))


def route_departures(problem: RouteProblem, departures: Sequence[float], options: SearchOptions | None = None,
                     workers: int | None = None, dask: str | None = None, progress: Progress = no_progress,
                     goals: Goals | None = None) -> RouteDepartures:
    """
    Return the best route of each departure. Ctrl-C ends it with those that are done, if there are any.

    A worker that is killed costs the departure that it was at, which another looks at again.

    :param problem: Its own departure does not count; `arrive_by` holds for all.
    :param departures: s of the flow's clock, at least one.
    :param workers: Processes on this machine; None: one a core.
    :param dask: Instead of these: the address of a scheduler, or `local:N`, as a sweep takes it.
    :param goals: Passed in their order, east and north, m; None: that of the problem.
    :raises InputError: Where there is no route at any departure: the reason of the first; or for a cluster.
    """
    asked = problem, options or SearchOptions(), goals or (problem.goal,)
    rows: dict[int, Found] = {}
    broken_off = False
    work = _by_dask(asked, departures, dask) if dask is not None else _here(asked, departures, workers or cores())
    try:
        for place, row in work:
            rows[place] = row
            progress(len(rows), len(departures))
    except KeyboardInterrupt:
        if not any(row[0] for row in rows.values()):
            raise
        broken_off = True
    found = tuple(rows.get(place, (None, ''))[0] for place in range(len(departures)))
    why = tuple(rows.get(place, (None, 'broken off before it was looked at'))[1] for place in range(len(departures)))
    if not any(found):
        raise InputError(f'no departure has a route; at {departures[0]:g} s: {why[0]}')
    cost = np.array([one.cost if one else np.nan for one in found])
    return RouteDepartures(np.array(departures, dtype=float), found, cost, why, broken_off)


def found_at(asked: Asked, departure: float) -> Found:
    """Return the route of one departure, s, or why there is none."""
    problem, options, goals = asked
    try:
        return chained(goals, problem._replace(depart=departure), options), ''
    except InputError as error:
        return None, str(error)


def _here(asked: Asked, departures: Sequence[float], workers: int) -> Iterator[tuple[int, Found]]:
    """Find the first one here, which compiles what there is to compile, and the others by forked processes."""
    yield 0, found_at(asked, departures[0])
    others = forked(lambda place: found_at(asked, departures[place + 1]), len(departures) - 1, workers)
    yield from ((place + 1, row) for place, row in others)


def _by_dask(asked: Asked, departures: Sequence[float], address: str) -> Iterator[tuple[int, Found]]:
    return shared_by_dask(address, found_at, (_sent(asked[0], departures), *asked[1:]), departures)


def _sent(problem: RouteProblem, departures: Sequence[float]) -> RouteProblem:
    """Return a problem that can be sent to other processes: flows of open files as grids in memory."""
    current, wind = (_portable(flow, room_of(problem), departures) for flow in (problem.current, problem.wind))
    return problem._replace(current=current, wind=wind)


def _portable(flow: FlowField, room: Extent, departures: Sequence[float]) -> FlowField:
    try:
        pickle.dumps(flow)
        return flow
    except (TypeError, pickle.PicklingError, AttributeError):
        if isinstance(flow, MeanFlow):
            return MeanFlow([_portable(one, room, departures) for one in flow.flows])
        if not np.isfinite(room).all():
            raise InputError('departures on other machines: the flow is everywhere; give the extent') from None
        last = flow.clock.last - flow.clock.start if isinstance(flow, FlowFile) else max(departures)
        return read_box(flow, room, min(departures), max(last, *departures))
