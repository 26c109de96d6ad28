import numpy as np
import pytest


@pytest.fixture
def rng():
    """Return a generator that starts from the same seed in every test, whatever ran before."""
    return np.random.default_rng(20210917)
