import numpy as np
import pytest

from usv_energy.flow.grids.triangles import Triangles


@pytest.fixture
def square(rng):
    """Return a unit-square mesh of 2 x 20 x 20 triangles, its inner points moved, far from the origin."""
    size = 21
    x, y = (part.copy() for part in np.meshgrid(np.linspace(0, 1, size), np.linspace(0, 1, size)))
    x[1:-1, 1:-1] += rng.uniform(-0.012, 0.012, (size - 2, size - 2))
    points = np.stack((x.ravel() + 5e5, y.ravel() + 4e6), axis=1)
    one = (np.arange(size - 1)[:, None] * size + np.arange(size - 1)).ravel()
    below, above = (one, one + 1, one + size + 1), (one, one + size + 1, one + size)
    corners = np.concatenate((np.stack(below, axis=1), np.stack(above, axis=1)))
    return points, corners


def test_weights_return_the_point(square, rng):
    points, corners = square
    triangles = Triangles(points, corners)
    x, y = rng.uniform(5e5, 5e5 + 1, 3000), rng.uniform(4e6, 4e6 + 1, 3000)
    found, weights = triangles.find(x, y, np.ones(len(corners), dtype=bool))
    assert (found >= 0).all()
    assert weights.min() > -1e-6
    np.testing.assert_allclose(weights.sum(axis=0), 1.0, atol=1e-14)
    back = np.einsum('nkc,kn->nc', points[corners[found]], weights)
    np.testing.assert_allclose(back, np.stack((x, y), axis=1), rtol=0, atol=2e-9)  # the coordinates' own rounding


def test_outside_is_nowhere(square):
    points, corners = square
    triangles = Triangles(points, corners)
    x = np.array([-1e-3, 1.001, 0.5, 0.5, np.nan, np.inf, 0.5, 1e12]) + 5e5
    y = np.array([0.5, 0.5, -1e-3, 1.001, 0.5, 0.5, np.nan, 1e12]) + 4e6
    found, weights = triangles.find(x, y, np.ones(len(corners), dtype=bool))
    assert (found == -1).all() and np.isnan(weights).all()


def test_points_and_edges_belong_to_any_usable_neighbour(square):
    """Rounding must not open gaps between neighbours; and an edge is found from the side that can be used."""
    points, corners = square
    triangles = Triangles(points, corners)
    first = np.arange(len(corners)) < len(corners) // 2    # the lower right half of each square
    middles = points[corners[first][:, [0, 2]]].mean(axis=1)      # of the diagonals
    for usable in (first, ~first):
        found, _ = triangles.find(*middles.T, usable)
        assert (found >= 0).all() and usable[found].all()
    assert (triangles.find(*points.T, np.ones(len(corners), dtype=bool))[0] >= 0).all()


def test_sizes_may_differ_a_thousandfold():
    points = np.array([(0, 0), (1000, 0), (0, 1000), (1000.5, 0), (1000.5, 1), (2000, 2000)], dtype=float)
    triangles = Triangles(points, np.array([(0, 1, 2), (1, 3, 4), (2, 4, 5)]))
    x, y = np.array([10.0, 1000.4, 900.0, 1900.0, 1999.0]), np.array([10.0, 0.1, 900.0, 1900.0, 0.0])
    assert triangles.find(x, y, np.ones(3, dtype=bool))[0].tolist() == [0, 1, 2, 2, -1]
    assert triangles.extent == (0.0, 0.0, 2000.0, 2000.0)
