"""Drive a boat by ordered velocities, as from teleop and Nav2, or along an ordered path."""

import math
from collections import Counter
from contextlib import ExitStack
from typing import Any

from diagnostic_msgs.msg import DiagnosticStatus
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry, Path
from rclpy.duration import Duration
from sensor_msgs.msg import JointState
from std_msgs.msg import Header

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.powering.actuators import resting_setting
from usv_energy.ros.framework.diagnostics import Health, SampleHealth, publish_health
from usv_energy.ros.framework.lifecycle import ManagedNode
from usv_energy.ros.framework.parameters import BOAT, ODOM_RELIABILITY, Number, Text, Texts
from usv_energy.ros.framework.subscriptions import CMD_VEL_TYPE, AdaptiveSubscription, TwistSubscription
from usv_energy.ros.live.driving import (
    ActuatorCommands,
    WindVane,
    check_twist_header,
    places_of_path,
    velocity_of_twist,
)
from usv_energy.ros.messages import convert
from usv_energy.sim.control import motion_pilot
from usv_energy.sim.control.motion_pilot import MotionPilot, PilotOptions, goes_sideways
from usv_energy.studies.plan.steady_motion import top_speed

CRUISE = 0.7            # Default speed on a path, share of the top speed.
REMIND_PERIOD = 10.0    # s of wall time, between two equal lines of the log.
HOLD, STOP = 'hold', 'stop'


