"""What a person is told while numba compiles, which takes from seconds to half a minute the first time."""

import sys
from typing import Any

COMPILING = 'compiling for this machine, which is kept for the next time'


class CompileNotice:
    """
    Says COMPILING on stderr, once a process, when numba begins to compile; code that comes from its cache is no news.

    `said`: whether it was said, or is not to be, because a line on the terminal says so.
    """

    def __init__(self) -> None:
        """Make it; it begins with `listen`."""
        self.said = False
        self._under_way = 0
        self._listener: Any = None

    def listen(self) -> None:
        """Have numba tell when it compiles: the events that it publishes (numba.core.event)."""
        if self._listener is not None:
            return
        from numba.core import event

        class Listener(event.Listener):  # type: ignore[misc]
            def on_start(self, _: Any) -> None:
                notice.begin()

            def on_end(self, _: Any) -> None:
                notice.end()

        self._listener = Listener()
        event.register('numba:compile', self._listener)

    def begin(self) -> None:
        """Take note that a function is being compiled; those that it calls come in between."""
        self._under_way += 1
        if not self.said:
            self.said = True
            print(f'{COMPILING} ...', file=sys.stderr, flush=True)

    def end(self) -> None:
        """Take note that it is compiled."""
        self._under_way -= 1

    @property
    def compiles(self) -> bool:
        """Whether numba compiles just now."""
        return self._under_way > 0


notice = CompileNotice()
