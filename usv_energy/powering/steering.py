"""
What to ask of all actuators for a force and a moment: rudders first, sails to the wind, thrusters the cheapest way.

A helmsman, and a motion of which nothing but odometry is known, tell a rudder's angle the same way: by the yaw balance.
"""

from usv_energy.allocation.allocate import UNKNOWN
from usv_energy.allocation.boat_thrusts import thrusts_of_force, wished_thrusts
from usv_energy.foils.foil_angles import driving_sail_angle, rudder_angle_of_moment, sail_angle
from usv_energy.foils.foil_force import foil_force_of, forces_of_foils
from usv_energy.physics.elementwise import each, kernel, larger, total
from usv_energy.powering.actuators import Setting, rudder_force
from usv_energy.thrusters.drive import command_under_way, thrust_under_way


@kernel
def setting_of_force(force, at, vessel, start=UNKNOWN):
    """
    Return the Setting of actuators that are asked for a force, and the multipliers of `thrusts_of_force`.

    Rudders take of the yaw moment what they can, the thrusters the rest.

    :param force: Surge N, sway N, yaw moment N m; what the actuators cannot give of it is left out.
    :param at: The Relative as the boat knows it; floats or arrays.
    :param vessel: The Vessel.
    :param start: As `thrusts_of_force`.
    """
    foils, by_rudders = _steered_foils(force, at, vessel, start, vessel.foils)
    thrusts, angles, multipliers = wished_thrusts(at, (force[0], force[1], force[2] - by_rudders), vessel, start)
    commands = each(command_under_way, (at,), thrusts, angles, vessel.thrusters)
    return Setting(commands, angles, foils), multipliers


@kernel
def _steered_foils(force, at, vessel, start, foils):
    """Return the angles of all foils, rad, and what of a yaw moment the rudders give, N m."""
    if len(foils) == 0:
        return (), 0.0 * force[2]
    thrusts, angles, _ = thrusts_of_force(at, (force[0], 0.0 * force[2], 0.0 * force[2]), vessel, start)
    commands = each(command_under_way, (at,), thrusts, angles, vessel.thrusters)
    given = each(thrust_under_way, (at,), commands, angles, vessel.thrusters)
    found = foil_angles(force[2], at, given, foils)
    return found, total((0.0, 0.0, 0.0), each(rudder_force, (at, given), found, foils))[2]


@kernel
def foil_angles(moment, at, thrusts, foils):
    """Return the angles of all foils, rad: rudders give a yaw moment, N m, in equal parts; sails are trimmed."""
    number = total((0.0,), each(_is_rudder, (), foils))[0]
    return each(foil_angle, (moment / larger(number, 1.0), at, thrusts), foils)


@kernel
def foil_angle(foil, moment, at, thrusts):
    """
    Return what the angle of a foil is to be, rad; None of a fixed one.

    A foil that turns is a sail, which is trimmed, or a rudder, which gives its part of a yaw moment.

    :param foil: The Foil.
    :param moment: Of this rudder, N m.
    :param at: The Relative.
    :param thrusts: Of all thrusters, N.
    """
    return _foil_angle(foil, moment, at, thrusts, foil.steer, foil.sail)


@kernel
def _foil_angle(foil, moment, at, thrusts, steer, sail):
    if steer is None:
        return None
    if sail is None:
        return rudder_angle_of_moment(moment, foil, at, thrusts)
    return _sail_angle(at, foil, steer, foil.drives)


@kernel
def _sail_angle(at, foil, steer, drives):
    if drives is None:
        return sail_angle(at.u_w, at.v_w, steer)
    return driving_sail_angle(at.u_w, at.v_w, foil)


@kernel
def _is_rudder(foil):
    """Return what there is of a foil as a rudder: 1.0, or 0.0 of a keel or sail."""
    return (rudder_share(foil.steer, foil.sail),)


@kernel
def rudder_share(steer, sail):
    """Return 1.0 of a rudder, 0.0 of a keel or sail, by a Foil's `steer` and `sail`."""
    if steer is None:
        return 0.0
    if sail is None:
        return 1.0
    return 0.0


@kernel
def foils_of_force(at, force, vessel, start=UNKNOWN):
    """
    Return the force of the foils, N, N, N m, in a motion for which all actuators together give a force.

    Keels stand, sails are trimmed, and rudders give the yaw moment that these leave, which is how a helmsman finds
    their angle: the yaw balance.

    :param at: The Relative; floats or arrays.
    :param force: Surge N, sway N, yaw moment N m.
    :param vessel: The Vessel.
    :param start: As `thrusts_of_force`.
    """
    return _foils_of_force(at, force, vessel, start, vessel.foils)


@kernel
def _foils_of_force(at, force, vessel, start, foils):
    if len(foils) == 0:
        return 0.0, 0.0, 0.0
    thrusts, _, near = thrusts_of_force(at, force, vessel, start)
    x, y, n = _foils_in_wash(at, thrusts, force[2], foils)
    thrusts, _, _ = thrusts_of_force(at, (force[0] - x, force[1] - y, force[2] - n), vessel, near)
    return _foils_in_wash(at, thrusts, force[2], foils)  # Now with the screws' wash as the rudders' drag has it.


@kernel
def _foils_in_wash(at, thrusts, moment, foils):
    """Return the force of the foils, N, N, N m, whose rudders give what keels and sails leave of a yaw moment, N m."""
    others = total((0.0,), each(moment_but_of_rudders, (at, thrusts), foils))[0]
    return forces_of_foils(foil_angles(moment - others, at, thrusts, foils), foils, at, thrusts)


@kernel
def moment_but_of_rudders(foil, at, thrusts):
    """Return the yaw moment, N m, of a keel or a trimmed sail, in a tuple; 0 of a rudder."""
    return (_moment_but_of_rudders(foil, at, thrusts, foil.steer, foil.sail),)


@kernel
def _moment_but_of_rudders(foil, at, thrusts, steer, sail):
    if steer is None:
        return foil_force_of(None, foil, at, thrusts)[2]
    if sail is None:
        return 0.0 * at.u_r
    return foil_force_of(_sail_angle(at, foil, steer, foil.drives), foil, at, thrusts)[2]
