"""What a mission says of a boat's pack: figures for JSON, and from the same figures lines for people."""

from typing import Any

from ...boats.boat_file import Boat
from ...files.json_file import without_nan
from ...identify.cells.mission_fit import PackFit
from ...identify.cells.mission_pack import found_numbers, why_not
from ...identify.cells.mission_readings import MissionRun
from ..text_table import text_table

# Of the numbers: their key for JSON with its unit, what people read, and times what each is shown.
SHOWN = {
    'pulse': ('resistance_to_10_s_ohm', 'resistance to 10 s, mOhm', 1.0, 1e3),
    'charge': ('charge_at_start', 'charge at the start, %', 1.0, 100.0),
    'capacity': ('capacity_ah', 'capacity, Ah', 1.0 / 3600.0, 1.0),
    'resistance': ('resistance_factor_at_once', 'R0, times that of the boat file', 1.0, 1.0),
    'fast_resistance': ('fast_resistance_factor', 'fast pair, times', 1.0, 1.0),
    'fast_time': ('fast_time_factor', 'its time, times', 1.0, 1.0),
    'slow_resistance': ('slow_resistance_factor', 'slow pair, times', 1.0, 1.0),
    'slow_time': ('slow_time_factor', 'its time, times', 1.0, 1.0), 'lag': ('lag_factor', 'lag, times', 1.0, 1.0)}
WORDS = {'pulse': 'resistance', 'charge': 'charge', 'capacity': 'capacity'}


def pack_summary(found: PackFit, run: MissionRun, boat: Boat) -> dict[str, Any]:
    """Return everything as one dictionary for JSON; units in the keys."""
    numbers, untold = {}, {}
    for name, one in found_numbers(found).items():
        key, _, times, _ = SHOWN[name]
        numbers[key] = {'value': times * one.value, 'interval': [times * one.low, times * one.high],
                        'told': one.told}
        if not one.told:
            untold[key] = why_not(WORDS.get(name, name), run, found)
    return without_nan({
        'log': run.name, 'boat': boat.name, 'duration_s': float(run.time[-1]), 'left_out_s': run.left_out,
        'samples': len(run.time), 'drawn_ah': run.drawn / 3600.0, 'charge_at_end': float(found.course.charge[-1]),
        'voltage_rms_v': found.noise, 'voltage_correlated_s': found.together, 'numbers': numbers,
        'resistance_factor': {'value': found.pulse_factor.value, 'told': found.pulse_factor.told,
                              'interval': [found.pulse_factor.low, found.pulse_factor.high]},
        'not_told': untold})


def pack_text(summary: dict[str, Any]) -> str:
    """Return the figures of `pack_summary` as lines for people."""
    rows = [('', 'value', '95 %', '')]
    for key, words, _, shown in SHOWN.values():
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
        names = {key: words for key, words, _, _ in SHOWN.values()}
        lines += ['', 'What the log does not tell:',
                  *(f'  - {names[key].split(",")[0]}: {why}' for key, why in summary['not_told'].items())]
    return '\n'.join(lines)
