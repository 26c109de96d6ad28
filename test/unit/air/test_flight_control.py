"""Step responses of both controllers beside their linear design."""

import math

import pytest

from usv_energy.air.flight_control import CONTROLLERS, GAINS, FlightController, Goal
from usv_energy.air.quadcopter import GRAVITY, at_rest, heading, next_state, read_quadcopter, tilt

CRAFT = read_quadcopter('ar_drone')
IDEAL = CRAFT._replace(lag=0.0, drag=0.0)
EACH = 0.25 * CRAFT.mass * GRAVITY


def response(craft, kind, gains, goal, duration, step=0.002, wind=(0.0, 0.0, 0.0)):
    """Return times and states from rest at the origin."""
    controller, state, found = FlightController(craft, gains, kind), at_rest((0.0, 0.0, 0.0), thrust=EACH), []
    for number in range(round(duration / step)):
        state = next_state(craft, state, controller.steer(state, goal, step), step, wind)
        found.append(((number + 1) * step, state))
    return found


def linear(time, approach, braking):
    """The step of x'' = braking (approach (1 - x) - x'): two real poles."""
    root = math.sqrt(braking * braking - 4.0 * braking * approach)
    slow, fast = 0.5 * (braking - root), 0.5 * (braking + root)
    return 1.0 - (fast * math.exp(-slow * time) - slow * math.exp(-fast * time)) / (fast - slow)


@pytest.mark.parametrize('kind', CONTROLLERS)
@pytest.mark.parametrize('axis', [0, 1, 2])
def test_a_step_of_the_place_is_the_linear_design(kind, axis):
    """With a fast attitude loop, without trim: the second-order system of `approach` and `braking`, within 2 %."""
    gains = GAINS._replace(frequency=60.0, approach=0.5, braking=2.5, trim=0.0)
    goal = Goal(tuple(0.2 * float(n == axis) for n in range(3)), (0.0, 0.0, 0.0), 0.0)
    for time, state in response(IDEAL, kind, gains, goal, 5.0)[::100]:
        assert state.place[axis] / 0.2 == pytest.approx(linear(time, 0.5, 2.5), abs=0.02)
        assert all(abs(state.place[other]) < 1e-3 for other in range(3) if other != axis)


@pytest.mark.parametrize('kind', CONTROLLERS)
def test_a_step_of_the_tilt_is_the_second_order_design(kind):
    """A sudden acceleration wanted: pitch = a / g (1 - e^(-d w t) (cos + d / sqrt(1 - d^2) sin)), within 2 %."""
    gains = GAINS._replace(approach=100.0, braking=1.0, trim=0.0, most_speed=0.4)
    goal = Goal((1e3, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0)
    aim = 0.4 / GRAVITY if kind == 'cascade' else math.atan(0.4 / GRAVITY)
    rate = GAINS.frequency * math.sqrt(1.0 - GAINS.damping ** 2)
    for time, state in response(IDEAL, kind, gains, goal, 0.4)[::10]:
        fade = math.exp(-GAINS.damping * GAINS.frequency * time)
        share = 1.0 - fade * (math.cos(rate * time) + GAINS.damping * GAINS.frequency / rate * math.sin(rate * time))
        # What it has sped up by then takes from the acceleration wanted.
        slack = abs(state.velocity[0]) / GRAVITY
        assert abs(tilt(state.turn)[1] - aim * share) < 0.03 * aim + slack


@pytest.mark.parametrize('kind', CONTROLLERS)
def test_it_holds_its_place_in_wind_and_turns_to_its_heading(kind):
    goal = Goal((0.0, 0.0, 2.0), (0.0, 0.0, 0.0), 2.5)
    _, state = response(CRAFT, kind, GAINS, goal, 20.0, 0.01, wind=(3.0, -2.0, 0.0))[-1]
    assert state.place == pytest.approx((0.0, 0.0, 2.0), abs=0.01)
    assert heading(state.turn) == pytest.approx(2.5, abs=0.01)


@pytest.mark.parametrize('kind', CONTROLLERS)
def test_a_far_goal_is_approached_at_its_most_speed(kind):
    goal = Goal((200.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.0)
    found = response(CRAFT, kind, GAINS, goal, 15.0, 0.01)
    assert max(state.velocity[0] for _, state in found) == pytest.approx(GAINS.most_speed, rel=0.15)
    assert max(abs(tilt(state.turn)[1]) for _, state in found) < GAINS.most_tilt + 0.1
