"""
The battery of a quadcopter: cells as in a boat, or an energy counter if its file gives only watt-hours.

A counter has no voltage: the rotors give their full thrust until it is empty. Cells sag under load: the largest thrust
of a rotor is that at the nominal voltage, times (voltage / nominal voltage)^2, because thrust grows with the square of
the rate, and the rate at full throttle with the voltage. If cells cannot give the drawn power above their cutoff
voltage, they give what they can. They are stepped every PERIOD with its mean power. They are charged at constant power
(and at most `charge_current`) up to their full voltage, and then at constant voltage until the current is below TAPER.
"""

import math
from typing import Protocol

from usv_energy.air.quadcopter import Quadcopter
from usv_energy.physics.batteries.cell import JOULES_PER_WH, CellState, Pack, cell_part, factors_of, rested
from usv_energy.physics.batteries.cell_discharge import energy_left
from usv_energy.physics.batteries.cell_step import most_power, step_at_power, supply_at_power

PERIOD = 0.1    # s, between two steps of the cells.
TAPER = 0.05    # Current below which cells count as charged, in capacities per hour.
LEAST_RESISTANCE = 1e-6  # Ohm, of a cell that is charged at constant voltage.
# For the check before take-off: longest time of approach and landing, s, and power in units of that of hovering.
LANDING_TIME = 25.0
POWER_MARGIN = 1.15


class FlightBattery(Protocol):
    """
    The interface of a flight's battery; unknown values are NaN.

    `left` of cells is their charge times the energy of the full battery. A current above 0 discharges.
    """

    @property
    def left(self) -> float:
        """Energy left, J."""

    @property
    def voltage(self) -> float:
        """Voltage under the last load, V."""

    @property
    def current(self) -> float:
        """Current of the last load, A."""

    @property
    def temperature(self) -> float:
        """Temperature of its cells, K."""

    @property
    def charge(self) -> float:
        """State of charge, (-)."""

    @property
    def most_thrust(self) -> float:
        """Largest thrust of a rotor, N."""

    @property
    def empty(self) -> bool:
        """Whether it could not give the power that was drawn."""

    def most_power(self) -> float:
        """Return the largest power that it can give now, W."""

    def draw(self, energy: float, time: float) -> float:
        """Draw an energy, J, over a time, s; return the part of all drawn energy that it could not give, J."""

    def charge_for(self, time: float) -> float:
        """Charge for a time, s; return the energy into its terminals, J."""


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
        """State of charge, (-)."""
        return self.left / self._craft.battery

    def most_power(self) -> float:
        """Return the largest power, W: no limit until it is empty."""
        return 0.0 if self.empty else math.inf

    def draw(self, energy: float, time: float) -> float:
        """Draw an energy, J; return the part that it could not give, J."""
        lacking = max(0.0, energy - max(self.left, 0.0))
        self.left -= energy - lacking
        self.empty = self.left <= 0.0
        return lacking

    def charge_for(self, time: float) -> float:
        """Charge for a time, s, until it is full; return the energy that it got, J."""
        gained = max(0.0, min(self._craft.charge_power * time, self._craft.battery - self.left))
        self.left += gained
        self.empty = self.left <= 0.0
        return gained


class CellBattery:
    """
    A battery of cells; the docstring of this file has the model.

    `cells`: their state. `carried`: charge through the terminals so far, A s, below 0 for charging.
    """

    def __init__(self, craft: Quadcopter, pack: Pack, share: float) -> None:
        """Begin at rest, with a state of charge, (-)."""
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
        """State of charge of the cells, (-)."""
        return float(self.cells.charge)

    @property
    def given(self) -> float:
        """Energy through the terminals so far, J, below 0 for charging; with that of the next step of the cells."""
        return self._given + self._drawn

    @property
    def temperature(self) -> float:
        """Temperature of the cells, K."""
        return float(self.cells.temperature)

    @property
    def left(self) -> float:
        """The charge times the energy of the full battery, J."""
        return self.charge * self._craft.battery

    @property
    def most_thrust(self) -> float:
        """Largest thrust of a rotor at the voltage under the last load, N."""
        return self._craft.most_thrust * (self.voltage / self._craft.nominal_voltage) ** 2

    def most_power(self) -> float:
        """Return the largest power at the last step of the cells, W."""
        return self._most

    def draw(self, energy: float, time: float) -> float:
        """Draw an energy, J, over a time, s; the cells are stepped after each PERIOD."""
        self._drawn, self._time, self.charged = self._drawn + energy, self._time + time, False
        return self._step(self._drawn / self._time, self._time) if self._time > PERIOD - 1e-9 else 0.0

    def charge_for(self, time: float) -> float:
        """Charge for a time, s: constant power, then constant voltage; return the energy into the terminals, J."""
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
        """Return the charging power now, W; 0 when the current is below TAPER."""
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
    Return the energy that a battery gives down to its reserve, J.

    :param share: State of charge, (-).
    :param power: Power of the load, W: at a higher power cells give less energy until their cutoff voltage.
    :param reserve: Share of the full charge that is kept, (-).
    """
    if craft.pack is None:
        return max(0.0, share - reserve) * craft.battery
    return float(energy_left(rested(share, craft.ambient), power, craft.ambient, craft.pack, reserve).energy)


def battery_words(craft: Quadcopter) -> str:
    """Return a description of a quadcopter's battery."""
    watt_hours = f'{craft.battery / JOULES_PER_WH:.1f} Wh'
    if craft.pack is None:
        return f'{watt_hours}, counted: no cells are known, so no sag and no cutoff'
    return f'{watt_hours} in cells, {craft.pack.series:g} in series, cutoff {_cutoff(craft.pack):.1f} V'


def _cutoff(pack: Pack) -> float:
    return float(pack.series * pack.cell.cutoff_voltage)


def shortfall(craft: Quadcopter, share: float, hover: float, reserve: float) -> str:
    """
    Return why the battery is not enough for a flight; empty if it is enough.

    :param share: State of charge, (-).
    :param hover: Time of the flight before the landing, s.
    :param reserve: Share of the full charge that is kept, (-).
    """
    power = POWER_MARGIN * craft.hover_power
    needed, there = power * (hover + LANDING_TIME), energy_to_use(craft, share, power, reserve)
    if there >= needed:
        return ''
    whose = (f'has {share * craft.battery / JOULES_PER_WH:.2f} Wh, of which a reserve of '
             f'{reserve * craft.battery / JOULES_PER_WH:.2f} Wh is kept' if craft.pack is None else
             f"has cells at {100.0 * share:.0f} %, which give {there / JOULES_PER_WH:.2f} Wh at {power:.0f} W before "
             f'their cutoff or the reserve of {100.0 * reserve:.0f} %')
    return (f'{hover:g} s in the air and the landing need {needed / JOULES_PER_WH:.2f} Wh; {craft.name} {whose}: it '
            'would not come back; land earlier, or charge')
