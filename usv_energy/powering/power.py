"""The power that a motion takes, split by cause: the force it needs, what actuators gave, losses, static load."""

from collections.abc import Callable
from typing import Any, NamedTuple

from usv_energy.allocation.allocate import UNKNOWN
from usv_energy.allocation.boat_thrusts import thrusts_of_force
from usv_energy.physics.dynamics import coriolis_force, damping_force, inertia_force, relative_acceleration
from usv_energy.physics.elementwise import kernel, larger, sqrt
from usv_energy.physics.motion import Flow, Motion, Relative, moved_by_waves, relative_as_published, relative_rep103
from usv_energy.physics.wind import wind_force
from usv_energy.powering.steering import foils_of_force
from usv_energy.thrusters.drive import powers_of_thrusts


class Needed(NamedTuple):
    """What inertia, damping, wind and waves take, W, and the force that all actuators must give: N, N and N m."""

    inertia: Any
    damping: Any
    wind: Any
    waves: Any
    force: tuple[Any, Any, Any]


@kernel
def needed_of(at, rate, vessel, waves=None):
    """
    Return the Needed of a Relative and its derivative, m/s^2 and rad/s^2; floats or arrays.

    :param waves: The WaveAction; None where no sea is known.
    """
    x_m, y_m, n_m = inertia_force(rate[0], rate[1], rate[2], vessel.inertia)
    x_w, y_w, n_w = wind_force(at.u_w, at.v_w, vessel.windage)
    # Coriolis does no work, but it is part of what the actuators give.
    x_c, y_c, n_c = coriolis_force(at.u_r, at.v_r, at.r, vessel.inertia)
    inertia = x_m * at.u_r + y_m * at.v_r + n_m * at.r
    calm = x_m + x_c - x_w, y_m + y_c - y_w, n_m + n_c - n_w
    drag, against_waves, force = _with_drag(at, calm, vessel.damping, 0.0 * inertia, waves)
    return Needed(inertia, drag[0] * at.u_r + drag[1] * at.v_r + drag[2] * at.r,
                  -(x_w * at.u_r + y_w * at.v_r + n_w * at.r), against_waves, force)


@kernel
def _with_drag(at, force, damping, zero, waves):
    """Return the hull's drag, N, N m, the power against waves, W, and the force needed with both."""
    if waves is None:
        drag = damping_force(at.u_r, at.v_r, at.r, damping)
        return drag, zero, (force[0] + drag[0], force[1] + drag[1], force[2] + drag[2])
    drag = damping_force(at.u_r - waves.ahead, at.v_r - waves.aside, at.r - waves.turning, damping)
    calm = damping_force(at.u_r, at.v_r, at.r, damping)
    left = (force[0] + calm[0] - waves.surge, force[1] + calm[1] - waves.sway, force[2] + calm[2] - waves.moment)
    power = (zero + (calm[0] - drag[0] - waves.surge) * at.u_r + (calm[1] - drag[1] - waves.sway) * at.v_r
             + (calm[2] - drag[2] - waves.moment) * at.r
             - left[0] * waves.ahead - left[1] * waves.aside - left[2] * waves.turning)
    return drag, power, left



class Power(NamedTuple):
    """
    Power by cause, W, and the velocity through the water at its time, m/s, m/s, rad/s.

    thrust = inertia + damping + wind + foils + waves + side_force + residual;
    total = thrust + unrecovered + losses + allocation + static_load + loads.
    `waves` is 0 where no sea is known, `residual` and `allocation` are 0 where the thrusters were not measured, and so
    are `loads` until `loads.with_loads`, which knows the time, has put in those that vary.
    """

    inertia: Any
    damping: Any
    wind: Any
    foils: Any
    waves: Any
    side_force: Any
    residual: Any
    thrust: Any
    unrecovered: Any
    losses: Any
    allocation: Any
    static_load: Any
    loads: Any
    total: Any
    u_r: Any
    v_r: Any
    r: Any


