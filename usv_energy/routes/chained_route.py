"""The route over several goals in their order, each stretch from when the one before arrives."""

from collections.abc import Sequence

from ..files.errors import InputError
from .find_route import FoundRoute, find_route
from .joined_route import joined_route
from .rough_ways import SearchOptions
from .route_problem import RouteProblem


def chained(goals: Sequence[tuple[float, float]], problem: RouteProblem,
            options: SearchOptions | None = None) -> FoundRoute:
    """
    Return the route over goals in their order, each stretch from when the one before arrives.

    :raises InputError: Where a stretch has no route; with several goals its number is named.
    """
    if len(goals) == 1:
        return find_route(problem._replace(goal=goals[0]), options)
    found: list[FoundRoute] = []
    here, now = problem.start, problem.depart
    for number, goal in enumerate(goals, start=1):
        try:
            found.append(find_route(problem._replace(start=here, goal=goal, depart=now), options))
        except InputError as error:
            raise InputError(f'on the way to goal {number}: {error}') from None
        here, now = goal, float(found[-1].best.time[-1])
    best = joined_route([one.best for one in found])
    straight = [one.straight for one in found if one.straight is not None]
    return FoundRoute(best, (), sum(one.cost for one in found), sum(one.rough for one in found),
                      sum(one.bound for one in found),
                      joined_route(straight) if len(straight) == len(found) else None,
                      tuple(dict.fromkeys(note for one in found for note in one.notes)))
