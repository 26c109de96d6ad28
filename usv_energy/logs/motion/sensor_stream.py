"""
The fixed-lag smoother for a boat without odometry, with the messages of GPS, compass and gyro.

Messages of different sensors have different delays, so new ones are held back for a moment and sorted by their stamps.
A velocity over ground is turned into the body's axes by the heading at its time.
"""

import heapq
import math
from collections import Counter

from usv_energy.earth import LocalPlane, is_place
from usv_energy.logs.motion.fixed_lag import FixedLag, Smoothed
from usv_energy.logs.motion.motion_gate import MotionGate
from usv_energy.physics.frames import to_body
from usv_energy.physics.sampling import Sampling, sampled

HELD_BACK = 0.3   # s: largest delay of one sensor's message behind another's.
GIVEN_OUT = 0.05  # s: shortest time between returned states.
JUMP = 5.0        # s: a stamp older than the newest by more than this restarts the time.
UNKNOWN = (math.nan,) * 6
X, Y, YAW, EAST, NORTH, RATE = range(6)


class SensorStream:
    """
    Takes measurements and returns the most likely motion one lag later; a state's token is its time, s.

    `late`: how many messages came too late to be put in order. `noise`: as FixedLag.
    """

    def __init__(self, lag: float, max_gap: float = 0.0, origin: tuple[float, float] | None = None) -> None:
        """
        Begin.

        :param lag: Between a measurement and the state of then, s; HELD_BACK is part of it.
        :param max_gap: Time without GPS after which nothing is known, s; 0: three of its periods, and at least 1 s.
        :param origin: Longitude and latitude of x = y = 0, degrees; None: those of the first fix.
        """
        self._lag, self._max_gap, self._given_origin = lag, max_gap, origin
        self.late = 0
        self._counts: Counter[str] = Counter()
        self._faults: list[str] = []
        self._begin()

    def _begin(self) -> None:
        self._estimate = FixedLag(max(self._lag - HELD_BACK, 0.0))
        self._plane = None if self._given_origin is None else LocalPlane(self._given_origin[::-1])
        self._samples: dict[float, list[float]] = {}
        self._times: list[float] = []
        self._newest = self._released = self._told = self._turned = self._fixed = -math.inf
        self._yaw = self._rate = math.nan
        self._sampling = Sampling()
        self._gate = MotionGate()

    @property
    def counts(self) -> Counter[str]:
        """How often what was taken out, in words."""
        return self._counts + self._gate.counts

    def new_faults(self) -> list[str]:
        """Return what was taken out since the last call, in words."""
        faults, self._faults = self._faults, []
        return faults

    @property
    def noise(self) -> dict[str, float]:
        """Noise estimated so far: yaw rad, r rad/s, x m, u m/s."""
        return self._estimate.noise

    def fix(self, time: float, longitude: float, latitude: float) -> list[Smoothed]:
        """Take a place, degrees, at a time, s; return the states that are due."""
        if not is_place(latitude, longitude):
            return []
        if self._plane is None:
            self._plane = LocalPlane((latitude, longitude))
        x, y = self._plane.projected(latitude, longitude)
        return self._take(time, {X: x, Y: y})

    def velocity(self, time: float, east: float, north: float) -> list[Smoothed]:
        """Take a velocity over ground, m/s along east and north; return the states that are due."""
        return self._take(time, {EAST: east, NORTH: north})

    def turning(self, time: float, yaw: float, rate: float) -> list[Smoothed]:
        """Take yaw, rad, and yaw rate, rad/s, NaN where not measured (ENU); return the states that are due."""
        return self._take(time, {name: value for name, value in ((YAW, yaw), (RATE, rate)) if math.isfinite(value)})

    def rest(self) -> list[Smoothed]:
        """Return all waiting states, and restart."""
        due = self._release(math.inf) + _given_out(self._estimate.rest())
        self._counts = self.counts
        self._begin()
        return due

    def _take(self, time: float, values: dict[int, float]) -> list[Smoothed]:
        due: list[Smoothed] = []
        if time < self._newest - JUMP:
            due = self.rest()
        if time <= self._released:
            self.late += 1
            return due
        if time not in self._samples:
            self._samples[time] = list(UNKNOWN)
            heapq.heappush(self._times, time)
        for place, value in values.items():
            self._samples[time][place] = value
        self._newest = max(self._newest, time)
        return due + self._release(self._newest - HELD_BACK)

    def _release(self, until: float) -> list[Smoothed]:
        due: list[Smoothed] = []
        while self._times and self._times[0] <= until:
            time = heapq.heappop(self._times)
            due += self._added(time, self._samples.pop(time))
            self._released = time
        return _given_out(due)

    def _added(self, time: float, sample: list[float]) -> list[Smoothed]:
        if math.isfinite(sample[X]):
            self._sampling, self._fixed = sampled(self._sampling, time), time
        longest = self._max_gap or self._sampling.longest_interval
        judged = self._gate.judge(time, (sample[X], sample[Y], sample[YAW]),
                                  (sample[EAST], sample[NORTH], sample[RATE]), longest, of_earth=True)
        self._faults += judged.faults
        due = self._estimate.rest() if judged.turned else []
        (east, north, rate), u, v = judged.velocity, math.nan, math.nan
        if math.isfinite(judged.pose[2]):
            self._yaw, self._turned = judged.pose[2], time
        if math.isfinite(rate):
            self._rate = rate
        if math.isfinite(east) and time - self._turned <= longest:
            turned = self._rate * (time - self._turned) if math.isfinite(self._rate) else 0.0
            u, v = to_body(east, north, math.cos(self._yaw + turned), math.sin(self._yaw + turned))
        token = None
        if time - self._told >= GIVEN_OUT - 1e-6:
            self._told = time
            token = time, self._gate.offset
        told = time - self._fixed <= longest and time - self._turned <= longest
        return due + self._estimate.add(time, judged.pose, (u, v, rate), token, longest, told)


def _given_out(states: list[Smoothed]) -> list[Smoothed]:
    """Return the states that are given out, each where the sensors place it and with its time as token."""
    return [state._replace(pose=(state.pose[0] + state.token[1][0], state.pose[1] + state.token[1][1], state.pose[2]),
                           token=state.token[0]) for state in states if state.token is not None]
