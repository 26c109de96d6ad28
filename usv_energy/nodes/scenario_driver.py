"""Steer a boat through a scenario, and say how it ended."""

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
from usv_energy.ros.live.driving import ActuatorCommands, Vane
from usv_energy.ros.live.measured_devices import SIMULATED_BATTERY
from usv_energy.ros.messages import convert
from usv_energy.ros.messages.messages import EnergyStamped, ScenarioResult, ThrusterPower
from usv_energy.sim.control.autopilot import Autopilot
from usv_energy.sim.record import GOAL_MISSED, relative


class ScenarioDriver(ManagedNode):
    """
    Answer every odometry with thrusts until the last waypoint is reached. Topics and parameters: docs/ros.md, "Nodes".

    The commands go out plain, one topic a thruster, and stamped with the odometry's stamp (lockstep goes by that).
    Odometry seen twice is answered twice, with the same command.
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
        """Return 0 or 3, as the scenario reached its goal or did not, once its result is out."""
        if self.ended is None:
            return None
        return 0 if self.ended.outcome == ScenarioResult.REACHED else GOAL_MISSED

    def configure(self, undo: ExitStack) -> None:
        """Read the parameters and the scenario."""
        self._scenario = self.parameters.scenario()
        self._convention = self.parameters.text('convention')
        self._commands = ActuatorCommands(self, undo, self._scenario.plant)
        self._legs = self.advertise(undo, String, 'leg', LATCHED), self.advertise(
            undo, Header, 'leg_begin', LATCHED_STREAM)
        self._result = self.advertise(undo, ScenarioResult, 'scenario_result', LATCHED)
        # A process that ends with the scenario takes what its readers have not got yet with it.
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
        self._watch = self.watchdog(undo, 'energy_wait', self._finish)
        self.listen(undo, Odometry, 'odom', self._on_odometry)
        self.listen(undo, EnergyStamped, 'energy', self._on_energy)
        self.listen(undo, ThrusterPower, 'thruster_power', self._on_work)
        if self._scenario.plant.pack is not None:
            self.listen(undo, BatteryState, SIMULATED_BATTERY, self._on_battery)
        self._vane = Vane(self, undo, self._scenario.plant)
        undo.callback(self._abort)

    def _on_odometry(self, msg: Odometry) -> None:
        time = self._epoch.seconds(msg.header.stamp)
        x, y, yaw = convert.pose_of_odometry(msg)
        velocity = convert.planar_velocity(msg.twist.twist)
        if self._outcome is not None or not all(map(math.isfinite, (x, y, yaw, *velocity))):
            return
        if time != self._time or self._command is None:
            self._time, self._heard = time, msg.header
            wanted = self._autopilot.steer(time, x, y, yaw, velocity, self._vane.apparent(yaw, msg))
            self._say_leg(msg.header)
            if wanted is None:
                self._end(ScenarioResult.REACHED, 'all waypoints reached', msg.header)
                return
            if time > self._scenario.timeout:
                self._end(ScenarioResult.TIMED_OUT, f'not there after {self._scenario.timeout} s', msg.header)
                return
            self._command = self._commands.message(wanted, msg.header.stamp)
        self._commands.send(self._command)

    def _say_leg(self, header: Header) -> None:
        """Say which leg the boat is on, if it is another one, from the odometry with this header on."""
        if self._autopilot.leg == self._leg:
            return
        # Before the first odometry there is nothing that was of no leg.
        begin = convert.stamp_of(0) if self._leg is None else header.stamp
        self._leg = self._autopilot.leg
        name, named_begin = self._legs
        named_begin.publish(convert.header_of(begin, self._leg))
        name.publish(String(data=self._leg))

    def _end(self, outcome: int, message: str, header: Header) -> None:
        """Stop steering; the result goes out with the energy up to this odometry."""
        self._outcome = (outcome, message)
        self._last = header
        self._commands.send_no_thrust()
        self._watch.set()
        self._finish_if_known()

    def _on_battery(self, msg: BatteryState) -> None:
        """End where the plant's cells have nothing left, as a run without ROS does: at the odometry before."""
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
        """Publish the result once the energy, and the simulator's work if there is one, have caught up."""
        if self._outcome is None or not self._energies:
            return
        end = convert.nanoseconds(self._last.stamp)
        last = [convert.nanoseconds(heard[-1].header.stamp) for heard in (self._energies, self._works) if heard]
        if min(last) >= end:
            self._finish()

    def _finish(self) -> None:
        self._watch.clear()
        if self._outcome is None or self.ended is not None:
            return
        scenario = self._scenario
        energy, done = (_up_to(self._last, heard) for heard in (self._energies, self._works))
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
        """Say so, where the node is deactivated or ended before the boat is there."""
        if self._outcome is None and not math.isnan(self._time):
            self._outcome = (ScenarioResult.ABORTED, 'the driver was stopped on the way')
            self._last = self._command.header if self._command is not None else Header()
        self._finish()


def _up_to(header: Header, heard: Iterable[Any]) -> Any:
    """Return the last message that is not after a header's stamp: a simulator that runs free is further on by now."""
    end = convert.nanoseconds(header.stamp)
    return next((msg for msg in reversed([*heard]) if convert.nanoseconds(msg.header.stamp) <= end), None)


main = ScenarioDriver.main

if __name__ == '__main__':
    main()
