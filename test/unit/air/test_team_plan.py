"""Files of teams: one boat with a quadcopter, or several vehicles; what is refused."""

import pytest
import yaml
from team_files import written

from usv_energy.air.team_plan import read_team
from usv_energy.files.errors import InputError
from usv_energy.files.locate import names

FLIGHT = {'take_off': 1.0, 'land': 9.0}


def test_all_shipped_teams_are_read():
    for name in names('teams'):
        plan = read_team(name)
        assert plan.title and len(set(plan.names)) == len(plan.boats) + len(plan.crafts)


def test_the_form_with_one_boat_has_a_boat_and_a_quadcopter():
    plan = read_team('box')
    assert plan.names == ('boat', 'quadcopter') and plan.crafts[0].deck == 'boat'
    assert plan.boats[0].scenario.name == 'box' and plan.boats[0].document is None


def test_several_boats_have_their_own_ways_in_one_flow():
    plan = read_team('three_boats')
    alpha, bravo, carol = (plan.boat(name).scenario for name in ('alpha', 'bravo', 'carol'))
    assert alpha.start[:2] == (0.0, 0.0) and bravo.start[:2] == (0.0, -20.0) and len(bravo.waypoints) == 3
    assert alpha.boat.name == 'strider' and carol.boat.name == 'lutra_prop'
    assert alpha.wind == bravo.wind == carol.wind and alpha.wind.speed == pytest.approx(3.0)
    assert [craft.deck for craft in plan.crafts] == ['alpha', 'bravo'] and plan.crafts[1].battery == 0.7


def test_paths_are_those_beside_the_file_that_names_them(tmp_path):
    """A scenario names its boat by a path of its own folder, and the team the scenario by one of its own."""
    folder = tmp_path / 'far'
    folder.mkdir()
    (folder / 'own_boat.yaml').write_text('base: lutra_prop\nname: own_boat\n')
    (folder / 'way.yaml').write_text(yaml.safe_dump({
        'base': '1', 'boat': 'own_boat.yaml', 'start': {'x': 1.0, 'y': 2.0, 'heading_deg': 0.0}}))
    plan = read_team(written(tmp_path, 'three_boats', quadcopters=[], boats=[
        {'name': 'red', 'scenario': 'far/way.yaml'}]))
    assert plan.boats[0].scenario.boat.name == 'own_boat' and plan.boats[0].scenario.start[:2] == (1.0, 2.0)


@pytest.mark.parametrize(('changes', 'words'), [
    ({'flight': {'take_off': 9.0, 'land': 9.0}}, 'flight.land is 9 s; must be after take_off'),
    ({'flight': FLIGHT | {'threshold': 0.3}}, 'flight.threshold is 0.3 m; must be at most abort'),
    ({'quadcopter': 'kite'}, 'kite'), ({'scenario': 'nowhere'}, 'nowhere'), ({'controller': 'magic'}, 'controller'),
    ({'pad': {'x': 0.0, 'z': -1.0}}, 'pad.z')])
def test_faults_with_one_boat(tmp_path, changes, words):
    with pytest.raises(InputError) as caught:
        read_team(written(tmp_path, **changes))
    assert words in str(caught.value)


@pytest.mark.parametrize(('changes', 'words'), [
    ({'boats': [{'name': 'a', 'scenario': '1'}, {'name': 'a', 'scenario': '2'}]}, 'two vehicles are called a'),
    ({'boats': [{'name': 'a b', 'scenario': '1'}]}, 'boats.0.name'), ({'boats': []}, 'boats'),
    ({'boats': [{'name': 'a', 'scenario': '1', 'boat': 'raft'}]}, 'raft'),
    ({'boats': [{'name': 'a', 'scenario': '1', 'start': {'x': 'far'}}]}, 'start.x'),
    ({'boats': [{'name': 'alpha', 'scenario': '1'}, {'name': 'b', 'scenario': '2'}], 'current': None},
     'have different flows: current'),
    ({'quadcopters': [{'name': 'q', 'deck': 'kite', 'quadcopter': 'ar_drone', 'flight': FLIGHT}]},
     "stands on 'kite'; there are the boats: alpha, bravo, carol"),
    ({'quadcopters': [{'name': 'q', 'deck': 'alpha', 'quadcopter': 'ar_drone', 'flight': {'take_off': 1.0}}]},
     'quadcopters.0.flight'),
    ({'waves': {'height': 0.3, 'period': 3.0}, 'boats': [{'name': 'alpha', 'scenario': 'waves/otter_head_sea'}]},
     'is a hull of parts')])
def test_faults_with_several(tmp_path, changes, words):
    with pytest.raises(InputError) as caught:
        read_team(written(tmp_path, 'three_boats', **({'quadcopters': []} | changes)))
    assert words in str(caught.value)
