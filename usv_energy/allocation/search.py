"""
The search for the multipliers of surge, sway and yaw at which the actuators' responses add up to a demand.

They are the Lagrange multipliers of the cheapest allocation. The dual function is concave, its gradient is the residual
of the demand, and its negative Hessian is the sum of the responses' slopes. The search is Newton's method in three
unknowns with very little damping. A step is at most ten times as long as the multipliers. If it goes beyond the maximum
of the dual function along the step, a line search takes an iterate in between.
"""

from typing import Any, NamedTuple

from usv_energy.allocation.responses import reach_of_actuator, response, scales_of
from usv_energy.physics.elementwise import (
    anywhere,
    each,
    kernel,
    larger,
    long_kernel,
    only_where,
    select,
    smaller,
    sqrt,
    total,
)

MAX_STEPS = 200  # Six are needed on average, a hundred where much of a demand is unmet and many limits are active.
TOLERANCE = 1e-11  # Share of a demand that may be left over.
ROUNDING = 4e-16  # Rounding error of a force, as a share of multiplier times slope.
DAMPING = 1e-11
NEGLIGIBLE_SLOPE = 1e-9  # Share of `Search.metric`: a smaller slope is only rounding error.
PRIORITY = 100.0  # Ratio of the upper bounds of the multipliers: yaw to surge, and surge to sway.
SWAY_BOUND = 1000.0  # Upper bound of the multiplier of sway, over the typical multiplier.
# Share by which the yaw moment stays below the largest one of azimuth thrusters. At the largest moment they have no
# force left for surge and sway. A little below they have some, because the moment falls with the square of the angle,
# and the search needs only a few steps.
SHORTFALL = 1e-4
SOFT = 0.01  # Over the typical multiplier: below this, forces are linear in the multipliers.
NO_RESPONSE = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
NO_REACH = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0


class Search(NamedTuple):
    """
    The constants of a search for multipliers.

    `demand`: clipped to what the actuators can give, N, N, N m. `bounds`: upper bounds of the multipliers, W/N, W/N,
    W/(N m). `slopes`: growth of the unmet demand above the bounds, N^2/W, N^2/W, (N m)^2/W; at twice a bound all of the
    demand is unmet. `metric`: typical slope for each multiplier, N^2/W, N^2/W, (N m)^2/W. `size`: of the demand, N.
    `arm`: typical lever arm of the boat, m. `soft`: see `response`. `typical`: a typical multiplier, W/N.
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
    """The demand less what the actuators give, N, N, N m, and the six slopes of the latter: xx, xy, xn, yy, yn, nn."""

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
    Return the Search for a demand, whose components are clipped to what the parts can give.

    :param demand: Surge force N, sway force N, yaw moment N m; floats or arrays.
    :param parts: A tuple of AxisPart and TurningPart.
    """
    reach = total(NO_REACH, each(reach_of_actuator, (SHORTFALL,), parts))
    x = smaller(larger(demand[0], reach[0]), reach[1])
    y = smaller(larger(demand[1], reach[2]), reach[3])
    n = select(demand[2] > reach[5], reach[7], select(demand[2] < reach[4], reach[6], demand[2]))
    gain, g_x, g_y, g_n, most = total((0.0, 0.0, 0.0, 0.0, 0.0), each(_weighted_scales, (), parts))
    least_gain, speed = _extremes(parts)
    arm = sqrt(g_n / (g_x + g_y)) + 1e-6
    size = abs(x) + abs(y) + abs(n) / arm
    typical = sqrt((size + 1e-9 * most + 1e-300) / gain) + sqrt(speed)
    sway = SWAY_BOUND * typical * sqrt(gain / least_gain)
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
    Return the multipliers of surge and sway force, W/N, and yaw moment, W/(N m), at which parts give the demand.

    :param search: The Search.
    :param parts: A tuple of AxisPart and TurningPart.
    :param start: Initial guess, from a similar demand, which saves three quarters of the steps; NaN if there is none.
    """
    one = 1.0 + 0.0 * search.size
    iterate = start
    unknown = (start[0] != start[0]) | (start[1] != start[1]) | (start[2] != start[2])
    if anywhere(unknown):
        iterate = _select_vector(unknown, _first_iterate(search, parts), start)
    residual = _residual(iterate, search, parts)
    step, share, halved = _newton_step(residual, iterate, DAMPING, search), one, one > 0.0
    unsettled = _norm(residual, search) > _negligible(residual, iterate, search)
    steps = 0
    while steps < MAX_STEPS and anywhere(unsettled):
        ahead = _moved(iterate, share, step)
        there = only_where(unsettled, _residual, (ahead, search, parts), residual)
        before, after = _slope_along(step, residual), _slope_along(step, there)
        uphill = after >= -0.1 * before     # The dual function still rises there, or hardly falls.
        fresh = uphill & ((after <= 0.5 * before) | halved)
        # If the step went beyond the maximum along it, go back to that by the curvature.
        back = 1.0 + after / (share * _curvature(step, there) + 1e-100)
        between = select(uphill, 0.5 * one, select(back > 0.02, smaller(back, 0.98 * one), 0.1 * one))
        rest = select(uphill, 1.0 - share, share)
        still = (ahead[0] == iterate[0]) & (ahead[1] == iterate[1]) & (ahead[2] == iterate[2])
        taken = uphill & unsettled
        iterate, residual = _select_vector(taken, ahead, iterate), _select_residual(taken, there, residual)
        newton = _newton_step(residual, iterate, DAMPING, search)
        step = _select_vector(fresh, newton, (rest * step[0], rest * step[1], rest * step[2]))
        share, halved = select(fresh, one, between), fresh
        left = _norm(residual, search) > _negligible(residual, iterate, search)
        unsettled = unsettled & left & select(still, False, True)
        steps = steps + 1
    return iterate


@kernel
def _first_iterate(search, parts):
    """Return the multipliers after one damped step from zero."""
    zero = 0.0 * search.size
    none = zero, zero, zero
    return _newton_step(_residual(none, search, parts), none, 1.0, search)


@kernel
def _moved(iterate, share, step):
    return iterate[0] + share * step[0], iterate[1] + share * step[1], iterate[2] + share * step[2]


@kernel
def _slope_along(step, residual):
    """Return the slope of the dual function along a step of the multipliers."""
    return step[0] * residual.x + step[1] * residual.y + step[2] * residual.n


@kernel
def _curvature(step, residual):
    """Return the negative second derivative of the dual function along a step of the multipliers."""
    return (step[0] * (residual.xx * step[0] + 2.0 * (residual.xy * step[1] + residual.xn * step[2]))
            + step[1] * (residual.yy * step[1] + 2.0 * residual.yn * step[2]) + residual.nn * step[2] * step[2])


@kernel
def _norm(residual, search):
    """Return the largest component of a residual, N; the moment is divided by the boat's arm."""
    return larger(larger(abs(residual.x), abs(residual.y)), abs(residual.n) / search.arm)


