"""
Steady stretches of a cruise: means of motion, flow and measured power over blocks of some seconds, turns left out.

The power model is put to these means, not to each sample: the noise of an acceleration, through thrusters that give no
energy back, would make power out of nothing.
"""

import math
from typing import NamedTuple

from ..physics.frames import wrap_angle

PERIOD = 10.0                       # s of a block.
LEAST_SAMPLES = 4
LONGEST_STEP = 3.0                  # s between two samples of one block.
SWING = math.radians(15.0)          # By which the heading may differ from that at the block's begin.
TURN = math.radians(8.0)            # By which it may turn over a block.
SPEED_CHANGE = 0.1                  # Of the speed, over a block.


class CruiseSample(NamedTuple):
    """
    One sample: time s; yaw rad, u and v over ground, m/s, body axes; current and wind as known, m/s, earth frame.

    `watts`: as measured at the battery; `loads`: what of them is no propulsion, as the boat file has it. NaN: unknown.
    """

    time: float
    yaw: float
    u: float
    v: float
    current_x: float
    current_y: float
    wind_x: float
    wind_y: float
    watts: float
    loads: float


class CruiseBlock(NamedTuple):
    """Means of a steady stretch, as CruiseSample has them; `time` is its end, and `u_dot` the slope of u, m/s^2."""

    time: float
    yaw: float
    u: float
    v: float
    current_x: float
    current_y: float
    wind_x: float
    wind_y: float
    watts: float
    loads: float
    u_dot: float


class CruiseBlocks:
    """Gathers samples into blocks."""

    def __init__(self, slowest: float, period: float = PERIOD) -> None:
        """Begin; `slowest`: the speed through the water, as known, from which the boat cruises, m/s."""
        self._slowest, self._period = slowest, period
        self._samples: list[CruiseSample] = []
        self._turned: list[float] = []

    def add(self, sample: CruiseSample) -> CruiseBlock | None:
        """Take a sample; return the block that it completes, where that was a steady one."""
        if not math.isfinite(sum(sample)):
            self._begin()
            return None
        if self._samples:
            step = sample.time - self._samples[-1].time
            if step == 0.0:
                return None
            turned = wrap_angle(sample.yaw - self._samples[0].yaw)
            if not 0.0 < step <= LONGEST_STEP or abs(turned) > SWING:
                self._begin()
            else:
                self._turned.append(turned)
        if not self._samples:
            self._turned = [0.0]
        self._samples.append(sample)
        if sample.time - self._samples[0].time < self._period:
            return None
        block = self._block()
        self._begin()
        return block

    def _begin(self) -> None:
        self._samples, self._turned = [], []

    def _block(self) -> CruiseBlock | None:
        samples = self._samples
        number, begin = len(samples), samples[0].time
        if number < LEAST_SAMPLES:
            return None
        duration = samples[-1].time - begin
        means = [math.fsum(values) / number for values in zip(*samples)]
        _, _, u, v, current_x, current_y, wind_x, wind_y, watts, loads = means
        turned = math.fsum(self._turned) / number
        yaw = wrap_angle(samples[0].yaw + turned)
        middle = math.fsum(sample.time - begin for sample in samples) / number
        lever = [sample.time - begin - middle for sample in samples]
        spread = math.fsum(at * at for at in lever)
        u_dot = math.fsum(at * sample.u for at, sample in zip(lever, samples)) / spread
        turn = math.fsum(at * angle for at, angle in zip(lever, self._turned)) / spread * duration
        through = math.hypot(u - current_x * math.cos(yaw) - current_y * math.sin(yaw),
                             v + current_x * math.sin(yaw) - current_y * math.cos(yaw))
        if abs(turn) > TURN or abs(u_dot) * duration > SPEED_CHANGE * abs(u) or through < self._slowest or u <= 0.0:
            return None
        return CruiseBlock(samples[-1].time, yaw, u, v, current_x, current_y, wind_x, wind_y, watts, loads, u_dot)
