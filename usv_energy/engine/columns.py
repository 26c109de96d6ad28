"""
The memory layout of runs for compiled code: each run is a column of a flat array, each number of its tuples a row.

Which numbers a tuple holds follows from its type, so a new field of a boat needs no change here. The distance between
rows is a constant when the code is compiled, which lets LLVM vectorize the loop over runs.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from usv_energy.physics.compiled_kernels import jit_options

BLOCK = 16  # Runs in one block: two 512-bit vectors of doubles, and small enough for the first-level cache.


class Common(NamedTuple):
    """
    A marker in a template for a value that all runs share; it is stored in the template and not in the array.

    Compiled code evaluates terms that depend on shared values only once, not once per run.
    """

    value: Any


def leaves(value: Any) -> Iterator[Any]:
    """Return the leaves of a nested tuple in order: numbers, or arrays per run. None and Common have no leaves."""
    if isinstance(value, Common) or value is None:
        return
    if isinstance(value, tuple):
        for inner in value:
            yield from leaves(inner)
    else:
        yield value


def rows_of(value: Any, number: int) -> np.ndarray:
    """Return the leaves of a nested tuple as an array of shape (leaves, number); `number` is the number of runs."""
    every = list(leaves(value))
    rows = np.empty((len(every), number))
    for row, leaf in zip(rows, every):
        row[:] = leaf
    return rows


def map_leaves(function: Callable[[Any], Any], value: Any) -> Any:
    """Return a nested tuple with a function applied to each leaf; a Common is replaced by its value."""
    if isinstance(value, Common):
        return value.value
    if isinstance(value, tuple):
        parts = [map_leaves(function, inner) for inner in value]
        return type(value)(*parts) if hasattr(value, '_fields') else tuple(parts)
    return None if value is None else function(value)


def read_column(template: Any, values: np.ndarray, k: int, stride: int) -> Any:
    """
    Return the nested tuple of one run, read from its column.

    :param template: A tuple of the same types; its None and Common members go into the result.
    :param values: The rows as one flat array.
    :param k: Index of the run, from 0.
    :param stride: Number of columns, the distance from row to row.
    """
    rows = iter(range(0, len(values), stride))
    return map_leaves(lambda leaf: float(values[next(rows) + k]), template)


def write_column(value: Any, values: np.ndarray, k: int, stride: int) -> None:
    """Write the nested tuple of one run into its column; parameters as `read_column`."""
    for row, leaf in enumerate(leaves(value)):
        values[row * stride + k] = leaf


@cache
def compile_columns() -> None:
    """Register `read_column` and `write_column` with numba as one load or store instruction per number."""
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
        """Return the numba type of the result of `read_column` for the type of a template."""
        if not isinstance(node, types.BaseTuple):
            return node if isinstance(node, types.NoneType) else types.float64
        kind, inner = getattr(node, 'instance_class', None), [result_type(one) for one in node]
        if kind is Common:
            return node[0]
        return types.BaseTuple.from_types(inner) if kind is None else types.BaseNamedTuple.from_types(inner, kind)

    def place(context: Any, builder: Any, values_type: Any, values: Any, k: Any, stride: Any) -> Callable[[int], Any]:
        """Return a function from the index of a row to the address of its element in the column."""
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
