"""Write a bag of serialized messages: by rosbag2 where a full ROS 2 has it, else by rosbags, which needs no ROS."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from ..files.errors import InputError
from ..files.optional import optional


class BagWriter(Protocol):
    """Takes serialized messages (CDR) of topics announced before."""

    def add_topic(self, topic: str, kind: type) -> None:
        """Announce a topic and the class of its messages."""

    def write(self, topic: str, data: bytes, nanosecond: int) -> None:
        """Write one message, received at a time, ns."""


@contextlib.contextmanager
def open_bag(folder: Path) -> Iterator[BagWriter]:
    """
    Write an MCAP bag into a folder that does not exist yet; it is closed properly on the way out.

    :raises InputError: Where neither rosbag2_py nor rosbags is installed, or the folder exists.
    """
    check_new_bag(folder)
    try:
        opened: Any = _Rosbag2Writer(folder)
    except ImportError:
        opened = _RosbagsWriter(folder)
    try:
        yield opened
    finally:
        opened.close()


def check_new_bag(folder: Path) -> None:
    """
    See that a bag would not fall on anything.

    :raises InputError: If there is something in its place.
    """
    if folder.exists():
        raise InputError(f'{folder}: is there already, and a bag is never overwritten; '
                         'choose another folder, or record no bag')


def type_name(kind: type) -> str:
    """Return the name of a message class as bags have it: package/msg/Name."""
    return f'{kind.__module__.split(".")[0]}/msg/{kind.__name__}'


class _Rosbag2Writer:
    """By rosbag2_py's SequentialWriter."""

    def __init__(self, folder: Path) -> None:
        import rosbag2_py
        self._rosbag2 = rosbag2_py
        self._writer = rosbag2_py.SequentialWriter()
        self._writer.open(rosbag2_py.StorageOptions(uri=str(folder), storage_id='mcap'),
                          rosbag2_py.ConverterOptions('cdr', 'cdr'))
        self._topics = 0

    def add_topic(self, topic: str, kind: type) -> None:
        self._writer.create_topic(self._rosbag2.TopicMetadata(
            id=self._topics, name=topic, type=type_name(kind), serialization_format='cdr'))
        self._topics += 1

    def write(self, topic: str, data: bytes, nanosecond: int) -> None:
        self._writer.write(topic, data, nanosecond)

    def close(self) -> None:
        self._writer.close()


class _RosbagsWriter:
    """By rosbags, with our own message types registered from their .msg files."""

    def __init__(self, folder: Path) -> None:
        purpose = ('recording a bag without rosbag2 '
                   '(apt install ros-jazzy-rosbag2-py ros-jazzy-rosbag2-storage-mcap)')
        rosbag2, typesys = (optional(f'rosbags.{name}', 'bags', purpose) for name in ('rosbag2', 'typesys'))
        self._store = typesys.get_typestore(typesys.Stores.ROS2_JAZZY)
        self._writer = rosbag2.Writer(folder, version=9, storage_plugin=rosbag2.StoragePlugin.MCAP)
        self._writer.open()
        self._connections: dict[str, Any] = {}

    def add_topic(self, topic: str, kind: type) -> None:
        from ament_index_python.packages import get_package_share_directory
        from rosbags.typesys import get_types_from_msg
        name = type_name(kind)
        if name not in self._store.fielddefs:  # all messages of its package, by the definitions that it installs
            package = name.split('/')[0]
            types: dict[str, Any] = {}
            for path in sorted((Path(get_package_share_directory(package)) / 'msg').glob('*.msg')):
                types |= get_types_from_msg(path.read_text(encoding='utf-8'), f'{package}/msg/{path.stem}')
            self._store.register(types)
        self._connections[topic] = self._writer.add_connection(topic, name, typestore=self._store)

    def write(self, topic: str, data: bytes, nanosecond: int) -> None:
        self._writer.write(self._connections[topic], nanosecond, data)

    def close(self) -> None:
        self._writer.close()
