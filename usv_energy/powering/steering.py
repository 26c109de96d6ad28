"""
The Setting of all actuators that gives a wanted force and moment.

Rudders give the yaw moment first, sails are trimmed to the wind, and the thrusters give the rest at the lowest power.
The same yaw balance estimates the rudder angles of a motion of which only odometry is known.
"""

from usv_energy.allocation.allocate import NO_START
from usv_energy.allocation.boat_thrusts import thrusts_of_force, wished_thrusts
from usv_energy.foils.foil_angles import driving_sail_angle, rudder_angle_of_moment, sail_angle
from usv_energy.foils.foil_force import foil_force_of, forces_of_foils
from usv_energy.physics.elementwise import each, kernel, larger, total
from usv_energy.powering.actuators import Setting, rudder_force
from usv_energy.thrusters.drive import command_under_way, thrust_under_way


@kernel
def setting_of_force(force, at, vessel, start=NO_START):
    """
    Return the Setting that gives a wanted force, and the multipliers of `thrusts_of_force`.

    The rudders give as much of the yaw moment as they can, and the thrusters give the rest.

    :param force: Surge N, sway N, yaw moment N m; the part beyond the actuators' limits is not given.
    :param at: The Relative as the boat's controller knows it; floats or arrays.
    :param vessel: The Vessel.
    :param start: As `thrusts_of_force`.
    """
    foils, by_rudders = _steered_foils(force, at, vessel, start, vessel.foils)
    thrusts, angles, multipliers = wished_thrusts(at, (force[0], force[1], force[2] - by_rudders), vessel, start)
    commands = each(command_under_way, (at,), thrusts, angles, vessel.thrusters)
    return Setting(commands, angles, foils), multipliers


@kernel
def _steered_foils(force, at, vessel, start, foils):
    """Return the angles of all foils, rad, and the part of the wanted yaw moment that the rudders give, N m."""
    if len(foils) == 0:
        return (), 0.0 * force[2]
    thrusts, angles, _ = thrusts_of_force(at, (force[0], 0.0 * force[2], 0.0 * force[2]), vessel, start)
    commands = each(command_under_way, (at,), thrusts, angles, vessel.thrusters)
    given = each(thrust_under_way, (at,), commands, angles, vessel.thrusters)
    found = foil_angles(force[2], at, given, foils)
    return found, total((0.0, 0.0, 0.0), each(rudder_force, (at, given), found, foils))[2]


@kernel
def foil_angles(moment, at, thrusts, foils):
    """Return the angles of all foils, rad; the rudders share a yaw moment, N m, equally, and the sails are trimmed."""
    number = total((0.0,), each(_is_rudder, (), foils))[0]
    return each(foil_angle, (moment / larger(number, 1.0), at, thrusts), foils)


@kernel
def foil_angle(foil, moment, at, thrusts):
    """
    Return the wanted angle of a foil, rad; None if it is fixed.

    A foil that turns is either a sail, which is trimmed, or a rudder, which gives its share of a yaw moment.

    :param foil: The Foil.
    :param moment: Yaw moment wanted of this foil if it is a rudder, N m.
    :param at: The Relative.
    :param thrusts: Of all thrusters along their axes, N; their wash reaches the rudders.
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
    """Return `rudder_share` of a foil in a tuple, as `total` needs it."""
    return (rudder_share(foil.steer, foil.sail),)


@kernel
def rudder_share(steer, sail):
    """Return 1.0 for a rudder, 0.0 for a keel or a sail; `steer` and `sail` are those of the Foil."""
    if steer is None:
        return 0.0
    if sail is None:
        return 1.0
    return 0.0


@kernel
def foils_of_force(at, force, vessel, start=NO_START):
    """
    Return the force of the foils, N, N, N m, in a motion that requires a given force of all actuators together.

    Keels are fixed, sails are trimmed, and the rudders give the yaw moment that is then missing (yaw balance).

    :param at: The Relative; floats or arrays.
    :param force: Required of all actuators: surge N, sway N, yaw moment N m.
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
    return _foils_in_wash(at, thrusts, force[2], foils)  # With the updated wash.


@kernel
def _foils_in_wash(at, thrusts, moment, foils):
    """Return the force of the foils, N, N, N m; the rudders give a yaw moment, N m, less that of keels and sails."""
    others = total((0.0,), each(moment_but_of_rudders, (at, thrusts), foils))[0]
    return forces_of_foils(foil_angles(moment - others, at, thrusts, foils), foils, at, thrusts)


@kernel
def moment_but_of_rudders(foil, at, thrusts):
    """Return the yaw moment, N m, of a keel or a trimmed sail in a tuple; 0 for a rudder."""
    return (_moment_but_of_rudders(foil, at, thrusts, foil.steer, foil.sail),)


@kernel
def _moment_but_of_rudders(foil, at, thrusts, steer, sail):
    if steer is None:
        return foil_force_of(None, foil, at, thrusts)[2]
    if sail is None:
        return 0.0 * at.u_r
    return foil_force_of(_sail_angle(at, foil, steer, foil.drives), foil, at, thrusts)[2]
