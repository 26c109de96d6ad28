"""The steady motion: closed forms, symmetry, and the plant itself, run until it is steady."""

import math

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.checks import with_arrangement
from usv_energy.physics.motion import STILL, Flow, Motion
from usv_energy.powering.power import power_rep103
from usv_energy.sim.plants.plant import Plant
from usv_energy.studies.plan.steady_motion import highest_speed, steady_state, top_speed
from usv_energy.thrusters.thruster import with_shares

LINEAR, QUADRATIC = (read_boat(name).vessel for name in ('lutra_prop', 'lutra_prop_usvsim'))
NO_WINDAGE = LINEAR.windage._replace(frontal_area=0.0, lateral_area=0.0)
BARE = LINEAR._replace(windage=NO_WINDAGE)
COUPLED = LINEAR._replace(damping=LINEAR.damping._replace(d23=-0.8, d32=1.5, d22_q=20.0),
                          losses=LINEAR.losses._replace(efficiency=0.5), static_load=7.0)


def drift_angle(steady):
    return np.arctan2(steady.v_r, steady.u_r)


def flow(current_x, current_y, wind_x, wind_y):
    return Flow(current_x, current_y, wind_x, wind_y)


def test_linear_drag_in_still_water_takes_d11_u_a_metre():
    speed = np.linspace(0.1, 1.3, 7)
    steady = steady_state(BARE, 0.7, speed, STILL)
    np.testing.assert_allclose(steady.power.total / speed, BARE.damping.d11 * speed, rtol=1e-13)
    np.testing.assert_allclose(steady.yaw, 0.7, rtol=1e-15)
    np.testing.assert_allclose(steady.thrusts, steady.surge_force / 2.0 / BARE.thrusters[0].efficiency_of_tilt
                               * np.ones((2, 1)), rtol=1e-12)


def test_a_following_current_is_taken_off_the_speed_through_water():
    """P = d11 (V - c)^2 exactly, whatever the course."""
    course = np.linspace(0.0, 6.0, 9)
    steady = steady_state(BARE, course, 1.0, flow(0.3 * np.cos(course), 0.3 * np.sin(course), 0.0, 0.0))
    np.testing.assert_allclose(steady.power.total, BARE.damping.d11 * 0.7 ** 2, rtol=1e-13)


def test_without_wind_a_crossing_boat_points_along_its_motion_through_the_water():
    steady = steady_state(BARE, 0.0, 1.0, flow(0.0, 0.4, 0.0, 0.0))
    assert steady.yaw == pytest.approx(math.atan2(-0.4, 1.0), abs=1e-14)
    assert drift_angle(steady) == pytest.approx(0.0, abs=1e-14)


def test_linear_sway_drag_gives_the_drift_in_closed_form():
    """d22 W sin(x) = B sin(x + delta), x the drift: tan x = B sin(delta) / (d22 W - B cos(delta))."""
    course, wind = 0.4, np.array([1.0, -3.5])
    steady = steady_state(LINEAR, course, 0.9, flow(0.0, 0.0, *wind))
    air = wind - 0.9 * np.array([math.cos(course), math.sin(course)])
    w = LINEAR.windage
    side = 0.5 * w.air_density * w.lateral_area * w.c_y * np.hypot(*air) ** 2
    delta = math.atan2(air[1], air[0]) - course
    expected = math.atan2(side * math.sin(delta), LINEAR.damping.d22 * 0.9 - side * math.cos(delta))
    assert drift_angle(steady) == pytest.approx(expected, abs=1e-13)
    assert abs(expected) > 0.1


def test_thrusters_hold_against_the_yaw_moment_of_the_wind():
    """It changes no side force and so no heading; N of the thrusters changes by -Y (x + arm (pi/2 - gamma))."""
    yawing = LINEAR._replace(windage=LINEAR.windage._replace(lateral_x=0.1, yaw_arm=0.19))
    steady = steady_state(yawing, 0.4, 0.9, flow(0.0, 0.0, 1.0, -3.5))
    forward, port = (turned for turned in to_body_of(steady.yaw, 1.0 - 0.9 * math.cos(0.4), -3.5 - 0.9 * math.sin(0.4)))
    w = LINEAR.windage
    side = 0.5 * w.air_density * w.lateral_area * w.c_y * math.hypot(forward, port) * port
    gamma = math.acos(-forward / math.hypot(forward, port))
    without = steady_state(LINEAR, 0.4, 0.9, flow(0.0, 0.0, 1.0, -3.5))
    wanted = -side * (0.1 + 0.19 * (math.pi / 2.0 - gamma))
    assert steady.yaw_moment - without.yaw_moment == pytest.approx(wanted, rel=1e-12) and abs(wanted) > 0.1


