from dataclasses import replace

import numpy as np
import pytest
import yaml
from places import DATA

from usv_energy.boats.thruster_library import (
    LibraryThruster,
    ThrusterSheet,
    between_sheets,
    read_thruster,
    thruster_from,
)
from usv_energy.files.errors import InputError
from usv_energy.files.locate import names

PULSES = np.array([1100.0, 1300.0, 1500.0, 1700.0, 1900.0])
DOCUMENT = {'name': 'x', 'source': 'test', 'pulses': PULSES.tolist(), 'sheets': [
    {'voltage': volts, 'thrusts': [-2.0 * volts, -volts, 0.0, volts, 3.0 * volts], 'powers': [8.0, 3.0, 0.0, 4.0, 20.0],
     'rpm': [200.0, 100.0, 0.0, 100.0, 300.0]} for volts in (10.0, 12.0)]}


def sheets_of(*voltages):
    """Return sheets whose thrusts are parabolas in the voltage and whose need is a power of it: P / T^1.5 = V^0.3."""
    made = []
    for volts in voltages:
        thrust = np.sign(PULSES - 1500.0) * abs(PULSES - 1500.0) / 400.0 * (1.0 + 2.0 * volts + 0.05 * volts ** 2)
        made.append(ThrusterSheet(volts, PULSES, thrust, volts ** 0.3 * abs(thrust) ** 1.5, 100.0 * abs(thrust)))
    return tuple(made)


@pytest.mark.parametrize('volts', [13.0, 18.0])
def test_between_sheets_a_parabola_of_thrust_and_a_power_law_of_the_need_are_exact(volts):
    found, true = between_sheets(sheets_of(10.0, 12.0, 16.0, 20.0), volts), sheets_of(volts)[0]
    np.testing.assert_allclose(found.thrusts, true.thrusts, rtol=1e-12)
    np.testing.assert_allclose(found.powers, true.powers, rtol=1e-12)


def test_between_the_first_two_sheets_thrust_is_a_straight_line():
    low, high = sheets_of(10.0, 12.0)
    found = between_sheets((low, high), 10.5)
    np.testing.assert_allclose(found.thrusts, 0.75 * low.thrusts + 0.25 * high.thrusts, rtol=1e-12)


def test_what_stands_still_at_one_voltage_stands_still_between():
    low, high = sheets_of(10.0, 12.0)
    still = low.thrusts.copy()
    still[3] = 0.0
    found = between_sheets((ThrusterSheet(10.0, PULSES, still, low.powers, low.rpm), high), 11.0)
    assert found.thrusts[3] == found.powers[3] == found.rpm[3] == 0.0 and found.thrusts[4] > 0.0


def test_at_the_voltage_of_a_sheet_it_is_the_sheet():
    sheets = sheets_of(10.0, 12.0, 16.0)
    thruster = LibraryThruster('x', None, sheets, None)
    assert thruster.at_voltage(12.0, '') is sheets[1] and thruster.at_voltage(16.0, '') is sheets[2]
    for volts in (9.99, 16.01):
        with pytest.raises(InputError, match=f'voltage is {volts}; the sheets of x are for from 10 to 16 V'):
            thruster.at_voltage(volts, '')


@pytest.mark.parametrize('name', names('thrusters'))
def test_every_shipped_thruster_rises_at_every_voltage(name):
    """More pulse, more thrust; more thrust on a side, more power; a map short enough for compiled code (32 knots)."""
    thruster = read_thruster(name)
    assert thruster.name == name
    for volts in np.linspace(*thruster.voltages, 41):
        thrusts, powers = thruster.at_voltage(float(volts), '').bollard_map()
        assert np.all(np.diff(thrusts) > 0.0) and len(thrusts) <= 32
        assert np.all(np.diff(powers[thrusts >= 0.0]) >= 0.0) and np.all(np.diff(powers[thrusts <= 0.0]) <= 0.0)


def test_t200_at_full_throttle_as_its_maker_says():
    """The maker's table: 12 V 3.55 kgf ahead, 3.0 astern; 16 V 5.1 and 4.1: other units, years before the sheets."""
    thruster = read_thruster('t200')
    for volts, ahead, astern in ((12.0, 3.55, 3.0), (16.0, 5.1, 4.1)):
        thrusts = thruster.at_voltage(volts, '').thrusts / 9.80665
        assert thrusts[-1] == pytest.approx(ahead, rel=0.06) and thrusts[0] == pytest.approx(-astern, rel=0.06)


