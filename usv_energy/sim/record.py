"""What is kept of a run: one row a sample, and how it ended. The same whether ROS ran it or not."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from ..physics.energy import Energy, is_valid, with_trapezoid
from ..physics.power import Flow, Motion, Power
from .scenario import Scenario

REACHED, TIMED_OUT, ABORTED = 'reached', 'timed_out', 'aborted'


class Row(NamedTuple):
    """
    One sample of a run.

    Time s since the start; place m (ENU); Motion over ground; Flow; Power W; total energy so far J; the plant's own
    thruster power W and work J (NaN where there is no plant); status bits of PowerStamped.
    """

    time: float
    x: float
    y: float
    motion: Motion
    flow: Flow
    power: Power
    energy: float
    thruster_power: float
    thruster_energy: float
    status: int


class Run(NamedTuple):
    """
    A run: scenario and convention, the rows, the energy by cause at the end, and the plant's thruster work, J.

    A recorded run may have rows without the plant's work (NaN); `thruster_energy` is then that of the last with one.
    """

    scenario: Scenario
    convention: str
    outcome: str
    rows: list[Row]
    energy: Energy
    thruster_energy: float

    @property
    def duration(self) -> float:
        """Time from the first to the last sample, s."""
        return self.rows[-1].time - self.rows[0].time if self.rows else 0.0

    @property
    def closure(self) -> float:
        """
        Thrust energy of the model over the work of the plant's thrusters, less 1, (-); NaN without a plant.

        Where the last rows lack the plant's work, both are taken up to the last row that has it.
        """
        later = len(self.rows)
        while later > 0 and math.isnan(self.rows[later - 1].thruster_energy):
            later -= 1
        since = _thrust_energy(self.rows[later - 1:]) if later > 0 else 0.0
        return closure(self.energy.thrust - since, self.thruster_energy)

    @property
    def rows_without_thruster_power(self) -> int:
        """How many rows lack the plant's thruster power: all of them where there is no plant."""
        return sum(math.isnan(row.thruster_energy) for row in self.rows)


def last_thruster_energy(rows: Sequence[Row]) -> float:
    """Return the work of the plant's thrusters at the last row that has it, J; NaN where none has."""
    return next((row.thruster_energy for row in reversed(rows) if not math.isnan(row.thruster_energy)), math.nan)


def _thrust_energy(rows: Sequence[Row]) -> float:
    """Return the model's thrust energy from the first of some rows to the last, J."""
    energy = 0.0
    for before, after in pairwise(rows):
        a, b = before.power.thrust, after.power.thrust
        energy = with_trapezoid(energy, a, b, 0.5 * (after.time - before.time), is_valid(a) and is_valid(b))
    return energy


def closure(model_energy: float, thruster_energy: float) -> float:
    """Return the model's thrust energy, J, over the work of the simulated thrusters, J, less 1; NaN where that is 0."""
    return model_energy / thruster_energy - 1.0 if thruster_energy else math.nan
