"""An identified cell, or the pack of a mission, as text, figures for JSON and pictures."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.files.text_file import without_nan
from usv_energy.show.figure import BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION, Panels
from usv_energy.show.text_table import text_list, text_table
from usv_energy.studies.identify.cells.cell_fit import (
    KNOTS,
    SCALARS,
    TABLES,
    CellIdentification,
    CourseError,
    interval,
    replayed,
)
from usv_energy.studies.identify.cells.mission_fit import MissionRun, PackFit, found_numbers, why_not

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# For each fitted number: its key in JSON, its name in the text, and the factor from SI.
SHOWN = {'capacity': ('capacity_ah', 'capacity, Ah', 1.0 / 3600.0), 'fast_time': ('fast_time_s', 'fast pair, s', 1.0),
         'slow_time': ('slow_time_s', 'slow pair, s', 1.0), 'lag': ('lag_s', 'lag, s', 1.0),
         'lag_time': ('lag_time_s', 'time of the lag, s', 1.0),
         'activation': ('activation_k', 'Arrhenius of resistance, K', 1.0),
         'pair_activation': ('pair_activation_k', 'Arrhenius of the pairs, K', 1.0),
         'lag_activation': ('lag_activation_k', 'Arrhenius of the lag, K', 1.0),
         'heat_capacity': ('heat_capacity_j_k', 'heat capacity, J/K', 1.0),
         'conductance': ('conductance_w_k', 'to the surroundings, W/K', 1.0)}
UNKNOWN = 30.0  # An interval with a larger ratio of its ends means that the data do not determine the number.

# For each number: its key in JSON, its name in the text, and the factors from SI for JSON and for the text.
PACK_SHOWN = {
    'pulse': ('resistance_to_10_s_ohm', 'resistance to 10 s, mOhm', 1.0, 1e3),
    'charge': ('charge_at_start', 'charge at the start, %', 1.0, 100.0),
    'capacity': ('capacity_ah', 'capacity, Ah', 1.0 / 3600.0, 1.0),
    'resistance': ('resistance_factor_at_once', 'R0, times that of the boat file', 1.0, 1.0),
    'fast_resistance': ('fast_resistance_factor', 'fast pair, times', 1.0, 1.0),
    'fast_time': ('fast_time_factor', 'its time, times', 1.0, 1.0),
    'slow_resistance': ('slow_resistance_factor', 'slow pair, times', 1.0, 1.0),
    'slow_time': ('slow_time_factor', 'its time, times', 1.0, 1.0), 'lag': ('lag_factor', 'lag, times', 1.0, 1.0)}
WORDS = {'pulse': 'resistance', 'charge': 'charge', 'capacity': 'capacity'}
TICKS = (1.0, 10.0, 100.0, 1000.0)  # mOhm
COLOURS = (BLUE, VERMILION, GREEN, ORANGE, PURPLE, SKY)


def cell_summary(found: CellIdentification) -> dict[str, Any]:
    """Return the result as one dictionary for JSON; units are in the keys."""
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
                        'over_charge': tables, 'seen': _errors(found.seen), 'left_out': _errors(found.left_out),
                        'notes': list(found.recordings.notes)})


def _errors(errors: Sequence[CourseError]) -> list[dict[str, Any]]:
    return [{'name': error.name, 'energy_percent': 100.0 * error.energy, 'runtime_percent': 100.0 * error.runtime,
             'voltage_rms_mv': 1e3 * error.volts, 'end_temperature_k': error.warmer} for error in errors]


def cell_text(summary: dict[str, Any]) -> str:
    """Return the figures of `cell_summary` as text."""
    rows = [('', 'value', '95 %')]
    rows += [(words, f'{number["value"]:.4g}', _interval(number['interval']))
             for key, words, _ in SHOWN.values() for number in [summary['numbers'][key]]]
    over = [('charge', 'R0, mOhm', '95 %', 'fast, mOhm', '95 %', 'slow, mOhm', '95 %')]
    for row in summary['over_charge']:
        cells = [f'{row["charge"]:g}']
        for table in TABLES:
            cells += [f'{1e3 * row[f"{table}_ohm"]:.3g}', _interval(row[f'{table}_ohm_interval'], 1e3)]
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
    return '\n'.join([*lines, *text_list('Look at this', summary['notes'])])


def _interval(ends: Sequence[float | None], times: float = 1.0) -> str:
    low, high = ends
    if low is None or high is None or high >= UNKNOWN * low:
        return 'the data do not say'
    return f'{times * low:.3g} to {times * high:.3g}'


def _signed(value: float | None) -> str:
    return '-' if value is None else f'{value:+.2f}'


def pack_summary(found: PackFit, run: MissionRun, boat: Boat) -> dict[str, Any]:
    """Return the result as one dictionary for JSON; units are in the keys."""
    numbers, undetermined = {}, {}
    for name, one in found_numbers(found).items():
        key, _, times, _ = PACK_SHOWN[name]
        numbers[key] = {'value': times * one.value, 'interval': [times * one.low, times * one.high],
                        'told': one.determined}
        if not one.determined:
            undetermined[key] = why_not(WORDS.get(name, name), run, found)
    return without_nan({
        'log': run.name, 'boat': boat.name, 'duration_s': float(run.time[-1]), 'left_out_s': run.left_out,
        'samples': len(run.time), 'drawn_ah': run.drawn / 3600.0, 'charge_at_end': float(found.course.charge[-1]),
        'voltage_rms_v': found.noise, 'voltage_correlated_s': found.correlated, 'numbers': numbers,
        'resistance_factor': {'value': found.pulse_factor.value, 'told': found.pulse_factor.determined,
                              'interval': [found.pulse_factor.low, found.pulse_factor.high]},
        'not_told': undetermined, 'notes': list(run.notes)})


def pack_text(summary: dict[str, Any]) -> str:
    """Return the figures of `pack_summary` as text."""
    rows = [('', 'value', '95 %', '')]
    for key, words, _, shown in PACK_SHOWN.values():
        number = summary['numbers'][key]
        low, high = (shown * end for end in number['interval'])
        rows.append((words, f'{shown * number["value"]:.4g}', f'{low:.3g} to {high:.3g}',
                     '' if number['told'] else 'not told'))
    factor = summary['resistance_factor']
    left_out = f' ({summary["left_out_s"]:.0f} s beyond a hole are left out)' if summary['left_out_s'] > 0.0 else ''
    lines = [f'{summary["log"]}: {summary["duration_s"] / 60.0:.1f} min{left_out}, {summary["drawn_ah"]:.2f} Ah drawn, '
             f'down to {100.0 * summary["charge_at_end"]:.0f} % of the charge', '', *text_table(rows, 'lrll'), '',
             f'The resistance to 10 s is {factor["value"]:.3g} times ({factor["interval"][0]:.3g} to '
             f'{factor["interval"][1]:.3g}) that of {summary["boat"]}. The voltage is off by '
             f'{1e3 * summary["voltage_rms_v"]:.0f} mV (root mean square).']
    if summary['not_told']:
        names = {key: words for key, words, _, _ in PACK_SHOWN.values()}
        lines += ['', 'What the log does not tell:',
                  *(f'  - {names[key].split(",")[0]}: {why}' for key, why in summary['not_told'].items())]
    return '\n'.join([*lines, *text_list('Look at this', summary['notes'])])


def cell_panels(found: CellIdentification) -> Panels:
    """Return pictures of the `discharges`, the voltage `at_rest`, and the `resistances` over the charge."""
    cell = found.fit.cell

    def discharges(axes: 'Axes') -> None:
        for number, run in enumerate(found.recordings.discharges):
            colour, hours = COLOURS[number % len(COLOURS)], run.drawn / 3600.0
            line = '-' if number < len(COLOURS) else '--'
            axes.plot(hours, run.voltage, '.', color=colour, markersize=2.5, alpha=0.6)
            axes.plot(hours, replayed(run, cell)[0], line, color=colour, linewidth=1.2, label=run.name)
        axes.set(title='Discharges: measured (dots) and modelled', xlabel='Charge drawn, Ah', ylabel='Voltage, V')
        axes.legend(loc='lower left', fontsize=7)

    def at_rest(axes: 'Axes') -> None:
        axes.plot(np.linspace(0.0, 1.0, len(cell.open_circuit)), cell.open_circuit, color=BLUE)
        if found.recordings.at_rest is not None:
            axes.plot(*found.recordings.at_rest.T, '.', color=GREY, markersize=3.0)
        axes.set(title='Voltage at rest, V', xlabel='State of charge')

    def resistances(axes: 'Axes') -> None:
        for table, colour in zip(TABLES, COLOURS):
            values = np.array([interval(found.fit, f'{table} {knot:g}') for knot in KNOTS]).T * 1e3
            axes.plot(KNOTS, values[0], 'o-', color=colour, markersize=4.0, label=table.replace('_', ' '))
            axes.fill_between(KNOTS, np.maximum(values[1], 0.1), np.minimum(values[2], 1e4), color=colour, alpha=0.12)
        axes.set(title='Resistances at 25 degC, mOhm', xlabel='State of charge', yscale='log', ylim=(0.5, 2e3))
        axes.set_yticks(TICKS, [f'{tick:g}' for tick in TICKS])
        axes.minorticks_off()
        axes.legend(loc='upper right', fontsize=8)
    return Panels({'discharges': discharges, 'at_rest': at_rest, 'resistances': resistances}, 14.0, 4.6, 0,
                  (1.5, 1.0, 1.0))


def pack_panels(found: PackFit) -> Panels:
    """Return pictures of a mission's `voltage`, and what is left of it (`residuals`)."""
    course = found.course
    minutes = course.time / 60.0

    def voltage(axes: 'Axes') -> None:
        axes.plot(minutes, course.measured, '.', color=GREY, markersize=2.5, label='measured')
        axes.plot(minutes, course.modelled, color=BLUE, linewidth=1.2, label='found')
        axes.set(title=f'Voltage of the battery: {Path(course.name).name}', xlabel='Time, min', ylabel='Voltage, V')
        axes.legend(loc='lower left')

    def rest(axes: 'Axes') -> None:
        axes.plot(minutes, 1e3 * (course.measured - course.modelled), color=VERMILION, linewidth=0.8)
        axes.set(title='Measured less found', xlabel='Time, min', ylabel='Voltage, mV')
    return Panels({'voltage': voltage, 'residuals': rest}, 9.0, 5.4, 1)
