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
_COMPILED: list[str] = []
_FOR_CUDA: list[str] = []
# A product and a sum in one rounding, a division as a product with the inverse; sums keep their order, NaN stays NaN.
FAST_MATH = {'contract', 'arcp', 'nsz'}
# Inlined, so that a loop over boats is one body that LLVM can vectorise; division as numpy has it, without raising.
JIT_OPTIONS = {'forceinline': True, 'error_model': 'numpy', 'fastmath': FAST_MATH}


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


def arctan2(y, x):
    """Return the angle of the point (x, y) from the x axis, rad, from -pi to pi; floats or arrays."""
    if isinstance(y, float) and isinstance(x, float):
        return math.atan2(y, x)
    return np.arctan2(y, x)


def wrapped(angle):
    """Return the same angle in (-pi, pi], rad; NaN for one that is no finite number; float or array."""
    if isinstance(angle, float):
        if not math.isfinite(angle):
            return math.nan
        near = math.remainder(angle, math.tau)
        return math.pi if near == -math.pi else near
    near = angle - math.tau * np.round(angle / math.tau)
    return np.where(near <= -math.pi, near + math.tau, near)


def select(condition, yes, no):
    """Return `yes` where a condition holds, else `no`, both computed beforehand; floats or arrays."""
    if isinstance(condition, bool):
        return yes if condition else no
    return np.where(condition, yes, no)


def whole(x):
    """Return the largest whole number that is not above a finite x, as an index; float or array."""
    if isinstance(x, float):
        return math.floor(x)
    return np.floor(x).astype(np.intp)


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

    if not _COMPILED:
        for function, form in _compiled_forms().items():
            overload(function, jit_options=JIT_OPTIONS)(form)
    for function in _KERNELS[len(_COMPILED):]:
        register_jitable(**JIT_OPTIONS)(function)
        _COMPILED.append(function.__name__)
    return list(_COMPILED)


def compile_kernels_for_cuda() -> None:
    """
    Make every marked function, and those above, callable from kernels of numba's CUDA.

    :raises ImportError: Where numba is not installed.
    """
    from numba import config
    from numba.extending import overload, register_jitable
    if config.ENABLE_CUDASIM:  # The simulator runs them as they are.
        return
    compile_kernels()
    if not _FOR_CUDA:
        for function, form in _cuda_forms().items():
            overload(function, target='cuda')(form)
    for function in _KERNELS[len(_FOR_CUDA):]:
        register_jitable(target='cuda')(function)
        _FOR_CUDA.append(function.__name__)


def _cuda_forms() -> dict[Callable[..., Any], Callable[..., Any]]:
    """Return what a GPU has in place of the functions above: its own sine, and no numpy."""
    return {**_compiled_forms(),
            sin: lambda x: lambda x: math.sin(x), cos: lambda x: lambda x: math.cos(x),
            arctan2: lambda y, x: lambda y, x: math.atan2(y, x),
            wrapped: lambda angle: _wrapped_on_gpu, whole: lambda x: _whole_on_gpu,
            interpolate: _interpolate_on_gpu}


def _whole_on_gpu(x):
    return int(math.floor(x))  # noqa: RUF046  # a GPU's floor is a float


def _wrapped_on_gpu(angle):
    near = angle - math.tau * math.floor(angle / math.tau + 0.5)
    return near + math.tau if near <= -math.pi else near


def _interpolate_on_gpu(x, knots_x, knots_y):
    from numba import types
    if isinstance(knots_x, types.NoneType):
        return lambda x, knots_x, knots_y: math.nan
    return _interpolated


def _interpolated(x, knots_x, knots_y):
    """Return what np.interp does, which a GPU has not."""
    if x != x or x <= knots_x[0]:
        return knots_y[0] if x == x else x
    for after in range(1, len(knots_x)):
        if x <= knots_x[after]:
            share = (x - knots_x[after - 1]) / (knots_x[after] - knots_x[after - 1])
            return knots_y[after - 1] + share * (knots_y[after] - knots_y[after - 1])
    return knots_y[len(knots_y) - 1]


def _compiled_forms() -> dict[Callable[..., Any], Callable[..., Any]]:
    """Return what compiled code has in place of the functions above, as numba's `overload` takes it."""
    from . import vector_forms as forms
    return {
        sin: lambda x: lambda x: forms.sine(x), cos: lambda x: lambda x: forms.cosine(x),
        sqrt: lambda x: lambda x: math.sqrt(x),
        larger: lambda x, y: lambda x, y: x if x > y or x != x else y,
        smaller: lambda x, y: lambda x, y: x if x < y or x != x else y,
        arctan2: lambda y, x: lambda y, x: forms.arc_tangent(y, x),
        wrapped: lambda angle: lambda angle: forms.less_whole_turns(angle),
        select: lambda condition, yes, no: lambda condition, yes, no: yes if condition else no,
        whole: lambda x: lambda x: np.intp(np.floor(x)),
        interpolate: _compiled_interpolate,
    }


def _compiled_interpolate(x, knots_x, knots_y):
    from numba import types
    if isinstance(knots_x, types.NoneType):  # a boat without a map, known when compiling: never called
        return lambda x, knots_x, knots_y: math.nan
    if isinstance(knots_x, types.BaseTuple):
        return _unrolled_interpolate(len(knots_x))
    return lambda x, knots_x, knots_y: np.interp(x, knots_x, knots_y)


def _unrolled_interpolate(number: int) -> Callable[..., Any]:
    """Return `interpolate` for tuples of so many knots, without a loop or a branch, so that it can be vectorised."""
    lines = [f'    y = knots_y[{n}] + (x - knots_x[{n}]) * ((knots_y[{n + 1}] - knots_y[{n}])'
             f' / (knots_x[{n + 1}] - knots_x[{n}])) if x >= knots_x[{n}] else y\n' for n in range(number - 1)]
    scope: dict[str, Any] = {}
    exec(f'def made(x, knots_x, knots_y):\n    y = knots_y[0]\n{"".join(lines)}'
         f'    y = knots_y[{number - 1}] if x >= knots_x[{number - 1}] else y\n    return y if x == x else x\n', scope)
    return scope['made']
