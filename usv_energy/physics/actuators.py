"""
What actuators do: thrusters that are fixed at any angle or turn, in water or in air, and foils.

What an actuator does, or is asked for, is a Setting. An angle is from the bow, counter-clockwise, rad; None where an
actuator does not turn. What a boat has not (a turning thruster, a fan) is None in its types, handed on as an argument
of its own, which is how compiled code leaves it out.
"""

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

from .allocation import Actuator, allocated
from .elementwise import (
    arctan2,
    by_part,
    cos,
    each,
    each_in,
    folded,
    kernel,
    larger,
    replaced,
    select,
    sin,
    smaller,
    total,
)
from .foil_force import foil_force_of, rudder_angle_of_moment, sail_angle
from .frames import wrap_angle
from .propeller import bollard_thrust, drawn_power, largest_thrust, least_thrust, thrust_at
from .propulsion import drawn_of_map, given_power, lagged_thrust, limited_thrust

NO_DRIVE = 0.0, 0.0, 0.0, 0.0
WHOLE_TURN = 2.0 * math.pi - 1e-9  # rad: a range of angles from here on has no end.
ROUNDING = 1e-9                    # Of a force, that shares may leave.


class Setting(NamedTuple):
    """
    What the actuators do, or are asked for, each a tuple with a member an actuator.

    `thrusts` of the thrusters along their axes, N; `angles` of their axes, rad, None of fixed ones; `foils` of the
    foils, rad, None of fixed ones.
    """

    thrusts: tuple[Any, ...]
    angles: tuple[Any, ...]
    foils: tuple[Any, ...]


@kernel
def axis_of(angle, axis):
    """Return the cosine and sine of a thruster's axis: of its angle, or the fixed `axis`; None for straight ahead."""
    if angle is None:
        return axis
    return cos(angle), sin(angle)


@kernel
def force_along(thrust, axis, thruster):
    """
    Return one thruster's force on the hull: surge N, sway N, yaw moment N m (counter-clockwise).

    :param thrust: Along its axis, N; float or array.
    :param axis: As `axis_of` has it.
    :param thruster: The Thruster.
    """
    drive = thrust * thruster.efficiency_of_tilt
    if axis is None:
        return drive, 0.0 * drive, -thruster.y * drive
    forward, sideways = drive * axis[0], drive * axis[1]
    return forward, sideways, thruster.x * sideways - thruster.y * forward


@kernel
def speed_along(u, v, r, axis, thruster):
    """
    Return the speed of a thruster's place along its axis, times what tilt leaves of a thrust, m/s.

    A thrust times it is the thrust's work a second on the hull, W, where `u` and `v` are through the water.

    :param u: Velocity of the boat's point through the fluid, forward, m/s; float or array.
    :param v: The same to port; same shape.
    :param r: Yaw rate, counter-clockwise, rad/s; same shape.
    :param axis: As `axis_of` has it.
    :param thruster: The Thruster.
    """
    if axis is None:
        return thruster.efficiency_of_tilt * (u - thruster.y * r)
    return thruster.efficiency_of_tilt * (axis[0] * (u - thruster.y * r) + axis[1] * (v + thruster.x * r))


@kernel
def inflow_along(at, axis, thruster):
    """
    Return the speed of a thruster's place through its own fluid along its axis, as `speed_along`.

    :param at: The Relative: velocity through the water, and the apparent wind.
    :param axis: As `axis_of` has it.
    :param thruster: The Thruster.
    """
    u, v = by_part(thruster.in_air, through_water, through_air, at)
    return speed_along(u, v, at.r, axis, thruster)


@kernel
def through_water(at):
    """Return the velocity of the boat's point through the water, forward and to port, m/s, of a Relative."""
    return at.u_r, at.v_r


@kernel
def through_air(in_air, at):
    """Return the velocity of the boat's point through the air, forward and to port, m/s, of a Relative."""
    return -at.u_w, -at.v_w


