"""Energy of parts of an analysed log: of its legs, whose steps each end in one, and of any time between two others."""

import math
from typing import Any, NamedTuple

import numpy as np

from usv_energy.files.errors import InputError
from usv_energy.files.text_file import without_nan
from usv_energy.physics.batteries.cell import state_of_charge
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
        return np.bincount(leg, values, begins.size)

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
            'mean_power_w': leg.energy['total'] / leg.duration if leg.duration else math.nan,
            **{f'energy_{cause}_j': leg.energy[cause] for cause in CAUSES if cause != 'total'}}


def share_between(analysed: AnalysedLog, begin: float, end: float) -> LegShare:
    """
    Return what the time between two others took: whole steps, and of those at its ends the part that lies inside.

    :param begin: s, of the log's times; `end` likewise. Beyond the log there is nothing.
    :raises InputError: If the end is not later than the begin.
    """
    if not begin < end:
        raise InputError(f'range: begins at {begin:g} s and ends at {end:g} s; must end later than it begins')
    steps, time = analysed.integral.steps, analysed.log.time
    inside = np.minimum(time[steps.ends], end) - np.maximum(time[steps.begins], begin)
    durations = np.where(inside > 0.0, inside, 0.0)
    shares = np.divide(durations, steps.durations, out=np.zeros(durations.size), where=steps.durations > 0.0)
    energy = {cause: float(np.sum(getattr(analysed.integral.power, cause)[steps.ends] * durations)) for cause in CAUSES}
    return LegShare('', max(begin, float(time[0])), min(end, float(time[-1])), float(durations.sum()),
                    float((analysed.integral.distances * shares).sum()), energy)


def range_figures(analysed: AnalysedLog, begin: float, end: float) -> dict[str, Any]:
    """
    Return `share_between` for JSON, with the energy per metre and the share of the battery that it took.

    :raises InputError: As `share_between`.
    """
    share, charge = share_between(analysed, begin, end), math.nan
    if analysed.boat.battery is not None:
        first = analysed.log.time[0]
        before = share_between(analysed, first, begin).energy['total'] if begin > first else 0.0
        charge = float(state_of_charge(before, analysed.boat.battery)
                       - state_of_charge(before + share.energy['total'], analysed.boat.battery))
    figures = {name: value for name, value in share_figures(share).items() if name != 'leg'}
    return without_nan({**figures, 'energy_per_meter_j_m': share.energy['total'] / share.distance
                        if share.distance > 0.0 else math.nan, 'state_of_charge_used': charge})
