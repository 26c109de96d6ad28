"""
A battery of cells as something to be shared out over a way: what a joule at some power uses of it, and how far down.

What is used is counted in energy at rest: charge times the voltage that the cells have without a current, as a share of
what there is of it until the cutoff. A joule that is given at a high power uses more, by what is lost in the cells; and
a power can be given only until a share is used, the smaller the higher it is: the cutoff under load. Both follow from
discharges at constant power, for which they are exact. After gentler use a pack gives a power for a little longer.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..boats.boat_file import Boat
from ..physics.cell import INTERVALS, CellState, available_charge, open_circuit_voltage, rested
from ..physics.cell_discharge import energy_left
from .pack_energy import SHARES, PackEnergy

LEVELS = 0.999, 0.99, 0.97, 0.93, 0.85, 0.7, 0.45, 0.0   # Shares until which the powers of `limits` can be given.
GENTLEST = 1e-5     # Of the most power: at which a discharge takes all that there is.


@dataclass(frozen=True)
class PackShares:
    """How a battery of cells is used up: `boat`, whose it is; `energy`: has pack, charge, reserve and temperature."""

    boat: Boat
    energy: PackEnergy

    @cached_property
    def _table(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Powers, W, rising; share that is used when each cannot be given any more; share that a joule of it uses."""
        one = self.energy
        powers = np.concatenate(([GENTLEST], SHARES[SHARES > GENTLEST])) * max(one.most_power, 1e-9)
        zeros = np.zeros(powers.size)
        left = energy_left(rested(zeros + one.charge, one.ambient), powers, zeros + one.ambient, one.pack, one.reserve)
        at_rest = np.asarray(self._energy_at_rest(left.charge))
        whole = max(float(at_rest[0]), 1e-9)
        share = np.minimum.accumulate(np.clip(at_rest / whole, 0.0, 1.0))
        with np.errstate(divide='ignore', invalid='ignore'):
            per_joule = np.where(left.energy > 0.0, at_rest / whole / left.energy, math.inf)
        return powers, share, per_joule

    @cached_property
    def _rest(self) -> tuple[np.ndarray, np.ndarray]:
        """Charges, (-), falling from the first, and the energy at rest used down to each, a pack's coulomb each 1."""
        one = self.energy
        charges = one.charge - np.linspace(0.0, max(one.charge, 0.0) + 0.05, 4 * INTERVALS + 1)
        volts = open_circuit_voltage(available_charge(charges, one.ambient, one.pack.cell), one.pack.cell)
        steps = -np.diff(charges) * 0.5 * (volts[1:] + volts[:-1])
        return charges, np.concatenate(([0.0], np.cumsum(np.maximum(steps, 0.0))))

    def _energy_at_rest(self, charge: np.ndarray) -> np.ndarray:
        charges, used = self._rest
        return np.asarray(np.interp(-np.asarray(charge), -charges, used))

    @property
    def limits(self) -> np.ndarray:
        """Powers, W, rising: of those that a way may be limited to."""
        powers, share, _ = self._table
        return np.unique(np.interp(-np.array(LEVELS), -share, powers))

    def most_share(self, power: np.ndarray) -> np.ndarray:
        """Return the share that may be used when a power, W, is still to be given; -inf where it never can."""
        powers, share, _ = self._table
        found = np.interp(power, powers, share)
        return np.where((share[0] > 0.0) & (power <= self.energy.most_power) & np.isfinite(power), found, -math.inf)

    def share_of_joule(self, power: np.ndarray) -> np.ndarray:
        """Return what a joule that is given at a power, W, uses, (-); inf where the pack cannot give it."""
        powers, _, per_joule = self._table
        able = np.isfinite(per_joule)
        found = np.interp(power, powers[able], per_joule[able]) if able.any() else np.full(np.shape(power), math.inf)
        return np.where(np.isfinite(power) & (power <= self.energy.most_power), found, math.inf)

    def state_at(self, share: np.ndarray) -> CellState:
        """Return cells that have rested, and of which a share is used; 0 to 1."""
        charges, used = self._rest
        whole = float(self._energy_at_rest(np.array(self._last_charge)))
        return rested(np.interp(np.clip(share, 0.0, 1.0) * whole, used, charges), self.energy.ambient)

    @cached_property
    def _last_charge(self) -> float:
        one, power = self.energy, GENTLEST * max(self.energy.most_power, 1e-9)
        return float(energy_left(rested(one.charge, one.ambient), power, one.ambient, one.pack, one.reserve).charge)
