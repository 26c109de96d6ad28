"""
Elementary functions that accept Python floats, numpy arrays and, in compiled code, numba scalars.

A physics function uses only these and arithmetic, so the same source serves a node (floats, for which `math` is ten
times as fast as numpy), a log (arrays) and a compiled loop. `kernel` marks functions that compiled code may call;
`compiled_kernels.compile_kernels` registers them with numba, which is imported only then.
"""

import inspect
import math
from collections.abc import Callable
from functools import wraps
from itertools import pairwise, repeat
from operator import add
from typing import Any

import numpy as np

KERNELS: list[Callable[..., Any]] = []  # All functions marked by `kernel`, in order of definition.
LONG: list[Callable[..., Any]] = []     # Those marked by `long_kernel`: compiled code does not inline them.
# Each function marked by `by_type`: the name of the argument that selects the body, and the body for each type of it.
BY_TYPE: dict[Callable[..., Any], tuple[str, dict[type, Callable[..., Any]]]] = {}
FEW = 100   # Elements of an array that takes as long as half of it: `only_where` evaluates it whole.
ONE_CONDITION = (bool, np.bool_)        # A union `bool | np.bool_` would be built again in each call.


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Register a function as callable from compiled code, where it is inlined; return it unchanged."""
    KERNELS.append(function)
    return function


def long_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Register a function as `kernel` does, but not inlined: a long function would take minutes to compile."""
    LONG.append(function)
    return kernel(function)


def sin(x: Any) -> Any:
    """Return the sine of an angle, rad; NaN if it is infinite, as in numpy. Float or array."""
    if isinstance(x, float):
        return math.sin(x) if math.isfinite(x) else math.nan
    return np.sin(x)


def cos(x: Any) -> Any:
    """Return the cosine of an angle, rad; NaN if it is infinite, as in numpy. Float or array."""
    if isinstance(x, float):
        return math.cos(x) if math.isfinite(x) else math.nan
    return np.cos(x)


def sqrt(x: Any) -> Any:
    """Return the square root; NaN of a negative number, as in numpy. Float or array."""
    if isinstance(x, float):
        return math.sqrt(x) if x >= 0.0 else math.nan
    return np.sqrt(x)


def exp(x: Any) -> Any:
    """Return the exponential; float or array."""
    return math.exp(x) if isinstance(x, float) else np.exp(x)


def larger(x: Any, y: Any) -> Any:
    """Return the larger of two values; NaN if either is NaN. Floats or arrays."""
    if isinstance(x, float) and isinstance(y, float):
        return x if x > y or x != x else y
    return np.maximum(x, y)


def smaller(x: Any, y: Any) -> Any:
    """Return the smaller of two values; NaN if either is NaN. Floats or arrays."""
    if isinstance(x, float) and isinstance(y, float):
        return x if x < y or x != x else y
    return np.minimum(x, y)


def within(x: Any, low: Any, high: Any) -> Any:
    """Return a value clipped to [low, high]; NaN if the value is NaN. The limits must not be NaN. Floats or arrays."""
    if isinstance(x, float) and isinstance(low, float) and isinstance(high, float):
        held = low if low > x else x
        return high if high < held else held
    return np.minimum(np.maximum(x, low), high)


def arctan2(y: Any, x: Any) -> Any:
    """Return the angle of the vector (x, y) from the x axis, rad, in [-pi, pi]; floats or arrays."""
    if isinstance(y, float) and isinstance(x, float):
        return math.atan2(y, x)
    return np.arctan2(y, x)


