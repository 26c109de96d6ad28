
import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import yaml
from scipy.optimize import fsolve

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.vessel import Damping
from usv_energy.files.errors import InputError
from usv_energy.files.locate import resolve
from usv_energy.physics.elementwise import direction_of
from usv_energy.physics.frames import polar_to_earth, to_earth
from usv_energy.physics.motion import STILL, Flow
from usv_energy.physics.waves.added_resistance import SeaAlong, WaveCoefficients, mean_sea
from usv_energy.powering.actuators import Setting
from usv_energy.sim.plants.plant import Plant
from usv_energy.sim.plants.plant_step import PlantState, state_rate
from usv_energy.sim.plants.water_around import Surroundings
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario
from usv_energy.studies.plan.boat_in_sea import boat_in_sea
from usv_energy.studies.plan.steady_motion import steady_state
from usv_energy.thrusters.drive import hull_force

LUTRA = read_boat('lutra_prop').vessel
CALM = LUTRA._replace(windage=LUTRA.windage._replace(air_density=0.0))
TILT = math.cos(math.radians(15.0))
FULL = 23.0 * TILT
COASTING = (0.0, 0.0)
AHEAD = (11.5, 11.5)
PLANAR = 7  # Numbers of the state of a boat that moves in the plane.


def uniform(current=(0.0, 0.0), wind=(0.0, 0.0)):
    flow = Flow(*current, *wind)
    return lambda time, x, y: flow


def with_lag(vessel, lag):
    return vessel._replace(thrusters=tuple(thruster._replace(lag=lag) for thruster in vessel.thrusters))


def run(vessel, duration, step, commands, flow=None, start=(0.0, 0.0, 0.0), **state):
    """Return a plant that was stepped for a duration, s; `commands` are thrusts, N, or a function of time."""
    plant = Plant(vessel, start, flow or uniform(), step)
    plant.state = plant.state._replace(**state)
    for _ in range(round(duration / step)):
        plant.advance(commands(plant.time) if callable(commands) else commands)
    return plant


def measured_orders(error_of, steps):
    errors = [abs(error_of(step)) for step in steps]
    assert errors[-1] > 1e-13, 'too near to round-off to measure an order'
    return [math.log2(coarse / fine) for coarse, fine in pairwise(errors)]


def kinetic_energy(state, inertia):
    return 0.5 * (inertia.m11 * state.u_r ** 2 + inertia.m22 * state.v_r ** 2 + inertia.m33 * state.r ** 2)


def test_it_starts_at_rest_in_the_water_with_its_thrusters_off():
    plant = Plant(LUTRA, (3.0, 4.0, 0.5), uniform((0.3, 0.1)), 0.1)
    assert plant.state == PlantState(3.0, 4.0, 0.5, 0.0, 0.0, 0.0, 0.0)
    assert plant.time == 0.0 and plant.force() == (0.0, 0.0, 0.0)
    assert to_earth(*plant.velocity_over_ground()[:2], math.cos(0.5), math.sin(0.5)) == pytest.approx((0.3, 0.1))
    assert plant.flow() == Flow(0.3, 0.1, 0.0, 0.0)


def test_time_is_counted_and_does_not_drift():
    plant = run(CALM, 1000.0, 0.1, COASTING)
    assert plant.time == 10000 * 0.1


# --- Closed forms and orders of accuracy


def test_surge_step_response_is_fourth_order():
    """
    Full thrust from rest with linear drag: u = F/d (1 - exp(-d t / m)), and its integrals for way and work.

    Source: thesis (4.17) with v = r = 0.
    """
    d, m, t = CALM.damping.d11, CALM.inertia.m11, 2.0
    decay, rate = math.exp(-d * t / m), d / m
    top = FULL / d
    way = top * (t - (1.0 - decay) / rate)
    for field, exact in (('u_r', top * (1.0 - decay)), ('x', way), ('work', FULL * way)):
        orders = measured_orders(lambda h, f=field, e=exact: getattr(run(CALM, t, h, AHEAD).state, f) - e,
                                 (0.2, 0.1, 0.05, 0.025))
        assert orders[-1] == pytest.approx(4.0, abs=0.1)


