"""Figures of a run's track: speeds, deviation from the planned path, collisions with obstacles."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from usv_energy.files.text_file import without_nan
from usv_energy.sim.control.autopilot import Autopilot
from usv_energy.sim.obstacle import clearances
from usv_energy.sim.record import Row, Run, Summary, relative, summary_of
from usv_energy.sim.scenario import Scenario


def legs_of(scenario: Scenario, rows: Sequence[Row]) -> np.ndarray:
    """
    Return the index of the leg of the boat at each sample, from 0, shape (N,).

    A leg ends where the scenario's own guidance counts its waypoint as reached, so a recording needs no column for it.
    A boat that stays at a waypoint is still on the leg that led there.
    """
    pilot, last = Autopilot(scenario), len(scenario.waypoints) - 1
    return np.array([min(pilot.waypoint_at(row.time, row.x, row.y), last) for row in rows], dtype=int)


def path_deviations(scenario: Scenario, legs: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """
    Return the distances from the planned path, m, shape (N,).

    They are distances to the nearest point of the present leg and of the leg before, which the boat leaves within the
    waypoint's radius.

    :param scenario: With the planned path.
    :param legs: Index of the leg at each sample, from 0, shape (N,).
    :param x: East, m, shape (N,).
    :param y: North, m, shape (N,).
    """
    corners = np.array([scenario.start[:2], *scenario.waypoints], dtype=float)
    return np.minimum(_distances(corners, legs, x, y),
                      _distances(corners, np.maximum(legs - 1, 0), x, y))


def _distances(corners: np.ndarray, legs: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the distances from legs, m; `corners` are start and waypoints, shape (W + 1, 2)."""
    begin, along = corners[legs], corners[legs + 1] - corners[legs]
    to_x, to_y = x - begin[:, 0], y - begin[:, 1]
    squared = (along * along).sum(axis=1)
    share = np.clip((to_x * along[:, 0] + to_y * along[:, 1]) / np.where(squared > 0.0, squared, 1.0), 0.0, 1.0)
    return np.hypot(to_x - share * along[:, 0], to_y - share * along[:, 1])


class RunTrack(NamedTuple):
    """
    The track of a run, one array of shape (N,) per quantity: position m (ENU), speeds over ground and water m/s.

    `leg`: from 0. `deviation`: from the planned path, m. `clearance`: distance to each of the K obstacles, 0 where the
    hull touches it, m, shape (K, N).
    """

    time: np.ndarray
    x: np.ndarray
    y: np.ndarray
    leg: np.ndarray
    deviation: np.ndarray
    over_ground: np.ndarray
    through_water: np.ndarray
    clearance: np.ndarray

    @property
    def least_clearance(self) -> np.ndarray:
        """The distance to the nearest obstacle, m, shape (N,); infinite without obstacles."""
        return self.clearance.min(axis=0, initial=np.inf)


class Collision(NamedTuple):
    """The first sample of a collision: time s, the boat's position m (ENU), and the obstacle's name."""

    time: float
    x: float
    y: float
    obstacle: str


def track_of(run: Run) -> RunTrack:
    """
    Return the track of a run, with or without ROS.

    Collisions are only counted; an obstacle exerts no force on the boat.
    """
    rows, scenario = run.rows, run.scenario
    time, x, y, yaw, u, v, water_x, water_y = np.array(
        [(row.time, row.x, row.y, *row.motion[:3], *row.flow[:2]) for row in rows], dtype=float).reshape(-1, 8).T
    through_water = np.hypot(u - water_x * np.cos(yaw) - water_y * np.sin(yaw),
                             v + water_x * np.sin(yaw) - water_y * np.cos(yaw))
    legs = legs_of(scenario, rows)
    room = [clearances(obstacle, x, y, yaw, scenario.hull) for obstacle in scenario.obstacles if scenario.hull]
    return RunTrack(time, x, y, legs, path_deviations(scenario, legs, x, y), np.hypot(u, v),
                 through_water, np.array(room).reshape(len(room), len(rows)))


def collisions_of(run: Run, track: RunTrack) -> list[Collision]:
    """
    Return the collisions of a run in order.

    A collision begins with the first sample at which hull and obstacle touch, and ends with the first at which they do
    not.
    """
    found = []
    for obstacle, room in zip(run.scenario.obstacles, track.clearance):
        touches = room <= 0.0
        begins = np.flatnonzero(touches & ~np.concatenate(([False], touches[:-1])))
        found += [Collision(float(track.time[n]), float(track.x[n]), float(track.y[n]), obstacle.name) for n in begins]
    return sorted(found)


def whole_summary(run: Run, run_by: str) -> Summary:
    """Return the summary of a run with that of its track; see `record.summary_of`."""
    return {**summary_of(run, run_by), **without_nan(track_summary(run))}


def track_summary(run: Run) -> dict[str, Any]:
    """
    Return the figures of a run's track for its summary, units in the keys; NaN if there is no number.

    Samples without a number are left out. The rms of the deviation is over time.
    """
    track, published = track_of(run), run.scenario.published
    distance = run.energy.distance_over_ground
    mean = distance / run.duration if run.duration else math.nan
    over_ground = _most(track.over_ground)
    return {
        'published_distance_m': published.distance, 'distance_relative': relative(distance, published.distance),
        'mean_speed_over_ground_m_s': mean, 'published_mean_speed_m_s': published.mean_speed,
        'mean_speed_relative': relative(mean, published.mean_speed),
        'peak_speed_over_ground_m_s': over_ground, 'published_peak_speed_m_s': published.peak_speed,
        'peak_speed_relative': relative(over_ground, published.peak_speed),
        'peak_speed_through_water_m_s': _most(track.through_water),
        'path_deviation_rms_m': rms_over_time(track.time, track.deviation),
        'path_deviation_max_m': _most(track.deviation),
        'waypoints': len(run.scenario.waypoints), **_collision_summary(run, track)}


def _collision_summary(run: Run, track: RunTrack) -> dict[str, Any]:
    collisions = collisions_of(run, track)
    first = collisions[0] if collisions else Collision(math.nan, math.nan, math.nan, '')
    room = track.least_clearance
    return {'obstacles': len(run.scenario.obstacles), 'collisions': len(collisions),
            'first_collision_s': first.time, 'first_collision_x_m': first.x, 'first_collision_y_m': first.y,
            'first_collision_with': first.obstacle,
            'least_clearance_m': float(np.nanmin(room)) if np.isfinite(room).any() else math.nan}


def rms_over_time(time: np.ndarray, values: np.ndarray) -> float:
    """Return the root mean square over time, by the trapezoidal rule; NaN without values."""
    known = np.isfinite(values)
    time, squared = time[known], values[known] ** 2
    if len(time) < 2 or time[-1] <= time[0]:
        return float(np.sqrt(squared.mean())) if len(squared) else math.nan
    area = 0.5 * float(np.sum((squared[1:] + squared[:-1]) * np.diff(time)))
    return math.sqrt(area / float(time[-1] - time[0]))


def _most(values: np.ndarray) -> float:
    return float(np.nanmax(values)) if np.isfinite(values).any() else math.nan
