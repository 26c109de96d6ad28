"""
The roll-out fit: bounded, robust Levenberg-Marquardt on windows of open-loop motion, with priors and nuisances.

Residuals of a roll-out are strongly correlated in time. They are weighted by their scale and by their design effect,
the factor by which the variance of their sum exceeds that of white noise, so that priors meet data at their true
weight and the number of independent observations is not mistaken for the number of samples.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ...files.errors import InputError
from ...files.forked_work import threaded
from .actuator_parameters import pushes_ahead_only
from .driven_rollout import driven_motion
from .fit_parameters import FitModel, compass_of, substeps_of, thrust_numbers, thrusts_of, vessel_of
from .rollout import HullModel, RolloutInputs, best_roll
from .thrust_course import ThrustCourses
from .tracks import LogTrack, limits_at_rest

HORIZON, EVERY = 10.0, 2.0      # Duration of a window and time between the starts of windows, s.
ROBUST = 3.0                    # Residuals above this many scales count linearly.
NUISANCE_STD = (0.2, 3.0)       # Priors of a steady current and wind that a log did not record, m/s a component.
NUISANCE_LIMIT = (1.5, 25.0)    # m/s.
DIFFERENCE = 1e-4               # Step of the finite differences of a fit, in prior standard deviations.
DRIVEN_DIFFERENCE = 1e-7        # The same, where actuators' force follows from the motion.
FINE_DIFFERENCE = 1e-9          # The same, of what is known of a fit's numbers: see `NormalEquations`.
ITERATIONS = 40
# Relative gain of a step below which a pass ends: rough, better, last; and where forms or logs left out are compared.
CONVERGED, COMPARED = (1e-2, 1e-3, 1e-4), (1e-2, 1e-2, 1e-3)
BEGINNINGS = 0.15, 0.3, 0.6     # Shares of the windows that the first passes of a fit from the priors have.

class Nuisances(NamedTuple):
    """What of each log is fitted beside the boat where the log did not record it: a steady current, a steady wind."""

    currents: bool = True
    winds: bool = True


NONE, BOTH = Nuisances(False, False), Nuisances()
Say = Callable[[str], None]     # What is called with the progress, in words.


def silent(text: str) -> None:
    """Report no progress."""


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


@dataclass(frozen=True, eq=False)
class RolloutFit:
    """
    What a fit found.

    `values`: of the model's parameters. `flows`: steady current x, y and wind x, y of each log beside what it recorded,
    m/s, (logs, 4); `nuisances` says which of them were fitted. `free`: which parameters were fitted; the others have
    their prior's value. `scale`: of the residuals of u, v, r, m/s and rad/s; `effect`: their design effects. `cost`: of
    data and priors. `evaluations`: roll-outs of all windows, those of their beginnings by their share.
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
              keep: bool = True) -> np.ndarray:
    """
    Return roll-out less measurement, u, v, m/s, and r, rad/s, (windows, samples, 3); NaN where not measured.

    :param flow: Steady current x, y and wind x, y beside what the log recorded, m/s, (4,).
    :param courses: The thrusts' courses of a fit; `keep`: keep this one.
    """
    track, vessel = windows.track, vessel_of(values, model)
    substeps = substeps_of(track, vessel)
    if not pushes_ahead_only(vessel):
        found = driven_motion(track, (windows.starts, windows.samples), values, model, flow, courses, keep)
        return np.asarray(found - windows.measured)
    forces = (courses or ThrustCourses()).forces(
        track, thrust_numbers(values, model), lambda: thrusts_of(track.thrust, values, model), vessel, substeps, keep)
    inputs = RolloutInputs(track.steps, substeps, forces, track.motion, track.flow + flow,
                           compass_of(values, model))
    out = np.empty_like(windows.measured)
    hull = HullModel(vessel.inertia, vessel.damping, vessel.windage)
    (roll or best_roll())(windows.starts, windows.samples, inputs, hull, out)
    return np.asarray(out - windows.measured)


