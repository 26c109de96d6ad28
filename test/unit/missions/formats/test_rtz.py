"""Routes of electronic charts."""

from datetime import datetime, timezone

import pytest
from mission_files import RTZ

from usv_energy.files.errors import InputError
from usv_energy.missions.itinerary import itinerary_of
from usv_energy.missions.mission_file import read_mission


def written(folder, text=RTZ):
    (folder / 'a.rtz').write_text(text)
    return folder / 'a.rtz'


@pytest.mark.parametrize('spelling', ['scheduleElement', 'sheduleElement'])  # as the schema of RTZ 1.0 has it
def test_places_names_and_planned_speeds_come_out(tmp_path, spelling):
    """The calculated schedule wins over the manual one, the schedule over the leg; a limit is no plan."""
    mission = read_mission(written(tmp_path, RTZ.replace('scheduleElement', spelling)))
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


SCHEDULE = ('<scheduleElement waypointId="1" etd="2026-06-01T09:00:00Z"/>'
            '<scheduleElement waypointId="2" eta="2026-06-01T09:02:00Z" etd="2026-06-01T09:05:00"/>'
            '<scheduleElement waypointId="7" eta="2026-06-01T11:05:57.5+02:00"/>')


def scheduled(folder, elements=SCHEDULE):
    begin, end = RTZ.index('<manual>'), RTZ.index('</schedule></schedules>')
    return written(folder, f'{RTZ[:begin]}<manual>{elements}</manual>{RTZ[end:]}')


def test_the_times_of_a_schedule_give_speeds_stays_and_the_departure(tmp_path):
    """0.001 degrees of latitude at 59 degrees are 111.4 m, in 120 s; then 0.002 of longitude, 115.0 m, in 57.5 s."""
    mission = read_mission(scheduled(tmp_path))
    route = itinerary_of(mission)
    assert [point.speed for point in route.waypoints[1:]] == pytest.approx([111.4 / 120.0, 115.0 / 57.5], rel=2e-3)
    assert [point.hold for point in route.waypoints] == [0.0, 180.0, 0.0]
    assert mission.departure == datetime(2026, 6, 1, 9, tzinfo=timezone.utc)
    assert mission.remarks == ()


@pytest.mark.parametrize(('old', 'new', 'says'), [
    ('eta="2026-06-01T09:02:00Z"', 'speed="9" eta="2026-06-01T09:02:00Z"',
     "'2' the schedule says 9 kn, and its times 1.8 kn"),
    ('eta="2026-06-01T09:02:00Z"', 'eta="2026-06-01T08:02:00Z"', "allow -3480 s to waypoint '2': they are not used")])
def test_times_that_do_not_fit_are_remarked_on(tmp_path, old, new, says):
    mission = read_mission(scheduled(tmp_path, SCHEDULE.replace(old, new)))
    assert any(says in remark for remark in mission.remarks)


def test_a_time_that_is_none_is_named(tmp_path):
    with pytest.raises(InputError, match=r'scheduleElement: eta is "9 o.clock"; must be a date and time'):
        read_mission(scheduled(tmp_path, SCHEDULE.replace('2026-06-01T09:02:00Z', "9 o'clock")))
