import math

import pytest
from mission_files import HOME, some_waypoints

from usv_energy.earth import compass_degrees
from usv_energy.missions.itinerary import Waypoint, items_from_waypoints, itinerary_of
from usv_energy.missions.mission import LocalPlace, Mission


def same(one, other):
    """Return whether waypoints are the same but for the numbers of their items, headings to 1e-12 rad."""
    assert [waypoint.heading for waypoint in one] == pytest.approx([waypoint.heading for waypoint in other], abs=1e-12)
    return [waypoint._replace(item=0, heading=None) for waypoint in one] == [
        waypoint._replace(item=0, heading=None) for waypoint in other]


@pytest.mark.parametrize('seed', range(40))
def test_a_mission_of_waypoints_comes_to_these_waypoints(seed):
    waypoints = some_waypoints(seed)
    mission = Mission('m', items_from_waypoints(waypoints), home=HOME)
    assert {item.frame for item in mission.items if item.place is None} <= {2}
    assert {item.frame for item in mission.items if item.place is not None} <= {3}
    assert [item.number for item in mission.items] == list(range(1, len(mission.items) + 1))
    assert same(itinerary_of(mission).waypoints, waypoints)


def test_local_metres_stay():
    waypoints = (Waypoint(LocalPlace(3.0, 4.0), 1), Waypoint(LocalPlace(0.0, 0.0), 2))
    assert same(itinerary_of(Mission('m', items_from_waypoints(waypoints))).waypoints, waypoints)


@pytest.mark.parametrize(('heading', 'degrees'), [
    (0.0, 90.0), (math.pi / 2, 0.0), (math.pi, 270.0), (-math.pi / 2, 180.0)])
def test_compass(heading, degrees):
    assert compass_degrees(heading) == pytest.approx(degrees, abs=1e-12)
