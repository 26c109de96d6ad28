"""The range that is left: the battery over the energy per metre of the last while."""

import math

import pytest

from usv_energy.physics.battery import Battery, battery_level
from usv_energy.planning.remaining_range import RangeMeter, remaining_range


def test_the_remaining_range_is_the_battery_over_the_energy_per_metre():
    level = battery_level(0.25 * 148.0 * 3600.0, 20.0, Battery(148.0, 14.8, 1.0))
    assert remaining_range(level, 20.0) == pytest.approx(0.75 * 148.0 * 3600.0 / 20.0)
    assert math.isnan(remaining_range(level, math.nan))
    assert remaining_range(level, -1.0) == math.inf


def test_the_energy_per_metre_is_that_of_the_last_while():
    meter = RangeMeter(10.0)
    assert math.isnan(meter.energy_per_meter)
    for k in range(101):
        meter.add(0.5 * k, 10.0 * k if k <= 50 else 500.0 + 40.0 * (k - 50), 0.5 * k)
    assert meter.energy_per_meter == pytest.approx(80.0), 'the 20 J/m of the first half are forgotten'
    meter.add(51.0, math.nan, 51.0)
    assert meter.energy_per_meter == pytest.approx(80.0)
    meter.add(1.0, 100.0, 1.0)
    assert math.isnan(meter.energy_per_meter), 'time that goes back starts anew'


def test_a_boat_that_lies_still_has_no_energy_per_metre():
    meter = RangeMeter(10.0)
    for k in range(100):
        meter.add(0.5 * k, 5.0 * k, 0.001 * k)
    assert math.isnan(meter.energy_per_meter)
