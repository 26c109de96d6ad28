"""Bags for tests: a boat that goes round counter-clockwise, written by rosbags, which is an optional library."""

import math

import numpy as np
from places import ROOT

from usv_energy.physics.frames import quaternion_of_yaw

try:
    from rosbags import rosbag2, typesys
except ImportError:
    STORE, TYPES = None, {}
else:
    STORE = typesys.get_typestore(typesys.Stores.ROS2_JAZZY)
    STORE.register({name: definition for path in sorted((ROOT / 'usv_energy_msgs' / 'msg').glob('*.msg'))
                    for name, definition in typesys.get_types_from_msg(
                        path.read_text(), f'usv_energy_msgs/msg/{path.stem}').items()})
    TYPES = STORE.types
ODOMETRY = 'nav_msgs/msg/Odometry'
SPEED, TURN = 1.1, 0.2  # m/s, rad/s


def header(t, frame='odom'):
    nanoseconds = round(t * 1e9)
    stamp = TYPES['builtin_interfaces/msg/Time'](nanoseconds // 10**9, nanoseconds % 10**9)
    return TYPES['std_msgs/msg/Header'](stamp, frame)


def vector(x=0.0, y=0.0, z=0.0):
    return TYPES['geometry_msgs/msg/Vector3'](float(x), float(y), float(z))


def odometry(t, x, y, yaw, first, second, r, frame='odom'):
    pose = TYPES['geometry_msgs/msg/Pose'](TYPES['geometry_msgs/msg/Point'](float(x), float(y), 0.0),
                                       TYPES['geometry_msgs/msg/Quaternion'](*quaternion_of_yaw(yaw)))
    return TYPES['nav_msgs/msg/Odometry'](
        header(t, frame), 'base_link', TYPES['geometry_msgs/msg/PoseWithCovariance'](pose, np.zeros(36)),
        TYPES['geometry_msgs/msg/TwistWithCovariance'](
            TYPES['geometry_msgs/msg/Twist'](vector(first, second), vector(z=r)), np.zeros(36)))


def battery(t, volts, amperes):
    nothing = np.array([], dtype=np.float32)
    unknown, rest = (math.nan,) * 4, (1, 1, 1, True, nothing, nothing, '', '')
    return TYPES['sensor_msgs/msg/BatteryState'](header(t), volts, math.nan, amperes, *unknown, *rest)


def joints(t, names, efforts, positions=(), velocities=()):
    return TYPES['sensor_msgs/msg/JointState'](header(t), names, np.array(positions), np.array(velocities),
                                               np.array(efforts))


def blank(kind):
    """Return a message of zeros, texts of a few letters, and empty lists."""
    def value(definition):
        code, detail = definition[0].name, definition[1]
        if code == 'NAME':
            return blank(detail)
        if code == 'BASE':
            return 'abc' if detail[0] == 'string' else (0 if 'int' in detail[0] else 0.0)
        inner = detail[0][1][0]
        if code == 'ARRAY':
            return np.zeros(detail[1])
        return [] if inner == 'string' else np.array([])
    return TYPES[kind](**{name: value(definition) for name, definition in STORE.fielddefs[kind][1]})


def circle(seconds=20.0, rate=20.0, form=lambda t, x, y, yaw: odometry(t, x, y, yaw, SPEED, 0.0, TURN)):
    """Odometry of a boat that goes round counter-clockwise in ENU."""
    found = []
    for step in range(int(seconds * rate)):
        t, yaw = 5.0 + step / rate, TURN * step / rate
        radius = SPEED / TURN
        found.append((t, form(t, radius * math.sin(yaw), radius * (1.0 - math.cos(yaw)), yaw)))
    return found


def write_bag(path, topics, plugin='MCAP'):
    with rosbag2.Writer(path, version=9, storage_plugin=rosbag2.StoragePlugin[plugin]) as writer:
        connections = {}
        everything = sorted(((t, topic, message) for topic, messages in topics.items() for t, message in messages),
                            key=lambda one: one[0])
        for t, topic, message in everything:
            kind = message.__msgtype__
            if topic not in connections:
                connections[topic] = writer.add_connection(topic, kind, typestore=STORE)
            writer.write(connections[topic], round(t * 1e9), STORE.serialize_cdr(message, kind))
    return path


def check_circle(log):
    np.testing.assert_allclose(log.u, SPEED, atol=1e-9)
    np.testing.assert_allclose(log.v, 0.0, atol=1e-9)
    np.testing.assert_allclose(log.r, TURN, atol=1e-12)
    np.testing.assert_allclose(log.yaw, TURN * log.time, atol=1e-9)
    np.testing.assert_allclose(log.x, SPEED / TURN * np.sin(log.yaw), atol=1e-9)
