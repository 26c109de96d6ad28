"""Identify a boat from logs: choose the form, fit it, and find its errors on fitted and on other logs, and warnings."""

import itertools
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.boat_remarks import PLANING, speed_of_froude
from usv_energy.files.errors import InputError
from usv_energy.files.work import cores
from usv_energy.logs.log import Log
from usv_energy.logs.quality import PUT_RIGHT
from usv_energy.logs.thruster_readings import with_thrust_of_pulses
from usv_energy.phrases import AIR, WATER, flow_words
from usv_energy.studies.identify.rollout import form_choice
from usv_energy.studies.identify.rollout.fit_parameters import COMPASS, INFLOW, PAIRED, least_turn, scale_of
from usv_energy.studies.identify.rollout.form_choice import (
    FOLDS,
    JUDGED_EVERY,
    QUANTITIES,
    FitWork,
    FormTrial,
    RolloutErrors,
    SquaredErrors,
    fit_determined,
    ladder_to,
    model_for,
    rollout_errors,
    squared_errors,
    start_from,
)
from usv_energy.studies.identify.rollout.identification_result import AUTO, FitSettings, Identification, residual_tests
from usv_energy.studies.identify.rollout.normal_equations import FitStart, RolloutFit, Say, fit_rollouts, silent
from usv_energy.studies.identify.rollout.rollout import best_roll
from usv_energy.studies.identify.rollout.rollout_windows import windows_of
from usv_energy.studies.identify.rollout.tracks import NEUTRAL, LogTrack, limits_at_rest, track_of
from usv_energy.studies.identify.rollout.uncertainty import uncertainty_of

NOTABLE_START = 0.01    # Share of the thrusters' unknown initial state that remains when roll-outs begin.
STRONG = 0.95           # Correlation above which two parameters cannot be separated.
WORSE = 1.5             # Ratio of the errors on held-out logs to those on the fit's logs, above which to warn.
NOTABLE_CURRENT = 0.05  # m/s: warn of a larger steady current.
NOTABLE_WIND = 2.0  # m/s: warn of a larger steady wind.
NOTABLE_MOTION = 0.03  # m/s, rad/s, rms: least motion for which its errors are judged.
SIGNIFICANT, NOTABLE_ERROR = 3.0, 0.01  # Student's t, (-), and difference, m/s or rad/s, above which to warn.
NOTABLE_ASYMMETRY, NOTABLE_DEVIATION = 0.05, np.radians(3.0)  # Of the thrust, (-); of the compass, rad.
MOTIONS = {'11': 'surge', '22': 'sway', '33': 'yaw', '23': 'the coupling of sway and yaw',
           '32': 'the coupling of sway and yaw'}


def fit_warnings(result: Identification, logs: Sequence[Log], validation: Sequence[Log]) -> tuple[str, ...]:
    """
    Return all warnings, the most general ones first.

    :param validation: Logs that were only used for errors.
    """
    words = [f'{log.name}: {note.text}' for log in (*logs, *validation) for note in log.warnings]
    words += [f'{log.name}: the neutral of a command is not given: {NEUTRAL:g} us is taken' for log in logs
              if not log.known('thrust') and np.isnan(log.neutral).any()]
    right = {log.name: {note.code.replace('_', ' ') for note in log.notes if note.text.endswith(PUT_RIGHT)}
             for log in (*logs, *validation)}
    words += [f'{code}: put right in {", ".join(name for name in right if code in right[name])}, not visible in '
              f'{", ".join(others)}: put it right in the column map, so that all logs are read alike'
              for code in sorted(set().union(*right.values()))
              if (others := [name for name in right if code not in right[name]])]
    words += predicts_nothing(result.errors[-1], logs, 'the logs of the fit', 'logs, column map and base boat do not '
                              'go together: do not use these numbers')
    words += uncertain_form(result.trials, len(result.tracks))
    for check in (_kept_priors, _no_turns, _unknown_scale, _correlated, _not_settled, _unknown_start,
                  _asymmetric_thrust, _astern, _different_residuals, _compass_deviation, _steady_currents,
                  _steady_winds, _worse_on_others):
        words += check(result)
    if validation:
        words += predicts_nothing(result.validation[-1], validation, 'the logs not seen',
                                  'the fit does not hold for them')
    return tuple(words)


def predicts_nothing(errors: RolloutErrors, logs: Sequence[Log], which: str, verdict: str) -> list[str]:
    """
    Name the motions that the roll-outs predict no better than a model at rest.

    :param which: Name of the logs in the warning.
    :param verdict: Conclusion, in words.
    """
    motion = np.concatenate([np.column_stack([log.u, log.v, log.r]) for log in logs])
    size = np.sqrt(np.nanmean(motion ** 2, axis=0))
    return [f'{name}: the error of the roll-outs ({error:.3g} {unit}) is larger than that of predicting no motion '
            f'({still:.3g}) on {which}: {verdict}'
            for (name, unit), error, still in zip(QUANTITIES, errors.rmse, size) if error > still > NOTABLE_MOTION]


