"""
The thrusts and angles that give a boat's force and moment for the least electrical power, within the limits.

It handles any arrangement of fixed and azimuth thrusters. If the limits do not allow all of a demand, the yaw moment
has priority over the surge force, and that over the sway force: a boat that cannot turn is lost, a slow one is late.

The method is Newton's on the Lagrange multipliers of surge, sway and yaw. Each actuator responds to the multipliers by
a closed form (`responses`), and `search` finds the multipliers at which the responses add up to the demand. Each
multiplier has an upper bound, beyond which a part of the demand stays unmet. The bound of yaw (per newton on the boat's
typical arm) is a hundred times that of surge, which is a hundred times that of sway. So yaw gives way where one newton
of it costs a hundred newtons of surge: this happens to about one per cent of random boats, and azimuth thrusters then
leave up to a thousandth of the largest moment unmet. If an azimuth thruster cannot turn all the way round, the forces
that it can give are split into convex parts, and the best combination of parts is taken.
"""

import math

from usv_energy.allocation.problem import convex_part, horizontal_share, number_of_parts
from usv_energy.allocation.responses import setting_of_part
from usv_energy.allocation.search import SWAY_BOUND, multipliers_of, search_for
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

NO_START = math.nan, math.nan, math.nan  # Multipliers for a search without an initial guess.


@long_kernel
def allocate(demand, actuators, start):
    """
    Return the thrusts, N, and angles, rad (None if fixed), that give a demand at the least power, and the multipliers.

    :param demand: Surge force N, sway force N and yaw moment N m, counter-clockwise; floats or arrays.
    :param actuators: A tuple of Actuator, at least one.
    :param start: Initial guess of the multipliers, from a similar demand; NO_START if there is none.
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
    """Return one convex part of each actuator; `choice` is a number whose digits are the parts' indices."""
    if len(actuators) == 0:
        return ()
    number = number_of_parts(actuators[0])
    rest = floor(choice / number)
    return (convex_part(actuators[0], choice - number * rest), *_parts_of(actuators[1:], rest))


@kernel
def _best_combination(demand, actuators, number):
    """Return the index of the combination of parts that gives the most of a demand, at the least power."""
    combination = 0.0 * number
    choice, least = combination, math.inf + 0.0 * (demand[0] + number)
    while anywhere(combination < number):
        parts = _parts_of(actuators, combination)
        search = search_for(demand, parts)
        settings = each(setting_of_part, (multipliers_of(search, parts, NO_START), search.soft), parts, actuators)
        score = _score(demand, each(_first, (), settings), each(_second, (), settings), actuators)
        choice, least = select(score < least, combination, choice), smaller(score, least)
        combination = combination + 1.0
    return choice


@kernel
def _score(demand, thrusts, angles, actuators):
    """Return the electrical power, W, plus a large penalty on unmet demand: most on yaw, then surge, then sway."""
    x, y, n = force_of(thrusts, angles, actuators)
    size = total((0.0,), each(_limit_of, (), actuators))[0]
    tolerance = smaller(abs(demand[0]) + abs(demand[1]), size) * 1e-9
    sway = larger(abs(demand[1] - y) - tolerance, 0.0)
    surge = larger(abs(demand[0] - x) - tolerance, 0.0)
    yaw = larger(abs(demand[2] - n) - tolerance, 0.0)
    penalty = SWAY_BOUND * _largest_multiplier(actuators)
    return electrical_power(thrusts, angles, actuators) + penalty * (sway + SWAY_BOUND * (surge + SWAY_BOUND * yaw))


@kernel
def _limit_of(actuator):
    return (larger(abs(actuator.low), abs(actuator.high)),)


@kernel
def _largest_multiplier(actuators):
    """Return the largest multiplier of an actuator at its limit, W/N."""
    own = 1.5 * actuators[0].cost * sqrt(_limit_of(actuators[0])[0])
    if len(actuators) == 1:
        return own
    return larger(own, _largest_multiplier(actuators[1:]))


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
    """Return the electrical power of actuators, W, at least 0 for each; parameters as `force_of`."""
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
    length = horizontal_share(actuator)
    return length * c, length * s
