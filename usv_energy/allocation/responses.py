"""
The response of each actuator to the multipliers: the force that is worth the most for its power, in closed form.

A multiplier is the power that one more newton (W/N) or newton metre (W/(N m)) may cost. An actuator responds with the
force F within its limits that maximizes multiplier . F - P(F). Its power is P = max(0, cost |F|^1.5 + u . F), where u
is the velocity of its position. P is convex, so the response is one formula and a clip: as long as P > 0, F is
(4 / 9 cost^2) |w| w with w = multiplier - u. On a fixed axis w is half the speed where P = 0, that is, where a thruster
brakes without electrical power.

An azimuth thruster has P = max(0, p(|F|) + u . F), where p is nearly cost |F|^1.5. The maximum of multiplier . F - P is
the minimum of theta G(multiplier / theta - u) over theta from 0 to 1, where G is the convex conjugate of p. If theta is
below 1, the multiplier is stretched by tau = 1 / theta until the thruster just brakes without power. With
G(w) = gain / 3 (w^2 + soft^2)^1.5, the force is F = gain w sqrt(w^2 + soft^2), which is linear in w below `soft`, and
tau is the root of 2 tau^2 m^2 - tau u . m - (u^2 + soft^2) = 0 for the multiplier m; it is at most 1 + |u| / soft. On
the edge of a sector the same holds for the components along the edge. The response is the gradient of a convex
function, so its slopes are symmetric.
"""

from usv_energy.allocation.problem import AxisPart, TurningPart, horizontal_share, reach_of_axis, reach_of_turning
from usv_energy.physics.elementwise import (
    arctan2,
    by_type,
    kernel,
    larger,
    only_where,
    register_body,
    select,
    smaller,
    sqrt,
    within,
    wrapped,
)

TINY = 1e-100  # Added to a divisor that may be 0.
ROUNDING = 1e-12  # Share of a squared limit.


@by_type('part')
def response(part, multipliers, soft):
    """
    Return the force and moment of a part at some multipliers, and their derivatives.

    :param part: The AxisPart or the TurningPart.
    :param multipliers: Of surge and sway force, W/N, and of yaw moment, W/(N m); floats or arrays.
    :param soft: Multiplier, W/N, below which forces are smoothed to be linear in it, so that none has a slope of 0.
    :return: Surge N, sway N, yaw N m; then their derivatives: xx, xy, xn, yy, yn, nn.
    """


@by_type('part')
def setting_of_part(part, actuator, multipliers, soft):
    """Return the thrust, N, and angle, rad (None if fixed), of a part's Actuator; parameters as `response`."""


@by_type('part')
def reach_of_actuator(part, short):
    """
    Return the limits of a part's force and moment: least and largest surge, sway, N, yaw, N m, and yaw again.

    :param part: The AxisPart or the TurningPart.
    :param short: Share by which the second limits of yaw stay below the largest moment of an azimuth thruster, (-).
    """


@by_type('part')
def scales_of(part):
    """Return a part's gain, N^3/W^2, squared speed, m^2/s^2, squared force for 1 N (-, -, m^2) and its limit, N."""


# ---- A fixed axis


@kernel
def _response_of_axis(part, multipliers, soft):
    force, slope = _along_axis(part, multipliers, soft)
    b_x, b_y, b_n = part.b_x, part.b_y, part.b_n
    return (b_x * force, b_y * force, b_n * force, slope * b_x * b_x, slope * b_x * b_y, slope * b_x * b_n,
            slope * b_y * b_y, slope * b_y * b_n, slope * b_n * b_n)


@kernel
def _along_axis(part, multipliers, soft):
    """Return the thrust of an AxisPart, N, and its derivative with the multiplier along it, N^2/W."""
    along = part.b_x * multipliers[0] + part.b_y * multipliers[1] + part.b_n * multipliers[2]
    size = abs(along) + soft
    free = select(along * part.speed > 0.0, abs(part.speed), 0.5 * abs(part.speed))
    beyond = size >= free
    share = free / size
    w = select(beyond, along, along * share) - part.speed
    slope = select(beyond, 1.0 + 0.0 * size, share * soft / size)
    force, slope = part.gain * w * (abs(w) + soft), part.gain * (2.0 * abs(w) + soft) * slope
    held = smaller(larger(force, part.low), part.high)
    return held, select(held == force, slope, 0.0 * slope)


