"""Modems of several vehicles on a real graph: Thetis's mission, interference, a node killed in the middle."""

import math
import os
import signal
import subprocess
import sys
import time as clock

import pytest
import rclpy
from nav_msgs.msg import Odometry
from places import ROOT
from rclpy.parameter import Parameter
from std_msgs.msg import Bool, Float64MultiArray, Header, MultiArrayDimension, UInt8MultiArray

from usv_energy.nodes.acoustic_modem import AcousticModem
from usv_energy.nodes.track_player import TrackPlayer
from usv_energy.physics.acoustics import AcousticSea, SeaWater, modem_range, received_level, sound_speed
from usv_energy.ros.framework import qos
from usv_energy.ros.framework.intra_process import IntraProcess
from usv_energy.ros.framework.process import make_executor, spin_until
from usv_energy.ros.messages import convert
from usv_energy.sim.acoustics.hearing import read_modem
from usv_energy.sim.scenario import read_scenario
from usv_energy_msgs.msg import AcousticMessage
from usv_energy_msgs.srv import SendAcoustic

TEXT = b'HELLO WOLRD TAIPAN 2 IS BROADCASTING A MESSAGE'
THETIS = {'wind': 2.5722, 'noise': 'thetis', 'absorption': 'thetis', 'depth': 0.0}


class Water:
    """Vehicles with modems in one process, and a probe that says where they are and hears what they hear."""

    def __init__(self):
        self.executor, self.near, self.nodes = make_executor(), IntraProcess(), []
        self.probe = rclpy.create_node('probe')
        self.executor.add_node(self.probe)
        self.heard, self.busy, self.odom, self.places, self.headings = {}, {}, {}, {}, {}

    def add(self, name, place, **parameters):
        node = self.made(AcousticModem, name, parameters)
        self.places[name] = place
        self.odom[name] = self.probe.create_publisher(Odometry, f'/{name}/odom', qos.STREAM)
        self.listen(name)
        self.until(lambda: self.odom[name].get_subscription_count() > 0)
        return node

    def made(self, kind, name, parameters, **options):
        node = kind(namespace=f'/{name}', intra_process=self.near, parameter_overrides=[
            Parameter(key, value=value) for key, value in parameters.items()], **options)
        self.nodes.append(node)
        self.executor.add_node(node)
        assert node.bring_up()
        return node

    def listen(self, name):
        self.heard[name], self.busy[name] = [], []
        heard = self.heard[name].append
        self.probe.create_subscription(AcousticMessage, f'/{name}/acoustic_received', heard, qos.STREAM)
        self.probe.create_subscription(Bool, f'/{name}/modem_sending', self.busy[name].append, qos.LATCHED)
        self.until(lambda: self.probe.count_publishers(f'/{name}/acoustic_received') > 0)

    def until(self, done, deadline=60.0):
        spun = []
        end = clock.monotonic() + deadline
        spin_until(lambda: spun.append(done()) or spun[-1] or clock.monotonic() > end, self.executor, self.near)
        assert spun[-1], f'not within {deadline} s'

    def tell(self, time):
        """Say where all are at a time, and spin until each modem knows."""
        for name, place in self.places.items():
            if place is not None:
                x, y, z = place
                msg = convert.odometry_to_msg((x, y, self.headings.get(name, 0.0)), (0.0, 0.0, 0.0),
                                              Header(stamp=convert.stamp_of(round(time * 1e9)), frame_id='odom'), 'b')
                msg.pose.pose.position.z = z
                self.odom[name].publish(msg)
        modems = [node for node in self.nodes if isinstance(node, AcousticModem)]
        self.until(lambda: all(node._time == pytest.approx(time) for node in modems))

    def send(self, name, data):
        client = self.probe.create_client(SendAcoustic, f'/{name}/send_acoustic')
        self.until(client.service_is_ready)
        future = client.call_async(SendAcoustic.Request(data=list(data)))
        self.until(future.done)
        return future.result()

    def close(self):
        for node in reversed(self.nodes):
            self.executor.remove_node(node)
            node.close()
        self.probe.destroy_node()
        self.executor.shutdown()


