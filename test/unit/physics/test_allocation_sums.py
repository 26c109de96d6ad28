"""What an allocation adds up: forces and powers of thrusters, and what is given up in which rank; all by hand."""

import math

import numpy as np
import pytest
from arrangements import ANGLED, OUTBOARDS, TUNNEL, TURN, WIDE, azimuth, fixed
from usv_energy.allocation.allocation import (
    UNKNOWN,
    _score,
    allocated_from,
    electrical_power,
    force_of,
    nearly_allocated,
)

MIXED = (fixed(-0.4, 0.3, 0.0, -20.0, 20.0, 1.0, 1.5), azimuth(1.2, -0.7, 0.0, 50.0, TURN, 0.6),
         fixed(0.6, 0.1, 90.0, -9.0, 9.0, 2.0), azimuth(-1.1, 0.5, -30.0, 40.0, (-0.6, 0.6), 0.8))
MOVING = tuple(one._replace(u=u, v=v) for one, u, v in zip(MIXED, (0.8, 1.1, 0.9, 0.7), (0.2, -0.3, 0.1, -0.4)))
THRUSTS, ANGLES = (12.0, 30.0, -6.0, -20.0), (0.0, 2.1, 0.0, -0.4)
AXES = np.array([[1.0, 0.0], [math.cos(2.1), math.sin(2.1)], [0.0, 1.0], [math.cos(0.4), -math.sin(0.4)]])


def test_the_force_is_the_sum_of_thrusts_along_their_axes_and_the_moment_that_of_their_places():
    forces = AXES * np.array(THRUSTS)[:, None]
    moment = sum(one.x * y - one.y * x for one, (x, y) in zip(MIXED, forces))
    assert force_of(THRUSTS, ANGLES, MIXED) == pytest.approx((*forces.sum(axis=0), moment), rel=1e-12)


def test_what_all_draw_is_the_sum_of_what_each_draws_and_none_gives_back():
    """cost |T|^1.5 and the work on the moving water, at each one's own place; astern at its own cost."""
    costs = (1.0, 0.6, 2.0, 1.3 * 0.8)  # The last one thrusts astern.
    drawn = [cost * abs(thrust) ** 1.5 + thrust * (axis[0] * one.u + axis[1] * one.v)
             for cost, thrust, axis, one in zip(costs, THRUSTS, AXES, MOVING)]
    assert min(drawn) > 0.0 and electrical_power(THRUSTS, ANGLES, MOVING) == pytest.approx(sum(drawn), rel=1e-12)
    fast = (MOVING[0]._replace(u=-50.0), *MOVING[1:])
    assert electrical_power(THRUSTS, ANGLES, fast) == pytest.approx(sum(drawn[1:]), rel=1e-12)


@pytest.mark.parametrize('missed', [(0.0, 0.0, 0.0), (5e-8, 0.0, 0.0), (0.0, -5e-8, 0.0), (0.0, 0.0, 5e-8)])
def test_what_gives_a_demand_but_for_rounding_is_worth_its_power(missed):
    """A billionth of the asked force is rounding, 8e-8 N of 81 N; of a demand without end, of what all can give."""
    given = force_of((40.0, 40.0, 40.0, 40.0), (0.0,) * 4, ANGLED[:2] + ANGLED[:2])
    assert abs(given[1]) < 1e-9, 'they push straight ahead'
    side = tuple(one._replace(forward=-one.sideways, sideways=one.forward) for one in ANGLED[:2] + ANGLED[:2])
    for boat in (ANGLED[:2] + ANGLED[:2], side):
        thrusts, angles = (40.0, 40.0, 40.0, 40.0), (0.0,) * 4
        demand = tuple(np.add(force_of(thrusts, angles, boat), missed).tolist())
        assert _score(demand, thrusts, angles, boat) == electrical_power(thrusts, angles, boat)


