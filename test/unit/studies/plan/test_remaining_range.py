"""The range that is left: the battery over the energy per metre of the last while."""

import math

import numpy as np
import pytest

from usv_energy.physics.batteries.battery import Battery, battery_level
from usv_energy.studies.plan.pack_energy import MOST_PLACES, RangeMeter, remaining_range

AHEAD = (1.0, 0.0, 0.0)


def metered(window, time, velocity, watts):
    """Return a meter that heard a motion, velocity of shape (3, n), at a power, with the way that noise makes."""
    meter, way = RangeMeter(window), 0.0
    for k, at in enumerate(time):
        way += math.hypot(*velocity[:2, k]) * (time[k] - time[k - 1]) if k else 0.0
        meter.add(at, watts * at, way, tuple(velocity[:, k]))
    return meter


def test_the_remaining_range_is_the_battery_over_the_energy_per_metre():
    level = battery_level(0.25 * 148.0 * 3600.0, 20.0, Battery(148.0, 14.8, 1.0))
    assert remaining_range(level, 20.0) == pytest.approx(0.75 * 148.0 * 3600.0 / 20.0)
    assert math.isnan(remaining_range(level, math.nan))
    assert remaining_range(level, -1.0) == math.inf
    assert remaining_range(level, 20.0, 1000.0) == pytest.approx(50.0)


def test_the_energy_per_metre_is_that_of_the_last_while():
    meter = RangeMeter(10.0)
    assert math.isnan(meter.energy_per_meter)
    for k in range(101):
        meter.add(0.5 * k, 10.0 * k if k <= 50 else 500.0 + 40.0 * (k - 50), 0.5 * k, AHEAD)
    assert meter.energy_per_meter == pytest.approx(80.0), 'the 20 J/m of the first half are forgotten'
    meter.add(51.0, math.nan, 51.0, AHEAD)
    meter.add(51.0, 1.0, 51.0, (1.0, math.nan, 0.0))
    assert meter.energy_per_meter == pytest.approx(80.0)
    meter.add(1.0, 100.0, 1.0, AHEAD)
    assert math.isnan(meter.energy_per_meter), 'time that goes back starts anew'


def test_a_boat_that_lies_still_has_no_energy_per_metre():
    meter = RangeMeter(10.0)
    for k in range(100):
        meter.add(0.5 * k, 5.0 * k, 0.001 * k, (0.002, 0.0, 0.0))
    assert math.isnan(meter.energy_per_meter)


@pytest.mark.parametrize('rate, noise', [(50.0, 0.05), (5.0, 0.05), (1.0, 0.05)])
def test_a_moored_boat_has_no_range_whatever_way_its_noise_makes(rate, noise):
    """White noise of 0.05 m/s and 0.5 deg/s makes metres of way, and at 1 Hz 0.4 m of place in a minute (sigma)."""
    rng = np.random.default_rng(7)
    time = np.arange(0.0, 240.0, 1.0 / rate)
    for _ in range(5):
        velocity = rng.normal(0.0, [[noise], [noise], [math.radians(0.5)]], (3, time.size))
        meter = metered(60.0, time, velocity, 12.7)
        assert math.isnan(meter.energy_per_meter)
        assert meter._heard[-1].distance - meter._heard[0].distance > 3.0, 'the way alone would say 1 m and more'


@pytest.mark.parametrize('speed', [0.05, 0.5])
def test_a_slow_boat_in_noise_has_one(speed):
    rng = np.random.default_rng(8)
    time = np.arange(0.0, 90.0, 0.2)
    velocity = np.vstack([np.full(time.size, speed), np.zeros((2, time.size))])
    assert metered(60.0, time, velocity, 6.0).energy_per_meter == pytest.approx(6.0 / speed, rel=1e-9)
    velocity = velocity + rng.normal(0.0, 0.02, velocity.shape)
    assert math.isfinite(metered(60.0, time, velocity, 6.0).energy_per_meter)


def test_a_boat_in_circles_is_under_way_and_one_that_spins_is_not():
    """A circle of 3 m radius, 30 s around: back where it was after the window, but 6 m away in between."""
    time = np.arange(0.0, 120.0, 0.1)
    turn = 2.0 * math.pi / 30.0
    circling = np.repeat([[3.0 * turn], [0.0], [turn]], time.size, axis=1)
    meter = metered(60.0, time, circling, 10.0)
    assert meter.energy_per_meter == pytest.approx(10.0 / (3.0 * turn), rel=1e-6)
    places = np.array([(at.x, at.y) for at in meter._heard])
    assert np.ptp(places[:, 0]) == pytest.approx(6.0, abs=0.02) and len(places) <= 2 * MOST_PLACES
    spinning = np.repeat([[0.02], [0.0], [turn]], time.size, axis=1)
    assert math.isnan(metered(60.0, time, spinning, 10.0).energy_per_meter)


def test_sway_and_gaps_count_as_they_are():
    time = np.arange(0.0, 60.0, 0.5)
    drifting = np.repeat([[0.0], [0.3], [0.0]], time.size, axis=1)
    meter = metered(30.0, time, drifting, 9.0)
    assert meter.energy_per_meter == pytest.approx(30.0)
    assert (meter._heard[-1].x, meter._heard[-1].y) == pytest.approx((0.0, 0.3 * 59.5))
    meter.add(1000.0, 9.0 * 59.5, 0.3 * 59.5, (0.0, 0.3, 0.0))
    assert meter._heard[-1].y == pytest.approx(0.3 * 59.5), 'nobody knows where it went in the gap'


def test_a_boat_that_is_carried_for_nothing_goes_on_for_ever():
    time = np.arange(0.0, 60.0, 0.5)
    carried = metered(30.0, time, np.repeat([[0.4], [0.0], [0.0]], time.size, axis=1), 0.0)
    assert carried.energy_per_meter == 0.0
    assert remaining_range(battery_level(0.0, 0.0, Battery(148.0, 14.8, 1.0)), carried.energy_per_meter) == math.inf
