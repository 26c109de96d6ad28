"""What cells still give at a charge and a power until their cutoff under load: a table, for answers every second."""

import math

import numpy as np

from ..physics.cell import Pack, rested
from ..physics.cell_discharge import energy_left
from ..physics.cell_supply import most_power

CHARGES = np.concatenate(([0.0, 0.01, 0.02, 0.04], np.linspace(0.07, 1.0, 32)))
SHARES = np.concatenate((np.geomspace(1e-3, 0.1, 7)[:-1], np.linspace(0.1, 1.0, 19)))  # Of a full pack's most power.


class CellsLeft:
    """The energy that a pack gives until it cannot give a power any more, its cells having rested, over charge."""

    def __init__(self, pack: Pack, ambient: float) -> None:
        """
        Work out the table.

        :param pack: Its cells.
        :param ambient: Temperature of the cells and around them, K.
        """
        full = float(most_power(rested(1.0, ambient), pack))
        self._powers = SHARES * full
        charge, power = (part.ravel() for part in np.meshgrid(CHARGES, self._powers, indexing='ij'))
        left = energy_left(rested(charge, ambient), power, ambient + 0.0 * power, pack).energy
        self._left = np.maximum(np.reshape(left, (CHARGES.size, SHARES.size)), 0.0)

    def until_cutoff(self, charge: float, power: float) -> float:
        """
        Return the energy, J: linear between the table's charges and powers, 0 above what the pack can give.

        :param charge: Of the cells, (-).
        :param power: W; at least that of the gentlest discharge of the table counts.
        """
        if not (math.isfinite(charge) and math.isfinite(power)):
            return math.nan
        at_charge = [np.interp(charge, CHARGES, column) for column in self._left.T]
        return float(np.interp(power, self._powers, at_charge, right=0.0))

    def corrected(self, charge: float, power: float, known: float, known_power: float) -> float:
        """
        Return the same where it is known at another power: by how much that differs from the table is so at this one.

        It is how what is measured goes in: resistance, temperature, age. It only ever makes it less.

        :param known: Energy until the cutoff at `known_power`, J; NaN where it is not known.
        :param known_power: W.
        """
        here, there = self.until_cutoff(charge, power), self.until_cutoff(charge, known_power)
        if not (math.isfinite(known) and there > 0.0):
            return here
        return here * min(max(known / there, 0.0), 1.0)
