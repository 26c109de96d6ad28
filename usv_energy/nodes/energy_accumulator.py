"""Energy by cause, the integral of power over the samples' stamps, and the energy left in the battery."""

import math
from contextlib import ExitStack
from copy import copy

from sensor_msgs.msg import BatteryState
from std_msgs.msg import Float64
from std_srvs.srv import Trigger

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.limits import RANGES
from usv_energy.physics.sampling import Sampling, sampled
from usv_energy.powering.energy import CAUSES, Accumulation, accumulate, restarted
from usv_energy.powering.loads import accumulated_loads
from usv_energy.ros.framework.diagnostics import Health, SampleHealth, publish_health
from usv_energy.ros.framework.lifecycle import ManagedNode
from usv_energy.ros.framework.parameters import BOAT, MAX_GAP, Number
from usv_energy.ros.framework.qos import LATCHED_FEW, LATCHED_STREAM
from usv_energy.ros.framework.subscriptions import OneClock
from usv_energy.ros.live.live_doubts import LiveDoubts
from usv_energy.ros.live.onboard_devices import (
    HULL_CURRENT_STD,
    HULL_WIND_STD,
    MEASURED_BATTERY,
    MEASURED_TIMEOUT,
    START_CHARGE_STD,
    HeardLegs,
    MeasuredBattery,
    MeasuredHull,
    has_hull_model,
)
from usv_energy.ros.messages import convert
from usv_energy.ros.messages.convert import problems_of
from usv_energy.ros.messages.messages import EnergyStamped, PowerStamped, RemainingRange, SetCharge
from usv_energy.studies.analyze.battery.battery_watch import BatteryAccount, BatteryWatch

REMIND_PERIOD = 5.0
SOLE = 'energy', 'battery_estimate', 'battery_state', 'remaining_range', 'remaining_range_stamped'
NO_NUMBER = 'a power that is no number'


def unusable(msg: PowerStamped) -> str:
    """Return why a power that has a total cannot be integrated; empty if it can."""
    powers = [getattr(msg, cause) for cause in CAUSES] + list(msg.load_powers)
    speeds = [speed for twist in (msg.velocity, msg.relative_velocity) for speed in (twist.linear.x, twist.linear.y)]
    if any(abs(power) > RANGES['W'] for power in powers) or any(abs(speed) > RANGES['m/s'] for speed in speeds):
        return 'a power or speed that no boat has'
    return NO_NUMBER if math.isnan(sum(powers) + sum(speeds)) and not math.isnan(msg.total) else ''


