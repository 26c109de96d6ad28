"""The least cost to each place around a route, for lines of equal time or energy on a map."""

import math
from typing import NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.studies.route.route_problem import Route, RouteProblem
from usv_energy.studies.route.search.flow_cube import is_steady
from usv_energy.studies.route.search.hop_search import hops_forwards
from usv_energy.studies.route.search.label_search import cheapest_labels
from usv_energy.studies.route.search.rough_ways import SearchOptions, label_task, lattice_moves, prepared_search

LABELS = SearchOptions(points=9_000, slack=math.inf)
HOP_POINTS = 2_500
FARTHER = 1.3           # times the route's duration: end of the search


class ReachedCost(NamedTuple):
    """
    The least cost of reaching places from the start, at any time, on a lattice.

    `x`, `y`: of the lattice's points, m, shape (rows, columns); `cost`: s or J, NaN if out of reach, same shape;
    `of_time`: whether it is time; `goal`: the cost of the goal on the lattice.
    """

    x: np.ndarray
    y: np.ndarray
    cost: np.ndarray
    of_time: bool
    goal: float


def reached_cost(problem: RouteProblem, route: Route) -> ReachedCost | None:
    """
    Return the least time, or the least energy, to each place around a route; None if the lattice has no way.

    It is computed with labels for the least time, at one speed, and in a steady flow; else with layers of time. The
    costs are those on the lattice, some percent above those of polished routes.

    :param problem: Of the route, with its departure; its goal is the only one.
    """
    end = problem.depart + FARTHER * route.duration
    of_time = problem.objective == 'time'
    try:
        if of_time or problem.speed is not None or is_steady(problem, end):
            prepared = prepared_search(problem, LABELS.points, LABELS.margin, end)
            task = label_task(problem, LABELS, prepared)
            labels = cheapest_labels(prepared.field, lattice_moves(problem, LABELS, prepared), task)
            cost = labels.at_points(task.intervals)[0]
        else:
            found = hops_forwards(problem, HOP_POINTS, LABELS.margin, end, math.inf)
            prepared, cost = found.prepared, found.layers.energy.min(axis=0)
    except InputError:
        return None
    lattice, goal = prepared.grid.lattice, float(cost[prepared.grid.goal])
    if not math.isfinite(goal):
        return None
    x, y = lattice.points()
    shown = np.where(np.isfinite(cost) & ~prepared.closed, cost, np.nan).reshape(lattice.rows, lattice.columns)
    return ReachedCost(x, y, shown, of_time, goal)
