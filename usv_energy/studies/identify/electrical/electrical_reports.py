"""
Fits of electrical power, over thrusts or of a rotor, as text, figures, pictures, with what stays undetermined.

The boat file of a fit of power to revolutions: what each thruster draws for its thrust, by its own revolutions.
"""

import math
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.files import checked
from usv_energy.files.errors import InputError
from usv_energy.files.text_file import without_nan
from usv_energy.logs.log import WARNING, Log
from usv_energy.show.figure import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILION, Panel, Panels, numbered
from usv_energy.show.text_table import text_table
from usv_energy.sim.record import Summary
from usv_energy.studies.identify.bounded_interval import interval_above
from usv_energy.studies.identify.electrical.electrical_fit import (
    HALVES,
    ElectricalFit,
    electrical_warnings,
    is_of_no_use,
    judged_scores,
    worse_than_mean,
)
from usv_energy.studies.identify.electrical.power_map import EACH, MIRRORED, STEADY, TWO_SIDED, predicted_power
from usv_energy.studies.identify.electrical.rotor_fit import (
    NORMAL,
    PowerScore,
    RotorFit,
    RotorReadings,
    RotorResult,
    RotorValidation,
    power_score,
    predicted_rotor_power,
)
from usv_energy.thrusters.drive import Turning
from usv_energy.thrusters.rotor_power import RotorLoad, rotor_power
from usv_energy.thrusters.thruster import Thruster

if TYPE_CHECKING:
    from matplotlib.axes import Axes


FORMS = {MIRRORED: 'one map for all thrusters, the same ahead and astern',
         TWO_SIDED: 'one map for all thrusters, ahead and astern apart', EACH: 'a map for each thruster'}


def electrical_text(result: ElectricalFit) -> str:
    """Return an electrical fit as text, warnings included."""
    form, power_map = result.power_map.form, result.power_map
    unit = 'us' if result.use == 'command' else 'N'
    begin, end = power_map.hotel_power[[0, -1]]
    drift = '' if form.hotel == STEADY else f', {begin:.1f} to {end:.1f} W'
    scores = [('the logs of the fit', result.fit), *result.validation.items()]
    scores += [(f'{other} half, fitted on the {own}', half) for (_, half), (own, other) in zip(result.halves, HALVES)]
    rows = [(name, f'{score.r2:.3f}', f'{score.rmse:.1f}', f'{100.0 * score.energy:+.1f}',
             str(score.measurements)) for name, score in scores]
    lines = [f'{result.use} to electrical power: {FORMS[form.form]}; delay {form.delay:g} s, lag {form.lag:g} s',
             f'hotel load {power_map.hotel_load:.1f} W ({form.hotel}{drift}); ' f'full drive {power_map.span:g} {unit}',
             '', *text_table([('judged on', 'R2', 'RMSE, W', 'energy, %', 'measurements'), *rows], 'lr')]
    warnings = electrical_warnings(result)
    lines[:0] = verdict_lines(judged_scores(result))
    return '\n'.join([*lines, *(['', *warnings] if warnings else [])])


def verdict_lines(scores: Mapping[str, Any]) -> list[str]:
    """Return a line on predictions that are worse than the mean of the measured power, and an empty one; or none."""
    worse = worse_than_mean(scores)
    if not worse:
        return []
    shown = '; '.join(f'{name}: R2 {score.r2:.4g}, RMSE {score.rmse:.1f} W, energy {100.0 * score.energy:+.1f} %'
                      for name, score in worse.items())
    head = 'NOT TO BE USED: ' if is_of_no_use(scores) else ''
    return [f'{head}the model is worse than the mean of the measured power ({shown})', '']


