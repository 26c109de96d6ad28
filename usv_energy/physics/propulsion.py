"""From commands to forces on the hull, from forces back to thrusts, and from thrust to electrical power."""

from .elementwise import interpolate, kernel, larger, smaller, within


@kernel
def limited_thrust(command, thruster):
    """Return the thrust that a thruster gives for a command, N: the command within its limits; float or array."""
    return within(command, thruster.min_thrust, thruster.max_thrust)


@kernel
def lagged_thrust(thrust, target, decay):
    """
    Return the thrust some time later, N: a first-order answer to what it goes to.

    :param thrust: Thrust now, N; float or array.
    :param target: Command held meanwhile, within the thruster's limits (`limited_thrust`), N; same shape.
    :param decay: exp(-time / lag), (-); 0 where the thruster answers at once.
    """
    return target + (thrust - target) * decay


@kernel
def allocated_pair(surge_force, yaw_moment, thrusters):
    """
    Return the thrusts of two thrusters side by side for a surge force and a yaw moment; the moment comes first.

    Where both cannot be had, the surge force gives way: a boat that cannot turn is lost, a slow one is late.

    :param surge_force: Wanted, N; float or array.
    :param yaw_moment: Wanted, counter-clockwise, N m; same shape.
    :param thrusters: Two, the first to port (larger y), at the same tilt and limits.
    :return: Thrusts along the axes, N, port and starboard.
    """
    return pair_within(surge_force, yaw_moment, thrusters, thrusters[0].min_thrust, thrusters[0].max_thrust)


@kernel
def pair_within(surge_force, yaw_moment, thrusters, least, most):
    """Return what `allocated_pair` does, with limits of each thrust of their own, N."""
    port, starboard = thrusters
    span = port.y - starboard.y
    half_range = 0.5 * (most - least)
    wanted = yaw_moment / (span * port.efficiency_of_tilt)
    difference = smaller(larger(wanted, -half_range), half_range)
    room = abs(difference)
    mean = 0.5 * surge_force / port.efficiency_of_tilt
    mean = smaller(larger(mean, least + room), most - room)
    return mean - difference, mean + difference


@kernel
def given_power(useful):
    """Return what a thruster gives for the work a second of its thrust, W: nothing is taken back; float or array."""
    return larger(useful, 0.0)


@kernel
def drawn_of_map(thrust, losses):
    """Return the electrical power that a boat's map has a thruster draw for a thrust, W; 0 without a map."""
    if losses.mapped == 0.0:
        return 0.0 * thrust
    return interpolate(thrust, losses.map_thrust, losses.map_power)
