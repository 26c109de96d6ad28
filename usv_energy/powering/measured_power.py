"""
The power by cause of a motion whose thrusts and angles were measured.

The useful power of the thrusters is then the measured one. Two differences are reported as causes of their own:

- `residual`: useful power of the measured thrusts minus the power that the motion requires of the thrusters. It is the
  closure error of each sample, caused by the model (drag, current, wind) or the sensors, and no waste of energy. A
  force that no thruster can give is still counted as `side_force`, as without a measurement.
- `allocation`: electrical power drawn beyond that of the cheapest thrusts that give the *same measured* force. The
  measured force is used here because with the force that the motion requires, each model error would appear as waste
  and a weak thruster as a gain. If the search finds no cheaper thrusts, or cannot reach that force within the limits
  of the boat file, allocation is 0. `thrust`, `unrecovered` and `losses` are those of the cheapest thrusts.

Thus thrust = inertia + damping + wind + foils + waves + side_force + residual, and total = thrust + unrecovered +
losses + allocation + static_load, exactly; `loads.with_loads` adds the varying loads to the total. Foil angles are the
measured ones; an unknown rudder angle (NaN) follows from the yaw balance.
"""

from typing import Any, NamedTuple

from usv_energy.allocation.boat_thrusts import thrusts_of_force
from usv_energy.foils.foil_force import foil_force_of, forces_of_foils
from usv_energy.physics.elementwise import each, kernel, larger, select, total
from usv_energy.physics.frames import wrap_angle
from usv_energy.physics.motion import moved_by_waves
from usv_energy.powering.actuators import foil_angle, moment_but_of_rudders, rudder_share
from usv_energy.powering.power import Power, middle_of, needed_of, power_by_cause, rate_of
from usv_energy.thrusters.drive import force_of_thrusts, powers_of_thrusts

MISSED = 1e-3  # (-), relative error of force up to which the cheapest thrusts count as giving the measured force.


class MeasuredActuators(NamedTuple):
    """
    The measured state of all actuators; each field is a tuple with one member per actuator.

    `thrusts`: along the axes at the boat's speed, N. `angles`: of the thrusters' axes, rad; None if fixed.
    `foils`: angles of the foils, rad; None if fixed, NaN if not known.
    """

    thrusts: tuple[Any, ...]
    angles: tuple[Any, ...]
    foils: tuple[Any, ...]


@kernel
def measured_mean_power(before, now, elapsed, vessel, measured, waves=None):
    """
    Return the mean Power of the step between two samples whose thrusts were measured.

    :param before: The Relative at the beginning; floats or arrays.
    :param now: The Relative at the end, whose velocity is stored in the Power; same shapes.
    :param elapsed: Duration of the step, s; same shape.
    :param vessel: The Vessel.
    :param measured: The MeasuredActuators in the middle of the step (`middle_of_measured`).
    :param waves: As in `power.mean_power_rep103`.

    Source: thesis (4.17), (4.20), (4.22), as `power.mean_power_rep103`.
    """
    at = middle_of(before, now)
    needed = needed_of(at, rate_of(before, now, elapsed), vessel, waves)
    force = force_of_thrusts(measured.thrusts, measured.angles, vessel.thrusters)
    there = moved_by_waves(at, waves)
    foils = _known_foils(there, measured.thrusts, measured.foils, needed.force[2] - force[2], vessel.foils)
    left = needed.force[0] - foils[0], needed.force[1] - foils[1], needed.force[2] - foils[2]
    thrusts, angles, _ = thrusts_of_force(there, left, vessel)
    asked = powers_of_thrusts(thrusts, angles, vessel.thrusters, there, vessel.losses)[0]
    (useful, _, drawn), cheapest = _measured_and_cheapest(there, force, measured, vessel)
    by_foils = -(foils[0] * at.u_r + foils[1] * at.v_r + foils[2] * at.r)
    side_force = asked - needed.inertia - needed.damping - needed.wind - by_foils - needed.waves
    unrecovered = cheapest[1] - cheapest[0]
    zero = 0.0 * needed.inertia
    static = vessel.static_load + zero
    return Power(needed.inertia, needed.damping, needed.wind, by_foils, needed.waves, side_force, useful - asked,
                 useful, unrecovered, cheapest[2] - useful - unrecovered, drawn - cheapest[2], static, zero,
                 drawn + static, now.u_r, now.v_r, now.r)


