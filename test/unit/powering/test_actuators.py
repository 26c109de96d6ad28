"""What actuators are asked to do, how it goes on with time, and the force that it gives."""

import math

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.motion import Relative
from usv_energy.powering.actuators import (
    Setting,
    drive_of_setting,
    limited_setting,
    resting_setting,
    setting_at_once,
    setting_later,
    setting_of_force,
    steering_force,
    thrusters_drive,
    turned_angle,
)
from usv_energy.thrusters.commands import thrust_of_command
from usv_energy.thrusters.thruster import Azimuth, speed_along

RUDDER, FAN, FERRY = (read_boat(name).vessel for name in ('lutra_rudder', 'lutra_airboat', 'milliampere'))
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


def test_the_drive_of_all_is_the_sum_of_thrusters_and_foils():
    """At rest a rudder beside the wash does nothing; under way it takes speed and turns the boat."""
    setting = Setting((5.0,), (None,), (0.3,))
    tilt = RUDDER.thrusters[0].efficiency_of_tilt
    assert drive_of_setting(STILL, setting, RUDDER) == pytest.approx((5.0 * tilt, 0.0, 0.0, 0.0), abs=1e-9)
    x, y, n, power = drive_of_setting(Relative(1.0, 0.0, 0.0, -1.0, 0.0), setting, RUDDER)
    place = RUDDER.foils[0].x - RUDDER.foils[0].aft * math.cos(0.3)
    assert x < 5.0 * tilt and power == pytest.approx(5.0 * tilt)
    assert thrusters_drive(Relative(1.0, 0.0, 0.0, -1.0, 0.0), setting, RUDDER)[3] == power
    assert n == pytest.approx(y * place, rel=0.02)  # The drag's lever arm is what is left.
    assert abs(y) > 0.1


def test_a_rudder_stands_in_the_wash_of_the_thrust_that_is_given():
    """Under way a screw gives less than it is asked for at standstill, and the rudder's wash is of what it gives."""
    vessel = read_boat('lutra_rudder_t200').vessel
    (screw,), (rudder,) = vessel.thrusters, vessel.foils
    at = Relative(1.2, 0.0, 0.0, -1.2, 0.0)
    given = thrust_of_command(30.0, 1.2 * screw.efficiency_of_tilt, screw.propeller)
    assert given < 27.0
    behind = math.sqrt(1.2 ** 2 + 8.0 * given / (math.pi * 1000.0 * 0.076 ** 2))
    met = math.sqrt(0.38 * (1.2 + 0.5 * (behind - 1.2)) ** 2 + 0.62 * 1.2 ** 2)
    _, sway, _, _ = drive_of_setting(at, Setting((30.0,), (None,), (0.2,)), vessel)
    assert sway == pytest.approx(0.5 * 1000.0 * rudder.area * met ** 2 * 1.5 * math.sin(0.4), rel=1e-9)


def test_a_steering_force_is_the_thrusters_and_the_rudder_s_and_not_the_hull_s():
    """The moment of the rudder at its own place; a boat of two thrusters has the closed form of their difference."""
    at = Relative(1.0, 0.0, 0.0, 0.0, 0.0)
    setting, _ = setting_of_force((6.0, 0.0, 0.2), at, RUDDER)
    given = steering_force(at, setting, RUDDER)
    assert given[2] == pytest.approx(0.2, rel=1e-3) and setting.foils[0] < 0.0
    assert given[0] < thrusters_drive(at, setting, RUDDER)[0] == pytest.approx(6.0), 'the rudder brakes'
    pair = read_boat('lutra_prop').vessel
    tilt, (port, starboard) = pair.thrusters[0].efficiency_of_tilt, pair.thrusters
    assert steering_force(at, Setting((3.0, 5.0), (None, None), ()), pair) == pytest.approx(
        (8.0 * tilt, 0.0, -tilt * (3.0 * port.y + 5.0 * starboard.y)))


def test_the_power_given_is_thrust_times_the_speed_of_its_place_along_the_axis():
    """And none of it is taken back: the second of four brakes here. Their propellers know of no speed."""
    vessel = FERRY._replace(thrusters=tuple(one._replace(propeller=None) for one in FERRY.thrusters))
    at, angles = Relative(0.8, -0.2, 0.1, -0.8, 0.0), (0.3, -1.2, 2.0, 3.1)
    thrusts = 90.0, -20.0, 40.0, 60.0
    works = [thrust * speed_along(at.u_r, at.v_r, at.r, (math.cos(angle), math.sin(angle)), one)
             for thrust, angle, one in zip(thrusts, angles, vessel.thrusters)]
    assert min(works) < 0.0 < max(works)
    given = drive_of_setting(at, Setting(thrusts, angles, ()), vessel)[3]
    assert given == pytest.approx(sum(max(work, 0.0) for work in works), rel=1e-12)