def test_coasting_with_quadratic_drag_is_fourth_order():
    """Engines off at u0: u = u0 / (1 + q u0 t / m), and the way is m/q ln(1 + q u0 t / m)."""
    vessel, u0, t = CALM._replace(damping=Damping(0.0, 0.0, 0.0, 11.28, 60.0, 12.0)), 1.4, 4.0
    growth = 1.0 + 11.28 * u0 * t / 9.75
    for field, exact in (('u_r', u0 / growth), ('x', 9.75 / 11.28 * math.log(growth))):
        orders = measured_orders(lambda h, f=field, e=exact: getattr(run(vessel, t, h, COASTING, u_r=u0).state, f) - e,
                                 (0.2, 0.1, 0.05, 0.025))
        assert orders[-1] == pytest.approx(4.0, abs=0.15)


def test_a_lagging_thruster_is_fourth_order_too():
    """F (1 - exp(-t/T)) drives m u' + d u: u = F/d (1 + (a exp(-bt) - b exp(-at)) / (b - a)), a = d/m, b = 1/T."""
    vessel, t, lag = with_lag(CALM, 0.5), 2.0, 0.5
    a, b = CALM.damping.d11 / CALM.inertia.m11, 1.0 / lag
    exact = FULL / CALM.damping.d11 * (1.0 + (a * math.exp(-b * t) - b * math.exp(-a * t)) / (b - a))
    orders = measured_orders(lambda h: run(vessel, t, h, AHEAD).state.u_r - exact, (0.2, 0.1, 0.05, 0.025))
    assert orders[-1] == pytest.approx(4.0, abs=0.1)


def test_a_curved_path_in_a_changing_current_is_fourth_order():
    """No closed form: differences of successive halvings. Coriolis, wind, lag and a current of time and place."""
    def flow(time, x, y):
        return Flow(0.3 * math.sin(0.4 * time) + 0.01 * y, 0.02 * x, 3.0, -2.0 + 0.1 * time)

    def end(step):
        return np.array(run(with_lag(LUTRA, 0.3), 4.0, step, (11.5, 4.0), flow, u_r=0.5).state[:PLANAR])

    ends = [end(step) for step in (0.1, 0.05, 0.025, 0.0125)]
    differences = [np.linalg.norm(fine - coarse) for coarse, fine in pairwise(ends)]
    assert math.log2(differences[1] / differences[2]) == pytest.approx(4.0, abs=0.2)


@pytest.mark.parametrize('step', [0.02, 0.25])
def test_thrust_lags_exactly_and_stays_within_its_limits(step):
    plant = run(with_lag(LUTRA, 0.4), 1.0, step, (8.0, -99.0))
    rise = 1.0 - math.exp(-1.0 / 0.4)
    assert plant.thrusts == pytest.approx((8.0 * rise, -11.5 * rise), rel=1e-13)
    assert run(LUTRA, step, step, (8.0, -99.0)).thrusts == (8.0, -11.5)


# --- Conservation and symmetry


@pytest.mark.parametrize('vessel', [LUTRA, LUTRA._replace(damping=Damping(2.0, 4.0, 1.0, 11.0, 60.0, 12.0))],
                         ids=['linear', 'mixed'])
