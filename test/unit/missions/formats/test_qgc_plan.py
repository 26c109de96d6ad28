import json
from dataclasses import replace

import pytest
from mission_files import some_mission

from usv_energy.earth import Place
from usv_energy.files.errors import InputError
from usv_energy.missions.formats.qgc_plan import plan_text, read_plan
from usv_energy.missions.itinerary import itinerary_of
from usv_energy.missions.mission import MissionItem


def go(latitude, longitude, number=None, **given):
    numbered = {} if number is None else {'doJumpId': number}
    return {'type': 'SimpleItem', 'command': 16, 'frame': 3, 'autoContinue': True, **numbered,
            'params': [0, 0, 0, None, latitude, longitude, 50], **given}


def jump(target, repeats, number):
    return {'type': 'SimpleItem', 'command': 177, 'frame': 2, 'autoContinue': True, 'doJumpId': number,
            'params': [target, repeats, 0, 0, 0, 0, 0]}


def plan(*items, home=(45.0, 9.0, 120.0), **mission):
    return {'fileType': 'Plan', 'version': 1, 'geoFence': {'circles': [1]}, 'mission': {
        'items': list(items), 'plannedHomePosition': None if home is None else list(home), 'version': 2, **mission}}


def survey(*items, points=(), kind='survey'):
    return {'type': 'ComplexItem', 'complexItemType': kind, 'polygon': [[45.0, 9.0]], 'TransectStyleComplexItem': {
        'Items': list(items), 'VisualTransectPoints': list(points), 'version': 2}}


@pytest.fixture
def read(tmp_path):
    """Return a function that reads a plan as a document."""
    return lambda document: read_plan(document, tmp_path / 'a.plan')


def test_a_plan(read):
    mission = read(plan(go(45.1, 9.1, 1, Altitude=50), cruiseSpeed=1.5, vehicleType=11))
    assert (mission.home, mission.home_altitude, mission.speed) == (Place(45.0, 9.0), 120.0, 1.5)
    assert mission.items == (MissionItem(16, 1, (0.0, 0.0, 0.0, None), 45.1, 9.1, 50.0, details={'Altitude': 50}),)


def test_what_hovers_is_planned_with_its_hover_speed(read):
    speeds = {'cruiseSpeed': 15, 'hoverSpeed': 5}
    assert read(plan(go(45.1, 9.1), vehicleType=2, **speeds)).speed == 5.0
    assert read(plan(go(45.1, 9.1), vehicleType=10, **speeds)).speed == 15.0
    assert read(plan(go(45.1, 9.1))).speed is None


def test_a_plan_without_home(read):
    assert read(plan(go(45.1, 9.1), home=None)).home is None
    assert read(plan(go(45.1, 9.1), home=(0, 0, 0))).home is None


def test_a_survey_is_the_items_that_were_made_of_it(read):
    made = survey(go(45.2, 9.1, 2), go(45.2, 9.2, 3), points=[[1, 1]])
    mission = read(plan(go(45.1, 9.1, 1), made, go(45.3, 9.1, 4)))
    assert [item.place for item in mission.items] == [(45.1, 9.1), (45.2, 9.1), (45.2, 9.2), (45.3, 9.1)]
    assert [item.survey for item in mission.items] == [None, 0, 0, None]


def test_a_corridor_without_items_is_the_points_of_its_transects(read):
    mission = read(plan(survey(points=[[45.2, 9.1], [45.2, 9.2]], kind='CorridorScan')))
    assert [item.place for item in mission.items] == [(45.2, 9.1), (45.2, 9.2)]


def test_a_complex_item_without_ways_is_said(read):
    mission = read(plan(go(45.1, 9.1), {'type': 'ComplexItem', 'complexItemType': 'fwLandingPattern'}))
    assert mission.remarks == ('the complex item "fwLandingPattern" holds no ways, and is left out',)


def test_jumps_name_their_ids(read):
    """The ids of hand-made plans need not be the numbers of the items."""
    mission = read(plan(go(45.1, 9.1, 10), go(45.2, 9.1, 20), jump(20, 2, 30)))
    assert mission.items[2].parameters == (2.0, 2.0, 0.0, 0.0)
    with pytest.raises(InputError, match=r'a.plan: item 2, DO_JUMP: jumps to 7; there is no doJumpId 7'):
        read(plan(go(45.1, 9.1, 10), jump(7, 2, 30)))


