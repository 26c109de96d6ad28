"""
Measured speeds beside simulated ones, over time, after Paravisi et al. (Sensors 19(5) 1068, section 4.3).

Errors are simulated less measured. Their mean absolute value, their standard deviation, and the share of them within
one standard deviation of their mean are what [S] prints. That share is 68 % of normal errors; it is larger where a few
large errors, as at the beginning, make the deviation. Where a run was repeated, the scatter of the repeats at equal
times says how well a speed was measured; the share of the measured samples within it of the simulated speed is the
other one.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.logs.log import Log

LEVEL = 0.25       # Of the simulated top speed, (-): where traces are laid over each other.
LEAST_SAMPLES = 3


class SpeedTrace(NamedTuple):
    """Speeds over ground, m/s, over time, s, both (n,), of a log of some `name`."""

    name: str
    time: np.ndarray
    speed: np.ndarray


class TraceError(NamedTuple):
    """
    How a simulated speed differs from a measured one.

    `samples`; `mae`: mean absolute error, `bias`: its mean (simulated less measured), `std`: standard deviation,
    `largest`: all m/s; `share`: of the errors within one standard deviation of their mean, (-).
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

    `measured` and `simulated`: traces of equal number, or one simulated one for all, on one clock; `shifts`: by which
    the measured were moved, s. `errors`: of each, and `all`: of all together. `sigma`: of a measured speed, by what
    repeats of the run differ at equal times, m/s, and `share_in_sigma` of the measured samples within it of the
    simulated speed, (-): NaN where the run was not repeated.
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


def overlaid(measured: Sequence[SpeedTrace], simulated: Sequence[SpeedTrace], align: bool) -> SpeedOverlay:
    """
    Return measured speeds laid over simulated ones.

    :param measured: One or more; where there is one simulated trace, they are repeats of one run.
    :param simulated: One for all, or one for each, on the clock of its own.
    :param align: Whether measured traces are moved so that they cross a quarter of the simulated top speed when the
        simulated one does: clocks that began at different times.
    :raises InputError: If a trace never crosses that speed, or traces have no time in common.
    """
    pairs = [(one, simulated[number if len(simulated) > 1 else 0]) for number, one in enumerate(measured)]
    shifts = tuple(_shift(one, other) if align else 0.0 for one, other in pairs)
    moved = tuple(one._replace(time=one.time + shift) for one, shift in zip(measured, shifts))
    errors = [_errors(one, other) for one, (_, other) in zip(moved, pairs)]
    repeated = len(simulated) == 1 and len(measured) > 1
    sigma = _scatter(moved) if repeated else float('nan')
    every = np.concatenate(errors)
    return SpeedOverlay(moved, tuple(simulated), shifts, tuple(map(_figures, errors)), _figures(every), sigma,
                        float(np.mean(np.abs(every) <= sigma)) if repeated else float('nan'))


def _shift(measured: SpeedTrace, simulated: SpeedTrace) -> float:
    level = LEVEL * float(simulated.speed.max())
    return _crossing(simulated, level) - _crossing(measured, level)


def _crossing(trace: SpeedTrace, level: float) -> float:
    """Return when a trace first rises through a speed, s, by a straight line between two samples."""
    above = trace.speed >= level
    first = int(np.argmax(above[1:] & ~above[:-1])) if len(above) > 1 else 0
    if above[first] or not above[first + 1]:
        raise InputError(f'{trace.name}: does not rise through {level:.2f} m/s, a quarter of the simulated top speed, '
                         'so that it cannot be laid over it; --no-align takes the clocks as they are')
    low, high = trace.speed[first:first + 2]
    share = (level - low) / (high - low)
    return float(trace.time[first] + share * (trace.time[first + 1] - trace.time[first]))


def _errors(measured: SpeedTrace, simulated: SpeedTrace) -> np.ndarray:
    """Return simulated less measured speeds at the measured samples in the time that both have, m/s."""
    both = (measured.time >= simulated.time[0]) & (measured.time <= simulated.time[-1])
    if int(both.sum()) < LEAST_SAMPLES:
        raise InputError(f'{measured.name} ({measured.time[0]:.1f} to {measured.time[-1]:.1f} s) and {simulated.name} '
                         f'({simulated.time[0]:.1f} to {simulated.time[-1]:.1f} s) have no time in common')
    return np.asarray(np.interp(measured.time[both], simulated.time, simulated.speed) - measured.speed[both])


def _figures(errors: np.ndarray) -> TraceError:
    bias, std = float(errors.mean()), float(errors.std(ddof=1))
    return TraceError(len(errors), float(np.abs(errors).mean()), bias, std, float(np.abs(errors).max()),
                      float(np.mean(np.abs(errors - bias) <= std)))


def _scatter(traces: Sequence[SpeedTrace]) -> float:
    """
    Return the standard deviation of a measured speed by repeats at equal times, all times together, m/s.

    Of each repeat the nearest sample is taken: means of two would have less noise.
    """
    begin, end = max(one.time[0] for one in traces), min(one.time[-1] for one in traces)
    step = max(float(np.median(np.diff(one.time))) for one in traces)
    if not end - begin > LEAST_SAMPLES * step:
        raise InputError(f'{", ".join(one.name for one in traces)} have no time in common, so they are no repeats')
    times = np.arange(begin, end, step)
    speeds = np.stack([one.speed[np.searchsorted(0.5 * (one.time[1:] + one.time[:-1]), times)] for one in traces])
    return float(np.sqrt(np.mean(np.var(speeds, axis=0, ddof=1))))
