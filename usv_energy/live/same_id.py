"""
Which messages are a vehicle's own, where a second vehicle has its system id: by clock, place, heading and number.

The clock of a vehicle by its messages: when each was sent, across restarts, and without those of another clock.
"""

import math
from collections import deque
from enum import Enum
from typing import Any, NamedTuple

AHEAD = 1.0          # s by which a message may have been sent after it was received: what the clocks drift apart.
OVERTAKEN = 1.0      # s by which a message may be older than one before it: it was overtaken on its way.
LEAST_SILENCE = 1.0  # s without a message of the known clock,
LEAST_COUNT = 5      # and messages in a row of another one, after which the vehicle's clock may be that one:
MOST_LATE = 10.0     # if it started in the silence, or if all before came late, by s at most,
STARTED_OFF, LATE_OFF = 20.0, 5.0  # and if its place is so near, m, beside the way that it may have gone meanwhile.
FASTEST = 5.0        # m/s, that it may have gone at, in a current or in tow; a fast boat at its own speed and
MOST_CURRENT = 2.0   # m/s more.
SWITCHES, RIVAL_CLOCK_TIME = 10, 10.0  # So many times between two clocks within this time, s, are two vehicles.
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
        return received - self._rival_at <= RIVAL_CLOCK_TIME

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
            if len(self._switches) == SWITCHES and received - self._switches[0] <= RIVAL_CLOCK_TIME:
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


RETURNS = 2          # So many times the values must go to the same other ones and back until two vehicles send.
ALONE, LONGEST_ALONE = 0.4, 1.5  # s, at least and at most, without the vehicle's own values, after which others are its
INTERVALS = 2.0      # own, which stepped: so many times the longest of its last intervals.
CHANGE = 2.0         # m/s^2 or rad/s^2, of the rates of values.
FORGOTTEN = 10.0     # s after which other values that were heard once are forgotten,
RIVAL_TIME = 10.0    # and after which a second vehicle counts as gone.
CLOSER = 8.0         # A message is of the one whose last number, or whose delay, is closer to its own by this factor.


class Whose(Enum):
    """
    Whose a message is: the vehicle's own, or of a second one.

    UNDECIDED: its values are not where the vehicle's own led, and more must come to say why. STEPPED: it is the
    vehicle's own, whose estimator stepped, and so are those of its kind that were undecided.
    """

    OWN, STEPPED, OTHER, UNDECIDED = range(4)


class Mark(NamedTuple):
    """
    What a message shows of who sent it.

    `source`: the address that it came from, None where unknown. `number`: its own, from 0 to 255. `delay`: s from its
    stamp to its receipt, by the vehicle's clock; NaN without a stamp.
    """

    source: Any
    number: int
    delay: float = math.nan


class Values(NamedTuple):
    """
    What a message says of where a vehicle is, or how it lies.

    `time`: s. `values`: m, or one angle, rad; `rates`: of them, per s. `least`: how far values may be from where the
    last ones led at once, m or rad. `received`: s, when the message came.
    """

    time: float
    values: tuple[float, ...]
    rates: tuple[float, ...]
    least: float
    mark: Mark
    received: float

    def miss(self, last: 'Values') -> float:
        """Return how far it is from where the last values led, as a share of what one vehicle may be off."""
        later = self.time - last.time
        off = [now - before - rate * later for now, before, rate in zip(self.values, last.values, last.rates)]
        if len(off) == 1:
            off = [math.remainder(off[0], math.tau)]
        changed = min(CHANGE * abs(later), 2.0 * (1.0 + math.hypot(*last.rates))) * abs(later)
        return math.hypot(*off) / (self.least + changed)


