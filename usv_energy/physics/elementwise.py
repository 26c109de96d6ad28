"""
The few functions that Python floats, numpy arrays and compiled code spell differently.

Physics functions use these and arithmetic, so that one body serves a node (floats: `math` is ten times as fast as
numpy there), a log (arrays) and a compiled loop. `kernel` marks the functions that may be called from compiled code;
`compiled_kernels.compile_kernels` makes them known to numba, which is imported only then.
"""

import math
from collections.abc import Callable
from itertools import pairwise, repeat
from operator import add
from typing import Any

import numpy as np

KERNELS: list[Callable[..., Any]] = []  # All that `kernel` has marked, in that order.
ONE_CONDITION = (bool, np.bool_)        # Made once: `bool | np.bool_` in a function is made anew by each call.
LONG: list[Callable[..., Any]] = []     # Those of them that compiled code calls and does not write out at each place.


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a physics function as callable from compiled code; the function itself is returned unchanged."""
    KERNELS.append(function)
    return function


def long_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a function as `kernel` does, one so long that compiled code calls it: written out, it takes minutes."""
    LONG.append(function)
    return kernel(function)


def sin(x: Any) -> Any:
    """Return the sine of an angle, rad, NaN for an infinite one, as numpy has it; float or array."""
    if isinstance(x, float):
        return math.sin(x) if math.isfinite(x) else math.nan
    return np.sin(x)


def cos(x: Any) -> Any:
    """Return the cosine of an angle, rad, NaN for an infinite one, as numpy has it; float or array."""
    if isinstance(x, float):
        return math.cos(x) if math.isfinite(x) else math.nan
    return np.cos(x)


def sqrt(x: Any) -> Any:
    """Return the square root; NaN for a negative number, as numpy has it; float or array."""
    if isinstance(x, float):
        return math.sqrt(x) if x >= 0.0 else math.nan
    return np.sqrt(x)


def exp(x: Any) -> Any:
    """Return the exponential; float or array."""
    return math.exp(x) if isinstance(x, float) else np.exp(x)


def larger(x: Any, y: Any) -> Any:
    """Return the larger of two values, NaN where one is; floats or arrays."""
    if isinstance(x, float) and isinstance(y, float):
        return x if x > y or x != x else y
    return np.maximum(x, y)


def smaller(x: Any, y: Any) -> Any:
    """Return the smaller of two values, NaN where one is; floats or arrays."""
    if isinstance(x, float) and isinstance(y, float):
        return x if x < y or x != x else y
    return np.minimum(x, y)


def within(x: Any, low: Any, high: Any) -> Any:
    """Return a value held between two limits, which are numbers; NaN where it is. Floats or arrays."""
    if isinstance(x, float) and isinstance(low, float) and isinstance(high, float):
        held = low if low > x else x
        return high if high < held else held
    return np.minimum(np.maximum(x, low), high)


def arctan2(y: Any, x: Any) -> Any:
    """Return the angle of the point (x, y) from the x axis, rad, from -pi to pi; floats or arrays."""
    if isinstance(y, float) and isinstance(x, float):
        return math.atan2(y, x)
    return np.arctan2(y, x)


def wrapped(angle: Any) -> Any:
    """Return the same angle in (-pi, pi], rad; NaN for one that is no finite number; float or array."""
    if isinstance(angle, float):
        if not math.isfinite(angle):
            return math.nan
        near = math.remainder(angle, math.tau)
        return math.pi if near == -math.pi else near
    near = angle - math.tau * np.round(angle / math.tau)
    return np.where(near <= -math.pi, near + math.tau, near)


def axis_at(angle: Any) -> tuple[Any, Any]:
    """Return cosine and sine of an angle, rad, float or array; what is a pair of these already, as it is."""
    return angle if isinstance(angle, tuple) else (cos(angle), sin(angle))


def axis_on(axis: tuple[Any, Any], angle: Any, turn: Any) -> tuple[Any, Any]:
    """
    Return cosine and sine of angle + turn, rad; `axis` are those of `angle`. Floats or arrays.

    Compiled code turns the axis on, for turns of a tenth of a radian: see `vector_forms.turned_by_little`.
    """
    return cos(angle + turn), sin(angle + turn)


def select(condition: Any, yes: Any, no: Any) -> Any:
    """Return `yes` where a condition holds, else `no`, both computed beforehand; floats or arrays."""
    if isinstance(condition, ONE_CONDITION):
        return yes if condition else no
    return np.where(condition, yes, no)


