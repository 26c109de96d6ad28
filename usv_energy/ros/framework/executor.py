"""What a process of nodes spins with, and how it spins."""

from collections.abc import Callable
from typing import Any

from usv_energy.ros.framework.intra_process import IntraProcess

# A spin without a timeout never calls anything in the events executor of rclpy 7.1.6.
POLL = 0.1


def make_executor() -> Any:
    """
    Return the executor that a process of ours spins.

    rclpy's events executor takes under half of the processor time, and half of the latency, of the single-threaded one
    on the energy graph (bench/executors.py); it is looked up because early Jazzy releases lack it.
    """
    try:
        from rclpy.experimental import EventsExecutor
    except ImportError:
        from rclpy.executors import SingleThreadedExecutor
        return SingleThreadedExecutor()
    return EventsExecutor()


def spin_until(done: Callable[[], bool], executor: Any, intra_process: IntraProcess) -> None:
    """
    Call back what nodes hand over in the process, and what is ready in their executor, until something is so.

    :param done: Asked whenever nothing is left to hand over, and every few ms; at least each POLL s.
    """
    while not done():
        if intra_process.deliver():
            executor.spin_once(timeout_sec=0.0)
        elif not done():
            executor.spin_once(timeout_sec=POLL)
