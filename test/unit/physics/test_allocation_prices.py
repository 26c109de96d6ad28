import math

import numpy as np
import pytest
from arrangements import ANGLED, FERRY, PAIR, SINGLE, TUNNEL, feasible, one_by_one

from usv_energy.physics import allocation_prices
from usv_energy.physics.allocation import UNKNOWN
from usv_energy.physics.allocation_answers import answer, part_of
from usv_energy.physics.allocation_prices import _curvature, prices, search_for


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
