"""
Write the readings of simulated sensors as a bag of rosbag2 (MCAP), without ROS: what an operator would have recorded.

Sources: the definitions of sensor_msgs, geometry_msgs and std_msgs of ROS 2; plain CDR as in `cdr`.
"""

import struct
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from usv_energy.files.text_file import whole_file
from usv_energy.logs.bags.mcap_writer import McapWriter
from usv_energy.sim.sensors.sensor_messages import sensor_messages
from usv_energy.sim.sensors.sensor_suite import SensorReading
from usv_energy.version import __version__

NANOSECONDS = 1_000_000_000
HEADER = 'std_msgs/Header header'
DEFINITIONS: Mapping[str, str] = {
    'builtin_interfaces/Time': 'int32 sec\nuint32 nanosec',
    'std_msgs/Header': 'builtin_interfaces/Time stamp\nstring frame_id',
    'geometry_msgs/Vector3': 'float64 x\nfloat64 y\nfloat64 z',
    'geometry_msgs/Quaternion': 'float64 x\nfloat64 y\nfloat64 z\nfloat64 w',
    'geometry_msgs/Twist': 'geometry_msgs/Vector3 linear\ngeometry_msgs/Vector3 angular',
    'geometry_msgs/TwistWithCovariance': 'geometry_msgs/Twist twist\nfloat64[36] covariance',
    'geometry_msgs/TwistWithCovarianceStamped': f'{HEADER}\ngeometry_msgs/TwistWithCovariance twist',
    'geometry_msgs/Vector3Stamped': f'{HEADER}\ngeometry_msgs/Vector3 vector',
    'sensor_msgs/NavSatStatus': 'int8 status\nuint16 service',
    'sensor_msgs/NavSatFix': f'{HEADER}\nsensor_msgs/NavSatStatus status\nfloat64 latitude\nfloat64 longitude\n'
                             'float64 altitude\nfloat64[9] position_covariance\nuint8 position_covariance_type',
    'sensor_msgs/Imu': f'{HEADER}\ngeometry_msgs/Quaternion orientation\nfloat64[9] orientation_covariance\n'
                       'geometry_msgs/Vector3 angular_velocity\nfloat64[9] angular_velocity_covariance\n'
                       'geometry_msgs/Vector3 linear_acceleration\nfloat64[9] linear_acceleration_covariance',
    'sensor_msgs/MagneticField': f'{HEADER}\ngeometry_msgs/Vector3 magnetic_field\n'
                                 'float64[9] magnetic_field_covariance',
    'sensor_msgs/Range': f'{HEADER}\nuint8 radiation_type\nfloat32 field_of_view\nfloat32 min_range\n'
                         'float32 max_range\nfloat32 range\nfloat32 variance',
    'sensor_msgs/FluidPressure': f'{HEADER}\nfloat64 fluid_pressure\nfloat64 variance',
    'sensor_msgs/BatteryState': f'{HEADER}\nfloat32 voltage\nfloat32 temperature\nfloat32 current\nfloat32 charge\n'
                                'float32 capacity\nfloat32 design_capacity\nfloat32 percentage\n'
                                'uint8 power_supply_status\nuint8 power_supply_health\nuint8 power_supply_technology\n'
                                'bool present\nfloat32[] cell_voltage\nfloat32[] cell_temperature\nstring location\n'
                                'string serial_number'}
FORMATS = {'bool': '?', 'int8': 'b', 'uint8': 'B', 'uint16': 'H', 'int32': 'i', 'uint32': 'I', 'float32': 'f',
           'float64': 'd'}
QOS = '- history: 3\n  depth: 0\n  reliability: 1\n  durability: 2'


class _Encoder:
    """A message in plain CDR, little-endian; places count from after the encapsulation header."""

    def __init__(self) -> None:
        self.data = bytearray()

    def number(self, kind: str, value: Any) -> None:
        """Add a number, aligned to its size."""
        size = struct.calcsize(FORMATS[kind])
        self.data += bytes(-len(self.data) % size) + struct.pack(f'<{FORMATS[kind]}', value)

    def text(self, text: str) -> None:
        """Add a string: its length with the closing zero, and its bytes."""
        content = text.encode() + b'\0'
        self.number('uint32', len(content))
        self.data += content

    def fields(self, kind: str, values: Mapping[str, Any]) -> None:
        """Add a message of a type, `package/Name`."""
        for field, name in _fields_of(kind):
            base, _, count = field.partition('[')
            if base == 'string':
                self.text(values[name])
            elif count:
                if count == ']':
                    self.number('uint32', len(values[name]))
                for value in values[name]:
                    self.number(base, value)
            elif base in FORMATS:
                self.number(base, values[name])
            else:
                self.fields(base, values[name])


@cache
def _fields_of(kind: str) -> list[tuple[str, str]]:
    return [(field, name) for field, name in (line.split(' ') for line in DEFINITIONS[kind].split('\n'))]


def encoded(kind: str, fields: Mapping[str, Any], stamp: int, frame: str) -> bytes:
    """
    Return a message in plain CDR, its encapsulation header included.

    :param kind: `package/msg/Name`, one of DEFINITIONS.
    :param fields: All of them but the header.
    :param stamp: Of the header, ns.
    :param frame: Of the header.
    """
    encoder = _Encoder()
    header = {'stamp': {'sec': stamp // NANOSECONDS, 'nanosec': stamp % NANOSECONDS}, 'frame_id': frame}
    encoder.fields(kind.replace('/msg/', '/'), {'header': header, **fields})
    return b'\0\1\0\0' + bytes(encoder.data)


def definition_of(kind: str) -> str:
    """Return the definition of a type, `package/msg/Name`, with those of all in it, as MCAP has it (ros2msg)."""
    whole = kind.replace('/msg/', '/')
    parts, inner = [DEFINITIONS[whole]], _inner(whole)
    parts += [f'{"=" * 80}\nMSG: {one}\n{DEFINITIONS[one]}' for one in inner]
    return '\n'.join(parts) + '\n'


def _inner(kind: str) -> list[str]:
    found: dict[str, None] = {}
    for field, _ in _fields_of(kind):
        if field in DEFINITIONS:
            found |= dict.fromkeys([field, *_inner(field)])
    return list(found)


def write_sensor_bag(readings: Sequence[SensorReading], origin: tuple[float, float], namespace: str,
                     path: Path) -> None:
    """
    Write readings as an MCAP file, whole or not at all; the same readings always give the same bytes.

    :param readings: Of all sensors of a boat, by their arrival, which is when they were recorded.
    :param origin: Longitude and latitude of x = y = 0, degrees.
    :param namespace: Of the boat, before the topics.
    :param path: Where to; what was there is replaced.
    :raises OSError: If it cannot be written.
    """
    with whole_file(path) as part:
        part.unlink(missing_ok=True)
        writer = McapWriter(part, f'usv_energy {__version__}')
        _write(writer, readings, origin, namespace)
        writer.close()


def _write(writer: McapWriter, readings: Iterable[SensorReading], origin: tuple[float, float], namespace: str) -> None:
    channels: dict[str, int] = {}
    for reading in readings:
        stamp, recorded = (round(time * NANOSECONDS) for time in (reading.stamp, reading.arrival))
        for message in sensor_messages(reading, origin):
            if message.topic not in channels:
                channels[message.topic] = writer.add_channel(
                    f'/{namespace}/{message.topic}', message.kind, definition_of(message.kind),
                    {'offered_qos_profiles': QOS})
            data = encoded(message.kind, message.fields, stamp, f'{namespace}/{reading.sensor.name}')
            writer.write(channels[message.topic], data, recorded)
