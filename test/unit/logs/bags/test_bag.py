"""Bags against what was written into them."""

import math
from dataclasses import replace

import numpy as np
import pytest
from bag_files import (
    SPEED,
    TURN,
    TYPES,
    battery,
    blank,
    check_circle,
    circle,
    header,
    joints,
    odometry,
    vector,
    write_bag,
)
from needs import NEEDS_ROSBAGS

from usv_energy.files.errors import InputError
from usv_energy.logs.assemble import Source
from usv_energy.logs.bags.bag import _battery, _files, _legs, _thrusters, read_bag
from usv_energy.logs.bags.bag_topics import topics_near
from usv_energy.logs.log import JOINED
from usv_energy.logs.read_log import read_log
from usv_energy.physics.frames import quaternion_of_angles

pytestmark = NEEDS_ROSBAGS


@pytest.mark.parametrize('plugin', ['MCAP', 'SQLITE3'])
def test_both_storages_give_the_motion_and_all_that_goes_with_it(tmp_path, plugin):
    bag = write_bag(tmp_path / 'bag', {
        '/boat/odom': circle(),
        '/boat/thruster_command': [(5.0, joints(5.0, ['left', 'right'], [3.0, 4.0])),
                                   (15.0, joints(15.0, ['left', 'right'], [5.0, 6.0]))],
        '/boat/battery': [(t, battery(t, 16.0, -2.0 - 0.01 * t)) for t in np.arange(4.9, 26.0, 0.5)],
        '/boat/water_current': [(t, TYPES['geometry_msgs/msg/Vector3Stamped'](header(t), vector(0.1 * t, 0.3)))
                                for t in np.arange(4.9, 26.0, 0.5)],
    }, plugin)
    log = read_log(bag)
    check_circle(log)
    assert log.start == pytest.approx(5.0) and len(log) == 400
    np.testing.assert_allclose(log.thrust[:199], [[3.0, 4.0]] * 199)  # held, not interpolated
    np.testing.assert_allclose(log.thrust[201:], [[5.0, 6.0]] * 199)
    # BatteryState: negative is discharging
    np.testing.assert_allclose(log.electrical_power, 32.0 + 0.16 * (log.time + 5.0), rtol=1e-6)
    np.testing.assert_allclose(log.current_x, 0.1 * (log.time + 5.0), atol=1e-9)
    np.testing.assert_allclose(log.current_y, 0.3)


@pytest.mark.parametrize('axes', ['enu', 'ned'])
def test_odometry_of_a_boat_on_waves_has_heave_roll_and_pitch(tmp_path, axes):
    """FRD has height and pitch the other way round, roll alike (Fossen (2011), table 2.1, turned about x)."""
    down = -1.0 if axes == 'ned' else 1.0

    def afloat(t, x, y, yaw):
        message = odometry(t, x, y, yaw, SPEED, 0.0, TURN)
        pose = message.pose.pose
        pose.position.z = down * 0.1 * math.sin(t)
        turned = quaternion_of_angles(0.2 * math.sin(t), down * 0.3 * math.cos(t), 0.5)
        for name, value in zip('xyzw', turned):
            setattr(pose.orientation, name, value)
        return message

    log = read_bag(write_bag(tmp_path / 'bag', {'/boat/odom': circle(form=afloat)}), axes=axes)
    time = log.time + log.start
    np.testing.assert_allclose(log.extra['heave_m'], 0.1 * np.sin(time), atol=1e-9)
    np.testing.assert_allclose(log.extra['roll_rad'], 0.2 * np.sin(time), atol=1e-9)
    np.testing.assert_allclose(log.extra['pitch_rad'], 0.3 * np.cos(time), atol=1e-9)


def test_odometry_in_the_plane_has_no_heave(tmp_path):
    assert not read_bag(write_bag(tmp_path / 'bag', {'/boat/odom': circle()})).extra


