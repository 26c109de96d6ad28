"""
What each actuator gives at the least cost for a price of force: the closed forms that the allocation is built of.

A price is the power that one more newton (W/N) or newton metre (W/(N m)) may cost. An actuator answers with the force
F that makes price . F - P(F) greatest within its limits, P = max(0, cost |F|^1.5 + u . F) with u the velocity of its
place. P is convex, so the answer is one formula and a clip: without the maximum, w = price - u and
F = (4 / 9 cost^2) |w| w. Along a fixed axis w is half the speed where P is 0 (a thruster that brakes for nothing);
for what turns see `allocation_sector`.
"""

import math
from typing import Any, NamedTuple

from .allocation_sector import brakes_at_limit, in_sector, is_at_limit
from .elementwise import arctan2, by_part, cos, kernel, larger, replaced, select, sin, smaller, sqrt, within, wrapped


class FixedAxis(NamedTuple):
    """
    What is fixed: its force and moment for 1 N (-, -, m), limits N, 4 / (9 cost^2) N^3/W^2 both ways, speed m/s.

    `edges` is None: that tells a FixedAxis from a Sector when it is compiled.
    """

    b_x: Any
    b_y: Any
    b_n: Any
    low: Any
    high: Any
    gain: Any
    gain_astern: Any
    speed: Any
    actuator: Any
    edges: None


class Sector(NamedTuple):
    """
    A convex part of what an azimuth thruster can give: a sector of half a turn or less, or a circle.

    `x`, `y` m: its place. `high` N: largest horizontal force. `gain` N^3/W^2: 4 / (9 cost^2) of a horizontal force.
    `u`, `v`, `speed` m/s: velocity of its place, and its size. `edges`: of the sector, counter-clockwise, two unit
    vectors. `circle`: whether it is one; None where it is known to be when it is compiled. `way`: 1, or -1 where the
    thrust is astern.
    """

    x: Any
    y: Any
    high: Any
    gain: Any
    u: Any
    v: Any
    speed: Any
    edges: Any
    circle: Any
    way: Any
    actuator: Any


@kernel
def gain_of(cost):
    """Return the thrust at a price of 1 W/N, N, of what costs `cost` W/N^1.5: price^2 times it is the thrust."""
    return 4.0 / (9.0 * cost * cost)


@kernel
def part_of(actuator, choice):
    """
    Return the FixedAxis of a fixed actuator, or one Sector of an azimuth thruster.

    :param actuator: The Actuator.
    :param choice: Which of its parts: 0 to `choices_of` less 1, beyond it the first again.
    """
    return by_part(actuator.steers, _axis, _sector, actuator, choice)


@kernel
def part_all_round(actuator):
    """Return `part_of` an actuator that, where it turns at all, turns all the way round: of that no branch is left."""
    return by_part(actuator.steers, _axis, _circle, actuator, 0.0)


@kernel
def _axis(actuator, choice):
    arm = actuator.x * actuator.sideways - actuator.y * actuator.forward
    speed = actuator.forward * actuator.u + actuator.sideways * actuator.v
    return FixedAxis(actuator.forward, actuator.sideways, arm, actuator.low, actuator.high, gain_of(actuator.cost),
                gain_of(actuator.cost_astern), speed, actuator, None)


@kernel
def _circle(steers, actuator, choice):
    left = length_of(actuator)
    speed = sqrt(actuator.u * actuator.u + actuator.v * actuator.v)
    gain = gain_of(actuator.cost) * left * left * left
    return Sector(actuator.x, actuator.y, left * larger(actuator.high, 0.0), gain, actuator.u, actuator.v, speed,
                  _no_edges(0.0 * left), None, 1.0, actuator)


@kernel
def _sector(steers, actuator, choice):
    least, largest = actuator.steers[0], actuator.steers[1]
    circle = largest - least >= math.tau
    wide = (largest - least > math.pi) & (largest - least < math.tau)
    middle = 0.5 * (least + largest)
    second = wide & (choice == 1)
    astern = (actuator.low < 0.0) & (largest - least < math.tau) & (choice == select(wide, 2, 1))
    begin = select(astern, select(wide, largest, least + math.pi), select(second, middle, least))
    first = wide & (choice != 1)
    end = select(astern, select(wide, least + math.tau, largest + math.pi), select(first, middle, largest))
    left = length_of(actuator)
    cost = select(astern, actuator.cost_astern, actuator.cost)
    high = left * select(astern, -actuator.low, larger(actuator.high, 0.0))
    speed = sqrt(actuator.u * actuator.u + actuator.v * actuator.v)
    return Sector(actuator.x, actuator.y, high, gain_of(cost) * left * left * left, actuator.u, actuator.v, speed,
                  replaced(select(circle, False, True), _no_edges(0.0 * begin), _edges, begin, end), circle,
                  select(astern, -1.0, 1.0), actuator)


