"""The search for multipliers: what is searched for, its scales, and that it ends soon where the demand is met."""

import math

import numpy as np
import pytest
from arrangements import (
    ANGLED,
    ARRANGEMENTS,
    FERRY,
    PAIR,
    SINGLE,
    TUNNEL,
    allocated,
    feasible,
    fixed,
    one_by_one,
    parts_of,
    wild,
)

from usv_energy.allocation import search as search_module
from usv_energy.allocation.allocate import NO_START, force_of
from usv_energy.allocation.responses import reach_of_actuator, response
from usv_energy.allocation.search import multipliers_of, search_for


def given_at(multipliers, search, parts):
    """Return what parts give together, N, N, N m, at multipliers."""
    return np.sum([response(part, multipliers, search.soft)[:3] for part in parts], axis=0)


def left_at(multipliers, search, parts):
    """Return the largest residual of a demand, N or N m, at multipliers."""
    return np.abs(given_at(multipliers, search, parts) - search.demand).max()


def found_from(start, demand, parts):
    return multipliers_of(search_for(demand, parts), parts, start)


def test_what_cannot_be_had_alone_is_not_searched_for():
    """Two propellers side by side: 23 N, no sway, and 11.5 N twice on an arm of 0.3 m."""
    parts = parts_of(PAIR)
    assert search_for((99.0, -8.0, 99.0), parts).demand == pytest.approx((23.0, 0.0, 6.9))
    assert search_for((-99.0, 8.0, -99.0), parts).demand == pytest.approx((-23.0, 0.0, -6.9))
    assert search_for((9.0, 0.0, 1.0), parts).demand == (9.0, 0.0, 1.0)


def test_the_largest_moment_itself_can_be_asked_for_what_is_beyond_ends_short_of_it():
    """What turns leaves no force at all at its largest moment: beyond it a little less is searched for."""
    parts = parts_of(FERRY)
    most = search_for((0.0, 0.0, 1e9), parts).demand[2]
    edge = sum(reach_of_actuator(part, 0.0)[5] for part in parts)
    assert edge == pytest.approx(4.0 * 500.0 * math.hypot(1.8, 0.8)) and 0.999 * edge < most < edge
    for way in (1.0, -1.0):
        assert search_for((0.0, 0.0, way * edge), parts).demand[2] == way * edge
        assert search_for((0.0, 0.0, way * edge * (1.0 + 1e-9)), parts).demand[2] == way * most


def test_the_scales_of_a_search_are_those_of_its_thrusters_and_demand():
    """
    Gains are 4 / (9 cost^2), the arm is weighed by them; a force F has the multiplier (F / gain)^0.5 and the speed.

    Sway is given up at a thousand typical multipliers, surge at a hundred times that, yaw at a hundred times more.
    """
    pair = (fixed(0.5, 0.0, 90.0, -9.0, 9.0, 2.0), fixed(-0.4, 0.3, 0.0, -20.0, 20.0, 1.0)._replace(u=0.7))
    search = search_for((3.0, -2.0, 0.5), parts_of(pair))
    gains = 4.0 / 9.0 / np.array([4.0, 1.0])
    arm = math.sqrt((gains[0] * 0.25 + gains[1] * 0.09) / gains.sum())
    assert search.arm == pytest.approx(arm, rel=1e-4) and search.size == pytest.approx(5.0 + 0.5 / arm, rel=1e-5)
    assert search.typical == pytest.approx(math.sqrt(search.size / gains.sum()) + 0.7, rel=1e-6)
    assert search.soft == pytest.approx(0.01 * search.typical) and search.demand == (3.0, -2.0, 0.5)
    sway = 1000.0 * search.typical * math.sqrt(gains.sum() / gains[0])
    assert search.bounds == pytest.approx((100.0 * sway, sway, 100.0 ** 2 * sway / search.arm))