def test_energy_balance_in_still_air_and_water(vessel):
    """Thruster work = kinetic energy + what damping took; trapezoids of 0.01 s are good to 1e-5 of the whole."""
    vessel = vessel._replace(windage=CALM.windage)
    plant = Plant(vessel, (0.0, 0.0, 0.0), uniform(), 0.01)
    drained, dissipated = [], 0.0
    for number in range(1500):
        d, s = vessel.damping, plant.state
        drained.append(sum((lin + q * abs(x)) * x * x for lin, q, x in zip(d[:3], d[3:], (s.u_r, s.v_r, s.r))))
        plant.advance((11.5, 11.5 * abs(math.sin(0.01 * number))))  # none brakes: all of their work goes in
    dissipated = 0.01 * (sum(drained) - 0.5 * drained[0] - 0.5 * drained[-1]) + 0.01 * drained[-1]
    stored = kinetic_energy(plant.state, vessel.inertia)
    assert stored > 0.5 and plant.state.work > 100.0
    assert plant.state.work == pytest.approx(stored + dissipated, rel=2e-4)


def test_a_coasting_boat_loses_all_its_energy_to_the_water():
    """Spinning and sliding, engines off: no work, and the kinetic energy only falls (Coriolis moves it about)."""
    plant = run(CALM, 0.0, 0.02, COASTING, u_r=1.0, v_r=-0.6, r=2.0)
    energies = [kinetic_energy(plant.state, CALM.inertia)]
    for _ in range(500):
        plant.advance(COASTING)
        energies.append(kinetic_energy(plant.state, CALM.inertia))
    assert np.all(np.diff(energies) < 0.0) and energies[-1] < 1e-3 * energies[0]
    assert plant.state.work == 0.0


def test_a_turning_boat_is_carried_by_a_uniform_current():
    """Galileo: the track through the water, the turn and the work are those of still water; wind moves along too."""
    def commands(time):
        return 11.5, 9.0 * math.sin(0.5 * time)

    still = run(LUTRA, 20.0, 0.02, commands, uniform((0.0, 0.0), (3.0, -1.0)))
    carried = run(LUTRA, 20.0, 0.02, commands, uniform((0.4, -0.3), (3.4, -1.3)))
    assert abs(still.state.yaw) > 1.0
    np.testing.assert_allclose(carried.state[:PLANAR], still.state._replace(
        x=still.state.x + 8.0, y=still.state.y - 6.0)[:PLANAR], atol=1e-11)
    ground, water = carried.velocity_over_ground(), still.velocity_over_ground()
    axes = math.cos(still.state.yaw), math.sin(still.state.yaw)
    assert np.subtract(to_earth(*ground[:2], *axes), to_earth(*water[:2], *axes)) == pytest.approx((0.4, -0.3))


def test_a_drifting_boat_stays_at_rest_in_the_water():
    current = polar_to_earth(0.4, 45.0)
    plant = run(LUTRA, 10.0, 0.02, COASTING, uniform(current, current), start=(1.0, 2.0, 2.0))
    assert plant.state[2:6] == (2.0, 0.0, 0.0, 0.0) and plant.state.work == 0.0
    assert plant.state[:2] == pytest.approx((1.0 + 10.0 * current[0], 2.0 + 10.0 * current[1]))


def test_port_and_starboard_are_mirror_images():
    left = run(LUTRA, 10.0, 0.02, (11.5, 5.0), uniform((0.3, 0.2), (-3.0, 2.0)))
    right = run(LUTRA, 10.0, 0.02, (5.0, 11.5), uniform((0.3, -0.2), (-3.0, -2.0)))
    x, y, yaw, u_r, v_r, r, work = left.state[:PLANAR]
    np.testing.assert_allclose(right.state[:PLANAR], (x, -y, -yaw, u_r, -v_r, -r, work), atol=1e-12)


# --- Steady states


