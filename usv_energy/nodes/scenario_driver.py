"""Steer a boat through a scenario, and publish the result."""

import math
from collections import deque
from collections.abc import Iterable
from contextlib import ExitStack
from typing import Any

from nav_msgs.msg import Odometry
from rclpy.duration import Duration
from sensor_msgs.msg import BatteryState, JointState
from std_msgs.msg import Header, String

from usv_energy.ros.framework.lifecycle import ManagedNode
from usv_energy.ros.framework.parameters import RUN_CHOICE, SCENARIO, SCENARIO_CONVENTION, Number
from usv_energy.ros.framework.qos import LATCHED, LATCHED_STREAM, STREAM
from usv_energy.ros.live.driving import ActuatorCommands, WindVane
from usv_energy.ros.live.onboard_devices import SIMULATED_BATTERY
from usv_energy.ros.messages import convert
from usv_energy.ros.messages.messages import EnergyStamped, LegBegin, ScenarioResult, ThrusterPower
from usv_energy.sim.control.autopilot import Autopilot
from usv_energy.sim.record import GOAL_MISSED, relative


class ScenarioDriver(ManagedNode):
    """
    Answer every odometry with thrusts until the last waypoint is reached. Topics and parameters: docs/nodes.md.

    The commands are published plain, one topic for each thruster, and in one message with the odometry's stamp, which
    lockstep needs. A repeated odometry is answered again, with the same command.
    """

    declared = (
        SCENARIO, *RUN_CHOICE, SCENARIO_CONVENTION,
        Number('energy_wait', 5.0, 'At the end, wait for the energy of the last odometry, s of wall time.', live=True,
               above=0),
    )

    def __init__(self, **options: Any) -> None:
        """Make the node, unconfigured."""
        super().__init__(**options)
        self.ended: ScenarioResult | None = None

    def exit_status(self) -> int | None:
        """Return 0 if the scenario reached its goal, or else 3, when its result is published."""
        if self.ended is None:
            return None
        return 0 if self.ended.outcome == ScenarioResult.REACHED else GOAL_MISSED

    def configure(self, undo: ExitStack) -> None:
        """Read the parameters and the scenario."""
        self._scenario = self.parameters.scenario()
        self._convention = self.parameters.text('convention')
        self._commands = ActuatorCommands(self, undo, self._scenario.plant)
        self._legs = (self.advertise(undo, LegBegin, 'leg_begin_stamped', LATCHED_STREAM),
                      self.advertise(undo, Header, 'leg_begin', LATCHED_STREAM),
                      self.advertise(undo, String, 'leg', LATCHED))
        self._result = self.advertise(undo, ScenarioResult, 'scenario_result', LATCHED)
        # The process may end with the scenario, and messages that its readers have not received would be lost.
        undo.callback(self._result.wait_for_all_acked, Duration(seconds=1.0))

    def activate(self, undo: ExitStack) -> None:
        """Start the scenario with the next odometry."""
        self._epoch = convert.Epoch()
        self._autopilot = Autopilot(self._scenario)
        self._time, self._heard = math.nan, Header()
        self._leg: str | None = None
        self._command: JointState | None = None
        self._outcome: tuple[int, str] | None = None
        self.ended = None
        self._energies: deque[EnergyStamped] = deque(maxlen=STREAM.depth)
        self._works: deque[ThrusterPower] = deque(maxlen=STREAM.depth)
        self._energy_watchdog = self.watchdog(undo, 'energy_wait', self._finish)
        self.listen(undo, Odometry, 'odom', self._on_odometry)
        self.listen(undo, EnergyStamped, 'energy', self._on_energy)
        self.listen(undo, ThrusterPower, 'thruster_power', self._on_work)
        if self._scenario.plant.pack is not None:
            self.listen(undo, BatteryState, SIMULATED_BATTERY, self._on_battery)
        self._wind_vane = WindVane(self, undo, self._scenario.plant)
        undo.callback(self._abort)

    def _on_odometry(self, msg: Odometry) -> None:
        time = self._epoch.seconds(msg.header.stamp)
        x, y, yaw = convert.pose_of_odometry(msg)
        velocity = convert.planar_velocity(msg.twist.twist)
        if self._outcome is not None or not all(map(math.isfinite, (x, y, yaw, *velocity))):
            return
        if time != self._time or self._command is None:
            self._time, self._heard = time, msg.header
            wanted = self._autopilot.steer(time, x, y, yaw, velocity, self._wind_vane.apparent(yaw, msg))
            self._publish_leg(msg.header)
            if wanted is None:
                self._end(ScenarioResult.REACHED, 'all waypoints reached', msg.header)
                return
            if time > self._scenario.timeout:
                self._end(ScenarioResult.TIMED_OUT, f'not there after {self._scenario.timeout} s', msg.header)
                return
            self._command = self._commands.message(wanted, msg.header.stamp)
        self._commands.send(self._command)

    def _publish_leg(self, header: Header) -> None:
        """Publish the boat's leg if it has changed, with the stamp of the odometry."""
        if self._autopilot.leg == self._leg:
            return
        # The first leg begins before the first odometry, so that all samples belong to a leg.
        begin = convert.stamp_of(0) if self._leg is None else header.stamp
        self._leg = self._autopilot.leg
        stamped, named, name = self._legs
        stamped.publish(LegBegin(header=convert.header_of(begin, header.frame_id), name=self._leg))
        named.publish(convert.header_of(begin, self._leg))
        name.publish(String(data=self._leg))

    def _end(self, outcome: int, message: str, header: Header) -> None:
        """Stop steering; the result is published with the energy up to this odometry."""
        self._outcome = (outcome, message)
        self._last = header
        self._commands.send_no_thrust()
        self._energy_watchdog.set()
        self._finish_if_known()

    def _on_battery(self, msg: BatteryState) -> None:
        """End the scenario when the cells are empty, at the odometry before, as in a run without ROS."""
        if msg.power_supply_health != BatteryState.POWER_SUPPLY_HEALTH_DEAD or self._outcome is not None:
            return
        if self._command is not None:
            self._end(ScenarioResult.BATTERY_EMPTY, 'the battery is empty', self._heard)

    def _on_energy(self, msg: EnergyStamped) -> None:
        self._energies.append(msg)
        self._finish_if_known()

    def _on_work(self, msg: ThrusterPower) -> None:
        self._works.append(msg)
        self._finish_if_known()

    def _finish_if_known(self) -> None:
        """Publish the result when the energy, and the simulator's work if there is one, have reached its stamp."""
        if self._outcome is None or not self._energies:
            return
        end = convert.nanoseconds(self._last.stamp)
        last = [convert.nanoseconds(messages[-1].header.stamp)
                for messages in (self._energies, self._works) if messages]
        if min(last) >= end:
            self._finish()

    def _finish(self) -> None:
        self._energy_watchdog.clear()
        if self._outcome is None or self.ended is not None:
            return
        scenario = self._scenario
        energy, done = (_last_until(self._last, messages) for messages in (self._energies, self._works))
        work = done.energy if done is not None else math.nan
        self.ended = ScenarioResult(
            header=self._last, scenario=scenario.name, boat=scenario.boat.name,
            convention=self._convention or scenario.convention, outcome=self._outcome[0], message=self._outcome[1],
            duration=self._time, energy=energy if energy is not None else EnergyStamped(),
            published_duration=scenario.published.duration, published_energy=scenario.published.energy,
            closure_relative=relative(energy.thrust, work) if energy is not None else math.nan)
        self._result.publish(self.ended)
        drawn = f'{energy.total:.2f} J' if energy is not None else 'no energy was heard of'
        self.get_logger().info(f'{scenario.name}: {self._outcome[1]}, {self._time:.2f} s, {drawn}')

    def _abort(self) -> None:
        """Publish the result ABORTED if the node is deactivated or ended before the scenario is over."""
        if self._outcome is None and not math.isnan(self._time):
            self._outcome = (ScenarioResult.ABORTED, 'the driver was stopped on the way')
            self._last = self._command.header if self._command is not None else Header()
        self._finish()


def _last_until(header: Header, messages: Iterable[Any]) -> Any:
    """Return the last message that is not after a header's stamp; at a free pace there may be later ones."""
    end = convert.nanoseconds(header.stamp)
    return next((msg for msg in reversed([*messages]) if convert.nanoseconds(msg.header.stamp) <= end), None)


if __name__ == '__main__':
    ScenarioDriver.main()
