import math

import numpy as np
import pytest
from analyze_files import BOAT

from usv_energy.physics.motion import STILL, Flow, Motion
from usv_energy.studies.analyze.current.sway_error import (
    BLOCK,
    SETTLED,
    STEP,
    SwayError,
    Tune,
    _tuned,
    _turned,
    even_times,
    side_force,
)

TIME = np.arange(0.0, 60.0, STEP)
VESSEL = BOAT.vessel
DRAG, MASS = VESSEL.damping.d22, VESSEL.inertia.m22


def motion(**known):
    """Return a motion at TIME, straight east at 1 m/s, with what is given of it."""
    zero = np.zeros(TIME.size)
    return Motion(*({'u': 1.0 + zero, **known}.get(name, zero) + zero for name in Motion._fields))


def without_air(vessel):
    return vessel._replace(windage=vessel.windage._replace(lateral_area=0.0))


def test_the_side_force_is_drag_inertia_and_coriolis_of_the_sway_through_the_water():
    slipping = motion(v=0.3, v_dot=0.05, r=0.2)
    wanted = DRAG * 0.3 + MASS * 0.05 + VESSEL.inertia.m11 * 1.0 * 0.2
    np.testing.assert_allclose(side_force(slipping, STILL, without_air(VESSEL)), wanted, rtol=1e-12)


def test_a_boat_that_a_current_carries_needs_no_side_force():
    """It heads 30 deg off east, and goes through the water straight ahead."""
    yaw, current = math.radians(30.0), Flow(0.1, 0.25, 0.0, 0.0)
    c, s = math.cos(yaw), math.sin(yaw)
    carried = motion(yaw=yaw, u=1.0 + c * 0.1 + s * 0.25, v=-s * 0.1 + c * 0.25)
    np.testing.assert_allclose(side_force(carried, current, without_air(VESSEL)), 0.0, atol=1e-12)


def test_a_beam_wind_pushes_as_its_formula_has_it():
    """Wind to the north on a boat that goes east at 1 m/s: apparent (-1, 6) m/s."""
    windage = VESSEL.windage
    wanted = 0.5 * windage.air_density * math.hypot(1.0, 6.0) * 6.0 * windage.lateral_area * windage.c_y
    np.testing.assert_allclose(side_force(motion(), Flow(0.0, 0.0, 0.0, 6.0), VESSEL), -wanted, rtol=1e-12)


@pytest.mark.parametrize('rate', [0.0, 0.2, 1.0])
def test_the_error_is_the_sway_that_nothing_gave_however_fast_it_changes(rate):
    """m v_dot + d v through 1 / (m s + d) is v; the rule of trapezoids at STEP changes 0.4 % of it at 1 rad/s."""
    v, v_dot = 0.1 * np.cos(rate * TIME), -0.1 * rate * np.sin(rate * TIME)
    error = SwayError(TIME, motion(v=v, v_dot=v_dot), without_air(VESSEL))
    assert error.lag == pytest.approx(MASS / DRAG, rel=0.01)
    first = math.ceil(SETTLED * error.lag / BLOCK)
    blocks = v.reshape(-1, round(BLOCK / STEP)).mean(axis=1)
    np.testing.assert_allclose(error.means(STILL, Tune())[-20:], blocks[-20:], atol=1e-3)
    assert blocks.size - first - 1 <= error.blocks <= blocks.size - first + 1


def test_a_turned_compass_and_a_wrong_drag_are_told_apart_from_a_flow_by_what_they_are():
    turned = SwayError(TIME, motion(yaw=0.05, u=math.cos(0.05), v=-math.sin(0.05)), without_air(VESSEL))
    np.testing.assert_allclose(turned.means(STILL, Tune(turned=0.05)), 0.0, atol=1e-4)
    circling = motion(r=0.2, v=-VESSEL.inertia.m11 * 0.2 / (1.3 * DRAG))
    circle = SwayError(TIME, circling, without_air(VESSEL))
    np.testing.assert_allclose(circle.means(STILL, Tune(drag=math.log(1.3))), 0.0, atol=1e-4)
    assert np.abs(circle.means(STILL, Tune())).min() > 0.02


def test_a_hole_in_the_motion_costs_the_time_in_which_the_sway_settles():
    whole = SwayError(TIME, motion(v=0.1), VESSEL)
    v = np.where((TIME > 30.0) & (TIME < 30.5), np.nan, 0.1)
    holed = SwayError(TIME, motion(v=v), VESSEL)
    assert 1 <= whole.blocks - holed.blocks <= math.ceil((0.5 + SETTLED * holed.lag) / BLOCK) + 1
    assert np.isfinite(holed.means(STILL, Tune())).all()


def test_the_times_of_a_log_are_even_and_few():
    for duration, step in ((50.0, STEP), (1200.0, 0.2), (3600.0, 0.25)):
        time = even_times(7.0, 7.0 + duration)
        np.testing.assert_allclose(np.diff(time), step, rtol=1e-9)
        assert time[0] == 7.0 and 0.0 < 7.0 + duration - time[-1] <= 1.001 * step


