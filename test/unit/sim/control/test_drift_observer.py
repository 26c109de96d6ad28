"""A boat's own speed through the water and its set, against closed forms and the plant's own motion."""

import math

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.motion import Flow
from usv_energy.powering.actuators import Setting, resting_setting
from usv_energy.sim.control.autopilot import (
    LEEWAY_TIME,
    SET_TIME,
    Drift,
    drift_later,
    first_drift,
    heading_in_drift,
    known_motion,
    leeway_time,
    seen_drift,
    steers_by_water,
)
from usv_energy.sim.control.guidance import leg_between
from usv_energy.sim.plants.plant import Plant
from usv_energy.sim.plants.step_limit import fastest_rate

RUDDER = read_boat('lutra_rudder').vessel
RATE = float(fastest_rate(RUDDER))
AHEAD = Setting((2.0,), (None,), (0.0,))


@pytest.mark.parametrize('name, steers', [('lutra_rudder', True), ('lutra_rudder_t200', True), ('lutra_prop', False),
                                          ('lutra_airboat', True), ('milliampere', True), ('blueboat', False),
                                          ('lutra_sail', False), ('otter', False), ('otter_parts', False)])
def test_boats_with_rudders_and_boats_that_slide_ask_for_the_water(name, steers):
    assert steers_by_water(read_boat(name).vessel) is steers


@pytest.mark.parametrize('elapsed', [0.1, 1.0, 60.0])
def test_the_speed_is_that_at_which_the_thrust_meets_the_drag(elapsed):
    """T cos 15 degrees = d11_q u^2, of 2 N; carried by the air, which then does nothing."""
    drift = first_drift(0.3, (0.0, 0.0, 0.0))
    for _ in range(max(1, round(30.0 / elapsed))):
        drift, _ = drift_later(drift, elapsed, 0.3, (0.0, 0.0, 0.0), (0.0, 0.0), AHEAD, AHEAD, RUDDER, RATE)
    assert drift.u_r == pytest.approx(math.sqrt(2.0 * math.cos(math.radians(15.0)) / RUDDER.damping.d11_q), rel=2e-3)
    assert drift.v_r == pytest.approx(0.0, abs=1e-12)


def test_the_set_is_learned_in_its_time():
    """A first-order mean: after SET_TIME all but 1/e of a step is there, however it is cut up."""
    for number in (1, 7):
        drift = first_drift(0.0, (0.0, 0.0, 0.0))
        for _ in range(number):
            drift = seen_drift(drift, SET_TIME / number, 0.0, (0.5, 0.2, 0.0), (0.0, 0.0), RUDDER)
        assert (drift.set_x, drift.set_y) == pytest.approx((0.5 * (1.0 - math.exp(-1.0)),
                                                            0.2 * (1.0 - math.exp(-1.0))), rel=1e-12)


@pytest.mark.parametrize('boat, time', [('lutra_rudder', LEEWAY_TIME), ('lutra_airboat', 2.0 * 12.664 / (60.0 * 0.03)),
                                        ('milliampere', 2.0 * 2533.9 / 56.4447)])
def test_the_leeway_is_learned_in_its_own_time_and_is_no_set(boat, time):
    """A boat that slides to port in water that stands still, however it heads."""
    drift = first_drift(0.7, (1.0, 0.0, 0.0), 1.0)
    assert leeway_time(read_boat(boat).vessel) == pytest.approx(time)
    drift = seen_drift(drift, time, 0.7, (1.0, 0.2, 0.1), (1.0, 0.2), read_boat(boat).vessel)
    assert drift.leeway == pytest.approx(0.2 * (1.0 - math.exp(-1.0)), rel=1e-12)
    assert (drift.set_x, drift.set_y) == pytest.approx((0.0, 0.0), abs=1e-12)


@pytest.mark.parametrize('leeway', [0.0, 0.2, -0.25])
@pytest.mark.parametrize('set_x, set_y', [(0.0, 0.0), (0.3, 0.4), (-0.6, 0.2)])
def test_a_boat_that_makes_leeway_goes_along_its_leg_at_its_speed(leeway, set_x, set_y):
    """On the leg: heading, leeway and set together are the velocity over ground that is wanted."""
    leg = leg_between(0.0, 0.0, 30.0, 40.0)
    drift = Drift(0.5, leeway, set_x, set_y, leeway)
    heading, ahead = heading_in_drift(3.0, 4.0, leg, 3.0, 0.8, drift)
    c, s = math.cos(heading), math.sin(heading)
    assert (ahead * c - leeway * s + set_x, ahead * s + leeway * c + set_y) == pytest.approx((0.48, 0.64), abs=1e-12)


def test_no_time_changes_nothing():
    drift = first_drift(1.0, (0.3, 0.1, 0.0))
    for elapsed in (math.nan, 0.0, -1.0):
        same = drift_later(drift, elapsed, 2.0, (9.0, 9.0, 9.0), (0.0, 0.0), AHEAD, AHEAD, RUDDER, RATE)
        assert same == (drift, AHEAD)


@pytest.mark.parametrize('name, asked', [
    ('lutra_rudder', Setting((4.0,), (None,), (-0.3,))),
    ('milliampere', Setting((60.0,) * 4, (2.6, 0.3, -2.4, -0.2), ()))])
def test_of_what_is_measured_over_ground_it_knows_what_the_water_does(name, asked):
    """
    A turning boat in a current and a wind from abeam: within the first order of its steps of a tenth of a second.

    The ferry's thrusters need 4 s to turn to where they are asked; taken as there at once, it errs by 0.16 m/s.
    """
    vessel = read_boat(name).vessel
    flow = Flow(0.4, -0.3, 2.0, 1.0)
    plant = Plant(vessel, (0.0, 0.0, 0.5), lambda *_: flow, 0.02)
    drift, setting = first_drift(0.5, plant.velocity_over_ground()), resting_setting(0.0, vessel)
    assert (drift.set_x, drift.set_y) == pytest.approx((0.4, -0.3)), 'at rest in the water, which carries it'
    turned = slid = 0.0
    for _ in range(600):
        for _ in range(5):
            plant.advance(asked)
        at = plant.relative()
        drift, setting = drift_later(drift, 0.1, plant.state.yaw, plant.velocity_over_ground(), (at.u_w, at.v_w),
                                     setting, asked, vessel, float(fastest_rate(vessel)))
        assert (drift.u_r, drift.v_r) == pytest.approx((at.u_r, at.v_r), abs=0.02)
        assert known_motion(drift, at.r, (at.u_w, at.v_w))[2:] == (at.r, at.u_w, at.v_w)
        turned, slid = max(turned, abs(at.r)), max(slid, abs(at.v_r))
    assert turned > 0.05 and slid > 0.02
