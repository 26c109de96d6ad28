"""All that there is to say of a boat's range along a course: its curve, best speed, polar and bands, in one call."""

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ..boats.boat_file import Boat
from ..files.errors import InputError
from ..files.progress_protocol import Progress, no_progress
from ..physics.power import STILL, Flow
from .range_bands import RangeBands, bands_of
from .steady_range import (
    BatteryUse,
    BestSpeed,
    Polar,
    SpeedCurve,
    best_speed,
    fastest,
    polar,
    round_speeds,
    speed_curve,
)
from .uncertain_boat import Doubt, drawn_boats, read_doubts

COURSES = np.radians(np.arange(0.0, 360.0, 10.0))  # rad: of the polars.
BOATS = 120     # That are drawn for the bands.
SHOWN = 0.7     # Share of the top speed that is shown by course where no course has a best speed.


class RangeStudy(NamedTuple):
    """
    A boat's range: energy to use, J, course, rad (ENU), flow, and the results.

    `with_energy`: whether the energy is a battery's, or was given, rather than the 1 J of a boat without one. `held`:
    the polar at one speed, where one was asked for or no course has a best one. `bands` are None where nothing is
    uncertain or the boat makes no headway.
    """

    boat: Boat
    energy: float
    with_energy: bool
    course: float
    flow: Flow
    curve: SpeedCurve
    best: BestSpeed
    polar: Polar
    held: Polar | None
    doubts: list[Doubt]
    bands: RangeBands | None


def range_study(boat: Boat, course: float = 0.0, flow: Flow = STILL, use: BatteryUse | None = None,
                speed: float | None = None, deviations: Mapping[str, str] | None = None, with_bands: bool = True,
                progress: Progress = no_progress) -> RangeStudy:
    """
    Return the range and endurance of a boat over its steady speeds along a course.

    :param boat: The Boat.
    :param course: Over ground, rad (ENU).
    :param flow: Water and air, the same everywhere.
    :param use: How the battery is used, or what energy there is; None: all of the battery.
    :param speed: Over ground, m/s, to show by course beside the best ones.
    :param deviations: Dotted path of a number of the boat file to its standard deviation, in its unit or as '5%'.
    :param with_bands: Draw boats from what is uncertain, and give the bands.
    :param progress: Called with the boats drawn and their number.
    :raises InputError: If no energy is left to use, or a deviation is wrong.
    """
    doubts = read_doubts(boat, deviations)
    use = BatteryUse() if use is None else use
    with_energy = boat.battery is not None or use.energy is not None
    use = use if with_energy else BatteryUse(energy=1.0)
    energy = use.energy_of(boat)
    if energy <= 0.0:
        raise InputError(f'no energy is left to use: --reserve is {use.reserve:g} of the battery')
    top = fastest(boat.vessel, course, flow)
    speeds = round_speeds(top)
    best_polar = polar(boat.vessel, flow, COURSES)
    if speed is None and speeds.size and not np.isfinite(best_polar.speed).any():
        speed = round(SHOWN * top, 1)
    doubts = doubts if with_bands else []
    bands = None
    if doubts and math.isfinite(top):
        drawn = list(drawn_boats(boat, doubts, BOATS))
        bands = bands_of(drawn, course, flow, speeds, use, progress)
    return RangeStudy(boat, energy, with_energy, course, flow, speed_curve(boat.vessel, energy, course, flow, speeds),
                      best_speed(boat.vessel, energy, course, flow), best_polar,
                      polar(boat.vessel, flow, COURSES, speed) if speed else None, doubts, bands)
