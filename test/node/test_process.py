"""What a process of ours does about its memory."""

import ctypes
import platform
from pathlib import Path

import pytest

from usv_energy.ros.framework.process import Heap

SIZE, NUMBER = 1000, 60_000


def resident():
    """Return the memory of this process that is resident, bytes."""
    return int(Path('/proc/self/statm').read_text().split()[1]) * 4096


@pytest.mark.skipif(platform.libc_ver()[0] != 'glibc', reason='other C libraries give memory back by themselves')
def test_memory_that_has_become_free_goes_back_although_something_above_it_is_in_use():
    library = ctypes.CDLL(None)
    library.malloc.restype, library.malloc.argtypes, library.free.argtypes = (
        ctypes.c_void_p, [ctypes.c_size_t], [ctypes.c_void_p])
    heap = Heap()
    heap.give_back()
    blocks = [library.malloc(SIZE) for _ in range(NUMBER)]
    for block in blocks:
        ctypes.memset(block, 1, SIZE)
    for block in blocks[:-1]:
        library.free(block)
    before = resident()
    heap.give_back()
    assert resident() > before - SIZE * NUMBER // 4, 'it is not time yet'
    heap._due = 0.0
    heap.give_back()
    assert resident() < before - SIZE * NUMBER // 2
    library.free(blocks[-1])
