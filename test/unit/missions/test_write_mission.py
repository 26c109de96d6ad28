from dataclasses import replace

import pytest
from mission_files import HOME, some_mission, some_waypoints

from usv_energy.earth import Place
from usv_energy.files.errors import InputError
from usv_energy.missions.itinerary import items_from_waypoints, itinerary_of
from usv_energy.missions.mission import LocalPlace, Mission, MissionItem
from usv_energy.missions.mission_file import ENDINGS, mission_text, read_mission, write_mission

COMMANDS, MAPS = ('plan', 'waypoints'), ('gpx', 'geojson')


def by_way_of(mission, folder, *endings):
    """Return a mission after it was written and read in formats one after the other."""
    for number, ending in enumerate(endings):
        path = folder / f'{number}.{ending}'
        write_mission(mission, path)
        mission = read_mission(path)
    return mission


@pytest.mark.parametrize('first', COMMANDS)
@pytest.mark.parametrize('second', COMMANDS)
@pytest.mark.parametrize('seed', range(20))
def test_formats_of_commands_lose_nothing_to_each_other(tmp_path, seed, first, second):
    mission = some_mission(seed)
    again = by_way_of(mission, tmp_path, first, second, first)
    assert (again.items, again.home, again.home_altitude) == (mission.items, mission.home, mission.home_altitude)


@pytest.mark.parametrize('first', [*COMMANDS, *MAPS])
@pytest.mark.parametrize('second', [*COMMANDS, *MAPS])
@pytest.mark.parametrize('seed', range(10))
def test_what_a_mission_amounts_to_goes_through_all_formats(tmp_path, seed, first, second):
    """Places to the last bit, speeds, stays, headings, circles, and the return; names but for plans."""
    waypoints = some_waypoints(seed)
    mission = Mission('m', items_from_waypoints(waypoints), home=HOME)
    again = itinerary_of(by_way_of(mission, tmp_path, first, second))
    assert (again.start, again.has_home) == (HOME, True)
    assert [waypoint.heading for waypoint in again.waypoints] == pytest.approx(
        [waypoint.heading for waypoint in waypoints], abs=1e-9)
    names = {} if 'plan' not in (first, second) else {'name': ''}
    assert [waypoint._replace(heading=None, item=0, **names) for waypoint in again.waypoints] == [
        waypoint._replace(heading=None, item=0, **names) for waypoint in waypoints]


def test_what_is_lost_is_said(tmp_path):
    mission = some_mission(3)
    ignored = len(itinerary_of(mission).ignored)
    assert ignored
    assert mission_text(mission, 'gpx')[1] == [f'{ignored} commands that are no way are left out']
    homeless = mission_text(replace(mission, home=None), 'plan')[1]
    assert homeless == ['a plan has a home: the first place is written as it']
    assert mission_text(mission, 'plan')[1] == mission_text(mission, 'waypoints')[1] == []


def test_an_ending_that_is_none_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"a.kml: ends with '.kml'; must be one of .plan, .waypoints"):
        write_mission(some_mission(1), tmp_path / 'a.kml')
    assert not (tmp_path / 'a.kml').exists()


@pytest.mark.parametrize('kind', sorted(set(ENDINGS.values()) - {'scenario'}))
def test_local_metres_need_an_origin(kind):
    items = items_from_waypoints(some_waypoints(1)[:1])
    local = tuple(item._replace(x=3.0, y=4.0, frame=4) if item.place else item for item in items)
    mission = Mission('m', local, home=LocalPlace(0.0, 0.0))
    with pytest.raises(InputError, match='m: its places are local metres'):
        mission_text(mission, kind)
    assert mission_text(replace(mission, origin=Place(45.0, 9.0)), kind)[0]


def test_endless_jumps_are_kept_where_commands_are():
    """Between plans and waypoints nobody needs to know how often."""
    jump = MissionItem(177, 2, (1.0, -1.0, 0.0, 0.0), 0.0, 0.0, 0.0, 2)
    mission = Mission('m', (MissionItem(16, 1, (0.0,) * 4, 45.0, 9.0, 0.0), jump), home=HOME)
    assert '177\t1.0\t-1.0' in mission_text(mission, 'waypoints')[0]
    with pytest.raises(InputError, match='for ever'):
        mission_text(mission, 'gpx')
