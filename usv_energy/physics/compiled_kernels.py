"""Physics for compiled code: makes the functions that `elementwise.kernel` marked known to numba, and to its CUDA."""

import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from . import vector_forms
from .elementwise import (
    KERNELS,
    LONG,
    anywhere,
    arctan2,
    axis_at,
    axis_on,
    by_part,
    cos,
    each,
    each_in,
    exp,
    floor,
    folded,
    highest,
    interpolate,
    larger,
    replaced,
    select,
    sin,
    smaller,
    sqrt,
    total,
    whole,
    within,
    wrapped,
)

DEPTH = 5000  # Of calls in Python while numba compiles: some thirty for each of a kernel's calls in calls.
# Comparisons of addresses that LLVM makes at most to run a loop through vectors. Its own 100 do not do for the rows of
# a boat's state any more: with one row more the loop is scalar, and half as fast.
MEMORY_CHECKS = 4000
_COMPILED: list[str] = []
_FOR_CUDA: list[str] = []
# A product and a sum in one rounding, a division as a product with the inverse; sums keep their order, NaN stays NaN.
FAST_MATH = {'contract', 'arcp', 'nsz'}
# Inlined, so that a loop over boats is one body that LLVM can vectorise; division as numpy has it, without raising.
# What calls them holds the arrays: nobody counts who uses them, which took 6 % of a run's time.
JIT_OPTIONS = {'forceinline': True, 'error_model': 'numpy', 'fastmath': FAST_MATH, '_nrt': False}


def compile_kernels() -> list[str]:
    """
    Make every marked function, and those of `elementwise`, callable from numba's nopython code.

    :return: The names of the functions, in the order in which they were marked.
    :raises ImportError: Where numba is not installed (an optional extra: `pip install numba`).
    """
    from llvmlite import binding
    from numba.extending import overload, register_jitable

    if not _COMPILED:
        sys.setrecursionlimit(max(sys.getrecursionlimit(), DEPTH))
        binding.set_option('numba', f'--memory-check-merge-threshold={MEMORY_CHECKS}')
        for function, form in _compiled_forms().items():
            options = {**JIT_OPTIONS, '_nrt': function is interpolate}  # numpy's own makes an array on its way.
            overload(function, jit_options=options, strict=False)(form)
        _compile_bits()
    for function in KERNELS[len(_COMPILED):]:
        register_jitable(**{**JIT_OPTIONS, 'forceinline': function not in LONG})(function)
        _COMPILED.append(function.__name__)
    return list(_COMPILED)


def _compile_bits() -> None:
    """Make `vector_forms.bits_of` and `signed_by` known to numba: a float and its bits are one thing to a processor."""
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic, overload

    @intrinsic
    def as_whole(typing, number):
        return (types.int64(types.float64),
                lambda context, builder, signature, args: builder.bitcast(args[0], ir.IntType(64)))

    @intrinsic
    def as_float(typing, bits):
        return (types.float64(types.int64),
                lambda context, builder, signature, args: builder.bitcast(args[0], ir.DoubleType()))

    overload(vector_forms.bits_of, jit_options=JIT_OPTIONS)(lambda number: lambda number: as_whole(number))
    overload(vector_forms.signed_by, jit_options=JIT_OPTIONS)(
        lambda value, bits: lambda value, bits: as_float(as_whole(value) ^ ((bits & 2) << 62)))


def compile_kernels_for_cuda() -> None:
    """
    Make every marked function, and those of `elementwise`, callable from kernels of numba's CUDA.

    :raises ImportError: Where numba is not installed.
    """
    from numba import config
    from numba.extending import overload, register_jitable
    if config.ENABLE_CUDASIM:  # The simulator runs them as they are.
        return
    compile_kernels()
    if not _FOR_CUDA:
        for function, form in _cuda_forms().items():
            overload(function, target='cuda', strict=False)(form)
    for function in KERNELS[len(_FOR_CUDA):]:
        register_jitable(target='cuda')(function)
        _FOR_CUDA.append(function.__name__)


def _cuda_forms() -> dict[Callable[..., Any], Callable[..., Any]]:
    """Return what a GPU has in place of the functions of `elementwise`: its own sine, and no numpy."""
    return {**_compiled_forms(), sin: lambda x: lambda x: math.sin(x), cos: lambda x: lambda x: math.cos(x),
            arctan2: lambda y, x: lambda y, x: math.atan2(y, x), wrapped: lambda angle: _wrapped_on_gpu,
            floor: lambda x: lambda x: math.floor(x), whole: lambda x: _whole_on_gpu, interpolate: _interpolate_on_gpu}


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
    """Return what compiled code has in place of the functions of `elementwise`, as numba's `overload` takes it."""
    return {
        sin: lambda x: lambda x: vector_forms.sine(x), cos: lambda x: lambda x: vector_forms.cosine(x),
        sqrt: lambda x: lambda x: math.sqrt(x), exp: lambda x: lambda x: math.exp(x),
        larger: lambda x, y: _compiled_larger, smaller: lambda x, y: _compiled_smaller,
        within: lambda x, low, high: _compiled_within,
        axis_at: _compiled_axis_at,
        axis_on: lambda axis, angle, turn: lambda axis, angle, turn: vector_forms.turned_by_little(axis, turn),
        arctan2: lambda y, x: lambda y, x: vector_forms.arc_tangent(y, x),
        wrapped: lambda angle: lambda angle: vector_forms.less_whole_turns(angle),
        select: lambda condition, yes, no: lambda condition, yes, no: yes if condition else no,
        floor: lambda x: lambda x: np.floor(x),
        whole: lambda x: lambda x: np.intp(np.floor(x)),
        interpolate: _compiled_interpolate, each: _compiled_each, each_in: _compiled_each_in,
        total: _compiled_total, folded: _compiled_folded, anywhere: lambda condition: lambda condition: condition,
        highest: lambda x: lambda x: x, by_part: _compiled_by_part, replaced: _compiled_replaced,
    }


