"""How far long work is, on stderr."""

import sys
import time

from .waiting import give_way

PAUSE = 5.0     # s between lines where stderr is no terminal


class ProgressLine:
    """A Progress for people, with the time that is left: one line on a terminal, else a line every few seconds."""

    def __init__(self, what: str, quiet: float = 2.0) -> None:
        """Start the clock; `what` is counted, as `runs`; work that is done before `quiet`, s, is not spoken of."""
        self._what, self._quiet = what, quiet
        self._on_terminal = sys.stderr.isatty()
        self._begin = time.monotonic()
        self._said: float | None = None
        self._reports = 0
        self._base = self._begin, 0     # When and at which number the rate is measured from.
        self._open_line = False

    def __call__(self, done: int, number: int) -> None:
        """Say how far it is."""
        now = time.monotonic()
        base_time, base_done = self._base
        self._reports += 1
        if self._reports <= 2:      # What is done first may have been done before, and what comes next compiles, too.
            self._base = now, done
        if self._reports == 1 or now - self._begin < self._quiet or not (
                self._on_terminal or done == number or self._said is None or now - self._said >= PAUSE):
            return
        self._said = now
        rate = (done - base_done) / max(now - base_time, 1e-9)
        left = f', {_span(now - self._begin)}' if done == number else ''
        if done < number and rate > 0.0:    # Nothing may have been done since the clock began.
            left = f', {_span((number - done) / rate)} left'
        text = f'{done} of {number} {self._what}, {rate:.4g} a second{left}'
        self._open_line = self._on_terminal and done < number
        give_way(held=self._open_line)
        print(f'\r{text}\033[K' if self._on_terminal else text, end='' if self._open_line else '\n', file=sys.stderr,
              flush=True)

    def end(self) -> None:
        """End the line of work that was broken off."""
        if self._open_line:
            print(file=sys.stderr, flush=True)
            self._open_line = False
            give_way()


def _span(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f'{seconds:.1f} s' if seconds < 10.0 else f'{rest} s' if not minutes else f'{minutes} min {rest:02d} s'
