"""The figures of an analysed log: a dict for JSON, lines for a terminal, and what is to be said of its quality."""

import math
import textwrap
from typing import Any, NamedTuple

import numpy as np

from ..files.json_file import without_nan
from ..flow.flow_argument import flow_words
from ..logs.log import WARNING, Note
from ..physics.energy import CAUSES
from ..physics.record_energy import steps_between
from ..show.rounding import joules, metres, percent, seconds
from ..show.text_table import WIDTH, text_table
from ..sim.run_summary import COUNTS, Summary, relative
from .analyze_log import name_of
from .current_estimate import CurrentEstimate
from .log_energy import Drive, drive_of, mean_or_nan, thruster_power
from .measured_power import Measured, compared
from .what_if import WhatIf, what_if

FILTER = 0.5          # s: the low-pass that noise is looked for with.
ENOUGH = 100_000      # Samples, the first ones, that it is looked for in.
NOISY = 0.05          # Share by which it may change the energy before the noise is worth a word.
LEAST_WHOLE = 0.98    # Share of the time that should be integrated.
ENERGY_OFF = 1e-3     # Share by which the energy recorded live may differ.
NAMES = {'inertia': 'inertia', 'damping': 'damping', 'wind': 'wind and air drag', 'unrecovered': 'not recovered',
         'losses': 'losses', 'static_load': 'static load'}


class Findings(NamedTuple):
    """An analysed log with all that is told of it: energy recorded live and work of the thrusters, J (NaN: none)."""

    drive: Drive
    live_energy: float
    live_part: float
    thruster_energy: float
    measured: Measured | None
    steady: WhatIf
    changes: list[WhatIf]
    estimate: CurrentEstimate | None
    notes: list[Note]


def findings_of(drive: Drive, estimate: CurrentEstimate | None = None) -> Findings:
    """
    Return all that is told of a drive.

    :param drive: The Drive.
    :param estimate: Of its current, where it was estimated.
    """
    live, part = _live(drive)
    steady, changes = what_if(drive)
    work = _work(drive)
    notes = [*drive.notes, *(estimate.notes if estimate else ()), *_quality(drive, live, part)]
    return Findings(drive, live, part, work, compared(drive), steady, changes, estimate, notes)


def _live(drive: Drive) -> tuple[float, float]:
    """Return the energy that the log recorded live and the analysis' own over the same samples, J; NaN without."""
    recorded = drive.log.extra.get('energy_j')
    known = np.flatnonzero(np.isfinite(recorded)) if recorded is not None else np.zeros(0, dtype=int)
    if recorded is None or known.size < 2 or (np.diff(recorded[known]) < 0.0).any():
        return math.nan, math.nan
    own = drive.integral.so_far()
    return float(recorded[known[-1]] - recorded[known[0]]), float(own[known[-1]] - own[known[0]])


def _work(drive: Drive) -> float:
    power = thruster_power(drive)
    if power is None:
        recorded = drive.log.extra.get('thruster_energy_j')
        known = recorded[np.isfinite(recorded)] if recorded is not None else np.zeros(0)
        return float(known[-1] - known[0]) if known.size > 1 else math.nan
    return float(steps_between(drive.log.time, power, drive.options.max_gap).trapezoids(power).sum())


def _quality(drive: Drive, live: float, part: float) -> list[Note]:
    notes, energy = [], drive.energy
    if energy.gaps:
        holes = '1 hole' if energy.gaps == 1 else f'{energy.gaps} holes'
        notes.append(Note(WARNING, 'gaps', f'{holes} longer than {drive.options.max_gap:g} s, '
                          f'{seconds(energy.gap_duration)} together, not in the energy', {'gaps': energy.gaps}))
    share = energy.duration / drive.log.duration if drive.log.duration else math.nan
    if share < LEAST_WHOLE and not energy.gaps:
        notes.append(Note(WARNING, 'partly_integrated', f'only {100.0 * share:.1f} % of the time has a power',
                          {'share': share}))
    if drive.options.convention == 'rep103':
        off = relative(part, live) if math.isfinite(live) else math.nan
        if abs(off) > ENERGY_OFF:
            notes.append(Note(WARNING, 'differs_from_live', f'the energy recorded live is {joules(live)}, here it is '
                              f'{joules(part)} ({percent(off, 2)}): another boat file, current, wind or convention?',
                              {'relative': off}))
    return notes + _noise(drive)


