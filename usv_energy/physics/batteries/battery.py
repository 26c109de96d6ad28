"""
The battery as a counter of energy: what is left after the energy that was drawn, at the nominal voltage.

It serves where nothing but watt-hours is known; what a battery of known cells gives is in `cell_supply.py`.
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
    """What sensor_msgs/BatteryState wants: V, A (negative: discharging), Ah, Ah, and the state of charge (-)."""

    voltage: float
    current: float
    charge: float
    capacity: float
    state_of_charge: float


@kernel
def state_of_charge(energy, battery):
    """
    Return what is left of the battery, 0 to 1.

    :param energy: Energy drawn since the start, J; float or array.
    :param battery: The Battery.
    """
    left = battery.initial_state_of_charge - energy / (battery.capacity_wh * JOULES_PER_WH)
    return smaller(larger(left, 0.0), 1.0)


@kernel
def battery_level(energy, power, battery):
    """
    Return the battery's state at its nominal voltage: an energy counter, no cell model.

    :param energy: Energy drawn since the start, J; float or array.
    :param power: Power drawn now, W; same shape.
    :param battery: The Battery.
    """
    left = state_of_charge(energy, battery)
    capacity = battery.capacity_wh / battery.nominal_voltage
    return BatteryLevel(battery.nominal_voltage, -power / battery.nominal_voltage, left * capacity, capacity, left)
