"""
The power of a motion whose actuators' own thrusts and angles are known: as measured, not as the cheapest way.

Propulsion is then what the thrusters themselves do. Two differences have causes of their own, since they ask for
different remedies:

- `residual`: what the measured thrusts do for the hull beyond what the motion asks of the thrusters. It is no waste,
  but an error of the model (drag, current, wind) or of the sensors, and it is the closure, sample by sample. What no
  thruster can give stays `side_force`, as without a measurement: drag may be right where a thrust curve is not.
- `allocation`: what the thrusters draw beyond the cheapest way to give the *same measured* force. Were the motion's
  force taken in its place, every error of the model would look like waste, and a thruster that gives too little like
  a gain. Where the search finds nothing cheaper, or cannot give that force within the limits of the boat's file, the
  measured way is the cheapest one that is known, and allocation is 0. Thrust, unrecovered and losses are those of the
  cheapest way.

So thrust = inertia + damping + wind + foils + waves + side_force + residual, and total = thrust + unrecovered +
losses + allocation + static_load, exactly, to which `loads.with_loads` adds those that vary. Angles of foils are taken
as told; those not told as the yaw balance has them.
"""

from .actuators import Setting
from .elementwise import by_part, each, each_in, kernel, larger, select, total
from .foil_force import foil_force_of
from .frames import wrap_angle
from .needed_force import needed_of
from .power import Power, _middle, _rate, moved_by_waves
from .rudder_balance import _moment_but_of_rudders, _rudder, foil_angle
from .thrust_sharing import thrusts_of_force
from .thrusters_force import thrusters_force
from .thrusters_power import _powers, thrusters_powers

MISSED = 1e-3  # Of a force, that the cheapest way may miss: azimuth thrusters give up so much of the largest moment.


@kernel
def measured_mean_power(before, now, elapsed, vessel, setting, waves=None):
    """
    Return the mean Power of the step between two samples, in which the thrusters did what is measured.

    :param before: The Relative at its beginning; floats or arrays.
    :param now: The one at its end, whose velocity the Power has; same shapes.
    :param elapsed: From one to the other, s; same shape.
    :param vessel: The Vessel.
    :param setting: The Setting in the middle of the step (`middle_setting`): thrusts as they are at the boat's speed,
        and no thrusts at standstill, N; angles rad; the angle of a foil may be NaN, not told.
    :param waves: As in `power.mean_power_rep103`.

    Source: thesis (4.17), (4.20), (4.22), as `power.mean_power_rep103`.
    """
    at = _middle(before, now)
    needed = needed_of(at, _rate(before, now, elapsed), vessel, waves)
    force = thrusters_force(setting.thrusts, setting.angles, vessel)
    there = moved_by_waves(at, waves)
    foils = by_part(vessel.foiled, _no_foils, _told_foils, there, setting, needed.force[2] - force[2], vessel)
    left = needed.force[0] - foils[0], needed.force[1] - foils[1], needed.force[2] - foils[2]
    asked = thrusters_powers(there, left, vessel)[0]
    (useful, _, drawn), cheapest = _measured_and_cheapest(there, force, setting, vessel)
    by_foils = -(foils[0] * at.u_r + foils[1] * at.v_r + foils[2] * at.r)
    side_force = asked - needed.inertia - needed.damping - needed.wind - by_foils - needed.waves
    unrecovered = cheapest[1] - cheapest[0]
    static = vessel.static_load + 0.0 * needed.inertia
    return Power(needed.inertia, needed.damping, needed.wind, by_foils, needed.waves, side_force, useful - asked,
                 useful, unrecovered, cheapest[2] - useful - unrecovered, drawn - cheapest[2], static,
                 0.0 * needed.inertia, drawn + static, now.u_r, now.v_r, now.r)


