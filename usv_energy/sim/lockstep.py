"""The answers to the steps of a simulation: wait for all of them before the next step, or measure how far they lag."""

from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

PATIENCE = 5.0  # s of wall time without an expected answer after which to warn.
Answerer = TypeVar('Answerer', bound=Hashable)


class Lockstep(Generic[Answerer]):
    """
    The answers to one step after the other, identified by the step's stamp, ns.

    `missing`: who has not answered the step yet. `stamp_unknown`: whether the stamp will come with the first answer.
    `answered_once`: whether all have answered a step before. `waited`: time since a step was complete, s.
    """

    def __init__(self, answerers: Iterable[Answerer], stamps_come_with_answers: bool = False) -> None:
        """
        Begin without a step.

        :param answerers: Who must answer.
        :param stamps_come_with_answers: Whether an answer with a new stamp, of another simulation, begins a step.
        """
        self._answerers = set(answerers)
        self._follows = stamps_come_with_answers
        self.missing: set[Answerer] = set()
        self.stamp = -1
        self.stamp_unknown = self.answered_once = False
        self.waited = 0.0

    def begin(self, stamp: int | None = None) -> None:
        """Wait for the answers to a step with a stamp, ns; None if the stamp comes with the first of them."""
        self.missing = set(self._answerers)
        self.stamp_unknown = stamp is None
        if stamp is not None:
            self.stamp = stamp

    def answer(self, who: Answerer, stamp: int) -> bool:
        """Add an answer; return whether it was the last one missing. Answers to other steps are ignored."""
        if self._follows and stamp != self.stamp:
            self.begin(stamp)
        if self.stamp_unknown or stamp != self.stamp or who not in self.missing:
            return False
        self.missing.discard(who)
        return self._is_complete()

    def leave(self, who: Iterable[Answerer]) -> bool:
        """Remove some who must answer; return whether the step is complete without them."""
        gone, waiting = set(who), bool(self.missing)
        self._answerers -= gone
        self.missing -= gone
        return waiting and not self.stamp_unknown and self._is_complete()

    def wait(self, period: float) -> bool:
        """Count more time without an answer, s; return whether to warn."""
        self.waited += period
        return self.waited > PATIENCE

    def _is_complete(self) -> bool:
        if self.missing:
            return False
        self.waited, self.answered_once = 0.0, True
        return True


class AnswerLag(Generic[Answerer]):
    """The lag of those who answer a simulation that does not wait, by the stamps of their answers, ns."""

    def __init__(self, answerers: Iterable[Answerer], stamp: int) -> None:
        """Begin as if all had answered a stamp."""
        self._answered = dict.fromkeys(answerers, stamp)

    def answer(self, who: Answerer, stamp: int) -> None:
        """Add an answer."""
        if who in self._answered:
            self._answered[who] = stamp

    def behind(self, stamp: int, slack: float) -> set[Answerer]:
        """
        Return who is behind a stamp by more than a time.

        :param slack: s.
        """
        return {who for who, answered in self._answered.items() if stamp - answered > 1e9 * slack}
