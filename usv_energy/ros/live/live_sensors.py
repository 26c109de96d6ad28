"""Boat states from GPS, compass and gyro, checks of odometry, and publishers of simulated sensors."""

import math
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from functools import partial
from typing import Any

from geometry_msgs.msg import TwistStamped, TwistWithCovarianceStamped, Vector3Stamped
from nav_msgs.msg import Odometry
from sensor_msgs.msg import BatteryState, FluidPressure, Imu, MagneticField, NavSatFix, Range

from usv_energy.boats.boat_file import Boat
from usv_energy.earth import is_place
from usv_energy.files.limits import LOGGED
from usv_energy.logs.motion.fixed_lag import Smoothed
from usv_energy.logs.motion.sensor_stream import SensorStream
from usv_energy.physics.frames import yaw_of_quaternion
from usv_energy.ros.framework.diagnostics import SampleHealth
from usv_energy.ros.framework.lifecycle import ManagedNode
from usv_energy.ros.framework.parameters import Number, Text
from usv_energy.ros.framework.qos import SENSOR
from usv_energy.ros.framework.subscriptions import OneClock
from usv_energy.ros.messages import convert
from usv_energy.ros.messages.messages import BoatState
from usv_energy.sim.sensors.sensor_messages import sensor_messages, sensor_topics
from usv_energy.sim.sensors.sensor_suite import Sensing, SensorReading

# Messages that differ and have the same stamp, from which on the publisher's clock counts as stuck. A few are normal:
# simulators may send an odometry twice, and drivers may give two measurements the same stamp.
STUCK_COUNT = 10

NO_FIX = 0
GPS_FIX = 'gps_fix'
WITH_COVARIANCE, STAMPED = 'twist_with_covariance_stamped', 'twist_stamped'
SENSOR_PARAMETERS = (
    Text(GPS_FIX, '', 'Topic of sensor_msgs/NavSatFix, for a boat without odometry: its states are then estimated from '
         'GPS, compass and gyro; empty: from odometry.'),
    Text('gps_velocity', '', 'Topic of the velocity over ground, along east and north; empty: none.'),
    Text('gps_velocity_type', WITH_COVARIANCE, 'Message type of gps_velocity.', allowed=(WITH_COVARIANCE, STAMPED)),
    Text('imu', '', 'Topic of sensor_msgs/Imu, for the yaw rate, and for the orientation (ENU) if it has one; empty: '
         'none.'),
    Text('compass', '', 'Topic of sensor_msgs/MagneticField, for the heading if the Imu has none; empty: none.'),
    Number('declination_deg', 0.0, 'Magnetic declination: magnetic north to the east of true north, deg.', live=True),
)

KINDS: Mapping[str, Any] = {
    'sensor_msgs/msg/NavSatFix': NavSatFix, 'sensor_msgs/msg/Imu': Imu, 'sensor_msgs/msg/MagneticField': MagneticField,
    'geometry_msgs/msg/TwistWithCovarianceStamped': TwistWithCovarianceStamped, 'sensor_msgs/msg/Range': Range,
    'sensor_msgs/msg/FluidPressure': FluidPressure, 'geometry_msgs/msg/Vector3Stamped': Vector3Stamped,
    'sensor_msgs/msg/BatteryState': BatteryState}


def fault_of_values(msg: Odometry) -> str:
    """Return which used values of an odometry are not finite or absurd, or that it has no orientation; else empty."""
    pose, twist, turn = msg.pose.pose, msg.twist.twist, msg.pose.pose.orientation
    values = {'position.x': pose.position.x, 'position.y': pose.position.y,
              **{f'orientation.{axis}': getattr(turn, axis) for axis in 'xyzw'},
              'twist.linear.x': twist.linear.x, 'twist.linear.y': twist.linear.y, 'twist.angular.z': twist.angular.z}
    broken = [f'{name} is {value}' for name, value in values.items() if not abs(value) <= LOGGED]
    if not broken and math.isnan(convert.pose_of_odometry(msg)[2]):
        return f'orientation is ({turn.x:g}, {turn.y:g}, {turn.z:g}, {turn.w:g}), which is none'
    return ', '.join(broken)


def without_absurd(values: tuple[float, float, float]) -> tuple[float, float, float]:
    """Return a pose or a velocity, NaN for what is beyond LOGGED: a step to it has no digits of a boat."""
    x, y, z = (value if abs(value) <= LOGGED else math.nan for value in values)
    return x, y, z


