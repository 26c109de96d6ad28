"""The study of a boat's range along a course: curve over speed, best speed, polar and uncertainty bands."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.boats.boat_values import UncertainNumber
from usv_energy.files.errors import InputError
from usv_energy.files.work import Progress, no_progress
from usv_energy.physics.motion import STILL, Flow
from usv_energy.studies.plan import steady_range
from usv_energy.studies.plan.boat_in_sea import drawn_boats, read_doubts
from usv_energy.studies.plan.pack_energy import EnergyAt, PackEnergy
from usv_energy.studies.plan.steady_motion import steady_state
from usv_energy.studies.plan.steady_range import BatteryUse, BestSpeed, Polar, SpeedCurve

COURSES = np.radians(np.arange(0.0, 360.0, 10.0))  # rad, of the polars
BOATS = 120     # that are drawn for the bands
DEFAULT_SPEED_SHARE = 0.7   # of the top speed: speed of the polar if no course has a best speed
# Share of the drawn boats that must be able to go at a speed, for a band there. With fewer the band would be biased,
# since the weak boats are missing.
ABLE_SHARE = 0.95
INSIDE_SHARE = 0.5  # of the drawn boats that must have a best speed inside the curve, for a band of it


class Band(NamedTuple):
    """Ends of the interval that contains 95 % of the drawn boats; arrays or numbers."""

    low: np.ndarray
    high: np.ndarray


class RangeBands(NamedTuple):
    """Bands by field of SpeedCurve, `curve`, and of BestSpeed, `best`; the number of drawn boats."""

    curve: dict[str, Band]
    best: dict[str, Band]
    boats: int


class InSea(NamedTuple):
    """
    The effect of waves at the best speed, in steady motion.

    `power`: mechanical power of the thrusters against the waves, W; `thrust`: their whole mechanical power, W. `calm`:
    the best speed without waves, in otherwise equal conditions.
    """

    power: float
    thrust: float
    calm: BestSpeed


class RangeStudy(NamedTuple):
    """
    A boat's range: available energy, J, course, rad (ENU), flow, and the results.

    `with_energy`: whether the energy is a battery's or was given; if not, it is 1 J. `polar_at_speed`: the polar at
    one speed, if one was requested or no course has a best speed. `bands`: None if nothing is uncertain or the boat
    makes no headway. `pack`: the energy of a battery of cells as a function of the power (`energy` is then that at the
    best speed); None for a counter of watt-hours and for a given energy (`energy_given`). `in_sea`: None in calm
    water. `point_at_speed`: along the course at the requested speed, NaN if the boat cannot hold it; None without one.
    """

    boat: Boat
    energy: float
    with_energy: bool
    course: float
    flow: Flow
    curve: SpeedCurve
    best: BestSpeed
    polar: Polar
    polar_at_speed: Polar | None
    doubts: list[UncertainNumber]
    bands: RangeBands | None
    pack: PackEnergy | None = None
    energy_given: bool = False
    in_sea: InSea | None = None
    point_at_speed: SpeedCurve | None = None

    def energy_at(self, power: np.ndarray) -> np.ndarray:
        """Return the available energy, J, at powers, W."""
        return np.full(np.shape(power), self.energy) if self.pack is None else self.pack(power)


def range_study(boat: Boat, course: float = 0.0, flow: Flow = STILL, use: BatteryUse | None = None,
                speed: float | None = None, deviations: Mapping[str, str] | None = None, with_bands: bool = True,
                progress: Progress = no_progress) -> RangeStudy:
    """
    Return the range and endurance of a boat over its steady speeds along a course.

    :param course: Over ground, rad (ENU).
    :param flow: Water and air, the same everywhere. The sea is the boat's (`boat_in_sea`).
    :param use: How much of the battery may be used, or a given energy; None: all of the battery.
    :param speed: Over ground, m/s, for `point_at_speed` and `polar_at_speed`.
    :param deviations: Dotted path of a number of the boat file to its standard deviation, in its unit or as '5%'.
    :param with_bands: Draw boats from the uncertain numbers, and compute the bands.
    :raises InputError: If no energy is left to use, or a deviation is wrong.
    """
    doubts = read_doubts(boat, deviations)
    use = BatteryUse() if use is None else use
    with_energy = boat.battery is not None or use.energy is not None
    use = use if with_energy else BatteryUse(energy=1.0)
    energy = use.energy_of(boat)
    if energy <= 0.0:
        raise InputError(f'no energy is left to use: --reserve is {use.reserve:g} of the battery')
    top = steady_range.fastest(boat.vessel, course, flow)
    speeds = steady_range.round_speeds(top)
    best_polar = steady_range.polar(boat.vessel, flow, COURSES)
    polar_speed = speed
    if speed is None and speeds.size and not np.isfinite(best_polar.speed).any():
        polar_speed = round(DEFAULT_SPEED_SHARE * top, 1)
    doubts, bands = doubts if with_bands else [], None
    if doubts and math.isfinite(top):
        bands = bands_of(list(drawn_boats(boat, doubts, BOATS)), course, flow, speeds, use, progress)
    available = use.energy_at(boat)
    best = steady_range.best_speed(boat.vessel, available, course, flow)
    pack = available if isinstance(available, PackEnergy) else None
    if pack is not None and math.isfinite(best.endurance):
        energy = best.endurance * best.power
    along = steady_range.speed_curve(boat.vessel, available, course, flow, np.array([speed])) if speed else None
    return RangeStudy(boat, energy, with_energy, course, flow,
                      steady_range.speed_curve(boat.vessel, available, course, flow, speeds), best, best_polar,
                      steady_range.polar(boat.vessel, flow, COURSES, polar_speed) if polar_speed else None, doubts,
                      bands, pack, with_energy and use.energy is not None,
                      _in_sea(boat, available, course, flow, best), along)


def _in_sea(boat: Boat, energy: float | PackEnergy, course: float, flow: Flow, best: BestSpeed) -> InSea | None:
    """Return the effect of a boat's sea at its best speed; None in calm water."""
    if boat.vessel.sea is None:
        return None
    power = steady_state(boat.vessel, course, best.speed, flow).power
    calm = steady_range.best_speed(boat.vessel._replace(sea=None), energy, course, flow)
    return InSea(float(power.waves), float(power.thrust), calm)


