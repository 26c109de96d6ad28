"""The power that the boat's motion takes, by cause: one answer for every boat state."""

import math
from contextlib import ExitStack
from functools import partial
from typing import Any

from geometry_msgs.msg import Vector3Stamped
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64

from usv_energy.boats.boat_file import read_boat, require_motion
from usv_energy.files.errors import InputError
from usv_energy.files.limits import safe_name
from usv_energy.physics.motion import Flow, Relative, without_needless_yaw
from usv_energy.physics.sampling import Sampling, sampled
from usv_energy.powering.measured_power import MeasuredActuators
from usv_energy.powering.power import CONVENTIONS
from usv_energy.ros.framework.diagnostics import Health, SampleHealth, publish_health
from usv_energy.ros.framework.lifecycle import ManagedNode
from usv_energy.ros.framework.parameters import (
    BOAT,
    CONVENTION,
    MAX_GAP,
    SEA,
    SEA_PARTS,
    WAVE_ESTIMATE,
    Flag,
    Number,
    Text,
)
from usv_energy.ros.framework.qos import SENSOR
from usv_energy.ros.framework.subscriptions import OwnMessages, Pairing, Stamped
from usv_energy.ros.live.flow_on_graph import boat_in_given_sea
from usv_energy.ros.live.onboard_devices import SUPPLY_BATTERY, LoadSwitches, SupplyVoltage
from usv_energy.ros.messages import convert
from usv_energy.ros.messages.convert import problems_of
from usv_energy.ros.messages.messages import BoatState, PowerStamped
from usv_energy.sim.actuator_states import ActuatorMemory, MotionSample, PowerSteps, drives_are_known, measured_states
from usv_energy.studies.plan.boat_in_sea import sea_line

FLAGS = {'water_current': (PowerStamped.CURRENT_MISSING, PowerStamped.CURRENT_STALE),
         'wind': (PowerStamped.WIND_MISSING, PowerStamped.WIND_STALE)}
MISSING = PowerStamped.CURRENT_MISSING | PowerStamped.WIND_MISSING
STALE = PowerStamped.CURRENT_STALE | PowerStamped.WIND_STALE
UNKNOWN = (math.nan, math.nan)
ACTUATORS = 'actuator_states'
AUTO, MEASURED, ALLOCATED = 'auto', 'measured', 'allocated'


