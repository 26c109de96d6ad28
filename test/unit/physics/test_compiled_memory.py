"""How compiled code reaches its numbers: tables, and a stack in whole lines of the cache."""

import platform

import numpy as np
import pytest

from usv_energy.physics.compiled_memory import LINE, address_of, align_stack, compile_memory

NEEDS = ('numba',)


def aligned(x):
    align_stack()
    return 2.0 * x


def test_a_stack_that_is_aligned_gives_the_same_and_begins_at_a_line():
    """LLVM then rounds the stack's end down to a multiple of 64 bytes, which it has no other reason to here."""
    import numba
    compile_memory()
    compiled = numba.njit(aligned)
    assert aligned(1.5) == compiled(1.5) == 3.0
    if platform.machine() == 'x86_64':
        assembly, = compiled.inspect_asm().values()
        assert f'andq\t$-{LINE}, %rsp' in assembly
        plain = numba.njit(lambda x: 2.0 * x)
        plain(1.5)
        assert f'andq\t$-{LINE}, %rsp' not in next(iter(plain.inspect_asm().values()))


def test_only_whole_tables_of_floats_have_an_address():
    table = np.arange(6.0)
    assert address_of(table) == table.ctypes.data
    for wrong in (table[::2], table.astype(np.float32)):
        with pytest.raises(ValueError, match='float64, in one piece'):
            address_of(wrong)
