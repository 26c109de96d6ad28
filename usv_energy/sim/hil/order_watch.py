"""
The lateness of a controller's orders, its silences and restarts, and when its boat stops because of them.

[H] (Thetis) connects simulator and controllers only by messages: the boat keeps the last order. `hold` is the time
without a newer order after which its thrusters stop instead.
"""

import math
from collections.abc import Mapping
from typing import NamedTuple

LATE = 3.0  # Largest age of an order in periods before it is late, as for a frame of an autopilot.
SILENT = 1.0  # s without a newer order, and more than LATE periods, after which a controller is silent.
ONE_RESTART = 2.0  # s of wall time within which several signs of a restart count as one restart.
ABOUT = 1e-6  # s, tolerance for stamps in whole nanoseconds and times in floats.


class OrderLateness(NamedTuple):
    """
    The timing of a controller; s of simulated time unless stated otherwise.

    `orders`: received. `periods`: begun since the first order. An order's age at the beginning of a period is the time
    since the state that it answers, by its stamp; for an order without a stamp of this clock, since it came.
    `mean_age`, `longest_age`; `late`: periods with an order older than LATE periods; `held`: time with an order to an
    earlier state, s. `silences`, `longest_silence`, `silent` (total): time from the last order before to the first one
    after, s. `stopped`: time with the thrusters stopped, s. `restarts`: stamps that went back, or new publishers.
    `mean_answer`, `longest_answer`: wall time from a state to its order, s.
    """

    orders: int = 0
    periods: int = 0
    late: int = 0
    mean_age: float = math.nan
    longest_age: float = math.nan
    held: float = 0.0
    silences: int = 0
    silent: float = 0.0
    longest_silence: float = 0.0
    stopped: float = 0.0
    restarts: int = 0
    mean_answer: float = math.nan
    longest_answer: float = math.nan


def lateness_figures(seen: OrderLateness) -> dict[str, float]:
    """Return the figures for JSON, units in the keys."""
    return {'orders': seen.orders, 'periods': seen.periods, 'late_periods': seen.late, 'mean_age_s': seen.mean_age,
            'longest_age_s': seen.longest_age, 'held_s': seen.held, 'silences': seen.silences,
            'silence_s': seen.silent, 'longest_silence_s': seen.longest_silence, 'stopped_s': seen.stopped,
            'restarts': seen.restarts, 'mean_answer_wall_s': seen.mean_answer,
            'longest_answer_wall_s': seen.longest_answer}


def lateness_in_words(figures: Mapping[str, float | None] | None) -> str:
    """Return a sentence on the lateness of a controller, from `lateness_figures`; empty if nothing was late."""
    if not figures or not (figures['late_periods'] or figures['restarts']):
        return ''
    silences = (f', {figures["silences"]:g} silences of {figures["silence_s"]:.2f} s' if figures['silences'] else '')
    stopped = f', the thrusters stopped for {figures["stopped_s"]:.2f} s of it' if figures['stopped_s'] else ''
    return (f'the controller was late in {figures["late_periods"]:g} of {figures["periods"]:g} periods (its oldest '
            f'order {figures["longest_age_s"]:.2f} s){silences}{stopped}; started again {figures["restarts"]:g} times')


