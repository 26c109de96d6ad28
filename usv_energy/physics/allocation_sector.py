"""
What an azimuth thruster gives at the least cost for a price of force: all round, in a range of angles, at its limit.

It gives the F that makes price . F - P(F) greatest, P = max(0, p(|F|) + u . F), where p is nearly cost |F|^1.5 and u
the velocity of its place through the water. The largest is the least of theta G(price / theta - u) over theta from 0
to 1, where G is the conjugate of p (the maximum of two convex functions is that of their mixtures). Below 1, the price
is lengthened to tau times it, tau = 1 / theta, until the thruster just brakes for nothing. With
G(w) = gain / 3 (w^2 + soft^2)^1.5, the force is F = gain w sqrt(w^2 + soft^2), linear in w below `soft`, and tau is the
root of 2 tau^2 price^2 - tau u . price - (u^2 + soft^2) = 0; it is at most 1 + |u| / soft. On the edge of a range all
of these are components along the edge. What is found is the gradient of a convex function, so its slopes are symmetric.
"""

from .elementwise import by_part, kernel, larger, replaced, select, smaller, sqrt

TINY = 1e-300  # keeps a division by nothing from being one
ROUNDING = 1e-12  # of a limit's square


@kernel
def in_sector(part, price, soft):
    """
    Return a Sector's force, where it points, and how it changes with the price of a horizontal force at its place.

    :param part: The Sector.
    :param price: Of surge and sway force, W/N, and of yaw moment, W/(N m); floats or arrays.
    :param soft: Price, W/N, below which forces are smoothed to be linear in it.
    :return: Force, N, N; a vector of its direction, of any length, also where it is 0; the derivatives xx, xy, yy of
        the force, N^2/W.
    """
    x, y = price[0] - price[2] * part.y, price[1] + price[2] * part.x
    found = _all_round(part, x, y, soft)
    return by_part(part.circle, _as_found, _within_range, found, part, x, y, soft)


@kernel
def brakes_at_limit(part, price, soft):
    """Return whether a circle's thruster has its limit where it brakes for nothing, which `in_sector` leaves out."""
    x, y = price[0] - price[2] * part.y, price[1] + price[2] * part.x
    f_x, f_y, w_x, w_y, _, _, _ = _all_round(part, x, y, soft)
    return is_at_limit(part, f_x, f_y) & _is_for_nothing(part, w_x, w_y, soft)


@kernel
def is_at_limit(part, f_x, f_y):
    """Return whether a horizontal force, N, N, is all that a Sector can give, but for rounding."""
    return f_x * f_x + f_y * f_y >= (1.0 - ROUNDING) * part.high * part.high


@kernel
def _as_found(found, part, x, y, soft):
    return found


@kernel
def _all_round(part, x, y, soft):
    """Return what `in_sector` does of a circle, but where its limit is met while it brakes for nothing."""
    most = _longest(part, soft)
    stretch = _stretch(x * x + y * y, x * part.u + y * part.v, part.speed * part.speed, most, soft)
    w_x, w_y = stretch * x - part.u, stretch * y - part.v
    square = w_x * w_x + w_y * w_y
    smooth = square + soft * soft
    held = part.gain * part.gain * smooth * square >= part.high * part.high
    root = sqrt(select(held, square, smooth) + TINY)
    inverse = 1.0 / root
    slope = select(held, part.high * inverse, part.gain * root)
    even = slope * stretch
    uneven = stretch * select(held, -slope * inverse * inverse, part.gain * inverse)
    # Where the stretch is between its ends, the force does not change along the price: what is left is across it.
    free = (stretch > 1.0) & (stretch < most)
    price, work = x * x + y * y, w_x * x + w_y * y
    across = even * (even + uneven * square) / (even * price + uneven * work * work + TINY)
    even, uneven = select(free, across * price, even), select(free, -across, uneven)
    d_x, d_y = select(free, x, w_x), select(free, y, w_y)
    return (slope * w_x, slope * w_y, w_x, w_y,
            even + uneven * d_x * d_x, uneven * d_x * d_y, even + uneven * d_y * d_y)


@kernel
def _longest(part, soft):
    """Return the largest tau (module's docstring): forces for nothing are linear in prices below about `soft`, too."""
    return 1.0 + part.speed / (soft + TINY)


@kernel
def _stretch(price, work, speed, most, soft):
    """Return tau of the squares of a price and of a speed, of the product of both as vectors, and of its largest."""
    root = sqrt(work * work + 8.0 * price * (speed + soft * soft))
    return larger(smaller(0.25 * (work + root) / (price + TINY), most), 1.0)


