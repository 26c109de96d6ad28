"""A mission's battery, a counter or cells, and its charge and voltage leg by leg."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from usv_energy.boats.boat_file import Boat
from usv_energy.physics.batteries.battery import JOULES_PER_WH
from usv_energy.physics.batteries.cell import CellState, Pack, rested
from usv_energy.physics.batteries.cell_discharge import energy_left
from usv_energy.physics.batteries.cell_step import most_power, step_at_power, supply_at_power
from usv_energy.studies.mission.mission_bands import Bands
from usv_energy.studies.mission.mission_estimate import LegEstimate

STEP = 20.0         # s: of the pack at most,
STEPS = 1500        # unless the whole mission would take more steps than this many.
LEAST_STEPS = 4     # Of a way or a stay.


class BrownOut(NamedTuple):
    """Where a pack cannot give what is asked: leg, from 0; W asked for; charge of its cells, (-); W that it gives."""

    leg: int
    asked: float
    charge: float
    most: float


class PackCourse(NamedTuple):
    """
    A pack along a mission, arrays with a number a leg.

    `charge`: of its cells at the leg's end, (-). `voltage`: the lowest of the pack under load in the leg, V.
    `temperature`: of its cells at the end, K. `most_power`: that it could give at once at the end, W. `brown_out`: the
    first, or None; from there on the pack gives what it can, and the rest of the course is that.
    """

    charge: np.ndarray
    voltage: np.ndarray
    temperature: np.ndarray
    most_power: np.ndarray
    brown_out: BrownOut | None


def pack_course(pack: Pack, charge: float, ambient: float, legs: LegEstimate, energy: np.ndarray | None = None,
                enough: float = -math.inf) -> PackCourse:
    """
    Return a pack along a mission.

    :param pack: The Pack, which has rested at the beginning.
    :param charge: Of its cells at the beginning, (-).
    :param ambient: Temperature around them, and of them at the beginning, K.
    :param legs: What the mission costs.
    :param energy: Of each leg, J, where it is another; shared out over the leg's way and stay as in `legs`.
    :param enough: Charge, (-), below which it is broken off, as at a brown-out; later legs' numbers are NaN then.
    """
    state, longest = rested(float(charge), float(ambient)), max(STEP, float(legs.end[-1]) / STEPS)
    rows, brown_out = np.full((4, legs.length.size), math.nan), None
    for leg in range(legs.length.size):
        factor = 1.0 if energy is None or legs.total[leg] == 0.0 else float(energy[leg] / legs.total[leg])
        lowest = supply_at_power(state, 0.0, pack).voltage
        for duration, power in _parts(legs, leg):
            state, low, short = _part(state, factor * power, duration, longest, ambient, pack)
            lowest = min(lowest, low)
            if short is not None and brown_out is None:
                brown_out = short._replace(leg=leg)
        rows[:, leg] = state.charge, lowest, state.temperature, most_power(state, pack)
        if state.charge < enough or (brown_out is not None and enough > -math.inf):
            break
    return PackCourse(rows[0], rows[1], rows[2], rows[3], brown_out)


def _parts(legs: LegEstimate, leg: int) -> Iterator[tuple[float, float]]:
    """Give the way of a leg, corners included, and its stay: how long, s, and the mean power, W."""
    of_hold = float(legs.of_hold[leg])
    for duration, spent in ((float(legs.under_way[leg]), float(legs.total[leg]) - of_hold),
                            (float(legs.hold[leg]), of_hold)):
        if duration > 0.0:
            yield duration, spent / duration


def _part(state: CellState, power: float, duration: float, longest: float, ambient: float,
          pack: Pack) -> tuple[CellState, float, BrownOut | None]:
    """Return a pack after a time at a power, s, W: its state, its lowest voltage, V, and where it browned out."""
    number = max(LEAST_STEPS, math.ceil(duration / longest))
    lowest, brown_out = math.inf, None
    for step in range(number + 1):
        supply = supply_at_power(state, power, pack)
        lowest = min(lowest, supply.voltage)
        if supply.lacking > 0.0 and brown_out is None:
            brown_out = BrownOut(-1, power, state.charge, most_power(state, pack))
        if step < number:
            state, _ = step_at_power(state, power, duration / number, ambient, pack)
    return state, lowest, brown_out


def charge_of_parts(charge: np.ndarray, start: float, legs: LegEstimate) -> np.ndarray:
    """
    Return the charge at the start, and at the end of each way and of each stay, (-); shape (2 legs + 1,).

    :param charge: At the end of each leg, (-); a stay's share of what falls in its leg is that of its energy.
    :param start: At the start, (-).
    :param legs: The legs.
    """
    before = np.concatenate(([start], charge[:-1]))
    share = np.divide(legs.of_hold, legs.total, out=np.zeros(charge.size), where=legs.total != 0.0)
    return np.concatenate(([start], np.column_stack([charge + share * (before - charge), charge]).ravel()))


def held_off(course: PackCourse, reserve: float) -> bool:
    """Return whether a course has no brown-out and keeps a reserve of charge, (-), to its end."""
    return course.brown_out is None and bool(course.charge[-1] >= reserve)



LEAST_DURATION = 1e-3   # s: of a mission.
UNABLE = 1e3            # Times the energy of a leg, that stands for one without end: it empties any battery.


class MissionBattery(NamedTuple):
    """
    A boat's battery before a mission: charge at the start and what is to be left, (-); temperature around it, K.

    `charge` is NaN without a battery, `ambient` of one that is no cells.
    """

    boat: Boat
    charge: float
    reserve: float
    ambient: float

    @property
    def capacity(self) -> float:
        """What it holds at the nominal voltage, cells at their rated current, J; NaN without a battery."""
        return math.nan if self.boat.battery is None else self.boat.battery.capacity_wh * JOULES_PER_WH

    def spare(self, energy: float, duration: float) -> float:
        """
        Return what the battery may spend until the reserve, J: of cells at the mean power of a mission.

        :param energy: Of the mission, J.
        :param duration: Of it, s.
        """
        pack = self.boat.pack
        if pack is None:
            return (self.charge - self.reserve) * self.capacity
        power = energy / max(duration, LEAST_DURATION)
        return float(energy_left(rested(self.charge, self.ambient), power, self.ambient, pack, self.reserve).energy)

    def makes(self, legs: LegEstimate) -> bool:
        """Return whether the battery makes a mission and keeps the reserve; false without a battery."""
        if self.boat.pack is None:
            return float(legs.total.sum()) <= self.spare(math.nan, math.nan)
        return held_off(pack_course(self.boat.pack, self.charge, self.ambient, legs, enough=self.reserve), self.reserve)

    def course(self, legs: LegEstimate) -> PackCourse | None:
        """Return the cells along a mission; None of a counter."""
        return None if self.boat.pack is None else pack_course(self.boat.pack, self.charge, self.ambient, legs)

    def course_ends(self, legs: LegEstimate, bands: Bands | None) -> tuple[PackCourse, PackCourse] | None:
        """Return the cells where the mission takes the most and the least energy of its interval; None of a counter."""
        if self.boat.pack is None or bands is None:
            return None
        most, least = (np.diff(np.concatenate(([0.0], end))) for end in bands.so_far[::-1])
        finite = np.where(np.isfinite(most), most, UNABLE * legs.total)
        return (pack_course(self.boat.pack, self.charge, self.ambient, legs, finite),
                pack_course(self.boat.pack, self.charge, self.ambient, legs, least))
