"""Errors of open-loop roll-outs on logs, seen by the fit or not, and the choice of a model form by them."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...boats.boat_file import Boat
from . import rollout_fit
from .fit_parameters import FORMS, FitModel, model_of, scale_of
from .rollout_fit import EVERY, HORIZON, RolloutFit, Say, fit_rollouts, silent, windows_of
from .tracks import LogTrack, limits_at_rest
from .uncertainty import determined_by_data, uncertainty_of

JUDGED_EVERY = 1.0          # Time between the starts of the roll-outs that errors are taken from, s.
COMPARED_EVERY = 5.0        # Of the windows that forms are compared with, s: they are many fits.
FOLDS = 4
AS_GOOD = 1.02              # A simpler form this much worse than the best, or less, is taken.
QUANTITIES = (('surge', 'm/s'), ('sway', 'm/s'), ('yaw rate', 'rad/s'))     # And their units.


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
    """A form and what it is worth: held-out errors, score, (-), information criterion, effective sample size."""

    form: str
    held_out: RolloutErrors
    score: float
    criterion: float
    parameters: int
    effective: float


class SquaredErrors(NamedTuple):
    """Squared errors of one log's roll-outs, (roll-outs, samples, 3), and which of them are under way."""

    name: str
    squares: np.ndarray
    moving: np.ndarray


def squared_errors(tracks: Sequence[LogTrack], model: FitModel, values: np.ndarray, limits: tuple[float, float],
           horizon: float = HORIZON, currents: np.ndarray | None = None) -> list[SquaredErrors]:
    """
    Roll logs out from every second's measured state and return the squared errors.

    :param limits: Thrust, N, and speed, m/s, of a boat at rest.
    :param horizon: Of a roll-out, s.
    :param currents: Steady current of each log, m/s, (logs, 2); 0 where None.
    """
    found = []
    for number, track in enumerate(tracks):
        windows = rollout_fit.windows_from(track, horizon, JUDGED_EVERY)
        current = np.zeros(2) if currents is None else currents[number]
        squares = rollout_fit.residuals(windows, values, model, current) ** 2
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


def fit_determined(model: FitModel, windows: Sequence[rollout_fit.Windows], currents: bool,
                   say: Say = silent) -> RolloutFit:
    """Return a fit of all parameters that the data determine; the others keep their priors. As `fit_rollouts`."""
    found = fit_rollouts(model, windows, currents=currents, say=say)
    for _ in model.keys:
        determined = determined_by_data(found, uncertainty_of(found, currents))
        if np.array_equal(determined, found.free):
            break
        values = np.where(determined, found.values, model.column('prior'))
        say('once more, with the prior of ' + ', '.join(key for key, yes in zip(model.keys, determined) if not yes))
        found = fit_rollouts(model, windows, free=determined, start=values, currents=currents, say=say)
    return found


def held_out_errors(form: str, tracks: Sequence[LogTrack], boat: Boat, currents: bool, folds: int, every: float = EVERY,
                    horizon: float = HORIZON, say: Say = silent) -> list[SquaredErrors]:
    """
    Return the errors on each log of fits that have not seen it, of all logs in the logs' order.

    :param folds: How many groups of logs are left out in turn; at least as many as logs leaves out one at a time.
    :param every: Time between the windows of the fits, s.
    """
    limits = limits_at_rest(tracks)
    groups = [list(range(k, len(tracks), folds)) for k in range(min(folds, len(tracks)))]
    rows: dict[int, SquaredErrors] = {}
    for number, group in enumerate(groups, start=1):
        say(f'{form}: without {", ".join(tracks[k].name for k in group)} ({number} of {len(groups)})')
        others = [track for k, track in enumerate(tracks) if k not in group]
        model = model_of(form, boat, scale_of(others), any(track.nominal for track in others))
        found = fit_rollouts(model, windows_of(others, horizon, every), currents=currents)
        rows |= dict(zip(group, squared_errors([tracks[k] for k in group], model, found.values, limits, horizon)))
    return [rows[k] for k in sorted(rows)]


def compared_forms(tracks: Sequence[LogTrack], boat: Boat, currents: bool, horizon: float = HORIZON,
                   say: Say = silent, forms: Sequence[str] = tuple(FORMS)) -> list[FormTrial]:
    """
    Return forms of the model with their held-out errors (of logs, or thirds of a single one) and their criterion.

    The score is the mean over surge, sway and yaw rate of error / measured rms. The criterion is Schwarz's with the
    effective number of samples: sum of n ln(scale^2) + parameters ln(sum of n), n = samples / design effect.
    """
    pieces = parts_for_comparison(tracks)
    motion = np.concatenate([track.motion[:, 1:] for track in pieces])
    size = np.maximum(np.sqrt(np.nanmean(motion ** 2, axis=0)), 1e-3)
    trials = []
    windows = windows_of(pieces, horizon, COMPARED_EVERY)
    count = sum(np.isfinite(one.measured).sum(axis=(0, 1)) for one in windows)
    effect = None
    for form in forms:
        error = rollout_errors(held_out_errors(form, pieces, boat, currents, FOLDS, COMPARED_EVERY, horizon, say))
        model = model_of(form, boat, scale_of(pieces), any(track.nominal for track in pieces))
        found = fit_rollouts(model, windows, currents=currents)
        effect = found.effect if effect is None else effect
        independent = count / effect
        criterion = float(np.sum(independent * np.log(found.scale ** 2)) + len(model.keys) * np.log(independent.sum()))
        trials.append(FormTrial(form, error, float(np.mean(error.rmse / size)), criterion, len(model.keys),
                                float(independent.sum())))
    return trials


def best_form(trials: Sequence[FormTrial]) -> str:
    """Return the simplest form whose held-out score is as good as the best one's, within 2 %."""
    best = min(trial.score for trial in trials)
    return next(trial.form for trial in trials if trial.score <= AS_GOOD * best)


def parts_for_comparison(tracks: Sequence[LogTrack]) -> list[LogTrack]:
    """Return what can be left out of a fit in turn: logs, or the thirds of a single one."""
    return list(tracks) if len(tracks) > 1 else tracks[0].parts(3)
