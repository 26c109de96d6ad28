"""Boat states, in one frame convention and with accelerations, from any odometry or from GPS, compass and gyro."""

import math
from contextlib import ExitStack
from typing import TYPE_CHECKING

from nav_msgs.msg import Odometry

from usv_energy.files.limits import NAME
from usv_energy.logs.motion.motion_gate import MotionGate
from usv_energy.physics.frames import enu_of_ned, flu_of_frd, to_body
from usv_energy.physics.motion import NO_VECTOR, Differentiator, differentiate
from usv_energy.physics.sampling import Sampling, longest_interval, sampled
from usv_energy.ros.framework.diagnostics import Health, SampleHealth, publish_health
from usv_energy.ros.framework.followed_publisher import names_of
from usv_energy.ros.framework.lifecycle import ManagedNode
from usv_energy.ros.framework.parameters import (
    ACCELERATION_TIME_CONSTANT,
    AXES,
    LAG,
    MAX_GAP,
    ODOM_RELIABILITY,
    TWIST_FRAME,
    Flag,
    Number,
)
from usv_energy.ros.framework.subscriptions import AdaptiveSubscription, OneClock
from usv_energy.ros.live.live_sensors import (
    GPS_FIX,
    SENSOR_PARAMETERS,
    LiveSensors,
    StuckStampCheck,
    fault_of_values,
    has_no_orientation,
    without_absurd,
)
from usv_energy.ros.messages import convert
from usv_energy.ros.messages.messages import BoatState

if TYPE_CHECKING:
    from usv_energy.logs.motion.fixed_lag import FixedLag, Smoothed

REMIND_PERIOD = 5.0
# A message this much older than one before it was overtaken on its way, s; so many in a row are a clock set back.
OVERTAKEN, MOST_OVERTAKEN = 1.0, 5


