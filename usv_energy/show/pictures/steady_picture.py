"""The picture of a search for steady states: velocities and thrusts over time, the phases shaded, what they gave."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ...identify.steady.steady_states import DampingEstimate, SteadyPhase
from ...logs.log import Log
from ..figure import BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILION, picture
from ..text.steady_text import UNITS

SHADES = {'a': BLUE, 'b': GREEN, 'c': ORANGE, '': GREY}
THRUSTERS = (VERMILION, PURPLE, GREEN, GREY)


def plot_steady(logs: Sequence[Log], phases: Sequence[SteadyPhase], found: Sequence[DampingEstimate],
                path: Path) -> None:
    """
    Draw logs and their steady phases into a PNG.

    :param logs: The logs, one row of panels each.
    :param phases: Of all of them.
    :param found: What they gave.
    :param path: The PNG.
    :raises OSError: If it cannot be written.
    """
    with picture(path, 12.0, 0.6 + 2.9 * len(logs)) as figure:
        rows = figure.subplots(len(logs), 3, squeeze=False)
        for axes, log in zip(rows, logs):
            own = [phase for phase in phases if phase.log == log.name]
            _draw_velocity(axes[0], log, own, [one for one in found if one.phase.log == log.name])
            _draw_turning(axes[1], log, own)
            _draw_thrust(axes[2], log, own)


def _shade(axes: Any, phases: Sequence[SteadyPhase]) -> None:
    for phase in phases:
        axes.axvspan(phase.begin, phase.end, color=SHADES[phase.kind], alpha=0.13, linewidth=0.0)


def _draw_velocity(axes: Any, log: Log, phases: Sequence[SteadyPhase], found: Sequence[DampingEstimate]) -> None:
    _shade(axes, phases)
    axes.plot(log.time, log.u, color=BLUE, label='u')
    axes.plot(log.time, log.v, color=ORANGE, label='v')
    names = '; '.join(f'{one.name} = {one.value:.2f} +- {one.error:.2f} {UNITS[one.name]}' for one in found[:2])
    more = f' ... ({len(found)} phases)' if len(found) > 2 else ''
    axes.set_title(f'{log.name}: {names or "no coefficient"}{more}')
    axes.set(xlabel='Time, s', ylabel='Velocity, m/s')
    _headroom(axes, np.concatenate([log.u, log.v]), 0.1)
    axes.legend(loc='upper right', ncol=2)


def _draw_turning(axes: Any, log: Log, phases: Sequence[SteadyPhase]) -> None:
    _shade(axes, phases)
    axes.plot(log.time, log.r, color=GREEN)
    axes.set(xlabel='Time, s', ylabel='Yaw rate, rad/s')
    _headroom(axes, log.r, 0.02)
    axes.set_title('shaded: steady' if phases else 'no steady phase', color=GREY, fontweight='normal')


def _draw_thrust(axes: Any, log: Log, phases: Sequence[SteadyPhase]) -> None:
    _shade(axes, phases)
    for number, (name, column) in enumerate(zip(log.thrusters, log.thrust.T)):
        axes.step(log.time, column, where='post', color=THRUSTERS[number % len(THRUSTERS)], label=name,
                  linestyle='-' if number % 2 == 0 else '--')
    axes.set(xlabel='Time, s', ylabel='Thrust, N')
    _headroom(axes, log.thrust, 1.0)
    axes.legend(loc='upper right', ncol=2)


def _headroom(axes: Any, values: np.ndarray, least: float) -> None:
    """Set the limits of the y axis: room for a legend above, and never less than a span."""
    known = values[np.isfinite(values)]
    if len(known):
        low, high = float(known.min()), float(known.max())
        span = max(high - low, least)
        axes.set_ylim(low - 0.1 * span, low + 1.35 * span)
