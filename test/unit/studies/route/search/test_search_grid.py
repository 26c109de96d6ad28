"""Start and goal lie on the lattice, and its open moves keep off barriers and dry points."""

import math

import numpy as np
import pytest
from route_flows import Box, Disc
from search_cases import problem_of

from usv_energy.files.errors import InputError
from usv_energy.studies.maps.lattice import moves_of
from usv_energy.studies.route.search.flow_cube import closed_points, most_beside, open_moves, search_grid


@pytest.mark.parametrize('start, goal', [
    ((0.0, 0.0), (1.0, 0.0)), ((-3e3, 70.0), (5e3, -900.0)), ((2.0, 1.0), (2.0, -4.0))])
def test_start_and_goal_are_points_of_the_lattice(start, goal):
    grid = search_grid(problem_of(start=start, goal=goal), 3000, 0.5)
    x, y = grid.places(np.array([grid.start, grid.goal]))
    np.testing.assert_allclose((x, y), np.transpose([start, goal]), rtol=1e-12, atol=1e-12 * math.dist(start, goal))
    everywhere = grid.places(np.arange(grid.size))
    np.testing.assert_allclose(everywhere, [part.ravel() for part in grid.lattice.points()], rtol=1e-12, atol=1e-9)
    assert 0.8 * 3000 < grid.size < 1.3 * 3000


def test_the_lattice_ends_with_the_extent():
    grid = search_grid(problem_of(extent=(-0.1, -0.2, 1.2, 0.1)), 3000, 0.75)
    x, y = grid.lattice.points()
    h = grid.lattice.spacing
    assert (x.min(), y.min()) == pytest.approx((-0.1, -0.2), abs=h) and x.min() >= -0.1 - 1e-9
    assert (x.max(), y.max()) == pytest.approx((1.2, 0.1), abs=h) and y.max() <= 0.1 + 1e-9


def test_places_that_are_none_are_refused():
    with pytest.raises(InputError, match='must be two places'):
        search_grid(problem_of(goal=(0.0, 0.0)), 1000, 0.5)
    with pytest.raises(InputError, match='the goal, x = 1 m, y = 0 m: lies outside'):
        search_grid(problem_of(extent=(-1.0, -1.0, 0.9, 1.0)), 1000, 0.5)


@pytest.mark.parametrize('barrier', [Disc(0.5, 0.02, 0.2), Box(0.42, -0.3, 0.421, 0.2)], ids=('disc', 'thin wall'))
def test_open_moves_are_those_that_meet_no_barrier(barrier):
    problem = problem_of(barriers=barrier)
    grid = search_grid(problem, 2000, 0.5)
    moves = moves_of(grid.lattice, 4)
    closed = closed_points(grid, problem, np.full(grid.size, True))
    is_open = open_moves(grid, moves, closed, barrier).astype(bool)
    lattice = grid.lattice
    row, column = np.divmod(np.arange(grid.size), lattice.columns)
    for k, (i, j) in enumerate(zip(moves.columns, moves.rows)):
        inner = (column + i >= 0) & (column + i < lattice.columns) & (row + j >= 0) & (row + j < lattice.rows)
        begin = np.flatnonzero(inner)
        free = ~barrier.crossed(*grid.places(begin), *grid.places(begin + j * lattice.columns + i))
        free &= ~closed[begin] & ~closed[begin + j * lattice.columns + i]
        assert not is_open[~inner, k].any()
        assert not (is_open[begin, k] & ~free).any()          # Never through a barrier,
        assert (is_open[begin, k] == free).mean() > 0.99       # and hardly ever shut for nothing.


def test_moves_do_not_leap_over_dry_points():
    problem = problem_of()
    grid = search_grid(problem, 2000, 0.5)
    wet = np.full((grid.lattice.rows, grid.lattice.columns), True)
    wet[:, 20] = False
    moves = moves_of(grid.lattice, 5)
    is_open = open_moves(grid, moves, closed_points(grid, problem, wet.ravel()), problem.barriers)
    column = np.arange(grid.size) % grid.lattice.columns
    for k, i in enumerate(moves.columns):
        assert not is_open[(column < 20) & (column + i >= 20), k].any()


def test_the_most_beside_a_point_is_that_of_its_square():
    values = np.zeros((6, 8))
    values[1, 2], values[4, 7] = 3.0, -1.0
    row, column = np.indices(values.shape)
    expected = np.where((abs(row - 1) <= 2) & (abs(column - 2) <= 2), 3.0, 0.0)
    np.testing.assert_array_equal(most_beside(values, 2), expected)
