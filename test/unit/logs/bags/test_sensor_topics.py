"""Which topics of a bag are sensors: by drivers' types and names."""

from usv_energy.logs.bags.bag_topics import FLOAT, IMU, MAGNETIC, NAVSAT, TWISTS, SensorTopics, chosen_sensors

TWIST, STAMPED = TWISTS


def test_the_simulators_own_topics():
    kinds = {'/boat/gps/fix': NAVSAT, '/boat/gps/fix_velocity': TWIST, '/boat/imu/data': IMU, '/boat/dvl/twist': TWIST,
             '/boat/compass/mag': MAGNETIC}
    found = chosen_sensors(kinds)
    assert found == SensorTopics('/boat/gps/fix', '/boat/gps/fix_velocity', '/boat/dvl/twist', '/boat/imu/data',
                                 '/boat/compass/mag')
    assert found.home == '/boat'
    assert found.names() == set(kinds)


def test_names_of_common_drivers():
    nmea = chosen_sensors({'/fix': NAVSAT, '/vel': STAMPED, '/imu/data': IMU, '/imu/data_raw': IMU})
    assert (nmea.fix, nmea.earth_velocity, nmea.imu, nmea.home) == ('/fix', '/vel', '/imu/data', '')
    mavros = chosen_sensors({'/mavros/global_position/raw/fix': NAVSAT,
                             '/mavros/global_position/raw/gps_vel': STAMPED, '/mavros/imu/data': IMU,
                             '/mavros/local_position/velocity_body': STAMPED,
                             '/mavros/global_position/rel_alt': FLOAT, '/mavros/global_position/compass_hdg': FLOAT})
    assert (mavros.earth_velocity, mavros.body_velocity, mavros.home, mavros.compass) == (
        '/mavros/global_position/raw/gps_vel', '', '/mavros', '/mavros/global_position/compass_hdg')


def test_a_velocity_through_the_water_says_nothing_of_the_way_over_ground():
    found = chosen_sensors({'/gps/fix': NAVSAT, '/dvl_water/twist': TWIST, '/dvl/twist': TWIST, '/cmd_vel': STAMPED})
    assert (found.earth_velocity, found.body_velocity, found.home) == ('', '/dvl/twist', '')


def test_without_a_fix_there_is_no_motion_and_namespaces_are_kept_apart():
    assert chosen_sensors({'/imu/data': IMU}) is None
    two = {'/one/gps/fix': NAVSAT, '/two/gps/fix': NAVSAT, '/two/imu/data': IMU}
    assert chosen_sensors(two, 'two') == SensorTopics('/two/gps/fix', '', '', '/two/imu/data', '')
    assert chosen_sensors(two, 'three') is None