@kernel
def mean_power_by_told_foils(before, now, elapsed, vessel, foils, waves=None):
    """
    Return the mean Power of a step in which angles of foils are known, but not what the thrusters do: the cheapest way.

    :param before: The Relative at its beginning; floats or arrays.
    :param now: The one at its end; same shapes.
    :param elapsed: From one to the other, s; same shape.
    :param vessel: The Vessel.
    :param foils: Angles of the foils in the middle of the step, rad; None of fixed ones, NaN of those not told.
    :param waves: As in `power.mean_power_rep103`.
    """
    at = _middle(before, now)
    needed = needed_of(at, _rate(before, now, elapsed), vessel, waves)
    force, there = needed.force, moved_by_waves(at, waves)
    thrusts, angles = thrusts_of_force(there, force, vessel)
    x, y, n = _told_foils(1.0, there, Setting(thrusts, angles, foils), force[2], vessel)
    thrusts, angles = thrusts_of_force(there, (force[0] - x, force[1] - y, force[2] - n), vessel)
    x, y, n = _told_foils(1.0, there, Setting(thrusts, angles, foils), force[2], vessel)  # In the wash of these.
    useful, given, drawn = thrusters_powers(there, (force[0] - x, force[1] - y, force[2] - n), vessel)
    by_foils = -(x * at.u_r + y * at.v_r + n * at.r)
    zero = 0.0 * needed.inertia
    static = vessel.static_load + zero
    return Power(needed.inertia, needed.damping, needed.wind, by_foils, needed.waves,
                 useful - needed.inertia - needed.damping - needed.wind - by_foils - needed.waves, zero, useful,
                 given - useful, drawn - given, zero, static, zero, drawn + static, now.u_r, now.v_r, now.r)


@kernel
def _measured_and_cheapest(at, force, setting, vessel):
    """Return work a second, what is given and what is drawn, W, by the measured thrusts and by the cheapest way."""
    measured = _powers_of(at, setting.thrusts, setting.angles, vessel)
    thrusts, angles = thrusts_of_force(at, force, vessel)
    found = _powers_of(at, thrusts, angles, vessel)
    x, y, n = thrusters_force(thrusts, angles, vessel)
    missed = abs(force[0] - x) + abs(force[1] - y) + abs(force[2] - n)
    unknown = missed > MISSED * (abs(force[0]) + abs(force[1]) + abs(force[2]))
    own = unknown | (measured[2] <= found[2])
    return measured, (select(own, measured[0], found[0]), select(own, measured[1], found[1]),
                      select(own, measured[2], found[2]))


@kernel
def _powers_of(at, thrusts, angles, vessel):
    return total((0.0, 0.0, 0.0), each_in((at, vessel.losses), _powers, thrusts, angles, vessel.thrusters))


@kernel
def _no_foils(at, setting, moment, vessel):
    return 0.0, 0.0, 0.0


@kernel
def _told_foils(foiled, at, setting, moment, vessel):
    """Return the force of the foils, N, N, N m: at angles told; rudders without one as a yaw moment, N m, has it."""
    context = at, setting.thrusts
    others = total((0.0,), each_in(context, _moment_as_told, setting.foils, vessel.foils))[0]
    untold = total((0.0,), each_in(0.0, _untold_rudder, setting.foils, vessel.foils))[0]
    share = (moment - others) / larger(untold, 1.0 + 0.0 * untold)
    found = each_in((at, setting.thrusts, share), foil_angle, vessel.foils)
    return total((0.0, 0.0, 0.0), each_in(context, foil_force_of, each(_told_or_found, setting.foils, found),
                                          vessel.foils))


@kernel
def _told_or_found(told, found):
    return by_part(told, _nothing_of, _first_that_is_known, found)


@kernel
def _nothing_of(found):
    return None


@kernel
def _first_that_is_known(told, found):
    return select(told == told, told, found)


@kernel
def _moment_as_told(context, told, foil):
    """Return the yaw moment of a foil, N m, that does not follow from the balance: of a keel, a sail, an angle told."""
    return (by_part(told, _moment_untold, _moment_told, context, foil),)


@kernel
def _moment_untold(context, foil):
    return _moment_but_of_rudders(context, foil)[0]


@kernel
def _moment_told(told, context, foil):
    return select(told == told, foil_force_of(context, told, foil)[2], _moment_but_of_rudders(context, foil)[0])


@kernel
def _untold_rudder(context, told, foil):
    return (by_part(told, _not_a_rudder, _rudder_without_angle, foil),)


@kernel
def _not_a_rudder(foil):
    return 0.0


@kernel
def _rudder_without_angle(told, foil):
    return select(told == told, 0.0, 1.0) * _rudder(0.0, foil)[0]


@kernel
def middle_setting(one, other):
    """Return the Setting half way between two: means of thrusts, N, and of angles, rad, these the shorter way round."""
    return Setting(each(_mean, one.thrusts, other.thrusts), each(_middle_angle, one.angles, other.angles),
                   each(_middle_angle, one.foils, other.foils))


@kernel
def _mean(one, other):
    return 0.5 * (one + other)


@kernel
def _middle_angle(one, other):
    return by_part(one, _nothing_of, _between, other)


@kernel
def _between(one, other):
    return one + 0.5 * wrap_angle(other - one)
