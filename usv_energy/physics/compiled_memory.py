"""
How compiled code reaches its numbers: the block's own, and tables that all runs look things up in.

LLVM steps through several boats at once only if it is sure that what one boat writes no other reads. The rows of a
block are a known distance apart; a table is read at places that nobody knows beforehand, so it is said here that tables
and blocks never overlap. Tables come as plain addresses: counting who uses an array would be a write in every look-up.
"""

from typing import Any

import numpy as np

from .compiled_kernels import JIT_OPTIONS

LINE = 64  # Bytes of a line of the cache.


def element(table: Any, place: Any) -> Any:
    """Return the number at a place of a table; float, or array for an array of places."""
    return table[place]


def address_of(table: np.ndarray) -> int:
    """Return a table as compiled code takes it; it must be kept alive meanwhile."""
    if table.dtype != np.float64 or not table.flags.c_contiguous:
        raise ValueError('a table must be of float64, in one piece')
    return table.ctypes.data


def read(block: Any, place: Any) -> Any:
    """Return the number at a place of a block."""
    return block[place]


def write(block: Any, place: Any, number: Any) -> None:
    """Put a number at a place of a block."""
    block[place] = number


def align_stack() -> None:
    """
    Have a compiled function, which calls this first, keep what its registers have no room for in whole cache lines.

    A vector of eight floats is a line of the cache. LLVM aligns its copies on the stack only where something else on
    the stack is aligned so; else three of four lie across two lines, and a loop waits for each of them.
    """


def compile_memory() -> None:
    """Make `element`, `read`, `write` and `align_stack` known to numba."""
    from numba import types
    from numba.extending import overload
    if getattr(compile_memory, 'done', False):
        return
    look_up, fetch, store = _intrinsics()
    align = _alignment()

    def looked_up(table, place):
        if isinstance(table, types.Integer):
            return lambda table, place: look_up(table, place)
        return lambda table, place: table[place]

    overload(element, jit_options=JIT_OPTIONS)(looked_up)
    overload(read, jit_options=JIT_OPTIONS)(lambda block, place: lambda block, place: fetch(block, place))
    overload(write, jit_options=JIT_OPTIONS)(
        lambda block, place, number: lambda block, place, number: store(block, place, number))
    overload(align_stack, jit_options=JIT_OPTIONS)(lambda: lambda: align())
    compile_memory.done = True  # type: ignore[attr-defined]


def compile_memory_for_cuda() -> None:
    """Make `element` known to kernels of numba's CUDA; there tables are arrays."""
    from numba import config
    from numba.extending import register_jitable
    if not config.ENABLE_CUDASIM and not getattr(compile_memory_for_cuda, 'done', False):
        register_jitable(target='cuda')(element)
        compile_memory_for_cuda.done = True  # type: ignore[attr-defined]


def _intrinsics() -> tuple[Any, Any, Any]:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    def marked(builder: Any, instruction: Any, kind: str) -> Any:
        """Mark an access as one to a block (alias.scope), or to what is none (noalias)."""
        domain = builder.module.add_metadata(['usv_energy'])
        scope = builder.module.add_metadata(['block', domain])
        instruction.set_metadata(kind, builder.module.add_metadata([scope]))
        return instruction

    def pointer(context: Any, builder: Any, array_type: Any, array: Any, place: Any) -> Any:
        data = context.make_array(array_type)(context, builder, array).data
        return builder.gep(data, [place], inbounds=True)

    @intrinsic
    def look_up(typing, table, place):
        def code(context, builder, signature, args):
            table, place = args
            base = builder.inttoptr(table, ir.DoubleType().as_pointer())
            return marked(builder, builder.load(builder.gep(base, [place], inbounds=True)), 'noalias')
        return types.float64(types.int64, types.int64), code

    @intrinsic
    def fetch(typing, values, place):
        def code(context, builder, signature, args):
            return marked(builder, builder.load(pointer(context, builder, values, *args)), 'alias.scope')
        return types.float64(values, types.int64), code

    @intrinsic
    def store(typing, values, place, number):
        def code(context, builder, signature, args):
            marked(builder, builder.store(args[2], pointer(context, builder, values, *args[:2])), 'alias.scope')
            return context.get_dummy_value()
        return types.void(values, types.int64, types.float64), code

    return look_up, fetch, store


def _alignment() -> Any:
    """Return an intrinsic that puts an aligned line on the stack, which an empty line of assembly seems to need."""
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    @intrinsic
    def align(typing):
        def code(context, builder, signature, args):
            line = cgutils.alloca_once(builder, ir.ArrayType(ir.IntType(8), LINE))
            line.align = LINE
            builder.asm(ir.FunctionType(ir.VoidType(), [line.type]), '', 'r', [line], True)
            return context.get_dummy_value()
        return types.void(), code

    return align
