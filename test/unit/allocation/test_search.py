import math

import numpy as np
import pytest
from arrangements import ANGLED, ARRANGEMENTS, FERRY, PAIR, SINGLE, TUNNEL, feasible, fixed, one_by_one, parts_of, wild
from usv_energy.allocation.allocation import UNKNOWN
from usv_energy.allocation.allocation_answers import answer
from usv_energy.allocation.allocation_prices import DAMPING, search_for, size_left
from usv_energy.allocation.price_search import (
    _along,
    _chosen_of_nine,
    _curvature,
    _negligible,
    _step,
    _unmet,
    first_look,
    first_look_at_once,
    near_prices,
    next_look,
    prices,
)

from usv_energy.allocation import price_search


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
    monkeypatch.setattr(price_search, 'MOST_STEPS', 1)
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


@pytest.mark.parametrize('actuators', [PAIR, ANGLED, TUNNEL, FERRY])
def test_a_demand_within_reach_takes_few_steps(rng, actuators, monkeypatch):
    """Newton's method: three quarters of all demands are met within eight steps, all within thirty."""
    parts = parts_of(actuators)
    demands = one_by_one(feasible(rng, actuators, 40))

    def met(steps):
        monkeypatch.setattr(price_search, 'MOST_STEPS', steps)
        found = []
        for demand in demands:
            search = search_for(demand, parts)
            price = prices(search, parts, UNKNOWN)
            given = np.sum([answer(part, price, search.soft)[:3] for part in parts], axis=0)
            found.append(np.abs(given - demand).max() <= 1e-9 * search.size)
        return np.mean(found)

    assert met(8) >= 0.75 and met(30) == 1.0


@pytest.mark.parametrize('start', [
    (math.nan, 1.0, 1.0), (1.0, math.nan, 1.0), (1.0, 1.0, math.nan), (1e40, 1.0, 1.0), (1.0, 1.0, -1e40)])
def test_a_start_that_is_none_is_not_begun_with(start):
    parts, demand = parts_of(TUNNEL), (9.0, 3.0, 2.0)
    search = search_for(demand, parts)
    found = prices(search, parts, start)
    assert found == pytest.approx(prices(search, parts, UNKNOWN), rel=1e-9)


@pytest.mark.parametrize('actuators', [ANGLED, TUNNEL, FERRY])
def test_the_prices_of_a_demand_near_by_are_a_good_begin(rng, actuators, monkeypatch):
    """From them a ten-thousandth further two steps do, those of a search and those of `near_prices`."""
    parts = parts_of(actuators)
    for demand in one_by_one(feasible(rng, actuators, 20))[:8]:
        demand = tuple(0.5 * one for one in demand)
        monkeypatch.setattr(price_search, 'MOST_STEPS', 200)
        begin = prices(search_for(demand, parts), parts, UNKNOWN)
        further = tuple(1.0001 * one for one in demand)
        search = search_for(further, parts)
        exact = prices(search, parts, UNKNOWN)
        near, move, _ = near_prices(search, parts, begin)
        scale = max(map(abs, exact))
        assert np.add(near, move) == pytest.approx(exact, rel=1e-6, abs=1e-6 * scale)
        assert np.abs(np.subtract(near, exact)).max() < 0.1 * np.abs(np.subtract(begin, exact)).max() + 1e-9 * scale
        monkeypatch.setattr(price_search, 'MOST_STEPS', 2)
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


def test_what_prices_cannot_tell_apart_is_nothing():
    """1e-11 of the demand, and 4e-16 of price times slope."""
    search = search_for((9.0, 3.0, 2.0), parts_of(TUNNEL))._replace(arm=0.5, size=3e-5)
    left = 0.0, 0.0, 0.0, 2.0, 50.0, 60.0, 3.0, 70.0, 5.0
    assert _negligible(left, (-7.0, 11.0, -13.0), search) == pytest.approx(
        3e-16 + 4e-16 * (7.0 * 2.0 + 11.0 * 3.0 + 13.0 * 5.0 / 0.5), rel=1e-12, abs=0.0)


