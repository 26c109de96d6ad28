"""The thrust, the force on the hull and the electrical power of thrusters under way, from commands or rates."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from usv_energy.physics.elementwise import each, interpolate, kernel, larger, total, within
from usv_energy.thrusters.commands import command_of_thrust, power_of_thrust, thrust_at_rate, thrust_of_command
from usv_energy.thrusters.thruster import axis_of, force_along, inflow_along, speed_along

PROBED = 1.0  # m/s, inflow speed at which `knows_inflow` compares thrusts.
ROUNDING = 1e-12  # (-), relative difference of thrusts that is rounding.
NO_FORCE = 0.0, 0.0, 0.0
NO_DRIVE = 0.0, 0.0, 0.0, 0.0
NO_POWER = 0.0, 0.0, 0.0


class Turning(NamedTuple):
    """
    The thrust at standstill of a thruster over its rate of turning.

    `rate`: 1/s, ascending, negative astern, one of them 0. `root`: sign(T) sqrt(|T|) of the thrust T there, N^0.5.
    """

    rate: np.ndarray
    root: np.ndarray


def turning_of(rates: np.ndarray, thrusts: np.ndarray) -> Turning:
    """
    Return the Turning of a measured bollard pull.

    :param rates: Rates of turning, 1/s, ascending, negative astern; 0 is inserted if it is missing.
    :param thrusts: Thrust at each rate, N, ascending; same shape.
    """
    rates, roots = np.asarray(rates, dtype=float), np.sign(thrusts) * np.sqrt(np.abs(thrusts))
    if not (rates == 0.0).any():
        place = int(np.searchsorted(rates, 0.0))
        rates, roots = np.insert(rates, place, 0.0), np.insert(roots, place, 0.0)
    return Turning(rates, roots)


def bollard_of_rate(rate: Any, turning: Turning) -> Any:
    """
    Return the thrust at standstill, N, at a rate of turning.

    The root of the thrust is interpolated between the measured rates; beyond them thrust grows with the rate squared.

    :param rate: 1/s, negative astern; float or array.
    :param turning: The Turning of the thruster.
    """
    root = interpolate(rate, turning.rate, turning.root)
    low, high = float(turning.rate[0]), float(turning.rate[-1])
    root = root * (larger(rate / high, 1.0 + 0.0 * rate) if high > 0.0 else 1.0)
    root = root * (larger(rate / low, 1.0 + 0.0 * rate) if low < 0.0 else 1.0)
    return root * abs(root)


def thrust_of_rate(rate: Any, inflow: Any, turning: Turning, propeller: Any) -> Any:
    """
    Return the thrust of a propeller along its axis at a rate of turning, N.

    :param rate: 1/s, negative astern; float or array.
    :param inflow: Inflow speed along the axis, m/s; same shape.
    :param turning: The Turning of the thruster.
    :param propeller: `Thruster.propeller`, of any kind.
    """
    return thrust_at_rate(bollard_of_rate(rate, turning), inflow, propeller)


@kernel
def limited_command(command, thruster):
    """Return a command, as a thrust at standstill, N, held within a thruster's limits; float or array."""
    return within(command, thruster.min_thrust, thruster.max_thrust)


@kernel
def lagged_command(command, wanted, decay):
    """
    Return the effective command of a thruster after some time, N, by a first-order lag.

    :param command: Effective command now, N; float or array.
    :param wanted: Command that is held during that time, within the thruster's limits, N; same shape.
    :param decay: exp(-time / lag), (-); 0 for a thruster without lag.
    """
    return wanted + (command - wanted) * decay


@kernel
def thrust_under_way(command, angle, thruster, at):
    """
    Return the thrust along its axis, N, that a thruster gives for a command under way.

    :param command: As the thrust at standstill, N; float or array.
    :param angle: Of its axis, rad; None if the axis is fixed.
    :param thruster: The Thruster.
    :param at: The Relative.
    """
    return thrust_of_command(command, inflow_along(at, axis_of(angle, thruster.axis), thruster), thruster.propeller)


@kernel
def command_under_way(thrust, angle, thruster, at):
    """Return the command, N, within the thruster's limits, that gives a thrust, N; parameters as `thrust_under_way`."""
    inflow = inflow_along(at, axis_of(angle, thruster.axis), thruster)
    return limited_command(command_of_thrust(thrust, inflow, thruster.propeller), thruster)


@kernel
def thrust_limits(angle, thruster, at):
    """Return the least and the largest thrust of a thruster under way, N; parameters as `thrust_under_way`."""
    return limits_in_flow(inflow_along(at, axis_of(angle, thruster.axis), thruster), thruster)


