"""The uncertainty of range and endurance: the boat file's intervals carried through by Monte Carlo."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..boats.boat_file import Boat
from .steady_range import INSIDE, Best, Curve, Way, best_speed, curve, usable_energy

# Of the drawn boats that must be able to go at a speed, for a band there: of those left, the weak ones are missing.
ABLE_SHARE = 0.95
INSIDE_SHARE = 0.5  # Of the drawn boats that must have a best speed inside the curve, for a band of it.


class Band(NamedTuple):
    """95 % of the drawn boats lie between `low` and `high`; arrays, or a number."""

    low: np.ndarray
    high: np.ndarray


class Bands(NamedTuple):
    """Bands of a curve's quantities, by field of Curve, and of the best point's, by field of Best; how many boats."""

    curve: dict[str, Band]
    best: dict[str, Band]
    boats: int


class Drain(NamedTuple):
    """How a battery is used: its state of charge, (-), None for that of the file, and the share to be left, (-)."""

    state_of_charge: float | None = None
    reserve: float = 0.0
    energy: float | None = None

    def energy_of(self, boat: Boat) -> float:
        """Return the energy that a boat has to give, J: as said, else the battery's; 1 J without a battery."""
        if self.energy is not None:
            return self.energy
        if boat.battery is None:
            return 1.0
        return usable_energy(boat.battery, self.state_of_charge, self.reserve)


def bands_of(boats: 'list[Boat]', way: Way, speeds: np.ndarray, drain: Drain,
             progress: Callable[[int], None] = lambda done: None) -> Bands:
    """
    Return the bands of a curve and of the best speed.

    :param boats: Drawn from the boat file's intervals.
    :param way: Course and flow.
    :param speeds: Over ground, m/s.
    :param drain: How the battery is used.
    :param progress: Called with the number of boats done.
    """
    curves: list[Curve] = []
    bests: list[Best] = []
    for number, boat in enumerate(boats, start=1):
        energy = drain.energy_of(boat)
        curves.append(curve(boat.vessel, energy, way, speeds))
        best = best_speed(boat.vessel, energy, way)
        bests.append(best)
        progress(number)
    names = ('power', 'energy_per_meter', 'endurance', 'range')
    of_curve = {name: _band(np.array([getattr(one, name) for one in curves])) for name in names}
    inside = [best for best in bests if best.kind == INSIDE]
    of_best = {name: _band(np.array([getattr(one, name) for one in inside])) for name in ('speed', *names)
               } if len(inside) >= INSIDE_SHARE * len(bests) else {}
    return Bands(of_curve, of_best, len(boats))


def _band(values: np.ndarray) -> Band:
    """Return the 2.5 and 97.5 percentiles over the first axis; NaN where too few have a number."""
    enough = np.isfinite(values).mean(axis=0) >= ABLE_SHARE
    filled = np.where(enough, values, 0.0)
    # Hazen's positions are those of the strata's middles.
    low, high = np.nanpercentile(filled, (2.5, 97.5), axis=0, method='hazen')
    return Band(np.where(enough, low, np.nan), np.where(enough, high, np.nan))
