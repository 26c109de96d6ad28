"""A process beside the graph: it publishes odometry by the clock on the wall, and times the powers that come back."""

import gc
import math
import threading
import time
from collections.abc import Callable
from typing import NamedTuple

import rclpy
from nav_msgs.msg import Odometry
from rclpy.qos import HistoryPolicy, QoSProfile
from rclpy.serialization import deserialize_message
from std_msgs.msg import Header

from usv_energy.ros.framework import qos
from usv_energy.ros.framework.process import make_executor
from usv_energy.ros.messages import convert
from usv_energy_msgs.msg import PowerStamped

DEADLINE = 30.0
SILENCE = 1.0
WARM_UP_RATE = 50.0
WARM_UP_IN_A_ROW = 25
# As the graph's own streams, but so deep that what is lost was lost in the graph.
DEEP = QoSProfile(reliability=qos.STREAM.reliability, durability=qos.STREAM.durability,
                  history=HistoryPolicy.KEEP_LAST, depth=10_000)
UNPAIRED = (PowerStamped.CURRENT_MISSING | PowerStamped.CURRENT_STALE | PowerStamped.WIND_MISSING
            | PowerStamped.WIND_STALE)


class Answers(NamedTuple):
    """
    What came back for a series of odometry.

    `latencies` from before the publication to the callback with the power, s, one an odometry that was answered;
    `lateness` of the publications behind their schedule, s; how many were sent, never answered, answered twice, and
    answered with a current or wind that was not of that stamp.
    """

    latencies: list[float]
    lateness: list[float]
    sent: int
    lost: int
    repeated: int
    unpaired: int


class Probe:
    """Publish odometry, hear power; a context manager that ends both."""

    def __init__(self, namespace: str) -> None:
        """Make the node and spin it in a thread; the executor waits without holding the interpreter's lock."""
        self._over = False
        self._node = rclpy.create_node('bench_probe', namespace=namespace)
        self._odom = self._node.create_publisher(Odometry, 'odom', DEEP)
        self._heard: list[tuple[float, bytes]] = []
        self._power_topic = self._node.resolve_topic_name('power')
        self._node.create_subscription(PowerStamped, 'power', self._on_power, DEEP, raw=True)
        self._msg = Odometry(header=Header(frame_id='odom'), child_frame_id='base_link')
        self._executor = make_executor()
        self._executor.add_node(self._node)
        self._thread = threading.Thread(target=self._spin, daemon=True)
        self._thread.start()

    def _spin(self) -> None:
        while not self._over:
            self._executor.spin_once(timeout_sec=0.1)

    def _on_power(self, data: bytes) -> None:
        self._heard.append((time.perf_counter(), data))

    def wait_for_graph(self) -> None:
        """
        Wait until the graph is connected, and has answered a row of odometry without a missing flow.

        :raises RuntimeError: If that takes longer than the deadline.
        """
        end = time.monotonic() + DEADLINE
        _wait(lambda: self._odom.get_subscription_count() > 0 and self._node.count_publishers(self._power_topic) > 0,
              end, 'the energy graph was not found')
        good = 0
        while good < WARM_UP_IN_A_ROW:
            if time.monotonic() > end:
                raise RuntimeError('the energy graph did not answer a row of odometry without a loss')
            answers = self.play(WARM_UP_RATE, WARM_UP_IN_A_ROW / WARM_UP_RATE)
            good = 0 if answers.lost or answers.unpaired else answers.sent

    def play(self, frequency: float, duration: float) -> Answers:
        """
        Publish odometry at a rate, and wait for what comes back.

        :param frequency: Of the odometry, Hz; by the wall clock, whatever the answers do.
        :param duration: s.
        """
        count = max(1, round(frequency * duration))
        self._heard.clear()
        sent: dict[int, float] = {}
        lateness = []
        gc.collect()
        gc.disable()
        try:
            origin, begin = time.time_ns(), time.perf_counter()
            for index in range(count):
                due = begin + index / frequency
                time.sleep(max(0.0, due - time.perf_counter()))
                stamp = origin + round(index * convert.NANOSECONDS / frequency)
                self._set(stamp, index / frequency)
                now = time.perf_counter()
                sent[stamp] = now
                lateness.append(now - due)
                self._odom.publish(self._msg)
            self._wait_for_rest(count)
        finally:
            gc.enable()
        return _answers(sent, lateness, self._heard[:])

    def _set(self, stamp: int, moment: float) -> None:
        msg = self._msg
        msg.header.stamp = convert.stamp_of(stamp)
        twist, pose = msg.twist.twist, msg.pose.pose
        twist.linear.x, twist.linear.y = 1.0 + 0.2 * math.sin(moment), 0.05 * math.cos(moment)
        twist.angular.z = 0.1 * math.sin(0.7 * moment)
        pose.position.x = moment
        pose.orientation.z, pose.orientation.w = math.sin(0.05 * moment), math.cos(0.05 * moment)

    def _wait_for_rest(self, count: int) -> None:
        quiet_since, before = time.monotonic(), -1
        while len(self._heard) < count and time.monotonic() - quiet_since < SILENCE:
            if len(self._heard) != before:
                quiet_since, before = time.monotonic(), len(self._heard)
            time.sleep(0.01)

    def close(self) -> None:
        """End thread and node; the executor when it no longer spins, since it would wait with that lock held."""
        self._over = True
        self._thread.join(DEADLINE)
        self._executor.shutdown()
        self._node.destroy_node()

    def __enter__(self) -> 'Probe':
        """Return the probe."""
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        self.close()


def _answers(sent: dict[int, float], lateness: list[float], heard: list[tuple[float, bytes]]) -> Answers:
    latencies: dict[int, float] = {}
    repeated = unpaired = 0
    for moment, data in heard:
        stamp = convert.header_nanoseconds(data)
        if stamp not in sent:
            continue
        if stamp in latencies:
            repeated += 1
            continue
        latencies[stamp] = moment - sent[stamp]
        unpaired += bool(deserialize_message(data, PowerStamped).status & UNPAIRED)
    return Answers(list(latencies.values()), lateness, len(sent), len(sent) - len(latencies), repeated, unpaired)


def _wait(done: Callable[[], bool], end: float, what: str) -> None:
    while not done():
        if time.monotonic() > end:
            raise RuntimeError(f'{what} within {DEADLINE:.0f} s')
        time.sleep(0.01)
