import json
import math

import pytest

from usv_energy.missions.itinerary import CIRCLE, RETURN, Waypoint, items_from_waypoints, itinerary_of, local_track
from usv_energy.missions.mission import LocalPlace, Mission, MissionItem
from usv_energy.studies.mission.mission_text import ROWS, mission_figures, mission_text

HOME = LocalPlace(0.0, 0.0)
WAYPOINTS = (Waypoint(LocalPlace(30.0, 40.0), 1, speed=1.5, hold=60.0, heading=0.0, radius=2.0, name='buoy'),
             Waypoint(LocalPlace(30.0, 0.0), 2, CIRCLE, speed=1.5, turns=-2.0, circle_radius=10.0),
             Waypoint(HOME, 3, RETURN, speed=1.5))


def shown(mission):
    itinerary = itinerary_of(mission)
    track = local_track(itinerary)
    return mission_text(itinerary, track), mission_figures(mission, itinerary, track)


@pytest.fixture
def mission():
    servos = tuple(MissionItem(183, number) for number in range(5, 15))
    return Mission('survey', (*items_from_waypoints(WAYPOINTS), *servos), home=HOME, speed=1.2, remarks=('a remark',))


def test_figures(mission):
    """Ways of 50, 40 and 30 m, two circles of 10 m; angles counter-clockwise from east."""
    _, figures = shown(mission)
    assert json.loads(json.dumps(figures)) == figures
    assert figures['length_m'] == pytest.approx(120.0 + 2.0 * math.tau * 10.0)
    assert (figures['hold_s'], figures['speed_m_s'], figures['remarks']) == (60.0, 1.2, ['a remark'])
    first, second, third = figures['legs']
    assert first['course_deg'] == pytest.approx(math.degrees(math.atan2(4.0, 3.0)))
    assert (first['heading_deg'], first['radius_m'], first['name']) == (0.0, 2.0, 'buoy')
    assert (second['course_deg'], second['turns'], second['circle_radius_m']) == (pytest.approx(270.0), -2.0, 10.0)
    assert (third['doing'], third['distance_m'], third['x_m']) == ('return', 30.0, 0.0)
    assert len(figures['ignored']) == 10


def test_the_table(mission):
    text, _ = shown(mission)
    lines = text.splitlines()
    assert lines[0] == 'survey: from home, x 0.00, y 0.00'
    assert ' '.join(lines[4].split()) == '2 x 30.00, y 40.00 50.0 037 1.5 60 buoy, heading 090 deg'
    assert '3 ways, 120.0 m, 125.7 m of circles, 60.0 s of stays, planned with 1.2 m/s' in lines
    assert '2 turns to starboard at 10 m' in text
    assert '  - DO_SET_SERVO: items 5, 6, 7, 8, 9, 10 and 4 more' in lines
    assert '  - a remark' in lines


def test_long_missions_are_cut():
    places = [Waypoint(LocalPlace(float(x), 0.0), x) for x in range(1, ROWS + 51)]
    text, figures = shown(Mission('m', items_from_waypoints(places)))
    assert 'and 50 more; --json has all' in text
    assert 'm: without home: from its first place' in text
    assert len(figures['legs']) == ROWS + 50
