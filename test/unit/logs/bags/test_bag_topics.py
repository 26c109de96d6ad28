from pathlib import Path

from usv_energy.logs.bags.bag_topics import chosen_topics


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
