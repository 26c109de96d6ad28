"""What is known of a battery: readings where they come, the power model between them, and each joule counted once."""

import math

import pytest
import yaml

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.batteries.cell import Battery, BatteryLevel
from usv_energy.physics.batteries.cell_discharge import energy_left
from usv_energy.powering.energy import Accumulation, Energy
from usv_energy.studies.analyze.battery.battery_readings import Reading
from usv_energy.studies.analyze.battery.battery_watch import BatteryAccount, BatteryStatus, BatteryWatch, MeasuredEnergy

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


def test_another_battery_begins_at_its_charge_and_the_energy_drawn_goes_on():
    watch = BatteryWatch(BATTERY, None, 0.05)
    account = BatteryAccount(BATTERY, watch, 60.0)

    def level(joules):
        watch.take_power(100.0, 3600.0, 36.0)
        return account.follow(Accumulation(Energy(total=joules)), 100.0, (1.0, 0.0, 0.0)).state_of_charge

    assert level(3600.0) == pytest.approx(0.89) == watch.state_of_charge
    account.swap(0.6, math.nan)
    assert watch.report(math.nan).state_of_charge_std == 0.05
    assert level(7200.0) == pytest.approx(0.59) == watch.state_of_charge, 'an hour more of 100 J a second'
    account.swap(1.0, 0.01)
    assert watch.report(math.nan)[:2] == pytest.approx((1.0, 0.01))
    watch.take_reading(READING)
    watch.take_reading(READING._replace(time=60.0))
    assert account.follow(Accumulation(Energy(total=1e5)), 60.0, (1.0, 0.0, 0.0)).state_of_charge == pytest.approx(0.99)


def test_while_readings_come_the_model_is_only_held_to_them():
    watch = watched(0.0, 1.0)
    watch.take_power(50.0, 100.0, 2.0)
    assert watch.measured == MeasuredEnergy(120.0, 2.0, 100.0)
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


def test_after_a_reading_that_was_refused_the_model_alone_counts_until_the_next_good_one():
    watch = watched(0.0, 1.0)
    watch.take_reading(READING._replace(time=2.0, current=math.nan))
    watch.take_power(50.0, 500.0, 10.0)
    watch.take_reading(READING._replace(time=11.0))
    assert watch.state_of_charge == pytest.approx(0.9 - (60.0 + 500.0) / WHOLE)


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


@pytest.mark.parametrize('degc, least, most', [(25.0, 0.87, 0.93), (0.0, 0.7, 0.87)])
def test_cells_give_until_their_cutoff_what_a_whole_discharge_gives(tmp_path, degc, least, most):
    """A pack that is drawn empty at one power, watched on the way: what was said to be left is what then came."""
    path = tmp_path / 'boat.yaml'
    path.write_text(yaml.safe_dump({'base': 'lutra_prop', 'name': 'on_cells', 'battery': {
        'chemistry': 'nmc', 'series': 4, 'capacity_ah': 10.0, 'initial_state_of_charge': 1.0}}))
    boat = read_boat(str(path))
    watch = BatteryWatch(boat.battery, boat.pack, 0.05, degc + 273.15)
    power, step, told, given = 200.0, 5.0, [], 0.0
    while watch.energy_until_cutoff(power) > 0.0 and given < 1e6:
        told.append((given, watch.energy_until_cutoff(power)))
        watch.take_power(power, power * step, step)
        given += power * step
    for before, left in told[::20]:
        assert left == pytest.approx(given - before, abs=0.003 * given)
    assert least < given / (10.0 * 14.8 * 3600.0) < most


@pytest.fixture
def on_cells(tmp_path):
    """Return a watch over 4 cells of 10 Ah in series, full."""
    path = tmp_path / 'boat.yaml'
    path.write_text(yaml.safe_dump({'base': 'lutra_prop', 'name': 'on_cells', 'battery': {
        'chemistry': 'nmc', 'series': 4, 'capacity_ah': 10.0, 'initial_state_of_charge': 0.8}}))
    boat = read_boat(str(path))
    return BatteryWatch(boat.battery, boat.pack, 0.05)