def test_all_nine_are_chosen_together():
    yes, no = tuple(range(9)), tuple(range(10, 19))
    assert _chosen_of_nine(True, yes, no) == yes and _chosen_of_nine(False, yes, no) == no


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
    monkeypatch.setattr(price_search, '_unmet', lambda *given: looks.append(1) or _unmet(*given))
    found = prices(search, parts, start)
    assert len(looks) <= 8 and found == pytest.approx(prices(search, parts, UNKNOWN), rel=1e-6)


def test_thrusters_that_can_do_nothing_have_prices():
    parts = parts_of((fixed(0.0, 0.2, 0.0, 0.0, 0.0, 2.0), fixed(0.0, -0.2, 0.0, 0.0, 0.0, 2.0)))
    search = search_for((5.0, 1.0, 1.0), parts)
    assert search.demand == (0.0, 0.0, 0.0) and search.price == pytest.approx(math.sqrt(1e-300 / (2.0 / 9.0)))
    assert prices(search, parts, UNKNOWN) == (0.0, 0.0, 0.0)


def test_a_search_takes_as_many_steps_as_it_may_and_none_for_nothing(monkeypatch):
    """Each step looks along itself twice."""
    looks = []
    monkeypatch.setattr(price_search, '_along', lambda move, left: looks.append(1) or _along(move, left))
    parts = parts_of(TUNNEL)
    prices(search_for((0.0, 0.0, 0.0), parts), parts, UNKNOWN)
    assert len(looks) == 0
    monkeypatch.setattr(price_search, 'MOST_STEPS', 2)
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
    monkeypatch.setattr(price_search, 'NEAR_ENOUGH', 0.0)
    assert near_prices(search, parts, exact)[2] == 0.0
    none = search_for((0.0, 0.0, 0.0), parts)
    assert near_prices(none, parts, (0.0, 0.0, 0.0))[2] == 0.0


def same(look, other):
    """Assert that two Looks are the same number for number, NaN included."""
    for one, another in zip(look, other):
        np.testing.assert_array_equal(one, another)


@pytest.mark.parametrize('actuators', ARRANGEMENTS.values(), ids=ARRANGEMENTS)
def test_looks_one_after_the_other_end_at_the_prices(rng, actuators):
    """Of demands that can be given and such that cannot; a settled Look keeps its price and what is left there."""
    parts = parts_of(actuators)
    demands = one_by_one(feasible(rng, actuators, 10)) + one_by_one(wild(rng, actuators, 10))
    for demand in demands:
        search = search_for(demand, parts)
        look = first_look(search, parts, UNKNOWN)
        for _ in range(price_search.MOST_STEPS):
            if look.unsettled == 0.0:
                break
            assert size_left(look.left, search) > _negligible(look.left, look.price, search)
            look = next_look(look, search, parts)
        assert look.price == prices(search, parts, UNKNOWN)
        assert look.left == _unmet(look.price, search, parts)
        assert look.unsettled == 0.0
        on = next_look(look, search, parts)
        assert (on.price, on.left, on.unsettled) == (look.price, look.left, 0.0)


@pytest.mark.parametrize('start', [(1.1, -0.3, 0.7), UNKNOWN, (math.nan, 1.0, 1.0), (1.0, 1.0, math.nan)])
def test_a_first_look_at_once_is_the_first_look(start):
    """From a start that is known, and from prices without a demand where there is none."""
    parts = parts_of(TUNNEL)
    search = search_for((9.0, 3.0, 2.0), parts)
    found = first_look_at_once(search, parts, start)
    same(found, first_look(search, parts, start))
    assert found.unsettled == 1.0 and (found.price == start) == (not any(map(math.isnan, start)))
    settled = first_look_at_once(search, parts, prices(search, parts, UNKNOWN))
    assert settled.unsettled == 0.0 and settled.fresh == 1.0


