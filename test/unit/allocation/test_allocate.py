import math

import numpy as np
import pytest
from arrangements import (
    ANGLED,
    ARRANGEMENTS,
    FERRY,
    LIMITED,
    OUTBOARD,
    OUTBOARDS,
    PAIR,
    SINGLE,
    TUNNEL,
    TURN,
    TWO_SIZES,
    WIDE,
    allocated,
    azimuth,
    feasible,
    fixed,
    one_by_one,
    turning,
    wild,
)
from scipy.optimize import linprog

from usv_energy.allocation import search
from usv_energy.allocation.allocate import NO_START, allocate, electrical_power, force_of

arrangements = pytest.mark.parametrize('actuators', ARRANGEMENTS.values(), ids=ARRANGEMENTS)


def test_two_and_two_thrusters_reach_what_all_of_them_give_together():
    """2 x 20 N + 2 x 5 N is 50 N; equal shares ended at 20 N."""
    thrusts, angles = allocated((50.0, 0.0, 0.0), TWO_SIZES)
    assert thrusts == pytest.approx((20.0, 20.0, 5.0, 5.0), rel=1e-12)
    assert force_of(thrusts, angles, TWO_SIZES) == pytest.approx((50.0, 0.0, 0.0), rel=1e-12, abs=1e-12)
    assert force_of(*allocated((80.0, 0.0, 0.0), TWO_SIZES), TWO_SIZES)[0] == pytest.approx(50.0, rel=1e-12)


def test_a_free_choice_follows_the_costs():
    """a T^1.5 has the slope 1.5 a T^0.5: where it is the same for all, thrust goes with 1 / a^2."""
    thrusts, _ = allocated((10.0, 0.0, 0.0), TWO_SIZES)
    assert thrusts == pytest.approx((4.0, 4.0, 1.0, 1.0), rel=1e-12)


@arrangements
def test_no_limit_is_ever_passed_and_what_can_be_given_is(rng, actuators):
    """1e5 demands in all, half of them beyond reach; limits hold exactly, demands to one part in a million."""
    asked = feasible(rng, actuators, 5000)
    given = force_of(*allocated(asked, actuators), actuators)
    size = np.sum(np.abs(asked), axis=0)
    assert np.max(np.abs(np.subtract(given, asked)) / (size + 1e-9)) < 1e-6
    for demand in (asked, wild(rng, actuators, 5000)):
        thrusts, angles = allocated(demand, actuators)
        for thrust, angle, actuator in zip(thrusts, angles, actuators):
            assert np.all((thrust >= actuator.low) & (thrust <= actuator.high))
            if actuator.azimuth is not None:
                assert np.all((angle >= actuator.azimuth.least) & (angle <= actuator.azimuth.largest))


def ranked(demand, actuators):
    """Return what fixed thrusters can give: the nearest yaw, with that the nearest surge, then the nearest sway."""
    rows = np.array([force_of((1.0,), (None,), (one,)) for one in actuators]).T
    kept, values, given = np.empty((0, len(actuators) + 1)), [], [0.0, 0.0, 0.0]
    for k in (2, 0, 1):
        row = np.append(rows[k], 0.0)
        off = np.zeros_like(row)
        off[-1] = 1.0
        found = linprog(off, [row - off, -row - off], [demand[k], -demand[k]], kept if values else None,
                        values or None, [(one.low, one.high) for one in actuators] + [(0.0, None)], method='highs')
        given[k] = float(row @ found.x)
        kept, values = np.vstack([kept, row]), [*values, given[k]]
    return given


@pytest.mark.parametrize('actuators', [PAIR, TWO_SIZES, SINGLE, ANGLED, TUNNEL])
def test_beyond_reach_yaw_comes_before_surge_and_surge_before_sway(rng, actuators):
    """Against three linear programmes, one after the other."""
    for demand in one_by_one(wild(rng, actuators, 40)):
        given = force_of(*allocated(demand, actuators), actuators)
        assert given == pytest.approx(ranked(demand, actuators), abs=1e-7)


def test_azimuth_thrusters_beyond_reach_turn_the_boat_first():
    largest = 4.0 * 500.0 * math.hypot(1.8, 0.8)
    assert force_of(*allocated((3000.0, 3000.0, 2.0 * largest), FERRY), FERRY)[2] == pytest.approx(largest, rel=1e-3)
    assert force_of(*allocated((9e9, 0.0, 0.0), FERRY), FERRY) == pytest.approx((2000.0, 0.0, 0.0), abs=1e-6)
    surge, _, yaw = force_of(*allocated((9e9, 0.0, 0.5 * largest), FERRY), FERRY)
    assert yaw == pytest.approx(0.5 * largest, rel=1e-9) and 0.0 < surge < 2000.0


