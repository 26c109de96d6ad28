"""A BlueBoat with two T200 at full throttle on four cells: the maker's sheets at 12 and 16 V, and no energy lost."""

import numpy as np
import pytest
import yaml
from places import ROOT
from scipy.integrate import trapezoid

from usv_energy.boats.boat_file import read_boat
from usv_energy.studies.check.boat_check import at_full, at_voltage, boat_check, full_throttle, sheet_points
from usv_energy.studies.check.boat_check_text import boat_check_figures, boat_check_text

THRUSTERS = [{'name': name, 'x': -0.488, 'y': y, 'propeller': {'model': 't200', 'voltage': 16}}
             for name, y in (('left', 0.295), ('right', -0.295))]
EMPTY, FULL, RESISTANCE, AMPERE_HOURS = 13.6, 18.4, 0.04, 18.0     # V at rest, Ohm, Ah: of the whole battery.
CELL = {
    'name': 'ohmic', 'description': 'a voltage that falls in a straight line, and a resistance',
    'cell': {'capacity_ah': AMPERE_HOURS, 'nominal_voltage': 3.9, 'full_voltage': 4.6, 'cutoff_voltage': 2.6,
             'heat_capacity': 1e9, 'conductance': 1.0,
             'open_circuit_voltage': {'unit': 'V', 'rows': [[0.0, EMPTY / 4.0], [1.0, FULL / 4.0]]},
             'resistance': {'unit': 'Ohm', 'rows': [[0.0, RESISTANCE / 4.0], [1.0, RESISTANCE / 4.0]]}}}


@pytest.fixture
def boat(tmp_path):
    (tmp_path / 'ohmic.yaml').write_text(yaml.safe_dump(CELL))
    battery = {'chemistry': './ohmic.yaml', 'series': 4}
    known = {'base': 'blueboat_start', 'thrusters': THRUSTERS, 'battery': battery}
    (tmp_path / 'boat.yaml').write_text(yaml.safe_dump(known))
    return read_boat(str(tmp_path / 'boat.yaml'))


def test_thrust_is_that_of_the_makers_sheets_at_12_and_16_volts(boat):
    """Twice the last number of the sheet's thrusts, at the moments when the voltage under load is the sheet's."""
    sheets = {sheet['voltage']: sheet for sheet in
              yaml.safe_load((ROOT / 'config' / 'thrusters' / 't200.yaml').read_text())['sheets']}
    found = full_throttle(boat, at_full)
    for voltage in (12, 16):
        thrust = np.interp(voltage, found.voltage[::-1], found.bollard[::-1])
        assert thrust == pytest.approx(2.0 * sheets[voltage]['thrusts'][-1], rel=0.01)
    assert (np.diff(found.voltage) < 0.0).all() and (np.diff(found.bollard) < 0.0).all()
    assert (np.diff(found.speed) < 0.0).all() and (np.diff(found.power) < 0.0).all()


def test_points_of_the_sheets_are_where_the_discharge_passes_their_voltage(boat):
    found = full_throttle(boat, at_full)
    points = {point.voltage: point for point in sheet_points(boat, found, at_full)}
    assert list(points) == sorted(points, reverse=True) and {12.0, 16.0} <= points.keys()
    for voltage in (12.0, 16.0):
        point = points[voltage]
        passed = [np.interp(point.charge, found.charge[::-1], row[::-1]) for row in (
            found.voltage, found.bollard, found.speed, found.power)]
        assert passed[0] == pytest.approx(voltage, abs=1e-3)
        np.testing.assert_allclose(passed[1:], point[2:], rtol=0.01)
    assert all(np.isnan(point.charge) for voltage, point in points.items() if voltage > found.voltage[0])


def test_energy_from_the_cells_to_the_hull_closes(boat):
    """What the charge was worth at rest is what the boat took and the resistance turned to heat; asked for: 0.1 %."""
    found = full_throttle(boat, at_full)
    at_rest = EMPTY + (FULL - EMPTY) * found.charge
    stored = 3600.0 * AMPERE_HOURS * trapezoid(at_rest[::-1], found.charge[::-1])
    taken, heat = (trapezoid(watts, found.time) for watts in (found.power, RESISTANCE * found.current ** 2))
    assert stored == pytest.approx(taken + heat, rel=2e-4)
    assert found.voltage == pytest.approx(at_rest - RESISTANCE * found.current, rel=1e-6)
    assert found.voltage * found.current == pytest.approx(found.power, rel=1e-6)


def test_power_and_speed_are_the_boats_at_the_voltage(boat):
    """Between the voltages that were looked at a straight line is close; drag at the speed is what the screws give."""
    found = full_throttle(boat, at_full)
    for step in (0, found.time.size // 3, found.time.size - 1):
        vessel = at_voltage(boat, float(found.voltage[step])).vessel
        there = at_full(vessel)
        assert found.power[step] == pytest.approx(there.power, rel=5e-3)
        assert found.speed[step] == pytest.approx(there.speed, rel=2e-3)


def test_boat_check_has_the_table_where_cells_and_sheets_are_known(boat, tmp_path):
    figures = boat_check_figures(boat_check(boat))
    rows, text = figures['full_throttle_by_charge'], boat_check_text(figures)
    assert [round(row['state_of_charge'], 1) for row in rows[:4]] == [1.0, 0.9, 0.8, 0.7]
    assert 'Full throttle by charge' in text and f'{rows[0]["power_w"]:.0f}' in text
    assert full_throttle(read_boat('lutra_rudder_t200'), at_full) is None, 'a counter of watt-hours'
    (tmp_path / 'plain.yaml').write_text(yaml.safe_dump(
        {'base': 'blueboat_start', 'battery': {'chemistry': './ohmic.yaml', 'series': 4}}))
    assert full_throttle(read_boat(str(tmp_path / 'plain.yaml')), at_full) is None, 'no sheets'
