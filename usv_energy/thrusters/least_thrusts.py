"""
The thrusts that make a force where limits are left out: of all that do, those with the least sum of squares.

They follow from each thruster's shares of surge, sway and yaw (`thruster.with_shares`).
"""

from ..physics.elementwise import arctan2, cos, each, kernel, select, sin, within
from .thruster import WHOLE_TURN


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
