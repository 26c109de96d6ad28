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

    :param measured: The estimate without regard to the bound, so it may be below 0; in standard errors.
    :param level: Probability that the interval contains the true value, (-).
    :return: Both ends, in standard errors; the first is 0 unless the measurement excludes 0.
    """
    from scipy.optimize import brentq
    from scipy.special import ndtr, ndtri
    central = float(ndtri(0.5 + 0.5 * level))

    def beyond_as_upper(truth: float) -> float:
        """Return the probability of the acceptance region whose upper end is the measurement, minus `level`."""
        above = measured - truth
        return float(ndtr(above) - ndtr(-0.5 * (truth * truth + above * above) / truth)) - level

    def beyond_as_lower(truth: float) -> float:
        """Return the same for the region whose lower end is the measurement, which is below 0."""
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

    An estimate at the bound is treated as a measurement at the bound. Without the bound it would lie below, and its
    interval would be shorter the worse the model fits. The interval then contains a true value at the bound in 95 % of
    all cases, and one up to two standard errors above it in up to 97.5 %. For an estimate at the bound, normal deviates
    about the estimate that are drawn again if they fall below the bound give the same upper end. Source: Mandelkern and
    Schultz (2000), J. Math. Phys. 41, 5701.

    :param bound: Lower bound. In any unit.
    :param value: The estimate, same unit.
    :param reach: Half width of its 95 % interval far from the bound, same unit.
    :return: Both ends, same unit; NaN if `reach` is NaN.
    """
    from scipy.special import ndtri
    if not reach > 0.0:
        return value - reach, value + reach
    unit = reach / float(ndtri(0.5 + 0.5 * LEVEL))
    low, high = unified_interval(max(value - bound, 0.0) / unit)
    return bound + low * unit, bound + high * unit