def bands_of(boats: Sequence[Boat], course: float, flow: Flow, speeds: np.ndarray, use: BatteryUse,
             progress: Progress = no_progress) -> RangeBands:
    """
    Return the bands of a curve and of the best speed.

    :param boats: Drawn from the boat file's intervals.
    :param course: Over ground, rad (ENU).
    :param speeds: Over ground, m/s.
    """
    curves: list[SpeedCurve] = []
    bests: list[BestSpeed] = []
    tables: dict[tuple[int, float, float], EnergyAt] = {}
    for number, boat in enumerate(boats, start=1):
        energy = _shared_table(use.energy_at(boat), tables)
        curves.append(steady_range.speed_curve(boat.vessel, energy, course, flow, speeds))
        bests.append(steady_range.best_speed(boat.vessel, energy, course, flow))
        progress(number, len(boats))
    names = ('power', 'energy_per_meter', 'endurance', 'range')
    of_curve = {name: _band(np.array([getattr(one, name) for one in curves])) for name in names}
    inside = [best for best in bests if best.kind == steady_range.INSIDE]
    of_best = {name: _band(np.array([getattr(one, name) for one in inside])) for name in ('speed', *names)
               } if len(inside) >= INSIDE_SHARE * len(bests) else {}
    return RangeBands(of_curve, of_best, len(boats))


def _shared_table(energy: float | PackEnergy, tables: dict[tuple[int, float, float], EnergyAt]) -> float | EnergyAt:
    """Return an energy, J, unchanged, or that of cells as a table, which drawn boats with the same battery share."""
    if not isinstance(energy, PackEnergy):
        return energy
    key = id(energy.pack), energy.charge, energy.ambient   # Packs of one sheet are one object, which stays alive.
    if key not in tables:
        tables[key] = energy.as_table()
    return tables[key]


def _band(values: np.ndarray) -> Band:
    """Return the 2.5 and 97.5 percentiles over the first axis; NaN where too few boats have a value."""
    enough = np.isfinite(values).mean(axis=0) >= ABLE_SHARE
    filled = np.where(enough, values, 0.0)
    # Hazen's plotting positions are the middles of the strata from which the boats are drawn.
    low, high = np.nanpercentile(filled, (2.5, 97.5), axis=0, method='hazen')
    return Band(np.where(enough, low, np.nan), np.where(enough, high, np.nan))
