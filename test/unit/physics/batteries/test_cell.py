import math

import numpy as np
import pytest
from cell_cases import KNOTS, PLAIN, ROOM, WHOLE

from usv_energy.physics.batteries.cell import (
    INTERVALS,
    Pack,
    available_charge,
    cell_part,
    charge_at_rest,
    charge_below_empty,
    factors_of,
    open_circuit_voltage,
    rested,
    voltage,
)


def test_the_voltage_at_rest_is_linear_between_knots_and_beyond_them():
    table = WHOLE.open_circuit
    np.testing.assert_allclose(open_circuit_voltage(KNOTS, WHOLE), table, rtol=1e-14)
    middle = 0.5 * (KNOTS[1:] + KNOTS[:-1])
    np.testing.assert_allclose(open_circuit_voltage(middle, WHOLE), 0.5 * (table[1:] + table[:-1]), rtol=1e-14)
    assert open_circuit_voltage(-0.02, WHOLE) == pytest.approx(table[0] - 0.02 * INTERVALS * (table[1] - table[0]))
    assert open_circuit_voltage(1.01, WHOLE) == pytest.approx(table[-1] + 0.01 * INTERVALS * (table[-1] - table[-2]))
    assert math.isnan(open_circuit_voltage(math.nan, WHOLE))
    assert np.isnan(open_circuit_voltage(np.array([0.5, math.nan]), WHOLE)).tolist() == [False, True]


def test_the_charge_at_rest_undoes_it():
    charge = np.linspace(-0.03, 1.02, 300)
    np.testing.assert_allclose(charge_at_rest(open_circuit_voltage(charge, WHOLE), WHOLE), charge, atol=1e-12)
    assert charge_at_rest(open_circuit_voltage(-charge_below_empty(WHOLE), WHOLE), WHOLE) == pytest.approx(
        charge_at_rest(WHOLE.cutoff_voltage, WHOLE))


def test_cold_takes_capacity_and_warmth_gives_it_back():
    """At 0.4 % a kelvin, 25 K colder there is 90 % of the capacity: full stays full, and empty is at 10 % of before."""
    assert available_charge(1.0, ROOM - 25.0, WHOLE) == 1.0
    assert available_charge(0.1, ROOM - 25.0, WHOLE) == pytest.approx(0.0, abs=1e-12)
    assert available_charge(0.1, ROOM, WHOLE) == pytest.approx(0.1)
    assert available_charge(0.1, ROOM + 25.0, WHOLE) == pytest.approx(0.1)


def test_a_resistance_is_ohm_s_law():
    pack = Pack(PLAIN, 4.0, 2.0)
    assert voltage(rested(0.5, ROOM), 6.0, pack) == pytest.approx(4.0 * (3.6 - 0.05 * 6.0 / 2.0), rel=1e-12)
    assert voltage(rested(0.5, ROOM), -6.0, pack) == pytest.approx(4.0 * (3.6 + 0.05 * 6.0 / 2.0), rel=1e-12)


def test_arrhenius_doubles_by_the_kelvin():
    """Resistance is twice as large where B (1/T - 1/T_ref) is ln 2."""
    temperature = 1.0 / (1.0 / ROOM + math.log(2.0) / WHOLE.pair_activation)
    warm, cold = (factors_of(t, Pack(WHOLE, 1.0, 1.0, 1.0, 1.5)) for t in (ROOM, temperature))
    assert warm == pytest.approx((1.5, 1.5, 1.0)) and cold[1] == pytest.approx(3.0)
    assert cold[0] == pytest.approx(1.5 * 2.0 ** (900.0 / 3000.0)) and cold[2] == pytest.approx(4.0)


def test_the_parts_of_a_cell(rng):
    """Of the mean charge are the resistances, of that at the surface is the voltage, less the drops of the pairs."""
    state = rested(0.4, ROOM)._replace(fast=0.01, slow=0.02, lag=0.05)
    part = cell_part(state, (2.0, 3.0, 1.0), WHOLE)
    assert part.voltage == pytest.approx(open_circuit_voltage(0.35, WHOLE) - 0.03)
    assert part.at_rest == pytest.approx(open_circuit_voltage(0.4, WHOLE))
    assert part[2:] == pytest.approx((2.0 * WHOLE.resistance[80], 3.0 * WHOLE.fast_resistance[80],
                                      3.0 * WHOLE.slow_resistance[80]))


def test_resistances_are_linear_between_their_knots():
    """Three quarters of the way from the knot at 0.4 to the next one, of tables that rise and fall."""
    tables = {name: 0.01 * np.cos(rate * KNOTS) + 0.02 for name, rate in (
        ('resistance', 5.0), ('fast_resistance', 7.0), ('slow_resistance', 9.0))}
    part = cell_part(rested(0.40375, ROOM), (2.0, 3.0, 1.0), WHOLE._replace(**tables))
    expected = [0.25 * table[80] + 0.75 * table[81] for table in tables.values()]
    assert part[2:] == pytest.approx((2.0 * expected[0], 3.0 * expected[1], 3.0 * expected[2]), rel=1e-12)
