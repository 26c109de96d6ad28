"""What explains the spread of a sweep."""

import numpy as np
import pytest

from usv_energy.engine.sweep.sweep_summary import influences


def test_what_explains_the_variance_is_found_in_a_known_sum(rng):
    """y = 2 a + b of even a and b: shares 4/5 and 1/5 of the variance; c has none; ranks lose a little."""
    a, b, c = rng.uniform(-1.0, 1.0, (3, 20000))
    found, explained = influences({'c': c, 'b': b, 'a': a}, 2.0 * a + b)
    shares = {one.parameter: one.share for one in found}
    assert [one.parameter for one in found] == ['a', 'b', 'c']
    assert shares['a'] == pytest.approx(0.8, abs=0.02)
    assert shares['b'] == pytest.approx(0.2, abs=0.03)
    assert abs(shares['c']) < 1e-3
    assert explained == pytest.approx(sum(shares.values())) and 0.97 < explained < 1.0
    assert influences({'a': a}, np.cos(9.0 * a))[1] < 0.1, 'what is not monotone is not explained'
