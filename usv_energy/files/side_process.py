"""A process beside this one, for work that takes its time while this one must answer: pictures beside a graph."""

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, TypeVar

Result = TypeVar('Result')
# Where this process is interrupted, the other one has so long to finish the call that it is at, s of wall time.
PATIENCE = 5.0


class SideProcess(AbstractContextManager['SideProcess']):
    """
    Calls functions in another process, one after the other, in the order in which they were asked for.

    At the end it waits for all of them; where somebody interrupts that, for the one that is under way. Ctrl-C in the
    terminal is not for the other process: it ends when this one ends, however that happens.
    """

    def __init__(self) -> None:
        """Start the process."""
        path = os.pathsep.join(os.path.abspath(folder) for folder in sys.path)
        # The other process inherits what is blocked.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))
        try:
            self._process = subprocess.Popen(
                [sys.executable, '-P', '-c', f'from {__name__} import serve; serve()'],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, 'PYTHONPATH': path})
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        assert self._process.stdin is not None and self._process.stdout is not None
        self._requests, self._answers = self._process.stdin, self._process.stdout
        self._turns = ThreadPoolExecutor(max_workers=1)
        self._calls: list[Future[Any]] = []

    def call(self, function: Callable[..., Result], *args: Any) -> Future[Result]:
        """
        Return what will hold a function's result, or what it raised; ChildProcessError if the process ended.

        What cannot be sent to another process, like an open file among the arguments, is done at once in this one.
        """
        try:
            request = pickle.dumps((function, args), pickle.HIGHEST_PROTOCOL)
        except (TypeError, ValueError, AttributeError, pickle.PicklingError):
            here: Future[Result] = Future()
            here.set_result(function(*args))
            return here
        call = self._turns.submit(self._answer, request)
        self._calls.append(call)
        return call

    def check(self) -> None:
        """Raise what a call has raised so far, the first one's."""
        for call in self._calls:
            if call.done():
                call.result()

    def kill(self) -> None:
        """End the process at once, whatever it is at: what it was to do is wanted no more."""
        self._process.kill()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        """Wait for all calls, end the process, and raise what the first call that failed raised."""
        try:
            if kind is None or issubclass(kind, Exception):
                wait(self._calls)
        finally:
            self._end()
        if kind is None:
            self.check()

    def _end(self) -> None:
        self._turns.shutdown(wait=False, cancel_futures=True)
        try:
            with contextlib.suppress(BrokenPipeError):
                self._requests.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(PATIENCE)
        finally:
            self._process.kill()
            self._process.wait()
            self._turns.shutdown()
            self._answers.close()

    def _answer(self, request: bytes) -> Any:
        try:
            self._requests.write(request)
            self._requests.flush()
            result, failure = pickle.load(self._answers)
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):
            raise ChildProcessError(f'the process that draws ended {_how(self._process.wait())}') from None
        if failure is not None:
            raise failure
        return result


def _how(status: int) -> str:
    return f'by signal {-status}' if status < 0 else f'with exit status {status}'


def serve() -> None:
    """Answer the calls that come on stdin, until it is closed, and end; what they print goes to stderr."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), 'wb')
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            function, args = pickle.load(sys.stdin.buffer)
            answers.write(_answer_to(function, args))
            answers.flush()
    # What nobody takes any more is no failure; to take the interpreter apart would take a tenth of a second.
    with contextlib.suppress(OSError):
        answers.close()
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(0)


def _answer_to(function: Callable[..., Any], args: tuple[Any, ...]) -> bytes:
    try:
        return pickle.dumps((function(*args), None), pickle.HIGHEST_PROTOCOL)
    except Exception as error:  # whatever the call raises is raised where it was asked for
        error.add_note(f'In the process that draws:\n{traceback.format_exc()}')
        return pickle.dumps((None, error), pickle.HIGHEST_PROTOCOL)
