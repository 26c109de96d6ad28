"""Steps in time: those kept in memory, and the two that bracket a time."""

import math

import numpy as np
import pytest

from usv_energy.flow.grids.node_steps import StepCache, bracket


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


@pytest.mark.parametrize(('budget', 'kept'), [(0, 4), (5 * 800, 5), (10 ** 9, 50)])
def test_steps_are_kept_up_to_a_number_of_bytes_and_four_at_least(budget, kept):
    loads = []

    def load(step):
        loads.append(step)
        return np.full(50, float(step)), np.zeros(50)   # 800 bytes

    cache = StepCache(load, budget=budget)
    for step in range(50):
        assert cache.get(step)[0][0] == step
    assert len(cache) == kept
    cache.get(50 - kept)
    assert loads == list(range(50))
    cache.clear()
    assert len(cache) == 0


def test_what_is_no_array_counts_as_large():
    cache = StepCache(lambda step: {'step': step})
    for step in range(9):
        cache.get(step)
    assert len(cache) == 4


def test_bracket():
    times = np.array([0.0, 2.0, 3.0])
    assert [bracket(times, t) for t in (0.0, 0.5, 2.0, 2.75, 3.0)] == [(0, 0.0), (0, 0.25), (1, 0.0), (1, 0.75),
                                                                        (2, 0.0)]
    assert [bracket(times, t) for t in (-0.1, 3.1, math.nan)] == [None] * 3
    assert bracket(np.zeros(1), 0.0) == (0, 0.0)
