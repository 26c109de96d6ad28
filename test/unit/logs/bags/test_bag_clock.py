"""Bags whose stamps are wrong, whose motion comes from two publishers, or is a pose only."""

import math

import numpy as np
import pytest
from bag_files import SPEED, TURN, TYPES, battery, circle, header, odometry, write_bag
from needs import NEEDS_ROSBAGS

from usv_energy.files.errors import InputError
from usv_energy.logs.bags.bag_columns import on_one_clock
from usv_energy.logs.read_log import read_log
from usv_energy.physics.frames import quaternion_of_yaw

pytestmark = NEEDS_ROSBAGS
N = 400  # Messages of `circle`, from 5 s on, 20 a second.


def stamped(stamp_of, seconds=20.0):
    """The circle, recorded from 1000 s on in the order of its motion, whose stamps are a function of its time, s."""
    return [(1000.0 + t, odometry(stamp_of(t), x.pose.pose.position.x, x.pose.pose.position.y, TURN * (t - 5.0), SPEED,
                                  0.0, TURN)) for t, x in circle(seconds)]


def codes(log):
    return {note.code: note.figures for note in log.notes}


def check(log, first=0, part=slice(None)):
    time = log.time[part] - log.time[part][0] + 0.05 * first
    np.testing.assert_allclose(log.x[part], SPEED / TURN * np.sin(TURN * time), atol=1e-6)


@pytest.mark.parametrize('plugin', ['MCAP', 'SQLITE3'])
def test_stamps_of_nought_before_the_first_clock_are_left_out(tmp_path, plugin):
    log = read_log(write_bag(tmp_path / 'bag', {'/odom': stamped(lambda t: 0.0 if t < 6.0 else t + 95.0)}, plugin))
    assert len(log) == N - 20 and codes(log)['stamps_unset'] == {'samples': 20} and not log.gaps
    check(log, 20)


@pytest.mark.parametrize('wall', [1, 2, 15])
def test_wall_time_before_the_first_clock_costs_no_more_than_those_messages(tmp_path, wall):
    log = read_log(write_bag(tmp_path / 'bag', {'/odom': stamped(
        lambda t: 1.7e9 + t if t < 5.0 + 0.05 * wall - 0.01 else t + 95.0)}))
    if wall > 3:
        assert len(log) == N and codes(log)['clock_set']['parts'] == 2 and len(log.pieces()) == 2
        assert log.start + log.time[-1] == pytest.approx(119.95)  # times are those of the longest part
        check(log, wall, slice(wall, None))
    else:
        assert len(log) == N - wall and codes(log)['stamps_astray']['samples'] == wall
        check(log, wall)


@pytest.mark.parametrize('recorder_too', [False, True])
def test_a_clock_set_back_loses_no_message_and_takes_the_battery_with_it(tmp_path, recorder_too):
    """By 4 s, 15 s after the begin: of the stamps alone, or of the times of recording, too."""
    def clock(t):
        return t if t < 20.0 else t - 4.0

    def recorded(t):
        return 1000.0 + (clock(t) if recorder_too else t)

    messages = [(recorded(t), message) for (t, _), (_, message) in zip(circle(), stamped(clock))]
    watts = [(recorded(t), battery(clock(t), 16.0, -t)) for t in np.arange(5.0, 25.0, 0.5)]
    path = tmp_path / 'bag'
    if recorder_too:
        log = read_log(in_order_of_arrival(path, {'/odom': messages, '/battery': watts}))
    else:
        log = read_log(write_bag(path, {'/odom': messages, '/battery': watts}))
    assert len(log) == N and codes(log)['clock_set']['parts'] == 2
    assert [(piece.start, piece.stop) for piece in log.pieces()] == [(0, 300), (300, N)]
    check(log, 300, slice(300, None))
    np.testing.assert_allclose(log.amperes[310:390], 20.0 + 0.05 * np.arange(10, 90), atol=1e-5)
    np.testing.assert_allclose(log.amperes[:290], 5.0 + 0.05 * np.arange(290), atol=1e-5)


def in_order_of_arrival(path, topics):
    """Write a bag whose times of recording go back: rosbags writes messages in the order in which they are given."""
    from bag_files import STORE, rosbag2
    with rosbag2.Writer(path, version=9, storage_plugin=rosbag2.StoragePlugin.MCAP) as writer:
        for topic, messages in topics.items():
            connection = writer.add_connection(topic, messages[0][1].__msgtype__, typestore=STORE)
            for t, message in messages:
                writer.write(connection, round(t * 1e9), STORE.serialize_cdr(message, message.__msgtype__))
    return path


def test_one_stamp_an_hour_ahead_is_left_out(tmp_path):
    log = read_log(write_bag(tmp_path / 'bag', {'/odom': stamped(lambda t: t + (3600.0 if t == 15.0 else 0.0))}))
    assert len(log) == N - 1 and codes(log)['stamps_astray']['samples'] == 1 and not log.gaps


