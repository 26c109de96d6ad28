from dataclasses import replace

import pytest

from usv_energy.boats.battery_sheet import BatterySheet, counter_of
from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.cell_file import read_cell
from usv_energy.studies.check.boat_check import battery_curves, boat_check
from usv_energy.studies.check.boat_check_picture import plot_boat_check
from usv_energy.studies.check.boat_check_text import boat_check_figures, boat_check_text

PLAIN = read_boat('lutra_prop')


def with_cells(**numbers):
    sheet = BatterySheet(series=4.0, cell=read_cell('nmc'), **numbers)
    return replace(PLAIN, battery=counter_of(sheet), battery_sheet=sheet)


def test_watt_hours_alone_have_no_curves():
    assert battery_curves(PLAIN) == () and boat_check(PLAIN).battery == ()


def test_the_rated_discharge_gives_the_label_and_faster_and_colder_ones_less():
    curves = battery_curves(with_cells(capacity_ah=10.0, capacity_wh=144.0, rated_current=2.0, nominal_voltage=14.4))
    warm = {round(curve.current, 1): curve for curve in curves if curve.ambient > 290.0}
    cold = {round(curve.current, 1): curve for curve in curves if curve.ambient < 290.0}
    assert sorted(warm) == sorted(cold) == [1.0, 2.0, 5.0, 10.0, 20.0]
    assert warm[2.0].charge / 3600.0 == pytest.approx(10.0, rel=2e-3)
    assert warm[2.0].course.energy[-1] / 3600.0 == pytest.approx(144.0, rel=2e-3)
    energies = [warm[current].course.energy[-1] for current in sorted(warm)]
    assert energies == sorted(energies, reverse=True)
    assert all(cold[current].course.energy[-1] < warm[current].course.energy[-1] for current in warm)


def test_no_curve_is_faster_than_what_may_be_drawn():
    assert max(curve.current for curve in battery_curves(with_cells(capacity_ah=10.0, most_current=6.0))) <= 6.0


def test_boat_check_tells_and_draws_them(tmp_path):
    check = boat_check(with_cells(capacity_ah=10.0))
    figures = boat_check_figures(check)
    row = figures['battery_discharges'][1]
    assert row['charge_ah'] == pytest.approx(10.0, rel=2e-3) and row['ambient_degc'] == pytest.approx(25.0)
    assert row['voltage_end_v'] == pytest.approx(10.0, rel=1e-3)
    assert 'until its cutoff' in boat_check_text(figures) and 'capacity and energy' not in boat_check_text(figures)
    plot_boat_check(check, tmp_path / 'check.png')
    assert (tmp_path / 'check.png').stat().st_size > 30_000
