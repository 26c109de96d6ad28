"""Physics for compiled code: makes the functions that `elementwise.kernel` marked known to numba."""

import inspect
import math
import operator
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

import numpy as np

from usv_energy.physics import vector_forms
from usv_energy.physics.compile_notice import notice
from usv_energy.physics.elementwise import (
    BY_TYPE,
    KERNELS,
    LONG,
    anywhere,
    arctan2,
    cos,
    direction_of,
    direction_turned,
    each,
    exp,
    floor,
    interpolate,
    larger,
    only_where,
    record_where,
    select,
    sin,
    smaller,
    sqrt,
    total,
    whole,
    with_field,
    within,
    wrapped,
)

DEPTH = 5000  # Recursion limit while numba compiles: about thirty Python calls per level of nested kernels.
# Largest number of address comparisons with which LLVM still vectorizes a loop. Its default of 100 is too small for the
# rows of a boat's state: with one more row the loop is scalar, and half as fast.
MEMORY_CHECKS = 4000
_COMPILED: list[str] = []
# Allows fused multiply-add and division by reciprocals; sums keep their order, NaN stays NaN.
FAST_MATH = {'contract', 'arcp', 'nsz'}
OPTIONS: dict[str, Any] = {'error_model': 'numpy', 'fastmath': FAST_MATH}  # Division as numpy has it, without raising.


@cache
def jit_options() -> dict[str, Any]:
    """Return the options with which numba compiles a function that is inlined."""
    return {**OPTIONS, 'pipeline_class': _pipeline(written_out=True), 'forceinline': True, '_nrt': False,
            'no_cpython_wrapper': True, 'no_cfunc_wrapper': True}


