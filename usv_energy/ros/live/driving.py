"""What nodes that drive a boat share: what they ask of its actuators goes out, and a vane's wind comes in."""

import math
from contextlib import ExitStack

from builtin_interfaces.msg import Time
from geometry_msgs.msg import Vector3Stamped
from nav_msgs.msg import Odometry
from rclpy.duration import Duration
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64

from usv_energy.boats.boat_file import Boat
from usv_energy.physics.frames import to_body
from usv_energy.powering.actuators import Setting
from usv_energy.ros.framework.lifecycle import ManagedNode
from usv_energy.ros.messages import convert
from usv_energy.sim.actuator_states import command_of_setting, turning_names


class ActuatorCommands:
    """
    The topics on which a boat's actuators are told what to do.

    They are told stamped, all in one message (lockstep goes by that), and plain, a topic an actuator.
    """

    def __init__(self, node: ManagedNode, undo: ExitStack, boat: Boat) -> None:
        """Advertise the topics until undone; for `configure`."""
        self._boat = boat
        self._turning = turning_names(boat)
        self._stamped = node.advertise(undo, JointState, 'thruster_command')
        self._thrusts = [node.advertise(undo, Float64, f'cmd_thrust/{name}') for name in boat.thruster_names]
        self._angles = [node.advertise(undo, Float64, f'cmd_angle/{name}') for name in self._turning]

    def message(self, setting: Setting, stamp: Time) -> JointState:
        """Return the message of a Setting that answers the odometry of a stamp."""
        return convert.command_to_msg(command_of_setting(setting, self._boat), convert.header_of(stamp, ''))

    def send(self, command: JointState) -> None:
        """Publish a message of `message`, on all topics."""
        angles = dict(zip(command.name, command.position))
        values = (*command.effort[:len(self._thrusts)], *(angles[name] for name in self._turning))
        for publisher, value in zip((*self._thrusts, *self._angles), values, strict=True):
            if publisher.wanted:
                publisher.publish(Float64(data=value))
        self._stamped.publish(command)

    def send_no_thrust(self) -> None:
        """Tell the thrusters to rest, by the plain topics; lockstep does not go by these."""
        for publisher in self._thrusts:
            publisher.publish(Float64(data=0.0))

    def wait_for_readers(self, timeout: Duration) -> None:
        """Wait until readers outside of the process have all: one that ends takes with it what they have not."""
        for publisher in (self._stamped, *self._thrusts, *self._angles):
            publisher.wait_for_all_acked(timeout)


class Vane:
    """The apparent wind of a boat that has a foil in air, from `wind` and its own motion; of others it is not asked."""

    def __init__(self, node: ManagedNode, undo: ExitStack, boat: Boat) -> None:
        """Listen until undone; for `activate`."""
        self._wind = (0.0, 0.0)
        if any(foil.in_air is not None for foil in boat.vessel.foils):
            node.listen(undo, Vector3Stamped, 'wind', self._on_wind)

    def apparent(self, yaw: float, msg: Odometry) -> tuple[float, float]:
        """Return what a vane on the boat has, forward and to port, m/s: the wind heard last less the boat's motion."""
        u, v, _ = convert.planar_velocity(msg.twist.twist)
        forward, port = to_body(*self._wind, math.cos(yaw), math.sin(yaw))
        return forward - u, port - v

    def _on_wind(self, msg: Vector3Stamped) -> None:
        self._wind = msg.vector.x, msg.vector.y
