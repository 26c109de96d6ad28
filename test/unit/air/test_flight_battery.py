"""A quadcopter's battery: cells and counter, drawn from and charged."""

import math

import numpy as np
import pytest
from landings import COUNTED, CRAFT

from usv_energy.air.flight_battery import battery_of, battery_words, energy_to_use
from usv_energy.physics.batteries.cell import INTERVALS, Pack

LOW, HIGH, OHM, AMPERE_SECONDS = 3.0, 4.0, 0.05, 3600.0


def plain_craft(**changes):
    """A craft on one cell whose voltage at rest rises evenly with the charge, with one resistance and nothing else."""
    nothing, knots = np.zeros(INTERVALS + 1), np.linspace(0.0, 1.0, INTERVALS + 1)
    cell = CRAFT.pack.cell._replace(
        capacity=AMPERE_SECONDS, capacity_slope=0.0, open_circuit=LOW + (HIGH - LOW) * knots,
        resistance=nothing + OHM, fast_resistance=nothing, slow_resistance=nothing, lag=0.0, activation=0.0,
        cutoff_voltage=2.5, full_voltage=HIGH, most_current=math.inf)
    return CRAFT._replace(pack=Pack(cell, 1.0, 1.0), battery=3.5 * AMPERE_SECONDS, nominal_voltage=3.5,
                          charge_power=1000.0, charge_current=2.0, **changes)


def test_a_power_is_drawn_at_the_current_of_a_source_with_a_resistance():
    """P = (U - R I) I, its smaller root; the most thrust goes with the square of the voltage."""
    craft = plain_craft()
    battery = battery_of(craft, 0.5)
    assert battery.draw(0.1 * 10.0, 0.1) == 0.0
    current = (3.5 - math.sqrt(3.5 ** 2 - 4.0 * OHM * 10.0)) / (2.0 * OHM)
    assert battery.current == pytest.approx(current, rel=1e-4)
    assert battery.voltage == pytest.approx(10.0 / current, rel=1e-4)
    assert battery.most_thrust == pytest.approx(craft.most_thrust * (10.0 / current / 3.5) ** 2, rel=1e-3)
    assert not battery.empty


def test_what_cells_cannot_give_is_told():
    """The most at a cutoff of 2.5 V from 3.5 V is 1 V / R times 2.5 V: 50 W; of 80 W for 0.1 s 3 J are lacking."""
    battery = battery_of(plain_craft(), 0.5)
    assert battery.most_power() == pytest.approx(50.0, rel=1e-9)
    assert battery.draw(0.1 * 80.0, 0.1) == pytest.approx(3.0, rel=1e-2)
    assert battery.empty and battery.voltage == pytest.approx(2.5, rel=1e-9)


def test_charging_goes_at_a_constant_current_then_at_the_full_voltage():
    """
    Until U + R I is full at 0.9 of the charge, I = 2 A; then the current fades with R Q / (dU/dz) = 180 s, and ends at
    a twentieth of 1 A.
    """
    battery, currents, volts = battery_of(plain_craft(), 0.5), [], []
    while not battery.charged:
        battery.charge_for(0.1)
        currents.append(-battery.current)
        volts.append(battery.voltage)
    fading = 0.4 * AMPERE_SECONDS / 2.0
    times = 0.1 * np.arange(1, len(currents) + 1)
    wanted = np.where(times < fading, 2.0, 2.0 * np.exp(-(times - fading) / (OHM * AMPERE_SECONDS / (HIGH - LOW))))
    np.testing.assert_allclose(currents[:-1], wanted[:-1], atol=2e-3)
    assert times[-1] == pytest.approx(fading + 180.0 * math.log(2.0 / 0.05), rel=2e-3)
    assert max(volts) == pytest.approx(HIGH, abs=1e-3)
    assert battery.charge_for(10.0) == 0.0


def test_charge_is_kept_and_a_round_trip_loses_what_the_resistance_takes():
    """Charged and discharged at about 1 A: the terminals lose I^2 R, the charge nothing."""
    craft = plain_craft()._replace(charge_current=1.0)
    battery = battery_of(craft, 0.4)
    for _ in range(6000):
        battery.charge_for(0.1)
    assert battery.charge == pytest.approx(0.4 - battery.carried / AMPERE_SECONDS, rel=1e-12)
    gained = -battery.given
    while battery.charge > 0.4:
        battery.draw(0.1 * 3.5, 0.1)
    assert gained - (battery.given + gained) == pytest.approx(2.0 * OHM * 600.0, rel=0.03)


def test_a_counter_knows_no_voltage_and_ends_at_nothing():
    battery = battery_of(COUNTED, 0.001)
    assert math.isnan(battery.voltage) and battery.most_thrust == COUNTED.most_thrust
    assert battery.most_power() == math.inf
    left = battery.left
    assert battery.draw(100.0, 1.0) == pytest.approx(100.0 - left)
    assert battery.empty and battery.left == 0.0 and battery.most_power() == 0.0


def test_what_can_be_used_is_less_the_faster_it_is_drawn():
    assert energy_to_use(COUNTED, 0.7, 55.0, 0.2) == pytest.approx(0.5 * COUNTED.battery)
    slow, fast = (energy_to_use(CRAFT, 1.0, watts, 0.0) for watts in (5.0, 100.0))
    assert slow > 1.04 * fast
    gentle = energy_to_use(plain_craft(), 0.6, 0.01, 0.2)  # Hardly a current: all charge at the voltage at rest.
    assert gentle == pytest.approx(AMPERE_SECONDS * 0.4 * (LOW + 0.4), rel=1e-3)


def test_its_kind_is_said():
    assert 'counted' in battery_words(COUNTED) and '3 in series, cutoff 9.0 V' in battery_words(CRAFT)
