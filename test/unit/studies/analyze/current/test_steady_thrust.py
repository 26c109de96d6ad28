"""Which flow makes the thrust of a boat steady, where what it does is known in closed form."""

import math

import numpy as np
import pytest
from analyze_files import BOAT

from usv_energy.physics.motion import STILL, Flow, Motion
from usv_energy.studies.analyze.current.steady_thrust import (
    ASIDE,
    BLOCK,
    HELD,
    MEMORY,
    SteadyThrust,
    likelihood,
    typical,
)

STEP = 0.1
TIME = np.arange(0.0, 100.0, STEP)
CURRENT = Flow(0.1, 0.3, 0.0, 0.0)
DRAG = BOAT.vessel.damping.d11


def motion(**known):
    """Return a motion at TIME with what is given of it."""
    zero = np.zeros(TIME.size)
    return Motion(*(known.get(name, zero) + zero for name in Motion._fields))


def turning(current, speed, rate=0.02):
    """Return the motion of a boat that turns in a current, at a speed through the water, m/s, without sway there."""
    yaw = rate * TIME
    c, s = np.cos(yaw), np.sin(yaw)
    ahead, port = c * current.current_x + s * current.current_y, c * current.current_y - s * current.current_x
    return motion(yaw=yaw, u=speed + ahead, v=port, r=rate, u_dot=rate * port + np.gradient(speed + 0.0 * TIME, STEP),
                  v_dot=-rate * ahead)


def test_the_speed_is_the_one_at_which_drag_takes_the_thrust():
    straight = SteadyThrust(TIME, motion(u=1.0), BOAT.vessel)
    plain = straight.speeds(Flow(0.0, 0.0, 1.0, 0.0))  # The air goes with the boat.
    np.testing.assert_allclose(plain, 1.0, rtol=1e-12)
    assert plain.size == round(TIME.size * STEP / BLOCK)
    np.testing.assert_allclose(straight.speeds(Flow(0.2, 0.0, 1.0, 0.0)), 0.8, rtol=1e-12)
    windage = BOAT.vessel.windage
    push = 0.5 * windage.air_density * windage.frontal_area * windage.c_x * 3.0 ** 2
    np.testing.assert_allclose(straight.speeds(Flow(0.0, 0.0, 4.0, 0.0)), 1.0 - push / DRAG, rtol=1e-12)


def test_quadratic_drag_and_a_boat_that_goes_astern_are_solved_for():
    vessel = BOAT.vessel._replace(damping=BOAT.vessel.damping._replace(d11=5.0, d11_q=8.0))
    for speed in (0.7, -0.7):
        straight = SteadyThrust(TIME, motion(u=speed), vessel)
        np.testing.assert_allclose(straight.speeds(Flow(0.0, 0.0, speed, 0.0)), speed, rtol=1e-12)


def test_a_boat_that_speeds_up_has_more_thrust():
    """By its mass times the acceleration."""
    u_dot = np.where(TIME < 4.0 * BLOCK, 0.1, 0.0)
    found = SteadyThrust(TIME, motion(u=1.0, u_dot=u_dot), BOAT.vessel).speeds(Flow(0.0, 0.0, 1.0, 0.0))
    np.testing.assert_allclose(found[:4], 1.0 + 0.1 * BOAT.vessel.inertia.m11 / DRAG, rtol=1e-12)
    np.testing.assert_allclose(found[4:], 1.0, rtol=1e-12)


def test_a_held_speed_through_the_water_is_likely_in_the_current_that_was_and_in_no_other():
    surge = SteadyThrust(TIME, turning(CURRENT, 0.8), BOAT.vessel)
    right = surge.evidence(CURRENT)
    np.testing.assert_allclose(surge.speeds(CURRENT), 0.8, atol=0.03)  # Its own wind changes with the heading.
    for wrong in (STILL, Flow(0.1, -0.3, 0.0, 0.0), Flow(0.0, 0.0, 3.0, 4.0)):
        assert surge.evidence(wrong) < right - 10.0


def test_a_held_speed_over_ground_is_as_likely_in_every_flow():
    """However unsteady the thrust: u over ground itself is held, so nothing is better known than that."""
    yaw = 0.02 * TIME
    surge = SteadyThrust(TIME, motion(yaw=yaw, u=0.8, r=0.02), BOAT.vessel)
    flows = (STILL, CURRENT, Flow(0.0, 0.0, 5.0, -3.0), Flow(-0.2, 0.2, 2.0, 0.0))
    at_most = BLOCK / MEMORY * TIME.size * STEP / BLOCK * math.log((1.0 - ASIDE) / (math.sqrt(2.0 * math.pi) * HELD))
    values = [surge.evidence(flow) for flow in flows]
    assert values == [values[0]] * 4 and values[0] == pytest.approx(at_most, rel=0.01)


