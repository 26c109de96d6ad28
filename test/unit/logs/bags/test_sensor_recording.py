"""Recordings of simulated sensors: other people's readers of MCAP and CDR find in them what was read."""

import math

import numpy as np
import pytest
from bag_files import STORE
from needs import NEEDS_ROSBAGS, needs

from usv_energy.boats.sensor import read_sensor
from usv_energy.files.locate import names
from usv_energy.logs.bags.sensor_recording import DEFINITIONS, definition_of, encoded, write_sensor_bag
from usv_energy.sim.sensors.sensor_messages import TOPICS, sensor_messages
from usv_energy.sim.sensors.sensor_suite import SensorSuite, TrueState

ORIGIN = (-51.05, -30.08)


def readings():
    suite = SensorSuite([read_sensor(name) for name in names('sensors')], 3)
    return [reading for k in range(21) for reading in suite.observe(
        TrueState(0.1 * k, 0.1 * k, 2.0, -0.1, yaw=0.5, u=1.0, r=0.1, wind_x=4.0, volts=14.0, amperes=5.0))]


def same(found, fields):
    """Return whether a decoded message has the fields of a plain one, which had no more digits than the type."""
    for name, value in fields.items():
        got = getattr(found, name)
        if isinstance(value, dict):
            assert same(got, value)
        elif isinstance(value, list):
            assert list(got) == pytest.approx(value)
        elif isinstance(value, float):
            assert got == pytest.approx(value, rel=1e-6, nan_ok=True)
        else:
            assert got == value
    return True


@NEEDS_ROSBAGS
def test_messages_are_those_of_ros():
    checked = set()
    for reading in readings():
        for message in sensor_messages(reading, ORIGIN):
            data = encoded(message.kind, message.fields, 1_250_000_007, 'boat/one')
            found = STORE.deserialize_cdr(data, message.kind)
            assert (found.header.stamp.sec, found.header.stamp.nanosec) == (1, 250_000_007)
            assert found.header.frame_id == 'boat/one'
            assert same(found, message.fields)
            assert bytes(STORE.serialize_cdr(found, message.kind)) == data
            checked.add(message.kind)
    assert checked == {kind for topics in TOPICS.values() for _, kind, _ in topics}


@NEEDS_ROSBAGS
def test_definitions_are_those_of_jazzy():
    from rosbags.typesys import get_types_from_msg
    for kind in {kind for topics in TOPICS.values() for _, kind, _ in topics}:
        types = get_types_from_msg(definition_of(kind), kind)
        for name, (_, fields) in types.items():
            assert fields == STORE.fielddefs[name][1], name
    assert len(DEFINITIONS) == 15


@needs('mcap_ros2', 'the recording is read with mcap-ros2-support')
def test_a_recording_is_read_by_mcaps_own_reader(tmp_path):
    from mcap_ros2.reader import read_ros2_messages
    path = tmp_path / 'sensors.mcap'
    read = readings()
    write_sensor_bag(read, ORIGIN, 'boat', path)
    found = list(read_ros2_messages(str(path)))
    plain = [(reading, message) for reading in read for message in sensor_messages(reading, ORIGIN)]
    assert len(found) == len(plain)
    for one, (reading, message) in zip(found, plain):
        assert one.channel.topic == f'/boat/{message.topic}'
        assert one.log_time_ns == round(1e9 * reading.arrival)
        assert one.ros_msg.header.frame_id == f'boat/{reading.sensor.name}'
        assert same(one.ros_msg, message.fields)


@needs('mcap', 'the recording is read with mcap')
def test_a_recording_has_its_summary_and_no_metadata_of_rosbag2s(tmp_path):
    """Without a record of its own rosbag2 takes topics, times and numbers from the summary."""
    from mcap.reader import make_reader
    path = tmp_path / 'sensors.mcap'
    read = readings()
    write_sensor_bag(read, ORIGIN, 'boat', path)
    with path.open('rb') as file:
        summary = make_reader(file).get_summary()
    assert (summary.statistics.metadata_count, summary.metadata_indexes) == (0, [])
    assert summary.statistics.message_count == sum(len(sensor_messages(one, ORIGIN)) for one in read)
    assert {channel.topic for channel in summary.channels.values()} == {
        f'/boat/{message.topic}' for one in read for message in sensor_messages(one, ORIGIN)}


def test_the_same_readings_give_the_same_bytes(tmp_path):
    paths = [tmp_path / name for name in ('one.mcap', 'two.mcap')]
    for path in paths:
        write_sensor_bag(readings(), ORIGIN, 'boat', path)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ['one.mcap', 'two.mcap']


def test_an_infinite_range_is_recorded():
    suite = SensorSuite([read_sensor('ping_sonar')])
    found = [reading for time in (0.0, 0.1) for reading in suite.observe(TrueState(time, 0.0, 0.0, z=-4.8))]
    message = sensor_messages(found[0], ORIGIN)[0]
    assert message.fields['range'] == -math.inf
    assert np.frombuffer(encoded(message.kind, message.fields, 0, 'x')[-8:-4], '<f4')[0] == -math.inf
