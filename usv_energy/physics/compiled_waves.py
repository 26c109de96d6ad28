"""The waves at a hull's columns for compiled code: makes `column_waves` known to numba, which adds wave after wave."""

from functools import cache

from .compiled_kernels import jit_options
from .felt_waves import column_waves, column_waves_in_turn


@cache
def compile_waves() -> None:
    """Make `column_waves` known to numba."""
    from numba.extending import overload
    overload(column_waves, jit_options=jit_options())(lambda felt, place, hull: column_waves_in_turn)
