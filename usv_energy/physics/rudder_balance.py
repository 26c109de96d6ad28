"""
The angles of foils, and what they do: rudders by the yaw moment that they are to give, sails trimmed to the wind.

A helmsman, and a motion of which nothing but odometry is known, tell a rudder's angle the same way: by the yaw balance.
"""

from .elementwise import by_part, each, each_in, kernel, larger, total
from .foil_angles import driving_sail_angle, driving_sail_direction, sail_angle, sail_direction, steered_rudder
from .foil_force import foil_force_of, foil_force_towards
from .thrust_sharing import thrusts_of_force


@kernel
def foil_angle(context, foil):
    """
    Return what the angle of a foil is to be, rad; None of a fixed one.

    A foil that turns is a sail, which is trimmed, or a rudder, which gives its part of a yaw moment.

    :param context: The Relative, the thrusts of all thrusters, N, and the yaw moment of this rudder, N m.
    :param foil: The Foil.
    """
    return foil_steered(context, foil)[0]


@kernel
def foil_steered(context, foil):
    """Return what `foil_angle` does, and the cosine and sine of that angle; None, None of a fixed foil."""
    at, thrusts, moment = context
    return by_part(foil.steer, _no_angle, _steered_angle, at, thrusts, moment, foil)


@kernel
def _no_angle(at, thrusts, moment, foil):
    return None, None


@kernel
def _steered_angle(steer, at, thrusts, moment, foil):
    return by_part(foil.sail, steered_rudder, _trimmed, moment, at, thrusts, foil)


@kernel
def _trimmed(sail, moment, at, thrusts, foil):
    return by_part(foil.drives, _half_of_wind, _driving_most, at, foil)


@kernel
def _half_of_wind(at, foil):
    return sail_angle(at.u_w, at.v_w, foil.steer), sail_direction(at.u_w, at.v_w, foil.steer)


@kernel
def _driving_most(drives, at, foil):
    return driving_sail_angle(at.u_w, at.v_w, foil), driving_sail_direction(at.u_w, at.v_w, foil)


@kernel
def _rudder(context, foil):
    """Return what there is of a foil as a rudder: 1.0, or 0.0 of a keel or sail."""
    return (by_part(foil.steer, _none, _one_of_rudder, foil),)


@kernel
def _none(foil):
    return 0.0


@kernel
def _one_of_rudder(steer, foil):
    return by_part(foil.sail, _one, _none_of_sail)


@kernel
def _one():
    return 1.0


@kernel
def _none_of_sail(sail):
    return 0.0


@kernel
def _rudder_force(context, angle, foil):
    """Return the force of a foil where it is a rudder; zeros of a keel or sail."""
    return by_part(foil.steer, _nothing_given, _where_rudder, context, angle, foil)


@kernel
def _nothing_given(context, angle, foil):
    zero = 0.0 * context[0].u_r
    return zero, zero, zero


@kernel
def _where_rudder(steer, context, angle, foil):
    return by_part(foil.sail, foil_force_of, _nothing_of_sail, context, angle, foil)


@kernel
def _nothing_of_sail(sail, context, angle, foil):
    return _nothing_given(context, angle, foil)


@kernel
def _rudder_moment(context, direction, foil):
    """Return the yaw moment of a foil where it is a rudder, N m, from its angle's cosine and sine; else 0."""
    return (by_part(foil.steer, _no_moment_given, _moment_where_rudder, context, direction, foil),)


@kernel
def _no_moment_given(context, direction, foil):
    return 0.0 * context[0].u_r


@kernel
def _moment_where_rudder(steer, context, direction, foil):
    return by_part(foil.sail, _moment_towards, _no_moment_of_sail, context, direction, foil)


@kernel
def _moment_towards(context, direction, foil):
    return foil_force_towards(context, direction, foil)[2]


@kernel
def _no_moment_of_sail(sail, context, direction, foil):
    return 0.0 * context[0].u_r


@kernel
def rudder_angles(moment, at, thrusts, vessel):
    """Return the angles of all foils, rad: rudders give a yaw moment, N m, in equal parts; sails are trimmed."""
    return each(_first, _foils_steered(moment, at, thrusts, vessel))


@kernel
def rudders_steered(moment, at, thrusts, vessel):
    """Return what `rudder_angles` does, and what of the yaw moment the rudders then give, N m."""
    found = _foils_steered(moment, at, thrusts, vessel)
    given = total((0.0,), each_in((at, thrusts), _rudder_moment, each(_second, found), vessel.foils))[0]
    return each(_first, found), given


@kernel
def _foils_steered(moment, at, thrusts, vessel):
    number = total((0.0,), each_in(0.0, _rudder, vessel.foils))[0]
    return each_in((at, thrusts, moment / larger(number, 1.0)), foil_steered, vessel.foils)


@kernel
def _first(pair):
    return pair[0]


@kernel
def _second(pair):
    return pair[1]


@kernel
def foils_of_force(at, force, vessel):
    """
    Return the force of the foils, N, N, N m, in a motion for which all actuators together give a force.

    Keels stand, sails are trimmed, and rudders give the yaw moment that these leave, which is how a helmsman finds
    their angle: the yaw balance.

    :param at: The Relative; floats or arrays.
    :param force: Surge N, sway N, yaw moment N m.
    :param vessel: The Vessel.
    """
    return by_part(vessel.foiled, _no_foils, _foils_of_force, at, force, vessel)


@kernel
def _no_foils(at, force, vessel):
    return 0.0, 0.0, 0.0


@kernel
def _foils_of_force(foiled, at, force, vessel):
    thrusts, _ = thrusts_of_force(at, force, vessel)
    x, y, n = _foils_in_wash(at, thrusts, force[2], vessel)
    thrusts, _ = thrusts_of_force(at, (force[0] - x, force[1] - y, force[2] - n), vessel)
    return _foils_in_wash(at, thrusts, force[2], vessel)  # Now with the screws' wash as the rudders' drag has it.


@kernel
def _foils_in_wash(at, thrusts, moment, vessel):
    """Return the force of the foils, N, N, N m, whose rudders give what keels and sails leave of a yaw moment, N m."""
    context = at, thrusts
    others = total((0.0,), each_in(context, _moment_but_of_rudders, vessel.foils))[0]
    found = _foils_steered(moment - others, at, thrusts, vessel)
    return total((0.0, 0.0, 0.0), each_in(context, foil_force_towards, each(_second, found), vessel.foils))


@kernel
def _moment_but_of_rudders(context, foil):
    return (by_part(foil.steer, _moment_of_keel, _moment_of_steered, context, foil),)


@kernel
def _moment_of_keel(context, foil):
    return foil_force_of(context, None, foil)[2]


@kernel
def _moment_of_steered(steer, context, foil):
    return by_part(foil.sail, _no_moment, _moment_of_sail, context, foil)


@kernel
def _no_moment(context, foil):
    return 0.0 * context[0].u_r


@kernel
def _moment_of_sail(sail, context, foil):
    return foil_force_towards(context, _trimmed(sail, 0.0, context[0], context[1], foil)[1], foil)[2]
