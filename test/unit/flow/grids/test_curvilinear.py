"""A lattice of curves: points are found where they were put, and nowhere else."""

import numpy as np
import pytest

from usv_energy.flow.grids.node_flow import MOST_IN_TREE, Curvilinear, CurvilinearFlow
from usv_energy.flow.grids.node_steps import WholeSteps

RNG = np.random.default_rng(9)


def fan(rows=40, columns=61):
    """Nodes in a quarter of a ring about the origin, the rows along circles of radius 1000 to 3000 m."""
    radius, turn = np.meshgrid(np.linspace(1000.0, 3000.0, rows), np.linspace(0.0, np.pi / 2.0, columns), indexing='ij')
    return radius * np.cos(turn), radius * np.sin(turn)


def skewed(rows=30, columns=30, shift=3.0):
    """Nodes of a sheared square: the nearest node of a point is mostly none of its cell's."""
    column, row = np.meshgrid(np.arange(columns, dtype=float), np.arange(rows, dtype=float))
    return 10.0 * column + 10.0 * shift * row, 10.0 * row


def within(x, y, row, column, p, q):
    corner = [side[row, column] * (1 - p) * (1 - q) + side[row, column + 1] * p * (1 - q)
              + side[row + 1, column] * (1 - p) * q + side[row + 1, column + 1] * p * q for side in (x, y)]
    return corner[0], corner[1]


@pytest.mark.parametrize('nodes', [fan(), skewed(), skewed(shift=-1.4), tuple(side[::-1] for side in fan()),
                                   tuple(side.T for side in fan()), fan(700, 500)])
def test_a_point_of_a_cell_is_found_in_it(nodes):
    x, y = nodes
    row, column = RNG.integers(0, x.shape[0] - 1, 4000), RNG.integers(0, x.shape[1] - 1, 4000)
    p, q = RNG.uniform(0.001, 0.999, (2, 4000))
    found = Curvilinear(x, y).locate(*within(x, y, row, column, p, q))
    assert (found.row == row).all() and (found.column == column).all()
    np.testing.assert_allclose(found.along, p, atol=1e-6)
    np.testing.assert_allclose(found.across, q, atol=1e-6)
    assert MOST_IN_TREE < 700 * 500  # the last of these begins from every other node


def test_outside_there_is_no_place_and_the_edge_is_inside():
    lattice = Curvilinear(*fan())
    last = fan()[0][-1, -1]
    x = np.array([999.0 * np.cos(0.8), 3000.5 * np.cos(0.8), -1.0, 1500.0, np.nan, 1e9, 3000.0, last, 1000.0])
    y = np.array([999.0 * np.sin(0.8), 3000.5 * np.sin(0.8), 1500.0, -1.0, 0.0, 1e9, 0.0, 3000.0, 0.0])
    assert (lattice.locate(x, y).along >= 0.0).tolist() == 6 * [False] + 3 * [True]


def test_cells_with_a_node_of_no_place_are_none_and_hide_no_others():
    x, y = fan()
    full = Curvilinear(x, y)
    points = within(x, y, *(RNG.integers(0, size - 1, 3000) for size in x.shape), *RNG.uniform(0.01, 0.99, (2, 3000)))
    holed = x.copy()
    holed[10:14, 20:25] = np.nan
    before, after = full.locate(*points), Curvilinear(holed, np.where(np.isnan(holed), np.nan, y)).locate(*points)
    gone = (before.row >= 9) & (before.row <= 13) & (before.column >= 19) & (before.column <= 24)
    assert (np.isnan(after.along) == gone).all() and gone.any()
    assert (after.row[~gone] == before.row[~gone]).all()


def test_a_linear_field_is_returned_exactly_and_answers_are_kept():
    x, y = fan()
    lattice = Curvilinear(x, y)
    flow = CurvilinearFlow(lattice, np.array([0.0, 10.0]),
                           WholeSteps(lambda k: (0.1 + 1e-4 * x + k, 0.2 * k - 3e-4 * y), *x.shape, 'fan'))
    at = within(x, y, *(RNG.integers(0, size - 1, 3000) for size in x.shape), *RNG.uniform(0.0, 1.0, (2, 3000)))
    for t in (0.0, 2.5, 10.0):
        vx, vy, inside = flow.velocity(t, *at)
        assert inside.all()
        np.testing.assert_allclose(vx, 0.1 + 1e-4 * at[0] + 0.1 * t, atol=1e-9)
        np.testing.assert_allclose(vy, 0.02 * t - 3e-4 * at[1], atol=1e-9)
    assert len(lattice._kept) == 1
    assert flow.describe()['grid'] == 'curvilinear' and flow.spacing[1] == pytest.approx(2000.0 / 39.0)
    assert flow.outline()[0].shape == (2 * (39 + 60), 2)


def test_the_direction_of_the_rows():
    x, y = fan(40, 401)
    angle = Curvilinear(x, y).angle()
    turn = np.linspace(0.0, np.pi / 2.0, 401)
    np.testing.assert_allclose(angle[:, 1:-1], np.tile(turn[1:-1] + np.pi / 2.0, (40, 1)), atol=1e-6)
