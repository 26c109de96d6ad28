"""
A mission's battery, whichever of two kinds: a counter of watt-hours, or cells in a pack.

Of a counter the charge falls by the energy over its capacity, and it gives any power until it is empty. Cells are
stepped along the legs (`pack_course`), and end where the cutoff voltage does not give the power any more.
"""

import math
from typing import NamedTuple

import numpy as np

from ..boats.boat_file import Boat
from ..physics.battery import JOULES_PER_WH
from ..physics.cell import rested
from ..physics.cell_discharge import energy_left
from .mission_bands import Bands
from .mission_estimate import LegEstimate
from .pack_course import PackCourse, held_off, pack_course

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
