import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from bag_files import ODOMETRY, STORE, TYPES, battery, blank, header, joints, odometry, vector
from needs import NEEDS_ROSBAGS
from scipy.spatial.transform import Rotation

from usv_energy.files.errors import InputError
from usv_energy.logs.bags.bag_columns import _afloat, bag_columns
from usv_energy.logs.bags.cdr import CDR
from usv_energy.logs.bags.message_blocks import Batch, block_of

pytestmark = NEEDS_ROSBAGS
JOINTS, BATTERY = 'sensor_msgs/msg/JointState', 'sensor_msgs/msg/BatteryState'


class File:
    """A bag's file that holds some messages, a batch for every few of them."""

    def __init__(self, kinds, messages, size):
        self.path, self.faults, self.wire = Path('a.mcap'), [], CDR
        self.kinds, self.messages, self.size = kinds, messages, size

    def topics(self):
        return self.kinds

    def batches(self, topics):
        for topic in topics:
            messages = self.messages[topic]
            for first in range(0, len(messages), self.size):
                some = messages[first:first + self.size]
                raw = [bytes(STORE.serialize_cdr(message, message.__msgtype__)) for _, message in some]
                yield Batch(topic, some[0][1].__msgtype__, np.array([round(1e9 * t) for t, _ in some]), [block_of(raw)])


def columns_of(messages, kind, size=100):
    files, frames = [File({'/a': kind}, {'/a': messages}, size)], {}
    return bag_columns(files, {'/a'}, {'/a': kind}, Path('bag'), lambda count: None, frames)['/a'], frames, files[0]


@pytest.mark.parametrize('size', [1, 3, 100])
def test_an_odometry_is_its_motion(size):
    motions = [(0.0, 0.0, 0.5), (0.0, 0.0, 0.5), (1.0, 2.0, -3.0), (1.0, 2.0, -3.0), (0.0, 0.0, 0.5)]
    messages = [(10.0 + k, odometry(0.25 + k // 2, x, y, yaw, x + 0.5, y + 0.5, 0.1))
                for k, (x, y, yaw) in enumerate(motions)]
    found, frames, _ = columns_of(messages, ODOMETRY, size)
    assert found['stamp'].tolist() == [0.25, 0.25, 1.25, 1.25, 2.25]
    np.testing.assert_allclose(found['log_time'], [10.0, 11.0, 12.0, 13.0, 14.0])
    x, y, yaw = np.array(motions).T
    for name, wanted in (('x', x), ('y', y), ('yaw', yaw), ('ahead', x + 0.5), ('aside', y + 0.5)):
        np.testing.assert_allclose(found[name], wanted, atol=1e-12)
    assert frames == {'/a': 'odom'} and set(found['r']) == {0.1}


def test_lists_are_by_thruster_whatever_their_order_and_number():
    messages = [(1.0, joints(1.0, ['left', 'right'], [1.0, 2.0])), (2.0, joints(2.0, ['right', 'left'], [4.0, 3.0])),
                (3.0, joints(3.0, ['left'], [5.0])), (4.0, joints(4.0, ['left', 'right'], [6.0]))]
    for size in (1, 4):
        found, *_ = columns_of(messages, JOINTS, size)
        np.testing.assert_array_equal(found['effort/left'], [1.0, 3.0, 5.0, 6.0])
        np.testing.assert_array_equal(found['effort/right'], [2.0, 4.0, math.nan, math.nan])
        assert not any(name.startswith('position') for name in found)


def test_a_batch_of_another_type_is_left_out_and_one_that_is_no_such_message_refused():
    _, _, file = columns_of([(1.0, battery(1.0, 16.0, -2.0))] * 3, BATTERY)
    assert file.faults == []
    with pytest.raises(KeyError):
        columns_of([(1.0, battery(1.0, 16.0, -2.0))] * 3, ODOMETRY)
    with pytest.raises(InputError, match='the topic /a holds what is no'):
        short = File({}, {'/a': []}, 1)
        short.batches = lambda topics: [Batch('/a', ODOMETRY, np.array([0]), [block_of([b'\0\1\0\0'])])]
        bag_columns([short], {'/a'}, {'/a': ODOMETRY}, Path('bag'), lambda count: None, {})


def test_progress_is_the_number_of_messages_so_far():
    """Seven of odometry, three a batch; those of another kind than the topic's are not counted."""
    messages = [(float(k), odometry(0.1 * k, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0)) for k in range(7)]
    told = []
    bag_columns([File({'/a': ODOMETRY}, {'/a': messages}, 3)], {'/a'}, {'/a': ODOMETRY}, Path('bag'), told.append, {})
    assert told == [3, 6, 7]


def test_a_state_of_our_own_has_its_accelerations_along_the_body_s_axes():
    """BoatState: acceleration.linear and .angular; of the angular one only that about the upward axis counts."""
    kind = 'usv_energy_msgs/msg/BoatState'
    state = blank(kind)
    messages = [(k, replace(state, header=header(k), acceleration=replace(
        state.acceleration, linear=vector(0.1 * k, -0.2 * k, 9.0), angular=vector(8.0, 7.0, 0.3 * k))))
        for k in (1.0, 2.0)]
    found, *_ = columns_of(messages, kind)
    for name, slope in (('u_dot', 0.1), ('v_dot', -0.2), ('r_dot', 0.3)):
        np.testing.assert_allclose(found[name], [slope, 2.0 * slope])
    odometry_only, *_ = columns_of([(1.0, odometry(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0))], ODOMETRY)
    assert 'u_dot' not in odometry_only


def test_roll_and_pitch_are_the_angles_that_a_quaternion_is_made_of(rng):
    angles = rng.uniform(-1.4, 1.4, (50, 3))
    found = _afloat(np.linspace(0.1, 0.2, 50), Rotation.from_euler('ZYX', angles).as_quat())
    np.testing.assert_allclose(found['pitch'], angles[:, 1], atol=1e-9)
    np.testing.assert_allclose(found['roll'], angles[:, 2], atol=1e-9)
    level = Rotation.from_euler('ZYX', angles * (1.0, 0.0, 0.0)).as_quat()
    level[:, :2] = 0.0
    assert _afloat(np.full(50, 0.1), level) == {}
    assert set(_afloat(np.linspace(0.1, 0.2, 50), level)) == {'height', 'roll', 'pitch'}
    tilted = Rotation.from_euler('ZYX', angles).as_quat()
    assert set(_afloat(np.full(50, 0.1), tilted)) == {'height', 'roll', 'pitch'}


def test_a_vector_is_its_first_two_axes_and_a_leg_its_name():
    kind = 'geometry_msgs/msg/Vector3Stamped'
    stamped = [(t, TYPES[kind](header(t), vector(t, 2.0 * t, 3.0 * t))) for t in (1.0, 2.0)]
    found, *_ = columns_of(stamped, kind)
    assert (found['x'].tolist(), found['y'].tolist()) == ([1.0, 2.0], [2.0, 4.0]) and 'leg' not in found
    legs = [(t, header(t, f'lane {number}')) for number, t in enumerate((1.0, 2.0, 3.5))]
    stamped = 'usv_energy_msgs/msg/LegBegin'
    for kind, messages in (('std_msgs/msg/Header', legs), (stamped, [
            (t, TYPES[stamped](header(t, 'odom'), name.frame_id)) for t, name in legs])):
        for size in (1, 3):
            found, *_ = columns_of(messages, kind, size)
            assert found['leg'].tolist() == ['lane 0', 'lane 1', 'lane 2']
            assert found['stamp'].tolist() == [1.0, 2.0, 3.5]
