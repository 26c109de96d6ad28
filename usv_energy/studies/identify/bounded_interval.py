"""
The confidence interval of a number with a physical lower bound, such as a drag, which is at least 0.

A symmetric 95 % interval that is cut off at the bound can miss a true value at the bound on one side only, so it
contains it in 97.5 % of all cases. The unified interval contains the true value in 95 % of all cases, wherever it lies:
it is ordered by the ratio of the measurement's likelihood to that of the best allowed value.

Source: Feldman and Cousins (1998), Physical Review D 57, 3873, section IV B, for a normal error of known size.
"""

import math

LEVEL = 0.95


def unified_interval(measured: float, level: float = LEVEL) -> tuple[float, float]:
    """
    Return the unified confidence interval of a number that is at least 0.

    :param measured: Without regard to the bound, so below 0 too; in standard errors.
    :param level: How often the interval is to hold the truth, (-).
    :return: Both ends, in standard errors; the first is 0 where the measurement does not speak against 0.
    """
    from scipy.optimize import brentq
    from scipy.special import ndtr, ndtri
    central = float(ndtri(0.5 + 0.5 * level))

    def beyond_as_upper(truth: float) -> float:
        """Return how much more than `level` the range of a truth holds that ends above at the measurement."""
        above = measured - truth
        return float(ndtr(above) - ndtr(-0.5 * (truth * truth + above * above) / truth)) - level

    def beyond_as_lower(truth: float) -> float:
        """Return the same of the range that ends below at the measurement, which is below 0."""
        return float(ndtr(math.sqrt(truth * truth - 2.0 * truth * measured)) - ndtr(measured - truth)) - level

    least, most = 1e-12, 1.001 * central     # No root lies at an end of this by rounding.
    low = 0.0
    if measured >= 2.0 * central:
        low = measured - central
    elif beyond_as_upper(least) > 0.0:
        low = float(brentq(beyond_as_upper, least, most))
    high = measured + central if measured >= 0.0 else float(brentq(beyond_as_lower, least, most))
    return low, high


def interval_above(bound: float, value: float, reach: float) -> tuple[float, float]:
    """
    Return the 95 % interval of an estimate that was constrained by a physical lower bound.

    An estimate at the bound counts as measured there. Without the bound it would lie below, and its interval would be
    the shorter, the less the model fits; so it holds a truth at the bound in 95 % of all cases, one up to two standard
    errors above in up to 97.5 %. Drawing normal numbers about the estimate, and those below the bound again, has the
    same upper end for an estimate at the bound. Source: Mandelkern and Schultz (2000), J. Math. Phys. 41, 5701.

    :param bound: Least value that there can be; `value`: the estimate. In any unit.
    :param reach: From the estimate to the ends of its 95 % interval where no bound is near, same unit.
    :return: Both ends, same unit; NaN where the reach is.
    """
    from scipy.special import ndtri
    if not reach > 0.0:
        return value - reach, value + reach
    unit = reach / float(ndtri(0.5 + 0.5 * LEVEL))
    low, high = unified_interval(max(value - bound, 0.0) / unit)
    return bound + low * unit, bound + high * unit
