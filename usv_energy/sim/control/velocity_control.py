"""Control of surge velocity, yaw rate and, if the boat can give it, sway velocity; pure functions of their state."""

import math
from typing import NamedTuple

from usv_energy.boats.boat_file import Boat, require_motion
from usv_energy.boats.boat_kind import kind_of
from usv_energy.boats.vessel import Vessel
from usv_energy.files.errors import InputError
from usv_energy.physics.dynamics import coriolis_force, damping_force
from usv_energy.physics.motion import Relative
from usv_energy.powering.actuators import Setting, resting_setting, setting_of_force, steering_force, turned_angle
from usv_energy.sim.control.control import full_force, wanted_setting
from usv_energy.thrusters.thruster import gives_sway

Angles = tuple[float | None, ...]
Planar = tuple[float, float, float]  # Of surge, sway (to port) and yaw (counter-clockwise).

AT_REST: Planar = (0.0, 0.0, 0.0)
RATES: Planar = (1.0, 1.0, 1.5)  # 1/s, decay rate of an error in addition to that by the hull's drag.
FASTEST_INTEGRAL = 0.5           # 1/s, largest rate at which the integral adapts to an unknown force.
MISSING = 0.05                   # Share of a commanded force that may be missing before it counts as saturated.
LONGEST_GAP = 1.0                # s, longest time between measurements over which the integral changes.


class VelocityMemory(NamedTuple):
    """
    The state of the controller: integral terms of surge N, sway N and yaw N m, and the angles of the thrusters.

    `angles`: of each thruster, rad, as commanded, at its rate; None if it is fixed.
    """

    learned: Planar
    angles: Angles


class VelocityGains(NamedTuple):
    """The gains of surge, sway and yaw rate: proportional N s/m, N s/m, N m s/rad; integral N/m, N/m, N m/rad."""

    proportional: Planar
    integral: Planar


def velocity_gains(vessel: Vessel) -> VelocityGains:
    """
    Return the gains for a boat, from its inertia and its linear drag.

    With these an error of a velocity decays critically damped, or more slowly (`integral_gain`).
    """
    inertia, damping = vessel.inertia, vessel.damping
    masses = inertia.m11, inertia.m22, inertia.m33
    drags = damping.d11, damping.d22, damping.d33
    proportional = [rate * mass for rate, mass in zip(RATES, masses)]
    integral = list(map(integral_gain, proportional, drags, masses))
    return VelocityGains((proportional[0], proportional[1], proportional[2]), (integral[0], integral[1], integral[2]))


def integral_gain(proportional: float, drag: float, mass: float) -> float:
    """
    Return the integral gain for a proportional gain of one velocity.

    The error's characteristic polynomial is m s^2 + (d + k) s + k_i. The integral gain k_i gives it a double root
    (critical damping), but it is limited so that an unknown force is not integrated faster than the lags and the
    turning of actuators allow.

    :param proportional: k, N s/m; N m s/rad for yaw.
    :param drag: Linear, d, same unit.
    :param mass: m, kg; kg m^2 for yaw.
    """
    slope = proportional + drag
    return slope * min(0.25 * slope / mass, FASTEST_INTEGRAL)


def goes_sideways(vessel: Vessel) -> bool:
    """Return whether a boat's thrusters can control its sway velocity."""
    return gives_sway(vessel.thrusters)


def check_drivable(boat: Boat) -> None:
    """
    Check that a boat's velocity can be controlled.

    :raises InputError: If only its power is known, or it has no thruster or cannot turn; the message names its file.
    """
    require_motion(boat, 'driving it')
    if not boat.vessel.thrusters or not full_force(boat.vessel) > 0.0:
        raise InputError(f'{boat.path}: the boat {boat.name} has no thruster that drives it ahead, so no velocity can '
                         f'be asked of it ({kind_of(boat.vessel)}); a sailing boat is driven by a scenario')


def first_memory(vessel: Vessel) -> VelocityMemory:
    """Return the VelocityMemory of a boat at rest."""
    return VelocityMemory(AT_REST, resting_setting(0.0, vessel).angles)


def velocity_setting(memory: VelocityMemory, elapsed: float, wanted: Planar, at: Relative, gains: VelocityGains,
                     vessel: Vessel) -> tuple[VelocityMemory, Setting]:
    """
    Return the controller's next memory and the Setting that brings a boat to a velocity over ground.

    The drag and Coriolis force of the hull at the wanted velocity in still water are fed forward; the integral adapts
    to current and wind, except while the actuators are saturated. If the actuators cannot give all, the yaw moment has
    priority. The sway velocity is ignored by a boat that cannot control it. Thrusters turn before they push.

    :param memory: The VelocityMemory.
    :param elapsed: Time since the last measurement, s; NaN at the first one, which leaves the integral unchanged.
    :param wanted: Surge and sway over ground, m/s, yaw rate, rad/s.
    :param at: The Relative as the boat knows it: its velocity over ground, with the water assumed at rest.
    :param gains: The VelocityGains.
    :param vessel: The Vessel.

    Source: Astrom and Hagglund, PID Controllers (1995), section 3.5 (conditional integration).
    """
    now, sideways = (at.u_r, at.v_r, at.r), goes_sideways(vessel)
    goal = wanted[0], wanted[1] if sideways else at.v_r, wanted[2]
    needed = zip(damping_force(*goal, vessel.damping), coriolis_force(*goal, vessel.inertia))
    errors = [aim - is_ for aim, is_ in zip(goal, now)]
    asked = [drag + coriolis + gain * error + learned
             for (drag, coriolis), gain, error, learned in zip(needed, gains.proportional, errors, memory.learned)]
    setting: Setting
    if sideways:
        setting, _ = setting_of_force((asked[0], asked[1], asked[2]), at, vessel)
    else:
        setting = wanted_setting(asked[0], asked[2], at, vessel)
    if not 0.0 < elapsed < LONGEST_GAP:
        return memory, setting
    pointing, setting = turning_setting(memory.angles, setting, elapsed, vessel)
    got = steering_force(at, setting._replace(angles=pointing), vessel)
    surge, sway, yaw = (
        learned + (0.0 if _saturated(wish, force, error) else elapsed * gain * error)
        for learned, gain, error, force, wish in zip(memory.learned, gains.integral, errors, got, asked))
    return VelocityMemory((surge, sway if sideways else 0.0, yaw), pointing), setting


def _saturated(asked: float, got: float, error: float) -> bool:
    """Return whether a force is missing that would reduce an error."""
    return (asked - got) * error > 0.0 and abs(asked - got) > MISSING * abs(asked)


def turning_setting(angles: Angles, setting: Setting, elapsed: float, vessel: Vessel) -> tuple[Angles, Setting]:
    """
    Return the angles of the thrusters some time later, rad, and the Setting that lets them turn before they push.

    A thruster that is still turning gives less thrust the larger its angle error is; beyond a right angle it gives
    none.

    :param angles: Present angle of each, rad; None if it is fixed.
    :param setting: The commanded Setting.
    :param elapsed: The time, s.
    :param vessel: The Vessel.
    """
    later = tuple(turned_angle(angle, wanted, elapsed, thruster.azimuth)
                  for angle, wanted, thruster in zip(angles, setting.angles, vessel.thrusters))
    return later, setting._replace(commands=tuple(map(_while_turning, setting.commands, setting.angles, later)))


def _while_turning(thrust: float, wanted: float | None, angle: float | None) -> float:
    return thrust if wanted is None or angle is None else thrust * max(math.cos(wanted - angle), 0.0)
