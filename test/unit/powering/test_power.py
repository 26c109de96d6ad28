
import math

import numpy as np
import pytest
from power_cases import (
    CALM,
    EQ57,
    LUTRA,
    MAPPED,
    MIXED,
    any_flow,
    any_motion,
    both_conventions,
    motion_through_water,
    rate_of_force,
    steady,
)

from usv_energy.allocation.boat_thrusts import thrusts_of_force
from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.checks import with_arrangement
from usv_energy.physics.dynamics import coriolis_force
from usv_energy.physics.frames import to_body, to_earth
from usv_energy.physics.motion import STILL, Flow, Motion, Relative, WaveAction, moved_by_waves, without_needless_yaw
from usv_energy.powering.actuators import foils_of_force
from usv_energy.powering.power import (
    CONVENTIONS,
    mean_power_rep103,
    needed_of,
    power_as_published,
    power_rep103,
    speed_through_water,
    steady_power_of_thrusts,
)
from usv_energy.sim.plants.plant_step import PlantState
from usv_energy.thrusters.drive import hull_force
from usv_energy.thrusters.thruster import with_shares


def test_the_default_convention_comes_first():
    assert list(CONVENTIONS) == ['rep103', 'as_published']


@both_conventions
@pytest.mark.parametrize('vessel', [LUTRA, MIXED, MAPPED], ids=['lutra', 'mixed', 'mapped'])
def test_causes_add_up(rng, power_of, vessel):
    power = power_of(any_motion(rng), any_flow(rng), vessel)
    # Sums of terms of up to 1e3 W.
    np.testing.assert_allclose(power.thrust, power.inertia + power.damping + power.wind + power.side_force, atol=1e-11)
    np.testing.assert_allclose(power.total, power.thrust + power.unrecovered + power.losses + power.static_load,
                               atol=1e-11)
    assert all(np.shape(field) == (500,) for field in power)
    assert np.all(power.static_load == vessel.static_load)
    np.testing.assert_allclose(speed_through_water(power), np.hypot(power.u_r, power.v_r), rtol=1e-15)


@both_conventions
@pytest.mark.parametrize('vessel', [MIXED, MAPPED], ids=['mixed', 'mapped'])
def test_floats_and_arrays_agree(rng, power_of, vessel):
    motion, flow = any_motion(rng, 50), any_flow(rng, 50)
    by_array = np.array(power_of(motion, flow, vessel)).T
    by_float = [power_of(Motion(*map(float, m)), Flow(*map(float, f)), vessel)
                for m, f in zip(zip(*motion), zip(*flow))]
    assert all(type(field) is float for power in by_float for field in power)
    # The last bit of sine and cosine, times powers of up to 1e3 W.
    np.testing.assert_allclose(by_array, by_float, rtol=1e-12, atol=1e-12)


@both_conventions
@pytest.mark.parametrize('u', [0.3, 1.0, 1.35])
def test_steady_way_straight_ahead(power_of, u):
    """With linear drag the power grows with the square of the speed, with quadratic drag with its cube."""
    assert power_of(steady(u), STILL, CALM).total == pytest.approx(16.296 * u ** 2, rel=1e-15)
    usvsim = read_boat('lutra_prop_usvsim').vessel._replace(windage=CALM.windage)
    assert power_of(steady(u), STILL, usvsim).total == pytest.approx(11.28 * u ** 3, rel=1e-15)


@both_conventions
def test_steady_turn_costs_the_three_dampings(power_of):
    power = power_of(steady(1.0, -0.2, 0.5), STILL, CALM)
    assert power.damping == pytest.approx(16.296 + 10.193 * 0.04 + 4.63 * 0.25)
    assert power.inertia == 0.0 and power.wind == 0.0


def test_speeding_up_costs_the_rate_of_kinetic_energy(rng):
    motion = any_motion(rng)
    m11, m22, m33, _ = LUTRA.inertia
    expected = m11 * motion.u * motion.u_dot + m22 * motion.v * motion.v_dot + m33 * motion.r * motion.r_dot
    np.testing.assert_allclose(power_rep103(motion, STILL, LUTRA).inertia, expected, atol=1e-12)
    np.testing.assert_allclose(power_as_published(motion, STILL, LUTRA).inertia, expected, atol=1e-12)


