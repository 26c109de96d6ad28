"""How far the forces of an actuator reach, along a direction of force and moment, and along each of the three axes."""

from .elementwise import by_part, kernel, larger, replaced, select, smaller, sqrt


@kernel
def farthest(part, x, y, n, short):
    """
    Return the most that a part can give along a direction of force and moment: x F_x + y F_y + n N.

    :param part: The FixedAxis or the Sector.
    :param x: Weight of the surge force; float or array.
    :param y: Weight of the sway force; same shape.
    :param n: Weight of the yaw moment, 1/m; same shape.
    :param short: Share by which it is to fall short of a curve's end, (-); of corners it does not.
    """
    return by_part(part.edges, _farthest_of_axis, _farthest_of_sector, part, x, y, n, short)


@kernel
def reach_of(part, short):
    """
    Return the least and the most of surge, of sway, N, and of yaw, N m, that a part gives, and those of yaw once more.

    :param part: The FixedAxis or the Sector.
    :param short: Share by which the last two fall short of a curve's end, (-), as `farthest`.
    """
    return by_part(part.edges, _reach_of_axis, _reach_of_sector, part, short)


@kernel
def reach_all_round(part, short):
    """Return what `reach_of` does of a part that is no Sector but a circle, or fixed; without a branch."""
    return by_part(part.edges, _reach_of_axis, _reach_of_circle, part, short)


@kernel
def _reach_of_axis(part, short):
    x, x_too = part.b_x * part.low, part.b_x * part.high
    y, y_too = part.b_y * part.low, part.b_y * part.high
    n, n_too = part.b_n * part.low, part.b_n * part.high
    least, most = smaller(n, n_too), larger(n, n_too)
    return smaller(x, x_too), larger(x, x_too), smaller(y, y_too), larger(y, y_too), least, most, least, most


@kernel
def _reach_of_sector(edges, part, short):
    return replaced(select(part.circle, False, True), _reach_of_circle(edges, part, short), _reach_within_edges, part,
                    short)


@kernel
def _reach_of_circle(edges, part, short):
    high = part.high
    yaw = high * sqrt(part.x * part.x + part.y * part.y)
    held = (1.0 - short) * yaw
    return -high, high, -high, high, -yaw, yaw, -held, held


@kernel
def _reach_within_edges(part, short):
    one, none = 1.0, 0.0
    return (-farthest(part, -one, none, none, none), farthest(part, one, none, none, none),
            -farthest(part, none, -one, none, none), farthest(part, none, one, none, none),
            -farthest(part, none, none, -one, none), farthest(part, none, none, one, none),
            -farthest(part, none, none, -one, short), farthest(part, none, none, one, short))


@kernel
def _farthest_of_axis(part, x, y, n, short):
    along = x * part.b_x + y * part.b_y + n * part.b_n
    return larger(along * part.low, along * part.high)


@kernel
def _farthest_of_sector(edges, part, x, y, n, short):
    _, _, along, inside = _direction(part, x - n * part.y, y + n * part.x)
    return part.high * along * select(inside, 1.0 - short, 1.0)


@kernel
def _direction(part, x, y):
    """Return the unit vector of a sector that is nearest to a vector's direction, its component along it, and where."""
    edges = part.edges
    length = sqrt(x * x + y * y)
    inside = part.circle | ((edges[0] * y - edges[1] * x >= 0.0) & (x * edges[3] - y * edges[2] >= 0.0))
    inside = inside & (length > 0.0)
    first = edges[0] * x + edges[1] * y
    last = edges[2] * x + edges[3] * y
    safe = select(inside, length, 1.0 + 0.0 * length)
    along = select(inside, length, larger(larger(first, last), 0.0))
    nearer = first >= last
    return (select(inside, x / safe, select(nearer, edges[0], edges[2])),
            select(inside, y / safe, select(nearer, edges[1], edges[3])), along, inside)
