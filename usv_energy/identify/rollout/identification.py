"""An identification from logs to figures: the form chosen, the fit, its errors on logs seen and not seen, warnings."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...boats.boat_file import Boat
from ...files.errors import InputError
from ...logs.log import Log
from ...logs.quality import PUT_RIGHT
from .fit_parameters import COMPASS, FORMS, least_turn, model_of, scale_of
from .form_choice import (
    FOLDS,
    JUDGED_EVERY,
    ORDER,
    FormTrial,
    RolloutErrors,
    SquaredErrors,
    best_form,
    compared_forms,
    fit_determined,
    held_out_errors,
    rollout_errors,
    squared_errors,
    thirds,
)
from .rollout_fit import RolloutFit, fit_rollouts, windows_of
from .tracks import NEUTRAL, LogTrack, limits_at_rest, track_of
from .uncertainty import ParameterEstimate, Uncertainty, boat_estimates, parameter_estimates, uncertainty_of

AUTO = 'auto'
STRONG = 0.95           # Correlation above which two parameters cannot be told apart.
WORSE = 1.5             # Errors on logs not seen over those on the fit's, above which a warning is due.
SEEN_CURRENT = 0.05     # m/s: a steady current worth a word.
SEEN_MOTION = 0.03      # m/s, rad/s, rms: a motion whose errors are worth a word.
WORDS = {'11': 'surge', '22': 'sway', '33': 'yaw', '23': 'the coupling of sway and yaw',
         '32': 'the coupling of sway and yaw'}


@dataclass(frozen=True)
class FitSettings:
    """How to identify: the form or `auto`, duration of a roll-out, s, steady currents, errors by leaving logs out."""

    form: str = AUTO
    horizon: float = 10.0
    currents: bool = True
    leave_one_out: bool = False


@dataclass(frozen=True, eq=False)
class Identification:
    """
    What came out.

    `errors`: of the fit's logs, without a current, then all together; `with_current`: all together, with the currents
    that the fit found. `left_out`: each log by a fit without it. `validation`: logs that the fit never saw, without a
    current; `validation_current`: their second halves, without and with the current found in their first halves.
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
    warnings: tuple[str, ...]

    @property
    def parameters(self) -> list[ParameterEstimate]:
        """The parameters of the fit."""
        return parameter_estimates(self.found, self.known)

    @property
    def numbers(self) -> list[ParameterEstimate]:
        """The numbers of the boat file."""
        return boat_estimates(self.found, self.known)


def identify(logs: Sequence[Log], boat: Boat, validation: Sequence[Log], settings: FitSettings,
             say: Callable[[str], None] | None = None) -> Identification:
    """
    Identify a boat.

    :param logs: For the fit.
    :param boat: The base boat: priors, thrusters' places, windage.
    :param validation: Logs that only the errors are taken from.
    :param settings: How.
    :param say: Is told of the progress.
    :raises InputError: If a log lacks something or stands there twice, nothing moves in them, or none of those to
        validate with is as long as a roll-out.
    """
    _refuse_twice([*logs, *validation])
    tracks = [track_of(log, boat) for log in logs]
    others = [track_of(log, boat) for log in validation]
    if others and not any(len(track.starts(track.samples_in(settings.horizon), JUDGED_EVERY)) for track in others):
        raise InputError(f'{", ".join(track.name for track in others)}: to validate with, but no stretch of '
                         f'{settings.horizon:g} s with known motion and thrust')
    scale = scale_of(tracks)
    windows = windows_of(tracks, settings.horizon)
    trials = compared_forms(tracks, boat, settings.currents, settings.horizon, say) if settings.form == AUTO else []
    form = best_form(trials) if trials else settings.form
    model = model_of(form, boat, scale, any(track.nominal for track in tracks))
    if say is not None:
        say(f'fit of the form {form}')
    found = fit_determined(model, windows, settings.currents, say)
    known = uncertainty_of(found, settings.currents)
    limits = limits_at_rest(tracks)
    rows = squared_errors(tracks, model, found.values, limits, settings.horizon)
    seen = squared_errors(tracks, model, found.values, limits, settings.horizon, found.currents)
    left = _left_out(form, tracks, boat, settings, say) if settings.leave_one_out else []
    outside = squared_errors(others, model, found.values, limits, settings.horizon)
    halves = _with_current(others, found, limits, settings) if others and settings.currents else []
    result = Identification(settings, tuple(tracks), found, known, tuple(trials), _listed(rows), rollout_errors(seen),
                  _listed(left), _listed(outside), tuple(halves), ())
    return _warned(result, logs, validation)


