"""Logs of the boat that shares no code with ours."""

from pathlib import Path

import numpy as np

from usv_energy.logs.log import Log
from usv_energy.physics.sampling import longest_interval, period_of


def log_of(time, motion, **known):
    """Return the Log of motion, columns x, y, yaw, u, v, r, at stamps, s; `known`: further series and settings."""
    columns = dict(zip(('x', 'y', 'yaw', 'u', 'v', 'r'), np.asarray(motion).T))
    return Log('independent', Path('independent'), time - time[0],
               **{'max_gap': longest_interval(period_of(time)), **columns, **known})