@pytest.mark.parametrize('angle_deg', [0.0, 180.0, 90.0, -90.0])
def test_a_free_boat_drifts_downwind_at_the_root_of_drag_against_drag(angle_deg):
    """k (W - v)^2 = d v: v = W + p - sqrt((W + p)^2 - W^2) with p = d / 2k. Ahead, astern and abeam; N = 0."""
    wind, windage = 12.0, LUTRA.windage
    ahead = angle_deg in (0.0, 180.0)
    area = windage.frontal_area * windage.c_x if ahead else windage.lateral_area * windage.c_y
    p = (LUTRA.damping.d11 if ahead else LUTRA.damping.d22) / (windage.air_density * area)
    drift = wind + p - math.sqrt((wind + p) ** 2 - wind ** 2)
    state = run(LUTRA, 30.0, 0.05, COASTING, uniform((0.0, 0.0), polar_to_earth(wind, angle_deg))).state
    expected = polar_to_earth(drift, angle_deg)
    assert drift > 0.2
    assert (state.u_r, state.v_r) == pytest.approx(expected, abs=1e-10)
    assert state.work == 0.0


def test_a_boat_that_may_turn_lies_abeam_of_the_wind_by_its_yaw_moment():
    """The moment is none from ahead and abeam; abeam it leads back, from ahead it leads away. d22 holds the drift."""
    vessel = LUTRA._replace(windage=LUTRA.windage._replace(yaw_arm=0.19), damping=LUTRA.damping._replace(d22=1e3))
    at_bow = run(vessel, 60.0, 0.01, COASTING, uniform((0.0, 0.0), (-8.0, 0.05))).state
    assert abs(at_bow.yaw) == pytest.approx(0.5 * math.pi, abs=0.05)
    resting = LUTRA._replace(damping=LUTRA.damping._replace(d22=1e3))
    assert abs(run(resting, 20.0, 0.01, COASTING, uniform((0.0, 0.0), (-8.0, 0.05))).state.yaw) < 1e-3


def test_the_yaw_moment_of_the_wind_turns_the_boat_at_once():
    """r_dot = N / m33 from rest: 1/2 rho V^2 A_L c_y lateral_x / m33 abeam."""
    windage = LUTRA.windage._replace(lateral_x=0.2)
    moment = 0.5 * 1.184 * 5.0 ** 2 * 0.18 * 1.11 * 0.2
    rate = state_rate(PlantState(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0), None,
                      Flow(0.0, 0.0, 0.0, 5.0), LUTRA._replace(windage=windage), None, (1.0, 0.0))
    assert rate.r == pytest.approx(moment / LUTRA.inertia.m33, rel=1e-13)


def test_scenario_a_full_thrust():
    """
    Thesis 5.3 (a): u_max = 1.35 m/s there (6.3.1: 1.34), with 22 N. Ours: two of 11.5 N tilted by 15 deg make 22.216 N.

    22.216 / 16.296 = 1.363 m/s is 1 % above: the tilt's 1 % of thrust, which (5.4) rounds to 22 N.
    """
    assert pytest.approx(22.216, abs=0.0005) == FULL
    assert run(CALM, 30.0, 0.05, AHEAD).state.u_r == pytest.approx(22.2163 / 16.296, rel=1e-5)
    with_air = run(LUTRA, 30.0, 0.05, AHEAD).state.u_r
    assert with_air == pytest.approx(1.35, rel=0.01)
    # Still air on the bow at 1.36 m/s: 0.06 N of 22.2 N.
    assert with_air == pytest.approx(FULL / 16.296, rel=0.004)


