"""Health of hull and propellers: whether a boat's drag is above its file's, live or along a log."""

import cmath
import math
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from usv_energy.boats.vessel import Vessel
from usv_energy.files.errors import InputError
from usv_energy.logs.log import INFO, WARNING, Note
from usv_energy.phrases import WATER, flow_words
from usv_energy.studies.analyze.analysed_log import AnalysedLog
from usv_energy.studies.analyze.hull.drag_filters import DRAG_SPREAD, DragFilters, FlowSpread
from usv_energy.studies.analyze.hull.hull_response import (
    CURRENT,
    DRAG,
    PERIOD,
    CruiseBlock,
    CruiseBlocks,
    CruiseSample,
    joined_blocks,
)

SLOWEST = 0.3           # m/s through the water from which a boat counts as cruising.
TOLERANCE = 0.05        # Share of the drag by which the whole interval must exceed the boat file's for an alarm,
RISE = 0.1              # or must exceed the drag before the change;
KEPT = 0.5              # and the share of that at which the alarm stays.
HEALTHY_UP_TO = 1.2     # Largest ratio in the interval of a healthy boat.
GAIN_ERROR = 0.02       # Share of propulsion power, constant errors: the current sensor's gain, the model's efficiency;
LOAD_ERROR = 0.05       # of the loads; and
OFFSET = 0.75           # W: the current sensor's offset, 0.05 A at 15 V.
SURE = 1.96             # Standard deviations of a 95 % interval.
SEEN_CURRENT = 0.05     # m/s from which a current is reported,
SEEN_SQUARE = 13.8      # and its normalized square: chi squared with two degrees of freedom, 0.999.
HEADING_MEMORY = 60.0   # Blocks over which headings are averaged,
ONE_COURSE = 0.9        # and the length of their mean unit vector from which they count as one heading;
TRUSTED = 0.1           # m/s: a current known this well needs no second heading.
LEARNT = 0.05           # Largest standard deviation of the log drag for a reference before a change.
BIAS_MEMORY = 20.0      # Blocks over which the bias is averaged, since blocks at all speeds inform the drag.
SEEN_SUM = 30.0         # Share of the evidence from which the drag is reported as possibly changed.
ONE_HEADING = ', so far: drag and a water current look alike until the boat has gone on other headings'
WAITING = 'no steady cruising was measured yet'
UNTOLD = FlowSpread()

STEP, LONG_STEP = 0.5, 1.0  # s over which samples are averaged before use, in a log of so many stretches the second:
MOST_BLOCKS = 3000  # From which on (8 h of cruising) two or more that follow each other are taken as one.


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
    """Estimates the drag of one boat's hull and propellers."""

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
        self._headings = 0j                  # Mean unit vector along the bow; its length is 1 on one heading.
        self._tells = doubt.current <= TRUSTED
        self._before = (math.nan, math.nan)  # Log drag and its standard deviation before the last change, if known.

    @property
    def state(self) -> HullState:
        """The state."""
        return self._state

    def take(self, sample: CruiseSample) -> bool:
        """Update by a sample; return whether it completed a steady stretch, so that there is a new report."""
        block = self._blocks.add(sample)
        return block is not None and self.take_block(block)

    def take_block(self, block: CruiseBlock, stands_for: float = PERIOD) -> bool:
        """Update by a steady stretch, which stands for a time, s; return whether there is a new report."""
        if not block.watts > block.loads:
            return False
        if block.time < self._last:          # Time jumped back; the estimate of the hull stays.
            self._filters.forget_time()
            self._begin += block.time - self._last
        before = self._filters.base_drag
        changed = self._filters.take(block)
        if changed and before[1] < LEARNT and self._state is not HullState.MORE_DRAG:
            self._before = before
        self._observed = stands_for if changed else self._observed + stands_for
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
        untold = 0.0 if self._drag_is_known() else DRAG_SPREAD
        width = SURE * math.sqrt(covariance[DRAG, DRAG] + self._bias ** 2 + untold ** 2)
        return math.exp(mean[DRAG]), math.exp(mean[DRAG] - width), math.exp(mean[DRAG] + width)

    def current(self) -> tuple[float, float] | None:
        """Return the water current beyond the known one, m/s, earth frame, if it is significant; else None."""
        mean, covariance = self._filters.mixture()
        current = mean[CURRENT]
        square = current @ np.linalg.solve(covariance[CURRENT, CURRENT], current)
        if square < SEEN_SQUARE or math.hypot(*current) < SEEN_CURRENT:
            return None
        return float(current[0]), float(current[1])

    def _judged(self) -> HullState:
        if self._has_more_drag():
            return HullState.MORE_DRAG
        if self._filters.sum > SEEN_SUM or self.current() is not None:
            return HullState.CURRENT_UNKNOWN
        return HullState.HEALTHY if self.interval()[2] < HEALTHY_UP_TO else HullState.UNKNOWN

    def _drag_is_known(self) -> bool:
        """Return whether drag and current can be distinguished: by several recent headings, or by a known current."""
        return self._tells or abs(self._headings) < ONE_COURSE

    def _has_more_drag(self) -> bool:
        """Return whether the drag is significantly above the boat file's, or above its earlier value without bias."""
        drag, deviation = self._filters.base_drag
        share = KEPT if self._state is HullState.MORE_DRAG else 1.0
        least, rise = math.log1p(TOLERANCE * share), math.log1p(RISE * share)
        told = self._drag_is_known() or self._state is HullState.MORE_DRAG
        above = told and drag - SURE * math.hypot(deviation, self._bias) > least
        risen = drag - self._before[0] - SURE * math.hypot(deviation, self._before[1]) > rise
        return above or risen

    def report(self) -> HullReport:
        """Return the report of the present state."""
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
            return f'a water current of {flow_words(*current, WATER)} beyond the known one; {within}'
        return within


