"""Which side of the walls a point is on."""

import numpy as np
import pytest

from usv_energy.flow.grids.triangles import inside_walls

RNG = np.random.default_rng(11)


def ring(x, y, radius, corners, turn=0.0):
    angle = turn + 2.0 * np.pi * np.arange(corners) / corners
    return np.column_stack((x + radius * np.cos(angle), y + radius * np.sin(angle)))


def test_walls_tell_inside_exactly():
    """Against matplotlib's own test of each polygon: a square, a hole with an island in it, a bay. None differs."""
    path = pytest.importorskip('matplotlib.path')
    shapely = pytest.importorskip('shapely')
    polygons = [np.array(((0.0, 0.0), (100.0, 0.0), (100.0, 80.0), (0.0, 80.0))), ring(30.0, 30.0, 22.0, 37),
                ring(30.0, 30.0, 9.0, 4, 0.3), np.array(((60.0, 60), (90, 60), (90, 70), (75, 63), (60, 70)))]
    x, y = RNG.uniform((-5.0, -5.0), (105.0, 85.0), (100_000, 2)).T
    times = sum(path.Path(polygon).contains_points(np.column_stack((x, y))).astype(int) for polygon in polygons)
    inside = inside_walls(shapely, polygons[::-1])
    np.testing.assert_array_equal(inside(x, y), times % 2 == 1)
    assert inside(np.array([0.0, 100.0, 50.0, np.nan]), np.array([5.0, 80.0, 0.0, 1.0])).tolist() == [
        True, True, True, False]
