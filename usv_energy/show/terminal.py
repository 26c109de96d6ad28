"""The output of commands on a terminal: results, names of files, progress, and a line while they compute."""

import os
import re
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

from usv_energy.files.limits import safe_text
from usv_energy.files.text_file import STDOUT, write_json
from usv_energy.physics.compile_notice import COMPILING, notice

PAUSE = 5.0     # Time between lines of progress if stderr is no terminal, s.
QUIET, STEP = 2.0, 0.5     # Silence before a WaitingLine appears, and period of its updates, s.
WITHOUT_NUMBA = '; pip install numba makes routes and sweeps faster'
SILENCE = 10.0  # s without output, after which a WaitingLine says a line if stderr is no terminal.
# Colours of verdicts on a terminal: green, red, yellow, by the codes of ECMA-48.
VERDICT_COLOURS = {'NO GO': 31, 'GO': 32, 'UNSURE': 33, 'NO BATTERY': 33}
VERDICTS = re.compile(rf'(?<![\w-])(?:{"|".join(sorted(VERDICT_COLOURS, key=len, reverse=True))})(?![\w-])')
reader_gone: list[TextIO] = []      # Streams of this command whose reader ended before it.
_waiting: 'list[WaitingLine]' = []  # Those that are active.


def show_result(text: str, figures: Mapping[str, Any] | Sequence[Mapping[str, Any]], json_target: str | None) -> None:
    """
    Print a result, and write its figures as JSON if requested; nothing in it moves the cursor or sets a title.

    :param text: The result as text, for stdout; for stderr if the JSON goes to stdout.
    :param figures: The result for JSON, without NaN.
    :param json_target: A file, `-` for stdout, None for no JSON.
    :raises OSError: If the file cannot be written; the text is already printed then.
    """
    clear_waiting_lines()
    stream = sys.stderr if json_target == STDOUT else sys.stdout
    text = safe_text(text)
    try:
        print(coloured(text) if has_colours(stream) else text, file=stream, flush=True)
    except BrokenPipeError:     # As of `| head`: files are written nevertheless.
        silence(stream)
        reader_gone.append(stream)
    if json_target:
        write_json(figures, json_target)


def silence(stream: TextIO) -> None:
    """Redirect a standard stream to the null device, so that the interpreter does not fail to flush it at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def has_colours(stream: TextIO) -> bool:
    """Return whether a stream is a terminal with colours, and the user wants them (https://no-color.org)."""
    return stream.isatty() and not os.environ.get('NO_COLOR') and os.environ.get('TERM') != 'dumb'


def coloured(text: str) -> str:
    """Return a text with its verdicts, GO, NO GO and UNSURE, in the colours of a terminal."""
    return VERDICTS.sub(lambda found: f'\033[1;{VERDICT_COLOURS[found[0]]}m{found[0]}\033[0m', text)


def say(text: str, end: str = '\n') -> None:
    """Print a message on stderr."""
    clear_waiting_lines(held=not end.endswith('\n'))
    print(safe_text(text), end=end, file=sys.stderr, flush=True)


def say_on_terminal(text: str) -> None:
    """Print a message about the present work on stderr if it is a terminal."""
    if sys.stderr.isatty():
        say(f'{text} ...')


def list_files(*paths: Path | str) -> None:
    """Print the names of written files on stderr."""
    for path in paths:
        say(str(path))


class ProgressLine:
    """A Progress with the remaining time: one updated line on a terminal, otherwise a new line every few seconds."""

    def __init__(self, what: str, quiet: float = 2.0) -> None:
        """Start the clock; `what`: the counted items, like `runs`; `quiet`: time without output at the start, s."""
        self._what, self._quiet = what, quiet
        self._on_terminal = sys.stderr.isatty()
        self._begin = time.monotonic()
        self._printed: float | None = None
        self._reports = 0
        self._base = self._begin, 0     # Time and number of items at the start of the measured rate.
        self._open_line = False

    def __call__(self, done: int, number: int) -> None:
        """Print the progress."""
        now = time.monotonic()
        base_time, base_done = self._base
        self._reports += 1
        # The first items may be of an earlier run, and the next ones include compilation; fewer are of a new count.
        if self._reports <= 2 or done < base_done:
            self._base = base_time, base_done = now, done
        if self._reports == 1 or now - self._begin < self._quiet or not (
                self._on_terminal or done == number or self._printed is None or now - self._printed >= PAUSE):
            return
        self._printed = now
        rate = (done - base_done) / max(now - base_time, 1e-9)
        text = f'{done} of {number} {self._what}'
        if rate > 0.0:      # It is 0 if nothing has finished since the start.
            text += f', {rate:.4g} a second'
            text += '' if done == number else f', {_span((number - done) / rate)} left'
        text += f', {_span(now - self._begin)}' if done == number else ''
        self._open_line = self._on_terminal and done < number
        clear_waiting_lines(held=self._open_line)
        print(f'\r{text}\033[K' if self._on_terminal else text, end='' if self._open_line else '\n', file=sys.stderr,
              flush=True)

    def end(self) -> None:
        """End the line if the work was interrupted."""
        if self._open_line:
            print(file=sys.stderr, flush=True)
            self._open_line = False
            clear_waiting_lines()


def _span(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f'{seconds:.1f} s' if seconds < 10.0 else f'{rest} s' if not minutes else f'{minutes} min {rest:02d} s'


class WaitingLine:
    """
    A context manager that shows, after two seconds without output, that the work goes on.

    Where stderr is no terminal it says a line after every ten seconds without output.
    """

    def __init__(self) -> None:
        """Make it; it starts on entry."""
        self._begin = self._last_output = time.monotonic()
        self._held = self._shown = self._on_terminal = False
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> 'WaitingLine':
        """Start the thread that shows the line, if stderr can be written to by its number."""
        self._on_terminal = sys.stderr.isatty()
        if self._on_terminal:
            notice.said = True  # This line replaces the notice of compilation.
        try:
            sys.stderr.fileno()
        except (OSError, ValueError, AttributeError):
            return self
        _waiting.append(self)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        """Stop the thread, and clear the line."""
        if self in _waiting:
            self._over.set()
            self._thread.join()
            self.clear(False)
            _waiting.remove(self)

    def clear(self, held: bool) -> None:
        """Clear the line before other output; `held`: whether that leaves an open line, so that this one must wait."""
        self._held, self._last_output = held, time.monotonic()
        if self._shown:
            self._shown = False
            if self._on_terminal:
                _write('\r\033[K')

    def update(self) -> None:
        """Show the line if there was no output for long enough."""
        now = time.monotonic()
        if self._held or now - self._last_output < (QUIET if self._on_terminal else SILENCE):
            return
        self._shown = True
        text = f'{COMPILING if notice.compiles else "working"}, {now - self._begin:.0f} s so far'
        text += '' if find_spec('numba') else WITHOUT_NUMBA
        if self._on_terminal:
            _write(f'\r{text}\033[K')
        else:
            self._last_output = now
            _write(f'{text}\n')

    def _watch(self) -> None:
        while not self._over.wait(STEP):
            self.update()


def clear_waiting_lines(held: bool = False) -> None:
    """Clear the active WaitingLines before other output; `held`: whether that output leaves an open line."""
    for line in _waiting:
        line.clear(held)


def _write(text: str) -> None:
    """Write without Python's buffers, whose locks a forked worker would inherit."""
    os.write(sys.stderr.fileno(), text.encode())
