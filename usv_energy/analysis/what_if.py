"""
What a way would have cost otherwise: no wind, no current, a tenth slower, without one of the loads that vary.

The same places at the same speed over ground, the boat pointing where it then has to: each stretch of the way is taken
as steady motion (`planning.steady_motion`), the way as driven, too, and the changes are between these. Speeding up and
turning are left out of both.
"""

import math
from typing import NamedTuple

import numpy as np

from ..boats.vessel import Vessel
from ..physics.frames import to_earth
from ..physics.motion import Flow
from ..planning.steady_motion import steady_state
from ..sim.record import relative
from .analysed_log import AnalysedLog

STRETCHES = 2000
SLOWER = 0.9


class Stretches(NamedTuple):
    """Stretches of a way: duration s, velocity over ground m/s (ENU), Flow; arrays."""

    duration: np.ndarray
    x: np.ndarray
    y: np.ndarray
    flow: Flow


class WhatIf(NamedTuple):
    """
    What a change would do: energy and duration of the steady way, J and s; changes against the way as driven.

    `change` is in J, `relative` its share, (-); `beyond`: share of the time in which the thrusters could not do it.
    """

    name: str
    energy: float
    duration: float
    change: float
    relative: float
    beyond: float


def stretches_of(analysed: AnalysedLog, number: int = STRETCHES) -> Stretches:
    """Return the way of a log as stretches of equal time, gaps left out; fewer where it has fewer samples."""
    ends, step = analysed.integral.ends, analysed.integral.durations
    if not ends.size:
        empty = np.zeros(0)
        return Stretches(empty, empty, empty, Flow(*(empty for _ in Flow._fields)))
    label = np.minimum((np.arange(ends.size) * number) // ends.size, number - 1) if ends.size > number else np.arange(
        ends.size)
    count = int(label[-1]) + 1
    duration = np.bincount(label, step, count)

    def mean(values: np.ndarray) -> np.ndarray:
        return np.bincount(label, step * np.broadcast_to(values, analysed.log.time.shape)[ends], count) / duration

    motion = analysed.motion
    x, y = to_earth(motion.u, motion.v, np.cos(motion.yaw), np.sin(motion.yaw))
    return Stretches(duration, mean(x), mean(y), Flow(*(mean(values) for values in analysed.flow)))


def what_if(analysed: AnalysedLog) -> tuple[WhatIf, list[WhatIf]]:
    """Return the way as driven, taken as steady, and what changes would do; none of what was not there."""
    way = stretches_of(analysed)
    flow, zero, vessel = way.flow, np.zeros_like(way.duration), _with_mean_shares(analysed)
    changed = {}
    if np.any(np.abs(flow.wind_x) + np.abs(flow.wind_y) > 0.0):
        changed['no wind'] = way._replace(flow=flow._replace(wind_x=zero, wind_y=zero))
    if np.any(np.abs(flow.current_x) + np.abs(flow.current_y) > 0.0):
        changed['no current'] = way._replace(flow=flow._replace(current_x=zero, current_y=zero))
    changed['10 % slower'] = way._replace(duration=way.duration / SLOWER, x=SLOWER * way.x, y=SLOWER * way.y)
    base = _steady('as driven, steady', way, vessel)
    others = [_steady(name, stretches, vessel) for name, stretches in changed.items()]
    others += [_steady(f'without {name}', way, _without_load(vessel, number))
               for number, name in enumerate(analysed.boat.load_names) if analysed.by_load[number] > 0.0]
    return base, [one._replace(change=one.energy - base.energy, relative=relative(one.energy, base.energy))
                  for one in others]


def _with_mean_shares(analysed: AnalysedLog) -> Vessel:
    """Return the boat's Vessel with what legs and topics left its loads, on average along the log."""
    vessel = analysed.boat.vessel
    return vessel._replace(loads=tuple(load._replace(share=share)
                                       for load, share in zip(vessel.loads, analysed.load_shares)))


def _without_load(vessel: Vessel, number: int) -> Vessel:
    return vessel._replace(loads=(*vessel.loads[:number], *vessel.loads[number + 1:]))


def _steady(name: str, way: Stretches, vessel: Vessel) -> WhatIf:
    """Return the energy of a way of steady motions; changes are left at 0."""
    steady = steady_state(vessel, np.arctan2(way.y, way.x), np.hypot(way.x, way.y), way.flow)
    known = np.isfinite(steady.power.total)
    duration = float(way.duration[known].sum())
    energy = float(np.sum((steady.power.total * way.duration)[known]))
    beyond = float(way.duration[known & ~steady.feasible].sum()) / duration if duration else math.nan
    return WhatIf(name, energy, duration, 0.0, 0.0, beyond)