def test_braking_gives_nothing_back_but_as_published_does(rng):
    """M u u_dot = -19.5 W outweighs d11 u^2 = 16.3 W."""
    braking = Motion(0.0, 1.0, 0.0, 0.0, -2.0, 0.0, 0.0)
    thrust = 16.296 - 2.0 * 9.75
    boat = CALM._replace(static_load=4.0, losses=LUTRA.losses._replace(efficiency=0.5))
    ours, theirs = power_rep103(braking, STILL, boat), power_as_published(braking, STILL, boat)
    assert (ours.thrust, theirs.thrust) == pytest.approx((thrust, thrust))
    assert (ours.unrecovered, ours.losses, ours.total) == pytest.approx((-thrust, 0.0, 4.0))
    assert (theirs.unrecovered, theirs.losses, theirs.total) == pytest.approx((0.0, 0.0, thrust + 4.0))
    assert theirs.total < boat.static_load

    power = power_rep103(any_motion(rng), any_flow(rng), MIXED)
    assert np.any(power.thrust < 0.0) and np.all(power.unrecovered >= 0.0) and np.all(power.losses >= 0.0)
    assert np.all(power.total >= 4.0 - 1e-12)


def test_losses_are_taken_on_what_is_given():
    boat = CALM._replace(losses=LUTRA.losses._replace(efficiency=0.25))
    power = power_rep103(steady(1.0), STILL, boat)
    assert (power.losses, power.total) == pytest.approx((3.0 * 16.296, 4.0 * 16.296))


def test_losses_by_map_look_up_the_force_that_the_motion_takes():
    """A boat moving as 9 N and -2 N move it draws what the map says for them, Coriolis force and wind included."""
    state = PlantState(0.0, 0.0, 0.4, 0.9, -0.1, 0.3, 0.0)
    flow = Flow(0.2, -0.3, 5.0, 3.0)
    rate = rate_of_force(state, hull_force((9.0, -2.0), MAPPED.thrusters), flow, MAPPED)
    power = power_rep103(motion_through_water(state, rate, flow), flow, MAPPED)
    drawn = np.interp((9.0, -2.0), MAPPED.losses.map_thrust, MAPPED.losses.map_power).sum()
    assert power.total == pytest.approx(drawn + 4.0, rel=1e-12)
    assert power.thrust + power.unrecovered + power.losses == pytest.approx(drawn, rel=1e-12)


def test_a_drifting_boat_costs_nothing(rng):
    """
    Engines off, carried by the current, on any heading: exactly 0 under rep103.

    As published the cross current comes out twice, 4 d22 v_c^2: at 0.4 m/s and 45 deg to the boat that is 3.3 W with
    the tables' d22, 2.3 W with that of equation (5.7) (model.md's number), and twice as much with the current abeam.
    """
    yaw, *current = rng.uniform(-3.0, 3.0, size=(3, 300))
    body = to_body(*current, np.cos(yaw), np.sin(yaw))
    flow = Flow(*current, *current)
    drifting = Motion(yaw, *body, 0.0, 0.0, 0.0, 0.0)
    ours = power_rep103(drifting, flow, LUTRA)
    for field in (ours.total, ours.thrust, ours.damping, ours.inertia, ours.wind, ours.side_force, ours.u_r, ours.v_r):
        np.testing.assert_array_equal(field, 0.0)
    theirs = power_as_published(drifting, flow, CALM)
    np.testing.assert_allclose(theirs.total, 4.0 * CALM.damping.d22 * body[1] ** 2, rtol=1e-13)


@pytest.mark.parametrize('vessel, angle_deg, watts', [(LUTRA, 45.0, 3.26), (EQ57, 45.0, 2.27), (LUTRA, 90.0, 6.52),
                                                      (LUTRA, 0.0, 0.0)])
