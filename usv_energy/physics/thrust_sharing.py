"""
Who gives what: the thrusts and angles of all thrusters that together make a force. Their power: `thrusters_power`.

Where the arrangement leaves no choice, shares give the thrusts; else the cheapest way within the limits is sought.
"""

import math
from typing import Any, NamedTuple

from .allocation import UNKNOWN, Actuator, Aim, allocated_from, allocated_on_track, nearly_allocated, search_all_round
from .elementwise import by_part, each, each_in, folded, kernel, replaced, select
from .thruster_drive import (
    _limits_at_rest,
    _limits_under_way,
    through_air,
    through_water,
    turned_axis,
)
from .thrusters_force import thrusters_force, thrusts_by_shares

ROUNDING = 1e-9  # Of a force, that shares may leave.


class AskedSearch(NamedTuple):
    """
    What a search for prices is asked for, to be done elsewhere: the Search, parts of the actuators, prices to begin at.

    `velocity`: of the boat through the water, m/s, m/s, rad/s, by which the prices that are kept are less.
    """

    search: Any
    parts: Any
    start: Any
    velocity: Any


@kernel
def unknown_prices(zero, vessel):
    """Return what stands for the prices of `shared_out` where nothing was shared out; `zero` has the shape."""
    return by_part(vessel.free, _no_prices, _prices_of_nan, zero)


@kernel
def _no_prices(zero):
    return None


@kernel
def _prices_of_nan(free, zero):
    return zero + math.nan, zero + math.nan, zero + math.nan


@kernel
def thrusts_of_force(at, force, vessel):
    """
    Return what the thrusters do where together they make a force, each tuple with a member a thruster.

    Where their arrangement leaves no choice, limits are left out; else it is the cheapest way within them.

    :param at: The Relative; floats or arrays.
    :param force: Surge N, sway N, yaw moment N m.
    :param vessel: The Vessel.
    :return: Thrusts along the axes, N, and angles, rad, None of fixed ones.
    """
    thrusts, angles, _ = shared_out(at, force, vessel)
    return thrusts, angles


@kernel
def shared_out(at, force, vessel):
    """
    Return what `thrusts_of_force` does, and the prices a search found it at, NaN where none was needed; else None.

    They are those of surge and sway, W/N, and yaw, W/(N m), less the boat's velocity through the water: as good a
    begin for the next search (`Vessel.start`) where the boat is a little faster by then. In their place an AskedSearch
    where a Haste asks for it.
    """
    thrusts, angles, _, prices = shared_along(at, force, vessel)
    return thrusts, angles, prices


@kernel
def shared_along(at, force, vessel):
    """Return thrusts and angles of `shared_out`, the Aim of each thruster, and the prices."""
    return by_part(vessel.free, _by_shares, _thrusts_within, at, force, vessel)


@kernel
def _by_shares(at, force, vessel):
    thrusts, angles = thrusts_by_shares(force, vessel)
    return thrusts, angles, each(_aim_at, angles), None


@kernel
def _aim_at(angle):
    return Aim(turned_axis(angle), None)


@kernel
def _thrusts_within(free, at, force, vessel):
    start = by_part(vessel.start, _no_start, _start_at, at)
    actuators = each_in(at, actuator_of, vessel.thrusters)
    thrusts, angles, aims, price = by_part(vessel.only_way, _any_way, _one_way, start, force, actuators, vessel)
    return thrusts, angles, aims, by_part(vessel.hasty, _prices_kept, _prices_or_search, price, at, start, force,
                                          actuators)


@kernel
def _prices_kept(price, at, start, force, actuators):
    return price[0] - at.u_r, price[1] - at.v_r, price[2] - at.r


@kernel
def _prices_or_search(hasty, price, at, start, force, actuators):
    return by_part(hasty.asks, _prices_kept, _search_asked, price, at, start, force, actuators)


@kernel
def _search_asked(asks, price, at, start, force, actuators):
    search, parts = search_all_round(force, actuators)
    return AskedSearch(search, parts, start, (at.u_r, at.v_r, at.r))


@kernel
def _no_start(at):
    return UNKNOWN


@kernel
def _start_at(start, at):
    return start[0] + at.u_r, start[1] + at.v_r, start[2] + at.r


@kernel
def _any_way(start, force, actuators, vessel):
    return by_part(vessel.hasty, _cheapest_along, _hastily, start, force, actuators)


@kernel
def _cheapest_along(start, force, actuators):
    return _with_aims(_cheapest_thrusts(start, force, actuators))


