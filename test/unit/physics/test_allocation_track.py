"""Thrusts from prices that are nearly right: what the search finds, or nothing."""

import math

import numpy as np
import pytest
from arrangements import FERRY, TUNNEL, TWO_SIZES
from usv_energy.allocation.allocation import UNKNOWN, Actuator, allocated_from, allocated_on_track, force_of
from usv_energy.allocation.allocation_answers import answer, part_all_round
from usv_energy.allocation.allocation_prices import search_on_track
from usv_energy.physics.allocation_track import Force, _force_ahead, _force_at, _left, tracked_forces

from usv_energy.physics import allocation_track

BOATS = pytest.mark.parametrize('boat', [TWO_SIZES, FERRY, TUNNEL], ids=['two sizes', 'ferry', 'tunnel'])
AXIS = part_all_round(Actuator(0.3, -0.2, 0.8, 0.6, -3.0, 4.0, 0.5, 0.7, 0.4, 0.1))
CIRCLE = part_all_round(Actuator(0.3, -0.2, 1.0, 0.0, 0.0, 6.0, 0.5, 0.5, 0.4, 0.1, (-math.pi, math.pi)))


def under_way(boat):
    return tuple(one._replace(u=1.0, v=0.05, cost=0.05, cost_astern=0.05) for one in boat)


@BOATS
@pytest.mark.parametrize('kind', [float, np.array], ids=['floats', 'arrays'])
def test_a_look_finds_what_the_search_does_or_says_that_it_does_not(rng, boat, kind):
    """Demands that grow by 1 in 10 000; then prices of no use: NaN and these prices."""
    boat = under_way(boat)
    settled = 0
    for _ in range(100):
        thrusts, angles = tuple(rng.uniform(0.1, 0.5, len(boat)) * [one.high for one in boat]), (0.3,) * len(boat)
        demand = force_of(thrusts, angles, boat)
        near = tuple(kind(float(1.0001 * part)) for part in demand)
        thrusts, angles, price = allocated_from(UNKNOWN, near, boat)
        quick, turned, aims, found = allocated_on_track(allocated_from(UNKNOWN, demand, boat)[2], near, boat)
        far = tuple(rng.normal(0.0, 1000.0, 3).tolist())
        lost, _, unaimed, back = allocated_on_track(far, near, boat)
        assert np.all(np.isnan(lost)) and np.array_equal(back, far)
        assert all(aim.push is None or np.isnan(aim.push[0]) for aim in unaimed), 'its power is not known either'
        assert np.all(np.isnan(allocated_on_track(UNKNOWN, near, boat)[0]))
        if not np.isnan(quick[0]):
            settled += 1
            np.testing.assert_allclose(quick, thrusts, rtol=1e-8, atol=1e-9)
            np.testing.assert_allclose(found, price, rtol=1e-6, atol=1e-6)
            for one, thrust, angle, aim, expected in zip(boat, quick, turned, aims, angles):
                assert (angle is None) == (aim.axis is None) == (aim.push is None) == (one.steers is None)
                if angle is not None:
                    assert angle == pytest.approx(expected, rel=1e-8, abs=1e-9)
                    axis = math.cos(expected), math.sin(expected)
                    assert aim.axis == pytest.approx(axis, abs=1e-8)
                    assert aim.push == pytest.approx([thrust * math.hypot(one.forward, one.sideways) * part
                                                      for part in axis], rel=1e-7, abs=1e-8)
    assert settled > 80


@BOATS
def test_its_error_is_the_third_power_of_the_start_s(monkeypatch, boat):
    """What is left of the demand at the prices where it ends, over starts ten times nearer each: a thousandth."""
    boat = under_way(boat)
    parts = tuple(part_all_round(one) for one in boat)
    search = search_on_track(force_of(tuple(0.4 * one.high for one in boat), (0.3,) * len(boat), boat), parts)
    exact = np.array(allocated_from(UNKNOWN, search.demand, boat)[2])
    monkeypatch.setattr(allocation_track, 'NEARLY_FOUND', 1.0)
    lefts = []
    for share in (3e-2, 3e-3):
        forces, doubt, _ = tracked_forces(search, parts, tuple(exact * (1.0 + share * np.array([1.0, -0.5, 0.7]))))
        assert doubt == 0.0
        given = [Force(*force, 0.0, 0.0, 0.0, 0.0) for force in forces]
        price = tracked_forces(search, parts, tuple(exact * (1.0 + share * np.array([1.0, -0.5, 0.7]))))[2]
        left = _left(search, tuple(_force_at((price, search.soft), part) for part in parts), parts)
        assert np.abs(_left(search, tuple(given), parts)).max() < 1e-9 * search.size  # Slopes give all that is left.
        lefts.append(np.abs(left).max())
    assert 300.0 < lefts[0] / lefts[1] < 3000.0