@kernel
def _within_range(circle, found, part, x, y, soft):
    """Return what `in_sector` does, of what `_all_round` found."""
    braking = part.u * found[2] + part.v * found[3] < 0.0
    found = replaced(braking & is_at_limit(part, found[0], found[1]), found, _at_limit, found, part, x, y, soft)
    return replaced(select(circle, False, True), found, _between_edges, found, part, x, y, soft)


@kernel
def _price_of_limit(part, soft):
    """Return what a thruster's limit costs at rest, W/N: that speed backwards along its thrust gives it for nothing."""
    force = part.high / part.gain
    square = larger(0.5 * (sqrt(soft * soft * soft * soft + 4.0 * force * force) - soft * soft), 0.0)
    root = square + soft * soft
    return sqrt(square) - root * sqrt(root) / (3.0 * force + TINY)


@kernel
def _is_for_nothing(part, w_x, w_y, soft):
    """Return whether all of a thruster's limit in a direction costs nothing."""
    return part.u * w_x + part.v * w_y < -_price_of_limit(part, soft) * sqrt(w_x * w_x + w_y * w_y)


@kernel
def _at_limit(found, part, x, y, soft):
    """
    Return what `in_sector` does of a circle at its limit.

    Where that is for nothing, it turns as far towards the price as that holds: theta is 0, or the power is.
    """
    idle = _is_for_nothing(part, found[2], found[3], soft)
    most = _longest(part, soft)
    w_x, w_y = most * x - part.u, most * y - part.v
    still = idle & _is_for_nothing(part, w_x, w_y, soft)
    slope = part.high / (sqrt(w_x * w_x + w_y * w_y) + TINY)
    even = slope * most
    uneven = -even / (w_x * w_x + w_y * w_y + TINY)
    along = -larger(smaller(_price_of_limit(part, soft) / (part.speed + TINY), 1.0), -1.0)
    across = select(part.u * y - part.v * x < 0.0, -1.0, 1.0) * sqrt(1.0 - along * along)
    d_x, d_y = along * part.u - across * part.v, along * part.v + across * part.u
    end = part.high / (part.speed + TINY)
    return (select(idle, select(still, slope * w_x, end * d_x), found[0]),
            select(idle, select(still, slope * w_y, end * d_y), found[1]),
            select(idle, select(still, w_x, d_x), found[2]), select(idle, select(still, w_y, d_y), found[3]),
            select(idle, select(still, even + uneven * w_x * w_x, 0.0), found[4]),
            select(idle, select(still, uneven * w_x * w_y, 0.0), found[5]),
            select(idle, select(still, even + uneven * w_y * w_y, 0.0), found[6]))


@kernel
def _between_edges(found, part, x, y, soft):
    """Return what `in_sector` does of a range of angles: what is best all round, or on the better of its edges."""
    edges = part.edges
    inside = (edges[0] * found[3] - edges[1] * found[2] >= 0.0) & (found[2] * edges[3] - found[3] * edges[2] >= 0.0)
    size, slope, worth = _on_edge(edges[0], edges[1], part, x, y, soft)
    other, other_slope, other_worth = _on_edge(edges[2], edges[3], part, x, y, soft)
    first = worth >= other_worth
    e_x, e_y = select(first, edges[0], edges[2]), select(first, edges[1], edges[3])
    size, slope = select(first, size, other), select(first, slope, other_slope)
    return (select(inside, found[0], size * e_x), select(inside, found[1], size * e_y),
            select(inside, found[2], e_x), select(inside, found[3], e_y),
            select(inside, found[4], slope * e_x * e_x), select(inside, found[5], slope * e_x * e_y),
            select(inside, found[6], slope * e_y * e_y))


@kernel
def _on_edge(e_x, e_y, part, x, y, soft):
    """Return the force along an edge that is best there, N, its derivative with the price along it, and worth, W."""
    along, speed = x * e_x + y * e_y, part.u * e_x + part.v * e_y
    most = _longest(part, soft)
    stretch = select(along > 0.0, _stretch(along * along, along * speed, speed * speed, most, soft), most)
    w = larger(stretch * along - speed, 0.0)
    square = w * w + soft * soft
    root = sqrt(square) + TINY
    size = part.gain * w * root
    within = size < part.high
    moves = (w > 0.0) & within & ((stretch <= 1.0) | (stretch >= most))
    drawn = _price_of_limit(part, soft) + speed
    at_limit = part.high * (along - larger(drawn, drawn / most))
    return (smaller(size, part.high), select(moves, part.gain * stretch * (root + w * w / root), 0.0 * w),
            select(within, part.gain / 3.0 * square * root / stretch, at_limit))
