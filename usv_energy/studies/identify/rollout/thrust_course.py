"""The thrusters' forces along a log; each thrust is the first-order response to its command."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from usv_energy.boats.vessel import Vessel
from usv_energy.engine.numba_engine import compiled
from usv_energy.powering.actuators import turned_angle
from usv_energy.studies.identify.rollout.tracks import LogTrack, turning_parts
from usv_energy.thrusters.drive import hull_force
from usv_energy.thrusters.thruster import Thruster


def thruster_forces(track: LogTrack, thrusts: np.ndarray, vessel: Vessel, substeps: int) -> np.ndarray:
    """
    Return the thrusters' force on the hull along each step of a log; each thrust lags its command (first order).

    Over a substep the force is the straight line that has the exact mean and first moment. The impulse is then exact,
    its timing is exact to the same order, and the motion is a smooth function of the lag down to 0. With means alone,
    the fitted lag would be too small by about (damping rate) step^2 / 12, or 1 ms at 10 samples a second.

    :param track: The LogTrack. Each stretch begins with settled thrusters; an error of that assumption has decayed
        where windows start (`LogTrack.starts`).
    :param thrusts: Command of each thruster, without limits, N, (n, thrusters).
    :param vessel: The Vessel, for the thrusters' places, tilts and lags.
    :return: Surge N, sway N, yaw moment N m: their means, then their changes from the middle of a substep to its end,
        (n - 1, substeps, 6).

    Source: the exact response of a first-order lag to a constant command, as `drive.lagged_command`, integrated.
    """
    means, changes = thrust_lines(track, thrusts, vessel, substeps)
    return np.stack([*hull_force(means, vessel.thrusters), *hull_force(changes, vessel.thrusters)], axis=-1)


def thrust_lines(track: LogTrack, thrusts: np.ndarray, vessel: Vessel,
                 substeps: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Return each thrust's mean over each substep, and its change from the middle to the end, N, (n - 1, substeps)."""
    edges = np.linspace(0.0, 1.0, substeps + 1)
    steps = track.steps
    means, changes = [], []
    for number, thruster in enumerate(vessel.thrusters):
        target = np.nan_to_num(thrusts[:, number])
        if thruster.lag > 0.0:
            settled = _settled(target, np.exp(-steps / thruster.lag), track.runs)
            decay = np.exp(-np.outer(steps, edges) / thruster.lag)
            lags = thruster.lag * substeps / steps[:, None]     # Lag in substeps.
            mean = (decay[:, :-1] - decay[:, 1:]) * lags
            moment = (mean - decay[:, 1:]) * lags - 0.5 * mean  # About the middle; a line's is a sixth of its change.
            means.append(target[:-1, None] + (settled - target)[:-1, None] * mean)
            changes.append(6.0 * (settled - target)[:-1, None] * moment)
        else:
            means.append(np.broadcast_to(target[:-1, None], (len(steps), substeps)))
            changes.append(np.zeros((len(steps), substeps)))
    return means, changes


def setting_course(track: LogTrack, thrusts: np.ndarray, vessel: Vessel, substeps: int) -> np.ndarray:
    """
    Return the actuators' thrusts and angles along each step of a log, as `DrivenInputs.course`.

    Thrusts are the straight lines of `thrust_lines`; angles change at their rates, within their limits.
    """
    lines = [np.stack([mean - change, mean + 0.0 * change, mean + change], axis=-1)
             for mean, change in zip(*thrust_lines(track, thrusts, vessel, substeps))]
    edges = (np.arange(substeps)[:, None] + np.array([0.0, 0.5, 1.0])) / substeps
    elapsed = track.steps[:, None, None] * edges
    turns = [np.asarray(turned_angle(track.turned[:-1, number, None, None], track.turning[:-1, number, None, None],
                                     elapsed, part)) for number, part in enumerate(turning_parts(vessel))]
    return np.ascontiguousarray(np.stack([*lines, *turns])).ravel()


def _settled(target: np.ndarray, decay: np.ndarray, runs: list[tuple[int, int]]) -> np.ndarray:
    """Return the lagged thrust at every sample of the stretches, N."""
    thrust = target.copy()
    for begin, end in runs:
        _best_lag()(target[begin:end], decay[begin:end], thrust[begin:end])
    return thrust


def lag_behind(target: np.ndarray, decay: np.ndarray, thrust: np.ndarray) -> None:
    """
    Compute a thrust that follows its command with a lag; plain Python, which numba also compiles.

    :param target: Command from each sample to the next, N, (n,).
    :param decay: Factor of a difference from one sample to the next, (-), at least (n - 1,).
    :param thrust: Holds the thrust at the first sample, N; is filled with those at the others.
    """
    for i in range(1, len(target)):
        thrust[i] = target[i - 1] + (thrust[i - 1] - target[i - 1]) * decay[i - 1]


@cache
def _best_lag() -> Callable[..., Any]:
    try:
        return compiled(lag_behind)
    except ImportError:
        return lag_behind


class ThrustCourses:
    """
    A cache of the latest forces along each log of a fit; most trials change only the hull, not the thrusts.

    Different threads may request the forces of different logs.
    """

    def __init__(self) -> None:
        self._kept: dict[str, tuple[Any, np.ndarray]] = {}

    def forces(self, track: LogTrack, key: tuple[float, ...], thrusts: Callable[[], np.ndarray], vessel: Vessel,
               substeps: int, keep: bool) -> np.ndarray:
        """
        Return `thruster_forces`, from the cache if its arguments are the same.

        :param key: The numbers that `thrusts` depends on.
        :param thrusts: Function that returns the commanded thrusts, N, (n, thrusters).
        :param keep: Whether to keep the result in the cache.
        """
        whole = (key, tuple[Thruster, ...](vessel.thrusters), substeps)
        return self._kept_or(track, whole, lambda: thruster_forces(track, thrusts(), vessel, substeps), keep)

    def settings(self, track: LogTrack, key: tuple[float, ...], thrusts: Callable[[], np.ndarray], vessel: Vessel,
                 substeps: int, keep: bool) -> np.ndarray:
        """Return `setting_course`, from the cache if its arguments are the same; parameters as `forces`."""
        whole = (key, tuple(thruster.lag for thruster in vessel.thrusters), substeps)
        return self._kept_or(track, whole, lambda: setting_course(track, thrusts(), vessel, substeps), keep)

    def _kept_or(self, track: LogTrack, whole: Any, make: Callable[[], np.ndarray], keep: bool) -> np.ndarray:
        kept = self._kept.get(track.name)
        if kept is not None and kept[0] == whole:
            return kept[1]
        found = make()
        if keep:
            self._kept[track.name] = whole, found
        return found
