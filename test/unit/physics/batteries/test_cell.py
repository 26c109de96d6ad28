
import math

import numpy as np
import pytest
from cell_cases import KNOTS, PACK, PLAIN, ROOM, WHOLE
from scipy.integrate import trapezoid

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
from usv_energy.physics.batteries.cell_discharge import BEYOND, _until, discharge, energy_left, energy_without_losses
from usv_energy.physics.batteries.cell_step import step_at_power


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


SLOPED = Pack(PLAIN._replace(open_circuit=2.5 + 1.7 * KNOTS), 2.0, 3.0)  # 0 to 100 %: from the cutoff to 4.2 V.


def test_a_discharge_of_a_sloped_cell_ends_where_its_closed_form_says():
    """U = 2.5 V + 1.7 V z and 50 mOhm: at 4 A the cutoff is met at z = 0.2 / 1.7."""
    course = discharge(rested(1.0, ROOM), ROOM, SLOPED, current=12.0)
    drawn = 1.0 - 0.2 / 1.7
    assert course.time[-1] == pytest.approx(drawn * 3600.0 / 4.0, rel=1e-6)
    assert course.charge[-1] == pytest.approx(0.2 / 1.7, rel=1e-5)
    assert course.voltage[0] == pytest.approx(2.0 * 4.0) and course.voltage[-1] == pytest.approx(5.0, rel=1e-6)
    assert course.energy[-1] == pytest.approx(12.0 * course.time[-1] * 6.5, rel=1e-6)


def test_the_energy_left_of_a_sloped_cell():
    """
    At a tiny power it is all of it: the mean of U, 3.35 V, times 1 Ah. At 10 W a cell it ends at 4 A and 2.5 V.

    There z = 0.2 / 1.7; the energy until then is the integral of P dz Q / I with P = (U - R I) I, by quadrature.
    """
    all_of_it = energy_left(rested(1.0, ROOM), 1e-6, ROOM, SLOPED)
    assert all_of_it.energy == pytest.approx(6.0 * 3.35 * 3600.0, rel=1e-4)
    charge = np.linspace(0.2 / 1.7, 1.0, 20001)
    volts = 2.5 + 1.7 * charge
    current = (volts - np.sqrt(volts ** 2 - 4.0 * 0.05 * 10.0)) / 0.1
    expected = trapezoid(10.0 / current, charge) * 3600.0
    left = energy_left(rested(1.0, ROOM), 60.0, ROOM, SLOPED)
    assert left.energy == pytest.approx(6.0 * expected, rel=1e-4)
    assert left.time == pytest.approx(left.energy / 60.0) and left.charge == pytest.approx(0.2 / 1.7, abs=1e-4)


def test_nothing_is_left_of_an_empty_pack_or_where_too_much_is_asked():
    assert energy_left(rested(0.0, ROOM), 10.0, ROOM, SLOPED).energy == 0.0
    assert energy_left(rested(1.0, ROOM), 1e6, ROOM, SLOPED).energy == 0.0


def test_the_energy_left_is_what_a_discharge_gives():
    course = discharge(rested(0.8, 280.0), 275.0, PACK, power=300.0, steps=3000)
    left = energy_left(rested(0.8, 280.0), 300.0, 275.0, PACK)
    assert left.energy == pytest.approx(300.0 * course.time[-1], rel=2e-3)
    assert course.energy[-1] == pytest.approx(300.0 * course.time[-1], rel=2e-3)
    assert left.charge == pytest.approx(course.charge[-1], abs=2e-3)
    state, time = rested(0.8, 280.0), 0.0
    while True:
        state, supply = step_at_power(state, 300.0, 1.0, 275.0, PACK)
        if supply.lacking > 0.0:
            break
        time += 1.0
    assert left.time == pytest.approx(time, rel=2e-3)


@pytest.mark.parametrize('less', [{'power': 600.0}, {'ambient': 263.15}, {'share': 0.8}, {'factor': 2.0}])
def test_faster_colder_and_older_give_less(less):
    """Where the cells stay as cold as what is around them; a fast discharge that warms them may give more."""
    usual = {'power': 200.0, 'ambient': ROOM, 'share': 1.0, 'factor': 1.0}

    def energy(case):
        pack = Pack(WHOLE._replace(conductance=1e6), 4.0, 3.0, case['share'], case['factor'])
        return energy_left(rested(1.0, case['ambient']), case['power'], case['ambient'], pack).energy
    assert energy({**usual, **less}) < 0.97 * energy(usual)


