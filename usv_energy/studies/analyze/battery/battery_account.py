"""The charge of a boat's battery and its remaining range: from the energy by the power model, and from readings."""

import math

from usv_energy.physics.batteries.battery import Battery, BatteryLevel, battery_level
from usv_energy.powering.energy import Accumulation, Energy
from usv_energy.studies.analyze.battery.battery_watch import BatteryWatch
from usv_energy.studies.plan.pack_energy import RangeMeter, remaining_range


class BatteryAccount:
    """
    Follows the battery of one boat, power by power; `level`: its state after the last one, None before.

    The energy drawn goes on over a reset of the energy.
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
        self._drawn = self._drawn_of_others = 0.0   # J; the second from batteries before this one
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
        self._drawn = drawn = before.total + energy.total
        level: BatteryLevel = battery_level(drawn - self._drawn_of_others, power, self._battery)
        if self.watch.was_measured:
            left = self.watch.state_of_charge
            level = level._replace(state_of_charge=left, charge=left * level.capacity)
        self._meter.add(state.last_time, drawn, before.distance_over_ground + energy.distance_over_ground, velocity)
        self._power, self.level = power, level
        return level

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
