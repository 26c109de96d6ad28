"""The longest time step for which the integration of a boat's motion is stable and accurate."""

import math
from pathlib import Path
from typing import Any

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.vessel import Vessel
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.physics.dynamics import surge_slope
from usv_energy.physics.parted_hull import PartedHull
from usv_energy.physics.waves.linear_wave import GRAVITY

# (-), step times fastest rate. The Runge-Kutta method is stable up to 2.785. At 1 a deviation decays in one step to
# 0.375 (exactly 0.368), and the energies of the scenarios change by less than 0.01 % (test_step_limit).
LONGEST = 1.0
STALLING = math.pi                  # 1/rad, for a foil with a table: half the lift slope of a thin foil.
DRIFT = 0.5                         # (-), v/u: a drift angle of about 30 degrees in a tight turn.
SAILING_WIND = 10.0                 # m/s, assumed true wind on a sail if the wind is not known.
FASTEST, FASTEST_TURN = 20.0, 10.0  # m/s and rad/s, assumed largest speeds of a boat without drag.


class StepTooLongError(InputError):
    """The time step is too long for the boat."""


def fastest_rate(vessel: Vessel, wind: Any = SAILING_WIND) -> Any:
    """
    Return the fastest rate at which a disturbance of the boat's motion decays or oscillates, 1/s; float or array.

    It is the largest magnitude of the eigenvalues of M^-1 d(D + C)/dnu at full thrust: at the steady surge velocity
    with all thrusters and sails ahead, the drift angle of `DRIFT`, and the steady yaw rate with thrusters opposed.

    :param vessel: The Vessel; its numbers may be arrays of the same shape, one element per run.
    :param wind: True wind speed on sails, m/s; same shape.
    """
    inertia, damping = vessel.inertia, vessel.damping
    full = [np.maximum(np.abs(t.min_thrust), np.abs(t.max_thrust)) * t.efficiency_of_tilt for t in vessel.thrusters]
    thrust = sum(full) + sum(0.5 * foil.density * foil.area * _most_lift(foil) * np.square(wind)
                             for foil in vessel.foils if foil.in_air is not None)
    moment = sum(force * np.abs(t.y) for force, t in zip(full, vessel.thrusters))
    u = _held_speed(damping.d11, damping.d11_q, thrust, FASTEST)
    r = _held_speed(damping.d33 + damping.d33_u * u, damping.d33_q, moment, FASTEST_TURN)
    surge = _steepest(u, damping) / inertia.m11
    sway_sway = damping.d22 + 2.0 * damping.d22_q * DRIFT * u + damping.d22_u * u
    sway_yaw = damping.d23 + damping.d23_u * u + inertia.m11 * u
    yaw_sway = damping.d32 + damping.d32_u * u + (inertia.m22 - inertia.m11) * u
    yaw_yaw = damping.d33 + 2.0 * damping.d33_q * r + (damping.d33_u + inertia.m23) * u
    for foil in vessel.foils:
        through = _in_wash(u, full, foil) if foil.in_air is None else u + wind
        slope = foil.density * foil.area * (foil.lift + 0.5 * foil.drag0 if foil.curve is None else STALLING) * through
        sway_sway, sway_yaw = sway_sway + slope, sway_yaw + slope * foil.x
        yaw_sway, yaw_yaw = yaw_sway + slope * foil.x, yaw_yaw + slope * foil.x ** 2
    mass = inertia.m22 * inertia.m33 - inertia.m23 ** 2
    trace = (inertia.m33 * sway_sway + inertia.m22 * yaw_yaw - inertia.m23 * (sway_yaw + yaw_sway)) / mass
    determinant = (sway_sway * yaw_yaw - sway_yaw * yaw_sway) / mass
    spread = np.sqrt(0.25 * trace ** 2 - determinant + 0.0j)
    rates = [np.abs(surge), np.abs(0.5 * trace + spread), np.abs(0.5 * trace - spread)]
    if vessel.parts is not None:
        rates += floating_rates(vessel.parts)
    fastest = np.maximum.reduce(np.broadcast_arrays(*rates))
    return fastest if fastest.ndim else float(fastest)


