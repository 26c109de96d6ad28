"""Problems for the tests of the search, and the parts of one that they look at."""

import math

import numpy as np
from route_flows import ClosedForm

from usv_energy.flow.analytic import UniformFlow
from usv_energy.studies.maps.lattice import moves_of
from usv_energy.studies.route.barriers.area_barriers import NoBarriers
from usv_energy.studies.route.route_problem import PowerLaw, RouteProblem
from usv_energy.studies.route.search.flow_cube import open_moves
from usv_energy.studies.route.search.label_search import LabelTask, LatticeMoves
from usv_energy.studies.route.search.rough_ways import prepared_search


def problem_of(function=None, start=(0.0, 0.0), goal=(1.0, 0.0), **settings):
    """Return a problem in a flow in closed form, at 1 m/s for the least time if nothing else is said."""
    current = UniformFlow() if function is None else ClosedForm(function)
    return RouteProblem(start, goal, **{
        'cost': PowerLaw(1.0, 3.0, 1.0, 5.0), 'current': current, 'wind': UniformFlow(), 'barriers': NoBarriers(),
        'objective': 'time', 'speed': 1.0, **settings})


def eddies(seed, number=12, strength=0.75):
    """Return a flow of eddies, Gaussian in their stream function, in the unit square and around it."""
    rng = np.random.default_rng(seed)
    x0, y0 = rng.uniform(-0.2, 1.2, number), rng.uniform(-0.6, 0.6, number)
    size = rng.uniform(0.08, 0.2, number)
    swirl = rng.choice((-1.0, 1.0), number) * rng.uniform(0.5, 1.0, number) * strength * math.sqrt(math.e)

    def flow(t, x, y):
        u, v = 0.0 * x, 0.0 * x
        for east, north, radius, rate in zip(x0, y0, size, swirl):
            dx, dy = (x - east) / radius, (y - north) / radius
            share = rate * np.exp(-0.5 * (dx * dx + dy * dy))
            u, v = u - share * dy, v + share * dx
        return u, v
    return flow


def label_parts(problem, points=2000, end=10.0, radius=5, intervals=1):
    """Return what a search by labels takes: the prepared flow, moves, and the task from the start on."""
    prepared = prepared_search(problem, points, 0.75, end)
    grid = prepared.grid
    every = moves_of(grid.lattice, radius)
    parts = np.maximum(np.abs(every.columns), np.abs(every.rows))
    moves = LatticeMoves(*(np.ascontiguousarray(part, dtype=np.int64) for part in (every.columns, every.rows, parts)),
                         open_moves(grid, every, prepared.closed, problem.barriers))
    task = LabelTask(grid.start, grid.goal, problem.depart, 1.0, np.array([problem.speed or -1.0]), 1.0, 0.0, 1.2,
                     intervals, end / intervals, np.full(grid.size, intervals == 1),
                     prepared.cube.strongest <= 1.0, np.zeros(grid.size))
    return prepared, moves, task


def earliest_arrival(function, start, goal, longest, headings=2400, step=0.004, speed=1.0):
    """
    Return the earliest arrival, s, without any of the package: a fan of extremals, whose front sweeps over the goal.

    Zermelo's equation for the heading (Bryson and Ho, Applied Optimal Control, 1975, 2.7), for all headings; the goal
    is reached when it lies between two neighbours, then and a step later.
    """
    def rate(t, state):
        x, y, angle = state
        h = 1e-5
        ux, vx = np.subtract(function(t, x + h, y), function(t, x - h, y)) / (2.0 * h)
        uy, vy = np.subtract(function(t, x, y + h), function(t, x, y - h)) / (2.0 * h)
        u, v = function(t, x, y)
        s, c = np.sin(angle), np.cos(angle)
        return np.array([u + speed * c, v + speed * s, s * s * vx + s * c * (ux - vy) - c * c * uy])

    angle = np.linspace(0.0, 2.0 * np.pi, headings)
    state = np.array([np.full(headings, start[0]), np.full(headings, start[1]), angle])
    for n in range(int(longest / step)):
        t = n * step
        k1 = rate(t, state)
        k2 = rate(t + 0.5 * step, state + 0.5 * step * k1)
        k3 = rate(t + 0.5 * step, state + 0.5 * step * k2)
        new = state + step / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + rate(t + step, state + step * k3))
        for (a, b, c), later in (((state[:2, :-1], state[:2, 1:], new[:2, :-1]), (0.0, 0.0, 1.0)),
                                 ((new[:2, 1:], new[:2, :-1], state[:2, 1:]), (1.0, 1.0, 0.0))):
            first, second, to = b - a, c - a, np.array(goal)[:, None] - a
            area = first[0] * second[1] - first[1] * second[0]
            with np.errstate(divide='ignore', invalid='ignore'):
                p = (to[0] * second[1] - to[1] * second[0]) / area
                q = (first[0] * to[1] - first[1] * to[0]) / area
            inside = np.flatnonzero((p >= 0.0) & (q >= 0.0) & (p + q <= 1.0))
            if inside.size:
                k = inside[0]
                return t + step * (later[0] + p[k] * (later[1] - later[0]) + q[k] * (later[2] - later[0]))
        state = new
    return math.inf
