"""What to ask of all actuators of a boat for a force and a moment: rudders first, the thrusters the cheapest way."""

from .actuators import Setting
from .elementwise import by_part, each, each_in, kernel
from .rudder_balance import rudders_steered
from .thrust_sharing import shared_along, thrusts_of_force
from .thruster_drive import throttle_of, thrust_given


@kernel
def setting_of_force(surge_force, moment, at, vessel):
    """
    Return the Setting of actuators that are asked for a surge force, N, and a yaw moment, N m, which comes first.

    Rudders take of the moment what they can, the thrusters the rest.

    :param at: The Relative as the boat knows it; floats or arrays.
    :param vessel: The Vessel.
    """
    return planar_setting((surge_force, 0.0 * moment, moment), at, vessel)[0]


@kernel
def planar_setting(force, at, vessel):
    """
    Return the Setting of actuators that are asked for a force, sway too, and the prices of `shared_out`.

    :param force: Surge N, sway N, yaw moment N m; what the actuators cannot give of it is left out.
    :param at: The Relative as the boat knows it; floats or arrays.
    :param vessel: The Vessel.
    """
    setting, prices, _ = setting_with_aims(force, at, vessel)
    return setting, prices


@kernel
def setting_with_aims(force, at, vessel):
    """Return what `planar_setting` does, and the Aim of each thruster."""
    foils, by_rudders = by_part(vessel.foiled, _without_rudders, _with_rudders, force[0], force[2], at, vessel)
    thrusts, angles, aims, prices = shared_along(at, (force[0], force[1], force[2] - by_rudders), vessel)
    pointing = each(_pointing, angles, aims, vessel.thrusters)
    return Setting(each_in(at, throttle_of, thrusts, pointing, vessel.thrusters), pointing, foils), prices, aims


@kernel
def _pointing(angle, aim, thruster):
    return by_part(thruster.azimuth, _its_angle, _its_angle_or_axis, angle, aim.axis)


@kernel
def _its_angle(angle, axis):
    return angle


@kernel
def _its_angle_or_axis(azimuth, angle, axis):
    return by_part(azimuth.turn, _its_angle, _its_axis, angle, axis)


@kernel
def _its_axis(turn, angle, axis):
    return axis


@kernel
def _without_rudders(surge_force, moment, at, vessel):
    return (), 0.0 * moment


@kernel
def _with_rudders(foiled, surge_force, moment, at, vessel):
    """Return the angles of all foils, rad, and what of a yaw moment the rudders give, N m."""
    thrusts, asked = thrusts_of_force(at, (surge_force, 0.0 * moment, 0.0 * moment), vessel)
    limited = each_in(at, throttle_of, thrusts, asked, vessel.thrusters)
    limited = each_in(at, thrust_given, limited, asked, vessel.thrusters)
    return rudders_steered(moment, at, limited, vessel)
