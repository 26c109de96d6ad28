"""The pictures of a comparison and of an overlay."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from usv_energy.show.causes import CAUSES, Cause
from usv_energy.show.figure import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION, picture
from usv_energy.show.text_table import rounded, shortened
from usv_energy.sim.record import Summary
from usv_energy.studies.compare.comparison import is_negligible
from usv_energy.studies.compare.speed_overlay import SpeedOverlay

if TYPE_CHECKING:
    from matplotlib.axes import Axes


LEAST_CHANGE = 1e-3     # J: of all causes, below which runs count as equal
HATCHES = ('', '///', '...', 'xxx', '\\\\\\')

COLOURS = (BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILION)
MOST_ROWS = 5  # rows of panels, if each log has its own simulation


def plot_comparison(runs: Sequence[Summary], path: Path) -> None:
    """Draw runs into a PNG: energy by cause side by side, and the changes against the first; OSError if it fails."""
    with picture(path, max(9.6, 5.0 + 1.3 * len(runs)), 4.9) as figure:
        for draw, axes in zip(comparison_panels(runs).values(), figure.subplots(1, 2, width_ratios=(1.0, 1.25))):
            draw(axes)


def comparison_panels(runs: Sequence[Summary]) -> dict[str, Callable[['Axes'], None]]:
    """Return the pictures of a comparison by name, as functions that draw into axes."""
    causes = [cause for cause in CAUSES if not is_negligible(cause.key, runs)]
    return {'energy': lambda axes: _draw_stacks(axes, runs, causes),
            'change': lambda axes: _draw_changes(axes, runs, causes)}


def _draw_stacks(axes: 'Axes', runs: Sequence[Summary], causes: Sequence[Cause]) -> None:
    above, below = [0.0] * len(runs), [0.0] * len(runs)
    for cause in causes:
        heights = [run[f'energy_{cause.key}_j'] for run in runs]
        bases = [above[k] if height >= 0.0 else below[k] for k, height in enumerate(heights)]
        axes.bar(range(len(runs)), heights, bottom=bases, width=0.62, color=cause.colour, label=cause.name)
        for k, height in enumerate(heights):
            above[k], below[k] = above[k] + max(height, 0.0), below[k] + min(height, 0.0)
    for k, run in enumerate(runs):
        axes.annotate(f'{run["energy_j"]:.0f} J', (k, above[k]), xytext=(0, 3), textcoords='offset points', ha='center',
                      fontsize=9)
    axes.set_title('Energy by cause', pad=12)
    axes.set(ylabel='Energy, J', xticks=range(len(runs)))
    axes.set_xticklabels([shortened(run['name'], 16) for run in runs], rotation=20 if len(runs) > 3 else 0)
    axes.axhline(0.0, color=GREY, linewidth=0.8)
    axes.margins(y=0.1)
    axes.grid(visible=False, axis='x')
    if causes:
        axes.legend(loc='upper center', bbox_to_anchor=(0.5, -0.12 if len(runs) <= 3 else -0.24), ncol=3)


def _draw_changes(axes: 'Axes', runs: Sequence[Summary], causes: Sequence[Cause]) -> None:
    keys = [*(f'energy_{cause.key}_j' for cause in causes), 'energy_j']
    colours = [*(cause.colour for cause in causes), GREY]
    first, others = runs[0], runs[1:]
    height = 0.8 / len(others)
    for number, run in enumerate(others):
        values = [run[key] - first[key] for key in keys]
        places = [index + (number - 0.5 * (len(others) - 1)) * height for index in range(len(keys))]
        bars = axes.barh(places, values, height=0.9 * height, color=colours, hatch=HATCHES[number % len(HATCHES)],
                         edgecolor='white', label=shortened(run['name'], 22))
        axes.bar_label(bars, [f'{rounded(value, 0):+.0f}' for value in values], padding=3, fontsize=8)
    axes.set_title(f'Change against {shortened(first["name"], 22)}', pad=12)
    axes.set_yticks(range(len(keys)), [*(cause.name for cause in causes), 'total'])
    axes.invert_yaxis()
    axes.axvline(0.0, color=GREY, linewidth=0.8)
    axes.set_xlabel('Change of energy, J')
    axes.margins(x=0.16)
    if max(abs(run[key] - first[key]) for run in others for key in keys) < LEAST_CHANGE:
        axes.set_xlim(-1.0, 1.0)    # Else rounding errors fill the axis.
    axes.locator_params(axis='x', nbins=6)
    axes.grid(visible=False, axis='y')
    if len(others) > 1:
        axes.legend(loc='upper center', bbox_to_anchor=(0.5, -0.14), ncol=2)


def plot_overlay(overlay: SpeedOverlay, path: Path) -> None:
    """
    Draw measured and simulated speeds and their differences over time into a PNG.

    :param overlay: The overlay; if each log has its own simulation, only the first MOST_ROWS are drawn.
    :raises OSError: If it cannot be written.
    """
    own = len(overlay.simulated) > 1
    number_of_logs = len(overlay.measured)
    groups = [[number] for number in range(min(number_of_logs, MOST_ROWS))] if own else [range(number_of_logs)]
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
