import math

import numpy as np
import pytest

from usv_energy.earth import LocalPlane, Place, ways_between
from usv_energy.files.errors import InputError
from usv_energy.missions.itinerary import Itinerary, Waypoint, items_from_waypoints, itinerary_of, local_track
from usv_energy.missions.mission import LocalPlace, Mission, in_degrees, local_place


def itinerary(*places, **given):
    waypoints = tuple(Waypoint(place, number) for number, place in enumerate(places[1:], start=1))
    return Itinerary('m', places[0], True, waypoints, **given)


def test_a_published_geodesic():
    """JFK to Heathrow, the example of GeodSolve's manual page: 51.19888285 deg, 5551759.400 m."""
    length, course = ways_between(np.array([40.6, 51.6]), np.array([-73.8, -0.5]))
    assert length[0] == pytest.approx(5551759.400, abs=1e-3)
    assert math.degrees(course[0]) == pytest.approx(90.0 - 51.19888285, abs=1e-8)


def test_degrees_at_the_equator():
    """WGS84's equator is 2 pi 6378137 m; the first degree of a meridian is 110574.3886 m (Rapp, 1991)."""
    track = local_track(itinerary(Place(0.0, 0.0), Place(0.0, 1.0), Place(1.0, 1.0)))
    assert track.length == pytest.approx([math.radians(6378137.0), 110574.3886], abs=1e-3)
    assert track.course == pytest.approx([0.0, math.pi / 2], abs=1e-12)


def test_local_metres_go_and_come_back():
    rng = np.random.default_rng(1)
    east, north = rng.uniform(-2e4, 2e4, (2, 500))
    frame = LocalPlane(Place(59.3, 18.1))
    back = frame.to_local(*frame.to_geodetic(east, north))
    np.testing.assert_allclose(back, (east, north), atol=1e-6)


def test_ways_on_the_plane_are_those_on_the_earth():
    """To d^2 / 6 R^2, here 4e-7 at 10 km; courses to the turn of the meridians, d tan(latitude) / R."""
    rng = np.random.default_rng(2)
    frame = LocalPlane(Place(45.0, 9.0))
    places = [Place(*pair) for pair in np.transpose(frame.to_geodetic(*rng.uniform(-7e3, 7e3, (2, 100)))).tolist()]
    track = local_track(itinerary(Place(45.0, 9.0), *places))
    plane = np.hypot(np.diff(track.east), np.diff(track.north))
    np.testing.assert_allclose(track.length, plane, rtol=1e-6)
    turned = np.arctan2(np.diff(track.north), np.diff(track.east)) - track.course
    assert np.abs(np.arctan2(np.sin(turned), np.cos(turned))).max() < 2.0 * 1e4 / 6.37e6


def test_one_place():
    assert local_place(Place(0.0, 1.0), Place(0.0, 0.0)) == pytest.approx(
        (math.radians(6378137.0), 0.0), abs=1e-6)


def test_across_the_date_line():
    track = local_track(itinerary(Place(0.0, 179.9), Place(0.0, -179.9)))
    assert track.length == pytest.approx([math.radians(0.2) * 6378137.0])
    assert track.east[1] == pytest.approx(math.radians(0.2) * 6378137.0)


def test_a_way_of_no_length_has_the_course_before():
    a, b = Place(45.0, 9.0), Place(45.1, 9.0)
    track = local_track(itinerary(a, a, b, b))
    assert track.course == pytest.approx([0.0, math.pi / 2, math.pi / 2])
    assert track.length[[0, 2]].tolist() == [0.0, 0.0]


def test_local_missions():
    track = local_track(itinerary(LocalPlace(1.0, 1.0), LocalPlace(4.0, 5.0)))
    assert (track.length.tolist(), track.origin, track.east.tolist()) == ([5.0], None, [1.0, 4.0])
    assert track.course == pytest.approx([math.atan2(4.0, 3.0)])


def test_the_other_side_of_the_earth_is_refused():
    with pytest.raises(InputError, match=r'm: the place -45, -171 is more than 10000 km from 45, 9'):
        local_track(itinerary(Place(45.0, 9.0), Place(-45.0, -171.0)))


def test_local_metres_in_degrees():
    origin = Place(45.0, 9.0)
    items = items_from_waypoints([Waypoint(LocalPlace(1000.0, 0.0), 1), Waypoint(LocalPlace(1000.0, 500.0), 2)])
    mission = Mission('m', items, home=LocalPlace(0.0, 0.0), origin=origin)
    geodetic = in_degrees(mission)
    assert geodetic.home == origin
    lengths = [local_track(itinerary_of(one)).length for one in (mission, geodetic)]
    np.testing.assert_allclose(lengths[0], lengths[1], rtol=1e-7)
    assert in_degrees(geodetic) is geodetic


def test_local_metres_of_nowhere_are_not_turned_into_degrees():
    with pytest.raises(InputError, match='m: its places are local metres, and it does not say where they count from'):
        in_degrees(Mission('m', items_from_waypoints([Waypoint(LocalPlace(1.0, 0.0), 1)])))
