"""The embedded simulator of a boat: commands of actuators in; odometry, sensors and clock out."""

import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import Any

from builtin_interfaces.msg import Time
from nav_msgs.msg import Odometry
from rosgraph_msgs.msg import Clock as ClockMsg
from sensor_msgs.msg import BatteryState, JointState
from std_msgs.msg import Float64, Header

from usv_energy.physics.frames import wrap_angle
from usv_energy.ros.framework.lifecycle import ManagedNode
from usv_energy.ros.framework.parameters import (
    PACE,
    PUBLISH_CLOCK,
    RUN_CHOICE,
    SCENARIO,
    Flag,
    Number,
    Texts,
    checked_pace,
)
from usv_energy.ros.framework.qos import LATCHED, STREAM
from usv_energy.ros.live.controller_watch import COMMAND, CONTROLLER, ControllerWatch
from usv_energy.ros.live.driving import TransformBroadcaster
from usv_energy.ros.live.live_sensors import SensorPublishers
from usv_energy.ros.live.onboard_devices import SIMULATED_BATTERY, LoadSwitches
from usv_energy.ros.messages import convert
from usv_energy.ros.messages.messages import EnergyStamped, PowerStamped, ScenarioResult, ThrusterPower
from usv_energy.sim.actuator_states import command_of_setting, setting_of_command, states_of_setting, turning_names
from usv_energy.sim.lockstep import PATIENCE, AnswerLag, Lockstep
from usv_energy.sim.plants.plant import hull_attitude
from usv_energy.sim.plants.supplied_plant import SuppliedPlant, plant_at_start
from usv_energy.sim.sensors.sensor_suite import SensedPlant

RESEND_PERIOD, LATE_ORDER_PERIOD = 0.1, 0.01  # s of wall time.
SLOW_SHARE = 0.9  # Share of the pace below which there is a warning.
SLOW_AFTER, REMIND_PERIOD = 5.0, 60.0  # Time before the first warning, and between two, s of wall time.
WITHOUT_FLOW = PowerStamped.CURRENT_MISSING | PowerStamped.WIND_MISSING


