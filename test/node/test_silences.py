"""What used to be wrong without a word: odometry that cannot be used is complained of, a good start is said."""

import math

import pytest
from harness import steady_power, steps
from rclpy.qos import DurabilityPolicy, QoSProfile
from std_msgs.msg import Header

from usv_energy.boats.boat_file import read_boat
from usv_energy.nodes import state_adapter
from usv_energy.ros.graph.graph import FlowOptions
from usv_energy.ros.messages import convert
from usv_energy_msgs.msg import BoatState, EnergyStamped, PowerStamped

POWER = steady_power(1.0, read_boat('lutra_prop'))


def tell_without_orientation(one, stamps):
    """Tell odometry whose orientation is (0, 0, 0, 0), as of a publisher that fills in none; return the last answer."""
    def say(stamp):
        header = Header(stamp=convert.stamp_of(round(stamp * convert.NANOSECONDS)), frame_id='odom')
        msg = convert.odometry_to_msg((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), header, 'base_link')
        msg.pose.pose.orientation.w = 0.0
        one.odom.publish(msg)

    one.say = say
    return one.tell_all(stamps)


def test_without_an_orientation_power_in_still_water_is_the_closed_form(graph, capfd, monkeypatch):
    monkeypatch.setattr(state_adapter, 'REMIND_PERIOD', 3600.0)  # However long the machine takes for these samples.
    one = graph()
    answer = tell_without_orientation(one, steps(0.0, 1.0))
    assert math.isnan(one.heard['boat_state'][-1].yaw)
    assert one.heard['power'][-1].status == PowerStamped.OK
    assert answer.total == pytest.approx(POWER, rel=1e-12)
    said = capfd.readouterr().err
    assert said.count('odometry on /boat/odom: orientation is (0, 0, 0, 0), which is none') == 1, 'throttled'
    assert 'a power only where water and air stand still' in said


@pytest.mark.parametrize('flow', [{'current': FlowOptions('global', 0.3, 0.0)}, {'wind': FlowOptions('global', 3.0)}])
def test_without_an_orientation_there_is_no_power_in_a_current_or_wind(graph, flow):
    one = graph(**flow)
    answer = tell_without_orientation(one, steps(0.0, 1.0))
    assert one.heard['power'][-1].status & PowerStamped.INVALID_STATE
    assert math.isnan(one.heard['power'][-1].total)
    assert (answer.total, answer.samples, answer.invalid_samples) == (0.0, 0, 21)


def test_a_twist_in_the_world_frame_needs_an_orientation(graph, capfd):
    one = graph(adapter={'twist_frame': 'world'})
    tell_without_orientation(one, steps(0.0, 0.2))
    assert one.heard['boat_state'][-1].status & BoatState.INVALID
    assert 'orientation is (0, 0, 0, 0), which is none: the sample is invalid' in capfd.readouterr().err


def test_nan_in_odometry_is_named(graph, capfd):
    one = graph()
    one.tell(0.0, u=math.nan)
    said = capfd.readouterr().err
    assert 'odometry on /boat/odom: twist.linear.x is nan: the sample is invalid, and not integrated' in said


@pytest.mark.parametrize(('stamp', 'words'), [(0.0, 'zero, as of a publisher that sets none'), (7.5, '7.500000000 s')])
def test_a_stamp_that_stands_still_is_complained_of(graph, capfd, monkeypatch, stamp, words):
    monkeypatch.setattr(state_adapter, 'REMIND_PERIOD', 3600.0)
    one = graph()
    one.tell(stamp)
    before = len(one.heard['boat_state'])
    for number in range(10):
        for _ in range(2):  # a simulator that says the same again changes nothing
            one.say(stamp, u=1.0 + 0.01 * number)
    one.until(lambda: len(one.heard['boat_state']) == before + 20)
    said = capfd.readouterr().err
    assert f'odometry on /boat/odom: 10 messages that differ have one stamp, {words}' in said
    assert said.count('messages that differ') == 1


def test_odometry_said_again_and_again_is_no_fault(graph, capfd):
    one = graph()
    one.tell(0.0)
    before = len(one.heard['boat_state'])
    for _ in range(30):
        one.say(0.0)
    one.until(lambda: len(one.heard['boat_state']) >= before + 30)
    assert 'messages that differ' not in capfd.readouterr().err


def test_a_good_start_is_said(graph, capfd):
    one = graph(current=FlowOptions('global', 0.4, 90.0), adapter={'axes': 'ned', 'acceleration_time_constant': 0.3})
    one.tell(0.0)
    said = capfd.readouterr().err
    for line in ('active: odometry on /boat/odom (reliable), axes NED, body FRD, twist in the body frame; '
                 'acceleration by differences, low-pass of 0.3 s',
                 'first odometry on /boat/odom from /boat/probe',
                 'active: mode global: 0.4 m/s towards 90 deg, the same everywhere',
                 'active: mode none: the air stands still',
                 'lutra_prop.yaml), convention rep103',
                 'battery of 148 Wh, 14.8 V, 100 % charged at the start'):
        assert said.count(line) == 1, line


def test_a_late_reader_gets_the_last_energy(graph):
    one = graph()
    last = one.tell_all(steps(0.0, 1.0))
    heard = []
    one.probe.create_subscription(EnergyStamped, 'energy', heard.append,
                                  QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL))
    # As text: what nobody measured is NaN, which no message with it is equal to.
    one.until(lambda: heard and str(heard[-1]) == str(last))
    assert all(msg.total <= last.total for msg in heard)
