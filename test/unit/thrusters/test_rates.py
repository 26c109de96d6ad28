"""The thrust of a propeller from an rpm reading: bollard pulls, and screws with their own curves."""

import numpy as np
import pytest

from usv_energy.thrusters.commands import power_of_thrust, thrust_at_rate
from usv_energy.thrusters.drive import thrust_of_rate, turning_of
from usv_energy.thrusters.kinds.bollard_map import BollardMap
from usv_energy.thrusters.propeller_file import propeller_from

PLAIN = BollardMap(np.array([-10.0, 0.0, 40.0]), np.array([80.0, 0.0, 300.0]), inflow=1.5, torque_ratio=0.8)


def test_a_square_law_comes_back_whatever_the_readings_are_between_and_beyond():
    """T = 0.4 n |n| ahead, 0.3 astern: from one reading each way."""
    turning = turning_of(np.array([-5.0, 8.0]), np.array([-0.3 * 25.0, 0.4 * 64.0]))
    rates = np.array([-9.0, -5.0, -1.0, 0.0, 2.0, 8.0, 20.0])
    wanted = np.where(rates > 0.0, 0.4, 0.3) * rates * np.abs(rates)
    np.testing.assert_allclose(thrust_of_rate(rates, 0.0 * rates, turning, PLAIN), wanted, rtol=1e-12, atol=1e-12)
    for rate, thrust in zip(rates.tolist(), wanted.tolist()):
        assert thrust_of_rate(rate, 0.0, turning, PLAIN) == pytest.approx(thrust, rel=1e-12, abs=1e-12)


def test_water_that_flows_in_takes_thrust_as_the_boats_correction_has_it():
    turning = turning_of(np.array([8.0]), np.array([25.6]))
    assert thrust_of_rate(6.0, 1.1, turning, PLAIN) == pytest.approx(thrust_at_rate(14.4, 1.1, PLAIN))


def screw_of_file(rpm_limits):
    """Return a screw of 0.2 m, K_T = 0.4 (1 - J), K_Q = 0.05 (1 - 0.8 J), whose drive loses a fifth."""
    return propeller_from({'diameter': 0.2, 'advance': [0.0, 1.0], 'kt': [0.4, 0.0], 'kq': [0.05, 0.01],
                           'rpm_limits': rpm_limits, 'efficiency': 0.8}, 'file')


def test_a_screw_gives_its_k_t():
    """And what it draws for that thrust is the power of its torque at that rate."""
    described, diameter = screw_of_file([-600.0, 1200.0]), 0.2
    turning, propeller = described.turning, described.propeller
    for rate, speed in ((18.0, 0.0), (15.0, 0.9), (12.0, 1.2), (30.0, 2.0)):
        j = speed / (rate * diameter)
        thrust = thrust_of_rate(rate, speed, turning, propeller)
        assert thrust == pytest.approx(998.2 * rate ** 2 * diameter ** 4 * 0.4 * (1.0 - j), rel=1e-9)
        power = 2.0 * np.pi * 998.2 * rate ** 3 * diameter ** 5 * 0.05 * (1.0 - 0.8 * j) / 0.8
        assert power_of_thrust(thrust, speed, propeller) == pytest.approx(power, rel=1e-9)
    assert thrust_of_rate(-5.0, 0.5, turning, propeller) == pytest.approx(-998.2 * 25.0 * diameter ** 4 * 0.4)
    assert thrust_of_rate(0.0, 0.5, turning, propeller) == 0.0


def test_what_only_drives_astern_or_only_ahead_stands_still_at_no_rate():
    """One reading of -7.5 N at -5 a second, and a screw without astern: its rates are rising, 0 among them once."""
    turning = turning_of(np.array([-5.0]), np.array([-7.5]))
    found = [thrust_of_rate(rate, 0.0, turning, PLAIN) for rate in (-5.0, -2.5, 0.0)]
    assert found == pytest.approx([-7.5, -1.875, 0.0])
    assert screw_of_file([0.0, 1200.0]).turning.rate.tolist() == [0.0, 20.0]
