"""
The normal equations of a roll-out fit, and its Levenberg-Marquardt steps with bounds and a robust loss.

The residuals of a roll-out are strongly correlated in time. They are divided by their scale and by their design
effect, which is the factor by which the variance of their sum exceeds that of white noise. Priors and data then have
their true relative weights, and the samples are not counted as independent observations.

The roll-out fit: Levenberg-Marquardt passes on windows of open-loop motion, with priors and nuisances.

The fit also finds the windows' start states if their measurement is noisy, and an unrecorded steady current and wind of
each log.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from usv_energy.files.work import threaded
from usv_energy.studies.identify.rollout.fit_parameters import FitModel, pushes_ahead_only
from usv_energy.studies.identify.rollout.rollout_windows import (
    START_STEP,
    Linearised,
    StartPrior,
    Sums,
    Windows,
    beginning_of,
    residuals,
    velocity_noise,
    with_starts,
)
from usv_energy.studies.identify.rollout.thrust_course import ThrustCourses

ROBUST = 3.0                    # Residuals larger than this many scales have a linear cost.
NUISANCE_STD = (0.2, 3.0)       # Prior standard deviations of an unrecorded steady current and wind, m/s per component.
NUISANCE_LIMIT = (1.5, 25.0)    # m/s.
DIFFERENCE = 1e-4               # Finite-difference step of a fit, in prior standard deviations.
DRIVEN_DIFFERENCE = 1e-7        # The same, if the actuators' force depends on the motion.
FINE_DIFFERENCE = 1e-9          # The same, for the covariance of a fit's parameters: see `NormalEquations`.
ITERATIONS = 40


class Nuisances(NamedTuple):
    """Unrecorded quantities of each log that are fitted with the boat: a steady current, a steady wind."""

    currents: bool = True
    winds: bool = True


NONE, BOTH = Nuisances(False, False), Nuisances()


class NormalEquations:
    """
    The normal equations of one fit; its state holds the parameters, then current and wind of each log.

    Only the prior determines the common scale of all masses, drags and thrusts: along that direction the derivatives
    cancel. If a boat turns a lot, a roll-out is so sensitive to each parameter that finite differences with steps of
    1e-4 standard deviations do not cancel exactly, and the data then seem to determine that scale. The derivatives
    agree only for steps from 1e-8 to 1e-10. A fit still uses the coarse steps, because with fine steps more fits ended
    in a worse optimum.
    """

    def __init__(self, model: FitModel, windows: Sequence[Windows], free: np.ndarray, nuisances: Nuisances,
                 start_std: np.ndarray | None = None, shifts: Sequence[np.ndarray] | None = None) -> None:
        self.model, self.windows, self.courses = model, list(windows), ThrustCourses()
        self.start_std = np.zeros((len(windows), 3)) if start_std is None else start_std
        self.shifts = [np.zeros((len(one.starts), 3)) for one in windows] if shifts is None else list(shifts)
        fitted = np.array([[wanted and len(one.starts) > 0 and not np.any(one.track.flow[:, place:place + 2])
                            for place, wanted in ((0, nuisances.currents), (2, nuisances.winds))] for one in windows])
        logs = len(self.windows)
        self.free = np.concatenate([free, np.repeat(fitted.ravel(), 2)])
        self.prior = np.concatenate([model.column('prior'), np.zeros(4 * logs)])
        self.std = np.concatenate([model.column('std'), np.tile(np.repeat(NUISANCE_STD, 2), logs)])
        limit = np.tile(np.repeat(NUISANCE_LIMIT, 2), logs)
        self.lower = np.concatenate([model.column('lower'), -limit])
        self.upper = np.concatenate([model.column('upper'), limit])
        self.evaluations = 0
        self.difference = DIFFERENCE if pushes_ahead_only(model.boat.vessel) else DRIVEN_DIFFERENCE

    def errors(self, state: np.ndarray, number: int, keep: bool = True,
               shift: np.ndarray | None = None) -> np.ndarray:
        """
        Return the residuals of one log's windows.

        :param keep: Whether to keep the thrusts' course in the cache, for other trials with the same.
        :param shift: Of the windows' starts, (windows, 3); None for the present ones.
        """
        count = len(self.model.keys)
        flow = state[count + 4 * number:][:4]
        shift = self.shifts[number] if shift is None else shift
        return residuals(self.windows[number], state[:count], self.model, flow, None, self.courses, keep, shift)

    def all_errors(self, state: np.ndarray) -> list[np.ndarray]:
        """Return the residuals of all logs' windows."""
        self.evaluations += 1
        return threaded(lambda number: self.errors(state, number), len(self.windows))

    def start_prior(self, number: int) -> StartPrior:
        """Return the prior of the start states of one log's windows."""
        return StartPrior(self.start_std[number], self.windows[number].overlap)

    def scales(self, state: np.ndarray, before: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return scale and design effect of the residuals of u, v, r; `before`: previous scales, for robust weights."""
        errors = self.all_errors(state)
        weight = [1.0 / np.sqrt(1.0 + (error / (ROBUST * before)) ** 2) for error in errors]
        squares = sum(np.nansum(w * error ** 2, axis=(0, 1)) for w, error in zip(weight, errors))
        count = sum(np.isfinite(error).sum(axis=(0, 1)) for error in errors)
        variance = np.maximum(squares / np.maximum(count, 1), 1e-10)
        sums = sum(((np.nansum(w ** 0.5 * error, axis=1)) ** 2).sum(axis=0) for w, error in zip(weight, errors))
        per_window = np.maximum(sums / np.maximum(count * variance, 1e-12), 1.0)
        overlap = float(np.average([one.overlap for one in self.windows],
                                   weights=[max(len(one.starts), 1e-9) for one in self.windows]))
        return np.sqrt(variance), per_window * overlap

    def cost(self, errors: Sequence[np.ndarray], state: np.ndarray, scale: np.ndarray, effect: np.ndarray) -> float:
        """Return the robust cost of residuals and priors, twice the negative logarithm of the posterior."""
        data = sum(np.nansum(np.sqrt(1.0 + (error / (ROBUST * scale)) ** 2) - 1.0, axis=(0, 1)) for error in errors)
        starts = sum(float(np.sum(shift ** 2 * self.start_prior(number).precision))
                     for number, shift in enumerate(self.shifts) if shift.any())
        return float(np.sum(2.0 * ROBUST ** 2 * data / effect) + starts
                     + np.sum((((state - self.prior) / self.std)[self.free]) ** 2))

    def linearised(self, state: np.ndarray, number: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return one log's errors, their derivatives (errors' shape, columns) and the indices of the columns."""
        count = len(self.model.keys)
        columns = np.flatnonzero(self.free)
        columns = columns[(columns < count) | ((columns - count) // 4 == number)]
        error = self.errors(state, number)
        slopes = np.empty((*error.shape, len(columns)))
        for place, column in enumerate(columns):
            step = self.difference * self.std[column]
            step = -step if state[column] + step > self.upper[column] else step
            moved = state.copy()
            moved[column] += step
            slopes[..., place] = (self.errors(moved, number, False) - error) / step
        return error, slopes, columns

    def start_slopes(self, state: np.ndarray, number: int, error: np.ndarray) -> np.ndarray:
        """Return the derivatives of one log's errors by its windows' start velocities, (errors' shape, 3)."""
        moved = (self.errors(state, number, False, self.shifts[number] + START_STEP * way) for way in np.eye(3))
        return np.stack([(one - error) / START_STEP for one in moved], axis=-1)

    def linearised_with_starts(self, state: np.ndarray, number: int, scale: np.ndarray,
                               effect: np.ndarray) -> tuple[Linearised, np.ndarray]:
        """Return the errors of one log and of its windows' starts, linearised and weighted, and the column indices."""
        error, slopes, columns = self.linearised(state, number)
        exact = not self.start_std[number].any()
        starts = np.zeros((*error.shape, 3)) if exact else self.start_slopes(state, number, error)
        return with_starts(error, slopes, starts, weights(error, scale, effect), self.shifts[number],
                           self.start_prior(number)), columns

    def sums(self, state: np.ndarray, scale: np.ndarray, effect: np.ndarray) -> list[tuple[Sums, np.ndarray]]:
        """Return each log's part of the normal equations, and the columns of the state that it concerns."""
        def part(number: int) -> tuple[Sums, np.ndarray]:
            linear, columns = self.linearised_with_starts(state, number, scale, effect)
            return linear.sums(), columns

        self.evaluations += int(self.free[:len(self.model.keys)].sum()) + 5 + 3 * bool(self.start_std.any())
        return threaded(part, len(self.windows))

    def normal(self, state: np.ndarray, scale: np.ndarray, effect: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return half the gradient of the cost and its Gauss-Newton matrix over the state, start states eliminated."""
        gradient, matrix, _, _ = self.condensed(state, self.sums(state, scale, effect), 0.0)
        return gradient, matrix

    def condensed(self, state: np.ndarray, sums: Sequence[tuple[Sums, np.ndarray]],
                  damping: float) -> tuple[np.ndarray, np.ndarray, list[np.ndarray], list[np.ndarray]]:
        """
        Return half the gradient of the cost and its Gauss-Newton matrix over the whole state, with priors.

        :param sums: Of the logs, at this state.
        :param damping: Levenberg-Marquardt damping on the matrix's diagonal, (-).
        :return: Gradient and matrix with the start states eliminated, and the response of the start states:
            `Sums.condensed`.
        """
        size = len(state)
        gradient, matrix = np.zeros(size), np.zeros((size, size))
        for one, columns in sums:
            gradient[columns] += one.gradient
            matrix[np.ix_(columns, columns)] += one.matrix
        free = np.flatnonzero(self.free)
        gradient[free] += ((state - self.prior) / self.std ** 2)[free]
        matrix[free, free] += 1.0 / self.std[free] ** 2
        matrix[free, free] *= 1.0 + damping
        alone, answers = [], []
        for one, columns in sums:
            less, taken, *answer = one.condensed(damping)
            gradient[columns] -= less
            matrix[np.ix_(columns, columns)] -= taken
            alone.append(answer[0])
            answers.append(answer[1])
        return gradient, matrix, alone, answers

    def minimise(self, state: np.ndarray, scale: np.ndarray, effect: np.ndarray,
                 tolerance: float) -> tuple[np.ndarray, float, bool]:
        """
        Return the state of least cost, its cost, and whether the steps converged.

        Levenberg-Marquardt with bounds as an active set. scipy.optimize.least_squares was tried with this cost and
        Jacobian. On ten logs `trf` takes 7 Jacobians instead of 4, so it is half as fast. It stays away from the bounds
        at which several damping terms end, and it ends in worse optima on the BlueBoat's logs (form lift+curve: a cost
        of 385 instead of 378). `dogbox` stops at once if parameters start at a bound. `lm` supports no bounds.

        Source: Marquardt (1963), SIAM J. Appl. Math. 11(2), the diagonal scaled.
        """
        cost = self.cost(self.all_errors(state), state, scale, effect)
        damping = 1e-3
        for _ in range(ITERATIONS):
            sums, before = self.sums(state, scale, effect), cost
            for _ in range(8):
                gradient, matrix, alone, answers = self.condensed(state, sums, damping)
                stuck = ((state <= self.lower) & (gradient > 0.0)) | ((state >= self.upper) & (gradient < 0.0))
                active = np.flatnonzero(self.free & ~stuck)
                trial, shifts = state.copy(), self.shifts
                trial[active] -= np.linalg.solve(matrix[np.ix_(active, active)], gradient[active])
                trial = np.clip(trial, self.lower, self.upper)
                self.shifts = [shift - one - answer @ (trial - state)[columns] for shift, one, answer, (_, columns)
                               in zip(shifts, alone, answers, sums)]
                found = self.cost(self.all_errors(trial), trial, scale, effect)
                if found < cost:
                    state, cost, damping = trial, found, max(damping / 5.0, 1e-9)
                    break
                self.shifts = shifts
                damping *= 6.0
            if before - cost <= tolerance * max(cost, 1.0):
                return state, cost, True
        return state, cost, False


def window_sums(error: np.ndarray, slopes: np.ndarray, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """
    Return each window's score, (windows, columns), and the Gauss-Newton matrix of all windows, (columns, columns).

    The products are computed window by window, so that each is too small for numpy's library to start threads for it.
    Such threads would wait for each other longer than they work.
    """
    known = np.isfinite(error)
    flat = np.where(known[..., None], slopes, 0.0).reshape(len(error), -1, slopes.shape[-1])
    weighted = (flat * weight.reshape(len(error), -1, 1)).transpose(0, 2, 1)
    scores = weighted @ np.where(known, error, 0.0).reshape(len(error), -1, 1)
    return scores[..., 0], np.asarray((weighted @ flat).sum(axis=0))


def weights(error: np.ndarray, scale: np.ndarray, effect: np.ndarray) -> np.ndarray:
    """Return the weight of each squared residual, from soft L1 loss, scale and design effect; 0 if not measured."""
    weight = 1.0 / (np.sqrt(1.0 + (error / (ROBUST * scale)) ** 2) * scale ** 2 * effect)
    return np.asarray(np.nan_to_num(weight))


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