@kernel
def _setting_of_axis(part, actuator, multipliers, soft):
    return _along_axis(part, multipliers, soft)[0], None


@kernel
def _reach_of_axis(part, short):
    return reach_of_axis(part)


@kernel
def _scales_of_axis(part):
    return (part.gain, part.speed * part.speed, part.b_x * part.b_x, part.b_y * part.b_y,
            part.b_n * part.b_n, larger(abs(part.low), abs(part.high)))


register_body(response, AxisPart, _response_of_axis)
register_body(setting_of_part, AxisPart, _setting_of_axis)
register_body(reach_of_actuator, AxisPart, _reach_of_axis)
register_body(scales_of, AxisPart, _scales_of_axis)


# ---- An azimuth thruster


@kernel
def _response_of_turning(part, multipliers, soft):
    f_x, f_y, _, _, xx, xy, yy = turning_response(part, multipliers, soft)
    xn, yn = part.x * xy - part.y * xx, part.x * yy - part.y * xy
    return f_x, f_y, part.x * f_y - part.y * f_x, xx, xy, xn, yy, yn, part.x * yn - part.y * xn


@kernel
def turning_response(part, multipliers, soft):
    """
    Return a TurningPart's force, its direction, and its derivatives by the multipliers of a force at its position.

    :param part: The TurningPart.
    :param multipliers: As `response`.
    :param soft: As `response`.
    :return: Force, N, N; a vector in its direction, of any length, also where the force is 0; the derivatives xx, xy,
        yy of the force, N^2/W.
    """
    x, y = multipliers[0] - multipliers[2] * part.y, multipliers[1] + multipliers[2] * part.x
    found = _response_of_circle(part, x, y, soft)
    braking = (part.u * found[2] + part.v * found[3] < 0.0) & is_at_limit(part, found[0], found[1])
    found = only_where(braking, _braking_at_limit, (found, part, x, y, soft), found)
    return found if part.edges is None else _response_of_sector(found, part, x, y, soft, part.edges)


@kernel
def is_at_limit(part, f_x, f_y):
    """Return whether a horizontal force, N, N, is a TurningPart's largest, except for rounding."""
    return f_x * f_x + f_y * f_y >= (1.0 - ROUNDING) * part.high * part.high


@kernel
def _response_of_circle(part, x, y, soft):
    """Return `turning_response` of a circle; not valid where it is at its limit and brakes without power."""
    most = _largest_stretch(part, soft)
    stretch = _stretch_factor(x * x + y * y, x * part.u + y * part.v, part.speed * part.speed, most, soft)
    w_x, w_y = stretch * x - part.u, stretch * y - part.v
    square = w_x * w_x + w_y * w_y
    smooth = square + soft * soft
    held = part.gain * part.gain * smooth * square >= part.high * part.high
    root = sqrt(select(held, square, smooth) + TINY)
    inverse = 1.0 / root
    slope = select(held, part.high * inverse, part.gain * root)
    even = slope * stretch
    uneven = stretch * select(held, -slope * inverse * inverse, part.gain * inverse)
    # Where the stretch is between its limits, the force changes only across the multiplier, not along it.
    free = (stretch > 1.0) & (stretch < most)
    size, work = x * x + y * y, w_x * x + w_y * y
    across = even * (even + uneven * square) / (even * size + uneven * work * work + TINY)
    even, uneven = select(free, across * size, even), select(free, -across, uneven)
    d_x, d_y = select(free, x, w_x), select(free, y, w_y)
    return (slope * w_x, slope * w_y, w_x, w_y,
            even + uneven * d_x * d_x, uneven * d_x * d_y, even + uneven * d_y * d_y)


@kernel
def _largest_stretch(part, soft):
    """Return the largest tau, which makes braking forces linear in multipliers below about `soft`, too."""
    return 1.0 + part.speed / (soft + TINY)


