"""Control of a boat's velocity: surge and yaw rate, and sway of a boat that can. Pure: the state goes in and out."""

import math
from typing import NamedTuple

from usv_energy.boats.boat_file import Boat, require_motion
from usv_energy.boats.boat_kind import kind_of
from usv_energy.boats.vessel import Vessel
from usv_energy.files.errors import InputError
from usv_energy.physics.dynamics import coriolis_force, damping_force
from usv_energy.physics.motion import Relative
from usv_energy.powering.actuators import Setting, resting_setting, steering_force, turned_angle
from usv_energy.powering.steering import setting_of_force
from usv_energy.sim.control.control import full_force, wanted_setting
from usv_energy.thrusters.thruster import gives_sway

Angles = tuple[float | None, ...]
Planar = tuple[float, float, float]  # Of surge, sway (to port) and yaw (counter-clockwise).

AT_REST: Planar = (0.0, 0.0, 0.0)
RATES: Planar = (1.0, 1.0, 1.5)  # 1/s: by which an error dies away faster than by the hull's drag alone.
FASTEST_INTEGRAL = 0.5           # 1/s: at which an unknown force, of a current say, is learned at most.
MISSING = 0.05                   # Of a force that is asked for, which may be missing before that counts.
LONGEST_GAP = 1.0                # s: between measurements; after a longer one nothing is learned of it.


class VelocityMemory(NamedTuple):
    """
    What the controller knows from before: what it learned, surge N, sway N and yaw N m, and where thrusters point.

    `angles`: of each thruster, rad, as it was asked to turn, at its rate; None of a fixed one.
    """

    learned: Planar
    angles: Angles


class VelocityGains(NamedTuple):
    """What an error of surge, sway and yaw rate gives: N s/m, N s/m, N m s/rad; its integral: N/m, N/m, N m/rad."""

    proportional: Planar
    integral: Planar


def velocity_gains(vessel: Vessel) -> VelocityGains:
    """
    Return the gains of a boat, by its inertia and its linear drag.

    With these an error of a velocity dies away critically damped, or slower (`integral_gain`).
    """
    inertia, damping = vessel.inertia, vessel.damping
    masses = inertia.m11, inertia.m22, inertia.m33
    drags = damping.d11, damping.d22, damping.d33
    proportional = [rate * mass for rate, mass in zip(RATES, masses)]
    integral = list(map(integral_gain, proportional, drags, masses))
    return VelocityGains((proportional[0], proportional[1], proportional[2]), (integral[0], integral[1], integral[2]))


def integral_gain(proportional: float, drag: float, mass: float) -> float:
    """
    Return the gain of an error's integral beside that of the error itself, k, both of one velocity.

    The error's characteristic polynomial is m s^2 + (d + k) s + k_i, and k_i gives it a double root, critically damped;
    or less, where an unknown force would be learned faster than the lags and the turning of actuators allow.

    :param proportional: k, N s/m; N m s/rad of yaw.
    :param drag: Linear, d, likewise.
    :param mass: m, kg; kg m^2 of yaw.
    """
    slope = proportional + drag
    return slope * min(0.25 * slope / mass, FASTEST_INTEGRAL)


def goes_sideways(vessel: Vessel) -> bool:
    """Return whether a boat's thrusters can give it a sway velocity that is asked for."""
    return gives_sway(vessel.thrusters)


def check_drivable(boat: Boat) -> None:
    """
    See whether a boat can be given a velocity.

    :raises InputError: If nothing is known but its power, or it has no thruster, or cannot turn: its file and why.
    """
    require_motion(boat, 'driving it')
    if not boat.vessel.thrusters or not full_force(boat.vessel) > 0.0:
        raise InputError(f'{boat.path}: the boat {boat.name} has no thruster that drives it ahead, so no velocity can '
                         f'be asked of it ({kind_of(boat.vessel)}); a sailing boat is driven by a scenario')


def first_memory(vessel: Vessel) -> VelocityMemory:
    """Return the VelocityMemory of a boat whose actuators rest."""
    return VelocityMemory(AT_REST, resting_setting(0.0, vessel).angles)


def velocity_setting(memory: VelocityMemory, elapsed: float, wanted: Planar, at: Relative, gains: VelocityGains,
                     vessel: Vessel) -> tuple[VelocityMemory, Setting]:
    """
    Return the controller's next memory and the Setting that brings a boat to a velocity over ground.

    What the hull's drag and Coriolis force take at the wanted velocity in still water is asked for at once; current and
    wind are learned, but not while the actuators give all they have. The yaw moment comes first where they cannot give
    all; a sway velocity is left out of account by a boat that has none to give. Thrusters turn before
    they push.

    :param memory: The VelocityMemory.
    :param elapsed: Since the last measurement, s; NaN at the first: nothing is learned then.
    :param wanted: Surge and sway over ground, m/s, yaw rate, rad/s.
    :param at: The Relative as the boat knows it: its velocity over ground, water being taken to stand still.
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
    """Return whether a force is missing that would make an error smaller: to ask for more would be in vain."""
    return (asked - got) * error > 0.0 and abs(asked - got) > MISSING * abs(asked)


def turning_setting(angles: Angles, setting: Setting, elapsed: float, vessel: Vessel) -> tuple[Angles, Setting]:
    """
    Return where thrusters point some time later, rad, and the Setting that lets them turn before they push.

    A thruster that still has to turn gives the less of its thrust the further it points from where it is to; beyond a
    right angle none.

    :param angles: Where each pointed, rad; None of a fixed one.
    :param setting: What is asked of the actuators.
    :param elapsed: The time, s.
    :param vessel: The Vessel.
    """
    later = tuple(turned_angle(angle, wanted, elapsed, thruster.azimuth)
                  for angle, wanted, thruster in zip(angles, setting.angles, vessel.thrusters))
    return later, setting._replace(commands=tuple(map(_while_turning, setting.commands, setting.angles, later)))


def _while_turning(thrust: float, wanted: float | None, angle: float | None) -> float:
    return thrust if wanted is None or angle is None else thrust * max(math.cos(wanted - angle), 0.0)
