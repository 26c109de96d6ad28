"""A measured current or wind along a log, with its sensor's noise removed."""

import numpy as np

from usv_energy.logs.log import INFO, Note
from usv_energy.logs.motion.jerk_prior import states_at
from usv_energy.logs.motion.measured_series import held_values, knots_of, known_rows, measured
from usv_energy.logs.motion.motion_estimate import LEAST_SAMPLES, QUIET_VELOCITY
from usv_energy.logs.motion.noise_levels import Estimate, estimate_of, excerpt, fitted_levels, picked

GUESSED_NOISE = 0.02      # m/s


def flow_series(name: str, time: np.ndarray, x: np.ndarray, y: np.ndarray, longest: float,
                ) -> tuple[np.ndarray, np.ndarray, list[Note], Estimate | None]:
    """
    Return a flow's likeliest velocity at every sample, m/s (ENU), shape (n,) each, what to say of it, and the estimate.

    The series is returned unchanged if its noise is less than QUIET_VELOCITY, if it never changes, or if it has too few
    samples. Unknown values stay unknown (NaN).

    :param name: `current` or `wind`.
    :param time: s, rising, shape (n,).
    :param x: To the east, m/s, shape (n,).
    :param y: To the north, m/s, shape (n,).
    :param longest: Samples further apart than this, s, do not belong together.
    """
    known = known_rows([x, y])
    used = slice(None) if known.all() else known
    at, values = time[used], np.array([x[used], y[used]]).T
    if at.size < LEAST_SAMPLES or not any(column.max() - column.min() for column in values.T):
        return x, y, [], None
    knots, knot = knots_of(at, longest)
    middle = np.ascontiguousarray(values).mean(axis=0)
    series = measured(0, at, values - middle, knots, knot, held_values(values).fresh)
    rows, few = excerpt(knots)
    levels = fitted_levels(few, [picked(series, rows)], (GUESSED_NOISE,))
    if levels.noise[0] < QUIET_VELOCITY:
        return x, y, [], None
    estimate = estimate_of(knots, [series], levels)
    found = np.full((2, time.size), np.nan)
    found[:, used] = (states_at(knots, estimate.states, at)[:, 0] + middle).T
    note = Note(INFO, f'{name}_estimated', f'the {name} is the likeliest one by its measurements; noise found in the '
                f'log: {levels.noise[0]:.2g} m/s', {'noise_m_s': float(levels.noise[0])})
    return found[0], found[1], [note], estimate
