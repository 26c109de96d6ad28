"""
The search for the multipliers of surge, sway and yaw at which the actuators' responses add up to a demand.

They are the Lagrange multipliers of the cheapest allocation: the dual function is concave, its gradient is the residual
of the demand, and its curvature the sum of the responses' slopes. The search is Newton's in three unknowns, hardly
damped. A step is no longer than ten times the multipliers; where it goes beyond the highest point along it, the next
iterates lie between.
"""

from typing import Any, NamedTuple

from usv_energy.allocation.responses import reach_of_actuator, response, scales_of
from usv_energy.physics.elementwise import anywhere, each, kernel, larger, long_kernel, select, smaller, sqrt, total

MOST_STEPS = 200  # six on average; a hundred where much is given up and many limits are met
CLOSE_ENOUGH = 1e-11  # of a demand may be left
ROUNDING = 4e-16  # of a force is lost for each unit of multiplier times slope
DAMPING = 1e-11
FLAT = 1e-9  # of a metric: a slope of nothing but rounding
PRIORITY = 100.0  # multiplier of yaw to that of surge, and of surge to that of sway, at which they are given up
DEAREST = 1000.0  # of a typical multiplier: that of sway at which it is given up
# The largest moment of a thruster that may turn leaves no force at all for the rest; a little less leaves some, and is
# found in a few steps: near a curve's end the force falls with the square of the angle.
SHORT_OF_CURVE = 1e-4
SOFT = 0.01  # of a typical multiplier: forces below are linear in it
NO_RESPONSE = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
NO_REACH = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0


class Search(NamedTuple):
    """
    What a search for multipliers needs: the demand within reach, N, N, N m; upper bounds of the multipliers; scales.

    `bounds`: W/N, W/N, W/(N m), at which a demand is given up. `slopes`: how fast it is given up above them, N^2/W,
    N^2/W, (N m)^2/W: all of it at twice a bound. `metric`: a slope for each multiplier, N^2/W, N^2/W, (N m)^2/W.
    `size`: of the demand, N. `arm`: of the boat, m. `soft`: see `response`. `typical`: a multiplier, W/N.
    """

    demand: Any
    bounds: Any
    slopes: Any
    metric: Any
    size: Any
    arm: Any
    soft: Any
    typical: Any


class Residual(NamedTuple):
    """What multipliers leave of a demand, N, N, N m, and the six slopes of what is given: xx, xy, xn, yy, yn, nn."""

    x: Any
    y: Any
    n: Any
    xx: Any
    xy: Any
    xn: Any
    yy: Any
    yn: Any
    nn: Any


@kernel
def search_for(demand, parts):
    """
    Return the Search for the multipliers at which parts give a demand, or as much of each of its three as can be had.

    :param demand: Surge force N, sway force N, yaw moment N m; floats or arrays.
    :param parts: A tuple of AxisPart and TurningPart.
    """
    reach = total(NO_REACH, each(reach_of_actuator, (SHORT_OF_CURVE,), parts))
    x = smaller(larger(demand[0], reach[0]), reach[1])
    y = smaller(larger(demand[1], reach[2]), reach[3])
    n = select(demand[2] > reach[5], reach[7], select(demand[2] < reach[4], reach[6], demand[2]))
    gain, g_x, g_y, g_n, most = total((0.0, 0.0, 0.0, 0.0, 0.0), each(_weighted_scales, (), parts))
    least_gain, speed = _extremes(parts)
    arm = sqrt(g_n / (g_x + g_y)) + 1e-6
    size = abs(x) + abs(y) + abs(n) / arm
    typical = sqrt((size + 1e-9 * most + 1e-300) / gain) + sqrt(speed)
    sway = DEAREST * typical * sqrt(gain / least_gain)
    rest = 1e-6 * gain
    metric = typical * (g_x + rest), typical * (g_y + rest), typical * (g_n + rest * arm * arm)
    slope = size / sway
    slopes = slope / PRIORITY, slope, slope * arm * arm / (PRIORITY * PRIORITY)
    return Search((x, y, n), (PRIORITY * sway, sway, PRIORITY * PRIORITY * sway / arm), slopes, metric, size, arm,
                  SOFT * typical, typical)


