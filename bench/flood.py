"""
A graph that is flooded: ./run shell python3 bench/flood.py --number 100000

Odometry goes to the energy nodes as fast as a process can publish it, with texts of 100 kB on `leg` and `leg_begin`
between; before it, a tenth as many fill the queues, which are bounded, for the first time. Afterwards the graph must
answer one odometry after the other again; the time that it integrated and its gaps must be all the time that went by,
its energy the power before times the time that it integrated, and within two minutes its memory within 10 % of what it
was before. Exit status 1 if not. `--plain` floods a node of plain rclpy with queues as deep instead: what of the memory
is not ours.
"""

import argparse
import sys
import time
from typing import Any

import rclpy
from nav_msgs.msg import Odometry
from rclpy.executors import SingleThreadedExecutor
from rclpy.serialization import serialize_message
from session import GraphProcess, ros
from soak_memory import HoldingWatch
from std_msgs.msg import Header, String

from usv_energy.ros.framework.process import TRIM_PERIOD
from usv_energy.ros.framework.qos import LATCHED, LATCHED_STREAM, STREAM
from usv_energy.ros.messages import convert
from usv_energy.ros.messages.messages import EnergyStamped

PERIOD = 50_000_000     # ns
SETTLE, GROWTH, LONG = 200, 0.10, 100_000
DEADLINE = 120.0        # s
CALM = TRIM_PERIOD + 2.0


class Flood:
    """A node that publishes steady odometry, and hears the energy."""

    def __init__(self, namespace: str) -> None:
        """Make publishers and subscription."""
        self.node = rclpy.create_node('flood', namespace=namespace)
        self._odom = self.node.create_publisher(Odometry, 'odom', STREAM)
        self._leg = self.node.create_publisher(String, 'leg', LATCHED)
        self._begin = self.node.create_publisher(Header, 'leg_begin', LATCHED_STREAM)
        self.last: Any = None
        self.answers = 0
        self.node.create_subscription(EnergyStamped, 'energy', self._on_energy, STREAM)
        self.sent = 0
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self.node)

    def _on_energy(self, msg: Any) -> None:
        self.last = msg
        self.answers += 1

    def say(self) -> None:
        """Publish the next odometry."""
        self.sent += 1
        header = Header(stamp=convert.stamp_of(self.sent * PERIOD), frame_id='odom')
        place = self.sent * PERIOD * 1e-9, 0.0, 0.0
        self._odom.publish(serialize_message(convert.odometry_to_msg(place, (1.0, 0.0, 0.0), header, 'base_link')))

    def say_texts(self) -> None:
        """Publish legs with names that are as long as nobody's."""
        self._leg.publish(String(data='x' * LONG))
        self._begin.publish(Header(stamp=convert.stamp_of(self.sent * PERIOD), frame_id='y' * LONG))

    def tell(self, number: int) -> None:
        """Publish some odometries, and wait for the answer to each."""
        for _ in range(number):
            self.say()
            self.wait(lambda: self.last is not None and convert.nanoseconds(
                self.last.header.stamp) == self.sent * PERIOD)

    def wait(self, done: Any) -> None:
        """Spin until something is so; RuntimeError if it takes too long."""
        end = time.monotonic() + DEADLINE
        while not done():
            self._executor.spin_once(0.1)
            if time.monotonic() > end:
                raise RuntimeError(f'no answer within {DEADLINE:.0f} s; the energy is that of '
                                   f'{"nothing" if self.last is None else self.last.header.stamp.sec} s')

    def spin(self, seconds: float) -> None:
        """Hear what comes meanwhile."""
        end = time.monotonic() + seconds
        self._executor.spin_once(0.0)
        while time.monotonic() < end:
            self._executor.spin_once(0.1)

    @property
    def readers(self) -> int:
        """How many subscriptions there are to the odometry."""
        return int(self._odom.get_subscription_count())


def bench() -> int:
    """Run the bench, and return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or '').splitlines()[1])
    parser.add_argument('--number', type=int, default=100_000, help='odometries of the flood (%(default)s)')
    parser.add_argument('--texts-every', type=int, default=200, metavar='N', help='odometries between two texts '
                        '(%(default)s)')
    parser.add_argument('--plain', action='store_true', help='flood a node of plain rclpy; it has no energy to check')
    options = parser.parse_args()
    with ros() as namespace, GraphProcess(namespace, plain=options.plain) as graph:
        graph.wait_ready()
        flood, watch = Flood(namespace), HoldingWatch(graph.pid)
        flood.wait(lambda: flood.readers > 0)
        flood.tell(SETTLE)
        watch.look()
        small = watch.held[-1].resident_mb
        for number in range(options.number // 10):
            flood.say()
            if number % options.texts_every == 0:
                flood.say_texts()
        flood.tell(SETTLE)
        flood.spin(CALM)
        watch.look()
        before, answers, begin = watch.held[-1].resident_mb, flood.answers, time.monotonic()
        power = flood.last.total / flood.last.duration  # Steady, so that of each second that was integrated.
        for number in range(options.number):
            flood.say()
            if number % options.texts_every == 0:
                flood.say_texts()
                flood.spin(0.0)
            watch.look()
        published = time.monotonic() - begin
        flood.say_texts()
        flood.tell(SETTLE)
        took, last = time.monotonic() - begin, flood.last
        # The executor still takes what it has noted of each message that was dropped.
        while watch.held[-1].resident_mb > (1.0 + GROWTH) * before and time.monotonic() < begin + took + DEADLINE:
            flood.spin(CALM)
            watch.look()
        calm = time.monotonic() - begin - took
        peak, after = max(one.resident_mb for one in watch.held), watch.held[-1].resident_mb
        passed = (flood.sent - 1) * PERIOD * 1e-9
        known = last.duration + last.gap_duration
        print(f'{options.number} odometries published in {published:.1f} s, {flood.answers - answers} energies heard '
              f'in {took:.1f} s; {len(last.leg)} characters of leg\n'
              f'integrated {last.duration:.2f} s, {last.gaps} gaps of {last.gap_duration:.2f} s, together {known:.2f} '
              f'of {passed:.2f} s; {last.total:.1f} J, {last.total / last.duration:.6f} W of {power:.6f} W\n'
              f'memory {small:.1f} MB at first, {before:.1f} MB before, {peak:.1f} MB at most, {after:.1f} MB after '
              f'{calm:.0f} s ({watch.held[-1].anonymous_mb - watch.held[1].anonymous_mb:+.1f} MB anonymous); between '
              f'{", ".join(f"{one.resident_mb:.0f}" for one in watch.held[2::max(1, len(watch.held) // 12)])}')
        right = abs(known - passed) < 1.5e-9 * PERIOD and abs(last.total - power * last.duration) < 1e-6 * last.total
        good = (right or options.plain) and after < (1.0 + GROWTH) * before
        flood.node.destroy_node()
        return int(not good)


if __name__ == '__main__':
    sys.exit(bench())
