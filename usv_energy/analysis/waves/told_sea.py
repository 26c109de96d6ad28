"""A sea that somebody says, in place of one that the boat's motion shows."""

import math

import numpy as np

from ...logs.log import Log
from ...physics.motion import Flow
from .hull_in_waves import encounter_frequency
from .sea_fit import DIRECTIONS, FREQUENCIES, SeaSeen, sea_weights, spread_weights

LEFT = 0.03         # Share of a sea's variance that is met more slowly than its slowest waves.
SLOWEST = 0.5       # rad/s, below which nothing is taken for waves: turns are slower.
TOLD = 'what was told'


def told_sea(state: tuple[float, float, float], log: Log, flow: Flow) -> SeaSeen:
    """
    Return a sea as it is met along a log.

    :param state: Significant height, m, period of the peak, s, and towards which it runs, rad (ENU).
    :param log: The Log, with yaw and surge.
    :param flow: Along it.
    """
    height, period, towards = state
    speed = log.u - np.cos(log.yaw) * flow.current_x - np.sin(log.yaw) * flow.current_y
    known = np.isfinite(speed)
    turned = 2.0 * math.pi / DIRECTIONS * np.arange(DIRECTIONS)
    courses = np.bincount((np.mod(towards - log.yaw[known], 2.0 * math.pi) * (DIRECTIONS / (2.0 * math.pi))).astype(int)
                          % DIRECTIONS, minlength=DIRECTIONS)
    shares = sum(course * np.roll(spread_weights(), way) for way, course in enumerate(courses))
    met = np.abs(encounter_frequency(FREQUENCIES[:, None], turned[None, :], float(np.median(speed[known])))).ravel()
    weights = (sea_weights(height, period)[:, None] * shares).ravel()
    order = np.argsort(met)
    rising = np.cumsum(weights[order])
    slowest = float(met[order][np.searchsorted(rising, LEFT * rising[-1])])
    return SeaSeen(height, period, math.remainder(towards, 2.0 * math.pi), TOLD, 1.0, max(slowest, SLOWEST))
