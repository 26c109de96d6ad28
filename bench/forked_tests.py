"""pytest in a process forked from one that has loaded the large libraries: few tests then start at once."""

import contextlib
import importlib
import importlib.metadata
import os
import resource
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import NoReturn

import pytest

# What the tests load first; each where it is there.
LIBRARIES = ('numpy', 'scipy.optimize', 'scipy.linalg', 'scipy.signal', 'scipy.ndimage', 'scipy.stats', 'numba',
             'yaml', 'jsonschema', 'pyogrio', 'xarray')
PLUGINS = 'pytest11'  # Group of the entry points that pytest loads; zarr's takes longer than most tests.
MEMORY = 8 << 30  # bytes a process of the tests may have: a change can ask for more than the machine holds.
NOT_FOUND = 4  # pytest's status where it does not know a test's name.


def load_libraries() -> None:
    """Load what the tests load, once for all forked processes."""
    for name in LIBRARIES:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    for plugin in importlib.metadata.entry_points(group=PLUGINS):
        with contextlib.suppress(ImportError):
            plugin.load()


def fault_of(folder: Path, tests: list[str], timeout: float, without: list[str], without_root: Path) -> str:
    """
    Return which test fails in a copy of the repository, empty for none.

    :param folder: The copy.
    :param tests: As pytest names them.
    :param timeout: s; tests that take longer fail.
    :param without: Tests to be left out.
    :param without_root: The repository that the copy is of, whose code is not to be loaded.
    """
    status, told = _run(folder, tests, timeout, without, without_root)
    if status is None:
        return f'more than {timeout:g} s'
    if status == 0:
        return ''
    if status == NOT_FOUND and any('::' in test for test in tests):
        return fault_of(folder, sorted({test.partition('::')[0] for test in tests}), timeout, without, without_root)
    lines = [line for line in told.splitlines() if line.startswith(('FAILED', 'ERROR'))]
    return (lines or told.strip().splitlines() or ['pytest failed'])[0].partition(' - ')[0]


def _run(folder: Path, tests: list[str], timeout: float, without: list[str], root: Path) -> tuple[int | None, str]:
    """Return pytest's status, None where it took too long, and what it said."""
    arguments = ['-x', '-q', '--no-header', '--tb=no', '-p', 'no:cacheprovider', *tests,
                 *(f'--deselect={test}' for test in without)]
    with tempfile.TemporaryFile() as output:
        sys.stdout.flush()
        sys.stderr.flush()
        process = os.fork()
        if process == 0:
            _become_pytest(folder, arguments, output.fileno(), root)
        status, end = None, time.monotonic() + timeout
        try:
            while time.monotonic() < end:
                done, code = os.waitpid(process, os.WNOHANG)
                if done:
                    status = abs(os.waitstatus_to_exitcode(code))
                    break
                time.sleep(0.05)  # Between two looks at a child process, until the deadline.
        finally:
            with contextlib.suppress(ProcessLookupError):  # What the tests started, too.
                os.killpg(process, signal.SIGKILL)
            if status is None:
                os.waitpid(process, 0)
        output.seek(0)
        return status, output.read().decode('utf-8', 'replace')


def _become_pytest(folder: Path, arguments: list[str], output: int, root: Path) -> NoReturn:
    status = 1
    try:
        os.setsid()
        os.nice(5)
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.chdir(folder)
        elsewhere = [one for one in sys.path if one and Path(one) != root and root / 'test' not in Path(one).parents
                     and Path(one) != root / 'bench']
        sys.path[:] = [str(folder), *elsewhere]
        os.environ['PYTHONPATH'] = os.pathsep.join([str(folder), os.environ.get('PYTHONPATH', '')])
        for name in [name for name in sys.modules if name.partition('.')[0] in ('usv_energy', 'test_mirror')]:
            del sys.modules[name]
        importlib.invalidate_caches()
        status = int(pytest.main(arguments))
        sys.stdout.flush()
    finally:
        os._exit(status)
