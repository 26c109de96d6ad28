"""Flows in closed form, to put on a grid."""

import numpy as np


class Shear:
    """Bilinear in space and linear in time; no value beyond x = `end`."""

    def __init__(self, end=np.inf):
        self.end = end

    def velocity(self, t, x, y):
        inside = x <= self.end
        vx = np.where(inside, 0.1 + 0.004 * (y - 95.0) + 0.001 * (x - 240.0) * (y - 95.0) + 0.005 * t, np.nan)
        return vx, np.where(inside, 0.05 - 0.002 * t, np.nan), inside


class Wave:
    def velocity(self, t, x, y):
        return np.sin(0.5 * x) * np.cos(0.4 * y), np.cos(0.3 * x), np.full(x.shape, True)
