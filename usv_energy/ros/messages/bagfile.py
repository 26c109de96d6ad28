"""
Write an MCAP bag of serialized messages as rosbag2 does.

The messages of a recorder's bag are selected, and those of one stamp make a row of a run's table.
"""

import contextlib
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import yaml
from rclpy.duration import Infinite
from rclpy.qos import QoSProfile
from sensor_msgs.msg import BatteryState

from usv_energy.boats.cell_file import KELVIN
from usv_energy.files.errors import InputError
from usv_energy.files.text_file import write_text
from usv_energy.logs.bags.mcap_writer import McapWriter
from usv_energy.physics.motion import Motion
from usv_energy.ros.framework.qos import STREAM
from usv_energy.ros.messages import convert
from usv_energy.ros.messages.messages import (
    BoatState,
    EnergyStamped,
    HomeMargin,
    PowerStamped,
    ThrusterPower,
    definition_of,
)
from usv_energy.sim.record import Row
from usv_energy.sim.run_files import CellsSample, HomeSample

VERSION = 9  # Of rosbag2's metadata, as Jazzy writes it.
POLICIES = ('history', 'reliability', 'durability', 'liveliness')
DURATIONS = ('deadline', 'lifespan', 'liveliness_lease_duration')


class BagWriter(Protocol):
    """Writes serialized messages (CDR) of topics that were added before."""

    def add_topic(self, topic: str, kind: type, offered: Sequence[QoSProfile]) -> None:
        """Add a topic with the class of its messages, and the QoS profiles of its publishers."""

    def write(self, topic: str, data: bytes, nanosecond: int) -> None:
        """Write one message, received at a time, ns."""

    def flush(self) -> None:
        """Pass all written messages to the operating system, so that they survive the end of the process."""


@contextlib.contextmanager
def open_bag(folder: Path) -> Iterator[BagWriter]:
    """
    Open an MCAP bag in a new folder for writing, and close it at the end.

    :raises InputError: If the folder exists.
    """
    check_new_bag(folder)
    opened = _Bag(folder)
    try:
        yield opened
    finally:
        opened.close()


def check_new_bag(folder: Path) -> None:
    """
    Check that a folder for a bag does not exist.

    :raises InputError: If it exists.
    """
    if folder.exists():
        raise InputError(f'{folder}: is there already, and a bag is never overwritten; '
                         'choose another folder, or record no bag')


class _Bag:
    """An MCAP file in a folder, and the file metadata.yaml that `ros2 bag` needs."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self._folder = folder
        self._file = McapWriter(folder / f'{folder.name}_0.mcap', 'usv_energy')
        self._channels: dict[str, int] = {}
        self._topics: dict[int, dict[str, Any]] = {}

    def add_topic(self, topic: str, kind: type, offered: Sequence[QoSProfile]) -> None:
        definition = definition_of(kind)
        profiles = [_profile(profile) for profile in offered]
        number = self._file.add_channel(topic, definition.name, definition.text, {
            'offered_qos_profiles': _yaml(profiles), 'topic_type_hash': definition.hash})
        self._channels[topic] = number
        self._topics[number] = {
            'name': topic, 'type': definition.name, 'serialization_format': 'cdr', 'offered_qos_profiles': profiles,
            'type_description_hash': definition.hash}

    def write(self, topic: str, data: bytes, nanosecond: int) -> None:
        self._file.write(self._channels[topic], data, nanosecond)

    def flush(self) -> None:
        self._file.flush()

    def close(self) -> None:
        self._file.flush()
        about = self._about()
        self._file.close(_yaml(about))
        write_text(_yaml({'rosbag2_bagfile_information': about}), self._folder / 'metadata.yaml')

    def _about(self) -> dict[str, Any]:
        file, counts = self._file, self._file.counts
        many = sum(counts.values())
        start, end = (file.first, file.last) if many else (0, 0)
        span = {'duration': {'nanoseconds': end - start}, 'starting_time': {'nanoseconds_since_epoch': start},
                'message_count': many}
        name = f'{self._folder.name}_0.mcap'
        return {
            'version': VERSION, 'storage_identifier': 'mcap', **span,
            'topics_with_message_count': [{'topic_metadata': topic, 'message_count': counts[number]}
                                          for number, topic in self._topics.items()],
            'compression_format': '', 'compression_mode': '', 'relative_file_paths': [name],
            'files': [{'path': name, **span}], 'custom_data': None, 'ros_distro': 'jazzy'}


def _profile(profile: QoSProfile) -> dict[str, Any]:
    """Return a QoS profile with the names that rosbag2 uses."""
    return {**{name: getattr(profile, name).short_key for name in POLICIES}, 'depth': profile.depth,
            **{name: _seconds(getattr(profile, name)) for name in DURATIONS},
            'avoid_ros_namespace_conventions': profile.avoid_ros_namespace_conventions}


def _seconds(duration: Any) -> dict[str, int]:
    """Return a duration as in rmw; 0 means none, which rosbag2 writes as an infinite one."""
    nanoseconds = duration.nanoseconds or Infinite.nanoseconds
    return {'sec': nanoseconds // 10**9, 'nsec': nanoseconds % 10**9}


def _yaml(value: Any) -> str:
    return str(yaml.dump(value, Dumper=_WithoutAliases, sort_keys=False))


class _WithoutAliases(yaml.SafeDumper):
    """Writes a value that occurs twice in full, without an alias."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


class Topic(NamedTuple):
    """A topic of the bag: its full name, and the class of its messages."""

    name: str
    kind: type


