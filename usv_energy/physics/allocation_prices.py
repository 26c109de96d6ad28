"""
The prices of surge, sway and yaw at which the actuators' answers add up to a demand: Newton's method in three unknowns.

They are the Lagrange multipliers of the cheapest allocation: the dual function is concave, its gradient is what is
left of the demand, and its curvature the sum of the answers' slopes. Each step is a Newton step, hardly damped, no
longer than ten times the prices; where it goes beyond the highest point along it, the next ones are between.
"""

import math
from typing import Any, NamedTuple

from .allocation_answers import answer, weights
from .allocation_reach import reach_all_round, reach_of
from .elementwise import anywhere, folded, kernel, larger, replaced, select, smaller, sqrt

MOST_STEPS = 200  # six on average; a hundred where much is given up and many limits are met
CLOSE_ENOUGH = 1e-11  # of a demand may be left
ROUNDING = 4e-16  # of a force is lost for each unit of price times slope
DAMPING = 1e-11
PRIORITY = 100.0  # price of yaw to that of surge, and of surge to that of sway, at which they are given up
DEAREST = 1000.0  # of a typical price: that of sway at which it is given up
# The largest moment of a thruster that may turn leaves no force at all for the rest; a little less leaves some, and is
# found in a few steps: near a curve's end the force falls with the square of the angle.
SHORT_OF_CURVE = 1e-4
# Of a demand may be left where the last step is taken along the answers' slopes: what that step leaves is some hundred
# times its square.
NEAR_ENOUGH = 1e-6
NO_REACH = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
FLAT = 1e-9  # of a metric: a slope of nothing but rounding
SOFT = 0.01  # of a typical price: forces below are linear in it


class Search(NamedTuple):
    """
    What a search for prices needs: the demand within reach, N, N, N m; ceilings of prices; and scales.

    `slopes`: how fast a demand is given up above them, N^2/W, N^2/W, (N m)^2/W: all of it at twice a ceiling.
    `metric`: a slope for each price, N^2/W, N^2/W, (N m)^2/W. `size`: of the demand, N. `arm`: of the boat, m. `soft`:
    see `answer`. `price`: typical, W/N.
    """

    demand: Any
    ceilings: Any
    slopes: Any
    metric: Any
    size: Any
    arm: Any
    soft: Any
    price: Any


@kernel
def search_for(demand, parts):
    """
    Return the Search for the prices at which parts give a demand, or as much of each of its three as can be had alone.

    :param demand: Surge force N, sway force N, yaw moment N m; floats or arrays.
    :param parts: A tuple of FixedAxis and Sector.
    """
    return search_of(_within(folded(_with_reach, NO_REACH, parts, None), demand), parts)


@kernel
def near_search_for(demand, parts):
    """Return the Search of `search_for`, without a branch; every Sector is a circle."""
    return search_of(_within(folded(_with_reach_all_round, NO_REACH, parts, None), demand), parts)


@kernel
def search_on_track(demand, parts):
    """Return the Search of `near_search_for`, but for a surge or a moment beyond reach, which it does not look at."""
    reach = folded(_with_reach_all_round, NO_REACH, parts, None)
    return search_of((demand[0], smaller(larger(demand[1], reach[2]), reach[3]), demand[2]), parts)


@kernel
def _within(reach, demand):
    return (smaller(larger(demand[0], reach[0]), reach[1]), smaller(larger(demand[1], reach[2]), reach[3]),
            select(demand[2] > reach[5], reach[7], select(demand[2] < reach[4], reach[6], demand[2])))


@kernel
def search_of(demand, parts):
    """Return the Search of `search_for` for a demand that is within reach."""
    none = 0.0
    x, y, n = demand
    gain, least, speed, g_x, g_y, g_n, most = folded(
        _with_gain, (none, none + 1e300, none, none, none, none, none), parts, None)
    arm = sqrt(g_n / (g_x + g_y)) + 1e-6
    size = abs(x) + abs(y) + abs(n) / arm
    price = sqrt((size + 1e-9 * most + 1e-300) / gain) + sqrt(speed)
    sway = DEAREST * price * sqrt(gain / least)
    rest = 1e-6 * gain
    metric = price * (g_x + rest), price * (g_y + rest), price * (g_n + rest * arm * arm)
    slope = size / sway
    slopes = slope / PRIORITY, slope, slope * arm * arm / (PRIORITY * PRIORITY)
    return Search((x, y, n), (PRIORITY * sway, sway, PRIORITY * PRIORITY * sway / arm), slopes, metric, size, arm,
                  SOFT * price, price)


