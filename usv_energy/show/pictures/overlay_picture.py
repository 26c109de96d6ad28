"""The picture of measured speeds beside simulated ones, and of their differences."""

from pathlib import Path

import numpy as np

from ...analysis.speed_overlay import SpeedOverlay
from ..figure import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION, picture

COLOURS = (BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILION)
MOST = 5  # Rows of panels, where each log has a simulation of its own.


def plot_overlay(overlay: SpeedOverlay, path: Path) -> None:
    """
    Draw measured and simulated speeds over time, and what lies between them, into a PNG.

    :param overlay: What was laid over each other; where each log has a simulation of its own, the first five are drawn.
    :raises OSError: If it cannot be written.
    """
    own = len(overlay.simulated) > 1
    groups = [[number] for number in range(min(len(overlay.measured), MOST))] if own else [range(len(overlay.measured))]
    with picture(path, 11.0, 1.0 + 3.6 * len(groups)) as figure:
        panels = figure.subplots(2 * len(groups), 1, squeeze=False,
                                 height_ratios=[2.2, 1.0] * len(groups))[:, 0]
        for row, group in enumerate(groups):
            above, below = panels[2 * row:2 * row + 2]
            simulated = overlay.simulated[group[0] if own else 0]
            for number in group:
                trace, colour = overlay.measured[number], COLOURS[number % len(COLOURS)]
                above.plot(trace.time, trace.speed, '.', color=colour, markersize=3.0, label=trace.name)
                at = np.where((trace.time >= simulated.time[0]) & (trace.time <= simulated.time[-1]),
                              np.interp(trace.time, simulated.time, simulated.speed), np.nan)
                below.plot(trace.time, at - trace.speed, color=colour, linewidth=0.9)
            above.plot(simulated.time, simulated.speed, color=BLACK, linewidth=1.4, label=simulated.name)
            if np.isfinite(overlay.sigma):
                above.fill_between(simulated.time, simulated.speed - overlay.sigma, simulated.speed + overlay.sigma,
                                   color=GREY, alpha=0.25, linewidth=0.0, label='one sigma of the repeats')
            error = overlay.errors[group[0]] if own or len(group) == 1 else overlay.all
            above.set_title(f'MAE {error.mae:.3f} m/s, std {error.std:.3f} m/s, {100.0 * error.share:.1f} % within '
                            'one std')
            above.set(ylabel='Speed, m/s')
            above.legend(loc='best', fontsize=8.5)
            below.axhspan(error.bias - error.std, error.bias + error.std, color=GREY, alpha=0.2, linewidth=0.0)
            below.axhline(0.0, color=BLACK, linewidth=0.8)
            below.set(xlabel='Time, s', ylabel='Simulated less\nmeasured, m/s')
            below.sharex(above)
