"""What is known of a battery: readings where they come, the power model between them, and each joule counted once."""

import math

import pytest
import yaml

from usv_energy.analysis.battery_readings import Reading
from usv_energy.analysis.battery_watch import BatteryStatus, BatteryWatch, MeasuredEnergy
from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.battery import Battery

BATTERY = Battery(100.0, 14.8, 0.9)
WHOLE = 360_000.0  # J
READING = Reading(0.0, 15.0, 4.0)


def watched(*times, **change):
    watch = BatteryWatch(BATTERY, None, 0.05)
    for time in times:
        watch.take_reading(READING._replace(time=time, **change))
    return watch


def test_measured_joules_are_volts_times_amperes_over_the_stamps():
    watch = watched(0.0, 1.0, 2.5)
    assert watch.state_of_charge == pytest.approx(0.9 - 150.0 / WHOLE)
    report = watch.report(math.nan)
    assert (report.status, report.message) == (BatteryStatus.NONE, '')
    assert report.state_of_charge_std == pytest.approx(math.hypot(0.05, 0.03 * 150.0 / WHOLE))


def test_while_readings_come_the_model_is_only_held_to_them():
    watch = watched(0.0, 1.0)
    watch.take_power(50.0, 50.0, 1.0)
    assert watch.measured == MeasuredEnergy(60.0, 1.0, 50.0)
    assert watch.state_of_charge == pytest.approx(0.9 - 60.0 / WHOLE)
    watch.restart()
    assert watch.measured == MeasuredEnergy()
    assert watch.state_of_charge == pytest.approx(0.9 - 60.0 / WHOLE)


def test_the_model_bridges_what_was_not_measured_and_nothing_counts_twice():
    watch = watched(0.0, 1.0)
    watch.silence()
    watch.take_power(50.0, 500.0, 10.0)
    for time in (11.0, 12.0):
        watch.take_reading(READING._replace(time=time))
    assert watch.state_of_charge == pytest.approx(0.9 - (60.0 + 500.0 + 60.0) / WHOLE)


def test_a_problem_is_said_once_and_again_only_if_it_is_another():
    watch = watched(0.0)
    for current in (math.nan, math.nan):
        watch.take_reading(READING._replace(time=1.0, current=current))
    assert watch.unsaid() == ['current: nan'] and watch.unsaid() == []
    watch.silence()
    assert len(watch.unsaid()) == 1
    assert watch.report(math.nan).status == BatteryStatus.REFUSED | BatteryStatus.STALE


def test_without_readings_it_is_the_model_and_says_so():
    watch = BatteryWatch(BATTERY, None, 0.05)
    watch.take_power(36.0, 36_000.0, 1000.0)
    report = watch.report(36.0)
    assert report.status == BatteryStatus.NOT_MEASURED and 'nothing is measured' in report.message
    assert report.state_of_charge == pytest.approx(0.8)
    assert report.state_of_charge_std == pytest.approx(math.hypot(0.05, 0.02))
    assert math.isnan(watch.voltage)


def test_a_counter_has_no_cutoff():
    assert watched(0.0, 1.0).energy_until_cutoff(50.0) is None


def test_cells_give_until_their_cutoff_what_a_whole_discharge_gives(tmp_path):
    """A pack that is drawn empty at one power, watched on the way: what was said to be left is what then came."""
    path = tmp_path / 'boat.yaml'
    path.write_text(yaml.safe_dump({'base': 'lutra_prop', 'name': 'on_cells', 'battery': {
        'chemistry': 'nmc', 'series': 4, 'capacity_ah': 10.0, 'initial_state_of_charge': 1.0}}))
    boat = read_boat(str(path))
    watch = BatteryWatch(boat.battery, boat.pack, 0.05)
    power, step, told, given = 200.0, 5.0, [], 0.0
    while watch.energy_until_cutoff(power) > 0.0 and given < 1e6:
        told.append((given, watch.energy_until_cutoff(power)))
        watch.take_power(power, power * step, step)
        given += power * step
    for before, left in told[::20]:
        assert left == pytest.approx(given - before, abs=0.01 * given)
    assert 0.8 * 10.0 * 14.6 * 3600.0 < given < 10.0 * 14.8 * 3600.0
