"""The velocity over ground of a log that has nothing but places, or places and a GPS's velocity."""

import numpy as np

from ...logs.log import EARTH_VELOCITY, Log
from .held_values import held_values
from .jerk_prior import states_at
from .measured_series import knots_of, measured
from .motion_estimate import GUESSED_PLACE, GUESSED_VELOCITY, LEAST_SAMPLES
from .noise_levels import estimate_of, excerpt, fitted_levels, picked


def place_velocity(log: Log) -> tuple[np.ndarray, np.ndarray]:
    """
    Return the velocity of the likeliest way through a log's places, to the east and to the north, m/s, shape (n,).

    Where the log has the velocity of a GPS without a heading (EARTH_VELOCITY of its `extra`), that counts, too.

    NaN where no place is known, and everywhere in a log of fewer than LEAST_SAMPLES.
    """
    known = np.isfinite(log.x) & np.isfinite(log.y)
    result = np.full((len(log), 2), np.nan)
    if known.sum() < LEAST_SAMPLES:
        return result[:, 0], result[:, 1]
    time, places = log.time[known], np.column_stack([log.x[known], log.y[known]])
    knots, knot = knots_of(time, log.max_gap)
    series = [measured(0, time, places - places.mean(axis=0), knots, knot, held_values(places).fresh)]
    if all(name in log.extra for name in EARTH_VELOCITY):
        velocities = np.column_stack([log.extra[name][known] for name in EARTH_VELOCITY])
        series.append(measured(1, time, velocities, knots, knot, held_values(velocities).fresh))
    rows, few = excerpt(knots)
    levels = fitted_levels(few, [picked(one, rows) for one in series],
                           (GUESSED_PLACE, GUESSED_VELOCITY)[:len(series)])
    result[known] = states_at(knots, estimate_of(knots, series, levels).states, time)[:, 1]
    return result[:, 0], result[:, 1]