def with_change(path, value):
    document = yaml.safe_load(yaml.safe_dump(DOCUMENT))
    *keys, last = path
    node = document
    for key in keys:
        node = node[key]
    node[last] = value
    return document


@pytest.mark.parametrize('path, value, message', [
    (('pulses', 1), 1100.0, r'pulses are \[1100.0, 1100.0, .*they must rise'),
    (('sheets', 0, 'thrusts', 4), 5.0, r'sheets.0.thrusts are .*they must rise'),
    (('sheets', 1, 'thrusts', 0), 5.0, r'sheets.1.thrusts must be below 0 for pulses below 1500 us'),
    (('sheets', 1, 'voltage'), 10.0, r'voltages are \[10.0, 10.0\]; they must rise'),
    (('sheets', 0, 'rpm'), [1.0], r'sheets.0.rpm has 1 numbers; must be as many as pulses, 5'),
    (('sheets', 0, 'powers', 0), -1.0, r'sheets.0.powers.0 is -1.0; must be at least 0'),
    (('volts',), 1.0, r"unknown key 'volts'")])
def test_a_wrong_file_is_refused_by_name(tmp_path, path, value, message):
    file = tmp_path / 'x.yaml'
    with pytest.raises(InputError, match=rf'x.yaml: .*{message}'):
        thruster_from(with_change(path, value), file)


def test_an_unknown_name_is_refused_with_those_that_are_close():
    with pytest.raises(InputError, match=r"boat.yaml: no thruster named 't20'. Did you mean 't200'"):
        read_thruster('t20', 'boat.yaml: ')


SHEETS = DATA / 'thrusters'
real = pytest.mark.skipif(not SHEETS.is_dir(), reason=f'no sheets at {SHEETS} (USV_ENERGY_DATA)')


def errors(sheet):
    """Return relative errors of force and power at the pulses of the maker's rows above 10 W."""
    table = np.genfromtxt(SHEETS / f't200_{sheet.voltage:g}V.csv', delimiter=',', names=True)
    rows = table[table['power_w'] > 10.0]
    thrust = np.interp(rows['pwm_us'], sheet.pulses, sheet.thrusts)
    power = np.interp(thrust, *sheet.bollard_map())
    return thrust / (9.80665 * rows['force_kgf']) - 1.0, power / rows['power_w'] - 1.0


@real
@pytest.mark.parametrize('number', range(4))
def test_the_shipped_t200_is_its_makers(number):
    """Force within 3 % and power within 5 % in 95 of 100 rows; amperes have steps of 0.1 A, 1 W of 10 W at 10 V."""
    force, power = errors(read_thruster('t200').sheets[number])
    assert np.mean(abs(force) <= 0.03) > 0.98 and np.mean(abs(power) <= 0.05) > 0.95


@real
def test_a_voltage_that_nobody_measured():
    """12 V from the sheets of 10, 16 and 20 V: force within 3 %, power within 5 % at every row above 10 W."""
    sheets = read_thruster('t200').sheets
    force, power = errors(between_sheets((sheets[0], *sheets[2:]), 12.0))
    assert abs(force).max() < 0.03 and abs(power).max() < 0.05


def test_a_motor_loses_the_voltage_that_its_rate_leaves():
    """12 V at 3000 1/min and 500 1/min/V: 6 V turn, 6 V are lost, a share of 1 at 36 N: k = 1/6."""
    sheet = sheets_of(12.0)[0]
    sheet = replace(sheet, thrusts=sheet.thrusts * 36.0 / sheet.thrusts[-1], rpm=sheet.rpm * 3000.0 / sheet.rpm[-1])
    assert sheet.voltage_drop(500.0) == pytest.approx(1.0 / 6.0)
    assert sheet.voltage_drop(100.0) == 0.0


@pytest.mark.parametrize('name', ['t200', 'm200_weedless'])
def test_motors_of_the_shipped_sheets_have_the_resistance_of_their_maker(name):
    """V = n / 490 + R I: two phases of 0.18 ohm in series, 0.36 ohm, to 10 % at every voltage."""
    thruster = read_thruster(name)
    for sheet in thruster.sheets:
        lost = sheet.voltage - sheet.rpm[-1] / thruster.rpm_per_volt
        assert lost / (sheet.powers[-1] / sheet.voltage) == pytest.approx(0.36, rel=0.1)
        assert sheet.voltage_drop(thruster.rpm_per_volt) > 0.1