def wrapped(angle: Any) -> Any:
    """Return an angle, rad, wrapped to (-pi, pi]; NaN if it is not finite. Float or array."""
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
    Return the cosine and sine of angle + turn; floats or arrays.

    Compiled code rotates `direction` instead, for |turn| of at most 0.1 rad (`vector_forms.turned_by_little`).

    :param direction: Cosine and sine of `angle`.
    :param angle: rad.
    :param turn: rad; same shape.
    """
    return cos(angle + turn), sin(angle + turn)


def select(condition: Any, yes: Any, no: Any) -> Any:
    """Return `yes` where a condition holds, else `no`; both are already evaluated. Floats or arrays."""
    if isinstance(condition, ONE_CONDITION):
        return yes if condition else no
    return np.where(condition, yes, no)


def floor(x: Any) -> Any:
    """Return the largest integer <= x, as a float; NaN of NaN. Float or array."""
    if isinstance(x, float):
        return float(math.floor(x)) if math.isfinite(x) else x
    return np.floor(x)


def whole(x: Any) -> Any:
    """Return the largest integer <= x, as an integer; x must be finite. Float or array."""
    if isinstance(x, float):
        return math.floor(x)
    return np.floor(x).astype(np.intp)


def interpolate(x: Any, knots_x: Any, knots_y: Any) -> Any:
    """
    Return the value of a piecewise linear function, constant outside its knots.

    :param x: Float or array.
    :param knots_x: Abscissas of the knots, ascending: an array or a tuple of numbers. Where each element of x has knots
        of its own: a tuple with one array, shaped like x, per knot.
    :param knots_y: Ordinates of the knots, in the same form.
    """
    if isinstance(knots_y, tuple) and (np.ndim(knots_y[0]) or np.ndim(knots_x[0])):
        return _interpolate_by_run(x, knots_x, knots_y)
    y = np.interp(x, knots_x, knots_y)
    return float(y) if isinstance(x, float) else y


def _interpolate_by_run(x: Any, knots_x: tuple[Any, ...], knots_y: tuple[Any, ...]) -> Any:
    """Return `interpolate` where each element of x has knots of its own."""
    y = knots_y[0] + 0.0 * x
    for (low, value), (high, following) in pairwise(zip(knots_x, knots_y)):
        y = np.where(x >= low, value + (x - low) * ((following - value) / (high - low)), y)
    return np.where(x >= knots_x[-1], knots_y[-1], y)


def anywhere(condition: Any) -> bool:
    """Return whether a condition holds; of an array, whether it holds for at least one element."""
    return condition if isinstance(condition, bool) else bool(np.any(condition))


def with_field(record: Any, name: str, value: Any) -> Any:
    """
    Return a copy of a named tuple with one field changed.

    Kernels copy records only by this function, because a copy that lists the fields would omit fields that are added
    later. In compiled code `name` must be a literal; the new value may have another type.
    """
    return record._replace(**{name: value})


def record_where(condition: Any, yes: Any, no: Any) -> Any:
    """Return a nested tuple with the numbers of `yes` where a condition holds, else those of `no`; None stays None."""
    if isinstance(yes, tuple):
        parts = [record_where(condition, *pair) for pair in zip(yes, no)]
        return type(yes)(*parts) if hasattr(yes, '_fields') else tuple(parts)
    return None if yes is None else select(condition, yes, no)


def only_where(condition: Any, function: Callable[..., Any], arguments: tuple[Any, ...], otherwise: Any) -> Any:
    """
    Return function(*arguments) where a condition holds, else `otherwise`; of arrays it is evaluated only there.

    :param condition: A truth value, or an array of them.
    :param function: A kernel; what it returns is a nested tuple of numbers like `otherwise`.
    :param arguments: Nested tuples of numbers, of arrays shaped like `condition`, and of None.
    """
    if isinstance(condition, ONE_CONDITION):
        return function(*arguments) if condition else otherwise
    rows = np.nonzero(condition)
    if not len(rows[0]):
        return otherwise
    if 2 * len(rows[0]) > condition.size or condition.size < FEW:
        return record_where(condition, function(*arguments), otherwise)
    return _put(rows, function(*_taken(rows, arguments, condition.shape)), otherwise, condition.shape)


def _taken(rows: Any, record: Any, shape: tuple[int, ...]) -> Any:
    """Return the elements of a nested tuple at the indices `rows` of arrays of a shape; numbers stay as they are."""
    if isinstance(record, tuple):
        parts = [_taken(rows, part, shape) for part in record]
        return type(record)(*parts) if hasattr(record, '_fields') else tuple(parts)
    if not isinstance(record, np.ndarray) or record.ndim == 0:
        return record
    return (record if record.shape == shape else np.broadcast_to(record, shape))[rows]


def _put(rows: Any, record: Any, others: Any, shape: tuple[int, ...]) -> Any:
    """Return the nested tuple `others` as arrays of a shape, with `record` at the indices `rows`."""
    if isinstance(record, tuple):
        parts = [_put(rows, *pair, shape) for pair in zip(record, others)]
        return type(others)(*parts) if hasattr(others, '_fields') else tuple(parts)
    if record is None:
        return None
    whole = np.array(np.broadcast_to(others, shape))
    whole[rows] = record
    return whole


def each(function: Callable[..., Any], given: tuple[Any, ...], one: tuple[Any, ...],
         two: tuple[Any, ...] | None = None, three: tuple[Any, ...] | None = None) -> tuple[Any, ...]:
    """
    Return the tuple of function(one[i], two[i], three[i], *given) for each index i.

    :param function: A kernel.
    :param given: Further arguments, the same for all i.
    :param one: A tuple, whose members may differ in type.
    :param two: Another tuple of the same length; None to leave out its argument.
    :param three: As `two`.
    """
    tuples = [some for some in (one, two, three) if some is not None]
    return tuple(map(function, *tuples, *map(repeat, given)))


def total(zeros: tuple[Any, ...], tuples: Any) -> tuple[Any, ...]:
    """Return the memberwise sum of some tuples, which starts from the tuple `zeros`; all have the same length."""
    sums = zeros
    for numbers in tuples:
        sums = tuple(map(add, sums, numbers))
    return sums


def by_type(argument: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """
    Declare a kernel whose body is selected by the type of one of its arguments.

    The decorated function gives only the signature and the docstring. `register_body` adds a body for one type; a call
    with a type that has no body raises TypeError.

    :param argument: Name of the argument whose type selects the body.
    """
    def mark(function: Callable[..., Any]) -> Callable[..., Any]:
        bodies: dict[type, Callable[..., Any]] = {}
        place = list(inspect.signature(function).parameters).index(argument)

        @wraps(function)
        def chosen(*arguments: Any) -> Any:
            body = bodies.get(type(arguments[place]))
            if body is None:
                raise TypeError(f'{function.__name__}: nothing is registered for {argument} of type '
                                f'{type(arguments[place]).__name__}')
            return body(*arguments)

        BY_TYPE[chosen] = argument, bodies
        return chosen
    return mark


def register_body(function: Callable[..., Any], kind: type, body: Callable[..., Any]) -> None:
    """
    Add the body of a `by_type` function for one type.

    :param function: The function that `by_type` returned.
    :param kind: The type.
    :param body: A kernel with the same names of parameters.
    :raises TypeError: If the names differ.
    """
    wanted, given = (list(inspect.signature(one).parameters) for one in (function, body))
    if wanted != given:
        raise TypeError(f'{body.__name__} takes {", ".join(given)}; must take {", ".join(wanted)}')
    BY_TYPE[function][1][kind] = body