def test_positions_of_joints_turn_thrusters_and_rudders(tmp_path):
    """A joint with positions and never an effort is a rudder; Float64 topics say the same where there are no joints."""
    names, none = ['pod', 'screw', 'rudder'], math.nan
    messages = [(t, joints(t, names, [3.0, 4.0, none], [0.1 * t, none, -0.1 * t])) for t in (5.0, 15.0)]
    log = read_log(write_bag(tmp_path / 'bag', {'/boat/odom': circle(), '/boat/thruster_command': messages}))
    assert log.thrusters == ('pod', 'screw') and log.foils == ('rudder',)
    np.testing.assert_allclose(log.angle[[0, -1], 0], [0.5, 1.5])
    assert np.isnan(log.angle[:, 1]).all()
    np.testing.assert_allclose(log.foil_angle[[0, -1], 0], [-0.5, -1.5])
    topics = {f'/boat/{name}': [(5.0, TYPES['std_msgs/msg/Float64'](value))] for name, value in
              (('cmd_thrust/pod', 3.0), ('cmd_angle/pod', 0.2), ('cmd_angle/rudder', -0.2))}
    other = read_log(write_bag(tmp_path / 'other', {'/boat/odom': circle(), **topics}))
    assert other.thrusters == ('pod',) and other.foils == ('rudder',)
    assert other.angle[-1, 0] == 0.2 and other.foil_angle[-1, 0] == -0.2


def test_what_actuators_do_goes_before_what_was_asked_of_them(tmp_path):
    """actuator_states: thrusts as given, angles, rates in rad/s; commands with other numbers are left."""
    names, none = ['pod', 'rudder'], math.nan
    asked = [(t, joints(t, names, [9.0, none], [0.9, 0.9])) for t in (5.0, 15.0)]
    done = [(t, joints(t, names, [3.0, none], [0.1, -0.1], [4.0 * math.pi, none])) for t in (5.0, 15.0)]
    bag = write_bag(tmp_path / 'bag', {'/odom': circle(), '/thruster_command': asked, '/actuator_states': done})
    log = read_log(bag)
    assert (log.thrusters, log.foils, log.thrust_given) == (('pod',), ('rudder',), True)
    assert (log.thrust[-1, 0], log.angle[-1, 0], log.foil_angle[-1, 0]) == (3.0, 0.1, -0.1)
    assert log.revolutions[-1, 0] == pytest.approx(2.0)
    rates = [(t, joints(t, ['screw'], [none], [], [6.0 * math.pi])) for t in (5.0, 15.0)]
    only = read_log(write_bag(tmp_path / 'only', {'/odom': circle(), '/actuator_states': rates}))
    assert only.thrusters == ('screw',) and only.revolutions[-1, 0] == pytest.approx(3.0) and not only.known('thrust')


def test_other_conventions_come_out_the_same(tmp_path):
    def world(t, x, y, yaw):
        return odometry(t, x, y, yaw, SPEED * math.cos(yaw), SPEED * math.sin(yaw), TURN)

    def ned(t, x, y, yaw):
        return odometry(t, y, x, 0.5 * math.pi - yaw, SPEED, 0.0, -TURN)

    check_circle(read_bag(write_bag(tmp_path / 'a', {'/odom': circle(form=world)}), twist='world'))
    check_circle(read_bag(write_bag(tmp_path / 'b', {'/odom': circle(form=ned)}), axes='ned'))
    taken_wrong = read_log(tmp_path / 'a')
    assert 'velocity_world' in {note.code for note in taken_wrong.warnings}


def test_axes_are_those_that_the_frame_is_named_for(tmp_path):
    def ned(t, x, y, yaw):
        return odometry(t, y, x, 0.5 * math.pi - yaw, SPEED, 0.0, -TURN, frame='odom_ned')

    log = read_log(write_bag(tmp_path / 'a', {'/odom': circle(form=ned)}))
    check_circle(log)
    assert any("says the frame of /odom, 'odom_ned'" in note.text for note in log.notes)
    plain = read_bag(write_bag(tmp_path / 'b', {'/odom': circle()}))
    check_circle(plain)
    assert 'axes_of_frame' not in {note.code for note in plain.notes}
    assert read_bag(tmp_path / 'a', axes='enu').u[0] == pytest.approx(SPEED), 'what is said is done'
    assert 'axes_of_frame' not in {note.code for note in read_bag(tmp_path / 'a', axes='enu').notes}


