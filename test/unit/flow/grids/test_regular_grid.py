"""Gridded flows: exact where a field is bilinear, second order elsewhere, nowhere where there is no value."""

from pathlib import Path

import numpy as np
import pytest
from gridded_flows import Shear, Wave

from usv_energy.files.errors import InputError
from usv_energy.flow.grids.grid import GriddedFlow, gridded_flow

EXTENT = (230.0, 85.0, 280.0, 105.0)


def test_a_bilinear_field_is_met_exactly():
    grid = gridded_flow(Shear(), EXTENT, 7.0, [0.0, 20.0, 40.0])
    assert grid.error_against(Shear()) < 1e-14
    x, y = np.array([EXTENT[0], EXTENT[2]]), np.array([EXTENT[1], EXTENT[3]])  # the corners belong to it
    assert grid.velocity(40.0, x, y)[2].all()


def test_the_error_falls_with_the_square_of_the_spacing():
    errors = [gridded_flow(Wave(), EXTENT, spacing).error_against(Wave()) for spacing in (2.0, 1.0, 0.5)]
    assert np.log2(np.array(errors[:-1]) / errors[1:]) == pytest.approx([2.0, 2.0], abs=0.15)
    # h^2 / 8 (f_xx + f_yy) of the larger component, and no more than that of both.
    assert 0.5 * 0.25 / 8.0 * 0.41 < errors[2] < 0.25 / 8.0 * (0.41 + 0.09)


def test_no_value_outside_in_space_in_time_and_nearer_to_a_dry_node():
    grid = gridded_flow(Shear(end=262.0), EXTENT, 5.0, [0.0, 10.0])
    x = np.array([229.0, 231.0, 262.4, 262.6, 281.0, np.nan])  # the last node with a value is at 260
    assert grid.velocity(5.0, x, np.full(6, 95.0))[2].tolist() == [False, True, True, False, False, False]
    assert not grid.velocity(10.1, x, np.full(6, 95.0))[2].any() and not grid.velocity(-0.1, x, x)[2].any()
    steady = gridded_flow(Shear(), EXTENT, 5.0)
    assert steady.velocity(1e6, x[1:2], np.array([95.0]))[2].all()


@pytest.mark.parametrize('extent, spacing, words', [
    ((0.0, 0.0, 0.0, 1.0), 1.0, 'xmin < xmax'), ((0.0, 0.0, np.inf, 1.0), 1.0, 'finite'), (EXTENT, 0.0, 'above 0'),
    (EXTENT, 1e-4, r'must be at most 5e\+07')])
def test_a_grid_that_is_none(extent, spacing, words):
    with pytest.raises(InputError, match=words):
        gridded_flow(Shear(), extent, spacing)


def test_nodes_that_do_not_fit_together():
    values = np.zeros((2, 3, 3))
    with pytest.raises(InputError, match='evenly spaced'):
        GriddedFlow([0.0, 1.0, 3.0], EXTENT, np.zeros((3, 3, 3)), np.zeros((3, 3, 3)), Path('grid'))
    with pytest.raises(InputError, match='for 1 time'):
        GriddedFlow([0.0], EXTENT, values, values, Path('grid'))
