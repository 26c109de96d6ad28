"""Boat states of GPS, compass and gyro, for a boat that has no odometry: their topics into a `SensorStream`."""

import math
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from typing import Any

from geometry_msgs.msg import TwistStamped, TwistWithCovarianceStamped
from sensor_msgs.msg import Imu, MagneticField, NavSatFix

from ..analysis.motion.fixed_lag import Smoothed
from ..analysis.motion.sensor_stream import SensorStream
from ..physics.frames import yaw_of_quaternion
from . import convert
from .diagnostics import SampleHealth
from .lifecycle import ManagedNode
from .messages import BoatState
from .parameters import Number, Text
from .qos import SENSOR

NO_FIX = 0
GPS_FIX = 'gps_fix'
WITH_COVARIANCE, STAMPED = 'twist_with_covariance_stamped', 'twist_stamped'
SENSOR_PARAMETERS = (
    Text(GPS_FIX, '', 'Topic of sensor_msgs/NavSatFix: for a boat without odometry, whose states are then those of the '
         'likeliest motion by GPS, compass and gyro; empty: odometry.'),
    Text('gps_velocity', '', 'Topic of the velocity over ground, along east and north; empty: none.'),
    Text('gps_velocity_type', WITH_COVARIANCE, 'Of that topic.', allowed=(WITH_COVARIANCE, STAMPED)),
    Text('imu', '', 'Topic of sensor_msgs/Imu, for yaw rate and, where it has one, orientation (ENU); empty: none.'),
    Text('compass', '', 'Topic of sensor_msgs/MagneticField, for the heading of an Imu that has none; empty: none.'),
    Number('declination_deg', 0.0, 'Of the compass: magnetic north, to the east of true north, deg.', live=True),
)


class LiveSensors:
    """Hears the sensors and publishes boat states."""

    def __init__(self, node: ManagedNode, undo: ExitStack, publish: Callable[[BoatState], None],
                 samples: SampleHealth, heard: Callable[[], None]) -> None:
        """
        Subscribe until undone; for `activate`.

        :param node: With SENSOR_PARAMETERS, `lag` and `max_gap`.
        :param undo: Takes the undoing; what waits is given out then.
        :param publish: What is done with a boat state.
        :param samples: Counts the messages of the GPS.
        :param heard: Called with each of these.
        """
        self._node, self._publish, self._samples, self._heard = node, publish, samples, heard
        given = node.parameters
        self._stream = SensorStream(given.number('lag'), given.number('max_gap'))
        self._topics = {name: given.text(name) for name in (GPS_FIX, 'gps_velocity', 'imu', 'compass')}
        self._origin: int | None = None
        self._oriented = False
        prefix = node.get_namespace().strip('/')
        self._frames = [f'{prefix}/{name}' if prefix else name for name in ('odom', 'base_link')]
        twist = TwistStamped if given.text('gps_velocity_type') == STAMPED else TwistWithCovarianceStamped
        undo.callback(lambda: self._give_out(self._stream.rest()))
        kinds: tuple[tuple[str, Any, Callable[[Any], None]], ...] = (
            (GPS_FIX, NavSatFix, self._on_fix), ('gps_velocity', twist, self._on_velocity), ('imu', Imu, self._on_imu),
            ('compass', MagneticField, self._on_field))
        for name, kind, callback in kinds:
            if self._topics[name]:
                node.listen(undo, kind, self._topics[name], callback, SENSOR)

    def words(self) -> str:
        """Return what is heard."""
        return 'no odometry: ' + ', '.join(f'{name.replace("_", " ")} on {self._node.resolve_topic_name(topic)}'
                                           for name, topic in self._topics.items() if topic)

    def give_out_rest(self) -> None:
        """Publish what waits for later measurements, which would wait for ever."""
        self._give_out(self._stream.rest())

    def _seconds(self, msg: Any) -> float:
        stamp = convert.nanoseconds(msg.header.stamp)
        if self._origin is None:
            self._origin = stamp
        return (stamp - self._origin) / convert.NANOSECONDS

    def _on_fix(self, msg: NavSatFix) -> None:
        self._heard()
        bad = msg.status.status < NO_FIX or not (math.isfinite(msg.latitude) and math.isfinite(msg.longitude))
        self._samples.add(convert.nanoseconds(msg.header.stamp), 'no fix' if bad else '', useless=bad)
        if not bad:
            self._give_out(self._stream.fix(self._seconds(msg), msg.longitude, msg.latitude))

    def _on_velocity(self, msg: TwistWithCovarianceStamped | TwistStamped) -> None:
        twist = msg.twist if isinstance(msg, TwistStamped) else msg.twist.twist
        self._give_out(self._stream.velocity(self._seconds(msg), twist.linear.x, twist.linear.y))

    def _on_imu(self, msg: Imu) -> None:
        turn, yaw, rate = msg.orientation, math.nan, math.nan
        if msg.orientation_covariance[0] >= 0.0 and not self._topics['compass'] and self._is_oriented(msg):
            yaw = yaw_of_quaternion(turn.x, turn.y, turn.z, turn.w)
        if msg.angular_velocity_covariance[0] >= 0.0:
            rate = msg.angular_velocity.z
        self._give_out(self._stream.turning(self._seconds(msg), yaw, rate))

    def _is_oriented(self, msg: Imu) -> bool:
        """Return whether somebody fills in the orientation; the message's default is none while the gyro turns."""
        turn, rate = msg.orientation, msg.angular_velocity
        self._oriented |= (turn.x, turn.y, turn.z, turn.w) != (0.0, 0.0, 0.0, 1.0)
        if self._oriented or not any((rate.x, rate.y, rate.z)):
            return True
        self._node.get_logger().warning(
            f'{self._topics["imu"]}: the orientation is (0, 0, 0, 1), what a message has that nobody fills in, while '
            'its gyro turns: it is taken for none', once=True)
        return False

    def _on_field(self, msg: MagneticField) -> None:
        declination = math.radians(self._node.parameters.number('declination_deg'))
        yaw = math.atan2(msg.magnetic_field.x, msg.magnetic_field.y) - declination
        self._give_out(self._stream.turning(self._seconds(msg), yaw, math.nan))

    def _give_out(self, states: Iterable[Smoothed]) -> None:
        for state in states:
            known = all(map(math.isfinite, (*state.velocity, *state.pose)))
            status = BoatState.OK if known else BoatState.INVALID | BoatState.NO_ACCELERATION
            stamp = convert.stamp_of(round(state.time * convert.NANOSECONDS) + (self._origin or 0))
            self._publish(convert.boat_state_to_msg(state.pose, state.velocity, state.acceleration, status,
                                                    convert.header_of(stamp, self._frames[0]), self._frames[1]))