def test_messages_out_of_order_are_put_in_order(tmp_path):
    messages = stamped(lambda t: t)
    swapped = [(1000.0 + 0.05 * k, messages[k ^ 1][1]) for k in range(N)]
    log = read_log(write_bag(tmp_path / 'bag', {'/odom': swapped}))
    assert len(log) == N and codes(log)['stamps_out_of_order'] == {'samples': N // 2}
    check(log)


@pytest.mark.parametrize('shift', [0.0, 0.02])
def test_of_two_publishers_on_one_topic_the_one_with_more_messages_is_taken_and_that_is_said(tmp_path, shift):
    """The other is 7 m away, at the same stamps or others."""
    places = [(t, message.pose.pose.position) for t, message in circle()[20:]]
    other = [(1000.0 + t + 0.01, odometry(t + shift, place.x + 7.0, place.y, 0.0, 0.0, 0.0, 0.0))
             for t, place in places]
    log = read_log(write_bag(tmp_path / 'bag', {'/odom': [*stamped(lambda t: t), *other]}))
    assert len(log) == N
    assert codes(log)['two_publishers'] == {'messages': N - 20, 'distance_m': pytest.approx(7.0, abs=0.1)}
    check(log)


def test_two_boats_that_meet_are_told_apart():
    """One goes east at 1 m/s, the other comes towards it, and they meet after 20 s, within their noise."""
    rng = np.random.default_rng(1)
    k = np.arange(800)
    t = 0.05 * k
    x = np.where(k % 2, 40.0 - t, t) + rng.normal(0.0, 0.03, 800)
    columns = {'/odom': {'stamp': 1.0 + t, 'log_time': t, 'x': x, 'y': rng.normal(0.0, 0.03, 800)}}
    notes = []
    found = on_one_clock(columns, '/odom', 'bag', notes)['/odom']
    assert [note.code for note in notes] == ['two_publishers'] and abs(len(found['time']) - 400) <= 10
    np.testing.assert_allclose(found['x'], found['time'] - 1.0, atol=0.5)


def test_two_boats_that_are_noisy_alike_are_one():
    rng = np.random.default_rng(2)
    columns = {'/odom': {'stamp': 1.0 + 0.1 * np.arange(500), 'log_time': 0.1 * np.arange(500),
                         'x': rng.normal(0.0, 2.0, 500), 'y': rng.normal(0.0, 2.0, 500)}}
    notes = []
    assert len(on_one_clock(columns, '/odom', 'bag', notes)['/odom']['time']) == 500 and not notes


@pytest.mark.parametrize('kind', ['PoseStamped', 'PoseWithCovarianceStamped'])
def test_a_pose_alone_is_places_and_headings(tmp_path, kind):
    def pose(t, x, y, yaw):
        own = TYPES['geometry_msgs/msg/Pose'](TYPES['geometry_msgs/msg/Point'](x, y, 0.0),
                                              TYPES['geometry_msgs/msg/Quaternion'](*quaternion_of_yaw(yaw)))
        if kind == 'PoseWithCovarianceStamped':
            own = TYPES['geometry_msgs/msg/PoseWithCovariance'](own, np.zeros(36))
        return TYPES[f'geometry_msgs/msg/{kind}'](header(t), own)

    goal = pose(6.0, 30.0, 0.0, 0.0)
    path = write_bag(tmp_path / 'bag', {'/boat/pose': circle(form=pose), '/boat/goal_pose': [(6.0, goal)]})
    log = read_log(path)
    check(log)
    inner = slice(20, -20)
    np.testing.assert_allclose(log.u[inner], SPEED, rtol=2e-3)
    np.testing.assert_allclose(log.v[inner], 0.0, atol=2e-3)
    np.testing.assert_allclose(log.r[inner], TURN, rtol=1e-6)
    assert 'pose_only' in {note.code for note in log.warnings}
    assert read_log(path, odom='/boat/goal_pose').x[0] == 30.0
    two = write_bag(tmp_path / 'two', {'/boat/pose': circle(form=pose), '/boat/slam/pose': circle(form=pose)})
    with pytest.raises(InputError, match=r'2 topics of poses: /boat/pose, /boat/slam/pose. Choose one by --odom'):
        read_log(two)


def test_commands_without_a_stamp_are_on_the_clock_of_the_motion(tmp_path):
    """Recorded by the wall clock, beside stamps of a simulated one."""
    force = [(1000.0 + t, TYPES['std_msgs/msg/Float64'](t)) for t in np.arange(5.0, 25.0, 0.05)]
    log = read_log(write_bag(tmp_path / 'bag', {'/boat/odom': stamped(lambda t: t), '/boat/cmd_thrust/left': force}))
    np.testing.assert_allclose(log.thrust[:, 0], 5.0 + log.time, atol=0.051)
    assert math.isclose(log.start, 5.0)