def uncertain_form(trials: Sequence[FormTrial], logs: int) -> list[str]:
    """Warn if the choice of the form is uncertain with this number of logs."""
    if not trials:
        return []
    best = min(trial.score for trial in trials)
    words = [f'no form predicts the logs left out better than predicting no motion (score {best:.2f}): the choice is '
             'uncertain; give more logs that share manoeuvres, or choose with --form'] if best >= 1.0 else []
    by = f'{logs} logs' if logs > 1 else 'three parts of one log'
    few = [f'the form was chosen by {by} only: elsewhere another may do better; give more logs, or try --form on a log '
           'to --validate with'] if logs < FOLDS else []
    return words + few


def _kept_priors(result: Identification) -> list[str]:
    groups: dict[str, list[str]] = {}
    boat = result.found.model.boat
    for estimate in result.parameters:
        if not estimate.determined and estimate.key != 'thrust.scale':
            group = _actuator(estimate.key, boat) or MOTIONS.get(estimate.key[-2:], '')
            groups.setdefault(group, []).append(estimate.key)
    return [(f'{motion} is hardly excited: ' if motion else '') + ', '.join(keys)
            + (' keep their prior values' if len(keys) > 1 else ' keeps its prior value')
            for motion, keys in groups.items()]


def _actuator(key: str, boat: Boat) -> str:
    """Return the excitation that an actuator's parameter needs in a log; empty for other parameters."""
    if key == INFLOW:
        return 'thrust at different speeds of the water through the propellers'
    group, _, rest = key.partition('.')
    return f'the foil {boat.foil_names[int(rest.split(".")[0])]}' if group == 'foils' else ''


def _no_turns(result: Identification) -> list[str]:
    scale = result.found.model.scale
    if scale.yaw_rate >= least_turn(result.found.model.boat.vessel, scale.speed):
        return []
    return [f'the boat hardly turns in the logs ({scale.yaw_rate:.2g} rad/s at most): what the boat file says of turns '
            'and drift has not been tested']


def _unknown_scale(result: Identification) -> list[str]:
    keys = {estimate.key: estimate for estimate in result.parameters}
    thrust, mass = keys['thrust.scale'], keys['inertia.m11']
    if any(track.nominal for track in result.tracks):
        return ["the logs give no thrust in N: commands were taken as shares of the base boat's largest thrust, and "
                'the scale of all masses, damping and thrusts depends on the base boat (m11 '
                f'{mass.prior:.4g} +- {mass.prior_std:.2g} kg, thrust +- {100.0 * thrust.prior_std:.0f} %)']
    return [] if thrust.determined else [
        'the scale of all masses, damping and thrusts depends on the thrust in the logs, taken to be right to '
        f'{100.0 * thrust.std:.0f} %, which is in all intervals: weigh the boat to check m11']


def _correlated(result: Identification) -> list[str]:
    keys, covariance = result.found.model.keys, result.known.covariance
    scale = covariance[keys.index('thrust.scale')]      # It scales all thrusts and is correlated with most parameters.
    apart = covariance - np.outer(scale, scale) / scale[keys.index('thrust.scale')]
    std = np.sqrt(np.maximum(np.diag(apart), 1e-30))
    correlation = apart / np.outer(std, std)
    return [f'{keys[i]} and {keys[j]} can hardly be separated (correlation {correlation[i, j]:+.2f}): trust their '
            'joint effect only' for i in range(len(keys)) for j in range(i)
            if abs(correlation[i, j]) > STRONG and 'thrust.scale' not in (keys[i], keys[j])]


def _not_settled(result: Identification) -> list[str]:
    words = [] if result.found.converged else ['the fit had not converged when it ended: look at the roll-outs']
    return words + [
        f'{parameter.key} is at its bound, {value:.4g} {parameter.unit}: the base boat is far off, or the logs do not '
        'fit the model' for value, parameter in zip(result.found.values, result.found.model.parameters)
        if (value <= parameter.lower and parameter.lower != 0.0) or value >= parameter.upper]


def _unknown_start(result: Identification) -> list[str]:
    """Warn if unknown thrusts before a stretch may affect the fit: in short logs with a long lag."""
    horizon, settling = result.settings.horizon, max(track.settling for track in result.tracks)
    short = [track.name for track in result.tracks if track.starts_unsettled(track.samples_in(horizon))]
    words = [f'{", ".join(short)}: no stretch is longer than {horizon + settling:.1f} s, so thrusters are taken to be '
             'settled where one begins: where they were not, their lag comes out wrong'] if short else []
    lag = float(dict(zip(result.found.model.keys, result.found.values))['thrusters.lag'])
    left = np.exp(-settling / lag) if lag > 0.0 else 0.0
    return words + ([f'thrusters.lag is {lag:.2g} s: {100.0 * left:.0f} % of what thrusters gave before a stretch is '
                     f'left {settling:.1f} s into it, where roll-outs start; give the base boat a lag near this one']
                    if left > NOTABLE_START else [])