@pytest.mark.parametrize('actuators', [PAIR, ANGLED, TUNNEL, FERRY])
def test_many_demands_at_once_are_searched_for_as_one_by_one(rng, actuators):
    """Starts of which some are none: each Look, and the prices at the end; what is done early waits for the others."""
    parts = parts_of(actuators)
    demands = [np.concatenate(both) for both in zip(feasible(rng, actuators, 6), wild(rng, actuators, 6))]
    starts = rng.normal(size=(3, 12))
    starts[0, ::3] = math.nan
    search = search_for(tuple(demands), parts)
    singles = [search_for(demand, parts) for demand in one_by_one(demands)]
    looks = [first_look(one, parts, start) for one, start in zip(singles, one_by_one(starts))]
    together = first_look(search, parts, tuple(starts))
    rounds = 0
    while np.any(together.unsettled > 0.0):
        rounds += 1
        together = next_look(together, search, parts)
        looks = [next_look(look, one, parts) for look, one in zip(looks, singles)]
        np.testing.assert_array_equal(together.unsettled, [look.unsettled for look in looks])
    assert 2 < rounds < price_search.MOST_STEPS
    np.testing.assert_allclose(together.price, np.transpose([look.price for look in looks]), rtol=1e-12, atol=1e-12)
    one_after_the_other = [prices(one, parts, start) for one, start in zip(singles, one_by_one(starts))]
    np.testing.assert_allclose(prices(search, parts, tuple(starts)), np.transpose(one_after_the_other), rtol=1e-12,
                               atol=1e-12)


def test_a_step_that_goes_beyond_is_cut_short_and_one_that_leaves_much_is_taken_anew_if_it_was_fresh():
    """
    A step ten times too long changes no price; next is the share of it where the slope at its end has nothing left.

    A twentieth leaves more than half: after a fresh step a new one is next, after others half of what is left of it.
    """
    parts = parts_of(TUNNEL)
    search = search_for((9.0, 3.0, 2.0), parts)
    begun = first_look(search, parts, tuple(0.9 * one for one in prices(search, parts, UNKNOWN)))
    move = np.array(begun.move)
    beyond = next_look(begun._replace(move=tuple(10.0 * move)), search, parts)
    assert beyond.price == begun.price and beyond.left == begun.left and beyond.fresh == 0.0
    after, before, later = (_along(10.0 * move, _unmet(begun.price + share * 10.0 * move, search, parts))
                            for share in (1.0, 1.0 - 1e-6, 1.0 + 1e-6))
    assert beyond.move == tuple(10.0 * move) and beyond.share == pytest.approx(1.0 - after / (later - before) * 2e-6)
    for fresh in (1.0, 0.0):
        short = begun._replace(move=tuple(0.1 * move), share=0.5, fresh=fresh)
        after = next_look(short, search, parts)
        assert np.subtract(after.price, begun.price) == pytest.approx(0.05 * move, rel=1e-9)
        assert after.fresh == fresh and after.share == (1.0 if fresh else 0.5)
        anew = _step(after.left, after.price, DAMPING, search)
        assert after.move == pytest.approx(anew if fresh else tuple(0.05 * move), rel=1e-12)


def test_prices_near_by_are_two_whole_steps_on(rng):
    parts = parts_of(FERRY)
    search = search_for((9.0, 3.0, 2.0), parts)
    for start in np.array(prices(search, parts, UNKNOWN)) * rng.uniform(0.8, 1.2, size=(10, 3)):
        once = start + _step(_unmet(start, search, parts), start, DAMPING, search)
        twice = once + _step(_unmet(once, search, parts), once, DAMPING, search)
        price, move, _ = near_prices(search, parts, tuple(start))
        assert price == pytest.approx(twice, rel=1e-10)
        assert move == pytest.approx(_step(_unmet(price, search, parts), price, DAMPING, search), rel=1e-9)
