"""What all actuators of a boat in a Setting give: their force on the hull, and the power of the thrusters."""

from .elementwise import by_part, each, each_in, kernel, total
from .foil_force import foil_force_of
from .rudder_balance import _rudder_force
from .thruster_drive import pair_drive, surge_along, thrust_given, thruster_drive

NO_DRIVE = 0.0, 0.0, 0.0, 0.0


@kernel
def actuators_drive(at, setting, vessel):
    """Return the force of all actuators on the hull, N, N, N m, and the power that thrusters give, W, at a Relative."""
    return by_part(vessel.arranged, _drive_of_pair, _drive_of_any, at, setting, vessel)


@kernel
def _drive_of_pair(at, setting, vessel):
    return pair_drive(at, setting.thrusts, vessel.thrusters)


@kernel
def _drive_of_any(arranged, at, setting, vessel):
    drive = _thrusters_drive(arranged, at, setting, vessel)
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
def surge_force_along(at, thrusts, aims, vessel):
    """
    Return the surge force of thrusters at a Relative, N, as `surge_force_of`.

    :param thrusts: As of a Setting, N, and `aims` as `setting_with_aims` returns them.
    """
    return total((0.0,), each_in(at, _surge_along, thrusts, aims, vessel.thrusters))[0]


@kernel
def _surge_along(at, thrust, aim, thruster):
    return (surge_along(at, thrust, aim, thruster),)


@kernel
def surge_force_of(at, setting, vessel):
    """Return the surge force of the thrusters in a Setting at a Relative, N."""
    return by_part(vessel.arranged, _drive_of_pair, _thrusters_drive, at, setting, vessel)[0]


@kernel
def power_given_of(at, setting, vessel):
    """Return the power that the thrusters in a Setting give at a Relative, W."""
    return by_part(vessel.arranged, _drive_of_pair, _thrusters_drive, at, setting, vessel)[3]


@kernel
def steering_force_of(at, setting, vessel):
    """Return what thrusters and rudders give in a Setting at a Relative: surge N, sway N, yaw moment N m."""
    drive = by_part(vessel.arranged, _drive_of_pair, _thrusters_drive, at, setting, vessel)
    return by_part(vessel.foiled, _of_thrusters, _and_of_rudders, drive, at, setting, vessel)


@kernel
def _of_thrusters(drive, at, setting, vessel):
    return drive[0], drive[1], drive[2]


@kernel
def _and_of_rudders(foiled, drive, at, setting, vessel):
    given = each_in(at, thrust_given, setting.thrusts, setting.angles, vessel.thrusters)
    return total((drive[0], drive[1], drive[2]), each_in((at, given), _rudder_force, setting.foils, vessel.foils))


@kernel
def _thrusters_drive(arranged, at, setting, vessel):
    return total(NO_DRIVE, each_in(at, thruster_drive, setting.thrusts, setting.angles, vessel.thrusters))
