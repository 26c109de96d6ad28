"""The boat of `east_files` in bags of ROS 1 and 2, written by rosbags: odometry, poses, sensors, PX4's messages."""

import json

import east_files
import numpy as np
from bag_files import TYPES, header, odometry, write_bag
from east_files import LATITUDE, LONGITUDE, TIME
from rosbags import rosbag1
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

START = east_files.BEGIN.timestamp()
NED_EAST = (np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5))  # w, x, y, z of a turn by 90 degrees, from north to east
# As PX4 1.15 has them, but for fields that nothing reads.
PX4 = {
    'VehicleLocalPosition': 'uint64 timestamp\nuint64 timestamp_sample\nbool xy_valid\nbool z_valid\nbool v_xy_valid\n'
                            'bool v_z_valid\nfloat32 x\nfloat32 y\nfloat32 z\nfloat32[2] delta_xy\n'
                            'uint8 xy_reset_counter\nfloat32 vx\nfloat32 vy\nfloat32 vz\n'
                            'uint8 DIST_BOTTOM_SENSOR_NONE=0',
    'VehicleAttitude': 'uint64 timestamp\nuint64 timestamp_sample\nfloat32[4] q # from FRD to NED\n'
                       'float32[4] delta_q_reset\nuint8 quat_reset_counter',
    'BatteryStatus': 'uint64 timestamp\nbool connected\nfloat32 voltage_v\nfloat32 current_a'}
PX4_STORE = get_typestore(Stores.ROS2_JAZZY)
PX4_STORE.register({name: definition for kind, text in PX4.items()
                    for name, definition in get_types_from_msg(text, f'px4_msgs/msg/{kind}').items()})
ROS1_STORE = get_typestore(Stores.ROS1_NOETIC)


def fix(time, types=TYPES, head=header):
    row = int(time)
    return types['sensor_msgs/msg/NavSatFix'](
        head(START + time), types['sensor_msgs/msg/NavSatStatus'](0,
                                                                  1), float(LATITUDE[row]), float(LONGITUDE[row]), 0.0,
        np.zeros(9), 0)


def imu(time, types=TYPES, head=header):
    nothing = types['geometry_msgs/msg/Vector3'](0.0, 0.0, 0.0)
    return types['sensor_msgs/msg/Imu'](head(START + time), types['geometry_msgs/msg/Quaternion'](0.0, 0.0, 0.0, 1.0),
                                        np.zeros(9), nothing, np.zeros(9), nothing, np.zeros(9))


def bag_of_poses(path):
    def pose(time):
        return TYPES['geometry_msgs/msg/PoseStamped'](header(START + time), odometry(0, time, 0, 0, 0, 0, 0).pose.pose)
    write_bag(path, {'/boat/pose': [(START + time, pose(time)) for time in TIME]})


def bag_of_gps_and_imu(path):
    write_bag(path, {'/mavros/global_position/global': [(START + time, fix(time)) for time in TIME],
                     '/mavros/imu/data': [(START + time, imu(time)) for time in np.arange(0.0, 120.0, 0.1)]}, 'SQLITE3')


def bag_of_mavros(path):
    write_bag(path, {'/mavros/local_position/odom': [
        (START + time, odometry(START + time, time, 0.0, 0.0, 1.0, 0.0, 0.0, 'map')) for time in TIME],
                     '/mavros/global_position/global': [(START + time, fix(time)) for time in TIME]})


def bag_of_px4(path):
    from rosbags import rosbag2
    stamp = [int(1e6 * (10.0 + time)) for time in TIME]
    kinds = {kind: PX4_STORE.types[f'px4_msgs/msg/{kind}'] for kind in PX4}
    topics = {
        'VehicleLocalPosition': [kinds['VehicleLocalPosition'](when, when, True, True, True, True, 0.0, float(time),
                                                               0.0,
                                                               np.zeros(2, np.float32), 0, 0.0, 1.0, 0.0)
                                 for when, time in zip(stamp, TIME)],
        'VehicleAttitude': [kinds['VehicleAttitude'](when, when, np.array(NED_EAST, np.float32),
                                                     np.zeros(4, np.float32), 0)
                            for when in stamp],
        'BatteryStatus': [kinds['BatteryStatus'](when, True, 24.0, 1.0 + number) for number, when in enumerate(stamp)]}
    with rosbag2.Writer(path, version=9, storage_plugin=rosbag2.StoragePlugin.MCAP) as writer:
        for kind, messages in topics.items():
            name = f'px4_msgs/msg/{kind}'
            topic = '/fmu/out/' + ''.join(f'_{c.lower()}' if c.isupper() else c for c in kind).strip('_')
            connection = writer.add_connection(topic, name, typestore=PX4_STORE)
            for message, time in zip(messages, TIME):
                writer.write(connection, round(1e9 * (START + time)), PX4_STORE.serialize_cdr(message, name))


