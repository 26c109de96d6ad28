"""
The route of least energy from a plan's start to its end, as `usv-energy route` finds it.

What finds it is imported where it is used, in a process of its own: it loads 150 MB.
"""

import shlex
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from usv_energy.earth import LocalPlane
from usv_energy.files.errors import InputError
from usv_energy.files.work import Progress
from usv_energy.flow.on_earth import own_frame
from usv_energy.missions.mission import Mission
from usv_energy.web.plan_inputs import ReadPlan, Texts, fitted_boat, flows_of, option_words, read_plan

BOAT_AND_WEATHER = 'boat', 'battery', 'charge', 'hotel', 'payload', 'reserve', 'current', 'wind', 'depart'
Degrees = tuple[float, float]
Words = Callable[[str], str]


class RouteAnswer(NamedTuple):
    """A route: as a mission, its places, degrees, what the command prints, with the command below, and energy, J."""

    mission: Mission
    places: list[Degrees]
    text: str
    energy: float


def ends_of(plan: ReadPlan) -> tuple[Degrees, Degrees]:
    """
    Return latitude and longitude of a plan's start and of its last place, degrees.

    :raises InputError: If it is in local metres, or ends where it starts.
    """
    if plan.placed.origin is None:
        raise InputError('the plan is in local metres: a route needs places on the Earth')
    scenario = plan.placed.scenario
    places = np.array([scenario.start[:2], scenario.waypoints[-1]], dtype=float)
    if float(np.hypot(*(places[1] - places[0]))) < scenario.radius:
        raise InputError('the plan ends where it starts: a route leads from its start to its last place')
    start, goal = np.round(np.column_stack(LocalPlane(plan.placed.origin).to_geodetic(*places.T)), 7).tolist()
    return (start[0], start[1]), (goal[0], goal[1])


def found_route(texts: Texts, named: Texts, land: str, words: Words, progress: Progress) -> RouteAnswer:
    """
    Return the route.

    :param texts: The fields; `named`: the same, with files as the command is to name them.
    :param land: A file of the folder whose areas are not gone through; empty: none.
    :param words: Makes the words that are shown of those of the command.
    :raises InputError: As `read_plan`, `ends_of`, `route_request` and `plan_route`.
    """
    from usv_energy.studies.route.barriers.read_barriers import BarrierFiles
    from usv_energy.studies.route.plan_route import plan_route
    from usv_energy.studies.route.route_order import RouteTerms, route_request
    from usv_energy.studies.route.route_text import route_text
    plan = read_plan(texts)
    ends, boat = ends_of(plan), fitted_boat(texts)
    current, wind = flows_of(texts, boat)
    known = own_frame(current) is not None or own_frame(wind) is not None
    terms = RouteTerms(texts.get('depart') or None, files=BarrierFiles([land] if land else [], clearance=None),
                       reserve=plan.reserve, workers=1, origin=None if known else ends[0], degrees=True)
    request = route_request(boat, [(texts.get('current') or '0,0', current)], wind, ends, terms)
    study = plan_route(request, progress)
    assert study.frame is not None
    latitude, longitude = study.frame.to_geodetic(study.route.x, study.route.y)
    return RouteAnswer(study.as_mission(), list(zip(latitude.tolist(), longitude.tolist())),
                      f'{route_text(study, words)}\n\n{route_command(plan, texts, land, named)}', study.energy)


def route_command(plan: ReadPlan, texts: Texts, land: str, named: Texts | None = None) -> str:
    """Return the command that finds the same route; `named`: the fields, with files as the command is to name them."""
    ends, boat = ends_of(plan), fitted_boat(texts)
    known = any(own_frame(flow) is not None for flow in flows_of(texts, boat))
    words = ['usv-energy', 'route', '--degrees']
    for option, place in (('--from', ends[0]), ('--to', ends[1]), *(() if known else (('--origin', ends[0]),))):
        words += [option, *(repr(value) for value in place)]
    return shlex.join([*words, *option_words(named or texts, BOAT_AND_WEATHER), *(['--land', land] if land else [])])


