"""Messages handed over in the process: what is observable stays as DDS has it, and nothing is said twice or lost."""

import time
from itertools import pairwise

import pytest
from harness import DEADLINE

TOPIC, NAMESPACE = 'said', '/near'


@pytest.fixture
def pair(ros):
    """Return a function that makes a speaker and a hearer with QoS of their own, active, and what the hearer heard."""
    from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
    from std_msgs.msg import Float64

    from usv_energy.ros.framework.intra_process import IntraProcess
    from usv_energy.ros.framework.lifecycle import ManagedNode
    from usv_energy.ros.framework.process import make_executor, spin_until

    def profile(depth=10, latched=False, reliable=True):
        return QoSProfile(
            depth=depth,
            durability=DurabilityPolicy.TRANSIENT_LOCAL if latched else DurabilityPolicy.VOLATILE,
            reliability=ReliabilityPolicy.RELIABLE if reliable else ReliabilityPolicy.BEST_EFFORT)

    class Speaker(ManagedNode):
        def __init__(self, qos, **options):
            self.qos = qos
            super().__init__(**options)

        def configure(self, undo):
            self.publisher = self.advertise(undo, Float64, TOPIC, self.qos)

        def say(self, value):
            self.publisher.publish(Float64(data=float(value)))

    class Hearer(ManagedNode):
        def __init__(self, qos, **options):
            self.qos, self.heard = qos, []
            super().__init__(**options)

        def activate(self, undo):
            self.listen(undo, Float64, TOPIC, lambda msg: self.heard.append(msg.data), self.qos)

    class Pair:
        def __init__(self, speaks=None, hears=None):
            self.comms = IntraProcess()
            self.speaker = Speaker(speaks or profile(), intra_process=self.comms, namespace=NAMESPACE)
            self.hearer = Hearer(hears or profile(), intra_process=self.comms, namespace=NAMESPACE)
            self.executor = make_executor()
            self.nodes = [self.speaker, self.hearer]
            for node in self.nodes:
                self.executor.add_node(node)

        def bring_up(self):
            assert self.speaker.bring_up() and self.hearer.bring_up()
            return self

        def outside(self, **options):
            """Return a node that is not of the composition: its publisher, and what it heard."""
            import rclpy
            node = rclpy.create_node('outside', namespace=NAMESPACE)
            heard = []
            node.create_subscription(Float64, TOPIC, lambda msg: heard.append(msg.data), profile(**options))
            self.nodes.append(node)
            self.executor.add_node(node)
            return node, heard

        def until(self, done):
            end = time.monotonic() + DEADLINE
            spin_until(lambda: done() or time.monotonic() > end, self.executor, self.comms)
            assert done()

        def settle(self):
            """Spin until a round trip of another topic is over: what was said before has arrived by then."""
            from std_msgs.msg import Empty
            node, back = self.nodes[-1], []
            subscription = node.create_subscription(Empty, 'settled', back.append, 10)
            publisher = node.create_publisher(Empty, 'settled', 10)
            self.until(lambda: publisher.get_subscription_count() > 0)
            for number in range(1, 4):
                publisher.publish(Empty())
                self.until(lambda number=number: len(back) >= number)
            node.destroy_subscription(subscription)
            node.destroy_publisher(publisher)

        def close(self):
            for node in self.nodes:
                self.executor.remove_node(node)
                (node.close if isinstance(node, ManagedNode) else node.destroy_node)()
            self.executor.shutdown()

    pairs = []

    def make(*args):
        pairs.append(Pair(*args))
        return pairs[-1]

    make.profile = profile
    yield make
    for one in pairs:
        one.close()


def test_nothing_goes_out_where_nobody_outside_reads(pair):
    one = pair().bring_up()
    from usv_energy.ros.framework.intra_process import COUNT_PERIOD
    sent, asked = [], []
    publisher = one.speaker.publisher.publisher
    publisher.publish = sent.append
    publisher.get_subscription_count = lambda: asked.append(time.monotonic()) or 1
    for value in range(5):
        one.speaker.say(value)
    assert asked and all(later - earlier >= COUNT_PERIOD for earlier, later in pairwise(asked))
    assert one.hearer.heard == [], 'a callback is called by whoever spins, never from within publish'
    one.until(lambda: len(one.hearer.heard) == 5)
    assert one.hearer.heard == [0.0, 1.0, 2.0, 3.0, 4.0]
    assert sent == []


