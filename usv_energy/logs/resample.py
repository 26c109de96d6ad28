"""Series of other clocks at the times of a log: interpolated or held, NaN where there is nothing near."""

from dataclasses import replace

import numpy as np

from .log import PER_ACTUATOR, SERIES, Log


def interpolated(time: np.ndarray, source_time: np.ndarray, values: np.ndarray, max_gap: float) -> np.ndarray:
    """
    Return values at other times, on straight lines between samples.

    :param time: Wanted, s, shape (n,).
    :param source_time: Of the values, s, rising, shape (m,).
    :param values: Shape (m,) or (m, k).
    :param max_gap: Lines longer than this, s, are not drawn; a value is held that long before the first sample and
        after the last.
    :return: Shape (n,) or (n, k); NaN where there is none.
    """
    if not len(source_time):
        return np.full((len(time), *values.shape[1:]), np.nan)
    columns = [np.interp(time, source_time, column) for column in values.reshape(len(source_time), -1).T]
    result = columns[0] if values.ndim == 1 else np.column_stack(columns).reshape(len(time), *values.shape[1:])
    if (np.diff(source_time) > max_gap).any():
        after = np.clip(np.searchsorted(source_time, time), 1, max(len(source_time) - 1, 1))
        hole = (source_time[after] - source_time[after - 1] > max_gap) & (time > source_time[after - 1]) \
            & (time < source_time[after])
        result[hole] = np.nan
    result[(time < source_time[0] - max_gap) | (time > source_time[-1] + max_gap)] = np.nan
    return result


def held(time: np.ndarray, source_time: np.ndarray, values: np.ndarray, max_age: float = np.inf) -> np.ndarray:
    """
    Return the last value at or before each time, as a command acts.

    :param time: Wanted, s, shape (n,).
    :param source_time: Of the values, s, rising, shape (m,).
    :param values: Shape (m,) or (m, k).
    :param max_age: Older values than this, s, are not held.
    :return: Shape (n,) or (n, k); NaN before the first.
    """
    place = np.searchsorted(source_time, time, side='right') - 1
    known = place >= 0
    if max_age < np.inf:
        known[known] &= time[known] - source_time[place[known]] <= max_age
    if known.all():
        found: np.ndarray = values[place]
        return found
    result = np.full((len(time), *values.shape[1:]), np.nan)
    result[known] = values[place[known]]
    return result


def resampled(log: Log, period: float) -> Log:
    """
    Return a log on an even clock; commands are held, the rest interpolated, and gaps stay gaps.

    :param period: Of the new clock, s; each stretch between gaps starts at its own first sample.
    """
    times = []
    for piece in log.pieces():
        begin, end = log.time[piece][[0, -1]]
        times.append(begin + period * np.arange(int(np.floor((end - begin) / period + 1e-9)) + 1))
    time = np.concatenate(times) if times else log.time
    values = {name: interpolated(time, log.time, getattr(log, name), log.max_gap) for name in SERIES}
    values |= {name: held(time, log.time, getattr(log, name), log.max_gap) for name in PER_ACTUATOR}
    extra = {name: interpolated(time, log.time, value, log.max_gap) for name, value in log.extra.items()}
    return replace(log, time=time, extra=extra, max_gap=max(log.max_gap, period), **values)  # type: ignore[arg-type]  # series
