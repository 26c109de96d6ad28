"""
Check readings of a battery's volts and amperes, and say in words why a reading is refused.

A reading is refused for its own values (NaN, volts or amperes out of range, a sign that contradicts the status) or by
the reading before it (time that goes back, a voltage that jumps). If one cell differs from the others, the pack's
voltage is not used for the charge, but its power still is.
"""

import math
from typing import NamedTuple

from usv_energy.physics.batteries.cell import Battery, Pack

MOST_RATE = 30.0        # Capacities per hour above which a current is never valid.
PLAIN_RATE = 3.0        # Capacities per hour up to which a current is always valid.
MOST_OF_MODEL = 20.0    # Ratio to the modelled power above which a current beyond PLAIN_RATE is invalid.
JUMP = 0.2              # Largest change between successive readings, as a share of the nominal voltage.
LEAST_CHARGING = 0.5    # A: a smaller current of the wrong sign counts as the sensor's offset.
CELL_DIFFERENCE = 0.5   # V below the mean of all cells: the cell is dead or its wire broken.
NO_SENSOR = 0.01        # A: MAVLink's -1, "not measured", as MAVROS gives it on.


class Reading(NamedTuple):
    """
    Of a battery, as sensor_msgs/BatteryState has it, but for the sign: discharging is positive here.

    `time`: s. `voltage`: V. `current`: A. `percentage`: 0 to 1. `temperature`: degC; all three NaN where unknown.
    `cells`: V of each, or none. `discharging`: what its status says. `present`: whether it is there. `place`: its name.
    """

    time: float
    voltage: float
    current: float
    percentage: float = math.nan
    temperature: float = math.nan
    cells: tuple[float, ...] = ()
    discharging: bool = False
    present: bool = True
    place: str = ''


class Limits(NamedTuple):
    """Limits of a battery's voltage, V, and current, A; its nominal voltage, V, and capacity, Ah."""

    least_voltage: float
    most_voltage: float
    nominal_voltage: float
    capacity_ah: float


class Judgement(NamedTuple):
    """
    Which values of a reading are valid.

    `usable`: its current and power. `voltage_usable`: its voltage, for the charge, too. `problems`: in words, each
    beginning with its kind before a colon.
    """

    usable: bool
    voltage_usable: bool
    problems: tuple[str, ...]


def limits_of(battery: Battery, pack: Pack | None) -> Limits:
    """Return the limits of a battery's readings; for cells from half the cutoff, as one or two may be dead."""
    capacity = battery.capacity_wh / battery.nominal_voltage
    if pack is None:
        return Limits(0.5 * battery.nominal_voltage, 1.5 * battery.nominal_voltage, battery.nominal_voltage, capacity)
    cell = pack.cell
    return Limits(0.5 * pack.series * cell.cutoff_voltage, 1.1 * pack.series * cell.full_voltage,
                  battery.nominal_voltage, capacity)


def judged(reading: Reading, before: Reading | None, modelled_power: float, limits: Limits,
           cutoff: float = 0.0) -> Judgement:
    """
    Return the Judgement of a reading.

    :param reading: The reading.
    :param before: The last one that was good, if it is not too old; else None.
    :param modelled_power: The largest of late, W; NaN where unknown.
    :param limits: Of the battery.
    :param cutoff: Of a cell, V; 0 where unknown.
    """
    faults = _of_itself(reading, modelled_power, limits) or _of_course(reading, before, limits)
    doubts = _of_cells(reading.cells, cutoff)
    hints = []
    if reading.percentage > 1.01:
        hints.append(f'percentage: {reading.percentage:g}, to be 0 to 1; it is not used')
    return Judgement(not faults, not faults and not doubts, (*faults, *doubts, *hints))


def _of_itself(reading: Reading, modelled_power: float, limits: Limits) -> list[str]:
    found = []
    if not reading.present:
        found.append('present: it says that there is no battery')
    if not math.isfinite(reading.voltage):
        found.append(f'voltage: {reading.voltage}')
    elif not limits.least_voltage <= reading.voltage <= limits.most_voltage:
        unit = '; is it in mV?' if limits.least_voltage <= reading.voltage / 1000.0 <= limits.most_voltage else ''
        found.append(f'voltage: {reading.voltage:g} V, to be {limits.least_voltage:.3g} to {limits.most_voltage:.3g} V'
                     + unit)
    return found + _of_current(reading, modelled_power, limits)


def _of_current(reading: Reading, modelled_power: float, limits: Limits) -> list[str]:
    current = reading.current
    if not math.isfinite(current):
        return [f'current: {current}']
    most = most_current(modelled_power, limits)
    if abs(current) > most:
        return [f'current: {-current:g} A, to be at most {most:.3g} A; is it in mA?']
    if reading.discharging and abs(current + NO_SENSOR) < 1e-6:
        return ['current: 0.01 A while discharging, which is how MAVROS says that none is measured']
    if reading.discharging and current < -LEAST_CHARGING:
        return [f'current: {-current:g} A, above 0 (charging), while its status is discharging; is its sign wrong?']
    return []


def most_current(modelled_power: float, limits: Limits) -> float:
    """Return the largest valid current, A, for the recent modelled power, W; NaN: unknown."""
    by_model = MOST_OF_MODEL * modelled_power / limits.nominal_voltage if math.isfinite(modelled_power) else math.inf
    return min(max(PLAIN_RATE * limits.capacity_ah, by_model), MOST_RATE * limits.capacity_ah)


def _of_course(reading: Reading, before: Reading | None, limits: Limits) -> list[str]:
    if before is None:
        return []
    if reading.time < before.time:
        return [f'stamp: {before.time - reading.time:.3g} s before the one before']
    jump = reading.voltage - before.voltage
    if abs(jump) > JUMP * limits.nominal_voltage:
        return [f'jump: of the voltage by {jump:+.3g} V']
    return []


def _of_cells(cells: tuple[float, ...], cutoff: float) -> list[str]:
    """Return the faults of single cells; MAVROS sends one number if it knows only the pack's voltage."""
    if len(cells) < 2 or all(not math.isfinite(volts) or volts == 0.0 for volts in cells):
        return []
    known = [volts for volts in cells if math.isfinite(volts)]
    middle = sorted(known)[len(known) // 2]
    bad = [number for number, volts in enumerate(cells, start=1)
           if not volts >= middle - CELL_DIFFERENCE or volts < cutoff]
    if not bad:
        return []
    return [f'cell: {", ".join(f"{number} has {cells[number - 1]:.3g} V" for number in bad)}, the middle one '
            f'{middle:.3g} V; the voltage is not used for the charge']
