import math

import numpy as np
import pytest

from usv_energy.physics.batteries.cell import Battery, battery_level, state_of_charge

PACK = Battery(capacity_wh=100.0, nominal_voltage=20.0, initial_state_of_charge=0.9)


def test_charge_falls_by_the_energy_drawn():
    assert state_of_charge(0.0, PACK) == 0.9
    assert state_of_charge(0.5 * 100.0 * 3600.0, PACK) == pytest.approx(0.4)
    assert state_of_charge(-36000.0, PACK) == pytest.approx(1.0)


def test_charge_stays_between_empty_and_full():
    np.testing.assert_array_equal(state_of_charge(np.array([1e9, -1e9]), PACK), [0.0, 1.0])
    assert math.isnan(state_of_charge(math.nan, PACK))


def test_level_in_the_units_of_battery_state():
    level = battery_level(36000.0, 50.0, PACK)
    assert level == pytest.approx((20.0, -2.5, 0.8 * 5.0, 5.0, 0.8))     # V, A (discharging), Ah, Ah, (-)
    # Charge and capacity in Ah times the voltage are Wh: what was drawn is missing.
    drawn_wh = (PACK.initial_state_of_charge * level.capacity - level.charge) * level.voltage
    assert drawn_wh * 3600.0 == pytest.approx(36000.0)
