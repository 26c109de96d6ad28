from pathlib import Path

from usv_energy.logs.bags.bag_topics import chosen_topics


def test_thrust_topics_of_other_simulators_are_named_by_their_thruster():
    kinds = {'/wamv/odom': 'nav_msgs/msg/Odometry', '/wamv/thrusters/left/thrust': 'std_msgs/msg/Float64',
             '/wamv/thrusters/right/thrust': 'std_msgs/msg/Float64', '/wamv/thrusters/left/pos': 'std_msgs/msg/Float64'}
    assert chosen_topics(kinds, Path('x')).thrust == {'left': '/wamv/thrusters/left/thrust',
                                                      'right': '/wamv/thrusters/right/thrust'}
