"""Closed cells block what lies in them, and their sides are those between closed and open."""

from pathlib import Path

import numpy as np

from usv_energy.studies.route.barriers.area_barriers import NoBarriers
from usv_energy.studies.route.barriers.cell_barriers import Cells, cell_barriers
from usv_energy.studies.route.barriers.land_file import FileMap

NEEDS = ('shapely',)
SAME = FileMap(Path('cells'), None, None)
CLOSED = np.array([[0, 0, 0, 0], [0, 1, 1, 0], [0, 1, 0, 0]], dtype=bool)
CELLS = Cells(np.array([0.0, 10.0, 20.0, 30.0, 40.0]), np.array([0.0, 5.0, 10.0, 15.0]), CLOSED)


def test_the_sides_of_an_area_of_three_cells():
    edges = CELLS.edges(1)
    assert edges.shape == (8, 2, 2)     # An L of three cells has eight sides, of which two pairs are in one line.
    assert CELLS.edges().shape == (6, 2, 2)
    np.testing.assert_allclose(np.abs(np.diff(CELLS.edges(), axis=1)).sum(), 60.0)
    assert float(np.abs(np.diff(edges, axis=1)).sum()) == 2 * (20.0 + 10.0)  # Its rectangle's perimeter.


def test_places_in_closed_cells_are_blocked_and_around_the_cells_none_is():
    barrier = cell_barriers(CELLS, SAME)
    x, y = np.array([15.0, 25.0, 25.0, -3.0, 500.0]), np.array([12.0, 7.0, 12.0, 7.0, 7.0])
    np.testing.assert_array_equal(barrier.blocked(x, y), [True, True, False, False, False])
    np.testing.assert_allclose(barrier.distance(x, y), [-3.0, -2.0, 2.0, 13.0, 470.0])


def test_a_way_through_a_corner_of_a_cell_is_crossed():
    barrier, one = cell_barriers(CELLS, SAME), np.ones(1)
    assert barrier.crossed(28.0 * one, 4.0 * one, 31.0 * one, 6.0 * one).all()
    assert not barrier.crossed(29.0 * one, 3.0 * one, 32.0 * one, 6.0 * one).any()
    assert cell_barriers(CELLS, SAME, 2.0).crossed(29.0 * one, 3.0 * one, 32.0 * one, 6.0 * one).all()


def test_cells_that_are_all_open_are_open_water():
    assert isinstance(cell_barriers(CELLS._replace(closed=np.zeros((3, 4), bool)), SAME), NoBarriers)


def test_a_closed_cell_at_the_rim_has_all_its_sides():
    """A boat must not come in from outside the cells either."""
    barrier = cell_barriers(CELLS._replace(closed=np.ones((3, 4), bool)), SAME)
    one = np.ones(1)
    assert barrier.crossed(-5.0 * one, 7.0 * one, 45.0 * one, 7.0 * one).all()
    assert float(barrier.distance(-5.0 * one, 7.0 * one)[0]) == 5.0
