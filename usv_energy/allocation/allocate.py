"""
The thrusts and angles that give a boat's force and moment for the least electrical power, within the limits.

For any arrangement of fixed and azimuth thrusters. Where a demand cannot be given within the limits, the yaw moment
comes first, then the surge, then the sway: a boat that cannot turn is lost, a slow one is late.

The method is Newton's on the Lagrange multipliers of surge, sway and yaw: each actuator responds to them by a closed
form (`responses`), and the multipliers are sought at which the responses add up to the demand (`search`). A multiplier
has an upper bound at which the demand is given up instead: a hundred times as high for yaw as for surge (a newton on
the boat's typical arm), and for surge as for sway. So yaw does give way where a newton of it buys a hundred of surge: a
per cent of random boats have such levers, and thrusters that turn give up to a thousandth of the largest moment. Of an
azimuth thruster that cannot turn round, the best of all combinations of its convex parts is taken.
"""

import math

from usv_energy.allocation.problem import convex_part, length_of, number_of_parts
from usv_energy.allocation.responses import setting_of_part
from usv_energy.allocation.search import DEAREST, multipliers_of, search_for
from usv_energy.physics.elementwise import (
    anywhere,
    direction_of,
    each,
    floor,
    kernel,
    larger,
    long_kernel,
    select,
    smaller,
    sqrt,
    total,
)

UNKNOWN = math.nan, math.nan, math.nan  # Multipliers of which nothing is known.


@long_kernel
def allocate(demand, actuators, start):
    """
    Return the thrusts, N, and angles, rad (None if fixed), that give a demand at the least power, and the multipliers.

    :param demand: Surge force N, sway force N and yaw moment N m, counter-clockwise; floats or arrays.
    :param actuators: A tuple of Actuator, at least one.
    :param start: Multipliers of a demand near by, with which the search begins; UNKNOWN where there are none.
    :return: Two tuples in the order of the actuators; the multipliers of surge and sway, W/N, and yaw, W/(N m). NaN for
        a demand of NaN.
    """
    number = _product(each(number_of_parts, (), actuators))
    choice = 0.0 * number
    if anywhere(number > 1.0):
        choice = _best_combination(demand, actuators, number)
    parts = _parts_of(actuators, choice)
    search = search_for(demand, parts)
    multipliers = multipliers_of(search, parts, start)
    settings = each(setting_of_part, (multipliers, search.soft), parts, actuators)
    return each(_first, (), settings), each(_second, (), settings), multipliers


@kernel
def _first(pair):
    return pair[0]


@kernel
def _second(pair):
    return pair[1]


@kernel
def _product(numbers):
    if len(numbers) == 1:
        return numbers[0]
    return numbers[0] * _product(numbers[1:])


@kernel
def _parts_of(actuators, choice):
    """Return a part of each actuator: which, the digits of `choice` say, each to the base of its number of parts."""
    if len(actuators) == 0:
        return ()
    number = number_of_parts(actuators[0])
    left = floor(choice / number)
    return (convex_part(actuators[0], choice - number * left), *_parts_of(actuators[1:], left))


@kernel
def _best_combination(demand, actuators, number):
    """Return the number of the combination of parts that gives most of a demand, and of these the cheapest."""
    combination = 0.0 * number
    choice, least = combination, math.inf + 0.0 * (demand[0] + number)
    while anywhere(combination < number):
        parts = _parts_of(actuators, combination)
        search = search_for(demand, parts)
        settings = each(setting_of_part, (multipliers_of(search, parts, UNKNOWN), search.soft), parts, actuators)
        score = _score(demand, each(_first, (), settings), each(_second, (), settings), actuators)
        choice, least = select(score < least, combination, choice), smaller(score, least)
        combination = combination + 1.0
    return choice


@kernel
def _score(demand, thrusts, angles, actuators):
    """Return the electrical power, W, and far above it what is given up: of yaw first, then of surge, then of sway."""
    x, y, n = force_of(thrusts, angles, actuators)
    size = total((0.0,), each(_limit_of, (), actuators))[0]
    far = smaller(abs(demand[0]) + abs(demand[1]), size) * 1e-9
    sway = larger(abs(demand[1] - y) - far, 0.0)
    surge = larger(abs(demand[0] - x) - far, 0.0)
    yaw = larger(abs(demand[2] - n) - far, 0.0)
    dear = DEAREST * _dearest(actuators)
    return electrical_power(thrusts, angles, actuators) + dear * (sway + DEAREST * (surge + DEAREST * yaw))


@kernel
def _limit_of(actuator):
    return (larger(abs(actuator.low), abs(actuator.high)),)


@kernel
def _dearest(actuators):
    """Return the largest multiplier of an actuator at its limit, W/N."""
    own = 1.5 * actuators[0].cost * sqrt(_limit_of(actuators[0])[0])
    if len(actuators) == 1:
        return own
    return larger(own, _dearest(actuators[1:]))


@kernel
def force_of(thrusts, angles, actuators):
    """
    Return the surge force N, sway force N and yaw moment N m of thrusts at angles.

    :param thrusts: Along the axes, N, in the order of the actuators.
    :param angles: From the bow, counter-clockwise, rad; None of fixed ones.
    :param actuators: A tuple of Actuator.
    """
    return total((0.0, 0.0, 0.0), each(_force_of_one, (), thrusts, angles, actuators))


@kernel
def _force_of_one(thrust, angle, actuator):
    forward, sideways = _horizontal_axis(angle, actuator)
    x, y = thrust * forward, thrust * sideways
    return x, y, actuator.x * y - actuator.y * x


@kernel
def electrical_power(thrusts, angles, actuators):
    """Return what actuators draw for their thrusts at their angles, W, none of it negative; as for `force_of`."""
    return total((0.0,), each(_power_of_one, (), thrusts, angles, actuators))[0]


@kernel
def _power_of_one(thrust, angle, actuator):
    forward, sideways = _horizontal_axis(angle, actuator)
    size = abs(thrust)
    drawn = actuator.cost * size * sqrt(size) + thrust * (forward * actuator.u + sideways * actuator.v)
    return (larger(drawn, 0.0),)


@kernel
def _horizontal_axis(angle, actuator):
    """Return the horizontal force of 1 N of thrust, forward and to port, of an Actuator at an angle, rad."""
    if angle is None:
        return actuator.forward, actuator.sideways
    c, s = direction_of(angle)
    left = length_of(actuator)
    return left * c, left * s
