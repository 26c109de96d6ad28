"""The clock of a vehicle by its messages: when each was sent, across restarts, and without those of another clock."""

import math
from collections import deque

AHEAD = 1.0          # s by which a message may have been sent after it was received: what the clocks drift apart.
OVERTAKEN = 1.0      # s by which a message may be older than one before it: it was overtaken on its way.
LEAST_SILENCE = 1.0  # s without a message of the known clock,
LEAST_COUNT = 5      # and messages in a row of another one, after which the vehicle's clock is that one.
RIVALS, RIVAL_TIME = 20, 10.0  # So many messages of another clock within this time, s, are of a second vehicle.


class VehicleClock:
    """
    Gives messages the time at which they were sent, s, which goes on over restarts.

    `restarts`: how often the clock began anew, or was set. `foreign`: messages that are left out: too late, or of the
    clock of a second vehicle with the same system id.
    """

    def __init__(self) -> None:
        """Begin without a message."""
        self.restarts = self.foreign = 0
        self._newest = math.nan      # The latest of the vehicle's own stamps, s since it started,
        self._received = math.nan    # and when a message with a stamp was last received, s.
        self._delay = math.inf       # Least time of receipt less the stamp, s.
        self._offset = 0.0           # What is added to a stamp, s.
        self._others = 0             # Messages of another clock in a row,
        self._rivals: deque[float] = deque(maxlen=RIVALS)  # and when the last of them came, s.

    @property
    def time(self) -> float:
        """Time of the latest message, s; NaN before the first."""
        return self._newest + self._offset

    def has_rival(self, received: float) -> bool:
        """Return whether a second vehicle sends with the same system id, at a time of receipt, s."""
        return len(self._rivals) == RIVALS and received - self._rivals[0] <= RIVAL_TIME

    def sent(self, boot: float, received: float) -> float:
        """
        Return when a message was sent, s; NaN for one of another clock.

        :param boot: Its own stamp, s since the vehicle started.
        :param received: s, of any clock that goes on.
        """
        if math.isnan(self._newest):
            self._begin(boot, received)
        elif not self._newest - OVERTAKEN <= boot <= received - self._delay + AHEAD:
            self.foreign += 1
            self._others += 1
            self._rivals.append(received)
            if self._others < LEAST_COUNT or received - self._received < LEAST_SILENCE:
                return math.nan
            self.foreign -= self._others
            self.restarts += 1
            self._rivals.clear()
            self._offset += self._newest + max(received - self._received, 0.0) - boot
            self._begin(boot, received)
        self._others = 0
        self._newest = max(self._newest, boot)
        self._received = max(self._received, received)
        self._delay = min(self._delay, received - boot)
        return boot + self._offset

    def about(self, received: float) -> float:
        """Return when a message without a stamp was sent, s, by when it was received; NaN before the first stamp."""
        return self.time + max(received - self._received, 0.0)

    def received(self, time: float) -> float:
        """Return about when what was sent at a time, s, was received, s, as of `sent`; NaN before the first stamp."""
        return time - self.time + self._received

    def _begin(self, boot: float, received: float) -> None:
        self._newest, self._received, self._delay = boot, received, received - boot