def _noise(drive: Drive) -> list[Note]:
    """Say by how much a low-pass on the acceleration changes the energy: noise of a velocity costs nothing in truth."""
    if drive.options.time_constant is not None or not drive.energy.total:
        return []
    log = drive.log.part(slice(0, ENOUGH))
    smooth, plain = (drive_of(log, drive.boat, drive.options._replace(time_constant=filtered)).energy.total
                     for filtered in (FILTER, None))
    change = relative(smooth, plain)
    if not abs(change) > NOISY:
        return []
    return [Note(WARNING, 'noisy_acceleration',
                 f'with a low-pass of {FILTER:g} s on the acceleration the energy changes by '
                 f'{percent(change, 1)}: noise in the velocities counts as braking that is not '
                 f'recovered. Try --acceleration-time-constant {FILTER:g}', {'relative': change})]


def energy_summary(drive: Drive) -> Summary:
    """Return the energy of a drive and what it was integrated over, for JSON."""
    energy, log = drive.energy, drive.log
    lasted = energy.duration or math.nan
    return without_nan({
        'source': str(log.path), 'name': name_of(drive), 'boat': drive.boat.name,
        'convention': drive.options.convention,
        'run_by': 'analyze', 'log_duration_s': log.duration, 'log_samples': len(log), 'period_s': log.period,
        'duration_s': energy.duration, 'energy_j': energy.total,
        **{f'energy_{cause}_j': getattr(energy, cause) for cause in CAUSES if cause != 'total'},
        'distance_over_ground_m': energy.distance_over_ground,
        'distance_through_water_m': energy.distance_through_water, 'energy_per_meter_j_m': energy.energy_per_meter,
        'mean_power_w': energy.total / lasted, 'mean_speed_over_ground_m_s': energy.distance_over_ground / lasted,
        **{count: getattr(energy, count) for count in COUNTS},
        'gap_duration_s': energy.gap_duration, 'stale_duration_s': energy.stale_duration})


def summary_of_drive(found: Findings) -> Summary:
    """Return the figures for JSON: units in the keys, None where there is no number."""
    drive = found.drive
    charge = drive.charge()
    return {**energy_summary(drive), **without_nan({
        'state_of_charge_used': math.nan if charge is None else float(charge[0] - charge[-1]),
        'current_source': drive.sources['current'], 'wind_source': drive.sources['wind'],
        **{f'{name}_mean_m_s': mean_or_nan(getattr(drive.flow, name))
           for name in ('current_x', 'current_y', 'wind_x', 'wind_y')},
        'live_energy_j': found.live_energy, 'live_relative': _relative(found.live_part, found.live_energy),
        'thruster_energy_j': found.thruster_energy,
        'closure_relative': _relative(drive.energy.thrust, found.thruster_energy)}),
        'current_estimate': _estimate(found.estimate), 'measured': _measured(found.measured),
        'steady_energy_j': found.steady.energy,
        'what_if': [without_nan({'name': one.name, 'energy_j': one.energy, 'duration_s': one.duration,
                                 'change_j': one.change, 'change_relative': one.relative,
                                 'beyond_thrust_share': one.beyond}) for one in found.changes],
        'notes': [{'level': note.level, 'code': note.code, 'text': note.text} for note in found.notes]}


def _relative(value: float, reference: float) -> float:
    return relative(value, reference) if math.isfinite(reference) else math.nan


def _estimate(estimate: CurrentEstimate | None) -> dict[str, Any] | None:
    if estimate is None:
        return None
    return without_nan({'std_x_m_s': estimate.std_x, 'std_y_m_s': estimate.std_y, 'knots': int(estimate.knots.size),
                        'surge_residual_n': estimate.residual, 'blocks': estimate.blocks})


