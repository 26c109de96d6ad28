import math

import numpy as np
import pytest
from arrangements import ANGLED, FERRY, PAIR, SINGLE, TUNNEL, feasible, fixed, one_by_one

from usv_energy.physics import allocation_prices
from usv_energy.physics.allocation import UNKNOWN
from usv_energy.physics.allocation_answers import answer, part_of
from usv_energy.physics.allocation_prices import (
    DEAREST,
    PRIORITY,
    SOFT,
    _curvature,
    _given_up,
    _step,
    near_prices,
    prices,
    search_for,
)


def parts_of(actuators):
    return tuple(part_of(one, 0.0) for one in actuators)


def test_a_single_thruster_is_paid_its_slope():
    """10 N at 1 W/N^1.5 is worth 1.5 * 10^0.5 W/N; what is smoothed near 0 takes a little from it."""
    parts = parts_of((SINGLE[0]._replace(high=50.0),))
    search = search_for((10.0, 0.0, 0.0), parts)
    assert prices(search, parts, UNKNOWN)[0] == pytest.approx(1.5 * math.sqrt(10.0), rel=0.006)


@pytest.mark.parametrize('actuators', [PAIR, ANGLED, FERRY])
def test_at_the_prices_the_answers_add_up_to_the_demand(rng, actuators):
    parts = parts_of(actuators)
    for demand in one_by_one(feasible(rng, actuators, 50)):
        search = search_for(demand, parts)
        price = prices(search, parts, UNKNOWN)
        given = np.sum([answer(part, price, search.soft)[:3] for part in parts], axis=0)
        np.testing.assert_allclose(given, demand, atol=1e-10 * (1.0 + search.size))


def test_prices_grow_with_the_root_of_a_demand():
    """A cost of T^1.5 has a slope of T^0.5: four times the force at twice the price, where no limit is met."""
    parts = parts_of(ANGLED)
    demand = 3.0, 1.0, 0.4
    once = prices(search_for(demand, parts), parts, UNKNOWN)
    four = prices(search_for(tuple(4.0 * one for one in demand), parts), parts, UNKNOWN)
    assert four == pytest.approx(tuple(2.0 * one for one in once), rel=1e-6)


def test_what_cannot_be_had_alone_is_not_searched_for():
    """Two propellers side by side: 23 N, no sway, and 11.5 N twice on an arm of 0.3 m."""
    search = search_for((99.0, -8.0, 99.0), parts_of(PAIR))
    assert search.demand == pytest.approx((23.0, 0.0, 6.9))
    assert search_for((-99.0, 8.0, -99.0), parts_of(PAIR)).demand == pytest.approx((-23.0, 0.0, -6.9))
    assert search_for((9.0, 0.0, 1.0), parts_of(PAIR)).demand == (9.0, 0.0, 1.0)


def test_the_curvature_along_a_step_is_the_quadratic_form_of_the_slopes(rng):
    """The search goes between two prices by it: move . S move, S symmetric, its upper half after what is left."""
    for move, left in zip(rng.normal(size=(20, 3)), rng.normal(size=(20, 9))):
        xx, xy, xn, yy, yn, nn = left[3:]
        slopes = np.array([[xx, xy, xn], [xy, yy, yn], [xn, yn, nn]])
        assert _curvature(move, left) == pytest.approx(move @ slopes @ move, rel=1e-12)


def test_a_search_ends_after_so_many_steps_whatever_is_left(monkeypatch):
    """A node must answer in time: after one step prices are not yet those of the demand, after 200 they are."""
    parts = parts_of(TUNNEL)
    search = search_for((60.0, -20.0, 9.0), parts)

    def left():
        return np.abs(np.sum([answer(part, prices(search, parts, UNKNOWN), search.soft)[:3] for part in parts], axis=0)
                      - search.demand).max()

    assert left() < 1e-9 * search.size
    monkeypatch.setattr(allocation_prices, 'MOST_STEPS', 1)
    assert left() > 1e-4 * search.size


def test_a_step_solves_for_what_is_left_and_is_no_longer_than_ten_times_the_prices(rng):
    """(S + damping M) step = left, S positive; its size is |x| + |y| + arm |n|, and that of the prices likewise."""
    search = search_for((9.0, 3.0, 2.0), parts_of(TUNNEL))
    for _ in range(20):
        half = rng.normal(size=(3, 3))
        slopes, rest = half @ half.T + 0.1 * np.eye(3), rng.normal(size=3)
        left = (*rest, *slopes[0], *slopes[1, 1:], slopes[2, 2])
        for damping in (1e-11, 1.0):
            whole = np.linalg.solve(slopes + damping * np.diag(search.metric), rest)
            assert _step(left, (1e9, 0.0, 0.0), damping, search) == pytest.approx(whole, rel=1e-9)
        price = rng.normal(size=3) * 1e-3
        room = 10.0 * (abs(price[0]) + abs(price[1]) + abs(price[2]) * search.arm + 1e-4)
        short = _step(left, price, 0.0, search._replace(price=1e-4))
        whole = np.linalg.solve(slopes, rest)
        assert abs(short[0]) + abs(short[1]) + abs(short[2]) * search.arm == pytest.approx(room, rel=1e-9)
        assert np.asarray(short) / short[0] == pytest.approx(whole / whole[0], rel=1e-9)


