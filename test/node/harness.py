"""The energy nodes in one process, and a probe that plays odometry to them and hears what they say."""

import math
import time
from collections import defaultdict

import rclpy
import yaml
from geometry_msgs.msg import Vector3Stamped
from nav_msgs.msg import Odometry
from sensor_msgs.msg import BatteryState
from std_msgs.msg import Header
from std_srvs.srv import Trigger

from usv_energy.ros.framework import qos
from usv_energy.ros.graph.compose import Composition
from usv_energy.ros.graph.graph import FlowOptions, energy_nodes
from usv_energy.ros.messages import convert
from usv_energy_msgs.msg import BoatState, EnergyStamped, PowerStamped

# s of wall time. Tests wait for it only where they fail: ten times as long as the longest run of one here takes on a
# machine with a load of 10.
DEADLINE = 240.0
HEARD = {'boat_state': BoatState, 'power': PowerStamped, 'energy': EnergyStamped, 'battery_state': BatteryState,
         'water_current': Vector3Stamped, 'wind': Vector3Stamped}


class EnergyGraph:
    """
    The composed energy nodes and a probe.

    `tell` publishes one odometry and spins until the energy of that stamp is there (or of the adapter's answer, if told
    so), so a test sees every sample and sleeps for none.
    """

    def __init__(self, boat='lutra_prop', convention='rep103', current=None, wind=None, adapter=None,
                 without=(), namespace='/boat', change=None, intra_process=True):
        specs = energy_nodes(boat, convention, current or FlowOptions(), wind or FlowOptions(), adapter, 5.0)
        specs = [spec._replace(parameters={**spec.parameters, **(change or {}).get(spec.name, {})})
                 for spec in specs if spec.name not in without]
        self.composition = Composition(specs, namespace, intra_process=intra_process)
        self.nodes = self.composition.nodes
        self.probe = rclpy.create_node('probe', namespace=namespace)
        self.heard = defaultdict(list)
        for topic, kind in HEARD.items():
            self.probe.create_subscription(kind, topic, self.heard[topic].append, qos.STREAM)
        self.odom = self.probe.create_publisher(Odometry, 'odom', qos.STREAM)
        self.resetter = self.probe.create_client(Trigger, 'reset_energy')
        self.composition.executor.add_node(self.probe)
        if 'state_adapter' not in without:
            self.until(lambda: self.odom.get_subscription_count() > 0)
        publishers = {'power': 'power_calculator', 'energy': 'energy_accumulator', 'boat_state': 'state_adapter'}
        for topic, node in publishers.items():
            if node not in without:
                self.until(lambda topic=topic: self.probe.count_publishers(f'{namespace}/{topic}') > 0)

    def until(self, done, deadline=DEADLINE):
        """Spin until something is so; fail the test if it is not within the deadline (s of wall time)."""
        assert self.composition.spin_until(done, deadline), f'not within {deadline} s; heard {self.counts()}'

    def counts(self):
        return {topic: len(messages) for topic, messages in self.heard.items()}

    def say(self, stamp, u=1.0, v=0.0, r=0.0, x=0.0, y=0.0, yaw=0.0, frame='odom'):
        """Publish one odometry, stamp in s."""
        header = Header(stamp=convert.stamp_of(round(stamp * convert.NANOSECONDS)), frame_id=frame)
        self.odom.publish(convert.odometry_to_msg((x, y, yaw), (u, v, r), header, 'base_link'))

    def tell(self, stamp, until='energy', **motion):
        """Publish one odometry and return the answer to it on a topic; said again while discovery is under way."""
        wanted = round(stamp * convert.NANOSECONDS)
        before = len(self.heard[until])
        self.say(stamp, **motion)
        said = time.monotonic()

        def answered():
            nonlocal said
            if time.monotonic() - said > 1.0 and not self.heard[until]:
                self.say(stamp, **motion)
                said = time.monotonic()
            return any(convert.nanoseconds(msg.header.stamp) == wanted for msg in self.heard[until][before:])

        self.until(answered)
        return self.heard[until][-1]

    def tell_all(self, stamps, **motion):
        """Tell one odometry a stamp; return the last answer."""
        for stamp in stamps:
            answer = self.tell(stamp, **motion)
        return answer

    def reset(self):
        """Call reset_energy and return its response."""
        self.until(self.resetter.service_is_ready)
        future = self.resetter.call_async(Trigger.Request())
        self.until(future.done)
        return future.result()

    def close(self):
        self.composition.executor.remove_node(self.probe)
        self.probe.destroy_node()
        self.composition.close()


def steps(begin, end, period=0.05):
    """Return stamps from begin to end, both included, s."""
    return [begin + k * period for k in range(round((end - begin) / period) + 1)]


def at_ten_hertz(name, folder, **change):
    """
    Return the path of a scenario of the same name, with odometry at 10 Hz: a fifth of the messages of the shipped ones.

    :param name: Of the scenario, like 'river/crossing_both'.
    :param folder: Where its file is written.
    :param change: Other keys of its file.
    """
    path = folder / f'{name.rsplit("/", 1)[-1]}.yaml'
    path.write_text(yaml.safe_dump({'base': name, 'simulation': {'step': 0.02, 'period': 0.1}, **change}))
    return str(path)


def steady_power(u, boat):
    """Return the power of a steady surge velocity in still water and air, W: drag of the water and of the air."""
    damping, windage = boat.vessel.damping, boat.vessel.windage
    air = 0.5 * windage.air_density * windage.frontal_area * windage.c_x * abs(u) ** 3
    return (damping.d11 + damping.d11_q * abs(u)) * u * u + air


def is_nan(*values):
    return all(math.isnan(value) for value in values)


def hear(graph, kind, topic):
    """Return the list in which a graph's probe puts what it hears on a topic, once somebody speaks there."""
    heard = []
    graph.probe.create_subscription(kind, topic, heard.append, qos.STREAM)
    graph.until(lambda: graph.probe.count_publishers(graph.probe.resolve_topic_name(topic)) > 0)
    return heard