def floor(x: Any) -> Any:
    """Return the largest whole number that is not above a finite x; float or array, as x is."""
    if isinstance(x, float):
        return float(math.floor(x))
    return np.floor(x)


def whole(x: Any) -> Any:
    """Return the largest whole number that is not above a finite x, as an index; float or array."""
    if isinstance(x, float):
        return math.floor(x)
    return np.floor(x).astype(np.intp)


def interpolate(x: Any, knots_x: Any, knots_y: Any) -> Any:
    """
    Return the value of a piecewise linear function, held constant outside its knots; float or array.

    :param knots_x: Where the knots are, rising: an array or a tuple; or a tuple of arrays shaped like x, a knot each.
    :param knots_y: The values there, in the same way.
    """
    if isinstance(knots_y, tuple) and (np.ndim(knots_y[0]) or np.ndim(knots_x[0])):
        return _interpolate_by_run(x, knots_x, knots_y)
    y = np.interp(x, knots_x, knots_y)
    return float(y) if isinstance(x, float) else y


def _interpolate_by_run(x: Any, knots_x: tuple[Any, ...], knots_y: tuple[Any, ...]) -> Any:
    """Return what `interpolate` does, each element of x by knots of its own."""
    y = knots_y[0] + 0.0 * x
    for (low, value), (high, following) in pairwise(zip(knots_x, knots_y)):
        y = np.where(x >= low, value + (x - low) * ((following - value) / (high - low)), y)
    return np.where(x >= knots_x[-1], knots_y[-1], y)


def by_part(part: Any, without: Callable[..., Any], with_part: Callable[..., Any], *arguments: Any) -> Any:
    """
    Return without(*arguments) where a part of a boat is None, else with_part(part, *arguments).

    Compiled code then has no trace of the other one, which would not fit its types.
    """
    return without(*arguments) if part is None else with_part(part, *arguments)


def anywhere(condition: Any) -> bool:
    """Return whether a condition holds: of an array, whether it does in any element."""
    return condition if isinstance(condition, bool) else bool(np.any(condition))


def highest(x: Any) -> float:
    """Return the largest value of an array, or a float as it is."""
    return x if isinstance(x, float) else float(np.max(x))


def replaced(condition: Any, plain: Any, function: Callable[..., Any], *arguments: Any) -> Any:
    """
    Return function(*arguments) where a condition holds, and `plain`, which has the same types, elsewhere.

    The function is asked only there: it sees the elements of the arguments' arrays for which the condition holds.

    :param condition: Boolean; an array of the shape of all arrays in `plain` and in the arguments.
    :param plain: Tuples of tuples of floats, arrays and None.
    """
    if isinstance(condition, bool):
        return function(*arguments) if condition else plain
    if not condition.any():
        return plain
    return _put(condition, plain, function(*_taken(condition, arguments)))


def _taken(condition: Any, value: Any) -> Any:
    if isinstance(value, tuple):
        parts = [_taken(condition, part) for part in value]
        return type(value)(*parts) if hasattr(value, '_fields') else tuple(parts)
    return value if value is None or np.ndim(value) == 0 else np.broadcast_to(value, condition.shape)[condition]


def _put(condition: Any, plain: Any, found: Any) -> Any:
    if isinstance(plain, tuple):
        return tuple(_put(condition, *pair) for pair in zip(plain, found))
    if plain is None:
        return None
    both = np.array(np.broadcast_to(plain, condition.shape), dtype=float)
    both[condition] = found
    return both


def folded(function: Callable[..., Any], total: Any, members: tuple[Any, ...], given: Any) -> Any:
    """Return total = function(total, member, given), over the members of a tuple in turn, whatever their types."""
    for member in members:
        total = function(total, member, given)
    return total


def each(function: Callable[..., Any], *tuples: Any) -> tuple[Any, ...]:
    """Return a tuple of what a kernel gives for the first members of some tuples, for the second ones, and so on."""
    return tuple(map(function, *tuples))


def each_in(context: Any, function: Callable[..., Any], *tuples: Any) -> tuple[Any, ...]:
    """Return what `each` does, of a kernel that takes a context, the same for all, before the tuples' members."""
    return tuple(map(function, repeat(context), *tuples))


def total(zeros: tuple[Any, ...], tuples: Any) -> tuple[Any, ...]:
    """Return the sums of the first, second... members of some tuples, each as long as `zeros`, which begin the sums."""
    sums = zeros
    for numbers in tuples:
        sums = tuple(map(add, sums, numbers))
    return sums
