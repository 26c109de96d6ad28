"""A fit of rotor power as figures for JSON, and what its data do not tell in plain words."""

import math

import numpy as np

from usv_energy.files.text_file import without_nan
from usv_energy.logs.log import WARNING, Log
from usv_energy.sim.record import Summary
from usv_energy.studies.identify.bounded_interval import interval_above
from usv_energy.studies.identify.electrical.electrical_fit import worse_than_mean
from usv_energy.studies.identify.electrical.rotor_fit import (
    NORMAL,
    PowerScore,
    RotorFit,
    RotorResult,
    RotorValidation,
    predicted_rotor_power,
)
from usv_energy.studies.identify.electrical.rotor_readings import RotorReadings
from usv_energy.thrusters.rotor_power import RotorLoad

# Fields of RotorLoad as people and programs read them: unit, and what it is.
NUMBERS = {
    'ahead': ('W s^3', 'power over the cube of the revolutions, ahead'),
    'astern': ('W s^3', 'the same astern'),
    'inflow': ('W s^3/m', 'relief by inflow, over the square of the revolutions'),
    'inertia': ('kg m^2', 'of rotor, propeller and water, over the efficiency'),
    'friction': ('W s', 'losses in proportion to the revolutions'),
    'standby': ('W', 'drawn all the time'),
}
UNKNOWN_AT = 0.5  # Standard error over value from which a number was not found: its interval holds 0.


def interval_of(fit: RotorFit, name: str) -> tuple[float, float]:
    """Return the 95 % interval of a number, none of it negative; NaN where there were too few blocks."""
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
    """Return everything for JSON; units in the keys, or beside the numbers."""
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
    """Return what the data do not tell, in plain words."""
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
    """Return the numbers by which a log is predicted: of a fit that has not seen it, where there is one."""
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
    """Return what readers left out of the logs and why, a line each."""
    return [f'{log.name}: {note.text}' for log in result.logs for note in log.notes if note.level == WARNING]
