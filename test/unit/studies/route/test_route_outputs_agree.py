"""A route, and the mission of its legs, on terminal, page, picture and in JSON: the same, at each verdict."""

import re
from dataclasses import replace

import pytest
from picture_checks import kept_figures
from route_cases import study

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.outfit import battery_label, with_battery
from usv_energy.flow.analytic import UniformFlow
from usv_energy.show.text_table import seconds
from usv_energy.studies.mission.mission_battery import GO, NO_BATTERY, NO_GO, UNSURE
from usv_energy.studies.mission.mission_page import mission_page_html
from usv_energy.studies.mission.mission_pictures import plot_mission
from usv_energy.studies.mission.mission_study_text import mission_study_figures, mission_study_text
from usv_energy.studies.mission.mission_words import VERDICTS
from usv_energy.studies.route.route_page import plot_route, route_page_html
from usv_energy.studies.route.route_study import judged
from usv_energy.studies.route.route_text import route_figures, route_text

BOAT = read_boat('blueboat')
BOATS = {GO: BOAT, UNSURE: with_battery(BOAT, battery_label('11Wh', 'it')),
         NO_GO: with_battery(BOAT, battery_label('5Wh', 'it')), NO_BATTERY: replace(BOAT, battery=None)}


def plain(page):
    """Return a page's own text without its pictures and figures, blanks joined."""
    return ' '.join(re.sub(r'<(script|svg|style).*?</\1>|<[^>]+>', ' ', page, flags=re.DOTALL).split())


@pytest.mark.parametrize('verdict', BOATS)
def test_all_four_say_the_same_of_a_route_and_of_its_mission(verdict, tmp_path, monkeypatch):
    made = study(departures=None, forecasts=None, front=None)
    flow = {'current': UniformFlow(0.1, 0.0), 'wind': UniformFlow(0.0, -3.0)}
    made = judged(made._replace(boat=BOATS[verdict], problem=made.problem._replace(**flow)))
    figures, of_plan = route_figures(made), mission_study_figures(made.plan)
    assert figures['verdict'] == of_plan['verdict'] == verdict
    for key in ('energy_j', 'energy_low_j', 'energy_high_j', 'time_s', 'state_of_charge_at_end'):
        assert figures.get(key) == of_plan.get(key)
    drawn = kept_figures(monkeypatch)
    plot_route(made, tmp_path / 'r.png')
    plot_mission(made.plan, tmp_path / 'm.png')
    texts = [' '.join(route_text(made).split()), ' '.join(mission_study_text(made.plan).split()),
             plain(route_page_html(made)), plain(mission_page_html(made.plan)),
             *(' '.join(figure.get_suptitle().split()) for figure in drawn)]
    assert len(texts) == 6
    words = [VERDICTS[verdict].capitalize() if verdict == NO_BATTERY else VERDICTS[verdict],
             f'{figures["energy_wh"]:.3g} Wh', seconds(figures['time_s']), 'set 090 (E)', 'from 000 (N)']
    if verdict in (GO, UNSURE):
        words.append(f'{100.0 * figures["state_of_charge_at_end"]:.1f} %')
    for text in texts:
        for word in words[verdict == NO_BATTERY:]:
            assert word in text
        others = {VERDICTS[one] for one in BOATS if one != verdict} - {'GO'}
        assert not any(re.search(rf'(?<!-){other}(?=[: ])', text.partition('All legs at')[0]) for other in others)
    for row, leg in zip(figures['legs'], of_plan['legs'], strict=True):
        course = f'{round(leg["course_compass_deg"]) % 360:03d}'
        assert row['course_compass_deg'] == pytest.approx(leg['course_compass_deg'], abs=1e-6)
        assert f'{course} deg' in texts[0] and f' {course} ' in texts[1] and f'{course}' in texts[2]
        assert row['energy_j'] == leg['energy_j'] and row['arrival_s'] == 600.0 + leg['end_s']
        assert all(seconds(leg['end_s']) in text for text in texts[:4])
