import math

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.motion import Relative
from usv_energy.power.actuators import (
    Setting,
    axis_towards,
    drive_of_setting,
    limited_setting,
    resting_setting,
    setting_at_once,
    setting_later,
    turned_angle,
)
from usv_energy.thrusters.thruster import Azimuth

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


WHOLE = Azimuth(-math.pi, math.pi, 0.4)


def axis(angle):
    return np.cos(angle), np.sin(angle)


@pytest.mark.parametrize('shape', [(), (7,)])
def test_an_axis_turns_as_its_angle_does(rng, shape):
    for _ in range(200):
        angle, wanted = rng.uniform(-7.0, 7.0, shape), rng.uniform(-7.0, 7.0, shape)
        found = axis_towards(axis(angle), axis(wanted), axis(0.2))
        np.testing.assert_allclose(found, axis(turned_angle(angle, wanted, 0.5, WHOLE)), rtol=0.0, atol=1e-14)


@pytest.mark.parametrize('across', [0.0, -0.0, 1e-17, -1e-17])
def test_an_axis_turns_counter_clockwise_to_what_is_behind_whatever_rounding_says(across):
    assert axis_towards((1.0, 0.0), (-1.0, across), axis(0.2)) == pytest.approx(axis(0.2))
    assert axis(turned_angle(0.0, math.atan2(across, -1.0), 0.5, WHOLE)) == pytest.approx(axis(0.2))
    assert axis_towards((1.0, 0.0), axis(-3.1), axis(0.2)) == pytest.approx(axis(-0.2))


def test_a_setting_of_axes_goes_on_as_one_of_angles():
    """Of the fan, made one that turns all the way round, and a screw; for half a step, and again."""
    fan = FAN.thrusters[0]._replace(azimuth=WHOLE)
    angles = FAN._replace(thrusters=(fan, RUDDER.thrusters[0]))
    axes = FAN._replace(thrusters=(fan._replace(azimuth=WHOLE._replace(turn=axis(0.2))), RUDDER.thrusters[0]))
    now, then = resting_setting(0.0, angles), resting_setting(0.0, axes)
    assert now.angles == (0.0, None) and then.angles == ((1.0, 0.0), None)
    for wanted in (0.5, 0.5, 0.5, -2.9, -2.9):
        now = setting_later(now, Setting((4.0, 5.0), (wanted, None), ()), (0.5, 0.5), 0.5, angles)
        then = setting_later(then, Setting((4.0, 5.0), (axis(wanted), None), ()), (0.5, 0.5), 0.5, axes)
        assert then.thrusts == now.thrusts and then.angles[1] is None
        assert then.angles[0] == pytest.approx(axis(now.angles[0]), rel=0.0, abs=1e-14)
    assert setting_at_once(then, Setting((4.0, 5.0), (axis(1.0), None), ()), (1.0, 1.0), axes).angles == then.angles
    assert drive_of_setting(STILL, then, axes) == pytest.approx(drive_of_setting(STILL, now, angles), abs=1e-13)


def test_what_is_known_to_turn_all_the_way_round_turns_as_before():
    whole = Azimuth(-math.pi, math.pi, 0.2)
    known = whole._replace(whole=1.0)
    ways = [(3.0, -3.0), (-3.0, 3.0), (0.1, 0.15), (9.0, 9.0 + math.tau)]
    assert [turned_angle(*way, 1.0, known) for way in ways] == [turned_angle(*way, 1.0, whole) for way in ways]
