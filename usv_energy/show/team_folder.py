"""The folder of a team: of each boat what `run` writes, its scenario as a file, pictures, page and figures."""

from pathlib import Path

import yaml

from ..air.team_plan import TeamPlan
from ..air.team_run import TeamRun
from ..files.json_file import write_json
from ..files.whole_file import check_writable, write_text
from .run_folder import RUN_BY, SUMMARY, run_folder, write_run
from .text.team_text import team_summary

PAGE, PICTURE = 'team.html', 'team.png'


def check_team_folder(out: Path) -> None:
    """See whether a team can be written into a folder; InputError if not."""
    check_writable(out)


def write_scenarios(plan: TeamPlan, out: Path) -> list[Path]:
    """
    Write each boat's scenario as a file of its own, which `usv-energy run` takes, and return their paths.

    A boat of the form with one boat has its scenario's file already: that is returned.
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
    Write a team's folder and return what people will open; the summary is written last.

    :raises OSError: If a file cannot be written.
    """
    from .page.team_page import write_team_page
    from .pictures.team_picture import plot_craft, plot_team
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