class StateAdapter(ManagedNode):
    """
    Answer every odometry with a boat state in ENU and FLU, or estimate boat states from GPS, compass and gyro.

    Topics and parameters: docs/nodes.md.
    """

    declared = (
        AXES, TWIST_FRAME, ODOM_RELIABILITY, LAG, ACCELERATION_TIME_CONSTANT, MAX_GAP,
        Number('silence', 2.0, 'Time without odometry after which the node warns, s of wall time.', live=True, above=0),
        Flag('silent_before_first', False, 'No warning before the first odometry; in Gazebo another node warns.'),
        *SENSOR_PARAMETERS,
    )

    def configure(self, undo: ExitStack) -> None:
        """Read the parameters."""
        self._ned = self.parameters.text('axes') == 'ned'
        self._twist_in_world = self.parameters.text('twist_frame') == 'world'
        self._publisher = self.advertise(undo, BoatState, 'boat_state')

    def activate(self, undo: ExitStack) -> None:
        """Begin with the next odometry."""
        self._epoch = convert.Epoch()
        self._time = math.nan
        self._overtaken = 0
        self._one_clock = OneClock()
        self._differences = Differentiator()
        fix = self.parameters.text(GPS_FIX)
        self._source_name = 'GPS' if fix else 'odometry'
        self._estimate = None if fix else self._new_estimate(undo)
        self._sampling = Sampling()
        self._gate = MotionGate()
        self._stamps = StuckStampCheck()
        self._topic = self.resolve_topic_name(fix or 'odom')
        self._heard = False
        self._samples = SampleHealth(self._source_name)
        publish_health(self, undo, self._source_name, self._health, (fix or 'odom', 'boat_state'))
        self._silence_watchdog = self.watchdog(undo, 'silence', self._on_silence)
        if not self.parameters.flag('silent_before_first'):
            self._silence_watchdog.set()
        self._sensors = LiveSensors(self, undo, self._publisher.publish, self._samples,
                                    self._silence_watchdog.set) if fix else None
        self._subscription = None if fix else AdaptiveSubscription(self, undo, Odometry, 'odom', self._on_odometry)

    def log_summary(self) -> str:
        """Return topic, axes and estimator."""
        if self._sensors is not None:
            return f'{self._sensors.log_summary()}; each state comes {self.parameters.number("lag"):g} s later'
        axes = 'NED, body FRD' if self._ned else 'ENU, body FLU'
        frame = 'world' if self._twist_in_world else 'body'
        time_constant = self.parameters.number('acceleration_time_constant')
        lag = self.parameters.number('lag')
        estimator = f'acceleration by differences, low-pass of {time_constant} s' if time_constant else (
            'acceleration by differences, no low-pass')
        if lag:
            estimator = f'motion estimated without its noise: each state comes {lag:g} s after its odometry'
        return (f'odometry on {self._topic} ({self._reliability()}), axes {axes}, twist in the {frame} frame; '
                f'{estimator}')

    def _new_estimate(self, undo: ExitStack) -> 'FixedLag | None':
        """Return the estimator of the motion, None without a lag; undoing publishes the states that are left."""
        if not self.parameters.number('lag'):
            return None
        from usv_energy.logs.motion.fixed_lag import FixedLag
        estimate = FixedLag(self.parameters.number('lag'))
        undo.callback(lambda: self._publish_states(estimate.rest()))
        return estimate

    def _publish_states(self, states: 'list[Smoothed]') -> None:
        """Publish states that are due."""
        for state in states:
            header, child_frame_id, status, yaw, (x, y) = state.token
            pose = (state.pose[0] + x, state.pose[1] + y, state.pose[2] if math.isfinite(yaw) else yaw)
            self._publisher.publish(convert.boat_state_to_msg(pose, state.velocity, state.acceleration, status, header,
                                                              child_frame_id))

    def _on_silence(self) -> None:
        if held := self._one_clock.release():
            self._silence_watchdog.set()
            self._use_all(held)
            return
        if self._sensors is not None and self._sensors.use_held():
            self._silence_watchdog.set()
            return
        self.get_logger().warning(f'no {self._source_name} on {self._topic} for {self.parameters.number("silence")} s')
        if self._estimate is not None:  # States that wait for later odometry would wait for ever.
            self._publish_states(self._estimate.rest())
        if self._sensors is not None:
            self._sensors.publish_rest()

    def _reliability(self) -> str:
        return '' if self._subscription is None else self._subscription.reliability_text()

    def _on_odometry(self, msg: Odometry) -> None:
        self._silence_watchdog.set()
        if not self._heard:
            self._heard = True
            publishers = names_of(self.get_publishers_info_by_topic(self._topic))
            self.get_logger().info(f'first odometry on {self._topic} from {publishers}')
        stamp = msg.header.stamp
        if not convert.is_time(stamp):
            self._leave_out(msg, 'a stamp that is no time', f'has the stamp {stamp.sec} s, {stamp.nanosec} ns')
            return
        if (characters := max(len(msg.header.frame_id), len(msg.child_frame_id))) > NAME:
            self._leave_out(msg, 'a name of a frame that is too long', f'has a frame of {characters} characters')
            return
        longest = self.parameters.number('max_gap') or longest_interval(self._sampling.period)
        to_use, strays = self._one_clock.take(convert.nanoseconds(stamp), msg, longest)
        for stray in strays:
            self._leave_out(stray, 'a stamp of another clock', f'has the stamp {stray.header.stamp.sec} s, '
                            'of another clock than those before and after it', of_clock=False)
        self._use_all(to_use)

    def _use_all(self, messages: list[Odometry]) -> None:
        for msg in messages:
            self._use(msg)

    def _use(self, msg: Odometry) -> None:
        """Answer an odometry with a boat state."""
        time = self._epoch.seconds(msg.header.stamp)
        if self._is_overtaken(msg, time) or self._is_second(msg, time):
            return
        pose, velocity = map(without_absurd, self._in_enu_axes(msg))
        status = BoatState.OK
        if time < self._time:
            status |= BoatState.TIME_JUMPED_BACK
            self.get_logger().warning(f'time jumped back by {self._time - time:.3f} s: starting anew')
        self._time = time
        fault, usable = self._fault_of(msg, pose, velocity)
        if not usable:
            status |= BoatState.INVALID
            velocity = NO_VECTOR
        self._sampling = sampled(self._sampling, time)
        longest = self.parameters.number('max_gap') or self._sampling.longest_interval
        judged = self._gate.judge(time, pose, velocity, longest)
        if judged.faults:
            status |= BoatState.TAKEN_OUT
            words = ', '.join(judged.faults)
            self.get_logger().warning(f'odometry on {self._topic}: {words}: taken out',
                                      throttle_duration_sec=REMIND_PERIOD)
            fault = f'{fault}, {words}' if fault else words
        self._samples.add(convert.nanoseconds(msg.header.stamp), fault, useless=not usable)
        if self._estimate is not None:
            if judged.turned:
                self._publish_states(self._estimate.rest())
            token = msg.header, msg.child_frame_id, status, pose[2], self._gate.offset
            given = math.isfinite(velocity[0])  # What a gate took out is estimated from the samples around it.
            self._publish_states(self._estimate.add(time, judged.pose, judged.velocity, token, longest, given))
            return
        if judged.turned:
            self._differences = Differentiator()
        velocity = judged.velocity
        pose = (*pose[:2], judged.pose[2] if math.isfinite(judged.pose[2]) else pose[2])
        if not all(map(math.isfinite, velocity)):
            status |= BoatState.INVALID
            velocity = NO_VECTOR
        self._differences = differentiate(self._differences, time, velocity,
                                          self.parameters.number('acceleration_time_constant'), longest)
        if not math.isfinite(self._differences.derivative[0]):
            status |= BoatState.NO_ACCELERATION
        self._publisher.publish(convert.boat_state_to_msg(
            pose, velocity, self._differences.derivative, status, msg.header, msg.child_frame_id))

    def _is_overtaken(self, msg: Odometry, time: float) -> bool:
        """Return whether a message is a little older than one before it: using it would count its time twice."""
        if not self._time - OVERTAKEN <= time < self._time or self._overtaken == MOST_OVERTAKEN:
            self._overtaken = 0
            return False
        self._overtaken += 1
        self._leave_out(msg, 'a message out of order', f'is {self._time - time:.3f} s older than one before it')
        return True

    def _is_second(self, msg: Odometry, time: float) -> bool:
        """Return whether a message of another motion came with this stamp: the boat cannot be at both places."""
        if time != self._time or self._estimate is None:
            return False
        if standing := self._stamps.fault_of(msg):
            self._samples.add(convert.nanoseconds(msg.header.stamp), 'the stamps stand still', useless=True)
            self.get_logger().warning(f'odometry on {self._topic}: {standing}', throttle_duration_sec=REMIND_PERIOD)
        elif self._stamps.differs:
            self._leave_out(msg, 'a second message of one stamp', 'has the stamp of another one before it')
        return True

    def _leave_out(self, msg: Odometry, fault: str, words: str, of_clock: bool = True) -> None:
        """Count and log an odometry that is not used; `words` end the sentence 'a message ...'."""
        self._samples.add(convert.nanoseconds(msg.header.stamp) if of_clock else None, fault, useless=True)
        self.get_logger().warning(f'odometry on {self._topic}: a message {words}: not used',
                                  throttle_duration_sec=REMIND_PERIOD)

    def _fault_of(self, msg: Odometry, pose: tuple[float, ...], velocity: tuple[float, ...]) -> tuple[str, bool]:
        """Return the fault of an odometry, empty if it has none, and whether it can be used; warn of its faults."""
        standing, fault, usable = self._stamps.fault_of(msg), '', True
        complaints = [standing] if standing else []
        if not all(math.isfinite(value) for value in (*pose, *velocity)):
            # Without an orientation only the yaw is unknown; the velocity in body axes can be used.
            usable = has_no_orientation(msg) and all(math.isfinite(value) for value in (*pose[:2], *velocity))
            fault = fault_of_values(msg)
            complaints.append(f'{fault}: ' + (
                'without a yaw there is a power only where water and air stand still' if usable
                else 'the sample is invalid, and not integrated'))
        if complaints:
            self.get_logger().warning(f'odometry on {self._topic}: {"; ".join(complaints)}',
                                      throttle_duration_sec=REMIND_PERIOD)
        return fault or ('the stamps stand still' if standing else ''), usable

    def _health(self, now: int) -> Health:
        taken = self._gate.counts if self._sensors is None else self._sensors.counts
        return self._samples.health(now, {'topic': self._topic, 'subscription': self._reliability(),
                                          'publishers': self.count_publishers(self._topic), **taken})

    def _in_enu_axes(self, msg: Odometry) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
        """Return pose (m, m, rad; ENU) and velocity (m/s, m/s, rad/s; FLU) of an odometry in its own axes."""
        pose, velocity = convert.pose_of_odometry(msg), convert.planar_velocity(msg.twist.twist)
        if self._twist_in_world:
            velocity = (*to_body(velocity[0], velocity[1], math.cos(pose[2]), math.sin(pose[2])), velocity[2])
        if self._ned:
            return enu_of_ned(*pose), flu_of_frd(*velocity)
        return pose, velocity


if __name__ == '__main__':
    StateAdapter.main()
