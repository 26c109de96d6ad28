"""
How late a controller's orders are, how often it falls silent and is started again, and when its boat stops for that.

[H] (Thetis) couples simulator and controllers by nothing but messages: the boat goes on by the last order. `hold` says
after how long without a newer one its thrusters stop instead.
"""

import math
from collections.abc import Mapping
from typing import NamedTuple

LATE = 3.0      # Times the period that an order may be old before it is late, as a frame of an autopilot.
SILENT = 1.0    # s without a newer order, and more than LATE periods, after which a controller is silent.
ONE_RESTART = 2.0   # s of wall time in which several signs of a restart are those of one.
ABOUT = 1e-6    # s: stamps are whole nanoseconds, times floats.


class OrderLateness(NamedTuple):
    """
    How a controller kept time; s of simulated time where nothing else is said.

    `orders`: taken. `periods`: begun since the first. An order's age is that of the state it answers (by its stamp; of
    one without a stamp of this clock, the time since it came) when a period is begun with it: `mean_age`,
    `longest_age`; `late`: periods begun with one older than LATE periods; `held`: s with an order to an earlier state.
    `silences`, `longest_silence`, `silent` (all of them): s from the last order before to the first after; `stopped`: s
    with the thrusters stopped. `restarts`: stamps that went back, or a publisher that was not there before.
    `mean_answer`, `longest_answer`: wall s from a state to its order.
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
    """Return what was late of a controller in a run, by the figures of `lateness_figures`; empty where nothing was."""
    if not figures or not (figures['late_periods'] or figures['restarts']):
        return ''
    silences = (f', {figures["silences"]:g} silences of {figures["silence_s"]:.2f} s' if figures['silences'] else '')
    stopped = f', the thrusters stopped for {figures["stopped_s"]:.2f} s of it' if figures['stopped_s'] else ''
    return (f'the controller was late in {figures["late_periods"]:g} of {figures["periods"]:g} periods (its oldest '
            f'order {figures["longest_age_s"]:.2f} s){silences}{stopped}; started again {figures["restarts"]:g} times')


class OrderWatch:
    """The orders that a boat gets and the periods it begins with them; times in s, wall time where it says so."""

    def __init__(self, period: float, hold: float = math.inf) -> None:
        """
        Begin without an order.

        :param period: Between states that are to be answered, s.
        :param hold: s without a newer order, simulated, after which the thrusters stop.
        """
        self._period, self.hold = period, hold
        self._late_after = LATE * period
        self._silent_after = max(SILENT, self._late_after)
        self._lateness = OrderLateness()
        self._at_order = self._lateness
        self._born = math.nan           # When the order in use was due, s.
        self._stamp = -math.inf         # The last one, of whatever clock, s.
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
        """Whether there was no order for so long that this was said."""
        return self._silent

    def lateness(self, now: float) -> OrderLateness:
        """Return how it went until a time, s; a silence that lasts is counted as far as it went."""
        return self._with_silence(now) if self._silent else self._lateness

    def lateness_at_end(self, end: float, now: float) -> OrderLateness:
        """Return how it went in a run that ended at a time; who steered it owes no orders for what came after."""
        return self._at_order if self._born >= end - 1.5 * self._period - ABOUT else self.lateness(now)

    def sent(self, stamp: float, wall: float) -> None:
        """Take note of a state that goes out for the first time."""
        self._sent = stamp, wall

    def order(self, stamp: float | None, now: float, wall: float) -> list[str]:
        """
        Take an order; return what is to be said of it.

        :param stamp: Of the state it answers, s; None where it has none.
        :param now: Simulated, s.
        :param wall: s.
        """
        said = []
        own = stamp is not None and 0.0 <= stamp <= now + ABOUT
        if stamp is not None:
            if stamp < self._stamp - ABOUT:
                said += self.restarted(wall, f'its stamps went back from {self._stamp:.3f} to {stamp:.3f} s')
            self._stamp = stamp
            if not own and not self._other_clock:
                self._other_clock = True
                said.append(f'the orders are stamped by another clock ({stamp:.3f} s, here it is {now:.3f} s): '
                            'their age counts from when they come')
        if self._silent:
            self._lateness = self._with_silence(now)
            said.append(f'orders come again after {now - self._born:.2f} s'
                        + (': the thrusters follow them' if self._stopped else ''))
        self._silent = self._stopped = False
        self._born = stamp if own and stamp is not None else now
        self._answered(stamp, wall)
        self._lateness = self._lateness._replace(orders=self._lateness.orders + 1)
        self._at_order = self._lateness
        return said

    def restarted(self, wall: float, how: str) -> list[str]:
        """Count a controller that was started again, or replaced, at a wall time, s; return what is to be said."""
        if wall - self._restarted_at < ONE_RESTART:
            return []
        self._restarted_at = wall
        self._lateness = self._lateness._replace(restarts=self._lateness.restarts + 1)
        return [f'the controller was started again, or another one took over: {how}']

    def begin_period(self, now: float) -> list[str]:
        """Take note of a period that begins with the last order; return what is to be said."""
        seen = self._lateness
        if not seen.orders:
            return []
        age = now - self._born
        old = age > ABOUT
        age = age if old else 0.0
        count = seen.periods + 1
        mean = age if count == 1 else seen.mean_age + (age - seen.mean_age) / count
        self._lateness = seen._replace(
            periods=count, late=seen.late + (age > self._late_after + ABOUT), mean_age=mean,
            longest_age=age if count == 1 else max(seen.longest_age, age), held=seen.held + old * self._period)
        said = self._on_age(age)
        if self._stopped:
            self._lateness = self._lateness._replace(stopped=self._lateness.stopped + self._period)
        if not old:
            self._at_order = self._lateness
        return said

    def _on_age(self, age: float) -> list[str]:
        said = []
        if age > self._silent_after + ABOUT and not self._silent:
            self._silent = True
            keeps = 'for ever' if math.isinf(self.hold) else f'until {self.hold:g} s'
            said.append(f'no order for {age:.2f} s: the last one is kept, {keeps}')
        if age >= self.hold - ABOUT and not self._stopped:
            self._silent = self._stopped = True
            said.append(f'no order for {age:.2f} s: the thrusters stop')
        return said

    def _with_silence(self, now: float) -> OrderLateness:
        seen, length = self._lateness, now - self._born
        return seen._replace(silences=seen.silences + 1, silent=seen.silent + length,
                             longest_silence=max(seen.longest_silence, length))

    def _answered(self, stamp: float | None, wall: float) -> None:
        """Measure how long the order to the last state took, wall s; another to the same state is none."""
        sent, at = self._sent
        if stamp is None or not abs(stamp - sent) <= ABOUT:
            return
        self._sent = math.nan, math.nan
        self._answers += 1
        took, seen = wall - at, self._lateness
        mean = took if self._answers == 1 else seen.mean_answer + (took - seen.mean_answer) / self._answers
        self._lateness = seen._replace(
            mean_answer=mean, longest_answer=took if self._answers == 1 else max(seen.longest_answer, took))
