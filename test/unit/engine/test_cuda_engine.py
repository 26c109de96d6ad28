import json
import os
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from kind_boats import cases_of_kind

from usv_energy.engine import cuda_engine
from usv_energy.engine.cases import cases_of
from usv_energy.engine.ensemble import run_ensemble
from usv_energy.engine.prepared_runs import prepared
from usv_energy.files.errors import InputError
from usv_energy.flow.regular_grid import gridded_flow
from usv_energy.sim.scenario import read_scenario

SIX = read_scenario('6')


def test_cuda_without_a_gpu_says_what_is_missing():
    cuda = pytest.importorskip('numba.cuda')
    if cuda.is_available():
        pytest.skip('there is a GPU')
    with pytest.raises(InputError, match='needs an NVIDIA GPU'):
        run_ensemble(cases_of(SIX, 1), 'cuda')


SIMULATED = """
import json, numpy as np
from usv_energy.engine.cases import cases_of
from usv_energy.engine.ensemble import run_ensemble
from usv_energy.flow.regular_grid import gridded_flow
from usv_energy.sim.scenario import read_scenario
worst = 0.0
for name, convention in (('6', 'rep103'), ('3', 'as_published')):
    scenario = read_scenario(name).with_options(convention=convention)
    wind = gridded_flow(scenario.wind, (200.0, 50.0, 300.0, 150.0), 50.0, [0.0, 5.0]) if name == '3' else None
    cases = cases_of(scenario, 3, wind=wind, **{'boat.inertia.m11': [9.0, 10.0, 11.0], 'stop.timeout': 1.0})
    gpu, cpu = (run_ensemble(cases, backend).columns() for backend in ('cuda', 'numpy'))
    worst = max(worst, *(np.max(np.abs(gpu[key] - cpu[key]) / np.maximum(np.abs(cpu[key]), 1.0)) for key in cpu))
print(json.dumps({'worst': float(worst), 'energy': gpu['energy_total'].tolist()}))
"""


def test_a_gpu_as_numba_simulates_it_gives_what_the_processor_does():
    """Logic only: that the same functions compile for a real one, no machine without one can show."""
    pytest.importorskip('numba')
    done = subprocess.run([sys.executable, '-P', '-c', SIMULATED], env={**os.environ, 'NUMBA_ENABLE_CUDASIM': '1'},
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told['worst'] < 1e-9 and min(told['energy']) > 1.0


@pytest.mark.parametrize('cells', [False, True])
def test_every_function_is_typed_and_lowered_for_a_gpu_without_one(cells, monkeypatch, tmp_path):
    """What the simulator cannot show: numba's CUDA target knows all that is called. Only NVVM's own step is left."""
    cuda = pytest.importorskip('numba.cuda')
    compiler = pytest.importorskip('numba.cuda.compiler')
    from numba import types
    monkeypatch.setattr('numba.cuda.dispatcher.get_current_device', lambda: SimpleNamespace(compute_capability=(8, 0)))
    wind = gridded_flow(SIX.wind, (200.0, 50.0, 300.0, 150.0), 50.0, [0.0, 5.0])
    runs = prepared(cases_of_kind('cells', tmp_path) if cells else cases_of(SIX, 3, wind=wind))
    function = cuda_engine.kernel_function(cuda, *cuda_engine.kernel_source(runs))
    rows, ways, results, *tables = (types.Array(types.float64, size, 'C') for size in (1, 3, 2, *[1] * 9))
    numbers = (types.float64, types.int64, types.int64)
    found = compiler.compile_cuda(function, types.void, (rows, ways, results, *numbers, *tables), cc=(8, 0))
    assert found.fndesc.argtypes[2] == results


def test_on_a_gpu():
    """Within 1e-6 of the processor's."""
    cuda = pytest.importorskip('numba.cuda')
    if not cuda.is_available():
        pytest.skip('no GPU')
    cases = cases_of(SIX, 1000, **{'current.speed': np.linspace(0.0, 0.5, 1000)})
    gpu, cpu = (run_ensemble(cases, backend) for backend in ('cuda', 'numba'))
    np.testing.assert_allclose(gpu.energy['total'], cpu.energy['total'], rtol=1e-6)
    np.testing.assert_array_equal(gpu.outcome, cpu.outcome)


def test_waves_are_refused_by_name():
    """The kernel has no sea: a hull of parts would go through calm water without a word."""
    with pytest.raises(InputError, match='the backend cuda knows no waves'):
        cuda_engine.run_cuda(prepared(cases_of(read_scenario('waves/otter_head_sea'), 1)))
