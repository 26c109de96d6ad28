"""A flow over the lattice is the flow itself in the lattice's axes, as long as it lasts."""

import math
from pathlib import Path

import numpy as np
import pytest
from route_flows import ClosedForm, double_gyre, sink_and_vortex
from search_cases import problem_of

from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.grids.grid import GriddedFlow
from usv_energy.studies.route.search.flow_cube import FlowCube, is_steady, sampled_flow, search_grid, with_banks


def cube_of(problem, end, with_air=False, points=600):
    grid = search_grid(problem, points, 0.5)
    return grid, sampled_flow(problem, grid, end, with_air)


def test_velocities_are_those_of_the_field_turned_into_the_lattice():
    problem = problem_of(sink_and_vortex, (0.1, 0.2), (0.9, 1.3), wind=UniformFlow(3.0, -1.0))
    grid, cube = cube_of(problem, 2.0, with_air=True)
    x, y = grid.places(np.arange(grid.size))
    angle = grid.lattice.angle
    for k in (0, 7, len(cube.current) - 1):
        u, v = sink_and_vortex(cube.t0 + k * cube.dt, x, y)
        along, across = cube.current[k].astype(float)
        np.testing.assert_allclose(along + 1j * across, (u + 1j * v) * np.exp(-1j * angle), atol=1e-6)
        air = (3.0 - u - 1j * (1.0 + v)) * np.exp(-1j * angle)
        np.testing.assert_allclose(cube.air[k, 0] + 1j * cube.air[k, 1], air, atol=1e-5)
    assert (cube.t0, cube.end) == (0.0, pytest.approx(2.0))


def test_a_flow_that_does_not_change_is_looked_at_once():
    problem = problem_of(double_gyre)
    assert is_steady(problem, 50.0) and not is_steady(problem_of(sink_and_vortex), 50.0)
    assert len(cube_of(problem, 50.0)[1].current) == 1 and cube_of(problem, 50.0)[1].end == math.inf


def gridded(times):
    east = np.arange(1.0, 1.0 + len(times))[:, None, None] * np.ones((1, 5, 6))
    return GriddedFlow(times, (-2.0, -2.0, 3.0, 2.0), east, np.zeros((len(times), 5, 6)), Path('steps'))


def test_the_flows_own_steps_are_taken_and_its_end_is_found():
    problem = problem_of(current=gridded(np.arange(0.0, 8.0, 0.5)))
    _, cube = cube_of(problem, 100.0)
    assert cube.end == pytest.approx(7.5, abs=1e-9) and cube.dt == pytest.approx(0.5)
    np.testing.assert_allclose(cube.current[:, 0, 0], np.arange(1.0, 17.0), rtol=1e-6)
    with pytest.raises(InputError, match='depart is 9 s: there is no current then'):
        cube_of(problem._replace(depart=9.0), 100.0)


def test_points_that_are_always_dry_take_the_mean_of_the_wet_ones_beside_them():
    problem = problem_of(lambda t, x, y: (np.where(abs(y) < 0.2, 1.0 + x, np.nan), 0.0 * x))
    grid, cube = cube_of(problem, 0.0)
    before = cube.current[0, 0].copy().reshape(grid.lattice.rows, -1)
    wet = np.isfinite(before)
    banked = with_banks(FlowCube(*cube), grid).current[0, 0].reshape(before.shape)
    bank = int(np.argmax(wet[:, 0])) - 1
    np.testing.assert_allclose(banked[bank, 1:-1], before[bank + 1, 1:-1], rtol=1e-5)
    assert np.isnan(banked[bank - 1]).all()
    np.testing.assert_array_equal(banked[wet], before[wet])


def test_the_strongest_current_of_all_times():
    problem = problem_of(lambda t, x, y: (0.3 * t + 0.0 * x, -0.4 * t + 0.0 * y))
    _, cube = cube_of(problem, 4.0)
    np.testing.assert_allclose(cube.strongest, 2.0, rtol=1e-6)


def test_a_field_in_time_that_is_dry_for_a_while_is_wet_then():
    tidal = ClosedForm(lambda t, x, y: (np.where((x < 0.5) | (t > 1.0), 0.1 * t, np.nan), 0.0 * x))
    assert cube_of(problem_of(current=tidal), 2.0)[1].wet.all()