def test_each_reader_hears_each_message_once_whether_near_or_outside(pair):
    one = pair().bring_up()
    _, outside = one.outside(depth=500)
    one.until(lambda: one.speaker.publisher.get_subscription_count() == 2)
    for value in range(200):
        one.speaker.say(value % 7)
        one.until(lambda value=value: len(one.hearer.heard) > value)
    one.until(lambda: len(outside) == 200)
    one.settle()
    assert outside == one.hearer.heard == [float(value % 7) for value in range(200)]


def test_messages_from_outside_reach_a_reader_whose_topic_is_spoken_in_the_process_too(pair):
    from std_msgs.msg import Float64
    one = pair(None, pair.profile(depth=500)).bring_up()
    node, heard = one.outside(depth=500)
    publisher = node.create_publisher(Float64, TOPIC, 500)
    one.until(lambda: publisher.get_subscription_count() == 2 and one.speaker.publisher.get_subscription_count() == 2)
    for value in range(100):
        one.speaker.say(value % 5)
        publisher.publish(Float64(data=float(value % 5)))  # the same bytes as those of the speaker
        publisher.publish(Float64(data=float(-1 - value)))
    one.until(lambda: len(one.hearer.heard) == len(heard) == 300)
    one.settle()
    assert sorted(one.hearer.heard) == sorted(heard)
    assert [value for value in one.hearer.heard if value < 0.0] == [float(-1 - value) for value in range(100)]


@pytest.mark.parametrize('read_before', [False, True])
def test_the_last_message_of_a_latched_topic_reaches_late_readers(pair, read_before):
    latched = pair.profile(depth=1, latched=True)
    one = pair(latched, latched)
    assert one.speaker.bring_up()
    if read_before:
        _, first = one.outside(depth=1, latched=True)
        one.until(lambda: one.speaker.publisher.get_subscription_count() == 1)
    one.speaker.say(1)
    if read_before:
        one.until(lambda: first == [1.0])
    one.speaker.say(2)
    _, late = one.outside(depth=1, latched=True)
    one.until(lambda: late == [2.0])
    assert one.hearer.bring_up()
    one.until(lambda: one.hearer.heard == [2.0])
    one.settle()
    assert (late, one.hearer.heard) == ([2.0], [2.0])
    if read_before:
        assert first == [1.0, 2.0]


def test_a_late_reader_gets_no_old_message_that_an_earlier_one_had_heard(pair):
    """The one outside goes, and the boat speaks on: DDS would keep what was said until then."""
    latched = pair.profile(depth=2, latched=True)
    one = pair(latched, latched)
    assert one.speaker.bring_up()
    early, first = one.outside(depth=2, latched=True)
    one.until(lambda: one.speaker.publisher.get_subscription_count() == 1)
    one.speaker.say(1)
    one.until(lambda: first == [1.0])
    one.executor.remove_node(early)
    one.nodes.remove(early)
    early.destroy_node()
    one.until(lambda: one.speaker.publisher.get_subscription_count() == 0)
    for value in (2, 3, 4):
        one.speaker.say(value)
    _, late = one.outside(depth=2, latched=True)
    one.until(lambda: len(late) == 2)
    one.settle()
    assert late == [3.0, 4.0]


def test_a_reader_of_the_process_that_has_just_left_is_none_outside(pair):
    """DDS counts it for some milliseconds more; a message sent to it would be kept for late readers, and all after."""
    latched = pair.profile(depth=2, latched=True)
    one = pair(latched, latched).bring_up()
    publisher = one.speaker.publisher.publisher
    one.until(lambda: publisher.get_subscription_count() == 1)
    sent, counted, publish = [], [1], publisher.publish
    publisher.publish, publisher.get_subscription_count = sent.append, lambda: counted[0]
    one.hearer.trigger_deactivate()
    for counted[0] in (1, 1, 0, 0):
        one.speaker.say(counted[0])
    assert sent == []
    del publisher.get_subscription_count
    publisher.publish = publish
    _, late = one.outside(depth=2, latched=True)
    one.until(lambda: len(late) == 1)
    one.settle()
    assert late == [0.0]


