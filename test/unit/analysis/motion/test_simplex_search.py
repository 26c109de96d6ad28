import numpy as np
import pytest

from usv_energy.analysis.motion.simplex_search import least


class Asked:
    """Rosenbrock's function, and where it was asked for."""

    def __init__(self):
        self.places = []

    def __call__(self, place):
        self.places.append(place)
        return float(np.sum(100.0 * (place[1:] - place[:-1] ** 2) ** 2 + (1.0 - place[:-1]) ** 2))


@pytest.mark.parametrize('most', [2, 5, 17, 60, 400])
@pytest.mark.parametrize('number', [2, 3])
def test_it_takes_scipys_steps(rng, number, most):
    from scipy.optimize import minimize
    for _ in range(20):
        start = rng.uniform(-2.0, 2.0, number)
        simplex = np.vstack([start, start + np.diag(rng.uniform(0.5, 1.5, number))])
        own, scipys = Asked(), Asked()
        found = least(own, simplex, 0.05, 0.1, most)
        wanted = minimize(scipys, start, method='Nelder-Mead',
                          options={'initial_simplex': simplex, 'maxfev': most, 'xatol': 0.05, 'fatol': 0.1})
        np.testing.assert_array_equal(found, wanted.x)
        np.testing.assert_array_equal(own.places, scipys.places)


def test_it_ends_in_the_middle_of_a_bowl():
    middle = np.array([1.0, -2.0])
    found = least(lambda place: float(((place - middle) ** 2).sum()), np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]),
                  1e-6, 1e-12, 1000)
    np.testing.assert_allclose(found, middle, atol=1e-5)
