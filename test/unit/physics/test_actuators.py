import math

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.thruster import Azimuth
from usv_energy.physics.actuators import (
    Setting,
    axes_along,
    limited_setting,
    resting_setting,
    setting_at_once,
    setting_later,
    turned_angle,
)
from usv_energy.physics.power import Relative

RUDDER, FAN = (read_boat(name).vessel for name in ('lutra_rudder', 'lutra_airboat'))
STILL = Relative(0.0, 0.0, 0.0, 0.0, 0.0)


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


def test_what_rests_is_as_near_to_the_middle_as_it_can():
    aside = FAN._replace(thrusters=(FAN.thrusters[0]._replace(azimuth=Azimuth(0.3, 0.9, 1.0)),))
    assert resting_setting(0.0, FAN) == Setting((0.0,), (0.0,), ())
    assert resting_setting(0.0, aside) == Setting((0.0,), (0.3,), ())
    assert resting_setting(0.0, RUDDER) == Setting((0.0,), (None,), (0.0,))


def test_thrusts_that_are_asked_for_are_held_to_their_limits_and_angles_are_not():
    wanted = Setting((99.0,), (None,), (9.0,))
    assert limited_setting(wanted, RUDDER) == Setting((RUDDER.thrusters[0].max_thrust,), (None,), (9.0,))
    assert limited_setting(Setting((-99.0,), (0.1,), ()), RUDDER).thrusts == (RUDDER.thrusters[0].min_thrust,)


def test_a_setting_goes_on_by_lags_and_rates():
    """A step of any length ends where two of half of it do."""
    wanted, decay = Setting((4.0,), (None,), (0.4,)), 0.7
    half = setting_later(resting_setting(0.0, RUDDER), wanted, (decay,), 0.05, RUDDER)
    twice = setting_later(half, wanted, (decay,), 0.05, RUDDER)
    assert half.thrusts[0] == pytest.approx(4.0 * 0.3)
    whole = setting_later(resting_setting(0.0, RUDDER), wanted, (decay * decay,), 0.1, RUDDER)
    assert twice.angles == whole.angles == (None,)
    assert (twice.thrusts, twice.foils) == (pytest.approx(whole.thrusts), pytest.approx(whole.foils))


def test_at_once_is_later_by_no_time():
    """A thruster without lag has its thrust, one with a lag has its old one, and nothing has turned."""
    now, wanted = Setting((1.0,), (None,), (0.1,)), Setting((4.0,), (None,), (0.4,))
    for start, thrust in ((1.0, 1.0), (0.0, 4.0)):
        assert setting_at_once(now, wanted, (start,), RUDDER) == Setting((thrust,), (None,), (0.1,))
        assert setting_later(now, wanted, (start,), 0.0, RUDDER) == setting_at_once(now, wanted, (start,), RUDDER)


def test_what_is_known_never_to_turn_round_turns_as_before():
    for ends, limits in (((), (-1.0, 1.5)), (None, (-1.0, 1.5))):
        azimuth = Azimuth(*limits, 1.0, ends=ends)
        assert [turned_angle(angle, wanted, 0.5, azimuth) for angle, wanted in (
            (0.0, 0.2), (0.0, 9.0), (1.2, 9.0), (-0.9, -9.0))] == [0.2, 0.5, 1.5, -1.0]


@pytest.mark.parametrize('rate', [0.0, 0.3, -0.3])
def test_axes_of_what_turns_slowly_are_those_of_its_angles(rate):
    """From any angle on, by 0.1 rad at most in half a step; what is fixed, or not known to be slow, has none."""
    slow = FAN.thrusters[0]._replace(azimuth=FAN.thrusters[0].azimuth._replace(slow=1.0))
    vessel = FAN._replace(thrusters=(slow, FAN.thrusters[0], RUDDER.thrusters[0]))
    for angle in (-7.0, -0.4, 0.0, 2.5, 40.0):
        angles = [angle, angle + rate / 3.0, angle + 2.0 * rate / 3.0]
        settings = [Setting((0.0,) * 3, (one, one, None), ()) for one in angles]
        for one, axes in zip(angles, axes_along(*settings, vessel)):
            assert axes[0] == pytest.approx((math.cos(one), math.sin(one)), rel=0.0, abs=2e-15)
            assert axes[1:] == (None, None)


def test_what_is_known_to_turn_all_the_way_round_turns_as_before():
    whole = Azimuth(-math.pi, math.pi, 0.2)
    known = whole._replace(whole=1.0)
    ways = [(3.0, -3.0), (-3.0, 3.0), (0.1, 0.15), (9.0, 9.0 + math.tau)]
    assert [turned_angle(*way, 1.0, known) for way in ways] == [turned_angle(*way, 1.0, whole) for way in ways]
