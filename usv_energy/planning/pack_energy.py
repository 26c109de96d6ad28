"""What a battery of cells still gives at constant powers, until its cutoff under load or a reserve of charge."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..physics.cell import Pack, rested
from ..physics.cell_discharge import energy_left
from ..physics.cell_supply import most_power

SHARES = np.concatenate((np.geomspace(1e-6, 1e-2, 9)[:-1], np.linspace(0.01, 1.0, 60)))  # Of the most power: a table's.

EnergyAt = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class PackEnergy:
    """
    The energy that a pack gives, as a function of the power.

    `charge`: of its cells, which have rested, (-). `reserve`: charge that is to be left, (-). `ambient`: temperature
    around the cells, and theirs at the beginning, K.
    """

    pack: Pack
    charge: float
    reserve: float
    ambient: float

    def __call__(self, power: np.ndarray) -> np.ndarray:
        """Return the energy at constant powers, W, J: 0 where the pack cannot give one, NaN where it is NaN."""
        power = np.asarray(power, dtype=float)
        energy = np.full(power.shape, math.nan)
        known = np.isfinite(power)
        if known.any():
            zeros = np.zeros(int(known.sum()))
            energy[known] = energy_left(rested(zeros + self.charge, self.ambient), power[known], zeros + self.ambient,
                                        self.pack, self.reserve).energy
        return energy

    @property
    def most_power(self) -> float:
        """The most power that the pack gives now, W."""
        return float(most_power(rested(self.charge, self.ambient), self.pack))

    def tabled(self) -> EnergyAt:
        """Return the same from a table, linear between its powers, for many calls: within a few thousandths."""
        powers = SHARES * max(self.most_power, 1e-9)
        energies = self(powers)
        return lambda power: np.where(np.isfinite(power), np.interp(power, powers, energies, right=0.0), np.nan)