def _refuse_twice(logs: Sequence[Log]) -> None:
    """Refuse a log that stands there twice, under whatever name: it would be judged by a fit that has seen it."""
    for one, other in itertools.combinations(logs, 2):
        if (len(one) == len(other) and one.start == other.start and np.array_equal(one.time, other.time)
                and np.array_equal(one.u, other.u, equal_nan=True) and np.array_equal(one.r, other.r, equal_nan=True)):
            raise InputError(f'{one.path} and {other.path} hold the same samples; give each log once: '
                             'errors on a log that the fit has seen prove nothing')


def _listed(rows: Sequence[SquaredErrors]) -> tuple[RolloutErrors, ...]:
    """Return each log's errors and those of all together, nothing for no log."""
    return (*(rollout_errors([row], row.name) for row in rows), rollout_errors(rows)) if rows else ()


def _left_out(form: str, tracks: Sequence[LogTrack], boat: Boat, settings: FitSettings,
              say: Callable[[str], None] | None) -> list[SquaredErrors]:
    pieces = list(tracks) if len(tracks) > 1 else thirds(tracks[0])
    return held_out_errors(form, pieces, boat, settings.currents, len(pieces), horizon=settings.horizon, say=say)


def _with_current(tracks: Sequence[LogTrack], found: RolloutFit, limits: tuple[float, float],
                  settings: FitSettings) -> list[RolloutErrors]:
    """Return the errors on the logs' second halves, without and with the current that their first halves show."""
    without, with_it = [], []
    for track in tracks:
        first, second = _halves(track)
        samples = track.samples_in(settings.horizon)
        if not len(first.starts(samples, 1.0)) or not len(second.starts(samples, 1.0)) or np.any(track.flow[:, :2]):
            continue
        windows = windows_of([first], settings.horizon, moving_only=False)
        only = fit_rollouts(found.model, windows, free=np.zeros(len(found.values), bool), start=found.values)
        without += squared_errors([second], found.model, found.values, limits, settings.horizon)
        with_it += squared_errors([second], found.model, found.values, limits, settings.horizon, only.currents)
    return [rollout_errors(without, 'half of them, no current'),
            rollout_errors(with_it, 'half, current of the other half')] if without else []


def _halves(track: LogTrack) -> tuple[LogTrack, LogTrack]:
    middle = len(track.time) // 2
    return tuple(replace(track, time=track.time[rows], motion=track.motion[rows], thrust=track.thrust[rows],
                         flow=track.flow[rows],
                         breaks=tuple(k - begin for k in track.breaks if begin < k < begin + len(track.time[rows])))
                 for begin, rows in ((0, slice(0, middle)), (middle, slice(middle, None))))  # type: ignore[return-value]


def _warned(result: Identification, logs: Sequence[Log], validation: Sequence[Log]) -> Identification:
    words = [f'{log.name}: {note.text}' for log in (*logs, *validation) for note in log.warnings]
    words += [f'{log.name}: the neutral of a command is not given: {NEUTRAL:g} us is taken' for log in logs
              if not log.known('thrust') and np.isnan(log.neutral).any()]
    words += _partly_right([*logs, *validation])
    words += _unexplained(result.errors[-1], logs, 'the logs of the fit', 'logs, column map and base boat do not go '
                          'together: do not use these numbers')
    for check in (_chosen, _untold, _straight, _scale, _alike, _oddities, _unseen):
        words += check(result)
    if validation:
        words += _unexplained(result.validation[-1], validation, 'the logs not seen', 'the fit says nothing of them')
    return replace(result, warnings=tuple(words))


def _partly_right(logs: Sequence[Log]) -> list[str]:
    """Name what was put right in some logs and could not be told in others, which it may well concern, too."""
    right = {log.name: {note.code.replace('_', ' ') for note in log.notes if note.text.endswith(PUT_RIGHT)}
             for log in logs}
    return [f'{code}: put right in {", ".join(name for name in right if code in right[name])}, not told by '
            f'{", ".join(others)}: put it right in the column map, so that all logs are read alike'
            for code in sorted(set().union(*right.values()))
            if (others := [name for name in right if code not in right[name]])]


def _unexplained(errors: RolloutErrors, logs: Sequence[Log], which: str, verdict: str) -> list[str]:
    """Name the motions that roll-outs foretell no better than a boat that lies still."""
    motion = np.concatenate([np.column_stack([log.u, log.v, log.r]) for log in logs])
    size = np.sqrt(np.nanmean(motion ** 2, axis=0))
    return [f'{name.replace("_", " ")}: the roll-outs err more ({error:.3g} {unit}) than saying 0 would ({still:.3g}) '
            f'on {which}: {verdict}'
            for name, unit, error, still in zip(ORDER, ('m/s', 'm/s', 'rad/s'), errors.rmse, size)
            if error > still > SEEN_MOTION]


