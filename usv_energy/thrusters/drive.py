"""What thrusters give under way for commands and rates of turning, and what those draw."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from usv_energy.physics.elementwise import each, interpolate, kernel, larger, total, within
from usv_energy.thrusters.commands import command_of_thrust, power_of_thrust, thrust_at_rate, thrust_of_command
from usv_energy.thrusters.thruster import axis_of, force_along, inflow_along, speed_along


class Turning(NamedTuple):
    """`rate` (1/s, rising, astern below 0, 0 among them) and `root` (N^0.5, of the thrust at standstill, signed)."""

    rate: np.ndarray
    root: np.ndarray


def turning_of(rates: np.ndarray, thrusts: np.ndarray) -> Turning:
    """
    Return the Turning of a bollard pull.

    :param rates: 1/s, rising, astern below 0; standstill need not be among them.
    :param thrusts: N, rising.
    """
    rates, roots = np.asarray(rates, dtype=float), np.sign(thrusts) * np.sqrt(np.abs(thrusts))
    if not (rates == 0.0).any():
        place = int(np.searchsorted(rates, 0.0))
        rates, roots = np.insert(rates, place, 0.0), np.insert(roots, place, 0.0)
    return Turning(rates, roots)


def bollard_of_rate(rate: Any, turning: Turning) -> Any:
    """Return the thrust at standstill, N, at a rate of turning, 1/s, positive where it drives ahead; float or array."""
    root = interpolate(rate, turning.rate, turning.root)
    low, high = float(turning.rate[0]), float(turning.rate[-1])
    root = root * (larger(rate / high, 1.0 + 0.0 * rate) if high > 0.0 else 1.0)
    root = root * (larger(rate / low, 1.0 + 0.0 * rate) if low < 0.0 else 1.0)
    return root * abs(root)


def thrust_of_rate(rate: Any, inflow: Any, turning: Turning, propeller: Any) -> Any:
    """
    Return the thrust of a propeller along its axis, N.

    :param rate: Of turning, 1/s, positive where it drives ahead; float or array.
    :param inflow: Speed of the water into it along the axis, m/s; same shape.
    :param turning: Its Turning.
    :param propeller: Its propeller, of any kind.
    """
    return thrust_at_rate(bollard_of_rate(rate, turning), inflow, propeller)



PROBED = 1.0  # m/s: an inflow.
ROUNDING = 1e-12  # Of a thrust.
NO_FORCE = 0.0, 0.0, 0.0
NO_DRIVE = 0.0, 0.0, 0.0, 0.0
NO_POWER = 0.0, 0.0, 0.0


@kernel
def limited_command(command, thruster):
    """Return a command, as a thrust at standstill, N, held within a thruster's limits; float or array."""
    return within(command, thruster.min_thrust, thruster.max_thrust)


@kernel
def lagged_command(command, wanted, decay):
    """
    Return what a thruster answers to some time later, N: a first-order answer to what is asked of it.

    :param command: Now, N; float or array.
    :param wanted: Asked for and held meanwhile, within the thruster's limits, N; same shape.
    :param decay: exp(-time / lag), (-); 0 where the thruster answers at once.
    """
    return wanted + (command - wanted) * decay


@kernel
def thrust_under_way(command, angle, thruster, at):
    """
    Return the thrust along its axis, N, that a thruster gives for a command, as the thrust at standstill, N.

    :param command: N; float or array.
    :param angle: Of its axis, rad; None of a fixed one.
    :param thruster: The Thruster.
    :param at: The Relative.
    """
    return thrust_of_command(command, inflow_along(at, axis_of(angle, thruster.axis), thruster), thruster.propeller)


@kernel
def command_under_way(thrust, angle, thruster, at):
    """Return the command, N, within the thruster's limits, for which it gives a thrust, N; as `thrust_under_way`."""
    inflow = inflow_along(at, axis_of(angle, thruster.axis), thruster)
    return limited_command(command_of_thrust(thrust, inflow, thruster.propeller), thruster)


@kernel
def thrust_limits(angle, thruster, at):
    """Return the least and the largest thrust of a thruster at a Relative, N: of its least and largest commands."""
    return limits_in_flow(inflow_along(at, axis_of(angle, thruster.axis), thruster), thruster)


@kernel
def limits_in_flow(inflow, thruster):
    """Return what `thrust_limits` does, of the speed of the flow into a thruster along its axis, m/s."""
    zero = 0.0 * inflow
    return (thrust_of_command(thruster.min_thrust + zero, inflow, thruster.propeller),
            thrust_of_command(thruster.max_thrust + zero, inflow, thruster.propeller))


