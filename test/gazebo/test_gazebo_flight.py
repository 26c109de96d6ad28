"""A quadcopter and a boat in a real Gazebo server, each by Gazebo's own systems, beside the embedded simulators."""

import math

import pytest
from graph_prefix import has_ros_gz
from launched_gazebo import REASON
from quadcopter_flight import FLOWN, HOVER, embedded, in_gazebo, mean_of_hover, scenario

NO_BRIDGE = '' if REASON or has_ros_gz() else 'needs ros_gz_bridge: the stand-in carries no quadcopter'
pytestmark = pytest.mark.skipif(bool(REASON or NO_BRIDGE), reason=REASON or NO_BRIDGE or 'there is all')
def stamped(messages):
    return {(msg.header.stamp.sec, msg.header.stamp.nanosec): msg.pose.pose.position for msg in messages}


def test_a_flight_beside_the_moving_boat_and_a_landing_on_its_deck(launched, tmp_path):
    """Each stage as long and as dear as the embedded one's without ground effect, which Gazebo's rotors do not have."""
    path = scenario(tmp_path, 1.0)
    expected = embedded(tmp_path, path, ground_effect=False)
    found, topics, code, said = in_gazebo(launched, tmp_path, path)
    assert code == 0, said
    assert found['stage'] == 'landed' and found['aborted'] == expected['aborted'] == 0
    assert found['landing']['error_m'] < 0.05
    assert found['landing']['speed_m_s'] == pytest.approx(expected['landing']['speed_m_s'], abs=0.03)
    for stage in FLOWN:
        assert found['duration_s'][stage] == pytest.approx(expected['duration_s'][stage], abs=0.1)
        assert found['energy_j'][stage] == pytest.approx(expected['energy_j'][stage], rel=0.02)
    # It stays where it has landed, by the contact of two bodies: on the deck, which goes on at 1 m/s.
    boat, air = stamped(topics['boat']), stamped(topics['odom'])
    last = max({*boat} & {*air})
    offset = [getattr(air[last], axis) - getattr(boat[last], axis) for axis in 'xyz']
    assert math.hypot(*offset[:2]) < 0.06 and offset[2] == pytest.approx(0.3, abs=0.01)


def test_hovering_takes_the_closed_form_by_the_rotors_speeds(launched, tmp_path):
    """55.52 W, m g over four discs by momentum theory, within 1 %; the boat creeps, so that nothing else is flown."""
    found, topics, _, said = in_gazebo(launched, tmp_path, scenario(tmp_path, 0.02))
    assert mean_of_hover(topics['power']) == pytest.approx(HOVER, rel=0.01), said
    assert found['hover_power_w'] == pytest.approx(HOVER, rel=1e-3)
    assert found['landing']['error_m'] < 0.02


def test_wrong_arguments_are_told(launched):
    for wrong, words in (({'quadcopter': 'nobody'}, 'nobody'), ({'pad': '0,0'}, "argument pad is '0,0'; must be three"),
                         ({'take_off': '9', 'land': '3'}, 'must be s of simulated time'),
                         ({'pad': '0,0,0.05'}, 'the pad is 0.05 m up')):
        code, said = launched(**{'scenario': '1', 'quadcopter': 'ar_drone', **wrong}).result()
        assert code != 0 and words in said and 'Traceback' not in said, said
