"""
Hull and propellers: whether a boat drags more than its file says, and when that is known from a water current.

Measured power is held to the modelled one over steady stretches of a cruise. More drag costs on every heading; a
current that nobody knows costs against it and saves with it. docs/health.md says how they are told apart.
"""

import cmath
import math
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from ..boats.vessel import Vessel
from .cruise_blocks import PERIOD, CruiseBlock, CruiseBlocks, CruiseSample
from .drag_filters import DRAG_SPREAD, DragFilters, FlowSpread
from .hull_response import CURRENT, DRAG

SLOWEST = 0.3           # m/s through the water, from which a boat cruises.
TOLERANCE = 0.05        # Of the drag: so far above the boat file's the whole interval is to be for an alarm,
RISE = 0.1              # or so far above what the drag was before it changed;
KEPT = 0.5              # and this share of it for the alarm to stay.
HEALTHY_UP_TO = 1.2     # The largest ratio that the interval of a healthy boat may reach.
GAIN_ERROR = 0.02       # Of the propulsion's power, which stays: the current sensor's gain, the model's efficiency;
LOAD_ERROR = 0.05       # of the loads; and
OFFSET = 0.75           # W: the current sensor's offset, 0.05 A at 15 V.
SURE = 1.96             # Standard deviations of a 95 % interval.
SEEN_CURRENT = 0.05     # m/s from which a current is said,
SEEN_SQUARE = 13.8      # and in squares of its standard deviations: chi squared of two, 0.999.
HEADING_MEMORY = 60.0   # Blocks over which headings are averaged,
ONE_COURSE = 0.9        # and the length of their mean vector from which they count as one;
TRUSTED = 0.1           # m/s: a current that is known so well needs no second one.
LEARNT = 0.05           # Standard deviation of the drag's logarithm up to which it counts as what it was.
BIAS_MEMORY = 20.0      # Blocks over which the bias is averaged: fast and slow ones all tell the drag.
SEEN_SUM = 30.0         # Of the evidence for another drag, from which it is said that it may be another.
ONE_HEADING = ', so far: drag and a water current look alike until the boat has gone on other headings'
WAITING = 'no steady cruising was measured yet'
UNTOLD = FlowSpread()


class HullState(IntEnum):
    """The states of HullHealth."""

    UNKNOWN = 0
    HEALTHY = 1
    MORE_DRAG = 2
    CURRENT_UNKNOWN = 3


class HullReport(NamedTuple):
    """
    The fields of HullHealth: state; drag over the boat file's with its 95 % interval, (-), NaN where unknown.

    `since`: s that the state has been what it is; `observed`: s of measurements that the ratio stands on.
    """

    state: HullState
    drag_ratio: float
    drag_ratio_lower: float
    drag_ratio_upper: float
    since: float
    observed: float
    message: str


