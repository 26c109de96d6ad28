"""
Who gives what: the thrusts and angles that give a boat's force and moment for the least electrical power.

For any arrangement of fixed and azimuth thrusters. Where a demand cannot be given within the limits, the yaw moment
comes first, then the surge, then the sway: a boat that cannot turn is lost, a slow one is late.

The method is Newton's on the three prices of surge, sway and yaw (the Lagrange multipliers): each actuator answers to
them by a closed form (`allocation_answers`), and the prices are sought at which the answers add up to the demand. A
price has a ceiling at which the demand is given up instead: a hundred times as high for yaw as for surge (a newton on
the boat's typical arm), and for surge as for sway. So yaw does give way where a newton of it buys a hundred of surge: a
per cent of random boats have such levers, and thrusters that turn give up to a thousandth of the largest moment.

An azimuth thruster that cannot turn round has a set of forces that is not convex; it is taken apart into convex ones,
and the best of all their combinations is the answer: two for each such thruster, three for some, multiplied.
"""

import math
from typing import Any, NamedTuple

from .allocation_answers import (
    angle_along,
    axis_at,
    choices_of,
    length_of,
    near_setting,
    part_all_round,
    part_of,
    setting,
)
from .allocation_prices import DEAREST, near_search_for, search_for, search_on_track
from .allocation_track import tracked_forces
from .elementwise import (
    by_part,
    each,
    each_in,
    floor,
    folded,
    highest,
    kernel,
    larger,
    long_kernel,
    select,
    smaller,
    sqrt,
)
from .price_search import near_prices, prices

UNKNOWN = math.nan, math.nan, math.nan


class Actuator(NamedTuple):
    """
    A thruster, fixed or azimuth; places and directions in FLU from the boat's point. Floats, or arrays, one a run.

    `x`, `y`: place, m. `forward`, `sideways`: of a fixed one its axis, a unit vector times what tilt out of the
    horizontal leaves of the thrust; of an azimuth thruster the length of that vector counts. `low`, `high`: limits of
    the thrust along the axis, N. `cost`, `cost_astern`: above 0, W/N^1.5: the electrical power of a thrust T is near
    cost |T|^1.5, at rest. `u`, `v`: velocity of its place through the water, m/s: the work of the thrust is added to
    its power, which is never below 0. `steers`: None if fixed; else least and largest angle, rad, from the bow
    counter-clockwise; a full circle where they are 2 pi apart or more. That one never thrusts astern: it turns.
    """

    x: Any
    y: Any
    forward: Any
    sideways: Any
    low: Any
    high: Any
    cost: Any
    cost_astern: Any
    u: Any = 0.0
    v: Any = 0.0
    steers: Any = None


class Aim(NamedTuple):
    """
    Where a thruster points, forward and to port: None, and None, of what is fixed.

    `axis`: a unit vector. `push`: its horizontal force, N, N, within its limits, where that is known beside; else None.
    """

    axis: Any
    push: Any


@long_kernel
def allocated(demand, actuators):
    """
    Return the thrusts, N, and angles, rad from the bow counter-clockwise, that give a demand at the least power.

    :param demand: Surge force N, sway force N and yaw moment N m, counter-clockwise; floats or arrays.
    :param actuators: A tuple of Actuator.
    :return: Two tuples in the order of the actuators; a fixed one's angle is that of its axis. NaN for a demand of NaN.
    """
    if len(actuators) == 0:
        return (), ()
    thrusts, angles, _ = allocated_from(UNKNOWN, demand, actuators)
    return thrusts, angles


@long_kernel
def allocated_from(start, demand, actuators):
    """
    Return what `allocated` does, and the prices of surge and sway, W/N, and yaw, W/(N m), at which it is the cheapest.

    :param start: Prices of a demand near by, with which the search begins; UNKNOWN where there is none.
    :param demand: As `allocated`.
    :param actuators: As `allocated`; at least one.
    """
    number = folded(_times_choices, 1.0, actuators, None)
    choice = 0.0
    if number > 1.0:
        choice = _best_combination(demand, actuators, number)
    parts, _ = folded(_with_part, ((), choice), actuators, None)
    search = search_for(demand, parts)
    price = prices(search, parts, start)
    thrusts, angles = folded(_with_setting, ((), ()), parts, (price, search.soft))
    return thrusts, angles, price


@kernel
def allocated_on_track(start, demand, actuators):
    """
    Return what `allocated_from` does, without a branch: NaN for the thrusts where a look at a start does not find it.

    For demands that change little: see `allocation_track`. Beside angles it returns an Aim of each. The prices are the
    start where it gives up.
    """
    parts = each(part_all_round, actuators)
    forces, doubt, price = tracked_forces(search_on_track(demand, parts), parts, start)
    return (each_in(doubt, _thrust_of, forces, actuators), each(_angle_of, forces, actuators),
            each_in(doubt, _aim_of, forces), price)


@kernel
def _thrust_of(doubt, force, actuator):
    return by_part(force[1], _fixed_thrust, _turned_thrust, force[0], actuator) + doubt


@kernel
def _fixed_thrust(thrust, actuator):
    return thrust


@kernel
def _turned_thrust(y, x, actuator):
    return sqrt(x * x + y * y) / length_of(actuator)


@kernel
def _angle_of(force, actuator):
    return by_part(force[1], _no_angle, _turned_angle, force[0], actuator)


@kernel
def _no_angle(thrust, actuator):
    return None


@kernel
def _turned_angle(y, x, actuator):
    return angle_along(x, y, actuator)


@kernel
def _aim_of(doubt, force):
    return by_part(force[1], _no_aim, _aim_along, force[0], doubt)


@kernel
def _no_aim(thrust, doubt):
    return Aim(None, None)


