from pathlib import Path

import numpy as np

from usv_energy.logs.log import Log
from usv_energy.logs.resample import held, interpolated, resampled


def test_commands_are_held_and_the_rest_interpolated_but_not_across_gaps():
    time = np.array([0.0, 1.0, 2.0, 10.0])
    values = np.array([0.0, 1.0, 4.0, 8.0])
    np.testing.assert_array_equal(interpolated(np.array([0.5, 1.5, 6.0, 10.0, 30.0]), time, values, 2.0),
                                  [0.5, 2.5, np.nan, 8.0, np.nan])
    np.testing.assert_array_equal(held(np.array([-1.0, 0.0, 0.9, 9.0]), time, values), [np.nan, 0.0, 0.0, 4.0])
    log = Log('a', Path('a'), time, u=values, thrust=values[:, None], thrusters=('one',), max_gap=2.0)
    even = resampled(log, 0.5)
    np.testing.assert_array_equal(even.time, [0.0, 0.5, 1.0, 1.5, 2.0, 10.0])
    np.testing.assert_array_equal(even.u, [0.0, 0.5, 1.0, 2.5, 4.0, 8.0])
    np.testing.assert_array_equal(even.thrust[:, 0], [0.0, 0.0, 1.0, 1.0, 4.0, 8.0])


def test_a_clock_slower_than_the_gaps_of_a_log_makes_no_gaps():
    log = Log('a', Path('a'), np.arange(0.0, 60.0, 0.1))
    assert resampled(log, 2.0).gaps == []
