"""What a log does not hold from what it does, and series of other clocks at its times."""

import math

import numpy as np

from usv_energy.physics.elementwise import cos, sin
from usv_energy.physics.frames import to_body

SMOOTHED = 1.0  # Width of the window that positions are differentiated over, s, and at least five samples.
LEAST_SAMPLES = 5
LARGEST = 1e100  # From which on a value is damage, and the parabola's squares are no numbers any more.
# Of the courses, of which opposite ones are held against each other; fewest samples in one.
SECTORS, LEAST_ON_COURSE = 8, 12
SPIKE = math.radians(20.0)  # By which a heading must miss the gyro's to be a fault of the heading alone,
COMES_BACK = 0.5            # and share of that by which the next one still misses it: after a step it is all of it.


def unwrapped(yaw: np.ndarray) -> np.ndarray:
    """Return an angle, rad, without its jumps of a turn; NaN stays where it is."""
    known = np.isfinite(yaw)
    result = np.array(yaw, dtype=float)
    result[known] = _unwrapped(result[known])
    return result


def yaw_of_quaternions(qx: np.ndarray, qy: np.ndarray, qz: np.ndarray, qw: np.ndarray) -> np.ndarray:
    """Return the yaw of quaternions, rad, shape (n,), as `frames.yaw_of_quaternion`; NaN of those that are none."""
    size = qx * qx + qy * qy + qz * qz + qw * qw
    yaw = np.arctan2(2.0 * (qw * qz + qx * qy), qw * qw + qx * qx - qy * qy - qz * qz)
    return np.where((size > 0.0) & (size < np.inf), yaw, np.nan)


def _unwrapped(angle: np.ndarray) -> np.ndarray:
    """Return np.unwrap's result, at once where no step is as long as half a turn."""
    return angle if np.abs(np.diff(angle)).max(initial=0.0) < math.pi else np.unwrap(angle)


def without_spikes(time: np.ndarray, yaw: np.ndarray, r: np.ndarray) -> tuple[np.ndarray, int]:
    """
    Return an unwrapped heading whose samples half way round the circle are put right, and their number.

    A heading that was interpolated as a plain number, across the jump from 360 to 0 degrees, passes through all
    that lies between in one or two samples. Such a sample misses both neighbours by far more than the yaw rate allows.

    :param time: s, shape (n,).
    :param yaw: rad in any turn, shape (n,).
    :param r: Yaw rate, rad/s counter-clockwise, shape (n,); NaN (not known) is taken as 0.
    """
    known = np.flatnonzero(np.isfinite(yaw))
    if len(known) < 3:
        return unwrapped(yaw), 0
    t, angle = time[known], np.array(yaw[known], dtype=float)
    rate = np.nan_to_num(r[known])
    turned = np.concatenate([[0.0], np.cumsum(0.5 * (rate[1:] + rate[:-1]) * np.diff(t))])
    rest = angle - turned  # what the gyro does not explain: steps of whole turns, and spikes
    bad = _spikes(rest)
    if bad.any():
        good = ~bad
        smooth = np.full_like(rest, np.nan)
        smooth[good] = np.unwrap(rest[good])
        smooth[bad] = np.interp(t[bad], t[good], smooth[good])
    else:
        smooth = _unwrapped(rest)
    result = np.full(len(yaw), np.nan)
    result[known] = smooth + turned
    return result, int(bad.sum())


def _spikes(rest: np.ndarray) -> np.ndarray:
    """Mark single samples, and pairs, that leave a line of angles and come back to it, modulo a turn."""
    bad = np.zeros(len(rest), dtype=bool)
    steps = np.abs(np.diff(rest))
    if steps.max(initial=0.0) < 0.5 * SPIKE or np.abs(_wrapped(steps)).max() < 0.49 * SPIKE:
        return bad  # Two steps do not make a spike.
    for width in (1, 2):
        before, after = rest[:-width - 1], rest[width + 1:]
        left = np.abs(_wrapped(after - before))
        for offset in range(1, width + 1):
            inside = rest[offset:len(rest) - width - 1 + offset]
            away = np.abs(_wrapped(inside - before))
            bad[offset:len(rest) - width - 1 + offset] |= (away > SPIKE) & (left < COMES_BACK * away)
    return bad


def _wrapped(angle: np.ndarray) -> np.ndarray:
    return (angle + math.pi) % (2.0 * math.pi) - math.pi


