"""
The charge of a battery in use and the remaining range: from readings if they are valid, else from the power model.

A reading updates the estimate at its own stamp, and the modelled power predicts it between readings. For a battery
given in watt-hours the energy is counted; cells are estimated by the filter of `charge_estimate.py`.
"""

import math
from enum import IntFlag
from typing import NamedTuple

from usv_energy.physics.batteries.cell import JOULES_PER_WH, Battery, BatteryLevel, Pack, battery_level
from usv_energy.physics.batteries.cell_discharge import energy_left
from usv_energy.powering.energy import Accumulation, Energy
from usv_energy.studies.analyze.battery.battery_readings import Reading, judged, limits_of
from usv_energy.studies.analyze.battery.charge_estimate import MODEL_SHARE, START_GAIN, UNHEARD_SHARE, ChargeFilter
from usv_energy.studies.plan.pack_energy import RangeMeter, remaining_range

LEFT_PERIOD = 30.0   # s of power samples after which the energy until the cutoff is computed again.
PEAK_TIME = 30.0     # s, decay time of the largest modelled power.
NOTHING_MEASURED = 'nothing is measured: this is from the power model alone'


class BatteryStatus(IntFlag):
    """The bits of BatteryEstimate.status."""

    NONE = 0
    NOT_MEASURED = 1
    REFUSED = 2
    STALE = 4
    SEVERAL_SOURCES = 8
    BELOW_CUTOFF = 16


class BatteryReport(NamedTuple):
    """The fields of BatteryEstimate: (-), Ohm, V, degC, J; NaN where unknown."""

    state_of_charge: float
    state_of_charge_std: float
    resistance: float
    resistance_std: float
    open_circuit_voltage: float
    temperature: float
    energy_left: float
    status: BatteryStatus
    message: str


class MeasuredEnergy(NamedTuple):
    """Energy drawn as measured, J, the time for which it and the modelled one are known, s, and that one, J."""

    total: float = 0.0
    duration: float = 0.0
    modelled: float = 0.0


