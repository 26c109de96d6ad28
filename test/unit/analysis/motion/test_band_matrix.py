import numpy as np
import pytest

from usv_energy.analysis.motion.band_matrix import empty_band, factored, solution

ROWS, SIZE = 4, 60


def _matrix(rng):
    """Return a band matrix, its lower half as a band, and all of it: L L^T of a random lower band L."""
    factor = np.zeros((SIZE, SIZE))
    for row in range(ROWS):
        np.fill_diagonal(factor[row:], rng.normal(size=SIZE - row) + (3.0 if row == 0 else 0.0))
    whole, band = factor @ factor.T, empty_band(ROWS, SIZE)
    for row in range(ROWS):
        band[row, :SIZE - row] = np.diagonal(whole, -row)
    return factor, band, whole


def test_a_factor_is_taken_in_place_and_is_cholesky_s(rng):
    lower, band, _ = _matrix(rng)
    factor = factored(band)
    assert factor is band
    for row in range(ROWS):
        np.testing.assert_allclose(np.abs(factor[row, :SIZE - row]), np.abs(np.diagonal(lower, -row)), rtol=1e-9)


@pytest.mark.parametrize('columns', [1, 3])
def test_a_solution_is_that_of_the_whole_matrix(rng, columns):
    _, band, whole = _matrix(rng)
    right = rng.normal(size=(SIZE, columns))
    given = right.copy()
    np.testing.assert_allclose(solution(factored(band), right), np.linalg.solve(whole, right), rtol=1e-8)
    np.testing.assert_array_equal(right, given)


def test_what_is_not_positive_or_lies_otherwise_is_refused(rng):
    _, band, _ = _matrix(rng)
    with pytest.raises(ValueError, match='column by column'):
        factored(np.ascontiguousarray(band))
    band[0, 7] = -1.0
    with pytest.raises(np.linalg.LinAlgError, match='dpbtrf: 8'):
        factored(band)
