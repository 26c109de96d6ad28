"""
What the search for the prices of surge, sway and yaw needs, at which the actuators' answers add up to a demand.

They are the Lagrange multipliers of the cheapest allocation: the dual function is concave, its gradient is what is
left of the demand, and its curvature the sum of the answers' slopes. How they are found: `price_search`.
"""

from typing import Any, NamedTuple

from .allocation_answers import weights
from .allocation_reach import reach_all_round, reach_of
from .elementwise import folded, kernel, larger, select, smaller, sqrt

ROUNDING = 4e-16  # of a force is lost for each unit of price times slope
DAMPING = 1e-11
PRIORITY = 100.0  # price of yaw to that of surge, and of surge to that of sway, at which they are given up
DEAREST = 1000.0  # of a typical price: that of sway at which it is given up
# The largest moment of a thruster that may turn leaves no force at all for the rest; a little less leaves some, and is
# found in a few steps: near a curve's end the force falls with the square of the angle.
SHORT_OF_CURVE = 1e-4
NO_REACH = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
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
def size_left(left, search):
    """Return what is left of a demand, N, a moment by the boat's arm."""
    return larger(larger(abs(left[0]), abs(left[1])), abs(left[2]) / search.arm)


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


@kernel
def inverse_of(slopes, damping, search):
    """
    Return the inverse of slopes xx, xy, xn, yy, yn, nn, damped: six numbers in that order.

    One division, and less that waits for what comes before than in `factors_of`; it rounds more, so for a search that
    looks at what is left.
    """
    m_x, m_y, m_n = search.metric
    a, d, f = slopes[0] + damping * m_x, slopes[3] + damping * m_y, slopes[5] + damping * m_n
    b, c, e = slopes[1], slopes[2], slopes[4]
    xx, xy, xn = d * f - e * e, c * e - b * f, b * e - c * d
    share = 1.0 / larger(a * xx + b * xy + c * xn, ROUNDING * (a * d * f))  # positive by theory
    return (share * xx, share * xy, share * xn, share * (a * f - c * c), share * (b * c - a * e),
            share * (a * d - b * b))


@kernel
def solved_at_once(inverse, left):
    """Return the prices that slopes turn into what is left, of their `inverse_of`."""
    xx, xy, xn, yy, yn, nn = inverse
    x, y, n = left
    return xx * x + xy * y + xn * n, xy * x + yy * y + yn * n, xn * x + yn * y + nn * n