def test_scales_of_a_search_are_those_of_its_thrusters_and_demand():
    """
    Gains 4 / (9 cost^2); the arm by the gains; the typical price of a force F is (F / gain)^0.5 and the speed.

    Sway is given up at a thousand typical prices, surge at a hundred times that, yaw at a hundred times that again; all
    of a demand at twice its ceiling.
    """
    pair = (fixed(0.5, 0.0, 90.0, -9.0, 9.0, 2.0), fixed(-0.4, 0.3, 0.0, -20.0, 20.0, 1.0)._replace(u=0.7))
    search = search_for((3.0, -2.0, 0.5), parts_of(pair))
    gains = 4.0 / 9.0 / np.array([4.0, 1.0])
    arm = math.sqrt((gains[0] * 0.25 + gains[1] * 0.09) / gains.sum())
    assert search.arm == pytest.approx(arm, rel=1e-4) and search.size == pytest.approx(5.0 + 0.5 / arm, rel=1e-5)
    assert search.price == pytest.approx(math.sqrt(search.size / gains.sum()) + 0.7, rel=1e-6)
    assert search.soft == pytest.approx(SOFT * search.price) and search.demand == (3.0, -2.0, 0.5)
    sway = DEAREST * search.price * math.sqrt(gains.sum() / gains[0])
    assert search.ceilings == pytest.approx((PRIORITY * sway, sway, PRIORITY ** 2 * sway / search.arm))
    given_up = [_given_up(2.0 * top, top, slope)[0] for top, slope in zip(search.ceilings, search.slopes)]
    assert given_up == pytest.approx([search.size, search.size, search.size * search.arm])
    assert [_given_up(-2.0 * top, top, slope) for top, slope in zip(search.ceilings, search.slopes)] == [
        (pytest.approx(-part), slope) for part, slope in zip(given_up, search.slopes)]
    assert [_given_up(sign * 0.99, 1.0, 3.0) for sign in (1.0, -1.0)] == [(0.0, 0.0), (0.0, 0.0)]
    assert search.metric == pytest.approx(search.price * np.array(
        [gains[1], gains[0], gains[0] * 0.25 + gains[1] * 0.09]), rel=1e-5)


@pytest.mark.parametrize('actuators', [PAIR, ANGLED, TUNNEL, FERRY])
def test_a_demand_within_reach_takes_few_steps(rng, actuators, monkeypatch):
    """Newton's method: three quarters of all demands are met within eight steps, all within thirty."""
    parts = parts_of(actuators)
    demands = one_by_one(feasible(rng, actuators, 40))

    def met(steps):
        monkeypatch.setattr(allocation_prices, 'MOST_STEPS', steps)
        found = []
        for demand in demands:
            search = search_for(demand, parts)
            price = prices(search, parts, UNKNOWN)
            given = np.sum([answer(part, price, search.soft)[:3] for part in parts], axis=0)
            found.append(np.abs(given - demand).max() <= 1e-9 * search.size)
        return np.mean(found)

    assert met(8) >= 0.75 and met(30) == 1.0


def test_scales_without_a_demand_and_in_a_direction_that_no_thruster_gives():
    """Nothing asked for: a billionth of the reach sets the price. A millionth of the gain is what nobody has."""
    one = fixed(0.0, 0.0, 0.0, -9.0, 21.0, 2.0)
    gain = 4.0 / 9.0 / 4.0
    idle = search_for((0.0, 0.0, 0.0), parts_of((one,)))
    assert (idle.size, idle.price) == (0.0, pytest.approx(math.sqrt(1e-9 * 30.0 / gain), rel=1e-9))
    asked = search_for((4.0, 0.0, 0.0), parts_of((one,)))
    assert asked.arm == pytest.approx(1e-6, rel=1e-9)
    assert asked.metric == pytest.approx(asked.price * gain * np.array([1.000001, 1e-6, 1e-6 * 1e-12]), rel=1e-9)


@pytest.mark.parametrize('start', [
    (math.nan, 1.0, 1.0), (1.0, math.nan, 1.0), (1.0, 1.0, math.nan), (1e40, 1.0, 1.0), (1.0, 1.0, -1e40)])
def test_a_start_that_is_none_is_not_begun_with(start):
    parts, demand = parts_of(TUNNEL), (9.0, 3.0, 2.0)
    search = search_for(demand, parts)
    found = prices(search, parts, start)
    assert found == pytest.approx(prices(search, parts, UNKNOWN), rel=1e-9)


@pytest.mark.parametrize('actuators', [ANGLED, TUNNEL, FERRY])
def test_the_prices_of_a_demand_near_by_are_a_good_begin(rng, actuators, monkeypatch):
    """From them a hundredth of the demand further two steps do; and one step alone, with the slopes for the rest."""
    parts = parts_of(actuators)
    for demand in one_by_one(feasible(rng, actuators, 20))[:8]:
        demand = tuple(0.5 * one for one in demand)
        monkeypatch.setattr(allocation_prices, 'MOST_STEPS', 200)
        begin = prices(search_for(demand, parts), parts, UNKNOWN)
        further = tuple(1.0001 * one for one in demand)
        search = search_for(further, parts)
        exact = prices(search, parts, UNKNOWN)
        near, move, _ = near_prices(search, parts, begin)
        scale = max(map(abs, exact))
        assert np.add(near, move) == pytest.approx(exact, rel=1e-6, abs=1e-6 * scale)
        assert np.abs(np.subtract(near, exact)).max() < 0.1 * np.abs(np.subtract(begin, exact)).max() + 1e-9 * scale
        monkeypatch.setattr(allocation_prices, 'MOST_STEPS', 2)
        given = np.sum([answer(part, prices(search, parts, begin), search.soft)[:3] for part in parts], axis=0)
        assert np.abs(given - further).max() <= 1e-7 * search.size