@pytest.fixture
def water(ros):
    one = Water()
    yield one
    one.close()


def test_thetis_mission(water):
    """[H]: the message at 60 s is lost, those at 1500 and 2300 s are there after 20 s; Taipan 300 is a track."""
    water.add('taipan_2', (0.0, 0.0, -5.0), **THETIS)
    water.add('taipan_300', None, **THETIS)
    water.made(TrackPlayer, 'taipan_300', {'track': str(ROOT / 'config/acoustics/taipan_300.csv')},
               cli_args=['--ros-args', '-r', 'clock_odom:=/taipan_2/odom'])
    sent = []
    for time in range(0, 2400, 10):
        water.tell(float(time))
        if time in (60, 1500, 2300):
            sent.append(water.send('taipan_2', TEXT))
    water.until(lambda: len(water.heard['taipan_300']) == 3)
    assert [one.success for one in sent] == [True] * 3
    assert [one.duration for one in sent] == pytest.approx([18.4] * 3)
    assert [one.energy for one in sent] == pytest.approx([18.4 * 4.2] * 3)
    first, *others = water.heard['taipan_300']
    assert (first.outcome, bytes(first.data)) == (AcousticMessage.OUT_OF_RANGE, b'')
    for one, begin in zip(others, (1500.0, 2300.0)):
        assert (one.outcome, bytes(one.data), one.sender) == (AcousticMessage.RECEIVED, TEXT, 'taipan_2')
        assert convert.nanoseconds(one.header.stamp) / 1e9 - begin == pytest.approx(18.4 + one.delay, abs=1e-6)
        assert one.delay == pytest.approx(one.distance / 1490.0, rel=0.01)
    assert [one.data for one in water.busy['taipan_2']][-1] is False
    assert True in [one.data for one in water.busy['taipan_2']]


def test_two_at_once_are_lost_between_them(water):
    for name, x in (('a', 0.0), ('b', 600.0), ('c', 300.0)):
        water.add(name, (x, 0.0, 0.0))
    water.tell(0.0)
    water.send('a', b'first')
    talk = water.probe.create_publisher(UInt8MultiArray, '/b/acoustic_send', qos.STREAM)
    water.until(lambda: talk.get_subscription_count() > 0)
    talk.publish(UInt8MultiArray(data=list(b'second')))
    for time in range(1, 12):
        water.tell(0.5 * time)
    water.until(lambda: len(water.heard['c']) == 2)
    assert {one.outcome for one in water.heard['c']} == {AcousticMessage.INTERFERENCE}
    # Each of the two was sending when the other's came.
    water.until(lambda: water.heard['a'] and water.heard['b'])
    assert water.heard['a'][0].outcome == water.heard['b'][0].outcome == AcousticMessage.SENDING


def test_a_modem_that_goes_down_in_the_middle_says_so(water):
    sender = water.add('a', (0.0, 0.0, 0.0))
    water.add('b', (300.0, 0.0, 0.0))
    water.tell(0.0)
    water.send('a', TEXT)
    water.tell(1.0)
    water.tell(2.0)
    sender.trigger_deactivate()
    del water.places['a']
    water.nodes.remove(sender)
    for time in (3.0, 4.0, 5.0):
        water.tell(time)
    water.until(lambda: water.heard['b'])
    assert water.heard['b'][0].outcome == AcousticMessage.CUT_OFF
    water.executor.remove_node(sender)
    sender.close()