class HullWatch:
    """Follows hull and propellers of one boat."""

    def __init__(self, vessel: Vessel, doubt: FlowSpread = UNTOLD) -> None:
        """
        Begin with nothing known.

        :param vessel: The Vessel, as its file has it.
        :param doubt: How well current and wind are known; where not told: hardly.
        """
        self._filters = DragFilters(vessel, doubt)
        self._blocks = CruiseBlocks(SLOWEST)
        self._state, self._begin, self._last = HullState.UNKNOWN, math.nan, math.nan
        self._observed, self._bias = 0.0, GAIN_ERROR
        self._headings = 0j                  # Mean of unit vectors along the bow: 1 long where it was one heading.
        self._tells = doubt.current <= TRUSTED
        self._before = (math.nan, math.nan)  # Drag and its deviation before the last change, where it was learnt.

    @property
    def state(self) -> HullState:
        """The state."""
        return self._state

    def take(self, sample: CruiseSample) -> bool:
        """Take a sample; return whether it completed a steady stretch, so that there is a new report."""
        block = self._blocks.add(sample)
        if block is None or not block.watts > block.loads:
            return False
        if block.time < self._last:          # Time jumped back: what is known of the hull stays.
            self._filters.forget_time()
            self._begin += block.time - self._last
        before = self._filters.base_drag
        changed = self._filters.take(block)
        if changed and before[1] < LEARNT and self._state is not HullState.MORE_DRAG:
            self._before = before
        self._observed = PERIOD if changed else self._observed + PERIOD
        bow = cmath.rect(1.0, block.yaw)
        self._headings = self._headings + (bow - self._headings) / HEADING_MEMORY if self._headings else bow
        self._bias += (_bias(block) - self._bias) / BIAS_MEMORY
        self._last = block.time
        state = self._judged()
        if state is not self._state or math.isnan(self._begin):
            self._state, self._begin = state, block.time
        return True

    def interval(self) -> tuple[float, float, float]:
        """Return the ratio of the drag to the boat file's and its 95 % interval, (-)."""
        mean, covariance = self._filters.mixture()
        untold = 0.0 if self._told() else DRAG_SPREAD
        width = SURE * math.sqrt(covariance[DRAG, DRAG] + self._bias ** 2 + untold ** 2)
        return math.exp(mean[DRAG]), math.exp(mean[DRAG] - width), math.exp(mean[DRAG] + width)

    def current(self) -> tuple[float, float] | None:
        """Return the water current beyond the known one, m/s, earth frame, where it surely is none of 0; else None."""
        mean, covariance = self._filters.mixture()
        current = mean[CURRENT]
        square = current @ np.linalg.solve(covariance[CURRENT, CURRENT], current)
        if square < SEEN_SQUARE or math.hypot(*current) < SEEN_CURRENT:
            return None
        return float(current[0]), float(current[1])

    def _judged(self) -> HullState:
        if self._drags():
            return HullState.MORE_DRAG
        if self._filters.sum > SEEN_SUM or self.current() is not None:
            return HullState.CURRENT_UNKNOWN
        return HullState.HEALTHY if self.interval()[2] < HEALTHY_UP_TO else HullState.UNKNOWN

    def _told(self) -> bool:
        """Return whether drag can be told from a current: by several headings of late, or as the current is known."""
        return self._tells or abs(self._headings) < ONE_COURSE

    def _drags(self) -> bool:
        """Return whether the drag is surely above the boat file's, or above what it was: there the bias cancels."""
        drag, deviation = self._filters.base_drag
        share = KEPT if self._state is HullState.MORE_DRAG else 1.0
        least, rise = math.log1p(TOLERANCE * share), math.log1p(RISE * share)
        told = self._told() or self._state is HullState.MORE_DRAG
        above = told and drag - SURE * math.hypot(deviation, self._bias) > least
        risen = drag - self._before[0] - SURE * math.hypot(deviation, self._before[1]) > rise
        return above or risen

    def report(self) -> HullReport:
        """Return what is known."""
        if not self._observed:
            return HullReport(HullState.UNKNOWN, math.nan, math.nan, math.nan, 0.0, 0.0, WAITING)
        interval, since = self.interval(), self._last - self._begin
        return HullReport(self._state, *interval, since, self._observed, self._words(interval, since))

    def _words(self, interval: tuple[float, float, float], since: float) -> str:
        ratio, lower, upper = interval
        within = f'drag is {lower:.2f} to {upper:.2f} of the boat file\'s'
        if upper >= HEALTHY_UP_TO and self._state is not HullState.MORE_DRAG:
            within += ONE_HEADING
        if self._state is HullState.MORE_DRAG:
            rise = math.exp(self._filters.base_drag[0] - self._before[0]) - 1.0
            than = (f'{100.0 * rise:.0f} % above what it was' if rise > ratio - 1.0 else
                    f'{100.0 * (ratio - 1.0):.0f} % above the boat file')
            return f'drag {than} for {_duration(since)}: weed or fouling of hull or propellers, or a tow; {within}'
        if self._state is HullState.CURRENT_UNKNOWN and self._filters.sum > SEEN_SUM:
            return f'the power has changed: by the drag or by the water current; another heading tells which; {within}'
        if self._state is HullState.CURRENT_UNKNOWN and (current := self.current()) is not None:
            towards = math.degrees(math.atan2(current[1], current[0])) % 360.0
            return (f'a water current of {math.hypot(*current):.2f} m/s to {towards:.0f} deg (counter-clockwise from '
                    f'east) beyond the known one; {within}')
        return within


def _bias(block: CruiseBlock) -> float:
    """Return the standard deviation of what stays wrong with the measured power, as a share of the propulsion's."""
    return math.hypot(GAIN_ERROR, math.hypot(OFFSET, LOAD_ERROR * block.loads) / (block.watts - block.loads))


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60.0)
    return f'{seconds:.0f} s' if seconds < 90.0 else f'{minutes} minutes' if minutes < 120 else f'{minutes / 60:.1f} h'