def test_all_of_a_yaw_moment_that_can_be_had_is_given():
    """Up to the largest, where every azimuth thruster stands square to its arm, and nothing is left for the rest."""
    largest = 4.0 * 500.0 * math.hypot(1.8, 0.8)
    for share in (0.9, 0.9999, 0.999999, 1.0):
        assert force_of(*allocated((0.0, 0.0, share * largest), FERRY), FERRY) == pytest.approx(
            (0.0, 0.0, share * largest), rel=1e-9, abs=1e-6)


def test_many_limits_met_at_once_do_not_stall_the_search():
    """Cases of random boats on which steps of the prices once went to and fro for ever."""
    boat = (azimuth(0.0591, 0.1499, 0.0, 207.8225, (-0.3, 0.3), 0.4455),
            azimuth(-0.9836, 0.2465, 0.0, 20.1527, (-2.0, 2.0), 0.3078),
            azimuth(0.6314, 0.2662, 0.0, 4.276, (-0.3, 0.3), 1.1196))
    asked = 87.98045523178929, 22.532680372828874, -7.461722015381988
    assert force_of(*allocated(asked, boat), boat) == pytest.approx(asked, rel=1e-9)
    asked = 77.93628037827281, 49.99653245603395, -25.18299791879219
    assert force_of(*allocated(asked, TUNNEL), TUNNEL) == pytest.approx(asked, rel=1e-9)


def random_boat(rng):
    """Return three to five fixed thrusters of any place, angle, limits and cost."""
    return tuple(fixed(*rng.uniform(-1.0, 1.0, 2).tolist(), rng.uniform(-180.0, 180.0), -rng.uniform(0.0, 30.0),
                       10.0 ** rng.uniform(0.0, 2.0), rng.uniform(0.2, 2.0)) for _ in range(rng.integers(3, 6)))


def test_boats_of_any_arrangement_are_given_what_they_can_have(rng):
    """Beyond reach yaw, surge and sway keep their ranks, but for the few boats where levers of a hundred meet."""
    ranks = 0
    for _ in range(40):
        boat = random_boat(rng)
        asked = feasible(rng, boat, 25)
        given = force_of(*allocated(asked, boat), boat)
        assert np.max(np.abs(np.subtract(given, asked)) / (np.sum(np.abs(asked), axis=0) + 1e-3)) < 1e-6
        demand = one_by_one(wild(rng, boat, 1))[0]
        ranks += force_of(*allocated(demand, boat), boat) == pytest.approx(ranked(demand, boat), rel=1e-6, abs=1e-5)
    assert ranks >= 38


def test_a_steered_outboard_turns_either_way_and_backs():
    """A yaw moment fixes its side force; the surge is then as near as the largest angle lets it be."""
    side = 20.0
    for surge, expected in ((5.0, side / math.tan(0.6)), (-5.0, -side / math.tan(0.6)), (40.0, 40.0), (-40.0, -40.0)):
        for yaw in (side, -side):
            thrusts, angles = allocated((surge, 0.0, yaw), OUTBOARD)
            assert force_of(thrusts, angles, OUTBOARD) == pytest.approx((expected, -yaw, yaw), rel=1e-6)


@pytest.mark.parametrize('actuators', [PAIR, TUNNEL, FERRY, LIMITED, OUTBOARDS, WIDE])
def test_a_mirrored_demand_is_given_by_mirrored_thrusters(rng, actuators):
    mirrored = tuple(one._replace(y=-one.y, sideways=-one.sideways, azimuth=one.azimuth and turning(
        -one.azimuth.largest, -one.azimuth.least)) for one in actuators)
    for surge, sway, yaw in one_by_one(feasible(rng, actuators, 30)):
        asked, other = (surge, sway, yaw), (surge, -sway, -yaw)
        cost = electrical_power(*allocated(asked, actuators), actuators)
        assert electrical_power(*allocated(other, mirrored), mirrored) == pytest.approx(cost, rel=1e-9)
        if actuators not in (OUTBOARDS, WIDE):  # these may have two equally cheap answers
            assert allocated(other, mirrored)[0] == pytest.approx(allocated(asked, actuators)[0], rel=1e-8, abs=1e-8)


@arrangements
def test_arrays_give_what_floats_give(rng, actuators):
    for demand in (feasible(rng, actuators, 20), wild(rng, actuators, 20)):
        by_array = np.array(allocated(demand, actuators)[0])
        for n, one in enumerate(one_by_one(demand)):
            high = np.array([actuator.high for actuator in actuators])
            np.testing.assert_allclose(by_array[:, n] / high, allocated(one, actuators)[0] / high, atol=1e-9)