def test_a_motion_that_nowhere_lasts_long_enough_has_no_blocks():
    error = SwayError(TIME, motion(v=np.nan), VESSEL)
    assert error.blocks == 0 and error.means(STILL, Tune()).size == 0
    settling = math.ceil(SETTLED * SwayError(TIME, motion(), VESSEL).lag / STEP)
    v = np.where(np.arange(TIME.size) < settling, 0.1, np.nan)
    assert SwayError(TIME, motion(v=v), VESSEL).blocks == 0


@pytest.mark.parametrize('blocks', [1, 2, 3])
def test_so_many_blocks_as_are_full_after_settling(blocks):
    """The motion begins so that it has settled as a block begins, and is known for so many."""
    settling = round(SETTLED * SwayError(TIME, motion(), VESSEL).lag / STEP)
    per_block = round(BLOCK / STEP)
    begin = -settling % per_block
    row = np.arange(TIME.size)
    v = np.where((row >= begin) & (row < begin + settling + blocks * per_block), 0.1, np.nan)
    assert SwayError(TIME, motion(v=v), VESSEL).blocks == blocks


def test_the_lag_of_the_sway_is_mass_over_the_slope_of_its_drag_within_limits():
    """At the root mean square of sway and speed: d22 + 2 d22_q v + d22_u u."""
    v = 0.3 * np.where(np.arange(TIME.size) % 2 == 0, 1.0, -1.0)
    for damping, slope in (({}, DRAG), ({'d22_q': 40.0}, DRAG + 2.0 * 40.0 * 0.3), ({'d22_u': 5.0}, DRAG + 5.0 * 1.5)):
        vessel = VESSEL._replace(damping=VESSEL.damping._replace(**damping))
        assert SwayError(TIME, motion(u=1.5, v=v), vessel).lag == pytest.approx(MASS / slope)
    for d22, lag in ((1e4, 0.2), (1e-3, 20.0), (0.0, 20.0)):
        vessel = VESSEL._replace(damping=VESSEL.damping._replace(d22=d22))
        assert SwayError(TIME, motion(), vessel).lag == lag


def test_what_may_be_wrong_scales_sway_drag_and_lateral_area_by_its_logarithm():
    vessel = VESSEL._replace(damping=VESSEL.damping._replace(d22=2.0, d22_q=3.0, d22_u=5.0))
    tuned = _tuned(vessel, Tune(math.log(1.5), math.log(0.5)))
    assert (tuned.damping.d22, tuned.damping.d22_q, tuned.damping.d22_u) == pytest.approx((3.0, 4.5, 7.5))
    assert tuned.windage.lateral_area == pytest.approx(0.5 * vessel.windage.lateral_area)
    assert tuned.damping.d11 == vessel.damping.d11 and tuned.windage.frontal_area == vessel.windage.frontal_area


def test_a_compass_that_shows_too_much_turns_velocity_and_acceleration_to_first_order():
    given = motion(yaw=0.3, u=1.2, v=0.2, u_dot=0.05, v_dot=-0.04)
    angle = 1e-4
    turned = _turned(given, angle)
    for first, second in (('u', 'v'), ('u_dot', 'v_dot')):
        wanted = (getattr(given, first) + 1j * getattr(given, second)) * np.exp(1j * angle)
        np.testing.assert_allclose(getattr(turned, first) + 1j * getattr(turned, second), wanted, atol=1e-7)
    np.testing.assert_allclose(turned.yaw, 0.3 - angle)


def test_in_a_current_the_water_turns_about_a_boat_that_turns():
    """The sway through the water changes by the yaw rate times the current ahead, beside the measured acceleration."""
    slipping = motion(v=0.3, v_dot=0.05, r=0.2)
    wanted = DRAG * 0.3 + MASS * (0.05 + 0.2 * 0.4) + VESSEL.inertia.m11 * 0.6 * 0.2
    np.testing.assert_allclose(side_force(slipping, Flow(0.4, 0.0, 0.0, 0.0), without_air(VESSEL)), wanted, rtol=1e-12)


@pytest.mark.parametrize('d22', [2.0, 40.0])
def test_samples_count_once_the_sway_has_settled_in_blocks_that_are_more_than_half_full(d22):
    """Whatever the first time is: that of a log's clock."""
    vessel = VESSEL._replace(damping=VESSEL.damping._replace(d22=d22, d22_q=0.0, d22_u=0.0))
    settling, per_block = round(SETTLED * MASS / d22 / STEP), round(BLOCK / STEP)
    for share in (0.4, 0.6):
        stop = settling + 3 * per_block
        stop += round(share * per_block) - stop % per_block
        v = np.where(np.arange(TIME.size) < stop, 0.1, np.nan)
        error = SwayError(TIME + 1700.0, motion(v=v), vessel)
        first = settling // per_block
        full = [block for block in range(first, stop // per_block + 1)
                if min(stop, (block + 1) * per_block) - max(settling, block * per_block) > 0.5 * per_block]
        assert error.blocks == len(full)
        assert error._used.min() == max(settling, full[0] * per_block)
        assert error._used.max() == min(stop, (full[-1] + 1) * per_block) - 1


def test_one_time_alone_has_no_blocks():
    assert SwayError(TIME[:1], Motion(*(one[:1] for one in motion())), VESSEL).blocks == 0
