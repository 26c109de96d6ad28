"""Cells with numbers that closed forms exist for, and one with everything."""

import math

import numpy as np

from usv_energy.physics.batteries.cell import INTERVALS, Cell, CellState, Pack

KNOTS = np.linspace(0.0, 1.0, INTERVALS + 1)
LEVEL = 1e-12  # V over all charge: a cell whose open-circuit voltage does not change, but rises.
ROOM = 298.15  # K

# A resistance and nothing else: 3.6 V, 50 mOhm, 1 Ah.
PLAIN = Cell(capacity=3600.0, capacity_slope=0.0, open_circuit=3.6 + LEVEL * KNOTS, resistance=0.05 + 0.0 * KNOTS,
             fast_resistance=0.0 * KNOTS, slow_resistance=0.0 * KNOTS, fast_time=10.0, slow_time=100.0, lag=0.0,
             lag_time=100.0, activation=0.0, pair_activation=0.0, lag_activation=0.0, reference_temperature=ROOM,
             heat_capacity=80.0, conductance=0.1, cutoff_voltage=2.5, full_voltage=4.2, most_current=math.inf)
# One RC pair beside it.
ONE_PAIR = PLAIN._replace(fast_resistance=0.03 + 0.0 * KNOTS)
# Everything: curved tables, two pairs, the lag, temperature.
WHOLE = Cell(capacity=18000.0, capacity_slope=0.004, open_circuit=3.0 + 1.2 * KNOTS - 0.35 * np.exp(-25.0 * KNOTS),
             resistance=0.03 + 0.02 * np.exp(-8.0 * KNOTS), fast_resistance=0.012 + 0.01 * (1.0 - KNOTS) ** 2,
             slow_resistance=0.015 + 0.02 * (1.0 - KNOTS) ** 4, fast_time=8.0, slow_time=240.0, lag=120.0,
             lag_time=600.0, activation=900.0, pair_activation=3000.0, lag_activation=6000.0,
             reference_temperature=ROOM, heat_capacity=75.0, conductance=0.12, cutoff_voltage=2.5, full_voltage=4.2,
             most_current=40.0)
PACK = Pack(WHOLE, 4.0, 3.0, 0.95, 1.2)


def states(rng, number):
    """Return states of WHOLE under way, arrays of a number of them."""
    return CellState(rng.uniform(0.05, 1.0, number), rng.uniform(-0.05, 0.1, number), rng.uniform(-0.02, 0.1, number),
                     rng.uniform(-0.02, 0.05, number), rng.uniform(268.0, 318.0, number))


def at(state, number):
    """Return one of several states, of floats."""
    return CellState(*(float(values[number]) for values in state))