def electrical_panels(result: ElectricalFit) -> Panels:
    """Return pictures of the `power` of the first log, its busiest `minute`, the `map`, and the `energy`'s error."""
    data, power_map = result.data[0], result.power_map
    time, measured = data.time[data.fresh], data.power[data.fresh]
    model = predicted_power(power_map, data)

    def over_time(axes: 'Axes', rows: Any) -> None:
        axes.step(time[rows], measured[rows], where='post', color=GREY, label='measured', linewidth=1.4)
        axes.step(time[rows], model[rows], where='post', color=BLUE, label='model', linewidth=1.0)
        axes.set(xlabel='Time, s', ylabel='Power, W')
        axes.legend(loc='upper right', ncol=2)

    def power(axes: 'Axes') -> None:
        over_time(axes, slice(None))
        axes.set_title(f'{result.names[0]}: R2 {result.fit.r2:.3f}, RMSE {result.fit.rmse:.1f} W')

    def minute(axes: 'Axes') -> None:
        begin = _busiest(time, measured)
        over_time(axes, (time >= begin) & (time < begin + 60.0))
        axes.set_title('its busiest minute')

    def curve(axes: 'Axes') -> None:
        drive = np.linspace(-power_map.span, power_map.span, 201)
        count = data.drive.shape[1]
        axes.plot(drive, power_map.steady_power(drive, count), color=BLACK, label='map of one thruster')
        for number, colour in zip(range(count), (ORANGE, GREEN, VERMILION)):
            axes.plot(data.drive[data.fresh, number], np.zeros(len(data.fresh)), '|', color=colour, alpha=0.15,
                      markersize=12 - 3 * number)
        axes.set(title='Map of one thruster (bars: where there are data)', ylabel='Power, W',
                 xlabel='Command from neutral, us' if result.use == 'command' else 'Thrust, N')

    def energy(axes: 'Axes') -> None:
        steps = np.gradient(time)
        error = np.cumsum((model - measured) * steps) / max(float(np.sum(measured * steps)), 1e-9)
        axes.plot(time, 100.0 * error, color=VERMILION)
        axes.axhline(0.0, color=GREY, linewidth=0.8)
        axes.set(title='Error of the energy so far', xlabel='Time, s', ylabel='Share of the whole energy, %')
    return Panels({'power': power, 'minute': minute, 'map': curve, 'energy': energy}, 12.0, 7.6, 2)


def _busiest(time: np.ndarray, power: np.ndarray) -> float:
    """Return the beginning of the minute with the largest scatter of power, s."""
    begins = np.arange(time[0], max(time[-1] - 60.0, time[0] + 1e-9), 20.0)
    spread = [float(np.std(power[(time >= begin) & (time < begin + 60.0)])) for begin in begins]
    return float(begins[int(np.argmax(spread))])


# Fields of RotorLoad as people and programs read them: unit, and what it is.
NUMBERS = {
    'ahead': ('W s^3', 'power over the cube of the revolutions, ahead'),
    'astern': ('W s^3', 'the same astern'),
    'inflow': ('W s^3/m', 'relief by inflow, over the square of the revolutions'),
    'inertia': ('kg m^2', 'of rotor, propeller and water, over the efficiency'),
    'friction': ('W s', 'losses in proportion to the revolutions'),
    'standby': ('W', 'drawn all the time'),
}
BUSY = 60.0  # s, duration of the detail that is drawn.
UNKNOWN_AT = 0.5  # Relative standard error above which a number was not determined: its interval contains 0.
COLOURS = (BLUE, ORANGE, GREEN, VERMILION, PURPLE)
HEAD = ('log', 'meter', 'energy, %', '+-', 'R2', 'RMSE, W', 'measured, Wh', 'readings')


def interval_of(fit: RotorFit, name: str) -> tuple[float, float]:
    """Return the 95 % interval of a number, which is at least 0; NaN if there were too few blocks."""
    value, error = getattr(fit.load, name), getattr(fit.error, name)
    return interval_above(0.0, value, NORMAL * error)


def _numbers(fit: RotorFit) -> Summary:
    return {name: without_nan({'value': getattr(fit.load, name), 'unit': unit, 'std': getattr(fit.error, name),
                               'low': interval_of(fit, name)[0], 'high': interval_of(fit, name)[1]})
            for name, (unit, _) in NUMBERS.items()}


def _score(score: PowerScore) -> Summary:
    return without_nan({'energy_relative': score.energy, 'r2': score.r2, 'rmse_w': score.rmse,
                        'measured_wh': score.measured / 3600.0, 'predicted_wh': score.predicted / 3600.0,
                        'readings': score.readings})


def _validation(name: str, found: RotorValidation, readings: tuple[RotorReadings, ...]) -> Summary:
    return without_nan({'log': name, **_score(found.score), 'energy_relative_std': found.energy_error,
                        'readings_left_out': sum(part.left_out for part in readings),
                        'meters': [{'meter': meter, **_score(score)} for meter, score in found.meters.items()],
                        'numbers': _numbers(found.fit)})


def readings_by_log(result: RotorResult) -> dict[str, tuple[RotorReadings, ...]]:
    """Return the readings of all logs by their names."""
    return {**dict(zip(result.names, result.readings)), **result.others}


