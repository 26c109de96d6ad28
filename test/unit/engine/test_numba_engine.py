"""The key of the compiled code that is kept on disk."""

import subprocess
import sys

import new_kind
import pytest

from usv_energy.engine.numba_engine import files_of_others, fingerprint

SOURCES = """
import usv_energy.engine.numba_engine as numba_engine, usv_energy.engine.boat_environment
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


def test_a_kind_of_thruster_of_somebody_else_is_in_the_key(tmp_path):
    """Numba would go on running its old code after a change of its file, which the package's sources do not hold."""
    before = files_of_others()
    with new_kind.installed():
        assert set(files_of_others()) - set(before) == {new_kind.FILE}
    assert files_of_others() == before
    file = tmp_path / 'kind.py'
    keys = set()
    for text in ('one', 'another'):
        file.write_text(text)
        fingerprint.cache_clear()
        keys |= {fingerprint(others=(file,)), fingerprint()}
    assert len(keys) == 3
