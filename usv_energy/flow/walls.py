"""Which side of the walls a point is on: inside closed polygons, by the even-odd rule, so that holes are outside."""

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import numpy as np

Inside = Callable[[np.ndarray, np.ndarray], np.ndarray]


def inside_walls(shapely: Any, polygons: Sequence[np.ndarray]) -> Inside:
    """
    Return what says of points x, y, m, shape (N,), which lie within polygons or on their edges; False for NaN.

    :param shapely: The library, as `optional` returns it.
    :param polygons: Corners, m, shape (K, 2) each; those within others are holes, those within holes are islands.
    """
    rings = [shapely.make_valid(shapely.polygons(polygon)) for polygon in polygons]  # one may touch itself
    area = reduce(shapely.symmetric_difference, rings)
    shapely.prepare(area)

    def inside(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        found: np.ndarray = shapely.intersects_xy(area, x, y)
        return found

    return inside
