import math

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.power.actuators import (
    Setting,
    limited_setting,
    resting_setting,
    setting_at_once,
    setting_later,
    turned_angle,
)
from usv_energy.thrusters.thruster import Azimuth

RUDDER, FAN = (read_boat(name).vessel for name in ('lutra_rudder', 'lutra_airboat'))


def test_an_angle_goes_at_its_rate_to_its_limit():
    narrow = Azimuth(-0.5, 0.5, 0.2)
    assert turned_angle(0.0, 0.4, 1.0, narrow) == pytest.approx(0.2)
    assert turned_angle(0.1, 9.0, 10.0, narrow) == pytest.approx(0.5)
    assert turned_angle(0.1, 0.15, 1.0, narrow) == pytest.approx(0.15)
    assert turned_angle(None, 0.3, 1.0, None) is None


def test_one_that_turns_all_the_way_round_takes_the_shorter_way():
    whole = Azimuth(-math.pi, math.pi, 0.2)
    assert turned_angle(3.0, -3.0, 1.0, whole) == pytest.approx(3.2)
    assert turned_angle(-3.0, 3.0, 1.0, whole) == pytest.approx(-3.2)
    assert turned_angle(9.0, 9.0 + math.tau, 1.0, whole) == pytest.approx(9.0)


@pytest.mark.parametrize('across', [0.0, -0.0, 1e-17, -1e-17])
def test_to_what_is_behind_it_turns_counter_clockwise_whatever_rounding_says(across):
    whole = Azimuth(-math.pi, math.pi, 0.2)
    assert turned_angle(0.0, math.atan2(across, -1.0), 1.0, whole) == pytest.approx(0.2)
    assert turned_angle(0.0, -3.1, 1.0, whole) == pytest.approx(-0.2)


def test_what_rests_is_as_near_to_the_middle_as_it_can():
    aside = FAN._replace(thrusters=(FAN.thrusters[0]._replace(azimuth=Azimuth(0.3, 0.9, 1.0)),))
    assert resting_setting(0.0, FAN) == Setting((0.0,), (0.0,), ())
    assert resting_setting(0.0, aside) == Setting((0.0,), (0.3,), ())
    assert resting_setting(0.0, RUDDER) == Setting((0.0,), (None,), (0.0,))


def test_commands_are_held_to_their_limits_and_angles_are_not():
    wanted = Setting((99.0,), (None,), (9.0,))
    assert limited_setting(wanted, RUDDER) == Setting((RUDDER.thrusters[0].max_thrust,), (None,), (9.0,))
    assert limited_setting(Setting((-99.0,), (0.1,), ()), RUDDER).commands == (RUDDER.thrusters[0].min_thrust,)


def test_a_setting_goes_on_by_lags_and_rates():
    """A step of any length ends where two of half of it do."""
    wanted, decay = Setting((4.0,), (None,), (0.4,)), 0.7
    half = setting_later(resting_setting(0.0, RUDDER), wanted, (decay,), 0.05, RUDDER)
    twice = setting_later(half, wanted, (decay,), 0.05, RUDDER)
    assert half.commands[0] == pytest.approx(4.0 * 0.3)
    whole = setting_later(resting_setting(0.0, RUDDER), wanted, (decay * decay,), 0.1, RUDDER)
    assert twice.angles == whole.angles == (None,)
    assert (twice.commands, twice.foils) == (pytest.approx(whole.commands), pytest.approx(whole.foils))


def test_at_once_is_later_by_no_time():
    """A thruster without lag has its command, one with a lag has its old one, and nothing has turned."""
    now, wanted = Setting((1.0,), (None,), (0.1,)), Setting((4.0,), (None,), (0.4,))
    for start, thrust in ((1.0, 1.0), (0.0, 4.0)):
        assert setting_at_once(now, wanted, (start,)) == Setting((thrust,), (None,), (0.1,))
        assert setting_later(now, wanted, (start,), 0.0, RUDDER) == setting_at_once(now, wanted, (start,))


def test_one_in_a_range_never_goes_beyond_it():
    azimuth = Azimuth(-1.0, 1.5, 1.0)
    assert [turned_angle(angle, wanted, 0.5, azimuth) for angle, wanted in (
        (0.0, 0.2), (0.0, 9.0), (1.2, 9.0), (-0.9, -9.0))] == [0.2, 0.5, 1.5, -1.0]
