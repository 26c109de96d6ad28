"""Runs in gridded flows: those of a uniform flow, of run_scenario, and of a boat that leaves its flow."""

from dataclasses import replace

import numpy as np
import pytest
from gridded_flows import Shear

from usv_energy.engine.cases import cases_of
from usv_energy.engine.ensemble import run_ensemble
from usv_energy.engine.run_state import LEFT_FLOW, REACHED
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.grids.grid import gridded_flow
from usv_energy.sim.scenario import read_scenario

SIX = read_scenario('6')
EXTENT = (230.0, 85.0, 280.0, 105.0)


@pytest.fixture(params=['numba', 'numpy'])
def backend(request):
    if request.param == 'numba':
        pytest.importorskip('numba')
    return request.param


def still(flow):
    """Return a steady flow on a grid; current unsteady and wind steady is what all runs here have: compiled once."""
    return gridded_flow(flow, EXTENT, 10.0)


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
