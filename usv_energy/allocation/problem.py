"""
Actuators with their costs and limits, and the convex parts of the set of forces that each can give.

The set of forces of an azimuth thruster with a limited angle is not convex. It is split into sectors of half a turn or
less: two if it turns by more than half a turn, else one, and one more for thrust astern.
"""

import math
from typing import Any, NamedTuple

from usv_energy.physics.elementwise import kernel, larger, select, smaller, sqrt
from usv_energy.physics.motion import velocity_in
from usv_energy.thrusters.drive import limits_in_flow


class Actuator(NamedTuple):
    """
    A fixed or azimuth thruster, in FLU axes from the boat's reference point. Floats, or arrays with one element a run.

    `x`, `y`: position, m. `forward`, `sideways`: horizontal force for 1 N of thrust, (-); it is shorter than 1 if the
    axis is tilted, and only its length is used for an azimuth thruster. `low`, `high`: limits of the thrust along the
    axis, N. `cost`: above 0, W/N^1.5; the electrical power of a thrust T at rest is about cost |T|^1.5. `u`, `v`:
    velocity of its position through the water, m/s; the work of the thrust is added to the power, which is never below
    0. `azimuth`: None if fixed, else the Azimuth. A thruster that turns all the way round never thrusts astern.
    """

    x: Any
    y: Any
    forward: Any
    sideways: Any
    low: Any
    high: Any
    cost: Any
    u: Any = 0.0
    v: Any = 0.0
    azimuth: Any = None


class AxisPart(NamedTuple):
    """
    A fixed thruster.

    `b_x`, `b_y`, `b_n`: force and moment for 1 N of thrust, (-, -, m). `low`, `high`: limits of the thrust, N. `gain`:
    4 / (9 cost^2), N^3/W^2. `speed`: of its position along its axis through the water, m/s.
    """

    b_x: Any
    b_y: Any
    b_n: Any
    low: Any
    high: Any
    gain: Any
    speed: Any


class TurningPart(NamedTuple):
    """
    A convex part of the forces of an azimuth thruster: a circle, or a sector of half a turn or less.

    `x`, `y`: position, m. `high`: largest horizontal force, N. `gain`: 4 / (9 cost^2) for a horizontal force, N^3/W^2.
    `u`, `v`, `speed`: velocity of its position, and its size, m/s. `edges`: two unit vectors along a sector's edges, as
    four numbers, counter-clockwise; None for a circle. `way`: 1, or -1 for thrust astern.
    """

    x: Any
    y: Any
    high: Any
    gain: Any
    u: Any
    v: Any
    speed: Any
    edges: Any
    way: Any


@kernel
def actuator_of(thruster, at):
    """
    Return the Actuator for a Thruster of a boat whose motion is a Relative.

    Its limits are those at the speed of its own position through the water; for an azimuth thruster at the angle 0.
    """
    u, v = velocity_in(at, thruster.in_air)
    u, v = u - thruster.y * at.r, v + thruster.x * at.r
    c, s = (1.0, 0.0) if thruster.axis is None else thruster.axis
    tilt = thruster.efficiency_of_tilt
    low, high = limits_in_flow(tilt * (c * u + s * v), thruster)
    return Actuator(thruster.x, thruster.y, c * tilt, s * tilt, low, high, thruster.cost, u, v, thruster.azimuth)


@kernel
def horizontal_share(actuator):
    """Return the horizontal share of an Actuator's thrust, (-)."""
    return sqrt(actuator.forward * actuator.forward + actuator.sideways * actuator.sideways)


@kernel
def number_of_parts(actuator):
    """Return the number of convex parts of the set of an actuator's forces: 1, 2 or 3."""
    azimuth = actuator.azimuth
    if azimuth is None:
        return 1.0
    if azimuth.ends is None:
        return 1.0
    wide = select(azimuth.largest - azimuth.least > math.pi, 1.0, 0.0)
    return 1.0 + wide + select(actuator.low < 0.0, 1.0, 0.0)


@kernel
def convex_part(actuator, choice):
    """
    Return the AxisPart of a fixed actuator, or a TurningPart of an azimuth thruster.

    :param actuator: The Actuator.
    :param choice: Index of the part, below `number_of_parts`; larger ones give the first part.
    """
    return _part_of(actuator, choice, actuator.azimuth)


@kernel
def _part_of(actuator, choice, azimuth):
    gain = 4.0 / (9.0 * actuator.cost * actuator.cost)
    if azimuth is None:
        arm = actuator.x * actuator.sideways - actuator.y * actuator.forward
        speed = actuator.forward * actuator.u + actuator.sideways * actuator.v
        return AxisPart(actuator.forward, actuator.sideways, arm, actuator.low, actuator.high, gain, speed)
    return _turning_part(actuator, choice, gain, azimuth, azimuth.ends)


