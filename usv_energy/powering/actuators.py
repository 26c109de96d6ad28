"""
The Setting of all actuators of a boat: its force, how it follows commands in time, and which one gives a wanted force.

For a wanted force and moment rudders give the yaw moment first, sails are trimmed to the wind, and the thrusters give
the rest at the lowest power. The same yaw balance estimates the rudder angles of a motion of which only odometry is
known.
"""

from typing import Any, NamedTuple

from usv_energy.allocation.allocate import NO_START
from usv_energy.allocation.boat_thrusts import thrusts_of_force, wished_thrusts
from usv_energy.foils.foil_force import (
    driving_sail_angle,
    foil_force_of,
    forces_of_foils,
    rudder_angle_of_moment,
    sail_angle,
)
from usv_energy.physics.elementwise import each, kernel, larger, select, total, within
from usv_energy.physics.frames import wrap_angle
from usv_energy.thrusters.drive import (
    command_under_way,
    drive_of_commands,
    lagged_command,
    limited_command,
    thrust_under_way,
)
from usv_energy.thrusters.thruster import WHOLE_TURN


class Setting(NamedTuple):
    """
    The state of all actuators, or their commanded state; each field is a tuple with one member per actuator.

    `commands`: of the thrusters, as thrusts along their axes at standstill, N. `angles`: of the thrusters' axes, rad;
    None if fixed. `foils`: angles of the foils, rad; None if fixed.
    """

    commands: tuple[Any, ...]
    angles: tuple[Any, ...]
    foils: tuple[Any, ...]


@kernel
def turned_angle(angle, wanted, elapsed, turn):
    """
    Return the angle of an azimuth thruster or a foil after some time, rad; it turns at its rate, within its limits.

    :param angle: Now, rad; float or array. None if it is fixed; then None is returned.
    :param wanted: Commanded angle, rad; same shape.
    :param elapsed: Time, s.
    :param turn: The Azimuth of a thruster, or the Steer of a foil; None if it is fixed.
    """
    if turn is None:
        return angle
    most = turn.rate * elapsed
    all_round = turn.largest - turn.least >= WHOLE_TURN
    way = select(all_round, wrap_angle(wanted - angle), within(wanted, turn.least, turn.largest) - angle)
    return angle + within(way, -most, most)


@kernel
def _thruster_turned(angle, wanted, thruster, elapsed):
    return turned_angle(angle, wanted, elapsed, thruster.azimuth)


@kernel
def _foil_turned(angle, wanted, foil, elapsed):
    return turned_angle(angle, wanted, elapsed, foil.steer)


@kernel
def limited_setting(wanted, vessel):
    """Return a commanded Setting with its thruster commands clipped to the thrusters' limits; angles unchanged."""
    return Setting(each(limited_command, (), wanted.commands, vessel.thrusters), wanted.angles, wanted.foils)


@kernel
def setting_at_once(setting, wanted, starts):
    """
    Return the Setting immediately after a command: thrusters without lag follow at once, no angle has changed yet.

    :param setting: The Setting before.
    :param wanted: The `limited_setting` that is commanded.
    :param starts: For each thruster 1.0, or 0.0 if it has no lag.
    """
    return Setting(each(lagged_command, (), setting.commands, wanted.commands, starts), setting.angles, setting.foils)


@kernel
def setting_later(setting, wanted, decays, elapsed, vessel):
    """
    Return the Setting after some time in which a command is held.

    :param setting: The Setting now; floats or arrays.
    :param wanted: The `limited_setting` that is commanded.
    :param decays: exp(-elapsed / lag) of each thruster, (-).
    :param elapsed: Time, s.
    :param vessel: The Vessel.
    """
    return Setting(each(lagged_command, (), setting.commands, wanted.commands, decays),
                   each(_thruster_turned, (elapsed,), setting.angles, wanted.angles, vessel.thrusters),
                   each(_foil_turned, (elapsed,), setting.foils, wanted.foils, vessel.foils))


@kernel
def resting_setting(zero, vessel):
    """Return the Setting at rest: commands 0 and the angles nearest to 0; `zero` is 0.0 or an array of zeros."""
    return Setting(each(_no_command, (zero,), vessel.thrusters), each(_resting_angle, (zero,), vessel.thrusters),
                   each(_resting_foil, (zero,), vessel.foils))


@kernel
def _no_command(thruster, zero):
    return zero


@kernel
def _resting_angle(thruster, zero):
    return None if thruster.azimuth is None else within(zero, thruster.azimuth.least, thruster.azimuth.largest)


@kernel
def _resting_foil(foil, zero):
    return None if foil.steer is None else within(zero, foil.steer.least, foil.steer.largest)


@kernel
def thrusts_given(setting, at, vessel):
    """Return the thrust of each thruster along its axis, N, in a Setting; `at` is the Relative of the boat."""
    return each(thrust_under_way, (at,), setting.commands, setting.angles, vessel.thrusters)


@kernel
def drive_of_setting(at, setting, vessel):
    """Return the force of all actuators on the hull, N, N, N m, and the mechanical power of the thrusters, W."""
    drive = drive_of_commands(setting.commands, setting.angles, vessel.thrusters, at)
    return _with_foils(drive, at, setting, vessel, vessel.foils)


@kernel
def _with_foils(drive, at, setting, vessel, foils):
    if len(foils) == 0:
        return drive
    x, y, n = forces_of_foils(setting.foils, foils, at, thrusts_given(setting, at, vessel))
    return drive[0] + x, drive[1] + y, drive[2] + n, drive[3]


@kernel
def thrusters_drive(at, setting, vessel):
    """Return the force of the thrusters alone on the hull, N, N, N m, and their mechanical power, W."""
    return drive_of_commands(setting.commands, setting.angles, vessel.thrusters, at)


@kernel
def steering_force(at, setting, vessel):
    """Return the force of thrusters and rudders on the hull in a Setting: surge N, sway N, yaw moment N m."""
    drive = thrusters_drive(at, setting, vessel)
    thrusts = thrusts_given(setting, at, vessel)
    return total((drive[0], drive[1], drive[2]), each(rudder_force, (at, thrusts), setting.foils, vessel.foils))


@kernel
def rudder_force(angle, foil, at, thrusts):
    """Return the force of a foil if it is a rudder, N, N, N m; zeros for a keel or a sail."""
    return _rudder_force(angle, foil, at, thrusts, foil.steer, foil.sail)


@kernel
def _rudder_force(angle, foil, at, thrusts, steer, sail):
    zero = 0.0 * at.u_r
    if steer is None:
        return zero, zero, zero
    if sail is not None:
        return zero, zero, zero
    return foil_force_of(angle, foil, at, thrusts)


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
    if foil.steer is None:
        return None
    if foil.sail is None:
        return rudder_angle_of_moment(moment, foil, at, thrusts)
    if foil.drives is None:
        return sail_angle(at.u_w, at.v_w, foil.steer)
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
    if foil.steer is not None and foil.sail is None:
        return (0.0 * at.u_r,)
    return (foil_force_of(foil_angle(foil, 0.0, at, thrusts), foil, at, thrusts)[2],)
