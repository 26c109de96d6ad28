"""Bags against what was written into them, and the bulk decoding against rosbags' own."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from places import ROOT

from usv_energy.files.errors import InputError
from usv_energy.logs.bags.bag import read_bag
from usv_energy.logs.bags.bag_topics import chosen_topics
from usv_energy.logs.bags.cdr import LAYOUTS, MessageError, decode
from usv_energy.logs.read_log import read_log
from usv_energy.physics.frames import quaternion_of_yaw

rosbag2 = pytest.importorskip('rosbags.rosbag2')
typesys = pytest.importorskip('rosbags.typesys')
MESSAGES = ROOT / 'usv_energy_msgs' / 'msg'
STORE = typesys.get_typestore(typesys.Stores.ROS2_JAZZY)
STORE.register({name: definition for path in sorted(MESSAGES.glob('*.msg'))
                for name, definition in typesys.get_types_from_msg(
                    path.read_text(), f'usv_energy_msgs/msg/{path.stem}').items()})
T = STORE.types
SPEED, TURN = 1.1, 0.2


def header(t, frame='odom'):
    nanoseconds = round(t * 1e9)
    return T['std_msgs/msg/Header'](T['builtin_interfaces/msg/Time'](nanoseconds // 10**9, nanoseconds % 10**9), frame)


def vector(x=0.0, y=0.0, z=0.0):
    return T['geometry_msgs/msg/Vector3'](float(x), float(y), float(z))


def odometry(t, x, y, yaw, first, second, r, frame='odom'):
    pose = T['geometry_msgs/msg/Pose'](T['geometry_msgs/msg/Point'](float(x), float(y), 0.0),
                                       T['geometry_msgs/msg/Quaternion'](*quaternion_of_yaw(yaw)))
    return T['nav_msgs/msg/Odometry'](
        header(t, frame), 'base_link', T['geometry_msgs/msg/PoseWithCovariance'](pose, np.zeros(36)),
        T['geometry_msgs/msg/TwistWithCovariance'](
            T['geometry_msgs/msg/Twist'](vector(first, second), vector(z=r)), np.zeros(36)))


def battery(t, volts, amperes):
    nothing = np.array([], dtype=np.float32)
    unknown, rest = (math.nan,) * 4, (1, 1, 1, True, nothing, nothing, '', '')
    return T['sensor_msgs/msg/BatteryState'](header(t), volts, math.nan, amperes, *unknown, *rest)


def joints(t, names, efforts):
    nothing = np.array([])
    return T['sensor_msgs/msg/JointState'](header(t), names, nothing, nothing, np.array(efforts))


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


@pytest.mark.parametrize('plugin', ['MCAP', 'SQLITE3'])
def test_both_storages_give_the_motion_and_all_that_goes_with_it(tmp_path, plugin):
    bag = write_bag(tmp_path / 'bag', {
        '/boat/odom': circle(),
        '/boat/thruster_command': [(5.0, joints(5.0, ['left', 'right'], [3.0, 4.0])),
                                   (15.0, joints(15.0, ['left', 'right'], [5.0, 6.0]))],
        '/boat/battery': [(t, battery(t, 16.0, -2.0)) for t in np.arange(4.9, 26.0, 0.5)],
        '/boat/water_current': [(t, T['geometry_msgs/msg/Vector3Stamped'](header(t), vector(0.1 * t, 0.3)))
                                for t in np.arange(4.9, 26.0, 0.5)],
    }, plugin)
    log = read_log(bag)
    check_circle(log)
    assert log.start == pytest.approx(5.0) and len(log) == 400
    np.testing.assert_allclose(log.thrust[:199], [[3.0, 4.0]] * 199)  # held, not interpolated
    np.testing.assert_allclose(log.thrust[201:], [[5.0, 6.0]] * 199)
    np.testing.assert_allclose(log.electrical_power, 32.0)  # BatteryState: negative is discharging
    np.testing.assert_allclose(log.current_x, 0.1 * (log.time + 5.0), atol=1e-9)
    np.testing.assert_allclose(log.current_y, 0.3)


def test_other_conventions_come_out_the_same(tmp_path):
    def world(t, x, y, yaw):
        return odometry(t, x, y, yaw, SPEED * math.cos(yaw), SPEED * math.sin(yaw), TURN)

    def ned(t, x, y, yaw):
        return odometry(t, y, x, 0.5 * math.pi - yaw, SPEED, 0.0, -TURN)

    check_circle(read_bag(write_bag(tmp_path / 'a', {'/odom': circle(form=world)}), twist='world'))
    check_circle(read_bag(write_bag(tmp_path / 'b', {'/odom': circle(form=ned)}), axes='ned'))
    taken_wrong = read_log(tmp_path / 'a')
    assert 'velocity_world' in {note.code for note in taken_wrong.warnings}


def test_two_boats_are_told_apart_or_refused(tmp_path):
    bag = write_bag(tmp_path / 'bag', {
        '/one/odom': circle(), '/two/odom': circle(seconds=5.0),
        '/one/cmd_thrust/left': [(5.0, T['std_msgs/msg/Float64'](1.0))],
        '/two/cmd_thrust/left': [(5.0, T['std_msgs/msg/Float64'](2.0))]})
    with pytest.raises(InputError, match=r'2 topics of odometry: /one/odom, /two/odom.*--odom'):
        read_bag(bag)
    assert len(read_bag(bag, odom='/two/odom')) == 100
    log = read_bag(bag, namespace='one')
    assert len(log) == 400 and log.thrust[-1] == pytest.approx([1.0])
    with pytest.raises(InputError, match=r'no odometry.*in the namespace three'):
        read_bag(bag, namespace='three')
    with pytest.raises(InputError, match='must be nav_msgs'):
        read_bag(bag, odom='/one/cmd_thrust/left')


def test_thrust_topics_of_other_simulators_are_named_by_their_thruster():
    kinds = {'/wamv/odom': 'nav_msgs/msg/Odometry', '/wamv/thrusters/left/thrust': 'std_msgs/msg/Float64',
             '/wamv/thrusters/right/thrust': 'std_msgs/msg/Float64', '/wamv/thrusters/left/pos': 'std_msgs/msg/Float64'}
    assert chosen_topics(kinds, Path('x')).thrust == {'left': '/wamv/thrusters/left/thrust',
                                                      'right': '/wamv/thrusters/right/thrust'}


@pytest.mark.parametrize('share', [0.4, 0.97])
def test_a_bag_that_was_cut_off_gives_what_is_whole_and_says_so(tmp_path, share):
    bag = write_bag(tmp_path / 'bag', {'/odom': circle(seconds=200.0)})
    file = next(bag.glob('*.mcap'))
    data = file.read_bytes()
    file.write_bytes(data[:int(share * len(data))])
    log = read_log(bag)
    check_circle(log)
    assert share - 0.05 < len(log) / 4000 < share + 0.05
    assert 'bag_damaged' in {note.code for note in log.warnings}


def test_stamps_that_go_back_or_repeat_are_left_out_and_counted(tmp_path):
    messages = circle(seconds=2.0)
    bag = write_bag(tmp_path / 'bag', {'/odom': [*messages, *[(t + 10.0, message) for t, message in messages[:7]]]})
    log = read_bag(bag)
    assert len(log) == 40
    assert next(note for note in log.notes if note.code == 'stamps_not_rising').figures['messages'] == 7


def test_a_message_that_was_sent_again_is_no_cause_for_alarm(tmp_path):
    messages = circle(seconds=2.0)
    bag = write_bag(tmp_path / 'bag', {'/odom': [*messages[:5], *[messages[4]] * 3, *messages[5:]]})
    log = read_bag(bag)
    assert len(log) == 40
    assert next(note for note in log.notes if note.code == 'repeated').figures['messages'] == 3
    assert 'stamps_not_rising' not in {note.code for note in log.notes}


def test_a_folder_that_is_named_like_a_bag_is_none(tmp_path):
    (tmp_path / 'report.mcap').mkdir()
    with pytest.raises(InputError, match='holds no bag'):
        read_bag(tmp_path)


def test_a_battery_that_our_own_nodes_counted_is_no_measurement(tmp_path):
    made = replace(blank('usv_energy_msgs/msg/EnergyStamped'), header=header(5.0), total=7.0)
    bag = write_bag(tmp_path / 'bag', {'/odom': circle(), '/battery_state': [(5.0, battery(5.0, 16.0, -2.0))],
                                       '/energy': [(5.0, made)]})
    log = read_bag(bag)
    assert not log.known('electrical_power')
    assert 'battery_computed' in {note.code for note in log.notes}
    assert log.extra['energy_j'][0] == 7.0


def test_what_is_no_bag_is_refused(tmp_path):
    (tmp_path / 'a.mcap').write_bytes(b'')
    with pytest.raises(InputError, match='is empty'):
        read_log(tmp_path / 'a.mcap')
    (tmp_path / 'b.mcap').write_bytes(b'0123456789' * 9)
    with pytest.raises(InputError, match='is no MCAP file'):
        read_log(tmp_path / 'b.mcap')
    (tmp_path / 'c.db3').write_bytes(b'0123456789' * 90)
    with pytest.raises(InputError, match='SQLite'):
        read_log(tmp_path / 'c.db3')
    (tmp_path / 'empty').mkdir()
    with pytest.raises(InputError, match='holds no bag'):
        read_log(tmp_path / 'empty')
    with pytest.raises(InputError, match='twist is'):
        read_bag(tmp_path, twist='up')


def test_compressed_chunks_are_read(tmp_path):
    writer = pytest.importorskip('mcap.writer')
    for compression, library in (('ZSTD', 'zstandard'), ('LZ4', 'lz4')):
        pytest.importorskip(library)
        path = tmp_path / f'{library}.mcap'
        with path.open('wb') as file:
            out = writer.Writer(file, compression=writer.CompressionType[compression])
            out.start('ros2')
            schema = out.register_schema('nav_msgs/msg/Odometry', 'ros2msg', b'')
            channel = out.register_channel('/odom', 'cdr', schema)
            for t, message in circle():
                out.add_message(channel, round(t * 1e9), STORE.serialize_cdr(message, 'nav_msgs/msg/Odometry'),
                                round(t * 1e9))
            out.finish()
        check_circle(read_bag(path))


def test_bulk_decoding_of_odometry_agrees_with_rosbags(rng):
    messages = [odometry(float(t), *rng.uniform(-3.0, 3.0, 6), frame='f' * int(rng.integers(0, 9)))
                for t in rng.uniform(0.0, 1e9, 200)]
    for little in (True, False):
        raw = [bytes(STORE.serialize_cdr(message, 'nav_msgs/msg/Odometry', little_endian=little))
               for message in messages]
        seen = 0
        for places, found in decode('nav_msgs/msg/Odometry', raw):
            for row, place in enumerate(places):
                own = STORE.deserialize_cdr(raw[place], 'nav_msgs/msg/Odometry')
                point, turn, twist = own.pose.pose.position, own.pose.pose.orientation, own.twist.twist
                assert (found['sec'][row], found['nanosec'][row]) == (own.header.stamp.sec, own.header.stamp.nanosec)
                assert found['frame_id'] == (own.header.frame_id,)
                assert found['position'][row].tolist() == [point.x, point.y, point.z]
                assert found['orientation'][row].tolist() == [turn.x, turn.y, turn.z, turn.w]
                assert found['linear'][row].tolist() == [twist.linear.x, twist.linear.y, twist.linear.z]
                assert found['angular'][row][2] == twist.angular.z
                seen += 1
        assert seen == len(messages)


def test_every_layout_is_its_messages_own():
    """Each field that a layout names is where rosbags, which has the definitions, puts it."""
    samples = {
        'usv_energy_msgs/msg/PowerStamped': ('total', 41.0), 'usv_energy_msgs/msg/EnergyStamped': ('total', 42.0),
        'usv_energy_msgs/msg/ThrusterPower': ('power', 43.0), 'usv_energy_msgs/msg/BoatState': ('yaw', 44.0)}
    for kind, (field, value) in samples.items():
        message = replace(blank(kind), **{field: value})
        (_, found), = decode(kind, [bytes(STORE.serialize_cdr(message, kind))])
        assert found[field][0] == value, kind
    assert set(samples) <= set(LAYOUTS)


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
    return T[kind](**{name: value(definition) for name, definition in STORE.fielddefs[kind][1]})


def test_short_messages_are_refused():
    with pytest.raises(MessageError):
        decode('std_msgs/msg/Float64', [b'\0\1\0\0\0\0'])
    with pytest.raises(MessageError):
        decode('std_msgs/msg/Float64', [b'\0'])
