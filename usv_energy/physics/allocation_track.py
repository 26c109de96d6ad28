"""
Allocations one after the other: from prices that are nearly right, without a branch, for many boats at once.

A boat's demand changes little from one period to the next, and where its prices go is foreseen (`price_track`). One
look at the answers' slopes there is enough: a step is taken along them, the answers are asked anew, and what is left of
the demand is given along the same slopes (the chord method: its error is the third power of the first). It counts where
a ten millionth is left at most, each thruster gives power (one that brakes for nothing has another formula), what is
fixed was at no limit that it is not at in the end, and what turns ends below its own.
"""

import math
from typing import Any, NamedTuple

from .allocation_prices import DAMPING, inverse_of, size_left, solved_at_once
from .elementwise import by_part, each, each_in, folded, kernel, select, sqrt

# Of a demand may be left where the last step is taken along slopes that are wrong by its root: 1e-7 times 3e-4.
NEARLY_FOUND = 1e-7


class Force(NamedTuple):
    """
    What a part gives at a price: `x`, `y` N horizontally (`x` along the axis of a fixed one), and its slopes, N^2/W.

    `known`: 0.0, or NaN where the part does not give power in the way that force and slopes are of. These are the same
    formula all the way: where a search passes that on its way to where it holds, it counts none the less.
    """

    x: Any
    y: Any
    xx: Any
    xy: Any
    yy: Any
    known: Any


@kernel
def tracked_forces(search, parts, start):
    """
    Return the force of each part at prices a step on from a start, and these prices.

    :param search: The Search, of `search_on_track`.
    :param parts: A tuple of FixedAxis and of Sector, each a circle.
    :param start: Prices of a demand near by.
    :return: A tuple of pairs, the horizontal force, N, N, of what turns, the thrust, N, and None of what is fixed; 0.0,
        or NaN where these are not what was searched for; the prices, which are the start where nothing was found.
    """
    soft = search.soft
    begun = each_in((start, soft), _force_at, parts)
    slopes = folded(_with_slopes, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, begun), parts, None)
    inverse = inverse_of(slopes, DAMPING, search)
    price = _moved(start, solved_at_once(inverse, _left(search, begun, parts)))
    there = each_in((price, soft), _force_at, parts)
    left = _left(search, there, parts)
    move = solved_at_once(inverse, left)
    price = _moved(price, move)
    given = each_in(move, _force_ahead, begun, there, parts)
    high = ((abs(price[0]) > search.ceilings[0]) | (abs(price[1]) > search.ceilings[1])
            | (abs(price[2]) > search.ceilings[2]))
    found = size_left(left, search) <= NEARLY_FOUND * search.size
    doubt = folded(_with_doubt, select(found, select(high, math.nan, 0.0), math.nan), given, None)
    known = doubt == doubt
    return each(_without_doubt, given), doubt, (select(known, price[0], start[0]), select(known, price[1], start[1]),
                                                select(known, price[2], start[2]))


@kernel
def _moved(price, move):
    return price[0] + move[0], price[1] + move[1], price[2] + move[2]


@kernel
def _force_at(given, part):
    return by_part(part.edges, _force_of_axis, _force_of_circle, part, given[0], given[1])


@kernel
def _force_of_axis(part, price, soft):
    along = part.b_x * price[0] + part.b_y * price[1] + part.b_n * price[2]
    w = along - part.speed
    gain = select(w < 0.0, part.gain_astern, part.gain)
    size = abs(w) + soft
    force = gain * w * size
    low, high = force < part.low, force > part.high
    held = select(low, part.low, select(high, part.high, force))
    gives = abs(along) + soft >= abs(part.speed) * select(along * part.speed > 0.0, 1.0, 0.5)
    return Force(held, None, select(low | high, 0.0, gain * (abs(w) + size)), None, None,
                 select(gives, 0.0, math.nan))


@kernel
def _force_of_circle(edges, part, price, soft):
    x, y = price[0] - price[2] * part.y, price[1] + price[2] * part.x
    w_x, w_y = x - part.u, y - part.v
    square = w_x * w_x + w_y * w_y + soft * soft
    root = sqrt(square)
    even, uneven = part.gain * root, part.gain / square * root  # A division that need not wait for the root.
    gives = 2.0 * (x * x + y * y) - (x * part.u + y * part.v) >= part.u * part.u + part.v * part.v + soft * soft
    return Force(even * w_x, even * w_y, even + uneven * w_x * w_x, uneven * w_x * w_y, even + uneven * w_y * w_y,
                 select(gives, 0.0, math.nan))


@kernel
def _with_slopes(total, part, given):
    force = total[6][0]
    more = by_part(part.edges, _slopes_of_axis, _slopes_of_circle, part, force)
    return (total[0] + more[0], total[1] + more[1], total[2] + more[2], total[3] + more[3], total[4] + more[4],
            total[5] + more[5], total[6][1:])


@kernel
def _slopes_of_axis(part, force):
    x, y, n = force.xx * part.b_x, force.xx * part.b_y, force.xx * part.b_n
    return x * part.b_x, x * part.b_y, x * part.b_n, y * part.b_y, y * part.b_n, n * part.b_n


@kernel
def _slopes_of_circle(edges, part, force):
    xn, yn = part.x * force.xy - part.y * force.xx, part.x * force.yy - part.y * force.xy
    return force.xx, force.xy, xn, force.yy, yn, part.x * yn - part.y * xn


@kernel
def _left(search, forces, parts):
    """Return what forces leave of what is searched for, N, N, N m."""
    return folded(_less_force, (search.demand[0], search.demand[1], search.demand[2], forces), parts, None)[:3]


@kernel
def _less_force(left, part, given):
    x, y, n = by_part(part.edges, _push_of_axis, _push_of_circle, part, left[3][0])
    return left[0] - x, left[1] - y, left[2] - n, left[3][1:]


@kernel
def _push_of_axis(part, force):
    return part.b_x * force.x, part.b_y * force.x, part.b_n * force.x


@kernel
def _push_of_circle(edges, part, force):
    return force.x, force.y, part.x * force.y - part.y * force.x


@kernel
def _force_ahead(move, begun, there, part):
    """Return a force at prices a `move` on from `there`, along the slopes where it was `begun`, with its doubt."""
    return by_part(part.edges, _thrust_ahead, _push_ahead, move, begun, there, part)


@kernel
def _thrust_ahead(move, begun, there, part):
    thrust = there.x + begun.xx * (part.b_x * move[0] + part.b_y * move[1] + part.b_n * move[2])
    same = ((begun.xx == 0.0) == (there.xx == 0.0)) & (thrust >= part.low) & (thrust <= part.high)
    return thrust, None, select(same, there.known, math.nan)


@kernel
def _push_ahead(edges, move, begun, there, part):
    x, y = move[0] - move[2] * part.y, move[1] + move[2] * part.x
    f_x, f_y = there.x + begun.xx * x + begun.xy * y, there.y + begun.xy * x + begun.yy * y
    square = f_x * f_x + f_y * f_y
    turns = (square > 0.0) & (square < part.high * part.high)  # Without a force there is no direction.
    return f_x, f_y, select(turns, there.known, math.nan)


@kernel
def _with_doubt(doubt, force, given):
    return doubt + force[2]


@kernel
def _without_doubt(force):
    return force[0], force[1]
