"""
Named tuples as rows of a flat array, a column a run, and back: how runs lie in memory for compiled code.

The code that does it is written out from the tuples' own fields, so a new field of a boat needs no line here. Rows are
a fixed distance apart that is known when compiling, which is what lets LLVM step through several runs at once.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from ..boats.vessel import Losses
from ..physics.compiled_kernels import JIT_OPTIONS
from ..physics.compiled_memory import compile_memory, read, write
from ..physics.propeller import Propeller

BLOCK = 16  # Runs side by side: two of the widest vectors there are, and few enough for the first-level cache.
TABLE = Propeller._fields[5:]  # Knots of a table, and what belongs to them.


class Common(NamedTuple):
    """
    A tuple of tuples that is the same in every column, and in no row: in a template, where it is taken from.

    What follows from its numbers alone, compiled code works out once and not for each run.
    """

    value: Any


def leaves(value: Any) -> Iterator[Any]:
    """Return the numbers, and arrays of a number a run, in a tuple of tuples, in their order; see `read_column`."""
    if isinstance(value, Common):
        return
    if isinstance(value, Losses):
        yield value.efficiency
    elif isinstance(value, Propeller):
        yield from value[2:4]
    elif isinstance(value, tuple):
        for inner in value:
            yield from leaves(inner)
    elif value is not None:
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
    if isinstance(value, Losses):
        return value._replace(efficiency=function(value.efficiency))
    if isinstance(value, Propeller):
        return value._replace(inflow=function(value.inflow), torque_ratio=function(value.torque_ratio))
    if isinstance(value, tuple):
        parts = [map_leaves(function, inner) for inner in value]
        return type(value)(*parts) if hasattr(value, '_fields') else tuple(parts)
    return None if value is None else function(value)


def read_column(template: Any, values: np.ndarray, k: int, stride: int) -> Any:
    """
    Return a run's tuple of tuples from its column.

    :param template: A tuple of the same types. What is None in it, and the map of losses, is taken from it.
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


def write_column_where(condition: Any, value: Any, values: np.ndarray, k: int, stride: int) -> None:
    """Put a run's tuple of tuples into its column where a condition holds; the other parameters as `write_column`."""
    if condition:
        write_column(value, values, k, stride)


def column_reader(template: Any) -> Callable[..., Any]:
    """Return `read_column` for a tuple of numba type `template`, as plain code."""
    names: dict[str, Any] = {}
    text = _reading(template, 'template', count(), names, 'read(values, {} * stride + k)')
    names['read'] = read
    return _written_out(f'def written_out(template, values, k, stride):\n    return {text}\n', names)


def reading_code(template: Any, names: dict[str, Any]) -> str:
    """
    Return the code that reads a tuple from `values`, `k`, `stride`, its map of losses from `map_thrust`, `map_power`.

    :param template: A tuple of the same types.
    :param names: Gets the types that the code names.
    """
    from numba import typeof
    text = _reading(typeof(template), 'template', count(), names, 'values[{} * stride + k]')

    def knots(found: re.Match[str]) -> str:
        """Return the name of some knots of a propeller, which become a constant of the code."""
        value: Any = template
        for step in re.findall(r'\w+', found[1]):
            value = value[int(step)] if step.isdigit() else getattr(value, step)
        name = f'knots_{len(names)}'
        names[name] = value
        return name

    text = re.sub(r'template((?:\.\w+|\[\d+\])*\.propeller\.\w+)', knots, text)
    return text.replace('template.boat.losses.', '')


def column_writer(value: Any) -> Callable[..., Any]:
    """Return `write_column` for a tuple of numba type `value`, as plain code."""
    lines = [f'    write(values, {row} * stride + k, {path})\n' for row, path in enumerate(_paths(value, 'value'))]
    return _written_out(f'def written_out(value, values, k, stride):\n{"".join(lines)}', {'write': write})


def column_writer_where(value: Any) -> Callable[..., Any]:
    """Return `write_column_where` for a tuple of numba type `value`, as plain code without a branch."""
    at = 'values, {} * stride + k'
    lines = [f'    write({at.format(row)}, {path} if condition else read({at.format(row)}))\n'
             for row, path in enumerate(_paths(value, 'value'))]
    return _written_out(f'def written_out(condition, value, values, k, stride):\n{"".join(lines)}',
                        {'read': read, 'write': write})


@cache
def compile_columns() -> None:
    """Make `read_column`, `write_column` and `write_column_where` known to numba."""
    from numba.extending import overload
    compile_memory()
    overload(read_column, jit_options=JIT_OPTIONS)(lambda template, values, k, stride: column_reader(template))
    overload(write_column, jit_options=JIT_OPTIONS)(lambda value, values, k, stride: column_writer(value))
    overload(write_column_where, jit_options=JIT_OPTIONS)(
        lambda condition, value, values, k, stride: column_writer_where(value))


def _written_out(source: str, names: dict[str, Any]) -> Callable[..., Any]:
    scope = dict(names)
    exec(source, scope)
    function: Callable[..., Any] = scope['written_out']
    return function


def _inner(node: Any) -> list[tuple[str, Any]]:
    """Return the fields of a tuple's numba type, as what stands behind its name to reach them, with their types."""
    fields = getattr(node, 'fields', None)
    types = list(node)
    return list(zip([f'.{field}' for field in fields] if fields else [f'[{n}]' for n in range(len(types))], types))


def _is_tuple(node: Any) -> bool:
    from numba import types
    return isinstance(node, types.BaseTuple)


COMMON = 'common'  # In place of the code that reads a leaf: it is taken from the template.


def _reading(node: Any, path: str, rows: Iterator[int], names: dict[str, Any], leaf: str) -> str:
    """Return the code of a tuple; `leaf`: the code that reads a number, its row to be put in, or COMMON."""
    from numba import types
    if isinstance(node, types.NoneType):
        return 'None'
    if not _is_tuple(node):
        return path if leaf is COMMON else leaf.format(next(rows))
    kind = getattr(node, 'instance_class', None)
    if kind is Common:
        return _reading(node[0], f'{path}.value', rows, names, COMMON)
    if kind is Losses:
        names['Losses'] = Losses
        mapped = not isinstance(node[node.fields.index('map_thrust')], types.NoneType)
        knots = f'1.0, {path}.map_thrust, {path}.map_power' if mapped else '0.0, None, None'
        efficiency = _reading(node[node.fields.index('efficiency')], f'{path}.efficiency', rows, names, leaf)
        return f'Losses({efficiency}, {knots})'
    if kind is Propeller:
        names['Propeller'] = Propeller
        tabled = 1.0 if len(list(node[node.fields.index('table_speed')])) > 1 else 0.0
        knots = ', '.join(f'{path}.{name}' for name in TABLE)
        inflow, ratio = (_reading(node[node.fields.index(name)], f'{path}.{name}', rows, names, leaf)
                         for name in ('inflow', 'torque_ratio'))
        return f'Propeller({path}.map_thrust, {path}.map_power, {inflow}, {ratio}, {tabled}, {knots})'
    parts = ''.join(f'{_reading(inner, path + step, rows, names, leaf)}, ' for step, inner in _inner(node))
    if kind is None:
        return f'({parts})'
    names[kind.__name__] = kind
    return f'{kind.__name__}({parts})'


def _paths(node: Any, path: str) -> Iterator[str]:
    from numba import types
    if not _is_tuple(node):
        if not isinstance(node, types.NoneType):
            yield path
        return
    for step, inner in _inner(node):
        yield from _paths(inner, path + step)
