"""The water current by a boat's speed through the water: along its heading at each reading, across it as it turns."""

import math
from collections import deque

import numpy as np

KEPT = 512          # readings that wait for the states of their time
OLDEST = 1.0        # s: an older reading is none.
PERIOD = 1.0        # s between two readings that count: those within have the same error.
READING_STD = 0.05  # m/s, of a reading: the sensor, leeway and waves
CHANGE_STD = 0.05   # m/s, each way, by which a current changes
CHANGE_TIME = 600.0  # in this time, s
FASTEST = 30.0      # m/s: a larger reading is none.


class WaterSpeed:
    """
    Takes readings of the speed through the water, and states; `mean`: the current, m/s east and north, None before any.

    A Kalman filter of a current that wanders; the ground speed ahead less the reading is its part along the heading.
    """

    def __init__(self, std: float) -> None:
        """Begin; `std`: standard deviation of the current before any reading, m/s each way."""
        self._mean, self._covariance = np.zeros(2), std ** 2 * np.eye(2)
        self._readings: deque[tuple[float, float]] = deque(maxlen=KEPT)
        self._time = math.nan

    @property
    def mean(self) -> tuple[float, float] | None:
        """The current, m/s east and north; None before any reading."""
        return None if math.isnan(self._time) else (float(self._mean[0]), float(self._mean[1]))

    @property
    def std(self) -> float:
        """The larger standard deviation of the current, over all directions, m/s."""
        return math.sqrt(float(np.linalg.eigvalsh(self._covariance)[-1]))

    def read(self, time: float, speed: float) -> None:
        """Take a reading, m/s ahead, at a time, s."""
        if math.isfinite(time) and abs(speed) <= FASTEST:
            self._readings.append((time, speed))

    def take(self, time: float, yaw: float, ahead: float) -> None:
        """
        Take a state, whose times rise: what was read until then counts.

        :param time: s.
        :param yaw: rad (ENU).
        :param ahead: Speed over ground along the bow, m/s.
        """
        reading = None
        while self._readings and self._readings[0][0] <= time:
            reading = self._readings.popleft()
        since = math.inf if math.isnan(self._time) else time - self._time
        if reading is None or time - reading[0] > OLDEST or since < PERIOD or not math.isfinite(yaw + ahead):
            return
        if math.isfinite(since):
            self._covariance = self._covariance + since / CHANGE_TIME * CHANGE_STD ** 2 * np.eye(2)
        self._time, along = time, np.array([math.cos(yaw), math.sin(yaw)])
        seen = self._covariance @ along
        gain = seen / (along @ seen + READING_STD ** 2)
        self._mean = self._mean + gain * (ahead - reading[1] - along @ self._mean)
        self._covariance = self._covariance - np.outer(gain, seen)
