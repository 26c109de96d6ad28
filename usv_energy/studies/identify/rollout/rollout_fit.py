"""
The roll-out fit: Levenberg-Marquardt passes on windows of open-loop motion, with priors and nuisances.

The fit also finds the windows' start states if their measurement is noisy, and an unrecorded steady current and wind of
each log.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from usv_energy.studies.identify.rollout.fit_parameters import FitModel
from usv_energy.studies.identify.rollout.normal_equations import BOTH, NormalEquations, Nuisances
from usv_energy.studies.identify.rollout.rollout_windows import Windows, beginning_of, velocity_noise

# Relative gain of a step at which a pass ends: first, second, last pass; and in comparisons of forms or logs.
CONVERGED, COMPARED = (1e-2, 1e-3, 1e-4), (1e-2, 1e-2, 1e-3)
MOST_SETTLING, SETTLED = 6, 2.0    # Further passes follow while the residuals' weights change by more than this factor.
BEGINNINGS = 0.15, 0.3, 0.6  # Shares of the windows' length in the first passes of a fit that starts from the priors.

Say = Callable[[str], None]     # Callback for the progress, in words.


def silent(text: str) -> None:
    """Report no progress."""


@dataclass(frozen=True, eq=False)
class RolloutFit:
    """
    The result of a fit.

    `values`: of the model's parameters. `flows`: steady current x, y and wind x, y of each log in addition to those
    recorded, m/s, (logs, 4); `nuisances` says which of them were fitted. `free`: which parameters were fitted; the
    others have their prior's value. `scale`: of the residuals of u, v, r, m/s and rad/s; `effect`: their design
    effects. `cost`: of data and priors. `evaluations`: number of roll-outs of all windows; shorter windows count by
    their share. `shifts`: differences of the windows' start states from the measurement, m/s and rad/s, (windows, 3) of
    each log; `start_std`: standard errors of that measurement, (logs, 3); both empty if the measured starts count as
    exact.
    """

    model: FitModel
    windows: tuple[Windows, ...]
    values: np.ndarray
    flows: np.ndarray
    nuisances: Nuisances
    free: np.ndarray
    scale: np.ndarray
    effect: np.ndarray
    cost: float
    converged: bool
    evaluations: int
    shifts: tuple[np.ndarray, ...] = ()
    start_std: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))

    @property
    def currents(self) -> np.ndarray:
        """Steady current of each log, m/s, (logs, 2)."""
        return self.flows[:, :2]

    @property
    def winds(self) -> np.ndarray:
        """Steady wind of each log, m/s, (logs, 2)."""
        return self.flows[:, 2:]


class FitStart(NamedTuple):
    """Where a fit starts: values of the parameters, and flows of the logs, m/s, (logs, 4)."""

    values: np.ndarray
    flows: np.ndarray
    shifts: tuple[np.ndarray, ...] = ()


def fit_rollouts(model: FitModel, windows: Sequence[Windows], free: np.ndarray | None = None,
                 start: FitStart | None = None, nuisances: Nuisances = BOTH, say: Say = silent,
                 tolerances: Sequence[float] = CONVERGED) -> RolloutFit:
    """
    Fit a model to windows in passes; each uses the residual scales of the pass before.

    If a boat turns a lot, roll-outs of 10 s diverge so fast that the cost has many local optima. So the first passes
    from the priors use only the beginnings of the windows, whose roll-outs stay near the measurement. If a fit begins
    far from the optimum, its weights still come from a worse fit, so further passes follow until the residual scales
    settle. Model errors settle at once, and a factor of two in the weights hardly changes a fit.

    :param windows: Of all logs.
    :param free: Which parameters to fit; None for all.
    :param start: Initial values; None for the priors.
    :param nuisances: Quantities of water and air to fit for each log that did not record them.
    :param tolerances: Of each pass: relative gain of a step below which it ends; the first also of those of beginnings.

    Source: Pisarenko and Sornette (2004), Phys. Rev. E 69, 036122: fits to long stretches of motion that diverges fast
        have many optima, those to short pieces few.
    """
    count, evaluations = len(model.keys), 0.0
    state = np.concatenate([model.column('prior'), np.zeros(4 * len(windows))] if start is None
                           else [start.values, start.flows.ravel()])
    passes = ([(share, tolerances[0]) for share in BEGINNINGS] + [(1.0, one) for one in tolerances[1:]]
              if start is None else [(1.0, one) for one in tolerances])
    measured = np.concatenate([one.measured.reshape(-1, 3) for one in windows])
    scale = np.maximum(0.2 * np.sqrt(np.nanmean(measured ** 2, axis=0)), 1e-3)
    effect = np.full(3, passes[0][0] * windows[0].samples)
    noise = np.array([velocity_noise(one.track) for one in windows])
    shifts, start_std = start.shifts if start is not None else (), noise
    for turn, (share, tolerance) in enumerate(passes + [passes[-1]] * MOST_SETTLING):
        solver = NormalEquations(model, [beginning_of(one, share) for one in windows],
                                 np.ones(count, bool) if free is None else free, nuisances, noise, shifts or None)
        state = np.clip(state, solver.lower, solver.upper)
        if turn or start is not None:
            found = solver.scales(state, scale)
            change = np.log(found[0] ** 2 * found[1] / (scale ** 2 * effect))
            if turn >= len(passes) and np.all(np.abs(change) < np.log(SETTLED)):
                break
            scale, effect = found
            solver.start_std = start_std = np.minimum(noise, scale)
        if share < 1.0:     # Currents and winds come last: in a bad start they would absorb the boat's errors.
            solver.free[count:] = False
        state, cost, converged = solver.minimise(state, scale, effect, tolerance)
        say(f'pass {turn + 1} of {max(turn + 1, len(passes))}, {share * 100.0:.0f} % of each window: cost {cost:.2f}')
        evaluations, shifts = evaluations + share * solver.evaluations, tuple(solver.shifts)
    return RolloutFit(model, tuple(windows), state[:count], state[count:].reshape(-1, 4), nuisances,
                      solver.free[:count], scale, effect, cost, converged, round(evaluations), shifts, start_std)
