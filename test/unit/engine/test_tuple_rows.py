from typing import Any, NamedTuple

import numpy as np
import pytest

from usv_energy.boats.vessel import Losses
from usv_energy.engine import tuple_rows
from usv_energy.engine.cases import cases_of
from usv_energy.engine.prepared_runs import prepared
from usv_energy.physics.compiled_memory import address_of
from usv_energy.sim.scenario import read_scenario

SIX = read_scenario('6')


class Hull(NamedTuple):
    mass: Any
    arms: Any
    none: Any = None


class Boat(NamedTuple):
    hull: Any
    losses: Losses
    speed: Any


def compiled(function):
    """Return a function of rows compiled; skip without numba."""
    numba = pytest.importorskip('numba')
    tuple_rows.compile_columns()
    return numba.njit(function)


def read(template, values):
    return tuple_rows.read_column(template, values, 1, 3)


def write_where(condition, value, values):
    tuple_rows.write_column_where(condition, value, values, 1, 3)


def plain(function):
    return function


AS_PYTHON_AND_COMPILED = pytest.mark.parametrize('made', [plain, compiled])
HULL, LOSSES = Hull(7.0, (0.4, -0.4)), Losses(0.8, 1.0, (0.0, 2.0), (0.0, 9.0))


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


@AS_PYTHON_AND_COMPILED
def test_what_is_held_has_no_row_and_comes_out_of_the_template_as_it_is(made):
    """A hull that is held, and losses with their map; the rest of the tuple has the first rows and those behind."""
    template = (3.0, Boat(tuple_rows.Common(HULL), LOSSES, 0.0), tuple_rows.Common((5.0, LOSSES)), 0.0)
    boat = Boat(HULL, LOSSES._replace(efficiency=20.0), 30.0)
    assert len(list(tuple_rows.leaves(template))) == 4
    values = np.add.outer([10.0, 20.0, 30.0, 40.0], [-1.0, 0.0, 1.0]).ravel()
    assert made(read)(template, values) == (10.0, boat, (5.0, LOSSES), 40.0)


@AS_PYTHON_AND_COMPILED
@pytest.mark.parametrize('condition', [True, False])
def test_a_column_is_written_where_a_condition_holds(made, condition):
    """Its rows only, and all of them; else all are as they were, those that are no numbers too."""
    values = np.arange(15.0)
    values[4:6] = np.nan
    expected = values.copy()
    if condition:
        expected[1::3] = 7.0, 0.4, -0.4, 2.5, 9.0
    made(write_where)(condition, (HULL, Hull(2.5, (), None), 9.0), values)
    np.testing.assert_array_equal(values, expected)
