"""Energy by leg of an analysed log: its steps, each in the leg that it ends in."""

import math
from typing import Any, NamedTuple

import numpy as np

from usv_energy.powering.energy import CAUSES
from usv_energy.studies.analyze.analysed_log import AnalysedLog

SAME_TIME = 1e-6  # s: what rounding makes of one stamp.


class LegShare(NamedTuple):
    """
    A leg: its name (empty: none), from when to when, s since the first sample, and what of the log's energy it took.

    Duration s that was integrated, distance over ground m, energy J by cause, its total among them.
    """

    name: str
    begin: float
    end: float
    duration: float
    distance: float
    energy: dict[str, float]


def leg_shares(analysed: AnalysedLog) -> list[LegShare]:
    """Return the legs of a log that were gone, in their order; none where the log does not say them."""
    integral, log = analysed.integral, analysed.log
    if not log.legs or not integral.durations.size:
        return []
    time = log.time
    begins = np.array([leg.time for leg in log.legs])
    leg = np.maximum(np.searchsorted(begins + SAME_TIME, time[integral.ends], side='left') - 1, 0)

    def summed(values: np.ndarray) -> np.ndarray:
        sums: np.ndarray = np.bincount(leg, values, begins.size)
        return sums

    energy = {cause: summed(getattr(analysed.power, cause)[integral.ends] * integral.durations) for cause in CAUSES}
    duration, distance = summed(integral.durations), summed(integral.distances)
    edges = np.clip([*begins, math.inf], time[0], time[-1])
    return [LegShare(log.legs[number].name, float(edges[number]), float(edges[number + 1]), float(duration[number]),
                     float(distance[number]), {cause: float(sums[number]) for cause, sums in energy.items()})
            for number in np.flatnonzero(duration > 0.0).tolist()]


def share_figures(leg: LegShare) -> dict[str, Any]:
    """Return a leg for JSON and tables, under the names that `leg_figures` of a run has."""
    return {'leg': leg.name, 'begin_s': leg.begin, 'end_s': leg.end, 'duration_s': leg.duration,
            'distance_over_ground_m': leg.distance, 'energy_j': leg.energy['total'],
            'mean_power_w': leg.energy['total'] / leg.duration,
            **{f'energy_{cause}_j': leg.energy[cause] for cause in CAUSES if cause != 'total'}}