@kernel
def power_rep103(motion, flow, vessel, waves=None):
    """
    Return the Power of a motion at an instant; braking is not recovered, wind is apparent.

    :param motion: The Motion; floats or arrays.
    :param flow: The Flow, which does not change at the boat; same shapes.
    :param vessel: The Vessel.
    :param waves: As in `mean_power_rep103`, at the instant.

    Source: thesis (4.17), (4.20), (4.22), in REP-103 axes and by thrusters.
    """
    now = relative_rep103(motion, flow)
    current = motion.u - now.u_r, motion.v - now.v_r
    rate = relative_acceleration((motion.u_dot, motion.v_dot), current, motion.r)
    return _by_thrusters(now, (rate[0], rate[1], motion.r_dot), now, vessel, waves, UNKNOWN)[0]


@kernel
def power_as_published(motion, flow, vessel, waves=None):
    """
    Return the Power of a motion at an instant as the thesis's formulas have it. See the module's docstring.

    :param motion: The Motion; floats or arrays.
    :param flow: The Flow, which does not change at the boat; same shapes.
    :param vessel: The Vessel.
    :param waves: Not asked for: the thesis has no waves.

    Source: thesis (4.16), (4.19), (4.24), its symbols taken for the FLU velocities that it was fed.
    """
    now = relative_as_published(motion, flow)
    current = motion.u - now.u_r, motion.v - now.v_r
    # d/dt of (4.16): the forward part turns with the starboard part, which is -current[1] in our axes.
    rate = motion.u_dot + motion.r * current[1], motion.v_dot - motion.r * current[0], motion.r_dot
    return _as_a_whole(now, rate, now, vessel, UNKNOWN)[0]


@kernel
def mean_power_rep103(before, now, elapsed, vessel, waves=None):
    """
    Return the mean Power of the step between two samples: kinetic energy telescopes, the rest is right to dt^2.

    :param before: The Relative at its beginning; floats or arrays.
    :param now: The one at its end, whose velocity the Power has; same shapes.
    :param elapsed: From one to the other, s; same shape.
    :param vessel: The Vessel.
    :param waves: The WaveAction over the step; floats or arrays. None where no sea is known.

    Source: thesis (4.17), (4.20), (4.22) at the middle of the step; M (nu_1 - nu_0) . (nu_1 + nu_0) / 2 is the change
        of the kinetic energy nu_r M nu_r / 2 exactly.
    """
    return next_mean_power_rep103(before, now, elapsed, vessel, waves, UNKNOWN)[0]


@kernel
def next_mean_power_rep103(before, now, elapsed, vessel, waves, start):
    """
    Return what `mean_power_rep103` does, and the multipliers of its thrusts, for the step after this one.

    :param start: The multipliers of the step before this one, with which the search begins (`thrusts_of_force`).
    """
    return _by_thrusters(middle_of(before, now), rate_of(before, now, elapsed), now, vessel, waves, start)


@kernel
def mean_power_as_published(before, now, elapsed, vessel, waves=None):
    """Return the mean Power of a step as `mean_power_rep103`, by the thesis's formulas. See the module's docstring."""
    return next_mean_power_as_published(before, now, elapsed, vessel, waves, UNKNOWN)[0]


@kernel
def next_mean_power_as_published(before, now, elapsed, vessel, waves, start):
    """Return what `mean_power_as_published` does, and multipliers, as `next_mean_power_rep103`."""
    return _as_a_whole(middle_of(before, now), rate_of(before, now, elapsed), now, vessel, start)


@kernel
def middle_of(before, now):
    """Return the Relative half way between two."""
    return Relative(0.5 * (before.u_r + now.u_r), 0.5 * (before.v_r + now.v_r), 0.5 * (before.r + now.r),
                    0.5 * (before.u_w + now.u_w), 0.5 * (before.v_w + now.v_w))


@kernel
def rate_of(before, now, elapsed):
    """Return the mean derivative of the velocity through the water between two Relatives, m/s^2, m/s^2, rad/s^2."""
    return (now.u_r - before.u_r) / elapsed, (now.v_r - before.v_r) / elapsed, (now.r - before.r) / elapsed


