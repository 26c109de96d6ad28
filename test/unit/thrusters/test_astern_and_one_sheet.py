"""A screw that turns backwards has the pitch that it has, and a motor known at one voltage is known beside it."""

import numpy as np
import pytest

from usv_energy.thrusters.commands import thrust_at_rate, thrust_of_command
from usv_energy.thrusters.kinds.bollard_map import BollardMap
from usv_energy.thrusters.propeller_file import propeller_from
from usv_energy.thrusters.thruster_sheet import ThrusterSheet, from_one_sheet, read_thruster

PULSES = np.array([1100.0, 1300.0, 1500.0, 1700.0, 1900.0])


def test_a_screw_gives_no_thrust_at_the_same_advance_ratio_ahead_and_astern():
    """Thrust at rate n is k n^2, a quarter of that astern; it is nil at v = sqrt(k) n / c."""
    sheet = ThrusterSheet(16.0, PULSES, np.array([-10.0, -2.5, 0.0, 10.0, 40.0]), np.array([300.0, 50, 0, 50, 300]),
                          np.array([2000.0, 1000.0, 0.0, 1000.0, 2000.0]))
    share = sheet.astern_coefficient
    assert share == pytest.approx(0.5)
    thrust, power = sheet.bollard_map()
    screw = BollardMap(thrust, power, 2.0, 0.9, 0.0, share, 1.0 / share)
    nil_ahead, nil_astern = np.sqrt(40.0) / 2.0, -np.sqrt(40.0) / 2.0
    assert thrust_at_rate(40.0, nil_ahead, screw) == pytest.approx(0.0, abs=1e-12)
    assert thrust_at_rate(-10.0, nil_astern, screw) == pytest.approx(0.0, abs=1e-12)


def test_a_thruster_of_the_library_keeps_more_of_its_thrust_astern_than_a_mirrored_one_would():
    own = propeller_from({'model': 'm200_weedless', 'voltage': 16.0}, '').propeller
    mirrored = own._replace(inflow_astern=1.0, drop_astern=1.0)
    sheet = read_thruster('m200_weedless').sheets[0]
    root = (27.56 / 2824.0 ** 2 / (55.21 / 2751.0 ** 2)) ** 0.5
    assert own.inflow_astern == pytest.approx(root) and sheet.astern_coefficient == pytest.approx(root)
    assert thrust_of_command(-27.56, -2.3, mirrored) > -13.0 > -19.0 > thrust_of_command(-27.56, -2.3, own)
    assert thrust_of_command(55.21, 2.3, own) == thrust_of_command(55.21, 2.3, mirrored)


@pytest.mark.parametrize(('known', 'asked'), [(16.0, 12.0), (12.0, 10.0), (12.0, 16.0)])
def test_one_sheet_of_the_t200_tells_full_throttle_at_another_voltage_as_its_sheet_there_does(known, asked):
    """The maker's sheets: within 5 % at full throttle, and within 6 % in power at the same thrust."""
    thruster = read_thruster('t200')
    true, found = thruster.at_voltage(asked, ''), from_one_sheet(thruster.at_voltage(known, ''), asked, 490.0)
    for end in (0, -1):
        assert found.thrusts[end] == pytest.approx(true.thrusts[end], rel=0.05)
        assert found.powers[end] == pytest.approx(true.powers[end], rel=0.05)
    (thrust, power), (by_one, of_one) = true.bollard_map(), found.bollard_map()
    some = (power > 10.0) & (thrust < by_one[-1]) & (thrust > by_one[0])
    np.testing.assert_allclose(np.interp(thrust[some], by_one, of_one), power[some], rtol=0.06)


def test_at_its_own_voltage_one_sheet_is_itself():
    sheet = read_thruster('m200_weedless').sheets[0]
    found = from_one_sheet(sheet, sheet.voltage, 490.0)
    np.testing.assert_allclose(found.rpm, sheet.rpm)
    np.testing.assert_allclose(found.thrusts, sheet.thrusts)
    np.testing.assert_allclose(found.powers, sheet.powers)
    assert read_thruster('m200_weedless').voltages == (12.0, pytest.approx(16.8))
