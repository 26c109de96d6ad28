"""From anyone's odometry to boat states: one frame convention, and the acceleration that the power needs."""

import math
from contextlib import ExitStack

from nav_msgs.msg import Odometry

from usv_energy_msgs.msg import BoatState

from ..physics.frames import enu_of_ned, flu_of_frd, to_body
from ..physics.kinematics import NO_VECTOR, Differentiator, differentiate
from ..ros import convert, parameters
from ..ros.lifecycle import ManagedNode


class StateAdapter(ManagedNode):
    """Answer every odometry with a boat state in ENU and FLU. Topics and parameters: docs/ros.md, "Nodes"."""

    def configure(self, undo: ExitStack) -> None:
        """Read the parameters."""
        self._ned = parameters.text(
            self, 'axes', 'enu', "Axes of the odometry: 'enu' (earth ENU, body FLU) or 'ned' (earth NED, body FRD).",
            ('enu', 'ned')) == 'ned'
        self._twist_in_world = parameters.text(
            self, 'twist_frame', 'body', "Frame of the odometry's twist: 'body' (as REP-105 has it) or 'world'.",
            ('body', 'world')) == 'world'
        self._time_constant = parameters.number(
            self, 'acceleration_time_constant', 0.0,
            'Of the low-pass on the acceleration, s; 0 for none (simulated odometry), 0.2 to 0.5 for a real boat.',
            above=-1e-9)
        self._max_gap = parameters.number(self, 'max_gap', 1.0, 'Longest step that is differentiated over, s.', above=0)
        self._silence = parameters.number(
            self, 'silence', 2.0, 'After so long without odometry the node says so, s of wall time.', above=0)
        self._publisher = self.advertise(undo, BoatState, 'boat_state')

    def activate(self, undo: ExitStack) -> None:
        """Start anew with the next odometry."""
        self._epoch = convert.Epoch()
        self._differences = Differentiator()
        self._watch = self.watchdog(undo, self._silence, self._on_silence)
        self._watch.set()
        self.listen(undo, Odometry, 'odom', self._on_odometry)

    def _on_silence(self) -> None:
        self.get_logger().warning(f'no odometry on {self.resolve_topic_name("odom")} for {self._silence} s')

    def _on_odometry(self, msg: Odometry) -> None:
        self._watch.set()
        time = self._epoch.seconds(msg.header.stamp)
        pose, velocity = self._in_house_axes(msg)
        status = BoatState.OK
        if time < self._differences.time:
            status |= BoatState.TIME_JUMPED_BACK
            self.get_logger().warning(f'time jumped back by {self._differences.time - time:.3f} s: starting anew')
        if not all(math.isfinite(value) for value in (*pose, *velocity)):
            status |= BoatState.INVALID
            velocity = NO_VECTOR
        self._differences = differentiate(self._differences, time, velocity, self._time_constant, self._max_gap)
        if not math.isfinite(self._differences.derivative[0]):
            status |= BoatState.NO_ACCELERATION
        self._publisher.publish(convert.boat_state_to_msg(
            pose, velocity, self._differences.derivative, status, msg.header, msg.child_frame_id))

    def _in_house_axes(self, msg: Odometry) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
        """Return pose (m, m, rad; ENU) and velocity (m/s, m/s, rad/s; FLU) of an odometry in its own axes."""
        pose, velocity = convert.pose_of_odometry(msg), convert.planar_velocity(msg.twist.twist)
        if self._twist_in_world:
            velocity = (*to_body(velocity[0], velocity[1], math.cos(pose[2]), math.sin(pose[2])), velocity[2])
        if self._ned:
            return enu_of_ned(*pose), flu_of_frd(*velocity)
        return pose, velocity


main = StateAdapter.main

if __name__ == '__main__':
    main()