class BatteryWatch:
    """Follows one battery."""

    def __init__(self, battery: Battery, pack: Pack | None, charge_std: float, ambient: float | None = None) -> None:
        """
        Begin as the boat file says.

        :param battery: As a counter.
        :param pack: Its cells, where they are known.
        :param charge_std: Standard deviation of its state of charge at the start, (-).
        :param ambient: Temperature around its cells, K; None: that at which their numbers hold.
        """
        self._battery, self._pack, self._ambient = battery, pack, ambient
        self._limits = limits_of(battery, pack)
        self._was_measured = self._is_stale = False
        self._problems: tuple[str, ...] = ()
        self._sources = ''
        self._told: set[str] = set()
        self._begin(charge_std)
        self.measured = MeasuredEnergy()

    def _begin(self, charge_std: float) -> None:
        self._start_std = charge_std
        self._cells = None if self._pack is None else ChargeFilter(
            self._pack, self._battery.initial_state_of_charge, charge_std,
            self._pack.cell.reference_temperature if self._ambient is None else self._ambient)
        self._by_readings = self._by_model = 0.0  # J that were counted,
        self._unheard = self._unheard_std = 0.0   # and that were drawn in gaps, with what these may be off.
        self._last: Reading | None = None         # the last valid reading, until it is too old
        self._is_measuring = False
        self._place = ''
        self._peak = math.nan
        self._left, self._left_age = math.nan, math.inf

    def swap(self, charge: float, charge_std: float) -> None:
        """
        Go on with another battery of the same kind, or with this one charged; the measured energy is kept.

        :param charge: Its state of charge, 0 to 1.
        :param charge_std: Standard deviation of that, (-); NaN: as at the start.
        """
        self._battery = self._battery._replace(initial_state_of_charge=charge)
        self._begin(self._start_std if math.isnan(charge_std) else charge_std)

    @property
    def was_measured(self) -> bool:
        """Whether there ever was a valid reading; from then on the estimate replaces the counter."""
        return self._was_measured

    @property
    def sources(self) -> str:
        """The publishers of readings, if there are several; else empty."""
        return self._sources

    @property
    def reading(self) -> Reading | None:
        """The last reading if it was valid and is not too old; else None."""
        return self._last if self._is_measuring else None

    def take_reading(self, reading: Reading) -> None:
        """Check a reading, and update the battery by it if it is valid."""
        if self._sources:
            self._refuse(())
            return
        if self._was_measured and reading.place != self._place:
            self._refuse((f'place: a reading of {reading.place!r} among those of {self._place!r}',))
            return
        cutoff = 0.0 if self._pack is None else float(self._pack.cell.cutoff_voltage)
        judgement = judged(reading, self._last, self._peak, self._limits, cutoff)
        if not judgement.usable:
            self._refuse(judgement.problems)
            return
        if self._is_measuring and self._last is not None:
            self._go_on(self._last, reading)
        surprise = 0.0
        if self._cells is not None:
            if math.isfinite(reading.temperature):
                self._cells.at_temperature(reading.temperature + 273.15)
            if judgement.voltage_usable:
                surprise = self._cells.take_voltage(reading.voltage, reading.current)
        if surprise:
            self._refuse((f'jump: the voltage is {surprise:+.3g} V from what the cells can have',))
            return
        self._last, self._place = reading, reading.place
        self._is_measuring = self._was_measured = True
        self._is_stale, self._problems = False, judgement.problems

    def _go_on(self, before: Reading, reading: Reading) -> None:
        step = reading.time - before.time
        if step <= 0.0:
            return
        watts = 0.5 * (before.voltage * before.current + reading.voltage * reading.current)
        self._by_readings += watts * step
        if self._cells is not None:
            self._cells.go_on_by_current(0.5 * (before.current + reading.current), step)

    def _refuse(self, problems: tuple[str, ...]) -> None:
        self._is_measuring, self._problems = False, problems

    def take_power(self, power: float, energy: float, duration: float) -> None:
        """
        Predict the battery by the power model without measurement, else compare the model with the measurement.

        :param power: That the model says now, W; NaN where it does not.
        :param energy: That it says was drawn since the last call, J.
        :param duration: In how long, s; 0 across a gap.
        """
        if math.isfinite(power):
            kept = 0.0 if math.isnan(self._peak) else self._peak * math.exp(-duration / PEAK_TIME)
            self._peak = max(power, kept)
        self._left_age += duration
        reading = self.reading
        self._left -= energy if reading is None else reading.voltage * reading.current * duration
        if reading is not None:
            now = self.measured
            self.measured = MeasuredEnergy(now.total + reading.voltage * reading.current * duration,
                                           now.duration + duration, now.modelled + energy)
            return
        self._by_model += energy
        if self._cells is not None:
            if duration > 0.0:
                self._cells.go_on_by_power(energy / duration, duration)
            if math.isfinite(power):
                self._cells.draw(power)

    def take_gap(self, energy: float, duration: float, is_measured: bool) -> None:
        """
        Predict the battery across a time of which nothing is known.

        :param energy: That was drawn in it, about, J.
        :param duration: s.
        :param is_measured: Whether readings on both sides of it have counted that energy already.
        """
        self._unheard_std += UNHEARD_SHARE * energy
        self._left_age = math.inf
        if not is_measured:
            self._left -= energy
            self._unheard += energy
            if self._cells is not None:
                self._cells.go_on_by_power(energy / duration, duration, UNHEARD_SHARE)
        elif self._cells is not None:
            self._cells.widen(UNHEARD_SHARE * energy / (self._battery.capacity_wh * JOULES_PER_WH))

    def restart(self) -> None:
        """Count the measured energy from 0 and keep the charge."""
        self.measured = MeasuredEnergy()

    def silence(self) -> None:
        """Note that no valid reading came for too long."""
        if self._was_measured:
            self._is_stale = True
        self._is_measuring, self._last = False, None

    def hear_of_sources(self, names: str) -> None:
        """Set the publishers of readings if there are several; empty for one or none."""
        self._sources = names
        if names:
            self._is_measuring = False

    @property
    def state_of_charge(self) -> float:
        """State of charge, 0 to 1: by energy for a battery in watt-hours, by charge for cells."""
        if self._cells is not None:
            return min(max(float(self._cells.cells.charge), 0.0), 1.0)
        drawn = (self._by_readings + self._by_model + self._unheard) / (self._battery.capacity_wh * JOULES_PER_WH)
        return min(max(self._battery.initial_state_of_charge - drawn, 0.0), 1.0)

    @property
    def voltage(self) -> float:
        """The voltage under load, V: measured, else of the modelled cells; NaN if neither is known."""
        if self.reading is not None:
            return self.reading.voltage
        return math.nan if self._cells is None else self._cells.estimate.voltage

    def level_under_load(self, level: BatteryLevel) -> BatteryLevel:
        """Return a level with measured volts and amperes, else those of the modelled cells."""
        if self.reading is not None:
            return level._replace(voltage=self.reading.voltage, current=-self.reading.current)
        if self._cells is None:
            return level
        return level._replace(voltage=self._cells.estimate.voltage, current=-self._cells.current)

    def report(self, power: float) -> BatteryReport:
        """Return the report, given the modelled power now, W."""
        status, words = self._doubts()
        if self._cells is None:
            whole, nothing = self._battery.capacity_wh * JOULES_PER_WH, math.nan
            spread = (START_GAIN * abs(self._by_readings) + MODEL_SHARE * abs(self._by_model)
                      + self._unheard_std) / whole
            return BatteryReport(self.state_of_charge, math.hypot(self._start_std, spread), nothing, nothing, nothing,
                                 self._temperature(), self.state_of_charge * whole, status, '; '.join(words))
        known, least = self._cells.estimate, float(self._cells.pack.series * self._cells.pack.cell.cutoff_voltage)
        if self.voltage < least:
            status |= BatteryStatus.BELOW_CUTOFF
            words.append(f'{self.voltage:.3g} V is below the cutoff, {least:.3g} V')
        return BatteryReport(known.charge, known.charge_std, known.resistance, known.resistance_std,
                             known.open_circuit_voltage, self._temperature(), self._energy_left(power), status,
                             '; '.join(words))

    def _doubts(self) -> tuple[BatteryStatus, list[str]]:
        status, words = BatteryStatus.NONE, []
        if not self._was_measured:
            status |= BatteryStatus.NOT_MEASURED
            words.append(NOTHING_MEASURED)
        if self._problems:
            status |= BatteryStatus.REFUSED
            words += self._problems
        if self._is_stale:
            status |= BatteryStatus.STALE
            words.append('the last good reading is too old: the power model goes on from it')
        if self._sources:
            status |= BatteryStatus.SEVERAL_SOURCES
            words.append(f'readings come from {self._sources}: none is used')
        if any(problem.startswith('place:') for problem in self._problems):
            status |= BatteryStatus.SEVERAL_SOURCES
        if self._pack is not None and self._last is not None and any(
                volts < self._pack.cell.cutoff_voltage for volts in self._last.cells if volts != 0.0) and any(
                problem.startswith('cell:') for problem in self._problems):
            status |= BatteryStatus.BELOW_CUTOFF
        return status, words

    def unsaid(self) -> list[str]:
        """Return new problems, one sentence for each kind, so that the log warns once of each."""
        kinds = {problem.split(':')[0]: problem for problem in self._problems}
        if self._is_stale:
            kinds['stale'] = 'no good reading for a while: the power model goes on from the last one'
        if self._sources:
            kinds['sources'] = f'readings come from {self._sources}: none is used'
        fresh = [words for kind, words in kinds.items() if kind not in self._told]
        self._told |= set(kinds)
        return fresh

    def _temperature(self) -> float:
        return math.nan if self.reading is None else self.reading.temperature

    def energy_until_cutoff(self, power: float) -> float | None:
        """Return the energy, J, that the cells deliver at a power, W, until the cutoff; None without cells."""
        return None if self._cells is None else self._energy_left(power)

    def _energy_left(self, power: float) -> float:
        """
        Return the energy until the cutoff at a power, J.

        It is computed only at intervals, since that takes milliseconds; in between, the drawn energy is subtracted.
        """
        assert self._cells is not None
        reading = self.reading
        watts = power if reading is None else reading.voltage * reading.current
        if self._left_age >= LEFT_PERIOD and math.isfinite(watts):
            cells = self._cells.cells
            self._left = float(energy_left(cells, max(watts, 0.0), self._cells.ambient, self._cells.pack).energy)
            self._left_age = 0.0
        return max(self._left, 0.0) if math.isfinite(self._left) else self._left


