"""Warnings about an identification, in words."""

from collections.abc import Sequence

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.logs.log import Log
from usv_energy.logs.quality import PUT_RIGHT
from usv_energy.phrases import AIR, WATER, flow_words
from usv_energy.studies.identify.rollout.fit_parameters import COMPASS, INFLOW, PAIRED, least_turn
from usv_energy.studies.identify.rollout.form_choice import FOLDS, QUANTITIES, FormTrial, RolloutErrors
from usv_energy.studies.identify.rollout.identification_result import Identification
from usv_energy.studies.identify.rollout.tracks import NEUTRAL

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