@kernel
def _stretch_factor(size, work, speed, most, soft):
    """Return tau for the squares of multiplier and velocity, their scalar product, and the largest tau."""
    root = sqrt(work * work + 8.0 * size * (speed + soft * soft))
    return larger(smaller(0.25 * (work + root) / (size + TINY), most), 1.0)


@kernel
def _mean_cost_at_limit(part, soft):
    """
    Return the mean power per newton of a thruster's largest thrust at rest, W/N.

    At this speed, m/s, against its thrust, it gives the largest thrust without electrical power.
    """
    force = part.high / part.gain
    square = larger(0.5 * (sqrt(soft * soft * soft * soft + 4.0 * force * force) - soft * soft), 0.0)
    root = square + soft * soft
    return sqrt(square) - root * sqrt(root) / (3.0 * force + TINY)


@kernel
def _limit_takes_no_power(part, w_x, w_y, soft):
    """Return whether a thruster's largest thrust in a direction takes no electrical power."""
    return part.u * w_x + part.v * w_y < -_mean_cost_at_limit(part, soft) * sqrt(w_x * w_x + w_y * w_y)


@kernel
def _braking_at_limit(found, part, x, y, soft):
    """
    Return `turning_response` of a circle at its limit.

    If the largest thrust takes no power, it turns towards the multiplier until theta or the power would leave 0.
    """
    idle = _limit_takes_no_power(part, found[2], found[3], soft)
    most = _largest_stretch(part, soft)
    w_x, w_y = most * x - part.u, most * y - part.v
    still = idle & _limit_takes_no_power(part, w_x, w_y, soft)
    slope = part.high / (sqrt(w_x * w_x + w_y * w_y) + TINY)
    even = slope * most
    uneven = -even / (w_x * w_x + w_y * w_y + TINY)
    along = -larger(smaller(_mean_cost_at_limit(part, soft) / (part.speed + TINY), 1.0), -1.0)
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
def _response_of_sector(found, part, x, y, soft, edges):
    """Return `turning_response` of a sector: the response of the circle if it lies inside, else the better edge's."""
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
    """Return the best force along an edge, N, its derivative by the multiplier along it, and multiplier F - P, W."""
    along, speed = x * e_x + y * e_y, part.u * e_x + part.v * e_y
    most = _largest_stretch(part, soft)
    stretch = select(along > 0.0, _stretch_factor(along * along, along * speed, speed * speed, most, soft), most)
    w = larger(stretch * along - speed, 0.0)
    square = w * w + soft * soft
    root = sqrt(square) + TINY
    size = part.gain * w * root
    free = size < part.high
    moves = (w > 0.0) & free & ((stretch <= 1.0) | (stretch >= most))
    drawn = _mean_cost_at_limit(part, soft) + speed
    at_limit = part.high * (along - larger(drawn, drawn / most))
    return (smaller(size, part.high), select(moves, part.gain * stretch * (root + w * w / root), 0.0 * w),
            select(free, part.gain / 3.0 * square * root / stretch, at_limit))


@kernel
def _setting_of_turning(part, actuator, multipliers, soft):
    f_x, f_y, d_x, d_y, _, _, _ = turning_response(part, multipliers, soft)
    size = select(is_at_limit(part, f_x, f_y), part.high, sqrt(f_x * f_x + f_y * f_y))
    thrust = smaller(larger(part.way * size / horizontal_share(actuator), actuator.low), actuator.high)
    least, largest = actuator.azimuth.least, actuator.azimuth.largest
    middle = 0.5 * (least + largest)
    angle = arctan2(part.way * d_y, part.way * d_x)
    return thrust, within(middle + wrapped(angle - middle), least, largest)


@kernel
def _scales_of_turning(part):
    one = 1.0 + 0.0 * part.gain
    return (part.gain, part.speed * part.speed, one, one, part.x * part.x + part.y * part.y, part.high)


register_body(response, TurningPart, _response_of_turning)
register_body(setting_of_part, TurningPart, _setting_of_turning)
register_body(reach_of_actuator, TurningPart, reach_of_turning)
register_body(scales_of, TurningPart, _scales_of_turning)
