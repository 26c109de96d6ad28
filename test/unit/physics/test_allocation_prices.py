import math

import numpy as np
import pytest
from arrangements import ANGLED, FERRY, PAIR, SINGLE, TUNNEL, feasible, fixed, one_by_one

from usv_energy.physics import allocation_prices
from usv_energy.physics.allocation import UNKNOWN
from usv_energy.physics.allocation_answers import answer, part_of
from usv_energy.physics.allocation_prices import (
    DEAREST,
    NO_REACH,
    PRIORITY,
    ROUNDING,
    _along,
    _chosen_of_nine,
    _curvature,
    _given_up,
    _negligible,
    _step,
    _unmet,
    _with_reach,
    near_prices,
    prices,
    search_for,
    size_left,
)
from usv_energy.physics.elementwise import folded


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
    assert search.soft == pytest.approx(0.01 * search.price) and search.demand == (3.0, -2.0, 0.5)
    sway = DEAREST * search.price * math.sqrt(gains.sum() / gains[0])
    assert search.ceilings == pytest.approx((PRIORITY * sway, sway, PRIORITY ** 2 * sway / search.arm))
    given_up = [_given_up(2.0 * top, top, slope)[0] for top, slope in zip(search.ceilings, search.slopes)]
    assert given_up == pytest.approx([search.size, search.size, search.size * search.arm])
    assert [_given_up(-2.0 * top, top, slope) for top, slope in zip(search.ceilings, search.slopes)] == [
        (pytest.approx(-part), slope) for part, slope in zip(given_up, search.slopes)]
    assert [_given_up(sign * 0.99, 1.0, 3.0) for sign in (1.0, -1.0)] == [(0.0, 0.0), (0.0, 0.0)]
    rest = 1e-6 * gains.sum() * np.array([1.0, 1.0, search.arm ** 2])
    assert search.metric == pytest.approx(search.price * (np.array(
        [gains[1], gains[0], gains[0] * 0.25 + gains[1] * 0.09]) + rest), rel=1e-9)


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
    """Nothing asked for: a billionth of the limit sets the price. A millionth of the gain is what nobody has."""
    one = fixed(0.0, 0.0, 0.0, -9.0, 21.0, 2.0)
    gain = 4.0 / 9.0 / 4.0
    idle = search_for((0.0, 0.0, 0.0), parts_of((one,)))
    assert (idle.size, idle.price) == (0.0, pytest.approx(math.sqrt(1e-9 * 21.0 / gain), rel=1e-9))
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


@pytest.mark.parametrize('actuators', [ANGLED, TUNNEL, FERRY])
def test_what_is_unmet_is_the_gradient_and_its_slopes_are_the_curvature_of_one_function(rng, actuators):
    """The six slopes are those of central differences, below the ceilings of the prices and above each of them."""
    parts = parts_of(actuators)
    search = search_for((9.0, 3.0, 2.0), parts)
    low = search._replace(ceilings=tuple(search.price * np.array([0.6, 0.5, 0.4]) / (1.0, 1.0, search.arm)),
                          slopes=(0.7, 1.1, 1.9))
    for one in (search, low):
        for price in search.price * rng.uniform(0.7, 1.5, size=(20, 3)) * rng.choice([-1.0, 1.0], size=(20, 3)):
            price = price / (1.0, 1.0, search.arm)
            steps = 1e-6 * np.diag(np.abs(price))
            measured = np.array([np.subtract(_unmet(price - step, one, parts)[:3], _unmet(price + step, one, parts)[:3])
                                 / (2.0 * step.max()) for step in steps])
            slopes = np.array(_unmet(price, one, parts))[[3, 4, 5, 4, 6, 7, 5, 7, 8]].reshape(3, 3)
            scale = np.sqrt(np.abs(np.outer(slopes.diagonal(), slopes.diagonal()))) + 1e-9
            if np.abs((measured - measured.T) / scale).max() < 1e-5:  # Not across a limit of a thruster.
                assert np.abs((measured - slopes) / scale).max() < 1e-4
            given = np.sum([answer(part, price, one.soft)[:3] for part in parts], axis=0)
            beyond = np.sign(price) * np.maximum(np.abs(price) - one.ceilings, 0.0) * one.slopes
            assert _unmet(price, one, parts)[:3] == pytest.approx(one.demand - given - beyond, rel=1e-12, abs=1e-12)


def test_what_is_left_is_measured_as_a_force_and_what_prices_cannot_tell_apart_is_nothing():
    """The largest of two forces and of the moment over the arm; 1e-11 of the demand, and 4e-16 of price times slope."""
    search = search_for((9.0, 3.0, 2.0), parts_of(TUNNEL))._replace(arm=0.5, size=3e-5)
    assert [size_left(left, search) for left in ((-7.0, 2.0, 1.0, 8.0, 9.0), (1.0, -7.0, 2.0, 0.0), (3.0, 3.0, -3.5))] \
        == [7.0, 7.0, 7.0]
    left = 0.0, 0.0, 0.0, 2.0, 50.0, 60.0, 3.0, 70.0, 5.0
    assert _negligible(left, (-7.0, 11.0, -13.0), search) == pytest.approx(
        3e-16 + 4e-16 * (7.0 * 2.0 + 11.0 * 3.0 + 13.0 * 5.0 / 0.5), rel=1e-12, abs=0.0)


def test_all_nine_are_chosen_together():
    yes, no = tuple(range(9)), tuple(range(10, 19))
    assert _chosen_of_nine(True, yes, no) == yes and _chosen_of_nine(False, yes, no) == no