class Alternation:
    """
    The values of one kind of message: those that go on from the vehicle's own, and others that come between.

    `own`, `other`: the last ones of each, None where there are none.
    """

    def __init__(self) -> None:
        """Begin without a message."""
        self.own: Values | None = None
        self.other: Values | None = None
        self._returns, self._is_away = 0, False
        self._intervals: deque[float] = deque(maxlen=8)

    @property
    def alternates(self) -> bool:
        """Whether the values went to the same other ones and back often enough."""
        return self._returns >= RETURNS

    def nearest(self, values: Values) -> tuple[float, float]:
        """Return how far values miss the vehicle's own, and the others, as `Values.miss`."""
        own, other = (math.inf if last is None else values.miss(last) for last in (self.own, self.other))
        return own, other

    def add(self, values: Values, whose: Whose) -> None:
        """Take values whose sender is known."""
        if whose is Whose.OWN:
            if self.own is not None and values.time > self.own.time:
                self._intervals.append(values.received - self.own.received)
            if self.own is None or values.time >= self.own.time:
                self.own = values
        else:
            self.other = values

    def judge(self, values: Values) -> Whose:
        """Return whose values are, as long as no second vehicle is known."""
        if self.own is None:
            self.own = values
            return Whose.OWN
        if self.other is not None and values.time - self.other.time > FORGOTTEN:
            self.other, self._returns, self._is_away = None, 0, False
        own, other = self.nearest(values)
        if own <= min(1.0, other):
            self._returns += self._is_away
            self._is_away = False
            self.add(values, Whose.OWN)
            return Whose.OWN
        if other > 1.0:
            self._returns = 0
        self.other, self._is_away = values, True
        alone = max(ALONE, INTERVALS * max(self._intervals, default=math.inf))
        if values.received - self.own.received > min(alone, LONGEST_ALONE):
            if values.mark.source != self.own.mark.source:  # Who is silent, while another sends from elsewhere.
                self._returns = RETURNS
                return Whose.OTHER
            self.own, self.other, self._returns, self._is_away = values, None, 0, False
            return Whose.STEPPED
        return Whose.UNDECIDED


