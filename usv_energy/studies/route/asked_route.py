"""The request of a route as it is asked for: places, forecasts and barriers in one world, on one clock, checked."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat, require_motion
from usv_energy.earth import Place
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.departure import departures_on_clock, flow_seconds
from usv_energy.flow.field import Extent
from usv_energy.flow.flow_file import FlowFile
from usv_energy.flow.on_earth import WorldFrame, laid_on_earth, own_frame, remarks_of
from usv_energy.missions.mission import checked_place
from usv_energy.studies.route.barriers.read_barriers import BarrierFiles, boat_barriers
from usv_energy.studies.route.plan_route import RouteRequest
from usv_energy.studies.route.route_order import frame_of
from usv_energy.studies.route.route_problem import Objective, PowerLaw, RouteProblem

Point = tuple[float, float]
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
    if frame is not None:
        currents[1:] = [(name, laid_on_earth(flow, frame, 'the route')) for name, flow in currents[1:]]
    for remark in remarks_of(*(flow for _, flow in currents), wind):
        say(remark)
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
        raise InputError(f'--arrive-by is {arrive_by:g} s; must be after the last departure, {departures[-1]:g} s')
    if arrive_by is not None and terms.least == 'time':
        raise InputError('--arrive-by goes with --least energy: the least time is there as early as can be')


def _in_metres(places: Sequence[Point], frame: WorldFrame | None) -> list[Point]:
    """Return places in degrees as places in the world, m."""
    if frame is None:
        raise InputError("--degrees: nobody says where on the Earth the world's metres lie; give --origin LATITUDE "
                         'LONGITUDE')
    checked: list[Place] = [checked_place(*place, '--from' if number == 0 else '--to')
                            for number, place in enumerate(places)]
    east, north = frame.to_local(*np.array(checked).T)
    return list(zip(east.tolist(), north.tolist()))
