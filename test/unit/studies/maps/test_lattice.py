"""Moves on a lattice: their integrals, the error of their directions, detours around what has no water."""

import math

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.analytic import River, UniformFlow
from usv_energy.physics.motion import Flow
from usv_energy.studies.maps.lattice import (
    CurrentAndWind,
    Lattice,
    cheapest_paths,
    costs_at,
    direction_error,
    flows_at,
    move_costs,
    moves_of,
    path_to,
    reach_in_directions,
)
from usv_energy.studies.plan.steady_range import TIME_ONLY, cheapest_motions


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


LUTRA = read_boat('lutra_prop').vessel._replace(static_load=5.0)
RIVER = River({'speed': 0.6, 'direction_deg': 0.0, 'width': 60.0, 'length': 400.0, 'bank_layer': 20.0})
SPEEDS = np.linspace(0.05, 1.7, 12)
DIRECTIONS = np.radians([0.0, 90.0, 200.0])
PRICES = (0.0, 10.0, TIME_ONLY)


def test_each_point_costs_what_its_own_flow_makes_it_cost_and_nothing_leads_over_land():
    x, y = np.meshgrid([0.0, 30.0], [0.0, 25.0, 31.0])
    flows = flows_at(CurrentAndWind(RIVER, UniformFlow(1.0, 2.0)), x, y)
    assert flows.inside.tolist() == [True, True, True, True, False, False]
    np.testing.assert_array_equal(flows.values[:, 2:], np.tile([1.0, 2.0], (6, 1)))
    found = costs_at(LUTRA, flows, DIRECTIONS, SPEEDS, PRICES)
    assert found.cost.shape == (3, 6, 3)
    assert np.isinf(found.cost[:, 4:]).all() and np.isinf(found.slowness[:, 4:]).all()
    for point in np.flatnonzero(flows.inside):
        current_x, current_y, wind_x, wind_y = flows.values[point]
        own = cheapest_motions(LUTRA, DIRECTIONS, Flow(current_x, current_y, wind_x, wind_y), SPEEDS, PRICES)
        np.testing.assert_allclose(found.cost[:, point], own.cost, rtol=1e-12)


def test_points_of_one_flow_are_looked_at_once():
    reports = []
    flows = flows_at(CurrentAndWind(UniformFlow(0.2, 0.1), UniformFlow()), np.arange(500.0), np.zeros(500))
    found = costs_at(LUTRA, flows, DIRECTIONS, SPEEDS, (0.0,), lambda done, number: reports.append((done, number)))
    assert reports == [(3, 3)]
    np.testing.assert_array_equal(found.cost, np.broadcast_to(found.cost[:, :1], found.cost.shape))
