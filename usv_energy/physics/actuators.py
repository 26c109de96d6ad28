"""
All actuators of a boat together, as control asks them: what they do or are asked for, a Setting, and how it goes on.

What a boat has not (a turning thruster, a foil) is None in its types, which `by_part` asks, and compiled code leaves it
out. What they give: `actuator_forces`; what to ask of them for a force: `setting_of_force`.
"""

from typing import Any, NamedTuple

from .elementwise import axis_at, by_part, each, each_in, kernel, select, within
from .frames import wrap_angle
from .propulsion import lagged_thrust, limited_thrust
from .thruster_drive import WHOLE_TURN

BEHIND = 1e-15  # Of a unit vector's part across: less is rounding, of what points backwards.


class Setting(NamedTuple):
    """
    What the actuators do, or are asked for, each a tuple with a member an actuator.

    `thrusts` of the thrusters along their axes, N; `angles` of their axes, rad, None of fixed ones, in blocks of
    compiled runs cosine and sine of some (`Azimuth.turn`); `foils` of the foils, rad, None of fixed ones.
    """

    thrusts: tuple[Any, ...]
    angles: tuple[Any, ...]
    foils: tuple[Any, ...]


@kernel
def turned_angle(angle, wanted, elapsed, azimuth):
    """
    Return the angle of a turning thruster or foil some time later, rad: at its rate, within its limits.

    :param angle: Now, rad; None of a fixed one, which stays so. Float or array.
    :param wanted: Wanted, rad; same shape.
    :param elapsed: Time, s.
    :param azimuth: The Azimuth, or another with its `least`, `largest` and `rate`; None of a fixed one.
    """
    return by_part(azimuth, _angle_held, _angle_turned, angle, wanted, elapsed)


@kernel
def _angle_held(angle, wanted, elapsed):
    return angle


@kernel
def _angle_turned(azimuth, angle, wanted, elapsed):
    most = azimuth.rate * elapsed
    way = by_part(azimuth.ends, _way_round, _way_between, angle, wanted, azimuth)
    return angle + within(way, -most, most)


@kernel
def _way_between(ends, angle, wanted, azimuth):
    return within(wanted, azimuth.least, azimuth.largest) - angle


@kernel
def _way_round(angle, wanted, azimuth):
    return by_part(azimuth.whole, _way_if_round, _way_all_round, angle, wanted, azimuth)


@kernel
def _way_all_round(whole, angle, wanted, azimuth):
    return wrap_angle(wanted - angle)


@kernel
def _way_if_round(angle, wanted, azimuth):
    whole = azimuth.largest - azimuth.least >= WHOLE_TURN
    return select(whole, wrap_angle(wanted - angle), _way_between((), angle, wanted, azimuth))


@kernel
def axis_towards(axis, wanted, turn):
    """
    Return an axis turned towards another the short way: counter-clockwise to what is behind, as `turned_angle`.

    :param axis: Now, a unit vector; floats or arrays.
    :param wanted: Wanted, another.
    :param turn: Cosine and sine of the most that it turns by, less than a quarter turn.
    """
    across, ahead = axis[0] * wanted[1] - axis[1] * wanted[0], axis[0] * wanted[0] + axis[1] * wanted[1]
    there, s = ahead >= turn[0], select(across < -BEHIND, -turn[1], turn[1])
    return (select(there, wanted[0], axis[0] * turn[0] - axis[1] * s),
            select(there, wanted[1], axis[0] * s + axis[1] * turn[0]))


@kernel
def _pointing_later(elapsed, pointing, wanted, thruster):
    return by_part(thruster.azimuth, _pointing_held, _azimuth_later, pointing, wanted, elapsed)


@kernel
def _pointing_held(pointing, wanted, elapsed):
    return pointing


@kernel
def _azimuth_later(azimuth, pointing, wanted, elapsed):
    return by_part(azimuth.turn, _angle_later, _axis_later, pointing, wanted, elapsed, azimuth)


@kernel
def _angle_later(angle, wanted, elapsed, azimuth):
    return _angle_turned(azimuth, angle, wanted, elapsed)


@kernel
def _axis_later(turn, axis, wanted, elapsed, azimuth):
    return axis_towards(axis, wanted, turn)


@kernel
def _foil_later(elapsed, angle, wanted, foil):
    return turned_angle(angle, wanted, elapsed, foil.steer)


@kernel
def limited_setting(wanted, vessel):
    """Return a Setting that is asked for with its thrusts within the thrusters' limits; angles as they are."""
    return Setting(each(limited_thrust, wanted.thrusts, vessel.thrusters), wanted.angles, wanted.foils)


@kernel
def setting_at_once(setting, wanted, starts, vessel):
    """
    Return what the actuators do as soon as they are asked: thrusters without lag have their thrusts, nothing turned.

    :param starts: Of each thruster 1.0, or 0.0 of one without lag; the rest as `setting_later`.
    """
    return Setting(each(lagged_thrust, setting.thrusts, wanted.thrusts, starts), setting.angles, setting.foils)


@kernel
def setting_later(setting, wanted, decays, elapsed, vessel):
    """
    Return what the actuators do some time later, what is asked of them held.

    :param setting: The Setting now; floats or arrays.
    :param wanted: The `limited_setting` that is asked for; lags and rates, and limits of angles, are the actuators'.
    :param decays: exp(-time / lag) of each thruster, (-).
    :param elapsed: The time, s: half a step where a thruster knows its `turn`.
    :param vessel: The Vessel.
    """
    thrusts = each(lagged_thrust, setting.thrusts, wanted.thrusts, decays)
    return by_part(vessel.arranged, _nothing_turns, _turned_later, thrusts, setting, wanted, elapsed, vessel)


@kernel
def _nothing_turns(thrusts, setting, wanted, elapsed, vessel):
    return Setting(thrusts, setting.angles, setting.foils)


@kernel
def _turned_later(arranged, thrusts, setting, wanted, elapsed, vessel):
    return Setting(thrusts, each_in(elapsed, _pointing_later, setting.angles, wanted.angles, vessel.thrusters),
                   each_in(elapsed, _foil_later, setting.foils, wanted.foils, vessel.foils))


@kernel
def resting_setting(zero, vessel):
    """Return the Setting of actuators that do nothing: no thrust, angles nearest to 0; `zero` has the shape."""
    return Setting(each_in(zero, _no_thrust, vessel.thrusters), each_in(zero, _resting_angle, vessel.thrusters),
                   each_in(zero, _resting_foil, vessel.foils))


@kernel
def _no_thrust(zero, thruster):
    return zero


@kernel
def _resting_angle(zero, thruster):
    return by_part(thruster.azimuth, _nothing, _nearest_pointing, zero)


@kernel
def _nearest_pointing(azimuth, zero):
    return by_part(azimuth.turn, _nearest_angle, _nearest_axis, azimuth, zero)


@kernel
def _nearest_angle(azimuth, zero):
    return _nearest_to(azimuth, zero)


@kernel
def _nearest_axis(turn, azimuth, zero):
    return axis_at(_nearest_to(azimuth, zero))


@kernel
def _resting_foil(zero, foil):
    return by_part(foil.steer, _nothing, _nearest_to, zero)


@kernel
def _nothing(zero):
    return None


@kernel
def _nearest_to(azimuth, zero):
    return within(zero, azimuth.least, azimuth.largest)
