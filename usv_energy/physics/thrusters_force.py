"""
The force of thrusters on the hull, and the thrusts and angles that make a force where limits are left out.

There each thruster's shares of surge, sway and yaw give its thrust, the least that do where several would.
"""

from collections.abc import Iterable
from typing import Any

from .elementwise import arctan2, by_part, cos, each, each_in, kernel, select, sin, total, within
from .thruster_drive import WHOLE_TURN, axis_of, force_along


@kernel
def thrusters_force(thrusts, angles, vessel):
    """
    Return the force of thrusters on the hull: surge N, sway N, yaw moment N m.

    :param thrusts: Of each along its axis, N; floats or arrays.
    :param angles: Of each, rad; None of fixed ones.
    :param vessel: The Vessel, or another with `thrusters`.
    """
    return total((0.0, 0.0, 0.0), each(_force_at, thrusts, angles, vessel.thrusters))


@kernel
def _force_at(thrust, angle, thruster):
    return force_along(thrust, axis_of(angle, thruster.axis), thruster)


def hull_force(thrusts: Iterable[Any], vessel: Any) -> tuple[Any, Any, Any]:
    """Return the force of thrusts, N, as `thrusters_force`, of thrusters whose angles nobody tells."""
    force: tuple[Any, Any, Any] = thrusters_force(tuple(thrusts), fixed_angles(vessel), vessel)
    return force


def fixed_angles(vessel: Any) -> tuple[float | None, ...]:
    """Return the angles of thrusters whose angles nobody tells: None of fixed ones, 0.0 of those that turn."""
    return tuple(None if thruster.azimuth is None else 0.0 for thruster in vessel.thrusters)


@kernel
def wanted_of_force(force, thruster):
    """
    Return what one thruster does where all of them make a force together, limits left out: thrust N, angle rad.

    :param force: Surge N, sway N, yaw moment N m (counter-clockwise); floats or arrays.
    :param thruster: The Thruster; its shares know of the others. The angle is None of a fixed one.
    """
    thrust = thruster.surge_share * force[0] + thruster.yaw_share * force[2]
    forward = by_part(thruster.sway_share, _without_sway, _with_sway, thrust, force[1])
    return by_part(thruster.azimuth, _not_turned, _turned, forward, force)


@kernel
def _without_sway(thrust, sway_force):
    return thrust


@kernel
def _with_sway(share, thrust, sway_force):
    return thrust + share * sway_force


@kernel
def _not_turned(forward, force):
    return forward, None


@kernel
def _turned(azimuth, forward, force):
    sideways = azimuth.surge_share * force[0] + azimuth.sway_share * force[1] + azimuth.yaw_share * force[2]
    return thrust_and_angle(forward, sideways, azimuth)


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
def thrusts_by_shares(force, vessel):
    """Return thrusts, N, and angles, rad, None of fixed ones, as `wanted_of_force` has them, of all of a Vessel's."""
    wanted = each_in(force, wanted_of_force, vessel.thrusters)
    return each(_first, wanted), each(_second, wanted)


@kernel
def _first(pair):
    return pair[0]


@kernel
def _second(pair):
    return pair[1]
