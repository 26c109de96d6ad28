"""A fit of rotor power as text for people: its numbers, scores of each log and meter, warnings."""

from ...identify.electrical.rotor_fit import NORMAL, PowerScore, RotorResult, RotorValidation
from ...identify.electrical.rotor_report import NUMBERS, bad_readings, interval_of, rotor_warnings
from ..text_table import text_table

HEAD = ('log', 'meter', 'energy, %', '+-', 'R2', 'RMSE, W', 'measured, Wh', 'readings')


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