def test_arrays_of_boats_give_what_each_boat_gives():
    costs, high = np.array([1.0, 2.0, 0.5]), np.array([20.0, 4.0, 9.0])
    many = (PAIR[0]._replace(cost=costs, high=high), PAIR[1], fixed(0.5, 0.0, 90.0, -5.0, 5.0))
    thrusts = np.array(allocated((9.0, 2.0, 1.0), many)[0])
    for n in range(3):
        one = (PAIR[0]._replace(cost=float(costs[n]), high=float(high[n])), *many[1:])
        assert allocated((9.0, 2.0, 1.0), one)[0] == pytest.approx(thrusts[:, n], rel=1e-9)


@arrangements
def test_a_demand_that_is_no_number_gives_none(actuators):
    for demand in ((math.nan, 0.0, 0.0), (0.0, math.nan, 0.0), (1.0, 0.0, math.nan)):
        assert all(map(math.isnan, allocated(demand, actuators)[0]))
    asked = np.array([1.0, math.nan]), np.array([0.0, 0.0]), np.array([0.1, 0.1])
    for thrust in allocated(asked, actuators)[0]:
        assert np.isnan(thrust[1]) and not np.isnan(thrust[0])


@arrangements
def test_nothing_asked_for_costs_nothing_and_without_end_all_is_given(actuators):
    assert electrical_power(*allocated((0.0, 0.0, 0.0), actuators), actuators) == pytest.approx(0.0, abs=1e-9)
    thrusts, angles = allocated((math.inf, 0.0, 0.0), actuators)
    assert force_of(thrusts, angles, actuators)[0] == pytest.approx(
        sum(one.high * one.forward for one in actuators), rel=0.35)


def test_a_thruster_that_has_failed_is_done_without():
    left = (*TUNNEL[:4], TUNNEL[4]._replace(low=0.0, high=0.0))
    thrusts, angles = allocated((30.0, 5.0, 2.0), left)
    assert thrusts[4] == 0.0
    assert force_of(thrusts, angles, left) == pytest.approx((30.0, 5.0, 2.0), rel=1e-9)


def test_thrusters_on_the_centre_line_leave_out_a_moment():
    line = fixed(0.5, 0.0, 0.0, -10.0, 10.0), fixed(-0.5, 0.0, 0.0, -10.0, 10.0)
    assert allocated((8.0, 1.0, 5.0), line)[0] == pytest.approx((4.0, 4.0), rel=1e-12)


def test_work_on_the_moving_boat_is_part_of_the_power_and_braking_is_no_gain():
    """P = max(0, cost |T|^1.5 + T u): 1 W/N^1.5, 4 N and 0.5 m/s are 8 + 2 W; 4 N astern 8 - 2 W; less is free."""
    drifting = (fixed(0.0, 0.0, 0.0, -9.0, 9.0)._replace(u=0.5),)
    assert electrical_power((4.0,), (None,), drifting) == 10.0
    assert electrical_power((-4.0,), (None,), drifting) == 6.0
    assert electrical_power((-0.2,), (None,), drifting) == 0.0
    for surge in (4.0, -4.0, -0.2, 0.0, 0.01):
        assert allocated((surge, 0.0, 0.0), drifting)[0] == pytest.approx((surge,), rel=1e-9, abs=1e-12)


def test_the_thruster_at_less_speed_is_preferred():
    """The slopes 1.5 T^0.5 + u of both are the same at the optimum."""
    pair = PAIR[0]._replace(u=1.2, y=0.0), PAIR[1]._replace(u=0.8, y=0.0)
    slow, fast = allocated((6.0, 0.0, 0.0), pair)[0][::-1]
    assert slow + fast == pytest.approx(6.0) and slow > fast
    assert 1.5 * slow ** 0.5 + 0.8 == pytest.approx(1.5 * fast ** 0.5 + 1.2, rel=1e-2)


def test_tilt_takes_from_thrust_what_it_takes():
    tilted = (azimuth(0.0, 0.0, 0.0, 100.0, TURN)._replace(forward=0.8),)
    thrusts, angles = allocated((0.0, 40.0, 0.0), tilted)
    assert (thrusts[0], angles[0]) == pytest.approx((50.0, 0.5 * math.pi))
    assert allocated((0.0, 400.0, 0.0), tilted)[0] == (100.0,)