def to_body_of(yaw, east, north):
    return east * math.cos(yaw) + north * math.sin(yaw), north * math.cos(yaw) - east * math.sin(yaw)


def test_the_water_at_rest_past_the_boat_leaves_it_with_its_bow_in_the_wind():
    steady = steady_state(LINEAR, 0.0, 0.5, flow(0.5, 0.0, 0.5, 4.0))
    assert steady.yaw == pytest.approx(-0.5 * math.pi)
    assert steady.surge_force > 0.0
    assert steady.power.thrust == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize('vessel', [LINEAR, QUADRATIC, COUPLED])
def test_nothing_is_missing_in_the_balance_of_forces(vessel, rng):
    """The power model splits the same force another way: without sway thrust, thrust power is X u + N r."""
    course, speed = rng.uniform(-4.0, 4.0, 500), rng.uniform(0.05, 1.5, 500)
    waters = flow(*rng.normal(0.0, 0.3, (2, 500)), *rng.normal(0.0, 4.0, (2, 500)))
    steady = steady_state(vessel, course, speed, waters)
    np.testing.assert_allclose(steady.power.thrust, steady.surge_force * steady.u_r, rtol=1e-9, atol=1e-9)
    assert (steady.u_r >= -1e-12).all()
    c, s = np.cos(steady.yaw), np.sin(steady.yaw)
    over_ground = steady.u_r * c - steady.v_r * s + waters.current_x, steady.u_r * s + steady.v_r * c + waters.current_y
    np.testing.assert_allclose(over_ground, (speed * np.cos(course), speed * np.sin(course)), atol=1e-12)


@pytest.mark.parametrize('vessel', [LINEAR, QUADRATIC, COUPLED])
def test_turning_the_world_turns_the_answer(vessel, rng):
    waters, turn = rng.normal(0.0, (0.3, 0.3, 3.0, 3.0)), 1.1
    c, s = math.cos(turn), math.sin(turn)
    x, y = waters[::2] * c - waters[1::2] * s, waters[::2] * s + waters[1::2] * c
    one = steady_state(vessel, 0.3, 0.8, flow(*waters))
    other = steady_state(vessel, 0.3 + turn, 0.8, flow(x[0], y[0], x[1], y[1]))
    assert other.power.total == pytest.approx(one.power.total, rel=1e-11)
    assert math.remainder(other.yaw - one.yaw - turn, math.tau) == pytest.approx(0.0, abs=1e-11)


def test_mirroring_the_world_swaps_the_thrusters():
    one = steady_state(LINEAR, 0.3, 0.8, flow(0.1, 0.2, 1.0, 3.0))
    other = steady_state(LINEAR, -0.3, 0.8, flow(0.1, -0.2, 1.0, -3.0))
    assert other.thrusts == pytest.approx(one.thrusts[::-1], rel=1e-10)
    assert one.thrusts[0] != pytest.approx(one.thrusts[1], rel=1e-3)


def test_of_several_headings_in_a_strong_following_wind_the_cheapest_is_taken():
    """Quadratic drag to the side is slight at a small drift: beside running straight there are two headings across."""
    steady = steady_state(QUADRATIC, 0.0, 0.4, flow(0.0, 0.0, 7.0, 0.0))
    straight = Motion(0.0, 0.4, 0.0, 0.0, 0.0, 0.0, 0.0)
    assert abs(drift_angle(steady)) > 0.2
    assert steady.power.total <= power_rep103(straight, flow(0.0, 0.0, 7.0, 0.0), QUADRATIC).total