@kernel
def _with_reach(total, part, given):
    """Return least and largest surge, sway and yaw, and what is asked for of a yaw beyond."""
    return _sum_of_eight(total, reach_of(part, SHORT_OF_CURVE))


@kernel
def _with_reach_all_round(total, part, given):
    return _sum_of_eight(total, reach_all_round(part, SHORT_OF_CURVE))


@kernel
def _sum_of_eight(total, more):
    return (total[0] + more[0], total[1] + more[1], total[2] + more[2], total[3] + more[3], total[4] + more[4],
            total[5] + more[5], total[6] + more[6], total[7] + more[7])


@kernel
def _with_gain(total, part, given):
    """Return the sum of gains, their least, the largest squared speed, sums of gains times squared arms, of limits."""
    gain, speed, x, y, n, limit = weights(part)
    return (total[0] + gain, smaller(total[1], gain), larger(total[2], speed),
            total[3] + gain * x, total[4] + gain * y, total[5] + gain * n, total[6] + limit)


@kernel
def prices(search, parts, start):
    """
    Return the prices of surge and sway force, W/N, and yaw moment, W/(N m), at which parts give what is searched for.

    :param search: The Search.
    :param parts: A tuple of FixedAxis and Sector.
    :param start: Prices to begin with, those of a demand near by: a quarter of the steps are left then; NaN: none.
    """
    none = 0.0 * search.size
    known = (start[0] == start[0]) & (start[1] == start[1]) & (start[2] == start[2])
    price = replaced(select(known, False, True), start, _first_prices, search, parts)
    left = _unmet(price, search, parts)
    move = _step(left, price, DAMPING, search)
    share = 1.0 + none
    fresh = share > 0.0
    unsettled = size_left(left, search) > _negligible(left, price, search)
    steps = 0
    while steps < MOST_STEPS and anywhere(unsettled):
        ahead = price[0] + share * move[0], price[1] + share * move[1], price[2] + share * move[2]
        there = _unmet(ahead, search, parts)
        before, after = _along(move, left), _along(move, there)
        within = after >= -0.1 * before
        fresh = within & ((after <= 0.5 * before) | fresh)
        price = _chosen(within & unsettled, ahead, price)
        left = _chosen_of_nine(within & unsettled, there, left)
        back = 1.0 + after / (share * _curvature(move, there) + 1e-100)
        rest = select(within, 1.0 - share, share)
        move = _chosen(fresh, _step(left, price, DAMPING, search), (rest * move[0], rest * move[1], rest * move[2]))
        between = select(within, 0.5 + none, select(back > 0.02, smaller(back, 0.98 + none), 0.1 + none))
        share = select(fresh, 1.0 + none, between)
        unsettled = size_left(left, search) > _negligible(left, price, search)
        steps = steps + 1
    return price


@kernel
def near_prices(search, parts, start):
    """
    Return prices close to `prices`, one whole Newton step on from a start, and the step that is left; without a branch.

    :param search: The Search.
    :param parts: A tuple of FixedAxis and Sector.
    :param start: Prices of a demand near by.
    :return: The prices, the step, and 0.0 where the answers' slopes are good for that step, NaN where they are not.
    """
    move = _step(_unmet(start, search, parts), start, DAMPING, search)
    price = start[0] + move[0], start[1] + move[1], start[2] + move[2]
    left = _unmet(price, search, parts)
    close = size_left(left, search) <= NEAR_ENOUGH * search.size + _negligible(left, price, search)
    return price, _step(left, price, DAMPING, search), select(close, 0.0, math.nan)


@kernel
def _first_prices(search, parts):
    none = 0.0 * search.size
    return _step(_unmet((none, none, none), search, parts), (none, none, none), 1.0, search)


@kernel
def _along(move, left):
    """Return what is left of a demand along a step of the prices: how fast the dual function rises there."""
    return move[0] * left[0] + move[1] * left[1] + move[2] * left[2]


@kernel
def _curvature(move, left):
    """Return how fast that falls along the step."""
    return (move[0] * (left[3] * move[0] + 2.0 * (left[4] * move[1] + left[5] * move[2]))
            + move[1] * (left[6] * move[1] + 2.0 * left[7] * move[2]) + left[8] * move[2] * move[2])


@kernel
def size_left(left, search):
    """Return what is left of a demand, N, a moment by the boat's arm."""
    return larger(larger(abs(left[0]), abs(left[1])), abs(left[2]) / search.arm)