def test_a_model_counts_and_doubts_a_fifth_of_what_it_drew_and_a_reading_3_percent():
    watch = watched(0.0, 100.0)
    watch.silence()
    watch.take_power(50.0, 5000.0, 100.0)
    report = watch.report(50.0)
    assert report.state_of_charge_std == pytest.approx(math.hypot(0.05, (0.03 * 6000.0 + 0.2 * 5000.0) / WHOLE))
    assert report.energy_left == pytest.approx(0.9 * WHOLE - 11_000.0) and math.isnan(report.temperature)
    watch.take_power(0.0, 2.0 * WHOLE, 1.0)
    assert watch.state_of_charge == 0.0 and watch.report(0.0).energy_left == 0.0
    charged = BatteryWatch(BATTERY, None, 0.05)
    charged.take_power(0.0, -WHOLE, 1.0)
    assert charged.state_of_charge == 1.0


def test_the_same_stamp_counts_nothing_and_time_between_readings_is_its_trapezoid():
    watch = watched(0.0)
    watch.take_reading(READING._replace(time=2.0, voltage=14.0, current=10.0))
    assert watch.state_of_charge == pytest.approx(0.9 - 2.0 * 0.5 * (60.0 + 140.0) / WHOLE)
    before = watch.state_of_charge
    watch.take_reading(READING._replace(time=2.0, current=50.0))
    assert watch.state_of_charge == before


def test_the_largest_power_of_late_fades_within_half_a_minute():
    watch = BatteryWatch(BATTERY, None, 0.05)
    watch.take_power(90.0, 0.0, 1.0)
    assert watch._peak == 90.0
    watch.take_power(10.0, 0.0, 30.0)
    assert watch._peak == pytest.approx(90.0 * math.exp(-1.0))
    watch.take_power(math.nan, 0.0, 30.0)
    assert watch._peak == pytest.approx(90.0 * math.exp(-1.0))
    watch.take_power(50.0, 0.0, 0.0)
    assert watch._peak == 50.0


def test_several_sources_and_readings_of_another_battery_are_used_none():
    watch = watched(0.0, place='bow')
    watch.take_reading(READING._replace(time=1.0, place='stern'))
    report = watch.report(50.0)
    assert report.status == BatteryStatus.REFUSED | BatteryStatus.SEVERAL_SOURCES
    assert "a reading of 'stern' among those of 'bow'" in report.message and watch.reading is None
    watch.hear_of_sources('one, other')
    watch.take_reading(READING._replace(time=2.0, place='bow'))
    assert watch.sources == 'one, other' and watch.reading is None
    assert watch.report(50.0).status == BatteryStatus.SEVERAL_SOURCES
    assert watch.unsaid() == ['readings come from one, other: none is used'] and watch.unsaid() == []
    watch.hear_of_sources('')
    watch.take_reading(READING._replace(time=3.0, place='bow'))
    assert watch.reading is not None and watch.report(50.0).status == BatteryStatus.NONE


def test_silence_is_stale_only_where_something_was_measured():
    new = BatteryWatch(BATTERY, None, 0.05)
    new.silence()
    assert new.report(1.0).status == BatteryStatus.NOT_MEASURED and not new.was_measured
    watch = watched(0.0)
    watch.silence()
    assert watch.report(1.0).status == BatteryStatus.STALE and 'too old' in watch.report(1.0).message


