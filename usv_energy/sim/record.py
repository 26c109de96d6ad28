"""What is kept of a run: one row a sample, and how it ended. The same whether ROS ran it or not."""

import math
from typing import NamedTuple

from ..physics.energy import Energy
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
    """A run: scenario and convention, the rows, the energy by cause at the end, and the plant's thruster work, J."""

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
        """Thrust energy of the model over the work of the plant's thrusters, less 1, (-); NaN without a plant."""
        return closure(self.energy.thrust, self.thruster_energy)


def closure(model_energy: float, thruster_energy: float) -> float:
    """Return the model's thrust energy, J, over the work of the simulated thrusters, J, less 1; NaN where that is 0."""
    return model_energy / thruster_energy - 1.0 if thruster_energy else math.nan
