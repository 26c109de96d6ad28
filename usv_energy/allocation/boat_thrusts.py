"""The thrusts of a boat's thrusters for a force: by a closed form where the arrangement has one, else by the search."""

import math

from usv_energy.allocation.allocate import UNKNOWN, allocate
from usv_energy.allocation.problem import actuator_of
from usv_energy.physics.elementwise import arctan2, cos, each, kernel, larger, select, sin, smaller, sqrt, within
from usv_energy.thrusters.drive import limits_in_flow
from usv_energy.thrusters.thruster import WHOLE_TURN, inflow_along


@kernel
def least_thrusts(force, thrusters):
    """
    Return thrusts, N, and angles, rad, None of fixed ones, that together make a force; limits are left out.

    :param force: Surge N, sway N, yaw moment N m (counter-clockwise); floats or arrays.
    :param thrusters: The Thrusters; their shares know of each other.
    """
    wanted = each(least_thrust, (force,), thrusters)
    return each(_first, (), wanted), each(_second, (), wanted)


@kernel
def least_thrust(thruster, force):
    """Return the thrust, N, and the angle, rad, of one thruster as `least_thrusts`."""
    return _pointed(forward_part(thruster, force), force, thruster.azimuth)


@kernel
def forward_part(thruster, force):
    """Return the thrust of one thruster along its axis, or the forward part of that of one that turns, N."""
    return (thruster.surge_share * force[0] + thruster.yaw_share * force[2]
            + _of_sway(thruster.sway_share, force[1]))


@kernel
def sideways_part(azimuth, force):
    """Return the part to port of the thrust of one that turns, N, as `least_thrusts` has it."""
    return azimuth.surge_share * force[0] + azimuth.sway_share * force[1] + azimuth.yaw_share * force[2]


@kernel
def _of_sway(share, sway_force):
    if share is None:
        return 0.0 * sway_force
    return share * sway_force


@kernel
def _pointed(forward, force, azimuth):
    if azimuth is None:
        return forward, None
    return thrust_and_angle(forward, sideways_part(azimuth, force), azimuth)


@kernel
def thrust_and_angle(forward, sideways, azimuth):
    """
    Return a thrust, N, and the angle, rad, at which a turning thruster gives a force in the boat's plane.

    One that turns all the way round never drives astern; another does where the force is abaft the beam. Where its
    angle is limited it gives what of the force it can.

    :param forward: Force forward, N; float or array.
    :param sideways: Force to port, N; same shape.
    :param azimuth: The Azimuth.
    """
    whole = azimuth.largest - azimuth.least >= WHOLE_TURN
    sign = select((forward < 0.0) & (not whole), -1.0, 1.0)
    angle = arctan2(sign * sideways, sign * forward)
    limited = select(whole, angle, within(angle, azimuth.least, azimuth.largest))
    return forward * cos(limited) + sideways * sin(limited), limited


@kernel
def _first(pair):
    return pair[0]


@kernel
def _second(pair):
    return pair[1]



FAR = 1e300  # N/m: an end of a line that has none.


@kernel
def no_multipliers(zero, vessel):
    """Return the multipliers of a boat that has not searched yet, NaN; None of one whose thrusts need no search."""
    return _no_multipliers(zero, vessel.thrusters)


@kernel
def _no_multipliers(zero, thrusters):
    if len(thrusters) < 2:
        return None
    if len(thrusters) == 2:
        return _none_of_two(zero, thrusters[0].sway_share)
    return zero + math.nan, zero + math.nan, zero + math.nan


@kernel
def _none_of_two(zero, sway_share):
    if sway_share is None:
        return None
    return zero + math.nan, zero + math.nan, zero + math.nan


@kernel
def thrusts_of_force(at, force, vessel, start=UNKNOWN):
    """
    Return what the thrusters do where together they make a force: thrusts N, angles rad (None if fixed), multipliers.

    :param at: The Relative; floats or arrays.
    :param force: Surge N, sway N, yaw moment N m.
    :param vessel: The Vessel.
    :param start: Multipliers of a force near by, less the boat's velocity through the water: the next search is then
        as near where the boat is a little faster; UNKNOWN where there are none. Not asked for where nothing is chosen.
    :return: The multipliers are such, and those of `start` where nothing was searched for.
    """
    return _thrusts_of_force(at, force, vessel.thrusters, start)


@kernel
def _thrusts_of_force(at, force, thrusters, start):
    if len(thrusters) < 2:
        thrusts, angles = least_thrusts(force, thrusters)
        return thrusts, angles, start
    if len(thrusters) == 2:
        return _of_two(at, force, thrusters, start, thrusters[0].sway_share)
    return _searched(at, force, thrusters, start)


@kernel
def _of_two(at, force, thrusters, start, sway_share):
    if sway_share is None:
        return pair_thrusts(force, thrusters), (None, None), start
    return _searched(at, force, thrusters, start)


@kernel
def _searched(at, force, thrusters, start):
    there = start[0] + at.u_r, start[1] + at.v_r, start[2] + at.r
    thrusts, angles, found = allocate(force, each(actuator_of, (at,), thrusters), there)
    return thrusts, angles, (found[0] - at.u_r, found[1] - at.v_r, found[2] - at.r)


