"""The page of a team: self-contained, every vehicle with its figures."""

import json
import re

import pytest
from page_checks import check_in_browser
from picture_checks import check_texts, kept_figures

from usv_energy.air.team_plan import read_team
from usv_energy.air.team_run import run_team
from usv_energy.sim.scenario import read_scenario
from usv_energy.studies.team.team_page import drawings, write_scenarios, write_team, write_team_page
from usv_energy.studies.team.team_picture import plot_craft, plot_team
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


@pytest.mark.parametrize(('width', 'scheme'), [(1400, 'light'), (390, 'dark')])
def test_in_a_browser(browser, run, tmp_path, width, scheme):
    write_team_page(run, tmp_path / 'team.html')
    check_in_browser(browser, tmp_path / 'team.html', width, scheme, 2)


def test_names_of_twenty_boats_are_whole_and_apart(browser, run, tmp_path, monkeypatch):
    boats = tuple(run.plan.boats[0]._replace(name=f'a_boat_with_a_name_{number}') for number in range(20))
    many = run._replace(plan=run.plan._replace(boats=boats, title='a team and its task ' * 9), boats=run.boats * 20)
    figures = kept_figures(monkeypatch)
    plot_team(many, tmp_path / 'team.png')
    plot_craft(many, many.crafts[0], tmp_path / 'craft.png')
    for figure in figures:
        check_texts(figure)
    write_team_page(many, tmp_path / 'team.html')
    for width in (1400, 390):
        check_in_browser(browser, tmp_path / 'team.html', width, 'light', 2)
    view = browser.new_page(viewport={'width': 390, 'height': 800})
    view.goto((tmp_path / 'team.html').as_uri())
    outside = view.evaluate('''[...document.querySelectorAll("figure svg text")].filter(
        text => text.getBoundingClientRect().right > text.ownerSVGElement.getBoundingClientRect().right + 1)
        .map(text => text.textContent)''')
    view.close()
    assert outside == []


def test_each_quadcopter_has_a_drawing_of_its_own(run):
    names = [one.name for one in drawings(run)]
    assert names == ['ways', 'flight0']


def test_scenarios_are_written_as_run_takes_them(tmp_path):
    """What is read back is the plan's scenario, but for the file that it says it is from."""
    plan = read_team('three_boats')
    for boat, path in zip(plan.boats, write_scenarios(plan, tmp_path)):
        back = read_scenario(str(path))
        assert path.name == f'{boat.name}.yaml' and back.name == boat.name
        for key in ('start', 'waypoints', 'speed', 'current', 'wind', 'gains', 'radius', 'timeout', 'step', 'period'):
            assert getattr(back, key) == getattr(boat.scenario, key), key
        assert back.boat.path == boat.scenario.boat.path
    assert write_scenarios(read_team('box'), tmp_path) == [read_scenario('uav_usv/box').path]


def test_all_that_is_named_is_there_and_the_summary_is_whole(tmp_path):
    run = run_team(read_team('box'))
    for path in write_team(run, tmp_path / 'out'):
        assert path.stat().st_size > 0
    summary = json.loads((tmp_path / 'out' / 'summary.json').read_text())
    boat = json.loads((tmp_path / 'out' / 'boat_rep103' / 'summary.json').read_text())
    assert summary['boats']['boat']['own_j'] == boat['energy_j']