def test_a_speed_that_nobody_holds_says_nothing(rng):
    speed = np.repeat(rng.uniform(0.3, 1.3, TIME.size // 50), 50)
    surge = SteadyThrust(TIME, turning(CURRENT, speed), BOAT.vessel)
    assert surge.evidence(CURRENT) == pytest.approx(surge.evidence(Flow(0.1, -0.3, 0.0, 0.0)), abs=1.0)


def test_what_is_not_known_of_a_motion_is_left_out():
    whole = turning(CURRENT, 0.8)
    holes = whole._replace(u=np.where((TIME > 20.0) & (TIME < 31.0), np.nan, whole.u))
    found = SteadyThrust(TIME, holes, BOAT.vessel).speeds(CURRENT)
    known = np.delete(SteadyThrust(TIME, whole, BOAT.vessel).speeds(CURRENT), range(10, 16))
    np.testing.assert_array_equal(found, known, 'of the last of the six just half is known, which is too little')
    np.testing.assert_array_equal(SteadyThrust(TIME + 1024.0, holes, BOAT.vessel).speeds(CURRENT), found)
    single = SteadyThrust(TIME[:1], Motion(*(one[:1] for one in whole)), BOAT.vessel)
    assert single.speeds(CURRENT).size == 1
    nothing = SteadyThrust(TIME, whole._replace(u=np.nan * TIME), BOAT.vessel)
    assert nothing.evidence(CURRENT) == nothing.evidence(STILL) == 0.0


@pytest.mark.parametrize('aside', [0, 20])
def test_the_likelihood_is_that_of_a_mixture(aside):
    """Speeds at the middle itself, and others far away, which may lie anywhere within the typical speed, evenly."""
    speed = np.concatenate([np.full(60, 0.7), np.linspace(1.2, 2.0, aside)])
    even = ASIDE / (2.0 * 0.7)
    at = math.log((1.0 - ASIDE) / (math.sqrt(2.0 * math.pi) * HELD) + even)
    assert likelihood(speed, HELD) == pytest.approx(60.0 * at + aside * math.log(even), rel=1e-9)
    assert likelihood(np.zeros(0), HELD) == 0.0


def test_speeds_about_their_middle_have_a_normal_likelihood():
    """Half a deviation to either side of the middle, which is found: exp(-1/8) of the density each."""
    deviation = 0.2
    speed = 0.7 + 0.5 * deviation * (-1.0) ** np.arange(100)
    at = math.log((1.0 - ASIDE) / (math.sqrt(2.0 * math.pi) * deviation) * math.exp(-0.125) + ASIDE / (
        2.0 * np.median(np.abs(speed))))
    assert likelihood(speed, deviation) == pytest.approx(100.0 * at, rel=1e-6)


def test_blocks_begin_with_the_log_whatever_its_clock_says():
    """Another clock, by 0.3 of a block: the same blocks, of a speed that grows from block to block."""
    speed = 0.5 + 0.1 * np.floor(TIME / BLOCK)
    now, later = (SteadyThrust(TIME + shift, motion(u=speed), BOAT.vessel).speeds(Flow(0.0, 0.0, 1.0, 0.0))
                  for shift in (0.0, 0.3 * BLOCK))
    np.testing.assert_allclose(later, now, atol=0.01)  # Rounding puts a sample into the next block.
    assert now.size > 3 and np.all(np.diff(now) > 0.05)


def test_the_likelihood_is_the_largest_of_all_middles(rng):
    """Of speeds that lie more to one side: as large as that of the best of 20000 middles, and at most so."""
    speed = np.concatenate([0.6 + 0.05 * rng.exponential(size=50), rng.uniform(0.2, 1.5, 20)])
    middle = np.linspace(0.5, 0.9, 20_001)[:, None]
    for deviation in (0.03, 0.1):
        near = (1.0 - ASIDE) / (math.sqrt(2.0 * math.pi) * deviation) * np.exp(
            -0.5 * ((speed - middle) / deviation) ** 2)
        best = np.log(near + ASIDE / (2.0 * np.median(speed))).sum(axis=1).max()
        assert likelihood(speed, deviation) == pytest.approx(best, abs=2e-3)


def test_a_speed_that_is_held_roughly_is_as_likely_in_every_flow():
    """To a tenth of it: 1.7 to 2.3 m/s, another one in each block, is nobody's steady thrust."""
    blocks = np.linspace(1.7, 2.3, round(TIME.size * STEP / BLOCK))
    surge = SteadyThrust(TIME, motion(u=np.repeat(blocks, round(BLOCK / STEP))), BOAT.vessel)
    wanted = BLOCK / MEMORY * likelihood(blocks, 0.1 * 2.0)
    assert surge.evidence(STILL) == surge.evidence(CURRENT) == pytest.approx(wanted)
    assert typical(np.zeros(3)) == typical(np.zeros(0)) == 0.05 and typical(np.array([-0.3, 0.2, 0.4])) == 0.3