@kernel
def drive_of_command(command, angle, thruster, at):
    """
    Return a thruster's force on the hull for a command, N, N, N m, and the power that it gives, W.

    What it gives is its thrust times its speed through its own fluid; nothing is taken back.

    :param command: As the thrust at standstill, N; float or array.
    :param angle: Of its axis, rad; None of a fixed one.
    :param thruster: The Thruster.
    :param at: The Relative.
    """
    axis = axis_of(angle, thruster.axis)
    inflow = inflow_along(at, axis, thruster)
    thrust = thrust_of_command(command, inflow, thruster.propeller)
    x, y, n = force_along(thrust, axis, thruster)
    return x, y, n, larger(thrust * inflow, 0.0)


@kernel
def drive_of_commands(commands, angles, thrusters, at):
    """Return the force of all thrusters on the hull, N, N, N m, and the power that they give, W; as one's."""
    return total(NO_DRIVE, each(drive_of_command, (at,), commands, angles, thrusters))


@kernel
def force_of_thrust(thrust, angle, thruster):
    """Return the force on the hull, N, N, N m, of a thrust along a thruster's axis, N."""
    return force_along(thrust, axis_of(angle, thruster.axis), thruster)


@kernel
def force_of_thrusts(thrusts, angles, thrusters):
    """
    Return the force of thrusts on the hull: surge N, sway N, yaw moment N m.

    :param thrusts: Of each along its axis, N; floats or arrays.
    :param angles: Of each, rad; None of fixed ones.
    :param thrusters: The Thrusters.
    """
    return total(NO_FORCE, each(force_of_thrust, (), thrusts, angles, thrusters))


@kernel
def powers_of_thrust(thrust, angle, thruster, at, losses):
    """
    Return the work a second of a thrust on the hull, what its thruster gives, and what that draws, W.

    A fan gives its thrust times its speed through the air, which is not what the hull gets of it. Neither takes
    anything back.

    :param thrust: Along its axis, N; float or array.
    :param angle: Of its axis, rad; None of a fixed one.
    :param thruster: The Thruster.
    :param at: The Relative.
    :param losses: The Losses, for what has no propeller.
    """
    axis = axis_of(angle, thruster.axis)
    useful = thrust * speed_along(at.u_r, at.v_r, at.r, axis, thruster)
    inflow = inflow_along(at, axis, thruster)
    given = larger(thrust * inflow, 0.0)
    return useful, given, _drawn(thrust, inflow, given, thruster.propeller, losses)


@kernel
def _drawn(thrust, inflow, given, propeller, losses):
    if propeller is None:
        return _drawn_by_losses(thrust, given, losses)
    return power_of_thrust(thrust, inflow, propeller)


@kernel
def _drawn_by_losses(thrust, given, losses):
    if losses.mapped == 0.0:
        return given * (1.0 / losses.efficiency)
    return drawn_by_map(thrust, losses)


@kernel
def drawn_by_map(thrust, losses):
    """Return the electrical power that a boat's map has a thruster draw for a thrust, W; 0 without a map."""
    if losses.mapped == 0.0:
        return 0.0 * thrust
    return interpolate(thrust, losses.map_thrust, losses.map_power)


@kernel
def powers_of_thrusts(thrusts, angles, thrusters, at, losses):
    """Return what `powers_of_thrust` does, W, of all thrusters together."""
    return total(NO_POWER, each(powers_of_thrust, (at, losses), thrusts, angles, thrusters))


def fixed_angles(thrusters: Iterable[Any]) -> tuple[float | None, ...]:
    """Return the angles of thrusters whose angles nobody knows: None of fixed ones, 0.0 of those that turn."""
    return tuple(None if thruster.azimuth is None else 0.0 for thruster in thrusters)


def hull_force(thrusts: Iterable[Any], thrusters: Iterable[Any]) -> tuple[Any, Any, Any]:
    """Return the force of thrusts, N, as `force_of_thrusts`, of thrusters whose angles nobody knows."""
    given = tuple(thrusters)
    force: tuple[Any, Any, Any] = force_of_thrusts(tuple(thrusts), fixed_angles(given), given)
    return force


def knows_inflow(thruster: Any) -> bool:
    """Return whether the thrust of a thruster for its largest command is another one in water that flows in."""
    most = float(thruster.max_thrust)
    return bool(abs(thrust_of_command(most, PROBED, thruster.propeller) - most) > ROUNDING * abs(most))


def inflow_coefficient(thruster: Any) -> float:
    """Return what moving water takes of a thruster's thrust where its kind has a number to fit, N^0.5 s/m; else 0."""
    return float(getattr(thruster.propeller, 'inflow_coefficient', 0.0))


def with_inflow(thruster: Any, factor: float) -> Any:
    """Return a thruster whose `inflow_coefficient` is a factor times what it was; as it is where it has none."""
    if not inflow_coefficient(thruster):
        return thruster
    return thruster._replace(propeller=thruster.propeller.with_inflow(factor))


def inflow_entry(thruster: Any, coefficient: Any) -> dict[str, Any]:
    """Return what a boat file's `propeller` has of the inflow of a thruster that has an `inflow_coefficient`."""
    entry: dict[str, Any] = thruster.propeller.inflow_entry(coefficient)
    return entry
