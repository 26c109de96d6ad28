import numpy as np
import pytest
from made_cell import CELL

from usv_energy.identify.cells.cell_fit import KNOTS, SCALARS, TABLES, cell_of, names_of_fit, start_charge, start_of
from usv_energy.identify.cells.cell_recordings import CellRun


def test_the_logarithms_stand_for_a_cell():
    logarithms = start_of(CELL)
    assert len(logarithms) == len(names_of_fit()) == len(SCALARS) + len(TABLES) * len(KNOTS)
    logarithms[names_of_fit().index('resistance 0.4')] = np.log(0.123)
    logarithms[names_of_fit().index('capacity')] = np.log(5000.0)
    cell = cell_of(logarithms, CELL)
    assert cell.capacity == pytest.approx(5000.0) and cell.resistance[80] == pytest.approx(0.123)
    assert cell.open_circuit is CELL.open_circuit and cell.cutoff_voltage == CELL.cutoff_voltage


def test_the_start_scales_with_the_capacity():
    """A cell of twice the capacity has half the resistance and twice the heat capacity."""
    one, two = (cell_of(start_of(CELL._replace(capacity=hours * 3600.0)), CELL) for hours in (1.0, 2.0))
    assert one.resistance[0] == pytest.approx(2.0 * two.resistance[0])
    assert 2.0 * one.heat_capacity == pytest.approx(two.heat_capacity) and one.lag == pytest.approx(two.lag)


def test_the_charge_at_the_start_is_given_or_that_of_the_voltage_at_rest():
    nothing = np.zeros(2)
    run = CellRun('x', nothing, nothing, nothing, nothing, float(CELL.open_circuit[120]))
    assert start_charge(run, CELL) == pytest.approx(0.6)
    assert start_charge(run._replace(charge=0.3), CELL) == 0.3