def test_nothing_asked_for_has_a_scale_too():
    """A billionth of the limit sets the typical multiplier."""
    idle = search_for((0.0, 0.0, 0.0), parts_of((fixed(0.0, 0.0, 0.0, -9.0, 21.0, 2.0),)))
    assert (idle.size, idle.typical) == (0.0, pytest.approx(math.sqrt(1e-9 * 21.0 * 9.0), rel=1e-9))


def test_a_single_thruster_is_paid_its_slope():
    """10 N at 1 W/N^1.5 is worth 1.5 * 10^0.5 W/N; what is smoothed near 0 takes a little from it."""
    parts = parts_of((SINGLE[0]._replace(high=50.0),))
    assert found_from(NO_START, (10.0, 0.0, 0.0), parts)[0] == pytest.approx(1.5 * math.sqrt(10.0), rel=0.006)


@pytest.mark.parametrize('actuators', [PAIR, ANGLED, FERRY])
def test_at_the_multipliers_the_responses_add_up_to_the_demand(rng, actuators):
    parts = parts_of(actuators)
    for demand in one_by_one(feasible(rng, actuators, 50)):
        search = search_for(demand, parts)
        assert left_at(multipliers_of(search, parts, NO_START), search, parts) < 1e-10 * (1.0 + search.size)


def test_multipliers_grow_with_the_root_of_a_demand():
    """A cost of T^1.5 has a slope of T^0.5: four times the force at twice the multipliers, where no limit is met."""
    parts = parts_of(ANGLED)
    once, four = (found_from(NO_START, (3.0 * size, 1.0 * size, 0.4 * size), parts) for size in (1.0, 4.0))
    assert four == pytest.approx(tuple(2.0 * one for one in once), rel=1e-6)


@pytest.mark.parametrize('actuators', [PAIR, ANGLED, TUNNEL, FERRY])
def test_a_demand_within_reach_takes_few_steps(rng, actuators, monkeypatch):
    """Newton's method: three quarters of all demands are met within eight steps, all within thirty."""
    parts = parts_of(actuators)
    searches = [search_for(demand, parts) for demand in one_by_one(feasible(rng, actuators, 40))]

    def met(steps):
        monkeypatch.setattr(search_module, 'MAX_STEPS', steps)
        return np.mean([left_at(multipliers_of(one, parts, NO_START), one, parts) <= 1e-9 * one.size
                        for one in searches])

    assert met(8) >= 0.75 and met(30) == 1.0


def test_a_search_ends_after_so_many_steps_whatever_is_left(monkeypatch):
    """A node must answer in time: after one step multipliers are not yet those of the demand, after 200 they are."""
    parts = parts_of(TUNNEL)
    search = search_for((60.0, -20.0, 9.0), parts)
    assert left_at(multipliers_of(search, parts, NO_START), search, parts) < 1e-9 * search.size
    monkeypatch.setattr(search_module, 'MAX_STEPS', 1)
    assert left_at(multipliers_of(search, parts, NO_START), search, parts) > 1e-4 * search.size


@pytest.mark.parametrize('start', [
    (math.nan, 1.0, 1.0), (1.0, math.nan, 1.0), (1.0, 1.0, math.nan), (1e40, 1.0, 1.0), (1.0, 1.0, -1e40)])
def test_a_start_of_no_use_does_no_harm(start):
    parts, demand = parts_of(TUNNEL), (9.0, 3.0, 2.0)
    assert found_from(start, demand, parts) == pytest.approx(found_from(NO_START, demand, parts), rel=1e-9)


