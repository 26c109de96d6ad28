"""Steps in time: those kept in memory, and the two that bracket a time."""

import math

import numpy as np
import pytest

from usv_energy.flow.steps import StepCache, bracket


def test_a_step_that_fails_is_tried_again():
    attempts = []

    def load(step):
        attempts.append(step)
        if len(attempts) == 1:
            raise OSError('gone')
        return step

    cache = StepCache(load)
    with pytest.raises(OSError, match='gone'):
        cache.get(3)
    assert cache.get(3) == 3 and len(cache) == 1


def test_bracket():
    times = np.array([0.0, 2.0, 3.0])
    assert [bracket(times, t) for t in (0.0, 0.5, 2.0, 2.75, 3.0)] == [(0, 0.0), (0, 0.25), (1, 0.0), (1, 0.75),
                                                                        (2, 0.0)]
    assert [bracket(times, t) for t in (-0.1, 3.1, math.nan)] == [None] * 3
    assert bracket(np.zeros(1), 0.0) == (0, 0.0)
