"""Fit the model's forms, simplest first, and choose one by its errors on logs that its fit did not use."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.files.work import forked
from usv_energy.studies.identify.rollout import rollout_windows
from usv_energy.studies.identify.rollout.fit_parameters import FORMS, SIMPLER, WAVES, FitModel, model_of, scale_of
from usv_energy.studies.identify.rollout.normal_equations import (
    BOTH,
    COMPARED,
    CONVERGED,
    FitStart,
    Nuisances,
    RolloutFit,
    Say,
    fit_rollouts,
    silent,
)
from usv_energy.studies.identify.rollout.rollout_windows import EVERY, HORIZON, Windows, windows_of
from usv_energy.studies.identify.rollout.tracks import LogTrack, limits_at_rest
from usv_energy.studies.identify.rollout.uncertainty import determined_by_data, uncertainty_of

JUDGED_EVERY = 1.0  # Time between the starts of the roll-outs for the errors, s.
COMPARED_EVERY = 5.0  # The same for the comparison of forms, which takes many fits, s.
FOLDS = 4
AS_GOOD = 1.02              # A simpler form is chosen if its score is worse than the best by at most this share.
OPTIONAL = ('thrust.astern', WAVES)  # Parameters that are fitted only if that reduces the errors on held-out logs.
FEW = 0.25      # Share of the base's wave-making resistance below which there may be none.
NO_WAVES = ', no waves'     # After the name of a form, without the base's wave-making resistance.
QUANTITIES = (('surge', 'm/s'), ('sway', 'm/s'), ('yaw rate', 'rad/s'))  # Components of the motion and their units.


class FitNumbers(NamedTuple):
    """A fit's result by name: values of the parameters, and current and wind of each log, m/s, (4,)."""

    values: Mapping[str, float]
    flows: Mapping[str, np.ndarray]


def model_for(form: str, tracks: Sequence[LogTrack], boat: Boat) -> FitModel:
    """Return a form's model; its scale and the kind of thrust are those of some logs."""
    return model_of(form, boat, scale_of(tracks), any(track.nominal for track in tracks))


def fitted_forms(forms: Iterable[str], tracks: Sequence[LogTrack], boat: Boat, nuisances: Nuisances, horizon: float,
                 every: float) -> dict[str, RolloutFit]:
    """
    Return the fits of forms to some logs; each starts from the fit of the form that it extends, if there is one.

    :param forms: Simpler ones first.
    :param horizon: Duration of a window, s.
    :param every: Time between the starts of windows, s.
    """
    windows = windows_of(tracks, horizon, every)
    fits: dict[str, RolloutFit] = {}
    for form in forms:
        model = model_for(form, tracks, boat)
        before = fits.get(SIMPLER.get(form, ''))
        start = None if before is None else start_from(numbers_of(before), model, windows)
        fits[form] = fit_rollouts(model, windows, start=start, nuisances=nuisances,
                                  tolerances=CONVERGED if start is None else COMPARED)
    return fits


def numbers_of(fit: RolloutFit) -> FitNumbers:
    """Return a fit's numbers, from which another fit may start."""
    return FitNumbers(dict(zip(fit.model.keys, fit.values.tolist())),
                      {one.track.name: flow for one, flow in zip(fit.windows, fit.flows)})


def ladder_to(form: str) -> tuple[str, ...]:
    """Return a form and the forms that it extends, the simplest first."""
    return (*(ladder_to(SIMPLER[form]) if form in SIMPLER else ()), form)


def free_of(model: FitModel, kept: Sequence[str]) -> np.ndarray:
    """Return which parameters are fitted if some keep their prior values, (parameters,)."""
    return np.array([key not in kept for key in model.keys])


def start_from(before: FitNumbers, model: FitModel, windows: Sequence[Windows], kept: Sequence[str] = ()) -> FitStart:
    """
    Return a fit's numbers as the start of another fit, of other logs or another form.

    :param kept: Parameters that keep their prior values, as parameters that the first fit does not have.
    """
    values = [parameter.prior if parameter.key in kept else before.values.get(parameter.key, parameter.prior)
              for parameter in model.parameters]
    flows = [before.flows.get(one.track.name, np.zeros(4)) for one in windows]
    return FitStart(np.array(values, dtype=float), np.array(flows).reshape(-1, 4))