def derivative(time: np.ndarray, values: np.ndarray, max_gap: float, width: float = SMOOTHED) -> np.ndarray:
    """
    Return the smoothed time derivative: of a parabola through the samples around each one.

    :param time: s, rising, shape (n,); the parabolas are laid on an even grid of the median step.
    :param values: Shape (n,); a NaN is bridged where its neighbours are at most `max_gap` apart.
    :param max_gap: Longest step that is bridged, s; each stretch between is on its own.
    :param width: Of the window, s; at least five samples.
    :return: Per s; NaN in stretches shorter than five samples.

    Source: Savitzky and Golay (1964), Analytical Chemistry 36(8), second order.
    """
    result = np.full(len(time), np.nan)
    known = np.flatnonzero(np.abs(values) < LARGEST)
    if len(known) < LEAST_SAMPLES:
        return result
    cuts = np.flatnonzero(np.diff(time[known]) > max_gap) + 1
    for piece in np.split(known, cuts):
        if len(piece) < LEAST_SAMPLES:
            continue
        t = time[piece]
        step = float(np.median(np.diff(t)))
        grid = np.linspace(t[0], t[-1], max(LEAST_SAMPLES, round((t[-1] - t[0]) / step) + 1))
        step = grid[1] - grid[0]
        window = min(max(LEAST_SAMPLES, 2 * round(0.5 * width / step) + 1), len(grid) - 1 + len(grid) % 2)
        slope = parabola_slopes(np.interp(grid, t, values[piece]), window) / step
        inside = slice(piece[0], piece[-1] + 1)
        result[inside] = np.interp(time[inside], grid, slope)
    return result


def parabola_slopes(values: np.ndarray, window: int) -> np.ndarray:
    """
    Return the slope, a sample, of the least-squares parabola through the samples around each one.

    :param values: At even times, shape (n,).
    :param window: Number of samples of a parabola, odd, at least 3 and at most n; the first and the last of them serve
        the samples that are closer to an end than half of it.
    :return: Shape (n,).

    Source: Savitzky and Golay (1964), as `derivative`: with k from the middle of the window, the slope there is
    sum(k y) / sum(k^2). It is what scipy.signal.savgol_filter(values, window, 2, deriv=1) returns; that library takes
    1.4 s of a processor to import (numpy 0.16 s; 2026-11-27), which every command that reads such a log would wait for.
    """
    half = window // 2
    place = np.arange(-half, half + 1.0)
    square = place * place
    least, bend = square.sum(), window * (square * square).sum() - square.sum() ** 2
    values = values - values[0]
    slope = np.empty(values.size)
    slope[half:values.size - half] = np.correlate(values, place / least, 'valid')
    for end, rows, there in ((values[:window], slope[:half], place[:half]),
                             (values[-window:], slope[values.size - half:], place[half + 1:])):
        curve = (window * (square @ end) - least * end.sum()) / bend
        rows[:] = (place @ end) / least + 2.0 * curve * there
    return slope


def decaying_sum(given: np.ndarray, keep: float) -> np.ndarray:
    """
    Return the series y of y[n] = keep y[n - 1] + given[n] from y[0] = given[0], a first-order low-pass.

    :param given: Shape (n, ...).
    :param keep: Share that is left after a step, from 0 to 1.
    :return: Shape (n, ...), as scipy.signal.lfilter([1.0], [1.0, -keep], given, axis=0), which takes long to import.
    """
    from scipy.linalg import solve_banded
    band = np.broadcast_to([[1.0], [-keep]], (2, len(given)))
    return np.asarray(solve_banded((1, 0), band, given, check_finite=False))


def body_velocity(velocity_x: np.ndarray, velocity_y: np.ndarray, yaw: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """
    Return surge and sway over ground, m/s (FLU), from an earth velocity.

    :param velocity_x: To the east, m/s, shape (n,).
    :param velocity_y: To the north, m/s, same shape.
    :param yaw: Counter-clockwise from east, rad, same shape.
    """
    u, v = to_body(velocity_x, velocity_y, cos(yaw), sin(yaw))
    return u, v


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
        return values[place]
    result = np.full((len(time), *values.shape[1:]), np.nan)
    result[known] = values[place[known]]
    return result


def mean_drift(course: np.ndarray, drift: np.ndarray) -> tuple[float, bool]:
    """
    Return the usual drift, rad, and whether it is that of courses there and back.

    That is the median of the means of opposite sectors, each as often as the one with fewer samples has them.

    :param course: Over ground, or through the water, rad, (n,).
    :param drift: From the heading to the course, rad, (n,).
    """
    sector = np.rint(course / (math.tau / SECTORS)).astype(int) % SECTORS
    counts, half = np.bincount(sector, minlength=SECTORS), SECTORS // 2
    fewer = np.minimum(counts[:half], counts[half:])
    fewer[fewer < LEAST_ON_COURSE] = 0
    if not fewer.any():
        return float(np.median(drift)), False
    means = [0.5 * sum(float(np.median(drift[sector == one])) for one in (pair, pair + half)) if number else 0.0
             for pair, number in enumerate(fewer)]
    return float(np.median(np.repeat(means, fewer))), True
