"""
What a way would have cost otherwise: no wind, no current, a tenth slower.

The same places at the same speed over ground, the boat pointing where it then has to: each stretch of the way is taken
as steady motion (`ensemble.steady`), the way as driven, too, and the changes are between these. Speeding up and turning
are left out of both.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..physics.power import Flow
from ..planning.steady_motion import Steady, steady_state
from .log_energy import Drive

STRETCHES = 2000
SLOWER = 0.9


class Stretch(NamedTuple):
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


def stretches_of(drive: Drive, number: int = STRETCHES) -> Stretch:
    """Return a drive as stretches of equal time, gaps left out; fewer where it has fewer samples."""
    ends, step = drive.integral.ends, drive.integral.durations
    if not ends.size:
        empty = np.zeros(0)
        return Stretch(empty, empty, empty, Flow(*(empty for _ in Flow._fields)))
    label = np.minimum((np.arange(ends.size) * number) // ends.size, number - 1) if ends.size > number else np.arange(
        ends.size)
    count = int(label[-1]) + 1
    duration = np.bincount(label, step, count)

    def mean(values: np.ndarray) -> np.ndarray:
        return np.bincount(label, step * np.broadcast_to(values, drive.log.time.shape)[ends], count) / duration

    yaw, u, v = drive.motion.yaw, drive.motion.u, drive.motion.v
    x, y = u * np.cos(yaw) - v * np.sin(yaw), u * np.sin(yaw) + v * np.cos(yaw)
    return Stretch(duration, mean(x), mean(y), Flow(*(mean(values) for values in drive.flow)))


def what_if(drive: Drive) -> tuple[WhatIf, list[WhatIf]]:
    """Return the way as driven, taken as steady, and what changes would do; none of what was not there."""
    way = stretches_of(drive)
    flow, zero = way.flow, np.zeros_like(way.duration)
    base = _cost('as driven, steady', way, drive, lambda one: one)
    changes: list[tuple[str, Callable[[Stretch], Stretch]]] = []
    if np.any(np.abs(flow.wind_x) + np.abs(flow.wind_y) > 0.0):
        changes.append(('no wind', lambda one: one._replace(flow=one.flow._replace(wind_x=zero, wind_y=zero))))
    if np.any(np.abs(flow.current_x) + np.abs(flow.current_y) > 0.0):
        changes.append(('no current', lambda one: one._replace(flow=one.flow._replace(current_x=zero, current_y=zero))))
    changes.append(('10 % slower', lambda one: one._replace(duration=one.duration / SLOWER, x=SLOWER * one.x,
                                                            y=SLOWER * one.y)))
    others = [_cost(name, way, drive, change) for name, change in changes]
    return base, [one._replace(change=one.energy - base.energy, relative=one.energy / base.energy - 1.0
                               if base.energy else math.nan) for one in others]


def _cost(name: str, way: Stretch, drive: Drive, change: Callable[[Stretch], Stretch]) -> WhatIf:
    changed = change(way)
    steady: Steady = steady_state(drive.boat.vessel, np.arctan2(changed.y, changed.x), np.hypot(changed.x, changed.y),
                                  changed.flow)
    known = np.isfinite(steady.power.total)
    duration = float(changed.duration[known].sum())
    energy = float(np.sum((steady.power.total * changed.duration)[known]))
    beyond = float(changed.duration[known & ~steady.feasible].sum()) / duration if duration else math.nan
    return WhatIf(name, energy, duration, 0.0, 0.0, beyond)
