"""The plan of a route is a mission of its legs, which says verdict, energy, times and charge."""

import math
from dataclasses import replace

import numpy as np
import pytest
from route_cases import STILL, problem, steady_route, study

from usv_energy.boats.boat_file import read_boat
from usv_energy.boats.outfit import with_static_load
from usv_energy.missions.itinerary import itinerary_of
from usv_energy.studies.mission.mission_battery import GO, NO_BATTERY, NO_GO
from usv_energy.studies.mission.mission_scenario import mission_scenario
from usv_energy.studies.mission.mission_study import mission_study
from usv_energy.studies.plan.steady_motion import top_speed
from usv_energy.studies.route.route_problem import Route
from usv_energy.studies.route.route_study import RouteStudy, judged, shortest_leg
from usv_energy.studies.route.route_text import leg_costs, leg_rows

BOAT = read_boat('lutra_prop')


def of_legs(legs, boat=BOAT):
    given = problem(depart=float(legs.time[0]))
    return RouteStudy('r', boat, given, None, (given.goal,), legs, legs, math.nan, ())


def test_it_says_what_the_mission_of_the_legs_says():
    made = study()
    other = mission_study(mission_scenario(itinerary_of(made.as_mission()), made.boat, STILL, STILL), 600.0)
    assert (made.verdict, made.energy, made.time) == (other.verdict, other.energy, other.time)
    assert made.energy > made.route_energy, 'it begins at rest'
    np.testing.assert_array_equal(made.charge, [1.0, *other.charge])


def test_the_reserve_decides():
    spent = 1.0 - study().plan.charge[-1]
    assert judged(study(), 0.5 + 1.001 * spent, 0.5).verdict == GO
    assert judged(study(), 0.5 + 0.999 * spent, 0.5).verdict == NO_GO
    assert judged(of_legs(study().legs, replace(BOAT, battery=None))).verdict == NO_BATTERY


def test_stays_are_rows_of_their_own_and_rows_sum_to_the_plan():
    """A stay where it begins, a way, a stay, a way."""
    legs = Route(np.array([5.0, 65.0, 165.0, 225.0, 325.0]), np.array([0.0, 0.0, 100.0, 100.0, 200.0]), np.zeros(5),
                 np.array([0.0, 1.0, 0.0, 1.0]), np.array([0.0, 60.0, 760.0, 820.0, 1520.0]))
    made = judged(of_legs(legs, with_static_load(BOAT, 6.0)))
    ends, spent = leg_costs(made)
    assert made.plan_parts.tolist() == [1, 2, 3, 4]
    assert spent.sum() == pytest.approx(made.energy, rel=1e-12) and (spent > 0.0).all()
    assert ends[-1] == made.time and np.diff(ends)[1] == pytest.approx(60.0)
    assert made.charge.shape == (5,) and (np.diff(made.charge) < 0.0).all()
    assert len(list(leg_rows(made))) == 5


def test_legs_beyond_the_limit_go_as_fast_as_the_thrusters_can():
    """Of a table that is a hundredth too high: what they hold is told again, and written."""
    top = top_speed(BOAT.vessel)
    made = judged(of_legs(steady_route([(0.0, 0.0), (300.0, 0.0), (300.0, 400.0)], 1.01 * top)))
    speeds = [waypoint.speed for waypoint in itinerary_of(made.as_mission()).waypoints]
    assert speeds == pytest.approx([top, top], rel=2e-3) and max(speeds) <= top
    assert made.plan.legs.feasible.all() and made.verdict == GO
    assert judged(of_legs(steady_route([(0.0, 0.0), (300.0, 0.0)], 0.5 * top))).legs.duration == pytest.approx(
        600.0 / top)


def test_a_leg_is_three_boat_lengths_or_a_hundredth_of_the_way():
    assert shortest_leg(BOAT, steady_route([(0.0, 0.0), (50.0, 0.0)], 1.0)) == 3.0 * BOAT.hull.length
    assert shortest_leg(BOAT, steady_route([(0.0, 0.0), (5000.0, 0.0)], 1.0)) == 50.0