@kernel
def limits_in_flow(inflow, thruster):
    """Return the least and the largest thrust of a thruster, N, at an inflow speed along its axis, m/s."""
    zero = 0.0 * inflow
    return (thrust_of_command(thruster.min_thrust + zero, inflow, thruster.propeller),
            thrust_of_command(thruster.max_thrust + zero, inflow, thruster.propeller))


@kernel
def drive_of_command(command, angle, thruster, at):
    """
    Return a thruster's force on the hull for a command, N, N, N m, and its mechanical power, W.

    The power is thrust times inflow speed; it is never negative, since braking is not recovered.

    :param command: As the thrust at standstill, N; float or array.
    :param angle: Of its axis, rad; None if the axis is fixed.
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
    """Return the sum of `drive_of_command` over all thrusters: force on the hull, N, N, N m, and power, W."""
    return total(NO_DRIVE, each(drive_of_command, (at,), commands, angles, thrusters))


@kernel
def force_of_thrust(thrust, angle, thruster):
    """Return the force on the hull, N, N, N m, of a thrust along a thruster's axis, N."""
    return force_along(thrust, axis_of(angle, thruster.axis), thruster)


@kernel
def force_of_thrusts(thrusts, angles, thrusters):
    """
    Return the sum of the forces of given thrusts on the hull: surge N, sway N, yaw moment N m.

    :param thrusts: Of each thruster along its axis, N; floats or arrays.
    :param angles: Of each axis, rad; None if the axis is fixed.
    :param thrusters: The Thrusters.
    """
    return total(NO_FORCE, each(force_of_thrust, (), thrusts, angles, thrusters))


@kernel
def powers_of_thrust(thrust, angle, thruster, at, losses):
    """
    Return the useful power of a thrust on the hull, the mechanical power of its thruster, and the electrical power, W.

    Useful power is thrust times speed through the water. Mechanical power is thrust times inflow speed, which for a fan
    is a speed through the air. Mechanical and electrical power are never negative, since braking is not recovered.

    :param thrust: Along its axis, N; float or array.
    :param angle: Of its axis, rad; None if the axis is fixed.
    :param thruster: The Thruster.
    :param at: The Relative.
    :param losses: The Losses, used for a plain thruster.
    """
    axis = axis_of(angle, thruster.axis)
    useful = thrust * speed_along(at.u_r, at.v_r, at.r, axis, thruster)
    inflow = inflow_along(at, axis, thruster)
    given = larger(thrust * inflow, 0.0)
    return useful, given, thruster.power_scale * _drawn(thrust, inflow, given, thruster.propeller, losses)


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
    """Return the electrical power of a thrust, N, by the map of a boat's Losses, W; 0 if there is no map."""
    if losses.mapped == 0.0:
        return 0.0 * thrust
    return interpolate(thrust, losses.map_thrust, losses.map_power)


@kernel
def powers_of_thrusts(thrusts, angles, thrusters, at, losses):
    """Return the sum of `powers_of_thrust` over all thrusters: useful, mechanical and electrical power, W."""
    return total(NO_POWER, each(powers_of_thrust, (at, losses), thrusts, angles, thrusters))


def fixed_angles(thrusters: Iterable[Any]) -> tuple[float | None, ...]:
    """Return angles of thrusters where none was measured: None if the axis is fixed, 0.0 rad if it turns."""
    return tuple(None if thruster.azimuth is None else 0.0 for thruster in thrusters)


def hull_force(thrusts: Iterable[Any], thrusters: Iterable[Any]) -> tuple[Any, Any, Any]:
    """Return `force_of_thrusts` of thrusts, N, with the angles that `fixed_angles` assumes."""
    given = tuple(thrusters)
    return force_of_thrusts(tuple(thrusts), fixed_angles(given), given)


def knows_inflow(thruster: Any) -> bool:
    """Return whether the thrust of a thruster depends on the inflow, judged at its largest command."""
    most = float(thruster.max_thrust)
    return bool(abs(thrust_of_command(most, PROBED, thruster.propeller) - most) > ROUNDING * abs(most))


def inflow_coefficient(thruster: Any) -> float:
    """Return the coefficient by which inflow reduces thrust, N^0.5 s/m; 0 if the kind of propeller has none."""
    return float(getattr(thruster.propeller, 'inflow_coefficient', 0.0))


def with_inflow(thruster: Any, factor: float) -> Any:
    """Return a thruster with its `inflow_coefficient` multiplied by a factor; unchanged if it has none."""
    if not inflow_coefficient(thruster):
        return thruster
    return thruster._replace(propeller=thruster.propeller.with_inflow(factor))


def inflow_entry(thruster: Any, coefficient: Any) -> dict[str, Any]:
    """Return the entries of a boat file's `propeller` that state an `inflow_coefficient`."""
    return thruster.propeller.inflow_entry(coefficient)
