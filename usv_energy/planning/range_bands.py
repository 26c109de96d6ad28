"""The uncertainty of range and endurance: the boat file's intervals carried through by Monte Carlo."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..boats.boat_file import Boat
from ..files.progress_protocol import Progress, no_progress
from ..physics.power import Flow
from .steady_range import INSIDE, BatteryUse, BestSpeed, SpeedCurve, best_speed, speed_curve

# Of the drawn boats that must be able to go at a speed, for a band there: of those left, the weak ones are missing.
ABLE_SHARE = 0.95
INSIDE_SHARE = 0.5  # Of the drawn boats that must have a best speed inside the curve, for a band of it.


class Band(NamedTuple):
    """95 % of the drawn boats lie between `low` and `high`; arrays, or a number."""

    low: np.ndarray
    high: np.ndarray


class RangeBands(NamedTuple):
    """Bands by field of SpeedCurve, `curve`, and of BestSpeed, `best`; from how many drawn boats."""

    curve: dict[str, Band]
    best: dict[str, Band]
    boats: int


def bands_of(boats: Sequence[Boat], course: float, flow: Flow, speeds: np.ndarray, use: BatteryUse,
             progress: Progress = no_progress) -> RangeBands:
    """
    Return the bands of a curve and of the best speed.

    :param boats: Drawn from the boat file's intervals.
    :param course: Over ground, rad (ENU).
    :param flow: Water and air.
    :param speeds: Over ground, m/s.
    :param use: How the battery is used.
    :param progress: Called with the boats done and their number.
    """
    curves: list[SpeedCurve] = []
    bests: list[BestSpeed] = []
    for number, boat in enumerate(boats, start=1):
        energy = use.energy_of(boat)
        curves.append(speed_curve(boat.vessel, energy, course, flow, speeds))
        bests.append(best_speed(boat.vessel, energy, course, flow))
        progress(number, len(boats))
    names = ('power', 'energy_per_meter', 'endurance', 'range')
    of_curve = {name: _band(np.array([getattr(one, name) for one in curves])) for name in names}
    inside = [best for best in bests if best.kind == INSIDE]
    of_best = {name: _band(np.array([getattr(one, name) for one in inside])) for name in ('speed', *names)
               } if len(inside) >= INSIDE_SHARE * len(bests) else {}
    return RangeBands(of_curve, of_best, len(boats))


def _band(values: np.ndarray) -> Band:
    """Return the 2.5 and 97.5 percentiles over the first axis; NaN where too few have a number."""
    enough = np.isfinite(values).mean(axis=0) >= ABLE_SHARE
    filled = np.where(enough, values, 0.0)
    # Hazen's positions are those of the strata's middles.
    low, high = np.nanpercentile(filled, (2.5, 97.5), axis=0, method='hazen')
    return Band(np.where(enough, low, np.nan), np.where(enough, high, np.nan))
