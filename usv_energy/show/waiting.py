"""What stands on a terminal while nothing else is said: that work goes on, for how long, and that it compiles."""

import os
import sys
import threading
import time
from types import TracebackType

from ..physics.compile_notice import COMPILING, notice

QUIET, STEP = 2.0, 0.5     # s of silence before it speaks, and between looks
_waiting: 'list[WaitingLine]' = []


class WaitingLine:
    """A context manager: inside it a terminal says after two silent seconds that work goes on; elsewhere nothing."""

    def __init__(self) -> None:
        """Make it; it begins with its `with`."""
        self._begin = self._said = time.monotonic()
        self._held = self._shown = False
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> 'WaitingLine':
        """Begin to watch."""
        if sys.stderr.isatty():
            _waiting.append(self)
            notice.said = True  # This line says it.
            self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        """Leave the terminal as if nothing had been said."""
        if self in _waiting:
            self._over.set()
            self._thread.join()
            self.give_way(False)
            _waiting.remove(self)

    def give_way(self, held: bool) -> None:
        """Wipe the line off the terminal; while another line is `held` there, say nothing."""
        self._held, self._said = held, time.monotonic()
        if self._shown:
            self._shown = False
            _write('\r\033[K')

    def look(self) -> None:
        """Say that work goes on, where nothing has been said for long enough."""
        now = time.monotonic()
        if not self._held and now - self._said >= QUIET:
            self._shown = True
            what = COMPILING if notice.compiles else 'working'
            _write(f'\r{what}, {now - self._begin:.0f} s so far\033[K')

    def _watch(self) -> None:
        while not self._over.wait(STEP):
            self.look()


def give_way(held: bool = False) -> None:
    """Wipe off what a WaitingLine shows, before something else is said; `held`: that stays on the terminal's line."""
    for line in _waiting:
        line.give_way(held)


def _write(text: str) -> None:
    """Write past Python's buffers, whose locks a forked worker would inherit."""
    os.write(sys.stderr.fileno(), text.encode())
