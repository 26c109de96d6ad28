"""
How a thruster is mounted, fixed at any angle or turning, in water or in air: axes, forces on the hull, inflow.

An angle is from the bow, counter-clockwise, rad; None where a thruster does not turn. An axis is the cosine and sine of
that angle; None straight ahead, so that compiled code has no trace of what most boats do not have.
"""

from ..physics.elementwise import direction_of, kernel
from ..physics.motion import velocity_in


@kernel
def axis_of(angle, axis):
    """Return a thruster's axis: of its angle, rad, or where it is fixed (None) its own `axis`."""
    if angle is None:
        return axis
    return direction_of(angle)


@kernel
def force_along(thrust, axis, thruster):
    """
    Return one thruster's force on the hull: surge N, sway N, yaw moment N m (counter-clockwise).

    :param thrust: Along its axis, N; float or array.
    :param axis: As `axis_of` has it.
    :param thruster: The Thruster.
    """
    drive = thrust * thruster.efficiency_of_tilt
    if axis is None:
        return drive, 0.0 * drive, -thruster.y * drive
    forward, sideways = drive * axis[0], drive * axis[1]
    return forward, sideways, thruster.x * sideways - thruster.y * forward


@kernel
def speed_along(u, v, r, axis, thruster):
    """
    Return the speed of a thruster's place along its axis, times what tilt leaves of a thrust, m/s.

    A thrust times it is the thrust's work a second on the hull, W, where `u` and `v` are through the water.

    :param u: Velocity of the boat's point through the fluid, forward, m/s; float or array.
    :param v: The same to port; same shape.
    :param r: Yaw rate, counter-clockwise, rad/s; same shape.
    :param axis: As `axis_of` has it.
    :param thruster: The Thruster.
    """
    if axis is None:
        return thruster.efficiency_of_tilt * (u - thruster.y * r)
    return thruster.efficiency_of_tilt * (axis[0] * (u - thruster.y * r) + axis[1] * (v + thruster.x * r))


@kernel
def inflow_along(at, axis, thruster):
    """
    Return the speed of a thruster's place through its own fluid along its axis, as `speed_along`.

    :param at: The Relative: velocity through the water, and the apparent wind.
    :param axis: As `axis_of` has it.
    :param thruster: The Thruster.
    """
    u, v = velocity_in(at, thruster.in_air)
    return speed_along(u, v, at.r, axis, thruster)
