"""A boat that makes waves gives the same runs on floats, on arrays and compiled, with a scale of its own in each."""

from dataclasses import replace

import numpy as np
import pytest

from usv_energy.boats.vessel import WaveMaking
from usv_energy.engine.cases import cases_of
from usv_energy.engine.ensemble import run_ensemble
from usv_energy.sim.scenario import read_scenario


@pytest.mark.parametrize('backend', ['numba', 'numpy'])
def test_runs_with_wave_making(backend):
    if backend == 'numba':
        pytest.importorskip('numba')
    own = read_scenario('5')
    damping = own.boat.vessel.damping._replace(wave=WaveMaking(1.0, (0.4, 0.8, 1.2), (0.0, 4.0, 3.0)))
    boat = replace(own.boat, vessel=own.boat.vessel._replace(damping=damping))
    cases = cases_of(replace(own, boat=boat, plant=boat), 3, **{'boat.damping.wave.scale': [0.0, 1.0, 2.0]})
    ours, theirs = run_ensemble(cases, backend), run_ensemble(cases, 'python')
    np.testing.assert_allclose(ours.energy['damping'], theirs.energy['damping'], rtol=1e-9)
    assert (np.diff(ours.energy['damping']) > 0.1 * ours.energy['damping'][0]).all()