def fit_rollouts(model: FitModel, windows: Sequence[Windows], free: np.ndarray | None = None,
                 start: FitStart | None = None, nuisances: Nuisances = BOTH, say: Say = silent,
                 tolerances: Sequence[float] = CONVERGED) -> RolloutFit:
    """
    Fit a model to windows, in passes: each with the scales of the residuals that the one before leaves.

    Where a boat swings about, roll-outs of 10 s diverge so fast that their cost has many optima. From the priors the
    first passes therefore have the beginnings of the windows only, whose roll-outs stay near what was measured.

    :param windows: Of all logs.
    :param free: Which parameters to fit; all where None.
    :param start: Where to start; the priors where None.
    :param nuisances: What of water and air is fitted for each log (nothing where the log recorded it).
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
    for turn, (share, tolerance) in enumerate(passes):
        solver = NormalEquations(model, [beginning_of(one, share) for one in windows],
                                 np.ones(count, bool) if free is None else free, nuisances)
        state = np.clip(state, solver.lower, solver.upper)
        if turn or start is not None:
            scale, effect = solver.scales(state, scale)
        if share < 1.0:     # Currents and winds last: from a bad start they would take the blame for the boat.
            solver.free[count:] = False
        state, cost, converged = solver.minimise(state, scale, effect, tolerance)
        say(f'pass {turn + 1} of {len(passes)}, {share * 100.0:.0f} % of each window: cost {cost:.2f}')
        evaluations += share * solver.evaluations
    return RolloutFit(model, tuple(windows), state[:count], state[count:].reshape(-1, 4), nuisances,
                      solver.free[:count], scale, effect, cost, converged, round(evaluations))


class NormalEquations:
    """
    The normal equations of one fit; the state is the parameters' values, then current and wind of each log.

    All masses, drags and thrusts together are known by the prior alone: the derivatives by them cancel. A roll-out is
    so sensitive to each where a boat swings about that differences of 1e-4 standard deviations, which do not quite
    cancel, make knowledge of that: derivatives are the same from 1e-8 to 1e-10 only. A fit still takes the coarse ones:
    with fine ones more fits ended in a worse optimum.
    """

    def __init__(self, model: FitModel, windows: Sequence[Windows], free: np.ndarray, nuisances: Nuisances) -> None:
        self.model, self.windows, self.courses = model, list(windows), ThrustCourses()
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

    def errors(self, state: np.ndarray, number: int, keep: bool = True) -> np.ndarray:
        """Return the residuals of one log's windows; `keep`: the thrusts' course, for other trials with the same."""
        count = len(self.model.keys)
        flow = state[count + 4 * number:][:4]
        return residuals(self.windows[number], state[:count], self.model, flow, None, self.courses, keep)

    def all_errors(self, state: np.ndarray) -> list[np.ndarray]:
        """Return the residuals of all logs' windows."""
        self.evaluations += 1
        return threaded(lambda number: self.errors(state, number), len(self.windows))

    def scales(self, state: np.ndarray, before: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return scale and design effect of the residuals of u, v, r; `before`: scales so far, for robust weights."""
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
        return float(np.sum(2.0 * ROBUST ** 2 * data / effect)
                     + np.sum((((state - self.prior) / self.std)[self.free]) ** 2))

    def linearised(self, state: np.ndarray, number: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return one log's errors, their derivatives (errors' shape, columns) and which columns these are."""
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

    def normal(self, state: np.ndarray, scale: np.ndarray, effect: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return half the cost's gradient and its Gauss-Newton matrix, priors included, over the whole state."""
        size = len(state)
        gradient, matrix = np.zeros(size), np.zeros((size, size))

        def part(number: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            error, slopes, columns = self.linearised(state, number)
            scores, curvature = window_sums(error, slopes, weights(error, scale, effect))
            return scores.sum(axis=0), curvature, columns

        for slope, curvature, columns in threaded(part, len(self.windows)):
            gradient[columns] += slope
            matrix[np.ix_(columns, columns)] += curvature
        self.evaluations += int(self.free[:len(self.model.keys)].sum()) + 5
        free = self.free
        gradient[free] += ((state - self.prior) / self.std ** 2)[free]
        matrix[np.flatnonzero(free), np.flatnonzero(free)] += 1.0 / self.std[free] ** 2
        return gradient, matrix

    def minimise(self, state: np.ndarray, scale: np.ndarray, effect: np.ndarray,
                 tolerance: float) -> tuple[np.ndarray, float, bool]:
        """
        Return the state of least cost, its cost, and whether the steps had become small.

        Levenberg-Marquardt with bounds as an active set. scipy.optimize.least_squares was tried with this cost and
        Jacobian: `trf` takes 7 Jacobians where this takes 4 on ten logs (half as fast), stays off the bounds at which
        several damping terms end, and ends in worse optima on the BlueBoat's logs (lift+curve: a cost of 385 for 378);
        `dogbox` stops at once where parameters start at a bound; `lm` knows no bounds.

        Source: Marquardt (1963), SIAM J. Appl. Math. 11(2), the diagonal scaled.
        """
        cost = self.cost(self.all_errors(state), state, scale, effect)
        damping = 1e-3
        for _ in range(ITERATIONS):
            gradient, matrix = self.normal(state, scale, effect)
            stuck = ((state <= self.lower) & (gradient > 0.0)) | ((state >= self.upper) & (gradient < 0.0))
            active = np.flatnonzero(self.free & ~stuck)
            before = cost
            for _ in range(8):
                inner = matrix[np.ix_(active, active)]
                trial = state.copy()
                trial[active] -= np.linalg.solve(inner + damping * np.diag(np.diag(inner)), gradient[active])
                trial = np.clip(trial, self.lower, self.upper)
                found = self.cost(self.all_errors(trial), trial, scale, effect)
                if found < cost:
                    state, cost, damping = trial, found, max(damping / 5.0, 1e-9)
                    break
                damping *= 6.0
            if before - cost <= tolerance * max(cost, 1.0):
                return state, cost, True
        return state, cost, False


def window_sums(error: np.ndarray, slopes: np.ndarray, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """
    Return each window's score, (windows, columns), and the Gauss-Newton matrix of all windows, (columns, columns).

    The products are taken window by window: they are too small for numpy's library to start threads for them, which
    would wait for each other longer than they work.
    """
    known = np.isfinite(error)
    flat = np.where(known[..., None], slopes, 0.0).reshape(len(error), -1, slopes.shape[-1])
    weighted = (flat * weight.reshape(len(error), -1, 1)).transpose(0, 2, 1)
    scores = weighted @ np.where(known, error, 0.0).reshape(len(error), -1, 1)
    return scores[..., 0], np.asarray((weighted @ flat).sum(axis=0))


def weights(error: np.ndarray, scale: np.ndarray, effect: np.ndarray) -> np.ndarray:
    """Return the weight of each squared residual: robust (soft L1), by scale, by design effect; 0 where unknown."""
    weight = 1.0 / (np.sqrt(1.0 + (error / (ROBUST * scale)) ** 2) * scale ** 2 * effect)
    return np.asarray(np.nan_to_num(weight))