@pytest.mark.parametrize('boat', [TWO_SIZES, FERRY, TUNNEL], ids=['two sizes', 'ferry', 'tunnel'])
def test_a_search_that_begins_near_its_end_is_short_and_ends_there(rng, boat, monkeypatch):
    """Under way, where braking is free, a demand that grows by a per cent: half of the evaluations, same thrusts."""
    boat = tuple(one._replace(u=1.0, v=0.05, cost=0.05) for one in boat)
    angles = tuple(one.azimuth and 0.3 for one in boat)
    counted, residual = [], search._residual
    monkeypatch.setattr(search, '_residual', lambda *given: counted.append(1) or residual(*given))

    def found(demand, start):
        counted.clear()
        thrusts, turned, multipliers = allocate(demand, boat, start)
        return thrusts, [angle for angle in turned if angle is not None], multipliers, len(counted)

    cold = warm = 0
    for _ in range(30):
        demand = force_of(tuple(rng.uniform(-0.2, 0.5, len(boat)) * [one.high for one in boat]), angles, boat)
        _, _, multipliers, _ = found(demand, NO_START)
        near = tuple(1.01 * part for part in demand)
        thrusts, turned, _, first = found(near, NO_START)
        again, there, _, then = found(near, multipliers)
        cold, warm = cold + first, warm + then
        assert again == pytest.approx(thrusts, rel=1e-6, abs=1e-6) and there == pytest.approx(turned, abs=1e-6)
        again, _, _, _ = found(near, tuple(rng.normal(0.0, 100.0, 3).tolist()))
        assert again == pytest.approx(thrusts, rel=1e-6, abs=1e-6)
    assert warm < 0.6 * cold


@pytest.mark.parametrize('boat', [OUTBOARDS, WIDE, OUTBOARDS + WIDE[:1]], ids=['outboards', 'wide', 'three'])
def test_each_combination_of_ahead_and_astern_is_found(rng, boat):
    """Demands of settings in every one of the parts are given whole."""
    for signs in np.ndindex(*(2,) * len(boat)):
        thrusts = tuple(float(rng.uniform(0.3, 0.9)) * (one.low if sign else one.high)
                        for sign, one in zip(signs, boat))
        angles = tuple(float(rng.uniform(0.3, 0.9) * one.azimuth.largest) for one in boat)
        asked = force_of(thrusts, angles, boat)
        found, turned = allocated(asked, boat)
        assert force_of(found, turned, boat) == pytest.approx(asked, rel=1e-6, abs=1e-6)
        assert electrical_power(found, turned, boat) <= electrical_power(thrusts, angles, boat) * (1.0 + 1e-3)


@pytest.mark.parametrize('way', [1.0, -1.0])
def test_of_two_outboards_both_drive_the_way_that_gives_more(way):
    """Ahead 2 x 100 N, astern 2 x 60 N; half of the largest moment beside it is kept, whatever that costs."""
    most = 200.0 if way > 0.0 else 120.0
    assert force_of(*allocated((way * 500.0, 0.0, 0.0), OUTBOARDS), OUTBOARDS) == pytest.approx((way * most, 0.0, 0.0),
                                                                                               abs=1e-6)
    surge, _, yaw = force_of(*allocated((way * 500.0, 0.0, 20.0), OUTBOARDS), OUTBOARDS)
    assert yaw == pytest.approx(20.0, rel=1e-9) and 0.8 * most < way * surge <= most


MIXED = (fixed(-0.4, 0.3, 0.0, -20.0, 20.0), azimuth(1.2, -0.7, 0.0, 50.0, TURN, 0.6),
         fixed(0.6, 0.1, 90.0, -9.0, 9.0, 2.0), azimuth(-1.1, 0.5, -30.0, 40.0, (-0.6, 0.6), 0.8))
MOVING = tuple(one._replace(u=u, v=v) for one, u, v in zip(MIXED, (0.8, 1.1, 0.9, 0.7), (0.2, -0.3, 0.1, -0.4)))
THRUSTS, ANGLES = (12.0, 30.0, -6.0, -20.0), (None, 2.1, None, -0.4)
AXES = np.array([[1.0, 0.0], [math.cos(2.1), math.sin(2.1)], [0.0, 1.0], [math.cos(0.4), -math.sin(0.4)]])


def test_the_force_is_the_sum_of_thrusts_along_their_axes_and_the_moment_that_of_their_places():
    forces = AXES * np.array(THRUSTS)[:, None]
    moment = sum(one.x * y - one.y * x for one, (x, y) in zip(MIXED, forces))
    assert force_of(THRUSTS, ANGLES, MIXED) == pytest.approx((*forces.sum(axis=0), moment), rel=1e-12)


def test_what_all_draw_is_the_sum_of_what_each_draws_and_none_gives_back():
    """cost |T|^1.5 and the work on the moving water, at each one's own place."""
    drawn = [one.cost * abs(thrust) ** 1.5 + thrust * (axis[0] * one.u + axis[1] * one.v)
             for thrust, axis, one in zip(THRUSTS, AXES, MOVING)]
    assert min(drawn) > 0.0 and electrical_power(THRUSTS, ANGLES, MOVING) == pytest.approx(sum(drawn), rel=1e-12)
    fast = (MOVING[0]._replace(u=-50.0), *MOVING[1:])
    assert electrical_power(THRUSTS, ANGLES, fast) == pytest.approx(sum(drawn[1:]), rel=1e-12)
