"""
Discharges to the end: the energy that a pack can still deliver at a power, and voltage and charge over time.

A discharge ends when the pack, limited by its cutoff voltage or largest current, cannot deliver the power any more
under load. The remaining charge is not lost, but only available at a lower power.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from usv_energy.physics.batteries.cell import (
    CellState,
    Pack,
    available_charge,
    charge_below_empty,
    open_circuit_voltage,
    voltage,
)
from usv_energy.physics.batteries.cell_step import Supply, power_margin, step_at_current, step_beyond, supply_at_power
from usv_energy.physics.elementwise import kernel, larger, long_kernel, select, smaller

STEPS = 300  # Steps of a discharge to its end.
BEYOND = 1.1  # Largest energy to which a discharge is followed, over the energy without losses.
NO_CHARGE = -1e3  # (-), least charge if none must be left; far below the end of the slowest discharge.
LEAST_BOUND = 1e-9  # J, bound for an empty pack.
LEAST_POWER = 1e-7  # 1/s, least power over the energy without losses; discharges of more than 115 days do not differ.


class Left(NamedTuple):
    """
    What a pack can deliver at a power.

    Energy, J, and duration, s; its cells' charge, (-), and temperature, K, at the end.
    """

    energy: Any
    time: Any
    charge: Any
    temperature: Any


class Discharge(NamedTuple):
    """
    A discharge to its end over time; arrays of one shape.

    `time`: s. `voltage`: V, of the pack under load. `current`: A. `charge`: of its cells, (-). `temperature`: K.
    """

    time: np.ndarray
    voltage: np.ndarray
    current: np.ndarray
    charge: np.ndarray
    temperature: np.ndarray

    @property
    def energy(self) -> np.ndarray:
        """Energy delivered until each time, J: the integral of voltage times current by trapezoids."""
        power = self.voltage * self.current
        return np.append(0.0, np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(self.time)))


@kernel
def energy_without_losses(state, ambient, pack, least_charge=NO_CHARGE):
    """
    Return an upper bound of the energy that a pack delivers, J: all its charge at the open-circuit voltage.

    :param state: The CellState of its cells; floats or arrays.
    :param ambient: Ambient temperature of the cells, K; the higher of it and theirs counts.
    :param pack: The Pack.
    :param least_charge: Charge of its cells that must be left, (-); a float.
    """
    cell = pack.cell
    left = available_charge(state.charge, larger(state.temperature, ambient), cell)
    volts = larger(open_circuit_voltage(left, cell), cell.cutoff_voltage)
    return (larger(smaller(left + charge_below_empty(cell), state.charge - least_charge), 0.0) * volts
            * cell.capacity * pack.capacity_share * pack.series * pack.parallel)


@kernel
def _further(state, power, dt, ambient, pack, least_charge):
    """Return a pack one step later, and the share of the step, (-), with enough power and above the least charge."""
    after = step_beyond(state, power, dt, ambient, pack)
    before, then = power_margin(state, power, pack), power_margin(after, power, pack)
    falling = select(then < before, before - then, 1.0 + 0.0 * then)
    share = select(before <= 0.0, 0.0 * before, select(then >= 0.0, 1.0 + 0.0 * then, before / falling))
    fallen = select(after.charge < state.charge, state.charge - after.charge, 1.0 + 0.0 * then)
    above = smaller(larger((state.charge - least_charge) / fallen, 0.0), 1.0)
    return after, smaller(share, above)


@long_kernel
def energy_left(state, power, ambient, pack, least_charge=NO_CHARGE):
    """
    Return what a pack delivers at a constant power until it cannot any more, or has only some charge left.

    The discharge is followed in STEPS steps; its end within the last step is interpolated by the power margin.

    :param state: The CellState of its cells now; floats or arrays.
    :param power: W, above 0; same shape.
    :param ambient: Ambient temperature of the cells, K; same shape.
    :param pack: The Pack.
    :param least_charge: Charge of its cells that must be left, (-); a float.
    :return: A Left; its charge and temperature are those at the end.
    """
    bound = BEYOND * energy_without_losses(state, ambient, pack, least_charge)
    watts = larger(power, LEAST_POWER * bound)
    dt = larger(bound, LEAST_BOUND) / watts / STEPS
    time, alive = 0.0 * dt, 1.0 + 0.0 * dt
    for _ in range(STEPS):
        after, share = _further(state, watts, dt, ambient, pack, least_charge)
        time = time + alive * share * dt
        going = alive * share
        state = CellState(state.charge + going * (after.charge - state.charge),
                          state.fast + going * (after.fast - state.fast),
                          state.slow + going * (after.slow - state.slow),
                          state.lag + going * (after.lag - state.lag),
                          state.temperature + going * (after.temperature - state.temperature))
        alive = select(share < 1.0, 0.0 * alive, alive)
    return Left(watts * time, time, state.charge, state.temperature)


def discharge(state: CellState, ambient: float, pack: Pack, current: float | None = None,
              power: float | None = None, steps: int = 500) -> Discharge:
    """
    Return a discharge at a constant current or a constant power until its end.

    :param state: The CellState of the cells at the beginning, floats.
    :param ambient: Ambient temperature, K.
    :param pack: The Pack.
    :param current: Of the pack, A, above 0; or
    :param power: W, above 0.
    :param steps: Number of steps until the end of a discharge without losses.
    """
    if (current is None) == (power is None):
        raise ValueError('either a current or a power')
    cutoff = pack.series * pack.cell.cutoff_voltage
    watts = (current or 0.0) * pack.series * open_circuit_voltage(0.5, pack.cell) if power is None else power
    dt = BEYOND * energy_without_losses(state, ambient, pack) / watts / steps
    rows: list[tuple[float, ...]] = []
    for number in range(2 * steps):
        if current is not None:
            supply = Supply(voltage(state, current, pack), current, math.nan, 0.0)
            margin = supply.voltage - cutoff
        else:
            supply = supply_at_power(state, watts, pack)
            margin = power_margin(state, watts, pack)
        rows.append((number * dt, supply.voltage, supply.current, state.charge, state.temperature, margin))
        if margin <= 0.0:
            break
        state = (step_at_current(state, current, dt, ambient, pack) if current is not None
                 else step_beyond(state, watts, dt, ambient, pack))
    return Discharge(*_until(np.array(rows).T)[:-1])


def _until(rows: np.ndarray) -> np.ndarray:
    """Return the rows of a discharge with the last one moved back to where its last number, the margin, is 0."""
    if rows.shape[1] < 2 or rows[-1, -1] > 0.0:
        return rows
    before, last = rows[:, -2], rows[:, -1]
    share = before[-1] / (before[-1] - last[-1])
    return np.column_stack([rows[:, :-1], before + share * (last - before)])