def test_a_direction_that_no_thruster_gives_has_a_slope_of_what_is_lost_by_rounding():
    """Of two equal rows nothing is left but ROUNDING of the slope: a long step, left whole by a large price."""
    search = search_for((9.0, 3.0, 2.0), parts_of(TUNNEL))
    for rest, slopes, place in (((1.0, 2.0, 0.0), (4.0, 4.0, 0.0, 4.0, 0.0, 1.0), 1),
                                ((1.0, 0.0, 2.0), (4.0, 0.0, 4.0, 1.0, 0.0, 4.0), 2)):
        step = _step((*rest, *slopes), (1e20, 0.0, 0.0), 0.0, search)
        assert step[place] == pytest.approx(1.0 / (ROUNDING * 4.0), rel=1e-9)
        assert step[0] == pytest.approx(-step[place], rel=1e-9)


def test_a_price_to_which_nothing_answers_goes_to_where_all_is_given_up():
    """Twice a ceiling, either way, and no farther, from wherever; the other prices are solved for by themselves."""
    search = search_for((9.0, 3.0, 2.0), parts_of(TUNNEL))._replace(ceilings=(7.0, 5.0, 3.0))
    for place, diagonal in enumerate((3, 6, 8)):
        for begin in (0.0, 4.0, -4.0):
            for rest, end in ((0.1, 2.0), (-0.1, -2.0)):
                left = [0.2, 0.2, 0.2, 4.0, 0.0, 0.0, 4.0, 0.0, 4.0]
                left[place], left[diagonal] = rest, 0.0
                price = [1e6, 1e6, 1e6]  # So high that the step is not shortened.
                price[place] = begin
                step = _step(tuple(left), tuple(price), 1e-11, search)
                assert begin + step[place] == pytest.approx(end * search.ceilings[place], rel=1e-12)
                assert [one for n, one in enumerate(step) if n != place] == pytest.approx([0.05, 0.05], rel=1e-9)
                left[diagonal] = 1e-3 * search.metric[place]
                step = _step(tuple(left), tuple(price), 0.0, search)
                assert step[place] == pytest.approx(rest / left[diagonal], rel=1e-9)


def test_a_sway_just_beyond_reach_is_given_up_in_a_few_looks(monkeypatch):
    """The bow thruster at its limit answers to no price of sway: the step beyond its ceiling was halved ten times."""
    parts = parts_of(TUNNEL)
    low = sum(min(part.low * part.b_y, part.high * part.b_y) for part in parts)
    search = search_for((4.0, 0.9999 * low, 0.5), parts)
    start = prices(search_for((4.0, 0.99 * low, 0.5), parts), parts, UNKNOWN)
    looks = []
    monkeypatch.setattr(allocation_prices, '_unmet', lambda *given: looks.append(1) or _unmet(*given))
    found = prices(search, parts, start)
    assert len(looks) <= 8 and found == pytest.approx(prices(search, parts, UNKNOWN), rel=1e-6)


def test_thrusters_that_can_do_nothing_have_prices():
    parts = parts_of((fixed(0.0, 0.2, 0.0, 0.0, 0.0, 2.0), fixed(0.0, -0.2, 0.0, 0.0, 0.0, 2.0)))
    search = search_for((5.0, 1.0, 1.0), parts)
    assert search.demand == (0.0, 0.0, 0.0) and search.price == pytest.approx(math.sqrt(1e-300 / (2.0 / 9.0)))
    assert prices(search, parts, UNKNOWN) == (0.0, 0.0, 0.0)


def test_the_largest_moment_itself_can_be_asked_for_what_is_beyond_ends_short_of_it():
    """What turns leaves no force at all at its largest moment: beyond it a little less is searched for."""
    parts = parts_of(FERRY)
    most = search_for((0.0, 0.0, 1e9), parts).demand[2]
    reach = folded(_with_reach, NO_REACH, parts, None)
    assert most == reach[7] < reach[5] and -most == reach[6] > reach[4]
    for edge in reach[4:6]:
        assert search_for((0.0, 0.0, edge), parts).demand[2] == edge
        assert abs(search_for((0.0, 0.0, edge * (1.0 + 1e-9)), parts).demand[2]) == most


def test_a_search_takes_as_many_steps_as_it_may_and_none_for_nothing(monkeypatch):
    """Each step looks along itself twice."""
    looks = []
    monkeypatch.setattr(allocation_prices, '_along', lambda move, left: looks.append(1) or _along(move, left))
    parts = parts_of(TUNNEL)
    prices(search_for((0.0, 0.0, 0.0), parts), parts, UNKNOWN)
    assert len(looks) == 0
    monkeypatch.setattr(allocation_prices, 'MOST_STEPS', 2)
    prices(search_for((60.0, -20.0, 9.0), parts), parts, UNKNOWN)
    assert len(looks) == 2 * 2


def test_a_step_along_the_slopes_is_good_where_a_millionth_of_the_demand_is_left(monkeypatch):
    parts = parts_of(FERRY)
    search = search_for((9.0, 3.0, 2.0), parts)
    exact = np.array(prices(search, parts, UNKNOWN))
    good = []
    for share in 10.0 ** np.arange(-6.0, 0.0, 0.25):
        price, _, doubt = near_prices(search, parts, exact * (1.0 + share))
        given = np.sum([answer(part, price, search.soft)[:3] for part in parts], axis=0)
        left = size_left(search.demand - given, search) / search.size
        assert left == pytest.approx(1e-6, rel=0.01) or math.isnan(doubt) == (left > 1e-6)
        good.append(not math.isnan(doubt))
    assert set(good) == {True, False}
    monkeypatch.setattr(allocation_prices, 'NEAR_ENOUGH', 0.0)
    assert near_prices(search, parts, exact)[2] == 0.0
    none = search_for((0.0, 0.0, 0.0), parts)
    assert near_prices(none, parts, (0.0, 0.0, 0.0))[2] == 0.0
