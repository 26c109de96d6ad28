"""Windows of logs for roll-outs, and the start states of these windows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.studies.identify.rollout.driven_rollout import driven_motion
from usv_energy.studies.identify.rollout.fit_parameters import (
    FitModel,
    compass_of,
    pushes_ahead_only,
    substeps_of,
    thrust_numbers,
    thrusts_of,
    vessel_of,
)
from usv_energy.studies.identify.rollout.rollout import HullModel, RolloutInputs, best_roll
from usv_energy.studies.identify.rollout.thrust_course import ThrustCourses
from usv_energy.studies.identify.rollout.tracks import LogTrack, limits_at_rest

HORIZON, EVERY = 10.0, 2.0      # Duration of a window and time between the starts of windows, s.

START_STEP = 1e-7   # Finite-difference step of start states, m/s and rad/s: far below noise, far above rounding.
LEAST_STD = 1e-6    # Noise of a start state, m/s and rad/s, below which it counts as exact.
MAD_TO_STD = 1.4826     # Ratio of standard deviation to median absolute value of a normal distribution.


@dataclass(frozen=True, eq=False)
class Windows:
    """The windows of one log: the LogTrack, first samples, length in samples, and measured motion."""

    track: LogTrack
    starts: np.ndarray
    samples: int
    measured: np.ndarray  # u, v, r: (windows, samples, 3)

    @property
    def overlap(self) -> float:
        """Number of windows that contain a sample."""
        gaps = np.diff(self.starts)
        return max(1.0, self.samples / float(np.median(gaps))) if len(gaps) else 1.0


def windows_from(track: LogTrack, horizon: float, every: float) -> Windows:
    """Return the windows of one log; duration and distance of their starts in s."""
    samples = track.samples_in(horizon)
    starts = track.starts(samples, every)
    return Windows(track, starts, samples, track.motion[starts[:, None] + 1 + np.arange(samples), 1:])


def windows_of(tracks: Sequence[LogTrack], horizon: float = HORIZON, every: float = EVERY,
               moving_only: bool = True) -> tuple[Windows, ...]:
    """
    Return the windows of some logs.

    :param horizon: Duration of a window, s.
    :param every: Time between starts, s.
    :param moving_only: Leave out windows in which the boat lies at rest.
    :raises InputError: If there is none at all.
    """
    limits = limits_at_rest(tracks)
    found = []
    for track in tracks:
        windows = windows_from(track, horizon, every)
        if moving_only:
            moving = track.under_way(windows.starts, windows.samples, *limits)
            windows = replace(windows, starts=windows.starts[moving], measured=windows.measured[moving])
        found.append(windows)
    if not any(len(windows.starts) for windows in found):
        longest = max((float(track.time[-1] - track.time[0]) for track in tracks), default=0.0)
        raise InputError(f'{", ".join(track.name for track in tracks)}: no stretch of {horizon:g} s under way with '
                         f'known motion and thrust; the longest log has {longest:.1f} s')
    return tuple(found)


def beginning_of(windows: Windows, share: float) -> Windows:
    """Return windows with the same starts and only a share of their samples, at least one."""
    samples = max(1, round(share * windows.samples))
    return replace(windows, samples=samples, measured=windows.measured[:, :samples])


def residuals(windows: Windows, values: np.ndarray, model: FitModel, flow: np.ndarray,
              roll: Callable[..., None] | None = None, courses: ThrustCourses | None = None,
              keep: bool = True, shift: np.ndarray | None = None) -> np.ndarray:
    """
    Return roll-out minus measurement, u, v, m/s, and r, rad/s, (windows, samples, 3); NaN if not measured.

    :param flow: Steady current x, y and wind x, y in addition to those that the log recorded, m/s, (4,).
    :param courses: Cache of the thrusts' courses of a fit.
    :param keep: Whether to keep this course in the cache.
    :param shift: Differences of the windows' start states from the measured u, v, m/s, and r, rad/s, (windows, 3).
    """
    track, vessel = windows.track, vessel_of(values, model)
    substeps = substeps_of(track, vessel)
    motion = started(track.motion, windows.starts, shift)
    if not pushes_ahead_only(vessel):
        found = driven_motion(track, (windows.starts, windows.samples), values, model, flow, courses, keep, motion)
        return np.asarray(found - windows.measured)
    forces = (courses or ThrustCourses()).forces(
        track, thrust_numbers(values, model), lambda: thrusts_of(track.thrust, values, model), vessel, substeps, keep)
    inputs = RolloutInputs(track.steps, substeps, forces, motion, track.flow + flow,
                           compass_of(values, model))
    out = np.empty_like(windows.measured)
    hull = HullModel(vessel.inertia, vessel.damping, vessel.windage)
    (roll or best_roll())(windows.starts, windows.samples, inputs, hull, out)
    return np.asarray(out - windows.measured)


def velocity_noise(track: LogTrack) -> np.ndarray:
    """
    Return the standard deviation of the white noise of a log's u, v, m/s, and r, rad/s, (3,); 0 with too few samples.

    Third differences of the samples have 20 times the variance of white noise, and slow motion cancels in them. The
    median is used because thrusts change in steps.
    """
    motion = track.motion[:, 1:]
    differences = np.concatenate([np.diff(motion[begin:end], 3, axis=0) for begin, end in track.runs]
                                 or [np.zeros((0, 3))])
    differences = differences[np.isfinite(differences).all(axis=1)]
    if not len(differences):
        return np.zeros(3)
    return np.asarray(MAD_TO_STD * np.median(np.abs(differences), axis=0) / 20.0 ** 0.5)


class StartPrior(NamedTuple):
    """Prior of the start states of a log's windows: standard deviations, m/s and rad/s, (3,); windows per sample."""

    std: np.ndarray
    overlap: float

    @property
    def precision(self) -> np.ndarray:
        """
        Weight of a squared correction of a start state, (3,).

        Overlapping windows use a sample several times, so each use has a lower weight; start states are treated alike.
        """
        return np.asarray(1.0 / (np.maximum(self.std, LEAST_STD) ** 2 * self.overlap))


