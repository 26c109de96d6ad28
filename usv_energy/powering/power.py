"""
The electrical power of a motion by cause, at an instant or as the mean over a step.

There are two conventions. `rep103` uses body axes after REP-103 (FLU) and takes the power of each thruster at its own
speed and thrust. `as_published` evaluates the formulas of the thesis as printed, for comparison with its figures: the
useful power is tau . nu_r of the whole boat and may be negative.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from usv_energy.allocation.allocate import NO_START
from usv_energy.allocation.boat_thrusts import thrusts_of_force
from usv_energy.physics.dynamics import coriolis_force, damping_force, inertia_force, relative_acceleration
from usv_energy.physics.elementwise import kernel, larger, sqrt
from usv_energy.physics.motion import Flow, Motion, Relative, moved_by_waves, relative_as_published, relative_rep103
from usv_energy.physics.wind import wind_force
from usv_energy.powering.actuators import foils_of_force
from usv_energy.thrusters.drive import powers_of_thrusts


class Needed(NamedTuple):
    """Power against inertia, damping, wind and waves, W, and the `force` required of all actuators: N, N, N m."""

    inertia: Any
    damping: Any
    wind: Any
    waves: Any
    force: tuple[Any, Any, Any]


@kernel
def needed_of(at, rate, vessel, waves=None):
    """
    Return the power and the force that a motion requires.

    tau = M nu_r_dot + C(nu_r) nu_r + D(nu_r) nu_r - tau_wind - tau_waves.

    :param at: The Relative; floats or arrays.
    :param rate: Derivative of u_r, v_r, m/s^2, and of r, rad/s^2; same shapes.
    :param vessel: The Vessel.
    :param waves: The WaveAction; None if there is no sea.

    Source: thesis (4.17).
    """
    x_m, y_m, n_m = inertia_force(rate[0], rate[1], rate[2], vessel.inertia)
    x_w, y_w, n_w = wind_force(at.u_w, at.v_w, vessel.windage)
    # The Coriolis force does no work, but the actuators must balance it.
    x_c, y_c, n_c = coriolis_force(at.u_r, at.v_r, at.r, vessel.inertia)
    inertia = x_m * at.u_r + y_m * at.v_r + n_m * at.r
    calm = x_m + x_c - x_w, y_m + y_c - y_w, n_m + n_c - n_w
    drag, against_waves, force = _with_drag(at, calm, vessel.damping, 0.0 * inertia, waves)
    return Needed(inertia, drag[0] * at.u_r + drag[1] * at.v_r + drag[2] * at.r,
                  -(x_w * at.u_r + y_w * at.v_r + n_w * at.r), against_waves, force)


@kernel
def _with_drag(at, force, damping, zero, waves):
    """Return the hull's drag, N, N, N m, the power against waves, W, and the required force with both included."""
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
    `waves` is 0 without a sea. `residual` and `allocation` are 0 unless the thrusters were measured. `loads` is 0 until
    `loads.with_loads` adds the varying loads, which depend on time.
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
    Return the Power of a motion at an instant by the convention `rep103`; braking is not recovered.

    :param motion: The Motion; floats or arrays.
    :param flow: The Flow at the boat, assumed constant in time; same shapes.
    :param vessel: The Vessel.
    :param waves: As in `mean_power_rep103`, at the instant.

    Source: thesis (4.17), (4.20), (4.22), in REP-103 axes and for each thruster.
    """
    now = relative_rep103(motion, flow)
    current = motion.u - now.u_r, motion.v - now.v_r
    rate = relative_acceleration((motion.u_dot, motion.v_dot), current, motion.r)
    return _by_thrusters(now, (rate[0], rate[1], motion.r_dot), now, vessel, waves, NO_START)[0]


@kernel
def power_as_published(motion, flow, vessel, waves=None):
    """
    Return the Power of a motion at an instant by the convention `as_published`.

    :param motion: The Motion; floats or arrays.
    :param flow: The Flow at the boat, assumed constant in time; same shapes.
    :param vessel: The Vessel.
    :param waves: Not used, because the thesis has no waves.

    Source: thesis (4.16), (4.19), (4.24), with FLU velocities inserted for its symbols.
    """
    now = relative_as_published(motion, flow)
    current = motion.u - now.u_r, motion.v - now.v_r
    # d/dt of (4.16): the forward part turns with the starboard part, which is -current[1] in our axes.
    rate = motion.u_dot + motion.r * current[1], motion.v_dot - motion.r * current[0], motion.r_dot
    return _as_a_whole(now, rate, now, vessel, NO_START)[0]


@kernel
def mean_power_rep103(before, now, elapsed, vessel, waves=None):
    """
    Return the mean Power of the step between two samples by the convention `rep103`.

    Over successive steps the inertia term sums to the exact change of kinetic energy; the other terms have an error of
    order elapsed^2.

    :param before: The Relative at the beginning; floats or arrays.
    :param now: The Relative at the end, whose velocity is stored in the Power; same shapes.
    :param elapsed: Duration of the step, s; same shape.
    :param vessel: The Vessel.
    :param waves: The mean WaveAction over the step; floats or arrays. None if there is no sea.

    Source: thesis (4.17), (4.20), (4.22) at the middle of the step; M (nu_1 - nu_0) . (nu_1 + nu_0) / 2 is the exact
        change of the kinetic energy nu_r . M nu_r / 2.
    """
    return next_mean_power_rep103(before, now, elapsed, vessel, waves, NO_START)[0]


@kernel
def next_mean_power_rep103(before, now, elapsed, vessel, waves, start):
    """
    Return `mean_power_rep103`, and the multipliers of its thrust allocation; pass them on to the next step.

    :param start: The multipliers of the previous step, the initial guess of the search (`thrusts_of_force`).
    """
    return _by_thrusters(middle_of(before, now), rate_of(before, now, elapsed), now, vessel, waves, start)


@kernel
def mean_power_as_published(before, now, elapsed, vessel, waves=None):
    """Return the mean Power of a step by the convention `as_published`; parameters as `mean_power_rep103`."""
    return next_mean_power_as_published(before, now, elapsed, vessel, waves, NO_START)[0]


@kernel
def next_mean_power_as_published(before, now, elapsed, vessel, waves, start):
    """Return `mean_power_as_published` and the multipliers; parameters as `next_mean_power_rep103`."""
    return _as_a_whole(middle_of(before, now), rate_of(before, now, elapsed), now, vessel, start)


@kernel
def middle_of(before, now):
    """Return the mean of two Relatives."""
    return Relative(0.5 * (before.u_r + now.u_r), 0.5 * (before.v_r + now.v_r), 0.5 * (before.r + now.r),
                    0.5 * (before.u_w + now.u_w), 0.5 * (before.v_w + now.v_w))


@kernel
def rate_of(before, now, elapsed):
    """Return the mean derivative of the velocity through the water between two Relatives, m/s^2, m/s^2, rad/s^2."""
    return (now.u_r - before.u_r) / elapsed, (now.v_r - before.v_r) / elapsed, (now.r - before.r) / elapsed


@kernel
def _by_thrusters(at, rate, now, vessel, waves, start):
    """Return the Power (`rep103`) at a Relative and its derivative, and the multipliers; it stores `now`."""
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
    Return the Power of a motion whose thrusters give the force that it requires.

    :param at: The Relative.
    :param needed: The Needed of the motion.
    :param foils: The force of the foils, N, N, N m.
    :param of_thrusters: The result of `powers_of_thrusts`, W.
    :param now: The Relative whose velocity is stored in the Power.
    :param vessel: The Vessel.
    """
    useful, given, drawn = of_thrusters
    by_foils = -(foils[0] * at.u_r + foils[1] * at.v_r + foils[2] * at.r)
    side_force = useful - needed.inertia - needed.damping - needed.wind - by_foils - needed.waves
    zero = 0.0 * needed.inertia  # NaN where the motion is not known, also without thrusters.
    static = vessel.static_load + zero
    return Power(needed.inertia, needed.damping, needed.wind, by_foils, needed.waves, side_force, zero, useful,
                 given - useful, drawn - given, zero, static, zero, drawn + static, now.u_r, now.v_r, now.r)


@kernel
def steady_power_of_thrusts(at, thrusts, angles, vessel, waves=None):
    """
    Return the Power (`rep103`) of a steady motion whose thrusts are already known.

    :param at: The Relative, with apparent wind; floats or arrays.
    :param thrusts: The thrusts that `thrusts_of_force` finds for the force that the motion requires, N.
    :param angles: The angles that it finds, rad; None of fixed axes.
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
    """Return the Power (`as_published`) at a Relative and its derivative, and the multipliers; it stores `now`."""
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
    The functions of one convention: the Relative of (motion, flow), the Power at an instant, and the mean over a step.

    `power` has the parameters of `power_rep103`, `mean_power` those of `mean_power_rep103`.
    """

    relative: Callable[[Motion, Flow], Relative]
    power: Callable[..., Power]
    mean_power: Callable[..., Power]


CONVENTIONS = {
    'rep103': Convention(relative_rep103, power_rep103, mean_power_rep103),
    'as_published': Convention(relative_as_published, power_as_published, mean_power_as_published),
}
