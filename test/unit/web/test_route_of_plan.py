"""The route of a plan is that of the command."""

import json
import shlex
from functools import partial

import pytest

from usv_energy.files.errors import InputError
from usv_energy.files.work import no_progress
from usv_energy.missions.itinerary import itinerary_of
from usv_energy.web.plan_inputs import read_plan
from usv_energy.web.route_of_plan import ends_of, found_route, route_command
from usv_energy.web.speed_units import speeds_in

PLACES = (45.6, 9.55), (45.605, 9.56), (45.6, 9.57)


def written(path, places):
    path.write_text('<gpx><rte>' + ''.join(f'<rtept lat="{north}" lon="{east}"/>' for north, east in places)
                    + '</rte></gpx>')
    return str(path)


def test_the_route_is_that_of_the_command_from_start_to_end(cli, tmp_path):
    """Its energy to the last digit, and its text, with speeds in the unit that is chosen, but for the note below it."""
    texts = {'file': written(tmp_path / 'way.gpx', PLACES), 'boat': 'lutra_prop', 'hotel': '20', 'reserve': '20',
             'current': '0.3 kn set 060'}
    found = found_route(texts, texts, '', partial(speeds_in, knots=False), no_progress)
    command = shlex.split(route_command(read_plan(texts), texts, ''))[1:]
    assert found.energy == json.loads(cli(*command, '--json', '-')[1])['energy_j'] > 0.0
    said = cli(*command)[1].rstrip()
    assert found.text.startswith(speeds_in(said, False)) and found.text.endswith(shlex.join(command))
    in_knots = found_route(texts, texts, '', partial(speeds_in, knots=True), no_progress).text
    assert ' m/s' not in in_knots and len(in_knots.splitlines()) == len(found.text.splitlines())
    for place, wanted in ((found.places[0], PLACES[0]), (found.places[-1], PLACES[-1])):
        assert place == pytest.approx(wanted, abs=1e-6)
    way = itinerary_of(found.mission)
    assert way.waypoints[-1].place[:2] == pytest.approx(PLACES[-1], abs=1e-6) and way.has_home


def test_a_plan_that_ends_at_its_start_has_no_route(tmp_path):
    plan = read_plan({'file': written(tmp_path / 'round.gpx', (*PLACES, PLACES[0])), 'boat': 'lutra_prop'})
    with pytest.raises(InputError, match='ends where it starts'):
        ends_of(plan)
