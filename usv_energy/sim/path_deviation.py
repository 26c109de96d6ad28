"""How far a run went from its planned path: the straight legs from the start through the waypoints."""

from collections.abc import Sequence

import numpy as np

from .autopilot import Autopilot
from .record import Row
from .scenario import Scenario


def legs_of(scenario: Scenario, rows: Sequence[Row]) -> np.ndarray:
    """
    Return the number of the leg, from 0, that the boat was on at each sample, shape (N,).

    A leg ends where the scenario's own pilot takes its waypoint for reached, so that a recording needs no such column.
    A boat that stays at a waypoint is still on the leg that led there.
    """
    pilot, last = Autopilot(scenario), len(scenario.waypoints) - 1
    return np.array([min(pilot.waypoint_at(row.time, row.x, row.y), last) for row in rows], dtype=int)


def path_deviations(scenario: Scenario, legs: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """
    Return the distances from the planned path, m, shape (N,).

    It is that to the nearest point of the leg that the boat is on, and of the leg before, which it leaves within the
    waypoint's radius.

    :param scenario: Whose way it is.
    :param legs: Number of the leg at each sample, from 0, shape (N,).
    :param x: East, m, shape (N,).
    :param y: North, m, shape (N,).
    """
    corners = np.array([scenario.start[:2], *scenario.waypoints], dtype=float)
    nearest: np.ndarray = np.minimum(_distances(corners, legs, x, y),
                                     _distances(corners, np.maximum(legs - 1, 0), x, y))
    return nearest


def _distances(corners: np.ndarray, legs: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the distances from the legs with numbers, m; `corners` are start and waypoints, shape (W + 1, 2)."""
    begin, along = corners[legs], corners[legs + 1] - corners[legs]
    to_x, to_y = x - begin[:, 0], y - begin[:, 1]
    squared = (along * along).sum(axis=1)
    share = np.clip((to_x * along[:, 0] + to_y * along[:, 1]) / np.where(squared > 0.0, squared, 1.0), 0.0, 1.0)
    distance: np.ndarray = np.hypot(to_x - share * along[:, 0], to_y - share * along[:, 1])
    return distance