def test_a_modem_that_is_killed_in_the_middle(water):
    """SIGKILL: it says nothing more; the receiver tells the message lost, and goes on."""
    water.add('b', (300.0, 0.0, 0.0))
    process = subprocess.Popen(
        [sys.executable, '-m', 'usv_energy.nodes.acoustic_modem', '--ros-args', '-r', '__ns:=/a', '-p',
         'autostart:=true'], env=os.environ | {'PYTHONPATH': f'{ROOT}:{os.environ.get("PYTHONPATH", "")}'},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        odom = water.probe.create_publisher(Odometry, '/a/odom', qos.STREAM)
        water.until(lambda: odom.get_subscription_count() > 0 and water.probe.count_publishers('/a/modem_sending') > 0)
        water.listen('a')
        water.odom['a'], water.places['a'] = odom, (0.0, 0.0, 0.0)
        client = water.probe.create_client(SendAcoustic, '/a/send_acoustic')
        water.until(client.service_is_ready)
        answers, time = [], 0.0
        while not (answers and answers[-1].success):
            time += 1.0
            water.tell(time)
            answers.append(water.send('a', TEXT))
        water.tell(time + 1.0)
        water.until(lambda: any(one.data for one in water.busy['a']))
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    del water.places['a']
    for later in range(2, 30):
        water.tell(time + later)
    water.until(lambda: water.heard['b'])
    assert water.heard['b'][0].outcome == AcousticMessage.CUT_OFF


def test_land_between_and_wrong_orders(water, tmp_path):
    scenario = tmp_path / 'pier.yaml'
    base = read_scenario('1').path
    scenario.write_text(f'base: {base}\ntitle: a pier\n'
                        'obstacles: [{name: pier, x: 150, y: 0, radius: 20}]\n')
    water.add('a', (0.0, 0.0, 0.0))
    water.add('b', (300.0, 0.0, 0.0), scenario=str(scenario))
    assert 'no odometry yet' in water.send('a', b'hello').message
    water.tell(0.0)
    assert '0 bytes; must be 1 to 65536' in water.send('a', b'').message
    assert water.send('a', b'hello').success
    for time in (1.0, 2.0, 3.0, 4.0):
        water.tell(time)
    water.until(lambda: water.heard['b'])
    assert water.heard['b'][0].outcome == AcousticMessage.BLOCKED


def test_time_that_goes_back_forgets_what_was_on_its_way(water):
    water.add('a', (0.0, 0.0, 0.0))
    water.add('b', (300.0, 0.0, 0.0))
    water.tell(100.0)
    water.send('a', b'hello')
    water.tell(100.5)
    water.tell(0.0)
    for time in range(1, 10):
        water.tell(float(time))
    assert water.send('a', b'again').success
    for time in range(10, 16):
        water.tell(float(time))
    water.until(lambda: water.heard['b'])
    assert [bytes(one.data) for one in water.heard['b']] == [b'again']


@pytest.fixture
def directed(tmp_path):
    """Return the file of a modem that is 20 dB weaker abeam, and 30 dB astern."""
    path = tmp_path / 'directed.yaml'
    path.write_text((ROOT / 'config/modems/tapac.yaml').read_text().replace('name: tapac', 'name: directed')
                    + '  directivity: {rows: [[0, 0], [90, -20], [180, -30]], unit: dB}\n')
    return str(path)


def levels(water, sender, number):
    """Return the level of a message at each receiver, dB; the same distance, so the same loss, for all."""
    water.until(lambda: all(len(heard) >= number for name, heard in water.heard.items() if name != sender))
    return {name: heard[-1].level for name, heard in water.heard.items() if name != sender}


def test_a_directed_sender_is_heard_by_its_heading(water, directed):
    """Levels by the file's table: on its axis as an undirected modem, 20 dB less abeam; then it turns to the other."""
    water.add('ahead', (400.0, 0.0, -5.0), depth=0.0)
    water.add('a', (0.0, 0.0, -5.0), modem=directed, depth=0.0)
    water.add('abeam', (0.0, 400.0, -5.0), depth=0.0)  # Comes after the sender has told its table.
    water.add('below', (240.0, 0.0, -325.0), depth=0.0)
    expected = float(received_level(read_modem('tapac').modem, 400.0, AcousticSea(SeaWater(depth=0.0))))
    for number, (heading, gains) in enumerate((
            (0.0, {'ahead': 0.0, 'abeam': -20.0, 'below': -20.0 * math.degrees(math.acos(0.6)) / 90.0}),
            (0.5 * math.pi, {'ahead': -20.0, 'abeam': 0.0, 'below': -20.0}),
            (math.pi, {'ahead': -30.0, 'abeam': -20.0}))):
        water.headings['a'] = heading
        water.tell(10.0 * number)
        assert water.send('a', b'hi').success
        for later in (1.0, 2.0, 3.0, 5.0):
            water.tell(10.0 * number + later)
        found = levels(water, 'a', number + 1)
        for name, gain in gains.items():
            assert found[name] == pytest.approx(expected + gain, abs=1e-9)


def test_a_directed_receiver_hears_by_its_heading(water, directed):
    """Abeam it hears as if the sender were 20 dB weaker: up to `near`, and not beyond; with its axis there, beyond."""
    near = modem_range(read_modem('tapac').modem._replace(level=157.0), AcousticSea(SeaWater(depth=0.0)))
    water.add('a', (0.0, 0.0, -5.0), depth=0.0)
    water.add('near', (0.99 * near, 0.0, -5.0), modem=directed, depth=0.0)
    water.add('far', (1.01 * near, 0.0, -5.0), modem=directed, depth=0.0)
    water.add('port', (1.01 * near, 1.0, -5.0), modem=directed, depth=0.0, axis_deg=90.0)
    # Abeam: the bow to the north, the sender is to port, where the axis of the third points.
    water.headings = dict.fromkeys(('near', 'far', 'port'), 0.5 * math.pi)
    water.tell(0.0)
    assert water.send('a', b'hi').success
    for time in (1.0, 2.0, 3.0, 5.0, 8.0):
        water.tell(time)
    water.until(lambda: all(water.heard[name] for name in ('near', 'far', 'port')))
    outcomes = {name: water.heard[name][0].outcome for name in ('near', 'far', 'port')}
    assert outcomes == {'near': AcousticMessage.RECEIVED, 'far': AcousticMessage.OUT_OF_RANGE,
                        'port': AcousticMessage.RECEIVED}


def test_a_table_that_is_none_counts_as_alike_in_all_directions(water, capfd):
    water.add('b', (400.0, 0.0, -5.0), depth=0.0)
    table = water.probe.create_publisher(Float64MultiArray, '/acoustic_directivities', qos.LATCHED)
    water.until(lambda: table.get_subscription_count() > 0)
    msg = Float64MultiArray(data=[0.0, 0.0, 3.0])
    msg.layout.dim = [MultiArrayDimension(label='a', size=2)]
    table.publish(msg)
    water.until(lambda: 'not pairs of a rising angle' in capfd.readouterr().err)
    water.add('a', (0.0, 0.0, -5.0), depth=0.0)
    water.tell(0.0)
    water.send('a', b'hi')
    for time in (1.0, 2.0, 3.0):
        water.tell(time)
    water.until(lambda: water.heard['b'])
    expected = float(received_level(read_modem('tapac').modem, 400.0, AcousticSea(SeaWater(depth=0.0))))
    assert water.heard['b'][0].level == pytest.approx(expected, abs=1e-9)


def test_a_track_with_depth_is_as_far_as_it_is_deep(water, tmp_path):
    """An AUV dives straight down 300 m beside the boat: its sound goes along the hypotenuse, 500 m from 400 m below."""
    track = tmp_path / 'dive.csv'
    track.write_text('t_s,x_m,y_m,z_m\n0,300,0,0\n100,300,0,-400\n200,300,0,-400\n')
    water.add('boat', (0.0, 0.0, 0.0), depth=0.0)
    water.add('auv', None, depth=0.0)
    water.made(TrackPlayer, 'auv', {'track': str(track)}, cli_args=['--ros-args', '-r', 'clock_odom:=/boat/odom'])
    speed = float(sound_speed(SeaWater(depth=0.0)))
    for begin, distance in ((0.0, 300.0), (150.0, 500.0)):
        water.tell(begin)
        assert water.send('auv', b'hi').success
        for later in (1.0, 2.0, 3.0):
            water.tell(begin + later)
        water.until(lambda begin=begin: len(water.heard['boat']) == (1 if begin == 0.0 else 2))
        one = water.heard['boat'][-1]
        assert (one.outcome, bytes(one.data)) == (AcousticMessage.RECEIVED, b'hi')
        # It dives 4 m/s while it waits for the first stamp after the order.
        assert one.distance == pytest.approx(math.hypot(300.0, 4.0 * 1.0) if begin == 0.0 else distance, abs=0.1)
        assert one.delay == pytest.approx(one.distance / speed, rel=1e-6)