@pytest.mark.parametrize('vessel', [LINEAR, QUADRATIC, COUPLED])
@pytest.mark.parametrize('waters', [flow(0.2, 0.1, 2.0, -3.0), flow(-0.3, 0.2, -1.0, 4.0), flow(0.0, 0.0, 0.0, 0.0)])
def test_the_plant_settles_where_the_solver_says(vessel, waters):
    """From rest, with the heading and thrusts found: motion over ground and power come out within 1e-6."""
    steady = steady_state(vessel, 0.3, 0.8, waters)
    assert steady.feasible
    plant = Plant(vessel, (0.0, 0.0, float(steady.yaw)), lambda time, x, y: waters, 0.05)
    port, starboard = vessel.thrusters
    for _ in range(1200):    # 60 s, many times the slowest time constant, m22 / d22 of a second or so
        # Heading hold, which vanishes in the end: a hull is unstable in yaw without one.
        moment = 20.0 * (float(steady.yaw) - plant.state.yaw) - 8.0 * plant.state.r
        share = moment / (port.efficiency_of_tilt * (port.y - starboard.y))
        plant.advance((float(steady.thrusts[0]) - share, float(steady.thrusts[1]) + share))
    state = plant.state
    u, v, r = plant.velocity_over_ground()
    speed = math.hypot(u, v)
    assert speed == pytest.approx(0.8, rel=1e-6)
    assert math.remainder(math.atan2(v, u) + state.yaw - 0.3, math.tau) == pytest.approx(0.0, abs=1e-6)
    assert state.yaw == pytest.approx(float(steady.yaw), abs=1e-6)
    assert plant.thrusts == pytest.approx(tuple(map(float, steady.thrusts)), rel=1e-6, abs=1e-6)
    power = power_rep103(Motion(state.yaw, u, v, r, 0.0, 0.0, 0.0), waters, vessel)
    assert power.total == pytest.approx(float(steady.power.total), rel=1e-6)
    force = plant.force()
    assert force[0] * state.u_r + force[2] * state.r == pytest.approx(float(steady.power.thrust), rel=1e-6)


def test_thrust_limits_end_what_is_feasible_at_the_boat_s_top_speed():
    full = sum(t.max_thrust * t.efficiency_of_tilt for t in BARE.thrusters)
    top = top_speed(BARE)
    assert top == pytest.approx(full / BARE.damping.d11, rel=1e-8)
    steady = steady_state(BARE, 0.0, np.array([0.999 * top, 1.001 * top]), STILL)
    assert steady.feasible.tolist() == [True, False]
    assert np.isfinite(steady.power.total).all(), 'what it would take is still told'


@pytest.mark.parametrize(('points', 'rounds'), [(1, 40), (23, 8)])
def test_the_highest_speed_is_that_in_still_water_and_the_current_s_share(points, rounds):
    """V = c cos + sqrt(top^2 - c^2 sin^2) in a current c; none where the current is too fast."""
    course, top = np.array([0.0, 0.7, math.pi]), top_speed(BARE)
    found = highest_speed(BARE, course, flow(0.4, 0.0, 0.0, 0.0), np.geomspace(0.01, 10.0, 30), points, rounds)
    expected = 0.4 * np.cos(course) + np.sqrt(top ** 2 - (0.4 * np.sin(course)) ** 2)
    np.testing.assert_allclose(found, expected, rtol=1e-8)
    assert np.isnan(highest_speed(BARE, course[2:], flow(3.0, 0.0, 0.0, 0.0), np.geomspace(0.01, 10.0, 30)))


def test_a_single_thruster_cannot_hold_a_moment():
    """A drifting hull turns (Munk's moment): one thruster amidships cannot hold it."""
    one = LINEAR.thrusters[0]._replace(y=0.0, max_thrust=40.0, surge_share=1.0 / LINEAR.thrusters[0].efficiency_of_tilt,
                                       yaw_share=0.0)
    vessel = with_arrangement(LINEAR._replace(thrusters=(one,)))
    steady = steady_state(vessel, 0.0, 0.8, flow(0.0, 0.0, np.array([0.0, 1.0]), np.array([0.0, 3.0])))
    assert steady.feasible.tolist() == [True, False]


def test_shapes_are_broadcast_and_a_nan_stays_where_it_is():
    waters = flow(np.array([0.1, np.nan, 0.2])[:, None], 0.0, 0.0, np.array([1.0, 2.0]))
    steady = steady_state(LINEAR, 0.0, 0.8, waters)
    assert steady.yaw.shape == steady.power.total.shape == steady.feasible.shape == (3, 2)
    assert np.isnan(steady.power.total[1]).all() and not steady.feasible[1].any()
    alone = steady_state(LINEAR, 0.0, 0.8, flow(0.2, 0.0, 0.0, 2.0))
    assert steady.power.total[2, 1] == alone.power.total


