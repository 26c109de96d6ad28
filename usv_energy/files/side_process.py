"""
A second process for slow work, such as pictures, while this one must stay responsive.

A thread is not enough: drawing holds the interpreter's lock (for 2.8 s for the page of a log, 2026-11-27), and would
block a graph in lockstep, or a route server, for that time.
"""

import contextlib
import ctypes
import math
import os
import pickle
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, NamedTuple, TypeVar

from usv_energy.files.errors import InputError
from usv_energy.files.work import Progress, end_with

Result = TypeVar('Result')
# When this process is interrupted, the other one has this time to finish its present call, s of wall time.
FINISH_TIMEOUT = 5.0
# The first words of a program, so that no file beside the user is taken for a library; Python 3.10 has no -P for that.
SAFE_PATH = 'import sys; sys.path[:] = filter(None, sys.path)'


_guards: dict[int, 'SideProcess'] = {}     # Of `guarded`, by the process that has it: a fork starts its own.


class StoppedError(Exception):
    """The call was ended by `SideProcess.stop`."""


class _Step(NamedTuple):
    """What the other process sends before an answer: how far it is."""

    done: int
    number: int


@contextlib.contextmanager
def _blocked_signals() -> Iterator[None]:
    """Block the signals that end a process, or its call, where the system can; one that is started inherits that."""
    if not hasattr(signal, 'pthread_sigmask'):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class SideProcess(AbstractContextManager['SideProcess']):
    """
    Calls functions in another process, one after the other, in the order of the calls.

    At the end it waits for all of them, or if that is interrupted, for the present one. Ctrl-C in the terminal does not
    reach the other process, which ends when this one ends, for whatever reason.
    """

    def __init__(self, quiet: bool = False) -> None:
        """Start the process; `quiet`: whether what it prints is dropped."""
        path = os.pathsep.join(os.path.abspath(folder) for folder in sys.path)
        with _blocked_signals():
            self._process = subprocess.Popen(
                [sys.executable, '-c', f'{SAFE_PATH}; from {__name__} import serve; serve({os.getpid()})'],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL if quiet else None,
                env={**os.environ, 'PYTHONPATH': path})
        assert self._process.stdin is not None and self._process.stdout is not None
        self._requests, self._answers = self._process.stdin, self._process.stdout
        self._thread = ThreadPoolExecutor(max_workers=1)
        self._calls: list[Future[Any]] = []

    def call(self, function: Callable[..., Result], *args: Any, progress: Progress | None = None) -> Future[Result]:
        """
        Return the future of a function's result or exception; ChildProcessError if the process ended.

        If the call cannot be pickled, for example because of an open file, it is made at once in this process.

        :param progress: Takes how far the function is, which is then called with a Progress after the arguments; it is
            called in another thread, and must not raise.
        """
        try:
            request = pickle.dumps((function, args, progress is not None), pickle.HIGHEST_PROTOCOL)
        except (TypeError, ValueError, AttributeError, pickle.PicklingError):
            here: Future[Result] = Future()
            here.set_result(function(*args, *(() if progress is None else (progress,))))
            return here
        call = self._thread.submit(self._answer, request, progress)
        done = [one for one in self._calls if one.done()]
        failed = [one for one in done if one.exception()][:1]   # The results are the caller's; the first fault stays.
        self._calls = [*failed, *(one for one in self._calls if one not in done), call]
        return call

    def check(self) -> None:
        """Raise the first exception of the finished calls, if any."""
        for call in self._calls:
            if call.done():
                call.result()

    def stop(self) -> None:
        """
        End the call under way with a StoppedError, if there is one, but for while it imports: a half library is lost.

        Where the system has no such signals the process is killed.
        """
        if hasattr(signal, 'SIGUSR1'):
            self._process.send_signal(signal.SIGUSR1)
        else:
            self._process.kill()

    def kill(self) -> None:
        """End the process at once, without the results of its calls."""
        self._process.kill()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        """Wait for all calls, end the process, and raise the exception of the first call that failed."""
        try:
            if kind is None or issubclass(kind, Exception):
                wait(self._calls)
        finally:
            self._end()
        if kind is None:
            self.check()

    def _end(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
        try:
            with contextlib.suppress(BrokenPipeError):
                self._requests.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(FINISH_TIMEOUT)
        finally:
            self._process.kill()
            self._process.wait()
            self._thread.shutdown()
            self._answers.close()

    def _answer(self, request: bytes, progress: Progress | None) -> Any:
        try:
            self._requests.write(request)
            self._requests.flush()
            while isinstance(answer := pickle.load(self._answers), _Step):
                if progress is not None:
                    progress(*answer)
            result, failure = answer
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):
            raise ChildProcessError(f'the process for it ended {_status_text(self._process.wait())}') from None
        if failure is not None:
            raise failure
        return result