def test_volts_and_amperes_under_load_are_measured_ones_else_the_cells(on_cells):
    level = BatteryLevel(14.8, -1.0, 5.0, 10.0, 0.5)
    assert watched(0.0).level_under_load(level) == level._replace(voltage=15.0, current=-4.0)
    assert BatteryWatch(BATTERY, None, 0.05).level_under_load(level) is level
    on_cells.take_power(100.0, 100.0, 1.0)
    found = on_cells.level_under_load(level)
    assert found.voltage == on_cells.voltage and found.voltage * -found.current == pytest.approx(100.0, rel=1e-6)
    on_cells.take_reading(Reading(0.0, found.voltage, 7.0, temperature=12.5))
    assert on_cells.voltage == found.voltage and on_cells.level_under_load(level).current == -7.0
    assert on_cells.report(100.0).temperature == 12.5 and on_cells._cells.cells.temperature == 285.65


def test_energy_until_the_cutoff_is_followed_anew_twice_a_minute_and_counted_between(on_cells):
    first = on_cells.report(200.0).energy_left
    on_cells.take_power(100.0, 29.9 * 100.0, 29.9)
    assert on_cells.report(200.0).energy_left == pytest.approx(first - 2990.0, abs=1e-6)
    on_cells.take_power(100.0, 10.0, 0.1)
    anew = on_cells.report(200.0).energy_left
    assert anew != pytest.approx(first - 3000.0, abs=1e-3) and anew == pytest.approx(first - 3000.0, rel=0.01)
    on_cells.take_power(math.nan, 100.0 * first, 1.0)
    assert on_cells.energy_until_cutoff(200.0) == 0.0


def test_below_the_cutoff_is_told_of_the_pack_and_of_a_single_cell(on_cells):
    least = on_cells._pack.cell.cutoff_voltage
    assert BatteryStatus.BELOW_CUTOFF not in on_cells.report(10.0).status
    on_cells._last, on_cells._is_measuring, on_cells._was_measured = Reading(0.0, 4.0 * least - 0.01, 5.0), True, True
    report = on_cells.report(10.0)
    on_cells._last = Reading(0.0, 4.0 * least, 5.0)
    assert BatteryStatus.BELOW_CUTOFF not in on_cells.report(10.0).status
    assert report.status == BatteryStatus.BELOW_CUTOFF and 'is below the cutoff' in report.message
    for volts, problem, below in ((least - 0.01, 'cell: 2', True), (least, 'cell: 2', False), (0.0, 'cell: 2', False),
                                  (least - 0.01, 'place: x', False)):
        on_cells._last = Reading(0.0, 15.0, 5.0)._replace(cells=(3.7, volts))
        on_cells._problems = (problem,)
        assert (BatteryStatus.BELOW_CUTOFF in on_cells._doubts()[0]) is below


def test_cells_go_on_by_the_mean_of_two_currents_over_their_time(on_cells):
    """4 and 10 A, 20 s apart, at the volts that the cells have: 140 As of 10 Ah, but for a doubt of 1e-6."""
    watch = BatteryWatch(on_cells._battery, on_cells._pack, 1e-6)
    assert watch.state_of_charge == pytest.approx(0.8)
    for time, current in ((0.0, 4.0), (20.0, 10.0)):
        watch.take_reading(Reading(time, watch.report(60.0).open_circuit_voltage - 0.05 * current, current))
    assert watch.state_of_charge == pytest.approx(0.8 - 140.0 / 36_000.0, abs=2e-4)


def test_with_readings_the_energy_left_is_that_at_their_power_and_falls_by_it(on_cells):
    """15 V and 4 A are 60 W, whatever the model says; no time at all counts nothing."""
    on_cells.take_power(100.0, 0.0, 0.0)
    on_cells.take_reading(Reading(0.0, 15.0, 4.0))
    cells = on_cells._cells.cells
    first = on_cells.energy_until_cutoff(999.0)
    assert first == float(energy_left(cells, 60.0, cells.temperature, on_cells._cells.pack).energy)
    on_cells.take_power(999.0, 20_000.0, 20.0)
    assert on_cells.energy_until_cutoff(999.0) == pytest.approx(first - 60.0 * 20.0, abs=1e-6)
