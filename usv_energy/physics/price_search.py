"""
The search for the prices at which the actuators' answers add up to a demand: Newton's method in three unknowns.

Each step is a Newton step, hardly damped, no longer than ten times the prices; where it goes beyond the highest point
along it, the next ones are between. One look of it is a function of its own: a search may go on until it is done, or
those of many boats side by side, a look of all after the other.
"""

import math
from typing import Any, NamedTuple

from .allocation_answers import answer
from .allocation_prices import DAMPING, ROUNDING, factors_of, inverse_of, size_left, solved, solved_at_once
from .elementwise import anywhere, folded, kernel, larger, replaced, select, smaller

MOST_STEPS = 200  # six on average; a hundred where much is given up and many limits are met
CLOSE_ENOUGH = 1e-11  # of a demand may be left
# Of a demand may be left where the last step is taken along the answers' slopes: what that step leaves is some hundred
# times its square.
NEAR_ENOUGH = 1e-6
FLAT = 1e-9  # of a metric: a slope of nothing but rounding


class Look(NamedTuple):
    """
    Where a search stands: prices, W/N, W/N, W/(N m), what they leave of the demand, and the step to the next ones.

    `left`: N, N, N m, and the six slopes, as `_unmet`. `share` of the step is to be taken, (-). `fresh`: 1.0 where half
    of what was left is gone, and a new step is to be taken next, else 0.0. `unsettled`: 1.0 where the search is not
    done, else 0.0.
    """

    price: Any
    left: Any
    move: Any
    share: Any
    fresh: Any
    unsettled: Any


@kernel
def prices(search, parts, start):
    """
    Return the prices of surge and sway force, W/N, and yaw moment, W/(N m), at which parts give what is searched for.

    :param search: The Search.
    :param parts: A tuple of FixedAxis and Sector.
    :param start: Prices to begin with, those of a demand near by: a quarter of the steps are left then; NaN: none.
    """
    look = first_look(search, parts, start)
    steps = 0
    while steps < MOST_STEPS and anywhere(look.unsettled > 0.0):
        look = next_look(look, search, parts)
        steps = steps + 1
    return look.price


@kernel
def first_look(search, parts, start):
    """Return the Look that a search begins with; parameters as `prices`, floats or arrays."""
    return _look_at(replaced(select(_is_known(start), False, True), start, _first_prices, search, parts), search, parts)


@kernel
def first_look_at_once(search, parts, start):
    """Return what `first_look` does, without a branch."""
    return _look_at(_chosen(_is_known(start), start, _first_prices(search, parts)), search, parts)


@kernel
def _is_known(start):
    return (start[0] == start[0]) & (start[1] == start[1]) & (start[2] == start[2])


@kernel
def _look_at(price, search, parts):
    left, one = _unmet(price, search, parts), 1.0 + 0.0 * search.size
    return Look(price, left, _step(left, price, DAMPING, search), one, one, _unsettled(left, price, search))


@kernel
def next_look(look, search, parts):
    """
    Return the Look after one more step; prices that are settled stay, as do those that no step moves any more.

    :param look: The Look; floats or arrays.
    :param search: The Search.
    :param parts: A tuple of FixedAxis and Sector.
    """
    price, left, move, share, none = look.price, look.left, look.move, look.share, 0.0 * search.size
    unsettled = look.unsettled > 0.0
    ahead = price[0] + share * move[0], price[1] + share * move[1], price[2] + share * move[2]
    there = _unmet(ahead, search, parts)
    before, after = _along(move, left), _along(move, there)
    within = after >= -0.1 * before
    fresh = within & ((after <= 0.5 * before) | (look.fresh > 0.0))
    price = _chosen(within & unsettled, ahead, price)
    left = _chosen_of_nine(within & unsettled, there, left)
    back = 1.0 + after / (share * _curvature(move, there) + 1e-100)
    rest = select(within, 1.0 - share, share)
    move = _chosen(fresh, _step(left, price, DAMPING, search), (rest * move[0], rest * move[1], rest * move[2]))
    between = select(within, 0.5 + none, select(back > 0.02, smaller(back, 0.98 + none), 0.1 + none))
    still = (ahead[0] == look.price[0]) & (ahead[1] == look.price[1]) & (ahead[2] == look.price[2])
    return Look(price, left, move, select(fresh, 1.0 + none, between), select(fresh, 1.0 + none, none),
                select(unsettled & select(still, False, True), _unsettled(left, price, search), 0.0))


@kernel
def _unsettled(left, price, search):
    return select(size_left(left, search) > _negligible(left, price, search), 1.0, 0.0)


@kernel
def near_prices(search, parts, start):
    """
    Return prices close to `prices`, two whole Newton steps on from a start, and the step that is left; no branch.

    :param search: The Search.
    :param parts: A tuple of FixedAxis and Sector.
    :param start: Prices of a demand near by.
    :return: The prices, the step, and 0.0 where the answers' slopes are good for that step, NaN where they are not.
    """
    price = _one_step_on(_one_step_on(start, search, parts), search, parts)
    left = _unmet(price, search, parts)
    close = size_left(left, search) <= NEAR_ENOUGH * search.size + _negligible(left, price, search)
    return price, _step_at_once(left, price, search), select(close, 0.0, math.nan)


@kernel
def _one_step_on(price, search, parts):
    move = _step_at_once(_unmet(price, search, parts), price, search)
    return price[0] + move[0], price[1] + move[1], price[2] + move[2]


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
    return _within_room(solved(factors_of(left, damping, search), left), left, price, search)


@kernel
def _step_at_once(left, price, search):
    """Return what `_step` does, hardly damped, by the inverse of the slopes."""
    inverse = inverse_of(left[3:], DAMPING, search)
    return _within_room(solved_at_once(inverse, left[:3]), left, price, search)


@kernel
def _within_room(move, left, price, search):
    x, y, n = move
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
