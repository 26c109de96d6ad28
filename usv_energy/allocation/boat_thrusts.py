"""The thrusts of a boat for a wanted force: by a closed form if the arrangement has one, else by `allocate`."""

import math

from usv_energy.allocation.allocate import NO_START, allocate
from usv_energy.allocation.problem import actuator_of
from usv_energy.physics.elementwise import arctan2, cos, each, kernel, larger, select, sin, smaller, sqrt, within
from usv_energy.thrusters.drive import limits_in_flow
from usv_energy.thrusters.thruster import WHOLE_TURN, inflow_along

FAR = 1e300  # N/m: the end of an unlimited line.


@kernel
def least_thrusts(force, thrusters):
    """
    Return thrusts, N, and angles, rad (None if fixed), that together give a force; their limits are ignored.

    :param force: Surge N, sway N, yaw moment N m (counter-clockwise); floats or arrays.
    :param thrusters: All Thrusters of the boat; each holds its shares of surge, sway and yaw.
    """
    wanted = each(least_thrust, (force,), thrusters)
    return each(_first, (), wanted), each(_second, (), wanted)


@kernel
def least_thrust(thruster, force):
    """Return the thrust, N, and the angle, rad, of one thruster for `least_thrusts`."""
    forward = forward_part(thruster, force)
    if thruster.azimuth is None:
        return forward, None
    return thrust_and_angle(forward, sideways_part(thruster.azimuth, force), thruster.azimuth)


@kernel
def forward_part(thruster, force):
    """Return the thrust of a fixed thruster along its axis, or the forward part of an azimuth thruster's, N."""
    sway_share = 0.0 if thruster.sway_share is None else thruster.sway_share
    return thruster.surge_share * force[0] + thruster.yaw_share * force[2] + sway_share * force[1]


@kernel
def sideways_part(azimuth, force):
    """Return the part to port of the thrust of an azimuth thruster for `least_thrusts`, N."""
    return azimuth.surge_share * force[0] + azimuth.sway_share * force[1] + azimuth.yaw_share * force[2]


