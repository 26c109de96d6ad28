"""Fits of electrical power as text for people."""

from collections.abc import Mapping
from typing import Any

from usv_energy.show.text_table import text_table
from usv_energy.studies.identify.electrical.electrical_fit import (
    HALVES,
    ElectricalFit,
    electrical_warnings,
    is_of_no_use,
    judged_scores,
    worse_than_mean,
)
from usv_energy.studies.identify.electrical.power_map import EACH, MIRRORED, STEADY, TWO_SIDED
from usv_energy.studies.identify.electrical.rotor_fit import NORMAL, PowerScore, RotorResult, RotorValidation
from usv_energy.studies.identify.electrical.rotor_report import (
    NUMBERS,
    bad_readings,
    interval_of,
    judged_rotor_scores,
    rotor_warnings,
)

FORMS = {MIRRORED: 'one map for all thrusters, the same ahead and astern',
         TWO_SIDED: 'one map for all thrusters, ahead and astern apart', EACH: 'a map for each thruster'}

HEAD = ('log', 'meter', 'energy, %', '+-', 'R2', 'RMSE, W', 'measured, Wh', 'readings')


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
    """Return what a fit is worth where it tells something worse than the mean of what was measured, and a gap."""
    worse = worse_than_mean(scores)
    if not worse:
        return []
    said = '; '.join(f'{name}: R2 {score.r2:.4g}, RMSE {score.rmse:.1f} W, energy {100.0 * score.energy:+.1f} %'
                     for name, score in worse.items())
    head = 'NOT TO BE USED: ' if is_of_no_use(scores) else ''
    return [f'{head}the model is worse than the mean of the measured power ({said})', '']


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
    """Return the text with what was left out of the logs and why below it."""
    bad = bad_readings(result)
    return '\n'.join([rotor_text(result), *(['', 'left out of the logs, and suspected of them:', *bad] if bad else [])])


def _rows(name: str, found: RotorValidation) -> list[tuple[str, ...]]:
    return [_row(name, 'all', found.score, NORMAL * found.energy_error),
            *(_row('', meter, score) for meter, score in found.meters.items())]


def _row(name: str, meter: str, score: PowerScore, error: float | None = None) -> tuple[str, ...]:
    return (name, meter, f'{100.0 * score.energy:+.1f}', '' if error is None else f'{100.0 * error:.1f}',
            f'{score.r2:.3f}', f'{score.rmse:.1f}', f'{score.measured / 3600.0:.2f}', str(score.readings))
