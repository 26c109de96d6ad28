import math

import numpy as np
import pytest
from arrangements import FERRY, PAIR, TUNNEL, fixed, parts_of
from usv_energy.allocation.allocation_prices import (
    DEAREST,
    NO_REACH,
    PRIORITY,
    ROUNDING,
    _with_reach,
    factors_of,
    inverse_of,
    search_for,
    size_left,
    solved,
    solved_at_once,
)
from usv_energy.allocation.price_search import _given_up

from usv_energy.physics.elementwise import folded


def test_what_cannot_be_had_alone_is_not_searched_for():
    """Two propellers side by side: 23 N, no sway, and 11.5 N twice on an arm of 0.3 m."""
    search = search_for((99.0, -8.0, 99.0), parts_of(PAIR))
    assert search.demand == pytest.approx((23.0, 0.0, 6.9))
    assert search_for((-99.0, 8.0, -99.0), parts_of(PAIR)).demand == pytest.approx((-23.0, 0.0, -6.9))
    assert search_for((9.0, 0.0, 1.0), parts_of(PAIR)).demand == (9.0, 0.0, 1.0)


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


def test_scales_without_a_demand_and_in_a_direction_that_no_thruster_gives():
    """Nothing asked for: a billionth of the limit sets the price. A millionth of the gain is what nobody has."""
    one = fixed(0.0, 0.0, 0.0, -9.0, 21.0, 2.0)
    gain = 4.0 / 9.0 / 4.0
    idle = search_for((0.0, 0.0, 0.0), parts_of((one,)))
    assert (idle.size, idle.price) == (0.0, pytest.approx(math.sqrt(1e-9 * 21.0 / gain), rel=1e-9))
    asked = search_for((4.0, 0.0, 0.0), parts_of((one,)))
    assert asked.arm == pytest.approx(1e-6, rel=1e-9)
    assert asked.metric == pytest.approx(asked.price * gain * np.array([1.000001, 1e-6, 1e-6 * 1e-12]), rel=1e-9)


def test_what_is_left_is_measured_as_a_force():
    """The largest of two forces and of the moment over the arm."""
    search = search_for((9.0, 3.0, 2.0), parts_of(TUNNEL))._replace(arm=0.5)
    assert [size_left(left, search) for left in ((-7.0, 2.0, 1.0, 8.0, 9.0), (1.0, -7.0, 2.0, 0.0), (3.0, 3.0, -3.5))] \
        == [7.0, 7.0, 7.0]


@pytest.mark.parametrize('damping', [1e-11, 1.0])
def test_prices_are_solved_for_with_the_damped_slopes(rng, damping):
    """(S + damping M) price = left, S positive, its upper half behind what is left."""
    search = search_for((9.0, 3.0, 2.0), parts_of(TUNNEL))
    for _ in range(20):
        half = rng.normal(size=(3, 3))
        slopes, rest = half @ half.T + 0.1 * np.eye(3), rng.normal(size=3)
        left = (*rest, *slopes[0], *slopes[1, 1:], slopes[2, 2])
        whole = np.linalg.solve(slopes + damping * np.diag(search.metric), rest)
        assert solved(factors_of(left, damping, search), left) == pytest.approx(whole, rel=1e-9)


def test_an_inverse_at_once_is_that_of_the_damped_slopes(rng):
    """And of slopes that nothing answers to, damping alone: as large a step as by factors."""
    search = search_for((9.0, 3.0, 2.0), parts_of(TUNNEL))
    for damping in (0.0, 1e-11, 0.3):
        root = rng.normal(0.0, 1.0, (3, 3))
        matrix = root @ root.T + np.diag(0.1 * np.array(search.metric))
        slopes = tuple(matrix[np.triu_indices(3)].tolist())
        left = tuple(rng.normal(0.0, 1.0, 3).tolist())
        whole = np.linalg.solve(matrix + damping * np.diag(search.metric), left)
        assert solved_at_once(inverse_of(slopes, damping, search), left) == pytest.approx(whole, rel=1e-9)
    flat = 4.0, 0.0, 0.0, 0.0, 0.0, 1.0
    left = 1.0, 2.0, 3.0
    assert solved_at_once(inverse_of(flat, 1e-11, search), left) == pytest.approx(
        solved(factors_of((0.0, 0.0, 0.0, *flat), 1e-11, search), left), rel=1e-6)


def test_a_direction_that_no_thruster_gives_has_a_slope_of_what_is_lost_by_rounding():
    """Of two equal rows nothing is left but ROUNDING of the slope."""
    search = search_for((9.0, 3.0, 2.0), parts_of(TUNNEL))
    for rest, slopes, place in (((1.0, 2.0, 0.0), (4.0, 4.0, 0.0, 4.0, 0.0, 1.0), 1),
                                ((1.0, 0.0, 2.0), (4.0, 0.0, 4.0, 1.0, 0.0, 4.0), 2)):
        left = (*rest, *slopes)
        found = solved(factors_of(left, 0.0, search), left)
        assert found[place] == pytest.approx(1.0 / (ROUNDING * 4.0), rel=1e-9)
        assert found[0] == pytest.approx(-found[place], rel=1e-9)


def test_the_largest_moment_itself_can_be_asked_for_what_is_beyond_ends_short_of_it():
    """What turns leaves no force at all at its largest moment: beyond it a little less is searched for."""
    parts = parts_of(FERRY)
    most = search_for((0.0, 0.0, 1e9), parts).demand[2]
    reach = folded(_with_reach, NO_REACH, parts, None)
    assert most == reach[7] < reach[5] and -most == reach[6] > reach[4]
    for edge in reach[4:6]:
        assert search_for((0.0, 0.0, edge), parts).demand[2] == edge
        assert abs(search_for((0.0, 0.0, edge * (1.0 + 1e-9)), parts).demand[2]) == most
