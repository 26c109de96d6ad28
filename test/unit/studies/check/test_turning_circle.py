"""Turning circles and stops against closed forms."""

import math

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.studies.check.turning_circle import (
    COASTED_SHARE,
    DIFFERENCE,
    MOMENT,
    SHARES,
    THROTTLE,
    coasting,
    crash_stop,
    turning_circles,
)
from usv_energy.studies.plan.steady_motion import top_speed

LUTRA = read_boat('lutra_prop').vessel
BARE = LUTRA._replace(windage=LUTRA.windage._replace(frontal_area=0.0, lateral_area=0.0))
TILT = math.cos(math.radians(15.0))
RUDDER = """
base: lutra_prop_usvsim
name: single
windage: {frontal_area: 0.0, lateral_area: 0.0}
thrusters: [{name: screw, x: -0.4, y: 0, min_thrust: -11.5, max_thrust: 11.5}]
foils:
  - {name: rudder, x: -0.45, y: 0, area: 0.0024, density: 997, lift: 1.5, drag: 1.0,
     steer: {min_angle_deg: -30, max_angle_deg: 30, rate_deg: 60}}
"""


def boat_of(tmp_path, text):
    path = tmp_path / 'mine.yaml'
    path.write_text(text)
    return read_boat(str(path)).vessel


def test_a_pair_turns_as_its_balance_of_forces_has_it():
    """
    With linear drag: X + m22 v r = d11 u, -m11 u r = d22 v, N - (m22 - m11) u v = d33 r.

    Source: Fossen (2011), (3.57), (6.46) with M = diag(m11, m22, m33), steady.
    """
    turning = turning_circles(BARE, top_speed(BARE))
    inertia, damping = BARE.inertia, BARE.damping
    assert turning.by == DIFFERENCE and turning.angles == ()
    moment = 2.0 * 11.5 * TILT * 0.08 * SHARES
    ahead = 2.0 * 11.5 * TILT * (1.0 - SHARES)
    u, v = turning.speed * np.cos(turning.drift), -turning.speed * np.sin(turning.drift)
    r = turning.rate
    some = ~np.isnan(turning.drift)
    assert some.sum() == SHARES.size - 1, 'all but the turn on the spot have a drift'
    np.testing.assert_allclose((damping.d11 * u - inertia.m22 * v * r)[some], ahead[some], rtol=1e-6)
    np.testing.assert_allclose((damping.d22 * v + inertia.m11 * u * r)[some], 0.0, atol=1e-6)
    np.testing.assert_allclose((damping.d33 * r + (inertia.m22 - inertia.m11) * u * v)[some], moment[some], rtol=1e-6)
    np.testing.assert_allclose(turning.radius * turning.rate, turning.speed, rtol=1e-12)


def test_opposed_thrusts_turn_on_the_spot():
    """d33 r = F b with all thrust opposed: 2 x 11.5 N cos 15 deg at 0.08 m; no speed, no radius."""
    turning = turning_circles(BARE, top_speed(BARE))
    assert turning.rate[-1] == pytest.approx(2.0 * 11.5 * TILT * 0.08 / BARE.damping.d33, rel=1e-6)
    assert turning.radius[-1] == pytest.approx(0.0, abs=1e-6)


def test_a_turn_on_the_spot_is_found_with_quadratic_drag_too():
    """A speed ahead would die away as 1 / t there, and never be gone; turns begin at rest. r^2 = F b / d33."""
    vessel = read_boat('lutra_prop_usvsim').vessel
    turning = turning_circles(vessel, top_speed(vessel))
    assert turning.speed[-1] == pytest.approx(0.0, abs=1e-6)
    assert turning.rate[-1] == pytest.approx(math.sqrt(2.0 * 11.5 * TILT * 0.08 / vessel.damping.d33_q), rel=1e-6)


def test_a_rudder_boat_with_quadratic_drag_has_one_circle_at_any_throttle(tmp_path):
    """All forces grow with the square of the speed, so the circle does not change, and the speed with the root."""
    vessel = boat_of(tmp_path, RUDDER)
    turning = turning_circles(vessel, top_speed(vessel))
    assert turning.by == THROTTLE and np.degrees(turning.angles) == pytest.approx([-30.0])
    np.testing.assert_allclose(turning.radius, turning.radius[-1], rtol=1e-5)
    np.testing.assert_allclose(turning.speed, turning.speed[-1] * np.sqrt(SHARES), rtol=1e-5)
    assert np.all(turning.rate > 0.0) and np.all(turning.drift > 0.0), 'to port, drifting outward'


def test_turning_thrusters_are_led_by_the_moment(tmp_path):
    vessel = boat_of(tmp_path, """
base: lutra_prop
name: ferry
thrusters:
  - {name: bow, x: 0.4, y: 0, min_thrust: 0, max_thrust: 10,
     azimuth: {min_angle_deg: -180, max_angle_deg: 180, rate_deg: 90}}
  - {name: stern, x: -0.4, y: 0, min_thrust: 0, max_thrust: 10,
     azimuth: {min_angle_deg: -180, max_angle_deg: 180, rate_deg: 90}}
""")
    turning = turning_circles(vessel, top_speed(vessel))
    assert turning.by == MOMENT
    # Both abeam, one to port and one to starboard: 2 x 10 N x 0.4 m on the spot (the allocation leaves 1e-3 for surge).
    assert turning.rate[-1] == pytest.approx(8.0 / vessel.damping.d33, rel=2e-3)
    assert np.all(np.diff(turning.rate) > 0.0)


def test_a_boat_that_cannot_turn_has_no_circle(tmp_path):
    vessel = boat_of(tmp_path, RUDDER.partition('foils')[0])
    assert turning_circles(vessel, top_speed(vessel)) is None


def test_coasting_with_linear_drag_is_an_exponential():
    """u = u0 exp(-t d / m): ln 10 time constants to a tenth, over (1 - 0.1) u0 m / d."""
    constant = BARE.inertia.m11 / BARE.damping.d11
    stop = coasting(BARE, 1.2)
    assert (stop.begin, stop.end) == (1.2, pytest.approx(COASTED_SHARE * 1.2))
    assert stop.time == pytest.approx(constant * math.log(10.0), rel=1e-3)
    assert stop.way == pytest.approx(0.9 * 1.2 * constant, rel=1e-3)


def test_full_astern_with_linear_drag_is_an_exponential():
    """m du/dt = -F - d u: t = m / d ln(1 + d u0 / F), x = m u0 / d - F t / d."""
    force, d, m = 2.0 * 11.5 * TILT, BARE.damping.d11, BARE.inertia.m11
    time = m / d * math.log(1.0 + d * 1.2 / force)
    stop = crash_stop(BARE, 1.2)
    assert stop.time == pytest.approx(time, rel=1e-3)
    assert stop.way == pytest.approx(m * 1.2 / d - force * time / d, rel=1e-3)


def test_a_boat_without_drag_coasts_without_end():
    free = BARE._replace(damping=BARE.damping._replace(d11=0.0))
    assert math.isnan(coasting(free, 1.0).time)


def test_an_outboard_far_astern_is_turned_as_far_as_it_goes():
    """Its moment for a newton of thrust is larger than 1 m: all that it can give is at its limit, 35 degrees."""
    vessel = read_boat('kayak').vessel
    circles = turning_circles(vessel, top_speed(vessel))
    assert circles.angles == pytest.approx((-math.radians(35.0),), rel=1e-6)