def _measured(measured: Measured | None) -> dict[str, Any] | None:
    if measured is None:
        return None
    return without_nan({
        'samples': measured.samples, 'duration_s': measured.duration, 'model_energy_j': measured.model_energy,
        'measured_energy_j': measured.measured_energy, 'energy_relative': measured.energy_error,
        'mean_error_w': measured.mean_error, 'rms_error_w': measured.rms_error, 'r2': measured.r2,
        'slope': measured.slope, 'offset_w': measured.offset})


def summary_text(found: Findings) -> str:
    """Return the figures as lines for a terminal."""
    drive, energy = found.drive, found.drive.energy
    lines = [f'{drive.log.path}: {len(drive.log)} samples, {seconds(drive.log.duration)}; boat {drive.boat.name}, '
             f'{drive.options.convention}', '',
             f'Energy {joules(energy.total)} in {seconds(energy.duration)}, {metres(energy.distance_over_ground)} over '
             f'ground, {_or_dash(energy.energy_per_meter, "J/m")}, mean power '
             f'{_or_dash(energy.total / energy.duration if energy.duration else math.nan, "W")}', '']
    rows = [['cause', 'energy, J', 'share']]
    rows += [[name, f'{getattr(energy, cause):.2f}', f'{100.0 * getattr(energy, cause) / energy.total:.1f} %'
              if energy.total else '-'] for cause, name in NAMES.items() if getattr(energy, cause) != 0.0]
    lines += _right(rows)
    lines += ['', *text_table([['current', *_source(drive, 'current')], ['wind', *_source(drive, 'wind')]])]
    lines += [*_checks(found), '', 'What if (steady motion along the same way)',
              *_right([['', 'energy, J', 'change', ''], *map(_change_row, [found.steady, *found.changes])])]
    return '\n'.join([*lines, *note_lines(found.notes)])


def _source(drive: Drive, name: str) -> list[str]:
    x, y = (mean_or_nan(getattr(drive.flow, f'{name}_{axis}')) for axis in 'xy')
    return [f'{flow_words(x, y)} on average', f'({drive.sources[name]})']


def _checks(found: Findings) -> list[str]:
    lines = []
    if math.isfinite(found.live_energy):
        lines.append(f'recorded live: {joules(found.live_energy)}; this analysis of the same samples: '
                     f'{percent(relative(found.live_part, found.live_energy), 3)}')
    if math.isfinite(found.thruster_energy):
        lines.append(f'work of the thrusters: {joules(found.thruster_energy)}; model\'s thrust energy: '
                     f'{percent(relative(found.drive.energy.thrust, found.thruster_energy), 2)}')
    if found.estimate is not None:
        lines.append(f'current estimated from the thrusts: good to {found.estimate.std_x:.3f} m/s east, '
                     f'{found.estimate.std_y:.3f} m/s north')
    measured = found.measured
    if measured is not None:
        lines.append(f'measured electrical energy: {joules(measured.measured_energy)}; model '
                     f'{percent(measured.energy_error, 1)}, RMSE {measured.rms_error:.2f} W, R2 {measured.r2:.3f}')
    return lines


def _change_row(one: WhatIf) -> list[str]:
    beyond = f'beyond the thrusters in {100.0 * one.beyond:.0f} % of the time' if one.beyond > 0.005 else ''
    if one.name.startswith('as driven'):
        return [one.name, f'{one.energy:.1f}', '', '']
    return [one.name, f'{one.energy:.1f}', percent(one.relative, 1), beyond]


def _right(rows: list[list[str]]) -> list[str]:
    """Return lines: names to the left, then columns to the right, the last to the left where it is text."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    text = len(widths) == 4
    return ['  '.join(cell.ljust(width) if number == 0 or (text and number == 3) else cell.rjust(width)
                      for number, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in rows]


def note_lines(notes: list[Note]) -> list[str]:
    """Return notes as lines, warnings first."""
    lines: list[str] = []
    for level, title in ((WARNING, 'Look at this'), ('info', 'Notes')):
        there = list(dict.fromkeys(note.text for note in notes if note.level == level))
        if there:
            lines += ['', title, *(line for text in there for line in textwrap.wrap(
                text, WIDTH, initial_indent='  - ', subsequent_indent='    ', break_on_hyphens=False))]
    return lines


def _or_dash(value: float, unit: str) -> str:
    return f'{value:.2f} {unit}' if math.isfinite(value) else '-'
