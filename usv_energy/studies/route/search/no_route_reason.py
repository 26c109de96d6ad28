"""The reason why there is no route, found by searching again without the barriers and without the current."""

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.studies.route.barriers.area_barriers import NoBarriers
from usv_energy.studies.route.route_problem import RouteProblem
from usv_energy.studies.route.search.rough_ways import RoughWays, SearchOptions, rough_ways_by_labels

FEW = 6000      # Number of points of the lattices of these searches.


def no_route_reason(problem: RouteProblem, options: SearchOptions, rough: RoughWays) -> str:
    """
    Return the reason why there is no route, as a sentence.

    :param rough: The result of the failed search.
    """
    place = f'the goal, x = {problem.goal[0]:g} m, y = {problem.goal[1]:g} m, cannot be reached'
    cube = rough.prepared.cube
    most = float(problem.cost.top_speed(np.zeros(1), np.zeros(1))[0])
    if problem.speed is not None and problem.speed > most:
        return (f'{place} at {problem.speed:g} m/s through the water: the boat holds at most {most:.3g} m/s in water '
                'and air at rest')
    if rough.ways:
        rough_time = rough.ways[0][0][-1]
        if problem.arrive_by is not None and rough_time > problem.arrive_by:
            return f'{place} by {problem.arrive_by:g} s: the earliest arrival is about {rough_time:g} s'
        return f'{place}: the ways that the search found cannot be gone in the flow itself; more points may help'
    few = options._replace(points=min(options.points, FEW))
    fast = problem._replace(objective='time', arrive_by=None)
    end = cube.end if len(cube.current) > 1 else problem.depart
    if problem.arrive_by is not None and _reached(fast, few, end):
        return (f'{place} by {problem.arrive_by:g} s: it takes longer at '
                f'{"the highest speed" if problem.speed is None else f"{problem.speed:g} m/s"}')
    if _reached(fast._replace(barriers=NoBarriers()), few, end):
        return f'{place}: land or closed areas are in the way'
    if rough.ended:
        return f'{place}: the flow ends at {cube.end:g} s, before the boat could arrive'
    if _reached(fast._replace(current=UniformFlow()), few, end):
        return f'{place}: the current is too strong for the boat'
    return f'{place}: dry places, land and current together are in the way'


def _reached(problem: RouteProblem, options: SearchOptions, end: float) -> bool:
    try:
        return bool(rough_ways_by_labels(problem, options, end).ways)
    except InputError:
        return False