def test_of_several_odometries_of_a_boat_the_estimator_s_is_taken(tmp_path):
    raw = circle(seconds=5.0)
    log = read_log(write_bag(tmp_path / 'a', {'/odom': raw, '/odometry/filtered': circle(), '/odometry/gps': raw}))
    check_circle(log)
    assert any('/odometry/filtered is taken' in note.text and '/odom, /odometry/gps' in note.text for note in log.notes)
    assert len(read_bag(write_bag(tmp_path / 'b', {'/boat/odom': raw, '/boat/odometry/filtered': circle()}))) == 400
    with pytest.raises(InputError, match='2 topics of odometry'):
        read_bag(write_bag(tmp_path / 'c', {'/uav/odom': raw, '/boat/odometry/filtered': circle()}))


def test_two_boats_are_told_apart_or_refused(tmp_path):
    bag = write_bag(tmp_path / 'bag', {
        '/one/odom': circle(), '/two/odom': circle(seconds=5.0),
        '/one/cmd_thrust/left': [(5.0, TYPES['std_msgs/msg/Float64'](1.0))],
        '/two/cmd_thrust/left': [(5.0, TYPES['std_msgs/msg/Float64'](2.0))]})
    with pytest.raises(InputError, match=r'2 topics of odometry: /one/odom, /two/odom.*--odom'):
        read_bag(bag)
    assert len(read_bag(bag, odom='/two/odom')) == 100
    log = read_bag(bag, namespace='one')
    assert len(log) == 400 and log.thrust[-1] == pytest.approx([1.0])
    with pytest.raises(InputError, match=r'no odometry.*in the namespace three'):
        read_bag(bag, namespace='three')
    with pytest.raises(InputError, match='must be nav_msgs'):
        read_bag(bag, odom='/one/cmd_thrust/left')


def test_stamps_that_go_back_or_repeat_are_left_out_and_counted(tmp_path):
    messages = circle(seconds=2.0)
    bag = write_bag(tmp_path / 'bag', {'/odom': [*messages, *[(t + 10.0, message) for t, message in messages[:7]]]})
    log = read_bag(bag)
    assert len(log) == 40
    assert next(note for note in log.notes if note.code == 'repeated').figures['messages'] == 7


def test_a_message_that_was_sent_again_is_no_cause_for_alarm(tmp_path):
    messages = circle(seconds=2.0)
    bag = write_bag(tmp_path / 'bag', {'/odom': [*messages[:5], *[messages[4]] * 3, *messages[5:]]})
    log = read_bag(bag)
    assert len(log) == 40
    assert next(note for note in log.notes if note.code == 'repeated').figures['messages'] == 3
    assert not {note.code for note in log.notes} & {'stamps_repeated', 'stamps_out_of_order', 'clock_set'}


def test_a_folder_that_is_named_like_a_bag_is_none(tmp_path):
    (tmp_path / 'report.mcap').mkdir()
    with pytest.raises(InputError, match='holds no bag'):
        read_bag(tmp_path)


@pytest.mark.parametrize('boat', ['', '/boat', '/fleet/boat'])
def test_a_battery_that_our_own_nodes_counted_is_no_measurement(tmp_path, boat):
    made = replace(blank('usv_energy_msgs/msg/EnergyStamped'), header=header(5.0), total=7.0)
    bag = write_bag(tmp_path / 'bag', {f'{boat}/odom': circle(), f'{boat}/energy': [(5.0, made)],
                                       f'{boat}/battery_state': [(5.0, battery(5.0, 16.0, -2.0))]})
    log = read_bag(bag)
    assert not log.known('electrical_power')
    assert 'battery_computed' in {note.code for note in log.notes}
    assert log.extra['energy_j'][0] == 7.0