class SameId:
    """
    Tells one vehicle's messages from those of a second one with its system id.

    `alternates`: whether places or headings did that one clock stamped. `left_out`: messages besides those of another
    clock.

    Two vehicles are told by clocks that alternate (VehicleClock), or by places or headings that do. From then on a
    message is of the one from whose address it comes; else of the one whose values, or whose number, it goes on from.
    """

    def __init__(self, clock: VehicleClock) -> None:
        """Begin without a message; `clock`: of the vehicle."""
        self._clock = clock
        self._kinds: dict[str, Alternation] = {}
        self._own: Mark | None = None
        self._other: Mark | None = None
        self._others_at = -math.inf  # When the last of the second vehicle came by its values, s.
        self.alternates = False
        self.left_out = 0

    def has_rival(self, received: float) -> bool:
        """Return whether a second vehicle sends with the same system id, at a time of receipt, s."""
        return self._clock.has_rival(received) or received - self._others_at <= RIVAL_TIME

    def begin_anew(self) -> None:
        """Forget where the vehicle was, and who sent it, after its restart."""
        self._kinds, self._own = {}, None

    def last(self, kind: str) -> Values | None:
        """Return the vehicle's own last values of a kind of message; None before the first."""
        found = self._kinds.get(kind)
        return None if found is None else found.own

    def of_other_clock(self, mark: Mark) -> None:
        """Take a message that another clock stamped."""
        self._other = mark

    def whose(self, kind: str, values: Values | None, mark: Mark) -> Whose:
        """
        Return whose a message is whose stamp the vehicle's clock may have made.

        :param kind: Of the message.
        :param values: What it says; None if it says nothing of use.
        :param mark: Of its sender.
        """
        judge = self._kinds.setdefault(kind, Alternation())
        if self.alternates:
            found = self._of_known(judge, values, mark)
        else:
            found = Whose.OWN if values is None else judge.judge(values)
            if values is not None and judge.alternates:
                assert judge.own is not None and judge.other is not None
                self.alternates, self._own, self._other = True, judge.own.mark, judge.other.mark
                self._others_at = judge.other.received
                for name, one in self._kinds.items():
                    if one.own is not None and self._by_source(one.own.mark) is Whose.OTHER:
                        self._kinds[name] = Alternation()
        if found in (Whose.OWN, Whose.STEPPED):
            self._own = mark
        elif found is Whose.OTHER:
            self._other = mark
            self._others_at = self._others_at if values is None else values.received
            self.left_out += 1
        return found

    def is_own(self, mark: Mark, received: float) -> bool:
        """Return whether a message without a stamp is the vehicle's own; one that may be of another is not."""
        if not (self.has_rival(received) or self._clock.is_unsure):
            return True
        found = self._by_source(mark) or self._by_number(mark)
        self.left_out += found is not Whose.OWN
        return found is Whose.OWN

    def _of_known(self, judge: Alternation, values: Values | None, mark: Mark) -> Whose:
        found = self._by_source(mark)
        if values is None:
            return found or self._by_number(mark) or Whose.OTHER
        own, other = judge.nearest(values)
        if (own <= 1.0) != (other <= 1.0) and judge.other is not None:
            found = found or (Whose.OWN if own <= 1.0 else Whose.OTHER)
        found = found or self._by_number(mark) or self._by_delay(mark) or (Whose.OWN if own <= other else Whose.OTHER)
        judge.add(values, found)
        return found

    def _by_source(self, mark: Mark) -> Whose | None:
        """Return whose a message is by the address that it comes from; None where that does not tell."""
        if self._own is None or self._other is None or self._own.source == self._other.source:
            return None
        return {self._own.source: Whose.OWN, self._other.source: Whose.OTHER}.get(mark.source)

    def _by_number(self, mark: Mark) -> Whose | None:
        """
        Return whose a message is by its number; None where that does not tell.

        Each sender numbers its messages: it is of the one whose last stamped message comes sooner before it.
        """
        return _closer(*(256 if last is None else (mark.number - last.number - 1) % 256 + 1
                         for last in (self._own, self._other)))

    def _by_delay(self, mark: Mark) -> Whose | None:
        """Return whose a message is by the time from its stamp to its receipt; None where that does not tell."""
        return _closer(*(math.inf if last is None else abs(mark.delay - last.delay)
                         for last in (self._own, self._other)))


class BesideRefused:
    """
    Tells the messages of a boat from those of a vehicle that is left alone, with its system id and from its address.

    Heartbeats say whose they are. Once both were heard, another message is of the one whose last one it follows by
    number, from 0 to 255; until then it is of nobody.
    """

    def __init__(self, refused: int, received: float) -> None:
        """Begin with the number of a heartbeat of the vehicle that is left alone, and when it came, s."""
        self._refused, self._received = refused, received
        self._boat: int | None = None
        self._knows_both = False

    def is_boats(self, number: int, received: float, floats: bool | None) -> bool:
        """
        Return whether a message is of a boat.

        :param number: Of the message.
        :param received: When it came, s.
        :param floats: What a heartbeat says; None for another message.
        """
        if floats is None:
            found = self._follows(number, received)
            if found:
                self._boat = number
            elif self._knows_both:
                self._refused = number
            return found
        if floats:
            self._boat = number
        else:
            self._refused, self._received = number, received
            self._knows_both = self._boat is not None
        return floats

    def _follows(self, number: int, received: float) -> bool:
        if self._boat is None or received - self._received > RIVAL_TIME:
            return self._boat is not None
        return self._knows_both and (number - self._boat - 1) % 256 <= (number - self._refused - 1) % 256


def _closer(own: float, other: float) -> Whose | None:
    """Return who is closer by far by two distances; None if neither is."""
    if CLOSER * min(own, other) > max(own, other) or own == other:
        return None
    return Whose.OWN if own < other else Whose.OTHER
