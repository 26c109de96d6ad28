"""The graph of drive.launch.py in one process, and somebody who drives its boat by cmd_vel and path."""

import loopback
import rclpy
from geometry_msgs.msg import PoseStamped, Twist, TwistStamped, Vector3
from harness import DEADLINE
from nav_msgs.msg import Path
from rclpy.executors import SingleThreadedExecutor
from std_msgs.msg import Header

from usv_energy.ros.framework import qos
from usv_energy.ros.graph.compose import Composition
from usv_energy.ros.graph.graph import drive_nodes
from usv_energy.ros.graph.graph_options import DriveOptions
from usv_energy.ros.messages import convert


class Drive:
    """
    The graph of drive.launch.py in one process, and somebody in a process (a DDS participant) of his own.

    The odometry comes at 10 Hz, so that a test takes a fifth of the messages.
    """

    def __init__(self, folder, boat='lutra_prop', pace='10.0', driver=None, without=(), **options):
        path = folder / 'slow.yaml'
        path.write_text('base: drive/open_water\nsimulation: {step: 0.02, period: 0.1}\n')
        options |= {'scenario': str(path)}
        specs = [spec._replace(parameters=spec.parameters | (driver or {})) if spec.name == 'motion_driver' else spec
                 for spec in drive_nodes(DriveOptions(boat=boat, pace=pace, **options)) if spec.name not in without]
        self.composition = Composition(specs, '/boat')
        self.nodes = self.composition.nodes
        self.context = rclpy.Context()
        loopback.init(self.context)
        self.person = rclpy.create_node('person', namespace='/boat', context=self.context)
        self.executor = SingleThreadedExecutor(context=self.context)
        self.executor.add_node(self.person)
        self.publishers = {}

    def hear(self, kind, topic):
        """Return the list in which messages go that are heard on a topic from now on."""
        heard = []
        self.person.create_subscription(kind, topic, heard.append, qos.STREAM)
        return heard

    @property
    def pilot(self):
        return self.nodes['motion_driver']._pilot

    @property
    def plant(self):
        return self.nodes['boat_simulator']._plant

    def until(self, done, deadline=DEADLINE):
        assert self.composition.spin_until(
            lambda: (self.executor.spin_once(timeout_sec=0.0), done())[-1], deadline), f'not within {deadline} s'

    def say(self, message, topic='cmd_vel'):
        """Publish once it will be heard: the type may have to be found out first."""
        kind = type(message)
        if (topic, kind) not in self.publishers:
            self.publishers[topic, kind] = self.person.create_publisher(kind, topic, 10)
        publisher = self.publishers[topic, kind]
        self.until(lambda: publisher.get_subscription_count() > 0 and self.knows(publisher))
        publisher.publish(message)

    def knows(self, publisher):
        """Return whether the readers of a topic have found its publisher, too; until then a best-effort one is deaf."""
        readers = [one for node in self.composition.executor.get_nodes() for one in node.subscriptions
                   if one.topic_name == publisher.topic_name]
        return readers and all(one.get_publisher_count() > 0 for one in readers)

    def order(self, message, doing, topic='cmd_vel'):
        """Say something until the pilot does it."""
        self.say(message, topic)
        self.until(lambda: self.pilot.doing == doing)

    def drive(self, seconds):
        """Go on for so long by the boat's own time, s."""
        end = self.plant.time + seconds
        self.until(lambda: self.plant.time >= end)

    def velocity(self):
        return self.plant.velocity_over_ground()

    def close(self):
        if not self.context.ok():
            return
        self.executor.shutdown()
        self.person.destroy_node()
        self.composition.close()
        self.context.try_shutdown()


def twist(surge=0.0, sway=0.0, yaw_rate=0.0):
    return Twist(linear=Vector3(x=surge, y=sway), angular=Vector3(z=yaw_rate))


def stamped(surge, frame='', stamp=0.0):
    return TwistStamped(header=Header(frame_id=frame, stamp=convert.stamp_of(round(stamp * convert.NANOSECONDS))),
                        twist=twist(surge))


def path_of(*places, frame='boat/odom'):
    return Path(header=Header(frame_id=frame), poses=[PoseStamped(pose=convert.pose_of(x, y, 0.0)) for x, y in places])
