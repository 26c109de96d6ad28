"""Moves on a lattice: their integrals, the error of their directions, detours around what has no water."""

import math

import numpy as np
import pytest

from usv_energy.studies.maps.lattice import (
    Lattice,
    cheapest_paths,
    direction_error,
    move_costs,
    moves_of,
    path_to,
    reach_in_directions,
)


def test_every_move_stands_once_and_they_go_all_around():
    moves = moves_of(Lattice(0.0, 0.0, 0.3, 1.0, 9, 9), radius=5)
    assert len(set(zip(moves.columns, moves.rows))) == len(moves.columns) == 80
    np.testing.assert_allclose(np.cos(moves.direction - 0.3), moves.columns / np.hypot(moves.columns, moves.rows),
                               atol=1e-15)


def test_a_move_integrates_a_linear_cost_exactly():
    lattice = Lattice(0.0, 0.0, 0.0, 2.0, 12, 11)
    moves = moves_of(lattice)
    x, y = lattice.points()
    cost = np.repeat((1.0 + 0.3 * x + 0.2 * y)[..., None], moves.direction.size, axis=2)
    total = move_costs(lattice, moves, cost)
    inside = np.isfinite(total)
    row, column, k = np.nonzero(inside)
    middle_x, middle_y = 2.0 * column + moves.columns[k], 2.0 * row + moves.rows[k]
    length = 2.0 * np.hypot(moves.columns[k], moves.rows[k])
    np.testing.assert_allclose(total[inside], length * (1.0 + 0.3 * middle_x + 0.2 * middle_y), rtol=1e-12)
    row, column = row + moves.rows[k], column + moves.columns[k]
    assert ((row >= 0) & (row < 11) & (column >= 0) & (column < 12)).all()


def test_more_moves_state_and_make_a_smaller_error():
    fine = np.radians(np.arange(0.0, 360.0, 0.25))
    lattice = Lattice(0.0, 0.0, 0.0, 1.0, 50, 50)
    errors = []
    for radius in (1, 2, 4, 8):
        moves = moves_of(lattice, radius)
        errors.append(direction_error(moves.direction, np.ones(moves.direction.size), fine, np.ones(fine.size)))
        assert errors[-1] == pytest.approx(1.0 / math.cos(0.5 * math.atan(1.0 / radius)) - 1.0, rel=2e-2)
    ratios = np.array(errors[1:]) / errors[:-1]
    assert (ratios < 0.34).all(), 'second order in the gap'


def test_a_dear_direction_is_gone_by_zigzag():
    directions = np.radians(np.arange(0.0, 360.0, 1.0))
    cost = np.where(np.abs(directions) < 1e-9, 50.0, 1.0)
    reach = reach_in_directions(directions, cost, np.zeros(1))[0]
    assert reach == pytest.approx(math.cos(math.radians(1.0)), rel=1e-12)


def test_where_one_direction_is_left_it_is_the_only_one_and_none_is_none():
    directions = np.radians(np.arange(0.0, 360.0, 10.0))
    one = np.where(np.arange(36) == 3, 2.0, np.inf)
    wanted = np.radians([25.0, 30.0, 210.0])
    np.testing.assert_array_equal(reach_in_directions(directions, one, wanted), [0.0, 0.5, 0.0])
    np.testing.assert_array_equal(reach_in_directions(directions, np.full(36, np.inf), wanted), 0.0)


def test_directions_that_the_moves_miss_altogether_are_an_error_without_end():
    coarse, fine = np.radians(np.arange(0.0, 360.0, 10.0)), np.radians(np.arange(0.0, 360.0, 1.0))
    cost = np.where((fine > np.radians(22.5)) & (fine < np.radians(28.5)), 1.0, np.inf)
    assert direction_error(coarse, cost[::10], fine, cost) == math.inf
    assert direction_error(fine, cost, fine, cost) == 0.0


def test_ways_go_around_what_has_no_water():
    """A wall with a gap: the way through the gap is its own length, to the lattice's error."""
    lattice = Lattice(0.0, 0.0, 0.0, 1.0, 41, 41)
    moves = moves_of(lattice)
    cost = np.ones((41, 41, moves.direction.size))
    cost[:35, 20] = np.inf
    costs, before = cheapest_paths(lattice, moves, move_costs(lattice, moves, cost), 10 * 41 + 5)
    expected = 2.0 * math.hypot(15.0, 25.0)
    assert expected <= costs[10, 35] <= 1.006 * expected
    rows, columns = np.divmod(path_to(before, 10 * 41 + 35), 41)
    assert (rows[columns == 20] >= 35).all()
