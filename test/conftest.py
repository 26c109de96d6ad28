import contextlib
import gc
import os
import shutil
import signal

# Before numpy: two threads that wait for each other take six times the processor time of one, beside other tests.
os.environ.setdefault('OPENBLAS_NUM_THREADS', '1')

import numpy as np
import pytest
from whole_modules import EveryTest, looks_at_whole_folders, skipped_module

from usv_energy.physics.compile_notice import notice

# Before ecCodes, which xarray loads where it looks for an engine: usv_energy/files/optional.py says why.
with contextlib.suppress(ImportError):
    import pyogrio  # noqa: F401  # loaded, not used


# What a command says on stderr does not depend on what this machine has compiled before.
notice.said = True

# A shell that is no terminal's has what it starts in the background ignore Ctrl-C, and all that this starts in turn:
# programs that tests interrupt would go on for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser):
    parser.addoption('--fuzz', type=int, default=200, metavar='N',
                     help='how many mutated files of each kind the fuzz tests read (default 200)')


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """
    Collect tests without collecting garbage, and leave them out of all later collections, which graphs ask for.

    These come seldom: at Python's 700 objects they take an eighth of the time in which numba compiles.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.set_threshold(20_000, 20, 20)
        gc.enable()


# Before launch_testing's, which imports the module.
@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makemodule(module_path, parent):
    return skipped_module(module_path, parent)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(session, config, items):
    if looks_at_whole_folders(config):
        items.append(EveryTest.of(session))


@pytest.fixture
def fuzz_seeds(request):
    """Return how many mutations of each kind of file are tried: fuzz.py."""
    return request.config.getoption('--fuzz')


@pytest.fixture
def rng():
    """Return a generator that starts from the same seed in every test, whatever ran before."""
    return np.random.default_rng(20210917)


@pytest.fixture(scope='module')
def browser():
    """
    Return a headless browser that this machine has; skip without one.

    It is Chromium, or with USV_ENERGY_BROWSER=firefox the system's Firefox, which is driven by WebDriver BiDi.
    """
    playwright = pytest.importorskip('playwright.sync_api', reason='needs playwright (pip install playwright)')
    kind = os.environ.get('USV_ENERGY_BROWSER', 'chromium')
    names, options = {'chromium': (('chromium', 'chromium-browser', 'google-chrome'), {'args': ['--no-sandbox']}),
                      'firefox': (('firefox', 'firefox-esr'), {'channel': 'moz-firefox'})}[kind]
    binary = next((there for there in map(shutil.which, names) if there), None)
    if binary is None:
        pytest.skip(f'needs {kind} (apt install {kind})')
    with playwright.sync_playwright() as started:
        view = getattr(started, kind).launch(executable_path=binary, **options)
        yield view
        view.close()