class EnergyAccumulator(ManagedNode):
    """Answer every power with the energy so far. Topics, service and parameters: docs/nodes.md."""

    declared = (
        BOAT,
        MAX_GAP,
        Number('silence', 2.0, 'Time without a power sample after which the energy has the status SILENT, s of wall '
               'time.', live=True, above=0),
        Number('range_window', 60.0, 'Window of the energy per metre from which the remaining range follows, s.',
               above=0),
        MEASURED_BATTERY, MEASURED_TIMEOUT, START_CHARGE_STD, HULL_CURRENT_STD, HULL_WIND_STD,
    )

    def configure(self, undo: ExitStack) -> None:
        """Read the parameters and the boat's battery; start with no energy drawn."""
        self._boat = read_boat(self.parameters.text('boat'))
        self._epoch = convert.Epoch()
        self._accumulation = Accumulation()
        self._by_load: tuple[float, ...] = ()
        self._doubts = LiveDoubts(self._boat)
        self._sampling = Sampling()
        self._energy = self.advertise(undo, EnergyStamped, 'energy', LATCHED_STREAM)
        self._level = self.advertise(undo, BatteryState, 'battery_state')
        self._range = self.advertise(undo, Float64, 'remaining_range')
        self._stamped_range = self.advertise(undo, RemainingRange, 'remaining_range_stamped')
        battery = self._boat.battery
        self._measured: MeasuredBattery | None = None
        self._account: BatteryAccount | None = None
        self._hull: MeasuredHull | None = None
        if battery is not None:
            watch = BatteryWatch(battery, self._boat.pack, self.parameters.number(START_CHARGE_STD.name),
                                 self._boat.ambient)
            self._measured = MeasuredBattery(self, watch, undo)
            self._account = BatteryAccount(battery, watch, self.parameters.number('range_window'))
            if self.parameters.text(MEASURED_BATTERY.name) and has_hull_model(self._boat):
                self._hull = MeasuredHull(self, self._boat, watch, undo)

    def activate(self, undo: ExitStack) -> None:
        """Continue from the energy so far; the time while the node was inactive is a gap."""
        self._last: EnergyStamped | None = None
        self._one_clock = OneClock()
        self._samples = SampleHealth('power samples')
        publish_health(self, undo, 'energy', self._health, SOLE)
        self._silence_watchdog = self.watchdog(undo, 'silence', self._on_silence)
        # These subscriptions precede that of the power, so that a leg is received before the powers on it.
        self._legs = HeardLegs(self, undo, self._last_stamp, LATCHED_FEW)
        self.listen(undo, PowerStamped, 'power', self._on_power)
        if self._measured is not None:
            self._measured.activate(undo)
        if self._hull is not None:
            self._hull.activate(undo)
        for service in (self.create_service(Trigger, 'reset_energy', self._on_reset),
                        self.create_service(SetCharge, 'set_charge', self._on_set_charge)):
            undo.callback(self.destroy_service, service)

    def log_summary(self) -> str:
        """Return the battery."""
        battery = self._boat.battery
        if battery is None:
            return f'boat {self._boat.name}, without a battery in its file: no battery_state, no remaining_range'
        return (f'boat {self._boat.name}, battery of {battery.capacity_wh:g} Wh, {battery.nominal_voltage:g} V, '
                f'{100.0 * battery.initial_state_of_charge:g} % charged at the start')

    def _last_stamp(self) -> int:
        return 0 if self._last is None else convert.nanoseconds(self._last.header.stamp)

    def _on_power(self, msg: PowerStamped) -> None:
        """Use the powers of one clock that can be integrated; count the others."""
        stamp = msg.header.stamp
        fault = unusable(msg) if convert.is_time(stamp) else 'a stamp that is no time'
        if fault:
            energy = self._accumulation.energy
            self._accumulation = self._accumulation._replace(
                energy=energy._replace(invalid_samples=energy.invalid_samples + 1))
            self._leave_out(fault, f'{msg.total:g} W at {stamp.sec} s')
            return
        self._silence_watchdog.set()
        to_use, strays = self._one_clock.take(convert.nanoseconds(stamp), msg)
        if msg.status & PowerStamped.TIME_JUMPED_BACK:      # The adapter has seen that the clock was set.
            to_use += self._one_clock.release()
        for stray in strays:
            self._leave_out('a stamp of another clock', f'{stray.header.stamp.sec} s')
        self._use_all(to_use)

    def _use_all(self, messages: list[PowerStamped]) -> None:
        for msg in messages:
            self._use(msg)

    def _leave_out(self, fault: str, which: str) -> None:
        """Count and log a power that is not used."""
        self._samples.add(None, fault, useless=True)
        self.get_logger().warning(f'power: {fault} ({which}): not used', throttle_duration_sec=REMIND_PERIOD)

    def _use(self, msg: PowerStamped) -> None:
        """Answer a power with the energy so far."""
        last, before = self._accumulation, self._accumulation.energy
        sample = convert.sample_from_msg(msg, self._epoch)
        self._sampling = sampled(self._sampling, sample.time)
        self._accumulation = accumulate(self._accumulation, sample,
                                        self.parameters.number('max_gap') or self._sampling.longest_interval)
        self._by_load = accumulated_loads(self._by_load, msg.load_powers, last, self._accumulation)
        self._doubts.add(msg)
        energy = self._accumulation.energy
        jumped = energy.segments > before.segments
        if jumped:
            self.get_logger().warning('time jumped: a new segment starts, the energy so far is kept')
        state_of_charge = self._follow_battery(msg, energy.total - before.total, energy.duration - before.duration)
        self._last = convert.energy_to_msg(energy, state_of_charge, msg,
                                          self._legs.at(convert.nanoseconds(msg.header.stamp)), self._by_load)
        if self._measured is not None and (both := self._measured.watch.measured).duration > 0.0:
            self._last.measured_total, self._last.measured_duration = both.total, both.duration
            self._last.modelled_total = both.modelled
        self._energy.publish(self._last)
        faults = problems_of(msg.status) + ['a gap'] * (energy.gaps > before.gaps) + ['a new segment'] * jumped
        if math.isnan(msg.total) and not faults:
            faults = [NO_NUMBER]
        self._samples.add(convert.nanoseconds(msg.header.stamp), ', '.join(faults),
                          useless=not math.isfinite(msg.total))

    def _follow_battery(self, msg: PowerStamped, joules: float, duration: float) -> float:
        """
        Publish the state of the battery; return its state of charge, NaN without a battery.

        :param joules: Energy since the last power, J.
        :param duration: Time since the last power, s.
        """
        if self._account is None or self._measured is None:
            return math.nan
        self._measured.on_power(msg.total, joules, duration, msg.header)
        if self._hull is not None:
            self._hull.on_power(msg)
        over_ground = msg.velocity.linear.x, msg.velocity.linear.y, msg.velocity.angular.z
        level = self._account.follow(self._accumulation, msg.total, over_ground)
        if self._level.wanted:
            under_load = self._account.watch.level_under_load(level)
            self._level.publish(convert.battery_to_msg(under_load, msg.header))
        if self._range.wanted:
            self._range.publish(Float64(data=self._account.range))
        if self._stamped_range.wanted:
            self._stamped_range.publish(RemainingRange(
                header=msg.header, range=self._account.range, energy_per_meter=self._account.energy_per_meter))
        return float(level.state_of_charge)

    def _health(self, now: int) -> Health:
        last = self._last
        return self._samples.health(now, {} if last is None else {
            'energy (J)': f'{last.total:.3f}', 'duration (s)': f'{last.duration:.3f}',
            'state of charge (%)': f'{100.0 * last.state_of_charge:.2f}' if self._boat.battery else 'no battery given',
            'invalid samples': last.invalid_samples,
            'gaps': last.gaps, 'gap duration (s)': f'{last.gap_duration:.3f}',
            'stale duration (s)': f'{last.stale_duration:.3f}', 'segments': last.segments,
            **self._doubts.values(self._accumulation.energy, last.measured_total, last.modelled_total)})

    def _on_silence(self) -> None:
        """Publish the last energy again, with the status SILENT; use powers that are held instead, if there are any."""
        if held := self._one_clock.release():
            self._silence_watchdog.set()
            self._use_all(held)
            return
        if self._last is None:
            return
        self.get_logger().warning(f'no power sample for {self.parameters.number("silence")} s')
        self._last = copy(self._last)  # Readers still hold the published message.
        self._last.status |= EnergyStamped.SILENT
        self._energy.publish(self._last)

    def _on_reset(self, request: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        energy = self._accumulation.energy
        self._accumulation, self._by_load = restarted(self._accumulation), ()
        self._doubts.restart()
        if self._account is not None:
            self._account.reset(energy)
        response.success = True
        response.message = f'{energy.total:.2f} J in {energy.duration:.2f} s until here; counting from 0 J'
        self.get_logger().info(response.message)
        return response

    def _on_set_charge(self, request: SetCharge.Request, response: SetCharge.Response) -> SetCharge.Response:
        charge, std, account = request.state_of_charge + 0.0, request.state_of_charge_std, self._account
        if account is None:
            response.message = f'set_charge: boat {self._boat.name} has no battery in its file'
        elif not 0.0 <= charge <= 1.0:
            response.message = f'set_charge: state_of_charge is {charge:g}; must be from 0 to 1'
        elif not (math.isnan(std) or 0.0 <= std <= 0.5):
            response.message = f'set_charge: state_of_charge_std is {std:g}; must be from 0 to 0.5, or NaN'
        else:
            known = account.level
            before = math.nan if known is None else 100.0 * known.state_of_charge
            account.swap(charge, std)
            response.success = True
            response.message = (f'battery swapped or charged: {before:.1f} % until here, {100.0 * charge:g} % from now '
                                'on')
        (self.get_logger().info if response.success else self.refuse)(response.message)
        return response


if __name__ == '__main__':
    EnergyAccumulator.main()
