"""The picture of a team: the ways of boat and quadcopter, height and error by stage, power and energy."""

from pathlib import Path
from typing import Any

import numpy as np

from ...air.flight import STAGES
from ...air.team_run import TeamRun
from ...physics.battery import JOULES_PER_WH
from ..figure import BLACK, BLUE, GREEN, GREY, OLIVE, ORANGE, PURPLE, SKY, VERMILION, picture

COLOURS = dict(zip(STAGES, (GREY, SKY, BLUE, ORANGE, VERMILION, OLIVE, BLACK)))


def plot_team(run: TeamRun, path: Path) -> None:
    """Draw a run into a PNG. Raises OSError if it cannot be written."""
    time = np.array([sample.time for sample in run.samples])
    with picture(path, 12.0, 7.0) as figure:
        touchdown = run.flight.touchdown
        said = '' if touchdown is None else f'     landed {touchdown.error:.3f} m off at {touchdown.speed:.2f} m/s'
        figure.suptitle(f'{run.plan.title}{said}', x=0.012, ha='left')
        grid = figure.add_gridspec(3, 2, width_ratios=(1.0, 1.3))
        _draw_ways(figure.add_subplot(grid[:, 0]), run)
        rows = [figure.add_subplot(grid[place, 1]) for place in range(3)]
        for axes in rows:
            _shade(axes, run)
            axes.set_xlim(0.0, time[-1])
        rows[0].set(title='Height above the pad, m')
        rows[0].plot(time, [sample.above for sample in run.samples], color=BLUE)
        rows[1].set(title='Distance from the pad in the plane, m')
        rows[1].plot(time, [sample.error for sample in run.samples], color=BLUE)
        rows[1].axhline(run.plan.orders.threshold, color=GREEN, linewidth=1.0, linestyle='--', label='lands within')
        rows[1].legend(loc='upper right')
        rows[2].set(title='Power of the quadcopter, W (below 0: it charges)', xlabel='Time, s')
        rows[2].plot(time, [sample.power for sample in run.samples], color=PURPLE)
        rows[2].axhline(run.plan.craft.hover_power, color=GREY, linewidth=1.0, linestyle='--', label='hovering')
        other = rows[2].twinx()
        other.plot(time, [sample.battery / JOULES_PER_WH for sample in run.samples], color=ORANGE)
        other.set_ylabel('Battery, Wh', color=ORANGE)
        other.grid(visible=False)
        rows[2].legend(loc='lower left')


def _draw_ways(axes: Any, run: TeamRun) -> None:
    axes.set(title='Ways, m', xlabel='East', ylabel='North', aspect='equal')
    axes.plot([deck.place[0] for deck in run.decks], [deck.place[1] for deck in run.decks], color=GREY, linewidth=4.0,
              alpha=0.5, label='pad')
    for stage in STAGES:
        places = [sample.state.place if sample.stage == stage else (np.nan,) * 3 for sample in run.samples]
        if any(sample.stage == stage for sample in run.samples):
            axes.plot(*np.array(places)[:, :2].T, color=COLOURS[stage], label=stage)
    axes.legend(loc='best')


def _shade(axes: Any, run: TeamRun) -> None:
    """Colour the background by stage."""
    begin = 0
    for number in range(1, len(run.samples) + 1):
        if number == len(run.samples) or run.samples[number].stage != run.samples[begin].stage:
            axes.axvspan(run.samples[begin].time - 0.1, run.samples[number - 1].time,
                         color=COLOURS[run.samples[begin].stage], alpha=0.12, linewidth=0.0)
            begin = number