@kernel
def _weighted_scales(part):
    """Return a part's gain, its gain times squared arms, and its limit."""
    gain, _, x, y, n, limit = scales_of(part)
    return gain, gain * x, gain * y, gain * n, limit


@kernel
def _extremes(parts):
    """Return the least gain, N^3/W^2, and the largest squared speed, m^2/s^2, of parts."""
    gain, speed, _, _, _, _ = scales_of(parts[0])
    if len(parts) == 1:
        return gain, speed
    other_gain, other_speed = _extremes(parts[1:])
    return smaller(gain, other_gain), larger(speed, other_speed)


@long_kernel
def multipliers_of(search, parts, start):
    """
    Return the multipliers of surge and sway force, W/N, and yaw moment, W/(N m), at which parts give what is demanded.

    :param search: The Search.
    :param parts: A tuple of AxisPart and TurningPart.
    :param start: Multipliers to begin with, those of a demand near by: a quarter of the steps are left then; NaN: none.
    """
    one = 1.0 + 0.0 * search.size
    iterate = start
    unknown = (start[0] != start[0]) | (start[1] != start[1]) | (start[2] != start[2])
    if anywhere(unknown):
        iterate = _chosen(unknown, _first_iterate(search, parts), start)
    residual = _residual(iterate, search, parts)
    step, share, halved = _newton_step(residual, iterate, DAMPING, search), one, one > 0.0
    unsettled = _size_of(residual, search) > _negligible(residual, iterate, search)
    steps = 0
    while steps < MOST_STEPS and anywhere(unsettled):
        ahead = _moved(iterate, share, step)
        there = _residual(ahead, search, parts)
        before, after = _along(step, residual), _along(step, there)
        uphill = after >= -0.1 * before     # The dual function still rises there, or hardly falls.
        fresh = uphill & ((after <= 0.5 * before) | halved)
        # Back to the highest point along the step, by the curvature there, where the step went beyond it.
        back = 1.0 + after / (share * _curvature(step, there) + 1e-100)
        between = select(uphill, 0.5 * one, select(back > 0.02, smaller(back, 0.98 * one), 0.1 * one))
        rest = select(uphill, 1.0 - share, share)
        still = (ahead[0] == iterate[0]) & (ahead[1] == iterate[1]) & (ahead[2] == iterate[2])
        taken = uphill & unsettled
        iterate, residual = _chosen(taken, ahead, iterate), _chosen_residual(taken, there, residual)
        newton = _newton_step(residual, iterate, DAMPING, search)
        step = _chosen(fresh, newton, (rest * step[0], rest * step[1], rest * step[2]))
        share, halved = select(fresh, one, between), fresh
        left = _size_of(residual, search) > _negligible(residual, iterate, search)
        unsettled = unsettled & left & select(still, False, True)
        steps = steps + 1
    return iterate


@kernel
def _first_iterate(search, parts):
    """Return the multipliers one damped step from none."""
    zero = 0.0 * search.size
    none = zero, zero, zero
    return _newton_step(_residual(none, search, parts), none, 1.0, search)


@kernel
def _moved(iterate, share, step):
    return iterate[0] + share * step[0], iterate[1] + share * step[1], iterate[2] + share * step[2]


@kernel
def _along(step, residual):
    """Return the residual along a step of the multipliers: how fast the dual function rises there."""
    return step[0] * residual.x + step[1] * residual.y + step[2] * residual.n


@kernel
def _curvature(step, residual):
    """Return how fast that falls along the step."""
    return (step[0] * (residual.xx * step[0] + 2.0 * (residual.xy * step[1] + residual.xn * step[2]))
            + step[1] * (residual.yy * step[1] + 2.0 * residual.yn * step[2]) + residual.nn * step[2] * step[2])


@kernel
def _size_of(residual, search):
    """Return the size of a residual, N, a moment by the boat's arm."""
    return larger(larger(abs(residual.x), abs(residual.y)), abs(residual.n) / search.arm)