def has_no_orientation(msg: Odometry) -> bool:
    """Return whether the orientation is (0, 0, 0, 0), which means that the publisher gives none."""
    turn = msg.pose.pose.orientation
    return not (turn.x or turn.y or turn.z or turn.w)


class StuckStampCheck:
    """Finds odometry that changes while its stamp does not, so that nothing can be integrated."""

    def __init__(self) -> None:
        """Begin with no odometry."""
        self._last: Any = None
        self._stamp = -1
        self._count = 0
        self.differs = False    # Whether the message has the stamp of the one before it, and another motion.

    def fault_of(self, msg: Odometry) -> str:
        """Return what is wrong with the stamps up to this message; empty if nothing is."""
        stamp = convert.nanoseconds(msg.header.stamp)
        self.differs = stamp == self._stamp and (
            (msg.pose.pose, msg.twist.twist) != (self._last.pose.pose, self._last.twist.twist))
        if stamp != self._stamp:
            self._stamp, self._count, self._last = stamp, 1, msg
        if not self.differs:
            return ''
        self._last = msg
        self._count += 1
        if self._count < STUCK_COUNT:
            return ''
        of = 'zero, as of a publisher that sets none' if stamp == 0 else f'{stamp / convert.NANOSECONDS:.9f} s'
        return (f'{self._count} messages that differ have one stamp, {of}: '
                'without a time that goes on there is no acceleration and no energy')


class LiveSensors:
    """Estimates boat states from GPS, compass and gyro."""

    def __init__(self, node: ManagedNode, undo: ExitStack, publish: Callable[[BoatState], None],
                 samples: SampleHealth, on_fix: Callable[[], None]) -> None:
        """
        Subscribe until undone; for `activate`.

        :param node: A node with SENSOR_PARAMETERS, `lag` and `max_gap`.
        :param undo: Stack of undo functions; undoing publishes the states that are left.
        :param publish: Called with each boat state.
        :param samples: Counts the messages of the GPS.
        :param on_fix: Called for each message of the GPS.
        """
        self._node, self._publish, self._samples, self._on_any_fix = node, publish, samples, on_fix
        given = node.parameters
        self._stream = SensorStream(given.number('lag'), given.number('max_gap'))
        self._topics = {name: given.text(name) for name in (GPS_FIX, 'gps_velocity', 'imu', 'compass')}
        self._clock = OneClock()
        self._origin: int | None = None
        self._oriented = False
        prefix = node.get_namespace().strip('/')
        self._frames = [f'{prefix}/{name}' if prefix else name for name in ('odom', 'base_link')]
        twist = TwistStamped if given.text('gps_velocity_type') == STAMPED else TwistWithCovarianceStamped
        undo.callback(self.publish_rest)
        kinds: tuple[tuple[str, Any, Callable[[Any], None]], ...] = (
            (GPS_FIX, NavSatFix, self._on_fix), ('gps_velocity', twist, self._on_velocity), ('imu', Imu, self._on_imu),
            ('compass', MagneticField, self._on_field))
        for name, kind, callback in kinds:
            if self._topics[name]:
                node.listen(undo, kind, self._topics[name], partial(self._if_dated, callback), SENSOR,
                            followed=node.follow(kind, self._topics[name]))

    @property
    def counts(self) -> Mapping[str, int]:
        """How often what was taken out, in words."""
        return self._stream.counts

    def log_summary(self) -> str:
        """Return the sensors and their topics."""
        return 'no odometry: ' + ', '.join(f'{name.replace("_", " ")} on {self._node.resolve_topic_name(topic)}'
                                           for name, topic in self._topics.items() if topic)

    def publish_rest(self) -> None:
        """Publish the states that wait for later measurements, when none will come."""
        self._publish_states(self._stream.rest())

    def _seconds(self, msg: Any) -> float:
        stamp = convert.nanoseconds(msg.header.stamp)
        if self._origin is None:
            self._origin = stamp
        return (stamp - self._origin) / convert.NANOSECONDS

    def _if_dated(self, callback: Callable[[Any], None], msg: Any) -> None:
        """Take a message whose stamp is a time, of one clock for all sensors; count another as useless."""
        stamp = convert.nanoseconds(msg.header.stamp)
        if not convert.is_time(msg.header.stamp):
            self._samples.add(stamp, 'a stamp that is no time', useless=True)
            return
        to_use, strays = self._clock.take(stamp, (callback, msg))
        for _ in strays:
            self._samples.add(None, 'a stamp of another clock', useless=True)
        for take, one in to_use:
            take(one)

    def use_held(self) -> bool:
        """Use the messages that wait for what follows, when nothing came; return whether there were any."""
        held = self._clock.release()
        for take, one in held:
            take(one)
        return bool(held)

    def _on_fix(self, msg: NavSatFix) -> None:
        self._on_any_fix()
        bad = msg.status.status < NO_FIX or not is_place(msg.latitude, msg.longitude)
        if not bad:
            self._publish_states(self._stream.fix(self._seconds(msg), msg.longitude, msg.latitude))
        faults = ['no fix'] if bad else self._stream.new_faults()
        self._samples.add(convert.nanoseconds(msg.header.stamp), ', '.join(faults), useless=bad)

    def _on_velocity(self, msg: TwistWithCovarianceStamped | TwistStamped) -> None:
        twist = msg.twist if isinstance(msg, TwistStamped) else msg.twist.twist
        self._publish_states(self._stream.velocity(self._seconds(msg), twist.linear.x, twist.linear.y))

    def _on_imu(self, msg: Imu) -> None:
        turn, yaw, rate = msg.orientation, math.nan, math.nan
        if msg.orientation_covariance[0] >= 0.0 and not self._topics['compass'] and self._is_oriented(msg):
            yaw = yaw_of_quaternion(turn.x, turn.y, turn.z, turn.w)
        if msg.angular_velocity_covariance[0] >= 0.0:
            rate = msg.angular_velocity.z
        self._publish_states(self._stream.turning(self._seconds(msg), yaw, rate))

    def _is_oriented(self, msg: Imu) -> bool:
        """Return whether the publisher sets the orientation. The message's default is not one while the gyro turns."""
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
        self._publish_states(self._stream.turning(self._seconds(msg), yaw, math.nan))

    def _publish_states(self, states: Iterable[Smoothed]) -> None:
        for state in states:
            known = all(map(math.isfinite, (*state.velocity, *state.pose)))
            status = BoatState.OK if known else BoatState.INVALID | BoatState.NO_ACCELERATION
            stamp = convert.stamp_of(round(state.time * convert.NANOSECONDS) + (self._origin or 0))
            self._publish(convert.boat_state_to_msg(state.pose, state.velocity, state.acceleration, status,
                                                    convert.header_of(stamp, self._frames[0]), self._frames[1]))