def test_what_the_published_formula_charges_a_drifting_boat(vessel, angle_deg, watts):
    current = 0.4 * math.cos(math.radians(angle_deg)), 0.4 * math.sin(math.radians(angle_deg))
    calm = vessel._replace(windage=CALM.windage)
    power = power_as_published(steady(*current), Flow(*current, 0.0, 0.0), calm)
    assert power.total == pytest.approx(watts, abs=0.005)


def test_a_drifting_boat_that_still_turns_costs_nothing(rng):
    """Engines off, r dies out as r_dot = -d33 r / m33, the body's axes turn through the current: 0 W throughout."""
    yaw, x, y, r = rng.uniform(-2.0, 2.0, size=(4, 300))
    u, v = to_body(x, y, np.cos(yaw), np.sin(yaw))
    motion = Motion(yaw, u, v, r, r * v, -r * u, -LUTRA.damping.d33 / LUTRA.inertia.m33 * r)
    power = power_rep103(motion, Flow(x, y, x, y), LUTRA)
    np.testing.assert_allclose(power.total, 0.0, atol=1e-13)
    held = power_rep103(motion._replace(r_dot=0.0 * r), Flow(x, y, x, y), LUTRA)
    np.testing.assert_allclose(held.total, LUTRA.damping.d33 * r ** 2, atol=1e-13)


@pytest.mark.parametrize('vessel', [LUTRA, MIXED], ids=['lutra', 'mixed'])
def test_closure_pointwise(rng, vessel):
    """The thesis's own identity, which the papers do not check: P_thrust = F u_r + N r, in current, wind and turns."""
    state = PlantState(*rng.uniform(-2.0, 2.0, size=(7, 500)))
    force = (rng.uniform(-22.0, 22.0, 500), np.zeros(500), rng.uniform(-1.8, 1.8, 500))
    flow = any_flow(rng)
    motion = motion_through_water(state, rate_of_force(state, force, flow, vessel), flow)
    power = power_rep103(motion, flow, vessel)
    # Sums of terms of up to 1e3 W.
    np.testing.assert_allclose(power.thrust, force[0] * state.u_r + force[2] * state.r, atol=1e-12)


def test_as_published_does_not_close_in_a_cross_current():
    """Same identity, scenario 3's current, the boat going straight: the published formula is off by watts."""
    state = PlantState(0.0, 0.0, 0.0, 1.36, 0.0, 0.0, 0.0)
    flow = Flow(0.2828, 0.2828, 0.0, 0.0)
    motion = motion_through_water(state, state._replace(u_r=0.0), flow)
    ours, theirs = (each.power(motion, flow, CALM) for each in CONVENTIONS.values())
    assert ours.thrust == pytest.approx(16.296 * 1.36 ** 2, rel=1e-12)
    assert ours.side_force == pytest.approx(0.0, abs=1e-12) and theirs.side_force == 0.0
    assert theirs.thrust - ours.thrust == pytest.approx(4.0 * 10.193 * 0.2828 ** 2, rel=1e-12)


def test_the_same_way_through_the_water_costs_the_same_in_every_current(rng):
    """Galilean invariance: water, air and boat move on together. The boat turns: its u_dot, v_dot differ each time."""
    state, rate = (PlantState(*rng.uniform(-2.0, 2.0, size=(7, 300))) for _ in range(2))
    wind = rng.uniform(-6.0, 6.0, size=2)
    still = Flow(0.0, 0.0, *wind)
    expected = power_rep103(motion_through_water(state, rate, still), still, MIXED)
    for x, y in rng.uniform(-2.0, 2.0, size=(20, 2)):
        flow = Flow(x, y, wind[0] + x, wind[1] + y)
        power = power_rep103(motion_through_water(state, rate, flow), flow, MIXED)
        np.testing.assert_allclose(np.array(power), np.array(expected), rtol=1e-9, atol=1e-11)