def test_what_is_no_bag_is_refused(tmp_path):
    (tmp_path / 'empty').mkdir()
    with pytest.raises(InputError, match='holds no bag'):
        read_log(tmp_path / 'empty')
    with pytest.raises(InputError, match='twist is'):
        read_bag(tmp_path, twist='up')


WAVE = np.sin(0.1 * np.arange(200.0))
NOTHING = np.full(200, math.nan)


@pytest.mark.parametrize(('current', 'volts', 'charge', 'status', 'sign', 'codes'), [
    (WAVE - 3.0, 12.0, NOTHING, 0, -1.0, []),  # as it is defined: negative while discharging
    (3.0 - WAVE, 12.0, NOTHING, 0, 1.0, ['battery_sign']),  # never negative
    (1.5 - WAVE, 12.0, NOTHING, 2, 1.0, ['battery_sign']),  # the status says that it is discharged
    (0.5 - WAVE, 12.0, NOTHING, np.where(WAVE < 0.5, 1, 2), -1.0, []),  # sun most of the day
    (0.5 - WAVE, 12.0, NOTHING, np.where(WAVE < 0.5, 2, 1), 1.0, ['battery_sign']),
    (0.5 - WAVE, 12.0, np.linspace(0.5, 0.6, 200), 0, -1.0, []),
    (0.5 - WAVE, 12.0, np.linspace(0.6, 0.5, 200), 0, 1.0, ['battery_sign']),
    (0.5 - WAVE, 12.0 - 0.1 * WAVE, NOTHING, 0, -1.0, []),
    (0.5 - WAVE, 12.0 + 0.1 * WAVE, NOTHING, 0, 1.0, ['battery_sign']),
    (0.5 - WAVE, 12.0, NOTHING, 0, -1.0, ['battery_sign_unsure']), (NOTHING, 12.0, NOTHING, 0, -1.0, [])])
def test_the_sign_of_a_battery_s_current_is_that_of_its_definition_unless_something_speaks_against_it(
        current, volts, charge, status, sign, codes):
    topics = topics_near({'/b/battery': 'sensor_msgs/msg/BatteryState'}, '/b')
    time, notes, series = np.arange(200.0), [], {}
    columns = {'/b/battery': {'time': time, 'voltage': volts + 0.0 * time, 'current': current, 'percentage': charge,
                              'power_supply_status': status + np.zeros(200, dtype=np.uint8)}}
    _battery(columns, topics, time, series, Source('a', 'a'), notes)
    np.testing.assert_array_equal(series['amperes'], sign * current)
    np.testing.assert_array_equal(series['volts'], columns['/b/battery']['voltage'])
    assert [note.code for note in notes] == codes


def test_several_batteries_of_a_boat_are_added_and_copies_are_not(tmp_path):
    stamps = np.arange(4.9, 26.0, 0.5)

    def recorded(amperes):
        return [(t, battery(t, 16.0, amperes(t))) for t in stamps]

    topics = {'/boat/odom': circle(), '/boat/port/battery': recorded(lambda t: -2.0 - 0.01 * t),
              '/boat/starboard/battery': recorded(lambda t: -3.0 - 0.02 * t), '/two/odom': circle(),
              '/boat/spare/battery': recorded(lambda t: -3.0 - 0.02 * t), '/two/port/battery': recorded(lambda t: -t)}
    log = read_bag(write_bag(tmp_path / 'bag', topics), odom='/boat/odom')
    np.testing.assert_allclose(log.electrical_power, 16.0 * (5.15 + 0.03 * log.time), rtol=1e-4)
    codes = [note.code for note in log.notes]
    assert 'batteries_added' in codes and 'battery_copied' in codes


def test_legs_begin_since_the_log_s_start():
    columns = {'time': np.array([10.0, 20.0]), 'leg': np.array(list('ab'))}
    assert [(leg.time, leg.name) for leg in _legs(columns, 4.0)] == [(6.0, 'a'), (16.0, 'b')]
    assert _legs(None, 4.0) == ()