@kernel
def _negligible(residual, iterate, search):
    """Return what of a demand need not be met, N: a small part of it, and what large multipliers cannot tell apart."""
    large = (abs(iterate[0]) * residual.xx + abs(iterate[1]) * residual.yy
             + abs(iterate[2]) * residual.nn / search.arm)
    return CLOSE_ENOUGH * search.size + ROUNDING * large


@kernel
def _chosen(condition, yes, no):
    return select(condition, yes[0], no[0]), select(condition, yes[1], no[1]), select(condition, yes[2], no[2])


@kernel
def _chosen_residual(condition, yes, no):
    return Residual(
        select(condition, yes.x, no.x), select(condition, yes.y, no.y), select(condition, yes.n, no.n),
        select(condition, yes.xx, no.xx), select(condition, yes.xy, no.xy), select(condition, yes.xn, no.xn),
        select(condition, yes.yy, no.yy), select(condition, yes.yn, no.yn), select(condition, yes.nn, no.nn))


@long_kernel
def _residual(iterate, search, parts):
    """Return the Residual of multipliers."""
    given = total(NO_RESPONSE, each(response, (iterate, search.soft), parts))
    x, x_slope = _given_up(iterate[0], search.bounds[0], search.slopes[0])
    y, y_slope = _given_up(iterate[1], search.bounds[1], search.slopes[1])
    n, n_slope = _given_up(iterate[2], search.bounds[2], search.slopes[2])
    return Residual(search.demand[0] - given[0] - x, search.demand[1] - given[1] - y, search.demand[2] - given[2] - n,
                    given[3] + x_slope, given[4], given[5], given[6] + y_slope, given[7], given[8] + n_slope)


@kernel
def _given_up(multiplier, bound, slope):
    """Return how much of a demand is given up at a multiplier, none below its bound, and the slope of that."""
    over = abs(multiplier) - bound
    return (select(over > 0.0, select(multiplier > 0.0, over, -over) * slope, 0.0 * multiplier),
            select(over > 0.0, slope, 0.0 * multiplier))


@kernel
def _newton_step(residual, iterate, damping, search):
    """
    Return Newton's step of the multipliers, damped, and shortened to ten times their size.

    If no actuator responds to a multiplier, it is set to twice its bound, where all of the demand is given up.
    """
    x, y, n = _solved(residual, damping, search)
    x = _to_giving_up(x, iterate[0], residual.xx, search.metric[0], search.bounds[0])
    y = _to_giving_up(y, iterate[1], residual.yy, search.metric[1], search.bounds[1])
    n = _to_giving_up(n, iterate[2], residual.nn, search.metric[2], search.bounds[2])
    room = 10.0 * (abs(iterate[0]) + abs(iterate[1]) + abs(iterate[2]) * search.arm + search.typical)
    share = smaller(1.0, room / (abs(x) + abs(y) + abs(n) * search.arm + 1e-100))
    return share * x, share * y, share * n


@kernel
def _to_giving_up(step, multiplier, slope, metric, bound):
    most = 2.0 * bound
    return select(slope > FLAT * metric, step, smaller(larger(multiplier + step, -most), most) - multiplier)


@kernel
def _solved(residual, damping, search):
    """Return the step that damped slopes turn into the residual, by their factors L D L^T."""
    m_x, m_y, m_n = search.metric
    a, d, f = residual.xx + damping * m_x, residual.yy + damping * m_y, residual.nn + damping * m_n
    b, c, e = residual.xy, residual.xn, residual.yn
    by_a = 1.0 / a
    l_b, l_c = b * by_a, c * by_a
    by_d = 1.0 / larger(d - l_b * b, ROUNDING * d)  # positive by theory
    t = e - l_b * c
    l_e = t * by_d
    by_f = 1.0 / larger(f - l_c * c - l_e * t, ROUNDING * f)
    y = residual.y - l_b * residual.x
    n = (residual.n - l_c * residual.x - l_e * y) * by_f
    y = y * by_d - l_e * n
    return residual.x * by_a - l_b * y - l_c * n, y, n