class Sums(NamedTuple):
    """
    One log's part of the normal equations, for C columns of boat and flow and three start states of each of W windows.

    `gradient` (C,), `matrix` (C, C); of starts `start_gradient` (W, 3), `start_matrix` (W, 3, 3), `mixed` (W, 3, C).
    """

    gradient: np.ndarray
    matrix: np.ndarray
    start_gradient: np.ndarray
    start_matrix: np.ndarray
    mixed: np.ndarray

    def condensed(self, damping: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """
        Eliminate the start states from gradient and matrix.

        The result has the terms to subtract from gradient (C,) and matrix (C, C), the start states' own step (W, 3),
        and their response to a step of the columns (W, 3, C).

        :param damping: Of Levenberg and Marquardt, (-).
        """
        damped = self.start_matrix * (1.0 + damping * np.eye(3))
        answers = np.linalg.solve(damped, np.concatenate([self.mixed, self.start_gradient[..., None]], axis=-1))
        to_columns, alone = answers[..., :-1], answers[..., -1]
        return (np.einsum('wsc,ws->c', self.mixed, alone), np.einsum('wsc,wsd->cd', self.mixed, to_columns),
                alone, to_columns)


class Linearised(NamedTuple):
    """
    One log's errors, (W, samples + 1, 3), derivatives by columns, (..., C), and by starts, (..., 3), and weights.

    The last row of each window compares its start state with the measurement.
    """

    error: np.ndarray
    slopes: np.ndarray
    start_slopes: np.ndarray
    weight: np.ndarray

    def sums(self) -> Sums:
        """Return the log's part of the normal equations."""
        windows, columns = len(self.error), self.slopes.shape[-1]
        numbers = self.error.shape[1] * self.error.shape[2]  # Not -1: a log may have no window.
        known = np.isfinite(self.error)
        both = np.concatenate([self.slopes, self.start_slopes], axis=-1)
        flat = np.where(known[..., None], both, 0.0).reshape(windows, numbers, columns + 3)
        weighted = (flat * self.weight.reshape(windows, numbers, 1)).transpose(0, 2, 1)
        gradient = (weighted @ np.where(known, self.error, 0.0).reshape(windows, numbers, 1))[..., 0]
        matrix = weighted @ flat
        return Sums(gradient[:, :columns].sum(axis=0), matrix[:, :columns, :columns].sum(axis=0),
                    gradient[:, columns:], matrix[:, columns:, columns:], matrix[:, columns:, :columns])

    def slopes_beyond_starts(self) -> np.ndarray:
        """Return the derivatives by the columns, with the start states following their optimum."""
        _, _, _, answers = self.sums().condensed(0.0)
        return np.asarray(self.slopes - np.einsum('wnks,wsc->wnkc', self.start_slopes, answers))


def with_starts(error: np.ndarray, slopes: np.ndarray, start_slopes: np.ndarray, weight: np.ndarray,
                shift: np.ndarray, prior: StartPrior) -> Linearised:
    """
    Append the errors of the start states to a log's linearised errors.

    :param error: Of the samples, (W, samples, 3); `slopes` by columns, (..., C), `start_slopes` by starts, (..., 3).
    :param weight: Of their squares.
    :param shift: Of the starts from their measurement, m/s and rad/s, (W, 3).
    """
    windows, columns = len(error), slopes.shape[-1]
    own = np.broadcast_to(np.eye(3), (windows, 1, 3, 3))
    return Linearised(np.concatenate([error, shift[:, None]], axis=1),
                      np.concatenate([slopes, np.zeros((windows, 1, 3, columns))], axis=1),
                      np.concatenate([start_slopes, own], axis=1),
                      np.concatenate([weight, np.broadcast_to(prior.precision, (windows, 1, 3))], axis=1))


def started(motion: np.ndarray, starts: np.ndarray, shift: np.ndarray | None) -> np.ndarray:
    """Return a log's motion, (n, 4), with the velocities of some samples shifted, (W, 3); unchanged for None."""
    if shift is None:
        return motion
    moved = motion.copy()
    moved[starts, 1:] += shift
    return moved