@kernel
def _negligible(residual, iterate, search):
    """Return the residual at which the search ends, N: a small share of the demand, and the rounding error."""
    large = (abs(iterate[0]) * residual.xx + abs(iterate[1]) * residual.yy
             + abs(iterate[2]) * residual.nn / search.arm)
    return TOLERANCE * search.size + ROUNDING * large


@kernel
def _select_vector(condition, yes, no):
    return select(condition, yes[0], no[0]), select(condition, yes[1], no[1]), select(condition, yes[2], no[2])


@kernel
def _select_residual(condition, yes, no):
    return Residual(
        select(condition, yes.x, no.x), select(condition, yes.y, no.y), select(condition, yes.n, no.n),
        select(condition, yes.xx, no.xx), select(condition, yes.xy, no.xy), select(condition, yes.xn, no.xn),
        select(condition, yes.yy, no.yy), select(condition, yes.yn, no.yn), select(condition, yes.nn, no.nn))


@long_kernel
def _residual(iterate, search, parts):
    """Return the Residual at some multipliers."""
    given = total(NO_RESPONSE, each(response, (iterate, search.soft), parts))
    x, x_slope = _unmet_demand(iterate[0], search.bounds[0], search.slopes[0])
    y, y_slope = _unmet_demand(iterate[1], search.bounds[1], search.slopes[1])
    n, n_slope = _unmet_demand(iterate[2], search.bounds[2], search.slopes[2])
    return Residual(search.demand[0] - given[0] - x, search.demand[1] - given[1] - y, search.demand[2] - given[2] - n,
                    given[3] + x_slope, given[4], given[5], given[6] + y_slope, given[7], given[8] + n_slope)


@kernel
def _unmet_demand(multiplier, bound, slope):
    """Return how much of a demand stays unmet at a multiplier, and its slope; both are 0 below the bound."""
    over = abs(multiplier) - bound
    return (select(over > 0.0, select(multiplier > 0.0, over, -over) * slope, 0.0 * multiplier),
            select(over > 0.0, slope, 0.0 * multiplier))


@kernel
def _newton_step(residual, iterate, damping, search):
    """
    Return Newton's step of the multipliers, damped, and at most ten times as long as they are.

    If no actuator responds to a multiplier, it is set to twice its bound, where all of the demand is unmet.
    """
    x, y, n = _solved(residual, damping, search)
    x = _toward_bound(x, iterate[0], residual.xx, search.metric[0], search.bounds[0])
    y = _toward_bound(y, iterate[1], residual.yy, search.metric[1], search.bounds[1])
    n = _toward_bound(n, iterate[2], residual.nn, search.metric[2], search.bounds[2])
    room = 10.0 * (abs(iterate[0]) + abs(iterate[1]) + abs(iterate[2]) * search.arm + search.typical)
    share = smaller(1.0, room / (abs(x) + abs(y) + abs(n) * search.arm + 1e-100))
    return share * x, share * y, share * n


@kernel
def _toward_bound(step, multiplier, slope, metric, bound):
    most = 2.0 * bound
    return select(slope > NEGLIGIBLE_SLOPE * metric, step, smaller(larger(multiplier + step, -most), most) - multiplier)


@kernel
def _solved(residual, damping, search):
    """Return the step that solves (slopes + damping * metric) step = residual, by the factors L D L^T."""
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
