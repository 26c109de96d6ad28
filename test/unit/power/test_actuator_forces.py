import math

import pytest
from usv_energy.allocation.allocation import Aim
from usv_energy.power.actuator_forces import power_given_of, surge_force_along, surge_force_of
from usv_energy.thrusters.propeller import thrust_at

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.motion import Relative
from usv_energy.power.actuators import Setting, drive_of_setting, steering_force
from usv_energy.power.steering import setting_of_force
from usv_energy.thrusters.mounting import speed_along

RUDDER, FERRY = (read_boat(name).vessel for name in ('lutra_rudder', 'milliampere'))
STILL = Relative(0.0, 0.0, 0.0, 0.0, 0.0)


def test_the_drive_of_all_is_the_sum_of_thrusters_and_foils():
    """At rest a rudder beside the wash does nothing; under way it takes speed and turns the boat."""
    setting = Setting((5.0,), (None,), (0.3,))
    tilt = RUDDER.thrusters[0].efficiency_of_tilt
    assert drive_of_setting(STILL, setting, RUDDER) == pytest.approx((5.0 * tilt, 0.0, 0.0, 0.0), abs=1e-9)
    x, y, n, power = drive_of_setting(Relative(1.0, 0.0, 0.0, -1.0, 0.0), setting, RUDDER)
    place = RUDDER.foils[0].x - RUDDER.foils[0].aft * math.cos(0.3)
    assert x < 5.0 * tilt and power == pytest.approx(5.0 * tilt)
    assert power_given_of(Relative(1.0, 0.0, 0.0, -1.0, 0.0), setting, RUDDER) == power
    assert n == pytest.approx(y * place, rel=0.02)  # The drag's lever arm is what is left.
    assert abs(y) > 0.1


def test_a_rudder_stands_in_the_wash_of_the_thrust_that_is_given():
    """Under way a screw gives less than it is asked for at standstill, and the rudder's wash is of what it gives."""
    vessel = read_boat('lutra_rudder_t200').vessel
    (screw,), (rudder,) = vessel.thrusters, vessel.foils
    at = Relative(1.2, 0.0, 0.0, -1.2, 0.0)
    given = thrust_at(30.0, 1.2 * screw.efficiency_of_tilt, screw.propeller)
    assert given < 27.0
    behind = math.sqrt(1.2 ** 2 + 8.0 * given / (math.pi * 1000.0 * 0.076 ** 2))
    met = math.sqrt(0.38 * (1.2 + 0.5 * (behind - 1.2)) ** 2 + 0.62 * 1.2 ** 2)
    _, sway, _, _ = drive_of_setting(at, Setting((30.0,), (None,), (0.2,)), vessel)
    assert sway == pytest.approx(0.5 * 1000.0 * rudder.area * met ** 2 * 1.5 * math.sin(0.4), rel=1e-9)


def test_a_steering_force_is_the_thrusters_and_the_rudder_s_and_not_the_hull_s():
    """The moment of the rudder at its own place; a boat of two thrusters has the closed form of their difference."""
    at = Relative(1.0, 0.0, 0.0, 0.0, 0.0)
    setting = setting_of_force(6.0, 0.2, at, RUDDER)
    given = steering_force(at, setting, RUDDER)
    assert given[2] == pytest.approx(0.2, rel=1e-3) and setting.foils[0] < 0.0
    assert given[0] < surge_force_of(at, setting, RUDDER) == pytest.approx(6.0), 'the rudder brakes'
    pair = read_boat('lutra_prop').vessel
    tilt, (port, starboard) = pair.thrusters[0].efficiency_of_tilt, pair.thrusters
    assert steering_force(at, Setting((3.0, 5.0), (None, None), ()), pair) == pytest.approx(
        (8.0 * tilt, 0.0, -tilt * (3.0 * port.y + 5.0 * starboard.y)))


def test_known_axes_are_taken_in_place_of_the_angles():
    """One of four is told by its axis in place of its angle."""
    at, angles = Relative(0.8, -0.2, 0.1, -0.8, 0.0), (0.3, -1.2, 2.0, 3.1)
    thrusts = 90.0, -20.0, 40.0, 60.0
    expected = drive_of_setting(at, Setting(thrusts, angles, ()), FERRY)
    axis = math.cos(0.3), math.sin(0.3)
    given = drive_of_setting(at, Setting(thrusts, (axis, *angles[1:]), ()), FERRY)
    assert given == pytest.approx(expected, rel=1e-12)
    every = tuple(Aim((math.cos(angle), math.sin(angle)), None) for angle in angles)
    assert surge_force_along(at, thrusts, every, FERRY) == pytest.approx(expected[0], rel=1e-12)


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
