"""What a sea takes along a log by a boat's own coefficients of added resistance, those of its file."""

import math

import numpy as np

from ...physics.added_resistance import SeaAlong, WaveCoefficients, added_resistance, resistance_error
from .sea_fit import SeaSeen

COURSES = math.pi / 12.0 * np.arange(24)    # rad, over which an unknown direction is averaged.
SEEN_OFF = 0.3      # Share of the largest force (95 %) by which height and direction, as they are seen, put it off.
UNSAID = 0.6        # The same for coefficients of which nobody says how far they may be off.


def own_resistance(coefficients: WaveCoefficients, sea: SeaSeen, yaw: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """
    Return the mean added resistance in a sea, and how far 95 % of its errors go, N; whatever the speed.

    Without a direction it is the mean of all, and half of what they differ is among its errors.

    :param coefficients: Of the boat.
    :param sea: The SeaSeen.
    :param yaw: Headings, rad (ENU), shape (n,).
    """
    known = not math.isnan(sea.direction)
    along = SeaAlong(sea.height, sea.period, sea.direction if known else 0.0, coefficients)
    every, errors = added_resistance(along, COURSES), resistance_error(along, COURSES)
    largest = float(np.abs(every).max())
    if known:
        found, error, spread = added_resistance(along, yaw), resistance_error(along, yaw), 0.0
    else:
        found, error = np.full(yaw.shape, every.mean()), np.full(yaw.shape, errors.mean())
        spread = 0.5 * float(np.ptp(every))
    of_coefficients = np.where(np.isnan(error), UNSAID * largest, 2.0 * error)
    off: np.ndarray = np.hypot(of_coefficients, SEEN_OFF * largest) + spread
    return found, off
