"""The key of the compiled code that is kept on disk."""

import subprocess
import sys

import pytest

SOURCES = """
import usv_energy.engine.numba_engine as numba_engine, usv_energy.engine.episode
from usv_energy.physics import elementwise, vector_forms
folder = numba_engine.Path(numba_engine.__file__).parents[1]
read = {str(path) for pattern in numba_engine.SOURCES for path in folder.glob(pattern)}
kernels = {function.__code__.co_filename for function in elementwise.KERNELS}
assert len(kernels) > 10 and kernels <= read, kernels - read
"""


def test_the_cache_knows_its_sources():
    """Everything that compiled loops may call lies in a file that their fingerprint reads."""
    done = subprocess.run([sys.executable, '-P', '-c', SOURCES], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    pytest.importorskip('numba')
    from usv_energy.engine import numba_engine
    assert numba_engine.fingerprint()[:16] in numba_engine.compiled(numba_engine.run_each).py_func.__qualname__
