"""Forms for compiled code: accuracy, named tuples as rows, the cache's key, and a GPU as numba simulates it."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from usv_energy.engine import tuple_rows
from usv_energy.engine.cases import cases_of
from usv_energy.engine.ensemble import run_ensemble
from usv_energy.engine.prepared_runs import prepared
from usv_energy.files.errors import InputError
from usv_energy.physics import elementwise, vector_forms
from usv_energy.physics.compiled_kernels import compile_kernels
from usv_energy.sim.scenario import read_scenario

SIX = read_scenario('6')
LONG = np.longdouble


@pytest.mark.parametrize('size', [1.0, 100.0, 1e6])
def test_sine_and_cosine_are_right_to_the_last_places(rng, size):
    x = rng.uniform(-size, size, 20000)
    for form, exact in ((vector_forms.sine, np.sin), (vector_forms.cosine, np.cos)):
        assert np.abs(form(x) - exact(x.astype(LONG))).max() < 2.3e-16
    # From one angle to the next float there are size * 2^-53; a reduction that lost more would show.


def test_arc_tangent_is_right_to_the_last_places_all_around(rng):
    y, x = rng.normal(size=(2, 20000)) * 10.0 ** rng.uniform(-6.0, 6.0, (2, 20000))
    exact = np.arctan2(y.astype(LONG), x.astype(LONG))
    assert np.abs(vector_forms.arc_tangent(y, x) / exact - 1.0).max() < 4.5e-16
    axes = [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0), (0.0, 0.0), (1.0, 1.0), (-1.0, -1.0)]
    assert [vector_forms.arc_tangent(*np.array(point)) for point in axes] == [np.arctan2(*point) for point in axes]


@pytest.mark.parametrize('form', [vector_forms.sine, vector_forms.cosine, vector_forms.less_whole_turns])
def test_no_angle_is_nan(form):
    with np.errstate(invalid='ignore'):
        assert np.isnan(form(np.array([np.nan, np.inf, -np.inf]))).all()


def test_angles_are_wrapped_alike_by_floats_arrays_and_arithmetic(rng):
    angles = np.concatenate((rng.uniform(-50.0, 50.0, 1000), [np.pi, -np.pi, 3 * np.pi, 0.0]))
    by_float = np.array([elementwise.wrapped(float(angle)) for angle in angles])
    for form in (elementwise.wrapped, vector_forms.less_whole_turns):
        wrapped = form(angles)
        assert (wrapped > -np.pi).all() and (wrapped <= np.pi).all()
        np.testing.assert_allclose(np.exp(1j * wrapped), np.exp(1j * by_float), rtol=0.0, atol=3e-14)


@pytest.mark.parametrize('form', [elementwise.select, elementwise.whole, elementwise.arctan2])
def test_floats_and_arrays_agree(form):
    rows = {elementwise.select: [(True, 1.0, 2.0), (False, 1.0, 2.0)], elementwise.whole: [(-1.5,), (2.0,), (2.9,)],
            elementwise.arctan2: [(1.0, -2.0), (-1.0, -2.0)]}[form]
    assert form(*map(np.array, zip(*rows))).tolist() == [form(*row) for row in rows]


def test_tuples_come_back_from_their_rows():
    """In Python as compiled; what is None, and the map of losses, are the template's."""
    runs = prepared(cases_of(SIX, 3, **{'boat.inertia.m11': [10.0, 11.0, 12.0]}))
    rows = runs.rows
    for run, m11 in enumerate((10.0, 11.0, 12.0)):
        case = tuple_rows.read_column(runs.case_template, rows.ravel(), run, 3)
        assert case.boat.inertia.m11 == m11 and case.boat.damping == SIX.boat.vessel.damping
        assert case.plant is None and case.speed == 1.0 and case.start == SIX.start
    again = np.zeros(len(rows))
    tuple_rows.write_column(case, again, 0, 1)
    np.testing.assert_array_equal(again, rows[:, 2])
    numba = pytest.importorskip('numba')
    tuple_rows.compile_columns()
    unpack = numba.njit(lambda template, values: tuple_rows.read_column(template, values, 1, 3))
    back = unpack(runs.case_template, rows.ravel())
    assert back == tuple_rows.read_column(runs.case_template, rows.ravel(), 1, 3)


SOURCES = """
import usv_energy.engine.numba_engine as numba_engine, usv_energy.engine.episode
from usv_energy.physics import elementwise, vector_forms
folder = numba_engine.Path(numba_engine.__file__).parents[1]
read = {str(path) for pattern in numba_engine.SOURCES for path in folder.glob(pattern)}
kernels = {function.__code__.co_filename for function in elementwise.KERNELS}
assert len(kernels) > 10 and kernels <= read, kernels - read
"""


def test_the_cache_knows_its_sources():
    """Everything that compiled loops may call lies in a file that their fingerprint reads."""
    done = subprocess.run([sys.executable, '-P', '-c', SOURCES], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    pytest.importorskip('numba')
    from usv_energy.engine import numba_engine
    assert numba_engine.fingerprint()[:16] in numba_engine.compiled(numba_engine.run_one).py_func.__qualname__


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


def test_on_a_gpu():
    """Must show F: within 1e-6 of the processor's."""
    cuda = pytest.importorskip('numba.cuda')
    if not cuda.is_available():
        pytest.skip('no GPU')
    cases = cases_of(SIX, 1000, **{'current.speed': np.linspace(0.0, 0.5, 1000)})
    gpu, cpu = (run_ensemble(cases, backend) for backend in ('cuda', 'numba'))
    np.testing.assert_allclose(gpu.energy['total'], cpu.energy['total'], rtol=1e-6)
    np.testing.assert_array_equal(gpu.outcome, cpu.outcome)


def test_a_map_of_losses_is_interpolated_alike_by_tuples_and_arrays(rng):
    """Tuples of knots are unrolled, so that a loop over boats can be vectorised."""
    numba = pytest.importorskip('numba')
    compile_kernels()
    look_up = numba.njit(lambda x, knots_x, knots_y: elementwise.interpolate(x, knots_x, knots_y))
    knots_x, knots_y = (-4.0, -1.0, 0.0, 3.0), (9.0, 2.0, 0.5, 7.0)
    for x in [*rng.uniform(-6.0, 5.0, 40).tolist(), *knots_x]:
        assert look_up(x, knots_x, knots_y) == pytest.approx(np.interp(x, knots_x, knots_y), rel=1e-14)
    assert np.isnan(look_up(np.nan, knots_x, knots_y))
