"""A notice on the terminal while numba compiles, which takes from seconds to half a minute the first time."""

import sys
from typing import Any

COMPILING = 'compiling for this machine, which is kept for the next time'


class CompileNotice:
    """
    Writes COMPILING to stderr, once per process, when numba begins to compile; loading cached code does not count.

    `wanted`: whether somebody waits at a terminal; a command says so, a library stays silent. `said`: whether it was
    written, or must not be, because another line on the terminal says so.
    """

    def __init__(self) -> None:
        """Create it; `listen` starts it."""
        self.wanted, self.said = False, False
        self._under_way = 0
        self._listener: Any = None

    def listen(self) -> None:
        """Subscribe to the compile events that numba publishes (numba.core.event)."""
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
        """Record that the compilation of a function begins; those of the functions that it calls are nested."""
        self._under_way += 1
        if self.wanted and not self.said:
            self.said = True
            print(f'{COMPILING} ...', file=sys.stderr, flush=True)

    def end(self) -> None:
        """Record that the compilation of a function has ended."""
        self._under_way -= 1

    @property
    def compiles(self) -> bool:
        """Whether numba is compiling."""
        return self._under_way > 0


notice = CompileNotice()
