import numpy as np
import pytest

from usv_energy.engine import tuple_rows
from usv_energy.engine.cases import cases_of
from usv_energy.engine.prepared_runs import prepared
from usv_energy.physics.compiled_memory import address_of
from usv_energy.sim.scenario import read_scenario

SIX = read_scenario('6')


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


def test_only_tables_of_float64_in_one_piece_have_an_address():
    table = np.arange(6.0).reshape(2, 3)
    assert address_of(table) == table.ctypes.data
    for wrong in (table.astype(np.float32), table.T, table[:, ::2], np.arange(6)):
        with pytest.raises(ValueError, match='float64, in one piece'):
            address_of(wrong)
