"""A boat in the plane that waves push by its own coefficients: compiled, on arrays and on floats alike."""

import math
from dataclasses import replace

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.engine.cases import cases_of
from usv_energy.engine.ensemble import run_ensemble
from usv_energy.physics.waves.added_resistance import WaveCoefficients
from usv_energy.sim.scenario import read_scenario

RUNS = 5
OTTER = replace(read_boat('otter'), waves=WaveCoefficients((0.0, 0.5 * math.pi, math.pi), (2.0, 3.0), (
    (60.0, 40.0), (10.0, 5.0), (-20.0, -10.0))))


@pytest.fixture(scope='module')
def cases():
    scenario = replace(read_scenario('waves/otter_head_sea'), boat=OTTER, plant=OTTER, timeout=3.0)
    rng = np.random.default_rng(1)
    return cases_of(scenario, RUNS, **{'speed.target': rng.uniform(0.6, 1.2, RUNS),
                                       'start.heading_deg': rng.uniform(-90.0, 90.0, RUNS)})


@pytest.mark.parametrize('backend', ['numpy', 'numba'])
def test_it_moves_as_on_floats(cases, backend):
    pytest.importorskip(backend)
    ours, theirs = (run_ensemble(cases, name).columns() for name in (backend, 'python'))
    assert np.all(np.abs(theirs['energy_waves']) > 0.01)
    for key in ('energy_total', 'energy_waves', 'thruster_energy', 'x', 'y', 'yaw', 'u_r', 'v_r', 'r'):
        np.testing.assert_allclose(ours[key], theirs[key], rtol=1e-9, atol=1e-10)