def top_speed_bound(vessel: Vessel) -> Any:
    """Return an upper bound of the surge velocity under power, m/s: that of the largest thrusts at standstill."""
    thrust = sum(t.max_thrust * t.efficiency_of_tilt for t in vessel.thrusters)
    return _held_speed(vessel.damping.d11, vessel.damping.d11_q, thrust, FASTEST)


def floating_rates(hull: PartedHull) -> list[float]:
    """Return bounds of the rates of heave, roll and pitch of a hull of parts, 1/s: natural frequency plus damping."""
    water = [hull.density * GRAVITY * column.area for column in hull.columns]
    stiffness = (sum(water) + hull.heave_spring,
                 sum(k * column.y ** 2 for k, column in zip(water, hull.columns)) + hull.roll_spring,
                 sum(k * column.x ** 2 for k, column in zip(water, hull.columns)) + hull.pitch_spring)
    inertias = hull.heave_mass, hull.roll_inertia, hull.pitch_inertia
    damping = hull.heave_damping, hull.roll_damping, hull.pitch_damping
    return [float(np.sqrt(max(k, 0.0) / m) + d / m) for k, m, d in zip(stiffness, inertias, damping)]


def longest_step(vessel: Vessel, wind: Any = SAILING_WIND) -> Any:
    """Return the longest time step for a boat, s; float or array, infinite for a boat without drag."""
    with np.errstate(divide='ignore'):
        return LONGEST / np.asarray(fastest_rate(vessel, wind))[()]


def check_step(step: float, boat: Boat, path: Path, wind: Any = None) -> None:
    """
    Check that a time step is short enough for the boat that is simulated.

    :param step: s.
    :param boat: The boat.
    :param path: The scenario file, for the error message.
    :param wind: The wind; if it is uniform, its speed is used for sails, else `SAILING_WIND`.
    :raises StepTooLongError: If it is too long; the message names the file, the key, the step and the longest step.
    """
    longest = float(longest_step(boat.vessel, wind.speed if isinstance(wind, UniformFlow) else SAILING_WIND))
    if step > longest:
        raise StepTooLongError(
            f'{path}: simulation.step is {step:g} s; must be at most {_rounded_down(longest):g} s for the boat '
            f'{boat.name}, whose fastest motion dies away at {LONGEST / longest:.3g} 1/s: with a longer one the '
            'simulation would be wrong, or run away')


def _in_wash(u: Any, full: list[Any], foil: Any) -> Any:
    """Return the inflow speed of a foil at a surge velocity, m/s, in the wash of its propellers at full thrust."""
    if foil.wash is None:
        return u
    thrust = sum(share * force for share, force in zip(foil.wash.screws, full))
    behind = np.sqrt(u ** 2 + 8.0 * thrust / (math.pi * foil.density * foil.wash.diameter ** 2))
    met = u + foil.wash.gain * (behind - u)
    return np.sqrt(foil.wash.share * met ** 2 + (1.0 - foil.wash.share) * u ** 2)


def _most_lift(foil: Any) -> Any:
    return foil.lift if foil.curve is None else np.max(foil.curve.lift)


def _held_speed(linear: Any, quadratic: Any, force: Any, fastest: float) -> Any:
    """Return the velocity, m/s or rad/s, at which linear v + quadratic v^2 equals a force; at most `fastest`."""
    slope = linear + np.sqrt(linear ** 2 + 4.0 * quadratic * force)
    return np.minimum(2.0 * force / np.maximum(slope, 1e-300), fastest)


def _steepest(u: Any, damping: Any) -> Any:
    """Return the largest slope of the surge drag up to a speed, N s/m, of which the knots of wave-making are tried."""
    slope = surge_slope(u, damping)
    for knot in () if damping.wave is None else damping.wave.speed:
        slope = np.maximum(slope, surge_slope(np.minimum(u, knot), damping))
    return slope


def _rounded_down(value: float) -> float:
    """Return a positive number rounded down to three significant digits."""
    scale = 10.0 ** (2 - int(np.floor(np.log10(value))))
    return float(np.floor(value * scale) / scale)