def test_old_plans_have_places_of_their_own(read):
    item = {'type': 'SimpleItem', 'command': 16, 'frame': 3, 'params': [1, 2, 3, 4], 'coordinate': [45.1, 9.1, 5]}
    assert read(plan(item)).items[0] == MissionItem(16, 1, (1.0, 2.0, 3.0, 4.0), 45.1, 9.1, 5.0)


@pytest.mark.parametrize(('document', 'says'), [
    ({'fileType': 'Plan'}, r'mission is null; must be a mapping'),
    ({'mission': {}}, r'mission.items is null; must be a list'),
    (plan([]), r'mission.items\[0\] is \[\]; must be a mapping'),
    (plan({'type': 'Other'}), r'mission.items\[0\].type is "Other"; must be SimpleItem or ComplexItem'),
    (plan(go(95.0, 9.0)), r'mission.items\[0\]: the latitude is 95; must be from -90 to 90 degrees'),
    (plan({'type': 'SimpleItem', 'command': 16, 'params': [0, 0]}),
     r'mission.items\[0\].params holds 2 values; must be 7'),
    (plan(go('45', 9.0)), r'mission.items\[0\].params\[4\] is "45"; must be a finite number'),
    (plan(go(10**400, 9.0)), r'mission.items\[0\].params\[4\] is 1000.*; must be a finite number'),
    (plan({**go(45.0, 9.0), 'command': '16'}), r'mission.items\[0\].command is "16"; must be a whole number'),
    (plan({**go(45.0, 9.0), 'command': True}), r'mission.items\[0\].command is true; must be a whole number'),
    (plan(home=(45.0,)), r'mission.plannedHomePosition is \[45.0\]; must be \[latitude, longitude, altitude\]'),
    (plan(home=(145.0, 9.0, 0)), r'mission.plannedHomePosition: the latitude is 145'),
    (plan(survey(go(45.0, 9.0), go(45.0, 199.0))),
     r'mission.items\[0\].TransectStyleComplexItem.Items\[1\]: the longitude is 199'),
    (plan(survey(points=[[45.0]])),
     r'mission.items\[0\].TransectStyleComplexItem.VisualTransectPoints\[0\] is \[45.0\]; must be \[latitude'),
    (plan(go(45.1, 9.1), cruiseSpeed='fast'), r'mission.cruiseSpeed is "fast"; must be a finite number'),
])
def test_what_is_wrong_is_named(read, document, says):
    with pytest.raises(InputError, match=rf'a\.plan: {says}'):
        read(document)


@pytest.mark.parametrize('seed', range(30))
def test_what_is_written_is_read_again(read, seed):
    mission = some_mission(seed)
    again = read(json.loads(plan_text(mission)))
    assert (again.items, again.home, again.home_altitude, again.speed) == (
        mission.items, mission.home, mission.home_altitude, mission.speed)


def test_a_plan_is_written_as_it_was_read(read):
    """Surveys, fence, vehicle and what QGroundControl says of altitudes: all of it."""
    document = plan(go(45.1, 9.1, 1, AltitudeMode=1), survey(go(45.2, 9.1, 2), go(45.2, 9.2, 3)), jump(3, 2, 4),
                    cruiseSpeed=1.5, vehicleType=10, firmwareType=12)
    written = json.loads(plan_text(read(document)))
    assert written['mission'].pop('globalPlanAltitudeMode') == 1
    assert written['mission'].pop('hoverSpeed') == 1.5
    assert {key: written[key] for key in document} == document


def test_the_items_of_a_survey_are_numbered_as_in_the_mission(read):
    document = plan(survey(go(45.2, 9.1, 12), go(45.2, 9.2, 13)), jump(13, 2, 14))
    again = read(json.loads(plan_text(read(document))))
    assert again.items[2].parameters[0] == 2.0


def test_a_plan_needs_a_home():
    mission = replace(some_mission(3), home=None)
    first = itinerary_of(mission).waypoints[0].place
    assert json.loads(plan_text(mission, itinerary_of(mission)))['mission']['plannedHomePosition'][:2] == list(first)