@kernel
def thruster_drive(at, thrust, angle, thruster):
    """
    Return a thruster's force on the hull, N, N, N m, and the power that it gives, W.

    :param at: The Relative.
    :param thrust: What is asked of it, N: at standstill, where its propeller knows of the water's speed.
    :param angle: Of its axis, rad; None of a fixed one.
    :param thruster: The Thruster.
    """
    axis = axis_of(angle, thruster.axis)
    inflow = inflow_along(at, axis, thruster)
    along = by_part(thruster.propeller, _same_thrust, _thrust_under_way, thrust, inflow)
    x, y, n = force_along(along, axis, thruster)
    return x, y, n, given_power(along * inflow)


@kernel
def _same_thrust(thrust, inflow):
    return thrust


@kernel
def _thrust_under_way(propeller, thrust, inflow):
    return thrust_at(thrust, inflow, propeller)


@kernel
def _thrust_at_rest(propeller, thrust, inflow):
    return bollard_thrust(thrust, inflow, propeller)


@kernel
def throttle_of(at, thrust, angle, thruster):
    """
    Return the thrust at standstill, N, for which a thruster gives a thrust at a Relative: what is asked of it.

    Without a propeller that knows of the speed it is the thrust itself. Within the thruster's limits.
    """
    inflow = inflow_along(at, axis_of(angle, thruster.axis), thruster)
    return limited_thrust(by_part(thruster.propeller, _same_thrust, _thrust_at_rest, thrust, inflow), thruster)


@kernel
def thrust_limits(at, angle, thruster):
    """Return the least and the largest thrust of a thruster at a Relative, N; floats or arrays."""
    inflow = inflow_along(at, axis_of(angle, thruster.axis), thruster)
    return by_part(thruster.propeller, _limits_at_rest, _limits_under_way, inflow, thruster)


@kernel
def _limits_at_rest(inflow, thruster):
    return thruster.min_thrust, thruster.max_thrust


@kernel
def _limits_under_way(propeller, inflow, thruster):
    return (least_thrust(inflow, thruster.min_thrust, propeller),
            largest_thrust(inflow, thruster.max_thrust, propeller))


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
    axis = axis_of(angle, thruster.axis)
    useful = thrust * speed_along(at.u_r, at.v_r, at.r, axis, thruster)
    inflow = inflow_along(at, axis, thruster)
    given = given_power(thrust * inflow)
    drawn = by_part(thruster.propeller, _drawn_by_losses, _drawn_by_propeller, thrust, inflow, given, losses)
    return useful, given, drawn


@kernel
def _drawn_by_losses(thrust, inflow, given, losses):
    if losses.mapped != 0.0:
        return drawn_of_map(thrust, losses)
    return given * (1.0 / losses.efficiency)


@kernel
def _drawn_by_propeller(propeller, thrust, inflow, given, losses):
    return drawn_power(thrust, inflow, propeller)


@kernel
def thrusters_powers(at, force, vessel):
    """
    Return work a second on the hull, what is given, and what that draws, W, of all thrusters where they make a force.

    :param at: The Relative; floats or arrays.
    :param force: Surge N, sway N, yaw moment N m; what the thrusters cannot give of it is left out.
    :param vessel: The Vessel.
    """
    thrusts, angles = thrusts_of_force(at, force, vessel)
    return total((0.0, 0.0, 0.0), each_in((at, vessel.losses), _powers, thrusts, angles, vessel.thrusters))


@kernel
def _powers(context, thrust, angle, thruster):
    at, losses = context
    return thruster_powers(at, thrust, angle, thruster, losses)


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
    limited = select(whole, angle, smaller(larger(angle, azimuth.least), azimuth.largest))
    return forward * cos(limited) + sideways * sin(limited), limited


