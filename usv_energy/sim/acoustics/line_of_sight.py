"""Whether something solid lies between two places, seen from above: sound does not go through it."""

import math
from collections.abc import Sequence

import numpy as np

from ..obstacle import Footprint, Obstacle, clearances
from .hearing import Place


def is_blocked(obstacles: Sequence[Obstacle], a: Place, b: Place) -> bool:
    """Return whether the straight way from one place to another, m (ENU), meets one of some obstacles."""
    middle = np.array([[0.5 * (a[axis] + b[axis])] for axis in (0, 1)])
    way = Footprint(math.hypot(b[0] - a[0], b[1] - a[1]), 0.0)  # A hull of no width.
    yaw = np.array([math.atan2(b[1] - a[1], b[0] - a[0])])
    return any(float(clearances(obstacle, middle[0], middle[1], yaw, way)[0]) == 0.0 for obstacle in obstacles)
