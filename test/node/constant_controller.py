"""A controller in a process of its own: it answers each odometry with the same thrusts: NAMESPACE LEFT RIGHT, N."""

import sys

import rclpy
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState

from usv_energy.ros.framework import qos


def main(namespace: str, left: str, right: str) -> None:
    rclpy.init(args=[])
    node = rclpy.create_node('constant_controller', namespace=namespace)
    command = node.create_publisher(JointState, 'thruster_command', qos.STREAM)
    node.create_subscription(Odometry, 'odom', lambda msg: command.publish(JointState(
        header=msg.header, name=['left', 'right'], effort=[float(left), float(right)])), qos.STREAM)
    rclpy.spin(node)


if __name__ == '__main__':
    main(*sys.argv[1:])
