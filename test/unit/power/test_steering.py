import pytest

from usv_energy.boats.arrangement import with_arrangement
from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.motion import Relative
from usv_energy.power.actuators import drive_of_setting, steering_force
from usv_energy.power.steering import setting_of_force

RUDDER, FAN = (read_boat(name).vessel for name in ('lutra_rudder', 'lutra_airboat'))
STILL = Relative(0.0, 0.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize('force, moment', [(2.0, 0.0), (2.0, 0.2), (1.5, -0.2)])
def test_what_is_asked_of_a_fan_gives_force_and_moment(force, moment):
    at = Relative(0.4, 0.0, 0.0, -0.4, 0.0)
    setting, _ = setting_of_force((force, 0.0, moment), at, FAN)
    x, _, n, _ = drive_of_setting(at, setting, FAN)
    assert (x, n) == pytest.approx((force, moment), abs=1e-4)


def test_a_wanted_moment_counts_on_the_wash_of_the_thrust_that_is_given():
    vessel = read_boat('lutra_rudder_t200').vessel
    at = Relative(1.2, 0.05, 0.1, -1.2, 0.0)
    found = drive_of_setting(at, setting_of_force((20.0, 0.0, 1.5), at, vessel)[0], vessel)
    assert found[2] == pytest.approx(1.5, rel=1e-6)


def test_four_turning_thrusters_give_the_force_that_is_asked_for_sway_too():
    vessel, force = read_boat('milliampere').vessel, (120.0, 60.0, -80.0)
    setting, _ = setting_of_force(force, STILL, vessel)
    assert steering_force(STILL, setting, vessel) == pytest.approx(force, rel=1e-6)


def test_what_a_rudder_cannot_give_of_a_moment_the_thrusters_do():
    """Two thrusters and a rudder: all of the force that is asked for comes of both, sway as the rudder has it."""
    pair = read_boat('lutra_prop').vessel
    vessel = with_arrangement(pair._replace(foils=RUDDER.foils[:1]))
    vessel = vessel._replace(foils=tuple(foil._replace(wash=None) for foil in vessel.foils))
    at = Relative(1.0, 0.0, 0.05, -1.0, 0.0)
    for moment in (0.0, 0.3, -2.0):
        setting, _ = setting_of_force((6.0, 0.0, moment), at, vessel)
        force = steering_force(at, setting, vessel)
        assert force[2] == pytest.approx(moment, rel=1e-5, abs=1e-6)
        assert force == pytest.approx(drive_of_setting(at, setting, vessel)[:3], rel=1e-9)
    assert abs(setting.commands[0] - setting.commands[1]) > 0.5 and abs(force[1]) > 0.1
