from pathlib import Path

import pytest

from usv_energy.files.errors import InputError
from usv_energy.logs.bags.bag_topics import chosen_topics, has_odometry


def test_thrust_topics_of_other_simulators_are_named_by_their_thruster():
    kinds = {'/wamv/odom': 'nav_msgs/msg/Odometry', '/wamv/thrusters/left/thrust': 'std_msgs/msg/Float64',
             '/wamv/thrusters/right/thrust': 'std_msgs/msg/Float64', '/wamv/thrusters/left/pos': 'std_msgs/msg/Float64'}
    assert chosen_topics(kinds, Path('x')).thrust == {'left': '/wamv/thrusters/left/thrust',
                                                      'right': '/wamv/thrusters/right/thrust'}


ODOMETRY, VECTOR = 'nav_msgs/msg/Odometry', 'geometry_msgs/msg/Vector3Stamped'


def test_a_boat_within_two_names_has_the_topics_beside_its_odometry():
    """Not those of its neighbour, nor of what holds both; of several the nearest, then the shortest."""
    kinds = {'/fleet/one/odom': ODOMETRY, '/fleet/wind': VECTOR, '/fleet/two/wind': VECTOR,
             '/fleet/one/sensors/wind': VECTOR, '/fleet/one/wind_true': VECTOR, '/fleet/one/wind': VECTOR,
             '/fleet/one/apparent_wind': VECTOR}
    for found in (chosen_topics(kinds, Path('x')), chosen_topics(kinds, Path('x'), namespace='/fleet/one/')):
        assert (found.odometry, found.wind, found.current) == ('/fleet/one/odom', '/fleet/one/wind', '')
    bare = {'/odom': ODOMETRY, '/wind': VECTOR, '/other/wind': VECTOR}
    assert chosen_topics(bare, Path('x')).wind == '/wind'


def test_an_estimate_is_chosen_among_odometries_of_one_boat_only():
    one = {'/mavros/local_position/odom': ODOMETRY, '/odom': ODOMETRY}
    assert chosen_topics(one, Path('x')).odometry == '/mavros/local_position/odom'
    for refused in ({'/odometry/filtered': ODOMETRY, '/local_position/odom': ODOMETRY},
                    {'/a': ODOMETRY, '/b': ODOMETRY}, {'/a/odometry/filtered': ODOMETRY, '/b/odom': ODOMETRY}):
        with pytest.raises(InputError, match='has 2 topics of odometry'):
            chosen_topics(refused, Path('x'))
    state = {'/boat/boat_state': 'usv_energy_msgs/msg/BoatState'}
    assert chosen_topics(state, Path('x')).odometry == '/boat/boat_state'
    assert has_odometry(state) and has_odometry(state, 'boat') and not has_odometry(state, 'bo')
    assert chosen_topics(state | {'/boat/odom': ODOMETRY}, Path('x')).odometry == '/boat/odom'


def test_a_topic_of_an_actuator_is_told_by_the_word_before_its_name_or_after_it():
    """`cmd_thrust/left` or `thrusters/left/thrust`; names of a single word are none."""
    number = 'std_msgs/msg/Float64'
    kinds = {'/odom': ODOMETRY, '/cmd_thrust/left': number, '/thrusters/right/thrust': number, '/pod/cmd_angle': number,
             '/cmd_angle/pod': number, '/thrust': number, '/left/speed': number, '/thrust/left': 'std_msgs/msg/String'}
    found = chosen_topics(kinds, Path('x'))
    assert found.thrust == {'left': '/cmd_thrust/left', 'right': '/thrusters/right/thrust'}
    assert found.angle == {'pod': '/pod/cmd_angle'}
    assert found.names() == {'/odom', '/cmd_thrust/left', '/thrusters/right/thrust', '/pod/cmd_angle'}


def test_an_odometry_may_be_named_as_it_is_or_without_its_first_stroke():
    kinds = {'/boat/odom': ODOMETRY, 'bare': ODOMETRY}
    for said, taken in (('/boat/odom', '/boat/odom'), ('boat/odom', '/boat/odom'), ('bare', 'bare')):
        assert chosen_topics(kinds, Path('x'), odom=said).odometry == taken
    with pytest.raises(InputError, match="has no topic '/other'"):
        chosen_topics(kinds, Path('x'), odom='/other')