class PowerCalculator(ManagedNode):
    """Answer every boat state with the power it takes. Topics and parameters: docs/nodes.md."""

    declared = (
        BOAT, CONVENTION,
        Number('max_flow_age', 2.0, 'A water current or wind older than this marks the sample stale, s.', live=True,
               above=0),
        Number('flow_wait', 0.02, 'How long a state waits for current and wind of the same stamp, s of wall time.',
               live=True, above=0),
        Flag('current_varies', False, 'The current comes with every state, so that its change along the track changes '
             'the relative velocity; true in graphs with a flow file of the water.'),
        Text('actuators', AUTO, "Source of the thrusts: 'measured', the topic actuator_states; 'allocated', the "
             "cheapest allocation of the force that the motion needs, always so with as_published; 'auto', measured if "
             'that topic has them.',
             allowed=(AUTO, MEASURED, ALLOCATED)),
        Number('max_actuator_age', 0.5, 'Greatest age of the state of an actuator, s.', live=True, above=0),
        SUPPLY_BATTERY, SEA, *SEA_PARTS, WAVE_ESTIMATE, MAX_GAP,
    )

    def configure(self, undo: ExitStack) -> None:
        """Read the parameters and the boat file."""
        self._boat = read_boat(self.parameters.text('boat'))
        require_motion(self._boat, 'the power of a motion')
        self._boat = boat_in_given_sea(self._boat, self.parameters)
        self._convention = self.parameters.text('convention')
        if self._boat.vessel.sea is not None and self._convention != 'rep103':
            raise InputError(f'parameter sea is {self.parameters.text("sea")!r}; must be empty with the convention '
                             f'{self._convention}, which knows no waves')
        self._varies = self.parameters.flag('current_varies')
        self._actuators = self.parameters.text('actuators') if self._convention == 'rep103' else ALLOCATED
        self._power = self.advertise(undo, PowerStamped, 'power')
        self._plain = self.advertise(undo, Float64, 'instantaneous_power')

    def activate(self, undo: ExitStack) -> None:
        """Start with no current and no wind known."""
        self._epoch = convert.Epoch()
        self._steps = PowerSteps(self._convention, self._varies)
        self._sampling = Sampling()
        self._samples = SampleHealth('power samples')
        self._stale = 0
        self._last = math.nan
        publish_health(self, undo, 'power', self._health, ('power', 'instantaneous_power', 'water_current', 'wind'))
        self._last_flows: dict[str, tuple[int, tuple[float, float]]] = {}
        self._memory = ActuatorMemory(self._boat)
        self._supply = SupplyVoltage(self, undo, self._boat)
        self._switches = LoadSwitches(self, undo, self._boat)
        self._pairing = Pairing([*FLAGS, *([ACTUATORS] if self._actuators == MEASURED else [])], self._answer)
        self._flow_watchdog = self.watchdog(undo, 'flow_wait', self._pairing.complete)
        for topic in FLAGS:
            self.listen(undo, Vector3Stamped, topic, partial(self._on_flow, topic))
        if self._actuators != ALLOCATED:
            self.listen(undo, JointState, ACTUATORS, self._on_actuators, SENSOR)
        OwnMessages(self, undo, BoatState, 'boat_state', self._on_state, convert.fault_of_state, self._samples)

    def log_summary(self) -> str:
        """Return boat and convention."""
        sea = self._boat.vessel.sea
        return (f'boat {self._boat.name} ({self._boat.path}), convention {self._convention}'
                + ('' if sea is None else f'. {sea_line(sea)}'))

    def _on_flow(self, topic: str, msg: Vector3Stamped) -> None:
        stamp = convert.nanoseconds(msg.header.stamp)
        if not self._pairing.add_follower(topic, stamp, (msg.vector.x, msg.vector.y)):
            self._samples.add(None, f'a {topic} with a stamp of another clock', useless=True)

    def _on_actuators(self, msg: JointState) -> None:
        stamp, states = convert.nanoseconds(msg.header.stamp), convert.actuator_states_from_msg(msg)
        unknown = self._memory.add(stamp, states)
        if unknown and len(unknown) == len(states):
            names = ', '.join((*self._boat.thruster_names, *self._boat.foil_names))
            told = safe_name(', '.join(sorted(unknown)))
            self.get_logger().warning(f'{ACTUATORS} tells of {told}, which are no actuators of {self._boat.name}: '
                                      f'{names}', throttle_duration_sec=60.0)
        elif states:
            self._pairing.add_follower(ACTUATORS, stamp, None)

    def _on_state(self, msg: BoatState) -> None:
        self._pairing.add_leader(convert.nanoseconds(msg.header.stamp), msg)
        if self._pairing.waiting:
            self._flow_watchdog.set()

    def _answer(self, msg: BoatState, flows: dict[str, Stamped | None]) -> None:
        stamp = convert.nanoseconds(msg.header.stamp)
        (current, current_status), (wind, wind_status) = (self._usable(topic, flows[topic], stamp) for topic in FLAGS)
        flow = Flow(*current, *wind)
        motion = convert.motion_from_msg(msg)
        if self._boat.vessel.sea is None:
            motion = without_needless_yaw(motion, flow)
        time = self._epoch.seconds(msg.header.stamp)
        self._sampling = sampled(self._sampling, time)
        relative = CONVENTIONS[self._convention].relative(motion, flow)
        actuators, actuator_status = self._measured_actuators(stamp, relative)
        power, measured, loads = self._steps.mean_power(
            MotionSample(time, motion, flow, relative, actuators), self._supply.boat_at(stamp),
            self.parameters.number('max_gap') or self._sampling.longest_interval, self._switches.loads_at(stamp))
        missing = (current_status | wind_status) & MISSING
        status = msg.status & ~PowerStamped.NO_ACCELERATION | current_status | wind_status | actuator_status
        if not math.isfinite(power.total) and not missing:
            status |= PowerStamped.NO_ACCELERATION
        if not math.isfinite(motion.yaw):
            status |= PowerStamped.INVALID_STATE
        self._power.publish(convert.power_to_msg(
            power, motion, flow, self._convention, status, convert.body_header(msg), measured,
            dict(zip(self._boat.load_names, loads))))
        if self._plain.wanted:
            self._plain.publish(Float64(data=power.total))
        self._last = power.total
        self._stale += bool(status & STALE)
        self._samples.add(stamp, ', '.join(problems_of(status)), useless=not math.isfinite(power.total))

    def _health(self, now: int) -> Health:
        return self._samples.health(now, {
            'samples with a stale flow': self._stale, 'power (W)': f'{self._last:.3f}', 'boat': self._boat.name,
            'convention': self._convention, **self._switches.diagnostics()})

    def _measured_actuators(self, stamp: int, relative: Relative) -> tuple[MeasuredActuators | None, int]:
        """Return the states of the actuators at a stamp, None if they are unknown, and their status bits."""
        states, stale = self._memory.at(stamp, self.parameters.number('max_actuator_age'))
        status = PowerStamped.ACTUATORS_STALE if stale else 0
        measured = measured_states(states, relative, self._boat) if states else None
        wanted = self._actuators == MEASURED or not states.keys().isdisjoint(self._boat.thruster_names)
        if wanted and (measured is None or not drives_are_known(measured)):
            status |= PowerStamped.ACTUATORS_MISSING
        return measured, status

    def _usable(self, topic: str, latest: Stamped | None, stamp: int) -> tuple[tuple[float, float], int]:
        """Return the flow to use for a stamp, m/s (NaN if it was never known), and its status bits."""
        missing, stale = FLAGS[topic]
        if latest is not None and all(map(math.isfinite, latest.value)):
            self._last_flows[topic] = (latest.stamp, latest.value)
        known: Any = self._last_flows.get(topic)
        if known is None:
            return UNKNOWN, missing
        too_old = abs(stamp - known[0]) > self.parameters.number('max_flow_age') * convert.NANOSECONDS
        # A NaN with this stamp means that the client has nothing new.
        silent = latest is not None and latest.stamp != known[0]
        return known[1], stale if too_old or silent else 0


if __name__ == '__main__':
    PowerCalculator.main()