def test_turning_the_whole_world_changes_nothing(rng):
    motion, flow, turn = any_motion(rng), any_flow(rng), 1.1

    def turned(x, y):
        return to_earth(x, y, math.cos(turn), math.sin(turn))

    other = Flow(*turned(flow.current_x, flow.current_y), *turned(flow.wind_x, flow.wind_y))
    for power_of in (each.power for each in CONVENTIONS.values()):
        np.testing.assert_allclose(np.array(power_of(motion._replace(yaw=motion.yaw + turn), other, MIXED)),
                                   np.array(power_of(motion, flow, MIXED)), rtol=1e-9, atol=1e-9)


@both_conventions
def test_a_mirrored_world_costs_the_same(rng, power_of):
    """Port and starboard exchanged: true of a boat symmetric about its centre plane, under both conventions."""
    motion, flow = any_motion(rng), any_flow(rng)
    mirrored = Motion(-motion.yaw, motion.u, -motion.v, -motion.r, motion.u_dot, -motion.v_dot, -motion.r_dot)
    mirrored_flow = Flow(flow.current_x, -flow.current_y, flow.wind_x, -flow.wind_y)
    np.testing.assert_allclose(power_of(mirrored, mirrored_flow, MIXED).total,
                               power_of(motion, flow, MIXED).total, rtol=1e-13)


def test_wind_over_ground_and_apparent_wind():
    """Head wind of 5 m/s at 1 m/s of way: rep103 meets 6 m/s of air, the thesis 5 m/s."""
    flow = Flow(0.0, 0.0, -5.0, 0.0)
    drag = 0.5 * 1.184 * 0.08 * 0.68
    assert power_rep103(steady(1.0), flow, LUTRA).wind == pytest.approx(36.0 * drag)
    assert power_as_published(steady(1.0), flow, LUTRA).wind == pytest.approx(25.0 * drag)
    assert power_as_published(steady(1.0), STILL, LUTRA).wind == 0.0
    following = flow._replace(wind_x=1.0)
    assert power_rep103(steady(1.0), following, LUTRA).wind == 0.0


def test_yaw_moment_of_the_wind_takes_power_of_a_turning_boat():
    """Wind abeam on a boat that turns on the spot: -N r, with N the side force at its place."""
    yawing = LUTRA._replace(windage=LUTRA.windage._replace(lateral_x=-0.3))
    flow = Flow(0.0, 0.0, 0.0, 5.0)
    side = 0.5 * 1.184 * 0.18 * 1.11 * 25.0
    assert power_rep103(steady(0.0, r=0.4), flow, yawing).wind == pytest.approx(0.3 * side * 0.4)
    assert power_rep103(steady(0.0, r=0.4), flow, LUTRA).wind == 0.0


def test_the_published_formula_term_by_term(rng):
    """Thesis (4.24) with (4.16) written out; nu_r_dot by central differences along a straight line in time."""
    m, d, w = LUTRA.inertia, LUTRA.damping, LUTRA.windage

    def relative(t, motion, flow):
        yaw = motion.yaw + motion.r * t
        cx, cy = flow.current_x, flow.current_y
        return (motion.u + motion.u_dot * t - cx * np.cos(yaw) - cy * np.sin(yaw),
                motion.v + motion.v_dot * t - cx * np.sin(yaw) + cy * np.cos(yaw), motion.r + motion.r_dot * t)

    motion, flow, h = any_motion(rng), any_flow(rng), 1e-4
    u_r, v_r, r = relative(0.0, motion, flow)
    derivative = [(after - before) / (2.0 * h)
                  for after, before in zip(relative(h, motion, flow), relative(-h, motion, flow))]
    speed, beta = np.hypot(flow.wind_x, flow.wind_y), np.arctan2(flow.wind_y, flow.wind_x)
    pressure = 0.5 * w.air_density * speed ** 2
    coriolis = coriolis_force(u_r, v_r, r, m)
    force = (m.m11 * derivative[0] + coriolis[0] + d.d11 * u_r
             - pressure * w.frontal_area * w.c_x * np.cos(motion.yaw - beta),
             m.m22 * derivative[1] + coriolis[1] + d.d22 * v_r
             - pressure * w.lateral_area * w.c_y * np.sin(motion.yaw - beta),
             m.m33 * derivative[2] + coriolis[2] + d.d33 * r)
    expected = force[0] * u_r + force[1] * v_r + force[2] * r
    # Second-order differences: h^2 / 6 times third derivatives of up to 1e2 m/s^4, times 1e2 kg m/s.
    np.testing.assert_allclose(power_as_published(motion, flow, LUTRA).total, expected, atol=1e-4)