def fit_determined(model: FitModel, windows: Sequence[Windows], nuisances: Nuisances, say: Say = silent,
                   start: FitStart | None = None, kept: Sequence[str] = ()) -> RolloutFit:
    """
    Return a fit of all parameters that the data determine; the others keep their prior values. As `fit_rollouts`.

    :param kept: Parameters that keep their prior values in any case; `start` contains them.
    """
    found = fit_rollouts(model, windows, free_of(model, kept), start, nuisances, say)
    for _ in model.keys:
        determined = determined_by_data(found, uncertainty_of(found))
        if np.array_equal(determined, found.free):
            break
        values = np.where(determined, found.values, model.column('prior'))
        say('once more, with the prior of ' + ', '.join(key for key, yes in zip(model.keys, determined) if not yes))
        found = fit_rollouts(model, windows, determined, FitStart(values, found.flows, found.shifts), nuisances, say)
    return found


class RolloutErrors(NamedTuple):
    """
    Root mean square errors of roll-outs: surge, sway, m/s, and yaw rate, rad/s, (3,).

    `rmse` of all roll-outs, `under_way` of those with thrust or speed; `number` and `moving` count them.
    """

    name: str
    rmse: np.ndarray
    under_way: np.ndarray
    number: int
    moving: int


class FormTrial(NamedTuple):
    """A form with its held-out errors, score, (-), information criterion and effective sample size."""

    form: str
    held_out: RolloutErrors
    score: float
    criterion: float
    parameters: int
    effective: float


class FormComparison(NamedTuple):
    """
    The trials of the forms, and the numbers of their fits.

    `numbers`: by form, of the fits to all logs. `unseen`: by form and the log's index, of the fits without that log.
    """

    trials: list[FormTrial]
    numbers: dict[str, FitNumbers]
    unseen: dict[str, dict[int, FitNumbers]]


class FitWork(NamedTuple):
    """
    Settings that all fits of an identification share.

    They are the nuisances, the duration of a roll-out, s, the number of processes, the progress callback, and the
    parameters that keep their prior values.
    """

    nuisances: Nuisances = BOTH
    horizon: float = HORIZON
    workers: int = 1
    say: Say = silent
    kept: tuple[str, ...] = ()


class SquaredErrors(NamedTuple):
    """Squared errors of one log's roll-outs, (roll-outs, samples, 3), and which of them are under way."""

    name: str
    squares: np.ndarray
    moving: np.ndarray


def squared_errors(tracks: Sequence[LogTrack], model: FitModel, values: np.ndarray, limits: tuple[float, float],
                   horizon: float = HORIZON, flows: np.ndarray | None = None) -> list[SquaredErrors]:
    """
    Roll logs out from the measured state of every second and return the squared errors.

    :param limits: Thrust, N, and speed, m/s, below which a boat is at rest.
    :param horizon: Duration of a roll-out, s.
    :param flows: Steady current and wind of each log in addition to those recorded, m/s, (logs, 4); None for 0.
    """
    found = []
    for number, track in enumerate(tracks):
        windows = rollout_windows.windows_from(track, horizon, JUDGED_EVERY)
        flow = np.zeros(4) if flows is None else flows[number]
        squares = rollout_windows.residuals(windows, values, model, flow) ** 2
        found.append(SquaredErrors(track.name, squares, track.under_way(windows.starts, windows.samples, *limits)))
    return found


def rollout_errors(rows: Sequence[SquaredErrors], name: str = 'all') -> RolloutErrors:
    """Return the errors of some logs taken together."""
    def root_mean(squares: Sequence[np.ndarray]) -> np.ndarray:
        together = np.concatenate([np.full((1, 3), np.nan), *(one.reshape(-1, 3) for one in squares)])
        return np.asarray(np.sqrt(np.nanmean(together, axis=0))) if np.isfinite(together).any() else together[0]

    return RolloutErrors(name, root_mean([row.squares for row in rows]),
                         root_mean([row.squares[row.moving] for row in rows]),
                         sum(len(row.squares) for row in rows), sum(int(row.moving.sum()) for row in rows))


