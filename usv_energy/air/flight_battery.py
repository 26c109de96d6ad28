"""
The battery of a quadcopter: cells as a boat has them, or a counter where its file gives watt-hours alone.

A counter knows no voltage: the rotors give their most thrust until nothing is left. Cells sag under load: the most
thrust of a rotor is that at the nominal voltage, times (voltage / nominal voltage)^2, for a rotor's thrust goes with
the square of its rate and the rate at full throttle with the voltage. Where the cells cannot give what is drawn above
their cutoff voltage, they give what they can. They are stepped every PERIOD with the mean power of it, and charged at
constant power (and at most `charge_current`) until they are at their full voltage, at which they are held then until
the current is below TAPER.
"""

import math
from typing import Protocol

from usv_energy.air.quadcopter import Quadcopter
from usv_energy.physics.batteries.battery import JOULES_PER_WH
from usv_energy.physics.batteries.cell import CellState, Pack, cell_part, factors_of, rested
from usv_energy.physics.batteries.cell_discharge import energy_left
from usv_energy.physics.batteries.cell_step import most_power, step_at_power, supply_at_power

PERIOD = 0.1    # s, between two steps of the cells.
TAPER = 0.05    # Of the capacity an hour: the current below which cells count as charged.
LEAST_RESISTANCE = 1e-6  # Ohm, of a cell that is charged at a constant voltage.


class FlightBattery(Protocol):
    """
    What a flight needs of its battery; NaN where nobody knows.

    `left` is, of cells, their charge times the energy of the full battery; of the current discharging is positive.
    """

    @property
    def left(self) -> float:
        """Energy, J."""

    @property
    def voltage(self) -> float:
        """Under the last load, V."""

    @property
    def current(self) -> float:
        """Of the last load, A."""

    @property
    def temperature(self) -> float:
        """Of its cells, K."""

    @property
    def charge(self) -> float:
        """Of the full battery, (-)."""

    @property
    def most_thrust(self) -> float:
        """Of a rotor, N."""

    @property
    def empty(self) -> bool:
        """Whether it could not give what was drawn."""

    def most_power(self) -> float:
        """Return the most that it gives now, W."""

    def take(self, energy: float, time: float) -> float:
        """Draw an energy, J, over a time, s; return what it turned out not to have given of all that was drawn, J."""

    def put(self, time: float) -> float:
        """Charge for a time, s; return the energy that it got at its terminals, J."""


class CountedBattery:
    """A counter of energy."""

    voltage = current = temperature = math.nan

    def __init__(self, craft: Quadcopter, share: float) -> None:
        """Begin with a share of the full battery, (-)."""
        self._craft = craft
        self.left = share * craft.battery
        self.most_thrust, self.empty = craft.most_thrust, False

    @property
    def charge(self) -> float:
        """What is left of the full battery, (-)."""
        return self.left / self._craft.battery

    def most_power(self) -> float:
        """Return what it gives: anything until it is empty."""
        return 0.0 if self.empty else math.inf

    def take(self, energy: float, time: float) -> float:
        """Draw an energy, J."""
        lacking = max(0.0, energy - max(self.left, 0.0))
        self.left -= energy - lacking
        self.empty = self.left <= 0.0
        return lacking

    def put(self, time: float) -> float:
        """Charge for a time, s, where there is room."""
        gained = max(0.0, min(self._craft.charge_power * time, self._craft.battery - self.left))
        self.left += gained
        self.empty = self.left <= 0.0
        return gained


