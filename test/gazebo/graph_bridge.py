"""
Stand in for ros_gz_bridge where it cannot be built: same YAML file, same topics, a Gazebo server by gz-transport.

python3 graph_bridge.py BRIDGE_YAML|from_parameters WORLD --pipe PROGRAM [--ros-args ...]

PROGRAM is graph_pipe.cpp, compiled (gz_compile.py). It is for tests and measurements only. What it does not have: other
types, other services, QoS overrides.
"""

import argparse
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import rclpy
import yaml
from builtin_interfaces.msg import Time
from geometry_msgs.msg import Vector3
from nav_msgs.msg import Odometry
from rclpy.node import Node
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64

from usv_energy.ros.framework.process import POLL, make_executor, ros_process

GZ_KINDS = {'gz.msgs.Odometry': 'odometry', 'gz.msgs.Model': 'joints', 'gz.msgs.Clock': 'clock',
            'gz.msgs.Double': 'double',
            'gz.msgs.Vector3d': 'vector', 'gz.msgs.EntityWrench': 'wrench', 'gz.msgs.Entity': 'entity'}
HEARTBEAT = 0.1


class Bridge(Node):
    """The ROS side."""

    def __init__(self, config, world, program):
        super().__init__('gazebo_bridge')
        file = self.declare_parameter('config_file', str(config)).value
        entries = yaml.safe_load(Path(file).read_text())
        from ros_gz_interfaces.msg import Entity, EntityWrench
        from ros_gz_interfaces.srv import ControlWorld
        self.kinds = {'nav_msgs/msg/Odometry': Odometry, 'sensor_msgs/msg/JointState': JointState,
                      'rosgraph_msgs/msg/Clock': Clock,
                      'std_msgs/msg/Float64': Float64, 'geometry_msgs/msg/Vector3': Vector3,
                      'ros_gz_interfaces/msg/EntityWrench': EntityWrench, 'ros_gz_interfaces/msg/Entity': Entity}
        self.service_name = f'/world/{world}/control'
        self.pipe = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.lock = threading.Lock()
        self.entries = dict(enumerate(entries))
        self.ends = {}
        self.answers = []
        for index, entry in self.entries.items():
            self.open(index, entry)
        self.create_service(ControlWorld, self.service_name, self.control)
        self.create_timer(HEARTBEAT, self.look)
        threading.Thread(target=self.read, daemon=True).start()

    def say(self, *words):
        with self.lock:
            self.pipe.stdin.write(' '.join(map(str, words)) + '\n')
            self.pipe.stdin.flush()

    def open(self, index, entry):
        kind = GZ_KINDS[entry['gz_type_name']]
        if entry['direction'] == 'ROS_TO_GZ':
            self.say('pub', kind, index, entry['gz_topic_name'])
            if not entry['lazy']:
                self.listen(index, True)
            return
        self.ends[index] = self.create_publisher(self.kinds[entry['ros_type_name']], entry['ros_topic_name'],
                                                 entry['publisher_queue'])
        if not entry['lazy']:
            self.say('sub', kind, index, entry['gz_topic_name'])

    def listen(self, index, wanted):
        """Subscribe in ROS, or no longer, as Gazebo has a reader or none."""
        entry = self.entries[index]
        if wanted and index not in self.ends:
            self.ends[index] = self.create_subscription(
                self.kinds[entry['ros_type_name']], entry['ros_topic_name'], partial(self.pass_on, index),
                entry['subscriber_queue'])
        elif not wanted and index in self.ends:
            self.destroy_subscription(self.ends.pop(index))

    def look(self):
        for index, entry in self.entries.items():
            if entry['lazy'] and entry['direction'] == 'GZ_TO_ROS':
                wanted = self.ends[index].get_subscription_count() > 0
                if wanted != entry.get('open', False):
                    entry['open'] = wanted
                    self.say(*(('sub', GZ_KINDS[entry['gz_type_name']], index, entry['gz_topic_name']) if wanted
                               else ('unsub', entry['gz_topic_name'])))
            elif entry['lazy']:
                self.listen(index, entry.get('read', False))

    def pass_on(self, index, msg):
        kind = GZ_KINDS[self.entries[index]['gz_type_name']]
        if kind == 'double':
            self.say('p', index, repr(msg.data))
        elif kind == 'vector':
            self.say('p', index, repr(msg.x), repr(msg.y), repr(msg.z))
        elif kind == 'wrench':
            self.say('p', index, msg.entity.name, msg.entity.type, repr(msg.wrench.force.x), repr(msg.wrench.force.y))
        else:
            self.say('p', index, msg.name, msg.type)

    def control(self, request, response):
        """Pass a control on; that Gazebo took it is not waited for: gz-transport answers when it has."""
        control = request.world_control
        self.say('control', self.service_name, int(control.pause), control.multi_step, control.run_to_sim_time.sec,
                 control.run_to_sim_time.nanosec)
        response.success = True
        return response

    def read(self):
        for line in self.pipe.stdout:
            word, *rest = line.split()
            if word == 'o':
                self.publish_odometry(*rest)
            elif word == 'j':
                self.publish_joints(*rest)
            elif word == 'k':
                self.ends[int(rest[0])].publish(Clock(clock=Time(sec=int(rest[1]), nanosec=int(rest[2]))))
            elif word == 'h':
                self.entries[int(rest[0])]['read'] = rest[1] == '1'
            elif word == 'c' and rest[0] != '1':
                self.get_logger().error('Gazebo refused a control')

    def publish_odometry(self, index, sec, nanosec, frame, child, *numbers):
        msg = Odometry(child_frame_id=child)
        msg.header.stamp.sec, msg.header.stamp.nanosec, msg.header.frame_id = int(sec), int(nanosec), frame
        values = [float(number) for number in numbers]
        place, turn = msg.pose.pose.position, msg.pose.pose.orientation
        place.x, place.y, place.z, turn.x, turn.y, turn.z, turn.w = values[:7]
        linear, angular = msg.twist.twist.linear, msg.twist.twist.angular
        linear.x, linear.y, linear.z, angular.x, angular.y, angular.z = values[7:]
        self.ends[int(index)].publish(msg)

    def publish_joints(self, index, sec, nsec, *words):
        """As ros_gz_bridge's convert/sensor_msgs.cpp: position, velocity and force of each joint's first axis."""
        msg = JointState(name=words[::4], position=map(float, words[1::4]), velocity=map(float, words[2::4]),
                         effort=map(float, words[3::4]))
        msg.header.stamp.sec, msg.header.stamp.nanosec = int(sec), int(nsec)
        self.ends[int(index)].publish(msg)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('config', type=Path)
    parser.add_argument('world')
    parser.add_argument('--pipe', type=Path, required=True)
    args = parser.parse_args(rclpy.utilities.remove_ros_args(sys.argv)[1:])
    with ros_process(sys.argv) as stopped:
        bridge = Bridge(args.config, args.world, args.pipe)
        executor = make_executor()
        executor.add_node(bridge)
        while not stopped() and bridge.pipe.poll() is None:
            executor.spin_once(timeout_sec=POLL)
        bridge.pipe.stdin.close()


if __name__ == '__main__':
    main()
