"""Settings and result of an identification, and tests of the residuals of a fit."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from usv_energy.boats.vessel import Vessel
from usv_energy.studies.identify.rollout.fit_parameters import PAIRED, pushes_ahead_only
from usv_energy.studies.identify.rollout.form_choice import NO_WAVES, FormTrial, RolloutErrors
from usv_energy.studies.identify.rollout.normal_equations import Nuisances, RolloutFit
from usv_energy.studies.identify.rollout.rollout_windows import residuals
from usv_energy.studies.identify.rollout.tracks import LogTrack
from usv_energy.studies.identify.rollout.uncertainty import (
    BoatCovariance,
    ParameterEstimate,
    Uncertainty,
    boat_covariance,
    boat_estimates,
    parameter_estimates,
)

LEAST_WINDOWS = 2.0  # Fewest independent windows on each side of a comparison.

AUTO = 'auto'


class ResidualTest(NamedTuple):
    """
    Mean error of the roll-outs (model less measurement) in two groups of windows, and a test of their difference.

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
    Return the tests: surge by thrust ahead or astern; with two thrusters, yaw rate by the side with more thrust.

    Source: Welch (1947), Biometrika 34.
    """
    errors, thrust, overlap = _of_windows(found)
    total = thrust.sum(axis=1)  # Thrust ahead; of azimuth thrusters, its component ahead.
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
    """Return the forward component of each thrust of a log, N, (n, thrusters)."""
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


@dataclass(frozen=True)
class FitSettings:
    """
    Settings of an identification.

    They are the form or `auto`, the duration of a roll-out, s, whether to fit steady currents and winds that were not
    recorded, whether to find errors by leaving logs out, and the number of processes (None for one per core; the result
    is the same).
    """

    form: str = AUTO
    horizon: float = 10.0
    currents: bool = True
    winds: bool = True
    leave_one_out: bool = False
    workers: int | None = None

    @property
    def nuisances(self) -> Nuisances:
        """Which currents and winds are fitted."""
        return Nuisances(self.currents, self.winds)


@dataclass(frozen=True, eq=False)
class Identification:
    """
    The result of an identification.

    `found`: the fit, `known`: its uncertainty, `trials`: the forms that were compared. `errors`: of the fit's logs,
    without a current, then all together; `with_current`: all together, with the currents that the fit found.
    `left_out`: each log by a fit without it. `validation`: logs that the fit never saw, without a current;
    `validation_current`: their second halves, without and with the current found in their first halves. `tests`: of the
    residuals, by sign and side of the thrust.
    """

    settings: FitSettings
    tracks: tuple[LogTrack, ...]
    found: RolloutFit
    known: Uncertainty
    trials: tuple[FormTrial, ...]
    errors: tuple[RolloutErrors, ...]
    with_current: RolloutErrors
    left_out: tuple[RolloutErrors, ...]
    validation: tuple[RolloutErrors, ...]
    validation_current: tuple[RolloutErrors, ...]
    tests: tuple[ResidualTest, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def form_taken(self) -> str:
        """The name of the form among the trials; `, no waves` after it where the base's waves were left out."""
        form = self.found.model.form
        dropped = self.found.model.boat.vessel.damping.wave is None and any(
            trial.form == form + NO_WAVES for trial in self.trials)
        return form + NO_WAVES if dropped else form

    @property
    def parameters(self) -> list[ParameterEstimate]:
        """The parameters of the fit."""
        return parameter_estimates(self.found, self.known)

    @property
    def joint(self) -> BoatCovariance:
        """The numbers of the boat file with their covariance."""
        return boat_covariance(self.found, self.known)

    @property
    def numbers(self) -> list[ParameterEstimate]:
        """The numbers of the boat file."""
        return boat_estimates(self.found, self.known)
