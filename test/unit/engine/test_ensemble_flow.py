"""Gridded flows: exact where a field is bilinear, second order elsewhere, and nowhere where there is no value."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from usv_energy.engine.cases import cases_of
from usv_energy.engine.ensemble import run_ensemble
from usv_energy.engine.outcomes import LEFT_FLOW, REACHED
from usv_energy.files.errors import InputError
from usv_energy.flow.regular_grid import GriddedFlow, gridded_flow
from usv_energy.flow.uniform import UniformFlow
from usv_energy.sim.scenario import read_scenario

SIX = read_scenario('6')
EXTENT = (230.0, 85.0, 280.0, 105.0)


class Shear:
    """Bilinear in space and linear in time; no value beyond x = `end`."""

    def __init__(self, end=np.inf):
        self.end = end

    def velocity(self, t, x, y):
        inside = x <= self.end
        vx = np.where(inside, 0.1 + 0.004 * (y - 95.0) + 0.001 * (x - 240.0) * (y - 95.0) + 0.005 * t, np.nan)
        return vx, np.where(inside, 0.05 - 0.002 * t, np.nan), inside


class Wave:
    def velocity(self, t, x, y):
        return np.sin(0.5 * x) * np.cos(0.4 * y), np.cos(0.3 * x), np.full(x.shape, True)


@pytest.fixture(params=['numba', 'numpy'])
def backend(request):
    if request.param == 'numba':
        pytest.importorskip('numba')
    return request.param


def still(flow):
    """Return a steady flow on a grid; current unsteady and wind steady is what all runs here have: compiled once."""
    return gridded_flow(flow, EXTENT, 10.0)


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


def test_a_uniform_field_on_a_grid_is_the_uniform_flow(backend):
    grids = {'current': gridded_flow(SIX.current, EXTENT, 10.0, [0.0, 60.0]), 'wind': still(SIX.wind)}
    near = {'start.x': 260.0}
    gridded = run_ensemble(cases_of(SIX, 2, **grids, **near), backend)
    uniform = run_ensemble(cases_of(SIX, 2, **near), backend)
    for name, column in uniform.columns().items():
        np.testing.assert_allclose(gridded.columns()[name], column, rtol=1e-10, atol=1e-12, err_msg=name)


def test_a_run_in_a_varying_flow_is_run_scenarios(backend):
    """The current varies in space and time; its rate at the boat is part of the power."""
    current = gridded_flow(Shear(), EXTENT, 5.0, np.linspace(0.0, 60.0, 4))
    courses = {'start.x': 256.0, 'start.heading_deg': [0.0, 60.0]}
    cases = cases_of(SIX, 2, current=current, wind=still(SIX.wind), **courses)
    ours, theirs = run_ensemble(cases, backend), run_ensemble(cases, 'python')
    assert (theirs.outcome == REACHED).all()
    for name, column in theirs.columns().items():
        np.testing.assert_allclose(ours.columns()[name], column, rtol=1e-9, atol=1e-9, err_msg=name)
    finer = gridded_flow(Shear(), EXTENT, 2.0, [0.0, 60.0])
    exact = run_ensemble(cases_of(SIX, 2, current=finer, wind=still(SIX.wind), **courses), backend)
    np.testing.assert_allclose(ours.energy['total'], exact.energy['total'], rtol=1e-9)


def test_a_boat_that_leaves_the_flow_ends_there(backend):
    current = gridded_flow(Shear(end=262.0), EXTENT, 5.0, [0.0, 60.0])
    cases = cases_of(SIX, 3, current=current, wind=still(SIX.wind),
                     **{'waypoints.0.x': [270.0, 250.0, 270.0], 'start.x': [240.0, 240.0, 265.0]})
    ours = run_ensemble(cases, backend)
    assert ours.outcome.tolist() == [LEFT_FLOW, REACHED, LEFT_FLOW]
    assert run_ensemble(cases, 'python').outcome.tolist() == ours.outcome.tolist()
    assert 262.4 < ours.x[0] <= 262.5 and ours.energy['total'][0] > 0.0 and np.isfinite(ours.energy['total']).all()
    assert ours.duration[2] == 0.0 and ours.x[2] == 265.0 and ours.samples[2] == 0


def test_a_flow_file_needs_a_grid():
    scenario = read_scenario('river/crossing_both')
    with pytest.raises(InputError, match=r'current is a flow field.*gridded_flow'):
        cases_of(scenario, 2)
    grid = gridded_flow(scenario.current, (180.0, 66.0, 220.0, 124.0), 2.0)
    assert cases_of(replace(scenario, current=grid, wind=UniformFlow()), 2).current is grid


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