def test_scenario_b_one_thruster():
    """
    Thesis 5.3 (b), left thruster only, recorded u = 0.92, v = +0.22, r = -0.25.

    The signs are ours (a turn to starboard, a slide to port, outward), and so is d22 = -m11 u r / v, the relation that
    d22 was made from. The sizes cannot agree: with linear drag half the thrust gives half the speed, 28 % below the
    recording. USVsim's quadratic drag, which made the recording, gives 0.962, 0.212 and -0.291: within 5 %, 4 % and
    17 % (the last not explained). So the recording is evidence that the drag identified as linear was not.
    """
    state = run(CALM, 60.0, 0.05, (11.5, 0.0)).state
    assert state.u_r > 0.0 and state.v_r > 0.0 and state.r < 0.0
    m11, m22 = CALM.inertia.m11, CALM.inertia.m22
    assert -m11 * state.u_r * state.r / state.v_r == pytest.approx(CALM.damping.d22, rel=1e-9)
    force = hull_force((11.5, 0.0), CALM.thrusters)
    u, v, r = state[3:6]
    residual = (force[0] + m22 * v * r - CALM.damping.d11 * u, -m11 * u * r - CALM.damping.d22 * v,
                force[2] - (m22 - m11) * u * v - CALM.damping.d33 * r)
    assert residual == pytest.approx((0.0, 0.0, 0.0), abs=1e-9)
    assert state.u_r == pytest.approx(0.92, rel=0.28) and state.u_r < 0.75 * 0.92
    quadratic = run(read_boat('lutra_prop_usvsim').vessel, 60.0, 0.05, (11.5, 0.0)).state
    assert quadratic.u_r == pytest.approx(0.92, rel=0.05)
    assert quadratic.v_r == pytest.approx(0.22, rel=0.04)
    assert quadratic.r == pytest.approx(-0.25, rel=0.17)


def test_scenario_c_thrusters_opposed():
    """
    Thesis 5.3 (c): r = F d / d33, on the spot. Its 11.5 N at 0.16 m and 4.63 mean 0.397 rad/s (not printed).

    Ours is cos(15 deg) of that, 0.384 rad/s: the thesis takes the thrust for horizontal, the thrusters are tilted.
    """
    state = run(LUTRA, 30.0, 0.05, (-11.5, 11.5)).state
    assert state.r == pytest.approx(11.5 * 0.16 * TILT / 4.63, rel=1e-9)
    assert state.r == pytest.approx(0.397, rel=0.036)
    assert state[3:5] == (0.0, 0.0) and state[:2] == (0.0, 0.0)
    # USVsim's quadratic 12 N m s^2/rad^2 turns as fast, sqrt(1.777 / 12): (c) cannot tell the two laws apart.
    quadratic = run(read_boat('lutra_prop_usvsim').vessel, 30.0, 0.05, (-11.5, 11.5)).state
    assert quadratic.r == pytest.approx(math.sqrt(11.5 * 0.16 * TILT / 12.0), rel=1e-9)
    assert quadratic.r == pytest.approx(0.397, rel=0.036)


# --- Parts


def test_hull_force_is_the_sum_of_the_thrusters():
    assert hull_force((10.0, 4.0), LUTRA.thrusters) == pytest.approx((14.0 * TILT, 0.0, -0.08 * 6.0 * TILT))
    assert hull_force((), ()) == (0.0, 0.0, 0.0)


def test_thruster_power_is_each_thrust_times_its_own_speed_through_the_water():
    plant = run(LUTRA, 1.0, 0.1, (11.5, 4.0), uniform((0.5, 0.0)), u_r=0.3, v_r=0.2, r=0.1)
    surge, sway, yaw = plant.force()
    state = plant.state
    net = surge * state.u_r + sway * state.v_r + yaw * state.r
    assert plant.thruster_power() == pytest.approx(net, rel=1e-14)
    heading = direction_of(state.yaw)
    assert state_rate(state, None, plant.setting, STILL, LUTRA, None, heading).work == plant.thruster_power()
    assert state_rate(state, plant.force(), None, STILL, LUTRA, None, heading).work == 0.0


def test_a_thruster_that_brakes_takes_nothing_back():
    plant = run(LUTRA, 0.0, 0.1, (10.0, -6.0), uniform(), u_r=1.0)
    plant.setting = plant.setting._replace(commands=(10.0, -6.0))
    assert plant.thruster_power() == pytest.approx(10.0 * TILT)
    assert plant.force()[0] * plant.state.u_r == pytest.approx(4.0 * TILT)