def _chosen(result: Identification) -> list[str]:
    """Say where the choice of the form stands on little."""
    if not result.trials:
        return []
    best = min(trial.score for trial in result.trials)
    words = [f'no form foretells what was left out better than saying 0 would (score {best:.2f}): the choice is a '
             'guess; give more logs, with the manoeuvres of these in several of them, or --form'] if best >= 1.0 else []
    by = f'{len(result.tracks)} logs' if len(result.tracks) > 1 else 'three parts of one log'
    few = [f'the form was chosen by {by} only: elsewhere another may do better; give more logs, or try --form on a log '
           'to --validate with'] if len(result.tracks) < FOLDS else []
    return words + few


def _straight(result: Identification) -> list[str]:
    scale = result.found.model.scale
    if scale.yaw_rate >= least_turn(result.found.model.boat.vessel, scale.speed):
        return []
    return [f'the boat hardly turns in the logs ({scale.yaw_rate:.2g} rad/s at most): what the boat file says of turns '
            'and drift has not been tested']


def _untold(result: Identification) -> list[str]:
    groups: dict[str, list[str]] = {}
    for estimate in result.parameters:
        if not estimate.determined and estimate.key != 'thrust.scale':
            groups.setdefault(WORDS.get(estimate.key[-2:], ''), []).append(estimate.key)
    return [(f'{word} is hardly excited: ' if word else '') + ', '.join(keys)
            + (' are' if len(keys) > 1 else ' is') + " the prior's" for word, keys in groups.items()]


def _scale(result: Identification) -> list[str]:
    keys = {estimate.key: estimate for estimate in result.parameters}
    thrust, mass = keys['thrust.scale'], keys['inertia.m11']
    if any(track.nominal for track in result.tracks):
        return ["the logs give no thrust in N: commands were taken as shares of the base boat's largest thrust, and "
                'the scale of all masses, damping and thrusts hangs on the base boat (m11 '
                f'{mass.prior:.4g} +- {mass.prior_std:.2g} kg, thrust +- {100.0 * thrust.prior_std:.0f} %)']
    return [f'the scale of all masses, damping and thrusts hangs on the thrust in the logs, taken to be right to '
            f'{100.0 * thrust.prior_std:.0f} % (the intervals of the others hold for that scale): weigh the boat to '
            'check m11'] if not thrust.determined else []


def _alike(result: Identification) -> list[str]:
    keys, correlation = result.found.model.keys, result.known.correlation
    return [f'{keys[i]} and {keys[j]} can hardly be told apart (correlation {correlation[i, j]:+.2f}): trust what they '
            'make together' for i in range(len(keys)) for j in range(i) if abs(correlation[i, j]) > STRONG]


def _oddities(result: Identification) -> list[str]:
    words = [] if result.found.converged else ['the fit had not settled when it ended: look at the roll-outs']
    for value, parameter in zip(result.found.values, result.found.model.parameters):
        if (value <= parameter.lower and parameter.lower != 0.0) or value >= parameter.upper:
            words.append(f'{parameter.key} is at its bound, {value:.4g} {parameter.unit}: the base boat is far off, or '
                         'the logs do not fit the model')
    values = {estimate.key: estimate for estimate in result.parameters}
    lean = values['thrust.asymmetry']
    if lean.determined and lean.low * lean.high > 0.0 and abs(lean.value) > 0.05:
        more, less = result.found.model.boat.thruster_names[::1 if lean.value > 0.0 else -1]
        words.append(f'for the same thrust in the log, {more} gives {100.0 * abs(lean.value):.0f} % more than {less}; '
                     'the boat file has their mean')
    bent = values.get('thrust.exponent')
    if bent is not None and bent.low > 1.0:
        words.append(f'the thrust in the logs is none: what the boat feels goes as its power {bent.value:.2f}')
    compass = [values[key].value for key in COMPASS if key in values]
    swing = float(np.hypot(compass[1], compass[2])) if compass else 0.0
    if compass and abs(compass[0]) + swing > np.radians(3.0):
        words.append(f'the measured heading deviates by {np.degrees(compass[0]):+.1f} degrees and, with the heading, '
                     f'by up to {np.degrees(swing):.1f}: adjust the compass')
    for windows, current, std in zip(result.found.windows, result.found.currents, result.known.current_std):
        if np.hypot(*current) > max(SEEN_CURRENT, 2.0 * np.hypot(*std)):
            words.append(f'{windows.track.name}: a steady current of {np.hypot(*current):.2f} m/s to '
                         f'{np.degrees(np.arctan2(current[1], current[0])):.0f} degrees (from east, counter-clockwise)')
    return words


def _unseen(result: Identification) -> list[str]:
    if not result.validation:
        return []
    ratio = result.validation[-1].rmse / np.maximum(result.errors[-1].rmse, 1e-9)
    return [f'{name.replace("_", " ")} errs {factor:.1f} times as much on the logs not seen: other conditions, or '
            'too few manoeuvres in the fit' for name, factor in zip(ORDER, ratio) if factor > WORSE]


def forms() -> list[str]:
    """Return what may stand for a form."""
    return [AUTO, *FORMS]
