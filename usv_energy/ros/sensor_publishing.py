"""The readings of a simulated boat's sensors on their topics: sensor_msgs and geometry_msgs, relative to the boat."""

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from typing import Any

from geometry_msgs.msg import TwistWithCovarianceStamped, Vector3Stamped
from sensor_msgs.msg import BatteryState, FluidPressure, Imu, MagneticField, NavSatFix, Range

from ..boats.boat_file import Boat
from ..sim.sensors.sensing import Sensing
from ..sim.sensors.sensor_messages import sensor_messages, sensor_topics
from ..sim.sensors.sensor_suite import SensorReading
from . import convert
from .lifecycle import ManagedNode

KINDS: Mapping[str, Any] = {
    'sensor_msgs/msg/NavSatFix': NavSatFix, 'sensor_msgs/msg/Imu': Imu, 'sensor_msgs/msg/MagneticField': MagneticField,
    'geometry_msgs/msg/TwistWithCovarianceStamped': TwistWithCovarianceStamped, 'sensor_msgs/msg/Range': Range,
    'sensor_msgs/msg/FluidPressure': FluidPressure, 'geometry_msgs/msg/Vector3Stamped': Vector3Stamped,
    'sensor_msgs/msg/BatteryState': BatteryState}


def filled(message: Any, fields: Mapping[str, Any]) -> Any:
    """Return a message with fields set, those of messages in it by mappings."""
    for name, value in fields.items():
        if isinstance(value, Mapping):
            filled(getattr(message, name), value)
        else:
            setattr(message, name, value)
    return message


class SensorPublishers:
    """Publishers of all sensors on a boat; none where it has none."""

    def __init__(self, node: ManagedNode, undo: ExitStack, sensing: Sensing, boat: Boat) -> None:
        """
        Make the publishers.

        :param node: Of the boat; frames have its namespace before the sensor's name.
        :param undo: Takes the undoing.
        :param sensing: What the scenario says of sensors.
        :param boat: That moves.
        """
        self._origin = sensing.origin
        prefix = node.get_namespace().strip('/')
        self._frame = f'{prefix}/' if prefix else ''
        self._publishers = {topic: node.advertise(undo, KINDS[kind], topic) for sensor in sensing.on(boat)
                            for topic, kind in sensor_topics(sensor).items()}

    def send(self, readings: Iterable[SensorReading]) -> None:
        """Publish readings; those that nobody listens to cost next to nothing."""
        for reading in readings:
            if not any(self._publishers[topic].wanted for topic in sensor_topics(reading.sensor)):
                continue
            header = convert.header_of(convert.stamp_of(round(reading.stamp * convert.NANOSECONDS)),
                                       f'{self._frame}{reading.sensor.name}')
            for message in sensor_messages(reading, self._origin):
                publisher = self._publishers[message.topic]
                if publisher.wanted:
                    made = filled(KINDS[message.kind](), message.fields)
                    made.header = header
                    publisher.publish(made)