def test_an_unlike_pair_in_still_water_goes_straight_and_as_fast_as_both_at_their_most():
    """Two large and two small thrusters in line: 50 N against quadratic drag, V = sqrt(50 / d11)."""
    large, small = ([thruster._replace(y=math.copysign(y, thruster.y), max_thrust=most, efficiency_of_tilt=1.0)
                     for thruster in QUADRATIC.thrusters] for y, most in ((0.2, 20.0), (0.1, 5.0)))
    vessel = with_arrangement(QUADRATIC._replace(windage=NO_WINDAGE, thrusters=with_shares((*large, *small))))
    top = top_speed(vessel)
    assert top == pytest.approx(math.sqrt(50.0 / QUADRATIC.damping.d11_q), rel=1e-8)
    steady = steady_state(vessel, np.array([0.0, 1.0]), 0.9 * top, STILL)
    np.testing.assert_allclose(steady.v_r, 0.0, atol=1e-15)
    assert steady.feasible.all() and np.max(steady.thrusts[:2]) < 20.0


def test_few_points_and_many_give_the_same(rng):
    """Whether headings are tried all at once or one after the other."""
    course = rng.uniform(-4.0, 4.0, 2000)
    waters = flow(*rng.normal(0.0, 0.3, (2, 2000)), *rng.normal(0.0, 4.0, (2, 2000)))
    every = steady_state(QUADRATIC, course, 0.8, waters)
    some = steady_state(QUADRATIC, course[:50], 0.8, Flow(*(part[:50] for part in waters)))
    np.testing.assert_array_equal(some.yaw, every.yaw[:50])


PROP, FAN, RUDDER = (read_boat(name).vessel for name in ('lutra_prop_usvsim', 'lutra_airboat', 'lutra_rudder'))


def speed_at(vessel, thrust_ahead):
    """Return the top speed with all thrusters together limited to a thrust ahead, N."""
    share = thrust_ahead / sum(one.efficiency_of_tilt for one in vessel.thrusters)
    return top_speed(vessel._replace(thrusters=tuple(one._replace(max_thrust=share) for one in vessel.thrusters)))


def test_airboat_at_full_thrust():
    """0.67 m/s; sqrt(3.13 / 6.9) = 0.6735 in a vacuum ([S] table 3; its table 2 has 3.1 N), 0.2 % less in still air."""
    still = FAN._replace(windage=FAN.windage._replace(frontal_area=0.0))
    assert top_speed(still) == pytest.approx(math.sqrt(3.13 / 6.9), rel=1e-9)
    assert top_speed(FAN) == pytest.approx(0.670, rel=5e-3)


@pytest.mark.parametrize('thrust, speed', [(22.54, 1.410), (17.93, 1.258), (16.46, 1.205)])
def test_pwm_table_of_the_differential_boat(thrust, speed):
    assert speed_at(PROP, thrust) == pytest.approx(speed, rel=0.01)


@pytest.mark.parametrize('thrust, speed', [(3.13, 0.674), (2.64, 0.619), (2.35, 0.584), (1.86, 0.519)])
def test_pwm_table_of_the_airboat(thrust, speed):
    assert speed_at(FAN, thrust) == pytest.approx(speed, rel=0.01)


def test_rudder_boat_has_one_of_the_differential_boats_thrusters():
    """Half of its thrust on the same drag: 1 / sqrt(2) of its speed, less a little in still air."""
    assert top_speed(RUDDER) == pytest.approx(top_speed(PROP) / math.sqrt(2.0), rel=1e-6)


KNOT = 1852.0 / 3600.0  # m/s


def watts(name, speed):
    """Return the electrical power of a shipped boat at speeds ahead, m/s, in still water and air, W."""
    return steady_state(read_boat(name).vessel, 0.0, np.array(speed), STILL).power.total


def test_the_kayak_reaches_what_its_owner_saw():
    """4.7 knots at full power in a strong cross wind, which no number is from; 3.6 % more in still air."""
    assert top_speed(read_boat('kayak').vessel) == pytest.approx(4.7 * KNOT, rel=0.05)


def test_the_otter_s_numbers_are_of_one_piece():
    """6 knots at 24.4 kgf, and the 833.8 W of its power budget; still air takes 1 % of the speed."""
    top = top_speed(read_boat('otter').vessel)
    assert top == pytest.approx(6.0 * KNOT, rel=0.01)
    assert watts('otter', [top - 1e-6])[0] == pytest.approx(833.76, rel=1e-4)


def test_the_blueboat_s_watts_are_its_maker_s_from_2_m_s_up():
    """No number of the file is from these watts, which have no hotel load: 2.1 W at 0.5 m/s are less than one."""
    found = watts('blueboat', [2.0, 2.5, 2.78]) - read_boat('blueboat').vessel.static_load
    assert found[1:] == pytest.approx(np.array([400.0, 507.6]), rel=0.10)
    assert found[0] == pytest.approx(197.8, rel=0.16)
