import math

import numpy as np
import pytest
from ohmic_boat import AMPERE_HOURS, RESISTANCE, VOLTAGE, current_at, ohmic_boat

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.batteries.cell import Battery, battery_level, rested
from usv_energy.physics.batteries.cell_discharge import discharge, energy_left
from usv_energy.physics.batteries.cell_step import most_power
from usv_energy.studies.plan.pack_energy import MOST_PLACES, CellsLeft, PackEnergy, RangeMeter, remaining_range

ROOM = 298.15


def test_the_energy_of_a_constant_voltage_and_a_resistance(tmp_path):
    """P (z - z_r) Q / I, with V I - R I^2 = P; none beyond 144 W, where the voltage is the cutoff."""
    energy = PackEnergy(ohmic_boat(tmp_path).pack, 0.9, 0.3, ROOM)
    powers = np.array([[1.0, 50.0], [143.9, 144.1]])
    found = energy(powers)
    wanted = [power * 0.6 * AMPERE_HOURS * 3600.0 / current_at(power) for power in (1.0, 50.0, 143.9)]
    assert found.ravel() == pytest.approx([*wanted, 0.0], rel=1e-7)
    assert energy.most_power == pytest.approx(12.0 * (VOLTAGE - 12.0) / RESISTANCE, rel=1e-6)
    assert np.isnan(energy(np.array([np.nan]))).all()


def test_a_table_is_the_same_within_thousandths(tmp_path):
    cells = tmp_path / 'cells.yaml'
    cells.write_text('base: blueboat_watts_only\n'
                     'battery: {chemistry: nmc, series: 4, capacity_wh: null, parallel: 4}\n')
    energy = PackEnergy(read_boat(str(cells)).pack, 1.0, 0.1, ROOM)
    powers = np.geomspace(0.5, 0.9 * energy.most_power, 25)
    assert energy.as_table()(powers) == pytest.approx(energy(powers), rel=3e-3)
    beyond = energy.as_table()(np.array([1.01 * energy.most_power, np.nan]))
    assert beyond[0] == 0.0 and np.isnan(beyond[1])


def test_without_a_reserve_it_is_what_a_discharge_gives(tmp_path):
    cells = tmp_path / 'cells.yaml'
    cells.write_text('base: blueboat_watts_only\n'
                     'battery: {chemistry: nmc, series: 4, capacity_wh: null, parallel: 4}\n')
    pack = read_boat(str(cells)).pack
    course = discharge(rested(1.0, 283.15), 283.15, pack, power=150.0)
    assert PackEnergy(pack, 1.0, 0.0, 283.15)(np.array([150.0])) == pytest.approx(course.energy[-1], rel=2e-3)


WARM = 298.15


@pytest.fixture(scope='module')
def pack(tmp_path_factory):
    path = tmp_path_factory.mktemp('boat') / 'cells.yaml'
    path.write_text('base: lutra_prop\nbattery: {chemistry: nmc, series: 4, capacity_ah: 10, nominal_voltage: 14.8, '
                    'capacity_wh: null, internal_resistance: 0.08}\n')
    return read_boat(str(path)).pack


@pytest.mark.parametrize('charge', [1.0, 0.55, 0.23])
@pytest.mark.parametrize('power', [20.0, 90.0, 200.0])
def test_between_its_knots_the_table_is_the_discharge_itself(charge, power, pack):
    table = CellsLeft(pack, WARM)
    truth = float(energy_left(rested(charge, WARM), power, WARM, pack).energy)
    full = float(energy_left(rested(1.0, WARM), 20.0, WARM, pack).energy)
    assert table.until_cutoff(charge, power) == pytest.approx(truth, abs=4e-3 * full)


def test_the_more_is_asked_the_less_there_is_and_nothing_above_what_the_pack_gives(pack):
    table = CellsLeft(pack, WARM)
    left = [table.until_cutoff(0.6, power) for power in (10.0, 50.0, 150.0, 300.0)]
    assert left == sorted(left, reverse=True) and left[0] > left[-1]
    assert table.until_cutoff(1.0, 1.01 * float(most_power(rested(1.0, WARM), pack))) == 0.0
    assert table.until_cutoff(0.0, 50.0) == 0.0
    assert math.isnan(table.until_cutoff(math.nan, 50.0))


def test_what_is_measured_at_one_power_corrects_the_other_by_its_share(pack):
    table = CellsLeft(pack, WARM)
    known = 0.8 * table.until_cutoff(0.5, 30.0)
    assert table.corrected(0.5, 120.0, known, 30.0) == pytest.approx(0.8 * table.until_cutoff(0.5, 120.0))
    assert table.corrected(0.5, 120.0, math.nan, 30.0) == table.until_cutoff(0.5, 120.0)
    assert table.corrected(0.5, 120.0, 10.0 * known, 30.0) == table.until_cutoff(0.5, 120.0)


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
        assert meter._samples[-1].distance - meter._samples[0].distance > 3.0, 'the way alone would say 1 m and more'


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
    places = np.array([(at.x, at.y) for at in meter._samples])
    assert np.ptp(places[:, 0]) == pytest.approx(6.0, abs=0.02) and len(places) <= 2 * MOST_PLACES
    spinning = np.repeat([[0.02], [0.0], [turn]], time.size, axis=1)
    assert math.isnan(metered(60.0, time, spinning, 10.0).energy_per_meter)


def test_sway_and_gaps_count_as_they_are():
    time = np.arange(0.0, 60.0, 0.5)
    drifting = np.repeat([[0.0], [0.3], [0.0]], time.size, axis=1)
    meter = metered(30.0, time, drifting, 9.0)
    assert meter.energy_per_meter == pytest.approx(30.0)
    assert (meter._samples[-1].x, meter._samples[-1].y) == pytest.approx((0.0, 0.3 * 59.5))
    meter.add(1000.0, 9.0 * 59.5, 0.3 * 59.5, (0.0, 0.3, 0.0))
    assert meter._samples[-1].y == pytest.approx(0.3 * 59.5), 'nobody knows where it went in the gap'


def test_a_boat_that_is_carried_for_nothing_goes_on_for_ever():
    time = np.arange(0.0, 60.0, 0.5)
    carried = metered(30.0, time, np.repeat([[0.4], [0.0], [0.0]], time.size, axis=1), 0.0)
    assert carried.energy_per_meter == 0.0
    assert remaining_range(battery_level(0.0, 0.0, Battery(148.0, 14.8, 1.0)), carried.energy_per_meter) == math.inf