@pytest.mark.parametrize('field', Motion._fields)
@both_conventions
def test_nan_motion_gives_nan_power(power_of, field):
    motion = steady(1.0, 0.1, 0.2, 0.3)._replace(**{field: math.nan})
    flow = Flow(0.2, 0.1, 3.0, 1.0)
    for vessel in (MIXED, MAPPED):
        assert math.isnan(power_of(motion, flow, vessel).total)
        assert math.isnan(power_of(motion, flow, vessel).thrust)
    arrays = Motion(*(np.array([1.0, value]) for value in motion))
    np.testing.assert_array_equal(np.isnan(power_of(arrays, flow, MIXED).total), [False, True])


@pytest.mark.parametrize('field', Flow._fields)
@both_conventions
def test_nan_flow_gives_nan_power(power_of, field):
    flow = Flow(0.2, 0.1, 3.0, 1.0)._replace(**{field: math.nan})
    power = power_of(steady(1.0, 0.1, 0.2, 0.3), flow, MIXED)
    assert math.isnan(power.total) and math.isnan(power.losses)


@both_conventions
def test_an_infinite_yaw_is_no_yaw(power_of):
    assert math.isnan(power_of(steady(1.0, yaw=math.inf), STILL, LUTRA).total)


@both_conventions
def test_an_unknown_yaw_is_needed_only_where_water_or_air_move(power_of):
    known, unknown = steady(1.0, 0.1, 0.2, 0.7), steady(1.0, 0.1, 0.2, math.nan)
    assert power_of(without_needless_yaw(unknown, STILL), STILL, MIXED) == power_of(known, STILL, MIXED)
    for field in Flow._fields:
        flow = STILL._replace(**{field: 0.1})
        assert math.isnan(without_needless_yaw(unknown, flow).yaw)
    assert without_needless_yaw(known, STILL) is known


@both_conventions
def test_kinetic_energy_telescopes(rng, power_of):
    """Over any way at all, M nu_r_dot . nu_r adds up to the difference of nu_r M nu_r / 2, whatever the steps."""
    convention = next(each for each in CONVENTIONS.values() if each.power is power_of)
    every = np.array([convention.relative(Motion(*m), Flow(*f))
                      for m, f in zip(zip(*any_motion(rng, 40)), zip(*any_flow(rng, 40)))])
    elapsed = rng.uniform(0.01, 3.0, 39)
    inertia = convention.mean_power(Relative(*every[:-1].T), Relative(*every[1:].T), elapsed, MIXED).inertia
    masses = np.array(MIXED.inertia[:3])
    kinetic = 0.5 * (every[:, :3]**2 @ masses)
    assert (inertia * elapsed).sum() == pytest.approx(kinetic[-1] - kinetic[0], rel=1e-12)


@both_conventions
def test_the_mean_over_a_step_without_change_is_the_power_of_the_instant(power_of):
    convention = next(each for each in CONVENTIONS.values() if each.power is power_of)
    motion, flow = steady(1.1, 0.2, 0.0, 0.3), Flow(0.2, -0.1, 3.0, 4.0)
    relative = convention.relative(motion, flow)
    for vessel in (MIXED, MAPPED):
        np.testing.assert_allclose(convention.mean_power(relative, relative, 0.1, vessel),
                                   power_of(motion, flow, vessel), rtol=1e-13, atol=1e-13)