def folds_of(number: int, folds: int) -> list[list[int]]:
    """Return the groups of logs that are left out of a fit in turn, for a number of logs."""
    return [list(range(k, number, folds)) for k in range(min(folds, number))]


def held_out_errors(form: str, tracks: Sequence[LogTrack], boat: Boat, work: FitWork,
                    starts: Mapping[int, FitNumbers] | None = None, folds: int | None = None,
                    every: float = EVERY) -> list[SquaredErrors]:
    """
    Return the errors on each log by a fit of one form to the other logs, in the logs' order.

    :param starts: For each log the numbers of a fit that has not used it either, as the initial values.
    :param folds: Number of groups of logs that are left out in turn; None for each log by itself.
    :param every: Time between the starts of the windows of the fits, s.
    """
    limits, groups = limits_at_rest(tracks), folds_of(len(tracks), folds or len(tracks))

    def without(number: int) -> list[SquaredErrors]:
        group = groups[number]
        others = [track for k, track in enumerate(tracks) if k not in group]
        model, windows = model_for(form, others, boat), windows_of(others, work.horizon, every)
        start = start_from(starts[group[0]], model, windows, work.kept) if starts and group[0] in starts else None
        found = fit_rollouts(model, windows, free_of(model, work.kept), start, work.nuisances, tolerances=COMPARED)
        return squared_errors([tracks[k] for k in group], model, found.values, limits, work.horizon)

    rows: dict[int, SquaredErrors] = {}
    for done, (number, errors) in enumerate(forked(without, len(groups), work.workers), start=1):
        work.say(f'{form}: without {", ".join(tracks[k].name for k in groups[number])} ({done} of {len(groups)})')
        rows |= dict(zip(groups[number], errors))
    return [rows[k] for k in sorted(rows)]


class FormFit(NamedTuple):
    """A form's fit to some logs: numbers, errors on logs left out, scale and design effect of the residuals."""

    numbers: FitNumbers
    errors: list[SquaredErrors]
    scale: np.ndarray
    effect: np.ndarray


def compared_forms(tracks: Sequence[LogTrack], boat: Boat, work: FitWork,
                   forms: Sequence[str] = tuple(FORMS)) -> FormComparison:
    """
    Return forms of the model with their held-out errors (of logs, or thirds of a single one) and their criterion.

    The score is the mean over surge, sway and yaw rate of error / measured rms. The criterion is Schwarz's with the
    effective number of samples: sum of n ln(scale^2) + parameters ln(sum of n), n = samples / design effect.
    """
    pieces = parts_for_comparison(tracks)
    groups, limits = [*folds_of(len(pieces), FOLDS), []], limits_at_rest(pieces)

    def without(number: int) -> dict[str, FormFit]:
        kept = [piece for k, piece in enumerate(pieces) if k not in groups[number]]
        fits = fitted_forms(forms, kept, boat, work.nuisances, work.horizon, COMPARED_EVERY)
        left_out = [pieces[k] for k in groups[number]]
        return {form: FormFit(numbers_of(fit), squared_errors(left_out, fit.model, fit.values, limits, work.horizon),
                              fit.scale, fit.effect) for form, fit in fits.items()}

    found: dict[int, dict[str, FormFit]] = {}
    for done, (number, fits) in enumerate(forked(without, len(groups), work.workers), start=1):
        which = 'without ' + ', '.join(pieces[k].name for k in groups[number]) if groups[number] else 'all logs'
        work.say(f'{len(forms)} forms: {which} ({done} of {len(groups)})')
        found[number] = fits
    *folds, every_log = (found[number] for number in range(len(groups)))
    trials = _trials(pieces, forms, folds, every_log, work.horizon)
    unseen = {k: number for number, group in enumerate(groups) for k in group}
    return FormComparison(trials, {form: fit.numbers for form, fit in every_log.items()},
                          {form: {k: folds[number][form].numbers for k, number in unseen.items()} for form in forms})