@kernel
def _aim_along(y, x, doubt):
    share = 1.0 / sqrt(x * x + y * y)
    return Aim((share * x, share * y), (x + doubt, y))


@kernel
def nearly_allocated(start, demand, actuators):
    """
    Return what `allocated_on_track` does, without a branch too: NaN for the thrusts where three steps do not find it.

    The prices are those to go on from, too, where the thrusts are NaN.

    For loops over many boats, whose vectors a search of any length would break. Thrusters that turn must turn all the
    way round: others have a choice (`choices_of`).
    """
    search, parts = search_all_round(demand, actuators)
    price, move, doubt = near_prices(search, parts, start)
    thrusts, angles, axes, doubt = folded(_with_near_setting, ((), (), (), doubt), parts, (price, move, search.soft))
    thrusts = each_in(doubt, _doubted, thrusts)
    return (thrusts, angles, each(_aim_of_axis, axes, thrusts, actuators),
            (price[0] + move[0], price[1] + move[1], price[2] + move[2]))


@kernel
def search_all_round(demand, actuators):
    """
    Return the Search for a demand, and the parts of the actuators, as `nearly_allocated` has them.

    :param demand: As `allocated`.
    :param actuators: As `nearly_allocated`.
    """
    parts = each(part_all_round, actuators)
    return near_search_for(demand, parts), parts


@kernel
def _with_near_setting(total, part, given):
    thrust, angle, axis, doubt = near_setting(part, given[0], given[1], given[2])
    return (*total[0], thrust), (*total[1], angle), (*total[2], axis), total[3] + doubt


@kernel
def _aim_of_axis(axis, thrust, actuator):
    return by_part(axis, _no_aim_of_it, _aim_with_push, thrust, actuator)


@kernel
def _no_aim_of_it(thrust, actuator):
    return Aim(None, None)


@kernel
def _aim_with_push(axis, thrust, actuator):
    size = length_of(actuator) * thrust
    return Aim(axis, (size * axis[0], size * axis[1]))


@kernel
def _doubted(doubt, thrust):
    return thrust + doubt


@kernel
def _best_combination(demand, actuators, number):
    """Return the number of the combination of parts that gives most of a demand, and of these the cheapest."""
    combination = choice = 0.0
    least = math.inf
    while combination < number:
        parts, _ = folded(_with_part, ((), combination), actuators, None)
        search = search_for(demand, parts)
        thrusts, angles = folded(_with_setting, ((), ()), parts, (prices(search, parts, UNKNOWN), search.soft))
        score = _score(demand, thrusts, angles, actuators)
        choice, least = select(score < least, combination, choice), smaller(score, least)
        combination = combination + 1.0
    return choice


@kernel
def _score(demand, thrusts, angles, actuators):
    """Return the electrical power, W, and far above it what is given up: of yaw first, then of surge, then of sway."""
    x, y, n = force_of(thrusts, angles, actuators)
    size, price = folded(_with_size, (0.0, 0.0), actuators, None)
    far = smaller(abs(demand[0]) + abs(demand[1]), size) * 1e-9
    sway = larger(abs(demand[1] - y) - far, 0.0)
    surge = larger(abs(demand[0] - x) - far, 0.0)
    yaw = larger(abs(demand[2] - n) - far, 0.0)
    ceiling = DEAREST * price
    return electrical_power(thrusts, angles, actuators) + ceiling * (sway + DEAREST * (surge + DEAREST * yaw))


@kernel
def _with_size(total, actuator, given):
    """Return the sum of limits, N, and the largest price at one, W/N."""
    most = larger(abs(actuator.low), abs(actuator.high))
    return total[0] + most, larger(total[1], 1.5 * larger(actuator.cost, actuator.cost_astern) * sqrt(most))


@kernel
def _times_choices(number, actuator, given):
    return number * highest(choices_of(actuator))


@kernel
def _with_part(total, actuator, given):
    """Return the parts so far with the one of the next actuator, and the index of what is left of a combination."""
    parts, index = total
    number = highest(choices_of(actuator))
    left = floor(index / number)
    return (*parts, part_of(actuator, index - number * left)), left


@kernel
def _with_setting(total, part, given):
    thrust, angle = setting(part, given[0], given[1])
    return (*total[0], thrust), (*total[1], angle)


@kernel
def force_of(thrusts, angles, actuators):
    """
    Return the surge force N, sway force N and yaw moment N m of thrusts at angles.

    :param thrusts: Along the axes, N, in the order of the actuators.
    :param angles: From the bow, counter-clockwise, rad; those of fixed ones do not matter.
    :param actuators: A tuple of Actuator.
    """
    return folded(_with_force, (0.0, 0.0, 0.0, thrusts, angles), actuators, None)[:3]


@kernel
def electrical_power(thrusts, angles, actuators):
    """Return what actuators draw for their thrusts at their angles, W, none of it negative; as for `force_of`."""
    return folded(_with_power, (0.0, thrusts, angles), actuators, None)[0]


@kernel
def _with_force(total, actuator, given):
    thrusts, angles = total[3], total[4]
    forward, sideways = axis_at(actuator, angles[0])
    x, y = thrusts[0] * forward, thrusts[0] * sideways
    return (total[0] + x, total[1] + y, total[2] + actuator.x * y - actuator.y * x, thrusts[1:], angles[1:])


@kernel
def _with_power(total, actuator, given):
    thrust = total[1][0]
    forward, sideways = axis_at(actuator, total[2][0])
    size = abs(thrust)
    drawn = (select(thrust < 0.0, actuator.cost_astern, actuator.cost) * size * sqrt(size)
             + thrust * (forward * actuator.u + sideways * actuator.v))
    return total[0] + larger(drawn, 0.0), total[1][1:], total[2][1:]
