"""What a command says on a terminal: results and their files, progress, and what it waits for."""

import os
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from usv_energy.files.text_file import STDOUT, write_json
from usv_energy.physics.compile_notice import COMPILING, notice

PAUSE = 5.0     # s between lines where stderr is no terminal

QUIET, STEP = 2.0, 0.5     # s of silence before it speaks, and between looks
_waiting: 'list[WaitingLine]' = []


def show_result(text: str, figures: Mapping[str, Any] | Sequence[Mapping[str, Any]], json_target: str | None) -> None:
    """
    Print a result, and write its figures where they are asked for.

    :param text: For people: to stdout, or to stderr where stdout takes the JSON.
    :param figures: The same for JSON, without NaN.
    :param json_target: A file, `-` for stdout, None for none.
    :raises OSError: If the file cannot be written; the text is printed by then.
    """
    give_way()
    print(text, file=sys.stderr if json_target == STDOUT else sys.stdout, flush=True)
    if json_target:
        write_json(figures, json_target)


def say(text: str, end: str = '\n') -> None:
    """Say on stderr what happens."""
    give_way(held=not end.endswith('\n'))
    print(text, end=end, file=sys.stderr, flush=True)


def say_on_terminal(text: str) -> None:
    """Say on stderr what is being done, if somebody sits before it."""
    if sys.stderr.isatty():
        say(f'{text} ...')


def list_files(*paths: Path | str) -> None:
    """Name the files that were written, on stderr."""
    for path in paths:
        say(str(path))


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
