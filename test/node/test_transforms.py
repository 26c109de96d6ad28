"""The simulator's transform on /tf: what the odometry says, once a stamp, and only where somebody listens."""

import pytest
from harness import DEADLINE
from nav_msgs.msg import Odometry
from std_msgs.msg import Header

from usv_energy.ros.graph.compose import Composition, is_done
from usv_energy.ros.graph.graph import scenario_nodes
from usv_energy.ros.graph.graph_options import ScenarioOptions
from usv_energy.ros.messages import convert
from usv_energy.sim.scenario import read_scenario


def test_the_transform_of_an_odometry():
    header = Header(stamp=convert.stamp_of(1_500_000_000), frame_id='boat/odom')
    odometry = convert.odometry_to_msg((3.0, -2.0, 0.7), (1.0, 0.0, 0.0), header, 'boat/base_link')
    transform = convert.transform_to_msg(odometry)
    assert (transform.header, transform.child_frame_id) == (header, 'boat/base_link')
    place = transform.transform.translation
    assert (place.x, place.y, place.z) == (3.0, -2.0, 0.0)
    assert transform.transform.rotation == odometry.pose.pose.orientation


def stamp_of(msg):
    return convert.nanoseconds(msg.header.stamp)


def specs(**change):
    return [spec._replace(parameters={**spec.parameters, **change}) if spec.name == 'boat_simulator' else spec
            for spec in scenario_nodes(read_scenario('1'), ScenarioOptions())]


@pytest.mark.parametrize('publish_tf', [True, False])
def test_every_odometry_has_its_transform_once(ros, publish_tf):
    import rclpy
    kind = pytest.importorskip('tf2_msgs.msg', reason='needs tf2_msgs, which no wheel has').TFMessage
    transforms, odometry = [], []
    probe = rclpy.create_node('probe')
    try:
        probe.create_subscription(kind, '/tf', lambda msg: transforms.extend(msg.transforms), 5000)
        probe.create_subscription(Odometry, '/boat/odom', odometry.append, 5000)
        with Composition(specs(publish_tf=publish_tf), '/boat', autostart=False) as composition:
            composition.executor.add_node(probe)
            simulator = composition.nodes['boat_simulator']
            for node in list(composition.nodes.values()):
                assert node.trigger_configure().name == 'SUCCESS'
            assert composition.spin_until(lambda: probe.count_publishers('/tf') == publish_tf and
                                          probe.count_publishers('/boat/odom') == 1, DEADLINE)
            sent = [one for one in simulator.publishers if one.topic_name in ('/tf', '/boat/odom')]
            assert composition.spin_until(lambda: all(one.get_subscription_count() for one in sent), DEADLINE)
            for node in composition.nodes.values():
                assert node.trigger_activate().name == 'SUCCESS'
            assert composition.spin_until(lambda: is_done(composition), DEADLINE)
            last = simulator._stamp()
            assert composition.spin_until(lambda: odometry and stamp_of(odometry[-1]) == last, DEADLINE)
            assert composition.spin_until(lambda: not publish_tf or stamp_of(transforms[-1]) == last, DEADLINE)
            composition.executor.remove_node(probe)
    finally:
        probe.destroy_node()
    if not publish_tf:
        assert transforms == []
        return
    stamps = [stamp_of(one) for one in transforms]
    assert stamps == sorted(set(stamps)), 'tf2 complains of a stamp that comes twice'
    expected = {stamp_of(msg): msg for msg in odometry}
    assert len(stamps) > 1000 and set(stamps) == set(expected)
    for one in transforms:
        assert one == convert.transform_to_msg(expected[stamp_of(one)])
    assert (one.header.frame_id, one.child_frame_id) == ('boat/odom', 'boat/base_link')
