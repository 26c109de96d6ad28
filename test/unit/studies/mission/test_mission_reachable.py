import math

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.flow.analytic import UniformFlow
from usv_energy.missions.itinerary import Itinerary, Waypoint
from usv_energy.missions.mission import LocalPlace
from usv_energy.physics.motion import Flow
from usv_energy.studies.mission.mission_estimate import MissionCase, legs_estimate
from usv_energy.studies.mission.mission_scenario import (
    legs_within_reach,
    mission_scenario,
    reached_side_by_side,
    with_corners,
    with_speeds,
)
from usv_energy.studies.plan.steady_motion import highest_speed, top_speed

BOAT = read_boat('lutra_prop')
STILL = UniformFlow()


def scenario_of(places, speed, current=STILL, hold=0.0):
    way = tuple(Waypoint(LocalPlace(*place), number, hold=hold) for number, place in enumerate(places, start=1))
    return mission_scenario(Itinerary('m', LocalPlace(0.0, 0.0), True, way), BOAT, current, STILL, speed).scenario


def test_a_mission_that_can_be_gone_is_left_as_it_is():
    scenario = scenario_of([(50.0, 0.0), (50.0, 50.0)], 0.6)
    legs, slow = legs_within_reach(scenario)
    assert not slow.any() and np.array_equal(legs.energy, legs_estimate(scenario).energy)


def test_against_the_current_it_goes_at_the_top_speed_less_the_current():
    """Through still air drag is the water's alone but for a little windage, which the exact search has, too."""
    current = UniformFlow(0.3, 0.0)
    scenario = scenario_of([(60.0, 0.0), (0.0, 0.0)], 1.2, current)
    legs, slow = legs_within_reach(scenario)
    exact = highest_speed(BOAT.vessel, np.array([math.pi]), Flow(0.3, 0.0, 0.0, 0.0), np.linspace(0.0, 3.0, 20))[0]
    assert slow.tolist() == [False, True] and legs.feasible.all()
    assert legs.speed.tolist() == [1.2, pytest.approx(exact, rel=1.5e-3)]
    assert exact == pytest.approx(top_speed(BOAT.vessel) - 0.3, abs=0.02)
    assert legs.under_way[1] > 60.0 / exact > 60.0 / 1.2


def test_what_no_speed_helps_stays_as_it_was_and_is_said():
    current = UniformFlow(-3.0, 0.0)
    for hold in (0.0, 10.0):
        scenario = scenario_of([(60.0, 0.0)], 0.8, current, hold)
        legs, slow = legs_within_reach(scenario)
        assert legs.feasible.tolist() == [False] and not slow.any() and legs.speed.tolist() == [0.8]


@pytest.mark.parametrize('hold', [0.0, 10.0])
def test_cases_side_by_side_are_what_each_is_alone(hold):
    """Held, slowed on one leg, and impossible to hold at the end: the motion of all is solved in one call."""
    scenario = scenario_of([(60.0, 0.0), (0.0, 0.0)], 0.6, UniformFlow(0.3, 0.0), hold)
    cases = with_corners([MissionCase(with_speeds(scenario, np.array(speeds)), 0.0) for speeds in
                          ((0.6, 0.6), (0.9, 1.2), (1.2, 3.0))])
    alone = [legs_within_reach(case.scenario, 0.0, case.corners) for case in cases]
    for together in (reached_side_by_side(cases), reached_side_by_side(cases[::-1])[::-1]):
        for (legs, slow), (own, own_slow) in zip(together, alone):
            assert slow.tolist() == own_slow.tolist()
            for part, own_part in zip(legs, own):
                np.testing.assert_allclose(part, own_part, rtol=1e-12)
    assert [slow.any() for _, slow in alone] == [False, True, True]


def test_speeds_are_given_leg_by_leg_and_the_rest_of_the_orders_is_kept():
    scenario = with_speeds(scenario_of([(60.0, 0.0), (0.0, 0.0)], 0.8, hold=7.0), np.array([0.5, 0.7]))
    legs = legs_estimate(scenario)
    assert legs.speed.tolist() == [0.5, 0.7] and legs.hold.tolist() == [7.0, 7.0]
