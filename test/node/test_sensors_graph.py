"""The simulator's sensors on the graph: in lockstep the same bytes twice, and as the run without ROS has them."""

import rclpy
import yaml
from geometry_msgs.msg import TwistWithCovarianceStamped
from rclpy.serialization import serialize_message
from sensor_msgs.msg import Imu, NavSatFix

from usv_energy.ros.framework import qos
from usv_energy.ros.graph.compose import Composition, is_done
from usv_energy.ros.graph.graph import scenario_nodes
from usv_energy.ros.graph.graph_options import ScenarioOptions
from usv_energy.ros.messages import convert
from usv_energy.sim.runner import run_scenario
from usv_energy.sim.scenario import read_scenario

TOPICS = {'gps/fix': NavSatFix, 'gps/fix_velocity': TwistWithCovarianceStamped, 'imu/data': Imu}


def heard_of(path, last):
    """Return what a probe heard, which was there before the boat; it waits for the fix of the stamp `last`, ns."""
    specs = scenario_nodes(read_scenario(str(path)), ScenarioOptions(plots=False))
    probe = rclpy.create_node('probe', namespace='/diffboat')
    heard = {topic: [] for topic in TOPICS}
    for topic, kind in TOPICS.items():
        probe.create_subscription(kind, topic, heard[topic].append, qos.STREAM)
    with Composition(specs, '/diffboat') as composition:
        composition.executor.add_node(probe)
        assert composition.spin_until(lambda: heard['gps/fix'] and stamp_of(heard['gps/fix'][-1]) == last, 120.0)
        assert composition.spin_until(lambda: is_done(composition), 60.0)
        composition.executor.remove_node(probe)
    probe.destroy_node()
    return heard


def stamp_of(message):
    return convert.nanoseconds(message.header.stamp)


def test_sensors_are_the_same_twice_and_those_of_the_run_without_ros(ros, tmp_path):
    path = tmp_path / 'sensed.yaml'
    path.write_text(yaml.safe_dump({
        'base': '1', 'sensors': [{'name': 'gps', 'preset': 'ublox_f9p_rtk'},
                                 {'name': 'imu', 'preset': 'bno055', 'rate': 20}],
        'origin': {'longitude': -51.05, 'latitude': -30.08}}), encoding='utf-8')
    plain = run_scenario(read_scenario(str(path))).readings
    last = max(round(1e9 * one.stamp) for one in plain if one.sensor.name == 'gps')
    first, second = heard_of(path, last), heard_of(path, last)
    for topic, messages in first.items():
        bytes_of = [[serialize_message(one) for one in heard[topic]] for heard in (first, second)]
        number = min(map(len, bytes_of))
        assert number > 20, topic
        assert bytes_of[0][-number:] == bytes_of[1][-number:]
        stamps = list(map(stamp_of, messages))
        expected = [round(1e9 * one.stamp) for one in plain if one.sensor.name == topic.partition('/')[0]]
        assert set(stamps) <= set(expected)
        assert messages[0].header.frame_id == f'diffboat/{topic.partition("/")[0]}'
    said = {round(1e9 * one.stamp): one.values['gyro'] for one in plain if one.sensor.name == 'imu'}
    for message in first['imu/data']:
        gyro = message.angular_velocity
        assert (gyro.x, gyro.y) == said[stamp_of(message)][:2]
