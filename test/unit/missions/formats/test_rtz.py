"""Routes of electronic charts."""

import pytest
from mission_files import RTZ

from usv_energy.files.errors import InputError
from usv_energy.missions.itinerary import itinerary_of
from usv_energy.missions.mission_file import read_mission


def written(folder, text=RTZ):
    (folder / 'a.rtz').write_text(text)
    return folder / 'a.rtz'


def test_places_names_and_planned_speeds_come_out(tmp_path):
    """The calculated schedule wins over the manual one, the schedule over the leg; a limit is no plan."""
    mission = read_mission(written(tmp_path))
    route = itinerary_of(mission)
    assert mission.name == 'Harbour to buoy'
    assert [(point.place.latitude, point.place.longitude) for point in route.waypoints] == [
        (59.0, 10.5), (59.001, 10.5), (59.001, 10.502)]
    assert [point.speed for point in route.waypoints[1:]] == pytest.approx([4.0 * 1852.0 / 3600.0,
                                                                            6.0 * 1852.0 / 3600.0])


@pytest.mark.parametrize(('old', 'new', 'says'), [
    ('lat="59.001" lon="10.5"', 'lat="99" lon="10.5"', 'waypoint 2'), ('speed="4.0"', 'speed="-4"',
                                                                       'must be above 0, knots'),
    ('<position lat="59.0" lon="10.5"/>', '', 'waypoint 1: has no position'), ('planSpeedMax="6.0"', 'planSpeedMax="x"',
                                                                              'waypoint 3: leg: planSpeedMax'),
    ('speed="4.0"', 'stay="5 min"', "stay is '5 min'; must be a duration, such as PT5M")])
def test_what_is_wrong_is_named(tmp_path, old, new, says):
    with pytest.raises(InputError, match=says):
        read_mission(written(tmp_path, RTZ.replace(old, new)))


@pytest.mark.parametrize(('stay', 'seconds'), [('PT5M', 300.0), ('P1DT2H', 93600.0), ('PT1M30.5S', 90.5)])
def test_the_boat_holds_where_the_schedule_says_that_it_stays(tmp_path, stay, seconds):
    route = itinerary_of(read_mission(written(tmp_path, RTZ.replace('speed="4.0"', f'stay="{stay}"'))))
    assert [point.hold for point in route.waypoints] == [0.0, seconds, 0.0]
