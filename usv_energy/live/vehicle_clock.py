"""The clock of a vehicle by its messages: when each was sent, across restarts, and without those of another clock."""

import math
from collections import deque

AHEAD = 1.0          # s by which a message may have been sent after it was received: what the clocks drift apart.
OVERTAKEN = 1.0      # s by which a message may be older than one before it: it was overtaken on its way.
LEAST_SILENCE = 1.0  # s without a message of the known clock,
LEAST_COUNT = 5      # and messages in a row of another one, after which the vehicle's clock may be that one:
MOST_LATE = 10.0     # if it started in the silence, or if all before came late, by s at most,
STARTED_OFF, LATE_OFF = 20.0, 5.0  # and if its place is so near, m, beside the way that it may have gone meanwhile.
FASTEST = 5.0        # m/s, that it may have gone at, in a current or in tow; a fast boat at its own speed and
MOST_CURRENT = 2.0   # m/s more.
SWITCHES, RIVAL_TIME = 10, 10.0  # So many times between two clocks within this time, s, are two vehicles.
SAME_CLOCK = 2.0     # s between the clocks of two messages that may be of one vehicle.
KNOWN_CLOCKS = 8


class VehicleClock:
    """
    Gives messages the time at which they were sent, s, which goes on over restarts.

    `restarts`: how often the clock began anew, or was set. `foreign`: messages that are left out: too late, or of the
    clock of a second vehicle with the same system id.
    """

    def __init__(self, top_speed: float = 0.0) -> None:
        """Begin without a message; `top_speed`: of the vehicle, m/s."""
        self._fastest = max(FASTEST, top_speed + MOST_CURRENT)
        self.restarts = self.foreign = 0
        self._newest = math.nan      # The latest of the vehicle's own stamps, s since it started,
        self._received = math.nan    # and when a message with a stamp was last received, s.
        self._delay = math.inf       # Least time of receipt less the stamp, s.
        self._offset = 0.0           # What is added to a stamp, s.
        self._others = 0             # Messages of another clock in a row,
        self._other = math.nan       # and time of receipt less the stamp of the last one, s.
        self._switches: deque[float] = deque(maxlen=SWITCHES)  # When the own clock came again after another, s.
        self._rivals: deque[float] = deque(maxlen=KNOWN_CLOCKS)  # As `_other`, of second vehicles,
        self._rival_at = -math.inf   # and when the last message of one came, s.

    @property
    def time(self) -> float:
        """Time of the latest message, s; NaN before the first."""
        return self._newest + self._offset

    @property
    def is_unsure(self) -> bool:
        """Whether so many messages of another clock came since the last one that the vehicle may have restarted."""
        return self._others >= LEAST_COUNT

    def has_rival(self, received: float) -> bool:
        """Return whether a second vehicle sends with the same system id, at a time of receipt, s."""
        return received - self._rival_at <= RIVAL_TIME

    def sent(self, boot: float, received: float, away: float | None = None) -> float:
        """
        Return when a message was sent, s; NaN for one of another clock.

        :param boot: Its own stamp, s since the vehicle started.
        :param received: s, of any clock that goes on.
        :param away: How far its place is from the vehicle's last one, m; NaN if it says none; None: there is no last.
        """
        if math.isnan(self._newest):
            self._begin(boot, received)
        elif not self._newest - OVERTAKEN <= boot <= received - self._delay + AHEAD:
            self.foreign += 1
            self._others += 1
            self._other = received - boot
            if not self._is_anew(boot, received, away):
                return math.nan
            self.foreign -= self._others
            self.restarts += 1
            self._offset += self._newest + max(received - self._received, 0.0) - boot
            self._begin(boot, received)
        elif self._others:
            self._switches.append(received)
            if len(self._switches) == SWITCHES and received - self._switches[0] <= RIVAL_TIME:
                self._know_rival(received)
        self._others = 0
        self._newest = max(self._newest, boot)
        self._received = max(self._received, received)
        self._delay = min(self._delay, received - boot)
        return boot + self._offset

    def _is_anew(self, boot: float, received: float, away: float | None) -> bool:
        """Return whether a message of another clock is the vehicle's own, which started anew or was late before."""
        if any(abs(self._other - one) <= SAME_CLOCK for one in self._rivals):
            self._rival_at = received
            return False
        silence, ahead = received - self._received, self._delay - self._other
        if self._others < LEAST_COUNT or silence < LEAST_SILENCE:
            return False
        has_started = boot <= silence + AHEAD
        if not has_started and -MOST_LATE <= ahead <= 0.0:
            return False  # Messages of before the silence that come late.
        reach = self._fastest * silence + (STARTED_OFF if has_started else LATE_OFF)
        if not (has_started or 0.0 < ahead <= MOST_LATE) or (away is not None and away > reach):
            self._know_rival(received)
            return False
        return away is None or away <= reach

    def _know_rival(self, received: float) -> None:
        """Take the other clock for that of a second vehicle."""
        self._rival_at = received
        if not any(abs(self._other - one) <= SAME_CLOCK for one in self._rivals):
            self._rivals.append(self._other)

    def about(self, received: float) -> float:
        """Return when a message without a stamp was sent, s, by when it was received; NaN before the first stamp."""
        return self.time + max(received - self._received, 0.0)

    def received(self, time: float) -> float:
        """Return about when what was sent at a time, s, was received, s, as of `sent`; NaN before the first stamp."""
        return time - self.time + self._received

    def _begin(self, boot: float, received: float) -> None:
        self._newest, self._received, self._delay = boot, received, received - boot
