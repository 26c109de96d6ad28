"""
How compiled code reaches tables that all runs look things up in, beside the numbers of its own block of runs.

LLVM steps through several boats at once only if it is sure that what one boat writes no other reads. The rows of a
block are a known distance apart; a table is read at places that nobody knows beforehand, so it is said here that tables
and blocks never overlap. Tables come as plain addresses: counting who uses an array would be a write in every look-up.
"""

from functools import cache
from typing import Any

import numpy as np

from .compiled_kernels import jit_options


def element(table: Any, place: Any) -> Any:
    """Return the number at a place of a table; float, or array for an array of places."""
    return table[place]


def address_of(table: np.ndarray) -> int:
    """Return a table as compiled code takes it; it must be kept alive meanwhile."""
    if table.dtype != np.float64 or not table.flags.c_contiguous:
        raise ValueError('a table must be of float64, in one piece')
    return table.ctypes.data


def marked(builder: Any, instruction: Any, kind: str) -> Any:
    """Mark an instruction of LLVM as one on a block (alias.scope), or on what is none (noalias), and return it."""
    domain = builder.module.add_metadata(['usv_energy'])
    scope = builder.module.add_metadata(['block', domain])
    instruction.set_metadata(kind, builder.module.add_metadata([scope]))
    return instruction


@cache
def compile_memory() -> None:
    """Make `element` known to numba, for tables that are arrays and for those that are addresses."""
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic, overload

    @intrinsic
    def look_up(typing, table, place):
        def code(context, builder, signature, arguments):
            base = builder.inttoptr(arguments[0], ir.DoubleType().as_pointer())
            return marked(builder, builder.load(builder.gep(base, [arguments[1]], inbounds=True)), 'noalias')
        return types.float64(types.int64, types.int64), code

    def looked_up(table, place):
        if isinstance(table, types.Integer):
            return lambda table, place: look_up(table, place)
        return lambda table, place: table[place]

    overload(element, jit_options=jit_options())(looked_up)
