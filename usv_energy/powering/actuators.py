"""The Setting of all actuators of a boat: how it follows commands in time, and the force that it gives."""

from typing import Any, NamedTuple

from usv_energy.foils.foil_force import foil_force_of, forces_of_foils
from usv_energy.physics.elementwise import each, kernel, select, total, within
from usv_energy.physics.frames import wrap_angle
from usv_energy.thrusters.drive import drive_of_commands, lagged_command, limited_command, thrust_under_way
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
    return _nearest_to_zero(thruster.azimuth, zero)


@kernel
def _resting_foil(foil, zero):
    return _nearest_to_zero(foil.steer, zero)


@kernel
def _nearest_to_zero(turn, zero):
    if turn is None:
        return None
    return within(zero, turn.least, turn.largest)


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
