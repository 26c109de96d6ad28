"""
The few functions that Python floats, numpy arrays and compiled code spell differently.

Physics functions use these and arithmetic, so that one body serves a node (floats: `math` is ten times as fast as
numpy there), a log (arrays) and a compiled loop. `kernel` marks the functions that may be called from compiled code;
`compiled_kernels.compile_kernels` makes them known to numba, which is imported only then.
"""

import inspect
import math
from collections.abc import Callable
from functools import wraps
from itertools import pairwise
from operator import add
from typing import Any

import numpy as np

KERNELS: list[Callable[..., Any]] = []  # All that `kernel` has marked, in that order.
ONE_CONDITION = (bool, np.bool_)        # Made once: `bool | np.bool_` in a function is made anew by each call.
LONG: list[Callable[..., Any]] = []     # Those of them that compiled code calls and does not write out at each place.
BY_TYPE: dict[Callable[..., Any], tuple[str, dict[type, Callable[..., Any]]]] = {}  # Their argument, body by its type.


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


def direction_of(angle: Any) -> tuple[Any, Any]:
    """Return the cosine and sine of an angle, rad; float or array."""
    return cos(angle), sin(angle)


def direction_turned(direction: tuple[Any, Any], angle: Any, turn: Any) -> tuple[Any, Any]:
    """
    Return the cosine and sine of angle + turn, rad; `direction` are those of `angle`. Floats or arrays.

    Compiled code turns the direction, for turns of a tenth of a radian: see `vector_forms.turned_by_little`.
    """
    return cos(angle + turn), sin(angle + turn)


def select(condition: Any, yes: Any, no: Any) -> Any:
    """Return `yes` where a condition holds, else `no`, both computed beforehand; floats or arrays."""
    if isinstance(condition, ONE_CONDITION):
        return yes if condition else no
    return np.where(condition, yes, no)


def floor(x: Any) -> Any:
    """Return the largest whole number that is not above x, NaN of NaN; float or array, as x is."""
    if isinstance(x, float):
        return float(math.floor(x)) if math.isfinite(x) else x
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


def anywhere(condition: Any) -> bool:
    """Return whether a condition holds: of an array, whether it does in any element."""
    return condition if isinstance(condition, bool) else bool(np.any(condition))


def with_field(record: Any, name: str, value: Any) -> Any:
    """
    Return a named tuple with one field changed, and every other as it is.

    It is the one way in which kernels copy a record: a copy that lists the fields forgets those that come later. In
    compiled code the name must stand there as a literal, and the field may change its type.
    """
    return record._replace(**{name: value})


def record_where(condition: Any, yes: Any, no: Any) -> Any:
    """Return a tuple of tuples with the numbers of `yes` where a condition holds, else those of `no`; None stays."""
    if isinstance(yes, tuple):
        parts = [record_where(condition, *pair) for pair in zip(yes, no)]
        return type(yes)(*parts) if hasattr(yes, '_fields') else tuple(parts)
    return None if yes is None else select(condition, yes, no)


def each(function: Callable[..., Any], given: tuple[Any, ...], one: tuple[Any, ...],
         two: tuple[Any, ...] | None = None, three: tuple[Any, ...] | None = None) -> tuple[Any, ...]:
    """
    Return a tuple of function(*members, *given), for the first members of one to three tuples, the second ones, ...

    :param function: A kernel.
    :param given: What it takes behind the members, the same for all.
    :param one: A tuple, whose members may differ in type; `two` and `three`: others of its length.
    """
    tuples = [some for some in (one, two, three) if some is not None]
    return tuple(function(*members, *given) for members in zip(*tuples))


def total(zeros: tuple[Any, ...], tuples: Any) -> tuple[Any, ...]:
    """Return the sums of the first, second... members of some tuples, each as long as `zeros`, which begin the sums."""
    sums = zeros
    for numbers in tuples:
        sums = tuple(map(add, sums, numbers))
    return sums


def by_type(argument: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """
    Mark a kernel that has one body for each type of one of its arguments.

    The function itself holds names and docstring only. `register_body` adds a body; a type without one is a TypeError.

    :param argument: The name of that argument.
    """
    def mark(function: Callable[..., Any]) -> Callable[..., Any]:
        bodies: dict[type, Callable[..., Any]] = {}
        place = list(inspect.signature(function).parameters).index(argument)

        @wraps(function)
        def chosen(*arguments: Any) -> Any:
            kind = type(arguments[place])
            if kind not in bodies:
                raise TypeError(f'{function.__name__}: nothing is registered for {argument} of type {kind.__name__}')
            return bodies[kind](*arguments)

        BY_TYPE[chosen] = argument, bodies
        return chosen
    return mark


def register_body(function: Callable[..., Any], kind: type, body: Callable[..., Any]) -> None:
    """Add the body of a `by_type` function for one type; its parameters have the names of the function's."""
    wanted, given = (list(inspect.signature(one).parameters) for one in (function, body))
    if wanted != given:
        raise TypeError(f'{body.__name__} takes {", ".join(given)}; must take {", ".join(wanted)}')
    BY_TYPE[function][1][kind] = body