@kernel
def _negligible(left, price, search):
    """Return what of a demand need not be met, N: a small part of it, and what prices so high cannot tell apart."""
    high = abs(price[0]) * left[3] + abs(price[1]) * left[6] + abs(price[2]) * left[8] / search.arm
    return CLOSE_ENOUGH * search.size + ROUNDING * high


@kernel
def _chosen(condition, yes, no):
    return select(condition, yes[0], no[0]), select(condition, yes[1], no[1]), select(condition, yes[2], no[2])


@kernel
def _chosen_of_nine(condition, yes, no):
    a, b, c = _chosen(condition, yes[:3], no[:3])
    d, e, f = _chosen(condition, yes[3:6], no[3:6])
    g, h, i = _chosen(condition, yes[6:], no[6:])
    return a, b, c, d, e, f, g, h, i


@kernel
def _unmet(price, search, parts):
    """Return what prices leave of a demand, N, N, N m, and the six slopes of what is given with the prices."""
    none = 0.0 * search.size
    given = folded(_with_answer, (none, none, none, none, none, none, none, none, none), parts, (price, search.soft))
    x, x_slope = _given_up(price[0], search.ceilings[0], search.slopes[0])
    y, y_slope = _given_up(price[1], search.ceilings[1], search.slopes[1])
    n, n_slope = _given_up(price[2], search.ceilings[2], search.slopes[2])
    return (search.demand[0] - given[0] - x, search.demand[1] - given[1] - y, search.demand[2] - given[2] - n,
            given[3] + x_slope, given[4], given[5], given[6] + y_slope, given[7], given[8] + n_slope)


@kernel
def _with_answer(total, part, given):
    more = answer(part, given[0], given[1])
    return (total[0] + more[0], total[1] + more[1], total[2] + more[2], total[3] + more[3], total[4] + more[4],
            total[5] + more[5], total[6] + more[6], total[7] + more[7], total[8] + more[8])


@kernel
def _given_up(price, ceiling, slope):
    """Return how much of a demand is given up at a price, none below a ceiling, and the slope of that."""
    over = abs(price) - ceiling
    return (select(over > 0.0, select(price > 0.0, over, -over) * slope, 0.0 * price),
            select(over > 0.0, slope, 0.0 * price))


@kernel
def _step(left, price, damping, search):
    """
    Return Newton's step of the prices, damped, and shortened to ten times their size.

    A price to which nothing answers goes to where all is given up at most: what is sought is between its ceiling and
    there, and it has no part in the others.
    """
    x, y, n = solved(factors_of(left, damping, search), left)
    x = _to_giving_up(x, price[0], left[3], search.metric[0], search.ceilings[0])
    y = _to_giving_up(y, price[1], left[6], search.metric[1], search.ceilings[1])
    n = _to_giving_up(n, price[2], left[8], search.metric[2], search.ceilings[2])
    room = 10.0 * (abs(price[0]) + abs(price[1]) + abs(price[2]) * search.arm + search.price)
    share = smaller(1.0, room / (abs(x) + abs(y) + abs(n) * search.arm + 1e-100))
    return share * x, share * y, share * n


@kernel
def _to_giving_up(move, price, slope, metric, ceiling):
    most = 2.0 * ceiling
    return select(slope > FLAT * metric, move, smaller(larger(price + move, -most), most) - price)


@kernel
def factors_of(left, damping, search):
    """Return what `solved` takes of slopes, which stand behind what is left, xx, xy, xn, yy, yn, nn, damped."""
    m_x, m_y, m_n = search.metric
    a, d, f = left[3] + damping * m_x, left[6] + damping * m_y, left[8] + damping * m_n
    b, c, e = left[4], left[5], left[7]
    by_a = 1.0 / a
    l_b, l_c = b * by_a, c * by_a
    by_d = 1.0 / larger(d - l_b * b, ROUNDING * d)  # positive by theory
    t = e - l_b * c
    l_e = t * by_d
    return by_a, by_d, 1.0 / larger(f - l_c * c - l_e * t, ROUNDING * f), l_b, l_c, l_e


@kernel
def solved(factors, left):
    """Return the prices that slopes turn into what is left, of their `factors_of` (L D L^T)."""
    by_a, by_d, by_f, l_b, l_c, l_e = factors
    y = left[1] - l_b * left[0]
    n = (left[2] - l_c * left[0] - l_e * y) * by_f
    y = y * by_d - l_e * n
    return left[0] * by_a - l_b * y - l_c * n, y, n
