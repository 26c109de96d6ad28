"""A process that runs nodes, in a separate ROS domain if asked, until a signal stops it and all files are closed."""

import contextlib
import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import NoReturn

import rclpy
from rclpy.signals import SignalHandlerOptions

DOMAIN = 'ROS_DOMAIN_ID'
# Once all files are closed, ROS has so long to shut down, s. `ros2 launch` sends SIGTERM after 5 s, SIGKILL after 10.
SHUTDOWN_PATIENCE = 2.0


@contextlib.contextmanager
def ros_process(args: list[str] | None = None) -> Iterator[Callable[[], bool]]:
    """
    Have rclpy up; yield a function that says whether SIGINT or SIGTERM has come.

    rclpy's own handlers shut its context down at once, and then no node can publish, log or close its files in order.

    :param args: Arguments of rclpy.init; None: those of the process.
    """
    signals: list[int] = []

    def note(number: int, frame: object) -> None:
        signals.append(number)

    before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        rclpy.init(args=args, signal_handler_options=SignalHandlerOptions.NO)
        yield lambda: bool(signals)
    finally:
        rclpy.try_shutdown()
        for number, handler in before.items():
            if signal.getsignal(number) is note:
                # After Ctrl-C the process is ending: a second one, which launch sends, must not make that a failure.
                signal.signal(number, signal.SIG_IGN if signals and number == signal.SIGINT else handler)


def limit_shutdown(status: int) -> None:
    """
    Have this process end with a status in a few seconds at the latest, whatever hangs by then. All files are closed.

    DDS was seen to hang in its end on a busy machine, deaf to SIGTERM.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    timer = threading.Timer(SHUTDOWN_PATIENCE, os._exit, (status,))
    timer.daemon = True
    timer.start()
    # No thread runs where native code that hangs holds the interpreter's lock; a signal's own action needs none.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, SHUTDOWN_PATIENCE + 1.0)


def end_process(status: int) -> NoReturn:
    """End this process with a status, without the interpreter's end: nothing is left to be done there but to hang."""
    limit_shutdown(status)
    # A lifecycle node's state machine holds its node in a circle: only now it takes leave of the graph.
    gc.collect()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
    os._exit(status)


@contextlib.contextmanager
def own_domain() -> Iterator[int]:
    """
    Set ROS_DOMAIN_ID to a domain that nobody else who asks this way has, unless the user has set it.

    :return: The domain in force. It is given back at the end.
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
