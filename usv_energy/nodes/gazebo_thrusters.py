"""Convert a driver's commands to commands of Gazebo's thrusters, which lack battery, moving water and lag."""

import math
from contextlib import ExitStack
from functools import partial

from builtin_interfaces.msg import Time
from geometry_msgs.msg import Vector3Stamped
from nav_msgs.msg import Odometry
from sensor_msgs.msg import BatteryState, JointState
from std_msgs.msg import Float64

from usv_energy.boats.boat_file import read_boat
from usv_energy.gazebo.bridge import THRUSTS_TO_GAZEBO
from usv_energy.physics.motion import STILL, Flow, Motion, relative_rep103
from usv_energy.ros.framework.lifecycle import ManagedNode
from usv_energy.ros.framework.parameters import BOAT
from usv_energy.ros.graph.graph import GAZEBO_COMMAND
from usv_energy.ros.live.onboard_devices import SIMULATED_BATTERY, LoadSwitches
from usv_energy.ros.messages import convert
from usv_energy.sim.actuator_states import Command, command_of_setting, setting_of_command, turning_names
from usv_energy.sim.plants.live_thrusters import LiveThrusters, RelativeMotion


class GazeboThrusters(ManagedNode):
    """
    Command Gazebo's thrusters to give what the boat's own would. Topics and parameters: docs/gazebo.md, "Battery".

    A stamped command is answered when the odometry of its stamp arrives, a plain one at the next odometry. When the
    battery is empty, the answer to every command is no thrust.
    """

    declared = (BOAT,)

    def configure(self, undo: ExitStack) -> None:
        """Read the boat."""
        self._boat = read_boat(self.parameters.text('boat'))
        prefix = self.get_namespace().strip('/')
        self._frame = f'{prefix}/base_link' if prefix else 'base_link'
        self._thrusts = [self.advertise(undo, Float64, f'{THRUSTS_TO_GAZEBO}/{name}')
                         for name in self._boat.thruster_names]
        self._command_to_gazebo = self.advertise(undo, JointState, GAZEBO_COMMAND)
        self._battery = None if self._boat.pack is None else self.advertise(undo, BatteryState, SIMULATED_BATTERY)

    def activate(self, undo: ExitStack) -> None:
        """Begin with the next odometry, and with the battery's charge of the boat's file."""
        boat = self._boat
        self._live = LiveThrusters(boat)
        self._wanted = command_of_setting(self._live.setting, boat)
        self._flow = STILL
        self._stamp, self._motion = -1, None  # type: int, RelativeMotion | None
        self._pending: JointState | None = None
        self._answered = True
        self._switches = LoadSwitches(self, undo, boat) if boat.load_rules and self._battery is not None else None
        self.listen(undo, Odometry, 'odom', self._on_odometry)
        self.listen(undo, JointState, 'thruster_command', self._on_command)
        for name in boat.thruster_names:
            self.listen(undo, Float64, f'cmd_thrust/{name}', partial(self._on_plain_command, name, 'efforts'))
        for name in turning_names(boat):
            self.listen(undo, Float64, f'cmd_angle/{name}', partial(self._on_plain_command, name, 'positions'))
        for topic in ('water_current', 'wind'):
            self.listen(undo, Vector3Stamped, topic, partial(self._on_flow, topic))
        undo.callback(self._stop_thrusters)

    def _on_odometry(self, msg: Odometry) -> None:
        """Discharge the battery for the time since the last odometry, publish its state, and answer commands."""
        stamp = convert.nanoseconds(msg.header.stamp)
        yaw = convert.pose_of_odometry(msg)[2]
        u, v, r = convert.planar_velocity(msg.twist.twist)
        if stamp == self._stamp or not all(map(math.isfinite, (yaw, u, v, r))):
            return
        motion = RelativeMotion(relative_rep103(Motion(yaw, u, v, r, 0.0, 0.0, 0.0), self._flow), math.hypot(u, v))
        if self._motion is not None and stamp > self._stamp:
            self._advance(stamp, self._motion, motion)
        elif stamp < self._stamp:
            self.get_logger().warning('time jumped back: the battery goes on as charged as it is')
        self._stamp, self._motion = stamp, motion
        self._publish_battery(msg.header.stamp)
        if self._pending is not None and convert.nanoseconds(self._pending.header.stamp) <= stamp:
            self._send(self._pending.header.stamp)
        elif not self._answered:
            self._send(msg.header.stamp)
        self._answered = False

    def _advance(self, stamp: int, before: RelativeMotion, after: RelativeMotion) -> None:
        was_supplied = self._live.supply is None or self._live.supply.alive
        if self._switches is not None:
            self._live.set_loads(self._switches.loads_at(stamp))
        begin, end = (nanosecond / convert.NANOSECONDS for nanosecond in (self._stamp, stamp))
        self._live.advance(begin, end - begin, before, after)
        supply = self._live.supply
        if was_supplied and supply is not None and not supply.alive:
            self.get_logger().error(f'the battery gives no more: t = {end:.2f} s, {100.0 * supply.cells.charge:.1f} % '
                                    'charged; the thrusters stand still')

    def _publish_battery(self, stamp: Time) -> None:
        if self._battery is not None and self._live.supply is not None and self._live.on_board is not None:
            self._battery.publish(convert.supply_to_msg(self._live.supply, self._live.on_board.pack,
                                                        convert.header_of(stamp, self._frame)))

    def _on_command(self, msg: JointState) -> None:
        command = convert.command_from_msg(msg)
        if setting_of_command(command, self._boat) is None:
            self.get_logger().warning('thruster_command must give a finite effort (N) for each thruster, and a finite '
                                      'position (rad) for what turns', throttle_duration_sec=5.0)
            return
        self._wanted = command
        if convert.nanoseconds(msg.header.stamp) > self._stamp:
            self._pending = msg
        else:
            self._send(msg.header.stamp)

    def _on_plain_command(self, name: str, part: str, msg: Float64) -> None:
        """Store a command without a stamp: it is answered at the next odometry, unless a stamped one comes first."""
        wanted = self._wanted.with_value(name, part, msg.data)
        if setting_of_command(wanted, self._boat) is not None:
            self._wanted = wanted

    def _on_flow(self, topic: str, msg: Vector3Stamped) -> None:
        x, y = msg.vector.x, msg.vector.y
        if math.isfinite(x) and math.isfinite(y):
            old = self._flow
            self._flow = (Flow(x, y, old.wind_x, old.wind_y) if topic == 'water_current'
                          else Flow(old.current_x, old.current_y, x, y))

    def _send(self, stamp: Time) -> None:
        """Send the thrusts that the boat's thrusters give for the wanted command at the last motion to Gazebo."""
        self._pending, self._answered = None, True
        wanted = setting_of_command(self._wanted, self._boat)
        if wanted is None or self._motion is None:
            return
        given = self._live.ask(wanted, self._motion.at)
        for publisher, thrust in zip(self._thrusts, given, strict=True):
            publisher.publish(Float64(data=thrust))
        command = Command(self._boat.thruster_names, given, (math.nan,) * len(given))
        self._command_to_gazebo.publish(convert.command_to_msg(command, convert.header_of(stamp, '')))

    def _stop_thrusters(self) -> None:
        """Command no thrust, because an inactive node answers no command."""
        for publisher in self._thrusts:
            publisher.publish(Float64(data=0.0))


if __name__ == '__main__':
    GazeboThrusters.main()