class OrderWatch:
    """Watches the orders to a boat and the periods that it begins with them; times in s, wall time where stated."""

    def __init__(self, period: float, hold: float = math.inf) -> None:
        """
        Begin without an order.

        :param period: Time between states that must be answered, s.
        :param hold: Simulated time without a newer order after which the thrusters stop, s.
        """
        self._period, self.hold = period, hold
        self._late_after = LATE * period
        self._silent_after = max(SILENT, self._late_after)
        self._lateness = OrderLateness()
        self._at_order = self._lateness
        self._order_time = math.nan     # Time of the state that the present order answers, s.
        self._stamp = -math.inf         # Stamp of the last order, of any clock, s.
        self._answers = 0
        self._sent: tuple[float, float] = (math.nan, math.nan)
        self._restarted_at = -math.inf
        self._silent = self._stopped = self._other_clock = False

    @property
    def alive(self) -> bool:
        """Whether the boat still follows the last order."""
        return not self._stopped

    @property
    def silent(self) -> bool:
        """Whether a silence is going on that was reported."""
        return self._silent

    def lateness(self, now: float) -> OrderLateness:
        """Return the timing until a time, s; a silence that is going on is included."""
        return self._with_silence(now) if self._silent else self._lateness

    def lateness_at_end(self, end: float, now: float) -> OrderLateness:
        """Return the timing of a run that ended at a time, s; orders that were due after it do not count."""
        return self._at_order if self._order_time >= end - 1.5 * self._period - ABOUT else self.lateness(now)

    def sent(self, stamp: float, wall: float) -> None:
        """Record that a state is sent for the first time, with its stamp and the wall time, s."""
        self._sent = stamp, wall

    def order(self, stamp: float | None, now: float, wall: float) -> list[str]:
        """
        Record an order; return messages to report.

        :param stamp: Of the state that it answers, s; None without a stamp.
        :param now: Simulated time, s.
        :param wall: Wall time, s.
        """
        messages = []
        own = stamp is not None and 0.0 <= stamp <= now + ABOUT
        if stamp is not None:
            if stamp < self._stamp - ABOUT:
                messages += self.restarted(wall, f'its stamps went back from {self._stamp:.3f} to {stamp:.3f} s')
            self._stamp = stamp
            if not own and not self._other_clock:
                self._other_clock = True
                messages.append(f'the orders are stamped by another clock ({stamp:.3f} s, here it is {now:.3f} s): '
                            'their age counts from when they come')
        if self._silent:
            self._lateness = self._with_silence(now)
            messages.append(f'orders come again after {now - self._order_time:.2f} s'
                        + (': the thrusters follow them' if self._stopped else ''))
        self._silent = self._stopped = False
        self._order_time = stamp if own and stamp is not None else now
        self._answered(stamp, wall)
        self._lateness = self._lateness._replace(orders=self._lateness.orders + 1)
        self._at_order = self._lateness
        return messages

    def restarted(self, wall: float, how: str) -> list[str]:
        """Record that a controller was restarted or replaced at a wall time, s; return messages to report."""
        if wall - self._restarted_at < ONE_RESTART:
            return []
        self._restarted_at = wall
        self._lateness = self._lateness._replace(restarts=self._lateness.restarts + 1)
        return [f'the controller was started again, or another one took over: {how}']

    def begin_period(self, now: float) -> list[str]:
        """Record that a period begins with the last order; return messages to report."""
        seen = self._lateness
        if not seen.orders:
            return []
        age = now - self._order_time
        old = age > ABOUT
        age = age if old else 0.0
        count = seen.periods + 1
        mean = age if count == 1 else seen.mean_age + (age - seen.mean_age) / count
        self._lateness = seen._replace(
            periods=count, late=seen.late + (age > self._late_after + ABOUT), mean_age=mean,
            longest_age=age if count == 1 else max(seen.longest_age, age), held=seen.held + old * self._period)
        messages = self._on_age(age)
        if self._stopped:
            self._lateness = self._lateness._replace(stopped=self._lateness.stopped + self._period)
        if not old:
            self._at_order = self._lateness
        return messages

    def _on_age(self, age: float) -> list[str]:
        messages = []
        if age > self._silent_after + ABOUT and not self._silent:
            self._silent = True
            keeps = 'for ever' if math.isinf(self.hold) else f'until {self.hold:g} s'
            messages.append(f'no order for {age:.2f} s: the last one is kept, {keeps}')
        if age >= self.hold - ABOUT and not self._stopped:
            self._silent = self._stopped = True
            messages.append(f'no order for {age:.2f} s: the thrusters stop')
        return messages

    def _with_silence(self, now: float) -> OrderLateness:
        seen, length = self._lateness, now - self._order_time
        return seen._replace(silences=seen.silences + 1, silent=seen.silent + length,
                             longest_silence=max(seen.longest_silence, length))

    def _answered(self, stamp: float | None, wall: float) -> None:
        """Measure the wall time from the last state to its order, s; further orders to the same state do not count."""
        sent, at = self._sent
        if stamp is None or not abs(stamp - sent) <= ABOUT:
            return
        self._sent = math.nan, math.nan
        self._answers += 1
        took, seen = wall - at, self._lateness
        mean = took if self._answers == 1 else seen.mean_answer + (took - seen.mean_answer) / self._answers
        self._lateness = seen._replace(
            mean_answer=mean, longest_answer=took if self._answers == 1 else max(seen.longest_answer, took))
