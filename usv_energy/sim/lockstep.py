"""Who must still answer a step of the simulation before the next one is taken: at once, or with some slack."""

from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

PATIENCE = 5.0  # After so long without an answer that should come, s of wall time, it is worth a warning.
Answerer = TypeVar('Answerer', bound=Hashable)


class Lockstep(Generic[Answerer]):
    """
    The answers to one step after the other, each known by its stamp, ns.

    `missing` holds who has not answered the step yet. `unheard_of` says that the step's stamp is still to come with the
    first answer; `answered_once` that a step was answered by all; `waited` for how long nothing was complete, s.
    """

    def __init__(self, answerers: Iterable[Answerer], stamps_come_with_answers: bool = False) -> None:
        """Begin without a step; with `stamps_come_with_answers` a new stamp, of another simulation, begins one."""
        self._answerers = set(answerers)
        self._follows = stamps_come_with_answers
        self.missing: set[Answerer] = set()
        self.stamp = -1
        self.unheard_of = self.answered_once = False
        self.waited = 0.0

    def begin(self, stamp: int | None = None) -> None:
        """Wait for the answers to a step with a stamp, ns; None where it comes with the first of them."""
        self.missing = set(self._answerers)
        self.unheard_of = stamp is None
        if stamp is not None:
            self.stamp = stamp

    def answer(self, who: Answerer, stamp: int) -> bool:
        """Take an answer; return whether it was the last one missing. One to another step is left alone."""
        if self._follows and stamp != self.stamp:
            self.begin(stamp)
        if self.unheard_of or stamp != self.stamp or who not in self.missing:
            return False
        self.missing.discard(who)
        return self._is_complete()

    def leave(self, who: Iterable[Answerer]) -> bool:
        """Wait no longer for some; return whether they were the last ones missing."""
        gone, waiting = set(who), bool(self.missing)
        self._answerers -= gone
        self.missing -= gone
        return waiting and not self.unheard_of and self._is_complete()

    def wait(self, period: float) -> bool:
        """Count some more time without an answer, s; return whether it is worth a warning."""
        self.waited += period
        return self.waited > PATIENCE

    def _is_complete(self) -> bool:
        if self.missing:
            return False
        self.waited, self.answered_once = 0.0, True
        return True


class AnswerLag(Generic[Answerer]):
    """How far those who answer a simulation that runs free are behind it, by the stamps of their answers, ns."""

    def __init__(self, answerers: Iterable[Answerer], stamp: int) -> None:
        """Begin with all having answered a stamp."""
        self._answered = dict.fromkeys(answerers, stamp)

    def answer(self, who: Answerer, stamp: int) -> None:
        """Take an answer."""
        if who in self._answered:
            self._answered[who] = stamp

    def behind(self, stamp: int, slack: float) -> set[Answerer]:
        """
        Return who is behind a stamp by more than a slack.

        :param slack: s.
        """
        return {who for who, answered in self._answered.items() if stamp - answered > 1e9 * slack}
