from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from usv_energy.boats.boat_file import read_boat
from usv_energy.files.errors import InputError
from usv_energy.flow.analytic import UniformFlow
from usv_energy.flow.flow_file import read_flow
from usv_energy.missions.itinerary import CIRCLE, RETURN, Itinerary, Waypoint
from usv_energy.missions.mission import LocalPlace
from usv_energy.studies.mission.mission_estimate import legs_estimate
from usv_energy.studies.mission.mission_order import _heuristic_order, best_order, order_cost, pair_costs, reordered
from usv_energy.studies.mission.mission_scenario import mission_scenario

TABLE = read_boat('blueboat_watts_only')
STILL, CURRENT = UniformFlow(), UniformFlow(0.4, 0.1)


def mission_of(places, current=STILL, speeds=None, home=False, doing=None):
    way = [Waypoint(LocalPlace(*place), number, (doing or {}).get(number, 'go'), speed=(speeds or {}).get(number),
                    turns=1.0, circle_radius=10.0) for number, place in enumerate(places)]
    if home:
        way.append(Waypoint(LocalPlace(0.0, 0.0), len(way), RETURN))
    return mission_scenario(Itinerary('m', LocalPlace(0.0, 0.0), True, tuple(way)), TABLE, current, STILL, 1.2)


def some_places(number, seed=3):
    return np.random.default_rng(seed).uniform(-200.0, 200.0, (number, 2)).tolist()


@pytest.mark.parametrize('home', [False, True])
@pytest.mark.parametrize('seed', [1, 2])
def test_the_order_is_the_best_of_all_of_them(home, seed):
    """Every order of six waypoints, as the estimate of a boat without corners has it, speeds going with waypoints."""
    mission = mission_of(some_places(6, seed), CURRENT, {1: 1.5, 4: 0.9}, home)
    found = best_order(mission)
    ends = (6,) if home else ()
    costs = {}
    for order in permutations(range(6)):
        legs = legs_estimate(reordered(mission, order + ends).scenario)
        costs[order + ends] = float(legs.total.sum())
    least = min(costs, key=costs.__getitem__)
    assert found.exact and found.gap == 0.0 and found.order == least
    # The estimate's mission ends as the last waypoint's radius is reached.
    assert found.energy == pytest.approx(costs[least], rel=0.02)
    assert found.bound <= found.energy <= found.as_given


def test_places_on_a_line_are_gone_to_one_after_the_other():
    mission = mission_of([(30.0, 0.0), (10.0, 0.0), (40.0, 0.0), (20.0, 0.0)])
    assert best_order(mission).order == (1, 3, 0, 2)
    assert [round(x) for x, _ in reordered(mission, (1, 3, 0, 2)).scenario.waypoints] == [10, 20, 30, 40]
    assert reordered(mission, (1, 3, 0, 2)).items == (1, 3, 0, 2)


def test_a_head_current_is_met_on_the_shortest_way():
    """Out and home: in a current costs are not the same both ways, and the matrix says so."""
    mission = mission_of([(100.0, 0.0), (200.0, 0.0)], CURRENT)
    points = np.array([(0.0, 0.0), *mission.scenario.waypoints])
    cost = pair_costs(mission.scenario, points, 0.0)
    assert cost[2, 0] > 2.0 * cost[1, 1] and np.isinf(cost[1, 0]) and np.isinf(cost[2, 1])
    assert order_cost(cost, (0, 1)) == pytest.approx(float(cost[0, 1]))


def test_many_waypoints_are_within_the_gap_that_is_said():
    """The heuristic on ten, whose best order is known; and on forty its gap to the bound."""
    for seed in range(4):
        mission = mission_of(some_places(10, seed), CURRENT, home=bool(seed % 2))
        exact = best_order(mission)
        points = np.array([(0.0, 0.0), *mission.scenario.waypoints])
        cost = pair_costs(mission.scenario, points, 0.0)
        near = order_cost(cost, _heuristic_order(cost, 10 if seed % 2 else None))
        assert exact.energy <= near * (1.0 + 1e-12) and near < 1.06 * exact.energy
    many = best_order(mission_of(some_places(40), CURRENT, home=True))
    assert not many.exact and sorted(many.order) == list(range(41)) and many.order[-1] == 40
    assert many.bound < many.energy < 0.5 * many.as_given and 0.0 < many.gap < 0.35


def test_a_flow_that_is_not_the_same_everywhere_is_asked_along_the_ways():
    river = read_flow('river')
    mission = mission_of([(200.0, 90.0), (300.0, 100.0), (250.0, 95.0)])
    mission = replace(mission, scenario=replace(mission.scenario, current=river, start=(180.0, 95.0, 0.0)))
    found = best_order(mission)
    river.close()
    assert found.order == (0, 2, 1)


def test_what_has_no_free_order_is_refused():
    with pytest.raises(InputError, match='item 0 is a circle, or gone to more than once'):
        best_order(mission_of([(50.0, 0.0), (90.0, 0.0)], doing={0: CIRCLE}))
    with pytest.raises(InputError, match='has 201 waypoints; --any-order goes with at most 200'):
        best_order(mission_of(some_places(201)))
    with pytest.raises(InputError, match='in no order at these speeds'):
        best_order(mission_of([(50.0, 0.0), (90.0, 0.0)], UniformFlow(-5.0, 0.0)))
