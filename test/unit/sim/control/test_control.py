import math

import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.physics.motion import Flow, Relative
from usv_energy.sim.control.control import ControlState, Gains, controlled_setting, gains_for
from usv_energy.sim.plants.plant import Plant
from usv_energy.sim.scenario import read_scenario
from usv_energy.thrusters.drive import hull_force

LUTRA = read_boat('lutra_prop').vessel
FULL = 23.0 * math.cos(math.radians(15.0))
SHIPPED = read_scenario('5').gains
PROPORTIONAL = Gains(10.5, 0.0, 18.4, 0.0)


def controlled_thrusts(integral, elapsed, heading, speed, yaw, u, r, gains, vessel):
    """Return the next integral and the thrusts of a boat of two thrusters, in still water and air."""
    state, setting = controlled_setting(ControlState(integral), elapsed, heading, speed, yaw,
                                        Relative(u, 0.0 * u, r, -u, 0.0 * u), u, gains, vessel)
    return state.integral, setting.commands


def steered(gains, speed, current=0.0, duration=30.0, step=0.02, without_anti_windup=False):
    """Return the surge over ground and the integral of a boat kept heading east, every step."""
    flow = Flow(current, 0.0, 0.0, 0.0)
    plant = Plant(LUTRA, (0.0, 0.0, 0.0), lambda time, x, y: flow, step)
    integral, speeds, integrals, unbounded = 0.0, [], [], 0.0
    for _ in range(round(duration / step)):
        u, _, r = plant.velocity_over_ground()
        elapsed = step if plant.steps else math.nan
        if without_anti_windup:
            elapsed, integral = math.nan, unbounded
            unbounded += step * gains.speed_ki * (speed - u) if plant.steps else 0.0
        integral, thrusts = controlled_thrusts(integral, elapsed, 0.0, speed, plant.state.yaw, u, r, gains, LUTRA)
        plant.advance(thrusts)
        speeds.append(u)
        integrals.append(integral)
    return speeds, integrals


def test_shipped_gains():
    assert Gains(10.5, 0.0, 18.4, 46.0) == SHIPPED


def test_heading_error_gives_a_moment_the_short_way_round():
    gains = Gains(2.0, 0.5, 10.0, 0.0)
    for yaw, heading, r, moment in ((0.0, 0.3, 0.0, 0.6), (0.3, 0.0, 0.0, -0.6), (0.0, 0.0, 0.4, -0.2),
                                    (3.1, -3.1, 0.0, 2.0 * (math.tau - 6.2)),
                                    (-3.1, 3.1, 0.1, -2.0 * (math.tau - 6.2) - 0.05)):
        _, thrusts = controlled_thrusts(0.0, math.nan, heading, 1.0, yaw, 1.0, r, gains, LUTRA)
        surge, _, yaw_moment = hull_force(thrusts, LUTRA.thrusters)
        assert yaw_moment == pytest.approx(moment, abs=1e-12) and surge == pytest.approx(0.0, abs=1e-12)


def test_speed_error_gives_a_force():
    integral, thrusts = controlled_thrusts(3.0, 0.0, 0.0, 1.0, 0.0, 0.8, 0.0, PROPORTIONAL, LUTRA)
    assert hull_force(thrusts, LUTRA.thrusters)[0] == pytest.approx(18.4 * 0.2 + 3.0)
    assert integral == 3.0


def test_full_thrust_saturates_and_yields_to_the_moment():
    integral, thrusts = controlled_thrusts(7.0, 1.0, 0.0, None, 0.0, 0.3, 0.0, SHIPPED, LUTRA)
    assert thrusts == pytest.approx((11.5, 11.5)) and integral == 0.0
    _, thrusts = controlled_thrusts(integral, 1.0, 0.05, None, 0.0, 0.3, 0.0, SHIPPED, LUTRA)
    assert thrusts[1] == pytest.approx(11.5)
    assert hull_force(thrusts, LUTRA.thrusters)[2] == pytest.approx(10.5 * 0.05)
    _, thrusts = controlled_thrusts(integral, 1.0, 3.0, None, 0.0, 0.3, 0.0, SHIPPED, LUTRA)
    assert thrusts == pytest.approx((-11.5, 11.5))


def test_the_integral_needs_time_to_pass():
    """The first measurement, a repeated one and one back in time leave it as it is."""
    for elapsed in (math.nan, 0.0, -1.0):
        integral, _ = controlled_thrusts(1.5, elapsed, 0.0, 1.0, 0.0, 0.9, 0.0, SHIPPED, LUTRA)
        assert integral == 1.5


def test_unsaturated_the_integral_is_ki_times_the_error():
    integral, _ = controlled_thrusts(1.5, 0.25, 0.0, 1.0, 0.0, 0.9, 0.0, SHIPPED, LUTRA)
    assert integral == pytest.approx(1.5 + 0.25 * 46.0 * 0.1)


