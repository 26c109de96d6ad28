"""Acoustic modems of two boats that Gazebo moves: their places come by the bridge, and so do distance and level."""

import math
import threading

import pytest
from launched_gazebo import REASON

from usv_energy.physics.acoustics import AcousticSea, SeaWater, received_level, sound_speed
from usv_energy.sim.acoustics.hearing import read_modem

pytestmark = pytest.mark.skipif(bool(REASON), reason=REASON or 'there is all')
DEPTH = 0.5


def seconds(stamp):
    return stamp.sec + 1e-9 * stamp.nanosec


def talk(wait):
    """Have a modem on each of two boats; the first says hi after 3 s. Return what the second hears, and both ways."""
    import loopback
    import rclpy
    from nav_msgs.msg import Odometry

    from usv_energy.nodes.acoustic_modem import AcousticModem
    from usv_energy.ros.framework.intra_process import IntraProcess
    from usv_energy.ros.framework.process import make_executor, spin_until
    from usv_energy.ros.framework.qos import STREAM
    from usv_energy_msgs.msg import AcousticMessage
    from usv_energy_msgs.srv import SendAcoustic
    loopback.init()
    executor, near, probe = make_executor(), IntraProcess(), rclpy.create_node('probe')
    modems = {name: AcousticModem(namespace=f'/{name}', intra_process=near) for name in ('diffboat', 'diffboat_2')}
    ways, heard, sent = {name: [] for name in modems}, [], []
    for node in (*modems.values(), probe):
        executor.add_node(node)
    for name, node in modems.items():
        assert node.bring_up()
        probe.create_subscription(Odometry, f'/{name}/odom', ways[name].append, STREAM)
    probe.create_subscription(AcousticMessage, '/diffboat_2/acoustic_received', heard.append, STREAM)

    def look():
        """Send once both know where they are; the first odometries of Gazebo are of the start."""
        if not sent and all((node._time or 0.0) > 3.0 for node in modems.values()):
            sent.append(modems['diffboat']._on_order(SendAcoustic.Request(data=list(b'hi')), SendAcoustic.Response()))
        return wait.is_set()

    spin_until(look, executor, near)
    for node in modems.values():
        executor.remove_node(node)
        node.close()
    probe.destroy_node()
    rclpy.shutdown()
    return sent, heard, ways


def test_two_boats_of_gazebo_talk(launched):
    """46 dB and more above the noise at 3 m; as far apart as their odometries say, and as late as sound over that."""
    over, found = threading.Event(), []
    thread = threading.Thread(target=lambda: found.extend(talk(over)))
    thread.start()
    try:
        code, said = launched(scenario='1', boats='2', real_time_factor='3').result()
    finally:
        over.set()
        thread.join()
    assert code == 0, said
    sent, heard, ways = found
    assert [one.success for one in sent] == [True] and len(heard) == 1, said
    (one,) = heard
    assert (one.outcome, bytes(one.data), one.sender) == (one.RECEIVED, b'hi', 'diffboat')
    places = [min(way, key=lambda msg: abs(seconds(msg.header.stamp) - seconds(one.sent))).pose.pose.position
              for way in ways.values()]
    apart = math.dist(*((place.x, place.y, place.z) for place in places))
    assert one.distance == pytest.approx(apart, abs=0.05) and apart == pytest.approx(3.0 * 1.06, abs=0.1)
    water = SeaWater(depth=DEPTH)
    assert one.delay == pytest.approx(one.distance / float(sound_speed(water)), rel=1e-6)
    assert one.level == pytest.approx(
        float(received_level(read_modem('tapac').modem, one.distance, AcousticSea(water))), abs=1e-9)
