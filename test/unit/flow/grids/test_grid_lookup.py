"""Looking up a grid, as compiled code and arrays do."""

from types import SimpleNamespace

import numpy as np
import pytest
from gridded_flows import Shear

from usv_energy.flow.grids.grid import gridded_flow
from usv_energy.flow.grids.grid_lookup import flow_at, grid_velocity

EXTENT = (230.0, 85.0, 280.0, 105.0)


def test_floats_and_arrays_have_the_same_velocity(rng):
    grid = gridded_flow(Shear(), EXTENT, 7.0, [0.0, 20.0, 40.0]).grid
    time, x, y = rng.uniform((0.0, 230.0, 85.0), (40.0, 280.0, 105.0), (50, 3)).T
    vx, vy = grid_velocity(time, x, y, grid)
    one = np.array([grid_velocity(*map(float, place), grid) for place in zip(time, x, y)]).T
    np.testing.assert_allclose((vx, vy), one, rtol=1e-14)
    exact = Shear().velocity(time, x, y)
    np.testing.assert_allclose((vx, vy), exact[:2], atol=1e-13)


def test_a_uniform_flow_needs_no_grid_and_a_steady_one_no_time():
    grid = gridded_flow(Shear(), EXTENT, 7.0).grid
    case = SimpleNamespace(current_x=0.3, current_y=-0.1, wind_x=4.0, wind_y=2.0)
    flow = flow_at(1e9, 250.0, 95.0, case, None, grid)
    assert (flow.current_x, flow.current_y) == (0.3, -0.1)
    assert (flow.wind_x, flow.wind_y) == pytest.approx(tuple(v[0] for v in Shear().velocity(
        0.0, np.array([250.0]), np.array([95.0]))[:2]), abs=1e-14)
    assert np.isnan(flow_at(0.0, 250.0, 105.1, case, None, grid).wind_x)