@kernel
def pair_thrusts(force, thrusters):
    """Return the thrusts, N, of two side by side for a surge force, N, and a yaw moment, N m; limits are left out."""
    one, other = thrusters
    drive = _drive_of_second(force, one, other)
    return (force[0] - drive) / one.efficiency_of_tilt, drive / other.efficiency_of_tilt


@kernel
def _drive_of_second(force, one, other):
    """Return the surge force that the second of two thrusters gives, N: N = -y_1 X_1 - y_2 X_2, X = X_1 + X_2."""
    return (force[2] + one.y * force[0]) / (one.y - other.y)


@kernel
def wished_thrusts(at, force, vessel, start=UNKNOWN):
    """
    Return what `thrusts_of_force` does, of a force that is asked for: within the limits, the yaw moment first.

    Parameters as there.
    """
    return _wished_thrusts(at, force, vessel.thrusters, start)


@kernel
def _wished_thrusts(at, force, thrusters, start):
    if len(thrusters) == 1:
        thrust, angle = _wished_of_one(at, force, thrusters[0], thrusters[0].azimuth)
        return (thrust,), (angle,), start
    if len(thrusters) == 2:
        return _wished_of_two(at, force, thrusters, start, thrusters[0].sway_share)
    return _thrusts_of_force(at, force, thrusters, start)


@kernel
def _wished_of_one(at, force, thruster, azimuth):
    """Return the thrust, N, and the angle, rad, of a single thruster: of one that turns the sideways part first."""
    forward = forward_part(thruster, force)
    if azimuth is None:
        return forward, None
    _, most = limits_in_flow(inflow_along(at, None, thruster), thruster)
    least_side, largest_side = _side_limits(azimuth, azimuth.ends)
    sideways = within(sideways_part(azimuth, force), most * least_side, most * largest_side)
    room = sqrt(larger(most * most - sideways * sideways, 0.0))
    return thrust_and_angle(smaller(forward, room), sideways, azimuth)


@kernel
def _side_limits(azimuth, ends):
    """Return the least and the largest share to port of a thrust ahead that the angles of a turning thruster allow."""
    if ends is None:
        return -1.0, 1.0
    return (select(azimuth.least <= -0.5 * math.pi, -1.0, ends[0][1]),
            select(azimuth.largest >= 0.5 * math.pi, 1.0, ends[2][1]))


@kernel
def _wished_of_two(at, force, thrusters, start, sway_share):
    if sway_share is None:
        return pair_within_limits(at, force, thrusters), (None, None), start
    return _searched(at, force, thrusters, start)


@kernel
def pair_within_limits(at, force, thrusters):
    """
    Return the thrusts of two thrusters straight ahead within their limits, N; the yaw moment comes first.

    Where both cannot be had, the surge force gives way: a boat that cannot turn is lost, a slow one is late.

    :param at: The Relative; floats or arrays.
    :param force: Surge N, sway N, yaw moment N m.
    :param thrusters: The two Thrusters.
    """
    one, other = thrusters
    low, high = limits_in_flow(inflow_along(at, None, one), one)
    other_low, other_high = limits_in_flow(inflow_along(at, None, other), other)
    tilt, other_tilt = one.efficiency_of_tilt, other.efficiency_of_tilt
    low, high, other_low, other_high = low * tilt, high * tilt, other_low * other_tilt, other_high * other_tilt
    # Moment and difference: with X_1 = X - X_2 the moment is -y_1 X + (y_1 - y_2) X_2.
    arm, other_arm = -one.y, -other.y
    most = larger(arm * low, arm * high) + larger(other_arm * other_low, other_arm * other_high)
    least = smaller(arm * low, arm * high) + smaller(other_arm * other_low, other_arm * other_high)
    moment = larger(smaller(force[2], most), least)
    drive = _drive_of_second((force[0], force[1], moment), one, other)
    return _on_line(force[0] - drive, drive, one.y, other.y, (low, high, other_low, other_high), tilt, other_tilt)


@kernel
def _on_line(first, second, y, other_y, limits, tilt, other_tilt):
    """
    Return the thrusts of two forces ahead, N, moved along their line of equal moment until both are within limits.

    The first changes by -y_2, the second by y_1 for each unit of the way; it is the shortest that does.
    """
    low, high, other_low, other_high = limits
    begin, end = _room(first, -other_y, low, high)
    other_begin, other_end = _room(second, y, other_low, other_high)
    way = smaller(larger(0.0 * first, larger(begin, other_begin)), smaller(end, other_end))
    return (smaller(larger(first - other_y * way, low), high) / tilt,
            smaller(larger(second + y * way, other_low), other_high) / other_tilt)


@kernel
def _room(force, change, low, high):
    """Return from where to where on a line a force that changes along it is within limits; all of it if it is fixed."""
    moves = change != 0.0
    inverse = 1.0 / select(moves, change, 1.0)
    one, other = (low - force) * inverse, (high - force) * inverse
    return select(moves, smaller(one, other), -FAR), select(moves, larger(one, other), FAR)