@cache
def _pipeline(written_out: bool = False) -> Any:
    """
    Return numba's pipeline of passes, with one more that decides `part is None`, and `boat.part is None`, by the type.

    numba itself removes a branch only if an argument is None. If it is not None, or a field of an argument, numba would
    require both branches to have the same types.

    :param written_out: Whether only compiled code calls the function; its code is then kept in a `_kernel_library`.
    """
    from numba.core import ir, types
    from numba.core.analysis import dead_branch_prune
    from numba.core.compiler import CompilerBase, DefaultPassBuilder
    from numba.core.compiler_machinery import FunctionPass, register_pass
    from numba.core.ir_utils import get_definition, guard
    from numba.core.untyped_passes import DeadBranchPrune

    class KnownType:
        def __init__(self, kind: Any) -> None:
            self.literal_type = kind

    @register_pass(mutates_CFG=True, analysis_only=False)
    class PruneKnownParts(FunctionPass):  # type: ignore[misc]
        _name = 'prune_known_parts'

        def __init__(self) -> None:
            FunctionPass.__init__(self)

        def run_pass(self, state: Any) -> bool:
            unknown: Any = types.NoneType, types.Omitted, types.Optional  # type: ignore[attr-defined]
            kinds, definitions, hidden = [*state.args], state.func_ir._definitions, dict[str, Any]()
            tests = [test for block in state.func_ir.blocks.values() for test in block.find_exprs('binop')
                     if test.fn in (operator.is_, operator.is_not)]
            for test, kind in [(test, field_type(state, test.lhs)) for test in tests]:
                if kind is not None:
                    hidden.setdefault(test.lhs.name, definitions[test.lhs.name])
                    definitions[test.lhs.name] = [ir.Arg(test.lhs.name, len(kinds), test.loc)]  # As of an argument.
                    kinds.append(kind)
            dead_branch_prune(state.func_ir, [kind if isinstance(kind, unknown) else KnownType(kind) for kind in kinds])
            definitions.update(hidden)
            return True

    def field_type(state: Any, value: Any) -> Any:
        """Return the type of a field of an argument, or of a field of one; None for what is neither."""
        found = guard(get_definition, state.func_ir, value)
        if not (isinstance(found, ir.Expr) and found.op == 'getattr'):
            return None
        whole = guard(get_definition, state.func_ir, found.value)
        kind = state.args[whole.index] if isinstance(whole, ir.Arg) else field_type(state, found.value)
        return kind[kind.fields.index(found.attr)] if found.attr in getattr(kind, 'fields', ()) else None

    class KernelPipeline(CompilerBase):  # type: ignore[misc]
        def define_pipelines(self) -> list[Any]:
            if written_out:
                self.state.library = _kernel_library()(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
            passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
            passes.add_pass_after(PruneKnownParts, DeadBranchPrune)
            passes.finalize()
            return [passes]

    return KernelPipeline


@cache
def _kernel_library() -> Any:
    """
    Return the type of the code library of a function that only compiled code calls.

    By default numba would make machine code of each function, which nothing calls and which takes half of the time to
    compile a loop. Here a function's code is only optimised; the loop that it is linked into is turned into machine
    code.
    """
    from numba.core.codegen import JITCodeLibrary

    class KernelLibrary(JITCodeLibrary):  # type: ignore[misc]
        @property
        def codegen(self) -> Any:
            return self

        def set_env(self, name: str, environment: Any) -> None:
            """Do not set the Python globals that only machine code would need."""

        def get_pointer_to_function(self, name: str) -> int:
            """Return 0, because there is no machine code."""
            self._ensure_finalized()
            return 0

        def _optimize_functions(self, module: Any) -> None:
            """Do nothing; the whole module is optimised next."""
            module.data_layout = self._codegen._data_layout

        def _finalize_final_module(self) -> None:
            self._finalized = True

    return KernelLibrary


def compile_kernels() -> list[str]:
    """
    Make every marked function, and those of `elementwise`, callable from numba's nopython code.

    :return: The names of the functions, in the order in which they were marked.
    :raises ImportError: If numba is not installed (an optional extra: `pip install numba`).
    """
    from llvmlite import binding
    from numba.extending import overload, register_jitable

    if not _COMPILED:
        sys.setrecursionlimit(max(sys.getrecursionlimit(), DEPTH))
        binding.set_option('numba', f'--memory-check-merge-threshold={MEMORY_CHECKS}')
        register_jitable(**jit_options())(_either)
        for function, form in _compiled_forms().items():
            overload(function, jit_options=jit_options(), strict=False)(form)
        for function, (argument, bodies) in BY_TYPE.items():
            overload(function, jit_options=jit_options(), strict=False)(_chosen_by_type(argument, bodies, function))
        _compile_bits()
        _compile_records()
    for function in KERNELS[len(_COMPILED):]:
        register_jitable(**{**jit_options(), 'forceinline': function not in LONG})(function)
        _COMPILED.append(function.__name__)
    return list(_COMPILED)


def compiled_loop(function: Callable[..., Any]) -> Any:
    """Return a function that calls kernels, compiled at its first call; its code is cached on disk."""
    import numba
    compile_kernels()
    notice.listen()
    return with_careful_cache(numba.njit(nogil=True, cache=True, pipeline_class=_pipeline(), **OPTIONS)(function))


def with_careful_cache(compiled: Any) -> Any:
    """
    Return a compiled function of numba whose cache on disk may be damaged, or on a full disk.

    What cannot be loaded is compiled again, and replaces the damaged files; what cannot be stored is not.
    """
    stored = compiled._cache
    load, save = stored.load_overload, stored.save_overload

    def load_overload(*arguments: Any) -> Any:
        try:
            return load(*arguments)
        except Exception:   # Of pickle, of numba or of LLVM, by the damage.
            with suppress(OSError):
                stored.flush()
            return None

    def save_overload(*arguments: Any) -> None:
        with suppress(OSError):
            save(*arguments)

    stored.load_overload, stored.save_overload = load_overload, save_overload
    return compiled


def _compile_bits() -> None:
    """Register `vector_forms.bits_of` and `signed_by` with numba, which reinterpret the bits of a float."""
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

    overload(vector_forms.bits_of, jit_options=jit_options())(lambda number: lambda number: as_whole(number))
    overload(vector_forms.signed_by, jit_options=jit_options())(
        lambda value, bits: lambda value, bits: as_float(as_whole(value) ^ ((bits & 2) << 62)))


def _compile_records() -> None:
    """Register `with_field` and `record_where` with numba."""
    from numba import types
    from numba.extending import intrinsic, overload

    @intrinsic(prefer_literal=True)
    def changed(typing, record, place, value):
        inner = list(record)
        inner[place.literal_value] = types.unliteral(value)
        kind = types.BaseNamedTuple.from_types(inner, record.instance_class)

        def code(context, builder, signature, arguments):
            parts = [builder.extract_value(arguments[0], n) for n in range(len(inner))]
            parts[place.literal_value] = arguments[2]
            return context.make_tuple(builder, kind, parts)

        return kind(record, place, value), code

    @intrinsic
    def fields_of(typing, record):
        kind = types.BaseTuple.from_types(list(record))

        def code(context, builder, signature, arguments):
            return context.make_tuple(builder, kind, [builder.extract_value(arguments[0], n)
                                                      for n in range(len(record))])

        return kind(record), code

    def with_field_of(record, name, value):
        if not isinstance(name, types.StringLiteral):
            return None
        place = record.fields.index(name.literal_value)
        return lambda record, name, value: changed(record, place, value)

    def record_where_of(condition, yes, no):
        if isinstance(yes, types.NoneType):
            return lambda condition, yes, no: None
        if not isinstance(yes, types.BaseTuple):
            return lambda condition, yes, no: yes if condition else no
        kind = getattr(yes, 'instance_class', None)
        if kind is None:
            return lambda condition, yes, no: each(_either, (condition,), yes, no)
        return lambda condition, yes, no: kind(*each(_either, (condition,), fields_of(yes), fields_of(no)))

    overload(with_field, jit_options=jit_options(), prefer_literal=True)(with_field_of)
    overload(record_where, jit_options=jit_options())(record_where_of)


def _compiled_forms() -> dict[Callable[..., Any], Callable[..., Any]]:
    """Return the compiled forms of the functions of `elementwise`, for numba's `overload`."""
    return {
        sin: lambda x: lambda x: vector_forms.sine(x), cos: lambda x: lambda x: vector_forms.cosine(x),
        sqrt: lambda x: lambda x: math.sqrt(x), exp: lambda x: lambda x: math.exp(x),
        larger: lambda x, y: _compiled_larger, smaller: lambda x, y: _compiled_smaller,
        within: lambda x, low, high: _compiled_within,
        direction_of: lambda angle: lambda angle: (cos(angle), sin(angle)),
        direction_turned: lambda direction, angle, turn: (
            lambda direction, angle, turn: vector_forms.turned_by_little(direction, turn)),
        arctan2: lambda y, x: lambda y, x: vector_forms.arc_tangent(y, x),
        wrapped: lambda angle: lambda angle: vector_forms.less_whole_turns(angle),
        select: lambda condition, yes, no: lambda condition, yes, no: yes if condition else no,
        floor: lambda x: lambda x: np.floor(x),
        whole: lambda x: lambda x: np.intp(np.floor(x)),
        interpolate: _compiled_interpolate, each: _compiled_each, total: _compiled_total, _sum_of: _compiled_sum,
        anywhere: lambda condition: lambda condition: condition,
        only_where: lambda condition, function, arguments, otherwise: _compiled_only_where,
    }


def _compiled_only_where(condition, function, arguments, otherwise):
    return function(*arguments) if condition else otherwise


def _compiled_larger(x, y):
    """Return `larger` in the operand order of the processor's instruction, which gives x if one is NaN."""
    larger_one = y if y > x else x
    return larger_one if y == y else y


def _compiled_smaller(x, y):
    smaller_one = y if y < x else x
    return smaller_one if y == y else y


def _compiled_within(x, low, high):
    """Return `within` in the operand order of the processor's instructions, so that NaN is kept without a branch."""
    held = low if low > x else x
    return high if high < held else held


def _chosen_by_type(argument: str, bodies: dict[type, Callable[..., Any]],
                    function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the body of a `by_type` function for the types of its arguments, for numba's `overload`."""
    place = list(inspect.signature(function).parameters).index(argument)

    def body(*types_of_arguments):
        found = types_of_arguments[place]
        return bodies.get(getattr(found, 'instance_class', type(None)))

    return body


def _either(yes, no, condition):
    return record_where(condition, yes, no)


def _compiled_each(function, given, one, two=None, three=None):
    """Return `each` for tuples of this length: the first members, and `each` of the others."""
    from numba import types
    if len(one) == 0:
        return lambda function, given, one, two=None, three=None: ()
    if two is None or isinstance(two, types.NoneType | types.Omitted):
        return _each_of_one
    return _each_of_two if three is None or isinstance(three, types.NoneType | types.Omitted) else _each_of_three


def _each_of_one(function, given, one, two=None, three=None):
    return (function(one[0], *given), *each(function, given, one[1:]))


def _each_of_two(function, given, one, two=None, three=None):
    return (function(one[0], two[0], *given), *each(function, given, one[1:], two[1:]))


def _each_of_three(function, given, one, two=None, three=None):
    return (function(one[0], two[0], three[0], *given), *each(function, given, one[1:], two[1:], three[1:]))


def _compiled_total(zeros, tuples):
    """Return `total` for a tuple of this length: the zeros plus the first member, and `total` of the others."""
    if len(tuples) == 0:
        return lambda zeros, tuples: zeros
    return lambda zeros, tuples: total(_sum_of(zeros, tuples[0]), tuples[1:])


def _sum_of(numbers: tuple[Any, ...], more: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(map(sum, zip(numbers, more)))


def _compiled_sum(numbers, more):
    if len(numbers) == 0:
        return lambda numbers, more: ()
    return lambda numbers, more: (numbers[0] + more[0], *_sum_of(numbers[1:], more[1:]))


def _compiled_interpolate(x, knots_x, knots_y):
    from numba import types
    if isinstance(knots_x, types.NoneType):  # A boat without a map; never called.
        return lambda x, knots_x, knots_y: math.nan
    return _interpolated if isinstance(knots_x, types.BaseTuple) else _interpolated_in_array


def _interpolated(x, knots_x, knots_y):
    """Return `interpolate` for few knots, without branches, so that it can be vectorized; with a single division."""
    low, at_low, high, at_high = knots_x[0], knots_y[0], knots_x[1], knots_y[1]
    for n in range(1, len(knots_x) - 1):
        beyond = x >= knots_x[n]
        low, at_low = (knots_x[n] if beyond else low), (knots_y[n] if beyond else at_low)
        high, at_high = (knots_x[n + 1] if beyond else high), (knots_y[n + 1] if beyond else at_high)
    y = at_low + (x - low) * ((at_high - at_low) / (high - low)) if x >= knots_x[0] else knots_y[0]
    y = at_high if x >= high else y
    return y if x == x else x


def _interpolated_in_array(x, knots_x, knots_y):
    """Return `interpolate` for knots in arrays, by bisection."""
    below, above = 0, len(knots_x) - 1
    if x != x:
        return x
    if x <= knots_x[0] or above == 0:
        return knots_y[0]
    if x >= knots_x[above]:
        return knots_y[above]
    while above - below > 1:
        middle = (below + above) // 2
        if x >= knots_x[middle]:
            below = middle
        else:
            above = middle
    slope = (knots_y[above] - knots_y[below]) / (knots_x[above] - knots_x[below])
    return knots_y[below] + (x - knots_x[below]) * slope