class MotionDriver(ManagedNode):
    """
    Answer every odometry with a command for the last `cmd_vel` or `path`. Topics: docs/nodes.md.

    Until the first order the thrusters rest. The commands are like those of `scenario_driver`.
    """

    declared = (
        BOAT,
        Number('cmd_vel_timeout', 1.0, 'How long a velocity holds, s of message time; then the ordered velocity is 0.',
               live=True, above=0),
        CMD_VEL_TYPE,
        Number('speed', 0.0, 'Speed over ground on a path, m/s; 0: 0.7 of the top speed.', live=True, least=0),
        Text('at_path_end', HOLD, "'hold': keep the place in current and wind; 'stop': velocity 0, so that the boat "
             'may drift sideways.', live=True, allowed=(HOLD, STOP)),
        Number('lookahead', 0.0, 'Lookahead distance along a path, m; 0: three boat lengths.', least=0),
        Number('radius', 0.0, 'Distance at which a place of a path counts as reached, m; 0: one and a half boat '
               'lengths. For the last place at most half a boat length.', least=0),
        Texts('path_frames', [''], 'Frames of paths, other than that of the odometry, that coincide with it.'),
        Number('odom_timeout', 1.0, 'Time without odometry after which the thrusters stop, at most 0.25 s later, s of '
               'wall time; 0: never, as in lockstep.', live=True, least=0),
        ODOM_RELIABILITY,
    )

    def configure(self, undo: ExitStack) -> None:
        """Read the parameters and the boat."""
        self._boat = read_boat(self.parameters.text('boat'))
        self._new_pilot()
        self._cruise = CRUISE * top_speed(self._boat.vessel)
        self._frames = self.parameters.texts('path_frames')
        self._commands = ActuatorCommands(self, undo, self._boat)

    def activate(self, undo: ExitStack) -> None:
        """Begin without an order, with the next odometry."""
        self._epoch = convert.Epoch()
        self._new_pilot()
        self._time, self._odometry = math.nan, Odometry()
        self._command: JointState | None = None
        self._refused, self._refused_before = Counter[str](), 0
        self._sideways_ignored = False
        self._samples = SampleHealth('odometry')
        publish_health(self, undo, 'motion', self._health)
        undo.callback(self._stop_thrusters)
        self._wind_vane = WindVane(self, undo, self._boat)
        self._odom_watchdog = self.watchdog(undo, 'odom_timeout', self._on_silence)
        AdaptiveSubscription(self, undo, Odometry, 'odom', self._on_odometry)
        self._twists = TwistSubscription(self, undo, 'cmd_vel', self._on_twist)
        self.listen(undo, Path, 'path', self._on_path)

    def log_summary(self) -> str:
        """Return boat and topics."""
        return (f'boat {self._boat.name} ({self._boat.path}), driven by {self.resolve_topic_name("cmd_vel")} or '
                f'{self.resolve_topic_name("path")}')

    def _new_pilot(self) -> None:
        self._pilot = MotionPilot(self._boat, *map(self.parameters.number, ('lookahead', 'radius')))

    def _options(self) -> PilotOptions:
        return PilotOptions(self.parameters.number('cmd_vel_timeout'), self.parameters.number('speed') or self._cruise,
                            self.parameters.text('at_path_end') == HOLD)

    def _on_odometry(self, msg: Odometry) -> None:
        time, stamp = self._epoch.seconds(msg.header.stamp), convert.nanoseconds(msg.header.stamp)
        x, y, yaw = convert.pose_of_odometry(msg)
        velocity = convert.planar_velocity(msg.twist.twist)
        if not all(map(math.isfinite, (x, y, yaw, *velocity))):
            self._samples.add(stamp, 'odometry with NaN', useless=True)
            return
        self._samples.add(stamp)
        if self.parameters.number('odom_timeout'):
            self._odom_watchdog.set()
        if time != self._time or self._command is None:
            self._time, self._odometry = time, msg
            before = self._pilot.doing
            wind = self._wind_vane.apparent(yaw, msg)
            setting = self._pilot.steer(time, (x, y, yaw), velocity, self._options(), wind)
            self._command = self._commands.message(setting, msg.header.stamp)
            if self._pilot.doing != before:
                self._log_change(before)
        self._commands.send(self._command)

    def _log_change(self, before: str) -> None:
        """Log that the boat stops or keeps its place without an order."""
        doing, logger = self._pilot.doing, self.get_logger()
        if self._pilot.timed_out:
            logger.warning(f'no cmd_vel for {self.parameters.number("cmd_vel_timeout"):g} s: the boat is told to stop')
        elif doing == motion_pilot.HOLDING:
            logger.info('the end of the path is reached, and kept')
        elif before in (motion_pilot.PATH, motion_pilot.HOLDING):
            logger.info('the end of the path is reached: the boat is told to stop')

    def _on_twist(self, msg: Twist, header: Header | None) -> None:
        try:
            surge, sway, yaw_rate = velocity_of_twist(msg)
            if header is not None:
                check_twist_header(header, self._odometry, self.parameters.number('cmd_vel_timeout'))
        except InputError as error:
            self._refused['cmd_vel'] += 1
            self.get_logger().error(f'cmd_vel is refused: {error}', throttle_duration_sec=REMIND_PERIOD)
            return
        self._sideways_ignored = sway != 0.0 and not goes_sideways(self._boat.vessel)
        if self._sideways_ignored:
            self.get_logger().warning(f'linear.y of cmd_vel is left out: {self._boat.name} cannot go sideways',
                                      throttle_duration_sec=REMIND_PERIOD)
        if self._pilot.doing in (motion_pilot.PATH, motion_pilot.HOLDING):
            self.get_logger().info('cmd_vel takes over: the path is dropped')
        self._pilot.order_velocity((surge, sway, yaw_rate))

    def _on_path(self, msg: Path) -> None:
        try:
            if math.isnan(self._time):
                raise InputError('there is no odometry yet, in whose frame it must be')
            places = places_of_path(msg, self._odometry, self._frames)
        except InputError as error:
            self._refused['path'] += 1
            self.get_logger().error(f'path is refused: {error}')
            return
        taken = self._pilot.order_path(places)
        if not taken:
            self.get_logger().info('an empty path: the boat is told to stop')
            return
        self.get_logger().info(
            f'a path of {len(places)} poses to ({taken[-1][0]:.2f}, {taken[-1][1]:.2f}) m, at '
            f"{self._options().speed:.2f} m/s; the poses' orientations are not used",
            throttle_duration_sec=REMIND_PERIOD)

    def _on_silence(self) -> None:
        if not self.parameters.number('odom_timeout'):
            return
        self.get_logger().warning(f'no odometry for {self.parameters.number("odom_timeout"):g} s: the thrusters are '
                                  'told to rest until there is')
        self._commands.send_no_thrust()

    def _stop_thrusters(self) -> None:
        """Stop the thrusters when the node is deactivated or ended."""
        if self._command is None:
            return
        rest: Any = resting_setting(0.0, self._boat.vessel)
        self._commands.send(self._commands.message(rest, self._odometry.header.stamp))
        self._commands.wait_for_readers(Duration(seconds=0.1))

    def _health(self, now: int) -> Health:
        """Return the state of the odometry, and what the boat does."""
        pilot = self._pilot
        reached, places = pilot.progress
        surge, sway, yaw_rate = pilot.ordered
        health = self._samples.health(now, {
            'doing': pilot.doing, 'cmd_vel type': self._twists.kind, 'ordered surge (m/s)': f'{surge:.3f}',
            'ordered sway (m/s)': f'{sway:.3f}', 'ordered yaw rate (rad/s)': f'{yaw_rate:.3f}',
            'places of the path reached': f'{reached} of {places}', 'refused cmd_vel': self._refused['cmd_vel'],
            'refused paths': self._refused['path'], 'linear.y left out': self._sideways_ignored})
        refused, self._refused_before = self._refused.total() - self._refused_before, self._refused.total()
        if health.level != DiagnosticStatus.OK:
            return health
        if refused:
            return health._replace(level=DiagnosticStatus.WARN, message=f'{refused} orders were refused; {pilot.doing}')
        if pilot.timed_out:
            return health._replace(level=DiagnosticStatus.WARN, message='stopped: cmd_vel ended before it was zero')
        return health._replace(message=f'{pilot.doing}; {health.message}')


if __name__ == '__main__':
    MotionDriver.main()