@kernel
def _turning_part(actuator, choice, gain, azimuth, ends):
    share = horizontal_share(actuator)
    speed = sqrt(actuator.u * actuator.u + actuator.v * actuator.v)
    gain = gain * share * share * share
    if ends is None:
        return TurningPart(actuator.x, actuator.y, share * larger(actuator.high, 0.0), gain, actuator.u, actuator.v,
                           speed, None, 1.0)
    first, middle, last = ends  # Directions of the range's ends and of its middle.
    wide = azimuth.largest - azimuth.least > math.pi
    astern = (actuator.low < 0.0) & (choice == select(wide, 2.0, 1.0))
    second = wide & (choice == 1.0)
    split = wide & (choice != 1.0)
    # Thrust astern fills the gap that a range wider than half a turn leaves; else its sector is opposite to the range.
    begin = (_of_three(astern, select(wide, last[0], -first[0]), second, middle[0], first[0]),
             _of_three(astern, select(wide, last[1], -first[1]), second, middle[1], first[1]))
    end = (_of_three(astern, select(wide, first[0], -last[0]), split, middle[0], last[0]),
           _of_three(astern, select(wide, first[1], -last[1]), split, middle[1], last[1]))
    high = share * select(astern, -actuator.low, larger(actuator.high, 0.0))
    return TurningPart(actuator.x, actuator.y, high, gain, actuator.u, actuator.v, speed,
                       (begin[0], begin[1], end[0], end[1]), select(astern, -1.0, 1.0))


@kernel
def _of_three(first, one, second, other, rest):
    return select(first, one, select(second, other, rest))


@kernel
def farthest(part, x, y, n, short):
    """
    Return the maximum over a sector's forces of a weighted sum of force and moment: x F_x + y F_y + n N.

    :param part: A TurningPart that is a sector.
    :param x: Weight of the surge force; float or array.
    :param y: Weight of the sway force; same shape.
    :param n: Weight of the yaw moment, 1/m; same shape.
    :param short: Share by which to stay below a maximum on the sector's arc, (-); not applied to one at its edges.
    """
    _, _, along, inside = _nearest_direction(x - n * part.y, y + n * part.x, part.edges)
    return part.high * along * select(inside, 1.0 - short, 1.0)


@kernel
def _nearest_direction(x, y, edges):
    """Return the direction in a sector nearest to a vector, as x, y, the vector's component, and if it lies inside."""
    length = sqrt(x * x + y * y)
    inside = (edges[0] * y - edges[1] * x >= 0.0) & (x * edges[3] - y * edges[2] >= 0.0) & (length > 0.0)
    first = edges[0] * x + edges[1] * y
    last = edges[2] * x + edges[3] * y
    safe = select(inside, length, 1.0 + 0.0 * length)
    along = select(inside, length, larger(larger(first, last), 0.0))
    nearer = first >= last
    return (select(inside, x / safe, select(nearer, edges[0], edges[2])),
            select(inside, y / safe, select(nearer, edges[1], edges[3])), along, inside)


@kernel
def reach_of_axis(part):
    """Return the limits of an AxisPart's force and moment, as `responses.reach_of_actuator`."""
    x, x_too = part.b_x * part.low, part.b_x * part.high
    y, y_too = part.b_y * part.low, part.b_y * part.high
    n, n_too = part.b_n * part.low, part.b_n * part.high
    least, most = smaller(n, n_too), larger(n, n_too)
    return smaller(x, x_too), larger(x, x_too), smaller(y, y_too), larger(y, y_too), least, most, least, most


@kernel
def reach_of_turning(part, short):
    """
    Return the limits of a TurningPart's force and moment, as `responses.reach_of_actuator`.

    :param short: As for `farthest`, used for the last two.
    """
    if part.edges is None:
        yaw = part.high * sqrt(part.x * part.x + part.y * part.y)
        held = (1.0 - short) * yaw
        return -part.high, part.high, -part.high, part.high, -yaw, yaw, -held, held
    return (-farthest(part, -1.0, 0.0, 0.0, 0.0), farthest(part, 1.0, 0.0, 0.0, 0.0),
            -farthest(part, 0.0, -1.0, 0.0, 0.0), farthest(part, 0.0, 1.0, 0.0, 0.0),
            -farthest(part, 0.0, 0.0, -1.0, 0.0), farthest(part, 0.0, 0.0, 1.0, 0.0),
            -farthest(part, 0.0, 0.0, -1.0, short), farthest(part, 0.0, 0.0, 1.0, short))
