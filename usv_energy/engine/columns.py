"""
Named tuples as columns of a flat array, a row a number, and back: how runs lie in memory for compiled code.

A new field of a boat needs no line here: what a tuple holds follows from its type. Rows are a fixed distance apart that
is known when compiling, which is what lets LLVM step through several runs at once.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from usv_energy.physics.compiled_kernels import jit_options

BLOCK = 16  # Runs side by side: two of the widest vectors there are, and few enough for the first-level cache.


class Common(NamedTuple):
    """
    A value that is the same in every column, and in no row: in a template, where it is taken from.

    What follows from its numbers alone, compiled code works out once and not for each run.
    """

    value: Any


def leaves(value: Any) -> Iterator[Any]:
    """Return the numbers, and arrays of a number a run, in a tuple of tuples, in their order; see `read_column`."""
    if isinstance(value, Common) or value is None:
        return
    if isinstance(value, tuple):
        for inner in value:
            yield from leaves(inner)
    else:
        yield value


def rows_of(value: Any, number: int) -> np.ndarray:
    """Return the leaves of a tuple of tuples as rows, shape (leaves, number)."""
    every = list(leaves(value))
    rows = np.empty((len(every), number))
    for row, leaf in zip(rows, every):
        row[:] = leaf
    return rows


def map_leaves(function: Callable[[Any], Any], value: Any) -> Any:
    """Return a tuple of tuples with a function applied to each of its leaves; what is Common is that, as it is."""
    if isinstance(value, Common):
        return value.value
    if isinstance(value, tuple):
        parts = [map_leaves(function, inner) for inner in value]
        return type(value)(*parts) if hasattr(value, '_fields') else tuple(parts)
    return None if value is None else function(value)


def read_column(template: Any, values: np.ndarray, k: int, stride: int) -> Any:
    """
    Return a run's tuple of tuples from its column.

    :param template: A tuple of the same types. What is None or Common in it is taken from it.
    :param values: The rows, flat.
    :param k: Which run.
    :param stride: From row to row: the number of columns.
    """
    rows = iter(range(0, len(values), stride))
    return map_leaves(lambda leaf: float(values[next(rows) + k]), template)


def write_column(value: Any, values: np.ndarray, k: int, stride: int) -> None:
    """Put a run's tuple of tuples into its column; parameters as `read_column`."""
    for row, leaf in enumerate(leaves(value)):
        values[row * stride + k] = leaf


@cache
def compile_columns() -> None:
    """Make `read_column` and `write_column` known to numba: loads and stores, one a number."""
    from numba.extending import overload
    read, write = _intrinsics()
    overload(read_column, jit_options=jit_options())(
        lambda template, values, k, stride: lambda template, values, k, stride: read(template, values, k, stride))
    overload(write_column, jit_options=jit_options())(
        lambda value, values, k, stride: lambda value, values, k, stride: write(value, values, k, stride))


def _intrinsics() -> tuple[Any, Any]:
    from numba import types
    from numba.extending import intrinsic

    def result_type(node: Any) -> Any:
        """Return the numba type of what is read by a template of some type."""
        if not isinstance(node, types.BaseTuple):
            return node if isinstance(node, types.NoneType) else types.float64
        kind, inner = getattr(node, 'instance_class', None), [result_type(one) for one in node]
        if kind is Common:
            return node[0]
        return types.BaseTuple.from_types(inner) if kind is None else types.BaseNamedTuple.from_types(inner, kind)

    def place(context: Any, builder: Any, values_type: Any, values: Any, k: Any, stride: Any) -> Callable[[int], Any]:
        """Return a function of a row that gives its address in a column."""
        data = context.make_array(values_type)(context, builder, values).data

        def at(row: int) -> Any:
            offset = builder.add(builder.mul(stride, stride.type(row)), k)
            return builder.gep(data, [offset], inbounds=True)

        return at

    @intrinsic  # type: ignore[untyped-decorator]
    def read(typing: Any, template: Any, values: Any, k: Any, stride: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            at, row = place(context, builder, values, *arguments[1:]), iter(range(1 << 30))

            def loaded(node: Any, given: Any, wanted: Any) -> Any:
                if getattr(node, 'instance_class', None) is Common:
                    return builder.extract_value(given, 0)
                if isinstance(node, types.NoneType):
                    return context.get_dummy_value()
                if not isinstance(node, types.BaseTuple):
                    return builder.load(at(next(row)))
                parts = [loaded(one, builder.extract_value(given, n), wanted[n]) for n, one in enumerate(node)]
                return context.make_tuple(builder, wanted, parts)

            return loaded(template, arguments[0], signature.return_type)

        return result_type(template)(template, values, types.int64, types.int64), code

    @intrinsic  # type: ignore[untyped-decorator]
    def write(typing: Any, value: Any, values: Any, k: Any, stride: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            at, row = place(context, builder, values, *arguments[1:]), iter(range(1 << 30))

            def stored(node: Any, given: Any) -> None:
                if isinstance(node, types.BaseTuple):
                    for n, one in enumerate(node):
                        stored(one, builder.extract_value(given, n))
                elif not isinstance(node, types.NoneType):
                    number = context.cast(builder, given, node, types.float64)
                    builder.store(number, at(next(row)))

            stored(value, arguments[0])
            return context.get_dummy_value()

        return types.void(value, values, types.int64, types.int64), code

    return read, write
