"""
The electrical power map of a boat from its logs: choice of the form, fit, scores, warnings and the boat file.

The form is chosen by cross-validation on the logs of the fit, that is, by the error on stretches left out of it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.files import checked
from usv_energy.files.errors import InputError
from usv_energy.files.text_file import without_nan
from usv_energy.logs.log import Log
from usv_energy.sim.record import Summary
from usv_energy.studies.identify.electrical.power_map import (
    EACH,
    HOTELS,
    MAP_FORMS,
    MapForm,
    PowerData,
    PowerMap,
    data_of,
    fitted_map,
    predicted_power,
)
from usv_energy.thrusters.kind import DescribedPropeller
from usv_energy.thrusters.pulse_curve import PulseCurve
from usv_energy.thrusters.thruster import Thruster

KNOTS = 13  # Rows of the boat file's map on either side of zero.
HARDLY = 0.05  # If a smaller share of the measurements is near neutral, the hotel load is only extrapolated.
NEAR = 0.03  # Share of full drive that counts as near neutral.
HALVES = (('first', 'second'), ('second', 'first'))  # Half of the log that is fitted, half that is scored.
DELAYS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4)  # s
LAGS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.8)  # s
DEAD_BANDS = (0.0, 0.04, 0.08)  # Shares of the largest command.
FOLDS = 4
USELESS = 0.1  # Error of the energy, (-), from which a map that is worse than the mean is of no use.
WORTH = 0.02  # Relative difference from the least error up to which a form with fewer parameters is preferred.


class MapScore(NamedTuple):
    """Errors of a map on data: R2 (-), root mean square error W, energy error (-), number of measurements."""

    r2: float
    rmse: float
    energy: float
    measurements: int


def map_score(power_map: PowerMap, parts: Sequence[PowerData], same_clock: bool = True) -> MapScore:
    """Return the MapScore on data; parameters as `predicted_power`."""
    power = np.concatenate([part.power[part.fresh] for part in parts])
    error = np.concatenate([predicted_power(power_map, part, same_clock) for part in parts]) - power
    spread = float(np.sum((power - power.mean())**2))
    return MapScore(1.0 - float(error @ error) / spread if spread else np.nan, float(np.sqrt(np.mean(error**2))),
                 float(error.sum() / power.sum()), len(power))


def worse_than_mean(scores: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of some scores, by what was judged, that their own mean power would have told better: R2 below 0."""
    return {name: score for name, score in scores.items() if score.r2 < 0.0}


def is_of_no_use(scores: Mapping[str, Any]) -> bool:
    """Return whether a score is worse than the mean and off in energy, too: a steady power's mean is hard to beat."""
    return any(abs(score.energy) > USELESS for score in worse_than_mean(scores).values())


def judged_scores(result: 'ElectricalFit') -> dict[str, MapScore]:
    """Return the scores of a fit on what it was not fitted to, by what was judged."""
    return {**result.validation, **{f'the {other} half': score
                                    for (_, score), (_, other) in zip(result.halves, HALVES)}}


def chosen_form(parts: Sequence[PowerData], span: float) -> MapForm:
    """
    Return the form with the least error on stretches left out of its fit.

    Delay and lag are chosen first, with a two-sided map. Then form, dead band and hotel load are chosen: the one with
    the fewest parameters whose error is within 2 % of the least.

    :param parts: The PowerData of each log.
    :param span: As `fitted_map`.
    """
    timings = [MapForm(delay=delay, lag=lag) for delay in DELAYS for lag in LAGS]
    tried = {form: _left_out_error(parts, form, span) for form in timings}
    best = min(tried, key=lambda form: tried[form])
    hotels = HOTELS if len(parts) == 1 else HOTELS[:1]  # A hotel load can only drift on one clock.
    for form in (best._replace(form=form, dead_band=dead_band, hotel=hotel)
                 for form in MAP_FORMS for dead_band in DEAD_BANDS for hotel in hotels):
        tried[form] = tried.get(form) or _left_out_error(parts, form, span)
    ranked = sorted(tried.items(), key=lambda item: item[1])
    good = [form for form, error in ranked if error <= (1.0 + WORTH) * ranked[0][1]]
    return min(good, key=lambda form: form.choices)


def _left_out_error(parts: Sequence[PowerData], form: MapForm, span: float) -> float:
    """
    Return the error on stretches left out, (-): relative error of the power plus that of the energy.

    The first is visible in a plot of the power, the second matters for the battery; neither implies the other.
    """
    # Each fold holds the measurements of one stretch and all commands.
    folds = [[part._replace(fresh=rows) for rows in np.array_split(part.fresh, FOLDS)] for part in parts]
    errors, energies = [], []
    for left in range(FOLDS):
        fitted = fitted_map([fold for own in folds for number, fold in enumerate(own) if number != left], form, span)
        for own in folds:
            error = predicted_power(fitted, own[left]) - own[left].power[own[left].fresh]
            errors.append(error)
            energies.append(error.mean())
    power = np.concatenate([part.power[part.fresh] for part in parts])
    of_power = float(np.sqrt(np.mean(np.concatenate(errors)**2))) / max(float(power.std()), 1e-9)
    return of_power + float(np.sqrt(np.mean(np.square(energies)))) / max(float(power.mean()), 1e-9)


