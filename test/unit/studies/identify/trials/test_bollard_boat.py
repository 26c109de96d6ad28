import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat, write_boat
from usv_energy.studies.identify.trials.bollard import PullReadings, bollard_boat, bollard_pull


def pulled(pulses, pulls, powers, name, tmp_path):
    boat = read_boat(name)
    found = bollard_pull(PullReadings(*(np.array(values, dtype=float) for values in (pulses, pulls, powers))), boat)
    return write_boat(bollard_boat(found, boat, 'mine', {'date': 'today'}), tmp_path / 'mine.yaml')


def test_curve_limits_map_and_hotel_load_are_the_measured_ones(tmp_path):
    """Two thrusters at 15 degrees: half of a pull over the cosine, half of the watts above those of the dead band."""
    boat = pulled([1100, 1500, 1700, 1900], [-10.0, 0.0, 8.0, 20.0], [90.0, 6.0, 46.0, 206.0], 'lutra_prop', tmp_path)
    share = 2.0 * np.cos(np.radians(15.0))
    for curve, thruster in zip(boat.pulse_curves, boat.vessel.thrusters, strict=True):
        assert curve.thrust(1800.0) == pytest.approx(14.0 / share, abs=1e-4)
        assert (thruster.min_thrust, thruster.max_thrust) == pytest.approx((-10.0 / share, 20.0 / share), abs=1e-4)
    losses = boat.vessel.losses
    assert losses.mapped and losses.map_power.tolist() == [42.0, 0.0, 20.0, 100.0] and boat.vessel.static_load == 6.0
    np.testing.assert_allclose(losses.map_thrust * share, [-10.0, 0.0, 8.0, 20.0], atol=2e-4)


def test_watts_ahead_alone_make_no_map_of_a_boat_that_goes_astern(tmp_path):
    prop = pulled([1500, 1700], [0.0, 8.0], [6.0, 46.0], 'lutra_prop', tmp_path)
    assert not prop.vessel.losses.mapped and prop.vessel.thrusters[0].min_thrust == -11.5
    fan = pulled([1500, 1700], [0.0, 3.0], [6.0, 46.0], 'lutra_airboat', tmp_path)
    assert fan.vessel.losses.map_power.tolist() == [0.0, 40.0] and fan.vessel.thrusters[0].min_thrust == 0.0


def test_the_levels_are_kept_with_their_errors_to_a_tenth_of_a_millinewton():
    """Two readings of 8.12 and 8.14 N: 0.0141 N of scatter, less of the mean; of one reading alone nothing is known."""
    boat = read_boat('lutra_prop')
    twice = PullReadings(np.array([1500.0, 1500.0, 1700.04, 1700.04]), np.array([0.0, 0.0, 8.12345, 8.14345]),
                         np.full(4, np.nan))
    levels = bollard_boat(bollard_pull(twice, boat), boat, 'mine', {})['identification']['bollard']['levels']
    error = 0.01 / 2.0 ** 0.5
    assert levels == [{'pwm_us': 1500.0, 'readings': 2, 'pull_n': 0.0, 'std': round(error, 4)},
                      {'pwm_us': 1700.0, 'readings': 2, 'pull_n': 8.1334, 'std': round(error, 4)}]
    once = PullReadings(twice.pulse[1:3], np.array([0.0, 8.12342]), twice.power[1:3])
    levels = bollard_boat(bollard_pull(once, boat), boat, 'mine', {})['identification']['bollard']['levels']
    assert levels[1] == {'pwm_us': 1700.0, 'readings': 1, 'pull_n': 8.1234}
