"""Named tuples as columns of a flat array, and back."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from usv_energy.boats.vessel import Losses
from usv_energy.engine.cases import cases_of
from usv_energy.engine.prepared_runs import prepared
from usv_energy.engine.run_state import Common, compile_columns, leaves, read_column, write_column
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
    """Return a function of columns compiled; skip without numba."""
    numba = pytest.importorskip('numba')
    compile_columns()
    return numba.njit(function)


def read(template, values):
    return read_column(template, values, 1, 3)


def write(value, values):
    write_column(value, values, 1, 3)


def plain(function):
    return function


AS_PYTHON_AND_COMPILED = pytest.mark.parametrize('made', [plain, compiled])
HULL, KNOTS = Hull(7.0, (0.4, -0.4)), ((0.0, 2.0), (0.0, 9.0))


@AS_PYTHON_AND_COMPILED
def test_tuples_come_back_from_their_columns(made):
    """In Python as compiled; what is None, and the map of losses, are the template's."""
    runs = prepared(cases_of(SIX, 3, **{'boat.inertia.m11': [10.0, 11.0, 12.0]}))
    rows = runs.rows
    for run, m11 in enumerate((10.0, 11.0, 12.0)):
        case = read_column(runs.case_template, rows.ravel(), run, 3)
        assert case.boat.inertia.m11 == m11 and case.boat.damping == SIX.boat.vessel.damping
        assert case.plant is None and case.speed == 1.0 and case.start == SIX.start
    again = np.zeros(len(rows))
    write_column(case, again, 0, 1)
    np.testing.assert_array_equal(again, rows[:, 2])
    assert made(read)(runs.case_template, rows.ravel()) == read_column(runs.case_template, rows.ravel(), 1, 3)


@AS_PYTHON_AND_COMPILED
def test_what_is_common_has_no_row_and_comes_out_of_the_template_as_it_is(made):
    """A hull, and the knots of a map; the rest of the tuple has the first rows and those behind."""
    losses = Losses(0.8, 1.0, *map(Common, KNOTS))
    template = (3.0, Boat(Common(HULL), losses, 0.0), Common((5.0, KNOTS)), 0.0)
    boat = Boat(HULL, Losses(20.0, 30.0, *KNOTS), 40.0)
    assert len(list(leaves(template))) == 5
    values = np.add.outer([10.0, 20.0, 30.0, 40.0, 50.0], [-1.0, 0.0, 1.0]).ravel()
    assert made(read)(template, values) == (10.0, boat, (5.0, KNOTS), 50.0)


@AS_PYTHON_AND_COMPILED
def test_a_column_is_written_into_its_own_rows_alone(made):
    """All others are as they were, those that are no numbers too."""
    values = np.arange(15.0)
    values[[3, 5]] = np.nan
    expected = values.copy()
    expected[1::3] = 7.0, 0.4, -0.4, 2.5, 9.0
    made(write)((HULL, Hull(2.5, (), None), 9.0), values)
    np.testing.assert_array_equal(values, expected)
