"""Round numbers, as people choose them for a step or the end of an axis: 1, 2 or 5 times a power of ten."""

import math

FACTORS = (1.0, 2.0, 5.0, 10.0)
ROUNDING = 1e-9  # Share by which a value may miss a round number that it is meant to be.


def round_up(value: float) -> float:
    """Return the least of 1, 2 and 5 times a power of ten that is not below a value above 0."""
    decade = 10.0 ** math.floor(math.log10(value))
    return next(factor * decade for factor in FACTORS if factor * decade >= value * (1.0 - ROUNDING))


def round_down(value: float) -> float:
    """Return the largest of 1, 2 and 5 times a power of ten that is not above a value above 0."""
    decade = 10.0 ** math.floor(math.log10(value))
    return next(factor * decade for factor in reversed(FACTORS) if factor * decade <= value * (1.0 + ROUNDING))
