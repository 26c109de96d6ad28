"""A current or a wind as it was measured along a log, without the noise of its sensor."""

import numpy as np

from ...logs.log import INFO, Note
from .held_values import held_values
from .jerk_prior import states_at
from .measured_series import knots_of, measured
from .motion_estimate import LEAST_SAMPLES, QUIET_VELOCITY
from .noise_levels import Estimate, estimate_of, excerpt, fitted_levels, picked

GUESSED_NOISE = 0.02      # m/s


def flow_series(name: str, time: np.ndarray, x: np.ndarray, y: np.ndarray, longest: float,
                ) -> tuple[np.ndarray, np.ndarray, list[Note], Estimate | None]:
    """
    Return a flow's likeliest velocity at every sample, m/s (ENU), shape (n,) each, what to say of it, and the estimate.

    It stays as it is where its noise is less than QUIET_VELOCITY, where it never changes, and where there is too little
    of it. What was not known stays unknown (NaN).

    :param name: `current` or `wind`.
    :param time: s, rising, shape (n,).
    :param x: To the east, m/s, shape (n,).
    :param y: To the north, m/s, shape (n,).
    :param longest: Samples further apart than this, s, do not belong together.
    """
    flow = np.column_stack([x, y])
    known = np.isfinite(flow).all(axis=1)
    if known.sum() < LEAST_SAMPLES or not np.ptp(flow[known], axis=0).any():
        return x, y, [], None
    at, values = time[known], flow[known]
    knots, knot = knots_of(at, longest)
    middle = values.mean(axis=0)
    series = measured(0, at, values - middle, knots, knot, held_values(values).fresh)
    rows, few = excerpt(knots)
    levels = fitted_levels(few, [picked(series, rows)], (GUESSED_NOISE,))
    if levels.noise[0] < QUIET_VELOCITY:
        return x, y, [], None
    estimate = estimate_of(knots, [series], levels)
    flow[known] = states_at(knots, estimate.states, at)[:, 0] + middle
    note = Note(INFO, f'{name}_estimated', f'the {name} is the likeliest one by its measurements; noise found in the '
                f'log: {levels.noise[0]:.2g} m/s', {'noise_m_s': float(levels.noise[0])})
    return flow[:, 0], flow[:, 1], [note], estimate