def _asymmetric_thrust(result: Identification) -> list[str]:
    words, values = [], {estimate.key: estimate for estimate in result.parameters}
    asymmetry = values.get(PAIRED)
    if (asymmetry is not None and asymmetry.determined and asymmetry.low * asymmetry.high > 0.0
            and abs(asymmetry.value) > NOTABLE_ASYMMETRY):
        more, less = result.found.model.boat.thruster_names[::1 if asymmetry.value > 0.0 else -1]
        words.append(f'for the same thrust in the log, {more} gives {100.0 * abs(asymmetry.value):.0f} % more than '
                     f'{less}; the boat file has their mean')
    exponent = values.get('thrust.exponent')
    if exponent is not None and exponent.low > 1.0:
        words.append('what the logs give as thrust is not proportional to the force on the boat, which goes as its '
                     f'power {exponent.value:.2f}')
    return words


def _astern(result: Identification) -> list[str]:
    astern = {estimate.key: estimate for estimate in result.parameters}['thrust.astern']
    if not astern.determined or astern.low <= 1.0 <= astern.high or abs(astern.value - 1.0) < NOTABLE_ASYMMETRY:
        return []
    return [f'astern the thrusters give {100.0 * astern.value:.0f} % of what they give ahead for the same thrust in '
            f'the log ({100.0 * astern.low:.0f} to {100.0 * astern.high:.0f} %)']


def _different_residuals(result: Identification) -> list[str]:
    return [f'{test.quantity}: the roll-outs err by {test.means[0]:+.3f} {test.unit} on average with '
            f'{test.names[0]}, by {test.means[1]:+.3f} with {test.names[1]} (t = {test.statistic:+.1f}): the model '
            'has the thrust wrong there, and the intervals do not know it' for test in result.tests
            if abs(test.statistic) > SIGNIFICANT and abs(test.means[0] - test.means[1]) > NOTABLE_ERROR]


def _compass_deviation(result: Identification) -> list[str]:
    values = dict(zip(result.found.model.keys, result.found.values))
    if COMPASS[0] not in values:
        return []
    constant, cosine, sine = (float(values[key]) for key in COMPASS)
    swing = float(np.hypot(cosine, sine))
    return [f'the measured heading deviates by {np.degrees(constant):+.1f} degrees and, with the heading, by up to '
            f'{np.degrees(swing):.1f}: adjust the compass'] if abs(constant) + swing > NOTABLE_DEVIATION else []


def _steady_currents(result: Identification) -> list[str]:
    return [f'{windows.track.name}: a steady current of {flow_words(float(current[0]), float(current[1]), WATER)}'
            for windows, current, std in zip(result.found.windows, result.found.currents, result.known.flow_std[:, :2])
            if np.hypot(*current) > max(NOTABLE_CURRENT, 2.0 * np.hypot(*std))]


def _steady_winds(result: Identification) -> list[str]:
    return [f'{windows.track.name}: as if a steady wind of {flow_words(float(wind[0]), float(wind[1]), AIR)} blew '
            f'(+- {std.max():.1f} m/s); the log holds none'
            for windows, wind, std in zip(result.found.windows, result.found.winds, result.known.flow_std[:, 2:])
            if np.hypot(*wind) > max(NOTABLE_WIND, 2.0 * np.hypot(*std))]


def _worse_on_others(result: Identification) -> list[str]:
    if not result.validation:
        return []
    ratio = result.validation[-1].rmse / np.maximum(result.errors[-1].rmse, 1e-9)
    return [f'{name}: errors on the logs not seen are {factor:.1f} times those on the logs of the fit: other '
            'conditions, or too few manoeuvres in the fit' for (name, _), factor in zip(QUANTITIES, ratio)
            if factor > WORSE]


