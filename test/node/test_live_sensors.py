"""state_adapter without odometry: boat states of GPS, compass and gyro; and robot_localization's odometry as it is."""

import math

import pytest
import rclpy
from geometry_msgs.msg import TwistWithCovarianceStamped
from nav_msgs.msg import Odometry
from rclpy.qos import QoSProfile
from sensor_msgs.msg import Imu, MagneticField, NavSatFix
from std_msgs.msg import Header

from usv_energy.boats.sensor import Sensor, SensorErrors
from usv_energy.ros.framework import qos
from usv_energy.ros.graph.compose import Composition
from usv_energy.ros.graph.graph import NodeSpec
from usv_energy.ros.live.live_sensors import KINDS, with_fields
from usv_energy.ros.messages import convert
from usv_energy.sim.sensors.sensor_messages import quaternion_of, sensor_messages
from usv_energy.sim.sensors.sensor_suite import SensorSuite, TrueState
from usv_energy_msgs.msg import BoatState

ORIGIN = (-51.05, -30.08)
TURN, SPEED = 0.15, 1.2
EXACT = SensorErrors(noise=1e-4)
GPS = Sensor('gps', 'gnss', 5.0, errors={'position': EXACT, 'velocity': EXACT})
IMU = Sensor('imu', 'imu', 20.0, errors={'gyro': EXACT, 'heading': EXACT})
COMPASS = Sensor('compass', 'magnetometer', 20.0, errors={'field': SensorErrors()},
                 numbers={'horizontal': 2e-5, 'down': 1e-5, 'declination': math.radians(-16.0)})
TOPICS = {'gps/fix': NavSatFix, 'gps/fix_velocity': TwistWithCovarianceStamped, 'imu/data': Imu,
          'compass/mag': MagneticField}


def circling(time):
    return TrueState(time, SPEED / TURN * math.sin(TURN * time), -SPEED / TURN * math.cos(TURN * time),
                     yaw=TURN * time, u=SPEED, r=TURN)


class Boat:
    """A state adapter with parameters, and a probe that speaks and hears."""

    def __init__(self, **parameters):
        self.composition = Composition([NodeSpec('state_adapter', 'state_adapter', parameters)], '/boat')
        self.node = rclpy.create_node('probe', namespace='/boat')
        self.states = []
        self.node.create_subscription(BoatState, 'boat_state', self.states.append, qos.STREAM)
        self.composition.executor.add_node(self.node)

    def until(self, done, deadline=30.0):
        assert self.composition.spin_until(done, deadline), f'{len(self.states)} states'

    def close(self):
        self.composition.executor.remove_node(self.node)
        self.node.destroy_node()
        self.composition.close()


@pytest.fixture
def boat(ros):
    made = []

    def make(**parameters):
        made.append(Boat(**parameters))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.mark.parametrize('compass', [False, True])
def test_boat_states_are_those_of_the_sensors(boat, compass):
    one = boat(gps_fix='gps/fix', gps_velocity='gps/fix_velocity', imu='imu/data', lag=1.0,
               **({'compass': 'compass/mag', 'declination_deg': -16.0} if compass else {}))
    publishers = {topic: one.node.create_publisher(kind, topic, qos.STREAM) for topic, kind in TOPICS.items()}
    heard = [topic for topic in TOPICS if compass or topic != 'compass/mag']
    one.until(lambda: all(publishers[topic].get_subscription_count() for topic in heard))
    suite = SensorSuite([GPS, IMU, COMPASS], 2)
    for k in range(601):
        for reading in suite.observe(circling(0.02 * k)):
            for message in sensor_messages(reading, ORIGIN):
                made = with_fields(KINDS[message.kind](), message.fields)
                made.header = Header(stamp=convert.stamp_of(10 ** 18 + round(1e9 * reading.stamp)), frame_id='x')
                publishers[message.topic].publish(made)
        if k == 300:  # One stamped far in the future, and one that nobody stamped: neither is used.
            publishers['gps/fix'].publish(NavSatFix(header=Header(stamp=convert.stamp_of((2 ** 31 - 1) * 10 ** 9))))
            publishers['imu/data'].publish(Imu())
        if k % 20 == 0:
            one.composition.spin_until(lambda: False, 0.02)
    one.until(lambda: len(one.states) > 150)
    assert one.composition.nodes['state_adapter']._samples._useless == 2
    start = circling(0.0)
    for state in one.states[100:150]:
        time = (convert.nanoseconds(state.header.stamp) - 10 ** 18) / 1e9
        true = circling(time)
        assert state.status == BoatState.OK
        assert (state.header.frame_id, state.child_frame_id) == ('boat/odom', 'boat/base_link')
        assert (state.pose.position.x, state.pose.position.y) == pytest.approx(
            (true.x - start.x, true.y - start.y), abs=0.03)
        assert math.remainder(state.yaw - true.yaw, 2.0 * math.pi) == pytest.approx(0.0, abs=0.01)
        motion = convert.motion_from_msg(state)
        assert (motion.u, motion.v, motion.r) == pytest.approx((SPEED, 0.0, TURN), abs=0.02)


