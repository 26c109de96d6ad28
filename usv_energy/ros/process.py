"""A process that runs nodes, in a separate ROS domain if asked, until a signal stops it and all files are closed."""

import contextlib
import os
import signal
from collections.abc import Callable, Iterator

import rclpy
from rclpy.signals import SignalHandlerOptions

DOMAIN = 'ROS_DOMAIN_ID'


@contextlib.contextmanager
def ros_process(args: list[str] | None = None) -> Iterator[Callable[[], bool]]:
    """
    Have rclpy up; yield a function that says whether SIGINT or SIGTERM has come.

    rclpy's own handlers shut its context down at once, and then no node can publish, log or close its files in order.

    :param args: Arguments of rclpy.init; None: those of the process.
    """
    signals: list[int] = []
    rclpy.init(args=args, signal_handler_options=SignalHandlerOptions.NO)
    before = {number: signal.signal(number, lambda got, frame: signals.append(got))
              for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: bool(signals)
    finally:
        rclpy.try_shutdown()
        # The process is ending: a second SIGINT, which launch sends, must not turn that into a failure.
        for number, handler in before.items():
            signal.signal(number, signal.SIG_IGN if signals else handler)


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
