"""The page of a team's run, one HTML file, and the folder of its files."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import yaml

from usv_energy.air.team_plan import TeamPlan
from usv_energy.air.team_run import CraftRun, TeamRun, team_energy
from usv_energy.files.text_file import write_json, write_text
from usv_energy.show.figure import BLUE, GREEN, GREY, OLIVE, ORANGE, PURPLE, SKY, VERMILION
from usv_energy.show.page.page_parts import ACCENT, NARROW, Drawing, Size, Tile, picture, rendered
from usv_energy.show.text_table import joules
from usv_energy.studies.runs.run_folder import RUN_BY, SUMMARY, run_folder, write_run
from usv_energy.studies.team.team_text import (
    battery_line,
    boat_battery_words,
    boat_rows,
    landing_words,
    stage_rows,
    team_summary,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure


TEAM_TEMPLATE = 'team.html.j2'
WIDE = 860  # px
LETTER, LEGEND_LINE, LEGEND_ROW = 8, 50, 17     # px: of names in the legend of the ways, and the height of a row
COLOURS = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, OLIVE, SKY, GREY)

PAGE, PICTURE = 'team.html', 'team.png'


def write_team_page(run: TeamRun, path: Path) -> None:
    """Write a team's page: whole, or not at all (OSError)."""
    write_text(team_html(run), path)


def team_html(run: TeamRun) -> str:
    """Return a team's page as HTML."""
    energies = team_energy(run)
    tiles = [Tile(joules(energies.total).partition(' (')[0], 'of the team, the charge counted once'),
             *(Tile(joules(total).partition(' (')[0], f'{plan.name}, with its chargers')
               for plan, total in zip(run.plan.boats, energies.boats)),
             *(Tile(joules(one.flown).partition(' (')[0], f'{craft.plan.name}, flown')
               for craft, one in zip(run.crafts, energies.crafts))]
    return rendered(
        TEAM_TEMPLATE, title=run.plan.title, subtitle=[
            f'{len(some)} {name}{"" if len(some) == 1 else "s"}'
            for some, name in ((run.boats, 'boat'), (run.crafts, 'quadcopter'))] + [str(run.plan.path)],
        tiles=tiles, pictures={one.name: picture(one) for one in drawings(run)}, boats=list(_boats(run)),
        crafts=list(_crafts(run)), figures=team_summary(run))


def _boats(run: TeamRun) -> Iterator[tuple[str, str, list[list[str]]]]:
    """Yield the name, a sentence and a table of each boat."""
    for plan, boat, battery in zip(run.plan.boats, run.boats, boat_battery_words(run)):
        rows = [[name, energy] for name, _, energy in boat_rows(boat)]
        rows += [[f'charging {craft.plan.name}', f'{craft.flight.charged:.1f}'] for craft in run.crafts_of(plan.name)]
        yield (plan.name, f'{boat.scenario.boat.name}, {boat.scenario.name}: {boat.outcome} after '
               f'{boat.duration:.1f} s{f"; {battery}" if battery else ""}', [['for', 'J'], *rows])


def _crafts(run: TeamRun) -> Iterator[tuple[str, str, str, list[list[str]]]]:
    """Yield the name, the landing, the battery and a table of each quadcopter."""
    for craft in run.crafts:
        yield (craft.plan.name, f'{craft.plan.craft.name} on {craft.plan.deck}: {landing_words(craft.flight)}',
               battery_line(craft), [['stage', 's', 'J'], *stage_rows(craft)])


def drawings(run: TeamRun) -> Iterator[Drawing]:
    """Yield the drawings of a team's page."""
    wide, narrow = (LEGEND_ROW * math.ceil(len(run.plan.names) / _columns(run, width)) for width in (WIDE, NARROW))
    yield Drawing('ways', 'Ways of all vehicles, north up', _draw_ways, run, Size(WIDE, 500 + wide, False),
                  Size(NARROW, 400 + narrow, True))
    for number, craft in enumerate(run.crafts):
        yield Drawing(f'flight{number}', f'Height and power of {craft.plan.name} over time', _draw_flight, craft,
                      Size(WIDE, 420, False), Size(NARROW, 420, True))


def _columns(run: TeamRun, width: int) -> int:
    """Return how many names of vehicles have room beside each other in the legend of a picture so many px wide."""
    return max(1, width // (LETTER * max(map(len, run.plan.names)) + LEGEND_LINE))


def _draw_ways(figure: 'Figure', size: Size, run: TeamRun) -> None:
    axes = figure.subplots()
    colours = {name: COLOURS[number % len(COLOURS)] for number, name in enumerate(run.plan.names)}
    for plan, boat in zip(run.plan.boats, run.boats):
        axes.plot([row.x for row in boat.rows], [row.y for row in boat.rows], color=colours[plan.name], linewidth=2.2,
                  label=plan.name)
        axes.plot(*boat.scenario.start[:2], marker='o', color=colours[plan.name])
    for craft in run.crafts:
        places = np.array([sample.state.place for sample in craft.samples])
        axes.plot(places[:, 0], places[:, 1], color=colours[craft.plan.name], linestyle='--', label=craft.plan.name)
    axes.set(xlabel='East, m', ylabel='North, m')
    axes.set_aspect('equal', adjustable='datalim')
    figure.legend(loc='outside upper left', ncols=_columns(run, size.width))


def _draw_flight(figure: 'Figure', _size: Size, craft: CraftRun) -> None:
    above, power = figure.subplots(2, 1, sharex=True)
    time = [sample.time for sample in craft.samples]
    above.plot(time, [sample.above for sample in craft.samples], color=ACCENT)
    above.set(ylabel='Above the pad, m')
    power.plot(time, [sample.power for sample in craft.samples], color=ACCENT)
    power.set(ylabel='Power, W', xlabel='Time, s')


def write_scenarios(plan: TeamPlan, out: Path) -> list[Path]:
    """
    Write each boat's scenario as a file for `usv-energy run`, and return their paths.

    In a team file for one boat the scenario is already a file; its path is returned.
    """
    paths = []
    for boat in plan.boats:
        if boat.document is None:
            paths.append(boat.scenario.path)
            continue
        path = out / f'{boat.name}.yaml'
        text = yaml.safe_dump(dict(boat.document), sort_keys=False, allow_unicode=True, width=110)
        write_text(f'# {boat.name} of the team {plan.path.name}\n{text}', path)
        paths.append(path)
    return paths


def write_team(run: TeamRun, out: Path) -> list[Path]:
    """
    Write a team's folder and return the files for the user; the summary is written last.

    :raises OSError: If a file cannot be written.
    """
    from usv_energy.studies.team.team_picture import plot_craft, plot_team
    out.mkdir(parents=True, exist_ok=True)
    (out / SUMMARY).unlink(missing_ok=True)
    written = write_scenarios(run.plan, out)
    for plan, boat in zip(run.plan.boats, run.boats):
        write_run(boat, run_folder(out, plan.name, boat.convention), True, RUN_BY)
    for craft in run.crafts:
        plot_craft(run, craft, out / f'{craft.plan.name}.png')
    plot_team(run, out / PICTURE)
    write_team_page(run, out / PAGE)
    write_json(team_summary(run), out / SUMMARY)
    own = [path for path in written if path.parent == out]
    return [*own, out / PICTURE, *(out / f'{craft.plan.name}.png' for craft in run.crafts), out / PAGE, out / SUMMARY]