@kernel
def turned_angle(angle, wanted, elapsed, azimuth):
    """
    Return the angle of a turning thruster or foil some time later, rad: at its rate, within its limits.

    :param angle: Now, rad; None of a fixed one, which stays so. Float or array.
    :param wanted: Wanted, rad; same shape.
    :param elapsed: Time, s.
    :param azimuth: The Azimuth, or another with its `least`, `largest` and `rate`; None of a fixed one.
    """
    return by_part(azimuth, _angle_held, _angle_turned, angle, wanted, elapsed)


@kernel
def _angle_held(angle, wanted, elapsed):
    return angle


@kernel
def _angle_turned(azimuth, angle, wanted, elapsed):
    most = azimuth.rate * elapsed
    whole = azimuth.largest - azimuth.least >= WHOLE_TURN
    target = select(whole, wanted, smaller(larger(wanted, azimuth.least), azimuth.largest))
    way = select(whole, wrap_angle(target - angle), target - angle)
    return angle + smaller(larger(way, -most), most)


@kernel
def _angle_later(elapsed, angle, wanted, thruster):
    return turned_angle(angle, wanted, elapsed, thruster.azimuth)


@kernel
def _foil_later(elapsed, angle, wanted, foil):
    return turned_angle(angle, wanted, elapsed, foil.steer)


@kernel
def setting_later(setting, wanted, decays, elapsed, vessel):
    """
    Return what the actuators do some time later, what is asked of them held.

    :param setting: The Setting now; floats or arrays.
    :param wanted: The Setting that is asked for; limits, lags and rates are the actuators'.
    :param decays: exp(-time / lag) of each thruster, (-).
    :param elapsed: The time, s.
    :param vessel: The Vessel.
    """
    return Setting(each(lagged_thrust, setting.thrusts, wanted.thrusts, decays, vessel.thrusters),
                   each_in(elapsed, _angle_later, setting.angles, wanted.angles, vessel.thrusters),
                   each_in(elapsed, _foil_later, setting.foils, wanted.foils, vessel.foils))


@kernel
def actuators_drive(at, setting, vessel):
    """Return the force of all actuators on the hull, N, N, N m, and the power that thrusters give, W, at a Relative."""
    drive = total(NO_DRIVE, each_in(at, thruster_drive, setting.thrusts, setting.angles, vessel.thrusters))
    return by_part(vessel.foiled, _without_foils, _with_foils, drive, at, setting, vessel)


@kernel
def _without_foils(drive, at, setting, vessel):
    return drive


@kernel
def _with_foils(foiled, drive, at, setting, vessel):
    forces = each_in((at, setting.thrusts), foil_force_of, setting.foils, vessel.foils)
    return total(drive, each(_without_power, forces))


@kernel
def _without_power(force):
    return force[0], force[1], force[2], 0.0


@kernel
def foil_angle(context, foil):
    """
    Return what the angle of a foil is to be, rad; None of a fixed one.

    A foil that turns is a rudder in water, which gives its part of a yaw moment, and a sail in air, which is trimmed.

    :param context: The Relative, the thrusts of all thrusters, N, and the yaw moment of this rudder, N m.
    :param foil: The Foil.
    """
    at, thrusts, moment = context
    return by_part(foil.steer, _no_angle, _steered_angle, at, thrusts, moment, foil)


@kernel
def _no_angle(at, thrusts, moment, foil):
    return None


@kernel
def _steered_angle(steer, at, thrusts, moment, foil):
    return by_part(foil.in_air, rudder_angle_of_moment, _trimmed_angle, moment, at, thrusts, foil)


@kernel
def _trimmed_angle(in_air, moment, at, thrusts, foil):
    return sail_angle(at.u_w, at.v_w, foil.steer)


@kernel
def _rudder(context, foil):
    """Return what there is of a foil as a rudder: 1.0, or 0.0 of a keel or sail."""
    return (by_part(foil.steer, _none, _one_in_water, foil),)


@kernel
def _none(foil):
    return 0.0


