"""The legs of a route as a mission: its places, speeds over ground and stays, in metres and in degrees."""

import math

import numpy as np
import pytest
from route_cases import STILL, problem, steady_route

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.outfit import with_static_load
from usv_energy.earth import LocalPlane, Place
from usv_energy.flow.analytic import UniformFlow
from usv_energy.missions.itinerary import itinerary_of, local_track
from usv_energy.physics.motion import Flow
from usv_energy.studies.plan.steady_motion import steady_state
from usv_energy.studies.route.route_problem import Route
from usv_energy.studies.route.route_study import RouteStudy, first_heading, route_mission, simulate_legs

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


FLOW = Flow(0.5, 0.0, 0.0, 0.0)
PROP, RUDDER = (with_static_load(read_boat(name), 6.0) for name in ('lutra_prop', 'lutra_rudder_t200'))


@pytest.mark.parametrize('name', ['lutra_prop', 'lutra_rudder_t200'])
@pytest.mark.parametrize('x, y', [(0.0, 0.0), (0.5, 0.0), (-0.2, 0.3)])
def test_a_leg_begins_under_the_heading_that_the_triangle_of_velocities_has(name, x, y):
    """The air goes with the water, so that no boat has leeway."""
    legs, still = steady_route([(0.0, 0.0), (0.0, 50.0)], 0.6), UniformFlow(x, y)
    heading = first_heading(read_boat(name).vessel, legs, problem()._replace(current=still, wind=still))
    assert heading == pytest.approx(math.atan2(0.6 - y, -x), abs=1e-6)


def test_a_stay_before_the_first_leg_has_no_heading_of_its_own():
    legs = Route(np.array([0.0, 50.0, 150.0]), np.zeros(3), np.array([0.0, 0.0, -60.0]), np.array([0.0, 1.0]),
                 np.arange(3.0))
    assert first_heading(PROP.vessel, legs, problem()) == pytest.approx(-0.5 * math.pi, abs=1e-6)
    assert math.isnan(first_heading(PROP.vessel, Route(*(part[:2] for part in legs)), problem()))


def test_a_speed_that_cannot_be_held_has_no_heading():
    assert math.isnan(first_heading(PROP.vessel, steady_route([(0.0, 0.0), (100.0, 0.0)], 9.0), problem()))


@pytest.mark.parametrize('boat', [PROP, RUDDER], ids=['prop', 'rudder'])
def test_across_a_stream_legs_take_what_their_steady_motion_does(boat):
    """Two legs up and across a stream of the boat's own speed."""
    stream, legs = UniformFlow(0.5, 0.0), steady_route([(0.0, 0.0), (0.0, 60.0), (-40.0, 130.0)], 0.5)
    given = problem()._replace(current=stream, wind=STILL, goal=(-40.0, 130.0))
    power = [float(steady_state(boat.vessel, math.atan2(y, x), 0.5, FLOW).power.total)
             for x, y in zip(np.diff(legs.x), np.diff(legs.y))]
    promised = np.concatenate([[0.0], np.cumsum(power * np.diff(legs.time))])
    legs = legs._replace(energy=promised)
    run = simulate_legs(RouteStudy('r', boat, given, None, (given.goal,), legs, legs, math.nan, (), None))
    assert run is not None and run.reached
    assert run.energy == pytest.approx(promised[-1], rel=0.03)
