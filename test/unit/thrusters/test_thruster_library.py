import numpy as np
import pytest
import yaml

from usv_energy.files.errors import InputError
from usv_energy.files.locate import names
from usv_energy.thrusters.thruster_sheet import LibraryThruster, ThrusterSheet, read_thruster, thruster_from

PULSES = np.array([1100.0, 1300.0, 1500.0, 1700.0, 1900.0])
DOCUMENT = {'name': 'x', 'source': 'test', 'pulses': PULSES.tolist(), 'sheets': [
    {'voltage': volts, 'thrusts': [-2.0 * volts, -volts, 0.0, volts, 3.0 * volts], 'powers': [8.0, 3.0, 0.0, 4.0, 20.0],
     'rpm': [200.0, 100.0, 0.0, 100.0, 300.0]} for volts in (10.0, 12.0)]}


def test_at_the_voltage_of_a_sheet_it_is_the_sheet():
    sheets = tuple(ThrusterSheet(volts, PULSES, PULSES - 1500.0, abs(PULSES - 1500.0), abs(PULSES - 1500.0))
                   for volts in (10.0, 12.0, 16.0))
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


@pytest.mark.parametrize('name', ['t200', 'm200_weedless'])
def test_motors_of_the_shipped_sheets_have_the_resistance_of_their_maker(name):
    """V = n / 490 + R I: two phases of 0.18 ohm in series, 0.36 ohm, to 10 % at every voltage."""
    thruster = read_thruster(name)
    for sheet in thruster.sheets:
        lost = sheet.voltage - sheet.rpm[-1] / thruster.rpm_per_volt
        assert lost / (sheet.powers[-1] / sheet.voltage) == pytest.approx(0.36, rel=0.1)
        assert sheet.voltage_drop(thruster.rpm_per_volt) > 0.1


def test_a_sheet_alone_is_for_its_voltage_and_may_push_a_little_at_the_neutral_pulse(tmp_path):
    document = with_change(('sheets', 0, 'thrusts', 2), -0.1)
    volts = document['sheets'][0]['voltage']
    alone = thruster_from({**document, 'sheets': document['sheets'][:1]}, tmp_path / 'x.yaml')
    assert alone.at_voltage(volts, '').thrusts[2] == -0.1
    with pytest.raises(InputError, match=rf'voltage is 99; the sheets of .* are for {volts:g} V$'):
        alone.at_voltage(99.0, '')
