"""
All actuators of a boat together, as control asks them and the plant feels them.

What they do, or are asked for, is a Setting. What a boat has not (a turning thruster, a foil) is None in its types,
which `by_part` asks, and compiled code leaves it out.
"""

from typing import Any, NamedTuple

from .elementwise import by_part, cos, each, each_in, kernel, larger, select, sin, smaller, total
from .foil_force import foil_force_of
from .frames import wrap_angle
from .propulsion import lagged_thrust, limited_thrust
from .rudder_balance import _rudder_force, rudders_steered
from .thrust_sharing import shared_along, thrusts_of_force
from .thruster_drive import (
    WHOLE_TURN,
    axis_of_thruster,
    drive_along,
    pair_drive,
    surge_along,
    throttle_of,
    thrust_given,
    thruster_drive,
)
from .vector_forms import turned_by_little

NO_DRIVE = 0.0, 0.0, 0.0, 0.0


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
    way = by_part(azimuth.ends, _way_round, _way_between, angle, wanted, azimuth)
    return angle + smaller(larger(way, -most), most)


@kernel
def _way_between(ends, angle, wanted, azimuth):
    return smaller(larger(wanted, azimuth.least), azimuth.largest) - angle


@kernel
def _way_round(angle, wanted, azimuth):
    return by_part(azimuth.whole, _way_if_round, _way_all_round, angle, wanted, azimuth)


@kernel
def _way_all_round(whole, angle, wanted, azimuth):
    return wrap_angle(wanted - angle)


@kernel
def _way_if_round(angle, wanted, azimuth):
    whole = azimuth.largest - azimuth.least >= WHOLE_TURN
    return select(whole, wrap_angle(wanted - angle), _way_between((), angle, wanted, azimuth))


@kernel
def axes_along(begun, middle, end, vessel):
    """
    Return the axes of thrusters that turn slowly, in Settings at the beginning, the middle and the end of a step.

    The first are those of their angles; they are turned on by the little that these do. None of other thrusters.
    """
    axes = each(_axis_of_slow, begun.angles, vessel.thrusters)
    held = each(_axis_on, axes, begun.angles, middle.angles)
    return axes, held, each(_axis_on, held, middle.angles, end.angles)


@kernel
def _axis_of_slow(angle, thruster):
    return by_part(thruster.azimuth, _no_axis, _axis_if_slow, angle)


@kernel
def _no_axis(angle):
    return None


@kernel
def _axis_if_slow(azimuth, angle):
    return by_part(azimuth.slow, _no_axis, _axis_at, angle)


@kernel
def _axis_at(slow, angle):
    return cos(angle), sin(angle)


@kernel
def _axis_on(axis, before, after):
    return by_part(axis, _no_axis_on, _axis_turned, before, after)


@kernel
def _no_axis_on(before, after):
    return None


@kernel
def _axis_turned(axis, before, after):
    return turned_by_little(axis, after - before)


@kernel
def _angle_later(elapsed, angle, wanted, thruster):
    return turned_angle(angle, wanted, elapsed, thruster.azimuth)


@kernel
def _foil_later(elapsed, angle, wanted, foil):
    return turned_angle(angle, wanted, elapsed, foil.steer)


@kernel
def limited_setting(wanted, vessel):
    """Return a Setting that is asked for with its thrusts within the thrusters' limits; angles as they are."""
    return Setting(each(limited_thrust, wanted.thrusts, vessel.thrusters), wanted.angles, wanted.foils)


@kernel
def setting_at_once(setting, wanted, starts, vessel):
    """
    Return what the actuators do as soon as they are asked: thrusters without lag have their thrusts, nothing turned.

    :param starts: Of each thruster 1.0, or 0.0 of one without lag; the rest as `setting_later`.
    """
    return Setting(each(lagged_thrust, setting.thrusts, wanted.thrusts, starts), setting.angles, setting.foils)


@kernel
def setting_later(setting, wanted, decays, elapsed, vessel):
    """
    Return what the actuators do some time later, what is asked of them held.

    :param setting: The Setting now; floats or arrays.
    :param wanted: The `limited_setting` that is asked for; lags and rates, and limits of angles, are the actuators'.
    :param decays: exp(-time / lag) of each thruster, (-).
    :param elapsed: The time, s.
    :param vessel: The Vessel.
    """
    thrusts = each(lagged_thrust, setting.thrusts, wanted.thrusts, decays)
    return by_part(vessel.arranged, _nothing_turns, _turned_later, thrusts, setting, wanted, elapsed, vessel)


@kernel
def _nothing_turns(thrusts, setting, wanted, elapsed, vessel):
    return Setting(thrusts, setting.angles, setting.foils)


@kernel
def _turned_later(arranged, thrusts, setting, wanted, elapsed, vessel):
    return Setting(thrusts, each_in(elapsed, _angle_later, setting.angles, wanted.angles, vessel.thrusters),
                   each_in(elapsed, _foil_later, setting.foils, wanted.foils, vessel.foils))


@kernel
def actuators_drive(at, setting, vessel, axes=None):
    """
    Return the force of all actuators on the hull, N, N, N m, and the power that thrusters give, W, at a Relative.

    :param axes: Of `axes_along`, where they are known beside the angles of the Setting.
    """
    return by_part(vessel.arranged, _drive_of_pair, _drive_of_any, at, setting, vessel, axes)