@kernel
def _edges(begin, end):
    return cos(begin), sin(begin), cos(end), sin(end)


@kernel
def _no_edges(none):
    """Return the edges of a circle, which nobody asks for."""
    return 1.0 + none, none, 1.0 + none, none


@kernel
def choices_of(actuator):
    """Return of how many convex parts the set of an actuator's forces is made: 1, 2 or 3; float or array."""
    return by_part(actuator.steers, _choice_of_axis, _choices_of_azimuth, actuator)


@kernel
def _choice_of_axis(actuator):
    return 1.0 + 0.0 * actuator.low


@kernel
def _choices_of_azimuth(steers, actuator):
    turn = actuator.steers[1] - actuator.steers[0]
    return (1.0 + select((turn > math.pi) & (turn < math.tau), 1.0, 0.0)
            + select((actuator.low < 0.0) & (turn < math.tau), 1.0, 0.0))


@kernel
def answer(part, price, soft):
    """
    Return what a part gives for a price, and how that changes with the price.

    :param part: The FixedAxis or the Sector.
    :param price: Of surge and sway force, W/N, and of yaw moment, W/(N m); floats or arrays.
    :param soft: Price, W/N, below which forces are smoothed to be linear in it, so that none has a slope of 0.
    :return: Surge N, sway N, yaw N m; then their derivatives: xx, xy, xn, yy, yn, nn.
    """
    return by_part(part.edges, _answer_of_axis, _answer_of_sector, part, price, soft)


@kernel
def _answer_of_axis(part, price, soft):
    force, slope = _along_axis(part, price, soft)
    b_x, b_y, b_n = part.b_x, part.b_y, part.b_n
    return (b_x * force, b_y * force, b_n * force, slope * b_x * b_x, slope * b_x * b_y, slope * b_x * b_n,
            slope * b_y * b_y, slope * b_y * b_n, slope * b_n * b_n)


@kernel
def _answer_of_sector(edges, part, price, soft):
    f_x, f_y, _, _, xx, xy, yy = in_sector(part, price, soft)
    xn, yn = part.x * xy - part.y * xx, part.x * yy - part.y * xy
    return f_x, f_y, part.x * f_y - part.y * f_x, xx, xy, xn, yy, yn, part.x * yn - part.y * xn


@kernel
def _along_axis(part, price, soft):
    """Return the thrust of a FixedAxis, N, and its derivative with the price along it, N^2/W."""
    force, slope = _without_limits(part, price, soft)
    held = smaller(larger(force, part.low), part.high)
    return held, select(held == force, slope, 0.0 * slope)


@kernel
def _without_limits(part, price, soft):
    """Return what `_along_axis` does, as if a thrust of any size could be had."""
    along = part.b_x * price[0] + part.b_y * price[1] + part.b_n * price[2]
    size = abs(along) + soft
    free = select(along * part.speed > 0.0, abs(part.speed), 0.5 * abs(part.speed))
    beyond = size >= free
    inverse = 1.0 / size
    share = free * inverse
    w = select(beyond, along, along * share) - part.speed
    slope = select(beyond, 1.0 + 0.0 * size, share * soft * inverse)
    gain = select(w < 0.0, part.gain_astern, part.gain)
    return gain * w * (abs(w) + soft), gain * (2.0 * abs(w) + soft) * slope


@kernel
def setting(part, price, soft):
    """Return the thrust, N, and the angle, rad, of a part's actuator, exactly within its limits; as `answer`."""
    return by_part(part.edges, _setting_of_axis, _setting_of_sector, part, price, soft)


@kernel
def _setting_of_axis(part, price, soft):
    force, _ = _along_axis(part, price, soft)
    return force, arctan2(part.b_y, part.b_x) + 0.0 * force