class BatteryAccount:
    """
    Follows the battery of one boat, power by power; `level`: its state after the last one, None before.

    The energy drawn goes on over a reset of the energy. `unheard`: about what was drawn in gaps, J.
    """

    def __init__(self, battery: Battery, watch: BatteryWatch, window: float) -> None:
        """
        Begin with nothing drawn.

        :param battery: As a counter.
        :param watch: Of the same battery, which takes readings and powers.
        :param window: Of the energy per metre from which the remaining range follows, s.
        """
        self._battery, self.watch = battery, watch
        self._meter = RangeMeter(window)
        self._before_reset = Energy()
        self._drawn = self._drawn_of_others = 0.0   # J; the second from batteries before this one,
        self.unheard = 0.0                          # and in gaps, about.
        self._power = math.nan
        self.level: BatteryLevel | None = None

    def follow(self, state: Accumulation, power: float, velocity: tuple[float, float, float]) -> BatteryLevel:
        """
        Return the battery's level after a power that the watch has taken: measured if there ever was a reading.

        :param state: The accumulation, that power included.
        :param power: W, now.
        :param velocity: Over ground, body axes: u, v m/s, r rad/s.
        """
        energy, before = state.energy, self._before_reset
        drawn = before.total + energy.total
        self._drawn = drawn + self.unheard
        level: BatteryLevel = battery_level(self._drawn - self._drawn_of_others, power, self._battery)
        if self.watch.was_measured:
            left = self.watch.state_of_charge
            level = level._replace(state_of_charge=left, charge=left * level.capacity)
        self._meter.add(state.last_time, drawn, before.distance_over_ground + energy.distance_over_ground, velocity)
        self._power, self.level = power, level
        return level

    def take_gap(self, energy: float, duration: float, is_measured: bool) -> None:
        """Take what was drawn in a gap off the charge, as `BatteryWatch.take_gap`; it is not in the accumulation."""
        self.unheard += energy
        self.watch.take_gap(energy, duration, is_measured)

    def swap(self, charge: float, charge_std: float) -> None:
        """Go on with another battery, as `BatteryWatch.swap`."""
        self._battery = self._battery._replace(initial_state_of_charge=charge)
        self._drawn_of_others = self._drawn
        self.watch.swap(charge, charge_std)

    @property
    def energy_per_meter(self) -> float:
        """The energy per metre over ground of the last metres, J/m; NaN if unknown."""
        return float(self._meter.energy_per_meter)

    @property
    def range(self) -> float:
        """The remaining range over ground, m; NaN if unknown, infinite if a metre costs nothing."""
        if self.level is None:
            return math.nan
        return remaining_range(self.level, self._meter.energy_per_meter, self.watch.energy_until_cutoff(self._power))

    def reset(self, energy: Energy) -> None:
        """Take the energy until a reset, from which it is counted from 0."""
        before = self._before_reset
        self._before_reset = before._replace(
            total=before.total + energy.total,
            distance_over_ground=before.distance_over_ground + energy.distance_over_ground)
        self.watch.restart()