@kernel
def thrust_and_angle(forward, sideways, azimuth):
    """
    Return the thrust, N, and the angle, rad, at which an azimuth thruster gives a horizontal force.

    A thruster that turns all the way round never drives astern; any other does if the force is abaft the beam. If its
    angle is limited, it gives the part of the force along the nearest angle.

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


@kernel
def no_multipliers(zero, vessel):
    """Return the initial multipliers of a boat: NaN, or None if its thrusts have a closed form."""
    return _no_multipliers(zero, vessel.thrusters)


@kernel
def _no_multipliers(zero, thrusters):
    if len(thrusters) < 2:
        return None
    if len(thrusters) == 2:
        return _no_multipliers_of_pair(zero, thrusters[0].sway_share)
    return zero + math.nan, zero + math.nan, zero + math.nan


@kernel
def _no_multipliers_of_pair(zero, sway_share):
    if sway_share is None:
        return None
    return zero + math.nan, zero + math.nan, zero + math.nan


@kernel
def thrusts_of_force(at, force, vessel, start=NO_START):
    """
    Return the thrusts, N, and angles, rad (None if fixed), that together give a force, and the multipliers.

    :param at: The Relative; floats or arrays.
    :param force: Surge N, sway N, yaw moment N m.
    :param vessel: The Vessel.
    :param start: Initial guess for the search: the multipliers for a similar force, less the boat's velocity through
        the water, so that the guess holds when the boat's speed changes. NO_START if there is none. A closed form does
        not use it.
    :return: The multipliers are also less the velocity; a closed form returns `start` unchanged.
    """
    return _thrusts_of_force(at, force, vessel.thrusters, start)


@kernel
def _thrusts_of_force(at, force, thrusters, start):
    if len(thrusters) < 2:
        thrusts, angles = least_thrusts(force, thrusters)
        return thrusts, angles, start
    if len(thrusters) == 2:
        return _pair_of_force(at, force, thrusters, start, thrusters[0].sway_share)
    return _thrusts_by_search(at, force, thrusters, start)


@kernel
def _pair_of_force(at, force, thrusters, start, sway_share):
    if sway_share is None:
        return pair_thrusts(force, thrusters), (None, None), start
    return _thrusts_by_search(at, force, thrusters, start)


@kernel
def _thrusts_by_search(at, force, thrusters, start):
    there = start[0] + at.u_r, start[1] + at.v_r, start[2] + at.r
    thrusts, angles, found = allocate(force, each(actuator_of, (at,), thrusters), there)
    return thrusts, angles, (found[0] - at.u_r, found[1] - at.v_r, found[2] - at.r)


@kernel
def pair_thrusts(force, thrusters):
    """Return the thrusts, N, of two thrusters side by side for a surge force and yaw moment; limits are ignored."""
    one, other = thrusters
    drive = _drive_of_second(force, one, other)
    return (force[0] - drive) / one.efficiency_of_tilt, drive / other.efficiency_of_tilt


@kernel
def _drive_of_second(force, one, other):
    """Return the surge force that the second of two thrusters gives, N: N = -y_1 X_1 - y_2 X_2, X = X_1 + X_2."""
    return (force[2] + one.y * force[0]) / (one.y - other.y)


@kernel
def wished_thrusts(at, force, vessel, start=NO_START):
    """
    Return `thrusts_of_force` for a commanded force, within the limits; the yaw moment has priority.

    Parameters as there.
    """
    return _wished_thrusts(at, force, vessel.thrusters, start)


@kernel
def _wished_thrusts(at, force, thrusters, start):
    if len(thrusters) == 1:
        thrust, angle = _wished_of_one(at, force, thrusters[0], thrusters[0].azimuth)
        return (thrust,), (angle,), start
    if len(thrusters) == 2:
        return _wished_of_pair(at, force, thrusters, start, thrusters[0].sway_share)
    return _thrusts_of_force(at, force, thrusters, start)


@kernel
def _wished_of_one(at, force, thruster, azimuth):
    """Return the thrust, N, and angle, rad, of a single thruster; if it turns, the sideways force has priority."""
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
    """Return the least and the largest share to port of a thrust ahead within the angle limits."""
    if ends is None:
        return -1.0, 1.0
    return (select(azimuth.least <= -0.5 * math.pi, -1.0, ends[0][1]),
            select(azimuth.largest >= 0.5 * math.pi, 1.0, ends[2][1]))


@kernel
def _wished_of_pair(at, force, thrusters, start, sway_share):
    if sway_share is None:
        return pair_within_limits(at, force, thrusters), (None, None), start
    return _thrusts_by_search(at, force, thrusters, start)


@kernel
def pair_within_limits(at, force, thrusters):
    """
    Return the thrusts of two thrusters straight ahead within their limits, N; yaw moment has priority over surge.

    :param at: The Relative; floats or arrays.
    :param force: Surge N, sway N, yaw moment N m.
    :param thrusters: The two Thrusters.
    """
    one, other = thrusters
    low, high = limits_in_flow(inflow_along(at, None, one), one)
    other_low, other_high = limits_in_flow(inflow_along(at, None, other), other)
    tilt, other_tilt = one.efficiency_of_tilt, other.efficiency_of_tilt
    low, high, other_low, other_high = low * tilt, high * tilt, other_low * other_tilt, other_high * other_tilt
    # The surge forces add up to X, so the moment is -y_1 X + (y_1 - y_2) X_2.
    arm, other_arm = -one.y, -other.y
    most = larger(arm * low, arm * high) + larger(other_arm * other_low, other_arm * other_high)
    least = smaller(arm * low, arm * high) + smaller(other_arm * other_low, other_arm * other_high)
    moment = larger(smaller(force[2], most), least)
    drive = _drive_of_second((force[0], force[1], moment), one, other)
    limits = low, high, other_low, other_high
    return _at_equal_moment(force[0] - drive, drive, one.y, other.y, limits, tilt, other_tilt)


@kernel
def _at_equal_moment(first, second, y, other_y, limits, tilt, other_tilt):
    """
    Return the thrusts for two forces ahead, N, changed at equal moment by as little as brings both within limits.

    Along the line of equal moment, the first force is first - y_2 s and the second is second + y_1 s.
    """
    low, high, other_low, other_high = limits
    begin, end = _interval_within(first, -other_y, low, high)
    other_begin, other_end = _interval_within(second, y, other_low, other_high)
    s = smaller(larger(0.0 * first, larger(begin, other_begin)), smaller(end, other_end))
    return (smaller(larger(first - other_y * s, low), high) / tilt,
            smaller(larger(second + y * s, other_low), other_high) / other_tilt)


@kernel
def _interval_within(force, change, low, high):
    """Return the interval of s in which force + change * s is within limits; the whole line if `change` is 0."""
    moves = change != 0.0
    inverse = 1.0 / select(moves, change, 1.0)
    one, other = (low - force) * inverse, (high - force) * inverse
    return select(moves, smaller(one, other), -FAR), select(moves, larger(one, other), FAR)