class BagRecording:
    """
    Writes the messages of topics into a bag, each at the latest stamp received.

    A simulator in lockstep, or at its start, repeats an odometry until all nodes have answered it. So a message that
    equals the last one of its topic is left out; once `settled` is set, only if it has a stamp.
    """

    def __init__(self, bag: BagWriter, offered: Callable[[str], Sequence[QoSProfile]], keep_repeats: bool) -> None:
        """
        Begin without messages.

        :param offered: Returns the QoS profiles of a topic's publishers.
        :param keep_repeats: Whether to write equal messages, too, because there is no simulator that repeats them.
        """
        self._bag = bag
        self._offered = offered
        self._keep_repeats = keep_repeats
        self._stamped: dict[type, bool] = {}
        self._last: dict[str, bytes] = {}
        self._stamps: dict[str, int] = {}
        self._time = 0
        self.settled = False

    def add(self, topic: Topic, data: bytes) -> None:
        """Write a message; the first one of a topic adds the topic."""
        name, kind = topic
        if name not in self._last:
            self._bag.add_topic(name, kind, self._offered(name))
            self._stamped.setdefault(kind, convert.has_header(kind))
        stamped = self._stamped[kind]
        if (stamped or not self.settled) and not self._keep_repeats and data == self._last.get(name):
            return
        self._last[name] = data
        # A bag has no times before 1970; a message with such a stamp is in it at the latest stamp of another.
        if stamped and (stamp := convert.header_nanoseconds(data)) >= 0:
            self._time = self._stamps[name] = stamp
        self._bag.write(name, data, self._time)

    def flush(self) -> None:
        """Pass all written messages to the operating system, so that they survive the end of the process."""
        self._bag.flush()

    def silent(self, topics: Iterable[str]) -> list[str]:
        """Return the given topics that have no message in the bag yet."""
        return [topic for topic in topics if topic not in self._last]

    def behind(self, topics: Iterable[str], stamp: int) -> list[str]:
        """Return the given topics that have messages in the bag, but none with a stamp, ns, or later."""
        return [topic for topic in topics if self._stamps.get(topic, stamp) < stamp]


MAX_STAMPS = 2 * STREAM.depth  # More than one topic can lag behind another.


class RowJoin:
    """
    Joins boat states, powers, energies and, with a simulator, thruster powers to rows.

    A row is complete when all of its messages have arrived, however far one topic lags behind another. Each topic
    arrives in order. So once a row is complete, messages that earlier rows still lack are lost, and become NaN. If no
    row gets complete, the oldest one is returned incomplete as soon as there are MAX_STAMPS later ones. `last` is the
    stamp of the last returned row, ns; `epoch` converts stamps to the rows' times.
    """

    def __init__(self, with_thrusters: bool) -> None:
        """Start empty; `with_thrusters`: whether rows have thruster powers."""
        self._wanted = {BoatState, PowerStamped, EnergyStamped, *({ThrusterPower} if with_thrusters else ())}
        self._parts: dict[int, dict[type, Any]] = {}
        self.epoch = convert.Epoch()
        self.last = -1

    def add(self, msg: Any) -> list[tuple[int, Row]]:
        """Add a message; return the rows that it completes, each with its stamp, ns."""
        stamp = convert.nanoseconds(msg.header.stamp)
        if stamp == self.last:
            return []
        self._parts.setdefault(stamp, {})[type(msg)] = msg
        done = []
        if self._wanted <= self._parts[stamp].keys():
            stamps = list(self._parts)
            done = stamps[:stamps.index(stamp) + 1]
        elif len(self._parts) > MAX_STAMPS:
            done = [next(iter(self._parts))]
        return [row for stamp in done for row in self._row(stamp)]

    def rest(self) -> list[tuple[int, Row]]:
        """Return the incomplete rows that have a power; for the end of a run."""
        return [row for stamp in list(self._parts) for row in self._row(stamp)]

    def _row(self, stamp: int) -> list[tuple[int, Row]]:
        parts = self._parts.pop(stamp)
        power: PowerStamped | None = parts.get(PowerStamped)
        if power is None:
            return []
        self.last = stamp
        state: BoatState | None = parts.get(BoatState)
        energy: EnergyStamped | None = parts.get(EnergyStamped)
        work: ThrusterPower | None = parts.get(ThrusterPower)
        u, v, r = convert.planar_velocity(power.velocity)
        motion = (convert.motion_from_msg(state) if state is not None
                  else Motion(math.nan, u, v, r, math.nan, math.nan, math.nan))
        x, y = (state.pose.position.x, state.pose.position.y) if state is not None else (math.nan, math.nan)
        return [(stamp, Row(
            self.epoch.seconds(power.header.stamp), x, y, motion, convert.flow_from_msg(power),
            convert.power_from_msg(power), energy.total if energy is not None else math.nan,
            work.power if work is not None else math.nan, work.energy if work is not None else math.nan,
            int(power.status), tuple(power.load_powers)))]


def cells_from_msg(msg: BatteryState, time: float) -> CellsSample:
    """Return the row of a simulated battery's BatteryState at a time of the run, s."""
    return CellsSample(time, msg.voltage, -msg.current, msg.percentage, msg.temperature + KELVIN)


def home_from_msg(msg: HomeMargin, time: float) -> HomeSample:
    """Return the row of a HomeMargin at a time of the run, s."""
    return HomeSample(time, *(getattr(msg, name) for name in HomeSample._fields[1:]))
