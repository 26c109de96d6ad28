"""The power of all thrusters where together they make a force, or have known thrusts: what they give, and draw."""

from .elementwise import by_part, each_in, kernel, total
from .power_of_thruster import powers_of_aim, straight_powers, thruster_powers
from .thrust_sharing import shared_along


@kernel
def thrusters_powers(at, force, vessel):
    """
    Return work a second on the hull, what is given, and what that draws, W, of all thrusters where they make a force.

    :param at: The Relative; floats or arrays.
    :param force: Surge N, sway N, yaw moment N m; what the thrusters cannot give of it is left out.
    :param vessel: The Vessel.
    """
    return priced_powers(at, force, vessel)[0]


@kernel
def priced_powers(at, force, vessel):
    """Return what `thrusters_powers` does, and the prices at which thrusts were shared out (`shared_out`)."""
    return by_part(vessel.arranged, _powers_of_pair, _powers_of_any, at, force, vessel)


@kernel
def _powers_of_any(arranged, at, force, vessel):
    thrusts, _, aims, prices = shared_along(at, force, vessel)
    return total((0.0, 0.0, 0.0), each_in((at, vessel.losses), _powers_of_aim, thrusts, aims, vessel.thrusters)), prices


@kernel
def powers_of_thrusts(at, thrusts, angles, vessel):
    """Return what `thrusters_powers` does, of thrusts along the axes, N, and angles, rad, None of fixed ones."""
    return total((0.0, 0.0, 0.0), each_in((at, vessel.losses), _powers, thrusts, angles, vessel.thrusters))


@kernel
def _powers_of_pair(at, force, vessel):
    port, starboard = vessel.thrusters
    useful, given, drawn = straight_powers(at, port.surge_share * force[0] + port.yaw_share * force[2], port,
                                           vessel.losses)
    useful_too, given_too, drawn_too = straight_powers(
        at, starboard.surge_share * force[0] + starboard.yaw_share * force[2], starboard, vessel.losses)
    return (0.0 + useful + useful_too, 0.0 + given + given_too, 0.0 + drawn + drawn_too), None


@kernel
def _powers_of_aim(context, thrust, aim, thruster):
    at, losses = context
    return powers_of_aim(at, thrust, aim, thruster, losses)


@kernel
def _powers(context, thrust, angle, thruster):
    at, losses = context
    return thruster_powers(at, thrust, angle, thruster, losses)


@kernel
def given_powers(at, thrusts, angles, vessel):
    """Return the power that thrusters give, each at its own speed and none of it negative, W; as `thrusters_force`."""
    return powers_of_thrusts(at, thrusts, angles, vessel)[1]