def test_rates_on_floats_and_arrays_agree(rng):
    plant = Plant(LUTRA, (0.0, 0.0, 0.0), uniform(), 0.1)
    states = rng.uniform(-2.0, 2.0, size=(7, 20))
    flow, setting = Flow(0.3, -0.2, 3.0, 1.0), plant.setting._replace(commands=(6.0, 4.0))

    def rates(state):
        return state_rate(state, None, setting, flow, LUTRA, None, direction_of(state.yaw))[2:PLANAR]

    by_float = [rates(PlantState(*map(float, s))) for s in states.T]
    np.testing.assert_allclose(np.array(rates(PlantState(*states))).T, by_float, rtol=1e-12, atol=1e-13)


def strider_in_balance(at, thrust, angle):
    """Return surge, sway and yaw of [V]'s Strider, N, N, N m, written from its public source; lift by speed."""
    u, v, r = at
    mass, arm = 4.11, -0.34727
    normal = -math.sin(angle) * u + math.cos(angle) * (v + arm * r)
    force = 0.5 * 998.0 * 0.0064 * math.hypot(u, v + arm * r) * 3.0 * normal
    surge, sway = force * math.sin(angle), -force * math.cos(angle)
    return (thrust - 1.1 * u * abs(u) + mass * v * r + surge,
            -2.0 * u * (3.899501881 * v - 1.774273356 * r) - 45.0 * v * abs(v) - mass * u * r + sway,
            -2.0 * u * (1.774273356 * v + 0.807294377 * r) - 1.07 * r * abs(r) + arm * sway)


@pytest.mark.parametrize(('thrust', 'degrees'), [(1.0, 10.0), (2.0, 20.0), (3.0, -15.0)])
def test_striders_turning_circle_is_that_of_its_sources_equations(thrust, degrees):
    """Radius, speed, drift and yaw rate of the steady turn, solved for apart; the file rounds its numbers to 1e-5."""
    boat = read_boat('strider')
    vessel = boat.vessel._replace(windage=boat.vessel.windage._replace(air_density=0.0))
    plant, angle = Plant(vessel, (0.0, 0.0, 0.0), lambda time, x, y: STILL, 0.02), math.radians(degrees)
    asked = plant.as_setting((thrust,))._replace(foils=(angle,))
    for _ in range(3000):
        plant.advance(asked)
    u, v, r = plant.velocity_over_ground()
    wanted = fsolve(strider_in_balance, (1.0, 0.0, -math.copysign(0.3, degrees)), args=(thrust, angle))
    assert math.copysign(1.0, r) == -math.copysign(1.0, degrees)  # Leading edge to port: it turns to starboard.
    assert math.hypot(u, v) / r == pytest.approx(math.hypot(*wanted[:2]) / wanted[2], rel=1e-4)
    assert (u, v, r) == pytest.approx(tuple(wanted), rel=1e-4)


def test_striders_top_speed_is_where_thrust_is_drag():
    """3 N over 1.1 N s^2/m^2 and 0.5 1.184 0.08 0.68 of the air: 1.628 m/s; with [V]'s own 0.1 it would be 5.5 m/s."""
    plant = Plant(read_boat('strider').vessel, (0.0, 0.0, 0.0), lambda time, x, y: STILL, 0.02)
    for _ in range(4000):
        plant.advance((3.0,))
    assert plant.state.u_r == pytest.approx((3.0 / (1.1 + 0.5 * 1.184 * 0.08 * 0.68)) ** 0.5, rel=1e-6)


BOAT = read_boat('lutra_rudder').vessel
BOAT = BOAT._replace(windage=BOAT.windage._replace(frontal_area=0.0, lateral_area=0.0))


