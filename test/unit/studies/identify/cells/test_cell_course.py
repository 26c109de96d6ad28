import numpy as np
import pytest
from made_cell import CELL, PACK

from usv_energy.physics.batteries.cell import rested
from usv_energy.physics.batteries.cell_discharge import discharge
from usv_energy.studies.identify.cells import cell_fit
from usv_energy.studies.identify.cells.cell_fit import _loop, _plain_loop, course_of


def test_a_constant_current_gives_the_course_of_a_discharge():
    course = discharge(rested(1.0, 290.0), 290.0, PACK, current=2.0, steps=300)
    volts, kelvin, charge = course_of(course.time[:-1], course.current[:-1], 1.0, 290.0, PACK)
    np.testing.assert_allclose(volts, course.voltage[:-1], rtol=1e-9)
    np.testing.assert_allclose(kelvin, course.temperature[:-1], rtol=1e-9)
    np.testing.assert_allclose(charge, 1.0 - 2.0 * course.time[:-1] / CELL.capacity, atol=1e-12)


def test_the_loop_is_the_same_without_numba(rng):
    time, current = np.cumsum(rng.uniform(0.1, 5.0, 60)), rng.uniform(-1.0, 5.0, 60)
    plain = np.empty((3, 60))
    _plain_loop(time, current, rested(0.8, 285.0), 285.0, PACK, plain)
    np.testing.assert_allclose(course_of(time, current, 0.8, 285.0, PACK), plain, rtol=1e-9)


def test_the_charge_falls_by_the_trapezoids_of_the_current(rng):
    """Between two samples the mean of their currents flows, whatever the steps."""
    time, current = np.cumsum(rng.uniform(0.5, 20.0, 40)), rng.uniform(0.0, 5.0, 40)
    _, _, charge = course_of(time, current, 0.9, 298.15, PACK)
    drawn = np.append(0.0, np.cumsum(np.diff(time) * 0.5 * (current[1:] + current[:-1])))
    np.testing.assert_allclose(charge, 0.9 - drawn / CELL.capacity, atol=1e-12)


@pytest.mark.parametrize('there', [True, False])
def test_the_loop_is_compiled_where_numba_is_there(monkeypatch, there):
    monkeypatch.setattr(cell_fit, 'has_numba', lambda: there)
    if there:
        pytest.importorskip('numba')
    assert (_loop.__wrapped__() is _plain_loop) is not there