def guarded(path: Path, library: str, function: Callable[..., Result], *arguments: Any) -> Result:
    """
    Return what a function returns in another process, which a damaged file may end: compiled libraries crash.

    All files that are read so share one process of this one, which keeps what they have open. It is quiet.

    :param path: The file.
    :param library: What reads it, for errors.
    :param function: Of a module; it is called in the other process, and should call `limit_work`.
    :raises InputError: If the process ended, or memory beyond its limit was asked for.
    """
    process = _guards.get(os.getpid())
    if process is None:
        process = _guards[os.getpid()] = SideProcess(quiet=True)
    try:
        return process.call(_called_at, os.getcwd(), function, *arguments).result()
    except ChildProcessError:
        _guards.pop(os.getpid()).kill()
        raise InputError(f'{path}: is damaged: {library} ended the process that read it, perhaps for want of memory or '
                         'time') from None
    except MemoryError:
        raise InputError(f'{path}: its values need more memory than a file of its size should; is it whole?') from None


def _called_at(folder: str, function: Callable[..., Result], *arguments: Any) -> Result:
    """Return what a function returns, called in a folder: relative paths mean there what they mean to the caller."""
    os.chdir(folder)
    return function(*arguments)


def limit_work(memory: int, seconds: float = math.inf) -> None:
    """
    Limit the memory of this process on Linux, and its time; other systems do not say how much it has, or know no limit.

    :param memory: Bytes of addresses that it may take beside those that it has.
    :param seconds: Of processor time that it may take from here on, after which it ends.
    """
    try:
        import resource
    except ImportError:
        return
    if not os.path.exists('/proc/self/statm'):
        return
    with open('/proc/self/statm', encoding='ascii') as file:
        present = int(file.read().split()[0]) * resource.getpagesize()
    for limit, wanted in ((resource.RLIMIT_AS, present + memory), (resource.RLIMIT_CPU, time.process_time() + seconds)):
        most = resource.getrlimit(limit)[1]
        resource.setrlimit(limit, (most if wanted == math.inf or 0 <= most < wanted else math.ceil(wanted), most))


def _status_text(status: int) -> str:
    return f'by signal {-status}' if status < 0 else f'with exit status {status}'


def serve(caller: int) -> None:
    """
    Answer the calls on stdin until it is closed, and end this process; the calls print to stderr.

    :param caller: Number of the process that calls; this one ends with it.
    """
    end_with(caller)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), 'wb')
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())

    def send(message: bytes) -> None:
        answers.write(message)
        answers.flush()

    running: list[bool] = []

    def stop(_: int, frame: FrameType | None) -> None:
        while frame is not None and 'importlib' not in frame.f_code.co_filename:
            frame = frame.f_back
        if running and frame is None:
            running.clear()
            raise StoppedError

    if hasattr(signal, 'SIGUSR1'):
        signal.signal(signal.SIGUSR1, stop)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGUSR1,))

    def tell(done: int, number: int) -> None:
        send(pickle.dumps(_Step(done, number), pickle.HIGHEST_PROTOCOL))

    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            function, args, tells = pickle.load(sys.stdin.buffer)
            send(_answer_to(function, (*args, tell) if tells else args, running))
            function = args = None
            give_memory_back()
    # An answer that nobody reads any more is no failure. _exit saves the interpreter's shutdown, a tenth of a second.
    with contextlib.suppress(OSError):
        answers.close()
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(0)


def give_memory_back() -> None:
    """Give memory that has become free back to the system, where the C library is glibc, which would keep it."""
    with contextlib.suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def _answer_to(function: Callable[..., Any], args: tuple[Any, ...], running: list[bool]) -> bytes:
    try:
        running.append(True)
        try:
            result = function(*args)
        finally:
            running.clear()
        return pickle.dumps((result, None), pickle.HIGHEST_PROTOCOL)
    except Exception as error:  # Any exception is raised again in the calling process.
        if hasattr(error, 'add_note'):  # From Python 3.11 on.
            error.add_note(f'In the other process:\n{traceback.format_exc()}')
        return pickle.dumps((None, error), pickle.HIGHEST_PROTOCOL)
