import numpy as np
import pytest


def pytest_addoption(parser):
    parser.addoption('--fuzz', type=int, default=200, metavar='N',
                     help='how many mutated files of each kind the fuzz tests read (default 200)')


@pytest.fixture
def fuzz_seeds(request):
    """Return how many mutations of each kind of file are tried: fuzz.py."""
    return request.config.getoption('--fuzz')


@pytest.fixture
def rng():
    """Return a generator that starts from the same seed in every test, whatever ran before."""
    return np.random.default_rng(20210917)
