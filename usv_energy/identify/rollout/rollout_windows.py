"""The windows of logs that a boat is rolled out over: where they start, what was measured, and what roll-outs miss."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...files.errors import InputError
from .actuator_parameters import pushes_ahead_only
from .driven_rollout import driven_motion
from .fit_parameters import FitModel, compass_of, substeps_of, thrust_numbers, thrusts_of, vessel_of
from .rollout import HullModel, RolloutInputs, best_roll
from .thrust_course import ThrustCourses
from .tracks import LogTrack, limits_at_rest
from .window_starts import started

HORIZON, EVERY = 10.0, 2.0      # Duration of a window and time between the starts of windows, s.


@dataclass(frozen=True, eq=False)
class Windows:
    """The windows of one log: the LogTrack, their first samples, their length in samples, what was measured in them."""

    track: LogTrack
    starts: np.ndarray
    samples: int
    measured: np.ndarray  # u, v, r: (windows, samples, 3)

    @property
    def overlap(self) -> float:
        """How many windows a sample lies in."""
        gaps = np.diff(self.starts)
        return max(1.0, self.samples / float(np.median(gaps))) if len(gaps) else 1.0


def windows_from(track: LogTrack, horizon: float, every: float) -> Windows:
    """Return the windows of one log, of a duration, s, one every so many seconds."""
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
    """Return windows with the same starts, but only a share of their samples, one at least."""
    samples = max(1, round(share * windows.samples))
    return replace(windows, samples=samples, measured=windows.measured[:, :samples])


def residuals(windows: Windows, values: np.ndarray, model: FitModel, flow: np.ndarray,
              roll: Callable[..., None] | None = None, courses: ThrustCourses | None = None,
              keep: bool = True, shift: np.ndarray | None = None) -> np.ndarray:
    """
    Return roll-out less measurement, u, v, m/s, and r, rad/s, (windows, samples, 3); NaN where not measured.

    :param flow: Steady current x, y and wind x, y beside what the log recorded, m/s, (4,).
    :param courses: The thrusts' courses of a fit; `keep`: keep this one.
    :param shift: By how much the windows start off the measured u, v, m/s, and r, rad/s, (windows, 3).
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
