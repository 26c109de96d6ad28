from pathlib import Path

import pytest

from usv_energy.earth import Place
from usv_energy.files.errors import InputError
from usv_energy.missions.formats.documents import MapContent, MapLine, MapPoint, mission_of_map
from usv_energy.missions.itinerary import itinerary_of

PATH = Path('a.gpx')
A, B, C = (MapPoint(Place(45.0, longitude), name) for longitude, name in ((1.0, 'a'), (2.0, 'b'), (3.0, 'c')))
TWO = MapContent([MapLine('track', 'boat one', [A, B]), MapLine('track', 'boat two', [C])], [])


def places(mission):
    return [(waypoint.place.longitude, waypoint.name) for waypoint in itinerary_of(mission).waypoints]


def test_the_only_line_is_the_mission():
    mission = mission_of_map(MapContent([MapLine('route', '', []), MapLine('route', 'r', [A, B])], [C]), PATH)
    assert (mission.name, places(mission)) == ('r', [(1.0, 'a'), (2.0, 'b')])
    assert mission.remarks == ('1 points beside the route are left out',)


def test_points_are_the_mission_where_there_is_no_line():
    mission = mission_of_map(MapContent([], [C, A]), PATH)
    assert (mission.name, places(mission)) == ('a', [(3.0, 'c'), (1.0, 'a')])


def test_of_two_vehicles_one_is_to_be_chosen():
    with pytest.raises(InputError, match=r'a.gpx: holds 2 lines: 1 boat one, 2 boat two; choose one with --part'):
        mission_of_map(TWO, PATH)
    assert places(mission_of_map(TWO, PATH, 'boat two')) == places(mission_of_map(TWO, PATH, '2')) == [(3.0, 'c')]
    assert len(places(mission_of_map(TWO, PATH, 'all'))) == 3


@pytest.mark.parametrize('part', ['boat three', '0', '3', '9' * 5000])
def test_a_line_that_there_is_not_is_named(part):
    with pytest.raises(InputError, match=r"a.gpx: holds no line .*; there are: 1 boat one, 2 boat two"):
        mission_of_map(TWO, PATH, part)


def test_a_map_of_nothing_is_refused():
    with pytest.raises(InputError, match=r'a\.gpx: holds no line and no point'):
        mission_of_map(MapContent([MapLine('route', '', [])], []), PATH)
