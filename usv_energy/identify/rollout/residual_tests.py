"""Whether what a fit leaves over differs by the sign of the thrust or by its side: thrust that the model has wrong."""

from typing import NamedTuple

import numpy as np

from ...boats.vessel import Vessel
from .actuator_parameters import PAIRED, pushes_ahead_only
from .rollout_fit import RolloutFit
from .rollout_windows import residuals
from .tracks import LogTrack

LEAST_WINDOWS = 2.0  # Independent windows on either side of a comparison.


class ResidualTest(NamedTuple):
    """
    The mean error of the roll-outs, model less measurement, in two groups of windows, and how sure the difference is.

    `quantity`, `unit`: of the error. `names`: of the groups. `means`: the errors. `statistic`: Welch's t of their
    difference, (-), windows that share samples counted once; NaN where a group is too small.
    """

    quantity: str
    unit: str
    names: tuple[str, str]
    means: tuple[float, float]
    statistic: float


def residual_tests(found: RolloutFit) -> tuple[ResidualTest, ...]:
    """
    Return the tests: surge by thrust ahead and astern, and, of two thrusters, yaw rate by the side that drives more.

    Source: Welch (1947), Biometrika 34.
    """
    errors, thrust, overlap = _of_windows(found)
    total = thrust.sum(axis=1)  # What drives ahead; of thrusters that turn, the part of their thrust that does.
    tests = [_compared('surge', 'm/s', ('ahead', 'astern'), errors[:, 0], total, overlap)]
    if PAIRED in found.model.keys and thrust.shape[1] == 2:
        left, right = found.model.boat.thruster_names
        tests.append(_compared('yaw rate', 'rad/s', (f'more thrust on {left}', f'more thrust on {right}'),
                               errors[:, 2], thrust[:, 0] - thrust[:, 1], overlap))
    return tuple(tests)


def _of_windows(found: RolloutFit) -> tuple[np.ndarray, np.ndarray, float]:
    """Return mean errors of u, v, r, (windows, 3), mean thrusts, N, (windows, thrusters), and the mean overlap."""
    errors, thrusts = [], []
    for windows, flow in zip(found.windows, found.flows):
        if len(windows.starts):
            error = residuals(windows, found.values, found.model, flow)
            errors.append(np.nanmean(error, axis=1))
            places = windows.starts[:, None] + np.arange(windows.samples)
            thrusts.append(np.nanmean(_ahead(windows.track, found.model.boat.vessel)[places], axis=1))
    overlap = [one.overlap for one in found.windows if len(one.starts)]
    return np.concatenate(errors), np.concatenate(thrusts), float(np.mean(overlap))


def _ahead(track: LogTrack, vessel: Vessel) -> np.ndarray:
    """Return what each thrust of a log drives ahead, N, (n, thrusters)."""
    if pushes_ahead_only(vessel):
        return track.thrust
    angles = iter(track.turned.T)
    shares = [np.cos(next(angles)) if thruster.azimuth is not None else
              np.full(len(track.time), 1.0 if thruster.axis is None else thruster.axis[0])
              for thruster in vessel.thrusters]
    return np.asarray(track.thrust * np.column_stack(shares))


def _compared(quantity: str, unit: str, names: tuple[str, str], error: np.ndarray, sign: np.ndarray,
              overlap: float) -> ResidualTest:
    known = np.isfinite(error)
    groups = [error[known & (way * sign > 0.05 * np.abs(sign).max(initial=0.0))] for way in (1.0, -1.0)]
    numbers = [len(group) / overlap for group in groups]
    if min(numbers) < LEAST_WINDOWS:
        return ResidualTest(quantity, unit, names, (float('nan'), float('nan')), float('nan'))
    spread = sum(float(group.var(ddof=1)) / number for group, number in zip(groups, numbers))
    first, second = (float(group.mean()) for group in groups)
    return ResidualTest(quantity, unit, names, (first, second), (first - second) / max(spread, 1e-18) ** 0.5)
