"""How a process of ours runs its nodes: its executor, signals, memory and end, and a ROS domain of its own."""

import contextlib
import ctypes
import gc
import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import rclpy
from rclpy.signals import SignalHandlerOptions

from usv_energy.files.locate import share_folder
from usv_energy.ros.framework.intra_process import IntraProcess

DOMAIN = 'ROS_DOMAIN_ID'
# Before a command: holds Ctrl-C back until `usv_energy.start` is ready for it; Python would end in a traceback.
HOLD_SIGNALS = 'env --block-signal=INT --block-signal=TERM'
# Before a command: a Ctrl-C when the launch has ended; SIGTERM ends `ros2 launch` at once, without what it started.
END_WITH_LAUNCH = 'setpriv --pdeathsig INT'
# Time for ROS to shut down once all files are closed, s. `ros2 launch` sends SIGTERM after 5 s and SIGKILL after 10 s.
SHUTDOWN_TIMEOUT = 2.0
# Timeout of a spin, s. In rclpy 7.1.6 the events executor calls nothing during a spin without a timeout.
POLL = 0.1
# What a user sets for a profile of his own, and files that Fast DDS reads where a process is started.
OWN_PROFILE = ('FASTRTPS_DEFAULT_PROFILES_FILE', 'FASTDDS_DEFAULT_PROFILES_FILE', 'RMW_FASTRTPS_USE_QOS_FROM_XML',
               'RMW_FASTRTPS_PUBLICATION_MODE')
OWN_PROFILE_FILES = 'DEFAULT_FASTRTPS_PROFILES.xml', 'DEFAULT_FASTDDS_PROFILES.xml'
TRIM_PERIOD = 10.0          # s of wall time between looks at the memory that is free within the process.
TRIM_BYTES = 16_000_000     # Of it, newly free, that are worth the 70 ms of giving them back.


def memory_profile() -> dict[str, str]:
    """
    Return the environment with which Fast DDS gives the room of large messages back; empty if the user has his own.

    Fast DDS keeps the room of the largest message of each reader: 10 million points that are refused had held 160 MB.
    """
    profile = share_folder() / 'config' / 'fastdds' / 'memory.xml'
    if any(os.environ.get(name) for name in OWN_PROFILE) or any(map(os.path.exists, OWN_PROFILE_FILES)):
        return {}
    return {'FASTRTPS_DEFAULT_PROFILES_FILE': str(profile), 'RMW_FASTRTPS_USE_QOS_FROM_XML': '1'}


@contextlib.contextmanager
def ros_process(args: list[str] | None = None) -> Iterator[Callable[[], bool]]:
    """
    Initialize rclpy, and shut it down at the end; yield a function that returns whether SIGINT or SIGTERM was received.

    rclpy's own signal handlers shut its context down at once. Then no node could publish, log or close its files.

    :param args: Arguments of rclpy.init; None: those of the process.
    """
    signals: list[int] = []

    def note(number: int, frame: object) -> None:
        signals.append(number)

    before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    profile = memory_profile()
    os.environ.update(profile)
    try:
        rclpy.init(args=args, signal_handler_options=SignalHandlerOptions.NO)
        yield lambda: bool(signals)
    finally:
        rclpy.try_shutdown()
        for name in profile:
            os.environ.pop(name, None)
        for number, handler in before.items():
            if signal.getsignal(number) is note:
                # The process is ending after Ctrl-C. launch sends a second SIGINT, which must not make it fail.
                signal.signal(number, signal.SIG_IGN if signals and number == signal.SIGINT else handler)


def limit_shutdown(status: int) -> None:
    """
    End this process with a status after a few seconds, even if something hangs; for when all files are closed.

    On a busy machine the shutdown of DDS can hang, and then ignores SIGTERM.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    timer = threading.Timer(SHUTDOWN_TIMEOUT, os._exit, (status,))
    timer.daemon = True
    timer.start()
    # If native code hangs while it holds the interpreter's lock, no thread runs. The default action of a signal does.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, SHUTDOWN_TIMEOUT + 1.0)


def end_process(status: int) -> NoReturn:
    """End this process with a status, without the shutdown of the interpreter, which could only hang."""
    limit_shutdown(status)
    # A lifecycle node and its state machine refer to each other: only the garbage collector removes it from the graph.
    gc.collect()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
    os._exit(status)


@contextlib.contextmanager
def own_domain() -> Iterator[int]:
    """
    Set ROS_DOMAIN_ID to a domain that no other caller on this machine uses, unless the user has set it.

    :return: The domain in use. It is released at the end.
    """
    if os.environ.get(DOMAIN):
        yield int(os.environ[DOMAIN])
        return
    from domain_coordinator import domain_id
    with domain_id() as identifier:
        os.environ[DOMAIN] = str(identifier)
        try:
            yield identifier
        finally:
            del os.environ[DOMAIN]


def make_executor() -> Any:
    """
    Return the executor for our nodes: rclpy's events executor, or the single-threaded one in early Jazzy releases.

    On the energy graph the events executor takes under half of the processor time, and half of the latency, of the
    single-threaded one (bench/executors.py).
    """
    try:
        from rclpy.experimental import EventsExecutor
    except ImportError:
        from rclpy.executors import SingleThreadedExecutor
        return SingleThreadedExecutor()
    return EventsExecutor()


class _HeapInfo(ctypes.Structure):
    """Glibc's struct mallinfo2; `fordblks` are the bytes that are free."""

    _fields_ = tuple((name, ctypes.c_size_t) for name in (
        'arena', 'ordblks', 'smblks', 'hblks', 'hblkhd', 'usmblks', 'fsmblks', 'uordblks', 'fordblks', 'keepcost'))


class Heap:
    """
    Gives memory that has become free back to the system, which glibc keeps where there is something in use above it.

    The events executor of rclpy notes each message that arrives, 150 bytes, also those that are dropped before it comes
    to them: a flood of a million that a graph is too slow for takes 130 MB until it has caught up.
    """

    def __init__(self) -> None:
        """Find glibc; where there is another C library, nothing is done."""
        self._due = self._known = 0.0
        try:
            library = ctypes.CDLL(None)
            self._info, self._trim = library.mallinfo2, library.malloc_trim
            self._info.restype = _HeapInfo
        except (AttributeError, OSError, TypeError):
            self._due = math.inf

    def give_back(self) -> None:
        """Look, if it is time to."""
        now = time.monotonic()
        if now < self._due:
            return
        self._due = now + TRIM_PERIOD
        # What was given back still counts as free, until it is used again.
        free = self._info().fordblks
        if free > self._known + TRIM_BYTES:
            self._trim(0)
            self._known = free
        self._known = min(self._known, free)


def spin_until(done: Callable[[], bool], executor: Any, intra_process: IntraProcess) -> None:
    """
    Deliver messages within the process, and spin the executor, until `done` returns true.

    :param done: Called whenever no message within the process waits, and at least every POLL s.
    """
    heap = Heap()
    while not done():
        heap.give_back()
        if intra_process.deliver():
            executor.spin_once(timeout_sec=0.0)
        elif not done():
            executor.spin_once(timeout_sec=POLL)