@pytest.mark.parametrize('actuators', [ANGLED, TUNNEL, FERRY])
def test_the_multipliers_of_a_demand_near_by_are_a_good_start(rng, actuators, monkeypatch):
    """From them, two steps meet a demand that is a ten-thousandth larger."""
    parts = parts_of(actuators)
    for demand in one_by_one(feasible(rng, actuators, 20))[:8]:
        demand = tuple(0.5 * one for one in demand)
        monkeypatch.setattr(search_module, 'MAX_STEPS', 200)
        start = found_from(NO_START, demand, parts)
        search = search_for(tuple(1.0001 * one for one in demand), parts)
        monkeypatch.setattr(search_module, 'MAX_STEPS', 2)
        assert left_at(multipliers_of(search, parts, start), search, parts) <= 1e-7 * search.size


@pytest.mark.parametrize('actuators', [PAIR, ANGLED, TUNNEL, FERRY])
def test_a_search_converges_as_newtons_method_does(actuators, monkeypatch):
    """One step from starts ten times nearer each leaves a hundredth of the residual."""
    parts = parts_of(actuators)
    demand = force_of(tuple(0.4 * one.high for one in actuators), tuple(one.azimuth and 0.3 for one in actuators),
                      actuators)
    search = search_for(tuple(map(float, demand)), parts)
    exact = np.array(multipliers_of(search, parts, NO_START))
    monkeypatch.setattr(search_module, 'MAX_STEPS', 1)
    coarse, fine = (left_at(multipliers_of(search, parts, tuple(exact * (1.0 + share))), search, parts)
                    for share in (3e-2, 3e-3))
    assert coarse > 50.0 * fine and coarse < 0.03 * search.size


def test_a_sway_just_beyond_reach_is_given_up_in_a_few_steps(monkeypatch):
    """At its limit the bow thruster responds to no multiplier of sway; a step beyond the bound was halved ten times."""
    parts = parts_of(TUNNEL)
    low = sum(min(part.low * part.b_y, part.high * part.b_y) for part in parts)
    demand = 4.0, 0.9999 * low, 0.5
    start, expected = found_from(NO_START, (4.0, 0.99 * low, 0.5), parts), found_from(NO_START, demand, parts)
    monkeypatch.setattr(search_module, 'MAX_STEPS', 8)
    assert found_from(start, demand, parts) == pytest.approx(expected, rel=1e-6)


def test_multipliers_that_nothing_responds_to_go_to_where_all_is_given_up():
    """A tunnel thruster whose limit is less than the sway asked for: the surge and the yaw are had all the same."""
    demand = 4.0, -500.0, 0.5
    given = force_of(*allocated(demand, TUNNEL), TUNNEL)
    assert given[0] == pytest.approx(4.0, rel=1e-9) and given[2] == pytest.approx(0.5, rel=1e-9)
    search = search_for(demand, parts_of(TUNNEL))
    found = multipliers_of(search, parts_of(TUNNEL), NO_START)
    assert search.bounds[1] < -found[1] <= 2.0 * search.bounds[1]


def test_thrusters_that_can_do_nothing_have_multipliers():
    parts = parts_of((fixed(0.0, 0.2, 0.0, 0.0, 0.0, 2.0), fixed(0.0, -0.2, 0.0, 0.0, 0.0, 2.0)))
    assert search_for((5.0, 1.0, 1.0), parts).demand == (0.0, 0.0, 0.0)
    assert found_from(NO_START, (5.0, 1.0, 1.0), parts) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize('actuators', ARRANGEMENTS.values(), ids=ARRANGEMENTS)
def test_many_demands_at_once_are_searched_for_as_one_by_one(rng, actuators):
    """Starts of which some are none; demands that can be given and such that cannot; what is done early waits."""
    parts = parts_of(actuators)
    demands = [np.concatenate(both) for both in zip(feasible(rng, actuators, 6), wild(rng, actuators, 6))]
    starts = rng.normal(size=(3, 12))
    starts[0, ::3] = math.nan
    alone = [found_from(start, demand, parts) for start, demand in zip(one_by_one(starts), one_by_one(demands))]
    np.testing.assert_allclose(found_from(tuple(starts), tuple(demands), parts), np.transpose(alone), rtol=1e-12,
                               atol=1e-12)