@kernel
def _drive_of_pair(at, setting, vessel, axes):
    return pair_drive(at, setting.thrusts, vessel.thrusters)


@kernel
def _drive_of_any(arranged, at, setting, vessel, axes):
    drive = _thrusters_drive(arranged, at, setting, vessel, axes)
    return by_part(vessel.foiled, _without_foils, _with_foils, drive, at, setting, vessel)


@kernel
def _without_foils(drive, at, setting, vessel):
    return drive


@kernel
def _with_foils(foiled, drive, at, setting, vessel):
    given = each_in(at, thrust_given, setting.thrusts, setting.angles, vessel.thrusters)  # It drives the wash.
    forces = each_in((at, given), foil_force_of, setting.foils, vessel.foils)
    return total(drive, each(_without_power, forces))


@kernel
def _without_power(force):
    return force[0], force[1], force[2], 0.0


@kernel
def setting_of_force(surge_force, moment, at, vessel):
    """
    Return the Setting of actuators that are asked for a surge force, N, and a yaw moment, N m, which comes first.

    Rudders take of the moment what they can, the thrusters the rest.

    :param at: The Relative as the boat knows it; floats or arrays.
    :param vessel: The Vessel.
    """
    return priced_setting(surge_force, moment, at, vessel)[0]


@kernel
def priced_setting(surge_force, moment, at, vessel):
    """Return what `setting_of_force` does, and the prices at which thrusts were shared out (`shared_out`)."""
    return planar_setting((surge_force, 0.0 * moment, moment), at, vessel)


@kernel
def planar_setting(force, at, vessel):
    """
    Return the Setting of actuators that are asked for a force, sway too, and the prices as `priced_setting`.

    :param force: Surge N, sway N, yaw moment N m; what the actuators cannot give of it is left out.
    :param at: The Relative as the boat knows it; floats or arrays.
    :param vessel: The Vessel.
    """
    setting, prices, _ = setting_with_axes(force, at, vessel)
    return setting, prices


@kernel
def setting_with_axes(force, at, vessel):
    """Return what `planar_setting` does, and the thrusters' axes, unit vectors, None of what is fixed."""
    foils, by_rudders = by_part(vessel.foiled, _without_rudders, _with_rudders, force[0], force[2], at, vessel)
    thrusts, angles, axes, prices = shared_along(at, (force[0], force[1], force[2] - by_rudders), vessel)
    return Setting(each_in(at, throttle_of, thrusts, angles, vessel.thrusters), angles, foils), prices, axes


@kernel
def surge_force_along(at, thrusts, axes, vessel):
    """
    Return the surge force of thrusters at a Relative, N, as `surge_force_of`.

    :param thrusts: As of a Setting, N, and `axes` as `setting_with_axes` returns them.
    """
    return total((0.0,), each_in(at, _surge_along, thrusts, axes, vessel.thrusters))[0]


@kernel
def _surge_along(at, thrust, axis, thruster):
    return (surge_along(at, thrust, axis, thruster),)


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


@kernel
def surge_force_of(at, setting, vessel):
    """Return the surge force of the thrusters in a Setting at a Relative, N."""
    return by_part(vessel.arranged, _drive_of_pair, _thrusters_drive, at, setting, vessel, None)[0]


@kernel
def power_given_of(at, setting, vessel):
    """Return the power that the thrusters in a Setting give at a Relative, W."""
    return by_part(vessel.arranged, _drive_of_pair, _thrusters_drive, at, setting, vessel, None)[3]


@kernel
def steering_force_of(at, setting, vessel):
    """Return what thrusters and rudders give in a Setting at a Relative: surge N, sway N, yaw moment N m."""
    drive = by_part(vessel.arranged, _drive_of_pair, _thrusters_drive, at, setting, vessel, None)
    return by_part(vessel.foiled, _of_thrusters, _and_of_rudders, drive, at, setting, vessel)


@kernel
def _of_thrusters(drive, at, setting, vessel):
    return drive[0], drive[1], drive[2]


@kernel
def _and_of_rudders(foiled, drive, at, setting, vessel):
    given = each_in(at, thrust_given, setting.thrusts, setting.angles, vessel.thrusters)
    return total((drive[0], drive[1], drive[2]), each_in((at, given), _rudder_force, setting.foils, vessel.foils))


@kernel
def _thrusters_drive(arranged, at, setting, vessel, axes):
    return by_part(axes, _drive_by_angles, _drive_by_axes, at, setting, vessel)


@kernel
def _drive_by_angles(at, setting, vessel):
    return total(NO_DRIVE, each_in(at, thruster_drive, setting.thrusts, setting.angles, vessel.thrusters))


@kernel
def _drive_by_axes(axes, at, setting, vessel):
    axes = each(_known_axis, axes, setting.angles, vessel.thrusters)
    return total(NO_DRIVE, each_in(at, drive_along, setting.thrusts, axes, vessel.thrusters))


@kernel
def _known_axis(axis, angle, thruster):
    return by_part(axis, axis_of_thruster, _itself, angle, thruster)


@kernel
def _itself(axis, angle, thruster):
    return axis


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
    return by_part(thruster.azimuth, _nothing, _nearest_to, zero)


@kernel
def _resting_foil(zero, foil):
    return by_part(foil.steer, _nothing, _nearest_to, zero)


@kernel
def _nothing(zero):
    return None


@kernel
def _nearest_to(azimuth, zero):
    return smaller(larger(zero, azimuth.least), azimuth.largest)