def rotor_summary(result: RotorResult) -> Summary:
    """Return the result for JSON; units are in the keys, or beside the numbers."""
    readings = readings_by_log(result)
    return {'fitted_to': 'revolutions', 'logs': list(result.names), 'numbers': _numbers(result.fit),
            'fit': _score(result.score), 'worse_than_mean': list(worse_than_mean(judged_rotor_scores(result))),
            'leave_one_out': [_validation(name, one, readings[name]) for name, one in result.left_out.items()],
            'validation': [_validation(name, one, readings[name]) for name, one in result.validation.items()],
            'notes': {log.name: [{'level': note.level, 'code': note.code, 'text': note.text, **note.figures}
                                 for note in log.notes] for log in result.logs}}


def judged_rotor_scores(result: RotorResult) -> dict[str, PowerScore]:
    """Return the scores of a fit on logs that it was not fitted to, by what was judged."""
    left = {f'{name}, by a fit to the others': one.score for name, one in result.left_out.items()}
    return {**{name: one.score for name, one in result.validation.items()}, **left}


def rotor_warnings(result: RotorResult) -> list[str]:
    """Return warnings about what the data do not determine."""
    found = [f'{log.name}: no motion is known; the inflow of its thrusters is taken to be 0, as at a pier.'
             for log in result.logs if not log.known('u')]
    found += [f'{log.name}: the angles of {", ".join(unknown)} are not known; they are taken to push ahead.'
              for log in result.logs if (unknown := _without_angle(log))]
    found += [f'{log.name}: the places of {", ".join(unknown)} are not known; what the yaw rate adds to their inflow '
              'is left out.' for log in result.logs if (unknown := _without_place(log))]
    found += [f'{name} ({meaning}) cannot be told from these logs: {getattr(result.fit.load, name):.3g} {unit} with a '
              f'standard error of {getattr(result.fit.error, name):.3g}.'
              for name, (unit, meaning) in NUMBERS.items()
              if getattr(result.fit.error, name) > UNKNOWN_AT * getattr(result.fit.load, name)]
    lost = {name: (sum(one.left_out for one in parts), sum(one.left_out + len(one.time) for one in parts))
            for name, parts in readings_by_log(result).items()}
    found += [f'{name}: {count} of {whole} readings of power have no revolutions near enough in time and are left out.'
              for name, (count, whole) in lost.items() if count > 0.1 * whole]
    return found


def _without_angle(log: Log) -> list[str]:
    return [name for name, angle in zip(log.thrusters, log.angle.T) if not np.isfinite(angle).any()]


def _without_place(log: Log) -> list[str]:
    return [name for name, place in zip(log.thrusters, log.places) if not all(map(math.isfinite, place))]


def load_for(result: RotorResult, name: str) -> RotorLoad:
    """Return the numbers that predict a log: those of a fit that did not use it, if there is one."""
    unseen = {**result.left_out, **result.validation}
    return unseen[name].fit.load if name in unseen else result.fit.load


def readings_table(result: RotorResult) -> str:
    """Return each reading and its prediction as a table (CSV): log, meter, time s, span s, powers W."""
    lines = ['log,meter,time_s,span_s,measured_w,predicted_w']
    for name, parts in readings_by_log(result).items():
        for part in parts:
            rows = zip(part.time, part.span, part.power, predicted_rotor_power(load_for(result, name), part))
            lines += [f'{name},{part.name},{time:.3f},{span:.3f},{measured:.3f},{predicted:.3f}'
                      for time, span, measured, predicted in rows]
    return '\n'.join([*lines, ''])


def bad_readings(result: RotorResult) -> list[str]:
    """Return what readers left out of the logs and why, one line each."""
    return [f'{log.name}: {note.text}' for log in result.logs for note in log.notes if note.level == WARNING]


def rotor_text(result: RotorResult) -> str:
    """Return a fit of rotor power as text, warnings included."""
    lines = ['revolutions, their change and the inflow to electrical power, fitted to ' + ', '.join(result.names), '']
    numbers = [('number', 'value', 'std', '95 %', 'unit', 'what it is')]
    for name, (unit, meaning) in NUMBERS.items():
        low, high = interval_of(result.fit, name)
        numbers.append((name, f'{getattr(result.fit.load, name):.4g}', f'{getattr(result.fit.error, name):.2g}',
                        f'{low:.4g} to {high:.4g}', unit, meaning))
    lines += text_table(numbers, 'lrrrl')
    lines += ['', 'on the logs of the fit:', *text_table([HEAD, _row('all', 'all', result.score)], 'llr')]
    for title, found in (('each log predicted by a fit to the others:', result.left_out),
                         ('logs that were not used:', result.validation)):
        if found:
            rows = [row for name, one in found.items() for row in _rows(name, one)]
            lines += ['', title, *text_table([HEAD, *rows], 'llr')]
    lines[:0] = verdict_lines(judged_rotor_scores(result))
    if warnings := rotor_warnings(result):
        lines += ['', *warnings]
    return '\n'.join(lines)


