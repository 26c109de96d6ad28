"""From commands to forces on the hull, from forces back to thrusts, and from thrust to electrical power."""

from .elementwise import interpolate, kernel, larger, smaller


@kernel
def limited_thrust(command, thruster):
    """Return the thrust that a thruster gives for a command, N: the command within its limits; float or array."""
    return smaller(larger(command, thruster.min_thrust), thruster.max_thrust)


@kernel
def lagged_thrust(thrust, command, decay, thruster):
    """
    Return the thrust some time later, N: a first-order answer to the limited command.

    :param thrust: Thrust now, N; float or array.
    :param command: Command held meanwhile, N; same shape.
    :param decay: exp(-time / lag), (-); 0 where the thruster answers at once.
    :param thruster: The Thruster.
    """
    target = limited_thrust(command, thruster)
    return target + (thrust - target) * decay


@kernel
def thruster_force(thrust, thruster):
    """
    Return one thruster's force on the hull: surge N, sway N, yaw moment N m (counter-clockwise).

    :param thrust: Thrust along its axis, N; float or array.
    :param thruster: The Thruster.
    """
    forward = thrust * thruster.efficiency_of_tilt
    return forward, 0.0 * forward, -thruster.y * forward


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
    port, starboard = thrusters
    span = port.y - starboard.y
    half_range = 0.5 * (port.max_thrust - port.min_thrust)
    wanted = yaw_moment / (span * port.efficiency_of_tilt)
    difference = smaller(larger(wanted, -half_range), half_range)
    room = abs(difference)
    mean = 0.5 * surge_force / port.efficiency_of_tilt
    mean = smaller(larger(mean, port.min_thrust + room), port.max_thrust - room)
    return mean - difference, mean + difference


@kernel
def thrust_of_force(surge_force, yaw_moment, thruster):
    """
    Return the thrust that one thruster gives where all of them make a force together, N, limits left out.

    :param surge_force: Measured or modelled, N; float or array.
    :param yaw_moment: Counter-clockwise, N m; same shape.
    :param thruster: The Thruster; its shares know of the others.
    """
    return thruster.surge_share * surge_force + thruster.yaw_share * yaw_moment


@kernel
def thruster_speed(u_r, r, thruster):
    """
    Return the speed of a thruster's place through the water, times what tilt leaves of a thrust, m/s.

    A thrust times it is the thrust's work a second on the hull, W.

    :param u_r: Surge velocity through the water, m/s; float or array.
    :param r: Yaw rate, counter-clockwise, rad/s; same shape.
    :param thruster: The Thruster.
    """
    return thruster.efficiency_of_tilt * (u_r - thruster.y * r)


@kernel
def given_power(useful):
    """Return what a thruster gives for the work a second of its thrust, W: nothing is taken back; float or array."""
    return larger(useful, 0.0 * useful)


@kernel
def drawn_of_map(thrust, losses):
    """Return the electrical power that a boat's map has a thruster draw for a thrust, W; 0 without a map."""
    if losses.mapped == 0.0:
        return 0.0 * thrust
    return interpolate(thrust, losses.map_thrust, losses.map_power)


@kernel
def thrusters_power(thrusts, u_r, r, thrusters):
    """
    Return the mechanical power that thrusters give, each at its own speed and none of it negative, W.

    :param thrusts: Of each along its axis, N; floats or arrays.
    :param u_r: Surge velocity through the water, m/s; same shape.
    :param r: Yaw rate, counter-clockwise, rad/s; same shape.
    :param thrusters: The Thrusters.
    """
    given = 0.0 * u_r
    for thrust, thruster in zip(thrusts, thrusters):
        given = given + given_power(thrust * thruster_speed(u_r, r, thruster))
    return given