@kernel
def _hastily(hasty, start, force, actuators):
    return by_part(hasty.again, allocated_on_track, _nearly_along, start, force, actuators)


@kernel
def _nearly_along(again, start, force, actuators):
    thrusts, angles, aims, price = nearly_allocated(start, force, actuators)
    return thrusts, each(_angle_where_it_turns, angles, actuators), aims, price


@kernel
def _with_aims(found):
    thrusts, angles, price = found
    return thrusts, angles, each(_aim_at, angles), price


@kernel
def _cheapest_thrusts(start, force, actuators):
    thrusts, angles, price = allocated_from(start, force, actuators)
    return thrusts, each(_angle_where_it_turns, angles, actuators), price


@kernel
def _nearly_cheapest(hasty, start, force, actuators):
    thrusts, angles, _, price = nearly_allocated(start, force, actuators)
    return thrusts, each(_angle_where_it_turns, angles, actuators), price


@kernel
def _one_way(sway, start, force, actuators, vessel):
    return _with_aims(_only_way(sway, start, force, actuators, vessel))


@kernel
def _only_way(sway, start, force, actuators, vessel):
    """Return the only thrusts that make a force; where one is beyond its limits, what the search finds within them."""
    thrusts, angles = thrusts_by_shares(force, vessel)
    x, y, n = thrusters_force(thrusts, angles, vessel)
    missing = abs(force[0] - x) + sway * abs(force[1] - y) + abs(force[2] - n)
    left = missing > ROUNDING * (abs(force[0]) + abs(force[1]) + abs(force[2]))
    beyond = folded(_either, left, each(_is_beyond, thrusts, actuators), None)
    unasked = select(beyond, 0.0, math.nan)  # No search, no prices.
    found = thrusts, angles, (start[0] + unasked, start[1] + unasked, start[2] + unasked)
    return by_part(vessel.hasty, _searched_where, _sought_where, beyond, found, start, force, actuators)


@kernel
def _searched_where(beyond, found, start, force, actuators):
    return replaced(beyond, found, _cheapest_thrusts, start, force, actuators)


@kernel
def _sought_where(hasty, beyond, found, start, force, actuators):
    return by_part(hasty.again, _unknown_where, _near_where, beyond, found, start, force, actuators)


@kernel
def _unknown_where(beyond, found, start, force, actuators):
    return each_in(select(beyond, math.nan, 0.0), _with_doubt, found[0]), found[1], found[2]


@kernel
def _near_where(again, beyond, found, start, force, actuators):
    near = _nearly_cheapest(again, start, force, actuators)
    return (each_in(beyond, _where, near[0], found[0]), each_in(beyond, _angle_where, near[1], found[1]),
            each_in(beyond, _where, near[2], found[2]))


@kernel
def _where(condition, yes, no):
    return select(condition, yes, no)


@kernel
def _angle_where(condition, yes, no):
    return by_part(yes, _neither, _one_angle, condition, no)


@kernel
def _neither(condition, no):
    return None


@kernel
def _one_angle(yes, condition, no):
    return select(condition, yes, no)


@kernel
def _with_doubt(doubt, thrust):
    return thrust + doubt


@kernel
def _is_beyond(thrust, actuator):
    return (thrust < actuator.low) | (thrust > actuator.high)


@kernel
def _either(one, other, given):
    return one | other


@kernel
def _angle_where_it_turns(angle, actuator):
    return by_part(actuator.steers, _dropped, _kept, angle)


@kernel
def _dropped(angle):
    return None


@kernel
def _kept(azimuth, angle):
    return angle


@kernel
def actuator_of(at, thruster):
    """
    Return a thruster as the allocation takes it, at a Relative.

    The limits of a propeller that knows of the speed are those at its own place; of one that turns, at the angle 0.
    """
    u, v = by_part(thruster.in_air, through_water, through_air, at)
    u, v = u - thruster.y * at.r, v + thruster.x * at.r
    c, s = by_part(thruster.axis, _ahead, _as_it_is)
    tilt = thruster.efficiency_of_tilt
    low, high = by_part(thruster.propeller, _limits_at_rest, _limits_under_way, tilt * (c * u + s * v), thruster)
    return Actuator(thruster.x, thruster.y, c * tilt, s * tilt, low, high,
                    thruster.cost, thruster.cost, u, v, by_part(thruster.azimuth, _no_limits, _angle_limits))


@kernel
def _ahead():
    return 1.0, 0.0


@kernel
def _as_it_is(axis):
    return axis[0], axis[1]


@kernel
def _no_limits():
    return None


@kernel
def _angle_limits(azimuth):
    return azimuth.least, azimuth.largest
