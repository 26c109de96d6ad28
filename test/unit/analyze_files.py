"""Logs for the tests of `analyze`: bags of any convention and tables, all of one run of which the truth is known."""

import math
from functools import cache
from pathlib import Path

import numpy as np

from usv_energy.boats.boat_file import read_boat
from usv_energy.logs.log import Log
from usv_energy.physics.frames import quaternion_of_yaw, to_earth
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario

ODOMETRY, VECTOR = 'nav_msgs/msg/Odometry', 'geometry_msgs/msg/Vector3Stamped'
JOINTS, BATTERY = 'sensor_msgs/msg/JointState', 'sensor_msgs/msg/BatteryState'


@cache
def run_of(name='6'):
    """Return a run of a shipped scenario: a current, a wind, a turn."""
    return run_scenario(read_scenario(name))


BOAT = read_boat('lutra_prop')
RUN = run_of()
TRUTH = RUN.energy
STILL_AIR = BOAT.vessel.windage._replace(frontal_area=0.0, lateral_area=0.0)


def straight(number=400, speed=1.0, heading=0.5, period=0.05, **known):
    """Return the log of a boat that goes straight at one speed."""
    time = period * np.arange(number)
    series = {'x': speed * math.cos(heading) * time, 'y': speed * math.sin(heading) * time,
              'yaw': np.full(number, heading), 'u': np.full(number, speed), 'v': np.zeros(number),
              'r': np.zeros(number)}
    return Log('straight', Path('straight'), time, **{**series, **known})


def odometry_of(row, axes='enu', twist='body'):
    """Return (x, y, yaw, first, second, r) of a row in somebody's convention."""
    x, y, yaw, u, v, r = row.x, row.y, row.motion.yaw, row.motion.u, row.motion.v, row.motion.r
    if twist == 'world':
        u, v = to_earth(u, v, math.cos(yaw), math.sin(yaw))
    if axes == 'ned':
        first, second = (v, u) if twist == 'world' else (u, -v)
        return y, x, 0.5 * math.pi - yaw, first, second, -r
    return x, y, yaw, u, v, r


class BagOf:
    """Writes a bag by rosbags; messages are given as plain numbers."""

    def __init__(self, folder, plugin='mcap'):
        from rosbags.rosbag2 import StoragePlugin, Writer
        from rosbags.typesys import Stores, get_typestore
        self.store = get_typestore(Stores.ROS2_JAZZY)
        self.types = self.store.types
        self.writer = Writer(folder, version=9, storage_plugin=StoragePlugin[plugin.upper()])
        self.writer.open()
        self.connections = {}

    def put(self, topic, message, time):
        kind = message.__msgtype__
        if topic not in self.connections:
            self.connections[topic] = self.writer.add_connection(topic, kind, typestore=self.store)
        self.writer.write(self.connections[topic], round(time * 1e9), self.store.serialize_cdr(message, kind))

    def header(self, time):
        nanosecond = round(time * 1e9)
        stamp = self.types['builtin_interfaces/msg/Time'](sec=nanosecond // 10**9, nanosec=nanosecond % 10**9)
        return self.types['std_msgs/msg/Header'](stamp=stamp, frame_id='odom')

    def odometry(self, topic, time, values):
        x, y, yaw, first, second, r = values
        kind = self.types
        vector = kind['geometry_msgs/msg/Vector3']
        turn = kind['geometry_msgs/msg/Quaternion'](*quaternion_of_yaw(yaw))
        pose = kind['geometry_msgs/msg/Pose'](kind['geometry_msgs/msg/Point'](x, y, 0.0), turn)
        twist = kind['geometry_msgs/msg/Twist'](vector(first, second, 0.0), vector(0.0, 0.0, r))
        self.put(topic, kind[ODOMETRY](
            self.header(time), 'base_link', kind['geometry_msgs/msg/PoseWithCovariance'](pose, np.zeros(36)),
            kind['geometry_msgs/msg/TwistWithCovariance'](twist, np.zeros(36))), time)

    def vector(self, topic, time, x, y):
        self.put(topic, self.types[VECTOR](
            self.header(time), self.types['geometry_msgs/msg/Vector3'](x, y, 0.0)), time)

    def close(self):
        self.writer.close()


def write_bag(folder, run, every=1, axes='enu', twist='body', namespaces=('boat',), flows=True, plugin='mcap'):
    """Write the bag of a run, every so many samples, in somebody's convention; one boat a namespace."""
    bag = BagOf(folder, plugin)
    for row in run.rows[::every]:
        for name in namespaces:
            bag.odometry(f'/{name}/odom', row.time + 1000.0, odometry_of(row, axes, twist))
            if flows:
                bag.vector(f'/{name}/water_current', row.time + 1000.0, row.flow.current_x, row.flow.current_y)
                bag.vector(f'/{name}/wind', row.time + 1000.0, row.flow.wind_x, row.flow.wind_y)
    bag.close()
    return folder


def write_table(path, columns):
    """Write a CSV of columns by name."""
    names = list(columns)
    lines = [','.join(names), *(','.join('' if math.isnan(v) else repr(float(v)) for v in row)
                                for row in zip(*columns.values()))]
    path.write_text('\n'.join(lines) + '\n')
    return path