def rotor_report_text(result: RotorResult) -> str:
    """Return `rotor_text`, followed by what was left out of the logs and why."""
    bad = bad_readings(result)
    return '\n'.join([rotor_text(result), *(['', 'left out of the logs, and suspected of them:', *bad] if bad else [])])


def _rows(name: str, found: RotorValidation) -> list[tuple[str, ...]]:
    return [_row(name, 'all', found.score, NORMAL * found.energy_error),
            *(_row('', meter, score) for meter, score in found.meters.items())]


def _row(name: str, meter: str, score: PowerScore, error: float | None = None) -> tuple[str, ...]:
    return (name, meter, f'{100.0 * score.energy:+.1f}', '' if error is None else f'{100.0 * error:.1f}',
            f'{score.r2:.3f}', f'{score.rmse:.1f}', f'{score.measured / 3600.0:.2f}', str(score.readings))


def rotor_panels(result: RotorResult) -> Panels:
    """
    Return pictures of each log, predicted by a fit that did not use it, if there is one.

    `power`: of all meters together; `minute`: the one with the largest scatter; `readings`: each against its
    prediction.
    """
    logs = readings_by_log(result)
    unseen = {**result.left_out, **result.validation}

    def power(axes: 'Axes', name: str) -> None:
        load, parts = load_for(result, name), logs[name]
        _over_time(axes, load, parts)
        axes.set_title(f'{name}, {"not in" if name in unseen else "in"} the fit: {_words(power_score(load, parts))}')
        axes.legend(loc='upper right', ncol=2)

    drawn: dict[str, Panel] = {}
    for place, (name, parts) in enumerate(logs.items()):
        drawn[numbered('power', place)] = partial(power, name=name)
        for kind, draw in (('minute', _minute), ('readings', _scatter)):
            drawn[numbered(kind, place)] = partial(draw, load=load_for(result, name), parts=parts)
    return Panels(drawn, 15.0, 3.6 * len(logs), 3, (2.2, 1.6, 1.0))


def _words(score: PowerScore) -> str:
    return f'energy {100.0 * score.energy:+.1f} %, R2 {score.r2:.3f}'


def _over_time(axes: 'Axes', load: RotorLoad, parts: tuple[RotorReadings, ...]) -> None:
    """Draw the sum of all meters, each reading for the duration that it represents."""
    time = np.unique(np.concatenate([edge for part in parts for edge in (part.time, part.time + part.span)]))
    for values, colour, label in (([part.power for part in parts], GREY, 'measured'),
                                  ([predicted_rotor_power(load, part) for part in parts], BLUE, 'predicted')):
        total = sum(_held(time, part, value) for part, value in zip(parts, values) if len(part.time))
        axes.step(time, total, where='post', color=colour, label=label, linewidth=1.6 if colour == GREY else 0.9)
    axes.set(xlabel='Time, s', ylabel='Power of all, W')


def _held(time: np.ndarray, part: RotorReadings, values: np.ndarray) -> np.ndarray:
    last = np.maximum(np.searchsorted(part.time, time, side='right') - 1, 0)
    holds = (time >= part.time[last]) & (time < part.time[last] + part.span[last])
    return np.asarray(np.where(holds, values[last], 0.0))


def _minute(axes: 'Axes', load: RotorLoad, parts: tuple[RotorReadings, ...]) -> None:
    """Draw the readings of the meter with the most energy, in the minute of the largest scatter."""
    part = max(parts, key=lambda one: float(one.span @ one.power))
    begins = np.arange(part.time[0], max(part.time[-1] - BUSY, part.time[0]) + 1e-9, BUSY / 3.0)
    minutes = [part.power[(part.time >= begin) & (part.time < begin + BUSY)] for begin in begins]
    spread = [float(np.std(powers)) if len(powers) else 0.0 for powers in minutes]
    begin = float(begins[int(np.argmax(spread))])
    one = part.part((part.time >= begin) & (part.time < begin + BUSY))
    axes.plot(one.time, one.power, '.-', color=GREY, linewidth=0.8, label='measured')
    axes.plot(one.time, predicted_rotor_power(load, one), '.', color=BLUE, label='predicted')
    axes.set(xlabel='Time, s', ylabel='Power, W', title=part.name)


def _scatter(axes: 'Axes', load: RotorLoad, parts: tuple[RotorReadings, ...]) -> None:
    for part, colour in zip(parts, COLOURS * len(parts)):
        axes.plot(part.power, predicted_rotor_power(load, part), '.', color=colour, markersize=3, label=part.name)
    top = max(float(part.power.max(initial=1.0)) for part in parts)
    axes.plot([0.0, top], [0.0, top], color=GREY, linewidth=0.8)
    axes.set(xlabel='Measured, W', ylabel='Predicted, W')
    axes.legend(fontsize=7, loc='upper left')