class CellBattery:
    """
    Cells in a pack; see the head of this file.

    `cells`: their state. `carried`: charge through the terminals so far, A s, charging below 0.
    """

    def __init__(self, craft: Quadcopter, pack: Pack, share: float) -> None:
        """Begin rested, with a share of the charge, (-)."""
        self._craft, self._pack = craft, pack
        self.cells: CellState = rested(share, craft.ambient)
        self.voltage = float(supply_at_power(self.cells, 0.0, pack).voltage)
        self.current, self.empty = 0.0, False
        self.charged = False  # Until the current has tapered off.
        self._watts, self._most = 0.0, float(most_power(self.cells, pack))
        self._drawn = self._time = 0.0
        self._given = self.carried = 0.0

    @property
    def charge(self) -> float:
        """Of the cells, (-)."""
        return float(self.cells.charge)

    @property
    def given(self) -> float:
        """Energy through the terminals so far, J, charging below 0, with what the next step of the cells will take."""
        return self._given + self._drawn

    @property
    def temperature(self) -> float:
        """Of the cells, K."""
        return float(self.cells.temperature)

    @property
    def left(self) -> float:
        """The charge times the energy of the full battery, J."""
        return self.charge * self._craft.battery

    @property
    def most_thrust(self) -> float:
        """The most of a rotor, N, at the voltage under the last load."""
        return self._craft.most_thrust * (self.voltage / self._craft.nominal_voltage) ** 2

    def most_power(self) -> float:
        """Return the most power at the last step of the cells, W."""
        return self._most

    def take(self, energy: float, time: float) -> float:
        """Draw an energy, J, over a time, s; the cells are stepped when PERIOD is over."""
        self._drawn, self._time, self.charged = self._drawn + energy, self._time + time, False
        return self._step(self._drawn / self._time, self._time) if self._time > PERIOD - 1e-9 else 0.0

    def put(self, time: float) -> float:
        """Charge for a time, s: constant power, then constant voltage; return what reached the terminals, J."""
        if self._drawn > 0.0:
            self._step(self._drawn / self._time, self._time)
        if self._time == 0.0:
            self._watts = 0.0 if self.charged else self._charging_power()
        self._drawn, self._time = self._drawn - self._watts * time, self._time + time
        gained = self._watts * time
        if self._time > PERIOD - 1e-9:
            self._step(self._drawn / self._time, self._time)
        return gained

    def _step(self, power: float, time: float) -> float:
        self.cells, supply = step_at_power(self.cells, power, time, self._craft.ambient, self._pack)
        self.voltage, self.current = float(supply.voltage), float(supply.current)
        self.empty = bool(power > 0.0 and supply.lacking > 0.0)
        self._most = float(most_power(self.cells, self._pack))
        self._drawn = self._time = 0.0
        self._given += float(supply.power) * time
        self.carried += self.current * time
        return float(supply.lacking) * time if power > 0.0 else 0.0

    def _charging_power(self) -> float:
        """Return the power into the terminals now, W; 0 once the current has tapered off."""
        pack, cell, craft = self._pack, self._pack.cell, self._craft
        part = cell_part(self.cells, factors_of(self.cells.temperature, pack), cell)
        full = float(cell.full_voltage)
        held = pack.parallel * (full - part.voltage) / max(part.resistance, LEAST_RESISTANCE)
        taper = TAPER * cell.capacity * pack.capacity_share * pack.parallel / 3600.0
        if held < taper or self.charge >= 1.0:
            self.charged = True
            return 0.0
        volts = pack.series * (part.voltage + part.resistance * min(held, craft.charge_current) / pack.parallel)
        return float(min(craft.charge_power, volts * min(held, craft.charge_current)))


def battery_of(craft: Quadcopter, share: float) -> FlightBattery:
    """Return a quadcopter's battery with a share of its charge, (-)."""
    return CountedBattery(craft, share) if craft.pack is None else CellBattery(craft, craft.pack, share)


def energy_to_use(craft: Quadcopter, share: float, power: float, reserve: float) -> float:
    """
    Return what a battery gives before its reserve, J.

    :param share: Of its charge, (-).
    :param power: At which it is drawn, W: cells give less the more is asked, and end at their cutoff voltage.
    :param reserve: Share of the full charge that is kept, (-).
    """
    if craft.pack is None:
        return max(0.0, share - reserve) * craft.battery
    return float(energy_left(rested(share, craft.ambient), power, craft.ambient, craft.pack, reserve).energy)


def battery_words(craft: Quadcopter) -> str:
    """Say of what kind a quadcopter's battery is."""
    watt_hours = f'{craft.battery / JOULES_PER_WH:.1f} Wh'
    if craft.pack is None:
        return f'{watt_hours}, counted: no cells are known, so no sag and no cutoff'
    return f'{watt_hours} in cells, {craft.pack.series:g} in series, cutoff {_cutoff(craft.pack):.1f} V'


def _cutoff(pack: Pack) -> float:
    return float(pack.series * pack.cell.cutoff_voltage)