def identify(logs: Sequence[Log], boat: Boat, validation: Sequence[Log], settings: FitSettings,
             say: Say = silent) -> Identification:
    """
    Identify a boat.

    :param logs: For the fit.
    :param boat: The base boat: priors, thrusters' places, windage.
    :param validation: Logs that are only used for errors.
    :raises InputError: If a log lacks something or is given twice, nothing moves in them, or none of the validation
        logs is as long as a roll-out.
    """
    _refuse_twice([*logs, *validation])
    logs, validation = ([with_thrust_of_pulses(log, boat) for log in some] for some in (logs, validation))
    tracks = [track_of(log, boat) for log in logs]
    others = [track_of(log, boat) for log in validation]
    horizon = settings.horizon
    if others and not any(len(track.starts(track.samples_in(horizon), JUDGED_EVERY)) for track in others):
        raise InputError(f'{", ".join(track.name for track in others)}: to validate with, but no stretch of '
                         f'{horizon:g} s with known motion and thrust')
    work = FitWork(settings.nuisances, horizon, settings.workers or cores(), say)
    refuse_planing(boat, scale_of(tracks).speed)
    windows = windows_of(tracks, horizon)
    best_roll()     # Compile before the worker processes are forked.
    compared = form_choice.compared_forms(tracks, boat, work) if settings.form == AUTO else None
    form = form_choice.best_form(compared.trials) if compared else settings.form
    if compared:
        boat, compared = form_choice.without_waves(form, tracks, boat, work, compared)
        work = work._replace(kept=form_choice.kept_priors(form, tracks, boat, work, compared))
    model = model_for(form, tracks, boat)
    say(f'fit of the form {form}')
    # The thirds of a single log have other currents than the whole log.
    start = start_from(compared.numbers[form], model, windows, work.kept) if compared and len(tracks) > 1 else None
    found = fit_determined(model, windows, settings.nuisances, say, start, work.kept)
    limits = limits_at_rest(tracks)
    seen = squared_errors(tracks, model, found.values, limits, horizon, found.flows)
    left_out: list[SquaredErrors] = []
    if settings.leave_one_out:
        parts = form_choice.parts_for_comparison(tracks)
        unseen = compared or form_choice.compared_forms(tracks, boat, work, ladder_to(form))
        left_out = form_choice.held_out_errors(form, parts, boat, work, unseen.unseen[form])
    halves = _with_current(others, found, limits, horizon) if settings.currents else []
    result = Identification(
        settings, tuple(tracks), found, uncertainty_of(found), tuple(compared.trials if compared else ()),
        errors=_each_and_all(squared_errors(tracks, model, found.values, limits, horizon)),
        with_current=rollout_errors(seen), left_out=_each_and_all(left_out),
        validation=_each_and_all(squared_errors(others, model, found.values, limits, horizon)),
        validation_current=tuple(halves), tests=residual_tests(found))
    return replace(result, warnings=fit_warnings(result, logs, validation))


def refuse_planing(boat: Boat, fastest: float) -> None:
    """Raise InputError if a hull of the base's length planes at a speed of the logs, m/s."""
    planes = speed_of_froude(boat, PLANING)
    if fastest > planes:
        raise InputError(f'{boat.path}: hull.length is {boat.hull.length:g} m, and the logs go up to {fastest:.2f} '
                         f'm/s: above {planes:.2f} m/s (Froude {PLANING:g}) such a hull planes, which no form of drag '
                         'describes; give the length of the boat of the logs, or logs of slower motion')


def _refuse_twice(logs: Sequence[Log]) -> None:
    """Raise InputError if a log is given twice, under any name: a fit for its held-out errors would have used it."""
    for one, other in itertools.combinations(logs, 2):
        if (len(one) == len(other) and one.start == other.start and np.array_equal(one.time, other.time)
                and np.array_equal(one.u, other.u, equal_nan=True) and np.array_equal(one.r, other.r, equal_nan=True)):
            raise InputError(f'{one.path} and {other.path} hold the same samples; give each log once: '
                             'errors on a log that the fit has seen prove nothing')


def _each_and_all(rows: Sequence[SquaredErrors]) -> tuple[RolloutErrors, ...]:
    """Return each log's errors and those of all logs together; nothing if there is no log."""
    return (*(rollout_errors([row], row.name) for row in rows), rollout_errors(rows)) if rows else ()


def _with_current(tracks: Sequence[LogTrack], found: RolloutFit, limits: tuple[float, float],
                  horizon: float) -> list[RolloutErrors]:
    """Return the errors on the logs' second halves, without and with the current found in their first halves."""
    without, with_it = [], []
    for track in tracks:
        first, second = track.parts(2)
        samples = track.samples_in(horizon)
        if not len(first.starts(samples, 1.0)) or not len(second.starts(samples, 1.0)) or np.any(track.flow[:, :2]):
            continue
        windows = windows_of([first], horizon, moving_only=False)
        only = fit_rollouts(found.model, windows, np.zeros(len(found.values), bool),
                            FitStart(found.values, np.zeros((1, 4))), found.nuisances)
        without += squared_errors([second], found.model, found.values, limits, horizon)
        with_it += squared_errors([second], found.model, found.values, limits, horizon, only.flows)
    return [rollout_errors(without, 'half of them, no current'),
            rollout_errors(with_it, 'half, current of the other half')] if without else []
