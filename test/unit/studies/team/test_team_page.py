"""The page of a team: self-contained, every vehicle with its figures."""

import json
import re

import pytest

from usv_energy.air.team_plan import read_team
from usv_energy.air.team_run import run_team
from usv_energy.studies.team.team_page import drawings, write_team_page
from usv_energy.studies.team.team_text import team_summary


@pytest.fixture(scope='module')
def run():
    return run_team(read_team('box'))


def test_it_asks_nobody_and_holds_the_figures(run, tmp_path):
    write_team_page(run, tmp_path / 'team.html')
    page = (tmp_path / 'team.html').read_text()
    assert not re.search(r'(src|href)="(?!#|data:)', page.replace('xlink:href="#', 'href="#'))
    summary = re.search(r'id="summary">(.*?)</script>', page, re.DOTALL).group(1)
    assert json.loads(summary) == json.loads(json.dumps(team_summary(run)))
    assert f'{run.boats[0].energy.damping:.1f}' in page and f"{run.crafts[0].flight.energy['follow']:.1f}" in page


def test_each_quadcopter_has_a_drawing_of_its_own(run):
    names = [one.name for one in drawings(run)]
    assert names == ['ways', 'flight0']