@pytest.mark.parametrize('start', [-300.0, 300.0])
def test_a_saturated_integral_returns_with_the_time_constant_kp_over_ki(start):
    """
    While the thrusters give F, back-calculation is dI/dt = ki/kp (F - I), whatever the error: forward Euler of
    F + (I0 - F) exp(-t ki / kp), so (1 - h ki / kp)^n exactly, and the exponential itself to the order of h.
    """
    step, number = 0.001, 400
    integral = start
    for _ in range(number):
        # The error keeps the controller saturated on the side that its integral started from.
        u = 1.0 - math.copysign(50.0, start)
        integral, thrusts = controlled_thrusts(integral, step, 0.0, 1.0, 0.0, u, 0.0, SHIPPED, LUTRA)
        assert hull_force(thrusts, LUTRA.thrusters)[0] == pytest.approx(math.copysign(FULL, start))
    limit, rate = math.copysign(FULL, start), 46.0 / 18.4
    assert integral == pytest.approx(limit + (start - limit) * (1.0 - step * rate) ** number, rel=1e-12)
    assert integral == pytest.approx(limit + (start - limit) * math.exp(-rate * number * step), rel=0.002)


def test_anti_windup_bounds_the_integral_and_the_overshoot():
    """1 m/s over ground against 0.3 m/s, from rest in the water: the thrusters saturate for seconds."""
    speeds, integrals = steered(SHIPPED, 1.0, -0.3)
    wound_speeds, wound_integrals = steered(SHIPPED, 1.0, -0.3, without_anti_windup=True)
    assert max(integrals) <= FULL < max(wound_integrals)
    assert 0.0 < max(speeds) - 1.0 < 0.02
    assert max(wound_speeds) - 1.0 > 3.0 * (max(speeds) - 1.0)


def test_anti_windup_does_nothing_while_the_thrusters_can_give_what_is_asked():
    """0.5 m/s asks for 9.2 N at most: the run without anti-windup is the same run."""
    assert steered(SHIPPED, 0.5)[0] == pytest.approx(steered(SHIPPED, 0.5, without_anti_windup=True)[0], abs=1e-12)


def test_after_a_long_saturation_the_speed_comes_down_as_fast_as_after_a_short_one():
    """A head current holds the boat at full thrust for 5 or for 60 s, then stops: what follows does not differ."""
    def settle(duration):
        def flow(time, x, y):
            return Flow(-0.9 if time < duration else 0.0, 0.0, 0.0, 0.0)

        plant, integral, after = Plant(LUTRA, (0.0, 0.0, 0.0), flow, 0.02), 0.0, []
        while plant.time < duration + 5.0:
            u, _, r = plant.velocity_over_ground()
            elapsed = plant.step if plant.steps else math.nan
            integral, thrusts = controlled_thrusts(integral, elapsed, 0.0, 1.0, 0.0, u, r, SHIPPED, LUTRA)
            plant.advance(thrusts)
            if plant.time > duration:
                after.append(u)
        return after

    short, long = settle(5.0), settle(60.0)
    assert max(short) > 1.3
    # The boat was within exp(-5 d/m) = 2e-4 of its top speed, the integral within exp(-5 ki/kp) = 4e-6 of its limit.
    assert long == pytest.approx(short, abs=1e-3)
    assert long[-1] == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize('current', [0.0, -0.3, 0.5])
def test_integral_action_leaves_no_error_in_a_steady_current(current):
    """In the end u = 1 m/s over ground, and the integral holds the drag: d11 (1 - V_c) and the still air's."""
    speeds, integrals = steered(SHIPPED, 1.0, current, duration=40.0)
    assert speeds[-1] == pytest.approx(1.0, abs=1e-8)
    air = 0.5 * 1.184 * 0.08 * 0.68
    assert integrals[-1] == pytest.approx(16.296 * (1.0 - current) + air, rel=1e-6)


def test_proportional_action_alone_leaves_the_textbook_error():
    """kp e = d11 (1 - e) without wind: e = d11 / (kp + d11)."""
    speeds, _ = steered(PROPORTIONAL, 0.5, duration=40.0)
    error = 0.5 - speeds[-1]
    assert error == pytest.approx(0.5 * 16.296 / (18.4 + 16.296), rel=0.002)     # still air: 0.1 % of the drag


def test_without_proportional_gain_nothing_divides_by_zero():
    gains = Gains(1.0, 0.0, 0.0, 2.0)
    integral, thrusts = controlled_thrusts(40.0, 1.0, 0.0, 1.0, 0.0, 0.5, 0.0, gains, LUTRA)
    assert thrusts == pytest.approx((11.5, 11.5)) and integral == pytest.approx(41.0)


def test_the_controller_turns_without_much_overshoot():
    """Natural frequency 1 rad/s and damping ratio 0.75 of m33 psi_dd = kp (wanted - psi) - kd psi_d."""
    gains, inertia = gains_for(read_boat('wamv').vessel), read_boat('wamv').vessel.inertia
    assert gains.heading_kp / inertia.m33 == 1.0
    assert gains.heading_kd / (2.0 * inertia.m33 * math.sqrt(gains.heading_kp / inertia.m33)) == 0.75