def head_of_ros1(time):
    types = ROS1_STORE.types
    nanoseconds = round(time * 1e9)
    return types['std_msgs/msg/Header'](7,
                                        types['builtin_interfaces/msg/Time'](nanoseconds // 10**9, nanoseconds % 10**9),
                                        'odom')


def write_ros1(path, topics):
    with rosbag1.Writer(path) as writer:
        for topic, (kind, messages) in topics.items():
            connection = writer.add_connection(topic, kind, typestore=ROS1_STORE)
            for time, message in messages:
                writer.write(connection, round(1e9 * (START + time)), ROS1_STORE.serialize_ros1(message, kind))


def ros1_odometry(path):
    types = ROS1_STORE.types

    def motion(time):
        pose = types['geometry_msgs/msg/Pose'](types['geometry_msgs/msg/Point'](float(time), 0.0, 0.0),
                                               types['geometry_msgs/msg/Quaternion'](0.0, 0.0, 0.0, 1.0))
        twist = types['geometry_msgs/msg/Twist'](types['geometry_msgs/msg/Vector3'](1.0, 0.0, 0.0),
                                                 types['geometry_msgs/msg/Vector3'](0.0, 0.0, 0.0))
        return types['nav_msgs/msg/Odometry'](
            head_of_ros1(START + time), 'base_link', types['geometry_msgs/msg/PoseWithCovariance'](pose, np.zeros(36)),
            types['geometry_msgs/msg/TwistWithCovariance'](twist, np.zeros(36)))
    write_ros1(path, {'/boat/odom': ('nav_msgs/msg/Odometry', [(time, motion(time)) for time in TIME])})


def ros1_sensors(path):
    types = ROS1_STORE.types
    write_ros1(path, {
        '/gps/fix': ('sensor_msgs/msg/NavSatFix', [(time, fix(time, types, head_of_ros1)) for time in TIME]),
        '/imu/data': ('sensor_msgs/msg/Imu', [(time, imu(time, types, head_of_ros1)) for time in np.arange(0, 120.0,
                                                                                                           0.2)])})


def write_json(path, topics, encoding='json'):
    """Write messages of JSON, by topic and schema, each with its time, as an MCAP file."""
    from mcap.writer import Writer
    with path.open('wb') as file:
        writer = Writer(file)
        writer.start()
        for (topic, kind), messages in topics.items():
            schema = writer.register_schema(kind, 'jsonschema', b'{}')
            channel = writer.register_channel(topic, encoding, schema)
            for time, value in messages:
                when = round(1e9 * (START + time))
                writer.add_message(channel, when, json.dumps(value).encode(), when)
        writer.finish()


def bag_of_foxglove(path, encoding='json'):
    stamps = [{'sec': int(START + time), 'nsec': 0} for time in TIME]
    write_json(path, {
        ('/usv1/where', 'foxglove.LocationFix'): [
            (time, {'timestamp': stamp, 'frame_id': 'x', 'latitude': north, 'longitude': east, 'altitude': 0.0})
            for time, stamp, north, east in zip(TIME, stamps, LATITUDE, LONGITUDE)],
        ('/usv1/heading', 'Number'): [(0.1 * step, {'value': 90.0}) for step in range(1200)],
        ('/usv1/log', 'foxglove.Log'): [(0.0, {'message': 'hello'})]}, encoding)


def bag_of_blueos(path):
    def message(kind, **fields):
        return {'header': {'system_id': 1, 'component_id': 1, 'sequence': 0}, 'message': {'type': kind, **fields}}
    write_json(path, {
        ('mavlink/1/1/GLOBAL_POSITION_INT', 'mavlink.Message'): [
            (time, message('GLOBAL_POSITION_INT', time_boot_ms=int(1e3 * time) + 5000, lat=round(1e7 * north),
                           lon=round(1e7 * east), vx=0, vy=100, hdg=9000))
            for time, north, east in zip(TIME, LATITUDE, LONGITUDE)],
        ('mavlink/1/1/ATTITUDE', 'mavlink.Message'): [
            (time, message('ATTITUDE', time_boot_ms=int(1e3 * time) + 5000, yaw=0.5 * np.pi, yawspeed=0.0))
            for time in TIME],
        ('mavlink/1/1/HEARTBEAT', 'mavlink.Message'): [
            (time, message('HEARTBEAT', mavtype={'type': 'MAV_TYPE_SURFACE_BOAT'},
                           autopilot={'type': 'MAV_AUTOPILOT_ARDUPILOTMEGA'})) for time in TIME],
        ('services/log', 'Log'): [(0.0, {'message': 'hello'})]})


BAGS = {'poses': bag_of_poses, 'sensors': bag_of_gps_and_imu, 'mavros': bag_of_mavros, 'px4': bag_of_px4,
        'odometry.bag': ros1_odometry, 'sensors.bag': ros1_sensors,
        'foxglove.mcap': bag_of_foxglove, 'blueos.mcap': bag_of_blueos}