def _trials(pieces: Sequence[LogTrack], forms: Sequence[str], folds: Sequence[Mapping[str, FormFit]],
            every_log: Mapping[str, FormFit], horizon: float) -> list[FormTrial]:
    windows = windows_of(pieces, horizon, COMPARED_EVERY)
    count = sum(np.isfinite(one.measured).sum(axis=(0, 1)) for one in windows)
    independent = count / every_log[forms[0]].effect
    trials = []
    for form in forms:
        error = rollout_errors([row for fits in folds for row in fits[form].errors])
        parameters = len(every_log[form].numbers.values)
        criterion = float(np.sum(independent * np.log(every_log[form].scale ** 2))
                          + parameters * np.log(independent.sum()))
        trials.append(FormTrial(form, error, score_of(error, pieces), criterion, parameters,
                                float(independent.sum())))
    return trials


def score_of(error: RolloutErrors, tracks: Sequence[LogTrack]) -> float:
    """Return the mean of some logs' errors over their measured root mean squares, (-)."""
    motion = np.concatenate([track.motion[:, 1:] for track in tracks])
    return float(np.mean(error.rmse / np.maximum(np.sqrt(np.nanmean(motion ** 2, axis=0)), 1e-3)))


def kept_priors(form: str, tracks: Sequence[LogTrack], boat: Boat, work: FitWork,
                compared: FormComparison) -> tuple[str, ...]:
    """
    Return which of OPTIONAL keep their prior values in a form's fits.

    These are the parameters without which the form predicts held-out logs as well as with them, within 2 %. The form
    itself was chosen by the same rule on the same folds.
    """
    pieces = parts_for_comparison(tracks)
    score = next(trial.score for trial in compared.trials if trial.form == form)
    kept: tuple[str, ...] = ()
    for key in [key for key in OPTIONAL if key in compared.numbers[form].values]:
        trial = work._replace(kept=(*kept, key))
        rows = held_out_errors(form, pieces, boat, trial, compared.unseen[form], FOLDS, COMPARED_EVERY)
        without = score_of(rollout_errors(rows), pieces)
        work.say(f'score {without:.4f} with the prior of {key}, {score:.4f} where it is fitted')
        if without <= AS_GOOD * score:
            kept, score = trial.kept, min(score, without)
    return kept


def without_waves(form: str, tracks: Sequence[LogTrack], boat: Boat, work: FitWork,
                  compared: FormComparison) -> tuple[Boat, FormComparison]:
    """
    Return the base boat, without its wave-making resistance if logs not seen say so, and the comparison with that form.

    They say so if the fit leaves less than a quarter of them, and the form without them predicts logs not seen as well,
    within 2 %. Where logs do not go fast enough to tell, the fit leaves the base's waves as they are, and they stay.
    """
    if boat.vessel.damping.wave is None:
        return boat, compared
    damping = boat.vessel.damping._replace(wave=None)
    plain = replace(boat, vessel=boat.vessel._replace(damping=damping))
    pieces = parts_for_comparison(tracks)
    error = rollout_errors(held_out_errors(form, pieces, plain, work, compared.unseen[form], FOLDS, COMPARED_EVERY))
    with_them = next(trial for trial in compared.trials if trial.form == form)
    trial = with_them._replace(form=f'{form}{NO_WAVES}', held_out=error, score=score_of(error, pieces),
                               criterion=math.nan, parameters=with_them.parameters - 1)
    work.say(f'score {trial.score:.4f} without the waves of the hull, {with_them.score:.4f} with them')
    few = compared.numbers[form].values[WAVES] < FEW * boat.vessel.damping.wave.scale
    drop = few and trial.score <= AS_GOOD * with_them.score
    return (plain if drop else boat), compared._replace(trials=[*compared.trials, trial])


def best_form(trials: Sequence[FormTrial]) -> str:
    """Return the simplest form whose held-out score is as good as the best one's, within 2 %."""
    best = min(trial.score for trial in trials)
    return next(trial.form for trial in trials if trial.score <= AS_GOOD * best)


def parts_for_comparison(tracks: Sequence[LogTrack]) -> list[LogTrack]:
    """Return the parts that are left out of a fit in turn: logs, or the thirds of a single log."""
    return list(tracks) if len(tracks) > 1 else tracks[0].parts(3)
