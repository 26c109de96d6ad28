"""What an identified cell amounts to: figures for JSON, and from the same figures lines for people."""

from collections.abc import Sequence
from typing import Any

from ...files.json_file import without_nan
from ...identify.cells.cell_fit import KNOTS, SCALARS, TABLES
from ...identify.cells.cell_identification import CellIdentification, CourseError, interval
from ..text_table import text_table

# Of the fitted numbers: their key for JSON with its unit, what people read, and times what they are shown.
SHOWN = {'capacity': ('capacity_ah', 'capacity, Ah', 1.0 / 3600.0), 'fast_time': ('fast_time_s', 'fast pair, s', 1.0),
         'slow_time': ('slow_time_s', 'slow pair, s', 1.0), 'lag': ('lag_s', 'lag, s', 1.0),
         'lag_time': ('lag_time_s', 'time of the lag, s', 1.0),
         'activation': ('activation_k', 'Arrhenius of resistance, K', 1.0),
         'pair_activation': ('pair_activation_k', 'Arrhenius of the pairs, K', 1.0),
         'lag_activation': ('lag_activation_k', 'Arrhenius of the lag, K', 1.0),
         'heat_capacity': ('heat_capacity_j_k', 'heat capacity, J/K', 1.0),
         'conductance': ('conductance_w_k', 'to the surroundings, W/K', 1.0)}
UNKNOWN = 30.0  # Ratio of the ends of an interval from which on a number is not told by the data.


def cell_summary(found: CellIdentification) -> dict[str, Any]:
    """Return everything as one dictionary for JSON; units in the keys."""
    numbers = {}
    for name in SCALARS:
        value, low, high = (SHOWN[name][2] * one for one in interval(found.fit, name))
        numbers[SHOWN[name][0]] = {'value': value, 'interval': [low, high]}
    tables = []
    for knot in KNOTS:
        row: dict[str, Any] = {'charge': knot}
        for table in TABLES:
            value, low, high = interval(found.fit, f'{table} {knot:g}')
            row |= {f'{table}_ohm': value, f'{table}_ohm_interval': [low, high]}
        tables.append(row)
    return without_nan({'discharges': len(found.recordings.discharges), 'pulses': len(found.recordings.pulses),
                        'voltage_at_rest_measured': found.recordings.at_rest is not None, 'numbers': numbers,
                        'over_charge': tables, 'seen': _errors(found.seen), 'left_out': _errors(found.left_out)})


def _errors(errors: Sequence[CourseError]) -> list[dict[str, Any]]:
    return [{'name': error.name, 'energy_percent': 100.0 * error.energy, 'runtime_percent': 100.0 * error.runtime,
             'voltage_rms_mv': 1e3 * error.volts, 'end_temperature_k': error.warmer} for error in errors]


def cell_text(summary: dict[str, Any]) -> str:
    """Return the figures of `cell_summary` as lines for people."""
    rows = [('', 'value', '95 %')]
    rows += [(words, f'{number["value"]:.4g}', _interval(number['interval']))
             for key, words, _ in SHOWN.values() for number in [summary['numbers'][key]]]
    over = [('charge', 'R0, mOhm', '95 %', 'fast, mOhm', '95 %', 'slow, mOhm', '95 %')]
    for row in summary['over_charge']:
        cells = [f'{row["charge"]:g}']
        for table in TABLES:
            ends = [1e3 * end for end in row[f'{table}_ohm_interval']]
            cells += [f'{1e3 * row[f"{table}_ohm"]:.3g}', _interval(ends)]
        over.append(tuple(cells))  # type: ignore[arg-type]  # a row of as many cells
    origin = 'measured' if summary['voltage_at_rest_measured'] else 'of the chemistry'
    lines = [f'{summary["discharges"]} discharges, {summary["pulses"]} pulses, voltage at rest {origin}', '',
             *text_table(rows, 'lrl'), '', *text_table(over, 'r')]
    for key, title in (('seen', 'Errors on what the fit has seen:'),
                       ('left_out', 'Errors on each discharge, of a fit without it:')):
        if summary[key]:
            lines += ['', title, *text_table([('discharge', 'energy, %', 'runtime, %', 'voltage rms, mV', 'end, K'), *(
                (error['name'], _signed(error['energy_percent']), _signed(error['runtime_percent']),
                 f'{error["voltage_rms_mv"]:.1f}', _signed(error['end_temperature_k'])) for error in summary[key])])]
    return '\n'.join(lines)


def _interval(ends: Sequence[float]) -> str:
    low, high = ends
    return f'{low:.3g} to {high:.3g}' if high < UNKNOWN * low else 'the data do not say'


def _signed(value: float | None) -> str:
    return '-' if value is None else f'{value:+.2f}'
