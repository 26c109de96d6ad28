"""Pictures of a team (tracks and energies) and of a quadcopter (track, height, error by stage, power, battery)."""

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from usv_energy.air.flight import STAGES
from usv_energy.air.team_run import CraftRun, TeamRun, team_energy
from usv_energy.physics.batteries.cell import JOULES_PER_WH
from usv_energy.show.figure import BLACK, BLUE, GREEN, GREY, OLIVE, ORANGE, PURPLE, SKY, VERMILION, picture
from usv_energy.show.text_table import shortened
from usv_energy.studies.team.team_text import landing_words

COLOURS = dict(zip(STAGES, (GREY, SKY, BLUE, ORANGE, VERMILION, OLIVE, BLACK)))
TITLE, NAME, COLUMNS = 130, 22, 5    # letters of a line of the title and of a name, and columns of the legend, at most


def plot_craft(run: TeamRun, craft: CraftRun, path: Path) -> None:
    """Draw a quadcopter's flight over its boat into a PNG. Raises OSError if it cannot be written."""
    time, plan = np.array([sample.time for sample in craft.samples]), craft.plan
    with picture(path, 12.0, 7.0) as figure:
        title = textwrap.fill(run.plan.title, TITLE)
        figure.suptitle(f'{title}\n{plan.name}: {landing_words(craft.flight)}', x=0.012, ha='left')
        grid = figure.add_gridspec(3, 2, width_ratios=(1.0, 1.3))
        _draw_ways(figure.add_subplot(grid[:, 0]), [craft])
        rows = [figure.add_subplot(grid[place, 1]) for place in range(3)]
        for axes in rows:
            _shade_stages(axes, craft)
            axes.set_xlim(0.0, time[-1])
        rows[0].set(title='Height above the pad, m')
        rows[0].plot(time, [sample.above for sample in craft.samples], color=BLUE)
        rows[1].set(title='Distance from the pad in the plane, m')
        rows[1].plot(time, [sample.error for sample in craft.samples], color=BLUE)
        _draw_level(rows[1], plan.orders.threshold, 'lands within', GREEN)
        rows[2].set(title='Power of the quadcopter, W (below 0: it charges)', xlabel='Time, s')
        rows[2].plot(time, [sample.power for sample in craft.samples], color=PURPLE)
        _draw_battery(rows[2].twinx(), time, craft)
        _draw_level(rows[2], plan.craft.hover_power, 'hovering', GREY)


def _draw_level(axes: Any, level: float, name: str, colour: str) -> None:
    """Draw a level as a dashed line with its name at the right end."""
    axes.axhline(level, color=colour, linewidth=1.0, linestyle='--')
    axes.annotate(name, (1.0, level), xycoords=('axes fraction', 'data'), xytext=(-4, 3), textcoords='offset points',
                  color=colour, fontsize=9, ha='right')


def _draw_battery(axes: Any, time: np.ndarray, craft: CraftRun) -> None:
    """Draw the voltage of cells, or the energy left in a counter of watt-hours."""
    cells = craft.plan.craft.pack is not None
    axes.plot(time, [sample.voltage if cells else sample.battery / JOULES_PER_WH for sample in craft.samples],
              color=ORANGE)
    axes.set_ylabel('Voltage, V' if cells else 'Battery, Wh', color=ORANGE)
    axes.grid(visible=False)


def plot_team(run: TeamRun, path: Path) -> None:
    """Draw the tracks and the energies of all vehicles of a team into a PNG. Raises OSError if it cannot be written."""
    with picture(path, 12.0, 6.0) as figure:
        figure.suptitle(textwrap.fill(run.plan.title, TITLE), x=0.012, ha='left')
        ways, bars = figure.subplots(1, 2, width_ratios=(1.3, 1.0))
        for plan, boat in zip(run.plan.boats, run.boats):
            line, = ways.plot([row.x for row in boat.rows], [row.y for row in boat.rows], linewidth=1.2,
                              label=shortened(plan.name, NAME))
            ways.plot(*boat.scenario.start[:2], marker='o', color=line.get_color(), markersize=5)
        _draw_ways(ways, run.crafts, pads=False)
        energies = team_energy(run)
        joules = [*energies.boats, *(craft.flown for craft in energies.crafts)]
        bars.barh(run.plan.names[::-1], joules[::-1], color=[SKY] * len(run.crafts) + [BLUE] * len(run.boats))
        bars.set(title='Energy, J', xlabel='boats with their chargers, quadcopters in flight')


def _draw_ways(axes: Any, crafts: Sequence[CraftRun], pads: bool = True) -> None:
    axes.set(title='Ways, m', xlabel='East', ylabel='North')
    axes.set_aspect('equal', adjustable='datalim')
    labelled: set[str] = set()
    for craft in crafts:
        if pads:
            axes.plot([deck.place[0] for deck in craft.decks], [deck.place[1] for deck in craft.decks], color=GREY,
                      linewidth=4.0, alpha=0.5, label='pad')
        for stage in STAGES:
            places = [sample.state.place if sample.stage == stage else (np.nan,) * 3 for sample in craft.samples]
            if any(sample.stage == stage for sample in craft.samples):
                axes.plot(*np.array(places)[:, :2].T, color=COLOURS[stage],
                          label=None if stage in labelled else stage, linestyle='-' if pads else ':')
                labelled.add(stage)
    axes.figure.legend(*axes.get_legend_handles_labels(), loc='outside lower left', ncols=COLUMNS)


def _shade_stages(axes: Any, craft: CraftRun) -> None:
    """Colour the background by stage."""
    begin = 0
    for number in range(1, len(craft.samples) + 1):
        if number == len(craft.samples) or craft.samples[number].stage != craft.samples[begin].stage:
            axes.axvspan(craft.samples[begin].time - 0.1, craft.samples[number - 1].time,
                         color=COLOURS[craft.samples[begin].stage], alpha=0.12, linewidth=0.0)
            begin = number