@kernel
def _one_in_water(steer, foil):
    return by_part(foil.in_air, _one, _none_in_air)


@kernel
def _one():
    return 1.0


@kernel
def _none_in_air(in_air):
    return 0.0


@kernel
def _rudder_force(context, angle, foil):
    """Return the force of a foil where it is a rudder; zeros of a keel or sail."""
    share = _rudder(0.0, foil)[0]
    x, y, n = foil_force_of(context, angle, foil)
    return share * x, share * y, share * n


@kernel
def rudder_angles(moment, at, thrusts, vessel):
    """Return the angles of all foils, rad: rudders give a yaw moment, N m, in equal parts; sails are trimmed."""
    number = total((0.0,), each_in(0.0, _rudder, vessel.foils))[0]
    return each_in((at, thrusts, moment / larger(number, 1.0)), foil_angle, vessel.foils)


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
    angles = rudder_angles(moment - others, at, thrusts, vessel)
    return total((0.0, 0.0, 0.0), each_in(context, foil_force_of, angles, vessel.foils))


@kernel
def _moment_but_of_rudders(context, foil):
    return (by_part(foil.steer, _moment_of_keel, _moment_of_steered, context, foil),)


@kernel
def _moment_of_keel(context, foil):
    return foil_force_of(context, None, foil)[2]


@kernel
def _moment_of_steered(steer, context, foil):
    return by_part(foil.in_air, _no_moment, _moment_of_sail, context, foil)


@kernel
def _no_moment(context, foil):
    return 0.0 * context[0].u_r


@kernel
def _moment_of_sail(in_air, context, foil):
    return foil_force_of(context, _trimmed_angle(in_air, 0.0, context[0], context[1], foil), foil)[2]


@kernel
def thrusts_of_force(at, force, vessel):
    """
    Return what the thrusters do where together they make a force, each tuple with a member a thruster.

    Where their arrangement leaves no choice, limits are left out; else it is the cheapest way within them.

    :param at: The Relative; floats or arrays.
    :param force: Surge N, sway N, yaw moment N m.
    :param vessel: The Vessel.
    :return: Thrusts along the axes, N, and angles, rad, None of fixed ones.
    """
    return by_part(vessel.free, _thrusts_by_shares, _thrusts_within, at, force, vessel)


@kernel
def _thrusts_by_shares(at, force, vessel):
    wanted = each_in(force, wanted_of_force, vessel.thrusters)
    return each(_first, wanted), each(_second, wanted)


@kernel
def _thrusts_within(free, at, force, vessel):
    return by_part(vessel.only_way, _any_way, _only_way, force, each_in(at, actuator_of, vessel.thrusters), vessel)


@kernel
def _any_way(force, actuators, vessel):
    return _cheapest_thrusts(force, actuators)


@kernel
def _cheapest_thrusts(force, actuators):
    thrusts, angles = allocated(force, actuators)
    return thrusts, each(_angle_where_it_turns, angles, actuators)


@kernel
def _only_way(sway, force, actuators, vessel):
    """Return the only thrusts that make a force; where one is beyond its limits, what the search finds within them."""
    thrusts, angles = _thrusts_by_shares(0.0, force, vessel)
    x, y, n = thrusters_force(thrusts, angles, vessel)
    missing = abs(force[0] - x) + sway * abs(force[1] - y) + abs(force[2] - n)
    left = missing > ROUNDING * (abs(force[0]) + abs(force[1]) + abs(force[2]))
    beyond = folded(_either, left, each(_is_beyond, thrusts, actuators), None)
    return replaced(beyond, (thrusts, angles), _cheapest_thrusts, force, actuators)


@kernel
def _is_beyond(thrust, actuator):
    return (thrust < actuator.low) | (thrust > actuator.high)


@kernel
def _either(one, other, given):
    return one | other


@kernel
def _first(pair):
    return pair[0]


@kernel
def _second(pair):
    return pair[1]