def test_a_gps_without_a_fix_says_nothing(boat):
    one = boat(gps_fix='gps/fix', imu='imu/data', lag=0.5)
    publisher = one.node.create_publisher(NavSatFix, 'gps/fix', qos.STREAM)
    one.until(lambda: publisher.get_subscription_count() > 0)
    for k in range(30):
        # As receivers without a fix say it, and one that lies: no place on Earth.
        message = NavSatFix(header=Header(stamp=convert.stamp_of(k * 10 ** 8)))
        message.latitude = (math.nan, 214.7, 1e308)[k % 3]
        message.status.status = -1 if k % 3 == 0 else 0
        publisher.publish(message)
    adapter = one.composition.nodes['state_adapter']
    one.until(lambda: adapter._samples._useless == 30)
    assert one.states == []


def test_an_orientation_that_nobody_fills_in_is_no_heading(boat, monkeypatch):
    """It is (0, 0, 0, 1) then, a message's default; it is the boat's, too, once another one was heard."""
    one = boat(gps_fix='gps/fix', imu='imu/data', lag=0.5)
    publisher = one.node.create_publisher(Imu, 'imu/data', qos.STREAM)
    one.until(lambda: publisher.get_subscription_count() > 0)
    turned = []
    sensors = one.composition.nodes['state_adapter']._sensors
    monkeypatch.setattr(sensors._stream, 'turning', lambda time, yaw, rate: turned.append((yaw, rate)) or [])
    for number, (turn, rate) in enumerate([(0.0, 0.0), (0.0, 0.1), (0.3, 0.1), (0.0, 0.1)], 1):
        message = Imu(header=Header(stamp=convert.stamp_of(number * 10 ** 8)))
        message.orientation.z, message.orientation.w = math.sin(0.5 * turn), math.cos(0.5 * turn)
        message.angular_velocity.z = rate
        publisher.publish(message)
        one.until(lambda number=number: len(turned) == number)
    assert turned == [(0.0, 0.0), (pytest.approx(math.nan, nan_ok=True), 0.1), (pytest.approx(0.3), 0.1), (0.0, 0.1)]


def test_odometry_of_robot_localization_is_taken_as_it_is(boat):
    """
    Its ekf_node (cra-ros-pkg/robot_localization, 1cb9533, src/ros_filter.cpp, getFilteredOdometryMessage).

    Stamps are those of the last measurement, uneven and rising; the pose is in `world_frame` (ENU), with height, roll
    and pitch; the twist is along the body, in `base_link_frame`; the topic `odometry/filtered` is QoS(10), reliable.
    """
    one = boat(lag=0.0)
    publisher = one.node.create_publisher(Odometry, 'odom', QoSProfile(depth=10))
    one.until(lambda: publisher.get_subscription_count() > 0)
    stamps = [1_700_000_000_000_000_000 + k * 33_000_000 + (k % 3) * 4_000_000 for k in range(40)]
    for stamp in stamps:
        true = circling((stamp - stamps[0]) / 1e9)
        message = Odometry(header=Header(stamp=convert.stamp_of(stamp), frame_id='map'), child_frame_id='base_link')
        position, turn, twist = message.pose.pose.position, message.pose.pose.orientation, message.twist.twist
        position.x, position.y, position.z = true.x, true.y, 0.3
        for axis, value in quaternion_of(0.02, -0.03, true.yaw).items():
            setattr(turn, axis, value)
        twist.linear.x, twist.linear.y, twist.linear.z = SPEED, 0.1, 0.05
        twist.angular.x, twist.angular.y, twist.angular.z = 0.01, 0.02, TURN
        publisher.publish(message)
        one.composition.spin_until(lambda stamp=stamp: bool(one.states) and convert.nanoseconds(
            one.states[-1].header.stamp) == stamp, 2.0)
    assert len(one.states) > 30
    for state in one.states:
        time = (convert.nanoseconds(state.header.stamp) - stamps[0]) / 1e9
        motion = convert.motion_from_msg(state)
        assert not state.status & BoatState.INVALID
        assert (state.header.frame_id, state.child_frame_id) == ('map', 'base_link')
        assert math.remainder(motion.yaw - TURN * time, 2.0 * math.pi) == pytest.approx(0.0, abs=1e-9)
        assert (motion.u, motion.v, motion.r) == (SPEED, 0.1, TURN)
