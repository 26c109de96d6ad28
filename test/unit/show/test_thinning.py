import math

import numpy as np

from usv_energy.show.figure import envelope, robust_limits, rows_of


def test_thinning_keeps_the_extremes_the_ends_and_the_holes(rng):
    time = np.arange(100_000) * 0.01
    values = rng.standard_normal(100_000)
    values[77_777], values[5] = 50.0, -40.0
    t, v = envelope(time, values, 300, 1.0)
    assert v.size <= 602
    assert (np.nanmin(v), np.nanmax(v)) == (-40.0, 50.0)
    assert (t[0], t[-1]) == (time[0], time[-1])
    holes = time.copy()
    holes[50_000:] += 100.0
    t, v = envelope(holes, values, 300, 1.0)
    assert np.isnan(v).sum() == 1
    short, _ = envelope(np.array([0.0, 1.0, 5.0]), np.array([1.0, 2.0, 3.0]), 300, 1.0)
    np.testing.assert_array_equal(short, [0.0, 1.0, math.nan, 5.0])
    assert rows_of(10, 4).tolist() == [0, 3, 6, 9]
    assert rows_of(0, 4).size == 0


def test_a_spike_does_not_set_the_axis():
    values = np.concatenate([np.full(5000, 20.0), [5000.0]])
    low, high, cut = robust_limits([values])
    assert (low, cut) == (0.0, True)
    assert high < 40.0
    assert robust_limits([np.array([-5.0, 20.0])])[2] is False
    assert robust_limits([np.full(3, math.nan)]) == (0.0, 1.0, False)
