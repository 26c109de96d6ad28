"""The search by labels: closed forms within the lattice's own error, both bodies alike, and what being early costs."""

import math

import numpy as np
import pytest
from route_flows import four_vortices, sink_and_vortex
from search_cases import label_parts, problem_of

from usv_energy.studies.route.search.label_search import cheapest_labels

LATTICE = 0.5 * math.atan(1.0 / 5.0)    # Half of the widest angle between two moves of at most five steps an axis.


@pytest.mark.parametrize('u, v', [(0.0, 0.0), (0.5, 0.0), (-0.5, 0.2), (0.3, 0.6)])
def test_arrivals_in_a_uniform_current_are_zermelos_within_the_lattices_error(u, v):
    """The way is straight: |x - c T| = s T."""
    prepared, moves, task = label_parts(problem_of(lambda t, x, y: (u + 0.0 * x, v + 0.0 * x)))
    labels = cheapest_labels(prepared.field, moves, task)
    x, y = prepared.grid.places(np.arange(prepared.grid.size))
    row, column = np.divmod(np.arange(prepared.grid.size), prepared.grid.lattice.columns)
    inner = (np.minimum(row, prepared.grid.lattice.rows - 1 - row) > 6) & (column > 6)
    found = (labels.cost <= task.slack * labels.cost[task.end]) & inner & (np.hypot(x, y) > 0.4)
    ahead, square, spare = u * x + v * y, x * x + y * y, 1.0 - u * u - v * v
    exact = (np.sqrt(ahead * ahead + spare * square) - ahead) / spare
    ratio = labels.cost[found] / exact[found]
    error = (1.0 / math.cos(LATTICE) - 1.0) / (1.0 - math.hypot(u, v))
    assert ratio.min() > 1.0 - 1e-5 and ratio.max() < 1.0 + 1.5 * error


@pytest.mark.parametrize('function, end', [(None, 10.0), (four_vortices, 40.0), (sink_and_vortex, 3.0)])
def test_rounds_over_arrays_find_what_labels_one_by_one_find(function, end):
    pytest.importorskip('numba')
    goal = (1.0, 0.4) if function is not four_vortices else (6.0, 2.0)
    prepared, moves, task = label_parts(problem_of(function, goal=goal), 900, end, radius=3)
    one, other = (cheapest_labels(prepared.field, moves, task, way) for way in (True, False))
    sure = np.isfinite(one.cost) & (one.cost <= task.slack * one.cost[prepared.grid.goal])
    np.testing.assert_allclose(other.cost[sure], one.cost[sure], rtol=1e-9)
    np.testing.assert_allclose(other.energy[sure], one.energy[sure], rtol=1e-9)


def test_the_way_back_from_the_goal_takes_as_long():
    prepared, moves, task = label_parts(problem_of(sink_and_vortex, (0.2, 0.1), (0.9, 0.5)), 3000, 6.0)
    there = cheapest_labels(prepared.field, moves, task)
    arrival = there.time[task.end]
    back = cheapest_labels(prepared.field, moves, task._replace(begin=task.end, end=task.begin, time=arrival,
                                                                sign=-1.0))
    assert back.cost[task.begin] == pytest.approx(there.cost[task.end], rel=3e-3)
    assert back.time[task.begin] == pytest.approx(0.0, abs=3e-3 * arrival)


@pytest.mark.parametrize('use_numba', [True, False])
def test_a_bound_on_the_rest_saves_labels_and_changes_no_cost_that_matters(use_numba):
    flow = lambda t, x, y: (0.2 * np.sin(3.0 * y), 0.2 * np.cos(2.0 * x + t))  # noqa: E731
    prepared, moves, task = label_parts(problem_of(flow, (0.2, 0.1), (0.9, 0.5)), 900, 6.0, radius=3)
    x, y = prepared.grid.places(np.arange(prepared.grid.size))
    fastest = 1.0 + float(prepared.cube.strongest.max())
    bounded = task._replace(rest=np.hypot(x - 0.9, y - 0.5) / fastest)
    plain, other = (cheapest_labels(prepared.field, moves, one, use_numba) for one in (task, bounded))
    worth = plain.cost + bounded.rest <= task.slack * plain.cost[task.end]
    np.testing.assert_allclose(other.cost[worth], plain.cost[worth], rtol=1e-12)
    assert np.isfinite(other.cost).sum() <= (0.8 if use_numba else 1.0) * np.isfinite(plain.cost).sum()
    shut = cheapest_labels(prepared.field, moves, task._replace(rest=np.where(x < 0.5, 0.0, np.inf)), use_numba)
    assert not np.isfinite(shut.cost[x >= 0.5]).any() and np.isfinite(shut.cost[x < 0.45]).any()


def sluice(t, x, y):
    """A race to the north, three times as fast as the boat, that is over at 1.2 s."""
    return 0.0 * x, np.where((x > 0.35) & (x < 0.65) & (t < 1.2), 3.0, 0.0)


@pytest.mark.parametrize('use_numba', [True, False])
def test_where_the_current_is_stronger_than_the_boat_it_waits_until_that_is_over(use_numba):
    """The race sweeps the boat out of the extent: with one label a place there is no way, or a bad one."""
    problem = problem_of(sluice, extent=(-0.3, -0.15, 1.3, 0.15))
    prepared, moves, task = label_parts(problem, 1500 if use_numba else 400, 4.0, intervals=20)
    several = cheapest_labels(prepared.field, moves, task, use_numba)
    alone = cheapest_labels(prepared.field, moves, task._replace(
        intervals=1, single=np.full(prepared.grid.size, True)), use_numba)
    cost = several.at_points(20)[0]
    assert 1.2 + 0.3 < cost[task.end] < 1.2 + 0.65 + 0.25
    assert cost[task.end] < 0.98 * alone.cost[task.end]


def test_the_flows_end_is_told():
    prepared, moves, task = label_parts(problem_of(lambda t, x, y: (-0.8 + 0.01 * t + 0.0 * x, 0.0 * y)), end=2.0)
    labels = cheapest_labels(prepared.field, moves, task)
    assert labels.ended and not math.isfinite(labels.cost[task.end])
