"""
Measured and simulated speeds over time, compared as in Paravisi et al. (Sensors 19(5) 1068, section 4.3).

Errors are simulated less measured speeds. As in that paper, their mean absolute value, their standard deviation, and
the share of errors within one standard deviation of their mean are given. The share is 68 % for normal errors, and
larger if a few large errors, for example at the start, dominate the deviation. If a run was repeated, the scatter of
the repeats at equal times is the uncertainty of a measured speed; then the share of the measured samples whose error
is within that scatter is given, too.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.files.text_file import without_nan
from usv_energy.logs.log import Log
from usv_energy.show.text_table import shortened, text_table
from usv_energy.sim.record import Summary

LEVEL = 0.25       # of the simulated top speed: traces are aligned where they first rise through it
LEAST_SAMPLES = 3
ALL = 'all together'


class SpeedTrace(NamedTuple):
    """The speed over ground, m/s, over time, s, both (n,), of a log called `name`."""

    name: str
    time: np.ndarray
    speed: np.ndarray


class TraceError(NamedTuple):
    """
    The error of a simulated speed, simulated less measured.

    `samples`: their number; `mae`: mean absolute error, `bias`: mean error, `std`: standard deviation, `largest`:
    largest absolute error, all m/s; `share`: of the errors within one standard deviation of their mean, (-).
    """

    samples: int
    mae: float
    bias: float
    std: float
    largest: float
    share: float


class SpeedOverlay(NamedTuple):
    """
    Measured speeds laid over simulated ones.

    `measured` and `simulated`: traces of equal number, or a single simulated one, on one clock; `shifts`: of the
    measured traces, s. `errors`: of each, and `all`: of all together. `sigma`: standard deviation of a measured speed,
    m/s, from the differences of repeats at equal times; `share_in_sigma`: of the measured samples whose error is within
    `sigma`, (-). Both are NaN if the run was not repeated.
    """

    measured: tuple[SpeedTrace, ...]
    simulated: tuple[SpeedTrace, ...]
    shifts: tuple[float, ...]
    errors: tuple[TraceError, ...]
    all: TraceError
    sigma: float
    share_in_sigma: float


def trace_of(log: Log, begin: float = -np.inf, end: float = np.inf) -> SpeedTrace:
    """
    Return the speed over ground of a log between two times, s, as a SpeedTrace.

    :raises InputError: If it has no speed, or too few samples there.
    """
    log.require('u')
    speed = np.hypot(log.u, np.nan_to_num(log.v))
    kept = np.isfinite(speed) & (log.time >= begin) & (log.time <= end)
    if int(kept.sum()) < LEAST_SAMPLES:
        raise InputError(f'{log.path}: {int(kept.sum())} samples with a speed from {begin:g} to {end:g} s; at least '
                         f'{LEAST_SAMPLES} are needed')
    return SpeedTrace(log.name, log.time[kept], speed[kept])


def overlay_of(measured: Sequence[SpeedTrace], simulated: Sequence[SpeedTrace], align: bool) -> SpeedOverlay:
    """
    Return measured speeds laid over simulated ones.

    :param measured: One or more; with a single simulated trace, they are repeats of one run.
    :param simulated: One for all, or one for each.
    :param align: Whether to shift measured traces so that they rise through a quarter of the simulated top speed at the
        same time as the simulated one.
    :raises InputError: If a trace never rises through that speed, or traces have no time in common.
    """
    pairs = [(one, simulated[number if len(simulated) > 1 else 0]) for number, one in enumerate(measured)]
    shifts = tuple(_time_shift(one, other) if align else 0.0 for one, other in pairs)
    moved = tuple(one._replace(time=one.time + shift) for one, shift in zip(measured, shifts))
    errors = [_errors(one, other) for one, (_, other) in zip(moved, pairs)]
    repeated = len(simulated) == 1 and len(measured) > 1
    sigma = _scatter_of_repeats(moved) if repeated else float('nan')
    every = np.concatenate(errors)
    return SpeedOverlay(moved, tuple(simulated), shifts, tuple(map(_error_figures, errors)), _error_figures(every),
                        sigma, float(np.mean(np.abs(every) <= sigma)) if repeated else float('nan'))


def _time_shift(measured: SpeedTrace, simulated: SpeedTrace) -> float:
    level = LEVEL * float(simulated.speed.max())
    return _crossing(simulated, level) - _crossing(measured, level)


def _crossing(trace: SpeedTrace, level: float) -> float:
    """Return the time, s, at which a trace first rises through a speed, by linear interpolation."""
    above = trace.speed >= level
    first = int(np.argmax(above[1:] & ~above[:-1])) if len(above) > 1 else 0
    if above[first] or not above[first + 1]:
        raise InputError(f'{trace.name}: does not rise through {level:.2f} m/s, a quarter of the simulated top speed, '
                         'so that it cannot be laid over it; --no-align takes the clocks as they are')
    low, high = trace.speed[first:first + 2]
    share = (level - low) / (high - low)
    return float(trace.time[first] + share * (trace.time[first + 1] - trace.time[first]))


def _errors(measured: SpeedTrace, simulated: SpeedTrace) -> np.ndarray:
    """Return simulated less measured speeds, m/s, at the measured samples in the common time."""
    both = (measured.time >= simulated.time[0]) & (measured.time <= simulated.time[-1])
    if int(both.sum()) < LEAST_SAMPLES:
        raise InputError(f'{measured.name} ({measured.time[0]:.1f} to {measured.time[-1]:.1f} s) and {simulated.name} '
                         f'({simulated.time[0]:.1f} to {simulated.time[-1]:.1f} s) have no time in common')
    return np.asarray(np.interp(measured.time[both], simulated.time, simulated.speed) - measured.speed[both])


def _error_figures(errors: np.ndarray) -> TraceError:
    bias, std = float(errors.mean()), float(errors.std(ddof=1))
    return TraceError(len(errors), float(np.abs(errors).mean()), bias, std, float(np.abs(errors).max()),
                      float(np.mean(np.abs(errors - bias) <= std)))


def _scatter_of_repeats(traces: Sequence[SpeedTrace]) -> float:
    """
    Return the standard deviation of a measured speed, m/s, from repeats at equal times.

    The nearest sample of each repeat is taken; interpolated values would have less noise.
    """
    begin, end = max(one.time[0] for one in traces), min(one.time[-1] for one in traces)
    step = max(float(np.median(np.diff(one.time))) for one in traces)
    if not end - begin > LEAST_SAMPLES * step:
        raise InputError(f'{", ".join(one.name for one in traces)} have no time in common, so they are no repeats')
    times = np.arange(begin, end, step)
    speeds = np.stack([one.speed[np.searchsorted(0.5 * (one.time[1:] + one.time[:-1]), times)] for one in traces])
    return float(np.sqrt(np.mean(np.var(speeds, axis=0, ddof=1))))


def overlay_summary(overlay: SpeedOverlay) -> Summary:
    """Return the overlay for JSON; units in the keys, errors are simulated less measured."""
    one_for_all = len(overlay.simulated) == 1
    return without_nan({
        'runs': [{'measured': trace.name, 'simulated': overlay.simulated[0 if one_for_all else number].name,
                  'shift_s': shift, 'top_speed_measured_m_s': float(trace.speed.max()),
                  'top_speed_simulated_m_s': float(overlay.simulated[0 if one_for_all else number].speed.max()),
                  **_error_keys(error)}
                 for number, (trace, shift, error) in enumerate(zip(overlay.measured, overlay.shifts, overlay.errors))],
        'all': _error_keys(overlay.all), 'sigma_of_repeats_m_s': overlay.sigma,
        'share_within_sigma_of_repeats': overlay.share_in_sigma})


def _error_keys(error: TraceError) -> dict[str, Any]:
    return {'samples': error.samples, 'mae_m_s': error.mae, 'bias_m_s': error.bias, 'std_m_s': error.std,
            'largest_error_m_s': error.largest, 'share_within_one_std': error.share}


def overlay_text(overlay: SpeedOverlay) -> str:
    """Return the errors as a text table."""
    rows = [['measured', 'samples', 'MAE, m/s', 'bias, m/s', 'std, m/s', 'largest, m/s', 'within one std']]
    rows += [_overlay_row(trace.name, error) for trace, error in zip(overlay.measured, overlay.errors)]
    if len(overlay.measured) > 1:
        rows.append(_overlay_row(ALL, overlay.all))
    names = ', '.join(dict.fromkeys(trace.name for trace in overlay.simulated))
    lines = [f'Simulated ({names}) less measured speed over ground', '', *text_table(rows, 'lrrrrrr')]
    if math.isfinite(overlay.sigma):
        lines += ['', f'Repeats differ by {overlay.sigma:.4f} m/s (one standard deviation of a measured speed); '
                  f'{100.0 * overlay.share_in_sigma:.1f} % of the', 'measured samples lie within it of the simulated '
                  'speed (68 % of normal noise about a right one).']
    return '\n'.join(lines)


def _overlay_row(name: str, error: TraceError) -> list[str]:
    return [shortened(name, 28), str(error.samples), f'{error.mae:.4f}', f'{error.bias:+.4f}', f'{error.std:.4f}',
            f'{error.largest:.3f}', f'{100.0 * error.share:.1f} %']
