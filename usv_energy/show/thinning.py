"""Fewer points for a picture: what a million samples look like, drawn with a thousand."""

import numpy as np

SOME = 20000  # Samples, spread evenly, that the limits of an axis are taken from.
MARGIN = 0.06  # Share of an axis that is left free above and below.


def rows_of(number: int, most: int) -> np.ndarray:
    """Return at most so many rows of an array, the first and the last among them, evenly."""
    return np.unique(np.linspace(0, max(number - 1, 0), min(number, most)).round().astype(int)) if number else (
        np.zeros(0, dtype=int))


def envelope(time: np.ndarray, values: np.ndarray, buckets: int, max_gap: float) -> tuple[np.ndarray, np.ndarray]:
    """
    Return a line that looks like the one through all samples: the lowest and the highest of each bucket, in order.

    :param time: s, rising, shape (n,).
    :param values: Shape (n,); a NaN breaks the line.
    :param buckets: About how many pairs of points.
    :param max_gap: s: a longer step breaks the line.
    """
    known = np.flatnonzero(np.isfinite(values))
    if known.size > 2 * buckets:
        known = known[_extremes(values[known], buckets)]
        # Between the points of a bucket there are samples that are not drawn: only a true hole is a break.
        max_gap = max(max_gap, 2.0 * float(time[-1] - time[0]) / buckets)
    t, v = time[known], values[known]
    cuts = np.flatnonzero(np.diff(t) > max_gap) + 1
    return np.insert(t, cuts, np.nan), np.insert(v, cuts, np.nan)


def _extremes(values: np.ndarray, buckets: int) -> np.ndarray:
    """Return the places of the lowest and the highest value of each bucket, and both ends, rising."""
    length = -(-values.size // buckets)
    whole = values.size // length
    table = values[:whole * length].reshape(whole, length)
    first = np.arange(whole) * length
    places = [first + table.argmin(axis=1), first + table.argmax(axis=1), [0, values.size - 1]]
    if whole * length < values.size:
        rest = values[whole * length:]
        places.append([whole * length + int(rest.argmin()), whole * length + int(rest.argmax())])
    return np.unique(np.concatenate(places))


def robust_limits(values: list[np.ndarray]) -> tuple[float, float, bool]:
    """Return limits of an axis, 0 among them, that single spikes do not set, and whether anything lies outside."""
    known = [v[np.isfinite(v)] for v in values]
    known = [v for v in known if v.size]
    if not known:
        return 0.0, 1.0, False
    low, high = min(0.0, *(float(v.min()) for v in known)), max(0.0, *(float(v.max()) for v in known))
    some = np.concatenate([v[rows_of(v.size, SOME)] for v in known])
    inner_low, inner_high = (float(edge) for edge in np.percentile(some, (0.3, 99.7)))
    span = max(inner_high, 0.0) - min(inner_low, 0.0)
    cut = span > 0.0 and (high - low) > 1.8 * span
    if cut:
        low, high = min(0.0, inner_low - 0.1 * span), max(0.0, inner_high + 0.1 * span)
    space = MARGIN * (high - low) or 1.0
    return (low - space if low < 0.0 else 0.0), high + space, cut
