"""The route of a plan is that of the command."""

import json
import shlex

import pytest

from usv_energy.files.errors import InputError
from usv_energy.files.work import no_progress
from usv_energy.missions.itinerary import itinerary_of
from usv_energy.studies.route.route_text import route_figures
from usv_energy.web.plan_inputs import read_plan
from usv_energy.web.route_of_plan import ends_of, mission_of_route, places_of_route, route_command, route_of

PLACES = (45.6, 9.55), (45.605, 9.56), (45.6, 9.57)


def written(path, places):
    path.write_text('<gpx><rte>' + ''.join(f'<rtept lat="{north}" lon="{east}"/>' for north, east in places)
                    + '</rte></gpx>')
    return str(path)


def test_the_route_is_that_of_the_command_from_start_to_end(cli, tmp_path):
    texts = {'file': written(tmp_path / 'way.gpx', PLACES), 'boat': 'lutra_prop', 'hotel': '20', 'reserve': '20',
             'current': '0.3 kn set 060'}
    plan = read_plan(texts)
    study = route_of(plan, texts, '', no_progress)
    _, said, _ = cli(*shlex.split(route_command(plan, texts, ''))[1:], '--json', '-')
    assert json.loads(json.dumps(route_figures(study)))['energy_j'] == json.loads(said)['energy_j'] > 0.0
    way = places_of_route(study)
    for place, wanted in ((way[0], PLACES[0]), (way[-1], PLACES[-1])):
        assert place == pytest.approx(wanted, abs=1e-6)
    found = itinerary_of(mission_of_route(study))
    assert found.waypoints[-1].place[:2] == pytest.approx(PLACES[-1], abs=1e-6) and found.has_home


def test_a_plan_that_ends_at_its_start_has_no_route(tmp_path):
    plan = read_plan({'file': written(tmp_path / 'round.gpx', (*PLACES, PLACES[0])), 'boat': 'lutra_prop'})
    with pytest.raises(InputError, match='ends where it starts'):
        ends_of(plan)