def balance(motion, angle, thrust, vessel):
    """
    Return surge N, sway N and yaw moment N m that are left over in a steady turn u, v, r.

    Fossen (2011), (3.57) and (6.46) with M = diag(m11, m22, m33): X + m22 v r = d11 u|u|, Y - m11 u r = d22 v|v|,
    N - (m22 - m11) u v = d33 r|r|; the rudder by its angle of attack, lift 1.5 sin 2a, drag 1 - cos 2a.
    """
    u, v, r = motion
    rudder, inertia, damping = vessel.foils[0], vessel.inertia, vessel.damping
    x, y = rudder.x - rudder.aft * math.cos(angle), rudder.y - rudder.aft * math.sin(angle)
    u_f, v_f = u - r * y, v + r * x
    course, pressure = math.atan2(v_f, u_f), 0.5 * rudder.density * rudder.area * (u_f ** 2 + v_f ** 2)
    lift, drag = 1.5 * math.sin(2.0 * (course - angle)), 1.0 - math.cos(2.0 * (course - angle))
    surge = pressure * (-drag * math.cos(course) + lift * math.sin(course))
    sway = pressure * (-drag * math.sin(course) - lift * math.cos(course))
    return (thrust * math.cos(math.radians(15.0)) + surge + inertia.m22 * v * r - damping.d11_q * u * abs(u),
            sway - inertia.m11 * u * r - damping.d22_q * v * abs(v),
            x * sway - y * surge - (inertia.m22 - inertia.m11) * u * v - damping.d33_q * r * abs(r))


@pytest.mark.parametrize('degrees', [10.0, 25.0, 40.0, -25.0])
def test_turning_circle_is_that_of_the_balance(degrees):
    angle = math.radians(degrees)
    plant = Plant(BOAT, (0.0, 0.0, 0.0), lambda *_: STILL, 0.05)
    for _ in range(2400):
        plant.advance(Setting((11.5,), (None,), (angle,)))
    state = plant.state
    motion = state.u_r, state.v_r, state.r
    assert balance(motion, angle, 11.5, BOAT) == pytest.approx((0.0, 0.0, 0.0), abs=1e-6)
    solved = fsolve(balance, (0.9, 0.1, -0.2 * math.copysign(1.0, angle)), (angle, 11.5, BOAT), xtol=1e-12)
    assert motion == pytest.approx(solved, rel=1e-5)
    assert state.r * angle < 0.0 < state.v_r * angle, 'a positive angle turns to starboard; the boat drifts outward'
    # The place goes round a circle of the radius V / r: after half a turn it is a diameter away.
    radius = math.hypot(state.u_r, state.v_r) / abs(state.r)
    steps = round(math.pi / abs(state.r) / 0.05)
    for _ in range(steps):
        plant.advance(Setting((11.5,), (None,), (angle,)))
    chord = 2.0 * radius * math.sin(0.5 * steps * 0.05 * abs(state.r))
    assert math.hypot(plant.state.x - state.x, plant.state.y - state.y) == pytest.approx(chord, rel=1e-5)


def test_more_rudder_turns_tighter_up_to_stall_of_the_closed_form():
    radii = []
    for degrees in (5.0, 15.0, 30.0, 40.0):
        u, v, r = fsolve(balance, (0.9, 0.1, -0.2), (math.radians(degrees), 11.5, BOAT))
        radii.append(math.hypot(u, v) / abs(r))
    assert radii == sorted(radii, reverse=True)


OTTER = replace(read_boat('otter'), waves=WaveCoefficients((0.0, 0.5 * math.pi, math.pi), (2.0, 3.0), (
    (60.0, 40.0), (10.0, 5.0), (-20.0, -10.0))))
SEA = (0.3, 2.5, math.pi)           # Runs west: from ahead of a boat that heads east.
THRUST = 30.0                       # N, of each thruster.


def balanced_speed(resistance):
    """Return u of 2 T = d u + k u^2 + R, m/s: k of the drag and of the air that the boat meets."""
    damping, air = OTTER.vessel.damping, OTTER.vessel.windage
    d, k = damping.d11, damping.d11_q + 0.5 * air.air_density * air.frontal_area * air.c_x
    return (-d + math.sqrt(d * d + 4.0 * k * (2.0 * THRUST - resistance))) / (2.0 * k)


