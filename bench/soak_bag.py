"""Odometry of a bag that our own recorder writes, and the loops in which it is played."""

import math
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from nav_msgs.msg import Odometry
from rclpy.serialization import deserialize_message, serialize_message

from usv_energy.files.errors import InputError
from usv_energy.logs.bags.mcap import McapFile
from usv_energy.ros.graph.compose import Composition, is_done
from usv_energy.ros.graph.graph import scenario_nodes
from usv_energy.ros.graph.graph_options import ScenarioOptions
from usv_energy.ros.messages import convert
from usv_energy.sim.scenario import read_scenario

SCENARIO = '7'
DEADLINE = 300.0
# A stamp like a boat's of today; the loops that begin anew are this much apart, so that no stamp comes twice.
BEGIN = 1_790_000_000 * convert.NANOSECONDS
APART = 1_000
# Now and then the boat is not heard for so long, ns: more than is integrated over.
PAUSE = 5 * convert.NANOSECONDS
BROKEN_EACH = 997


class Bag(NamedTuple):
    """Odometry, serialized, and the same without a velocity; stamps from the first, ns, and how long a loop takes."""

    messages: list[bytearray]
    broken: list[bytearray]
    stamps: list[int]
    length: int

    @property
    def period(self) -> float:
        """Mean time between two odometries, s."""
        return self.length / len(self.stamps) / convert.NANOSECONDS


class Play(NamedTuple):
    """What is published next: the number of the loop, the stamp, ns, and the message."""

    loop: int
    stamp: int
    data: bytes


def recorded_bag(folder: Path, namespace: str, period: float) -> Bag:
    """
    Return the odometry of a scenario that runs in lockstep and records its bag.

    :param folder: For the recording.
    :param namespace: Of the boat.
    :param period: Of the odometry, s.
    :raises InputError: If the period is none of the plant's.
    :raises RuntimeError: If the scenario does not end, or its bag holds no odometry.
    """
    path = folder / 'soak.yaml'
    path.write_text(f'base: {SCENARIO}\nsimulation: {{step: 0.02, period: {period}}}\n', encoding='utf-8')
    specs = scenario_nodes(read_scenario(str(path)), ScenarioOptions(out=str(folder), plots=False))
    with Composition(specs, namespace) as composition:
        if not composition.spin_until(lambda: is_done(composition), DEADLINE):
            raise RuntimeError(f'scenario {SCENARIO} did not end within {DEADLINE:.0f} s')
    found = sorted(folder.glob('*/bag/*.mcap'))
    if not found:
        raise RuntimeError(f'scenario {SCENARIO} left no bag in {folder}')
    return read_odometry(found[0], f'{namespace}/odom')


def read_odometry(path: Path, topic: str) -> Bag:
    """Return the odometry of an MCAP file, in the order of its stamps, each stamp once."""
    by_stamp: dict[int, bytearray] = {}
    for batch in McapFile(path).batches({topic}):
        for data in batch.each():
            by_stamp[convert.header_nanoseconds(data)] = bytearray(data)
    if len(by_stamp) < 2:
        raise InputError(f'{path}: holds {len(by_stamp)} messages on {topic}; at least 2 are needed')
    stamps = sorted(by_stamp)
    messages = [by_stamp[stamp] for stamp in stamps]
    return Bag(messages, [_without_velocity(data) for data in messages], [stamp - stamps[0] for stamp in stamps],
               stamps[-1] - stamps[0] + (stamps[1] - stamps[0]))


def plays(bag: Bag) -> Iterator[Play]:
    """
    Give the odometry of a bag in endless loops.

    Every second loop begins anew: its stamps jump back. The others go on where the one before ended, of these every
    second one after a pause. One odometry in so many has no velocity.
    """
    loop, count = 0, 0
    begin = BEGIN
    while True:
        for number, offset in enumerate(bag.stamps):
            count += 1
            data = (bag.broken if count % BROKEN_EACH == 0 else bag.messages)[number]
            stamp = begin + offset
            struct.pack_into('<iI', data, 4, *divmod(stamp, convert.NANOSECONDS))
            yield Play(loop, stamp, bytes(data))
        loop += 1
        begin = BEGIN + loop * APART if loop % 2 == 0 else begin + bag.length + (PAUSE if loop % 4 == 3 else 0)


def _without_velocity(data: bytearray) -> bytearray:
    msg = deserialize_message(bytes(data), Odometry)
    msg.twist.twist.linear.x = math.nan
    return bytearray(serialize_message(msg))