def test_each_thruster_has_its_own_thrust():
    names = ['one', 'two', 'three']
    topics = topics_near({'/b/thruster_command': 'sensor_msgs/msg/JointState'}, '/b')
    time = np.array([1.0, 2.0])
    columns = {'/b/thruster_command': {'time': time,
                                       **{f'effort/{name}': k + time for k, name in enumerate(names)}}}
    found = _thrusters(columns, topics, np.array([0.5, 1.0, 1.9, 2.0]))
    assert [one.name for one in found] == names
    for k, one in enumerate(found):
        np.testing.assert_array_equal(one.thrust, [np.nan, k + 1.0, k + 1.0, k + 2.0])


def test_files_of_a_bag_are_in_the_order_of_its_description_where_that_names_them_all(tmp_path):
    """Else by the numbers in their names."""
    for number in (2, 10, 1):
        (tmp_path / f'bag_{number}.mcap').touch()

    def described(*numbers):
        (tmp_path / 'metadata.yaml').write_text('rosbag2_bagfile_information:\n  relative_file_paths: ['
                                                + ', '.join(f'bag_{number}.mcap' for number in numbers) + ']\n')
        return [path.name for path in _files(tmp_path)]

    by_number = ['bag_1.mcap', 'bag_2.mcap', 'bag_10.mcap']
    assert described(10, 2, 1) == by_number[::-1] and described(10, 2) == described(10, 2, 1, 3) == by_number


def test_angles_that_are_measured_do_not_make_thrusts_that_are_commanded_given(tmp_path):
    angles = [(t, joints(t, ['pod'], [math.nan], [0.1])) for t in (5.0, 15.0)]
    asked = [(5.0, TYPES['std_msgs/msg/Float64'](3.0))]
    topics = {'/odom': circle(), '/cmd_thrust/pod': asked, '/actuator_states': angles}
    log = read_log(write_bag(tmp_path / 'bag', topics))
    assert log.thrusters == ('pod',) and log.angle[-1, 0] == pytest.approx(0.1) and not log.thrust_given


def test_an_odometry_goes_before_sensors_that_are_there_too(tmp_path):
    """The sensors say another motion: a GPS that stays at one place."""
    fixes = [(t, replace(blank('sensor_msgs/msg/NavSatFix'), header=header(t), latitude=-30.0, longitude=-51.0))
             for t in (5.0, 15.0, 25.0)]
    bag = write_bag(tmp_path / 'bag', {'/boat/odom': circle(), '/boat/gps/fix': fixes})
    for choices in ({}, {'odom': '/boat/odom'}, {'namespace': 'boat'}):
        log = read_bag(bag, **choices)
        check_circle(log)
        assert JOINED not in {note.code for note in log.notes}


def test_a_state_of_our_own_stands_in_for_an_odometry_and_has_its_accelerations(tmp_path):
    kind = 'usv_energy_msgs/msg/BoatState'
    state = blank(kind)
    moving = {'velocity': replace(state.velocity, linear=vector(1.5, -0.25), angular=vector(z=0.125)),
              'acceleration': replace(state.acceleration, linear=vector(0.5, 0.75), angular=vector(z=-0.5))}
    log = read_bag(write_bag(tmp_path / 'bag', {
        '/boat/boat_state': [(t, replace(state, header=header(t), **moving)) for t in (1.0, 1.5, 2.0)]}))
    for name, value in (('u', 1.5), ('v', -0.25), ('r', 0.125), ('u_dot', 0.5), ('v_dot', 0.75), ('r_dot', -0.5)):
        assert getattr(log, name).tolist() == [value] * 3, name


def test_a_battery_of_another_namespace_than_the_counted_energy_is_a_measurement(tmp_path):
    made = replace(blank('usv_energy_msgs/msg/EnergyStamped'), header=header(5.0), total=7.0)
    log = read_bag(write_bag(tmp_path / 'bag', {
        '/boat/odom': circle(), '/boat/bms/battery_state': [(t, battery(t, 16.0, -2.0)) for t in np.arange(4.9, 26.0)],
        '/boat/energy': [(5.0, made)]}))
    np.testing.assert_allclose(log.electrical_power, 32.0)
    assert 'battery_computed' not in {note.code for note in log.notes}
