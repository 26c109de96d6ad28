import numpy as np
import pytest
from cell_cases import PACK, PLAIN, ROOM, at, states

from usv_energy.physics.batteries.cell import CellPart, Pack, rested, voltage
from usv_energy.physics.batteries.cell_step import free_current, most_power, power_margin, supply_at_power, supply_of


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


def test_the_margin_is_what_the_voltage_leaves_over_the_cutoff_or_the_largest_power():
    """6 cells, 3.6 V, 50 mOhm. At 2.5 V they give 22 A each, 330 W: by 180 W there are 1.1 V - 50 mOhm 12 A left."""
    pack, rest = Pack(PLAIN, 3.0, 2.0), rested(0.5, ROOM)
    assert power_margin(rest, 180.0, pack) == pytest.approx(3.6 - 2.5 - 0.05 * 30.0 / 2.5)
    assert power_margin(rest, 330.0, pack) == pytest.approx(0.0, abs=1e-12)
    held = pack._replace(cell=PLAIN._replace(most_current=10.0))  # 31 W a cell at 3.1 V, of 40 W.
    assert power_margin(rest, 240.0, held) == pytest.approx((31.0 - 40.0) * 2.5 / 40.0)


@pytest.mark.parametrize('cutoff', [0.0, 1.0, 1.8, 2.5])
def test_the_margin_is_above_nothing_as_long_as_the_power_can_be_given(rng, cutoff):
    """3.6 V, 50 mOhm: 3.6^2 / (4 x 0.05) = 64.8 W at 1.8 V, and less above a higher cutoff: 55 W at 2.5 V."""
    pack, rest = Pack(PLAIN._replace(cutoff_voltage=cutoff), 1.0, 1.0), rested(0.5, ROOM)
    largest = 55.0 if cutoff > 1.8 else 64.8
    assert power_margin(rest, largest, pack) == pytest.approx(0.0, abs=1e-12)
    for power in rng.uniform(1.0, 100.0, 50).tolist():
        margin = power_margin(rest, power, pack)
        assert (margin < 0.0) == (power > largest) == (supply_at_power(rest, power, pack).lacking > 0.0)
        assert margin > power_margin(rest, power + 1.0, pack)


def test_a_cell_without_voltage_gives_no_current_and_a_rounding_is_no_brown_out():
    empty = CellPart(0.0, 0.0, 0.05, 0.0, 0.0)
    assert free_current(empty, 3.0) == 0.0 and free_current(empty._replace(voltage=-1.0), 0.3) == 0.0
    least = CellPart(3.6, 3.6, 0.05, 0.0, 0.0)
    pack = Pack(PLAIN._replace(most_current=10.0), 3.0, 2.0)
    for more, lacking in ((1e-10, 0.0), (1e-8, 186.0 * 1e-8)):
        supply = supply_of(least, 186.0 * (1.0 + more), pack)
        assert supply.lacking == pytest.approx(lacking, rel=1e-4) and supply.current == pytest.approx(20.0)