@pytest.mark.parametrize('counts', [(2, 1), (1, 2)], ids=['it comes before the other has left', 'it comes after'])
def test_a_reader_outside_that_comes_while_another_leaves_is_heard_of(pair, counts, monkeypatch):
    monkeypatch.setattr('usv_energy.ros.framework.intra_process.COUNT_PERIOD', 0.0)
    one = pair().bring_up()
    publisher = one.speaker.publisher.publisher
    one.until(lambda: publisher.get_subscription_count() == 1)
    sent, now = [], [1]
    publisher.publish, publisher.get_subscription_count = sent.append, lambda: now[0]
    one.hearer.trigger_deactivate()
    for value, now[0] in enumerate(counts):
        one.speaker.say(value)
    assert len(sent) == (2 if counts[0] == 2 else 1)


def test_qos_counts_as_in_dds(pair):
    reliable, best_effort = pair.profile(), pair.profile(reliable=False)
    deaf = pair(best_effort, reliable).bring_up()
    deaf.speaker.say(1)
    deaf.outside()
    deaf.settle()
    assert deaf.hearer.heard == []
    short = pair(reliable, pair.profile(depth=3)).bring_up()
    for value in range(10):
        short.speaker.say(value)
    short.outside()
    short.settle()
    assert short.hearer.heard == [7.0, 8.0, 9.0]


def test_an_inactive_node_neither_speaks_nor_hears(pair):
    one = pair().bring_up()
    one.speaker.say(1)
    one.hearer.trigger_deactivate()
    one.outside()
    one.settle()
    assert one.hearer.heard == [], 'what was not called back yet is dropped with the subscription'
    one.hearer.trigger_activate()
    one.speaker.trigger_deactivate()
    one.speaker.say(2)
    one.speaker.trigger_activate()
    one.speaker.say(3)
    one.until(lambda: one.hearer.heard == [3.0])


def test_a_scenario_gives_the_same_bytes_and_the_same_topics_with_and_without_it(ros, tmp_path):
    import rclpy

    from usv_energy.ros.graph.compose import Composition, is_done
    from usv_energy.ros.graph.graph import scenario_nodes
    from usv_energy.ros.graph.graph_options import ScenarioOptions
    from usv_energy.sim.scenario import read_scenario
    samples, graphs = [], []
    observer = rclpy.create_node('observer')
    for intra_process in (True, False):
        out = tmp_path / str(intra_process)
        specs = scenario_nodes(read_scenario('3'), ScenarioOptions(
            out=str(out), bag=False, plots=False, convention='both'))
        with Composition(specs, '/boat', intra_process=intra_process) as composition:
            assert composition.spin_until(lambda: is_done(composition), DEADLINE)
            # The simulator hears the energies until its run has begun, and stops a moment later.
            assert composition.spin_until(lambda: observer.count_subscribers('/boat/energy') == 2, DEADLINE)
            graphs.append({topic: (kinds, observer.count_publishers(topic), observer.count_subscribers(topic))
                           for topic, kinds in composition.nodes['recorder'].get_topic_names_and_types()
                           if topic.startswith('/boat')})
        samples.append([path.read_bytes() for path in sorted(out.glob('*/samples.csv'))])
    observer.destroy_node()
    assert len(samples[0]) == 2 and samples[0] == samples[1]
    assert samples[0][0].count(b'\n') == 921
    assert graphs[0] == graphs[1] and graphs[0]['/boat/power'][1:] == (1, 3)


def test_a_message_from_outside_is_deserialized_once_for_all_readers_in_the_process(pair, monkeypatch):
    from std_msgs.msg import Float64

    from usv_energy.ros.framework import intra_process
    made = []

    def deserialized(data, kind):
        made.append(data)
        return deserialize(data, kind)

    deserialize = intra_process.deserialize_message
    monkeypatch.setattr(intra_process, 'deserialize_message', deserialized)
    one = pair().bring_up()
    second = type(one.hearer)(one.hearer.qos, name='second', intra_process=one.comms, namespace=NAMESPACE)
    one.nodes.insert(0, second)
    one.executor.add_node(second)
    assert second.bring_up()
    node, _ = one.outside()
    publisher = node.create_publisher(Float64, TOPIC, 10)
    one.until(lambda: publisher.get_subscription_count() == 3)
    for value in range(40):
        publisher.publish(Float64(data=float(value)))
        one.until(lambda value=value: len(one.hearer.heard) == len(second.heard) == value + 1)
    assert one.hearer.heard == second.heard == [float(value) for value in range(40)]
    assert len(made) == 40
