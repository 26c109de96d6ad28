"""
The battery as an energy counter: the remaining energy at the nominal voltage.

It is used if only watt-hours are known; `cell_step.py` models a battery of known cells.
"""

from typing import NamedTuple

from usv_energy.physics.elementwise import kernel, larger, smaller

JOULES_PER_WH = 3600.0


class Battery(NamedTuple):
    """Capacity in Wh (usable, at the nominal voltage), nominal voltage in V, state of charge at the start (-)."""

    capacity_wh: float
    nominal_voltage: float
    initial_state_of_charge: float


class BatteryLevel(NamedTuple):
    """Fields of sensor_msgs/BatteryState: V, A (negative: discharging), Ah, Ah, and the state of charge (-)."""

    voltage: float
    current: float
    charge: float
    capacity: float
    state_of_charge: float


@kernel
def state_of_charge(energy, battery):
    """
    Return the state of charge, 0 to 1.

    :param energy: Energy drawn since the start, J; float or array.
    :param battery: The Battery.
    """
    left = battery.initial_state_of_charge - energy / (battery.capacity_wh * JOULES_PER_WH)
    return smaller(larger(left, 0.0), 1.0)


@kernel
def battery_level(energy, power, battery):
    """
    Return the battery's state at its nominal voltage, by the energy counter.

    :param energy: Energy drawn since the start, J; float or array.
    :param power: Power drawn now, W; same shape.
    :param battery: The Battery.
    """
    left = state_of_charge(energy, battery)
    capacity = battery.capacity_wh / battery.nominal_voltage
    return BatteryLevel(battery.nominal_voltage, -power / battery.nominal_voltage, left * capacity, capacity, left)