KNOTS = 16          # Of the map of a thruster, for each direction.
TORQUE_RATIO = 0.8  # (-), slope of K_Q over that of K_T, where the base does not say it: B-screws have 0.67 to 0.96.


def rotor_boat(result: RotorResult, boat: Boat, name: str, provenance: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return the content of a boat file: the base with the power of its thrusters, and their standby, replaced.

    Thrust over the rate of turning is that of the base's propellers; a thrust takes the power that the fit has at its
    rate in still water. The relief c of the power by the inflow is (c / k) v / n of it, which is the correction of a
    map (docs/propellers.md) with the coefficient (c / k) sqrt(T / n^2) / g.

    :param boat: The base; each of its propellers must say its thrust over the rate of turning.
    :param name: Of the new boat.
    :param provenance: Date, command and so on, kept with the errors.
    :raises InputError: If a thruster has no thrust over its rate of turning.
    """
    document = checked.read_with_base('boats', boat.path)
    load, number = result.fit.load, len(boat.vessel.thrusters)
    logs, entries = ', '.join(result.names), []
    source = f'usv-energy identify electrical, revolutions of {logs}'
    for place, (entry, thruster) in enumerate(zip(document['thrusters'], boat.vessel.thrusters)):
        propeller = boat.propellers[place] if boat.propellers else None
        if propeller is None or propeller.turning is None:
            raise InputError(f'{boat.path}: thrusters.{place}.propeller has no rates; power over revolutions needs the '
                             'thrust over them (rates: rows of 1/min and N), or choose --use thrust or --use command')
        entries.append(_entry(entry, thruster, propeller.turning, result, source))
    return document | {
        'name': name, 'description': f'{boat.name} with the electrical power that was found in {logs}',
        'thrusters': entries,
        'static_load': {'value': round(number * load.standby, 3), 'unit': 'W',
                        'source': f'{source}: standby of {number} thrusters; nothing else is in these logs'},
        'identification': {**document.get('identification', {}),
                           'electrical': {**provenance, **rotor_summary(result)}}}


def _entry(entry: Mapping[str, Any], thruster: Thruster, turning: Turning, result: RotorResult,
           source: str) -> dict[str, Any]:
    """Return a thruster's entry with a map by its own revolutions in the place of what its propeller had."""
    load = result.fit.load
    low, high = float(thruster.min_thrust), float(thruster.max_thrust)
    share = np.linspace(0.0, 1.0, KNOTS + 1)[1:]
    thrusts = np.concatenate([low * share[::-1] ** 2 if low < 0.0 else [], [0.0], high * share ** 2])
    rates = _rate_of(thrusts, turning)
    still = np.zeros(rates.size)
    powers = rotor_power(rates, still, still, load._replace(standby=0.0))
    old = checked.values_of(entry['propeller']).get('inflow', {})
    ratio = float(old.get('torque_ratio', TORQUE_RATIO))
    root = float(np.sqrt(high) / rates[-1]) if high > 0.0 else 0.0
    relief = load.inflow / load.ahead if load.ahead > 0.0 else 0.0
    limits = {'min_thrust': low, 'max_thrust': high}
    return {**limits, **entry, 'propeller': {
        'source': f'{source}; thrust over revolutions as the base has it',
        'map': [[float(f'{thrust:.6g}'), float(f'{power:.6g}')] for thrust, power in zip(thrusts, powers)],
        'rates': [[float(f'{60.0 * rate:.6g}'), float(f'{root * abs(root):.6g}')] for rate, root in zip(
            turning.rate.tolist(), turning.root.tolist())],
        'inflow': {'coefficient': float(f'{relief * root / ratio:.5g}'), 'torque_ratio': ratio}}}


def _rate_of(thrusts: np.ndarray, turning: Turning) -> np.ndarray:
    """Return the rates, 1/s, at which thrusts at standstill, N, are given; beyond the Turning by the square law."""
    wanted = np.sign(thrusts) * np.sqrt(np.abs(thrusts))
    rates = np.interp(wanted, turning.root, turning.rate)
    for end in (0, -1):
        beyond = wanted * np.sign(turning.root[end]) > abs(turning.root[end])
        if turning.root[end] != 0.0 and beyond.any():
            rates[beyond] = turning.rate[end] * wanted[beyond] / turning.root[end]
    return np.asarray(rates)
