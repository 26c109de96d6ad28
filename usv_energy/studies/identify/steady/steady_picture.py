"""The picture of a search for steady states: velocities and thrusts over time, the phases shaded, what they gave."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from usv_energy.logs.log import Log
from usv_energy.show.figure import BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILION, picture
from usv_energy.studies.identify.steady.steady_states import DampingEstimate, SteadyPhase
from usv_energy.studies.identify.steady.steady_text import UNITS

SHADES = {'a': BLUE, 'b': GREEN, 'c': ORANGE, '': GREY}
THRUSTERS = (VERMILION, PURPLE, GREEN, GREY)


def plot_steady(logs: Sequence[Log], phases: Sequence[SteadyPhase], found: Sequence[DampingEstimate],
                path: Path) -> None:
    """
    Draw logs and their steady phases into a PNG.

    :param logs: The logs, one row of panels each.
    :param phases: Of all of them; `found`: what they gave.
    :raises OSError: If it cannot be written.
    """
    with picture(path, 12.0, 0.6 + 2.9 * len(logs)) as figure:
        rows = figure.subplots(len(logs), 3, squeeze=False)
        for (velocity, turning, thrusts), log in zip(rows, logs):
            own = [phase for phase in phases if phase.log == log.name]
            velocity.plot(log.time, log.u, color=BLUE, label='u')
            velocity.plot(log.time, log.v, color=ORANGE, label='v')
            velocity.set(title=_heading(log.name, found), ylabel='Velocity, m/s')
            _headroom(velocity, np.concatenate([log.u, log.v]), 0.1)
            turning.plot(log.time, log.r, color=GREEN)
            turning.set(ylabel='Yaw rate, rad/s')
            turning.set_title('shaded: steady' if own else 'no steady phase', color=GREY, fontweight='normal')
            _headroom(turning, log.r, 0.02)
            for number, (name, column) in enumerate(zip(log.thrusters, log.thrust.T)):
                thrusts.step(log.time, column, where='post', color=THRUSTERS[number % len(THRUSTERS)], label=name,
                             linestyle='-' if number % 2 == 0 else '--')
            thrusts.set(ylabel='Thrust, N')
            _headroom(thrusts, log.thrust, 1.0)
            for axes in (velocity, turning, thrusts):
                axes.set(xlabel='Time, s')
                for phase in own:
                    axes.axvspan(phase.begin, phase.end, color=SHADES[phase.kind], alpha=0.13, linewidth=0.0)
            for axes in (velocity, thrusts):
                axes.legend(loc='upper right', ncol=2)


def _heading(log: str, found: Sequence[DampingEstimate]) -> str:
    own = [one for one in found if one.phase.log == log]
    names = '; '.join(f'{one.name} = {one.value:.2f} +- {one.error:.2f} {UNITS[one.name]}' for one in own[:2])
    return f'{log}: {names or "no coefficient"}' + (f' ... ({len(own)} phases)' if len(own) > 2 else '')


def _headroom(axes: Any, values: np.ndarray, least: float) -> None:
    """Set the limits of the y axis: room for a legend above, and never less than a span."""
    known = values[np.isfinite(values)]
    if len(known):
        low, high = float(known.min()), float(known.max())
        span = max(high - low, least)
        axes.set_ylim(low - 0.1 * span, low + 1.35 * span)
