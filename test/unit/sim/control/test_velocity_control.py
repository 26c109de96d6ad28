"""Velocities that are asked for are had, by every arrangement of actuators, and cost what the drag says."""

import math

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.physics.motion import STILL, Relative
from usv_energy.sim.control.motion_pilot import (
    check_drivable,
    first_memory,
    goes_sideways,
    integral_gain,
    turning_setting,
    velocity_gains,
    velocity_setting,
)
from usv_energy.sim.plants.plant import Plant

PERIOD = 0.02  # s


class Driven:
    """A boat whose velocity is controlled by what odometry says."""

    def __init__(self, name, flow=STILL):
        self.vessel = read_boat(name).vessel
        self.gains, self.memory = velocity_gains(self.vessel), first_memory(self.vessel)
        self.plant = Plant(self.vessel, (0.0, 0.0, 0.0), lambda time, x, y: flow, PERIOD)
        self.setting = None

    def after(self, seconds, *wanted):
        """Return surge, sway and yaw rate over ground after so long at a velocity that is asked for."""
        for _ in range(round(seconds / PERIOD)):
            at = Relative(*self.plant.velocity_over_ground(), 0.0, 0.0)
            self.memory, self.setting = velocity_setting(self.memory, PERIOD, wanted, at, self.gains, self.vessel)
            self.plant.advance(self.setting)
        return self.plant.velocity_over_ground()


@pytest.mark.parametrize('name, surge, yaw_rate', [
    ('lutra_prop', 0.8, 0.1), ('lutra_prop', -0.3, 0.2), ('lutra_prop', 0.0, 0.3), ('wamv', 1.0, 0.1),
    ('lutra_airboat', 0.4, 0.05), ('lutra_rudder', 0.8, 0.05), ('kayak', 1.0, 0.1), ('otter', 1.0, 0.2)])
def test_surge_and_yaw_rate_are_reached(name, surge, yaw_rate):
    """Without error, for the controller has an integral; 2 % are promised."""
    u, _, r = Driven(name).after(60.0, surge, 0.0, yaw_rate)
    assert u == pytest.approx(surge, abs=1e-3) and r == pytest.approx(yaw_rate, abs=1e-3)


def test_a_boat_with_turning_thrusters_goes_sideways_too():
    boat = Driven('milliampere')
    assert goes_sideways(boat.vessel) and not goes_sideways(read_boat('lutra_prop').vessel)
    assert boat.after(60.0, 0.8, 0.3, 0.1) == pytest.approx((0.8, 0.3, 0.1), abs=1e-3)
    assert boat.after(60.0, 0.0, 0.0, 0.0) == pytest.approx((0.0, 0.0, 0.0), abs=2e-3)


@pytest.mark.parametrize('current', [-0.3, 0.0, 0.3])
def test_a_current_is_learned_and_the_power_is_that_of_the_speed_through_the_water(current):
    """Straight ahead d11 (U - V)^2, of which nothing in the controller knows V."""
    boat = Driven('lutra_prop', STILL._replace(current_x=current))
    u, v, r = boat.after(40.0, 0.8, 0.0, 0.0)
    assert (u, v, r) == pytest.approx((0.8, 0.0, 0.0), abs=1e-4)
    drag = 16.296 * (0.8 - current)
    windage = 0.5 * 1.184 * 0.08 * 0.68 * 0.8 ** 2  # The air stands still, the boat goes at 0.8 m/s.
    assert boat.plant.thruster_power() == pytest.approx((drag + windage) * (0.8 - current), rel=1e-3)


def test_a_mirrored_order_is_driven_by_the_mirrored_boat():
    left, right = Driven('lutra_prop'), Driven('lutra_prop')
    for order in ((0.7, 0.2), (0.1, -0.3)):
        u, v, r = left.after(3.0, order[0], 0.0, order[1])
        assert right.after(3.0, order[0], 0.0, -order[1]) == pytest.approx((u, -v, -r), abs=1e-12)
        assert right.setting.commands == pytest.approx(left.setting.commands[::-1])


def test_the_integral_gives_a_double_root_or_none_that_learns_faster_than_it_may():
    for k, d, m in ((0.5, 0.2, 2.0), (300.0, 60.0, 1000.0)):
        k_i = integral_gain(k, d, m)
        assert (d + k) ** 2 - 4.0 * m * k_i == pytest.approx(0.0, abs=1e-9 * k_i * m)
    assert integral_gain(10.0, 50.0, 1.0) / 60.0 == 0.5


def test_what_no_actuator_can_give_is_not_learned():
    """A rudder of 24 cm2 turns this boat at 0.18 rad/s; asked for 2 rad/s for minutes it is soon back."""
    boat = Driven('lutra_rudder')
    assert abs(boat.after(120.0, 0.8, 0.0, 2.0)[2]) < 0.3
    u, _, r = boat.after(25.0, 0.8, 0.0, 0.05)
    assert (u, r) == pytest.approx((0.8, 0.05), rel=0.02)
    fast = Driven('lutra_prop')
    assert fast.after(60.0, 9.0, 0.0, 0.0)[0] == pytest.approx(1.36, abs=0.02), 'its top speed'
    assert fast.after(6.0, 0.5, 0.0, 0.0)[0] == pytest.approx(0.5, rel=0.02)


def test_thrusters_turn_before_they_push():
    vessel = read_boat('milliampere').vessel
    setting = velocity_setting(first_memory(vessel), math.nan, (0.5, 0.0, 0.0), Relative(0.0, 0.0, 0.0, 0.0, 0.0),
                               velocity_gains(vessel), vessel)[1]
    asked = setting._replace(commands=(100.0,) * 4, angles=(math.pi, math.pi / 2, math.radians(100.0), 0.0))
    angles, given = turning_setting((0.0,) * 4, asked, 1.0, vessel)  # 40 degrees a second
    assert [abs(math.degrees(angle)) for angle in angles] == pytest.approx([40.0, 40.0, 40.0, 0.0])
    assert given.commands == pytest.approx((0.0, 100.0 * math.cos(math.radians(50.0)), 50.0, 100.0))
    assert given.angles == asked.angles
    pair = read_boat('lutra_prop').vessel
    fixed = asked._replace(commands=(3.0, 4.0), angles=(None, None))
    assert turning_setting((None, None), fixed, 1.0, pair) == ((None, None), fixed)


def test_nothing_is_learned_across_a_gap():
    boat = Driven('lutra_prop')
    memory = boat.memory
    for elapsed in (math.nan, 0.0, -1.0, 5.0):
        assert velocity_setting(memory, elapsed, (1.0, 0.0, 0.0), Relative(0.0, 0.0, 0.0, 0.0, 0.0), boat.gains,
                                boat.vessel)[0] == memory


@pytest.mark.parametrize('name, why', [
    ('lutra_sail', 'the boat lutra_sail has no thruster that drives it ahead, so no velocity can be asked of it'),
    ('blueboat_watts_only', 'driving it needs mass, drag and thrusters')])
def test_boats_that_cannot_be_driven_are_refused_by_name(name, why):
    with pytest.raises(InputError, match=why):
        check_drivable(read_boat(name))