@pytest.mark.parametrize(('yaw', 'coefficient'), [(0.0, 50.0), (0.5 * math.pi, 7.5), (math.pi, -15.0)])
def test_the_steady_speed_at_a_thrust_is_that_of_the_balance(yaw, coefficient):
    sea = mean_sea(SeaAlong(*SEA, OTTER.waves))
    plant = Plant(OTTER.vessel, (0.0, 0.0, yaw), lambda time, x, y: Flow(0.0, 0.0, 0.0, 0.0), 0.02,
                  Surroundings(mean_around=lambda time, x, y: sea))
    for _ in range(3000):
        plant.advance((THRUST, THRUST))
    assert plant.state.u_r == pytest.approx(balanced_speed(coefficient * 0.09), abs=1e-9)
    assert plant.in_waves is False and plant.mean_sea is sea


@pytest.fixture(scope='module')
def scenario(tmp_path_factory):
    """Return a scenario of 40 m against waves, on a current of their file that carries along what floats."""
    folder = tmp_path_factory.mktemp('sea')
    (folder / 'sea.yaml').write_text(yaml.safe_dump({'title': 'a sea', 'medium': 'water', 'waves': {
        'kind': 'irregular', 'significant_height': 0.3, 'peak_period': 2.5, 'seed': 3, 'direction_deg': 180.0}}))
    document = yaml.safe_load(resolve('scenarios', 'waves/otter_head_sea').read_text())
    document |= {'base': str(resolve('scenarios', '1').with_name('_thesis.yaml')), 'boat': 'otter',
                 'waypoints': [{'x': 40.0, 'y': 0.0}], 'current': {'flow': str(folder / 'sea.yaml')}}
    (folder / 'run.yaml').write_text(yaml.safe_dump(document))
    return replace(read_scenario(str(folder / 'run.yaml')), boat=OTTER, plant=OTTER)


def test_a_run_books_what_the_waves_take_and_closes(scenario):
    run = run_scenario(scenario)
    height = scenario.current.sea_state(0.0, 0.0, 0.0)[0]
    assert run.energy.waves == pytest.approx(50.0 * height ** 2 * run.energy.distance_through_water, rel=2e-3)
    assert run.closure == pytest.approx(0.0, abs=1e-4)
    # The coefficients have what the drift does: the water that the boat moves in stands still.
    assert run.energy.distance_over_ground == pytest.approx(run.energy.distance_through_water, rel=1e-9)


def test_a_plan_asks_for_the_same_power(scenario):
    """At the end of the run the boat is steady: `range` and `mission` have that power by the same sea."""
    last = run_scenario(scenario).rows[-1]
    planned = boat_in_sea(OTTER, scenario.current.sea_state(0.0, 0.0, 0.0)).vessel
    power = steady_state(planned, 0.0, last.motion.u, STILL).power
    assert power.waves == pytest.approx(last.power.waves, rel=2e-3)
    assert power.thrust == pytest.approx(last.power.thrust, rel=2e-3)


def test_a_boat_without_coefficients_feels_the_drift_alone(scenario):
    plain = replace(scenario, boat=read_boat('otter'), plant=read_boat('otter'))
    run = run_scenario(plain)
    assert run.energy.waves == 0.0 and not plain.feels_mean_sea
    assert run.energy.distance_through_water > run.energy.distance_over_ground + 0.5
    assert plain.felt_current is plain.current and scenario.felt_current.drift_depth is None


def test_ensembles_refuse_waves_of_a_field_by_name(scenario):
    from usv_energy.engine.cases import cases_of
    from usv_energy.flow.grids.grid import gridded_flow
    grid = gridded_flow(scenario.current, (0.0, 0.0, 50.0, 50.0), 10.0)
    with pytest.raises(InputError, match='the waves of a current that is a field are for single runs'):
        cases_of(scenario, 2, current=grid)
