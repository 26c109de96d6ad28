"""
One thruster, fixed at any angle or turning, in water or in air: force, speed, limits; power: `power_of_thruster`.

An angle is from the bow, counter-clockwise, rad; None where a thruster does not turn. What a boat has not (a turning
thruster, a fan) is None in its types, which `by_part` asks, and compiled code leaves it out.
"""

import math

from .elementwise import axis_at, by_part, kernel
from .propeller import bollard_thrust, largest_thrust, least_thrust, thrust_at
from .propulsion import given_power, limited_thrust

WHOLE_TURN = 2.0 * math.pi - 1e-9  # rad: a range of angles from here on has no end.


@kernel
def axis_of(angle, axis):
    """
    Return the cosine and sine of a thruster's axis: of its angle, or the fixed `axis`; None for straight ahead.

    :param angle: Rad, None of a fixed one; or that pair (`Azimuth.turn`).
    """
    if angle is None:
        return axis
    return axis_at(angle)


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
    return _inflow(at, axis, thruster, thruster.in_air)


@kernel
def _inflow(at, axis, thruster, in_air):
    if in_air is None:
        return speed_along(at.u_r, at.v_r, at.r, axis, thruster)
    return speed_along(-at.u_w, -at.v_w, at.r, axis, thruster)


@kernel
def through_water(at):
    """Return the velocity of the boat's point through the water, forward and to port, m/s, of a Relative."""
    return at.u_r, at.v_r


@kernel
def through_air(in_air, at):
    """Return the velocity of the boat's point through the air, forward and to port, m/s, of a Relative."""
    return -at.u_w, -at.v_w


@kernel
def thruster_drive(at, thrust, angle, thruster):
    """
    Return a thruster's force on the hull, N, N, N m, and the power that it gives, W.

    :param at: The Relative.
    :param thrust: What is asked of it, N: at standstill, where its propeller knows of the water's speed.
    :param angle: Of its axis, rad; None of a fixed one.
    :param thruster: The Thruster.
    """
    axis = axis_of(angle, thruster.axis)
    inflow = inflow_along(at, axis, thruster)
    along = _under_way(thrust, inflow, thruster.propeller)
    force = force_along(along, axis, thruster)
    work = by_part(axis, _same_work, _work_aside, at, force, along * inflow, thruster)
    return force[0], force[1], force[2], given_power(work)


@kernel
def _same_work(at, force, work, thruster):
    return work


@kernel
def _work_aside(axis, at, force, work, thruster):
    return by_part(thruster.in_air, work_on_hull, work_in_air, at, force, work)


@kernel
def work_on_hull(at, force, work):
    """Return the work a second of a force in water, W: that of the thrust along its axis, by its three parts."""
    return force[0] * at.u_r + force[1] * at.v_r + force[2] * at.r


@kernel
def work_in_air(in_air, at, force, work):
    """Return the work a second of a thrust in air, W: at its speed through that, and not through the water."""
    return work


@kernel
def surge_along(at, thrust, aim, thruster):
    """Return the surge force of a thruster on the hull, N, as `thruster_drive`, of its Aim (`allocation`)."""
    return by_part(aim.push, _surge_by_axis, _surge_by_push, at, thrust, aim.axis, thruster)


@kernel
def _surge_by_axis(at, thrust, axis, thruster):
    axis = axis_or_own(axis, thruster)
    along = _under_way(thrust, inflow_along(at, axis, thruster), thruster.propeller)
    return force_along(along, axis, thruster)[0]


@kernel
def _surge_by_push(push, at, thrust, axis, thruster):
    return by_part(thruster.propeller, _ahead_of_push, _ahead_of_propeller, push, at, thrust, axis, thruster)


@kernel
def _ahead_of_push(push, at, thrust, axis, thruster):
    return push[0]


@kernel
def _ahead_of_propeller(propeller, push, at, thrust, axis, thruster):
    return _surge_by_axis(at, thrust, axis, thruster)


@kernel
def axis_or_own(axis, thruster):
    """Return the axis of an Aim, or of what is fixed its own, as `axis_of` has it."""
    return by_part(axis, _own_axis, _turned, thruster)


@kernel
def _own_axis(thruster):
    return thruster.axis


@kernel
def _turned(axis, thruster):
    return axis


@kernel
def thrust_given(at, thrust, angle, thruster):
    """
    Return the thrust that a thruster gives at a Relative, N, for one that is asked of it; as `thruster_drive`.

    Without a propeller that knows of the speed it is the thrust itself.
    """
    return _under_way(thrust, inflow_along(at, axis_of(angle, thruster.axis), thruster), thruster.propeller)


@kernel
def pair_drive(at, thrusts, thrusters):
    """
    Return the force and power of two thrusters straight ahead in water, as the sum of what `thruster_drive` returns.

    Written out, since on floats its calls took most of a step's time.
    """
    port, starboard = thrusters
    x, n, power = _straight_drive(at, thrusts[0], port, port.propeller)
    x_too, n_too, power_too = _straight_drive(at, thrusts[1], starboard, starboard.propeller)
    return 0.0 + x + x_too, 0.0 + 0.0 * (x + x_too), 0.0 + n + n_too, 0.0 + power + power_too


@kernel
def _straight_drive(at, thrust, thruster, propeller):
    """Return surge force N, yaw moment N m and power W of a thruster straight ahead in water."""
    inflow = thruster.efficiency_of_tilt * (at.u_r - thruster.y * at.r)
    along = _under_way(thrust, inflow, propeller)
    drive = along * thruster.efficiency_of_tilt
    return drive, -thruster.y * drive, given_power(along * inflow)


@kernel
def _same_thrust(thrust, inflow):
    return thrust


@kernel
def _under_way(thrust, inflow, propeller):
    if propeller is None:
        return thrust
    return thrust_at(thrust, inflow, propeller)


@kernel
def _thrust_at_rest(propeller, thrust, inflow):
    return bollard_thrust(thrust, inflow, propeller)


@kernel
def throttle_of(at, thrust, angle, thruster):
    """
    Return the thrust at standstill, N, for which a thruster gives a thrust at a Relative: what is asked of it.

    Without a propeller that knows of the speed it is the thrust itself. Within the thruster's limits.
    """
    inflow = inflow_along(at, axis_of(angle, thruster.axis), thruster)
    return limited_thrust(by_part(thruster.propeller, _same_thrust, _thrust_at_rest, thrust, inflow), thruster)


@kernel
def thrust_limits(at, angle, thruster):
    """Return the least and the largest thrust of a thruster at a Relative, N; floats or arrays."""
    inflow = inflow_along(at, axis_of(angle, thruster.axis), thruster)
    return by_part(thruster.propeller, _limits_at_rest, _limits_under_way, inflow, thruster)


@kernel
def _limits_at_rest(inflow, thruster):
    return thruster.min_thrust, thruster.max_thrust


@kernel
def _limits_under_way(propeller, inflow, thruster):
    return (least_thrust(inflow, thruster.min_thrust, propeller),
            largest_thrust(inflow, thruster.max_thrust, propeller))


@kernel
def turned_axis(angle):
    """Return the cosine and sine of a turning thruster's angle, rad; None for None, that of a fixed one."""
    return by_part(angle, _no_axis, axis_at)


@kernel
def _no_axis():
    return None