def _compiled_larger(x, y):
    """Return `larger` in the order that a processor's own instruction has, which gives x where one is NaN."""
    larger_one = y if y > x else x
    return larger_one if y == y else y


def _compiled_smaller(x, y):
    smaller_one = y if y < x else x
    return smaller_one if y == y else y


def _compiled_axis_at(angle):
    from numba import types
    if isinstance(angle, types.BaseTuple):
        return lambda angle: angle
    return lambda angle: (cos(angle), sin(angle))


def _compiled_within(x, low, high):
    """Return `within` in the order that a processor's own instructions have: a NaN stays, and no branch asks for it."""
    held = low if low > x else x
    return high if high < held else held


def _compiled_each(function, *tuples):
    """Return `each` for tuples of their length, written out, since compiled code cannot build a tuple in a loop."""
    names = _numbered('tuple', tuples)
    return _written_out(f'def written_out(function, {names}):\n    return ({_calls("function(", tuples)})\n')


def _compiled_each_in(context, function, *tuples):
    names, calls = _numbered('tuple', tuples), _calls('function(context, ', tuples)
    return _written_out(f'def written_out(context, function, {names}):\n    return ({calls})\n')


def _numbered(name, values):
    """Return a name for each of some values: what is compiled for CUDA has no arguments of any number."""
    return ', '.join(f'{name}_{n}' for n in range(len(values)))


def _calls(begin, tuples):
    """Return the calls for the tuples' members, each with a comma behind it."""
    return ''.join(f'{begin}{", ".join(f"tuple_{part}[{n}]" for part in range(len(tuples)))}), '
                   for n in range(len(tuples[0])))


def _compiled_by_part(part, without, with_part, *arguments):
    """Return the one that fits the type of `part`, which is known when compiling."""
    from numba import types
    names = _numbered('argument', arguments)
    if isinstance(part, types.NoneType):
        return _written_out(f'def written_out(part, without, with_part, {names}):\n    return without({names})\n')
    return _written_out(f'def written_out(part, without, with_part, {names}):\n    return with_part(part, {names})\n')


def _compiled_replaced(condition, plain, function, *arguments):
    names = _numbered('argument', arguments)
    return _written_out(f'def written_out(condition, plain, function, {names}):\n    if condition:\n'
                        f'        return function({names})\n    return plain\n')


def _compiled_folded(function, total, members, given):
    """Return `folded` for a tuple of its length, written out, so that its members and totals may differ in type."""
    lines = ''.join(f'    total_{n + 1} = function(total_{n}, members[{n}], given)\n' for n in range(len(members)))
    return _written_out(
        f'def written_out(function, total, members, given):\n    total_0 = total\n{lines}'
        f'    return total_{len(members)}\n')


def _compiled_total(zeros, tuples):
    """Return `total` for a tuple of its length, written out: compiled code has no loop over nothing."""
    sums = ''.join(' + '.join([f'zeros[{part}]', *(f'tuples[{n}][{part}]' for n in range(len(tuples)))]) + ', '
                   for part in range(len(zeros)))
    return _written_out(f'def written_out(zeros, tuples):\n    return ({sums})\n')


def _compiled_interpolate(x, knots_x, knots_y):
    from numba import types
    if isinstance(knots_x, types.NoneType):  # a boat without a map, known when compiling: never called
        return lambda x, knots_x, knots_y: math.nan
    if isinstance(knots_x, types.BaseTuple):
        return _unrolled_interpolate(len(knots_x))
    return lambda x, knots_x, knots_y: np.interp(x, knots_x, knots_y)


def _unrolled_interpolate(number: int) -> Callable[..., Any]:
    """
    Return `interpolate` for tuples of so many knots, without a loop or a branch, so that it can be vectorised.

    The ends of the line that holds are chosen first: one division, however many knots there are.
    """
    ends = 'low', 'at_low', 'high', 'at_high'
    chosen = [''.join(f'    {name} = {of}[{place}] if beyond else {name}\n' for name, of, place in zip(
        ends, ('knots_x', 'knots_y') * 2, (n, n, n + 1, n + 1))) for n in range(1, number - 1)]
    lines = [f'    beyond = x >= knots_x[{n + 1}]\n{choice}' for n, choice in enumerate(chosen)]
    last = number - 1
    return _written_out(
        f'def written_out(x, knots_x, knots_y):\n'
        f'    low, at_low, high, at_high = knots_x[0], knots_y[0], knots_x[{min(1, last)}], knots_y[{min(1, last)}]\n'
        f'{"".join(lines)}'
        f'    y = at_low + (x - low) * ((at_high - at_low) / (high - low)) if x >= knots_x[0] else knots_y[0]\n'
        f'    y = knots_y[{last}] if x >= knots_x[{last}] else y\n    return y if x == x else x\n')


def _written_out(source: str) -> Callable[..., Any]:
    scope: dict[str, Any] = {}
    exec(source, scope)
    function: Callable[..., Any] = scope['written_out']
    return function
