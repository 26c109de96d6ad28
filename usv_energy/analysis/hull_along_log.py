"""What a log with a measured battery says of hull and propellers, by the state machine of the live node."""

from typing import NamedTuple

import numpy as np

from ..logs.log import INFO, WARNING, Note
from .analysed_log import AnalysedLog
from .cruise_blocks import CruiseSample
from .hull_health import HullReport, HullState, HullWatch

STEP = 0.5  # s over which samples are averaged before they are looked at.


class HullSpan(NamedTuple):
    """A stretch of a log in one state: from and to, s, and the report at its end."""

    begin: float
    end: float
    report: HullReport


class HullAlongLog(NamedTuple):
    """What is known of the hull at the end of a log, and its states one after the other."""

    report: HullReport
    spans: tuple[HullSpan, ...]

    @property
    def more_drag_duration(self) -> float:
        """For how long the boat dragged more than its file says, s."""
        return sum(span.end - span.begin for span in self.spans if span.report.state is HullState.MORE_DRAG)


def hull_along_log(analysed: AnalysedLog) -> HullAlongLog | None:
    """Return what a log says of the hull; None without measured power, or too little of it, or of a boat that sails."""
    if not analysed.boat.vessel.thrusters:
        return None
    watch = HullWatch(analysed.boat.vessel)
    spans: list[HullSpan] = []
    for sample in _samples(analysed):
        if not watch.take(sample):
            continue
        report = watch.report()
        if spans and spans[-1].report.state is report.state:
            spans[-1] = HullSpan(spans[-1].begin, sample.time, report)
        else:
            spans.append(HullSpan(sample.time, sample.time, report))
    return HullAlongLog(watch.report(), tuple(spans)) if spans else None


def _samples(analysed: AnalysedLog) -> list[CruiseSample]:
    """Return means over STEP of the samples that have all numbers."""
    log, motion, flow, power = analysed.log, analysed.motion, analysed.flow, analysed.power
    n = len(log)
    loads = np.broadcast_to(power.static_load + power.loads, (n,))
    columns = [np.broadcast_to(column, (n,)) for column in (
        log.time, motion.yaw, motion.u, motion.v, *flow, log.electrical_power, loads)]
    rows = np.flatnonzero(np.isfinite(sum(columns)))
    if not rows.size:
        return []
    some = [column[rows] for column in columns]
    place = np.unique(np.floor(some[0] / STEP), return_inverse=True)[1]
    counts = np.bincount(place)
    means = [np.bincount(place, column) / counts for column in some]
    means[1] = np.arctan2(np.bincount(place, np.sin(some[1])), np.bincount(place, np.cos(some[1])))
    return [CruiseSample(*row) for row in np.column_stack(means).tolist()]


def hull_notes(hull: HullAlongLog | None) -> list[Note]:
    """Return what there is to say: a warning for the last stretch of more drag, else how things stood at the end."""
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