@kernel
def mean_power_by_known_foils(before, now, elapsed, vessel, angles, waves=None):
    """
    Return the mean Power of a step in which the foil angles are known, with the cheapest thrusts.

    :param before: The Relative at the beginning; floats or arrays.
    :param now: The Relative at the end; same shapes.
    :param elapsed: Duration of the step, s; same shape.
    :param vessel: The Vessel.
    :param angles: Of the foils in the middle of the step, rad; None if fixed, NaN if not known.
    :param waves: As in `power.mean_power_rep103`.
    """
    at = middle_of(before, now)
    needed = needed_of(at, rate_of(before, now, elapsed), vessel, waves)
    force, there = needed.force, moved_by_waves(at, waves)
    thrusts, axes, near = thrusts_of_force(there, force, vessel)
    x, y, n = _known_foils(there, thrusts, angles, force[2], vessel.foils)
    thrusts, axes, near = thrusts_of_force(there, (force[0] - x, force[1] - y, force[2] - n), vessel, near)
    foils = _known_foils(there, thrusts, angles, force[2], vessel.foils)  # With the updated wash.
    left = force[0] - foils[0], force[1] - foils[1], force[2] - foils[2]
    thrusts, axes, _ = thrusts_of_force(there, left, vessel, near)
    powers = powers_of_thrusts(thrusts, axes, vessel.thrusters, there, vessel.losses)
    return power_by_cause(at, needed, foils, powers, now, vessel)


@kernel
def _measured_and_cheapest(at, force, measured, vessel):
    """Return `powers_of_thrusts` of the measured thrusts, and those of the cheapest thrusts for the same force, W."""
    own = powers_of_thrusts(measured.thrusts, measured.angles, vessel.thrusters, at, vessel.losses)
    thrusts, angles, _ = thrusts_of_force(at, force, vessel)
    found = powers_of_thrusts(thrusts, angles, vessel.thrusters, at, vessel.losses)
    x, y, n = force_of_thrusts(thrusts, angles, vessel.thrusters)
    missed = abs(force[0] - x) + abs(force[1] - y) + abs(force[2] - n)
    unknown = missed > MISSED * (abs(force[0]) + abs(force[1]) + abs(force[2]))
    kept = unknown | (own[2] <= found[2])
    return own, (select(kept, own[0], found[0]), select(kept, own[1], found[1]), select(kept, own[2], found[2]))


@kernel
def _known_foils(at, thrusts, angles, moment, foils):
    """Return the force of the foils, N, N, N m; rudders at unknown angles share what is left of a yaw moment, N m."""
    if len(foils) == 0:
        return 0.0, 0.0, 0.0
    others = total((0.0,), each(_known_moment, (at, thrusts), angles, foils))[0]
    unknown = total((0.0,), each(_unknown_rudder, (), angles, foils))[0]
    share = (moment - others) / larger(unknown, 1.0 + 0.0 * unknown)
    found = each(foil_angle, (share, at, thrusts), foils)
    return forces_of_foils(each(_known_or_found, (), angles, found), foils, at, thrusts)


@kernel
def _known_or_found(known, found):
    if known is None:
        return None
    return select(known == known, known, found)


@kernel
def _known_moment(known, foil, at, thrusts):
    """Return the yaw moment, N m, of a keel, a sail or a foil at a known angle; 0 for a rudder at an unknown one."""
    others = moment_but_of_rudders(foil, at, thrusts)
    if known is None:
        return others
    return (select(known == known, foil_force_of(known, foil, at, thrusts)[2], others[0]),)


@kernel
def _unknown_rudder(known, foil):
    if known is None:
        return (0.0,)
    return (select(known == known, 0.0, 1.0) * rudder_share(foil.steer, foil.sail),)


@kernel
def middle_of_measured(one, other):
    """Return the mean of two MeasuredActuators; angles are averaged along the shorter arc."""
    return MeasuredActuators(each(_mean, (), one.thrusts, other.thrusts), each(_middle_angle, (), one.angles,
                             other.angles), each(_middle_angle, (), one.foils, other.foils))


@kernel
def _mean(one, other):
    return 0.5 * (one + other)


@kernel
def _middle_angle(one, other):
    if one is None:
        return None
    return one + 0.5 * wrap_angle(other - one)
