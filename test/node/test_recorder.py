"""The recorder's files: whole, readable by others, and never lost."""

import json

import pytest
from harness import DEADLINE, steps
from rosbags import highlevel

from usv_energy.logs.bags.bag import read_bag
from usv_energy.ros.graph.compose import Composition, is_done
from usv_energy.ros.graph.graph import scenario_nodes
from usv_energy.ros.graph.graph_options import ScenarioOptions
from usv_energy.ros.messages.bagfile import open_bag
from usv_energy.ros.messages.messages import definition_of
from usv_energy.sim.run_files import read_samples
from usv_energy.sim.scenario import read_scenario

NEEDS = ('rosbags',)


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp('bag')


@pytest.fixture
def bag(ros, folder):
    """Run a short scenario with a bag of both conventions, once; return the folder of the run."""
    path = folder / 'short.yaml'
    if not path.exists():
        path.write_text('base: "6"\nwaypoints: [{x: 245.0, y: 95.0}]\n')
        options = ScenarioOptions(convention='both', out=str(folder), plots=True)
        with Composition(scenario_nodes(read_scenario(str(path)), options), '/diffboat') as composition:
            assert composition.spin_until(lambda: is_done(composition), DEADLINE)
    return folder / 'short_rep103'


def test_a_bag_is_read_by_rosbags_with_all_topics_and_times(bag):
    from pathlib import Path

    from ament_index_python.packages import get_package_share_directory
    from rosbags.typesys import Stores, get_types_from_msg, get_typestore
    store = get_typestore(Stores.ROS2_JAZZY)
    types = {}
    for path in Path(get_package_share_directory('usv_energy_msgs'), 'msg').glob('*.msg'):
        types |= get_types_from_msg(path.read_text(), f'usv_energy_msgs/msg/{path.stem}')
    store.register(types)
    rows = read_samples(bag / 'samples.csv')
    with highlevel.AnyReader([bag / 'bag'], default_typestore=store) as reader:
        counts = {connection.topic: connection.msgcount for connection in reader.connections}
        for topic in ('odom', 'boat_state', 'power', 'energy', 'water_current', 'wind', 'thruster_power',
                      'as_published/power', 'battery_state', 'instantaneous_power', 'battery_estimate'):
            assert counts[f'/diffboat/{topic}'] >= len(rows), topic
        assert counts['/diffboat/cmd_thrust/left'] >= len(rows)
        assert counts['/diffboat/scenario_result'] == 1
        powers = {}
        for connection, time, data in reader.messages():
            if connection.topic == '/diffboat/power':
                msg = reader.deserialize(data, connection.msgtype)
                assert time == msg.header.stamp.sec * 10**9 + msg.header.stamp.nanosec
                powers[time] = msg
    assert [power.total for power in list(powers.values())[1:]] == [row.power.total for row in rows[1:]]
    assert powers[max(powers)].current_used.x == pytest.approx(0.3 * 0.5**0.5)


def test_a_bag_says_how_its_topics_were_offered_and_by_which_hash_its_types_are_known(bag):
    """By that, `ros2 bag play` gives a result that is still there for readers who come late."""
    from nav_msgs.msg import Odometry
    from rosbags.typesys import Stores, get_typestore

    from usv_energy_msgs.msg import ScenarioResult
    with highlevel.AnyReader([bag / 'bag']) as reader:
        connections = {connection.topic.rsplit('/', 1)[1]: connection for connection in reader.connections}
    offered = {name: [(profile.reliability.name, profile.durability.name)
                      for profile in connection.ext.offered_qos_profiles] for name, connection in connections.items()}
    assert offered['scenario_result'] == [('RELIABLE', 'TRANSIENT_LOCAL')]
    assert offered['odom'] == offered['power'] == [('RELIABLE', 'VOLATILE')]
    assert connections['odom'].digest == get_typestore(Stores.ROS2_JAZZY).hash_rihs01('nav_msgs/msg/Odometry')
    assert definition_of(Odometry).hash == connections['odom'].digest
    assert connections['scenario_result'].digest == definition_of(ScenarioResult).hash
    assert connections['scenario_result'].digest.startswith('RIHS01_')


def test_odometry_that_was_sent_again_is_in_the_bag_once(bag):
    log = read_bag(bag / 'bag')
    assert 'repeated' not in {note.code for note in log.notes}
    assert len(log) >= len(read_samples(bag / 'samples.csv'))


def test_a_bag_is_read_by_mcap_alone(bag):
    """The schemas are in the file, so Foxglove and PlotJuggler need nothing else."""
    reader_module = pytest.importorskip('mcap.reader')
    decoder_module = pytest.importorskip('mcap_ros2.decoder')
    with next((bag / 'bag').glob('*.mcap')).open('rb') as file:
        reader = reader_module.make_reader(file, decoder_factories=[decoder_module.DecoderFactory()])
        last = [message for _, channel, _, message in reader.iter_decoded_messages(topics=['/diffboat/energy'])][-1]
    summary = json.loads((bag / 'summary.json').read_text())
    assert last.total == summary['energy_j']
    assert last.duration == pytest.approx(summary['duration_s'], abs=0.03)


def test_files_of_a_run(bag):
    assert (bag / 'plot.png').read_bytes().startswith(b'\x89PNG')
    summary = json.loads((bag / 'summary.json').read_text())
    assert summary['outcome'] == 'reached'
    assert summary['run_by'] == 'ros'
    other = json.loads((bag.with_name('short_as_published') / 'summary.json').read_text())
    assert other['convention'] == 'as_published'
    assert other['energy_j'] != summary['energy_j']
    assert not (bag.with_name('short_as_published') / 'bag').exists()


def test_a_bag_is_never_overwritten(bag):
    from usv_energy.files.errors import InputError
    with pytest.raises(InputError, match='is there already'), open_bag(bag / 'bag'):
        pass


def test_a_recorder_that_is_stopped_keeps_what_it_heard(graph, tmp_path):
    from rclpy.parameter import Parameter

    from usv_energy.nodes.recorder import Recorder
    one = graph()
    values = {'out': str(tmp_path), 'thruster_power': False, 'plots': False}
    recorder = Recorder(namespace='/boat', parameter_overrides=[Parameter(k, value=v) for k, v in values.items()])
    one.composition.nodes['recorder'] = recorder
    one.composition.executor.add_node(recorder)
    assert recorder.bring_up()
    one.until(lambda: recorder.count_publishers('/boat/energy') and one.nodes['energy_accumulator'].count_subscribers(
        '/boat/energy') > 1)
    energy = one.tell_all(steps(0.0, 1.0))
    one.until(lambda: recorder._rows >= 21)
    recorder.trigger_deactivate()
    rows = read_samples(tmp_path / 'samples.csv')
    assert rows[-1].energy == energy.total
    with highlevel.AnyReader([tmp_path / 'bag']) as reader:
        assert reader.message_count >= 20
