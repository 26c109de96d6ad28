"""A hull of parts on waves: compiled, on arrays and on floats alike."""

from dataclasses import replace

import numpy as np
import pytest

from usv_energy.engine.cases import cases_of
from usv_energy.engine.ensemble import run_ensemble
from usv_energy.sim.scenario import read_scenario

RUNS = 5


@pytest.fixture(scope='module')
def cases():
    scenario = replace(read_scenario('waves/otter_head_sea'), timeout=1.5)
    rng = np.random.default_rng(1)
    return cases_of(scenario, RUNS, **{'speed.target': rng.uniform(0.6, 1.2, RUNS),
                                       'start.heading_deg': rng.uniform(-90.0, 90.0, RUNS)})


@pytest.mark.parametrize('backend', ['numpy', 'numba'])
def test_it_moves_as_on_floats(cases, backend):
    pytest.importorskip(backend)
    ours, theirs = (run_ensemble(cases, name).columns() for name in (backend, 'python'))
    for key in ('energy_total', 'energy_waves', 'thruster_energy', 'x', 'y', 'yaw', 'u_r', 'v_r', 'r'):
        np.testing.assert_allclose(ours[key], theirs[key], rtol=1e-9, atol=1e-10)


def test_waves_make_a_difference(cases):
    calm = replace(cases, scenario=replace(cases.scenario, current=read_scenario('1').current))
    with_waves, without = (run_ensemble(one, 'numpy').columns()['u_r'] for one in (cases, calm))
    assert np.all(np.abs(with_waves - without) > 1e-3)