@kernel
def _setting_of_sector(edges, part, price, soft):
    actuator = part.actuator
    f_x, f_y, d_x, d_y, _, _, _ = in_sector(part, price, soft)
    size = select(is_at_limit(part, f_x, f_y), part.high, sqrt(f_x * f_x + f_y * f_y))
    thrust = smaller(larger(part.way * size / length_of(actuator), actuator.low), actuator.high)
    return thrust, angle_along(part.way * d_x, part.way * d_y, actuator)


@kernel
def length_of(actuator):
    """Return how much of an Actuator's thrust is horizontal, (-)."""
    return sqrt(actuator.forward * actuator.forward + actuator.sideways * actuator.sideways)


@kernel
def angle_along(x, y, actuator):
    """Return the angle of a direction, rad, within the limits of an Actuator that turns."""
    least, largest = actuator.steers[0], actuator.steers[1]
    middle = 0.5 * (least + largest)
    return within(middle + wrapped(arctan2(y, x) - middle), least, largest)


@kernel
def near_setting(part, price, move, soft):
    """
    Return what `setting` does at prices a little further on, by the slopes at these; all round, without a branch.

    :param part: The FixedAxis, or the Sector, which is a circle.
    :param price: Prices as `answer`.
    :param move: How much further, W/N, W/N, W/(N m).
    :param soft: As `answer`.
    :return: Thrust N, angle rad, axis, a unit vector, None of what is fixed, and 0.0, or NaN where a limit is met on
        the way, which slopes do not know of.
    """
    return by_part(part.edges, _near_setting_of_axis, _near_setting_of_circle, part, price, move, soft)


@kernel
def _near_setting_of_axis(part, price, move, soft):
    force, slope = _without_limits(part, price, soft)
    ahead = force + slope * (part.b_x * move[0] + part.b_y * move[1] + part.b_n * move[2])
    held = smaller(larger(ahead, part.low), part.high)
    same = (held == ahead) == (smaller(larger(force, part.low), part.high) == force)
    return held, arctan2(part.b_y, part.b_x) + 0.0 * force, None, select(same, 0.0, math.nan)


@kernel
def _near_setting_of_circle(edges, part, price, move, soft):
    actuator = part.actuator
    begin_x, begin_y, _, _, xx, xy, yy = in_sector(part, price, soft)
    x, y = move[0] - move[2] * part.y, move[1] + move[2] * part.x
    f_x, f_y = begin_x + xx * x + xy * y, begin_y + xy * x + yy * y
    force = sqrt(f_x * f_x + f_y * f_y)
    most = is_at_limit(part, begin_x, begin_y)
    thrust = smaller(larger(select(most, part.high, force) / length_of(actuator), actuator.low), actuator.high)
    none = force == 0.0
    share = 1.0 / select(none, 1.0, force)
    return (thrust, angle_along(f_x, f_y, actuator), (select(none, 1.0, share * f_x), share * f_y),
            select(brakes_at_limit(part, price, soft), math.nan, select(most | (force <= part.high), 0.0, math.nan)))


@kernel
def axis_at(actuator, angle):
    """Return the horizontal force of 1 N of thrust, forward and to port, of an Actuator at an angle, rad."""
    return by_part(actuator.steers, _fixed_axis, _steered_axis, actuator, angle)


@kernel
def _fixed_axis(actuator, angle):
    return actuator.forward + 0.0 * angle, actuator.sideways + 0.0 * angle


@kernel
def _steered_axis(steers, actuator, angle):
    left = length_of(actuator)
    return left * cos(angle), left * sin(angle)


@kernel
def weights(part):
    """Return a part's gain, N^3/W^2, its place's squared speed, m^2/s^2, squared arms (-, -, m^2) and its limit, N."""
    return by_part(part.edges, _weights_of_axis, _weights_of_sector, part)


@kernel
def _weights_of_axis(part):
    return (larger(part.gain, part.gain_astern), part.speed * part.speed, part.b_x * part.b_x, part.b_y * part.b_y,
            part.b_n * part.b_n, larger(abs(part.low), abs(part.high)))


@kernel
def _weights_of_sector(edges, part):
    one = 1.0 + 0.0 * part.gain
    return (part.gain, part.u * part.u + part.v * part.v, one, one, part.x * part.x + part.y * part.y, part.high)
