"""
The few functions that Python floats, numpy arrays and compiled code spell differently.

Physics functions use these and arithmetic, so that one body serves a node (floats: `math` is ten times as fast as
numpy there), a log (arrays) and a compiled loop. `kernel` marks the functions that may be called from compiled code;
`compile_kernels` makes them known to numba, which is imported only then.
"""

import math
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

Function = TypeVar('Function', bound=Callable[..., Any])
_KERNELS: list[Callable[..., Any]] = []


def kernel(function: Function) -> Function:
    """Mark a physics function as callable from compiled code; the function itself is returned unchanged."""
    _KERNELS.append(function)
    return function


def sin(x):
    """Return the sine of an angle, rad, NaN for an infinite one, as numpy has it; float or array."""
    if isinstance(x, float):
        return math.sin(x) if math.isfinite(x) else math.nan
    return np.sin(x)


def cos(x):
    """Return the cosine of an angle, rad, NaN for an infinite one, as numpy has it; float or array."""
    if isinstance(x, float):
        return math.cos(x) if math.isfinite(x) else math.nan
    return np.cos(x)


def sqrt(x):
    """Return the square root; NaN for a negative number, as numpy has it; float or array."""
    if isinstance(x, float):
        return math.sqrt(x) if x >= 0.0 else math.nan
    return np.sqrt(x)


def larger(x, y):
    """Return the larger of two values, NaN where one is; floats or arrays."""
    if isinstance(x, float) and isinstance(y, float):
        return x if x > y or x != x else y
    return np.maximum(x, y)


def smaller(x, y):
    """Return the smaller of two values, NaN where one is; floats or arrays."""
    if isinstance(x, float) and isinstance(y, float):
        return x if x < y or x != x else y
    return np.minimum(x, y)


def interpolate(x, knots_x, knots_y):
    """Return the value of a piecewise linear function, held constant outside its knots; float or array."""
    y = np.interp(x, knots_x, knots_y)
    return float(y) if isinstance(x, float) else y


def compile_kernels() -> list[str]:
    """
    Make every marked function, and those above, callable from numba's nopython code.

    :return: The names of the functions, in the order in which they were marked.
    :raises ImportError: Where numba is not installed (an optional extra: `pip install numba`).
    """
    from numba.extending import overload, register_jitable

    if not getattr(compile_kernels, 'done', False):
        compiled_forms = {
            sin: lambda x: lambda x: math.sin(x), cos: lambda x: lambda x: math.cos(x),
            sqrt: lambda x: lambda x: math.sqrt(x),
            larger: lambda x, y: lambda x, y: x if x > y or x != x else y,
            smaller: lambda x, y: lambda x, y: x if x < y or x != x else y,
            interpolate: lambda x, knots_x, knots_y: lambda x, knots_x, knots_y: np.interp(x, knots_x, knots_y),
        }
        for function, form in compiled_forms.items():
            overload(function)(form)
        for function in _KERNELS:
            register_jitable(function)
        compile_kernels.done = True  # type: ignore[attr-defined]
    return [function.__name__ for function in _KERNELS]
