"""
Frames of reference. All conversions that change signs of axes are in this file.

The frames are those of ROS (REP-103, REP-105): earth frame ENU (x east, y north), body frame FLU (x forward, y to
port), yaw counter-clockwise from east. The direction of a flow is the one it flows to, counter-clockwise from east.
"""

import math
from typing import Any

from usv_energy.physics.elementwise import kernel, wrapped


def radians_of_degrees(angle: Any) -> Any:
    """Return an angle in rad, given in deg; float or array."""
    return angle * (math.pi / 180.0)


@kernel
def to_body(x_earth, y_earth, cos_yaw, sin_yaw):
    """
    Return the components of an earth-frame vector in body axes, by R(psi)^T.

    :param x_earth: East component; float or array.
    :param y_earth: North component; same shape.
    :param cos_yaw: Cosine of the yaw, (-); same shape.
    :param sin_yaw: Sine of the yaw, (-); same shape.
    :return: Components forward and to port, in the inputs' unit.

    Source: Fossen (2011), (2.32), planar.
    """
    return x_earth * cos_yaw + y_earth * sin_yaw, -x_earth * sin_yaw + y_earth * cos_yaw


@kernel
def to_earth(forward, port, cos_yaw, sin_yaw):
    """
    Return the components of a body-axes vector in the earth frame, by R(psi): the inverse of `to_body`.

    :param forward: Component forward; float or array.
    :param port: Component to port; same shape.
    :param cos_yaw: Cosine of the yaw, (-); same shape.
    :param sin_yaw: Sine of the yaw, (-); same shape.
    :return: Components east and north, in the inputs' unit.

    Source: Fossen (2011), (2.32), planar.
    """
    return forward * cos_yaw - port * sin_yaw, forward * sin_yaw + port * cos_yaw


@kernel
def to_body_as_published(x_earth, y_earth, cos_yaw, sin_yaw):
    """
    Return the components of an earth-frame vector forward and to starboard, as the thesis computes them.

    The thesis subtracts them from velocities whose second component is to port (see `docs/papers.md`), so in a cross
    current its relative sway velocity is wrong by twice that component. It is used only to reproduce its figures.

    :param x_earth: East component; float or array.
    :param y_earth: North component; same shape.
    :param cos_yaw: Cosine of the yaw, (-); same shape.
    :param sin_yaw: Sine of the yaw, (-); same shape.
    :return: Components forward and to starboard, in the inputs' unit.

    Source: Touzout's thesis, (4.15), (4.16).
    """
    return x_earth * cos_yaw + y_earth * sin_yaw, x_earth * sin_yaw - y_earth * cos_yaw


def polar_to_earth(speed: float, direction_deg: float) -> tuple[float, float]:
    """
    Return the east and north components of a flow given by speed and direction.

    :param speed: Speed, m/s.
    :param direction_deg: Direction it flows to, deg counter-clockwise from east.
    :return: East and north component, m/s.
    """
    angle = math.radians(direction_deg)
    return speed * math.cos(angle), speed * math.sin(angle)


@kernel
def wrap_angle(angle):
    """Return an angle, rad, wrapped to (-pi, pi]; NaN if it is not finite. Float or array."""
    return wrapped(angle)


def yaw_of_quaternion(x: float, y: float, z: float, w: float) -> float:
    """
    Return the yaw of an orientation, rad in (-pi, pi], about the frame's own z axis.

    The quaternion need not have unit length. The result is NaN if its length is zero or infinite.

    Source: Fossen (2011), (2.60), with the denominator of unit length left out by atan2.
    """
    if not 0.0 < x * x + y * y + z * z + w * w < math.inf:
        return math.nan
    return math.atan2(2.0 * (w * z + x * y), w * w + x * x - y * y - z * z)


def quaternion_of_angles(roll: float, pitch: float, yaw: float) -> tuple[float, float, float, float]:
    """
    Return the quaternion (x, y, z, w) of roll, pitch and yaw, rad: Rz(yaw) Ry(pitch) Rx(roll).

    Source: Fossen (2011), (2.70) to (2.73).
    """
    halves = [0.5 * angle for angle in (roll, pitch, yaw)]
    (c_r, c_p, c_y), (s_r, s_p, s_y) = ([turn(half) for half in halves] for turn in (math.cos, math.sin))
    return (s_r * c_p * c_y - c_r * s_p * s_y, c_r * s_p * c_y + s_r * c_p * s_y, c_r * c_p * s_y - s_r * s_p * c_y,
            c_r * c_p * c_y + s_r * s_p * s_y)


def quaternion_of_yaw(yaw: float) -> tuple[float, float, float, float]:
    """Return the quaternion (x, y, z, w) of a rotation by yaw, rad, about z."""
    return 0.0, 0.0, math.sin(0.5 * yaw), math.cos(0.5 * yaw)


def enu_of_ned(x: float, y: float, yaw: float) -> tuple[float, float, float]:
    """
    Return a planar pose in ENU from one in NED, and the other way round (the map is its own inverse).

    :param x: North (or east) coordinate, m.
    :param y: East (or north) coordinate, m.
    :param yaw: From north, clockwise (or from east, counter-clockwise), rad.
    :return: The two coordinates exchanged, m, and the yaw from the other axis, in the other sense, rad in (-pi, pi].
    """
    return y, x, wrap_angle(0.5 * math.pi - yaw)


def flu_of_frd(u: float, v: float, r: float) -> tuple[float, float, float]:
    """Return planar body velocities, m/s and rad/s, in FLU from FRD axes, or the other way round."""
    return u, -v, -r
