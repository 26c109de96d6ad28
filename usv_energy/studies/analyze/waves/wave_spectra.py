"""Spectra of heave, roll and pitch of a log, in windows in which the boat keeps its course."""

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from usv_energy.logs.log import HEAVE, LIFT, PITCH, ROLL, Log
from usv_energy.physics.motion import Flow

# Standard deviation below which a series shows no waves: m, rad, rad, m/s^2. Noise of AHRSs is below.
LEAST = {HEAVE: 0.004, ROLL: 0.004, PITCH: 0.004, LIFT: 0.03}
STEP = 0.1                  # s: series are averaged over this time.
COARSE = 0.26               # s: series with a longer period show no short waves.
WINDOW = 256                # Steps of a window, half of which it has in common with the next.
SHORTEST = 96               # Steps of the shortest window that is taken, of a short log.
MOST_WINDOWS = 48           # All along a log.
SLOWEST = 2                 # Lowest frequency of waves, cycles per window; turns are slower.
FASTEST = 1.3               # Hz.
STRAIGHT = 0.97             # Length of the mean unit vector of the headings in a window.


class WindowSpectra(NamedTuple):
    """
    Spectra in a window: of n series, their densities at k frequencies, shape (k, n, n), two-sided unit^2/Hz.

    `heading`, rad (ENU), and `speed` ahead through the water, m/s, are its means. `variance`: of the first series,
    unit^2, slower than FASTEST, all of the window alike, as a density by Hann's has it not.
    """

    density: np.ndarray
    heading: float
    speed: float
    variance: float


class LogSpectra(NamedTuple):
    """The spectra of a log's windows: series by `names`, `frequency`, Hz, shape (k,), and the windows."""

    names: tuple[str, ...]
    frequency: np.ndarray
    windows: list[WindowSpectra]


def wave_series(log: Log) -> dict[str, np.ndarray]:
    """Return those series of a log that may show waves, (n,) each; the acceleration only where there is no heave."""
    found = {name: log.extra[name] for name in (HEAVE, LIFT, ROLL, PITCH) if name in log.extra}
    if HEAVE in found:
        found.pop(LIFT, None)
    return found


def log_spectra(log: Log, flow: Flow) -> tuple[LogSpectra | None, str]:
    """
    Return the spectra of a log, and why there are none.

    :param log: The Log, with yaw and surge.
    :param flow: Along it: the current is taken off the speed.
    """
    series = wave_series(log)
    if not series:
        return None, 'the log has no heave, roll, pitch or vertical acceleration'
    if not any(_scatter(values) > LEAST[name] for name, values in series.items()):
        return None, 'heave, roll and pitch are those of calm water'
    period = min(_period(log.time, values) for values in series.values())
    if period > COARSE:
        return None, f'heave, roll and pitch are {period:.2g} s apart, too far to show waves'
    windows: list[WindowSpectra] = []
    pieces = [piece for piece in log.pieces() if log.time[piece.stop - 1] - log.time[piece.start] > SHORTEST * STEP]
    longest = max((log.time[piece.stop - 1] - log.time[piece.start] for piece in pieces), default=0.0)
    length = min(WINDOW, int(longest / STEP))
    begins = [(piece, begin) for piece in pieces for begin in _begins(log.time[piece], length * STEP)]
    few = [begins[place] for place in np.unique(np.linspace(0, len(begins) - 1, min(len(begins), MOST_WINDOWS))
                                                .round().astype(int))] if begins else []
    frequency = np.fft.rfftfreq(max(length, 1), STEP)
    band = slice(SLOWEST, int(np.searchsorted(frequency, FASTEST)))
    for piece, begin in few:
        first, last = np.searchsorted(log.time[piece], (begin, begin + length * STEP)) + piece.start
        one = _window(log, flow, series, slice(int(first), int(last)), begin, length, band)
        if one is not None:
            windows.append(one)
    if not windows:
        return None, 'the boat nowhere keeps its course for long enough'
    return LogSpectra(tuple(series), frequency[band], windows), ''


def _begins(time: np.ndarray, length: float) -> list[float]:
    """Return when windows of a length, s, begin: at most half of it apart, the last one ends with the times."""
    rest = float(time[-1] - time[0]) - length
    if rest < -STEP:
        return []
    return np.linspace(time[0], time[0] + max(rest, 0.0), math.ceil(2.0 * rest / length) + 1).tolist()


def _window(log: Log, flow: Flow, series: Mapping[str, np.ndarray], rows: slice, begin: float, length: int,
            band: slice) -> WindowSpectra | None:
    """Return the spectra of a window; None where it is not full, or the boat turns."""
    place = np.minimum(((log.time[rows] - begin) / STEP + 1e-6).astype(int), length - 1)
    yaw, u = log.yaw[rows], log.u[rows]
    known = np.isfinite(yaw)
    if not known.any() or not np.isfinite(u).any():
        return None
    mean = np.exp(1j * yaw[known]).mean()
    if abs(mean) < STRAIGHT:
        return None
    columns = [_even(place, values[rows], length) for values in series.values()]
    if any(column is None for column in columns):
        return None
    hann = np.hanning(length + 1)[:-1]
    whole = _without_trend(np.array(columns, dtype=float))
    spectra = np.fft.rfft(whole * hann)[:, band] * math.sqrt(STEP / float(hann @ hann))
    density = np.einsum('ik,jk->kij', spectra, spectra.conj())
    slow = np.fft.rfft(whole[0])[:band.stop]
    variance = 2.0 * float(np.sum(np.abs(slow) ** 2)) / length ** 2
    ahead = mean / abs(mean)
    current = float(np.nanmean(flow.current_x[rows]) * ahead.real + np.nanmean(flow.current_y[rows]) * ahead.imag)
    return WindowSpectra(density, float(np.angle(mean)), float(np.nanmean(u)) - current, variance)


def _even(place: np.ndarray, values: np.ndarray, length: int) -> np.ndarray | None:
    """Return the means of values by index, (length,), gaps filled; None if a fifth is unknown."""
    known = np.isfinite(values)
    number = np.bincount(place[known], minlength=length)
    there = np.flatnonzero(number)
    if there.size < 0.35 * length:
        return None
    means = np.bincount(place[known], values[known], length)[there] / number[there]
    return np.interp(np.arange(length), there, means)


def _without_trend(columns: np.ndarray) -> np.ndarray:
    """Return rows of values, (n, k), without the straight line through each."""
    along = np.linspace(-1.0, 1.0, columns.shape[1])
    mean, slope = columns.mean(axis=1), columns @ along / float(along @ along)
    return columns - mean[:, None] - slope[:, None] * along


def _scatter(values: np.ndarray) -> float:
    """Return the scatter of a series about its local mean, so that drift does not count."""
    known = values[np.isfinite(values)]
    if known.size < 3 or known.max() == known.min():
        return 0.0
    return float(known.std())


def _period(time: np.ndarray, values: np.ndarray) -> float:
    known = np.flatnonzero(np.isfinite(values[:5000]))
    return float(np.median(np.diff(time[known]))) if known.size > 2 else math.inf