@kernel
def _angle_where_it_turns(angle, actuator):
    return by_part(actuator.steers, _dropped, _kept, angle)


@kernel
def _dropped(angle):
    return None


@kernel
def _kept(azimuth, angle):
    return angle


@kernel
def actuator_of(at, thruster):
    """Return a thruster as the allocation takes it, at a Relative."""
    u, v = by_part(thruster.in_air, through_water, through_air, at)
    c, s = by_part(thruster.axis, _ahead, _as_it_is)
    tilt = thruster.efficiency_of_tilt
    low, high = by_part(thruster.propeller, _limits_at_rest, _limits_under_way, tilt * (c * u + s * v), thruster)
    return Actuator(thruster.x, thruster.y, c * tilt, s * tilt, low, high,
                    thruster.cost, thruster.cost, u - thruster.y * at.r, v + thruster.x * at.r,
                    by_part(thruster.azimuth, _no_limits, _angle_limits))


@kernel
def _ahead():
    return 1.0, 0.0


@kernel
def _as_it_is(axis):
    return axis[0], axis[1]


@kernel
def _no_limits():
    return None


@kernel
def _angle_limits(azimuth):
    return azimuth.least, azimuth.largest


@kernel
def setting_of_force(surge_force, moment, at, vessel):
    """
    Return the Setting of actuators that are asked for a surge force, N, and a yaw moment, N m, which comes first.

    Rudders take of the moment what they can, the thrusters the rest.

    :param at: The Relative as the boat knows it; floats or arrays.
    :param vessel: The Vessel.
    """
    foils, by_rudders = by_part(vessel.foiled, _without_rudders, _with_rudders, surge_force, moment, at, vessel)
    thrusts, angles = thrusts_of_force(at, (surge_force, 0.0 * moment, moment - by_rudders), vessel)
    return Setting(each_in(at, throttle_of, thrusts, angles, vessel.thrusters), angles, foils)


@kernel
def _without_rudders(surge_force, moment, at, vessel):
    return (), 0.0 * moment


@kernel
def _with_rudders(foiled, surge_force, moment, at, vessel):
    """Return the angles of all foils, rad, and what of a yaw moment the rudders give, N m."""
    thrusts, asked = thrusts_of_force(at, (surge_force, 0.0 * moment, 0.0 * moment), vessel)
    limited = each_in(at, throttle_of, thrusts, asked, vessel.thrusters)
    foils = rudder_angles(moment, at, limited, vessel)
    return foils, total((0.0, 0.0, 0.0), each_in((at, limited), _rudder_force, foils, vessel.foils))[2]


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
def given_powers(at, thrusts, angles, vessel):
    """Return the power that thrusters give, each at its own speed and none of it negative, W; as `thrusters_force`."""
    return total((0.0, 0.0, 0.0), each_in((at, vessel.losses), _powers, thrusts, angles, vessel.thrusters))[1]


@kernel
def surge_force_of(at, setting, vessel):
    """Return the surge force of the thrusters in a Setting at a Relative, N."""
    return total(NO_DRIVE, each_in(at, thruster_drive, setting.thrusts, setting.angles, vessel.thrusters))[0]


@kernel
def resting_setting(zero, vessel):
    """Return the Setting of actuators that do nothing: no thrust, angles nearest to 0; `zero` has the shape."""
    return Setting(each_in(zero, _no_thrust, vessel.thrusters), each_in(zero, _resting_angle, vessel.thrusters),
                   each_in(zero, _resting_foil, vessel.foils))


@kernel
def _no_thrust(zero, thruster):
    return zero


@kernel
def _resting_angle(zero, thruster):
    return by_part(thruster.azimuth, _dropped, _nearest_to, zero)


@kernel
def _resting_foil(zero, foil):
    return by_part(foil.steer, _dropped, _nearest_to, zero)


@kernel
def _nearest_to(azimuth, zero):
    return smaller(larger(zero, azimuth.least), azimuth.largest)
