"""A motion without its oscillation: values smoothed by local linear regression, which preserves the mean."""

from collections.abc import Sequence

import numpy as np

from usv_energy.logs.log import Log

FINENESS = 0.2     # Step of the means that are smoothed, of the width.
REACH = 4.0        # Widths at which the weights end.
LEAST_SPREAD = 1e-9  # Of the samples' times, in squares of the width, from which they tell a slope.


def without_oscillation(log: Log, series: Sequence[np.ndarray], width: float) -> list[np.ndarray]:
    """
    Return series of a log as they are on average about each time: of an oscillation exp(-(omega w)^2 / 2) is left.

    The weights are a Gaussian; about each time a straight line is fitted with them, so that what rises steadily stays
    as it is up to the ends. Gaps are not bridged; where a value is not known, so it stays.

    :param log: The Log, for its times and its pieces without gaps.
    :param series: Each of shape (n,).
    :param width: Of the Gaussian, its standard deviation, s.
    """
    found = [np.array(values, dtype=float) for values in series]
    for piece in log.pieces():
        for values in found:
            values[piece] = _smoothed(log.time[piece], values[piece], width)
    return found


def _smoothed(time: np.ndarray, values: np.ndarray, width: float) -> np.ndarray:
    known = np.isfinite(values)
    if known.sum() < 3:
        return values
    step = FINENESS * width
    place = ((time - time[0]) / step).astype(int)
    number = int(place[-1]) + 1
    weight = np.bincount(place[known], minlength=number).astype(float)
    there = np.maximum(weight, 1.0)
    total = np.bincount(place[known], values[known], number)
    after = np.bincount(place[known], time[known] - time[0] - place[known] * step, number) / there
    middle = step * np.arange(number) + after  # Of a step without samples neither this nor its mean counts.
    found = _local_lines(step, number, middle, total / there, (weight > 0.0).astype(float), width)
    at = step * np.arange(-1, number + 1) + 0.5 * step
    lines = np.concatenate([[2.0 * found[0] - found[1]], found, [2.0 * found[-1] - found[-2]]]) if number > 1 else \
        np.full(3, found[0])
    return np.where(known, np.interp(time - time[0], at, lines), values)


def _local_lines(step: float, number: int, middle: np.ndarray, mean: np.ndarray, weight: np.ndarray,
                 width: float) -> np.ndarray:
    """Return the values at the middles of steps of the straight lines that are fitted about each."""
    reach = round(REACH * width / step)
    away = step * np.arange(-reach, reach + 1)
    kernel = np.exp(-0.5 * (away / width) ** 2)
    centre = step * (np.arange(number) + 0.5)
    offset = middle - centre  # Of the samples' mean time from the middle of their step

    def summed(power: int, factor: np.ndarray) -> np.ndarray:
        padded = np.concatenate([np.zeros(reach), factor, np.zeros(reach)])
        result: np.ndarray = np.convolve(padded, (kernel * away ** power)[::-1], mode='valid')
        return result

    def moment(power: int, factor: np.ndarray) -> np.ndarray:
        """Return the sum of weights times the distance to a centre to a power, samples being `offset` off theirs."""
        if power == 0:
            return summed(0, factor)
        if power == 1:
            found: np.ndarray = summed(1, factor) + summed(0, factor * offset)
        else:
            found = summed(2, factor) + 2.0 * summed(1, factor * offset) + summed(0, factor * offset ** 2)
        return found

    s0, s1, s2 = (moment(power, weight) for power in (0, 1, 2))
    t0, t1 = moment(0, weight * mean), moment(1, weight * mean)
    there = np.where(s0 > 0.0, s0, 1.0)  # Where no sample is near nobody asks.
    level, apart, about = t0 / there, s1 / there, t1 / there
    spread = s2 / there - apart * apart
    slope = np.divide(about - apart * level, spread, out=np.zeros(number), where=spread > LEAST_SPREAD * width * width)
    value: np.ndarray = level - slope * apart
    return value