def test_a_sway_given_up_costs_a_thousand_times_the_dearest_newton_a_surge_and_a_yaw_a_thousand_times_more_each():
    """The dearest newton is the last one of the largest thruster: 1.5 c T^0.5, ahead or astern."""
    boat = (fixed(-0.4, 0.3, 0.0, -20.0, 9.0, 1.0, 1.5), fixed(0.5, -0.2, 90.0, -4.0, 16.0, 3.0), *MIXED[:1])
    dearest = 1.5 * 3.0 * math.sqrt(16.0)
    assert dearest > 1.5 * 1.5 * math.sqrt(20.0)
    thrusts, angles = (3.0, 4.0, 5.0), (0.0, 0.0, 0.0)
    given, power = force_of(thrusts, angles, boat), electrical_power(thrusts, angles, boat)
    for k, thousands in ((1, 1), (0, 2), (2, 3)):
        for more in (0.3, -0.3):
            demand = tuple(part + more * (n == k) for n, part in enumerate(given))
            assert _score(demand, thrusts, angles, boat) - power == pytest.approx(
                0.3 * 1000.0 ** thousands * dearest, rel=1e-6)


def test_more_than_all_can_give_is_missed_but_for_a_billionth_of_that():
    """Of 1e9 N asked for 1e9 N less what is given is missed, whose rounding is that of the limits, 20 N + 9 N."""
    boat, thrusts, angles = (MIXED[0], MIXED[2]), (20.0, 9.0), (0.0, 0.0)
    dearest = 1.5 * 1.5 * math.sqrt(20.0)
    demand = 20.0 + 2.0e-8, 9.0 + 1e9, force_of(thrusts, angles, boat)[2]
    missed = _score(demand, thrusts, angles, boat) - electrical_power(thrusts, angles, boat)
    assert missed == pytest.approx(1e9 * 1000.0 * dearest, rel=1e-12)


@pytest.mark.parametrize('boat', [ANGLED, TUNNEL], ids=['angled', 'tunnel'])
def test_prices_to_go_on_from_are_those_of_the_demand_that_was_asked_for(rng, boat):
    """
    Of a demand 1 % away a Newton step leaves the square of that, some 1e-4, and the step after it again the square.

    Be the thrusts known or not: these need the first step to end close enough.
    """
    for _ in range(20):
        thrusts = tuple(rng.uniform(0.2, 0.6, len(boat)) * [one.high for one in boat])
        demand = force_of(thrusts, (0.0,) * len(boat), boat)
        before = allocated_from(UNKNOWN, demand, boat)[2]
        near = tuple(part * (1.0 + 0.01 * sign) for part, sign in zip(demand, (1.0, -1.0, 1.0)))
        wanted = allocated_from(UNKNOWN, near, boat)[2]
        after = nearly_allocated(before, near, boat)[3]
        assert after == pytest.approx(wanted, rel=1e-8, abs=1e-7 * max(map(abs, wanted)))


@pytest.mark.parametrize('boat', [OUTBOARDS, WIDE, OUTBOARDS + WIDE[:1]], ids=['outboards', 'wide', 'three'])
def test_each_combination_of_ahead_and_astern_is_found(rng, boat):
    """Demands of settings in every one of the parts are given whole."""
    for signs in np.ndindex(*(2,) * len(boat)):
        thrusts = tuple(float(rng.uniform(0.3, 0.9)) * (one.low if sign else one.high)
                        for sign, one in zip(signs, boat))
        angles = tuple(float(rng.uniform(0.3, 0.9) * one.steers[1]) for one in boat)
        asked = force_of(thrusts, angles, boat)
        found, turned, _ = allocated_from(UNKNOWN, asked, boat)
        assert force_of(found, turned, boat) == pytest.approx(asked, rel=1e-6, abs=1e-6)
        assert electrical_power(found, turned, boat) <= electrical_power(thrusts, angles, boat) * (1.0 + 1e-3)
