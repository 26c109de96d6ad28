"""A step of a whole cell in the cold, against the circuit's equations in numpy and scipy's integrator."""

import math

import numpy as np
import pytest
from cell_cases import KNOTS, PACK, ROOM, WHOLE
from scipy.integrate import solve_ivp

from usv_energy.physics.batteries.cell import CellState
from usv_energy.physics.batteries.cell_step import step_at_current, step_at_power, step_beyond

COLD, STEP = 283.0, 0.5
CELL = WHOLE._replace(heat_capacity=1e12)  # Its temperature stays, and so do all factors.
START = CellState(0.61, 0.02, 0.03, 0.01, COLD)


def course(current_of):
    """Return charge, fast, slow and lag after STEP; `current_of`: of a cell's voltage without current, and R0."""
    factor = [scale * math.exp(activation * (1.0 / COLD - 1.0 / ROOM)) for scale, activation in (
        (1.2, CELL.activation), (1.2, CELL.pair_activation), (1.0, CELL.lag_activation))]

    def rates(time, values):
        charge, fast, slow, lag = values
        left = 1.0 - (1.0 - charge) / (1.0 + CELL.capacity_slope * (COLD - ROOM))
        table = {name: np.interp(left, KNOTS, getattr(CELL, name))
                 for name in ('resistance', 'fast_resistance', 'slow_resistance')}
        volts = np.interp(left - lag, KNOTS, CELL.open_circuit) - fast - slow
        current = current_of(volts, factor[0] * table['resistance'])
        share = current / (CELL.capacity * 0.95)
        return (-share, (factor[1] * table['fast_resistance'] * current - fast) / CELL.fast_time,
                (factor[1] * table['slow_resistance'] * current - slow) / CELL.slow_time,
                (CELL.lag * factor[2] * share - lag) / (CELL.lag_time * factor[2]))

    return solve_ivp(rates, (0.0, STEP), START[:4], rtol=1e-11, atol=1e-13, max_step=0.1).y[:, -1]


@pytest.mark.parametrize('step', ['current', 'power', 'beyond'])
def test_a_step_is_the_circuits(step):
    """12 cells, 4 in series: 60 A of the pack are 20 A of a cell, 600 W are 50 W; what is left is of third order."""
    pack = PACK._replace(cell=CELL)
    if step == 'current':
        found, expected = step_at_current(START, 60.0, STEP, COLD, pack), course(lambda volts, resistance: 20.0)
    else:
        expected = course(lambda volts, resistance: (
            (volts - math.sqrt(volts * volts - 4.0 * resistance * 50.0)) / (2.0 * resistance)))
        found = (step_beyond(START, 600.0, STEP, COLD, pack) if step == 'beyond'
                 else step_at_power(START, 600.0, STEP, COLD, pack)[0])
    np.testing.assert_allclose(np.subtract(found[:4], START[:4]), expected - START[:4], rtol=3e-4)


@pytest.mark.parametrize('step', ['current', 'power', 'beyond'])
def test_the_lag_heats_by_what_it_is_in_the_middle_of_a_step(step):
    """A cell without resistance and U = 3 + 1.2 z: 1.2 V times the lag times the current, C in closed form."""
    cell = WHOLE._replace(open_circuit=3.0 + 1.2 * KNOTS, resistance=0.0 * KNOTS, fast_resistance=0.0 * KNOTS,
                          slow_resistance=0.0 * KNOTS, capacity_slope=0.0, most_current=math.inf)
    pack, factor = PACK._replace(cell=cell), math.exp(cell.lag_activation * (1.0 / COLD - 1.0 / ROOM))
    capacity, watts = cell.capacity * 0.95, 600.0 / 12.0
    current = 20.0 if step == 'current' else watts / (3.0 + 1.2 * 0.6)
    middle = cell.lag * factor * current / capacity * (1.0 - math.exp(-30.0 / (cell.lag_time * factor)))
    if step != 'current':
        current = watts / (3.0 + 1.2 * (0.6 - 30.0 * current / capacity - middle))
    warmer = 1.2 * middle * current / cell.conductance * (1.0 - math.exp(-60.0 * cell.conductance / cell.heat_capacity))
    start = CellState(0.6, 0.0, 0.0, 0.0, COLD)
    found = (step_at_current(start, 60.0, 60.0, COLD, pack) if step == 'current'
             else step_beyond(start, 600.0, 60.0, COLD, pack) if step == 'beyond'
             else step_at_power(start, 600.0, 60.0, COLD, pack)[0])
    assert found.temperature - COLD == pytest.approx(warmer, rel=1e-9)
