"""Boats of every kind of arrangement give the same runs on floats, on arrays and compiled."""

import numpy as np
import pytest
from kind_boats import KINDS, cases_of_kind

from usv_energy.engine.cases import Results, cases_of
from usv_energy.engine.ensemble import run_ensemble
from usv_energy.engine.run_state import BATTERY_EMPTY, TIMED_OUT

ONE_PART_IN_1E9 = 1e-9
# And 'two sizes' and 'cells' below; the others take long to compile: `./run bench --only kinds`.
COMPILED = 'pair with propellers', 'rudder'


def worst(ours: Results, theirs: Results) -> float:
    """Return the largest difference: of energies relative to the largest of the run, of the rest to 1 or to itself."""
    mine, other = ours.columns(), theirs.columns()
    largest = np.max([np.abs(other[name]) for name in other if name.startswith('energy_')], axis=0)
    assert np.all(largest > 1.0)
    return max(float(np.max(np.abs(mine[name] - other[name]) / (
        largest if name.startswith('energy_') else np.maximum(np.abs(other[name]), 1.0)))) for name in mine
        if not (np.isnan(mine[name]) & np.isnan(other[name])).all())


@pytest.mark.parametrize('kind', KINDS)
def test_on_arrays(kind, tmp_path):
    cases = cases_of_kind(kind, tmp_path, 2)
    assert worst(run_ensemble(cases, 'numpy'), run_ensemble(cases, 'python')) < ONE_PART_IN_1E9


@pytest.mark.parametrize('kind', COMPILED)
def test_compiled(kind, tmp_path):
    pytest.importorskip('numba')
    cases = cases_of_kind(kind, tmp_path)
    assert worst(run_ensemble(cases, 'numba'), run_ensemble(cases, 'python')) < ONE_PART_IN_1E9


def test_boats_whose_thrusts_are_searched_run_one_by_one_as_on_arrays(tmp_path):
    pytest.importorskip('numba')
    cases = cases_of_kind('two sizes', tmp_path, 20, seconds=4.0)
    assert worst(run_ensemble(cases, 'numba'), run_ensemble(cases, 'numpy')) < ONE_PART_IN_1E9


@pytest.mark.parametrize('backend', ['numpy', 'numba'])
def test_a_battery_that_ends_on_the_way(backend, tmp_path):
    """The first is out of charge as it turns, the last one on the fast way: when and where they are one by one."""
    if backend == 'numba':
        pytest.importorskip('numba')
    # The charge is a parameter of the cases, as in the test below: both run by the same compiled code.
    cases = cases_of_kind('cells', tmp_path, 3, seconds=20.0, **{'plant.battery.initial_state_of_charge': 0.0032})
    ours, theirs = (run_ensemble(cases, name) for name in (backend, 'python'))
    assert ours.outcome.tolist() == theirs.outcome.tolist() == [BATTERY_EMPTY, TIMED_OUT, BATTERY_EMPTY]
    assert ours.duration[0] < 0.1 and 5.0 < ours.duration[2] < ours.duration[1]
    for name, column in theirs.columns().items():
        np.testing.assert_allclose(ours.columns()[name], column, rtol=1e-8, atol=1e-8, err_msg=name)


@pytest.mark.parametrize('backend', ['numpy', 'numba'])
def test_charge_age_and_temperature_of_the_cells_vary(backend, tmp_path):
    """As one by one; and at the same way the charge that is drawn is the larger the less capacity is left."""
    if backend == 'numba':
        pytest.importorskip('numba')
    scenario = cases_of_kind('cells', tmp_path).scenario
    cases = cases_of(scenario, 4, **{
        'plant.battery.initial_state_of_charge': [0.9, 0.9, 0.5, 0.02],
        'plant.battery.capacity_share': [1.0, 0.5, 0.8, 0.8],
        'plant.battery.resistance_factor': [1.0, 1.0, 2.0, 2.0],
        'plant.battery.ambient_degc': [25.0, 25.0, 0.0, -15.0],
        'speed.target': 0.6, 'stop.timeout': 6.0})
    ours, theirs = (run_ensemble(cases, name) for name in (backend, 'python'))
    assert ours.outcome.tolist() == [TIMED_OUT, TIMED_OUT, TIMED_OUT, BATTERY_EMPTY]
    for name, column in theirs.columns().items():
        np.testing.assert_allclose(ours.columns()[name], column, rtol=1e-8, atol=1e-8, err_msg=name)
    assert (0.9 - ours.charge[1]) * 0.5 == pytest.approx(0.9 - ours.charge[0], rel=2e-3)
    np.testing.assert_allclose(ours.battery_energy, ours.energy['total'], rtol=5e-3)
    assert ours.temperature[0] > 298.15 and 273.15 < ours.temperature[2] < 273.3
