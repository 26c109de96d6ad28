"""
The errors of one quantity of a sensor, reading by reading, from random numbers of their own.

A first-order Gauss-Markov process is stepped exactly: Brown and Hwang (2012), Introduction to Random Signals, 4.6.
"""

import math
import zlib
from collections.abc import Sequence

import numpy as np

from ...boats.sensor import SensorErrors


def stream_of(seed: int, *names: str) -> np.random.Generator:
    """Return random numbers that depend on a seed and some names, and on nothing else that is drawn."""
    return np.random.Generator(np.random.PCG64([seed, *(zlib.crc32(name.encode()) for name in names)]))


class ErrorProcess:
    """Adds errors to the components of a quantity; each kind of error draws from a stream of its own."""

    def __init__(self, errors: SensorErrors, components: int, seed: int, *names: str) -> None:
        """
        Draw what stays the same: bias and error of scale.

        :param errors: How large the errors are.
        :param components: Of the quantity.
        :param seed: Of the random numbers.
        :param names: Of the sensor and of the quantity.
        """
        self.errors = errors
        self._white, slow, walk, fixed = (stream_of(seed, *names, kind) for kind in ('white', 'slow', 'walk', 'fixed'))
        self._streams = slow, walk
        self.bias = errors.bias + errors.bias_std * fixed.standard_normal(components)
        self.scale = 1.0 + errors.scale_std * fixed.standard_normal()
        self._slow = errors.slow_noise * slow.standard_normal(components)
        self._walk = np.zeros(components)
        self._time = math.nan

    def on(self, time: float, values: Sequence[float]) -> tuple[float, ...]:
        """
        Return true values with their errors, not limited to what can be read.

        :param time: Of the measurement, s, later than that of the one before.
        :param values: In the quantity's SI unit, one a component.
        """
        errors = self.errors
        if self._time == self._time:
            elapsed = time - self._time
            if errors.slow_noise:
                kept = math.exp(-elapsed / errors.slow_time)
                new = errors.slow_noise * math.sqrt(1.0 - kept * kept)
                self._slow = kept * self._slow + new * self._streams[0].standard_normal(len(values))
            if errors.walk:
                self._walk = self._walk + errors.walk * math.sqrt(elapsed) * self._streams[1].standard_normal(
                    len(values))
        self._time = time
        read = self.scale * np.asarray(values) + self.bias + self._slow + self._walk
        if errors.noise:
            read = read + errors.noise * self._white.standard_normal(len(values))
        if errors.resolution:
            read = errors.resolution * np.rint(read / errors.resolution)
        return tuple(map(float, read))