def identified_map(parts: Sequence[PowerData]) -> PowerMap:
    """Return the map of the best form; parameters as `chosen_form`."""
    span = max(float(np.abs(part.drive).max()) for part in parts)
    return fitted_map(parts, chosen_form(parts, span), span)


def both_halves(log: Log, use: str | None = None) -> list[tuple[PowerMap, MapScore]]:
    """
    Return the map of each half of a log, chosen and fitted on that half alone, and its score on the other half.

    :raises InputError: As `data_of`, for a half.
    """
    whole = data_of(log, use)
    middle = float(log.time[whole.fresh[len(whole.fresh) // 2]])
    halves = [data_of(log.between(begin, end), use) for begin, end in ((-np.inf, middle), (middle, np.inf))]
    maps = [identified_map([half]) for half in halves]
    return [(own, map_score(own, [other])) for own, other in zip(maps, halves[::-1])]


class ElectricalFit(NamedTuple):
    """A fitted map, its data, and its scores: on the data of the fit, on logs not used, and on halves of a log."""

    power_map: PowerMap
    use: str
    names: tuple[str, ...]
    data: tuple[PowerData, ...]
    fit: MapScore
    validation: Mapping[str, MapScore]
    halves: Sequence[tuple[PowerMap, MapScore]]


def fit_electrical(logs: Sequence[Log], validation: Sequence[Log], use: str | None, split: bool,
                   say: Callable[[str], None]) -> ElectricalFit:
    """
    Fit an electrical map to logs and score it, on the logs of the fit and on others.

    :param validation: Logs that are only used for scores.
    :param use: `thrust` (N) or `command` (us); None for thrusts if all logs have them.
    :param split: Whether to fit each half of the log, too, and score it on the other half.
    :param say: Function that receives progress messages.
    :raises InputError: If a log lacks something, the numbers of thrusters differ, or `split` is set for several logs.
    """
    if split and len(logs) > 1:
        raise InputError(f'--split is of one log; there are {len(logs)}')
    use = use or ('thrust' if all(log.known('thrust') for log in (*logs, *validation)) else 'command')
    data = tuple(data_of(log, use) for log in logs)
    others = {log.name: data_of(log, use) for log in validation}
    counts = {log.name: len(log.thrusters) for log in (*logs, *validation)}
    if len(set(counts.values())) > 1:
        raise InputError('the logs have different numbers of thrusters: '
                         + ', '.join(f'{name} {count}' for name, count in counts.items()))
    say(f'fitting {sum(len(part.fresh) for part in data)} measurements')
    power_map = identified_map(data)
    if split:
        say('fitting each half')
    return ElectricalFit(power_map, use, tuple(log.name for log in logs), data,
                         map_score(power_map, data, same_clock=len(data) == 1),
                         {name: map_score(power_map, [part], same_clock=False) for name, part in others.items()},
                         both_halves(logs[0], use) if split else [])


def _score_row(score: MapScore) -> Summary:
    return without_nan({'r2': score.r2, 'rmse_w': score.rmse, 'energy_relative': score.energy,
                        'measurements': score.measurements})


def _map_row(power_map: PowerMap) -> Summary:
    form = power_map.form
    return {'form': form.form, 'dead_band_share': form.dead_band, 'delay_s': form.delay, 'lag_s': form.lag,
            'hotel_load': form.hotel, 'hotel_load_w': power_map.hotel_load,
            'hotel_load_begin_w': float(power_map.hotel_power[0]), 'hotel_load_end_w': float(power_map.hotel_power[-1]),
            'full_drive': power_map.span, 'weights_w': [float(weight) for weight in power_map.weights],
            'sag_1_w': power_map.sag}


def electrical_summary(result: ElectricalFit, boat: Boat) -> Summary:
    """Return the result for JSON; units are in the keys, `full_drive` is in us from neutral, or N."""
    return {'boat': boat.name, 'logs': list(result.names), 'fitted_to': result.use, **_map_row(result.power_map),
            'fit': _score_row(result.fit), 'worse_than_mean': list(worse_than_mean(judged_scores(result))),
            'validation': [{'log': name, **_score_row(score)} for name, score in result.validation.items()],
            'halves': [{'fitted_on': own, 'judged_on': other, **_map_row(power_map), **_score_row(score)}
                       for (power_map, score), (own, other) in zip(result.halves, HALVES)]}


def electrical_warnings(result: ElectricalFit) -> list[str]:
    """Return warnings about what the data do not determine."""
    found = []
    rows = sum(len(data.time) for data in result.data)
    fresh = sum(len(data.fresh) for data in result.data)
    if fresh < 0.7 * rows:
        found.append(f'The power was measured {fresh} times in {rows} rows: the log repeats the last value meanwhile. '
                     'Repeated rows are left out.')
    drive = np.concatenate([np.abs(data.drive[data.fresh]).max(axis=1) for data in result.data])
    if np.mean(drive < NEAR * result.power_map.span) < HARDLY:
        found.append('The thrusters are hardly ever off: the hotel load continues the map, it was not measured.')
    if len(result.power_map.hotel_power) > 1:
        found.append('The load beside the thrusters changes over the log for no cause that it holds; its mean goes '
                     'into the boat file, and energies of other days are that much less certain.')
    if result.power_map.form.form == EACH:
        found.append('The thrusters differ; the boat file has one map, their mean.')
    return found


def electrical_boat(result: ElectricalFit, boat: Boat, name: str, full_command: float,
                    provenance: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return the content of a boat file: the base boat with its map and hotel load replaced.

    :param boat: The base; the limits of its thrusters are those of the map. Propellers with a power of their own are
        left out, and their thrust then is that at standstill at any speed.
    :param name: Of the new boat.
    :param full_command: Distance from neutral, us, at which a thruster gives its full thrust, which is assumed to be
        proportional to the square of the distance. Used only if the map was fitted to commands and the base's file
        gives no thrust over pulse width.
    :param provenance: Date, command and so on, kept with the errors.
    """
    low = min(thruster.min_thrust for thruster in boat.vessel.thrusters)
    high = max(thruster.max_thrust for thruster in boat.vessel.thrusters)
    share = np.linspace(0.0, 1.0, KNOTS)[1:]
    shares = np.concatenate([-share[::-1] if low < 0.0 else [], [0.0], share if high > 0.0 else []])
    thrust = np.sign(shares) * shares**2 * np.where(shares < 0.0, -low, high)
    curves = curves_for_limits(boat)
    drive = thrust if result.use == 'thrust' else _drive_of_curves(thrust, curves) if curves else shares * full_command
    power = result.power_map.steady_power(drive, len(boat.vessel.thrusters))
    # The limits themselves are not rounded: the map must reach them.
    knots = [[n if n in (low, high) else round(n, 4), round(float(w), 3)] for n, w in zip(map(float, thrust), power)]
    source = f'usv-energy identify electrical, {", ".join(result.names)}'
    pulse_source = f'; thrust of a pulse by {boat.name}: {curves[0].source}' if curves else (
        f'; thrust is assumed: full ({low:g} to {high:g} N, of {boat.name}) at {full_command:g} us from neutral, and '
        'as the square of the distance')
    assumed = '' if result.use == 'thrust' else pulse_source
    document = checked.read_with_base('boats', boat.path)
    return document | {
        'name': name, 'thrusters': [_without_propeller(*parts) for parts in zip(
            document['thrusters'], boat.propellers or (None,) * len(boat.vessel.thrusters), boat.vessel.thrusters)],
        'description': f'{boat.name} with the electrical power that was found in {", ".join(result.names)}',
        'losses': {'source': f'{source}{assumed}', 'map': knots},
        'static_load': {'value': round(result.power_map.hotel_load, 3), 'unit': 'W', 'source': source,
                        'std': round(float(np.std(result.power_map.hotel_power)), 3)},
        'identification': {**document.get('identification', {}),
                           'electrical': {**provenance, **electrical_summary(result, boat)}},
    }


def _without_propeller(entry: Mapping[str, Any], propeller: DescribedPropeller | None,
                       thruster: Thruster) -> dict[str, Any]:
    """Return an entry without its propeller, whose power the measured map replaces; what else it gave stays."""
    if propeller is None:
        return dict(entry)
    kept = {key: value for key, value in entry.items() if key != 'propeller'}
    limits = {'min_thrust': float(thruster.min_thrust), 'max_thrust': float(thruster.max_thrust)}
    sheet = {key: entry['propeller'][key] for key in ('model', 'voltage') if key in entry['propeller']}
    pulses = {'pwm': checked.values_of(sheet)} if len(sheet) > 1 and propeller.number == 1 else {}
    return {**limits, **pulses, **kept}


def curves_for_limits(boat: Boat) -> list[PulseCurve]:
    """Return the pulse curve of each thruster; none unless all thrusters have curves that cover their limits."""
    curves = [curve for curve, thruster in zip(boat.pulse_curves, boat.vessel.thrusters) if curve is not None
              and curve.thrust_limits[0] <= thruster.min_thrust and thruster.max_thrust <= curve.thrust_limits[1]]
    return curves if len(curves) == len(boat.vessel.thrusters) else []


def _drive_of_curves(thrust: np.ndarray, curves: Sequence[PulseCurve]) -> np.ndarray:
    """Return the distances of pulses from neutral for thrusts, N, in us: the mean of all thrusters."""
    drives = np.array([[curve.pulse(float(one)) - curve.pulse(0.0) for one in thrust] for curve in curves])
    return np.asarray(drives.mean(axis=0))
