import math

import numpy as np
import pytest
from cell_cases import KNOTS, PACK, PLAIN, ROOM, WHOLE, at, states

from usv_energy.physics.cell import (
    INTERVALS,
    Pack,
    available_charge,
    charge_at_rest,
    charge_below_empty,
    factors_of,
    most_power,
    open_circuit_voltage,
    part_of,
    rested,
    supply_at_power,
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


def test_the_power_asked_for_is_given():
    """P = (E - R I) I, the smaller root: for charging, too, and to the last digits for a tiny power."""
    pack = Pack(PLAIN, 1.0, 1.0)
    for power in (-10.0, -1e-9, 0.0, 1e-9, 5.0, 20.0):
        supply = supply_at_power(rested(0.5, ROOM), power, pack)
        assert supply.voltage * supply.current == pytest.approx(power, rel=1e-12)
        assert (supply.power, supply.lacking) == (power, 0.0) and abs(supply.current) < 3.6 / 0.1


def test_more_than_the_pack_can_give_is_a_brown_out():
    """Down to the cutoff a cell of 3.6 V and 50 mOhm gives 22 A at 2.5 V: 55 W, and 64.8 W where nothing cuts off."""
    pack = Pack(PLAIN, 3.0, 2.0)
    assert most_power(rested(0.5, ROOM), pack) == pytest.approx(6.0 * 55.0)
    supply = supply_at_power(rested(0.5, ROOM), 400.0, pack)
    assert supply == pytest.approx((7.5, 44.0, 330.0, 70.0))
    bare = Pack(PLAIN._replace(cutoff_voltage=0.0), 1.0, 1.0)
    assert supply_at_power(rested(0.5, ROOM), 1e3, bare) == pytest.approx((1.8, 36.0, 64.8, 1e3 - 64.8))
    held = Pack(PLAIN._replace(most_current=10.0), 1.0, 1.0)
    assert supply_at_power(rested(0.5, ROOM), 50.0, held) == pytest.approx((3.1, 10.0, 31.0, 19.0))


def test_below_the_cutoff_nothing_is_given_but_charge_is_taken():
    empty = Pack(PLAIN._replace(cutoff_voltage=3.7), 1.0, 1.0)
    assert supply_at_power(rested(0.5, ROOM), 5.0, empty) == pytest.approx((3.6, 0.0, 0.0, 5.0))
    assert supply_at_power(rested(0.5, ROOM), 0.0, empty).lacking == 0.0
    assert supply_at_power(rested(0.5, ROOM), -5.0, empty).current < 0.0


def test_cells_in_series_add_volts_and_in_parallel_amperes(rng):
    """A pack of 4 in 3 strings gives what 12 single cells give with a twelfth of the power each."""
    for power in (-30.0, 40.0, 200.0, 5000.0):
        state = at(states(rng, 1), 0)
        one, all_of_them = (supply_at_power(state, share * power, PACK._replace(series=series, parallel=parallel))
                            for share, series, parallel in ((1.0 / 12.0, 1.0, 1.0), (1.0, 4.0, 3.0)))
        assert all_of_them == pytest.approx((4.0 * one.voltage, 3.0 * one.current, 12.0 * one.power,
                                             12.0 * one.lacking), rel=1e-12, abs=1e-12)


def test_arrays_are_floats_one_by_one(rng):
    state = states(rng, 50)
    power = rng.uniform(-100.0, 3000.0, 50)
    both = supply_at_power(state, power, PACK)
    assert np.any(both.lacking > 0.0) and np.any(both.lacking == 0.0)
    for number in range(50):
        np.testing.assert_allclose(supply_at_power(at(state, number), float(power[number]), PACK),
                                   [values[number] for values in both], rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(voltage(at(state, number), 5.0, PACK), voltage(state, 5.0, PACK)[number])


def test_the_parts_of_a_cell(rng):
    """Of the mean charge are the resistances, of that at the surface is the voltage, less the drops of the pairs."""
    state = rested(0.4, ROOM)._replace(fast=0.01, slow=0.02, lag=0.05)
    part = part_of(state, (2.0, 3.0, 1.0), WHOLE)
    assert part.voltage == pytest.approx(open_circuit_voltage(0.35, WHOLE) - 0.03)
    assert part.at_rest == pytest.approx(open_circuit_voltage(0.4, WHOLE))
    assert part[2:] == pytest.approx((2.0 * WHOLE.resistance[80], 3.0 * WHOLE.fast_resistance[80],
                                      3.0 * WHOLE.slow_resistance[80]))
