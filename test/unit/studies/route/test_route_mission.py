"""The legs of a route as a mission: its places, speeds over ground and stays, in metres and in degrees."""

import numpy as np
import pytest
from route_cases import steady_route

from usv_energy.earth import LocalPlane, Place
from usv_energy.missions.itinerary import itinerary_of, local_track
from usv_energy.studies.route.route_mission import route_mission
from usv_energy.studies.route.route_problem import Route

LEGS = steady_route([(0.0, 0.0), (300.0, 0.0), (300.0, 400.0)], 1.25)


def test_places_and_speeds_are_those_of_the_legs():
    itinerary = itinerary_of(route_mission(LEGS, 'route'))
    track = local_track(itinerary)
    np.testing.assert_allclose([track.east, track.north], [LEGS.x, LEGS.y])
    assert [waypoint.speed for waypoint in itinerary.waypoints] == [1.25, 1.25]


def test_in_degrees_the_places_are_those_of_the_frame():
    frame = LocalPlane(Place(46.2, 6.15))
    mission = route_mission(LEGS, 'route', frame)
    track = local_track(itinerary_of(mission))
    assert mission.home == pytest.approx((46.2, 6.15))
    np.testing.assert_allclose([track.east, track.north], [LEGS.x, LEGS.y], atol=1e-3)


def test_each_leg_has_its_own_speed_and_a_wait_is_a_stay():
    legs = Route(np.array([0.0, 50.0, 150.0, 200.0, 300.0]), np.array([0.0, 0.0, 100.0, 100.0, 300.0]), np.zeros(5),
                 np.array([0.0, 1.0, 0.0, 2.0]), np.arange(5.0))
    waypoints = itinerary_of(route_mission(legs, 'route')).waypoints
    assert [waypoint.hold for waypoint in waypoints] == [50.0, 50.0, 0.0]
    assert [waypoint.speed for waypoint in waypoints[1:]] == [1.0, 2.0]


def test_a_speed_that_stays_is_said_once():
    assert [item.command for item in route_mission(LEGS, 'route').items] == [178, 16, 16]