def with_fields(message: Any, fields: Mapping[str, Any]) -> Any:
    """Return a message after setting fields of it; a mapping sets the fields of a nested message."""
    for name, value in fields.items():
        if isinstance(value, Mapping):
            with_fields(getattr(message, name), value)
        else:
            setattr(message, name, value)
    return message


class SensorPublishers:
    """The publishers of all simulated sensors on a boat."""

    def __init__(self, node: ManagedNode, undo: ExitStack, sensing: Sensing, boat: Boat) -> None:
        """
        Make the publishers.

        :param node: The boat's simulator; frames are the sensors' names below its namespace.
        :param undo: Stack of undo functions.
        :param sensing: The sensors of the scenario.
        :param boat: The simulated boat.
        """
        self._origin = sensing.origin_of_fixes
        prefix = node.get_namespace().strip('/')
        self._frame = f'{prefix}/' if prefix else ''
        self._publishers = {topic: node.advertise(undo, KINDS[kind], topic) for sensor in sensing.on(boat)
                            for topic, kind in sensor_topics(sensor).items()}

    def send(self, readings: Iterable[SensorReading]) -> None:
        """Publish the readings that have subscribers."""
        for reading in readings:
            if not any(self._publishers[topic].wanted for topic in sensor_topics(reading.sensor)):
                continue
            header = convert.header_of(convert.stamp_of(round(reading.stamp * convert.NANOSECONDS)),
                                       f'{self._frame}{reading.sensor.name}')
            for message in sensor_messages(reading, self._origin):
                publisher = self._publishers[message.topic]
                if publisher.wanted:
                    msg = with_fields(KINDS[message.kind](), message.fields)
                    msg.header = header
                    publisher.publish(msg)
