"""A thruster at the voltage that it gets, against the maker's sheets as they stand in their file."""

import numpy as np
import pytest
import yaml

from usv_energy.boats.boat_file import boat_from, read_boat
from usv_energy.files import checked
from usv_energy.files.locate import share_folder
from usv_energy.thrusters.commands import power_of_thrust
from usv_energy.thrusters.thruster_sheet import read_thruster
from usv_energy.thrusters.voltage_curves import commands_at_voltage, curves_of, vessel_at_voltage

T200 = yaml.safe_load((share_folder() / 'config' / 'thrusters' / 't200.yaml').read_text())
SHEETS = {float(sheet['voltage']): sheet for sheet in T200['sheets']}
NOMINAL = 16.0


def boat_of(**limits):
    """Return a BlueBoat with two T200 at 16 V."""
    base = read_boat('blueboat').path
    document = checked.read_with_base('boats', base)
    for thruster in document['thrusters']:
        thruster['propeller'] = {'model': 't200', 'voltage': NOMINAL}
        for key in ('min_thrust', 'max_thrust'):
            thruster.pop(key, None)
        thruster.update(limits)
    return boat_from(document, base)


BOAT = boat_of()
CURVES = curves_of(BOAT)


def at(voltage, alive=1.0):
    return vessel_at_voltage(BOAT.vessel, voltage, alive, CURVES)


@pytest.mark.parametrize('voltage', SHEETS)
def test_at_a_sheets_voltage_full_throttle_and_its_power_are_the_sheets(voltage):
    thruster, sheet = at(voltage).thrusters[0], SHEETS[voltage]
    assert thruster.max_thrust == pytest.approx(sheet['thrusts'][-1], rel=1e-9)
    assert thruster.min_thrust == pytest.approx(sheet['thrusts'][0], rel=1e-9)
    for thrust, power in zip(sheet['thrusts'], sheet['powers']):
        if abs(thrust) > 0.05 * sheet['thrusts'][-1]:  # Beyond the dead band, which is not as wide in all sheets.
            assert power_of_thrust(thrust, 0.0, thruster.propeller) == pytest.approx(power, rel=1e-9)


@pytest.mark.parametrize('voltage', [10.1, 13.37, 14.8, 16.8, 19.9])
def test_between_the_rows_it_is_the_library_within_a_thousandth(voltage):
    thruster, sheet = at(voltage).thrusters[0], read_thruster('t200').at_voltage(voltage, '')
    assert thruster.max_thrust == pytest.approx(sheet.thrusts[-1], rel=1e-4)
    for thrust, power in zip(sheet.thrusts, sheet.powers):
        if abs(thrust) > 3.0:
            assert power_of_thrust(float(thrust), 0.0, thruster.propeller) == pytest.approx(power, rel=1e-3)


def test_what_is_asked_for_is_a_pulse():
    """A thrust of the sheet at 16 V becomes that of the same pulse at 12 V, and is itself at 16 V."""
    number = T200['pulses'].index(1804) if 1804 in T200['pulses'] else len(T200['pulses']) - 4
    asked = SHEETS[16.0]['thrusts'][number]
    for voltage in (12.0, 16.0):
        found = commands_at_voltage((asked, -asked), at(voltage).thrusters, CURVES)
        assert found[0] == pytest.approx(SHEETS[voltage]['thrusts'][number], rel=1e-9)
        assert found[1] < 0.0


def test_a_limit_of_the_file_is_one_of_the_pulse():
    """Half of the thrust allowed at 16 V is less at 12 V: the autopilot's limit is one of its command."""
    half = boat_of(max_thrust=0.5 * SHEETS[16.0]['thrusts'][-1])
    most = [vessel_at_voltage(half.vessel, volts, 1.0, curves_of(half)).thrusters[1].max_thrust
            for volts in (12.0, 16.0)]
    assert most[1] == pytest.approx(0.5 * SHEETS[16.0]['thrusts'][-1], rel=1e-9)
    assert 0.6 * most[1] < most[0] < 0.85 * most[1]


def test_a_dead_battery_gives_no_thrust_and_beyond_the_sheets_it_is_the_last():
    assert at(15.0, alive=0.0).thrusters[0].max_thrust == at(15.0, alive=0.0).thrusters[1].min_thrust == 0.0
    assert at(3.0).thrusters[0].max_thrust == SHEETS[10.0]['thrusts'][-1]
    assert at(30.0).thrusters[0].max_thrust == SHEETS[20.0]['thrusts'][-1]


def test_arrays_are_floats_one_by_one():
    volts = np.array([9.0, 12.3, 16.0, 21.0])
    together, thrusts = at(volts, np.ones(4)), np.array([4.0, 20.0, -9.0, 60.0])
    power = power_of_thrust(thrusts, np.array([0.0, 1.0, 0.5, 2.0]), together.thrusters[0].propeller)
    for place, (voltage, thrust, speed) in enumerate(zip(volts, thrusts, (0.0, 1.0, 0.5, 2.0))):
        alone = at(float(voltage)).thrusters[0]
        assert together.thrusters[0].max_thrust[place] == pytest.approx(alone.max_thrust, rel=1e-12)
        assert power[place] == pytest.approx(power_of_thrust(float(thrust), speed, alone.propeller), rel=1e-12)


def test_thrusters_that_nobody_measured_at_several_voltages_know_none():
    assert curves_of(read_boat('lutra_prop')) == (None, None)
    lutra = read_boat('lutra_prop').vessel
    assert vessel_at_voltage(lutra, 3.0, 1.0, (None, None)).thrusters == lutra.thrusters