@pytest.mark.parametrize('part', [AXIS, CIRCLE], ids=['fixed', 'turning'])
def test_forces_and_slopes_are_those_of_the_answers(rng, part):
    """Where a thruster gives power, also at the limits of a fixed one, but not beyond that of one that turns."""
    known = 0
    for price in rng.uniform(-4.0, 4.0, (200, 3)).tolist():
        force = _force_at((tuple(price), 0.02), part)
        if math.isnan(force.known) or (part.edges is not None and math.hypot(force.x, force.y) > part.high):
            continue
        known += 1
        given = answer(part, tuple(price), 0.02)
        if part.edges is None:
            ours = force.x * part.b_x, force.x * part.b_y, force.xx * part.b_x ** 2, force.xx * part.b_x * part.b_y
            assert ours == pytest.approx((given[0], given[1], given[3], given[4]), rel=1e-9, abs=1e-12)
        else:
            assert force[:5] == pytest.approx((given[0], given[1], given[3], given[4], given[6]), rel=1e-9, abs=1e-12)
    assert known > 20


def test_what_brakes_for_nothing_is_not_known_and_what_turns_is_without_its_limit():
    """A price of 1 W/N along 0.5 m/s gives power; one of 0.3 W/N does not, nor -0.2 W/N, half of the speed back."""
    still = part_all_round(Actuator(0.0, 0.0, 1.0, 0.0, -9.0, 9.0, 1.0, 1.0, 0.5, 0.0))
    for price, known in ((1.0, True), (0.3, False), (-0.2, False), (-0.3, True)):
        assert math.isnan(_force_at(((price, 0.0, 0.0), 0.0), still).known) != known
    # 4 / 9 N at 1 W/N: the limit of 6 N is reached at a price of 3.67 W/N beyond the speed, and the force goes on.
    free = part_all_round(Actuator(0.0, 0.0, 1.0, 0.0, 0.0, 6.0, 1.0, 1.0, 0.0, 0.0, (-math.pi, math.pi)))
    for price in (3.6, 3.7):
        force = _force_at(((0.6 * price, 0.8 * price, 0.0), 0.0), free)
        assert (force.x, force.y) == pytest.approx((0.6 * 4.0 / 9.0 * price ** 2, 0.8 * 4.0 / 9.0 * price ** 2))
    moving = part_all_round(free.actuator._replace(u=0.5))
    for price, known in ((0.51, True), (0.49, False), (-0.24, False), (-0.26, True)):
        assert math.isnan(_force_at(((price, 0.0, 0.0), 0.0), moving).known) != known


@pytest.mark.parametrize(('begin', 'end', 'move', 'known'), [
    (0.5, 0.5, 0.01, True), (9.0, 9.0, 0.0, True), (9.0, 0.5, 0.0, False), (0.5, 9.0, 0.0, False),
    (0.5, 0.5, 90.0, False), (0.5, 0.5, -90.0, False)])
def test_a_limit_of_a_fixed_thruster_is_neither_reached_nor_left_on_the_way(begin, end, move, known):
    """4 / 9 N at 1 W/N and 3 N at most, from 2.6 W/N on: where it begins, where it ends, and a move along the slope."""
    part = part_all_round(Actuator(0.0, 0.0, 1.0, 0.0, -3.0, 3.0, 1.0, 1.0))
    there = _force_at(((end, 0.0, 0.0), 0.0), part)
    begun = _force_at(((begin, 0.0, 0.0), 0.0), part)
    thrust, none, doubt = _force_ahead((move, 0.0, 0.0), begun, there, part)
    assert none is None and math.isnan(doubt) != known
    assert thrust == pytest.approx(there.x + begun.xx * move, rel=1e-12)


def test_a_turning_thruster_without_force_or_at_its_limit_is_not_found():
    part = part_all_round(Actuator(0.0, 0.0, 1.0, 0.0, 0.0, 6.0, 1.0, 1.0, 0.0, 0.0, (-math.pi, math.pi)))
    begun = _force_at(((1.0, 0.5, 0.0), 0.1), part)
    for move, known in (((0.2, 0.1, 0.0), True), ((90.0, 0.0, 0.0), False)):
        x, y, doubt = _force_ahead(move, begun, begun, part)
        assert math.isnan(doubt) != known
        assert (x, y) == pytest.approx((begun.x + begun.xx * move[0] + begun.xy * move[1],
                                        begun.y + begun.xy * move[0] + begun.yy * move[1]))
    rest = _force_at(((0.0, 0.0, 0.0), 0.1), part)
    assert math.isnan(_force_ahead((0.0, 0.0, 0.0), rest, rest, part)[2])


def test_prices_at_which_a_demand_is_given_up_are_not_found():
    """A price of surge, or of yaw, above its ceiling: the answers add up, but the search would give up some of it."""
    boat = under_way(TWO_SIZES)
    parts = tuple(part_all_round(one) for one in boat)
    search = search_on_track((6.0, 0.0, 0.3), parts)
    price = allocated_from(UNKNOWN, search.demand, boat)[2]
    assert tracked_forces(search, parts, price)[1] == 0.0
    for axis in (0, 2):
        low = search._replace(ceilings=tuple(0.9 * abs(price[n]) if n == axis else search.ceilings[n]
                                             for n in range(3)))
        assert math.isnan(tracked_forces(low, parts, price)[1])


def test_a_sway_that_nothing_gives_is_left_out_as_the_search_does():
    boat = under_way(TWO_SIZES)
    expected, _, price = allocated_from(UNKNOWN, (6.0, 2.0, 0.3), boat)
    assert allocated_on_track(price, (6.0, 2.0, 0.3), boat)[0] == pytest.approx(expected, rel=1e-9)
