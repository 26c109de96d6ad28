"""
The power of one thruster: its work on the hull, what it gives, and what that draws; force and speed: `thruster_drive`.

All thrusters together: `thrusters_power`.
"""

from .elementwise import by_part, kernel
from .propeller import drawn_power
from .propulsion import drawn_of_map, given_power
from .thruster_drive import axis_of, axis_or_own, inflow_along, speed_along, work_in_air, work_on_hull


@kernel
def thruster_powers(at, thrust, angle, thruster, losses):
    """
    Return the work a second of a thrust on the hull, what its thruster gives, and what that draws, W.

    A fan gives its thrust times its speed through the air, which is not what the hull gets of it. Neither takes
    anything back.

    :param at: The Relative; floats or arrays.
    :param thrust: Along its axis, N; same shape.
    :param angle: Of its axis, rad; None of a fixed one.
    :param thruster: The Thruster.
    :param losses: The Losses.
    """
    return powers_along(at, thrust, axis_of(angle, thruster.axis), thruster, losses)


@kernel
def powers_along(at, thrust, axis, thruster, losses):
    """Return what `thruster_powers` does, of a thrust along an axis, as `axis_of` has it."""
    useful = thrust * speed_along(at.u_r, at.v_r, at.r, axis, thruster)
    inflow = inflow_along(at, axis, thruster)
    given = given_power(thrust * inflow)
    drawn = by_part(thruster.propeller, _drawn_by_losses, _drawn_by_propeller, thrust, inflow, given, losses)
    return useful, given, drawn


@kernel
def powers_of_aim(at, thrust, aim, thruster, losses):
    """Return what `thruster_powers` does, of a thrust with an Aim (`allocation`); its push says the work."""
    return by_part(aim.push, _powers_by_axis, _powers_by_push, at, thrust, aim.axis, thruster, losses)


@kernel
def _powers_by_axis(at, thrust, axis, thruster, losses):
    return powers_along(at, thrust, axis_or_own(axis, thruster), thruster, losses)


@kernel
def _powers_by_push(push, at, thrust, axis, thruster, losses):
    force = push[0], push[1], thruster.x * push[1] - thruster.y * push[0]
    inflow = inflow_along(at, axis, thruster)
    useful = work_on_hull(at, force, None)
    given = given_power(by_part(thruster.in_air, work_on_hull, work_in_air, at, force, thrust * inflow))
    return useful, given, by_part(thruster.propeller, _drawn_by_losses, _drawn_by_propeller, thrust, inflow, given,
                                  losses)


@kernel
def straight_powers(at, thrust, thruster, losses):
    """Return what `thruster_powers` does, of a thruster straight ahead in water; written out as `pair_drive`."""
    return _straight_powers(at, thrust, thruster, losses, thruster.propeller)


@kernel
def _straight_powers(at, thrust, thruster, losses, propeller):
    speed = thruster.efficiency_of_tilt * (at.u_r - thruster.y * at.r)
    useful = thrust * speed
    given = given_power(useful)
    if propeller is None:
        return useful, given, _drawn_by_losses(thrust, speed, given, losses)
    return useful, given, drawn_power(thrust, speed, propeller)


@kernel
def _drawn_by_losses(thrust, inflow, given, losses):
    if losses.mapped != 0.0:
        return drawn_of_map(thrust, losses)
    return given * (1.0 / losses.efficiency)


@kernel
def _drawn_by_propeller(propeller, thrust, inflow, given, losses):
    return drawn_power(thrust, inflow, propeller)