@kernel
def _by_thrusters(at, rate, now, vessel, waves, start):
    """Return the Power of a Relative `at` and its derivative, by thrusters, and multipliers; velocity `now`."""
    needed = needed_of(at, rate, vessel, waves)
    there = moved_by_waves(at, waves)
    foils = foils_of_force(there, needed.force, vessel, start)
    left = needed.force[0] - foils[0], needed.force[1] - foils[1], needed.force[2] - foils[2]
    thrusts, angles, multipliers = thrusts_of_force(there, left, vessel, start)
    powers = powers_of_thrusts(thrusts, angles, vessel.thrusters, there, vessel.losses)
    return power_by_cause(at, needed, foils, powers, now, vessel), multipliers


@kernel
def power_by_cause(at, needed, foils, of_thrusters, now, vessel):
    """
    Return the Power of a motion whose thrusters give what it asks of them.

    :param at: The Relative.
    :param needed: Its Needed.
    :param foils: The force of the foils, N, N, N m.
    :param of_thrusters: `powers_of_thrusts`, W.
    :param now: The Relative whose velocity the Power has.
    :param vessel: The Vessel.
    """
    useful, given, drawn = of_thrusters
    by_foils = -(foils[0] * at.u_r + foils[1] * at.v_r + foils[2] * at.r)
    side_force = useful - needed.inertia - needed.damping - needed.wind - by_foils - needed.waves
    zero = 0.0 * needed.inertia  # No number before the motion is one, thrusters or none.
    static = vessel.static_load + zero
    return Power(needed.inertia, needed.damping, needed.wind, by_foils, needed.waves, side_force, zero, useful,
                 given - useful, drawn - given, zero, static, zero, drawn + static, now.u_r, now.v_r, now.r)


@kernel
def steady_power_of_thrusts(at, thrusts, angles, vessel, waves=None):
    """
    Return the Power of a steady motion, rep103, whose thrusts are known to be those that it needs.

    :param at: The Relative, of apparent wind; floats or arrays.
    :param thrusts: As `thrusts_of_force` gives them for what the motion needs, N, and `angles`, rad.
    :param vessel: The Vessel.
    :param waves: As in `mean_power_rep103`.
    """
    rest = 0.0 * at.u_r
    needed = needed_of(at, (rest, rest, rest), vessel, waves)
    there = moved_by_waves(at, waves)
    foils = foils_of_force(there, needed.force, vessel)
    powers = powers_of_thrusts(thrusts, angles, vessel.thrusters, there, vessel.losses)
    return power_by_cause(at, needed, foils, powers, at, vessel)


@kernel
def _as_a_whole(at, rate, now, vessel, start):
    """Return the Power of a Relative `at` and its derivative as tau . nu_r, signed, and multipliers; velocity `now`."""
    needed = needed_of(at, rate, vessel)
    thrust = needed.inertia + needed.damping + needed.wind
    zero = 0.0 * thrust
    given = larger(thrust, zero)
    losses, multipliers = given * (1.0 / vessel.losses.efficiency - 1.0), start
    if vessel.losses.mapped != 0.0:
        thrusts, angles, multipliers = thrusts_of_force(at, needed.force, vessel, start)
        losses = powers_of_thrusts(thrusts, angles, vessel.thrusters, at, vessel.losses)[2] - given
    static = vessel.static_load + zero
    return Power(needed.inertia, needed.damping, needed.wind, zero, zero, zero, zero, thrust, zero, losses, zero,
                 static, zero, thrust + losses + static, now.u_r, now.v_r, now.r), multipliers


@kernel
def speed_through_water(power):
    """Return the boat's speed through the water, m/s, as a Power holds it."""
    return sqrt(power.u_r * power.u_r + power.v_r * power.v_r)


class Convention(NamedTuple):
    """
    A way to compute a power: the Relative of (motion, flow), the Power of an instant, and the mean over a step.

    `power` takes what `power_rep103` does, `mean_power` what `mean_power_rep103` does.
    """

    relative: Callable[[Motion, Flow], Relative]
    power: Callable[..., Power]
    mean_power: Callable[..., Power]


CONVENTIONS = {
    'rep103': Convention(relative_rep103, power_rep103, mean_power_rep103),
    'as_published': Convention(relative_as_published, power_as_published, mean_power_as_published),
}