def test_the_mean_over_a_step_is_right_to_second_order():
    """Work of two thrusters along a known way: halving the step divides its error by four, braking included."""
    def way(t):
        return Relative(1.0 + 0.5 * np.sin(2.0 * t), 0.1 * np.cos(t), 0.4 * np.sin(1.3 * t), 0.0 * t, 0.0 * t)

    fine = np.linspace(0.0, 6.0, 96001)
    wanted = energy_of_way(way, fine)
    errors = [abs(energy_of_way(way, np.linspace(0.0, 6.0, steps + 1)) - wanted) for steps in (60, 120, 240, 480)]
    # Where a thruster begins to brake lies anywhere in a step, so single halvings scatter about 2.
    assert math.log2(errors[0] / errors[-1]) / 3.0 == pytest.approx(2.0, abs=0.1)


def energy_of_way(way, times):
    states = np.array(way(times))
    elapsed = np.diff(times)
    return float((mean_power_rep103(Relative(*states[:, :-1]), Relative(*states[:, 1:]), elapsed, CALM).total
                  * elapsed).sum())


def test_opposed_thrusts_at_speed_are_not_set_off_against_each_other():
    """12 N and -4 N at 1 m/s: 12 W are given, however little of it is left as net power."""
    state = PlantState(0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
    tilt = CALM.thrusters[0].efficiency_of_tilt
    rate = rate_of_force(state, hull_force((12.0, -4.0), CALM.thrusters), STILL, CALM)
    power = power_rep103(motion_through_water(state, rate, STILL), STILL, CALM)
    assert power.thrust == pytest.approx(8.0 * tilt)
    assert power.total == pytest.approx(12.0 * tilt)
    assert power.unrecovered == pytest.approx(4.0 * tilt)
    assert power.side_force == pytest.approx(0.0, abs=1e-12)


def test_what_each_thruster_gives_is_told_apart_whatever_the_motion(rng):
    """Any thrusts on any motion in any current and wind: the sum of the positive parts of T_i (u_r - y_i r)."""
    state = PlantState(*rng.uniform(-2.0, 2.0, size=(7, 500)))
    thrusts = rng.uniform(-11.0, 11.0, size=(2, 500))
    flow = any_flow(rng)
    rate = rate_of_force(state, hull_force(thrusts, MIXED.thrusters), flow, MIXED)
    power = power_rep103(motion_through_water(state, rate, flow), flow, MIXED)
    each = [thrust * thruster.efficiency_of_tilt * (state.u_r - thruster.y * state.r)
            for thrust, thruster in zip(thrusts, MIXED.thrusters)]
    np.testing.assert_allclose(power.thrust, sum(each), atol=1e-11)
    np.testing.assert_allclose(power.thrust + power.unrecovered, sum(np.maximum(one, 0.0) for one in each), atol=1e-11)


def test_a_side_force_is_no_propulsion():
    """A boat that is pushed sideways by a current that nobody knows: d22 v is what no thruster gives."""
    power = power_rep103(steady(1.0, 0.3), STILL, CALM)
    assert power.damping == pytest.approx(16.296 + 10.193 * 0.09)
    assert power.side_force == pytest.approx(-10.193 * 0.09)
    assert power.thrust == pytest.approx(16.296)
    both = power_as_published(steady(1.0, 0.3), STILL, CALM)
    assert (both.side_force, both.thrust) == pytest.approx((0.0, 16.296 + 10.193 * 0.09))


def test_a_single_thruster_gives_no_yaw_moment_either():
    one = with_arrangement(CALM._replace(thrusters=with_shares([CALM.thrusters[0]._replace(y=0.0)])))
    power = power_rep103(steady(1.0, 0.0, 0.2), STILL, one)
    coriolis = 0.0  # of a motion without sway
    assert power.side_force == pytest.approx(-4.63 * 0.04 + coriolis)
    assert power.thrust == pytest.approx(16.296)


KEEL = read_boat('lutra_rudder').vessel.foils[0]._replace(
    x=-1.3, y=0.4, area=0.05, density=1000.0, lift=1.2, drag=0.6, drag0=0.03, aft=0.0, curve=None, steer=None,
    wash=None)
FERRY = with_arrangement(read_boat('milliampere').vessel._replace(foils=(KEEL,)))
UNDER_WAY = Relative(0.9, 0.2, 0.1, -1.5, 0.7)


def keel_force(at):
    """Return the force of KEEL, N, N, N m, by lift across and drag along the way of its own place, and V C_D, W."""
    along, across = at.u_r - KEEL.y * at.r, at.v_r + KEEL.x * at.r
    speed, angle = math.hypot(along, across), math.atan2(across, along)
    lift, drag = (500.0 * 0.05 * speed * c for c in (1.2 * math.sin(2.0 * angle),
                                                     0.03 + 0.6 * (1.0 - math.cos(2.0 * angle))))
    x, y = lift * across - drag * along, -lift * along - drag * across
    return (x, y, KEEL.x * y - KEEL.y * x), drag * speed ** 2


def test_a_keel_takes_its_drag_times_the_speed_of_its_place():
    """Lift does no work: what the keel takes of a boat that goes ahead, sideways and turns is drag alone."""
    force, drag_power = keel_force(UNDER_WAY)
    power = mean_power_rep103(UNDER_WAY, UNDER_WAY, 1.0, FERRY)
    assert power.foils == pytest.approx(drag_power, rel=1e-12)
    assert power.foils == pytest.approx(-np.dot(force, UNDER_WAY[:3]), rel=1e-12)


@pytest.mark.parametrize('rate', [(0.0, 0.0, 0.0), (0.03, -0.02, 0.01)])
def test_thrusters_that_can_give_any_force_leave_no_side_force_beside_a_keel(rate):
    """Four that turn give just what hull and keel ask for together: their work is the sum of the causes."""
    motion = Motion(0.0, *UNDER_WAY[:3], *rate)
    power = power_rep103(motion, STILL, FERRY)
    assert power.thrust == pytest.approx(power.inertia + power.damping + power.wind + power.foils, rel=1e-9)
    assert power.side_force == pytest.approx(0.0, abs=1e-7)
    assert abs(keel_force(UNDER_WAY)[0][2]) > 2.0 < abs(keel_force(UNDER_WAY)[0][1]), 'a keel that is felt'


def test_thrusts_that_are_those_needed_take_the_power_of_the_steady_motion():
    for at in (UNDER_WAY, UNDER_WAY._replace(u_r=0.0)):
        needed = needed_of(at, (0.0, 0.0, 0.0), FERRY)
        left = tuple(np.subtract(needed.force, foils_of_force(at, needed.force, FERRY)).tolist())
        found = steady_power_of_thrusts(at, *thrusts_of_force(at, left, FERRY)[:2], FERRY)
        assert found == pytest.approx(mean_power_rep103(at, at, 1.0, FERRY), rel=1e-9, abs=1e-9)
        assert found.inertia == 0.0 and found.total > found.damping > 0.0


def test_water_that_moves_with_the_boat_is_at_rest_for_its_thrusters_and_the_air_is_as_it_was():
    moved = moved_by_waves(UNDER_WAY, WaveAction(1.0, 2.0, 3.0, *UNDER_WAY[:3]))
    assert moved == Relative(0.0, 0.0, 0.0, UNDER_WAY.u_w, UNDER_WAY.v_w)


@pytest.mark.parametrize('u_dot', [0.0, -1.0])
def test_as_published_a_map_is_looked_up_for_each_thruster_s_half_of_the_force(u_dot):
    """What is drawn is the map's, ahead or astern; while it brakes the boat gives its own power back besides."""
    boat = MAPPED._replace(windage=MAPPED.windage._replace(air_density=0.0))
    power = power_as_published(steady(0.8)._replace(u_dot=u_dot), STILL, boat)
    force = power.thrust / 0.8
    drawn = 2.0 * np.interp(0.5 * force / boat.thrusters[0].efficiency_of_tilt, boat.losses.map_thrust,
                            boat.losses.map_power)
    assert force * (1.0 + u_dot * 2.0) > 0.0, 'braking where it slows down'
    assert power.losses == pytest.approx(drawn - max(power.thrust, 0.0), rel=1e-12)
    assert power.total == pytest.approx(drawn + 4.0 + min(power.thrust, 0.0), rel=1e-12)