def test_a_rest_gives_back_what_the_lag_held_from_a_fast_discharge():
    course = discharge(rested(1.0, ROOM), ROOM, PACK, power=1200.0)
    assert course.charge[-1] > 0.05
    rest = rested(float(course.charge[-1]), ROOM)
    assert energy_left(rest, 100.0, ROOM, PACK).energy > 0.03 * course.energy[-1]


def test_arrays_are_floats_one_by_one(rng):
    charge, power = rng.uniform(0.0, 1.0, 20), rng.uniform(1.0, 1500.0, 20)
    both = energy_left(rested(charge, ROOM), power, 285.0, PACK)
    for number in range(20):
        one = energy_left(rested(float(charge[number]), ROOM), float(power[number]), 285.0, PACK)
        np.testing.assert_allclose(one, [values[number] for values in both], rtol=1e-9)


def test_a_discharge_is_at_a_current_or_a_power():
    with pytest.raises(ValueError, match='either'):
        discharge(rested(1.0, ROOM), ROOM, PACK)
    assert math.isfinite(discharge(rested(0.0, ROOM), ROOM, SLOPED, current=1.0).time[-1])


def test_a_discharge_down_to_a_charge_takes_what_is_between():
    """A constant voltage and a resistance: P (z - z_r) Q / I; the course of a whole pack says the same."""
    current = (3.6 - np.sqrt(3.6 ** 2 - 4.0 * 0.05 * 10.0)) / (2.0 * 0.05)
    left = energy_left(rested(0.9, ROOM), 10.0, ROOM, Pack(PLAIN, 1.0, 1.0), 0.25)
    assert left.energy == pytest.approx(10.0 * 0.65 * 3600.0 / current, rel=1e-9)
    assert left.charge == pytest.approx(0.25, abs=1e-9)
    some = energy_left(rested(0.9, ROOM), 100.0, ROOM, PACK, 0.4)
    course = discharge(rested(0.9, ROOM), ROOM, PACK, power=100.0)
    assert some.energy == pytest.approx(np.interp(-0.4, -course.charge, course.energy), rel=1e-5)
    assert energy_left(rested(0.3, ROOM), 100.0, ROOM, PACK, 0.4).energy == 0.0


def test_the_bound_on_the_energy_is_the_charge_at_the_voltage_at_rest():
    """6 cells of 1 Ah, aged to 0.8: at 90 % 4.03 V each, for 0.7 of the charge; of a warmer room, and of a reserve."""
    aged = SLOPED._replace(capacity_share=0.8)
    assert energy_without_losses(rested(0.9, ROOM), ROOM, aged, 0.2) == pytest.approx(0.7 * 4.03 * 3600.0 * 0.8 * 6.0)
    cold = aged._replace(cell=aged.cell._replace(capacity_slope=0.01))
    for temperature, ambient in ((ROOM - 30.0, ROOM), (ROOM, ROOM - 30.0)):
        assert energy_without_losses(rested(0.9, temperature), ambient, cold) == pytest.approx(
            0.9 * 4.03 * 3600.0 * 0.8 * 6.0)


def test_steps_are_shares_of_the_time_without_losses():
    """At 12 A and 6.7 V, the voltage at half of the charge; by watts as they are."""
    bound = BEYOND * 4.2 * 3600.0 * 6.0
    assert discharge(rested(1.0, ROOM), ROOM, SLOPED, current=12.0).time[1] == pytest.approx(bound / (12.0 * 6.7) / 500)
    assert discharge(rested(1.0, ROOM), ROOM, SLOPED, power=60.0, steps=50).time[1] == pytest.approx(bound / 60.0 / 50)


def test_the_last_row_is_where_its_margin_is_nothing():
    rows = np.array([[0.0, 1.0, 2.0, 3.0, 4.0], [9.0, 7.0, 5.5, 4.0, 1.0], [0.9, 0.8, 0.5, 0.3, -0.1]])
    found = _until(rows)
    np.testing.assert_array_equal(found[:, :4], rows[:, :4])
    np.testing.assert_allclose(found[:, 4], [3.75, 4.0 - 0.75 * 3.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(_until(rows[:, 3:])[:, 1], found[:, 4])
    for whole in (rows[:, :4], rows[:, 4:]):
        assert _until(whole) is whole