class BoatSimulator(ManagedNode):
    """
    Step the plant of a scenario. Topics and parameters: docs/nodes.md.

    With the pace `lockstep` each step waits for the command and the power of the step before, and for the recorders of
    `lockstep_recorded`. So the run is the same on any machine. With a number as pace the boat moves at that many times
    real time by the last command, and slower if answers are more than `slack` behind. With both, the boat stays at its
    start until all have answered once, including the energies of `lockstep_energy`, because nodes that have discovered
    the simulator may not have discovered each other. After the first order, `controller_wait` and `order_hold` limit
    the time that the boat waits for a controller.
    """

    declared = (
        SCENARIO, *RUN_CHOICE, PACE, PUBLISH_CLOCK,
        Flag('publish_tf', True, 'Publish the transform from odom to base_link on /tf while it has subscribers.'),
        Texts('lockstep_power', ['power'], 'Power topics to wait for.'),
        Texts('lockstep_recorded', [''], 'Topics of recorders to wait for, too.'),
        Texts('lockstep_energy', [''], 'Energy topics to wait for, too, but only at the start.'),
        Flag('wait_for_readers', True, 'If the pace is a number: stay at the start until all of these topics have '
             'answered once, and wait when they are late.'),
        Number('slack', 0.1, 'If the pace is a number: how late answers may be, s of simulated time.', live=True,
               above=0),
        *CONTROLLER,
    )

    def configure(self, undo: ExitStack) -> None:
        """Read the parameters and the scenario."""
        self._scenario = self.parameters.scenario()
        self._factor = checked_pace(self.parameters.text('pace'))
        self._powers, self._recorded, self._energies = (
            self.parameters.texts(f'lockstep_{name}') for name in ('power', 'recorded', 'energy'))
        self._waits = self._factor is None or self.parameters.flag('wait_for_readers')
        self._names = list(self._scenario.plant.thruster_names)
        clock = self.parameters.flag('publish_clock')
        prefix = self.get_namespace().strip('/')
        self._frames = [f'{prefix}/{name}' if prefix else name for name in ('odom', 'base_link')]
        kinds = {'odom': Odometry, 'thruster_power': ThrusterPower, 'actuator_states': JointState,
                 **({'/clock': ClockMsg} if clock else {})}
        if self._scenario.plant.pack is not None:
            kinds[SIMULATED_BATTERY] = BatteryState
        self._publisher = {topic: self.advertise(undo, kind, topic) for topic, kind in kinds.items()}
        self._sensors = SensorPublishers(self, undo, self._scenario.sensing, self._scenario.plant)
        self._controller = ControllerWatch(self, undo, f'cmd_thrust/{self._names[0]}' if self._names else COMMAND)
        self._transforms = TransformBroadcaster(self, undo) if self.parameters.flag('publish_tf') else None

    def activate(self, undo: ExitStack) -> None:
        """Put the boat at its start, at time 0."""
        scenario = self._scenario
        self._plant = plant_at_start(scenario.plant, scenario.boat, scenario.start, scenario.flow_at(), scenario.step,
                                     scenario.surroundings())
        self._switches = LoadSwitches(self, undo, scenario.plant) if isinstance(self._plant, SuppliedPlant) else None
        self._sensed = SensedPlant(scenario.sensing, scenario.plant, self._plant)
        self._read = self._sensed.readings()
        self._wanted = self._plant.setting
        self._over = False
        self._starting = undo.enter_context(ExitStack())
        self._subscribe(undo)
        self._controller.begin(undo, scenario.period, lambda: self._plant.time)
        answerers = {COMMAND, *self._powers, *self._recorded}
        self._lockstep = Lockstep(answerers | {*self._energies})
        self._lag = AnswerLag(answerers, self._stamp())
        self._sent = self._ordered = -1
        if self._waits:
            self.every(undo, RESEND_PERIOD, self._resend)
            self._lockstep.begin(self._stamp())
            self._send()
        if self._factor is not None:
            self.every(undo, scenario.period / self._factor, self._on_tick)
        else:
            self.every(undo, min(LATE_ORDER_PERIOD, scenario.period), self._replace_late_order)

    def _subscribe(self, undo: ExitStack) -> None:
        wanted: list[tuple[type, str, Callable[[Any], None]]] = [
            (JointState, COMMAND, self._on_command), (ScenarioResult, 'scenario_result', self._on_result)]
        if self._factor is not None:  # Lockstep uses only stamped commands.
            wanted += [(Float64, f'{topic}/{name}', partial(self._on_plain_command, name, part))
                       for topic, part, names in (('cmd_thrust', 'efforts', self._scenario.plant.thruster_names),
                                                  ('cmd_angle', 'positions', turning_names(self._scenario.plant)))
                       for name in names]
        for kind, topic, callback in wanted:
            self.listen(undo, kind, topic, callback, LATCHED if kind is ScenarioResult else STREAM)
        if not self._waits:
            return
        for topic in self._powers:
            self.listen(undo, PowerStamped, topic, partial(self._on_power, topic))
        for topic in self._recorded:
            self.listen(undo, Header, topic, partial(self._on_recorded, topic))
        for topic in self._energies:
            self.listen(self._starting, EnergyStamped, topic, partial(self._on_energy, topic))

    def _send(self) -> None:
        """Publish the state of the boat."""
        plant, stamp = self._plant, convert.stamp_of(self._stamp())
        state = plant.state
        if '/clock' in self._publisher and self._publisher['/clock'].wanted:
            self._publisher['/clock'].publish(ClockMsg(clock=stamp))
        if self._publisher['thruster_power'].wanted:
            self._publisher['thruster_power'].publish(convert.make_thruster_power(
                header=convert.header_of(stamp, self._frames[1]), name=self._names,
                force=list(plant.thrusts), power=plant.thruster_power(), energy=state.work,
                relative_velocity=convert.twist_of((state.u_r, state.v_r, state.r))))
        if self._publisher['actuator_states'].wanted:
            states = states_of_setting(plant.setting, plant.relative(), self._scenario.plant)
            self._publisher['actuator_states'].publish(convert.actuator_states_to_msg(
                states, convert.header_of(stamp, self._frames[1])))
        self._send_battery(stamp)
        self._sensors.send(self._read)
        self._read = []
        attitude, header = hull_attitude(plant), convert.header_of(stamp, self._frames[0])
        odometry = convert.odometry_to_msg(
            (state.x, state.y, wrap_angle(state.yaw)), plant.velocity_over_ground(), header, self._frames[1]
        ) if attitude is None else convert.floating_odometry_to_msg(attitude, header, self._frames[1])
        if self._transforms is not None:
            self._transforms.send(odometry)
        if self._sent != self._stamp():
            self._controller.on_state_sent(plant.time)
        self._publisher['odom'].publish(odometry)
        self._sent = self._stamp()

    def _send_battery(self, stamp: Time) -> None:
        """Publish the state of the cells; before the odometry, so that nodes that answer it know the voltage."""
        plant = self._plant
        if isinstance(plant, SuppliedPlant):
            self._publisher[SIMULATED_BATTERY].publish(convert.supply_to_msg(
                plant.supply, plant.on_board.pack, convert.header_of(stamp, self._frames[1])))

    def _stamp(self) -> int:
        return round(self._plant.time * convert.NANOSECONDS)

    def _move(self) -> None:
        plant = self._plant
        was_supplied = not isinstance(plant, SuppliedPlant) or plant.supply.alive
        if self._switches is not None and self._scenario.plant.load_rules:
            plant.vessel = plant.vessel._replace(loads=self._switches.loads_at(self._stamp()))
        wanted = self._wanted if self._controller.begin_period() else plant.as_setting((0.0,) * len(self._names))
        for _ in range(self._scenario.steps_per_period):
            plant.advance(wanted)
            self._read += self._sensed.readings()
        if was_supplied and isinstance(plant, SuppliedPlant) and not plant.supply.alive:
            self.get_logger().error(
                f'the battery gives no more: t = {plant.time:.2f} s, x {plant.state.x:.1f} m, y {plant.state.y:.1f} m, '
                f'{100.0 * plant.supply.cells.charge:.1f} % charged; the thrusters stand still')

    def _on_tick(self) -> None:
        if self._over or self._missing():
            return
        self._lockstep.waited = 0.0
        if self._sent < 0:
            self._began = time.monotonic()
        else:
            self._move()
        self._send()
        self._warn_if_slow()

    def _missing(self) -> set[str]:
        """Return the topics whose answers must arrive before the boat moves on."""
        if not self._waits:
            return set()
        if self._factor is None or not self._lockstep.answered_once:
            return self._lockstep.missing
        behind = self._lag.behind(self._sent, self.parameters.number('slack'))
        return behind - {COMMAND} if self._controller.has_timed_out() else behind

    def _warn_if_slow(self) -> None:
        wall, factor = time.monotonic() - self._began, self._factor or 0.0
        reached = self._plant.time / wall if wall > SLOW_AFTER else factor
        if reached < SLOW_SHARE * factor:
            self.get_logger().warning(
                f'the nodes cannot keep up: {reached:.2g} times real time so far, not {factor:g}; the boat waits',
                throttle_duration_sec=REMIND_PERIOD)

    def _on_result(self, msg: ScenarioResult) -> None:
        self._over = True
        self._controller.end(convert.nanoseconds(msg.header.stamp) / convert.NANOSECONDS)

    def _on_plain_command(self, name: str, part: str, msg: Float64) -> None:
        """Use a command without a stamp, from a person or another controller."""
        boat = self._scenario.plant
        wanted = setting_of_command(command_of_setting(self._wanted, boat).with_value(name, part, msg.data), boat)
        if wanted is not None:
            self._wanted = wanted
            self._controller.on_order(None)

    def _on_command(self, msg: JointState) -> None:
        boat = self._scenario.plant
        wanted = setting_of_command(convert.command_from_msg(msg), boat)
        if wanted is None:
            turning = ''.join(f' and a finite position (rad) for {name}' for name in turning_names(boat))
            self.get_logger().warning(f'thruster_command must give a finite effort (N) for {", ".join(self._names)}'
                                      f'{turning}', throttle_duration_sec=5.0)
            return
        stamp = convert.nanoseconds(msg.header.stamp)
        # In lockstep an order for an earlier state comes from a controller that was too late.
        if self._factor is not None or stamp == self._stamp() or self._ordered < stamp < self._stamp():
            self._wanted, self._ordered = wanted, stamp
            self._controller.on_order(stamp / convert.NANOSECONDS if stamp else None)
            self._on_answer(COMMAND, msg.header.stamp)

    def _replace_late_order(self) -> None:
        """In lockstep, use the last order again if the next one is late."""
        if not self._over and COMMAND in self._lockstep.missing and self._controller.repeats_order():
            self._on_answer(COMMAND, convert.stamp_of(self._stamp()))

    def _on_power(self, topic: str, msg: PowerStamped) -> None:
        # At a free pace a state waits only a moment for its flow, whose source may be missing at the start.
        if self._factor is None or self._lockstep.answered_once or not msg.status & WITHOUT_FLOW:
            self._on_answer(topic, msg.header.stamp)

    def _on_recorded(self, topic: str, msg: Header) -> None:
        self._on_answer(topic, msg.stamp)

    def _on_energy(self, topic: str, msg: EnergyStamped) -> None:
        self._on_answer(topic, msg.header.stamp)

    def _on_answer(self, topic: str, stamp: Time) -> None:
        """Move on when all have answered: in lockstep for each step, at a free pace only for the first one."""
        nanosecond = convert.nanoseconds(stamp)
        if self._factor is not None:
            self._lag.answer(topic, nanosecond)
        if not self._lockstep.answer(topic, nanosecond) or self._over:
            return
        self._lockstep.leave(self._energies)
        self._began = time.monotonic()
        if self._factor is None:
            self._move()
            self._lockstep.begin(self._stamp())
            self._send()

    def _resend(self) -> None:
        """Publish the state again for nodes that have missed it; readers ignore the repetition."""
        if self._lockstep.answered_once:
            self._starting.close()
        missing = self._missing()
        if self._over or not missing:
            return
        if self._lockstep.wait(RESEND_PERIOD):
            self.get_logger().warning(
                f't = {self._plant.time:.2f} s: still waiting for {", ".join(sorted(missing))}',
                throttle_duration_sec=PATIENCE)
        if self._lockstep.waited > RESEND_PERIOD * 1.5:
            self._send()


if __name__ == '__main__':
    BoatSimulator.main()