def _bias(block: CruiseBlock) -> float:
    """Return the standard deviation of constant errors of the measured power, as a share of the propulsion's."""
    return math.hypot(GAIN_ERROR, math.hypot(OFFSET, LOAD_ERROR * block.loads) / (block.watts - block.loads))


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60.0)
    return f'{seconds:.0f} s' if seconds < 90.0 else f'{minutes} minutes' if minutes < 120 else f'{minutes / 60:.1f} h'


class HullSpan(NamedTuple):
    """A stretch of a log in one state: from and to, s, and the report at its end."""

    begin: float
    end: float
    report: HullReport


class HullAlongLog(NamedTuple):
    """The report on the hull at the end of a log, and its states in order."""

    report: HullReport
    spans: tuple[HullSpan, ...]

    @property
    def more_drag_duration(self) -> float:
        """Time with more drag than in the boat file, s."""
        return sum(span.end - span.begin for span in self.spans if span.report.state is HullState.MORE_DRAG)


def hull_along_log(analysed: AnalysedLog) -> HullAlongLog | None:
    """
    Return the hull's health along a log; None for too little measured power, or for a sailing boat.

    :raises InputError: If the measured power is so far from the boat's that no drag explains it.
    """
    if not analysed.boat.vessel.thrusters:
        return None
    watch, gathered = HullWatch(analysed.boat.vessel), CruiseBlocks(SLOWEST)
    blocks = [block for sample in _samples(analysed) if (block := gathered.add(sample)) is not None]
    spans: list[HullSpan] = []
    for block, number in joined_blocks(blocks, -(-len(blocks) // MOST_BLOCKS)):
        try:
            if not watch.take_block(block, number * PERIOD):
                continue
        except OverflowError:
            raise InputError(f'{analysed.log.path}: the measured power (electrical_power, or volts times amperes) is '
                             f'{block.watts:.3g} W at {block.time:.0f} s, which no drag of this boat explains: is its '
                             'unit right (mV, mA, kW)?') from None
        report = watch.report()
        if spans and spans[-1].report.state is report.state:
            spans[-1] = HullSpan(spans[-1].begin, block.time, report)
        else:
            spans.append(HullSpan(block.time, block.time, report))
    return HullAlongLog(watch.report(), tuple(spans)) if spans else None


def _samples(analysed: AnalysedLog) -> list[CruiseSample]:
    """Return means over STEP, or LONG_STEP, of the samples without NaN."""
    log, motion, flow, power = analysed.log, analysed.motion, analysed.flow, analysed.power
    n = len(log)
    loads = np.broadcast_to(power.static_load + power.loads, (n,))
    columns = [np.broadcast_to(column, (n,)) for column in (
        log.time, motion.yaw, motion.u, motion.v, *flow, log.electrical_power, loads)]
    known = np.isfinite(sum(columns))
    if not known.any():
        return []
    some = columns if known.all() else [column[known] for column in columns]
    step = STEP if some[0][-1] - some[0][0] < MOST_BLOCKS * PERIOD else LONG_STEP
    place = np.cumsum(np.diff(np.floor(some[0] / step), prepend=-np.inf) != 0.0) - 1
    counts = np.bincount(place)
    means = [np.bincount(place, column) / counts for column in some]
    means[1] = np.arctan2(np.bincount(place, np.sin(some[1])), np.bincount(place, np.cos(some[1])))
    return [CruiseSample(*row) for row in np.column_stack(means).tolist()]


def hull_notes(hull: HullAlongLog | None) -> list[Note]:
    """Return a warning for the last stretch of more drag, else a note on the state at the end."""
    if hull is None:
        return []
    drags = [span for span in hull.spans if span.report.state is HullState.MORE_DRAG]
    if not drags:
        return [Note(INFO, 'hull', hull.report.message, {'drag_ratio': hull.report.drag_ratio})]
    last = drags[-1]
    return [Note(WARNING, 'hull_more_drag', f'from {last.begin:.0f} to {last.end:.0f} s: {last.report.message}',
                 {'drag_ratio': last.report.drag_ratio, 'begin_s': last.begin, 'end_s': last.end})]


def hull_figures(hull: HullAlongLog | None) -> dict[str, object] | None:
    """Return the figures of a report, units in the keys; None without any."""
    if hull is None:
        return None
    report = hull.report
    return {'state': report.state.name, 'drag_ratio': report.drag_ratio, 'drag_ratio_lower': report.drag_ratio_lower,
            'drag_ratio_upper': report.drag_ratio_upper, 'since_s': report.since, 'observed_s': report.observed,
            'more_drag_duration_s': hull.more_drag_duration, 'message': report.message,
            'spans': [{'begin_s': span.begin, 'end_s': span.end, 'state': span.report.state.name,
                       'drag_ratio': span.report.drag_ratio} for span in hull.spans]}
