"""ROS for a benchmark: a domain of its own, and the energy graph in processes beside this one."""

import contextlib
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import rclpy
from rclpy.signals import SignalHandlerOptions

from usv_energy.ros.framework.process import own_domain

GRAPH = Path(__file__).with_name('energy_graph.py')
READY = 'ready'
DEADLINE = 60.0


@contextlib.contextmanager
def ros() -> Iterator[str]:
    """Have rclpy up in a domain of our own, on this machine only; return a namespace that nobody else uses."""
    os.environ.setdefault('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
    with own_domain():
        # Ctrl-C stays Python's: it must end a sleep or a join of the main thread, and nothing of ours spins there.
        rclpy.init(args=['--ros-args', '--log-level', 'warn'], signal_handler_options=SignalHandlerOptions.NO)
        try:
            yield f'/bench_{os.getpid()}'
        finally:
            rclpy.try_shutdown()


@contextlib.contextmanager
def deferred_interrupt() -> Iterator[Callable[[], bool]]:
    """
    Hold Ctrl-C and its like back; return a function that says whether one came, and raise KeyboardInterrupt at the end.

    A KeyboardInterrupt in the middle of rclpy's compiled executor can come out of it as some other error.
    """
    came: list[int] = []
    before = {number: signal.signal(number, lambda number, frame: came.append(number))
              for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: bool(came)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if came:
        raise KeyboardInterrupt


class GraphProcess:
    """The energy nodes, or some of them, in a process of their own; a context manager that ends it."""

    def __init__(self, namespace: str, executor: str = 'default', nodes: Sequence[str] = (),
                 odom: str = 'odom', out: str = '', plain: bool = False) -> None:
        """
        Start the process; `wait_ready` says when it is up.

        :param namespace: Of the boat.
        :param executor: 'default' (the product's), 'events' or 'single'.
        :param nodes: Names of the nodes it runs; none: all.
        :param odom: Topic of the odometry.
        :param out: Folder to record to; none: no recording.
        :param plain: Whether it is one node of plain rclpy instead, which only answers.
        """
        # In a session of its own Ctrl-C does not reach it; it ends when its stdin does, however this process ends.
        self._process = subprocess.Popen(
            [sys.executable, str(GRAPH), '--namespace', namespace, '--executor', executor, '--odom', odom, '--out', out,
             *(['--plain'] if plain else []), *nodes],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True)

    def wait_ready(self) -> None:
        """
        Wait until the nodes are active.

        :raises RuntimeError: If they do not come up in time.
        """
        output = self._process.stdout
        assert output is not None
        with selectors.DefaultSelector() as selector:
            selector.register(output, selectors.EVENT_READ)
            if not selector.select(DEADLINE):
                raise RuntimeError(f'the energy graph did not come up within {DEADLINE:.0f} s')
            if output.readline().strip() != READY:
                raise RuntimeError('the energy graph did not come up; it says why above')

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._process.pid

    def kill(self) -> None:
        """End the process by SIGKILL, which leaves it no time for anything."""
        self._process.kill()
        self._process.wait()
        self.close()

    def cpu_seconds(self) -> float:
        """Return the processor time that the process has used so far, s: of all its threads that live."""
        threads = Path(f'/proc/{self._process.pid}/task').glob('*/schedstat')
        return sum(int(thread.read_text(encoding='ascii').split()[0]) for thread in threads) * 1e-9

    def close(self) -> None:
        """End the process, and wait until it has."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(10.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def __enter__(self) -> 'GraphProcess':
        """Return the process."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process."""
        self.close()


class CpuShare:
    """A stop watch of the processor time that processes use."""

    def __init__(self, processes: Sequence[GraphProcess]) -> None:
        """Start."""
        self._processes = processes
        self._cpu, self._wall = self._used(), time.monotonic()

    def _used(self) -> float:
        return sum(process.cpu_seconds() for process in self._processes)

    def seconds(self) -> float:
        """Return the processor time since the start, s."""
        return self._used() - self._cpu

    def percent(self) -> float:
        """Return the share of one core since the start, %."""
        return 100.0 * self.seconds() / (time.monotonic() - self._wall)
