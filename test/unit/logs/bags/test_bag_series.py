"""What a bag's columns become: stamps, motion, ways home and batteries, of columns put in by hand."""

import math

import numpy as np
import pytest

from usv_energy.logs.assemble import Source
from usv_energy.logs.bags.bag import (
    _afloat,
    _brought,
    _cells,
    _home,
    _motion,
    _only_turns,
    _tells,
    _thrusters,
    _with_angles,
)
from usv_energy.logs.bags.bag_topics import topics_near
from usv_energy.logs.log import Log
from usv_energy.sim.run_files import HomeTrace

NAN = math.nan


def test_the_way_home_and_a_simulated_battery_are_since_the_log_s_start():
    time = np.array([10.0, 11.0, 12.0])
    columns = {name: 100.0 * k + np.arange(3.0) for k, name in enumerate(HomeTrace._fields[1:])}
    home = _home({**columns, 'time': time}, 9.0)
    assert home.time.tolist() == [1.0, 2.0, 3.0]
    for k, name in enumerate(HomeTrace._fields[1:]):
        assert getattr(home, name).tolist() == [100.0 * k, 100.0 * k + 1.0, 100.0 * k + 2.0]
    cells = _cells({'time': time, 'voltage': time + 2.0, 'current': -time, 'percentage': 0.1 * time,
                    'temperature': time - 10.0}, 9.0)
    assert cells.time.tolist() == [1.0, 2.0, 3.0] and cells.current.tolist() == [10.0, 11.0, 12.0]
    assert cells.voltage.tolist() == [12.0, 13.0, 14.0] and cells.charge.tolist() == pytest.approx([1.0, 1.1, 1.2])
    assert cells.temperature.tolist() == pytest.approx([273.15, 274.15, 275.15])
    assert _home(None, 9.0) is None and _cells(None, 9.0) is None


def test_a_topic_s_own_period_says_which_steps_are_holes():
    """Every 2 s, but for 20 s between: it is known in between up to three periods, and not in the hole."""
    stamp = np.array([0.0, 2.0, 4.0, 24.0, 26.0])
    columns = {'time': stamp, 'x': 3.0 * stamp}
    found = _brought(np.array([1.0, 3.5, 14.0, 25.0]), columns, 'x', Source('a', 'a'))
    np.testing.assert_allclose(found, [3.0, 10.5, NAN, 75.0])


ODOMETRY = {'x': 3.0, 'y': 5.0, 'yaw': 0.25, 'ahead': 1.5, 'aside': -0.5, 'r': 0.1, 'height': 0.4, 'roll': 0.2,
            'pitch': -0.3}


@pytest.mark.parametrize(('axes', 'twist', 'wanted'), [
    ('enu', 'body', {'x': 3.0, 'y': 5.0, 'yaw': 0.25, 'r': 0.1, 'u': 1.5, 'v': -0.5}),
    ('ned', 'body', {'x': 5.0, 'y': 3.0, 'yaw': 0.5 * math.pi - 0.25, 'r': -0.1, 'u': 1.5, 'v': 0.5}),
    ('enu', 'world', {'x': 3.0, 'y': 5.0, 'yaw': 0.25, 'r': 0.1, 'velocity_x': 1.5, 'velocity_y': -0.5}),
    ('ned', 'world', {'x': 5.0, 'y': 3.0, 'yaw': 0.5 * math.pi - 0.25, 'r': -0.1, 'velocity_x': -0.5,
                      'velocity_y': 1.5})])
def test_north_east_down_is_turned_into_east_north_up_and_starboard_into_port(axes, twist, wanted):
    assert _motion(ODOMETRY, axes, twist) == pytest.approx(wanted)
    down = -1.0 if axes == 'ned' else 1.0
    assert _afloat(ODOMETRY, axes) == {'heave_m': down * 0.4, 'roll_rad': 0.2, 'pitch_rad': down * -0.3}
    assert _afloat({'x': 3.0}, axes) == {}


def test_a_joint_only_turns_that_has_positions_and_never_an_effort():
    some, none = np.array([NAN, 1.0]), np.full(2, NAN)
    for position, effort, turns in ((some, none, True), (some, some, False), (none, none, False), (none, some, False)):
        assert _only_turns({'effort/a': effort, 'position/a': position}, 'effort/a') is turns
    assert not _only_turns({'effort/a': none, 'position/b': some}, 'effort/a')
    assert _tells({'effort/a': none, 'effort/b': some}, 'effort/') and not _tells({'effort/a': none}, 'effort/')
    assert not _tells({'position/a': some, 'effort/a': none}, 'effort/')


def test_what_thrusters_turn_and_give_is_by_their_names_with_rates_in_turns():
    """Two thrusters, of which one turns, and a rudder: held from message to message; 2 pi rad/s are a turn a second."""
    topics = topics_near({'/b/actuator_states': 'sensor_msgs/msg/JointState'}, '/b')
    topic = topics.actuators
    assert topic == '/b/actuator_states'
    stamp = np.array([0.0, 2.0])
    joints = {'time': stamp, 'effort/left': np.array([3.0, 5.0]),
              'effort/right': np.array([4.0, 6.0]), 'effort/rudder': np.full(2, NAN),
              'position/rudder': np.array([0.1, 0.2]),
              'position/left': np.array([0.3, 0.4]), 'velocity/left': 2.0 * math.pi * np.array([7.0, 8.0])}
    time = np.arange(4.0)
    series = _thrusters({topic: joints}, topics, time)
    assert [one.name for one in series] == ['left', 'right']
    log = _with_angles(Log('a', 'a', time, thrusters=('left', 'right')), {topic: joints}, topics, time)
    assert log.thrust_given and log.foils == ('rudder',) and log.foil_angle[:, 0].tolist() == [0.1, 0.1, 0.2, 0.2]
    assert log.angle[:, 0].tolist() == [0.3, 0.3, 0.4, 0.4] and np.isnan(log.angle[:, 1]).all()
    assert log.revolutions[:, 0].tolist() == pytest.approx([7.0, 7.0, 8.0, 8.0])
