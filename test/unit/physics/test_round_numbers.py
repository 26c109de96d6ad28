import math

import pytest

from usv_energy.physics.sampling import round_down, round_up


@pytest.mark.parametrize(('value', 'below', 'above'), [
    (1.0, 1.0, 1.0), (1.0 + 1e-6, 1.0, 2.0), (3.0, 2.0, 5.0), (0.07, 0.05, 0.1), (7e5, 5e5, 1e6), (0.3, 0.2, 0.5)])
def test_the_neighbours_among_round_numbers(value, below, above):
    assert round_down(value) == pytest.approx(below, rel=1e-15)
    assert round_up(value) == pytest.approx(above, rel=1e-15)


@pytest.mark.parametrize('exponent', range(-9, 10))
def test_a_round_number_stays_whichever_way_it_was_rounded(exponent):
    for factor in (1.0, 2.0, 5.0):
        exact = factor * 10.0**exponent
        for value in (exact, math.nextafter(exact, 0.0), math.nextafter(exact, math.inf)):
            assert round_down(value) == pytest.approx(exact, rel=1e-15)
            assert round_up(value) == pytest.approx(exact, rel=1e-15)
